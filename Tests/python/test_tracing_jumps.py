"""Tracers that move a frame to another line: what they and others are told next."""
import sys
import unittest


def trace(function, event, line, to):
    """The (event, line) pairs of a call during which the frame is moved once."""
    told = []

    def tracer(frame, what, arg):
        if frame.f_code is not function.__code__:
            return None
        here = frame.f_lineno - frame.f_code.co_firstlineno
        told.append((what, here))
        if (what, here) == (event, line) and told.count((what, here)) == 1:
            frame.f_lineno = frame.f_code.co_firstlineno + to
        return tracer
    old = sys.gettrace()
    sys.settrace(tracer)
    try:
        result = function()
        if hasattr(result, "send"):
            result = list(result)
    finally:
        sys.settrace(old)
    return told, result


class JumpTests(unittest.TestCase):

    def test_a_return_that_is_jumped_to_is_told(self):
        def value():
            x = 1
            y = 2
            y = 3
            return x

        def nothing():
            x = 1
            y = 2
            y = 3
            return
        for function, result in ((value, 1), (nothing, None)):
            for again in range(3):      # as instructions settle
                told, got = trace(function, "line", 2, 4)
                self.assertEqual(told[-2:], [("line", 2), ("return", 4)])
                self.assertEqual(got, result)

    def test_a_loop_that_is_jumped_to_runs(self):
        def f():
            seen = []
            seen.append(0)
            for i in 1, 2:
                seen.append(i)
            return seen
        told, got = trace(f, "line", 2, 3)
        self.assertEqual(got, [1, 2])
        self.assertEqual([line for what, line in told if what == "line"],
                         [1, 2, 4, 3, 4, 3, 5])

    def test_a_generator_is_not_started_again(self):
        def f():
            x = 1
            yield x
            x = 3
        with self.assertRaisesRegex(ValueError, "incompatible stacks"):
            trace(f, "line", 3, 0)

    def test_a_pattern_may_be_begun_again(self):
        def f(a=[1, 2]):
            x = 0
            match a:
                case {"k": v}:
                    x += 10
                case [p, q] if (x := x + 1):
                    x += 20
            return x
        told, got = trace(f, "line", 5, 5)
        self.assertEqual([line for what, line in told if what == "line"], [1, 2, 3, 5, 6, 7])
        self.assertEqual(got, 21)
        with self.assertRaisesRegex(ValueError, "incompatible stacks"):
            trace(f, "line", 6, 5)      # its subject is gone

    def test_the_head_of_a_function_is_no_call(self):
        def f():
            x = 1
            y = 2
        told, got = trace(f, "line", 2, 0)
        self.assertEqual([what for what, line in told].count("call"), 1)
        self.assertEqual(told[-3:], [("line", 1), ("line", 2), ("return", 2)])

    def test_a_loop_with_displays_without_items_keeps_its_iterator(self):
        def f():
            for i in [1, 2]:
                x = {}
                x = [], set(()), f"", lambda: 0
                x = len({}) or i
                y = i
            return y

        def a():
            pass
        # Without variables: temporaries begin at register 0.
        a.__code__ = compile(
            "def a():\n global i\n for i in [1, 2]:\n  str({})\n  str([])\n  pass\n return i\n",
            "a", "exec").co_consts[0]
        for function, first in (f, 2), (a, 3):
            for line in range(first, 5):
                for to in range(first, 6):
                    with self.subTest(function=function.__name__, line=line, to=to):
                        told, got = trace(function, "line", line, to)
                        self.assertEqual(got, 2)

    def test_a_generator_goes_on_where_it_was_moved_from_its_yield(self):
        def f():
            x = 1
            yield x
            x = 3
            yield x
        told, got = trace(f, "return", 2, 4)
        self.assertEqual(got, [1, 1])


def trace_with_jump(function, line, to):
    return trace(function, "line", line, to)[1]


