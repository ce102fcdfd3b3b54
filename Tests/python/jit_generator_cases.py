"""What tests of generators, coroutines and loops in machine code share.

Each program runs often enough to be compiled, then meets what its guards exclude, and must
print what it prints in the interpreter. Where the interpreter alone would not notice a mistake
that both modes share, the expected output stands in the test."""
import textwrap
import unittest

from jit_cases import finished


def run(text, mode):
    done = finished(textwrap.dedent(text), PYTHONHASHSEED="0", SPRINGBOARD_JIT=mode)
    return done.stdout, done.stderr, done.returncode


# It imports little: each import is run in each mode, and an emulator takes long for it.
PRELUDE = """
import gc, sys
class Loud:
    def __init__(self, name): self.name = name
    def __repr__(self): return "<%s>" % self.name
    def __del__(self): print("gone", self.name)
def plain(value):
    text = repr(value)
    for word in "at 0x", "for 0x":
        before, found, behind = text.partition(word)
        while found:
            text = before + behind.lstrip("0123456789abcdef")
            before, found, behind = text.partition(word)
    return text
def attempt(function, *args):
    try:
        print(function.__name__, plain(function(*args)))
    except BaseException as e:
        shown, tb = [], e.__traceback__.tb_next
        while tb is not None:
            shown.append((tb.tb_frame.f_code.co_name,
                          tb.tb_lineno - tb.tb_frame.f_code.co_firstlineno))
            tb = tb.tb_next
        print(function.__name__, type(e).__name__, plain(e), plain(e.__context__), shown)
def warm(function, *args):
    for _ in range(700):
        function(*args)
def ends(coro, *told):
    try:
        coro.send(None)
        for x in told:
            coro.send(x)
    except StopIteration as stop:
        return stop.value
def total(iterable):
    n = 0
    for x in iterable:
        n += x
    return n
def collect(iterable):
    found = []
    for x in iterable:
        found.append(x)
    return found
"""


class Case(unittest.TestCase):
    maxDiff = None
    modes = ("eager", "on")

    def check(self, text, expected=None):
        text = PRELUDE + textwrap.dedent(text)
        out, err, code = run(text, "off")
        self.assertEqual(code, 0, err)
        self.assertNotEqual(out, "")
        if expected is not None:
            self.assertEqual(out, textwrap.dedent(expected).lstrip())
        for mode in self.modes:
            self.assertEqual(run(text, mode), (out, err, code), mode)
