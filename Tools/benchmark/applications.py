"""Programs as people write them, more of the library than programs.py: name ->
(function, argument). Sizes give a run of some tens of milliseconds."""
import argparse
import asyncio
import collections
import contextlib
import copy
import csv
import dataclasses
import datetime
import difflib
import functools
import heapq
import io
import itertools
import json
import logging
import math
import operator
import pickle
import random
import re
import sqlite3
import string
import textwrap
import tokenize


def json_round_trip(n):
    record = {"id": 1, "name": "Zoë", "tags": ["a", "b", "c"], "scores": [1.5, 2.25, -3e10],
              "nested": {"ok": True, "none": None, "deep": [{"k": i} for i in range(5)]}}
    for i in range(n):
        record["id"] = i
        record = json.loads(json.dumps(record))
    return record["id"]


LOG_LINE = re.compile(r'(?P<host>\S+) \S+ (?P<user>\S+) \[(?P<time>[^\]]+)\] '
                      r'"(?P<method>[A-Z]+) (?P<path>\S+) \S+" (?P<status>\d{3}) (?P<size>\d+|-)')


def log_parsing(n):
    lines = ['10.0.%d.%d - user%d [10/Oct/2024:13:55:%02d +0000] "GET /page/%d?q=%d HTTP/1.1" %d %d'
             % (i % 7, i % 251, i % 13, i % 60, i % 97, i, 200 if i % 9 else 404, i * 17 % 5000)
             for i in range(n)]
    hits, sizes = collections.Counter(), collections.defaultdict(int)
    for line in lines:
        match = LOG_LINE.match(line)
        path = match["path"].split("?", 1)[0]
        hits[path, int(match["status"])] += 1
        sizes[match.group("host")] += int(match["size"])
    return hits.most_common(1), max(sizes.values())


TOKEN = re.compile(r"\{\{(.*?)\}\}")


def template_rendering(n):
    row = "<tr><td>{{ index }}</td><td class='{{ kind }}'>{{ name }}</td><td>{{ price }}</td></tr>"
    pieces = TOKEN.split(row)
    out = io.StringIO()
    for i in range(n):
        values = {"index": i, "kind": "odd" if i & 1 else "even", "name": f"item <{i}>",
                  "price": f"{i * 1.25:.2f}"}
        for k, piece in enumerate(pieces):
            if k & 1:
                text = str(values[piece.strip()])
                out.write(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
            else:
                out.write(piece)
    return len(out.getvalue())


def n_queens(n):
    def solve(row, columns, up, down):
        if row == n:
            return 1
        found = 0
        for column in range(n):
            if column not in columns and row + column not in up and row - column not in down:
                found += solve(row + 1, columns | {column}, up | {row + column},
                               down | {row - column})
        return found
    return solve(0, frozenset(), frozenset(), frozenset())


class Vector:
    __slots__ = ("x", "y", "z")

    def __init__(self, x, y, z):
        self.x, self.y, self.z = x, y, z

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor, self.z * factor)

    def dot(self, other):
        return self.x * other.x + self.y * other.y + self.z * other.z

    def normalized(self):
        return self * (1.0 / math.sqrt(self.dot(self)))


class Sphere:
    def __init__(self, center, radius):
        self.center, self.radius = center, radius

    def hit(self, origin, direction):
        offset = origin - self.center
        b = offset.dot(direction)
        d = b * b - offset.dot(offset) + self.radius * self.radius
        if d < 0:
            return None
        t = -b - math.sqrt(d)
        return t if t > 1e-6 else None


def ray_tracing(n):
    spheres = [Sphere(Vector(i - 2.0, (i % 3) - 1.0, 5.0 + i), 1.0) for i in range(5)]
    origin, light, total = Vector(0.0, 0.0, 0.0), Vector(1.0, 1.0, -1.0).normalized(), 0.0
    for py in range(n):
        for px in range(n):
            direction = Vector(px / n - 0.5, py / n - 0.5, 1.0).normalized()
            nearest = None
            for sphere in spheres:
                t = sphere.hit(origin, direction)
                if t is not None and (nearest is None or t < nearest[0]):
                    nearest = t, sphere
            if nearest:
                point = origin + direction * nearest[0]
                total += max(0.0, (point - nearest[1].center).normalized().dot(light))
    return total


def mandelbrot(n):
    inside = 0
    for py in range(n):
        for px in range(n):
            c, z = complex(px / n * 3 - 2, py / n * 2 - 1), 0j
            for _ in range(40):
                if abs(z) > 2:
                    break
                z = z * z + c
            else:
                inside += 1
    return inside


def sqlite_use(n):
    db = sqlite3.connect(":memory:")
    db.execute("create table t (id integer primary key, name text, value real)")
    with db:
        db.executemany("insert into t values (?, ?, ?)",
                       ((i, f"name{i % 50}", i / 3) for i in range(n)))
    rows = db.execute("select name, sum(value), count(*) from t group by name").fetchall()
    found = sum(db.execute("select value from t where id = ?", (i,)).fetchone()[0]
                for i in range(0, n, 5))
    db.close()
    return len(rows), found