def jump_and_stop(function, line, to):
    """Calls it under a tracer that moves its frame once, before `line`, and goes away."""
    def tracer(frame, what, arg):
        if frame.f_code is not function.__code__:
            return None
        first = frame.f_code.co_firstlineno
        if (what, frame.f_lineno) == ("line", first + line):
            frame.f_lineno = first + to
            sys.settrace(None)
        return tracer
    old = sys.gettrace()
    sys.settrace(tracer)
    try:
        return function()
    finally:
        sys.settrace(old)


class VariablesThatAJumpLeavesOut(unittest.TestCase):
    """The compiler knows that they are bound; they are not, and reading one says so."""

    def check_unbound(self, function, line, to, name="x"):
        for move in trace_with_jump, jump_and_stop:
            for again in range(12):      # as instructions settle
                with self.assertRaises(UnboundLocalError) as caught:
                    move(function, line, to)
                self.assertEqual(str(caught.exception), f"cannot access local variable '{name}' "
                                 "where it is not associated with a value")

    def test_returned(self):
        def f():
            x = 1
            y = 2
            return x
        self.check_unbound(f, 1, 3)

    def test_operand_of_each_kind(self):
        def add():
            x = y = 1
            return 2 + x

        def compare():
            x = 1
            while 0 < x:
                x -= 1

        def attribute():
            x = 1
            return x.real

        def method():
            x = 1
            return x.bit_length()

        def subscript():
            x = [1]
            return x[0]

        def argument():
            x = [1]
            return len(x)

        def iterate():
            x = [1]
            for i in x:
                pass

        def store():
            x = {}
            x["a"] = 1

        def raised():
            x = KeyError
            raise x

        def displayed():
            x = 1
            return [0, x]

        def unpacked():
            x = 1, 2
            a, b = x

        def true():
            x = 1
            if x:
                pass
        for function in (add, compare, attribute, method, subscript, argument, iterate, store,
                         raised, displayed, unpacked, true):
            with self.subTest(function.__name__):
                self.check_unbound(function, 1, 2)

    def test_of_a_loop_that_is_not_begun(self):
        def f():
            for x in [1]:
                y = x
            return x
        self.check_unbound(f, 1, 3)

    def test_in_a_generator_that_goes_on_after_the_tracer(self):
        def f():
            x = 1
            yield 1
            yield x
        def start():
            g = f()
            return g, next(g)

        def tracer(frame, what, arg):
            if frame.f_code is not f.__code__:
                return None
            first = frame.f_code.co_firstlineno
            if (what, frame.f_lineno) == ("line", first + 1):
                frame.f_lineno = first + 2
            return tracer
        old = sys.gettrace()
        sys.settrace(tracer)
        try:
            g, value = start()
        finally:
            sys.settrace(old)
        self.assertEqual(value, 1)
        with self.assertRaises(UnboundLocalError):
            next(g)

    def test_others_are_bound_and_may_be_bound_later(self):
        def f():
            x = 1
            y = 2
            x = 3
            return x, y
        self.assertEqual(jump_and_stop(f, 1, 2), (3, 2))

        def g(condition=True):
            x = 1
            if condition:
                x = 2
            return x
        self.assertEqual(jump_and_stop(g, 1, 2), 2)

    def test_deletion_in_f_locals_unbinds(self):
        def f():
            x = 1
            y = 2
            return x

        def tracer(frame, what, arg):
            if frame.f_code is not f.__code__:
                return None
            if frame.f_lineno == frame.f_code.co_firstlineno + 2:
                frame.f_locals.pop("x", None)
                sys.settrace(None)
            return tracer
        for again in range(3):
            old = sys.gettrace()
            sys.settrace(tracer)
            try:
                with self.assertRaises(UnboundLocalError):
                    f()
            finally:
                sys.settrace(old)

    def test_locals_lack_it(self):
        def f():
            x = 1
            return sorted(locals())
        self.assertEqual(jump_and_stop(f, 1, 2), [])


if __name__ == "__main__":
    unittest.main()
