"""More programs of the kind that applications.py has: the library's types and
modules under load. Name -> (function, argument)."""
import ast
import asyncio
import bisect
import collections
import contextlib
import dataclasses
import datetime
import decimal
import enum
import fractions
import functools
import heapq
import io
import itertools
import operator
import os
import pathlib
import random
import re
import statistics
import string
import struct
import textwrap
import typing
import xml.etree.ElementTree as ElementTree


# ------------------------------------------------------------ numbers, games

def chaos_game(n):
    class Point:
        __slots__ = ("x", "y")

        def __init__(self, x, y):
            self.x, self.y = x, y

        def toward(self, other, t):
            return Point(self.x + (other.x - self.x) * t, self.y + (other.y - self.y) * t)

    corners = [Point(0.0, 0.0), Point(1.0, 0.0), Point(0.5, 0.866)]
    chance = random.Random(7)
    image = [[0] * 64 for _ in range(64)]
    p = Point(0.3, 0.3)
    for _ in range(n):
        p = p.toward(corners[chance.randrange(3)], 0.5)
        image[int(p.y * 63)][int(p.x * 63)] += 1
    return sum(map(max, image))


def sudoku(n):
    text = ("53..7....6..195....98....6.8...6...34..8.3..17...2...6"
            ".6....28....419..5....8..79")
    peers = [{j for j in range(81) if j != i and (j // 9 == i // 9 or j % 9 == i % 9 or (
        j // 27 == i // 27 and j % 9 // 3 == i % 9 // 3))} for i in range(81)]

    def solve(cells):
        best = None
        for i, c in enumerate(cells):
            if c == ".":
                free = set("123456789") - {cells[j] for j in peers[i]}
                if best is None or len(free) < len(best[1]):
                    best = i, free
        if best is None:
            return cells
        i, free = best
        for digit in sorted(free):
            done = solve(cells[:i] + digit + cells[i + 1:])
            if done:
                return done
        return None
    return [solve(text) for _ in range(n)][0]


def spectral_vectors(n):
    class Vector:
        def __init__(self, *items):
            self.items = items

        def __add__(self, other):
            return Vector(*[a + b for a, b in zip(self.items, other.items)])

        def __mul__(self, k):
            return Vector(*[a * k for a in self.items])

        def __abs__(self):
            return sum(a * a for a in self.items) ** 0.5

        def __eq__(self, other):
            return self.items == other.items

        def __getitem__(self, i):
            return self.items[i]

        def __len__(self):
            return len(self.items)
    v = Vector(1.0, 2.0, 3.0)
    for i in range(n):
        v = (v + Vector(0.5, 0.25, i & 3)) * 0.5
        if v == v and abs(v) > 100 and v[0] > len(v):
            break
    return v.items


def telco(n):
    rates = decimal.Decimal("0.0013"), decimal.Decimal("0.00894")
    tax, cent, total = decimal.Decimal("0.0675"), decimal.Decimal("0.01"), decimal.Decimal(0)
    for i in range(n):
        price = (decimal.Decimal(i * 37 % 1000) * rates[i & 1]).quantize(cent, decimal.ROUND_HALF_EVEN)
        total += price + (price * tax).quantize(cent, decimal.ROUND_DOWN)
    return str(total)


def fractions_sum(n):
    return sum((fractions.Fraction(1, k) for k in range(1, n)), fractions.Fraction(0))


def simulation(n):
    chance = random.Random(3)
    values = [chance.gauss(10, 2) + chance.random() for _ in range(n)]
    chance.shuffle(values)
    return statistics.mean(values), statistics.stdev(values), chance.sample(values, 5), chance.choice(values)


def levenshtein(n):
    a, b = "kitten sitting on the mat" * n, "sitting kitten at the mat" * n
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def hashing_by_hand(n):
    h = 0xcbf29ce484222325
    crc = 0xffffffff
    for byte in bytes(range(256)) * n:
        h = (h ^ byte) * 0x100000001b3 & 0xffffffffffffffff
        crc ^= byte
        for _ in range(2):
            crc = (crc >> 1) ^ (0xedb88320 & -(crc & 1))
    return h ^ crc


# ------------------------------------------------------------- text and bytes

def regex_dna(n):
    chance = random.Random(5)
    dna = "".join(chance.choices("acgt", k=n))
    found = [len(re.findall(p, dna)) for p in (
        "agggtaaa|tttaccct", "[cgt]gggtaaa|tttaccc[acg]", "a[act]ggtaaa|tttacc[agt]t",
        "ag[act]gtaaa|tttac[agt]ct", "agg[act]taaa|ttta[agt]cct", "(?:ac){2,}", "t+?g")]
    for pattern, new in ("tHa[Nt]", "<4>"), ("aND|caN|Ha[DS]|WaS", "<3>"), (r"\|[^|][^|]*\|", "-"):
        dna = re.sub(pattern, new, dna)
    return found


def regex_web(n):
    page = ('<a href="http://example.com/%d?q=a&b=%d" class="x y">Text %d</a>'
            ' <img src=\'/i/%d.png\'> user%d@mail.example.org 2024-01-%02d\n')
    text = "".join(page % (i, i, i, i, i, i % 28 + 1) for i in range(n))
    link = re.compile(r'<a\s+href="([^"]*)"\s*(?:class="([^"]*)")?>(.*?)</a>', re.I)
    mail = re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+")
    date = re.compile(r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)")
    n = sum(len(m.group(1)) + len(m.group(3)) for m in link.finditer(text))
    n += len(mail.findall(text)) + sum(int(m["d"]) for m in date.finditer(text))
    return n, len(re.split(r"\s+", text)), len(re.sub(r"<[^>]+>", lambda m: m[0].upper(), text))


def xml_trees(n):
    root = ElementTree.Element("root", version="1")
    for i in range(n):
        item = ElementTree.SubElement(root, "item", id=str(i), kind="k%d" % (i % 7))
        ElementTree.SubElement(item, "name").text = "name & <%d>" % i
        ElementTree.SubElement(item, "price").text = str(i * 1.25)
    text = ElementTree.tostring(root)
    tree = ElementTree.fromstring(text)
    total = sum(float(e.text) for e in tree.iter("price"))
    return total, len(tree.findall("./item[@kind='k3']/name")), len(text)


def formatting(n):
    lines = []
    for i in range(n):
        x = i / 7
        lines.append(f"{i:>6d} {x:8.3f} {'name' + str(i):<10}|{i:#x} {i:,}")
        lines.append("%-8s %05d %s %r" % ("ab", i, x, "text"))
        lines.append("{0:^9} {1!r} {name}".format(i, (i, "a"), name="nm"))
        lines.append(string.Template("$who has $what").substitute(who="x", what=i))
    return len("\n".join(lines))


def wrapping(n):
    text = "The quick brown fox, jumping over lazy dogs - again and again; who knows? " * n
    return (len(textwrap.fill(text, 60)), len(textwrap.dedent(text)), len(textwrap.shorten(text, 200)),
            len(textwrap.indent(text.replace(",", "\n"), "  ")))


def bytes_protocol(n):
    out = bytearray()
    for i in range(n):
        body = b"payload %d" % i
        out += struct.pack(">HIB", len(body), i, i & 255) + body
    view, at, total = memoryview(out), 0, 0
    while at < len(view):
        size, i, flag = struct.unpack_from(">HIB", view, at)
        body = bytes(view[at + 7:at + 7 + size])
        total += int(body.split()[1]) + flag + int.from_bytes(body[:4], "big") % 7
        at += 7 + size
    return total, bytes(out).count(b"payload"), out.find(b"9"), out.hex()[:10]


def line_processing(n):
    data = io.StringIO("".join(f"key{i % 50} = value {i}  # comment\n" for i in range(n)))
    result = {}
    for line in data:
        line = line.partition("#")[0].strip()
        key, eq, value = line.partition(" = ")
        if eq and not key.startswith("_") and value.split()[-1].isdigit():
            result.setdefault(key, []).append(value.title().rjust(12))
    return len(result)


def roman_and_cipher(n):
    table = str.maketrans(string.ascii_lowercase, string.ascii_lowercase[13:] + string.ascii_lowercase[:13])
    total = 0
    for i in range(1, n):
        text, k = "", i % 3999
        for value, sign in ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
                            (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")):
            while k >= value:
                text += sign
                k -= value
        total += len(text.translate(table)) + sum(map(ord, text)) + (text[::-1] == text)
    return total


# ------------------------------------------------------------ classes and data

class Kind(enum.Enum):
    SMALL = 1
    LARGE = 2


class Flags(enum.Flag):
    A = 1
    B = 2
    C = 4


@dataclasses.dataclass(order=True)
class Item:
    price: float
    name: str = "x"
    tags: list = dataclasses.field(default_factory=list)


class Row(typing.NamedTuple):
    id: int
    kind: Kind
    flags: Flags


def records(n):
    items = [Item((i * 37 % 101) / 4, f"n{i}") for i in range(n)]
    items.sort()
    changed = [dataclasses.replace(item, price=item.price + 1) for item in items[:n // 4]]
    rows = [Row(i, Kind(i % 2 + 1), Flags.A | Flags.C if i % 3 else Flags.B) for i in range(n)]
    by_kind = collections.defaultdict(list)
    for row in rows:
        if row.kind is Kind.SMALL and Flags.A in row.flags:
            by_kind[row.kind].append(row._replace(id=-row.id))
    return len(repr(changed)), len(by_kind[Kind.SMALL]), dataclasses.asdict(items[0])


def properties(n):
    class Account:
        limit = 100
        __slots__ = ("_balance", "log")

        def __init__(self):
            self._balance, self.log = 0, []

        @property
        def balance(self):
            return self._balance

        @balance.setter
        def balance(self, value):
            if value > self.limit:
                value -= self.limit
            self._balance = value

        @classmethod
        def open(cls):
            return cls()

        @staticmethod
        def fee(amount):
            return amount // 50

        def __iadd__(self, amount):
            self.balance = self.balance + amount - self.fee(amount)
            return self

        def __contains__(self, x):
            return x < self._balance

        def __bool__(self):
            return self._balance > 0

    account = Account.open()
    for i in range(n):
        account += i % 60
        if account and 10 in account:
            account.log.append(account.balance)
            if len(account.log) > 50:
                account.log.clear()
    return account.balance


class Node:
    def accept(self, visitor):
        return getattr(visitor, "visit_" + type(self).__name__.lower())(self)


class Number(Node):
    def __init__(self, value):
        self.value = value


class Binary(Node):
    def __init__(self, op, left, right):
        self.op, self.left, self.right = op, left, right


class Evaluator:
    ops = {"+": operator.add, "-": operator.sub, "*": operator.mul}

    def visit_number(self, node):
        return node.value

    def visit_binary(self, node):
        return self.ops[node.op](node.left.accept(self), node.right.accept(self))


def visitors(n):
    tree = Number(1)
    for i in range(40):
        tree = Binary("+-*"[i % 3] if i % 7 else "-", tree, Number(i % 5))
    return sum(tree.accept(Evaluator()) & 0xffff for _ in range(n))


def containers(n):
    queue, order = collections.deque(maxlen=100), collections.OrderedDict()
    counts, chain = collections.Counter(), collections.ChainMap({"a": 1}, {"b": 2})
    heap, ranks = [], []
    for i in range(n):
        key = i * 7919 % 211
        queue.append(key)
        order[key] = i
        order.move_to_end(key)
        if len(order) > 150:
            order.popitem(last=False)
        counts[key % 17] += 1
        heapq.heappush(heap, (key, i))
        if len(heap) > 64:
            heapq.heapreplace(heap, (i, key))
        at = bisect.bisect_left(ranks, key)
        if at == len(ranks) or ranks[at] != key:
            ranks.insert(at, key)
        queue.rotate(1)
        chain["a"] += chain["b"]
    return counts.most_common(3), len(order), heap[0], heapq.nsmallest(3, queue), chain["a"]


def sets_and_graphs(n):
    graph = {i: {(i * 3 + 1) % n, (i * 5 + 2) % n, i // 2} for i in range(n)}
    seen, todo = set(), {0}
    while todo:
        seen |= todo
        todo = {j for i in todo for j in graph[i]} - seen
    pairs = sum(len(graph[i] & graph[j]) for i in range(0, n, 3) for j in graph[i])
    common = functools.reduce(operator.or_, (frozenset(v) for v in graph.values()))
    return len(seen), pairs, len(common ^ seen), sum(v <= seen for v in graph.values())


def pipelines(n):
    numbers = itertools.count(1)
    squares = map(lambda x: x * x, numbers)
    odd = filter(operator.itemgetter(0), ((x & 1, x) for x in squares))
    pairs = zip(itertools.islice(odd, n), itertools.cycle("abc"))
    groups = itertools.groupby(sorted(pairs, key=lambda p: p[1]), key=operator.itemgetter(1))
    sums = {k: sum(v[0][1] for v in g) for k, g in groups}
    total = sum(itertools.starmap(operator.mul, zip(range(n), range(n))))
    total += sum(1 for _ in itertools.combinations(range(18), 3))
    return sums, total, list(itertools.accumulate(range(n)))[-1], max(itertools.chain.from_iterable(
        itertools.repeat(range(10), n // 10)))


def cached_calls(n):
    @functools.lru_cache(maxsize=None)
    def ways(total, coin):
        if total == 0:
            return 1
        if total < 0 or coin == 0:
            return 0
        return ways(total - coin, coin) + ways(total, coin - 1)

    @functools.singledispatch
    def show(x):
        return "?"
    show.register(int, lambda x: "int")
    show.register(str, lambda x: "str")
    add = functools.partial(operator.add, 1)
    return ways(n, 12), sum(len(show(x)) for x in [1, "a", 2.0] * n), sum(map(add, range(n)))


def deep_generators(n):
    def tree(depth):
        if depth:
            yield from tree(depth - 1)
            yield depth
            yield from tree(depth - 1)

    def average():
        total = count = 0
        value = None
        while True:
            value = yield value
            total += value
            count += 1
            value = total / count
    a = average()
    next(a)
    for x in tree(n):
        last = a.send(x)
    return last


def failures(n):
    class Problem(Exception):
        def __init__(self, code, *args):
            super().__init__(code, *args)
            self.code = code

    @contextlib.contextmanager
    def section(log):
        log.append(1)
        try:
            yield log
        except KeyError:
            log.append(2)
        finally:
            log.pop()

    def inner(i):
        if i % 5 == 0:
            raise Problem(i, "five")
        if i % 3 == 0:
            return {}[i]
        return int("x%d" % i) if i % 7 == 0 else i
    total, log = 0, []
    for i in range(n):
        with section(log), contextlib.suppress(ValueError):
            try:
                total += inner(i)
            except Problem as e:
                total += e.code
                try:
                    raise RuntimeError("again") from e
                except RuntimeError as again:
                    total += again.__cause__.code
            finally:
                total -= 1
    return total


def task_groups(n):
    async def worker(queue, done):
        while True:
            item = await queue.get()
            if item is None:
                return
            await asyncio.sleep(0)
            done.append(item * 2)

    async def ticks(n):
        for i in range(n):
            yield i

    async def main():
        queue, done, lock = asyncio.Queue(20), [], asyncio.Lock()
        workers = [asyncio.create_task(worker(queue, done)) for _ in range(4)]
        async for i in ticks(n):
            async with lock:
                await queue.put(i)
        for _ in workers:
            await queue.put(None)
        await asyncio.gather(*workers)
        return sum(done)
    return asyncio.run(main())


def calendars(n):
    day, step, total = datetime.datetime(2023, 1, 1, 8, 30), datetime.timedelta(hours=7), 0
    zone = datetime.timezone(datetime.timedelta(hours=2))
    for i in range(n):
        day += step
        if day.weekday() < 5 and day.hour >= 8:
            total += (day - datetime.datetime(2023, 1, 1)).days + day.timetuple().tm_yday
        text = day.isoformat()
        if datetime.datetime.fromisoformat(text) != day or len(day.strftime("%d.%m.%Y %H:%M")) != 16:
            raise AssertionError(text)
        total += day.replace(tzinfo=zone).utctimetuple().tm_hour
    return total


def paths(n):
    root, total = pathlib.PurePosixPath("/srv/data"), 0
    for i in range(n):
        p = root / f"dir{i % 10}" / f"file{i}.tar.gz"
        total += len(p.name) + len(p.suffix) + len(p.parent.parts) + len(str(p.with_suffix(".txt")))
        total += len(os.path.join("/a", "b", f"c{i}.txt")) + len(os.path.splitext(p.name)[0])
        total += p.relative_to(root).match("*.gz") + len(os.path.normpath(f"/a/../b/./c{i}"))
    return total


# ------------------------------------------------------------- the interpreter

def compiling(n):
    with open(textwrap.__file__) as file:
        source = file.read()
    names = 0
    for _ in range(n):
        tree = ast.parse(source)
        names += sum(isinstance(node, ast.Name) for node in ast.walk(tree))
        compile(source, "x", "exec")
    return names, len(ast.unparse(tree))


def unpacking(n):
    t, total = (1, 2, 3, 4, 5), 0
    nested = [(i, (i + 1, [i + 2])) for i in range(10)]
    for _ in range(n):
        a, b, c, d, e = t
        (f, g), h = (a, b), c
        first, *rest = t
        for i, (j, [k]) in nested:
            total += i + j + k
        total += a + e + f + g + h + first + rest[-1]
        a, b, c = c, a, b
        total += max(*t) + len([*t, *rest])
    return total


def matching(n):
    def classify(x):
        match x:
            case int() | float() if x < 0:
                return 0
            case 0:
                return 1
            case [a, b]:
                return a + b
            case [a, *rest]:
                return len(rest)
            case {"kind": "move", "to": (x, y)}:
                return x * y
            case {"kind": str(kind), **other}:
                return len(kind) + len(other)
            case Number(value=v):
                return v
            case str():
                return 2
        return 3
    samples = [5, 0, -2.0, [1, 2], [1, 2, 3], {"kind": "move", "to": (2, 3)}, {"kind": "x", "y": 1},
               Number(4), "text", None]
    return sum(classify(x) for _ in range(n) for x in samples)


MORE_APPLICATIONS = {
    "chaos_game": (chaos_game, 12000), "sudoku": (sudoku, 3), "vectors": (spectral_vectors, 8000),
    "telco": (telco, 20000), "fractions": (fractions_sum, 400), "simulation": (simulation, 8000),
    "levenshtein": (levenshtein, 14), "hashing": (hashing_by_hand, 120), "regex_dna": (regex_dna, 30000),
    "regex_web": (regex_web, 500), "xml": (xml_trees, 1500), "formatting": (formatting, 3000),
    "wrapping": (wrapping, 200), "protocol": (bytes_protocol, 12000), "lines": (line_processing, 10000),
    "cipher": (roman_and_cipher, 4000), "records": (records, 2000), "properties": (properties, 30000),
    "visitors": (visitors, 600), "containers": (containers, 10000), "graphs": (sets_and_graphs, 4000),
    "pipelines": (pipelines, 20000), "cached": (cached_calls, 200), "trees": (deep_generators, 13),
    "failures": (failures, 6000), "tasks": (task_groups, 1500), "calendars": (calendars, 4000),
    "paths": (paths, 800), "compiling": (compiling, 4), "unpacking": (unpacking, 10000),
    "matching": (matching, 4000),
}
