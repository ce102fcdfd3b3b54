"""bytes, bytearray, memoryview, struct, array, base64, hashing."""
import array
import base64
import binascii
import hashlib
import io
import struct
import zlib

b = b"\x00\x01abc\xff\n\t'\""
print(b, bytes(3), bytes([1, 2]), bytes("é", "utf-8"), bytes(range(250, 256)), bytearray(b"x'"), b"a" b"b", rb"\n", b"%d-%s-%r-%x-%c-%a" % (1, b"s", "r", 255, 65, "é"), b"%5.1f|%-4d|" % (2.55, 3))
print(b.hex(), b.hex(":"), b.hex("-", 3), bytes.fromhex("00 ff a1"), b[0], b[2:5], b[::-1], b"a" in b, 97 in b, b.find(b"c"), b.find(99), b.count(b"a"), b"ab" < b"b", b"a" * 3)
print(b"A,b,C".split(b","), b"abc".upper(), b"x y".title(), b"abc".center(7, b"*"), b"abc".translate(bytes.maketrans(b"a", b"z"), b"c"), b"".join([b"a", bytearray(b"b")]), b"a\tb".expandtabs(3), b"ab".zfill(4), b"abc".partition(b"b"), b"\xc3\xa9".decode())
ba = bytearray(b"hello")
ba[0] = 72
ba[1:3] = b"EYYY"
ba += b"!"
ba.append(63)
ba.extend([1, 2])
ba.insert(0, 9)
del ba[-2:]
ba.reverse()
print(ba, ba.pop(), ba.pop(0), len(ba), ba.copy() == ba, bytes(ba))
ba.remove(72)
ba.clear()
print(ba)
data = bytearray(range(12))
mv = memoryview(data)
print(mv[3], bytes(mv[2:5]), mv.tolist()[::4], mv.format, mv.shape, mv.strides, mv.readonly, mv.nbytes, mv[::-2].tolist(), mv.contiguous)
mv[0:2] = b"\xaa\xbb"
sh = mv.cast("H")
print(data[:3], sh.tolist(), sh[1], mv.cast("B", (3, 4)).tolist(), mv.cast("B", [3, 4])[1, 2], mv == data, mv.hex()[:8], mv[2:4] == b"\2\3")
sh[5] = 0xffff
print(data)
mv2 = memoryview(b"ro")
with memoryview(b"abc") as m:
    print(m.tobytes(), hash(m) == hash(b"abc"), m.obj)
print(struct.pack("<hIq", -2, 5, -9), struct.pack(">2sxB?f", b"ab", 7, True, 1.5), struct.unpack("<hI", b"\xff\xff\x01\0\0\0"), struct.calcsize("bhilq"), struct.calcsize("=bhilq"), list(struct.iter_unpack("<H", b"\1\0\2\0")), struct.pack("5s3p", b"ab", b"xyz"), struct.unpack_from("!H", b"abcd", 1), struct.pack("e", 0.5), struct.Struct("<d").size)
buf = bytearray(6)
struct.pack_into(">H", buf, 2, 0x1234)
print(buf, struct.pack("@0l"), struct.pack("3B", 1, 2, 3), struct.unpack("<d", struct.pack("<d", 0.1)))
ar = array.array("i", [1, 2, 3])
ar.append(4)
ar.extend([5])
ar[1:2] = array.array("i", [9, 9])
print(ar, ar.tobytes()[:8], ar.itemsize, ar.typecode, ar.index(3), ar[::2], array.array("d", [1.5]), array.array("u", "hé"), array.array("b", b"\xff"), ar.count(9), memoryview(ar)[1])
print(base64.b64encode(b"hello\xff"), base64.b64decode("aGVsbG8="), base64.b32encode(b"a"), base64.b16decode("4142"), base64.urlsafe_b64encode(b"\xfb\xff"), base64.b85encode(b"test"), base64.a85encode(b"test\0\0\0\0"), binascii.crc32(b"abc"), zlib.adler32(b"abc"), zlib.decompress(zlib.compress(b"z" * 100)) == b"z" * 100)
print(hashlib.md5(b"a").hexdigest(), hashlib.sha256(b"abc").hexdigest()[:20], hashlib.sha1(b"").hexdigest(), hashlib.sha3_256(b"q").hexdigest()[:10], hashlib.blake2b(b"x", digest_size=8).hexdigest())
f = io.BytesIO(b"line1\nline2\nend")
print(f.readline(), f.read(3), f.tell(), f.seek(-3, 2), f.read(), f.getvalue()[:4], f.getbuffer()[1], list(io.BytesIO(b"a\nb")))


