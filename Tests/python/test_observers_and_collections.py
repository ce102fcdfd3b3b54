"""Tracers and profilers while collections run Python code that they see, too."""
import subprocess
import sys
import textwrap
import unittest


class DroppedObservers(unittest.TestCase):
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


if __name__ == "__main__":
    unittest.main()
