"""Setters of properties: built in or called, that raise, that keep what dies, that are exchanged."""
class Ship:
    def __init__(self): self._h = 0; self.log = []
    @property
    def heading(self): return self._h
    @heading.setter
    def heading(self, v): self._h = v % 360
    def turn(self, n): self.heading += n
    @property
    def checked(self): return self._h
    @checked.setter
    def checked(self, v):
        if v == -7: raise ValueError(v)
        for i in range(2): self.log = [v, i]
        self._h = v
class Sub(Ship):
    @Ship.heading.setter
    def heading(self, v): self._h = -v
class Slots:
    __slots__ = ('x',)
    @property
    def y(self): return self.x
    @y.setter
    def y(self, v): self.x = v
class ReadOnly:
    @property
    def z(self): return 1
class Dies:
    def __del__(self): gone.append(1)
gone = []
def f(s, n):
    for i in range(n): s.turn(i)
    return s.heading
def g(s, n):
    for i in range(n):
        s.checked = i
        s.checked = i * 1.5 + .25
    return s.checked, s.log
def h(s, n):
    seen = 0
    for i in range(n):
        try: s.checked = -7 if i % 50 == 49 else i
        except ValueError as e: seen += e.args[0]
    return seen
def k(n):
    s = Slots()
    for i in range(n): s.y = Dies()
    return len(gone)
def r(n):
    bad = 0
    for i in range(n):
        try: ReadOnly().z = i
        except AttributeError as e: bad += len(str(e))
    return bad
def gen(s, n):
    for i in range(n):
        s.heading = i
        yield s.heading
print(f(Ship(), 5000), g(Ship(), 4000), h(Ship(), 5000), k(3000), r(2000), sum(gen(Ship(), 3000)))
print(f(Sub(), 3000), [f(c(), 100) for c in (Ship, Sub) * 20][-2:])
def swap(n):
    s = Ship()
    for i in range(n):
        s.heading = i
        if i == n // 2: Ship.heading = property(lambda self: self._h, lambda self, v: setattr(self, '_h', v + 1000000))
    return s.heading
print(swap(4000))
