"""Complex numbers in loops that are compiled: zeros keep their signs, what is kept keeps its value,
and classes of Python's, errors and other kinds of numbers come in when they are not expected."""
def escape(c, z, most):
    for i in range(most):
        if abs(z) > 2:
            return i
        z = z * z + c
    return most
def mixed(z, w, x, n):
    return (2 * z * w - x + n, x * z, z - 1j * n, z / x, z / n, z ** 2, z ** 3.0, -2j * x * n,
            z.real * w.imag, (z + w).real, complex(x, n) * z, z * x / 4)
def powers(z): return [z ** 1 * z, (z ** 2).imag, z ** 5, z ** 8, z ** 9]
def kept(z, n):
    all = []
    for k in range(n):
        old = z
        z = z * 1j
        all.append(z)
        z += old
        if k % 3: all.append(old)
    return all, z
def lent(z): return [z, z := z * 2, z, (z := z + 1) + z, z]
def cell(z):
    def inner(): return z
    z = z * 2
    first = inner()
    z = z * 2
    return first, inner(), z
def sizes(items): return [abs(x) for x in items]
def tries(f, *args):
    try: return f(*args)
    except Exception as e: return type(e).__name__ + ': ' + str(e)
class Own(complex):
    def __mul__(self, other): return 'Own.__mul__'
    def __rmul__(self, other): return 'Own.__rmul__'
    def __abs__(self): return 'Own.__abs__'
    real = 'own'
class Real(float):
    def __abs__(self): return 'Real.__abs__'
class Right:
    def __radd__(self, other): return 'Right.__radd__'
    def __rmul__(self, other): return 'Right.__rmul__'
inf, nan = float('inf'), float('nan')
for i in range(300):
    escape(-.7 + .27j, .1j, 20), mixed(1 + 2j, .5j, .25, 3), powers(.5 - 1j), lent(1j), cell(2j)
    kept(1 + .5j, 4), sizes([1.5, -2.5]), sizes([3j, 4 + 1j])
print(escape(-.7 + .27j, 0j, 200), escape(.3, 0j, 50), escape(.1j, 0, 50), escape(1, 0, 50))
print(mixed(1 + 2j, .5j, .25, 3), mixed(-0j, 0j, -5e-324, -3), 
      tries(mixed, -0j, 0j, -0.0, -3), sep='\n')
print(mixed(complex(inf, nan), complex(-0.0, -inf), inf, 1 << 60))
for args in (1, 2, .5, 3), (1j, 2j, 3j, 4), (True, 1j, .5, 2), (Own(1), 1j, .5, 3), \
        (1j, 1j, 0.0, 1), (1j, 1j, 1.5, 0), \
        (1j, 1j, nan, 1), (1e200 + 1j, 1j, 2.0, 3), (1j, Right(), 1.5, 1), \
        (1j, 1j, 1 << 70, 3):
    print(tries(mixed, *args))
print([tries(powers, z) for z in (0j, -0j, 1e300j, complex(nan, 1), 3, 1 + 1j, Own(2))])
print(kept(1 + .5j, 7), tries(kept, Own(1), 2), lent(3j), lent(1), cell(3j),
      cell(5), sep='\n')
print(sizes([3 + 4j, 1e308 + 1j, -0.0, complex(-inf, nan), complex(nan, 1), Own(1), 2, True,
             -1 << 70, 1.5]))
print(tries(sizes, [1j, 1.7e308 + 1.7e308j]), tries(sizes, [1.0, 'a']))
print(sizes([Real(-1), -nan, -inf]))
