"""Reports: alignment, nested format specifications, wrapping, templates, tables in many scripts, locale-free numbers."""
import datetime
import string
import textwrap
from collections import Counter, defaultdict, namedtuple
from itertools import chain, groupby, zip_longest

Sale = namedtuple("Sale", "day who item n price", defaults=(1.0,))
SALES = [Sale(datetime.date(2023, 1, 1 + i % 28), w, it, n, p) for i, (w, it, n, p) in enumerate(
    [("Zoë", "apple", 3, 0.5), ("Bob", "melon", 1, 4.25), ("Zoë", "melon", 2, 4.0), ("李", "apple", 12, .45), ("Bob", "fig", 100, 0.1),
     ("李", "fig", 7, 0.125), ("Zoë", "apple", 1, 0.55)] * 3)]


class Money(float):
    def __format__(self, spec):
        fill, _, rest = spec.partition("|")
        text = f"{float(self):,.2f} €".translate(str.maketrans(",.", ".,"))
        return f"{text:{rest or '>12'}}" if not fill else f"{text:{fill}{rest}}"


def table(rows, heads, specs):
    cells = [[format(v, s) for v, s in zip(r, specs)] for r in rows]
    widths = [max(map(len, col)) for col in zip(heads, *cells)]
    yield " | ".join(h.center(w) for h, w in zip(heads, widths)).rstrip()
    yield "-+-".join("-" * w for w in widths)
    for r in cells:
        yield " | ".join(f"{c:{'<' if i == 0 else '>'}{w}}" for i, (c, w) in enumerate(zip(r, widths))).rstrip()


total = defaultdict(lambda: [0, 0.0])
for s in SALES:
    total[s.who, s.item][0] += s.n
    total[s.who, s.item][1] += s.n * s.price
for line in table([(f"{w}/{i}", n, Money(m), n / 3, m / 100) for (w, i), (n, m) in sorted(total.items())],
                  ["who", "count", "money", "mean", "share"], ["", ",d", "|>14", ".3g", "7.1%"]):
    print(line)
by_item = {k: [*g] for k, g in groupby(sorted(SALES, key=lambda s: (s.item, s.day)), key=lambda s: s.item)}
print({k: (len(v), min(v).day.isoformat(), max(v, key=lambda s: s.n * s.price)._asdict()["who"]) for k, v in by_item.items()})
print(Counter(chain.from_iterable(s.item for s in SALES)).most_common(4), SALES[0]._replace(n=9), Sale._fields, Sale._field_defaults)

width, prec, name, value = 12, 3, "x", -1234.56789
print(f"[{value:{width}.{prec}f}] [{value:<+{width}.{prec}e}] [{name!r:^{width}}] [{name:*>{width // 2}}] [{value:012,.1f}] [{value!s:.5}]")
print(f"{name=} {value=:.1f} {width + prec = } {name = !s:>4}")
print(f"{'nested ' + f'{width:>{prec}}'} {{literal}} {'a' 'b'} {[i for i in range(3)]} { {'k': 1}['k'] } {(lambda: 5)()} {'''q'''}")
print("{0:{1}} {0!r:>{1}} {2[k]} {2[k][1]} {3.real} {4:%d/%m/%y}".format("ab", 5, {"k": "vw"}, 3 + 4j, datetime.date(2020, 2, 3)), "{:>{w}.{p}}|{:{f}^7}".format("abcdef", "c", w=8, p=3, f="_"))
print("%5.1f|%-8s|%+d|%x|%o|%e|%r|%c|%%|%08.3f|%*d|%.*f|%(k)s" % ({"k": 1},) if False else "%5.1f|%-8s|%+d|%x|%o|%e|%r|%c|%%|%08.3f|%*d|%.*f" % (2.345, "ab", 5, 255, 8, 12345.678, "q", "z", -3.14159, 6, 42, 2, 2.71828))
print("%(a)-5s|%(b)05d|%(a).1s|%(c)s" % {"a": "xyz", "b": 42, "c": None}, b"%d %s %r %a %5.2f %x" % (1, b"b", "é", "é", 1.5, 255))
for bad in ("'{:d}'.format('s')", "'{:s}'.format(1)", "'{:,}'.format('s')", "'{:.2}'.format(3)", "f'{1:zz}'", "'{} {1}'.format(1, 2)", "'{}'.format()", "'{a.b}'.format(a=1)", "'{a[b]}'.format(a=[1])", "'{'.format()", "'}'.format()",
            "'{!x}'.format(1)", "'%d' % 's'", "'%s %s' % 1", "'%s' % (1, 2)", "'%q' % 1", "'%(a)s' % 3", "'%c' % 'ab'", "'%c' % 1114112", "b'%s' % 's'", "'%.3d|%#x|%#o|% d|%i' % (5, 255, 8, 3, 4.9)", "'{:#_b} {:n} {:c} {:=+8}'.format(200, 5, 65, 3)", "format(3, '>5') + format(3.0, 'g') + format('s', '^5') + format(True, 'd') + format(None, '')", "format([], '5')", "format(1.5, 'd')", "format(10**20, ',.2e')", "format(2+3j, '.1f') + format(-0.0, 'z.1f')", "format(float('nan'), '010.1f') + format(float('inf'), '+')"):
    try:
        print(bad[:50], "=>", eval(bad))
    except Exception as e:
        print(bad[:50], "=>", type(e).__name__, e)

