"""An instruction ends with a jump to the next one, in whatever build: a loop that runs
long needs no more C stack than one that runs once."""
import os
import platform
import shutil
import subprocess
import tempfile
import textwrap
import threading
import unittest

ROUNDS = 5000
STACK = 256 * 1024              # a handler that calls instead takes 100 bytes a round

SETUP = """\
class Any:
    def __init__(self, v=1): self.v = v
    def __eq__(self, other): return True
    def __lt__(self, other): return True
    def __add__(self, other): return self
    __radd__ = __iadd__ = __mul__ = __and__ = __add__
    def __getitem__(self, i): return 1
    def __setitem__(self, i, v): pass
    def __delitem__(self, i): pass
    def __getattr__(self, name): return self.method
    def method(self, *args, **kwargs): return 1
    def __call__(self, *args): return 1
    def __enter__(self): return self
    def __exit__(self, *args): return True
    def __iter__(self): return iter((1, 2))
    def __bool__(self): return True
    def __contains__(self, x): return True
    def __len__(self): return 1
    __hash__ = object.__hash__
    @property
    def p(self): return 1
def generator():
    while True: x = yield 1
def outer(g): yield from g
class Sent:
    def __iter__(self): return self
    def __next__(self): return 1
    def send(self, x): return x
class Slots: __slots__ = "a",
s = Slots(); s.a = 1
async def coroutine(): return 1
a, b, L, D, big = Any(), Any(), [1, 2, 3], {"k": 1}, 1 << 70
g = generator(); next(g)
sent = outer(Sent()); next(sent)
def f(*args, k=1, **kw): return args
def kinds(i): return (1, 1.5, "a", big, None, a)[i % 6]
"""
STATEMENTS = r"""
if kinds(i) == kinds(i + 1): pass
if kinds(i) == 5: pass
if a < b: pass
if big < i: pass
if not big > 5: pass
while i == "x": pass
kinds(i) == kinds(i + 2)
a + b; a += 1; a + 1; 1 + a
big + 1; big - 1; big * 2; big // 3; big % 5; big & 7; big << 1; big >> 1
x = i; x += big; x -= 1.5
-big; ~big; not a
a[0]; a[0] = 1; del a[0]; a[1:2]; a[1:2] = 3; del a[1:2]
L[0:2] = [1, 2]; L[:] = L[:]; L[i % 3]; L[-1] = i; L["x":] if i < 0 else 0
D["k"]; D[i % 7] = i; D.get(i); D.pop(i, None)
"abc"[i % 3]; b"abc"[1]; (1, 2)[i % 2]
a.v; a.v = i; a.p; a.nothing; a.method(); a.other(1); a.method(k=1)
s.a; s.a = i; del s.a; s.a = 1
L.append(1); L.pop(); L.index(1); "x".join(("a", "b")); "x".split()
len(L); abs(-i); isinstance(a, Any); int(i); str(i); print(end="")
f(); f(1, 2); f(k=2); f(*L); f(**D); f(*L, **{"z": 1}); a(); Any(); Any(v=3)
(lambda x, y=2: x)(i); list(x for x in L); [x for x in L]; {x for x in L}; {x: x for x in L}
next(g); g.send(i); next(sent); sent.send(i)
for x in generator(): break
for x in a: pass
for x in (y for y in L): pass
for x, y in D.items(): pass
x, y, z = L; x, *y = L; x, y = a; (x, y), z = (1, 2), 3
with a: pass
with a: raise KeyError
with a as x: i / 0
try: i / 0\nexcept ZeroDivisionError as e: pass
try: raise KeyError(i)\nexcept (TypeError, KeyError): pass\nfinally: pass
try: raise ExceptionGroup("g", [ValueError(1), KeyError(2)])\nexcept* ValueError: pass\nexcept* KeyError: pass
try: coroutine().send(None)\nexcept StopIteration: pass
match kinds(i):\n case int(x): pass\n case [x, *_] | {"k": x}: pass\n case Any(v=x): pass\n case _: pass
f"{i}{a!r:.5}{i:>4}"; "%s" % i; "a" "b" + str(i)
i in L; i not in D; a is b; a is not None; i in a
x = [*L, *L]; x = {**D}; x = (i, *L); x = {*L}; x = i, i; x = slice(i)
def inner(x=i): return x\ninner()
class C(Any): pass
import sys; from os import path; global GLOBAL; GLOBAL = i; GLOBAL; del GLOBAL
assert i >= 0; x = i if i else 0; x = i and a or b; x = (y := i)
""".strip().splitlines()