class Square:
    def __init__(self, board, position):
        self.board, self.position = board, position
        self.color, self.neighbours, self.group = 0, [], None

    def link(self):
        size = self.board.size
        x, y = self.position % size, self.position // size
        for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if 0 <= x + dx < size and 0 <= y + dy < size:
                self.neighbours.append(self.board.squares[(y + dy) * size + x + dx])

    def liberties(self, seen):
        seen.add(self)
        free = 0
        for other in self.neighbours:
            if other in seen:
                continue
            if other.color == 0:
                seen.add(other)
                free += 1
            elif other.color == self.color:
                free += other.liberties(seen)
        return free


class Board:
    def __init__(self, size):
        self.size = size
        self.squares = [Square(self, i) for i in range(size * size)]
        for square in self.squares:
            square.link()

    def useful(self, color):
        return [s for s in self.squares
                if s.color == 0 and any(o.color != color for o in s.neighbours)]


def go_like(n):
    rng = random.Random(7)
    captured = 0
    for _ in range(n):
        board, color = Board(9), 1
        for _ in range(50):
            moves = board.useful(color)
            if not moves:
                break
            square = rng.choice(moves)
            square.color = color
            for other in square.neighbours:
                if other.color == -color and not other.liberties(set()):
                    other.color = 0
                    captured += 1
            color = -color
    return captured


def deep_copies(n):
    @dataclasses.dataclass
    class Node:
        name: str
        children: list
        meta: dict
    tree = Node("root", [Node(f"c{i}", [], {"i": i, "t": (1, [2])}) for i in range(6)], {"k": [1]})
    for _ in range(n):
        tree = copy.deepcopy(tree)
    return len(tree.children)


class Account:
    def __init__(self, number, owner, entries):
        self.number, self.owner, self.entries = number, owner, entries


def pickling(n):
    accounts = [Account(i, f"owner{i}", [(j, j / 2) for j in range(10)]) for i in range(50)]
    for _ in range(n):
        accounts = pickle.loads(pickle.dumps(accounts))
    return accounts[-1].owner


def logging_calls(n):
    logger = logging.Logger("bench", logging.INFO)
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger.addHandler(handler)
    for i in range(n):
        logger.info("request %d from %s took %.1f ms", i, "host", i / 7)
        logger.debug("not shown %s", i)
    return len(out.getvalue())


def asyncio_echo(n):
    async def worker(inbox, outbox):
        while (item := await inbox.get()) is not None:
            await outbox.put(item * 2)

    async def main():
        inbox, outbox = asyncio.Queue(10), asyncio.Queue(10)
        task = asyncio.create_task(worker(inbox, outbox))

        async def feed():
            for i in range(n):
                await inbox.put(i)
            await inbox.put(None)
        feeder = asyncio.create_task(feed())
        total = 0
        for _ in range(n):
            total += await outbox.get()
        await asyncio.gather(task, feeder)
        return total
    return asyncio.run(main())


SOURCE = textwrap.dedent('''
    class Point:
        """A point."""
        def __init__(self, x, y=0, *args, **kwargs):
            self.x, self.y = x, y   # both
        def norm(self):
            return (self.x ** 2 + self.y ** 2) ** 0.5 if self.x else f"{self.y!r:>10}"
''')


def tokenizing(n):
    count = 0
    for _ in range(n):
        for token in tokenize.generate_tokens(io.StringIO(SOURCE).readline):
            count += token.type == tokenize.NAME
    return count


def arguments(n):
    for _ in range(n):
        parser = argparse.ArgumentParser(prog="x")
        parser.add_argument("file", nargs="+")
        parser.add_argument("-v", "--verbose", action="count", default=0)
        parser.add_argument("--size", type=int, default=3, help="how many")
        commands = parser.parse_args(["a", "b", "-vv", "--size", "7"])
    return commands.size


