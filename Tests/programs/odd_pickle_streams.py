# Streams and reductions that pickle refuses, and what it writes for dotted names.
import copyreg
import io
import pickle


def shown(function, *args):
    try:
        return function(*args)
    except Exception as e:
        return type(e).__name__, str(e)


class Outer:
    class Inner:
        def method(self):
            pass


class Slotted:
    __slots__ = ("x",)

    def __getstate__(self):
        return state


class Reduced:
    def __reduce__(self):
        return reduction


class Maker:
    def __new__(cls):
        return object.__new__(cls)


OPS = (b"(", b"N", b"K\x01", b"\x8c\x01y", b"\x93", b"Ix\n", b"I 7\n", b"I12\n", b"I1_2\n",
       b"I0x1F\n", b"I99999999999999999999\n", b"Pabc\n", b"Q", b"]", b"t")
for first in OPS:
    for second in OPS:
        print(first, second, shown(pickle.loads, first + second + b"."))
for protocol in range(6):
    dotted = [Outer.Inner, Outer.Inner, Outer.Inner.method, Outer.Inner.method]
    print(pickle.dumps(dotted, protocol))
    for state in (None, None), (None, {}), ({}, None), (None, 5), (5, None), ({}, {"x": 3}):
        dumped = pickle.dumps(Slotted(), protocol) if protocol > 1 else b"N."
        made = shown(pickle.loads, dumped)
        print(protocol, state, made if isinstance(made, tuple) else type(made).__name__)
    for args in (1,), (Maker(),), (Maker,), (int,), (), (None,):
        reduction = copyreg.__newobj__, args
        print(protocol, len(args), type(args and args[0]), shown(pickle.dumps, Reduced(), protocol))
for length in b"T\xff\xff\xff\xff", b"X\xff\xff\xff\xff", b"B\xff\xff\xff\xff", b"\x8b\xff\xff\xff\xff":
    print(length, shown(pickle.loads, length + b"."))
items = ([],)
print(items.__getnewargs__()[0] is items, items.__reduce_ex__(2)[1][1] is items)
print(pickle.Unpickler(io.BytesIO(b"N.")).load())
