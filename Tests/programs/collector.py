"""The cycle collector: what it finds, in what order it calls whom."""
import gc
import sys
import weakref

gc.disable()
gc.collect()
log = []


class Node:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        log.append("del " + self.name)


class Plain:
    pass


def ring(*nodes):
    for a, b in zip(nodes, nodes[1:] + nodes[:1]):
        a.next = b


a, b = Node("a"), Node("b")
ring(a, b)
wr = weakref.ref(a, lambda r: log.append("callback"))
inside = Plain()
a.inside = inside
inside.wr = weakref.ref(b, lambda r: log.append("never"))
del a, b, inside
print(gc.collect(), sorted(log), wr())
log.clear()


class Lazarus:
    def __init__(self):
        self.me = self
        self.count = 0

    def __del__(self):
        self.count += 1
        saved.append(self)


saved = []
Lazarus()
print(gc.collect(), len(saved), saved[0].count, gc.is_finalized(saved[0]))
saved.clear()
print(gc.collect(), len(saved))

print([gc.is_tracked(x) for x in (1, "a", (), (1, 2), [], {}, {1: 2}, {1: []}, {"a": 1, "b": ()}, set(), Plain(), int, len)])
t = (1, (2, (3,)), "x")
u = ([], 1)
gc.collect()
print(gc.is_tracked(t), gc.is_tracked(u))
d = {i: str(i) for i in range(5)}
gc.collect()
print(gc.is_tracked(d))
d[5] = []
print(gc.is_tracked(d))

phases = []


def watch(phase, info):
    phases.append((phase, info["generation"], info["collected"] > 0, info["uncollectable"]))


gc.callbacks.append(watch)
x = []
x.append(x)
del x
gc.collect(0)
gc.collect()
gc.callbacks.remove(watch)
print(phases)
print(gc.get_threshold(), gc.isenabled())
gc.set_threshold(5, 2)
print(gc.get_threshold())
gc.set_threshold(700, 10, 10)
for f in [lambda: gc.collect(3), lambda: gc.collect(-1), lambda: gc.get_objects(3), lambda: gc.get_objects("a"),
          lambda: gc.set_debug("a"), lambda: gc.set_threshold("a")]:
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)

lst = [Plain()]
print(gc.get_referents(lst) == lst, [r is lst for r in gc.get_referrers(lst[0]) if isinstance(r, list)])
print(any(o is lst for o in gc.get_objects()), any(o is lst for o in gc.get_objects(generation=0)))
gc.freeze()
print(gc.get_freeze_count() > 0, any(o is lst for o in gc.get_objects()))
gc.unfreeze()
print(gc.get_freeze_count(), any(o is lst for o in gc.get_objects(2)))

gc.set_debug(gc.DEBUG_SAVEALL)
y = []
y.append(y)
del y
print(gc.collect(), gc.garbage)
gc.set_debug(0)
gc.garbage.clear()

# A tree so deep that nothing may recurse on it.
deep = None
for i in range(200000):
    deep = [deep]
deep2 = deep
gc.collect()
del deep, deep2
deep = ()
for i in range(200000):
    deep = (deep, [])
del deep
print("deep gone", gc.collect())


class Evil:
    """Changes the graph while it is finalized."""

    def __init__(self, other):
        self.other = other
        self.me = self

    def __del__(self):
        self.other.append(self)
        gc.collect()


keep = []
for i in range(10):
    Evil(keep)
print(gc.collect(), len(keep))
keep.clear()
print(gc.collect())
sys.stdout.flush()
