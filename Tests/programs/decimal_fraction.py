"""decimal, fractions, statistics, random with a seed, math functions."""
import decimal
import fractions
import math
import random
import statistics
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, ROUND_UP, Decimal as D, localcontext
from fractions import Fraction as F

print(D("0.1") + D("0.2"), D(1) / D(3), D("1.10") * 3, D("1e-7"), D("123E+3"), D(0.1), D("-0"), D((1, (1, 2, 3), -2)), D("NaN"), D("sNaN"), D("-Infinity"), D("1_000.5"))
print(repr(D("1.50")), D("1.50").normalize(), D("1E3").quantize(D("1")), D("2.675").quantize(D("0.01"), ROUND_HALF_UP), [D("2.5").quantize(D(1), r) for r in (ROUND_DOWN, ROUND_HALF_EVEN, ROUND_UP)])
print(D("7") // D("-2"), D("7") % D("-2"), divmod(D("-7"), 2), D("2") ** D("0.5"), D(2).sqrt(), D(2).ln(), D(10).exp(), D(1000).log10(), D("1.23456789").as_tuple(), D("3.7").to_integral_value(), int(D("3.7")), float(D("3.7")), round(D("2.345"), 2), round(D("2.5")), math.floor(D("-1.5")))
with localcontext() as ctx:
    ctx.prec = 50
    print(D(1) / D(7), D(2).sqrt())
    ctx.traps[decimal.DivisionByZero] = False
    print(D(1) / 0, ctx.flags[decimal.DivisionByZero])
    ctx.rounding = decimal.ROUND_CEILING
    ctx.prec = 3
    print(D("1.2341") + 0, +D("-1.2349"), ctx.create_decimal("9.9999"))
print(D("1.0") == 1, D("0.1") == 0.1, D("0.5") == F(1, 2), hash(D("1.5")) == hash(1.5), D("1") < 2.5, sorted([D("3"), 1, 2.5, F(1, 3)]), D("1.0").compare(D("1.00")), D("1.0").compare_total(D("1.00")), max(D("1"), D("2")), D("12.3").adjusted(), D("1.00").same_quantum(D("2.11")), D(5).is_signed(), D("1E+5").to_eng_string(), D("0E-10"), str(D("1E-10")))
print(decimal.getcontext())
print(f"{D('1234567.891'):,.2f} {D('0.000012'):e} {D('0.5'):.0%} {D('3'):>8} {D('3.14159'):+.3f} {D('1e10'):f} {D('nan'):>5}")
print(F(3, 6), F("0.125"), F("3/4") + F(1, 4), F(0.1).limit_denominator(1000), F(-7, 2) // 1, F(-7, 2) % 2, F(1, 3) ** 2, F(4, 9) ** 0.5, F(2) ** -3, repr(F(1, 3)), F("1e-3"), float(F(1, 3)), round(F(7, 3), 2), round(F(5, 2)), math.ceil(F(1, 3)), F(1, 2) + 0.5, F(1, 2) == 0.5, hash(F(1, 2)) == hash(0.5), F(1, 3) < 0.34, abs(F(-1, 2)), divmod(F(7, 2), F(2, 3)), F(1, 2) + 1j, F(D("0.25")), F(3).numerator, F(22, 7).as_integer_ratio(), sum([F(1, n) for n in range(1, 20)]))
print(statistics.mean([1, 2, 3, 4]), statistics.median([1, 3, 2, 4]), statistics.mode("aab"), statistics.stdev([1, 2, 3, 4]), statistics.variance([F(1), F(2)]), statistics.pstdev([2.5, 3.25]), statistics.quantiles(range(10)), statistics.harmonic_mean([40, 60]), statistics.geometric_mean([54, 24, 36]), statistics.multimode("aabb"), statistics.correlation([1, 2, 3], [1, 2, 4]), statistics.linear_regression([1, 2, 3], [2, 4, 6.5]), statistics.fmean([1, 2]), statistics.NormalDist(10, 2).cdf(11), statistics.median_grouped([1, 2, 2, 3]))
r = random.Random(42)
print(r.random(), r.randint(1, 100), r.choice("abc"), r.sample(range(100), 5), r.shuffle(x := list(range(8))), x, r.gauss(0, 1), r.uniform(1, 2), r.choices("ab", [1, 3], k=5), r.getrandbits(70), r.randrange(0, 100, 7), r.expovariate(1), r.betavariate(1, 2), r.triangular(), r.randbytes(4), r.normalvariate(), r.vonmisesvariate(1, 2), r.gammavariate(2, 1), r.paretovariate(3), r.lognormvariate(0, 1))
random.seed("text")
print(random.random(), random.getstate()[0], random.Random(3.5).random(), random.Random(b"b").random(), random.Random(2 ** 100).random())
print(math.sin(1), math.cos(1), math.tan(1), math.exp(1), math.log(10), math.log2(8), math.log10(1000), math.log(8, 2), math.sqrt(2), math.cbrt(27) if hasattr(math, "cbrt") else "", math.hypot(3, 4, 12), math.dist([1, 2], [3, 4]), math.atan2(1, -1), math.fsum([.1] * 10), math.prod([1, 2, 3]), math.gamma(5.5), math.erf(.5), math.erfc(.5), math.trunc(-2.5), math.copysign(1, -0.0), math.frexp(10), math.ldexp(.5, 4), math.modf(-2.5), math.remainder(7, 4), math.ulp(1), math.nextafter(1, 2), math.isclose(.1 + .2, .3), math.degrees(math.pi), math.expm1(1e-10), math.log1p(1e-10), math.asinh(1), math.tau, math.exp2(.5))
for f in (lambda: D("abc"), lambda: D("1") / 0, lambda: D(0) / 0, lambda: D("1") + 1.5, lambda: D([1]), lambda: D("sNaN") + 1, lambda: D("NaN") < 1, lambda: D("Infinity") // 1 * 0, lambda: D("1e999999") ** 9, lambda: D(-1).sqrt(), lambda: D("1.234").quantize(D("1e-50")), lambda: int(D("NaN")), lambda: int(D("inf")), lambda: hash(D("sNaN")), lambda: D((1, 2, 3)), lambda: format(D(1), "q"), lambda: setattr(decimal.getcontext(), "prec", 0), lambda: setattr(decimal.getcontext(), "rounding", "x"),
          lambda: F(1, 0), lambda: F("a"), lambda: F(1.5, 2), lambda: F("1/0"), lambda: F(float("nan")), lambda: F(float("inf")), lambda: F(1) / 0, lambda: F(0) ** -1, lambda: F(1, 2) < 1j, lambda: setattr(F(1), "numerator", 3),
          lambda: statistics.mean([]), lambda: statistics.mode([]), lambda: statistics.stdev([1]), lambda: statistics.mean(["a"]), lambda: r.choice([]), lambda: r.randint(2, 1), lambda: r.sample([1], 2), lambda: r.sample({1}, 1), lambda: random.Random([]), lambda: r.choices([], k=1), lambda: r.randrange(1.5), lambda: r.shuffle("ab"),
          lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.log(-1), lambda: math.exp(1000), lambda: math.sin(float("inf")), lambda: math.sqrt("a"), lambda: math.floor("a"), lambda: math.floor(float("nan")), lambda: math.pow(-1, .5), lambda: math.pow(0, -1), lambda: math.gamma(0), lambda: math.fsum([1e308, 1e308]), lambda: math.dist([1], [1, 2]), lambda: math.hypot("a"), lambda: math.acos(2), lambda: math.ldexp(1, 99999), lambda: math.fmod(1, 0), lambda: math.gcd(1.5), lambda: math.log(2, 1), lambda: math.log(), lambda: math.prod(1), lambda: math.atanh(1)):
    try:
        print("ok", f())
    except ArithmeticError as e:
        print(type(e).__name__, e)
    except Exception as e:
        print(type(e).__name__, e)
D("5") / D("0.0")
