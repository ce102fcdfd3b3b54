"""Scripts as people write them on an ordinary day: text and records, small classes, and the modules
of the library at hand. None of them was tuned for, so they show what a new program gains; the
build with profiles is trained with them too. Name -> (function, argument), as in applications.py.
Each takes 5 to 20 ms, and returns what both interpreters have to agree on.
"""
import collections
import configparser
import dataclasses
import enum
import fnmatch
import functools
import ipaddress
import itertools
import json
import queue
import random
import re
import shlex
import typing
import urllib.parse


# -------------------------------------------------------------------- text and formats

SPACE = re.compile(r"[ \n\t]*")
NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
CONSTANTS = ("null", None), ("true", True), ("false", False)


def json_by_hand(n):
    text = json.dumps([{"id": i, "name": "n%d" % i, "tags": ["a", "b", None, True], "v": i * 1.5,
                        "sub": {"x": -i}} for i in range(n)])
    at = 0

    def skip_space():
        nonlocal at
        at = SPACE.match(text, at).end()

    def value():
        nonlocal at
        skip_space()
        first = text[at]
        if first == "{":
            return mapping()
        if first == "[":
            return items()
        if first == '"':
            end = text.index('"', at + 1)
            word = text[at + 1:end]
            at = end + 1
            return word
        for name, constant in CONSTANTS:
            if text.startswith(name, at):
                at += len(name)
                return constant
        found = NUMBER.match(text, at)
        at = found.end()
        return float(found.group()) if found.group(1) or found.group(2) else int(found.group())

    def mapping():
        nonlocal at
        at += 1
        result = {}
        skip_space()
        if text[at] == "}":
            at += 1
            return result
        while True:
            key = value()
            skip_space()
            assert text[at] == ":"
            at += 1
            result[key] = value()
            skip_space()
            at += 1
            if text[at - 1] != ",":
                return result

    def items():
        nonlocal at
        at += 1
        result = []
        while True:
            result.append(value())
            skip_space()
            at += 1
            if text[at - 1] != ",":
                return result
    return len(value())


def csv_by_hand(n):
    lines = [",".join([str(i), "name %d" % i, '"a, b"' if i % 3 else "x", str(i * 1.25)])
             for i in range(n)]
    rows = []
    for line in lines:
        fields, field, quoted = [], "", False
        for char in line:
            if char == '"':
                quoted = not quoted
            elif char == "," and not quoted:
                fields.append(field)
                field = ""
            else:
                field += char
        fields.append(field)
        rows.append(fields)
    return sum(float(row[3]) for row in rows), sum(len(row) for row in rows)


def sql_value(value):
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return "'%s'" % value.replace("'", "''")
    return repr(value)


def sql_statements(n):
    statements = []
    for i in range(n):
        columns = {"id": i, "name": f"n{i}", "price": i / 3, "note": None}
        statements.append("INSERT INTO t ({}) VALUES ({});".format(
            ", ".join(columns), ", ".join(sql_value(value) for value in columns.values())))
    return len("\n".join(statements))


def word_triples(n):
    words = ("it was the best of times it was the worst of times it was the age of wisdom " * n).split()
    counts = collections.Counter(zip(words, words[1:], words[2:]))
    return counts.most_common(3), len(counts)


def anagrams(n):
    chance, groups = random.Random(1), collections.defaultdict(list)
    for _ in range(n):
        word = "".join(chance.sample("abcdefgh", 4))
        groups["".join(sorted(word))].append(word)
    return len(groups), max(map(len, groups.values()))


def run_lengths(n):
    text = "aaabbbccccd" * n
    runs = [(char, len(list(group))) for char, group in itertools.groupby(text)]
    short = re.sub(r"(.)\1*", lambda match: match.group(1) + str(len(match.group())), text)
    return len("".join(char * count for char, count in runs)), short[:20]


# --------------------------------------------------------------------------- small classes

@dataclasses.dataclass
class Account:
    owner: str
    balance: float = 0.0
    log: list = dataclasses.field(default_factory=list)

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("bad amount")
        self.balance += amount
        self.log.append(("deposit", amount))

    def withdraw(self, amount):
        if amount > self.balance:
            raise RuntimeError("insufficient")
        self.balance -= amount
        self.log.append(("withdraw", amount))


def bank(n):
    accounts, failures = [Account("owner %d" % i) for i in range(10)], 0
    for i in range(n):
        account = accounts[i % 10]
        try:
            if i % 3:
                account.deposit(i % 50)
            else:
                account.withdraw(i % 70)
        except (ValueError, RuntimeError):
            failures += 1
    return failures, round(sum(account.balance for account in accounts), 2)


class Subject:
    def __init__(self):
        self.listeners = []

    def on_change(self, listener):
        self.listeners.append(listener)
        return listener

    def emit(self, *args, **options):
        for listener in self.listeners:
            listener(*args, **options)


class CallCounter:
    def __init__(self):
        self.calls = 0

    def __call__(self, value, **options):
        self.calls += 1


