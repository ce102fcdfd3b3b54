"""Data structures: heap, trie, union-find, LRU, linked list, red-black-ish tree."""
import bisect
import heapq
from collections import OrderedDict, deque


class Trie:
    __slots__ = "kids", "end"

    def __init__(self):
        self.kids, self.end = {}, False

    def add(self, w):
        n = self
        for c in w:
            n = n.kids.setdefault(c, Trie())
        n.end = True

    def words(self, prefix=""):
        if self.end:
            yield prefix
        for c, k in sorted(self.kids.items()):
            yield from k.words(prefix + c)

    def find(self, p):
        n = self
        for c in p:
            if (n := n.kids.get(c)) is None:
                return []
        return list(n.words(p))


t = Trie()
for w in "tea ten to inn in i tent team".split():
    t.add(w)
print(list(t.words()), t.find("te"), t.find("zz"))


class UF:
    def __init__(self, n):
        self.p = list(range(n))
        self.n = n

    def find(self, x):
        while self.p[x] != x:
            self.p[x] = x = self.p[self.p[x]]
        return x

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        if a != b:
            self.p[a] = b
            self.n -= 1
        return a != b


edges = [(a * 7 % 13, a * 5 % 13, a * 11 % 17) for a in range(40)]
u = UF(13)
mst = [(w, a, b) for w, a, b in sorted((w, a, b) for a, b, w in edges) if u.join(a, b)]
print(mst, u.n)


def dijkstra(g, s):
    dist = {s: 0}
    h = [(0, s)]
    while h:
        d, v = heapq.heappop(h)
        if d > dist[v]:
            continue
        for w, c in g.get(v, ()):
            if d + c < dist.get(w, float("inf")):
                dist[w] = d + c
                heapq.heappush(h, (d + c, w))
    return dist


g = {}
for a, b, c in edges:
    g.setdefault(a, []).append((b, c + 1))
print(sorted(dijkstra(g, 1).items()))


class LRU(OrderedDict):
    def __init__(self, cap):
        super().__init__()
        self.cap = cap

    def __getitem__(self, k):
        v = super().__getitem__(k)
        self.move_to_end(k)
        return v

    def __setitem__(self, k, v):
        super().__setitem__(k, v)
        self.move_to_end(k)
        if len(self) > self.cap:
            del self[next(iter(self))]


c = LRU(3)
for i in range(5):
    c[i] = i * i
c[2]
c[9] = 81
print(c, list(c), 3 in c)


class Node:
    def __init__(self, v, nxt=None):
        self.v, self.next = v, nxt


class Linked:
    def __init__(self, it=()):
        self.head = None
        for x in reversed(list(it)):
            self.head = Node(x, self.head)

    def __iter__(self):
        n = self.head
        while n:
            yield n.v
            n = n.next

    def reverse(self):
        p, n = None, self.head
        while n:
            n.next, p, n = p, n, n.next
        self.head = p
        return self

    def sort(self):
        def msort(h):
            if not h or not h.next:
                return h
            slow, fast = h, h.next
            while fast and fast.next:
                slow, fast = slow.next, fast.next.next
            mid, slow.next = slow.next, None
            a, b = msort(h), msort(mid)
            d = tail = Node(0)
            while a and b:
                if b.v < a.v:
                    tail.next, b = b, b.next
                else:
                    tail.next, a = a, a.next
                tail = tail.next
            tail.next = a or b
            return d.next
        self.head = msort(self.head)
        return self


ll = Linked([5, 3, 8, 1, 9, 2])
print(list(ll), list(ll.reverse()), list(ll.sort()))


class Treap:
    def __init__(self):
        self.root = None
        self.seed = 12345

    def rnd(self):
        self.seed = (self.seed * 1103515245 + 12345) & 0x7fffffff
        return self.seed

    def insert(self, k):
        def rot(n):
            if n[0] and n[0][2] > n[2]:
                l = n[0]
                n[0], l[3] = l[3], n
                return l
            if n[3] and n[3][2] > n[2]:
                r = n[3]
                n[3], r[0] = r[0], n
                return r
            return n

        def ins(n):
            if n is None:
                return [None, k, self.rnd(), None]
            i = 0 if k < n[1] else 3
            n[i] = ins(n[i])
            return rot(n)
        self.root = ins(self.root)

    def inorder(self):
        st, n = [], self.root
        while st or n:
            while n:
                st.append(n)
                n = n[0]
            n = st.pop()
            yield n[1]
            n = n[3]

    def depth(self, n):
        return 0 if n is None else 1 + max(self.depth(n[0]), self.depth(n[3]))


tr = Treap()
for i in range(500):
    tr.insert(i * 37 % 501)
x = list(tr.inorder())
print(x == sorted(x), len(x), tr.depth(tr.root))
d = deque(range(5), maxlen=5)
d.append(5)
d.appendleft(-1)
d.rotate(2)
print(d, d.index(3), d.count(1), list(reversed(d)), d[1], d.pop(), d.popleft())
keys = [1, 3, 3, 5]
print(bisect.bisect(keys, 3), bisect.bisect_left(keys, 3), bisect.insort(keys, 4), keys, bisect.bisect([(1, "a"), (2, "b")], 1, key=lambda p: p[0]))
h = [(5, "e"), (1, "a"), (3, "c")]
heapq.heapify(h)
print(heapq.heappushpop(h, (0, "z")), heapq.heapreplace(h, (9, "q")), heapq.nsmallest(2, h), heapq.nlargest(1, h), list(heapq.merge([1, 4], [2, 3], reverse=False)))


def mutate(d):
    for k in d:
        d[k + "x"] = 1


for bad in (lambda: mutate({"a": 1}), lambda: {[]: 1}, lambda: {}.popitem(), lambda: [].pop(), lambda: [1].remove(2), lambda: [1].index(5), lambda: deque().pop(), lambda: deque([1], -1),
            lambda: set().pop(), lambda: {1}.remove(2), lambda: [1, 2, 3].__setitem__(slice(0, 3, 2), [1]), lambda: heapq.heappop([]), lambda: heapq.heappush([1, "a"], 0), lambda: (1, 2) + [3], lambda: [3] + (1,),
            lambda: {1: 2} | [1], lambda: {1} | [1], lambda: dict([1]), lambda: dict([(1, 2, 3)]), lambda: dict(1), lambda: list(1), lambda: set([[]]), lambda: [1, 2][1:2:0], lambda: frozenset().add, lambda: [].sort(1),
            lambda: sorted([1, "a"]), lambda: max([]), lambda: min(1), lambda: sum(["a"]), lambda: sum(["a"], ""), lambda: zip([1], [1, 2], strict=True).__next__() and list(zip([1], [1, 2], strict=True)), lambda: next(iter([])), lambda: tuple(x for x in 3)):
    try:
        print("ok", bad())
    except Exception as e:
        print(type(e).__name__, e)
mutate({"b": 2})