def differences(n):
    rng = random.Random(3)
    a = ["".join(rng.choices("abcdef ", k=12)) for _ in range(n)]
    b = [line for line in a if rng.random() > 0.1]
    b[n // 3:n // 3] = ["something new"] * 3
    return len(list(difflib.unified_diff(a, b))), difflib.SequenceMatcher(None, a, b).ratio()


def shortest_paths(n):
    graph = {i: [((i * 7 + k * 13) % n, (i * k) % 17 + 1) for k in range(1, 6)] for i in range(n)}
    distance, heap = {0: 0}, [(0, 0)]
    while heap:
        d, node = heapq.heappop(heap)
        if d > distance.get(node, math.inf):
            continue
        for other, weight in graph[node]:
            if d + weight < distance.get(other, math.inf):
                distance[other] = d + weight
                heapq.heappush(heap, (d + weight, other))
    return sum(distance.values())


def word_count(n):
    text = ("The quick brown fox jumps over the lazy dog; the dog sleeps, and the fox -- "
            "it runs away! ") * n
    words = text.translate(str.maketrans("", "", string.punctuation)).lower().split()
    counts = collections.Counter(words)
    return sorted(counts.items(), key=operator.itemgetter(1, 0))[-1]


def csv_reports(n):
    source = io.StringIO()
    writer = csv.DictWriter(source, ["day", "name", "amount"])
    writer.writeheader()
    start = datetime.date(2024, 1, 1)
    for i in range(n):
        writer.writerow({"day": (start + datetime.timedelta(i % 90)).isoformat(),
                         "name": f"n{i % 11}", "amount": i * 3 % 101})
    source.seek(0)
    months = collections.defaultdict(int)
    for row in csv.DictReader(source):
        day = datetime.date.fromisoformat(row["day"])
        months[day.strftime("%Y-%m"), row["name"]] += int(row["amount"])
    return max(months.values())


def matrices(n):
    a = [[(i * j) % 7 + 0.5 for j in range(n)] for i in range(n)]
    b = [[(i + j) % 5 - 1.5 for j in range(n)] for i in range(n)]
    columns = list(zip(*b))
    c = [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]
    return sum(map(sum, c))


def sieve(n):
    flags = bytearray([1]) * n
    flags[:2] = b"\0\0"
    for i in range(2, int(n ** 0.5) + 1):
        if flags[i]:
            flags[i * i::i] = bytes(len(range(i * i, n, i)))
    return sum(flags), [i for i in range(n) if flags[i]][-1]


def interpreter(n):
    """A stack machine, with its instructions as methods found by name."""
    class Machine:
        def __init__(self):
            self.stack, self.names = [], {}

        def op_push(self, value):
            self.stack.append(value)

        def op_add(self, _):
            b, a = self.stack.pop(), self.stack.pop()
            self.stack.append(a + b)

        def op_store(self, name):
            self.names[name] = self.stack.pop()

        def op_load(self, name):
            self.stack.append(self.names[name])

        def run(self, program):
            for op, argument in program:
                getattr(self, "op_" + op)(argument)
    program = [("push", 0), ("store", "x")] + [("load", "x"), ("push", 1), ("add", None),
                                               ("store", "x")] * n
    machine = Machine()
    machine.run(program)
    return machine.names["x"]


def caches(n):
    @functools.lru_cache(maxsize=100)
    def slow(a, b):
        return a * b

    @contextlib.contextmanager
    def scope(log):
        log.append("in")
        try:
            yield log
        finally:
            log.append("out")
    log = collections.deque(maxlen=10)
    total = 0
    for i in range(n):
        with scope(log):
            total += slow(i % 150, b=i % 7)
    return total


def text_processing(n):
    lines = [f"  key{i}: value number {i * 37 % 1001}  # comment" for i in range(n)]
    config = {}
    for line in lines:
        line = line.split("#", 1)[0].strip()
        if not line or line.startswith(";"):
            continue
        key, _, value = line.partition(":")
        words = value.strip().split()
        config[key.lower()] = " ".join(word.capitalize() for word in words if not word.isdigit())
        config[key.upper()] = int(words[-1])
    return len("\n".join(f"{k}={v}" for k, v in sorted(config.items())))


def life(n):
    cells = {(x * x % 17, x * 7 % 23) for x in range(60)}
    for _ in range(n):
        near = collections.Counter((x + dx, y + dy) for x, y in cells
                                   for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
        cells = {cell for cell, k in near.items() if k == 3 or (k == 2 and cell in cells)}
    return len(cells)


def puzzles(n):
    found = 0
    for a, b, c, d in itertools.permutations(range(n), 4):
        if a * 10 + b == c * d and a != 0:
            found += 1
    return found + sum(1 for p in itertools.product("abc", repeat=5) if "".join(p).count("ab") == 2)


APPLICATIONS = {
    "json": (json_round_trip, 300), "log_parsing": (log_parsing, 2000),
    "templates": (template_rendering, 1500), "n_queens": (n_queens, 6),
    "ray_tracing": (ray_tracing, 24), "mandelbrot": (mandelbrot, 40),
    "sqlite": (sqlite_use, 3000), "go_like": (go_like, 4), "deepcopy": (deep_copies, 40),
    "pickle": (pickling, 15), "logging": (logging_calls, 600), "asyncio": (asyncio_echo, 500),
    "tokenize": (tokenizing, 15), "argparse": (arguments, 30), "difflib": (differences, 200),
    "dijkstra": (shortest_paths, 2000), "word_count": (word_count, 400), "csv": (csv_reports, 1500),
    "matrices": (matrices, 30), "sieve": (sieve, 100000), "interpreter": (interpreter, 4000),
    "caches": (caches, 4000), "text": (text_processing, 2000), "life": (life, 10),
    "puzzles": (puzzles, 12),
}
