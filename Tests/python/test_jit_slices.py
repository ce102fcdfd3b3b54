"""Slices in machine code, which makes no slice objects for them."""
import os
import re
import textwrap
import unittest

from jit_cases import run

SETUP = """
    import re, sys
    class Index:
        def __init__(self, value): self.value = value
        def __index__(self): return self.value
    class L(list):
        def __getitem__(self, i): return "L", str(i)[:9]
        def __setitem__(self, i, x): print("set", str(i)[:9])
        def __delitem__(self, i): print("del", str(i)[:9])
    class Loud:
        def __del__(self): print("gone", len(shown), sys._getframe(1).f_code.co_name)
    shown = []
    def attempt(f, *args):
        try:
            value = f(*args)
            value = list(value) if type(value) is memoryview else value
            print(f.__name__, type(value).__name__, re.sub(" at 0x[0-9a-f]+", "", repr(value)))
        except Exception as e:
            line = e.__traceback__.tb_next.tb_lineno - f.__code__.co_firstlineno
            print(f.__name__, type(e).__name__, e, line)
    def warm(f, *args):
        for i in range(700):
            f(*args)
    bounds = [None, 0, 1, 3, -1, -2, 100, -100, 1 << 61, -(1 << 61), 1 << 70, -(1 << 70), Index(2),
              Index(-1), "x", 2.0, True]
    sequences = [[0, 1, 2, 3, 4, 5], (0, 1, 2, 3, 4), "abcdef", "a\\u0394bcdef", b"abcdef",
                 bytearray(b"abcdef"), range(3, 20, 2), L("abc"), memoryview(b"abcdef"), [], 5, {}]
"""


