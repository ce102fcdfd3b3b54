"""Instances that die: what dies with them, in which order, and who may look meanwhile. Compiled
code destroys those of simple classes itself, down a few levels."""
import collections
import gc
import weakref

gc.disable()
log = []


class Plain:
    pass


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b


class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        log.append(self.name)


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b


class SlotsOfTwo(Slots):
    __slots__ = ("c", "__weakref__", "d")


class Mixed(Slots):
    """Slots of a base, and attributes of its own."""

    def __init__(self, a, b, c):
        self.a = a
        self.b = b
        self.c = c


class OfDict(dict):
    pass


class Many:
    def __init__(self, n):
        for i in range(n):
            setattr(self, f"attribute{i}", i)


def flat(n):
    for i in range(n):
        Pair(i, float(i))
        Plain()


def nested(n):
    total = 0
    for i in range(n):
        p = Pair(Pair(i, [i, (i, str(i))]), Pair(Pair(None, "x"), (i,)))
        total += p.a.b[0]
    return total


def twice(n):
    """One object behind two attributes is released twice."""
    for i in range(n):
        shared = [i]
        p = Pair(shared, shared)
        del shared
        q = Pair(p, p)
        del p
        q = None


def loud(n):
    """The finalizer of a value runs when the instance dies, not before, and after what is before it."""
    for i in range(n):
        p = Pair((i, "quiet"), Loud(i))
        log.append(("made", i))
        p = None
        log.append(("gone", i))
        p = Pair(Pair(Pair([i], Loud((i, "deep"))), (i, i)), "last")
        log.append(("made deep", i))
        p = None
        log.append(("gone deep", i))


def weak(n):
    for i in range(n):
        p = Pair(i, None)
        r = weakref.ref(p, lambda r, i=i: log.append(("weak", i)))
        inner = Pair(i, [i])
        s = weakref.ref(inner, lambda r, i=i: log.append(("weak inner", i)))
        p.b = inner
        inner = None
        log.append(r() is p and s() is p.b)
        p = None
        log.append((r(), s()))


def with_dict(n):
    for i in range(n):
        p = Pair(i, [i])
        p.__dict__["c"] = Loud(("dict", i))
        p = None
        q = Pair(i, i)
        q.c = q.d = q.e = q.f = q.g = [i]
        vars(q)
        q = None


def of_class(n):
    """A value that is the class itself."""
    for i in range(n):
        p = Pair(Pair, Plain)
        p = Pair(p, type(p))
        p = None


def dead_class(n):
    """The last instance keeps its class alive, and releases it."""
    for i in range(n):
        cls = type("Local", (), {"__init__": lambda self: setattr(self, "x", 1)})
        r = weakref.ref(cls)
        p = cls()
        del cls
        gc.collect(0)
        log.append(r() is type(p))
        p = None
        gc.collect()
        log.append(r())


class Changing:
    def __init__(self, n):
        self.n = n


def changing(n):
    for i in range(n):
        Changing(i)
        Pair(Changing(i), (i,))


def finalizer(self):
    log.append(("changed", self.n))


def others(n):
    for i in range(n):
        Mixed(i, [i], Loud(("mixed", i)))
        Slots(Loud(("slot", i)), i)
        d = OfDict(a=Loud(("item", i)))
        d.x = [i]
        d = None
        m = Many(i % 40)
        m = None


def chain(n):
    head = None
    for i in range(n):
        head = Pair(head, i)
    head = None
    tree = Pair(None, None)
    for i in range(10):
        tree = Pair(tree, Pair(tree, i))
    tree = None


def resurrecting(n):
    kept = []

    class Back:
        def __init__(self, holder):
            self.holder = holder

        def __del__(self):
            kept.append(self)

    for i in range(n):
        p = Pair(Back([i]), (i,))
        p = None
    log.append([b.holder for b in kept])
    del Back.__del__
    kept.clear()


def order(n):
    """The order in which attributes were set is kept while some have gone."""
    for i in range(n):
        p = Pair(i, [i])
        del p.a
        p.z = Loud(("z", i))
        p.a = i
        if i % 7 == 0:
            log.append(list(vars(p)))
        p = None


class SlotsOfBase:
    __slots__ = "z", "y"


class NoSlots(SlotsOfBase):
    __slots__ = ()


class SlotsOfDerived(NoSlots):
    __slots__ = "b", "a", "__weakref__"


def slots_of_bases(n):
    """A class's own slots go first, then those of its base."""
    for i in range(n):
        p = SlotsOfDerived()
        p.z = Loud("z")
        p.a = Loud("a")
        p.y = Loud("y")
        p.b = Loud("b")
        p = None
        shared = Loud("shared")
        p = SlotsOfDerived()
        p.b = [Loud("last"), shared]
        p.y = shared
        shared = None
        p = None
        if i % 5 == 0:
            p = SlotsOfDerived()
            p.z = weakref.ref(p, lambda ref: log.append("weak"))
            p.b = Loud("b")
            p = None


for rounds in (3, 200):
    log.clear()
    flat(rounds)
    print(nested(rounds))
    twice(rounds)
    loud(rounds)
    weak(rounds)
    with_dict(rounds)
    of_class(rounds)
    dead_class(min(rounds, 20))
    changing(rounds)
    Changing.__del__ = finalizer
    changing(rounds)
    del Changing.__del__
    changing(rounds)
    others(rounds)
    chain(rounds * 20)
    resurrecting(rounds)
    order(rounds)
    slots_of_bases(rounds)
    print(log[-8 * rounds:])
    of_dicts, Pair = Pair, SlotsOfTwo
    print(nested(rounds))
    flat(rounds)
    twice(rounds)
    loud(rounds)
    weak(rounds)
    of_class(rounds)
    chain(rounds * 20)
    resurrecting(rounds)
    Pair = of_dicts
    print(len(log), log[:30], log[-20:])
    print(sorted(collections.Counter(str(x)[:7] for x in log).items()))
gc.enable()
print(gc.collect() >= 0)
