"""What is asked of an iterable, in which order, by what takes one."""
import collections


class Wrong:
    def __len__(self):
        print("len")
        return -1

    def __iter__(self):
        print("iter")
        return 3


class Hint:
    def __len__(self):
        print("len")
        return 2

    def __iter__(self):
        print("iter")
        return iter((1, 2))


def extended(target, value):
    target.extend(value)
    return target


def assigned(value):
    items = [1]
    items[:] = value
    return items


TAKERS = {
    "list": list, "tuple": tuple, "set": set, "frozenset": frozenset, "bytes": bytes,
    "bytearray": bytearray, "deque": collections.deque, "Counter": collections.Counter,
    "UserList": collections.UserList, "sorted": sorted, "fromkeys": dict.fromkeys,
    "sum": sum, "all": all, "max": max,
    "extend": lambda w: extended([], w),
    "bytearray.extend": lambda w: extended(bytearray(), w),
    "slice": assigned,
    "+=": lambda w: [].__iadd__(w),
    "[*w]": lambda w: [*w],
    "(*w,)": lambda w: (*w,),
    "print(*w)": lambda w: print(*w),
    "f(*w)": lambda w: (lambda a, b: (a, b))(*w),
    "join": lambda w: "".join(w),
    "map": lambda w: list(map(str, w)),
    "zip": lambda w: list(zip(w)),
    "enumerate": lambda w: list(enumerate(w)),
    "reversed": lambda w: list(reversed(w)),
    "union": lambda w: set().union(w),
    "update": lambda w: set().update(w),
    "intersection": lambda w: {1}.intersection(w),
}

for kind in Wrong, Hint:
    for name, take in TAKERS.items():
        print(kind.__name__, name)
        try:
            print(take(kind()))
        except Exception as e:
            print(type(e).__name__, e)
