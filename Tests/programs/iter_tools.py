"""itertools, functools, operator, collections."""
import collections.abc
import functools
import itertools as it
import operator as op

print(list(it.accumulate([3, 1, 4, 1, 5], max)), list(it.accumulate([1, 2, 3], initial=10)), list(it.batched([1, 2, 3], 2)) if hasattr(it, "batched") else "no batched")
print(list(it.chain([1], "ab", (2,))), list(it.chain.from_iterable(["ab", "cd"])), list(it.compress("abcdef", [1, 0, 1, 0, 1])), list(it.dropwhile(lambda x: x < 3, range(6))))
print(list(it.filterfalse(lambda x: x % 2, range(6))), [(k, list(g)) for k, g in it.groupby("aaabbca")], list(it.islice("abcdefg", 1, 6, 2)), list(it.pairwise("abcd")))
print(list(it.permutations("abc", 2)), list(it.combinations(range(4), 2)), list(it.combinations_with_replacement("ab", 3)), list(it.product("ab", repeat=2)), len(list(it.product(range(5), repeat=4))))
print(list(it.starmap(pow, [(2, 3), (3, 2)])), list(it.takewhile(str.isalpha, "ab1c")), list(it.zip_longest("ab", "xyz", fillvalue="-")), list(it.repeat(1, 3)), list(it.islice(it.cycle("ab"), 5)), list(it.islice(it.count(1.5, 0.5), 3)))
a, b, c = it.tee(iter(range(5)), 3)
print(next(a), next(a), next(b), list(a), list(b), list(c))
print(it.count(3), it.repeat("x", 2), it.count(1, 2), op.length_hint(it.repeat(1, 9)), list(map(op.add, [1, 2], [3, 4])), list(zip("ab", it.count())), list(enumerate("ab", 7)))
print(functools.reduce(op.mul, range(1, 10)), functools.reduce(op.add, [], "i"), functools.partial(int, base=2)("101"), functools.partial(print, 1, sep="-"))
calls = []


@functools.lru_cache(maxsize=3)
def slow(n, k=0):
    calls.append(n)
    return n * 2


for i in (1, 2, 1, 3, 4, 1, 2.0):
    slow(i)
print(calls, slow.cache_info(), slow.cache_parameters(), slow(k=1, n=3))
slow.cache_clear()
print(slow.cache_info())


@functools.total_ordering
class V:
    def __init__(self, *p):
        self.p = p

    def __eq__(self, o):
        return self.p == o.p

    def __lt__(self, o):
        return self.p < o.p


print(V(1, 2) >= V(1, 1), V(1) <= V(1), V(2) > V(3), sorted([5, 2, 8], key=functools.cmp_to_key(lambda a, b: b - a)))
print(op.itemgetter(1, -1)("abc"), op.attrgetter("real", "imag")(3 + 4j), op.methodcaller("split", ",", maxsplit=1)("a,b,c"), op.itemgetter(slice(1, 3))("abcd"), op.itemgetter(2), op.attrgetter("a.b"), op.methodcaller("x", 1, k=2))
cnt = collections.Counter("mississippi")
print(cnt, cnt.most_common(2), cnt + collections.Counter(m=3), cnt - collections.Counter("miss"), cnt & collections.Counter("sip"), sorted(cnt.elements())[:5], cnt["zz"], cnt.total(), -collections.Counter(a=-2), +collections.Counter(a=0))
dd = collections.defaultdict(list)
for k, v in [("a", 1), ("b", 2), ("a", 3)]:
    dd[k].append(v)
print(dd, dd["new"], dict(dd), collections.defaultdict(None, {1: 2}))
cm = collections.ChainMap({"a": 1}, {"a": 2, "b": 3})
print(cm["a"], cm["b"], dict(cm), cm.new_child({"z": 0}), cm.parents, len(cm))
Pt = collections.namedtuple("Pt", "x y", defaults=[7])
p = Pt(1)
print(p, p._replace(x=5), p._asdict(), Pt._fields, Pt._make([3, 4]), p.x + p[1], Pt.__doc__, p == (1, 7), Pt._field_defaults)
od = collections.OrderedDict.fromkeys("abc")
od.move_to_end("a")
od.move_to_end("c", last=False)
print(od, list(reversed(od)), od.popitem(False), od == {"b": None, "a": None})
ud = collections.UserDict(a=1)
ud["b"] = 2
print(ud, "a" in ud, collections.UserList([1, 2]) + [3], collections.UserString("abc").upper())


def flatten(x):
    stack = [iter(x)]
    while stack:
        for v in stack[-1]:
            if isinstance(v, collections.abc.Iterable) and not isinstance(v, str):
                stack.append(iter(v))
                break
            yield v
        else:
            stack.pop()


print(list(flatten([1, [2, (3, {4: 5}), "six"], range(2)])))
print([list(g) for _, g in it.groupby(sorted("apple ant bat bee cow".split(), key=op.itemgetter(0)), op.itemgetter(0))])
callable_iter = iter(functools.partial(next, it.count(5)), 9)
print(list(callable_iter), list(reversed(range(0, 10, 3))), list(filter(None, [0, 1, "", "a", [], [0]])), list(map(lambda *a: a, "ab", "cde")))
for f in (lambda: list(it.islice([1], -1)), lambda: list(it.islice([1], 0, 1, 0)), lambda: it.combinations([1], -1), lambda: it.permutations("a", "b"), lambda: it.product([1], repeat=-1), lambda: it.repeat(), lambda: it.chain(1).__next__(), lambda: it.count("a"),
          lambda: functools.reduce(op.add, []), lambda: functools.partial(), lambda: functools.partial(3), lambda: functools.lru_cache("a"), lambda: slow([]), lambda: op.itemgetter(), lambda: op.attrgetter(1), lambda: op.itemgetter(9)("a"), lambda: op.methodcaller(), lambda: Pt(), lambda: Pt(1, 2, 3),
          lambda: Pt._make([1]), lambda: p._replace(q=1), lambda: setattr(p, "x", 1), lambda: collections.namedtuple("X", "a a"), lambda: collections.namedtuple("X", "class"), lambda: collections.namedtuple("1X", "a"), lambda: collections.defaultdict(1), lambda: od["zz"], lambda: od.move_to_end("q"), lambda: cm["zz"],
          lambda: cm.popitem() and cm.popitem(), lambda: next(it.count(), 1, 2), lambda: map(), lambda: map(len), lambda: list(map(len, [1])), lambda: zip(1), lambda: enumerate(), lambda: filter(1), lambda: reversed({1}), lambda: iter(3), lambda: iter(3, 4), lambda: it.tee([], -1), lambda: collections.Counter(1), lambda: it.groupby(), lambda: it.zip_longest([], foo=1), lambda: op.length_hint(1, "a"), lambda: op.concat(1, 2), lambda: op.index(1.0)):
    try:
        print("ok", f())
    except Exception as e:
        print(type(e).__name__, e)


class Small(int):
    def __repr__(self):
        return "Small"

    def __add__(self, other):
        return Small(int(self) + other + 100)


for args in (True,), (Small(3),), (1, True), (1, Small(1)), (True, 2), (Small(3), 2), (Small(2 ** 70),), (2 ** 70, True), (False, 1.0):
    counter = it.count(*args)
    print(counter, list(it.islice(counter, 3)), counter.__reduce__()[1])
Pt(y=2)
