"""Tracers and profilers while collections run Python code that they see, too."""
import subprocess
import sys
import textwrap
import unittest


class DroppedObservers(unittest.TestCase):
    def test_an_observer_that_replaces_itself_is_not_observed_as_it_dies(self):
        class Observer:
            def __init__(self, setter, left):
                self.setter, self.left = setter, left

            def __call__(self, frame, event, arg):
                told.append(frame.f_code.co_name)
                self.setter(Observer(self.setter, self.left - 1) if self.left else None)

            def __del__(self):
                told.append(self.left)

        def work():
            return [str(i) for i in range(5)]

        for setter in sys.settrace, sys.setprofile:
            told = []
            try:
                setter(Observer(setter, 1))
                work()
                work()
            finally:
                setter(None)
            self.assertEqual(told[1::2], [1, 0])
            self.assertNotIn("__del__", told)

    def test_an_observer_that_goes_while_it_is_about_to_be_told(self):
        """The frame object for an event brings a collection, the collection a callback, and
        of that one's call the observer is told first: it raises, and is gone."""
        for setter in "settrace", "setprofile":
            done = subprocess.run([sys.executable, "-c", textwrap.dedent(f"""
                import gc, sys
                def callback(phase, info):
                    pass
                class Observer:
                    def __call__(self, frame, event, arg):
                        if frame.f_code.co_name == "callback":
                            raise ValueError
                        return self
                def f():
                    return 1
                def g():
                    f()
                gc.callbacks.append(callback)
                sys.unraisablehook = lambda info: None
                for i in range(2000):
                    gc.set_threshold(1 + i % 5)
                    kept = [Observer()]
                    sys.{setter}(kept.pop())
                    g()
                    sys.{setter}(None)
                print("ok")
                """)], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.stdout, done.stderr, done.returncode), ("ok\n", "", 0), setter)


class TracersFromFinalizers(unittest.TestCase):
    def test_a_tracer_set_while_a_function_makes_its_cells_is_told_of_the_call(self):
        """A cell is an object that the collector knows, so making it may bring a collection. The
        function has not begun yet: its call is still to be told."""
        for options in ["-X", "jit=0"], []:
            done = subprocess.run([sys.executable, *options, "-c", textwrap.dedent("""
                import gc, sys
                class Loud:
                    def __del__(self):
                        if not came:
                            frame = sys._getframe(1)
                            came.append(frame.f_code is run.__code__ or (
                                frame.f_code is f.__code__ and frame.f_lineno is None))
                            sys.settrace(tracer)
                def tracer(frame, event, arg):
                    if frame.f_code is f.__code__:
                        told.append(frame.f_locals["args"][0])
                def f(*args):
                    kept = args
                    return lambda: kept
                def run(n):
                    global called
                    for called in range(n):
                        f(called)
                came = []
                told = []
                run(5000)
                before = 0
                for threshold in range(1, 12):
                    came.clear()
                    told.clear()
                    gc.collect()
                    gc.set_threshold(threshold)
                    loud = Loud()
                    loud.itself = loud
                    del loud
                    run(20)
                    sys.settrace(None)
                    gc.set_threshold(700)
                    gc.collect()
                    if came == [True]:
                        before += 1
                        assert told[0] == 0, (threshold, told)
                assert before > 0
                print("ok")
                """)], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.stdout, done.stderr, done.returncode), ("ok\n", "", 0), options)


if __name__ == "__main__":
    unittest.main()
