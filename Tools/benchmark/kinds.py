"""Programs whose time is not in Python code: each exercises one kind of object or one module.

KINDS: group -> {name: (function, argument)}, as in applications.py. A function returns what
both interpreters have to agree on, and takes 5 to 50 ms. What it works on is made once.
None of these is part of the training of a profile-guided build: they show what programs gain
that nobody has tuned for."""
import asyncio
import collections
import contextlib
import copy
import csv
import dataclasses
import datetime
import decimal
import enum
import functools
import gc
import heapq
import io
import itertools
import json
import logging
import operator
import pathlib
import pickle
import pprint
import re
import sqlite3
import string
import struct
import threading
import typing

made_once = functools.lru_cache(maxsize=None)


# ------------------------------------------------------------------- collections

@made_once
def tree_of_objects(depth):
    class Node:
        def __init__(self, depth):
            self.children = [Node(depth - 1) for _ in range(3)] if depth else []
            self.facts = {"depth": depth}
    return Node(depth)


@made_once
def lists_of_each_other(n):
    lists = [[] for _ in range(n)]
    for one in lists:
        one.extend(lists * 8)
    return lists


def collect_tree(n):
    root = tree_of_objects(6)
    for _ in range(n):
        gc.collect()
    return len(root.children)


def collect_references(n):
    lists = lists_of_each_other(300)
    for _ in range(n):
        gc.collect()
    return len(lists)


def collect_cycles(n):
    for _ in range(n):
        one = []
        one.append({"back": one})
    gc.collect()
    return len(gc.garbage)


# ------------------------------------------------------------------ dicts and tuples

def tuple_keys(n):
    keys = [(i, i * 7 % 11, str(i % 5)) for i in range(400)]
    counts = {}
    for _ in range(n):
        for key in keys:
            counts[key] = counts.get(key, 0) + 1
    members = set(keys)
    return len(counts), sum(counts.values()), sum(key in members for key in keys)


def pair_keys(n):
    grid = {}
    for x in range(n):
        for y in range(n):
            grid[x, y] = x - y
    return sum(grid[y, x] for x in range(n) for y in range(n)), len(grid)


def byte_pairs(n):
    words = {tuple("abcabcdabd%d" % i): i for i in range(n)}
    for _ in range(3):
        pairs = collections.defaultdict(int)
        for word, times in words.items():
            for i in range(len(word) - 1):
                pairs[word[i], word[i + 1]] += times
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merged = {}
        for word, times in words.items():
            parts, i = [], 0
            while i < len(word):
                if word[i:i + 2] == best:
                    parts.append(word[i] + word[i + 1])
                    i += 2
                else:
                    parts.append(word[i])
                    i += 1
            merged[tuple(parts)] = times
        words = merged
    return len(words), max(words)


def sets(n):
    digits, seen, total = frozenset(range(50)), set(), 0
    for i in range(n):
        three = frozenset((i, i + 1, i + 2))
        seen.add(three)
        total += len(digits & three) + len(digits | three) + len(digits - three)
        total += three <= digits
    return total, len(seen)


def counters(n):
    text = "the quick brown fox jumps over the lazy dog " * 40
    for _ in range(n):
        result = (collections.Counter(text.split()).most_common(3),
                  collections.Counter(text).most_common(2))
    return result


def deques(n):
    queue, total = collections.deque(), 0
    for i in range(n):
        queue.append(i)
        queue.appendleft(-i)
    queue.rotate(5)
    while queue:
        total = total * 3 % 1000003 + queue.popleft()
    return total


def lru_cached(n):
    @functools.lru_cache(maxsize=100)
    def square(x):
        return x * x
    return sum(square(i % 150) for i in range(n)), square.cache_info()


def heaps(n):
    heap = []
    for i in range(n):
        heapq.heappush(heap, (i * 7919 % 1009, i))
    return [heapq.heappop(heap) for _ in range(n)][::97]


