"""json's C half: random documents both ways, damaged ones, options, hooks, what its types say."""
import _json
import gc
import json
import random
import sys
from collections import OrderedDict

CHARACTERS = ["a", "b", '"', "\\", "/", "\n", "\t", "\0", "\x1f", "\x7f", "é", "\xff", "€",
              "\u2028", "😀", "\ud800", "\udc00", "u", "x", " "]
DAMAGE = '{}[]",:\\u0123e.-+ntf N\n\0é€'


def outcome(function, *args, **options):
    try:
        return function(*args, **options)
    except RecursionError as e:
        return "RecursionError", str(e)
    except Exception as e:
        return type(e).__name__, str(e), getattr(e, "pos", None), getattr(e, "value", None)


def show(*args, **options):
    print(repr(outcome(*args, **options)).encode("ascii", "backslashreplace").decode()[:300])


class Documents:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self):
        length = self.random.choice((0, 1, 2, 5, 9, 17, 40))
        return "".join(self.random.choices(CHARACTERS, k=length))

    def simple(self):
        r = self.random
        return r.choice((
            self.text, self.text, lambda: r.randrange(-10 ** r.randrange(1, 25), 10 ** 25),
            lambda: r.random() * 10 ** r.randrange(-300, 300), lambda: None, lambda: True,
            lambda: False, lambda: float("nan"), lambda: -float("inf"), lambda: -0.0,
            lambda: (1, 2)))()

    def key(self):
        r = self.random
        return r.choice((self.text, self.text, self.text, lambda: r.randrange(99), r.random,
                         lambda: None, lambda: True, lambda: (1,) if r.random() < 0.1 else "t"))()

    def value(self, depth):
        kind = self.random.randrange(12) if depth else 12
        if kind < 2:
            return [self.value(depth - 1) for _ in range(self.random.randrange(5))]
        if kind < 5:
            return {self.key(): self.value(depth - 1)
                    for _ in range(self.random.choice((0, 1, 3, 20)))}
        return self.simple()

    def damaged(self, text):
        r, characters = self.random, list(text)
        for _ in range(r.randrange(1, 4)):
            if characters:
                at, way = r.randrange(len(characters)), r.random()
                if way < 0.3:
                    del characters[at]
                elif way < 0.6:
                    characters[at] = r.choice(DAMAGE)
                elif way < 0.8:
                    characters.insert(at, r.choice(DAMAGE))
                else:
                    del characters[at:]
        return "".join(characters)


def documents(seed, n):
    made = Documents(seed)
    r, results = made.random, []
    for _ in range(n):
        text = outcome(json.dumps, made.value(4), ensure_ascii=r.random() < 0.5,
                       sort_keys=r.random() < 0.2, skipkeys=r.random() < 0.2,
                       allow_nan=r.random() < 0.8, separators=r.choice((None, (",", ":"))),
                       check_circular=r.random() < 0.8)
        results.append(text)
        if not isinstance(text, str):
            text = '[1, {"a": "b\\u00e9"}, -1.5e3, null]'
        options = {name: hook for name, hook in (
            ("object_hook", len), ("object_pairs_hook", list), ("parse_float", str),
            ("parse_int", str), ("parse_constant", str)) if r.random() < 0.1}
        results.append(outcome(json.loads, text, strict=r.random() < 0.8, **options))
        for _ in range(4):
            worse = made.damaged(text)
            results.append(outcome(json.loads, worse, strict=r.random() < 0.8, **options))
            results.append(outcome(_json.scanstring, worse, r.randrange(len(worse) + 1),
                                   r.random() < 0.5))
    for result in results:
        print(repr(result).encode("ascii", "backslashreplace").decode()[:200])


def encoder(markers=None, default=repr, encode=_json.encode_basestring_ascii, key_separator=": ",
            item_separator=", ", sort_keys=False, skipkeys=False, allow_nan=True):
    return _json.make_encoder({} if markers is None else markers, default, encode, None,
                              key_separator, item_separator, sort_keys, skipkeys, allow_nan)


class Int(int):
    def __repr__(self):
        return "Int"


class Float(float):
    def __repr__(self):
        return "Float"


class List(list):
    def __iter__(self):
        return iter((7, 8))


class Dict(dict):
    given = [("z", 1)]

    def items(self):
        return self.given


def encoders():
    write = encoder()
    for value in ([Int(3), Float(2.5), List([1]), Dict(a=1), Dict(), {Int(1): Float(2)}],
                  {(1,): 2}, b"x", {1.5: 1, None: 2, True: 3}):
        show(write, value, 0)
    for given in ([1, 2], [("a", 1, 2)], 5):
        Dict.given = given
        show(write, Dict(a=1), 0)
    loop = []
    loop.append({"loop": loop})
    show(write, loop, 0)
    print(len(write.markers), write.key_separator, write.sort_keys, write.skipkeys)
    show(encoder(skipkeys=True), {(1,): 2, "a": 3, (2,): 4}, 0)
    show(encoder(sort_keys=True), {"b": 1, 2: 3}, 0)
    show(encoder(default=lambda x: x), object(), 0)
    show(encoder(encode=lambda s: f"<{s}>"), ["a", {"b": 1}], 0)
    show(encoder(encode=len), {"a": 1}, 0)
    show(encoder, 5)
    show(encoder, key_separator=1)
    show(encoder, item_separator=b",")
    show(write)
    show(write, 1, "x")
    # What is written may be changed meanwhile.
    items = [object(), 1, 2]
    show(encoder(default=lambda x: items.pop()), items, 0)
    table = {"a": object(), "b": 1}
    show(encoder(default=lambda x: table.clear()), table, 0)
    print(gc.is_tracked(write), type(write), [n for n in dir(write) if not n.startswith("__")])


class Context:
    strict, object_hook, object_pairs_hook, parse_float, parse_int, parse_constant = (
        5, None, None, float, int, None)


def scanners():
    scan = _json.make_scanner(json.JSONDecoder())
    for text in ("", "-", "01", "1.", "1.e5", "1e+", "-I", "nul", "[", "[,]", "{", '{"a" 1}',
                 "[1,  ]"):
        show(scan, text, 0)
    for args in ("1", 5), ("1", -1), (1, 2), (b"12", 0), ("12", 10 ** 30), ():
        show(scan, *args)
    show(scan, string="12", idx=1)
    show(_json.make_scanner)
    show(_json.make_scanner, object())
    scan = _json.make_scanner(Context)
    show(scan, '[1, 2.5, "a\tb"]', 0)
    show(scan, '[1, NaN]', 0)
    print(scan.strict, scan.parse_float, [n for n in dir(scan) if not n.startswith("__")])
    show(setattr, scan, "strict", False)
    first, second = json.loads('[{"ab": 1, "c\\n€": 2}, {"ab": 3, "c\\n€": 4}]')
    print([a is b for a, b in zip(first, second)])
    print(json.loads(json.dumps([{f"key{i % 200}": i} for i in range(2000)])) ==
          [{f"key{i % 200}": i} for i in range(2000)])
    show(json.loads, '{"a": 1, "b": {"a": 2}}', object_pairs_hook=OrderedDict)
    show(json.loads, '{"a": 1}', object_hook=lambda d: 1 / 0)
    show(json.loads, "1" * 5000)
    sys.setrecursionlimit(300)
    for text in "[" * 500, '{"a":' * 500:
        show(json.loads, text)
    for make in lambda x: [x], lambda x: {"a": x}:
        value = 1
        for _ in range(500):
            value = make(value)
        show(json.dumps, value)


for seed in range(4):
    documents(seed, 60)
encoders()
scanners()
