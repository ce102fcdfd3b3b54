"""Pickles whose memo would not fit into memory."""
import _pickle
import resource

resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
for data in b"Nr\xf0\xff\xff\xff.", b"K\x01q\x00r\xf0\xff\xff\xff.":
    try:
        _pickle.loads(data)
    except MemoryError:
        print("MemoryError")
print(_pickle.loads(b"K\x05."))