def iterators(n):
    total = 0
    for _ in range(n):
        total += sum(map(sum, itertools.permutations(range(5))))
        total += sum(itertools.accumulate(range(300)))
        total += sum(len(list(g)) for _, g in itertools.groupby(range(300), lambda x: x // 7))
        total += sum(a * b for a, b in itertools.product(range(10), repeat=2))
        total += sum(1 for _ in itertools.combinations(range(12), 3))
    return total


# ------------------------------------------------------------------ objects and calls

def small_lists(n):
    return sum(len([a for a in [[x, x + i] for x in range(100)] if a[0] & 1]) for i in range(n))


def small_objects(n):
    class Point:
        __slots__ = "x", "y"

        def __init__(self, x, y):
            self.x, self.y = x, y
    return sum(len([p for p in [Point(x, i) for x in range(100)] if p.x > 50]) for i in range(n))


def records(n):
    @dataclasses.dataclass(order=True)
    class Item:
        x: int
        y: int = 0
    Pair = collections.namedtuple("Pair", "x y")
    items = sorted(Item(i * 7 % 101, 5) for i in range(n))
    pairs = [Pair(i, 5) for i in range(n)]
    total = sum(p.x + p.y for p in pairs)
    return items[-1].x, dataclasses.replace(items[0], x=1).x, total, pairs[0]._replace(x=3)


def enums(n):
    class Colour(enum.Enum):
        RED = 1
        BLUE = 2

    class Access(enum.Flag):
        READ = 1
        WRITE = 2
    total = 0
    for _ in range(n):
        total += Colour(1) is Colour.RED and Colour["BLUE"].value
        total += (Access.READ | Access.WRITE).value
    return total


@typing.runtime_checkable
class HasLength(typing.Protocol):
    def __len__(self): ...


def protocols(n):
    total = 0
    for i in range(n):
        total += isinstance([], collections.abc.Sequence) + isinstance(i, collections.abc.Mapping)
        total += isinstance(i, (str, bytes, int)) + isinstance("", HasLength)
    return total


def recursive_generators(n):
    def tree(depth):
        return (tree(depth - 1), depth, tree(depth - 1)) if depth else None

    def walk(node):
        if node:
            yield from walk(node[0])
            yield node[1]
            yield from walk(node[2])
    return sum(walk(tree(n)))


def async_generators(n):
    async def numbers():
        for i in range(n):
            yield i

    async def total():
        return sum([i async for i in numbers()])
    return asyncio.run(total())


def context_managers(n):
    @contextlib.contextmanager
    def manager(value):
        yield value
    total = 0
    for i in range(n):
        with manager(i) as value:
            total += value
    return total


def exceptions(n):
    total = 0
    for i in range(n):
        try:
            int("x")
        except ValueError as e:
            total += len(e.args)
        try:
            {}[i]
        except KeyError:
            total += 1
    return total


def deep_copies(n):
    source = {"a": [1, 2, {"b": (3, 4, [5])}] * 10, "c": {i: [i] for i in range(30)}}
    for _ in range(n):
        result = copy.deepcopy(source)
    return result == source and result["a"] is not source["a"]


def threads(n):
    results = []
    for i in range(n):
        thread = threading.Thread(target=results.append, args=(i,))
        thread.start()
        thread.join()
    return sum(results)


# ------------------------------------------------------------------ numbers

def digits_of_pi(n):
    q, r, t, k, digit, odd, digits = 1, 0, 1, 1, 3, 3, []
    while len(digits) < n:
        if 4 * q + r - t < digit * t:
            digits.append(digit)
            q, r, digit = 10 * q, 10 * (r - digit * t), 10 * (3 * q + r) // t - 10 * digit
        else:
            digit = (q * (7 * k) + 2 + r * odd) // (t * odd)
            q, r, t, k, odd = q * k, (2 * q + r) * odd, t * odd, k + 1, odd + 2
    return digits[-10:]


def bills(n):
    D = decimal.Decimal
    total = D(0)
    for i in range(n):
        bill = (D(i) / 7).quantize(D("0.01"))
        total += (bill + bill * D("0.19")).quantize(D("0.01"), rounding=decimal.ROUND_HALF_EVEN)
        text = str(total)
    return text


def sparse_matrix(n):
    rows = [[(i * 7 + j) % n for j in range(8)] for i in range(n)]
    values, x = [[1.5] * 8 for _ in range(n)], [1.0] * n
    for _ in range(20):
        y = [0.0] * n
        for i in range(n):
            total = 0.0
            for j, value in zip(rows[i], values[i]):
                total += x[j] * value
            y[i] = total
    return sum(y)


# ------------------------------------------------------------------ text and bytes

def data_rows(n):
    return [{"id": i, "name": "user %d" % i, "tags": ["a", "b", "c"], "score": i * 1.5,
             "ok": True, "none": None} for i in range(n)]


def json_dumps(n):
    data = data_rows(50)
    return [json.dumps(data) for _ in range(n)][-1][-30:]


def json_loads(n):
    text = json.dumps(data_rows(50))
    return len([json.loads(text) for _ in range(n)][-1])


def pickles_of_small_dicts(n):
    dicts = [{"a": i, "b": str(i), "c": [i]} for i in range(n)]
    return sum(pickle.loads(pickle.dumps(d)) == d for d in dicts)


def pickles_of_many_dicts(n):
    dicts = [{"a": i, "b": str(i), "c": [i]} for i in range(500)]
    return len([pickle.dumps(dicts) for _ in range(n)][-1])


def short_searches(n):
    pattern, found = re.compile(r"(\w+)=(\d+)"), 0
    for i in range(n):
        line = "key%d=%d;" % (i, i)
        found += int(pattern.search(line).group(2)) + bool(pattern.match(line))
    return found


def templates(n):
    template = string.Template("$a and ${b} and $c" * 5)
    return [template.substitute(a=i, b="x", c="z") for i in range(n)][-1]


def formats(n):
    for i in range(n):
        texts = ("%d %s %5.2f" % (i, "a", i), f"{i} {i:>5} {i * 1.5:.2f} {'x'!r}",
                 "{} {}".format(i, "b"))
    return texts


def words(n):
    text = "the quick brown fox jumps over the lazy dog " * 40
    for _ in range(n):
        parts = text.split()
        result = (len(" ".join(parts)), sorted(parts)[0], [part.upper() for part in parts][-1],
                  len(text.replace("the", "a")), text.count("o"))
    return result


def comma_separated(n):
    text = "\n".join('%d,abc,"x y",%f' % (i, i) for i in range(n))
    return sum(int(row[0]) for row in csv.reader(io.StringIO(text)))


def byte_arrays(n):
    array, total = bytearray(), 0
    for i in range(n):
        array += bytes((i & 255,))
        total += array.find(b"\x05")
    return total, bytes(array).hex()[-10:]


def structs(n):
    packer = struct.Struct("<IHbd")
    return sum(sum(packer.unpack(packer.pack(i, i & 0xffff, 5, 1.5))) for i in range(n))


def sort_keys(n):
    rows = [(i * 7919 % 1009, str(i)) for i in range(500)]
    for _ in range(n):
        result = (sorted(rows)[7], sorted(rows, key=operator.itemgetter(1))[7],
                  sorted(rows, key=lambda row: -row[0])[7])
    return result


# ------------------------------------------------------------------ modules

@made_once
def stream_logger():
    log = logging.getLogger("kinds")
    log.setLevel(logging.INFO)
    log.propagate = False
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    return log, handler.stream


def log_calls_that_are_off(n):
    log, stream = stream_logger()
    for i in range(n):
        log.debug("x %s", i)
    return stream.tell()


def log_to_a_stream(n):
    log, stream = stream_logger()
    for i in range(n):
        log.info("x %s %d", "a", i)
    length = stream.tell()
    stream.seek(0)
    stream.truncate()
    return length


def paths(n):
    for i in range(n):
        path = pathlib.PurePath("/usr/lib") / ("x%d" % i) / "y.py"
        result = path.suffix, path.parent.name, str(path.with_suffix(".c")), path == path
    return result


def pretty_prints(n):
    data = {"k%d" % i: [i, {"x": "y" * (i % 10)}] for i in range(25)}
    return len([pprint.pformat(data) for _ in range(n)][-1])


def dates(n):
    when = datetime.datetime(2020, 1, 1)
    for i in range(n):
        when += datetime.timedelta(minutes=i)
        texts = when.isoformat(), when.strftime("%Y-%m-%d")
    return texts


@made_once
def database():
    connection = sqlite3.connect(":memory:")
    connection.execute("create table t(a, b, c)")
    connection.executemany("insert into t values(?,?,?)",
                           [(i, str(i), i * .5) for i in range(1000)])
    return connection


def sqlite_rows(n):
    total = 0
    for _ in range(n):
        total += sum(row[0] for row in database().execute("select * from t"))
    return total, len(database().execute("select * from t").fetchall())


KINDS = {
    "collector": {
        "collect_tree": (collect_tree, 3), "collect_references": (collect_references, 2),
        "collect_cycles": (collect_cycles, 20000),
    },
    "containers": {
        "tuple_keys": (tuple_keys, 200), "pair_keys": (pair_keys, 250),
        "byte_pairs": (byte_pairs, 1500), "sets": (sets, 8000), "counters": (counters, 100),
        "deques": (deques, 40000), "lru_cached": (lru_cached, 40000), "heaps": (heaps, 8000),
        "iterators": (iterators, 100),
    },
    "objects": {
        "small_lists": (small_lists, 800), "small_objects": (small_objects, 500),
        "rows": (records, 3000), "enums": (enums, 8000), "protocols": (protocols, 4000),
        "recursive_generators": (recursive_generators, 13),
        "async_generators": (async_generators, 50000),
        "context_managers": (context_managers, 10000), "caught": (exceptions, 15000),
        "deep_copies": (deep_copies, 60), "threads": (threads, 100),
    },
    "numbers": {
        "digits_of_pi": (digits_of_pi, 500), "bills": (bills, 8000),
        "sparse_matrix": (sparse_matrix, 500),
    },
    "text": {
        "json_dumps": (json_dumps, 60), "json_loads": (json_loads, 250),
        "small_pickles": (pickles_of_small_dicts, 4000),
        "large_pickles": (pickles_of_many_dicts, 30), "short_searches": (short_searches, 10000),
        "string_templates": (templates, 1500), "formats": (formats, 8000), "words": (words, 150),
        "comma_separated": (comma_separated, 10000), "byte_arrays": (byte_arrays, 40000),
        "structs": (structs, 25000), "sort_keys": (sort_keys, 60),
    },
    "modules": {
        "log_off": (log_calls_that_are_off, 100000), "log_stream": (log_to_a_stream, 1500),
        "pure_paths": (paths, 1000), "pretty_prints": (pretty_prints, 40),
        "dates": (dates, 6000), "sqlite_rows": (sqlite_rows, 30),
    },
}
