"""A Lisp with macros, closures, tail calls and errors with positions, and a stack machine that it compiles to."""
import operator
import re
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Callable, Iterator, NamedTuple


class Token(NamedTuple):
    kind: str
    text: str
    line: int
    column: int


class LispError(Exception):
    def __init__(self, message, token=None):
        super().__init__(message)
        if token:
            self.add_note(f"at line {token.line}, column {token.column}: {token.text!r}")


SPEC = re.compile(r'''(?P<space>[ \t]+|;[^\n]*)|(?P<newline>\n)|(?P<open>[(\[])|(?P<close>[)\]])
 |(?P<quote>['`]|,@|,)|(?P<string>"(?:\\.|[^"\\])*")|(?P<number>[-+]?\d+(?:\.\d+)?(?:e-?\d+)?(?![^\s()\[\]]))
 |(?P<symbol>[^\s()\[\]"',`;]+)|(?P<bad>.)''', re.X)


def tokens(text: str) -> Iterator[Token]:
    line, start = 1, 0
    for m in SPEC.finditer(text):
        kind = m.lastgroup
        if kind == "newline":
            line, start = line + 1, m.end()
        elif kind != "space":
            yield Token(kind, m[0], line, m.start() - start + 1)


class Symbol(str):
    __slots__ = ()

    def __repr__(self):
        return str(self)


QUOTES = {"'": "quote", "`": "quasiquote", ",": "unquote", ",@": "splice"}


def parse(stream):
    for t in stream:
        match t:
            case Token("open", text):
                items = []
                while not isinstance(item := parse(stream), Token):
                    items.append(item)
                if {"(": ")", "[": "]"}[text] != item.text:
                    raise LispError("brackets do not match", item)
                return items
            case Token("close"):
                return t
            case Token("quote", text):
                return [Symbol(QUOTES[text]), parse(stream)]
            case Token("string", text):
                return text[1:-1].encode().decode("unicode_escape")
            case Token("number", text):
                return float(text) if set(text) & set(".e") else int(text)
            case Token("symbol", "#t" | "#f" as text):
                return text == "#t"
            case Token("symbol", text):
                return Symbol(text)
            case _:
                raise LispError("what is this?", t)
    raise LispError("unexpected end of input")


class Env(dict):
    def __init__(self, names=(), values=(), outer=None):
        super().__init__(zip(names, values))
        self.outer = outer

    def __missing__(self, name):
        if self.outer is None:
            raise LispError(f"unbound: {name}")
        return self.outer[name]

    def owner(self, name):
        return self if name in self or self.outer is None else self.outer.owner(name)


@dataclass
class Lambda:
    names: list
    body: Any
    env: Env = field(repr=False)
    rest: Any = None

    def bind(self, args):
        if self.rest is None and len(args) != len(self.names) or len(args) < len(self.names):
            raise LispError(f"takes {len(self.names)} arguments, got {len(args)}")
        env = Env(self.names, args, self.env)
        if self.rest:
            env[self.rest] = list(args[len(self.names):])
        return env


class Macro(Lambda):
    pass


def quasi(x, env):
    match x:
        case ["unquote", e]:
            return run(e, env)
        case [*items]:
            out = []
            for item in items:
                match item:
                    case ["splice", e]:
                        out.extend(run(e, env))
                    case _:
                        out.append(quasi(item, env))
            return out
    return x


def run(x, env):
    while True:
        match x:
            case Symbol():
                return env[x]
            case ["quote", v]:
                return v
            case ["quasiquote", v]:
                return quasi(v, env)
            case ["if", test, then, *other]:
                x = then if run(test, env) is not False else (other[0] if other else None)
            case ["define", [name, *params], *body]:
                env[name] = make_lambda(params, body, env)
                return name
            case ["define", Symbol() as name, value]:
                env[name] = run(value, env)
                return name
            case ["define-macro", [name, *params], *body]:
                f = make_lambda(params, body, env)
                env[name] = Macro(f.names, f.body, env, f.rest)
                return name
            case ["set!", Symbol() as name, value]:
                env.owner(name)[name] = run(value, env)
                return None
            case ["lambda", params, *body]:
                return make_lambda(params, body, env)
            case ["begin", *body, last]:
                for e in body:
                    run(e, env)
                x = last
            case ["let", [*bindings], *body]:
                x = [[Symbol("lambda"), [b[0] for b in bindings], *body], *(b[1] for b in bindings)]
            case [head, *args]:
                f = run(head, env)
                if isinstance(f, Macro):
                    x = run(f.body, f.bind(args))
                    continue
                args = [run(a, env) for a in args]
                if isinstance(f, Lambda):
                    x, env = f.body, f.bind(args)
                    continue
                if not callable(f):
                    raise LispError(f"not a function: {f!r}")
                return f(*args)
            case _:
                return x


def make_lambda(params, body, env):
    rest = None
    if "." in params:
        *params, _, rest = params
    return Lambda(params, [Symbol("begin"), *body], env, rest)


