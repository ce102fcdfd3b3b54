"""Objects whose __fspath__ is no plain method: where it is looked for, how it is bound, what is told of it."""
import functools
import io
import os
import pathlib
from unittest import mock


class Named(type):
    def __getattr__(cls, name):
        return name


class Static:
    __fspath__ = staticmethod(lambda: "static")


class OfClass:
    __fspath__ = classmethod(lambda cls: cls.__name__)


class Property:
    @property
    def __fspath__(self):
        return lambda: "property"


class OfMetaclass(metaclass=Named):
    pass


class Nothing:
    __fspath__ = None


class Partial:
    __fspath__ = functools.partial(lambda *args: "part%d" % len(args))


class Raises:
    @property
    def __fspath__(self):
        raise KeyError(3)


class RaisesAttributeError:
    @property
    def __fspath__(self):
        raise AttributeError("none")


class InC:
    __fspath__ = len


class OfInstance:
    def __init__(self):
        self.__fspath__ = lambda: "instance"


class Number:
    def __fspath__(self):
        return 3


class RaisesWhenCalled:
    def __fspath__(self):
        raise OSError(1, "called")


def compile_under(path):
    return compile("1", path, "eval").co_filename


USES = [os.fspath, open, io.FileIO, os.stat, os.listdir, os.scandir, os.path.basename, os.fsencode,
        pathlib.PurePath, compile_under]
for cls in (Static, OfClass, Property, OfMetaclass, Nothing, Partial, Raises, RaisesAttributeError, InC,
            OfInstance, Number, RaisesWhenCalled):
    for use in USES:
        try:
            print(cls.__name__, use.__name__, use(cls()))
        except Exception as e:
            print(cls.__name__, use.__name__, type(e).__name__, str(e).split(" at 0x")[0], e.__context__)

m = mock.MagicMock()
print(os.fspath(m).startswith("MagicMock/"), m.__fspath__.mock_calls)

CALLS = {"access": (0,), "chmod": (0o600,), "chown": (0, 0), "getxattr": ("user.a",), "lchown": (0, 0),
         "link": ("/none/b",), "open": (0,), "pathconf": (1,), "rename": ("/none/b",),
         "symlink": ("/none/b",), "truncate": (1,)}
for name in ("access chdir chmod chown getxattr lchown link listdir lstat mkdir mkfifo mknod open pathconf readlink "
             "remove rename rmdir scandir stat statvfs symlink truncate unlink utime").split():
    for path in "a\0b", b"a\0b", pathlib.PurePath("a\0b"), "/none/such", -3, 99:
        try:
            print(name, path, getattr(os, name)(path, *CALLS.get(name, ())))
        except Exception as e:
            print(name, path, type(e).__name__, str(e).split("cannot be")[0], getattr(e, "filename", "no name"))
