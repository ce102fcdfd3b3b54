"""Every usual combination of flags, width, precision and type, for values of all
kinds, through format() and %: one checksum per value and specification type."""
import zlib

VALUES = [0, 1, -1, 255, -4096, 123456789, -2**62, 2**63, 10**30, True, 0.0, -0.0, 1.5,
          -2.675, 0.001, -0.05, 1e15, 1e14 + .5, 1e22, float("inf"), float("nan"), "", "a",
          "hello world", "h\xe9", None]


def outcome(function):
    try:
        return repr(function())
    except Exception as e:
        return f"{type(e).__name__}: {e}"


def format_specs(kind):
    for align in ("", "<", ">", "^", "="):
        for zero in ("", "0"):
            for width in ("", "3", "12", "100"):
                for comma in ("", ",", "_"):
                    for precision in ("", ".0", ".2", ".30"):
                        yield align + zero + width + comma + precision + kind


def directives(kind):
    for flag in ("", "-", "0", "+", "#", "-0"):
        for width in ("", "3", "99"):
            for precision in ("", ".0", ".2"):
                yield "%" + flag + width + precision + kind


for value in VALUES:
    for kind in ("", "d", "x", "o", "b", "f", "%", "s", "e", "q"):
        total = 0
        for spec in format_specs(kind):
            total = zlib.crc32(outcome(lambda: format(value, spec)).encode(), total)
        print("format", repr(value), repr(kind), total)
    for kind in "dixXofsrg%":
        total = 0
        for directive in directives(kind):
            for args in (value, (value,), (value, value), ()):
                total = zlib.crc32(outcome(lambda: f"<{directive}>" % args).encode(), total)
            both = outcome(lambda: f"%s {directive}%%" % (value, value))
            total = zlib.crc32(both.encode(), total)
        print("percent", repr(value), kind, total)
