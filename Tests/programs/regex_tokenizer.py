"""A tokenizer, parser and evaluator for a small language, with re."""
import re

TOKEN = re.compile(r"""
    (?P<num>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)
  | (?P<str>"(?:[^"\\]|\\.)*")
  | (?P<name>[^\W\d]\w*)
  | (?P<op>==|!=|<=|>=|->|[-+*/%<>=(){},;!])
  | (?P<ws>\s+|\#.*)
  | (?P<bad>.)
""", re.X)


class LangError(Exception):
    def __init__(self, msg, line, col):
        super().__init__(msg, line, col)
        self.msg, self.line, self.col = msg, line, col

    def __str__(self):
        return f"{self.line}:{self.col}: {self.msg}"


def tokens(src):
    for m in TOKEN.finditer(src):
        kind = m.lastgroup
        if kind == "ws":
            continue
        line = src.count("\n", 0, m.start()) + 1
        col = m.start() - src.rfind("\n", 0, m.start())
        if kind == "bad":
            raise LangError(f"bad character {m.group()!r}", line, col)
        yield kind, m.group(), line, col
    yield "end", "", src.count("\n") + 1, 0


class Parser:
    PREC = {"==": 1, "!=": 1, "<": 2, ">": 2, "<=": 2, ">=": 2, "+": 3, "-": 3, "*": 4, "/": 4, "%": 4}

    def __init__(self, src):
        self.toks = list(tokens(src))
        self.i = 0

    def peek(self):
        return self.toks[self.i][1]

    def take(self, want=None):
        kind, text, line, col = self.toks[self.i]
        if want is not None and text != want:
            raise LangError(f"expected {want!r}, found {text!r}", line, col)
        self.i += 1
        return kind, text

    def program(self):
        out = []
        while self.toks[self.i][0] != "end":
            out.append(self.stmt())
        return ("block", out)

    def block(self):
        self.take("{")
        out = []
        while self.peek() != "}":
            out.append(self.stmt())
        self.take("}")
        return ("block", out)

    def stmt(self):
        match self.peek():
            case "while" | "if" as kw:
                self.take()
                cond = self.expr()
                body = self.block()
                alt = None
                if kw == "if" and self.peek() == "else":
                    self.take()
                    alt = self.block()
                return (kw, cond, body, alt)
            case "return" | "print" as kw:
                self.take()
                e = self.expr()
                self.take(";")
                return (kw, e)
            case "fn":
                self.take()
                name = self.take()[1]
                self.take("(")
                params = []
                while self.peek() != ")":
                    params.append(self.take()[1])
                    if self.peek() == ",":
                        self.take()
                self.take(")")
                return ("fn", name, params, self.block())
        e = self.expr()
        if self.peek() == "=":
            self.take()
            v = self.expr()
            self.take(";")
            return ("set", e[1], v)
        self.take(";")
        return ("expr", e)

    def expr(self, lvl=1):
        left = self.unary()
        while (p := self.PREC.get(self.peek(), 0)) >= lvl:
            op = self.take()[1]
            left = ("bin", op, left, self.expr(p + 1))
        return left

    def unary(self):
        if self.peek() in ("-", "!"):
            return ("un", self.take()[1], self.unary())
        kind, text = self.take()
        if kind == "num":
            e = ("lit", float(text) if re.search(r"[.eE]", text) else int(text))
        elif kind == "str":
            e = ("lit", re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), text[1:-1]))
        elif kind == "name":
            e = ("var", text)
        elif text == "(":
            e = self.expr()
            self.take(")")
        else:
            self.i -= 1
            raise LangError(f"unexpected {text!r}", *self.toks[self.i][2:])
        while self.peek() == "(":
            self.take()
            args = []
            while self.peek() != ")":
                args.append(self.expr())
                if self.peek() == ",":
                    self.take()
            self.take(")")
            e = ("call", e, args)
        return e


class Return(Exception):
    pass


BIN = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b, "%": lambda a, b: a % b, "<": lambda a, b: a < b,
       ">": lambda a, b: a > b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b}


def run(n, env):
    match n:
        case ("lit", v):
            return v
        case ("var", name):
            return env[name]
        case ("bin", op, a, b):
            return BIN[op](run(a, env), run(b, env))
        case ("un", "-", a):
            return -run(a, env)
        case ("un", "!", a):
            return not run(a, env)
        case ("block", body):
            for s in body:
                run(s, env)
        case ("print", e):
            print(run(e, env))
        case ("set", name, e):
            env[name] = run(e, env)
        case ("while", c, body, _):
            while run(c, env):
                run(body, env)
        case ("if", c, a, b):
            if run(c, env):
                run(a, env)
            elif b:
                run(b, env)
        case ("fn", name, params, body):
            def f(*args):
                try:
                    run(body, {**env, name: f, **dict(zip(params, args, strict=True))})
                except Return as r:
                    return r.args[0]
            env[name] = f
        case ("call", f, args):
            return run(f, env)(*(run(a, env) for a in args))
        case ("return", e):
            raise Return(run(e, env))
        case ("expr", e):
            run(e, env)


run(Parser(r'''
fn fib(n) { if n < 2 { return n; } return fib(n - 1) + fib(n - 2); }
i = 0; # count
while i < 12 { print fib(i); i = i + 1; }
print "a\tb\"q\"" + "x" * 3; print 1.5e3 / 4 - -2 * (3 + 4) % 5; print !(1 == 2);
fn adder(a) { fn add(b) { return a + b; } return add; } print adder(3)(4);
''').program(), {})
for src in ("x = 1 $ 2;", "x = ;", "if 1 { ", "fn f(a) {} f(1, 2);", "print nope;", 'print "a" - 1;'):
    try:
        run(Parser(src).program(), {})
    except (LangError, ValueError, KeyError, TypeError) as e:
        print(type(e).__name__, e)
print(re.findall(r"(\w+)=(\d+)", "a=1, b=22 c=x d=3"), re.split(r"([,;])\s*", "a, b;c,d"), re.sub(r"(?P<a>\w)(?P<b>\w)", r"\g<b>\1", "abcdef"), re.subn("a*", "-", "baac"))
print(re.match(r"(a)(b)?", "ac").groups("dflt"), re.fullmatch(r"(?i)HeL+o", "hello"), re.search(r"(?<=x)y(?!z)", "xyz xya").span(), re.match(r"(?:(\d)|(\w))+", "1a2").regs)
print(re.findall(r"(?m)^(\w+)$", "one\ntwo three\nfour"), re.escape("a.b*c[é]"), re.sub(r"\b(\w)", lambda m: m[1].upper(), "the end is"), re.compile(b"\\d+").findall(b"1 22"), repr(re.compile("a", re.I | re.S)))
for p in ("(", "a**", "[z-a]", "(?P<1>a)", r"\g", "(?P<a>x)(?P<a>y)", "(?<=a+)b", "x{3,1}", "[", "(?z)", "\\"):
    try:
        re.compile(p)
    except re.error as e:
        print(p, "|", e, e.pos)
run(Parser("fn f(n) { return f(n / 0); } f(1);").program(), {})