def ends_in_small_stack(function):
    """Whether it does. An exception is shown by the thread, if there is stack left."""
    ended = []

    def run():
        function()
        ended.append(True)
    before = threading.stack_size(STACK)
    try:
        thread = threading.Thread(target=run)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join(60)
    return ended


JUMPS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                     "variants", "jumps.py")
HANDLERS = """
    typedef struct table table;
    typedef long handler(const unsigned short *ip, const table *table);
    struct table {
        handler *op[256];
    };
    #define NEXT() return table->op[*++ip](ip, table)
    #define SLOW(name) \\
        __attribute__((noinline)) long name(const unsigned short *ip, const table *table)
    __attribute__((noipa)) void use(long *);
    SLOW(plain_slow) { if (*ip == 5) use(0); NEXT(); }
    SLOW(op_PLAIN) { if (*ip == 3) return plain_slow(ip, table); NEXT(); }
    SLOW(op_END) { return *ip; }
    """
PROGRAM = """
    void use(long *p) { if (p) *p = 1; }
    const table all = {{op_PLAIN, op_END}};
    int main(int argc, char **argv) {
        return (int)all.op[argc]((const unsigned short *)argv, &all);
    }
    """


@unittest.skipUnless(shutil.which("gcc") and shutil.which("objdump")
                     and platform.machine() == "x86_64", "wants gcc and objdump for x86-64")
class CheckOfJumps(unittest.TestCase):
    """Tests/variants/jumps.py, which `make check-gcc` runs."""

    def check(self, handlers):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            subprocess.run(["gcc", "-O2", "-fno-pie", "-no-pie", "-x", "c", "-", "-o", program],
                           input=textwrap.dedent(HANDLERS + handlers + PROGRAM), text=True,
                           check=True, timeout=60)
            done = subprocess.run(["/usr/bin/python3.11", JUMPS, program], capture_output=True,
                                  text=True, timeout=60)
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines(), done.returncode

    def test_handlers_that_jump(self):
        self.assertEqual(self.check(""), (["3 passed, 0 failed, 0 skipped"], 0))

    def test_handlers_that_lend_an_address(self):
        for body in "NEXT();", "return plain_slow(ip, table);":
            shown, code = self.check("SLOW(op_LENDS) { long v; use(&v); %s }" % body)
            self.assertRegex(shown[0], "^FAIL op_LENDS: calls (the next handler|plain_slow), ")
            self.assertEqual((shown[1:], code), (["3 passed, 1 failed, 0 skipped"], 1))

    def test_what_only_a_handler_runs_is_one(self):
        shown, code = self.check("""
            SLOW(lends) { long v; use(&v); if (v) return plain_slow(ip, table); NEXT(); }
            SLOW(op_SHORT) { return lends(ip, table); }
            """)
        self.assertIn("FAIL lends: calls plain_slow, calls the next handler", shown[0])
        self.assertEqual((shown[1:], code), (["4 passed, 1 failed, 0 skipped"], 1))

    def test_a_program_without_handlers(self):
        source = HANDLERS.replace("op_", "no_").replace("*++ip", "0")
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            subprocess.run(["gcc", "-O2", "-x", "c", "-", "-o", program], text=True, check=True,
                           input=textwrap.dedent(source) + "void use(long *p) {} int main() {}")
            done = subprocess.run(["/usr/bin/python3.11", JUMPS, program], capture_output=True,
                                  text=True)
        self.assertEqual(done.stdout, "FAIL: no handlers found\n0 passed, 1 failed, 0 skipped\n")


class CStack(unittest.TestCase):
    def test_a_long_loop_takes_no_more_than_a_short_one(self):
        for statement in STATEMENTS:
            with self.subTest(statement):
                body = statement.replace("\\n", "\n").replace("\n", "\n        ")
                # A frame of its own, so that variables are local ones.
                text = SETUP + f"def test(a, b, s, g):\n    for i in range({ROUNDS}):\n        {body}\n"
                names = {"__name__": "dispatch"}
                exec(text, names)
                self.assertTrue(ends_in_small_stack(
                    lambda: names["test"](*(names[n] for n in ("a", "b", "s", "g")))))


if __name__ == "__main__":
    unittest.main()