def listeners(n):
    subject, total, hundreds, counter = Subject(), 0, [], CallCounter()

    @subject.on_change
    def add(value, *, scale=1):
        nonlocal total
        total += value * scale

    subject.on_change(counter)
    subject.on_change(lambda value, scale=2: hundreds.append(value) if value % 100 == 0 else None)
    for i in range(n):
        subject.emit(i, scale=3)
    return total, counter.calls, len(hundreds)


class State(enum.Enum):
    IDLE = enum.auto()
    RUNNING = enum.auto()
    WAITING = enum.auto()
    DONE = enum.auto()


TRANSITIONS = {
    (State.IDLE, "go"): State.RUNNING, (State.RUNNING, "block"): State.WAITING,
    (State.WAITING, "wake"): State.RUNNING, (State.RUNNING, "end"): State.DONE,
    (State.DONE, "reset"): State.IDLE,
}


def state_machine(n):
    state, counts = State.IDLE, collections.Counter()
    events = ["go", "block", "wake", "end", "reset", "bad"]
    for i in range(n):
        state = TRANSITIONS.get((state, events[i % 6]), state)
        counts[state.name] += 1
    return sorted(counts.items())


class Vector(typing.NamedTuple):
    x: float
    y: float

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def scaled(self, factor):
        return self._replace(x=self.x * factor, y=self.y * factor)


def tuple_vectors(n):
    position = Vector(0, 0)
    for i in range(n):
        position = position + Vector(i, 1).scaled(0.5)
    return position


def remembered(function):
    results = {}

    @functools.wraps(function)
    def wrapper(*args):
        try:
            return results[args]
        except KeyError:
            result = results[args] = function(*args)
            return result
    return wrapper


def counted(function):
    @functools.wraps(function)
    def wrapper(*args, **options):
        wrapper.calls += 1
        return function(*args, **options)
    wrapper.calls = 0
    return wrapper


def decorators(n):
    @counted
    @remembered
    def binomial(n, k):
        return 1 if k in (0, n) else binomial(n - 1, k - 1) + binomial(n - 1, k)
    for i in range(n):
        binomial(30 + i % 20, 15)
    return binomial.calls


HANDS = {(4, 1): "four", (3, 2): "full house", (3, 1, 1): "three", (2, 2, 1): "two pairs"}


def poker_hands(n):
    chance, found = random.Random(5), collections.Counter()
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "SHDC"]
    for _ in range(n):
        chance.shuffle(deck)
        hand = deck[:5]
        ranks = sorted(collections.Counter(card[0] for card in hand).values(), reverse=True)
        if len({card[1] for card in hand}) == 1:
            found["flush"] += 1
        else:
            found[HANDS.get(tuple(ranks), "pair" if ranks[0] == 2 else "high card")] += 1
    return sorted(found.items())


# --------------------------------------------------------------- modules of the library

def ini_files(n):
    parser = configparser.ConfigParser()
    parser.read_string("\n".join("[s%d]\nkey=%d\nname = foo %%(key)s\nflag: yes\n" % (i, i)
                                 for i in range(n)))
    total = sum(parser.getint(section, "key") for section in parser.sections())
    return total, parser["s3"]["name"], parser.getboolean("s1", "flag")


def web_addresses(n):
    total = 0
    for i in range(n):
        address = "https://user@example.com:8080/a/b%%20c;x?q=%d&r=a+b&s=%%C3%%A9#frag" % i
        parts = urllib.parse.urlsplit(address)
        query = urllib.parse.parse_qs(parts.query)
        total += len(query) + parts.port
        total += len(urllib.parse.urlencode({"a": i, "b": "x y"}))
    return total


def command_lines(n):
    words = sum(len(shlex.split('cmd --opt "a b" \'c d\' e\\ f | grep -v x')) for _ in range(n))
    return words, sum(fnmatch.fnmatch("file%d.py" % i, "*[0-4].py") for i in range(n * 5))


def network_addresses(n):
    network = ipaddress.ip_network("10.0.0.0/8")
    return sum(ipaddress.ip_address("10.%d.%d.1" % (i % 256, i // 256)) in network for i in range(n))


def work_queue(n):
    waiting, total = queue.Queue(), 0
    for i in range(n):
        waiting.put((i % 7, i))
    while not waiting.empty():
        total += waiting.get()[1]
    return total


EVERYDAY_LIBRARY = {
    "json_by_hand": (json_by_hand, 800), "csv_by_hand": (csv_by_hand, 6000),
    "sql_statements": (sql_statements, 5000), "word_triples": (word_triples, 4000),
    "anagrams": (anagrams, 5000), "run_lengths": (run_lengths, 4000), "bank": (bank, 50000),
    "listeners": (listeners, 20000), "state_machine": (state_machine, 30000),
    "tuple_vectors": (tuple_vectors, 10000), "decorators": (decorators, 45000),
    "poker_hands": (poker_hands, 1000), "ini_files": (ini_files, 700),
    "web_addresses": (web_addresses, 900), "command_lines": (command_lines, 600),
    "network_addresses": (network_addresses, 6000), "work_queue": (work_queue, 5000),
}
