"""weakrefs, gc, __del__ and what is written when a finalizer raises."""
import gc
import sys
import weakref


class Node:
    def __init__(self, name):
        self.name = name
        self.peers = []

    def __repr__(self):
        return f"Node({self.name})"

    def __del__(self):
        print("del", self.name)


a = Node("a")
r = weakref.ref(a, lambda ref: print("callback", ref() is None))
print(r() is a, weakref.getweakrefcount(a), r == weakref.ref(a))
del a
print(r())
x, y = Node("x"), Node("y")
x.peers.append(y)
y.peers.append(x)
wx = weakref.ref(x)
gc.disable()
del x, y
print("still", wx() is not None)
print(gc.collect() > 0, wx())
gc.enable()
d = weakref.WeakValueDictionary()
k = Node("k")
d["k"] = k
print(len(d), dict(d))
del k
print(len(d), list(d))
wk = weakref.WeakKeyDictionary()
n = Node("key")
wk[n] = 1
ws = weakref.WeakSet([n])
print(len(wk), len(ws), n in ws)
del n
print(len(wk), len(ws))


class M:
    def meth(self):
        return "called"


m = M()
wm = weakref.WeakMethod(m.meth)
print(wm()())
p = weakref.proxy(m)
print(p.meth(), isinstance(p, M), type(p).__name__)
del m
print(wm())
try:
    p.meth()
except ReferenceError as e:
    print(e)
f = weakref.finalize(Node("fin"), print, "finalized", 1, sep=":")
print(f.alive, f())
keep = Node("keep")
f2 = weakref.finalize(keep, print, "at exit or death")
print(f2.alive, f2.peek()[1] is print, f2.detach() is not None, f2.alive)


class Raises:
    def __repr__(self):
        return "<Raises>"

    def __del__(self):
        raise ValueError("in del")


def hook(u):
    print("hook:", u.exc_type.__name__, u.exc_value, u.err_msg, getattr(u.object, "__qualname__", None))


sys.unraisablehook = hook
Raises()


class RaisesDeep:
    @classmethod
    def helper(cls):
        return {}["deep"]

    def __del__(self):
        try:
            self.helper()
        except KeyError as e:
            raise RuntimeError("chained") from e


if 1:
    def __del__named(self):
        1 / 0
    RaisesDeep.__repr__ = lambda s: "<RD>"


RaisesDeep()
weak_target = M()
wr = weakref.ref(weak_target, lambda r: 1 / 0)
del weak_target
sys.unraisablehook = sys.__unraisablehook__


class Resurrect:
    saved = []

    def __del__(self):
        print("resurrect")
        Resurrect.saved.append(self)


Resurrect()
print(len(Resurrect.saved), Resurrect.saved[0].__class__.__name__)
Resurrect.saved.clear()
print("cleared")


class Cyc:
    def __init__(self, n):
        self.me = self
        self.n = n

    def __del__(self):
        print("cyc", self.n)


for i in range(3):
    Cyc(i)
gc.collect()
print(gc.is_tracked([]), gc.is_tracked(1), gc.is_tracked({}), gc.is_tracked({"a": []}), gc.isenabled(), gc.get_threshold())
for bad in (lambda: weakref.ref(1), lambda: weakref.ref([]), lambda: weakref.proxy("s"), lambda: weakref.ref(), lambda: hash(r), lambda: weakref.WeakSet([1])):
    try:
        print(bad())
    except TypeError as e:
        print(e)
lst = []
print(sys.getrefcount(lst), [sys.getrefcount(o) for o in [lst]])


def gen():
    try:
        yield 1
    finally:
        print("gen closed")


g = gen()
next(g)
del g
local = Node("module level, deleted at exit")


def func():
    t = Node("frame local")
    raise KeyError("frame dies after traceback")


func()
