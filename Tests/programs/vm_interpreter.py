"""A small stack machine with an assembler, a Brainfuck and a Lisp."""
import operator
from functools import reduce


class VMError(RuntimeError):
    pass


class VM:
    def __init__(self, code, limit=100000):
        self.code, self.pc, self.stack, self.calls, self.mem, self.limit = code, 0, [], [], {}, limit

    def run(self):
        while self.pc < len(self.code):
            op, *args = self.code[self.pc]
            self.pc += 1
            self.limit -= 1
            if self.limit < 0:
                raise VMError("limit")
            getattr(self, "op_" + op)(*args)
        return self.stack

    def op_push(self, v):
        self.stack.append(v)

    def op_bin(self, f):
        b, a = self.stack.pop(), self.stack.pop()
        self.stack.append(getattr(operator, f)(a, b))

    def op_load(self, n):
        self.stack.append(self.mem[n])

    def op_store(self, n):
        self.mem[n] = self.stack.pop()

    def op_jz(self, to):
        if not self.stack.pop():
            self.pc = to

    def op_jmp(self, to):
        self.pc = to

    def op_call(self, to):
        self.calls.append(self.pc)
        self.pc = to

    def op_ret(self):
        self.pc = self.calls.pop()

    def op_print(self):
        print("vm:", self.stack.pop())

    def op_halt(self):
        self.pc = len(self.code)


def assemble(text):
    labels, code = {}, []
    for line in text.strip().splitlines():
        line = line.split(";")[0].strip()
        if line.endswith(":"):
            labels[line[:-1]] = len(code)
        elif line:
            code.append(line.split())
    return [[op, *(labels.get(a, int(a) if a.lstrip("-").isdigit() else a) for a in args)] for op, *args in code]


src = """
    push 10
    store n
    push 1
    store acc
loop:
    load n
    jz end       ; done
    load acc
    load n
    bin mul
    store acc
    load n
    push -1
    bin add
    store n
    jmp loop
end:
    load acc
    print
    call sub
    halt
sub:
    push 7
    push 2
    bin floordiv
    print
    ret
"""
print(VM(assemble(src)).run())


def bf(src, data=""):
    jump, st = {}, []
    for i, c in enumerate(src):
        if c == "[":
            st.append(i)
        elif c == "]":
            j = st.pop()
            jump[i], jump[j] = j, i
    tape, p, pc, out, data = [0] * 300, 0, 0, [], iter(data)
    while pc < len(src):
        match src[pc]:
            case ">":
                p += 1
            case "<":
                p -= 1
            case "+":
                tape[p] = (tape[p] + 1) & 255
            case "-":
                tape[p] = (tape[p] - 1) & 255
            case ".":
                out.append(chr(tape[p]))
            case ",":
                tape[p] = ord(next(data, "\0"))
            case "[" if not tape[p]:
                pc = jump[pc]
            case "]" if tape[p]:
                pc = jump[pc]
        pc += 1
    return "".join(out)


print(bf("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+."), bf(",[.,]", "echo"))


class Env(dict):
    def __init__(self, names=(), vals=(), outer=None):
        super().__init__(zip(names, vals))
        self.outer = outer

    def find(self, k):
        if k in self:
            return self
        if self.outer is None:
            raise NameError(f"unbound {k!r}")
        return self.outer.find(k)


def read(toks):
    t = toks.pop(0)
    if t == "(":
        out = []
        while toks[0] != ")":
            out.append(read(toks))
        toks.pop(0)
        return out
    if t == ")":
        raise SyntaxError("unexpected )")
    for conv in (int, float):
        try:
            return conv(t)
        except ValueError:
            pass
    return t


G = Env()
G.update({"+": lambda *a: sum(a), "*": lambda *a: reduce(operator.mul, a, 1), "-": operator.sub, "/": operator.truediv, "<": operator.lt, "=": operator.eq, "list": lambda *a: list(a), "car": lambda x: x[0], "cdr": lambda x: x[1:], "null?": lambda x: not x, "cons": lambda a, b: [a] + b})


def ev(x, env=G):
    while True:
        if isinstance(x, str):
            return env.find(x)[x]
        if not isinstance(x, list):
            return x
        match x:
            case ["quote", v]:
                return v
            case ["if", c, a, b]:
                x = a if ev(c, env) else b
            case ["define", [name, *params], body]:
                env[name] = ev(["lambda", params, body], env)
                return None
            case ["define", name, v]:
                env[name] = ev(v, env)
                return None
            case ["lambda", params, body]:
                return (params, body, env)
            case ["let", binds, body]:
                x, env = body, Env([b[0] for b in binds], [ev(b[1], env) for b in binds], env)
            case [f, *args]:
                f, args = ev(f, env), [ev(a, env) for a in args]
                if callable(f):
                    return f(*args)
                params, x, outer = f
                env = Env(params, args, outer)


for line in ("(define (fact n) (if (< n 2) 1 (* n (fact (- n 1)))))", "(fact 20)", "(define (loop n acc) (if (= n 0) acc (loop (- n 1) (+ acc n))))", "(loop 2000 0)", "(define (map f l) (if (null? l) (quote ()) (cons (f (car l)) (map f (cdr l)))))", "(map (lambda (x) (* x x)) (list 1 2 3))", "(let ((x 2) (y 3)) (+ x y 0.5))", "(((lambda (a) (lambda (b) (- a b))) 9) 4)"):
    print(line, "=>", ev(read(line.replace("(", " ( ").replace(")", " ) ").split())))
for bad in (lambda: ev(["nope"]), lambda: read([")"]), lambda: VM([["zap"]]).run(), lambda: VM([["jmp", 0]], 10).run(), lambda: VM([["bin", "add"]]).run(), lambda: bf("]"), lambda: bf("<" * 400 + "+")):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
ev(read("( car ( quote ( ) ) )".split()))
