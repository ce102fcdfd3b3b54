vals = [0, 1, -1, 2, 7, -7, 255, 2**30, -2**30, 2**31, 2**61, 2**62-1, 2**62, -2**62, -2**62-1, 2**63, -2**63, 10**30, 1.5, -2.5, 0.0, 1e300, True, 'ab', None]
ops = [('+', lambda a, b: a + b), ('-', lambda a, b: a - b), ('*', lambda a, b: a * b if abs(len(str(a))) < 40 else 0), ('/', lambda a, b: a / b), ('//', lambda a, b: a // b), ('%', lambda a, b: a % b),
  ('&', lambda a, b: a & b), ('|', lambda a, b: a | b), ('^', lambda a, b: a ^ b), ('<', lambda a, b: a < b), ('<=', lambda a, b: a <= b), ('==', lambda a, b: a == b), ('!=', lambda a, b: a != b), ('>', lambda a, b: a > b), ('>=', lambda a, b: a >= b), ('is', lambda a, b: a is b if not isinstance(a, float) and not isinstance(b, float) else 0)]
for n, f in ops:
    for a in vals:
        for b in vals:
            try:
                if n == '*' and (isinstance(a, str) or isinstance(b, str)) and not (a in (0, 1, 2, 7, -1) or b in (0, 1, 2, 7)): continue
                r = f(a, b)
            except Exception as e: r = f'{type(e).__name__}: {e}'
            print(repr(a), n, repr(b), '=', repr(r))
for a in vals:
    for s in (0, 1, 5, 29, 30, 31, 59, 60, 61, 62, 63, 64, 100, -1):
        for n, f in (('<<', lambda a, b: a << b), ('>>', lambda a, b: a >> b)):
            try: r = f(a, s)
            except Exception as e: r = f'{type(e).__name__}: {e}'
            print(repr(a), n, s, '=', repr(r))
    for n, f in (('-', lambda a: -a), ('+', lambda a: +a), ('~', lambda a: ~a), ('not', lambda a: not a), ('+1', lambda a: a + 1), ('-1', lambda a: a - 1), ('*3', lambda a: a * 3), ('//3', lambda a: a // 3), ('%5', lambda a: a % 5), ('&15', lambda a: a & 15), ('<<3', lambda a: a << 3), ('>>2', lambda a: a >> 2), ('//-1', lambda a: a // -1), ('%-3', lambda a: a % -3), ('//0', lambda a: a // 0), ('%0', lambda a: a % 0), ('<5', lambda a: 'y' if a < 5 else 'n'), ('==5', lambda a: 'y' if a == 5 else 'n'), ('>=-3', lambda a: 'y' if not a >= -3 else 'n')):
        try: r = f(a)
        except Exception as e: r = f'{type(e).__name__}: {e}'
        print(repr(a), n, '=', repr(r))
x = 2**61
x += x; print(x); x += x; print(x); x -= 1; print(x); x *= -1; print(x); x //= 3; print(x); x %= 1000; print(x); x <<= 70; print(x); x >>= 65; print(x); x **= 3; print(x)
s = ''
for i in range(1000): s += 'ab'
print(len(s)); t = s; s += 'c'; print(len(t), len(s))
f = 1.0
for i in range(10): g = f; f = f * 1.5 + g
print(f, g)
def facts(n):
    r = 1
    for i in range(1, n + 1): r *= i
    return r
print(facts(30), facts(100) % 1000007)
print(sum(range(100000)), sum([i * i for i in range(1000)]))
i = 0
while i < 10: i += 3
print(i, 5 if i > 3 and i < 20 else 6, 1 < i < 20, 1 < i > 50, i in (12, 13), i not in [1])
a = [1, 2, 3, 4, 5]; a[0] += 10; a[-1] = 7; print(a, a[1:3], a[::-1], a[-2:]); a[1:3] = []; del a[0]; print(a)
d = {}
for i in range(10): d[i] = i * i; d['k%d' % i] = i
print(d[3], d['k7'], len(d)); print('%s %r %05d' % ('a', 'b', 42), f'{3.14159:.2f} {i!r:>5} {"x":*^7}')
a, (b, *c), d = 1, (2, 3, 4), 5; print(a, b, c, d); a, b = b, a; print(a, b)
print(*[1, 2], *(3, 4), sep='-')
print([x for x in [1, 2, 3]], {**{'a': 1}, 'b': 2}, [*range(3)], {*'ab'} == {'a', 'b'})
global_var = 1
def gl():
    global global_var; global_var += 1; return global_var
gl(); print(gl())
print((lambda: (yield))().__class__.__name__, ...)
lst = []
for i in range(3): lst.append(lambda i=i: i)
print([f() for f in lst]); print(1 if [] else 2, not [], [] or 'e', 'n' and 'm')
x = 10**18; y = x * 10; z = y * 100; print(x, y, z, z // x, id(x) == id(x))
w = 123456; print(w is w, [w][0] is w, w is 123456 + 0)
