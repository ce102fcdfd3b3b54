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

    def test_a_generator_goes_on_where_it_was_moved_from_its_yield(self):
        def f():
            x = 1
            yield x
            x = 3
            yield x
        told, got = trace(f, "return", 2, 4)
        self.assertEqual(got, [1, 1])


if __name__ == "__main__":
    unittest.main()
