"""bytes.hex(), fromhex() and memoryview.tobytes(): groups, blanks, orders, and wrong arguments."""
import random

random.seed(39)
KINDS = bytes, bytearray, memoryview


def tell(call, *args, **kwargs):
    try:
        print(call(*args, **kwargs))
    except Exception as e:
        print(type(e).__name__, e)


for n in *range(20), 31, 32, 33, 100, 257:
    data = random.randbytes(n)
    for kind in KINDS:
        print(kind(data).hex())
        for group in range(-9, 10):
            tell(kind(data).hex, ":", group)
    for i in range(60):
        text = list(data.hex(" ", random.randrange(1, 4)))
        for _ in range(random.randrange(3)):
            text.insert(random.randrange(len(text) + 1), random.choice("gG \t\n\x1f\xe90aF:/@`"))
        for kind in bytes, bytearray:
            tell(kind.fromhex, "".join(text))
    view = memoryview(data)
    for start in range(-3, 4):
        for step in -2, -1, 1, 2, 3:
            for order in "C", "F", "A", None, "x", 1:
                tell(view[start::step].tobytes, order)
table = memoryview(bytes(range(24))).cast("B", (2, 3, 4))
for order in "C", "F", "A":
    tell(table.tobytes, order)
    tell(table.tobytes, order=order)
for args, kwargs in ((1, 2), {}), ((), {"orde": 1}), (("C",), {"order": "C"}):
    tell(table.tobytes, *args, **kwargs)
table.release()
tell(table.tobytes)
