# The messages of hashlib.blake2b() and blake2s() for arguments out of range.
import hashlib


def shown(function, *args, **kwargs):
    try:
        return function(*args, **kwargs).hexdigest()[:8]
    except Exception as e:
        return type(e).__name__, str(e)


ARGUMENTS = [dict(digest_size=size) for size in (0, -1, 20, 33, 65, 2**40, 2**70, "x", 1.5)]
ARGUMENTS += [dict(key=b"k" * n) for n in (0, 33, 65)]
ARGUMENTS += [{name: b"s" * n} for name in ("salt", "person") for n in (0, 9, 17)]
ARGUMENTS += [{name: n} for name in ("fanout", "depth", "node_depth", "inner_size")
              for n in (-1, 0, 1, 33, 65, 256, 2**31, 2**70, "x")]
ARGUMENTS += [dict(leaf_size=n) for n in (-1, 2**32, 2**70)]
ARGUMENTS += [dict(node_offset=n) for n in (-1, 2**48, 2**64)]
ARGUMENTS += [dict(last_node=1), dict(last_node="x"), dict(usedforsecurity=0), dict(nope=1)]
for function in hashlib.blake2b, hashlib.blake2s:
    for kwargs in ARGUMENTS:
        print(function.__name__, kwargs, shown(function, b"a", **kwargs))
    print(shown(function), shown(function, "x"), shown(function, 5), shown(function, b"a", b"b"))
