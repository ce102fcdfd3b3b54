"""Warnings by filter, and exceptions that nobody can catch."""
import gc
import re
import sys
import warnings


class WithoutAddresses:
    """A stderr whose text does not depend on where objects are."""

    def write(self, text):
        sys.stdout.write(re.sub("0x[0-9a-f]+", "0x...", text))

    def flush(self):
        sys.stdout.flush()


sys.stderr = WithoutAddresses()


def show(message, category, filename, lineno, file=None, line=None):
    print("shown", message, category.__name__, lineno)


def at(level, text, category=UserWarning):
    warnings.warn(text, category, stacklevel=level)


for action in ["default", "once", "module", "always", "ignore", "error", "odd"]:
    with warnings.catch_warnings():
        warnings.resetwarnings()
        warnings.showwarning = show
        try:
            if action == "odd":
                warnings.filters.insert(0, ("odd", None, Warning, None, 0))
            else:
                warnings.simplefilter(action)
            print(action)
            for i in range(3):
                at(1, "same")
                at(2, "caller")
                at(1, "text %d" % i)
        except Exception as e:
            print(type(e).__name__, e)
with warnings.catch_warnings(record=True) as log:
    warnings.simplefilter("always")
    warnings.filterwarnings("ignore", message="hid.*")
    warnings.filterwarnings("ignore", category=ImportWarning)
    warnings.filterwarnings("error", module="nowhere")
    at(1, "hidden")
    at(1, "seen")
    at(1, "import", ImportWarning)
    at(100, "far above")
    warnings.warn_explicit("explicit", UserWarning, "f.py", 7)
    warnings.warn(UserWarning("instance"))
    print([(str(w.message), w.category.__name__, w.lineno) for w in log])
for args in [(1,), ("a", 3), ("a", int), ("a", UserWarning, "x")]:
    try:
        warnings.warn(*args)
    except Exception as e:
        print(type(e).__name__, e)
warnings.simplefilter("always")
sys.stdout.flush()
at(1, "to stderr")
warnings.warn_explicit("no such file", DeprecationWarning, "nonexistent.py", 3)


class Bad:
    def __del__(self):
        raise ValueError("in __del__")

    def __repr__(self):
        return "<Bad>"


class Worse(Bad):
    def __repr__(self):
        raise TypeError


Bad()
Worse()


def hook(args):
    print(type(args).__name__, args.exc_type.__name__, args.exc_value, args.err_msg, args.object.__qualname__)


sys.unraisablehook = hook
Bad()
sys.unraisablehook = lambda args: 1 / 0
Bad()
sys.unraisablehook = sys.__unraisablehook__
gc.callbacks.append(lambda *a: 1 / 0)
gc.collect()
gc.callbacks.clear()
