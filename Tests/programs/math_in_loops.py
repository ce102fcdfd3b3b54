"""Functions of math in loops that are compiled: numbers of all kinds, errors, and functions that
are replaced."""
import math
def waves(items):
    return [math.sin(x) + math.cos(x) * math.exp(-x) - math.tanh(x) + math.atan(x) + math.fabs(x)
            for x in items]
def roots(items): return [math.sqrt(x) for x in items]
def total(items):
    sin, r = math.sin, 0.0
    for x in items: r += sin(x) - math.tan(x)
    return r
def tries(f, *args):
    try: return f(*args)
    except Exception as e: return type(e).__name__ + ': ' + str(e)
class Number:
    def __float__(self): return .5
class Real(float):
    def __float__(self): return 2.5
for i in range(300): waves([.5, 1.5, -1.0]), roots([2.0, .25]), total([.1, .2]), total([.1, 1])
inf, nan = float('inf'), float('nan')
for items in ([.5, -0.0, 1e300, 1e-320], [1, -1, True], [nan], [inf], [-inf], [-1000.0], [Number()],
              [Real(1)], [1 << 70], [1 << 2000], ['a'], [None], [1j], [Number(), .5, 3]):
    print(tries(waves, items), tries(roots, items), tries(total, items))
old, math.sin = math.sin, lambda x: 100.0
print(waves([.5]), total([.5]))
math.sin = old
print(waves([.5]), total([.5]))
