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
for state in True, Index(), "x", None, 1.5, 2**70, (1,):
    numbers = iter(range(5))
    try:
        numbers.__setstate__(state)
        print(list(numbers))
    except Exception as e:
        print(type(e).__name__, e)
