"""String methods, slicing, translation, splitting, searching, unicode."""
import string
import textwrap
import unicodedata

s = "  The quick brown fox, jumps over the lazy dog.  "
print([s.strip(), s.lstrip(), s.rstrip(), s.title(), s.swapcase(), s.upper().lower() == s.lower()])
print(s.split(), s.split(" ", 3), s.rsplit(None, 2), s.partition("fox"), s.rpartition("the"), s.partition("zzz"))
print("a,b,,c,".split(","), ",".join("xyz"), "a\nb\r\nc\x0bd\u2028e".splitlines(), "a\nb\n".splitlines(True))
print(s.find("o"), s.rfind("o"), s.count("o"), s.index("fox"), s.find("o", 20, 25), s.count("", 3, 6), "".count(""), "abc".find("", 4))
print("aaa".replace("a", "bb", 2), "aaa".replace("", "-"), "abc".replace("b", ""), "ab".zfill(5), "-7".zfill(5), "+x".zfill(4))
print("x".center(6, "*"), "x".ljust(4, ".") + "|", "x".rjust(4) + "|", "a\tbc\td".expandtabs(4), "\t".expandtabs(0) + "|")
print("HeLLo".casefold(), "straße".upper(), "ǆ".title(), "ﬁ".upper(), "İ".lower().encode(), "Σίσυφος ΣΑΣ".lower(), "ß".casefold())
print([c.isalpha() for c in "aä1 ²½٣\u4e00"], [c.isdigit() for c in "aä1 ²½٣一"], [c.isnumeric() for c in "aä1 ²½٣一"], [c.isdecimal() for c in "1²½٣"])
print("ab1".isalnum(), "a b".isidentifier(), "été".isidentifier(), "".isascii(), "é".isascii(), " \t\u3000".isspace(), "A1".isupper(), "Ab Cd".istitle(), "\x00".isprintable())
t = str.maketrans({"a": "1", "b": None, "c": "xyz", ord("d"): 0x44})
print("abcde".translate(t), "hello".translate(str.maketrans("el", "ip", "o")), "caf\u00e9".translate({0xe9: "e"}))
print("abc" < "abd", "Z" < "a", "é" > "z", "a" * 3 + "b", "lo" in "hello", max("hello"), sorted("hello"), "".join(reversed("hello")))
print("hello"[1:4], "hello"[::-1], "hello"[-3:], "hello"[::2], "hello"[10:], "hello"[-100:2], "hello"[4:1:-1])
print("hello".startswith(("x", "he")), "hello".endswith("lo", 3), "hello".startswith("ll", 2), "prefix-x".removeprefix("prefix-"), "x.py".removesuffix(".py"))
print(repr("tab\t nl\n quote' dq\" bs\\ nul\0 e\u0301 \x7f \x80 \xad \u200b \ud800 \U0001f600 \U000e0001"))
print(ascii("héllo \u4e00 \U0001f600"), "\N{GREEK SMALL LETTER ALPHA}", repr('it\'s "q"'))
print("naïve".encode("utf-8"), "naïve".encode("latin-1"), "naïve".encode("ascii", "replace"), "naïve".encode("ascii", "xmlcharrefreplace"), "naïve".encode("ascii", "backslashreplace"), "naïve\U0001f600".encode("utf-16-le"), "ï".encode("ascii", "namereplace"))
print(b"na\xc3\xafve\xff".decode("utf-8", "replace"), b"\xff\xfe".decode("utf-8", "surrogateescape").encode("utf-8", "surrogateescape"), b"abc\x80".decode("ascii", "backslashreplace"), b"\xe9".decode("cp1252"))
print(unicodedata.name("é"), unicodedata.normalize("NFD", "é").encode(), unicodedata.category("x"), unicodedata.bidirectional("א"), unicodedata.numeric("½"), unicodedata.east_asian_width("一"))
print(textwrap.fill(s * 4, 40, initial_indent="* ", subsequent_indent="  "))
print(textwrap.dedent("""\
    a
      b
    c"""), textwrap.shorten(s, 20), textwrap.indent("x\n\ny", "> "))
print(string.Template("$who owes $$${amount}").substitute(who="X", amount=3), string.capwords("a bc  d"), string.ascii_letters, string.punctuation)


def caesar(text, k):
    return "".join(chr((ord(c) - b + k) % 26 + b) if (b := 97 if c.islower() else 65 if c.isupper() else 0) else c for c in text)


def rle(text):
    out = []
    i = 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        out.append(f"{text[i]}{j - i}")
        i = j
    return "".join(out)


def palindromes(text):
    best = ""
    for i in range(len(text)):
        for j in (i, i + 1):
            a, b = i, j
            while a >= 0 and b < len(text) and text[a] == text[b]:
                a, b = a - 1, b + 1
            if b - a - 1 > len(best):
                best = text[a + 1:b]
    return best


def lev(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        prev, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            prev, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, prev + (x != y))
    return row[-1]


print(caesar("Hello, World", 13), caesar(caesar("Abc xyz", 5), -5), rle("aaabccdddd"), palindromes("forgeeksskeegfor"), lev("kitten", "sitting"))
for f in (lambda: "abc".index("z"), lambda: "abc".join([1]), lambda: "a".center(5, "ab"), lambda: "a" + b"b", lambda: "abc"["x"], lambda: "abc"[5],
          lambda: "a".split(""), lambda: "é".encode("ascii"), lambda: b"\xff".decode(), lambda: "\ud800".encode(), lambda: "a".encode("nope"), lambda: b"a".decode("utf-8", "nope"),
          lambda: str.maketrans("a", "bc"), lambda: "a".translate(3), lambda: "a" in 3, lambda: 3 in "a", lambda: ord("ab"), lambda: chr(0x110000), lambda: "a".startswith(3),
          lambda: "a".startswith([]), lambda: "%d" % "x", lambda: "%s %s" % 1, lambda: "%s" % (1, 2), lambda: "%(a)s" % 1, lambda: "%(a)s" % {}, lambda: "%q" % 1, lambda: "%" % 1,
          lambda: "{}".format(), lambda: "{a}".format(), lambda: "{0.x}".format(1), lambda: "{".format(), lambda: "}".format(), lambda: "{} {1}".format(1, 2), lambda: "{!x}".format(1),
          lambda: "{:d}".format("s"), lambda: "{:>>>5}".format(1), lambda: format(1, 2), lambda: str(b"a", "x-y"), lambda: str(1, "utf-8"), lambda: "abc".replace("a"), lambda: "a".zfill("x"),
          lambda: "a".strip(1), lambda: "x".foo, lambda: "".join(1), lambda: "a".expandtabs(1 << 80), lambda: unicodedata.name("\0"), lambda: unicodedata.lookup("NOPE"), lambda: b"\xc3(".decode(), lambda: b"ab\xe4\xb8".decode()):
    try:
        print("ok", repr(f()))
    except Exception as e:
        print(type(e).__name__, e)
print("done".no_such_method)
