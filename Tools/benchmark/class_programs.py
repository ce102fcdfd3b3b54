"""Programs whose time goes into classes of their own: special methods that containers
call, hierarchies, graphs of objects. Name -> (function, argument), as in applications.py."""
import abc
import collections
import copy
import dataclasses
import enum
import functools
import heapq
import itertools
import json
import operator
import random
import re


# --------------------------------------------------- special methods, called from C

class Cell:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __hash__(self):
        return hash((self.x, self.y))

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __lt__(self, other):
        return (self.x, self.y) < (other.x, other.y)


def python_keys(n):
    counts, seen = {}, set()
    for i in range(n):
        cell = Cell(i * 7 % 101, i * 13 % 17)
        counts[cell] = counts.get(cell, 0) + 1
        if cell not in seen:
            seen.add(cell)
    cells = sorted(counts)
    return len(cells), counts[cells[3]], max(cells) == cells[-1], cells.index(cells[50])


class Event:
    __slots__ = ("time", "action", "args", "cancelled")

    def __init__(self, time, action, args):
        self.time, self.action, self.args, self.cancelled = time, action, args, False

    def __lt__(self, other):
        return self.time < other.time


class Simulator:
    def __init__(self):
        self.now, self.queue = 0.0, []

    def after(self, delay, action, *args):
        event = Event(self.now + delay, action, args)
        heapq.heappush(self.queue, event)
        return event

    def run(self, until):
        while self.queue and self.queue[0].time <= until:
            event = heapq.heappop(self.queue)
            self.now = event.time
            if not event.cancelled:
                event.action(*event.args)


def event_queue(n):
    chance, simulator = random.Random(1), Simulator()
    waiting, served, left = collections.deque(), [], []

    def arrive(i):
        waiting.append(i)
        if len(waiting) == 1:
            simulator.after(chance.expovariate(1.2), serve)
        timeout = simulator.after(5, left.append, i)
        timeout.cancelled = i % 3 == 0
        simulator.after(chance.expovariate(1.0), arrive, i + 1)

    def serve():
        served.append(waiting.popleft())
        if waiting:
            simulator.after(chance.expovariate(1.2), serve)

    simulator.after(0, arrive, 0)
    simulator.run(n)
    return len(served), len(left)


# ----------------------------------------------------------------------- hierarchies

class Shape(abc.ABC):
    made = 0

    def __init__(self, name):
        super().__init__()
        self.name = name
        type(self).made += 1

    @abc.abstractmethod
    def area(self):
        ...

    def __repr__(self):
        return f"{type(self).__name__}({self.name!r})"

    def __str__(self):
        return f"<{self.name} {self.area():.2f}>"


class Rectangle(Shape):
    def __init__(self, name, w, h):
        super().__init__(name)
        self.w, self.h = w, h

    def area(self):
        return self.w * self.h

    def scale(self, k):
        return type(self)(self.name, self.w * k, self.h * k)


class Tagged:
    def __init__(self, *args, **options):
        self.tag = options.pop("tag", None)
        super().__init__(*args, **options)

    def describe(self):
        return f"tag {self.tag}"


class Box(Tagged, Rectangle):
    def __init__(self, name, w, h, d, **options):
        super().__init__(name, w, h, **options)
        self.d = d

    def area(self):
        return 2 * (super().area() + self.d * (self.w + self.h))

    def describe(self):
        return super().describe() + f", depth {self.d}"

    def scale(self, k):
        return Box(self.name, self.w * k, self.h * k, self.d * k, tag=self.tag)


@functools.total_ordering
class Version:
    def __init__(self, text):
        self.parts = tuple(map(int, text.split(".")))

    def __eq__(self, other):
        return self.parts == other.parts if isinstance(other, Version) else NotImplemented

    def __lt__(self, other):
        return self.parts < other.parts


