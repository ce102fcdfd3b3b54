"""-a, +a and ~a by methods of Python's: built in or called, that raise, of mixed types."""
class Q:
    __slots__ = ('n',)
    def __init__(self, n): self.n = n
    def __neg__(self): return Q(-self.n)
    def __pos__(self): return self
    def __invert__(self):
        if self.n > 10**9: raise ValueError(self.n)
        t = 0
        for i in range(2): t += self.n
        return Q(t)
    def __add__(self, o): return Q(self.n + o.n)
    def __sub__(self, o): return self + (-o)
class Weird:
    def __neg__(self): return NotImplemented
    def __invert__(self): return self
def f(n):
    q = Q(3); r = Q(1)
    for i in range(n):
        q = q - r
    return q.n
def g(n):
    q = Q(3); t = 0
    for i in range(n): t += (~q).n + (+q).n + (-q).n
    return t
def h(xs):
    out = []
    for x in xs:
        try: out.append(type(-x).__name__)
        except TypeError as e: out.append(str(e))
    return out
def k(n):
    q = Q(5)
    try:
        for i in range(n):
            q = ~q if i % 100 == 99 else q
    except ValueError as e:
        return i, e.args, e.__traceback__.tb_next.tb_lineno
print(f(5000), g(5000), h([Q(1)] * 3000 + [Weird(), 1, 2.0, "a", Q(2), True] * 300)[-7:], k(10000))