def hexdump(d, w=8):
    for i in range(0, len(d), w):
        c = d[i:i + w]
        yield f"{i:04x} {c.hex(' '):<{w * 3}} {''.join(chr(x) if 32 <= x < 127 else '.' for x in c)}"


print("\n".join(hexdump(b"The quick \x00\x01 brown\xff")))
for fn in (lambda: bytes([256]), lambda: bytes([-1]), lambda: bytes("a"), lambda: bytes(-1), lambda: bytes(1.5), lambda: bytes.fromhex("0g"), lambda: b"a" + "a", lambda: b"abc"["a"], lambda: b"abc"[9], lambda: "a" in b"a", lambda: 256 in b"a", lambda: b"".join(["a"]), lambda: b"%d" % "a", lambda: b"%s" % "a", lambda: b"%c" % 256,
           lambda: data.__setitem__(0, 300), lambda: data.__setitem__(slice(0, 2), b"abc") , lambda: data.append(1), lambda: mv2.__setitem__(0, 1), lambda: mv.__setitem__(slice(0, 2), b"a"), lambda: mv.__setitem__(0, "a"), lambda: mv[99], lambda: mv["a"], lambda: mv.cast("Z"), lambda: memoryview(mv[::2]).cast("H"), lambda: m.tobytes(), lambda: memoryview("a"), lambda: hash(mv), lambda: mv.cast("H").cast("I"),
           lambda: struct.pack("B", 256), lambda: struct.pack("b", "a"), lambda: struct.pack("Z", 1), lambda: struct.pack("2B", 1), lambda: struct.unpack("H", b"a"), lambda: struct.unpack_from("H", b"a", 5), lambda: struct.pack("f", 1e40), lambda: struct.pack_into("H", buf, 9, 1), lambda: struct.pack("s", "a"), lambda: struct.pack("<q", 1 << 63), lambda: struct.pack("c", b"ab"),
           lambda: array.array("i", [1.5]), lambda: array.array("x"), lambda: array.array("b", [200]), lambda: ar.remove(77), lambda: ar + array.array("d"), lambda: ar[99], lambda: base64.b64decode("abc"), lambda: binascii.unhexlify("abc"), lambda: zlib.decompress(b"junk"), lambda: hashlib.new("nope"), lambda: hashlib.md5("a"), lambda: io.BytesIO("a"), lambda: ba.pop(), lambda: b"a".index(b"z"), lambda: b"a".replace("a", "b"), lambda: b"a".startswith("a"), lambda: int.from_bytes("a", "big")):
    try:
        print("ok", fn())
    except Exception as e:
        print(type(e).__name__, e)
struct.unpack("<I", b"short")

# Views are equal by their items, whatever the formats, the order and the distance of these.
views = [memoryview(data).cast(code)[::step]
         for code in "cbB?hHiIqQfd" for step in (1, 2, -1)
         for data in (struct.pack("8" + code, *(bytes([i]) for i in range(8))) if code == "c"
                      else struct.pack("8" + code, *values)
                      for values in (range(8), (0, 1) * 4))]
views += [memoryview(struct.pack("2d", 0, float("nan"))).cast("d"), b"\0\1", bytearray(range(8)),
          memoryview(bytes(range(8))).cast("B", (2, 4)), memoryview(bytes(range(8))).cast("B", (4, 2))]
for a in views:
    print("".join(str(int(a == b)) for b in views))

# Of lists and tuples, and of what else gives ints.
class Index:
    def __index__(self):
        return 7


for items in ([1, 2, 255], (1, 256), [1, -1], [1, Index(), 3], [1, "a"], [2**70], [True], [], (300,), ["a", 300],
              [300, "a"], 5, None, range(4)):
    for make in bytes, bytearray, bytearray(b"zz").extend:
        try:
            print(make(items))
        except Exception as e:
            print(type(e).__name__, e)
