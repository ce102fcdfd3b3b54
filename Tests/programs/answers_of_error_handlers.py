# What an error handler may return to a codec, and in which order its answer is looked at.
import codecs


class Index:
    def __index__(self):
        return 99


class Broken:
    def __index__(self):
        1 / 0


ANSWERS = (("x", "y"), ("x", 1.5), ("x", None), ("x", Index()), ("x", Broken()), ("x", 2**70),
           (1, "y"), (b"x", "y"), (1, 99), (b"x", -99), ("x",), "xy", ("x", 99, 2), None, ["x", 99])
CALLS = (lambda: "a\u20ac".encode("ascii", "given"),
         lambda: "\u20ac\ud800".encode("utf-8", "given"),
         lambda: b"\xff".decode("ascii", "given"),
         lambda: b"\xff".decode("utf-8", "given"),
         lambda: "\u20ac".encode("cp437", "given"),
         lambda: codecs.charmap_encode("\u20ac", "given", {}),
         lambda: codecs.charmap_decode(b"a", "given", {}),
         lambda: b"\\x".decode("unicode_escape", "given"),
         lambda: "\ud800".encode("utf-16", "given"),
         lambda: b"\x00".decode("utf-32", "given"),
         lambda: b"+\xff".decode("utf-7", "given"))
for answer in ANSWERS:
    codecs.register_error("given", lambda error: answer)
    for number, call in enumerate(CALLS):
        try:
            print(number, ascii(call()))
        except Exception as e:
            print(number, type(e).__name__, e, repr(e.__cause__))
for text in "~\udc80\u20ac\n", "\udc80\udc81", "\u20ac\udc80", "a\udc80\udc81\u3042b":
    for codec in "koi8-r", "cp437", "ascii", "latin-1", "utf-8":
        try:
            print(text.encode(codec, "surrogateescape"))
        except UnicodeEncodeError as e:
            print(codec, e)
# Inputs of the codecs' own ways for the standard handlers: the first error early or late, in short text
# and long, with replacements of another width than the text before.
for data in (b"\xff", b"a\xff", b"abc\x80\xff" * 3 + b"d", b"\xc3\xa9\xff\xe2\x82", b"\xff\xc3\xa9", b"\xe9" * 40,
             b"\xed\xa0\x80a", b"a" * 50 + b"\xf0\x9f\x98\x80\xf0\x9f", b"\xff" + b"a" * 50 + b"\xf0\x9f\x98\x80"):
    for handler in "ignore", "replace", "surrogateescape", "backslashreplace", "surrogatepass", "strict":
        for decode in (lambda: data.decode("ascii", handler), lambda: data.decode("utf-8", handler),
                       lambda: codecs.utf_8_decode(data, handler, False)):
            try:
                print(ascii(decode()))
            except UnicodeDecodeError as e:
                print(e)
for text in "\ud800", "a\udc80\u20ac\udcff", "\udc80\ud800", "\udc7f\udd00", "ab\udcff\U0001f600" * 70, "\ud800" * 300:
    for handler in "ignore", "replace", "surrogateescape", "surrogatepass", "backslashreplace", "strict":
        try:
            print(text.encode("utf-8", handler))
        except UnicodeEncodeError as e:
            print(ascii(e))
# Handlers of the same names in their place are not called by every codec.
for handler in "ignore", "replace", "surrogateescape", "surrogatepass", "backslashreplace", "xmlcharrefreplace":
    codecs.register_error(handler, lambda error: ("other", error.end))
    for text in "a\ud800\udc80b", "\udc80", "\udc80\ud800":
        for codec in "utf-8", "ascii", "latin-1":
            print(handler, codec, text.encode(codec, handler))
    for codec in "utf-8", "ascii":
        print(handler, codec, ascii(b"a\xff\xed\xa0\x80".decode(codec, handler)))
for state in True, Index(), "x", None, 1.5, 2**70, (1,):
    numbers = iter(range(5))
    try:
        numbers.__setstate__(state)
        print(list(numbers))
    except Exception as e:
        print(type(e).__name__, e)
