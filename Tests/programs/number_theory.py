"""Big integers at work: primes, RSA, continued fractions, bases, digits, bit tricks, exact rationals, float corners."""
import math
import random
import sys
from decimal import Decimal, getcontext, localcontext, ROUND_HALF_EVEN, InvalidOperation
from fractions import Fraction
from itertools import accumulate, count, islice, takewhile


def is_prime(n, rounds=12):
    if n < 2: return False
    for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        if n % p == 0: return n == p
    d, s = n - 1, 0
    while not d & 1: d, s = d >> 1, s + 1
    for a in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)[:rounds]:
        x = pow(a, d, n)
        if x in (1, n - 1): continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1: break
        else: return False
    return True


def rho(n):
    if n % 2 == 0: return 2
    for c in count(1):
        x = y = 2; d = 1
        while d == 1:
            x = (x * x + c) % n
            y = (y * y + c) % n; y = (y * y + c) % n
            d = math.gcd(abs(x - y), n)
        if d != n: return d


def factor(n):
    if n == 1: return []
    if is_prime(n): return [n]
    d = rho(n)
    return sorted(factor(d) + factor(n // d))


rng = random.Random(99)
print([n for n in range(2 ** 61 - 50, 2 ** 61) if is_prime(n)], is_prime(2 ** 521 - 1), is_prime(2 ** 523 - 1))
for n in (2 ** 32 + 1, 2 ** 64 - 1, 10 ** 15 + 37 * 3, 600851475143, 999999866000004473):
    print(n, factor(n))


def prime(bits):
    while not is_prime(p := rng.getrandbits(bits) | 1 | 1 << bits - 1): pass
    return p


p, q = prime(256), prime(256)
n, phi, e = p * q, (p - 1) * (q - 1), 65537
d = pow(e, -1, phi)
message = int.from_bytes(b"attack at dawn \xe2\x98\x83", "big")
cipher = pow(message, e, n)
print(hex(cipher)[-20:], pow(cipher, d, n).to_bytes(18, "big"), d * e % phi, n.bit_length(), n.bit_count())


def sqrt_fraction(n):
    m, dd, a0 = 0, 1, math.isqrt(n)
    a = a0
    yield a
    while True:
        m = dd * a - m
        dd = (n - m * m) // dd
        a = (a0 + m) // dd
        yield a


def convergents(terms):
    h, k, h1, k1 = 1, 0, 0, 1
    for a in terms:
        h, h1 = a * h + h1, h
        k, k1 = a * k + k1, k
        yield Fraction(h, k)


print(list(islice(sqrt_fraction(61), 12)), [str(f) for f in islice(convergents(sqrt_fraction(61)), 8)])
pell = next(f for f in convergents(sqrt_fraction(661)) if f.numerator ** 2 - 661 * f.denominator ** 2 == 1)
print(pell)


def to_base(n, b, digits="0123456789abcdefghijklmnopqrstuvwxyz"):
    out = []
    while n: n, r = divmod(n, b); out.append(digits[r])
    return "".join(reversed(out)) or "0"


for b in (2, 3, 7, 10, 16, 36):
    big = 3 ** 200 + b
    assert int(to_base(big, b), b) == big
    print(b, to_base(big, b)[:30], int("zz"[:1] * 0 + "1" * 20, b))
fib = list(accumulate(range(300), lambda ab, _: (ab[1], ab[0] + ab[1]), initial=(0, 1)))
print(fib[300][0], sum(map(int, str(2 ** 1000))), len(str(math.factorial(1000))), math.comb(200, 77) % 1000003, math.perm(30, 8))
print([(-7) // 2, -7 % 2, 7 // -2, 7 % -2, divmod(-7, 3), divmod(7, -3), -1 >> 100, -5 >> 1, ~5, -8 & 0xff, -1 ^ 3, 1 << 70 >> 69])
big = 10 ** 60 + 12345678901234567890
print(big // 997, big % 997, -big // 10 ** 30, -big % 10 ** 30, divmod(big, -10 ** 31), big & (1 << 100) - 1, (-big) & 0xffffffff, big | 1, big ^ -big, (-big) >> 77, big << 3)
print(round(12345, -2), round(-15, -1), round(25, -1), round(big, -50), int(1e23), int(-1e300) % 10 ** 9, float(2 ** 1023), 2 ** 53 + 1 == float(2 ** 53 + 1), 2 ** 53 + 1 > 2.0 ** 53)
for expr in ("1 << -1", "2 ** -2", "0 ** -1", "pow(3, -1, 9)", "pow(2, 5, 0)", "int('12_3_')", "int('0x1f', 0)", "int('0b101', 0)", "int('010', 0)", "int('٣')", "int(' 5\\n')", "int('')", "int('1' * 5000)",
             "float('1_0.5')", "float('nan') == float('nan')", "float('-inf')", "math.isqrt(-1)", "math.factorial(-1)", "(10**400) / (10**399)", "1e308 * 10", "10**400 * 1.0", "int(float('inf'))", "float(10**400)", "(2).bit_length()",
             "(1.5).hex()", "float.fromhex('0x1.8p-1074')", "(0.1).as_integer_ratio()", "math.nextafter(1, 2)", "math.ulp(1e300)", "math.fsum([1e100, 1, -1e100])", "sum([0.1] * 10)", "0.1 + 0.2", "1e16 + 1", "5e-324 / 2", "-0.0", "round(2.675, 2)", "round(0.5), round(1.5), round(-2.5)",
             "math.fmod(-7, 3), -7.0 % 3, math.remainder(7, 2)", "7.5 // -2, divmod(-7.5, 2)", "math.dist([1, 2], [4, 6])", "math.hypot(3e200, 4e200)", "math.gamma(5.5), math.erf(0.5)", "math.log2(2**2000), math.log(10**500), math.log10(10**300)", "math.lcm(12, 18, 35), math.gcd()", "math.prod(range(1, 15), start=0.5)",
             "'%.3e %g %g %.0f %r' % (123456.789, 1e-5, 1e16, 2.5, 1e22)", "f'{2**70:,} {1234.5678:_.2f} {0.000012345:.3g} {255:#x} {-5:+06d} {3.0:n} {1e100:.3f}'[:90]", "complex('1-2j') ** 2, (1+2j) / (3-4j), abs(3+4j), (-1) ** 0.5, 1j ** 2j"):
    try:
        print(expr[:60], "=>", eval(expr))
    except Exception as e:
        print(expr[:60], "=>", type(e).__name__, e)
with localcontext() as ctx:
    ctx.prec = 60
    a, b, t, pp = Decimal(1), 1 / Decimal(2).sqrt(), Decimal("0.25"), 1
    for _ in range(6): a, b, t, pp = (a + b) / 2, (a * b).sqrt(), t - pp * ((a - b) / 2) ** 2, pp * 2
    print((a + b) ** 2 / (4 * t))
print(Decimal("1.10") + Decimal("2.2"), Decimal("1E+5").normalize(), Decimal("2.665").quantize(Decimal("0.01"), ROUND_HALF_EVEN), Decimal(0.1), Fraction(0.1).limit_denominator(100), Fraction("3.25") ** -2, Fraction(7, 3) // 1, Fraction(-7, 3) % 2)


def harmonic(n): return sum((Fraction(1, i) for i in range(1, n + 1)), Fraction())


print(harmonic(30), float(harmonic(50)), harmonic(10) - 2.5, Fraction(1, 3) == 1 / 3, hash(Fraction(5)) == hash(5), hash(0.5) == hash(Fraction(1, 2)), hash(2 ** 61 - 1), hash(-1), hash(float("inf")))
print(list(takewhile(lambda x: x < 200, (x for x in count(2) if is_prime(x))))[-5:])
print(sys.int_info.bits_per_digit, sys.float_info.dig, sys.hash_info.modulus == 2 ** 61 - 1)

# Which part refuses text with underscores and null bytes.
for text in "1_0\0", "1_0\0_", "\0_1", "1\0", "1_0", "1__0", "_1", " 1_0\0 ", "1\0_0":
    for kind in complex, float, int:
        try:
            print(repr(text), kind.__name__, kind(text))
        except ValueError as e:
            print(repr(text), kind.__name__, e)
