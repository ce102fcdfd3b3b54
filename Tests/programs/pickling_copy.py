"""pickle and copy: protocols, reduce hooks, memo, errors."""
import collections
import copy
import copyreg
import datetime
import decimal
import enum
import fractions
import io
import pickle
import pickletools


class Plain:
    def __init__(self, x):
        self.x = x

    def __eq__(self, o):
        return type(o) is type(self) and vars(o) == vars(self)

    def __repr__(self):
        return f"{type(self).__name__}({vars(self)})"


class Stateful(Plain):
    def __getstate__(self):
        return {"x": self.x * 2}

    def __setstate__(self, s):
        self.x = ("restored", s["x"])


class Slots:
    __slots__ = ("a", "b")

    def __repr__(self):
        return f"Slots({self.a})"


class NewArgs(tuple):
    def __new__(cls, a, b):
        return super().__new__(cls, (a, b))

    def __getnewargs__(self):
        return tuple(self)


class Reduced:
    def __init__(self, n):
        self.n = n

    def __reduce__(self):
        return (Reduced, (self.n + 1,))

    def __repr__(self):
        return f"R{self.n}"


class ListSub(list):
    pass


class Color(enum.Enum):
    A = 1


class MyErr(Exception):
    def __init__(self, a, b="d"):
        super().__init__(a, b)


Pt = collections.namedtuple("Pt", "x y")
s = Slots()
s.a = 5
l = ListSub([1])
l.extra = "attr"
objs = [None, True, 1, -1, 2 ** 100, -2 ** 31, 1.5, float("inf"), 1j, "é\ud800\n", b"\0b", bytearray(b"q"), (), (1,), (1, 2, 3, 4), [1, [2]], {"a": {1}}, frozenset([3]), range(3), slice(1, 2), Plain(3), Stateful(4), NewArgs(1, 2), Reduced(1), l, Color.A, MyErr(1), Pt(1, 2),
        collections.OrderedDict(a=1), collections.Counter("aab"), collections.deque([1], 3), collections.defaultdict(list, a=[1]), datetime.datetime(2020, 1, 2, 3), datetime.timedelta(1), decimal.Decimal("1.5"), fractions.Fraction(1, 3), int, len, Plain, str.upper, ..., NotImplemented, collections.abc.Sized]
for o in objs:
    sizes = []
    for proto in range(6):
        try:
            data = pickle.dumps(o, proto)
            back = pickle.loads(data)
            sizes.append((len(data), repr(back) == repr(o) or repr(back)))
        except Exception as e:
            sizes.append(f"{type(e).__name__}: {e}")
    print(repr(o)[:50], sizes)
shared = [1]
cyc = {"a": shared, "b": shared}
cyc["self"] = cyc
c2 = pickle.loads(pickle.dumps(cyc))
print(c2["a"] is c2["b"], c2["self"] is c2)
for cp in (copy.copy, copy.deepcopy):
    c = cp(cyc)
    print(c["a"] is shared, c["self"] is cyc, [repr(cp(o)) for o in (s, l, Stateful(1), Reduced(5), Pt([], 1), Color.A, MyErr(2))])


class Hook:
    def __copy__(self):
        return "copied"

    def __deepcopy__(self, memo):
        return f"deep {len(memo)}"


print(copy.copy(Hook()), copy.deepcopy([Hook(), Hook()]))


class Persist(pickle.Pickler):
    def persistent_id(self, o):
        return f"id:{o.x}" if isinstance(o, Plain) else None

    def reducer_override(self, o):
        return (str, ("overridden",)) if isinstance(o, Reduced) else NotImplemented


class Unpersist(pickle.Unpickler):
    def persistent_load(self, pid):
        return pid.upper()

    def find_class(self, m, n):
        print("find", m, n)
        return super().find_class(m, n)


f = io.BytesIO()
Persist(f).dump([Plain(1), Reduced(2), Color.A])
f.seek(0)
print(Unpersist(f).load())
pickletools.dis(pickle.dumps([1, "a", (2.5, None), {"k": shared}], 4))
print(pickle.dumps({"x": [1, 2], "y": ("é", 3)}, 0))
big = pickle.dumps([bytearray(5)], 5, buffer_callback=lambda b: False)
print(len(big))
copyreg.pickle(Slots, lambda o: (str, ("slots!",)))
print(pickle.loads(pickle.dumps(s)))


def local_class():
    class L:
        pass
    return L()


for bad in (lambda: pickle.dumps(lambda: 1), lambda: pickle.dumps(local_class()), lambda: pickle.dumps(x for x in []), lambda: pickle.dumps(io.StringIO and open("/dev/null")), lambda: pickle.loads(b""), lambda: pickle.loads(b"junk"), lambda: pickle.loads(b"\x80\x09."), lambda: pickle.dumps(1, 9), lambda: pickle.loads("s"),
            lambda: pickle.loads(b"cno_module\nx\n."), lambda: pickle.loads(b"cos\nnope\n."), lambda: copy.deepcopy(open("/dev/null")), lambda: pickle.loads(b"I1\nI2"), lambda: pickle.loads(pickle.dumps([1, 2])[:-1]), lambda: pickle.Pickler(3), lambda: pickle.loads(b"0.")):
    try:
        print("ok", bad())
    except Exception as e:
        m = str(e)
        print(type(e).__name__, m if " at 0x" not in m else m[:m.index(" at 0x")])
pickle.dumps({"k": [1, (2, local_class)], "l": local_class.__code__})
