"""Arithmetic of bools, and of bools and ints: compiled code takes them for numbers."""
import random
class Box:
    def __init__(self, on): self.on = on
def total(l):
    s = 0
    for x in l: s = s + x
    return s
def tri(a, b, c): return a + b + c
def attrs(l):
    n = 0
    for x in l:
        n += x.on
        n = n * 1 - x.on + x.on
    return n
def bits(l):
    n = 0
    for i, x in enumerate(l): n |= x << (i & 7); n ^= x; n &= 255 | x
    return n
def both(l):
    out = []
    for i in range(len(l)-1): out.append(l[i] & l[i+1]); out.append(l[i] | l[i+1]); out.append(l[i] ^ l[i+1]); out.append(l[i] + l[i+1]); out.append(-l[i]); out.append(l[i] * 3)
    return out
def kinds(l):
    out = []
    for x in l:
        out.append(x + 1); out.append(1 - x); out.append(x // 1); out.append(x * 2.0); out.append(x % 2)
    return out
def one_known(l):
    """The compiler knows that one of the operands is a bool: the other one may be, too."""
    f = g = h = False
    seen = set()
    for x in l:
        f = (x == 1) ^ f
        g = h & False
        h = g | (x is True)
        x ^= x == 1
        seen |= {repr(f), repr(g), repr(h), repr(x)}
    return sorted(seen)
random.seed(1)
flags = [random.random() < .5 for _ in range(200)]
for r in range(60):
    print(total(flags), total([1, True, False, 7]), tri(flags[r], flags[r+1], flags[r+2]))
    print(attrs([Box(f) for f in flags]), bits(flags), len(both(flags)), both(flags)[:14], kinds(flags)[:10])
print(total([True, 2.5, 1]), total([True, 1 << 80, False]), total([1, 2, True]), total([]))
print(kinds([1.5, 2 << 70, True, False, 3])) 
try: total([True, 'x'])
except TypeError as e: print(e)
try: bits([1.5])
except TypeError as e: print(e)
for r in range(60): total(flags); kinds([2.5, True])
print(both([True, 3, False, 1 << 40, True]), kinds([2.5, True, 0]))
for r in range(60): one_known(flags)
print(one_known(flags), one_known([True, 3, False]), one_known([5, 6, True]))
