"""Attributes, pickling and messages of exception objects."""
import copy
import errno
import pickle
import traceback


def show(label, f):
    try:
        print(label, repr(f()))
    except BaseException as e:
        print(label, type(e).__name__, e)


for args in [(), (1,), (1, "a"), (2, "no", "f"), (2, "no", "f", None, "g"), (17, "x"), (11, "x", 3),
             ("a", "b"), (2, "no", None), (2, "no", "f", 1), (1, 2, 3, 4, 5, 6)]:
    e = OSError(*args)
    print(type(e).__name__, str(e), repr(e), e.args, e.errno, e.strerror, e.filename, e.filename2,
          e.__reduce__())
    f = pickle.loads(pickle.dumps(e))
    print(type(f).__name__, str(f), f.args, f.filename, f.filename2)
e = BlockingIOError(errno.EAGAIN, "x", 7)
print(e.characters_written)
e.characters_written = 9
del e.characters_written
show("written", lambda: e.characters_written)
show("keywords", lambda: OSError(1, "a", filename=3))


class Own(OSError):
    def __init__(self, a, b=3):
        super().__init__(2, "own %r %r" % (a, b))


show("own", lambda: Own(1, b=2))
print(Own(1).errno, type(Own(1)).__name__)

for make in [lambda: ImportError("m", name="n", path="p"), lambda: ImportError(1, 2, name="x"),
             lambda: ImportError(foo=1), lambda: NameError("m", name="n"), lambda: NameError(a=1),
             lambda: AttributeError("m", name="n", obj=3), lambda: ValueError(a=1),
             lambda: StopIteration(1, 2), lambda: SystemExit(1, 2), lambda: KeyError(""), lambda: KeyError(1, 2)]:
    show("make", make)
    try:
        e = make()
    except TypeError:
        continue
    print(str(e), sorted(k for k in dir(e) if not k.startswith("_")), e.__reduce__(), vars(e))
    c = copy.copy(e)
    print(type(c), c.args, getattr(c, "name", None), getattr(c, "value", None), getattr(c, "code", None))

for make in [lambda: UnicodeDecodeError("u8", b"abc\xff", 3, 4, "bad"),
             lambda: UnicodeDecodeError("u8", bytearray(b"abc"), 0, 2, "bad"),
             lambda: UnicodeEncodeError("ascii", "a\xe9\u20ac\U0001f600", 1, 2, "r"),
             lambda: UnicodeEncodeError("ascii", "a\xe9\u20ac\U0001f600", 2, 3, "r"),
             lambda: UnicodeEncodeError("ascii", "a\xe9\u20ac\U0001f600", 3, 4, "r"),
             lambda: UnicodeEncodeError("ascii", "abc", 0, 3, "r"),
             lambda: UnicodeEncodeError("ascii", "abc", 7, 8, "r"),
             lambda: UnicodeTranslateError("abc", 1, 2, "r"), lambda: UnicodeTranslateError("abc", 0, 2, "r"),
             lambda: UnicodeDecodeError(1, 2), lambda: UnicodeEncodeError("a", b"b", 1, 2, "c")]:
    show("unicode", lambda: str(make()))

e = ValueError(1, 2)
for name, value in [("args", 5), ("args", [1]), ("__traceback__", 3), ("__traceback__", None), ("__context__", 3),
                    ("__context__", KeyError()), ("__cause__", 3), ("__cause__", KeyError()), ("__notes__", 3),
                    ("__suppress_context__", False), ("__suppress_context__", 1), ("__dict__", 3)]:
    show(name, lambda: setattr(e, name, value))
for name in ["args", "__traceback__", "__context__", "__cause__", "__notes__", "__suppress_context__"]:
    show("del " + name, lambda: delattr(e, name))
show("note", lambda: e.add_note(3))
show("note", lambda: e.add_note("x"))
show("notes", lambda: e.__notes__)
e.__notes__ = 3
show("note", lambda: e.add_note("x"))
show("setstate", lambda: e.__setstate__({"a": 1}))
show("setstate", lambda: e.__setstate__(3))
print(vars(e), e.__reduce__())


def chain():
    try:
        try:
            1 / 0
        except ZeroDivisionError as a:
            raise KeyError(1) from a
    except KeyError as b:
        try:
            raise ValueError
        except ValueError as c:
            return b, c


b, c = chain()
print(repr(b.__cause__), repr(b.__context__), b.__suppress_context__)
print(repr(c.__cause__), repr(c.__context__), c.__suppress_context__)
print([f.name for f in traceback.extract_tb(b.__traceback__)])


class NotExc:
    pass


class Bad(Exception):
    def __new__(cls, *a):
        return NotExc()


def raising(x):
    raise x


for x in [Bad, NotExc, 3, ValueError, KeyError("q")]:
    show("raise", lambda: raising(x))
show("bad cause", lambda: exec("raise ValueError from 3"))

a, b, c = ValueError("a"), ValueError("b"), ValueError("c")
a.__context__, b.__context__, c.__context__ = b, c, a
try:
    try:
        raise a
    except ValueError:
        raise b
except ValueError as e:
    print(repr(e), repr(e.__context__), repr(e.__context__.__context__))
