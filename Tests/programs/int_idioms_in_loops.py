"""Ints in loops that are compiled: bools as numbers, remainders by powers of two, divmod(); and what
comes in when it is not expected."""
def counts(items, k):
    r = 0
    for i, x in enumerate(items):
        r += x == k
        r = r * 2 + (x != k) - (i > 3) + (x in (1, 2))
        r ^= (x < k)
        r += (x > k) * 5 + (not x)
    return r % 1000003
def both(x, y):
    a, b = x < y, x == y
    return (a & b, a | b, a ^ b, a + b, a - b, a * b, a << b, a % (b or 3), a // (b or 2),
            a / (b or 4), a ** b, -a, ~a, +a, a & 7, 6 | b, b ^ 5)
def halves(x):
    return (x % 2, x // 2, x % 8, x // 64, x % 4294967296, x // 1, x % 1, x % 4611686018427387904,
            x // 1152921504606846976)
def step(x, a, c): return (x * a + c) % 18446744073709551616
def step32(x, a, c): return (x * a + c) % 4294967296
def step3(x, a, c): return ((x ^ a) * c) % 18446744073709551616 >> 33
def near(x):
    return ((x + 18446744073709551616) & 0xffff, (x * 18446744073709551617) % 256,
            (x + 18446744073709551615) % 2 ** 64)
def by(x, m): return x % m
def tries(f, *args):
    try: return f(*args)
    except Exception as e: return type(e).__name__ + ': ' + str(e)
class Int(int):
    def __mod__(self, other): return 'Int.__mod__'
    def __mul__(self, other): return 'Int.__mul__'
class Odd:
    def __eq__(self, other): return 'eq'
    def __lt__(self, other): return []
    def __gt__(self, other): return 7
    def __hash__(self): return 1
x = 1
for i in range(300):
    counts([1, 2, 3, 0, 5, 6], i % 4), both(i, 150), halves(i), step32(i, 5, 7)
    step3(i, 12345, 678), near(i), by(i, 8)
    x = step(x, 6364136223846793005, 1442695040888963407)
print(x, [step(y, 6364136223846793005, 1) for y in (0, -1, -5, 1 << 61, -1 << 61, 1 << 62, 1 << 64,
                                                    -1 << 64, (1 << 200) + 3, True)])
for y in (0, 1, -1, 7, -7, 1 << 61, -1 << 61, (1 << 62) - 1, -1 << 62, 1 << 62, 1 << 63, 1 << 64,
          -1 << 70, 3 << 100, True, 2.5, -0.5, 'a%s', None, Int(9)):
    print(tries(halves, y), tries(step32, y, 3, 5), tries(step3, y, 3, 5), tries(near, y),
          tries(by, y, 8), tries(by, y, 0))
print(counts([1, 2, 3, 0, 5], 2), counts([1.0, 2.5, True, False], 2), tries(counts, ['a', 1], 1),
      tries(counts, [Odd()], 1))
print(both(1, 2), both(2, 2), both(3, 2), both('a', 'b'), both(1.5, 1.5), tries(both, Odd(), 1),
      tries(both, 1, 'a'))
def digits(n, m):
    s = []
    while n:
        n, d = divmod(n, m)
        s.append(d)
        if len(s) > 70: break
    return s
def halved(x): a, b = divmod(x, 8); return b, a
class Pair:
    def __divmod__(self, other): return 'ab'
    def __rdivmod__(self, other): return 'abc'
for i in range(300): digits(i * 1000, 10), halved(i)
for args in (123456, 7), (-5, 7), (5, -7), (-123456, -7), (1 << 80, 10), (1 << 61, -1), \
        (-1 << 61, -1), (5.5, 2), (5, .25), \
        (3, 0), (True, 2), ('%d', 3), (Int(77), 10), (77, Int(10)), (Pair(), 3), \
        (3, Pair()), (None, 1):
    print(tries(digits, *args), tries(halved, args[0]))
old, divmod = divmod, lambda x, y: (x, y)
print(halved(99))
divmod = old
print(halved(99))
