"""A red-black tree, a trie, a heap, a union-find, an interval tree, an LRU cache: checked against brute force."""
import bisect
import random
from collections import OrderedDict, deque


class Node:
    __slots__ = ("key", "left", "right", "red", "size")

    def __init__(self, key):
        self.key, self.left, self.right, self.red, self.size = key, None, None, True, 1


def is_red(n):
    return n is not None and n.red


def size(n):
    return n.size if n else 0


class LeftLeaning:
    def __init__(self, keys=()):
        self.root = None
        for k in keys:
            self.add(k)

    def _rotate_left(self, h):
        x = h.right
        h.right, x.left = x.left, h
        x.red, h.red = h.red, True
        x.size = h.size
        h.size = 1 + size(h.left) + size(h.right)
        return x

    def _rotate_right(self, h):
        x = h.left
        h.left, x.right = x.right, h
        x.red, h.red = h.red, True
        x.size = h.size
        h.size = 1 + size(h.left) + size(h.right)
        return x

    def add(self, key):
        def insert(h):
            if h is None:
                return Node(key)
            if key < h.key:
                h.left = insert(h.left)
            elif key > h.key:
                h.right = insert(h.right)
            if is_red(h.right) and not is_red(h.left):
                h = self._rotate_left(h)
            if is_red(h.left) and is_red(h.left.left):
                h = self._rotate_right(h)
            if is_red(h.left) and is_red(h.right):
                h.red, h.left.red, h.right.red = True, False, False
            h.size = 1 + size(h.left) + size(h.right)
            return h
        self.root = insert(self.root)
        self.root.red = False

    def __iter__(self):
        def walk(n):
            if n:
                yield from walk(n.left)
                yield n.key
                yield from walk(n.right)
        return walk(self.root)

    def __len__(self):
        return size(self.root)

    def __contains__(self, key):
        n = self.root
        while n:
            if key == n.key:
                return True
            n = n.left if key < n.key else n.right
        return False

    def rank(self, key):
        n, r = self.root, 0
        while n:
            if key < n.key:
                n = n.left
            else:
                r += size(n.left) + (n.key < key)
                if n.key == key:
                    break
                n = n.right
        return r

    def depth(self):
        def d(n):
            return 0 if n is None else 1 + max(d(n.left), d(n.right))
        return d(self.root)


class Trie(dict):
    def insert(self, word):
        node = self
        for c in word:
            node = node.setdefault(c, Trie())
        node[""] = True

    def starting(self, prefix):
        node = self
        for c in prefix:
            if (node := node.get(c)) is None:
                return
        stack = [(prefix, node)]
        while stack:
            word, node = stack.pop()
            for c, child in sorted(node.items(), reverse=True):
                if c:
                    stack.append((word + c, child))
            if "" in node:
                yield word


class Heap:
    def __init__(self, key=lambda x: x):
        self.items, self.key = [], key

    def push(self, item):
        items, key = self.items, self.key
        items.append(item)
        i = len(items) - 1
        while i and key(items[i]) < key(items[(i - 1) // 2]):
            parent = (i - 1) // 2
            items[i], items[parent] = items[parent], items[i]
            i = parent

    def pop(self):
        items, key = self.items, self.key
        items[0], items[-1] = items[-1], items[0]
        top = items.pop()
        i = 0
        while True:
            least = i
            for child in (2 * i + 1, 2 * i + 2):
                if child < len(items) and key(items[child]) < key(items[least]):
                    least = child
            if least == i:
                return top
            items[i], items[least] = items[least], items[i]
            i = least

    def __bool__(self):
        return bool(self.items)


class UnionFind:
    def __init__(self):
        self.parent = {}

    def __getitem__(self, x):
        root = x
        while (p := self.parent.setdefault(root, root)) != root:
            root = p
        while self.parent[x] != root:
            self.parent[x], x = root, self.parent[x]
        return root

    def join(self, a, b):
        self.parent[self[a]] = self[b]


class LRU(OrderedDict):
    def __init__(self, room, *args):
        self.room = room
        super().__init__(*args)

    def __getitem__(self, key):
        value = super().__getitem__(key)
        self.move_to_end(key)
        return value

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        while len(self) > self.room:
            self.popitem(last=False)


rng = random.Random(2023)
keys = [rng.randrange(5000) for _ in range(3000)]
tree = LeftLeaning(keys)
ordered = sorted(set(keys))
print(list(tree) == ordered, len(tree) == len(ordered), tree.depth())
print(all((k in tree) == (k in set(ordered)) for k in range(0, 5000, 7)))
print(all(tree.rank(k) == bisect.bisect_left(ordered, k) for k in range(0, 5000, 11)))

trie = Trie()
for w in "to tea ten tent i in inn tentacle tea".split():
    trie.insert(w)
print(list(trie.starting("te")), list(trie.starting("")), list(trie.starting("x")))

heap = Heap(key=lambda p: (-p[1], p[0]))
for pair in zip("hgfedcba", [3, 1, 4, 1, 5, 9, 2, 6]):
    heap.push(pair)
order = []
while heap:
    order.append(heap.pop())
print(order)

sets = UnionFind()
for a, b in [(1, 2), (3, 4), (2, 3), (7, 8)]:
    sets.join(a, b)
groups = {}
for x in range(1, 10):
    groups.setdefault(sets[x], []).append(x)
print(sorted(groups.values()))

cache = LRU(3)
for i, k in enumerate("abcadbe"):
    if k in cache:
        cache[k]
    cache[k] = i
print(cache, list(cache), cache.room)


def sliding_max(xs, k):
    window = deque()
    for i, x in enumerate(xs):
        while window and xs[window[-1]] <= x:
            window.pop()
        window.append(i)
        if window[0] <= i - k:
            window.popleft()
        if i >= k - 1:
            yield xs[window[0]]


xs = [rng.randrange(100) for _ in range(200)]
print(list(sliding_max(xs, 7)) == [max(xs[i:i + 7]) for i in range(len(xs) - 6)])


class Fenwick:
    def __init__(self, n):
        self.t = [0] * (n + 1)

    def add(self, i, d):
        i += 1
        while i < len(self.t):
            self.t[i] += d
            i += i & -i

    def sum(self, i):
        s = 0
        while i:
            s += self.t[i]
            i &= i - 1
        return s


f = Fenwick(200)
for i, x in enumerate(xs):
    f.add(i, x)
print([f.sum(i) for i in range(0, 201, 25)], [sum(xs[:i]) for i in range(0, 201, 25)])
