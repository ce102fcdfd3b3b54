"""printf-style, str.format, f-strings and float formatting."""
import datetime
import decimal

vals = [0.0, -0.0, 1.0, 1.5, 0.1 + 0.2, 1e16, 1e15, 123456789.123456789, 1e-5, 1e-4, 5e-324, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan"), 2 / 3, 1e22, 1e23, 100.0, 9.999999]
specs = ["", "g", "e", "f", ".3g", ".3e", ".3f", ".0f", "#.0f", "+", " ", "010.2f", ",.2f", "_.1f", "%", ".1%", "<12", ">12.4", "^12.1f", "*^+14.2e", "G", "E", "F", "n", "z.1f", "#g", "=+12.1f"]
for v in vals:
    print(repr(v), " | ".join(f"{v:{s}}" for s in specs))
for v in vals[:12]:
    print("%s %r %g %e %f %.2f %+.1e %08.2f %-10.1f| % g %#.0f %G" % ((v,) * 12))
for n in (0, 1, -1, 255, -255, 10 ** 20):
    print("%d %i %5d|%-5d|%05d %+d % d %x %X %#x %o %#o %s %r %.4d %u %c" % (n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n % 128 or 65))
    print(" ".join(f"{n:{s}}" for s in ("d", "b", "o", "x", "X", "#b", "#o", "#x", "#X", "08d", ",", "_", "_b", "#_x", "+", " ", "<8", ">8", "^8", "=+8", "*>8", "e", ".2f", "%")))
print("%s %10s|%-10s|%.2s %r %a %%" % ("str", "r", "l", "trunc", "é", "é"), "%(k)s-%(n)03d" % {"k": "key", "n": 7}, "%*.*f" % (10, 3, 2.71828), "%-*d|" % (5, 3))
print("{} {} {0}".replace("{0}", "").format(1, 2), "{1} {0} {1}".format("a", "b"), "{x.real} {y[0]} {y[1][k]} {z!r:>6}".format(x=3, y=[1, {"k": "v"}], z="q"), "{:{w}.{p}}".format("abcdef", w=6, p=3), "{{}} {{{}}}".format(1))
x, name, w = 3.14159, "pi", 10
print(f"{x=} {x = :.2f} {name!r} {name!s:>5} {name!a} {x:{w}.{3}} {{{name}}} {'nested ' + f'{name}'} {x if x > 3 else 0:.1f} {[i for i in range(3)]} {(lambda a: a * 2)(3)} {name=!s} { {1: 2}[1] }")
print(f"{x:>{w}}|{x:<{w}}|{x:^{w}}|{name:-^{w}}|{True:d}|{True}|{None!s:>6}|{1 + 2j:.2f}|{1 + 2j:>15}|{[1]!s:*^9}")
print(f"""multi {
    x
    + 1
:.1f} line""" f" {'a' 'b'}" " plain {x}" rf"\n{x:.0f}")
print(f"{datetime.date(2024, 2, 29):%d/%m/%Y %A} {datetime.timedelta(days=1, seconds=3)} {decimal.Decimal('1234.5678'):,.2f} {decimal.Decimal('1E+5')}")
for v in (1 + 2j, -0.0 - 0j, 1e20 + 1e-5j, complex("nan+infj")):
    print(repr(v), f"{v:.2f} {v:g} {v:+e}", str(v))


class F:
    def __format__(self, s):
        return f"F({s})"

    def __repr__(self):
        return "F!"


print(f"{F():abc} {F()} {F()!r:>5} {F()!s}", format(F(), "x"), "{:{}}".format(F(), "z"), "%s" % F())
for spec in ("d", "x", ",d", "_,", ",_", "5q", ".", "..", "1000000000000000000000", "=", "c", "s", ".5", "z", "é<5", "<é"):
    for v in (1, 1.5, "s", None, [1], 1j):
        try:
            r = format(v, spec)
        except Exception as e:
            r = f"{type(e).__name__}: {e}"
        print(spec, repr(v), r)
print([round(v, n) for v, n in ((2.675, 2), (1.005, 2), (0.5, 0), (1.5, 0), (2.5, 0), (1234.5678, -2), (1e300, 5), (-0.4, 0))], round(2.5), round(3.5), round(-2.5), round(1e20))
print([float(s) for s in ("1e5", " .5 ", "-1_0.0_1", "inf", "-Infinity", "nan", "1.", "0x10" if 0 else "10")], [v.hex() for v in vals[:6]], float.fromhex("0x1.8p3"), (0.1).as_integer_ratio(), (2.0).is_integer())
for bad in ("", "1e", "--1", "1__0", "0x1", "é", "1 2", "infin"):
    try:
        float(bad)
    except ValueError as e:
        print(e)
table = [("item", "qty", "price"), ("apple", 3, 1.25), ("watermelon", 10, 12.5), ("fig", 1000, 0.333)]
for r in table:
    print("|".join(f"{c:>12.2f}" if isinstance(c, float) else f"{c:^12}" if isinstance(c, str) else f"{c:>12,}" for c in r))
print(f"{x!r:d}")
