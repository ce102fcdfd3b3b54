"""Integers: big arithmetic, bases, bits, parsing, rounding, errors."""
import math
import sys


def fact(n):
    return 1 if n < 2 else n * fact(n - 1)


print(fact(100))
print(fact(60) // fact(30), fact(60) % (10 ** 30 + 7), divmod(-fact(25), 10 ** 9 + 7))
a, b = 3 ** 200, 7 ** 90
print(a * b, a // b, a % b, a - b, -a // b, -a % b, a // -b, a % -b)
print(a & b, a | b, a ^ b, ~a, -a & b, -a | -b, a ^ -b)
print(a << 77, a >> 100, -a >> 100, -1 >> 1000, 0 << 10 ** 5)
print(pow(a, b, 10 ** 20 + 39), pow(3, -1, 10 ** 18 + 9), pow(-7, 3, 100), pow(2, 10, -7))
print(math.isqrt(a), math.gcd(fact(30), 6 ** 40), math.lcm(*range(1, 40)), math.comb(200, 100), math.perm(30, 12))
print(a.bit_length(), a.bit_count(), (0).bit_length(), (-8).bit_length())
for base in (2, 3, 7, 8, 16, 36):
    s = "".join("0123456789abcdefghijklmnopqrstuvwxyz"[(a // base ** i) % base] for i in range(60))[::-1]
    print(base, int(s, base))
print(hex(a), oct(-b), bin(2 ** 70 + 1))
print(int("0x_ff", 16), int("0b101", 0), int(" -12_345 "), int("0o17", 8), int("\u0663\u0664"), 0xdead_beef, 1_000)
print(a.to_bytes(50, "big").hex(), (-5).to_bytes(3, "little", signed=True), int.from_bytes(b"\xff\x00\x80", "big", signed=True))
print(round(12345, -2), round(-15, -1), round(25, -1), round(a, -90))
print(float(a), a / b, b / a, int(1e30), int(-2.9), 10 ** 25 / 10 ** 3, (2 ** 53 + 1) * 1.0)
print(f"{a:,}", f"{b:_x}", f"{-12345:+010,d}", f"{255:#010b}", f"{97:c}", f"{10**30:e}", f"{5:%}", f"{12:^+9}", f"{0:#x}")
print(hash(a), hash(-1), hash(2 ** 61 - 1), hash(2 ** 61), hash(-a))
print(a == float(a), 2 ** 53 == float(2 ** 53), 2 ** 53 + 1 > 2.0 ** 53, 10 ** 400 > 1e308, -10 ** 400 < float("-inf"))
print(sorted([3, -10 ** 30, 2.5, True, 10 ** 20, float("inf"), -0.0]))
for x in (7, -7):
    for y in (2, -2):
        print(x // y, x % y, divmod(x, y), x / y, math.fmod(x, y), end="; ")
print()


def egcd(a, b):
    x0, y0, x1, y1 = 1, 0, 0, 1
    while b:
        q = a // b
        a, b = b, a - q * b
        x0, x1 = x1, x0 - q * x1
        y0, y1 = y1, y0 - q * y1
    return a, x0, y0


print(egcd(fact(20) + 1, 3 ** 40))


def is_prime(n):
    if n < 2:
        return False
    for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        if n % p == 0:
            return n == p
    d, s = n - 1, 0
    while d % 2 == 0:
        d //= 2
        s += 1
    for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        x = pow(p, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


print([p for p in range(10 ** 12, 10 ** 12 + 200) if is_prime(p)], [e for e in range(2, 130) if is_prime(2 ** e - 1)])


def pi_digits(n):
    q, r, t, k, m, x = 1, 0, 1, 1, 3, 3
    while n:
        if 4 * q + r - t < m * t:
            yield m
            n -= 1
            q, r, m = 10 * q, 10 * (r - m * t), (10 * (3 * q + r)) // t - 10 * m
        else:
            q, r, t, k, m, x = q * k, (2 * q + r) * x, t * x, k + 1, (q * (7 * k + 2) + r * x) // (t * x), x + 2


# No int has so many bits; up to some number it is memory that says so.
for n in 2**63, 2**65, 30 * 2**61 + 100, 2**70, 10**400:
    for value in 1, -5, 0:
        try:
            print(n.bit_length(), value << n)
        except (MemoryError, OverflowError) as e:
            print(n.bit_length(), value, type(e).__name__, e)

print("".join(map(str, pi_digits(120))))
for f in (lambda: 1 // 0, lambda: 1 % 0, lambda: 1 / 0, lambda: divmod(1, 0), lambda: 0 ** -1, lambda: 1 << -1, lambda: 10 ** 400 / 3,
          lambda: float(10 ** 400), lambda: int("1" * 5000), lambda: str(10 ** 5000), lambda: int(""), lambda: int("1__0"), lambda: int("z", 37),
          lambda: int(float("nan")), lambda: int(float("inf")), lambda: int([]), lambda: int("1", 2, 3), lambda: int(1, 2), lambda: pow(2, -1, 4),
          lambda: pow(2, 3, 0), lambda: pow(2.0, 3, 5), lambda: (300).to_bytes(1, "big"), lambda: (-1).to_bytes(1, "big"), lambda: (1).to_bytes(1, "mid"),
          lambda: math.isqrt(-1), lambda: math.factorial(-1), lambda: math.factorial(2.0), lambda: math.comb(-1, 2), lambda: f"{1:s}", lambda: f"{1:,n}", lambda: f"{1:.3d}",
          lambda: f"{-1:c}", lambda: 1 & 1.0, lambda: "a" + 1, lambda: 1 + "a", lambda: [] * 2.0, lambda: "a" * (1 << 70), lambda: range(1, 2, 0), lambda: chr(-1), lambda: int("9" * 30 + "x")):
    try:
        print("ok", f())
    except Exception as e:
        print(type(e).__name__, e)
for text in "9" * 4301 + "x", "9" * 4301 + " x", "9" * 4301 + "_", "9" * 4300 + "x", "f" * 5000 + " x", b"9" * 4301 + b"\0":
    for base in 10, 36, 16:
        try:
            print(int(text, base) % 1000)
        except ValueError as e:
            print(str(e)[:80])
print(sys.int_info, sys.maxsize)
sys.set_int_max_str_digits(0)
print(len(str(7 ** 20000)), str(7 ** 20000)[:30], int(str(3 ** 9000)) == 3 ** 9000)
1 << (1 << 70)