class Slices(unittest.TestCase):
    maxDiff = None

    def check(self, text):
        """It prints what the interpreter prints."""
        text = textwrap.dedent(SETUP) + textwrap.dedent(text) + 'print("end")\n'
        expected = run(text, SPRINGBOARD_JIT="off")
        self.assertTrue(expected.endswith("end\n"), expected)
        for mode in os.environ.get("SB_JIT_MODES", "eager on stress:7").split():
            self.assertEqual(run(text, SPRINGBOARD_JIT=mode), expected, mode)

    def test_a_new_list_is_moved_into_another(self):
        self.check("""
            def turn(x, k): x[:k + 1] = x[k::-1]
            def put(x, i, j, y): x[i:j] = list(y)
            def two(x, y): x[1:2] = [y, y]
            def itself(x): x[1:3] = x
            one = object()
            before = sys.getrefcount(one)
            for i in range(1500):
                x = [1000 * j for j in range(9)] + [one] * 3
                turn(x, i % 9); put(x, 1, 3, (one, i)); put(x, 0, 2, ()); put(x, 2, 3, (1, 2, one))
                two(x, one); itself(x)
            print([n for n in x if n is not one])
            del x
            print(sys.getrefcount(one) == before)
            x = [Loud(), 5, Loud(), 7.5, Loud()]
            turn(x, 2)
            shown.append(1)
            put(x, 0, 2, "ab")
            shown.append(2)
            put(x, 1, 9, [])
            two(x, Loud())
            shown.append(3)
            x = None
            attempt(put, (1, 2), 0, 1, "x")
            attempt(put, [1, 2], "x", 1, "x")
            attempt(put, [1, 2], 0, 1, 5)
            attempt(turn, "text", 2)
            """)

    def test_from_slice_to_slice(self):
        self.check("""
            def flip(x, k): x[:k + 1] = x[k::-1]
            def turn(x): x[:] = x[::-1]
            def shift(x, k): x[k:-1] = x[k + 1:]
            def other(x, y, i, j, k): x[i:j] = y[k::2]
            def part(x, y, i, j, k, l): x[i:j] = y[k:l]
            def back(x, y, i, j, k, l): x[i:j] = y[k:l:-3]
            def called(x, y, i): x[len(x) - i:] = y[i::-1]
            def tested(x, y, i):
                x[1:i if i > 2 else 3] = y[i:0:-1]
            one = object()
            before = sys.getrefcount(one)
            for i in range(1500):
                x = [1000 * j for j in range(9)] + [one] * 3 + [i / 2, "t"]
                y = [i + j for j in range(i % 50)] + [one]
                flip(x, i % 9); turn(x); shift(x, i % 5); called(x, y, i % 5); tested(x, y, i % 5)
                other(x, y, i % 3, 7, i % 4); part(x, y, 1, 40, 0, 39); back(x, y, 2, 5, -1, 0)
                part(y, y, 1, 4, 0, 3); part(y, x, 0, 3, 5, 3); flip(y, len(y) - 1); part(y, x, 0, 3, 1, 4)
                flip(x, -1); flip(x, 100); turn(y); turn([])
            print([n for n in x if n is not one], len(x), len(y), y[:9])
            del x, y
            print(sys.getrefcount(one) == before)
            for k in bounds:
                x = [1000 * j for j in range(9)]
                attempt(flip, x, k); attempt(shift, x, k); print(x)
                for l in bounds:
                    x, y = [1000 * j for j in range(9)], ["a", 2.5, 3, str(k)[:6]]
                    attempt(part, x, y, k, l, l, k); attempt(back, x, x, k, l, l, k)
                    attempt(part, y, y, k, 3, l, 2); print(x, y)
            x = [Loud(), 5, Loud(), 7.5, Loud()]
            flip(x, 2); turn(x)
            shown.append(1)
            part(x, x, 0, 2, 1, 3)
            shown.append(2)
            other(x, x, 0, 9, 1)
            shown.append(3)
            x = None
            for x in sequences:
                attempt(flip, x, 2); attempt(turn, x); attempt(part, [1, 2, 3], x, 0, 2, 0, 2)
                attempt(part, x, [1, 2, 3], 0, 2, 0, 2)
            """)

    def test_no_list_is_between(self):
        for store, promised in (("x[:k + 1] = x[k::-1]", 1), ("x[k:] = y[k:]", 1),
                                ("x[:f(k)] = y[k:]", 0), ("x[:k] = y[k:] or x", 0)):
            done = run(textwrap.dedent(f"""
                def f(k): return k + id(None) * 0
                def turn(x, y, k): {store}
                for i in range(3000): turn([1, 2, 3, 4], [5, 6, 7], i % 3)
                """), SPRINGBOARD_JIT="on", SPRINGBOARD_JIT_DUMP="turn")
            done = done[done.rindex("---- turn "):]
            stores = re.findall(r"\n +\d+ word +CALL( \d+){4} *\n", done)
            cut = re.findall(r"\n +\d+ raw +CALL( \d+){4} *\n", done)
            self.assertEqual((len(stores), len(cut)), (1, promised), done)

    def test_all_kinds_of_sequences_and_bounds(self):
        self.check("""
            template = "def cut(x, i, j): return x[i:j]\\ndef step(x, i, j, k): return x[i:j:k]"
            for x in sequences:
                names = {}
                exec(template, names)
                cut, step = names["cut"], names["step"]
                if x and type(x) is not dict and x != 5:
                    warm(cut, x, 1, -1)
                    warm(step, x, None, None, -1)
                for y in x, *sequences:
                    for i in bounds:
                        attempt(cut, y, i, 2)
                        attempt(cut, y, 1, i)
                        attempt(step, y, i, 1, -1)
                        attempt(step, y, 0, i, 2)
                        attempt(step, y, -1, 1, i)
            attempt(step, [1], 0, 1, 0)
        """)

    def test_a_slice_that_is_looked_at(self):
        self.check("""
            class Shows:
                def __getitem__(self, i): return i
                def __delitem__(self, i): print("del", i)
            def step(x, i): return x[i:9:2]
            def cut(x, i): return x[i:]
            def delete(x, i): del x[i:2]
            warm(step, [1, 2, 3], 0); warm(cut, [1, 2, 3], 0)
            for i in range(700):
                delete([1, 2, 3], 0)
            for f in step, cut, delete:
                attempt(f, Shows(), 1); attempt(f, Shows(), None); attempt(f, Shows(), [])
        """)

    def test_storing_in_lists(self):
        self.check("""
            def put(x, i, j, y):
                x[i:j] = y
                return x
            def put_new(x, i, j, a, b):
                x[i:j] = [a, b]
                return x
            def turn(x, k):
                x[:k + 1] = x[k::-1]
                return x
            def itself(x, i):
                x[i:] = x
                return x
            def kept(x, i):
                y = x[1:]
                x[i:i + len(y)] = y
                return x, y
            def moved(x, y, i):
                z = x[i:]
                y[i:] = z
                x[0] = "new"
                return x, y, z
            def shown_twice(x, i):
                y = x[i:i + 2] = x[i::-1]
                return x, y
            def delete(x, i, j):
                del x[i:j]
                return x
            def start(n=6):
                return ["".join(["item ", str(i)]) for i in range(n)]
            for f, args in ((put, (1, 3, [5, 6])), (put, (1, 3, (5, 6, 7))),
                            (put_new, (1, 3, 4, 5)), (turn, (3,)), (itself, (1,)), (kept, (0,)), (moved, (start(), 1)),
                            (shown_twice, (3,)), (delete, (1, 3))):
                for i in range(700):
                    f(start(), *args)
            for x in sequences:
                for i in bounds:
                    for y in [7], (7, 8, 9), "ab", iter([1, 2]), 5, None:
                        for n in 0, 6:
                            attempt(put, start(n), i, 2, y)
                            attempt(put, start(n), 1, i, y)
                    attempt(put_new, start(), i, 3, 1, 2)
                    attempt(turn, start(), i)
                    attempt(itself, start(), i)
                    attempt(moved, start(), start(), i)
                    attempt(shown_twice, start(), i)
                    attempt(delete, start(), i, 3)
                    attempt(delete, start(), 1, i)
                    if type(x) in (list, bytearray, L):
                        attempt(put, x[:] if type(x) is not L else L("abc"), i, 2, [7])
                        attempt(delete, x[:] if type(x) is not L else L("abc"), 1, i)
        """)

    def test_what_is_replaced_may_look(self):
        self.check("""
            def put(x, i, j, y):
                x[i:j] = y
                return len(x)
            def delete(x, i, j):
                del x[i:j]
                return len(x)
            for i in range(700):
                put([1, 2, 3], 0, 2, [5, 6])
                delete([1, 2, 3], 0, 2)
            one = Loud()
            for f, args in (put, ([1, 2],)), (put, ([1],)), (delete, ()):
                shown[:] = [Loud(), [Loud()], 3, Loud()]
                attempt(f, shown, 1, 3, *args)
                shown[:] = [one, one, 3]
                attempt(f, shown, 0, 2, *args)
                shown.clear()
            del one
        """)

    def test_what_is_borrowed_stays(self):
        self.check("""
            def put(i):
                x = ["abc%d" % i, [i], 5]
                return x[0], x[1], x.__setitem__(slice(0, 2), [8, 9]), "%d" % i
            def put2(i):
                x = ["abc%d" % i, ["%d" % i], 5]
                y = x[0], (z := x[1])
                z = None
                x[0:2] = [8, 9]
                return y, x
            def delete(x, i):
                del x[0:1]
                return i
            def cleared(x):
                return x[0], x[1:], x.clear()
            for i in range(2000):
                assert put(i)[:2] == ("abc%d" % i, [i])
                assert put2(i) == (("abc%d" % i, ["%d" % i]), [8, 9, 5])
                x = ["abc%d" % i, ["%d" % i], 5]
                assert (x[0], delete(x, i)) == ("abc%d" % i, i)
                assert cleared(["abc%d" % i, 7]) == ("abc%d" % i, [7], None)
        """)

    def test_references_are_counted(self):
        self.check("""
            def everything(x):
                y = x[1:4]
                y[0:2] = y[1::-1]
                y[:] = (x[3], x[2])
                del y[0:1]
                return y, x[::-1][1:], tuple(x)[::2]
            items = ["".join(["a", str(i)]) for i in range(5)]
            before = [sys.getrefcount(x) for x in items]
            warm(everything, items)
            print([sys.getrefcount(x) for x in items] == before)
        """)


if __name__ == "__main__":
    unittest.main()
