"""Patterns that are only literal characters, and almost such ones, in texts of every width."""
import random
import re

r = random.Random(3)
checksum = 0
for round in range(4000):
    alphabet = r.choice(["ab", "abc", "a\xe9", "a\u20acb", "a\U0001f600b"])
    text = "".join(r.choice(alphabet) for _ in range(r.randrange(30)))
    literal = "".join(r.choice(alphabet) for _ in range(r.randrange(1, 5)))
    flags = r.choice([0, 0, re.IGNORECASE, re.DOTALL | re.MULTILINE])
    almost = literal + r.choice(["", "?", "+", "$", "|b"])
    pattern = re.compile(literal if r.random() < .8 else almost, flags)
    start, end = sorted((r.randrange(32), r.randrange(32)))
    found = pattern.search(text, start, end)
    whole = pattern.fullmatch(text)
    out = [
        pattern.findall(text), [m.span() for m in pattern.finditer(text)],
        pattern.sub("-", text), pattern.split(text), pattern.findall(text, start, end),
        [m.span() for m in pattern.finditer(text, start, end)],
        found and (found.span(), found.lastindex, found.regs, found.groups()),
        whole and whole.span(),
    ]
    if not flags and max(map(ord, text + literal)) < 256:
        data = text.encode("latin1")
        pattern = re.compile(literal.encode("latin1"))
        out += [[m.span() for m in pattern.finditer(data)], pattern.split(data, 2),
                pattern.subn(b"", data)]
    checksum = (checksum * 31 + sum(map(ord, repr(out)))) % 10 ** 12
    if round % 500 == 0:
        print(ascii((pattern, text, out)), checksum)
