"""Non-ASCII text everywhere: names, columns, sorting, output errors."""
import codecs
import io
import locale
import sys
import unicodedata

größe = 3
名前 = "日本"
ﬁn = "normalized"
print(größe, 名前, fin, sorted(k for k in globals() if not k.isascii()))


def café(π=3.14, *, naïve=True):
    return f"{π:.1f} {naïve!r} {名前=}"


print(café(), café.__name__, café.__code__.co_varnames)


class Ünï:
    ñ = "ñ"


print(Ünï.ñ, Ünï.__qualname__, repr(Ünï.__name__))
s = "e\u0301 \u1e9e \U0001f469\u200d\U0001f4bb ﷺ ١٢ Ⅷ ǅ ŉ"
print(len(s), [len(s.encode(e)) for e in ("utf-8", "utf-16", "utf-32", "utf-7")], s[::-1].encode("unicode_escape"), s.upper(), s.lower(), s.title(), s.casefold(), s.swapcase())
for form in ("NFC", "NFD", "NFKC", "NFKD"):
    n = unicodedata.normalize(form, s)
    print(form, len(n), ascii(n), unicodedata.is_normalized(form, s))
for c in "aÄ1½٣Ⅷ一\u0301\u200d\u00a0ʰ€_\n":
    print(ascii(c), unicodedata.category(c), unicodedata.combining(c), unicodedata.name(c, "-"), c.isalpha(), c.isalnum(), c.isdigit(), c.isnumeric(), c.isspace(), c.isprintable(), c.isidentifier(), unicodedata.decomposition(c), unicodedata.mirrored(c))
print(sorted("zäaöÄßé"), sorted("zäaöÄßé", key=lambda c: unicodedata.normalize("NFD", c).casefold()), "ä" == "a\u0308", "ﬀ".upper(), "ΌΣΟΣ".lower(), "i̇".upper(), "\u0130".casefold())
print("日本".center(8, "＊"), "日本".ljust(5) + "|", f"{'日本':>6}", "%-5s|" % "é", "日本語"[1:], "日" in "日本", "日本語".find("語"), "a日b日".split("日"), "日".join("ab"), "日本".replace("本", ""), "\U0001f600x".index("x"))
print("x\u2028y\x85z\x1cw".splitlines(), "\u3000a\u00a0".strip(), "a\u2003b\u1680c".split(), "ab\u200bc".split(), int("１２"), float("٣.٥"), "٣".isdecimal(), "½".isdecimal())
for enc in ("ascii", "latin-1", "utf-8", "cp1252", "utf-16-be", "koi8-r", "shift_jis", "gbk", "cp437", "iso8859-15", "utf-8-sig", "idna", "punycode", "rot13", "mac-roman", "big5", "euc-kr"):
    try:
        b = codecs.encode("é日п", enc)
        print(enc, b, codecs.decode(b, enc))
    except Exception as e:
        print(enc, type(e).__name__, e)
for raw in (b"\x80", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"ab\xe2\x82", b"\xe2(\xa1", b"\xf0\x9f\x98", b"ok\xfe"):
    r = []
    for err in ("strict", "replace", "ignore", "backslashreplace", "surrogateescape"):
        try:
            r.append(ascii(raw.decode("utf-8", err)))
        except UnicodeDecodeError as e:
            r.append(f"{e.reason} {e.start}-{e.end} {e}")
    print(raw, r)
codecs.register_error("brackets", lambda e: (f"[{ord(e.object[e.start]):x}]" * (e.end - e.start), e.end))
print("aéb日".encode("ascii", "brackets"), "é".encode("ascii", "namereplace"), "\ud800".encode("utf-8", "surrogatepass"), "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"))
dec = codecs.getincrementaldecoder("utf-8")()
print([dec.decode(bytes([b])) for b in "é日".encode()], dec.decode(b"", True), codecs.lookup("UTF8").name, codecs.BOM_UTF8, list(codecs.iterdecode([b"\xc3", b"\xa9"], "utf-8")))
w = io.TextIOWrapper(io.BytesIO(), "ascii", errors="xmlcharrefreplace")
w.write("é日")
w.flush()
print(w.buffer.getvalue(), sys.stdout.encoding, sys.stdout.errors, sys.stderr.errors, sys.getdefaultencoding(), sys.getfilesystemencoding())
u = UnicodeEncodeError("enc", "abc", 1, 2, "why")
print(u, repr(u), u.object, u.start, UnicodeDecodeError("e", b"abc", 0, 3, "r"), UnicodeTranslateError("abc", 1, 2, "t"))
for bad in (lambda: codecs.lookup("none"), lambda: codecs.lookup_error("none"), lambda: codecs.register_error(1, 2), lambda: "é".encode("ascii", "brackets2"), lambda: unicodedata.normalize("X", "a"), lambda: unicodedata.name("ab"), lambda: unicodedata.digit("a"), lambda: unicodedata.numeric("a"), lambda: "\N{DIGIT ONE}".foo, lambda: eval(r"'\N{NOPE}'"), lambda: eval(r"'\u12'"), lambda: eval(r"'\U00110000'"), lambda: eval(r"b'\xg'"), lambda: "日本"[5], lambda: "日本".index("x"), lambda: int("日"), lambda: float("日"), lambda: 名前.größe, lambda: größé, lambda: Ünï.ñn, lambda: UnicodeEncodeError(1), lambda: codecs.encode("a", "hex"), lambda: codecs.decode("zz", "hex"), lambda: "a".encode("rot13"), lambda: b"".decode("hex"), lambda: w.write(3), lambda: "é".encode("utf-8", 3)):
    try:
        print("ok", ascii(bad()))
    except Exception as e:
        print(type(e).__name__, e)
print("lone \ud800", file=sys.stderr)
raise ValueError("日本 \U0001f600 \ud800 é", 名前 + "é" + 3)
