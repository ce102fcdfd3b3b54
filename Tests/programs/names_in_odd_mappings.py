# Which lookups ask a subclass of dict for its own methods, and other corners of names: dir() of
# a class whose mro leaves bases out, messages that cannot be formatted, and argument counts.
import functools

log = []


class Logged(dict):
    def __getitem__(self, key):
        log.append(("get", key))
        return dict.__getitem__(self, key)

    def __missing__(self, key):
        log.append(("missing", key))
        if key in ("len", "print", "boom"):
            raise KeyError(key)
        return "missing"


SOURCES = ("r = x", "r = boom", "r = len([])", "def f(): return x\nr = f()",
           "class C:\n    r = x", "r = [x for _ in [1]]", "x = 1\ndel x\nr = x",
           "global x\nx = 5\nr = x", "r = __name__")
for source in SOURCES:
    for make in dict, Logged:
        for make_locals in (lambda g: g), (lambda g: {}), (lambda g: Logged()):
            for builtins in None, Logged(len=len, __build_class__=__build_class__, __name__="b"):
                names = make()
                if builtins is not None:
                    dict.__setitem__(names, "__builtins__", builtins)
                places = make_locals(names)
                log.clear()
                try:
                    exec(source, names, places)
                except Exception as e:
                    print(type(e).__name__, e)
                print(repr(source), make.__name__, log, dict.get(places, "r"))


class Short(type):
    def mro(cls):
        return [cls, object]


class Hidden(property, metaclass=Short):
    own = 1


print([name for name in dir(Hidden) if not name.startswith("__")])
print("fget" in dir(Hidden), hasattr(Hidden, "fget"))


class Text(str):
    def __repr__(self):
        raise OSError("repr")


class Bytes(str):
    def __repr__(self):
        return b"x"


def shown(function, *args):
    try:
        return function(*args)
    except Exception as e:
        return type(e).__name__, str(e), repr(e.__context__)


for text in Text("x"), Bytes("x"):
    print(shown(int, text), shown(int, text, 7), shown(float, text))
    print(shown(setattr, 5, text, 1), shown(getattr, [], text), shown({}.__getitem__, 1))
    try:
        raise KeyError("handled")
    except KeyError:
        print(shown(int, text))


class Set(set):
    pass


class Frozen(frozenset):
    pass


for cls in set, Set, frozenset, Frozen:
    print(shown(cls, 1, 2, 3), shown(cls.__init__, cls(), 1, 2), shown(cls.__new__, cls, 1, 2))

for error in ValueError(1), OSError(2, "x"), KeyError():
    print(error.__reduce__())
    print(shown(delattr, error, "nothing"))
    print(error.__reduce__())
partial = functools.partial(int)
print(shown(delattr, partial, "nothing"), partial.__reduce__()[2])
