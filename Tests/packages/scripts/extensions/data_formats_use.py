import datetime

import brotli
import cbor2
import lz4.frame
import msgpack
import simplejson
import snappy
import ujson
import xxhash
import yaml
import zstandard

value = {"a": [1, -2.5, None, True, "é", b"\0\1"], "b": {"c": 2 ** 40}}
text = {k: v if k == "b" else v[:-1] for k, v in value.items()}
packed = msgpack.packb(value)
print(packed.hex(), msgpack.unpackb(packed) == value)
print(cbor2.dumps(value).hex(), cbor2.loads(cbor2.dumps(value)) == value, cbor2.loads(cbor2.dumps(2 ** 70)))
print(ujson.dumps(text), ujson.loads("[1,2.5,{}]"), simplejson.dumps(text), simplejson.loads('{"x": [1e3]}'))
long = b"a long text with repetitions " * 200
for name, module in [("lz4", lz4.frame), ("brotli", brotli), ("snappy", snappy)]:
    small = module.compress(long)
    print(name, len(small) < 500, module.decompress(small) == long)
print(zstandard.ZstdDecompressor().decompress(zstandard.ZstdCompressor(level=9).compress(long)) == long)
print(xxhash.xxh64(b"abc", seed=1).hexdigest(), xxhash.xxh3_128_hexdigest(b"abc"))
print(yaml.load("a: [1, 2.5, 2020-01-02]\nb: &x {c: d}\ne: *x", Loader=yaml.CSafeLoader))
print(yaml.dump({"z": [1, {"q": "é"}]}, Dumper=yaml.CDumper), datetime.date(2020, 1, 2))
unpacker = msgpack.Unpacker(ext_hook=lambda code, data: (code, data), max_buffer_size=100)
unpacker.feed(msgpack.packb([1, msgpack.ExtType(5, b"x")]))
print(list(unpacker))
for wrong in (lambda: msgpack.unpackb(b"\xc1"), lambda: msgpack.packb(object()), lambda: ujson.loads("[1,"),
              lambda: simplejson.loads("{"), lambda: yaml.load("a: [", Loader=yaml.CSafeLoader),
              lambda: lz4.frame.decompress(b"nonsense"), lambda: cbor2.loads(b"\xff"), lambda: snappy.decompress(b"")):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, str(error)[:60])
