"""Sums and slices of strs of all lengths around those that are copied word by word, and tuples and
lists that are made and dropped at once, with items that live on, die, are there twice, or speak."""

TEXTS = ["", "a", "bc", "def", "ghij", "\xe9t\xe9", "\u20ac", "\U0001f600x", "0123456",
         "01234567", "0123456789abcde", "0123456789abcdef", "0123456789abcdefg", "z" * 31,
         "\xe9" * 40, "y" * 63, "x" * 64, "w" * 130]


def sums():
    total = []
    for _ in range(3):
        for a in TEXTS:
            for b in TEXTS:
                s = a + b
                t = a + b
                t += b
                u = s
                u += a          # s lives on
                assert s == a + b and t == s + b and u == s + a
                total.append((len(s), len(t), len(u), hash(s) == hash(a + b)))
    return len(total), total[-1], sum(n for row in total for n in row[:3])


def grown(n):
    s = ""
    kept = []
    for i in range(n):
        s += "ab"
        if i % 7 == 0:
            kept.append(s)      # the next sum must not change it
        if i % 5 == 0:
            s = s + s[1:3]
    return len(s), [len(k) for k in kept], [hash(k) == hash("".join(k)) for k in kept][-3:]


def doubled():
    s = "ab"
    for _ in range(8):
        s += s
    return s


def slices():
    out = []
    for _ in range(3):
        for text in TEXTS:
            for start in (-200, -3, -1, 0, 1, 2, 15, 64, 200):
                for stop in (-200, -2, -1, 0, 1, 3, 16, 17, 65, 200):
                    part = text[start:stop]
                    rest = text[:start] + text[stop:]
                    out.append(part[:2] + str(len(part)) + rest[-2:])
            assert text[:] is text and text[0:200] is text
    return len(out), "".join(out[::37]).encode("unicode_escape")


class Speaker:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        said.append(self.name)


said = []
SHARED = [object() for _ in range(9)]


def rows(n):
    a, b, c, d, e, f, g, h, k = SHARED
    for i in range(n):
        (a, b, c, d)
        [a, b, c, d]
        (a, a, a, a, a, a, a, a)
        [a, b, c, d, e, f, g, h, k]
        (a, b, c, d, e, f, g, h, k)
        [a, i + 1000000, a, i + 1000000]
        (i, str(i), [i, a], (b, i * 1.5))
        x = [a]
        x = (x, x, x)
        del x
        if i % 50 == 0:
            [a, Speaker(("list", i, 0)), b, Speaker(("list", i, 1))]
            (Speaker(("tuple", i, 0)), a, Speaker(("tuple", i, 1)), a)
    return len(said), said[:6], said[-4:]


def counts():
    import sys
    before = [sys.getrefcount(o) for o in SHARED]
    rows(300)
    return [sys.getrefcount(o) - n for o, n in zip(SHARED, before)]


print(sums())
for _ in range(3):
    print(grown(200))
    print(doubled() == "ab" * 256)
print(slices())
print(rows(400))
said.clear()
print(counts())
