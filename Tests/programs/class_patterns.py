"""Class and mapping patterns: what is asked for, in which order, and what is said of mistakes."""


class Loud:
    __match_args__ = ("x", "y", "z")

    def __getattr__(self, name):
        print("asked for", name)
        if name == "z":
            raise AttributeError(name)
        if name == "w":
            raise ValueError(name)
        return name.upper()


class Meta(type):
    def __getattr__(cls, name):
        print("class asked for", name)
        if name == "__match_args__":
            return ("a",)
        raise AttributeError(name)

    def __instancecheck__(cls, instance):
        print("is it one?", type(instance).__name__)
        return True


class ByMeta(metaclass=Meta):
    pass


class Str(str):
    pass


class Name(str):
    def __hash__(self):
        print("hashed", str(self))
        return hash(str(self))

    def __eq__(self, other):
        print("compared", str(self))
        return str(self) == other


def tell(f, *args):
    try:
        print(f.__name__, f(*args))
    except Exception as error:
        print(f.__name__, type(error).__name__, error)


def positional(o):
    match o:
        case Loud(a, b):
            return a, b
    return "none"


def missing(o):
    match o:
        case Loud(a, b, c, w=d):
            return a, b, c, d
        case Loud(w=d, x=a):
            return d, a
    return "none"


def raising(o):
    match o:
        case Loud(x=a, w=d):
            return d, a


def too_many(o):
    match o:
        case Loud(a, b, c, d):
            return a


def twice(o):
    match o:
        case Loud(a, b, x=c):
            return a, b, c


def by_meta(o):
    match o:
        case ByMeta(a, real=r):
            return a, r
    return "none"


def itself(o):
    match o:
        case int(x, real=r, imag=i):
            return x, r, i
        case str(s) | bytes(s):
            return type(s), s
        case bool(True):
            return "never"
        case float():
            return "float"
        case dict(d):
            return d
        case list(a, b):
            return "never"
    return "none"


def no_class(o):
    match o:
        case not_a_class(a):
            return a


not_a_class = 5


def keys(o):
    match o:
        case {"a": 1, "b": b, "c": {"d": d}}:
            return b, d
        case {"a": 2, **rest}:
            return rest
        case {1: one, None: nothing}:
            return one, nothing
        case {"a": a, "z": z}:
            return a, z
        case {}:
            return "empty"
    return "none"


class Keys:
    first = second = "a"
    third = Name("k")
    number, other = 1, 1.0


def same_keys(o):
    match o:
        case {Keys.first: a, Keys.second: b}:
            return a, b


def same_numbers(o):
    match o:
        case {Keys.number: a, Keys.other: b}:
            return a, b


def loud_key(o):
    match o:
        case {"k": a, Keys.third: b}:
            return a, b


def many_keys(o):
    match o:
        case {"a": a, "b": b, "c": c, "d": d, "e": e, "f": f, "g": g, "h": h, "i": i, "j": j}:
            return a + b + c + d + e + f + g + h + i + j


class Mapping(dict):
    def get(self, key, default=None):
        print("get", key)
        return super().get(key, default)

    def __missing__(self, key):
        print("missing", key)
        return 0


def lengths(o):
    match o:
        case []:
            return 0
        case [x]:
            return 1, x
        case [x, *rest, y]:
            return x, rest, y
    return "none"


def wrong_match_args():
    for args in ["x"], "x", ("x", 1), ("x", "x"), (Str("x"),), ():
        Wrong = type("Wrong", (), {"__match_args__": args, "x": 1})

        def f(o):
            match o:
                case Wrong(a, b):
                    return a, b
        tell(f, Wrong())

        def g(o):
            match o:
                case Wrong(a):
                    return a
        tell(g, Wrong())


for _ in range(3):
    for f in positional, missing, raising, too_many, twice:
        tell(f, Loud())
        tell(f, 5)
    for o in ByMeta(), 5, 1.5:
        tell(by_meta, o)
    for o in 5, True, "text", Str("s"), b"b", 1.5, {1: 2}, [1], None:
        tell(itself, o)
    tell(no_class, 5)
    for o in ({"a": 1, "b": 2, "c": {"d": 3}}, {"a": 1, "b": 2, "c": {}}, {"a": 2, "x": 1},
              {1: 2, None: 3}, {}, {"a": 3, "z": 4}, Mapping(a=1, b=2), 5, [("a", 1)]):
        tell(keys, o)
    for o in {"a": 1}, {}, {1: 2}, {"k": 1}, Mapping(a=1):
        tell(same_keys, o)
        tell(same_numbers, o)
        tell(loud_key, o)
    tell(many_keys, dict.fromkeys("abcdefghij", 2))
    tell(many_keys, dict.fromkeys("abcdefghi", 2))
    for o in [], (), [1], (1, 2), range(3), "text", {1: 2}, (i for i in "a"), [1, 2, 3, 4]:
        tell(lengths, o)
    wrong_match_args()


def warm(n):
    total = 0
    for i in range(n):
        match (i, [i], {"k": i}, "s")[i % 4]:
            case int(x, real=r):
                total += x + r
            case [x]:
                total += x
            case {"k": x, **rest}:
                total += x + len(rest)
            case str(s):
                total += len(s)
    return total


print(warm(4000))
