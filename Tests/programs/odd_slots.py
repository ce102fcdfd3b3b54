"""Names in __slots__, alone and two by two: which class is refused, and with which words; pickles
of instances that have a slot named __class__."""
import itertools
import pickle

NAMES = ["a", "f", "__private", "__dict__", "__weakref__", "__slots__", "__class__", "__qualname__", "__doc__",
         "x y", "", "é", 1, None]


class Plain:
    pass


for base in object, Plain, int, tuple, type, Exception:
    for n in 1, 2:
        for names in itertools.product(NAMES, repeat=n):
            try:
                cls = type("C", (base,), {"__slots__": names, "f": 1, "_C__private": 2})
                print(base.__name__, names, cls.__slots__, hasattr(cls, "__dict__"), hasattr(cls, "__weakref__"))
            except Exception as e:
                print(base.__name__, names, type(e).__name__, e)


class Classless:
    __slots__ = ("__class__",)

    def __getstate__(self):
        return None


class ClasslessDict(dict):
    __slots__ = ("__class__",)


for cls in Classless, ClasslessDict:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        try:
            print(cls.__name__, protocol, pickle.dumps(cls(), protocol))
        except Exception as e:
            print(cls.__name__, protocol, type(e).__name__, e)