TEXT = """  The quick-brown fox can't jump 32.3 feet, right?  Yes -- it did; a_very_long_identifier_that_will_not_fit anywhere at all.
	Tabs	and   runs of spaces; "quotes", (brackets) and em—dashes. Supercalifragilisticexpialidocious!"""
for w, kw in ((30, {}), (20, {"break_long_words": False}), (40, {"initial_indent": "* ", "subsequent_indent": "  "}), (25, {"max_lines": 3, "placeholder": " …"}), (35, {"break_on_hyphens": False, "fix_sentence_endings": True})):
    print(f"{w:=^40}", textwrap.fill(TEXT, w, **kw), sep="\n")
print(textwrap.shorten(TEXT, 40), textwrap.dedent("\n    a\n      b\n\n    c\n"), textwrap.indent("x\n\ny\n", "> ", lambda l: True), repr("a\tbc\td".expandtabs(4)), sep="\n")


class Braces(string.Template):
    delimiter = "@"
    idpattern = r"[a-z.]+"


print(Braces("@who owes @{amt.eur} @@ @missing").safe_substitute({"who": "Al", "amt.eur": 3}), string.Template("$a ${b}c $$").substitute(a=1, b=2), string.capwords("hello  wORLD x"))
try:
    string.Template("line\n $1").substitute()
except ValueError as e:
    print(e)


class Fmt(string.Formatter):
    def get_value(self, key, args, kw):
        return kw.get(key, f"<{key}?>") if isinstance(key, str) else super().get_value(key, args, kw)

    def convert_field(self, value, conversion):
        return value.upper() if conversion == "u" else super().convert_field(value, conversion)


print(Fmt().format("{0} {name} {x!u:>5} {1!r:.4}", 1, "abcdef", x="up"), list(string.Formatter().parse("a{b!r:>{w}}c{}")))
words = "The Straße ǅ ﬁ İstanbul ΣΊΣΥΦΟΣ ßẞ ÀÉÎ 日本 \u0301e ½ ² ⅷ".split()
for w in words:
    print(ascii(w), w.upper(), w.lower(), w.title(), w.casefold(), w.swapcase(), w.capitalize(), w.isalpha(), w.isupper(), w.islower(), w.istitle(), w.isnumeric(), w.isdigit(), w.isidentifier(), len(w), len(w.encode()), sep="|")
print(*zip_longest("ab", "wxyz", fillvalue="-"), "a,b,,c".split(","), " a  b ".split(), "a,b,c".rsplit(",", 1), "k=v=w".partition("="), "k=v=w".rpartition("="), "x\r\ny\vz\x1cw\u2028q".splitlines(), "abcabc".replace("b", "XX", 1), "ab".join("123"), "%s" * 2 % ("a", "b"), sep=" ; ")
print("banana".translate({97: None, ord("n"): "NN", "b": 3} if False else {97: None, ord("n"): "NN"}), "aXbX".strip("Xa"), "prefix-x".removeprefix("prefix-"), "abc".zfill(6), "-5".zfill(5), "ab\ncd".center(9, "*"), "find".find("nd", -3), "aaa".count("aa"), "x".ljust(3, ".") + "|", "Abc" < "abc" < "abd", "é" == "e\u0301", max("hello"), "a" "b" * 2)