def show(v):
    match v:
        case True: return "#t"
        case False: return "#f"
        case None: return "nil"
        case Symbol(): return str(v)
        case str(): return '"' + v.replace('"', '\\"') + '"'
        case list(): return "(" + " ".join(map(show, v)) + ")"
        case Lambda(names=n): return f"#<lambda {len(n)}>"
    return repr(v)


GLOBAL = Env()
GLOBAL.update({Symbol(k): v for k, v in {
    "+": lambda *a: sum(a), "*": lambda *a: reduce(operator.mul, a, 1), "-": lambda a, *b: a - sum(b) if b else -a,
    "/": lambda a, b: a // b if isinstance(a, int) and isinstance(b, int) and a % b == 0 else a / b,
    "<": operator.lt, ">": operator.gt, "=": operator.eq, "car": lambda l: l[0], "cdr": lambda l: l[1:],
    "cons": lambda a, l: [a, *l], "list": lambda *a: list(a), "null?": lambda l: l == [], "display": lambda v: print(show(v)),
    "map": lambda f, l: [apply(f, [x]) for x in l], "apply": lambda f, a: apply(f, a), "mod": operator.mod,
    "length": len, "string-append": lambda *s: "".join(s), "number->string": str, "eval": lambda x: run(x, GLOBAL)}.items()})


def apply(f, args):
    return run(f.body, f.bind(args)) if isinstance(f, Lambda) else f(*args)


PROGRAM = r'''
(define (fact n) (if (< n 2) 1 (* n (fact (- n 1)))))
(display (fact 30))
(define (loop i acc) (if (= i 0) acc (loop (- i 1) (+ acc i))))  ; a tail call
(display (loop 20000 0))
(define-macro (when c . body) `(if ,c (begin ,@body)))
(define-macro (swap! a b) `(let [(tmp ,a)] (set! ,a ,b) (set! ,b tmp)))
(define x 1) (define y 2) (swap! x y)
(display (list x y (when (> x y) "bigger" "really")))
(define (counter) (let ((n 0)) (lambda () (set! n (+ n 1)) n)))
(define c (counter)) (c) (c)
(display (list (c) ((counter)) '(a . b) `(1 ,(+ 1 1) ,@(map fact '(3 4)))))
(define (sum . xs) (apply + xs))
(display (list (sum) (sum 1 2.5e-1 -3) "a \"quoted\"\n\x41" #t #f sum))
(define (sieve l) (if (null? l) l (cons (car l) (sieve (filter (lambda (n) (> (mod n (car l)) 0)) (cdr l))))))
(define (filter f l) (if (null? l) l (if (f (car l)) (cons (car l) (filter f (cdr l))) (filter f (cdr l)))))
(define (range a b) (if (< a b) (cons a (range (+ a 1) b)) '()))
(display (sieve (range 2 60)))
(display (eval '(let ((a 3)) (* a a))))
'''
for source in (PROGRAM, "(car", "(display (undefined 1))", "((lambda (a b) a) 1)", "(1 2)", "(car '[1 2))", "(+ 1 \"a\")", "(/ 1 0)"):
    stream = tokens(source)
    try:
        while True:
            try:
                form = parse(stream)
            except LispError as e:
                if str(e) == "unexpected end of input" and source is PROGRAM:
                    break
                raise
            run(form, GLOBAL)
    except (LispError, TypeError, ZeroDivisionError) as e:
        print(type(e).__name__, e, getattr(e, "__notes__", None))


# The same arithmetic, compiled to a stack machine.
@dataclass(frozen=True)
class Ins:
    op: str
    arg: Any = None

    def __str__(self):
        return f"{self.op:6}{'' if self.arg is None else ' ' + show(self.arg)}"


def compile_form(x) -> list[Ins]:
    match x:
        case int() | float():
            return [Ins("push", x)]
        case Symbol():
            return [Ins("load", x)]
        case ["if", test, then, other]:
            t, a, b = map(compile_form, (test, then, other))
            return [*t, Ins("jmpf", len(a) + 1), *a, Ins("jmp", len(b)), *b]
        case [op, *args]:
            return [i for a in args for i in compile_form(a)] + [Ins("call", op), Ins("n", len(args))]
    raise LispError(f"cannot compile {x!r}")


def machine(code, env):
    stack, pc, steps = [], 0, 0
    while pc < len(code):
        steps += 1
        match code[pc]:
            case Ins("push", v):
                stack.append(v)
            case Ins("load", name):
                stack.append(env[name])
            case Ins("jmp", n):
                pc += n
            case Ins("jmpf", n) if stack.pop() is False:
                pc += n
            case Ins("call", f):
                n = code[pc := pc + 1].arg
                args = stack[len(stack) - n:]
                del stack[len(stack) - n:]
                stack.append(env[f](*args))
        pc += 1
    return stack.pop(), steps


for text in ("(+ 1 (* 2 3) x)", "(if (< x 3) (- x 10) (+ x 1 1 1))", "(if (> x 3) 1 (if (= x 2) 22 33))"):
    code = compile_form(parse(tokens(text)))
    print(text, *code, sep="\n  ")
    print(machine(code, GLOBAL), [machine(code, Env(["x"], [v], GLOBAL))[0] for v in (1, 3, 7)])