def hierarchy(n):
    total, out = 0.0, []
    for i in range(n):
        shape = Box(f"b{i}", i % 7, i % 5, 2, tag=i) if i & 1 else Rectangle(f"r{i}", i, 2)
        larger = shape.scale(2)
        total += larger.area()
        if isinstance(larger, Tagged):
            out.append(larger.describe())
        out += str(larger), repr(larger)
    versions = sorted(Version(f"{i % 5}.{i * 7 % 11}.{i % 3}") for i in range(n // 4))
    return total, len(",".join(out)), sum(a <= b for a, b in zip(versions, versions[1:]))


# ------------------------------------------------------------------ graphs of objects

@dataclasses.dataclass(frozen=True)
class Money:
    amount: int
    currency: str = "EUR"

    def __add__(self, other):
        return Money(self.amount + other.amount, self.currency)


@dataclasses.dataclass
class Line:
    article: str
    quantity: int
    price: Money

    @property
    def total(self):
        return Money(self.price.amount * self.quantity, self.price.currency)


class State(enum.Enum):
    NEW = "new"
    PAID = "paid"
    SENT = "sent"

    def following(self):
        return {State.NEW: State.PAID, State.PAID: State.SENT}.get(self, self)


@dataclasses.dataclass
class Order:
    number: int
    customer: str
    lines: list = dataclasses.field(default_factory=list)
    state: State = State.NEW

    def total(self):
        return sum((line.total for line in self.lines), Money(0))


def orders(n):
    book = {}
    for i in range(n):
        order = book[i] = Order(i, customer=f"c{i % 20}")
        order.lines += [Line(f"a{k}", k + 1, Money(i % 50)) for k in range(i % 4 + 1)]
        for _ in range(i % 3):
            order.state = order.state.following()
    totals = collections.defaultdict(lambda: Money(0))
    for order in book.values():
        if order.state is not State.NEW:
            totals[order.customer] += order.total()
    prices = {line.price for order in book.values() for line in order.lines}
    same = sum(order.lines[0] == book[0].lines[0] for order in book.values())
    text = json.dumps([dataclasses.asdict(o) for o in itertools.islice(book.values(), n // 20)],
                      default=str)
    return max(totals.values(), key=operator.attrgetter("amount")), len(prices), same, len(text)


class Settings:
    theme, retries = "light", 3

    def __init__(self, **values):
        self.__dict__.update(values)

    def merged(self, **values):
        new = copy.copy(self)
        vars(new).update(values)
        return new

    def cost(self, i):
        self.used += 1
        return self.width * self.height + self.retries + (i if self.theme == "dark" else 0)


def namespaces(n):
    """Objects whose attributes live in a dict, because __dict__ has been read."""
    base, total = Settings(width=3, height=4, used=0), 0
    for i in range(n):
        own = base.merged(width=i % 9, theme="dark" if i & 1 else "light")
        for k in range(10):
            total += own.cost(k)
        base.used += own.used > 9
    return total, base.used, sorted(vars(own))


# ------------------------------------------------------------------------- languages

LEXEME = re.compile(r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<sign>[-+*/(),]))")


class Parser:
    def __init__(self, text):
        self.tokens = [(m.lastgroup, m[m.lastgroup]) for m in LEXEME.finditer(text)]
        self.tokens.append(("end", ""))
        self.at = 0

    @property
    def current(self):
        return self.tokens[self.at]

    def accept(self, *signs):
        kind, text = self.current
        if kind == "sign" and text in signs:
            self.at += 1
            return text
        return None

    def sum(self):
        left = self.product()
        while sign := self.accept("+", "-"):
            left = sign, left, self.product()
        return left

    def product(self):
        left = self.atom()
        while sign := self.accept("*", "/"):
            left = sign, left, self.atom()
        return left

    def closed(self, value):
        if not self.accept(")"):
            raise SyntaxError(f"expected ')' at {self.current}")
        return value

    def atom(self):
        kind, text = self.current
        if self.accept("("):
            return self.closed(self.sum())
        self.at += 1
        if kind == "number":
            return float(text) if "." in text else int(text)
        if kind != "name":
            raise SyntaxError(text)
        if not self.accept("("):
            return "name", text
        args = [self.sum()]
        while self.accept(","):
            args.append(self.sum())
        return self.closed(("call", text, args))


OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def evaluate(tree, names):
    if not isinstance(tree, tuple):
        return tree
    kind, *rest = tree
    if kind == "name":
        return names[rest[0]]
    if kind == "call":
        return names[rest[0]](*[evaluate(arg, names) for arg in rest[1]])
    a, b = (evaluate(part, names) for part in rest)
    return OPERATORS[kind](a, b)


def expressions(n):
    names, total = {"x": 3, "y": 2.5, "max": max, "abs": abs}, 0
    for i in range(n):
        try:
            text = f"(x + {i}) * 2 - max(y, {i % 5}, 3 * x) / (1 + abs(y - {i}.5))"
            total += evaluate(Parser(text).sum(), names)
            Parser(f"3 * ) + {i}").sum()
        except SyntaxError as e:
            total += len(e.msg)
    return total


def inverted_index(n):
    chance, words = random.Random(9), [f"w{i}" for i in range(200)]
    texts = {i: chance.choices(words, k=12) for i in range(n)}
    index = {}
    for i, text in texts.items():
        for word in text:
            index.setdefault(word, set()).add(i)
    counts = {word: len(found) for word, found in index.items()}
    top = heapq.nlargest(10, counts, key=counts.get)
    both = sum(len(index[a] & index[b]) for a, b in itertools.combinations(top, 2))
    rows = [{"id": i, "n": len(set(text)), "first": min(text)} for i, text in texts.items()]
    rows.sort(key=operator.itemgetter("n", "first"))
    groups = {k: [row["id"] for row in group]
              for k, group in itertools.groupby(rows, key=lambda row: row["n"])}
    pairs = {(a, b) for text in texts.values() for a, b in zip(text, text[1:]) if a < b}
    return both, len(groups), len(pairs), any(row["n"] > 12 for row in rows)


CLASS_PROGRAMS = {
    "python_keys": (python_keys, 5000), "event_queue": (event_queue, 2500),
    "hierarchy": (hierarchy, 1500), "orders": (orders, 1500), "namespaces": (namespaces, 1500),
    "expressions": (expressions, 250), "inverted_index": (inverted_index, 1000),
}
