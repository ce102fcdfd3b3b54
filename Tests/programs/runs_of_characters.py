"""Codecs and slices copy runs of characters at once: what ends a run, at every place."""
import binascii
import codecs
import math
import os.path
import zlib


def result_of(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except (ValueError, TypeError) as e:
        return type(e).__name__, str(e)


def show(name, results):
    results = list(results)
    print(name, len(results), zlib.crc32(ascii(results).encode()), ascii(results[-1])[:150])


# The lengths at which a loop over blocks begins another one, and their neighbours.
LENGTHS = 0, 1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 96, 255, 256, 257, 300
FILLS = "a", "\xe9", "\u03b1", "\U0001f600"
STRANGE = "\ud800", "\udc80", "\udfff", "\ufffe", "\0", "\x81", "\U0010ffff", "\u20ac"
UTF = [f"utf-{n}{order}" for n in (16, 32) for order in ("", "-le", "-be")]
MAPS = "cp1253", "cp1252", "koi8-r", "cp037"
HANDLERS = "strict", "ignore", "replace", "backslashreplace", "xmlcharrefreplace", "surrogatepass"


def texts():
    for fill in FILLS:
        for n in LENGTHS:
            yield fill * n
            for strange in STRANGE:
                for at in {0, n // 2, n}:
                    yield fill * at + strange + fill * (n - at)


TEXTS = list(texts())
for name in [*UTF, *MAPS, "ascii", "latin-1", "utf-8"]:
    for handler in HANDLERS:
        show(f"{name} {handler}", (result_of(text.encode, name, handler) for text in TEXTS))

for name in UTF:
    unit = 4 if "32" in name else 2
    order = "big" if name.endswith("be") else "little"
    bad = [ch.to_bytes(unit, order) for ch in (0xd800, 0xdfff, 0xdc00)]
    bad += [b"\0", b"\0\0\0", b"\0\0\0\xff"] if unit == 4 else [b"\0"]
    data = [text.encode(name, "ignore") for text in TEXTS[::5]]
    data += [d[:at * unit] + b + d[at * unit:] for d in data[::3] for b in bad
             for at in (1, len(d) // unit // 2, len(d) // unit)]
    for handler in "strict", "ignore", "replace", "surrogatepass":
        show(f"{name} decode {handler}", (result_of(d.decode, name, handler) for d in data))

BYTES = [b"a" * n + bytes([odd]) + b"\xe1" * m for odd in (0x61, 0x81, 0xff, 0)
         for n in LENGTHS for m in (0, 1, 40)]
TABLES = "".join(map(chr, range(256))), "ab\u03b1", "x" * 97 + "\u03b1", "\ufffe" * 256, \
         "\0" * 97 + "\U0001f600" * 200
for table in TABLES:
    for handler in "strict", "replace", "ignore":
        show("charmap", (result_of(codecs.charmap_decode, b, handler, table) for b in BYTES))
for name in MAPS:
    show(name, (result_of(b.decode, name, "replace") for b in BYTES))

for step in -1, -2, 2, 3, 7, -300, 2 ** 62, -2 ** 62:
    show(f"step {step}", ((text[::step], text[5::step], text[:5:step], text[40:3:step])
                          for text in TEXTS))
show("narrower", (text[::-1].isascii() for text in ("a\u03b1", "\u03b1a", "\U0001f600a")))
print("a\u03b1b"[::2].encode(), "\u03b1ab"[:0:-1].encode("ascii"))
show("repr", (repr(text) for text in TEXTS))
show("repr", (repr(text + c) for text in TEXTS[::7] for c in "'\"\\\n\t\r\x1b\x7f\u200b"))
show("ascii", (ascii(text) for text in TEXTS))

PARTS = "/", "//", ".", "..", "b", "\xe9", "\u03b1", "\U0001f600", "\0", "...", "x" * 300
show("normpath", (os.path.normpath(a + b + "/" + c + d) for a in PARTS for b in PARTS
                  for c in PARTS for d in PARTS[:6]))
show("hex", (result_of(binascii.unhexlify, h) for h in
             ["", "0", "0g", "g0", "aAfF", "00" * 40 + " 0", "\xe9\xe9", "@0", "/0", ":0", "`0", "G0"]))
B64 = "QUJD", "QUI=", "QQ==", "=", "==", "Q", "\n", "!", "\xe9", "QUJDREVG", "+/+/", "-_-_"
show("base64", (result_of(binascii.a2b_base64, a + b + c, strict_mode=strict) for a in B64
                for b in B64 for c in B64 for strict in (False, True)))
show("crc", (binascii.crc_hqx(bytes(range(256)) * n, start) for n in range(3)
             for start in (0, 1, 0xffff, 0x12345, -1)))
show("comb", (math.comb(n, k) for n in range(72) for k in range(75)))
show("bytes", (kind(b).translate(table, deleted) for b in BYTES for kind in (bytes, bytearray)
               for table in (None, bytes(range(256)), b"x" * 256)
               for deleted in (b"", b"a", b"a\xe1")))
show("replace", (kind(b).replace(old, new, *count) for b in BYTES for kind in (bytes, bytearray)
                 for old in (b"a", b"\xe1", b"z") for new in (b"a", b"b", b"", b"cd")
                 for count in ((), (-1,), (1,), (400,))))
