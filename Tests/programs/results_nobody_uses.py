"""An operation whose result nobody uses still raises, in functions that are compiled while it does."""
import math

OPERATIONS = """\
10 // x; 10 % x; 1.5 / x; 1.5 // x; 1.5 % x; y / x; y // x + 5; -(10 % x); divmod(10, x)
1 << -x; 1 >> -x; y << -x; y >> -x; x ** -y; 0.0 ** -y; 5 .__floordiv__(x); 1 < 10 // x
10 // x == 3; 10.0 / x < 5; (10 // x, 1); [10 % x]; x and 10 // x; 10 // x if y else 0
math.sqrt(-x); math.log(x); math.log(-y); math.pow(x, -y); math.fmod(y, x); math.exp(1e4 * y)
math.floor(number); math.trunc(number); math.isqrt(-y); int(number); round(number); int('x')
float('x'); chr(-y); ord(text); len(x); abs(word); min(empty); max(empty); bin(mixed)
ones[x + 7]; row[x + 9]; word[x + 9]; table[x + 9]; ones[word]; [1][y]; (1,)[y]; b'a'[y]
range(3)[y + 9]; x + word; word + x; word * mixed; x < word; -word; ~mixed; mixed & 1.5
mixed | word; x in x; not stubborn; bool(stubborn); next(nothing); word.index('z'); x.missing
properties.raises; properties.missing"""

USES = "{}", "value = {}; value = 3", "drop({})"


class Stubborn:
    def __bool__(self):
        raise KeyError


class Properties:
    raises = property(lambda self: 1 // 0)


def drop(value):
    return 1


def function(operation, use):
    names = dict(math=math, drop=drop, ones=[1] * 3, row=(1,) * 3, table={}, empty=[],
                 stubborn=Stubborn(), properties=Properties())
    exec("def tried(x, y, word, text, mixed, number, nothing):\n"
         "    try:\n"
         f"        {use.format(operation)}\n"
         "    except Exception as e:\n"
         "        return type(e).__name__\n"
         "    return 'no exception'\n"
         "def counts(n):\n"
         "    seen = {}\n"
         "    for i in range(n):\n"
         "        x = i & 1\n"
         "        result = tried(x, 1 - x, 'ab', 'ab' if x else 'a', 1.5 if x else 3,\n"
         "                       math.nan if x else 1.0, iter(()))\n"
         "        seen[result] = seen.get(result, 0) + 1\n"
         "    return seen\n", names)
    return names["counts"]


for line in OPERATIONS.splitlines():
    for operation in line.split("; "):
        print(operation, *[function(operation, use)(1000) for use in USES])
