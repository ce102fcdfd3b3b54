"""Classes that a program makes anew, with methods of the same code: machine code that was made for
one of them runs on for the next (Python/jit/likes.h), and prints what python3.11 prints."""
import os
import textwrap
import unittest

from jit_cases import add_cases, finished, not_with_stress, run

SETUP = """
    import gc, weakref
    def layouts(k):
        '''Classes of one name: each shape has its own places, the code of methods is the same.'''
        class P:
            __slots__ = ("x", "y")
            def __init__(self, x, y): self.x = x; self.y = y
            def total(self): return self.x * 100 + self.y
        return P
    def anew(make, use, rounds=90, each=12):
        out = []
        for r in range(rounds):
            P = make(r)
            for i in range(each): last = use(P, i)
            out.append(last)
        return out[-4:]
    def tries(f, *args):
        try: return f(*args)
        except Exception as e: return type(e).__name__, str(e)
"""

# name: (program, what python3.11 prints)
CASES = {
    "slots": ("""
        def use(P, i):
            p = P(i, 7)
            p.x += 1
            p.y = p.x, p.y
            return p.x, p.y
        def read(P, i): return P(i, 2).total()
        print(anew(layouts, use), anew(layouts, read))
        """, (
            '[(12, (12, 7)), (12, (12, 7)), (12, (12, 7)), (12, (12, 7))] [1102, 11'
            '02, 1102, 1102]\n')),
    "attributes": ("""
        def make(k):
            class P:
                def __init__(self, x, y=3):
                    self.x = x
                    self.y = y
                def more(self, z): self.z = z; return self
            return P
        def use(P, i):
            p = P(i).more(8)
            p.w = i
            return list(p.__dict__.items()), p.x, p.y, p.z
        def keyword(P, i): return sorted(vars(P(y=i, x=1)).items())
        def first(p): p.only = 1; return p
        def bare(k):
            class P: pass
            return P
        print(anew(make, use), anew(make, keyword))
        print(anew(bare, lambda P, i: list(first(P()).__dict__)))
        """, (
            "[([('x', 11), ('y', 3), ('z', 8), ('w', 11)], 11, 3, 8), ([('x', 11), "
            "('y', 3), ('z', 8), ('w', 11)], 11, 3, 8), ([('x', 11), ('y', 3), ('z'"
            ", 8), ('w', 11)], 11, 3, 8), ([('x', 11), ('y', 3), ('z', 8), ('w', 11"
            ")], 11, 3, 8)] [[('x', 1), ('y', 11)], [('x', 1), ('y', 11)], [('x', 1"
            "), ('y', 11)], [('x', 1), ('y', 11)]]\n"
            "[['only'], ['only'], ['only'], ['only']]\n")),
    "what_a_class_has": ("""
        def make(k):
            class P:
                kind = k
                def __init__(self, x): self.x = x
                def method(self, y): return self.x, y, k
                def own(self): return __class__.kind
                @property
                def both(self): return self.x, k
                @both.setter
                def both(self, value): self.x = value, k
                @staticmethod
                def of_none(x): return x, k
                @classmethod
                def of_class(cls, x): return cls.kind, x
            return P
        def use(P, i):
            p = P(i)
            p.both = 5
            return p.method(2), p.own(), p.both, p.of_none(3), p.of_class(4), p.kind, P.kind
        for line in anew(make, use): print(line)
        """, (
            '(((5, 86), 2, 86), 86, ((5, 86), 86), (3, 86), (86, 4), 86, 86)\n'
            '(((5, 87), 2, 87), 87, ((5, 87), 87), (3, 87), (87, 4), 87, 87)\n'
            '(((5, 88), 2, 88), 88, ((5, 88), 88), (3, 88), (88, 4), 88, 88)\n'
            '(((5, 89), 2, 89), 89, ((5, 89), 89), (3, 89), (89, 4), 89, 89)\n')),
    "defaults_and_closures": ("""
        def make(k):
            class P:
                def __init__(self, x, y=k, *, z=-k): self.x, self.y, self.z = x, y, z
                def get(self, a=k, *, b=k + 1): return self.x, self.y, self.z, a, b, k
            return P
        def use(P, i): return P(i).get(), P(i, 2).get(3), P(i, z=4).get(b=5)
        for line in anew(make, use): print(line)
        def grows(k):
            class P:
                def __init__(self, x, y=k): self.x, self.y = x, y
                def get(self, a=k): return self.x, self.y, a
            if k > 60: P.__init__.__defaults__ = ()
            if k > 60: P.get.__defaults__ = 6, 7
            return P
        print(anew(grows, lambda P, i: (tries(lambda: P(i, 1).get(2)), tries(lambda: P(i).get()), tries(P(i, 1).get))))
        """, (
            '((11, 86, -86, 86, 87, 86), (11, 2, -86, 3, 87, 86), (11, 86, 4, 86, 5'
            ', 86))\n'
            '((11, 87, -87, 87, 88, 87), (11, 2, -87, 3, 88, 87), (11, 87, 4, 87, 5'
            ', 87))\n'
            '((11, 88, -88, 88, 89, 88), (11, 2, -88, 3, 89, 88), (11, 88, 4, 88, 5'
            ', 88))\n'
            '((11, 89, -89, 89, 90, 89), (11, 2, -89, 3, 90, 89), (11, 89, 4, 89, 5'
            ', 89))\n'
            '[((11, 1, 2), (\'TypeError\', "grows.<locals>.P.__init__() missing 1 req'
            'uired positional argument: \'y\'"), (11, 1, 7)), ((11, 1, 2), (\'TypeErro'
            'r\', "grows.<locals>.P.__init__() missing 1 required positional argumen'
            't: \'y\'"), (11, 1, 7)), ((11, 1, 2), (\'TypeError\', "grows.<locals>.P.__'
            'init__() missing 1 required positional argument: \'y\'"), (11, 1, 7)), ('
            '(11, 1, 2), (\'TypeError\', "grows.<locals>.P.__init__() missing 1 requi'
            'red positional argument: \'y\'"), (11, 1, 7))]\n')),
    "other_places": ("""
        def make(k):
            if k % 9 == 8:
                class P:
                    __slots__ = ("y", "a", "x")
                    def __init__(self, x, y): self.x = x; self.y = y; self.a = 5
                    def total(self): return "other", self.x, self.y
            elif k % 9 == 4:
                class P:
                    def __init__(self, *args): self.y, self.x = args
                    def total(self): return "dict", self.x, self.y
            elif k % 9 == 2:
                class P(layouts(k)):
                    x = property(lambda self: "property", lambda self, v: None)
            elif k % 9 == 3:
                class P:
                    __slots__ = ("a", "x")
                    y = property(lambda self: self.a, lambda self, v: setattr(self, "a", v))
                    def __init__(self, x, y): self.x = x; self.y = y
                    def total(self): return "one property", self.x, self.y
            else:
                P = layouts(k)
            return P
        def use(P, i):
            p = P(i, 7)
            p.y = p.x, p.y
            return p.x, p.y, tries(p.total)
        def get(p): return p.x
        def put(p, v): p.y = v
        def total(p): return p.total()
        print(anew(make, use), anew(layouts, use))
        for last in range(9):
            line = []
            for k in [0, 1] * 40 + [last] * 3:
                P = make(k)
                p = P(k, 5)
                for i in range(20):
                    put(p, i)
                    line.append((get(p), tries(total, p), p.y))
            print(line[-1], line[-21], line[-50])
        """, (
            '[(11, (11, 7), (\'TypeError\', "unsupported operand type(s) for +: \'int\''
            ' and \'tuple\'")), (11, (11, 7), (\'TypeError\', "unsupported operand type'
            '(s) for +: \'int\' and \'tuple\'")), (11, (11, 7), (\'TypeError\', "unsuppor'
            'ted operand type(s) for +: \'int\' and \'tuple\'")), (11, (11, 7), (\'other'
            '\', 11, (11, 7)))] [(11, (11, 7), (\'TypeError\', "unsupported operand ty'
            'pe(s) for +: \'int\' and \'tuple\'")), (11, (11, 7), (\'TypeError\', "unsupp'
            'orted operand type(s) for +: \'int\' and \'tuple\'")), (11, (11, 7), (\'Typ'
            'eError\', "unsupported operand type(s) for +: \'int\' and \'tuple\'")), (11'
            ', (11, 7), (\'TypeError\', "unsupported operand type(s) for +: \'int\' and'
            ' \'tuple\'"))]\n'
            '(0, 19, 19) (0, 19, 19) (0, 10, 10)\n'
            '(1, 119, 19) (1, 119, 19) (1, 110, 10)\n'
            '(\'property\', (\'TypeError\', \'can only concatenate str (not "int") to st'
            'r\'), 19) (\'property\', (\'TypeError\', \'can only concatenate str (not "in'
            't") to str\'), 19) (\'property\', (\'TypeError\', \'can only concatenate str'
            ' (not "int") to str\'), 10)\n'
            "(3, ('one property', 3, 19), 19) (3, ('one property', 3, 19), 19) (3, "
            "('one property', 3, 10), 10)\n"
            "(5, ('dict', 5, 19), 19) (5, ('dict', 5, 19), 19) (5, ('dict', 5, 10),"
            ' 10)\n'
            '(5, 519, 19) (5, 519, 19) (5, 510, 10)\n'
            '(6, 619, 19) (6, 619, 19) (6, 610, 10)\n'
            '(7, 719, 19) (7, 719, 19) (7, 710, 10)\n'
            "(8, ('other', 8, 19), 19) (8, ('other', 8, 19), 19) (8, ('other', 8, 1"
            '0), 10)\n')),
    "other_places_in_dicts": ("""
        class Base: __slots__ = ("s",)
        def make(k):
            if k % 7 == 2:
                class P:
                    def __init__(self, x, y): self.y = y; self.x = x
            elif k % 7 == 3:
                class P(Base):
                    def __init__(self, x, y): self.x = x; self.y = y
            elif k % 7 == 4:
                class P:
                    x = "of class"
                    def __init__(self, x, y): self.a = x; self.y = y
            elif k % 7 == 5:
                class P:
                    y = property(lambda self: "property", lambda self, v: None)
                    def __init__(self, x, y): self.x = x; self.y = y
            elif k % 7 == 6:
                class P:
                    def __init__(self, x, y): vars(self).update(x=x, y=y, z=x)
            else:
                class P:
                    def __init__(self, x, y): self.x = x; self.y = y
            return P
        def get(p): return p.x
        def put(p, v): p.y = v
        def both(P, i):
            p = P(i, 5)
            p.y += 1
            return p.x, p.y, list(p.__dict__)
        for last in range(7):
            line = []
            for k in [0, 1] * 40 + [last] * 3:
                P = make(k)
                p = P(k, 5)
                for i in range(20):
                    put(p, i)
                    line.append((get(p), p.y, tries(both, P, i)))
            print(line[-1], line[-21], line[-50])
        """, (
            "(0, 19, (19, 6, ['x', 'y'])) (0, 19, (19, 6, ['x', 'y'])) (0, 10, (10,"
            " 6, ['x', 'y']))\n"
            "(1, 19, (19, 6, ['x', 'y'])) (1, 19, (19, 6, ['x', 'y'])) (1, 10, (10,"
            " 6, ['x', 'y']))\n"
            "(2, 19, (19, 6, ['y', 'x'])) (2, 19, (19, 6, ['y', 'x'])) (2, 10, (10,"
            " 6, ['y', 'x']))\n"
            "(3, 19, (19, 6, ['x', 'y'])) (3, 19, (19, 6, ['x', 'y'])) (3, 10, (10,"
            " 6, ['x', 'y']))\n"
            "('of class', 19, ('of class', 6, ['a', 'y'])) ('of class', 19, ('of cl"
            "ass', 6, ['a', 'y'])) ('of class', 10, ('of class', 6, ['a', 'y']))\n"
            '(5, \'property\', (\'TypeError\', \'can only concatenate str (not "int") to'
            ' str\')) (5, \'property\', (\'TypeError\', \'can only concatenate str (not "'
            'int") to str\')) (5, \'property\', (\'TypeError\', \'can only concatenate st'
            'r (not "int") to str\'))\n'
            "(6, 19, (19, 6, ['x', 'y', 'z'])) (6, 19, (19, 6, ['x', 'y', 'z'])) (6"
            ", 10, (10, 6, ['x', 'y', 'z']))\n")),
    "other_code": ("""
        def make(k):
            P = layouts(k)
            if k > 60 and k % 2: P.total = lambda self: ("new", self.y, self.x)
            if k > 60 and k % 3 == 0: P.__init__ = lambda self, x, y: P.x.__set__(self, y)
            if k > 70 and k % 5 == 0: P.__new__ = lambda cls, *a: layouts(k)(5, 6)
            if k > 75 and k % 5 == 1: P.__setattr__ = lambda self, n, v: P.y.__set__(self, (n, v))
            if k > 75 and k % 5 == 2: P.__getattribute__ = lambda self, n: "got " + n
            if k > 75 and k % 5 == 3: P.total = 7
            return P
        def use(P, i):
            p = P(i, 7)
            tries(setattr, p, "x", i)
            p.y = i, 1
            return tries(lambda: (p.x, p.y)), tries(lambda: p.total()), type(p).__name__
        out = []
        for n in range(61, 91): out.append(anew(make, use, n)[-1])
        for line in out: print(line)
        """, (
            '((11, (11, 1)), (\'TypeError\', "unsupported operand type(s) for +: \'int'
            '\' and \'tuple\'"), \'P\')\n'
            "((11, (11, 1)), ('new', (11, 1), 11), 'P')\n"
            '((11, (11, 1)), (\'TypeError\', "unsupported operand type(s) for +: \'int'
            '\' and \'tuple\'"), \'P\')\n'
            "((11, (11, 1)), ('new', (11, 1), 11), 'P')\n"
            '((11, (11, 1)), (\'TypeError\', "unsupported operand type(s) for +: \'int'
            '\' and \'tuple\'"), \'P\')\n'
            "((11, (11, 1)), ('new', (11, 1), 11), 'P')\n"
            '((11, (11, 1)), (\'TypeError\', "unsupported operand type(s) for +: \'int'
            '\' and \'tuple\'"), \'P\')\n'
            "((11, (11, 1)), ('new', (11, 1), 11), 'P')\n"
            '((11, (11, 1)), (\'TypeError\', "unsupported operand type(s) for +: \'int'
            '\' and \'tuple\'"), \'P\')\n'
            "((11, (11, 1)), ('new', (11, 1), 11), 'P')\n"
            '((11, (11, 1)), (\'TypeError\', "unsupported operand type(s) for +: \'int'
            '\' and \'tuple\'"), \'P\')\n'
            "((11, (11, 1)), ('new', (11, 1), 11), 'P')\n"
            '((11, (11, 1)), (\'TypeError\', "unsupported operand type(s) for +: \'int'
            '\' and \'tuple\'"), \'P\')\n'
            "((11, (11, 1)), ('new', (11, 1), 11), 'P')\n"
            '((11, (11, 1)), (\'TypeError\', "unsupported operand type(s) for +: \'int'
            '\' and \'tuple\'"), \'P\')\n'
            '((11, (11, 1)), (\'TypeError\', "unsupported operand type(s) for +: \'int'
            '\' and \'tuple\'"), \'P\')\n'
            '((\'AttributeError\', "\'P\' object has no attribute \'x\'"), (\'AttributeErr'
            'or\', "\'P\' object has no attribute \'x\'"), \'P\')\n'
            '((\'got x\', \'got y\'), (\'TypeError\', "\'str\' object is not callable"), \'P'
            "')\n"
            '((11, (11, 1)), (\'TypeError\', "\'int\' object is not callable"), \'P\')\n'
            "((11, (11, 1)), ('new', (11, 1), 11), 'P')\n"
            '((11, (11, 1)), (\'TypeError\', "unsupported operand type(s) for +: \'int'
            '\' and \'tuple\'"), \'P\')\n'
            "((7, ('y', (11, 1))), ('new', ('y', (11, 1)), 7), 'P')\n"
            '((\'got x\', \'got y\'), (\'TypeError\', "\'str\' object is not callable"), \'P'
            "')\n"
            '((11, (11, 1)), (\'TypeError\', "\'int\' object is not callable"), \'P\')\n'
            '((11, (11, 1)), (\'TypeError\', "unsupported operand type(s) for +: \'int'
            '\' and \'tuple\'"), \'P\')\n'
            '((11, (11, 1)), (\'TypeError\', "unsupported operand type(s) for +: \'int'
            '\' and \'tuple\'"), \'P\')\n'
            '((\'AttributeError\', "\'P\' object has no attribute \'x\'"), (\'AttributeErr'
            'or\', "\'P\' object has no attribute \'x\'"), \'P\')\n'
            '((\'got x\', \'got y\'), (\'TypeError\', "\'str\' object is not callable"), \'P'
            "')\n"
            '((11, (11, 1)), (\'TypeError\', "\'int\' object is not callable"), \'P\')\n'
            "((11, (11, 1)), ('new', (11, 1), 11), 'P')\n")),
    "changed_while_it_is_used": ("""
        def use(P, i):
            p = P(i, 7)
            if i == 5: P.total = lambda self: ("changed", self.x)
            if i == 8: P.x = 5
            if i == 10: P.total = classmethod(lambda cls: cls.__name__)
            return i, tries(lambda: p.x), tries(p.total)
        def ones(P, i):
            p = P(i, 7)
            return p.x, p.total()
        print(anew(layouts, ones))
        for P in [layouts(1) for k in range(3)]:
            print([tries(use, P, i) for i in range(12)])
        print(anew(layouts, lambda P, i: tries(use, P, i)))
        """, (
            '[(11, 1107), (11, 1107), (11, 1107), (11, 1107)]\n'
            '[(0, 0, 7), (1, 1, 107), (2, 2, 207), (3, 3, 307), (4, 4, 407), (5, 5,'
            " ('changed', 5)), (6, 6, ('changed', 6)), (7, 7, ('changed', 7)), (8, "
            '5, (\'changed\', 5)), (\'AttributeError\', "\'P\' object attribute \'x\' is re'
            'ad-only"), (\'AttributeError\', "\'P\' object attribute \'x\' is read-only")'
            ', (\'AttributeError\', "\'P\' object attribute \'x\' is read-only")]\n'
            '[(0, 0, 7), (1, 1, 107), (2, 2, 207), (3, 3, 307), (4, 4, 407), (5, 5,'
            " ('changed', 5)), (6, 6, ('changed', 6)), (7, 7, ('changed', 7)), (8, "
            '5, (\'changed\', 5)), (\'AttributeError\', "\'P\' object attribute \'x\' is re'
            'ad-only"), (\'AttributeError\', "\'P\' object attribute \'x\' is read-only")'
            ', (\'AttributeError\', "\'P\' object attribute \'x\' is read-only")]\n'
            '[(0, 0, 7), (1, 1, 107), (2, 2, 207), (3, 3, 307), (4, 4, 407), (5, 5,'
            " ('changed', 5)), (6, 6, ('changed', 6)), (7, 7, ('changed', 7)), (8, "
            '5, (\'changed\', 5)), (\'AttributeError\', "\'P\' object attribute \'x\' is re'
            'ad-only"), (\'AttributeError\', "\'P\' object attribute \'x\' is read-only")'
            ', (\'AttributeError\', "\'P\' object attribute \'x\' is read-only")]\n'
            '[(\'AttributeError\', "\'P\' object attribute \'x\' is read-only"), (\'Attrib'
            'uteError\', "\'P\' object attribute \'x\' is read-only"), (\'AttributeError\''
            ', "\'P\' object attribute \'x\' is read-only"), (\'AttributeError\', "\'P\' ob'
            'ject attribute \'x\' is read-only")]\n')),
    "hidden_by_instances": ("""
        def make(k):
            class P:
                name = k
                def __init__(self, x): self.x = x
                def get(self): return self.x, k
            return P
        def use(P, i):
            p = P(i)
            if i == 7: p.__dict__["get"] = lambda: "own"
            if i == 9: p.name = "own name"
            if i == 10: p.__dict__ = {"x": "new dict"}
            if i == 11: del p.x; P.x = "of class"
            return i, tries(lambda: p.get()), p.name, tries(lambda: p.x)
        def every(P): return [use(P, i) for i in range(12)]
        for r in range(60): last = every(make(r))
        for line in last: print(line)
        """, (
            '(0, (0, 59), 59, 0)\n'
            '(1, (1, 59), 59, 1)\n'
            '(2, (2, 59), 59, 2)\n'
            '(3, (3, 59), 59, 3)\n'
            '(4, (4, 59), 59, 4)\n'
            '(5, (5, 59), 59, 5)\n'
            '(6, (6, 59), 59, 6)\n'
            "(7, 'own', 59, 7)\n"
            '(8, (8, 59), 59, 8)\n'
            "(9, (9, 59), 'own name', 9)\n"
            "(10, ('new dict', 59), 59, 'new dict')\n"
            "(11, ('of class', 59), 59, 'of class')\n")),
    "values_of_other_kinds": ("""
        def make(k, other):
            class P:
                kind = other if k > 80 and k % 4 == 1 else k
                def __init__(self, x): self.x = x
                def one(self, *y): return "one", self.x, y, k
                @staticmethod
                def two(*y): return "two", y, k
                if k > 80 and k % 4 == 2: one = other
                if k > 80 and k % 4 == 3: two = other
            return P
        def use(P, i):
            p = P(i)
            return tries(lambda: p.one(1)), tries(lambda: p.two(1)), tries(lambda: p.kind)
        def ones(p): return p.one(1)
        def twos(p): return p.two(1)
        def kinds(p): return p.kind
        class Binds:
            def __get__(self, owner, cls): return "bound", owner is not None, cls.__name__
        class Calls:
            def __call__(self, *args): return "called", len(args)
        others = (5, Calls(), Binds(), staticmethod(lambda *y: ("static", len(y))),
                  classmethod(lambda cls, *y: ("class", cls.__name__, y)), len, str.upper,
                  property(lambda self: ("property", self.x)))
        for other in others:
            line = []
            for k in range(88):
                P = make(k, other)
                for i in range(12):
                    p = P(i)
                    line.append(tries(ones, p)); line.append(tries(twos, p)); line.append(tries(kinds, p))
            line = line[-12 * 3 * 4::12]
            print([x if type(x) is tuple or type(x) is int else type(x).__name__ for x in line])
            last = anew(lambda k: make(k, other), lambda P, i: (tries(lambda: P(i).one(1)),
                                                               tries(lambda: P(i).two(1))))
            print(last)
        """, (
            "[('one', 0, (1,), 84), ('one', 4, (1,), 84), ('one', 8, (1,), 84), ('o"
            "ne', 0, (1,), 85), ('one', 4, (1,), 85), ('one', 8, (1,), 85), ('TypeE"
            'rror\', "\'int\' object is not callable"), (\'TypeError\', "\'int\' object is'
            ' not callable"), (\'TypeError\', "\'int\' object is not callable"), (\'one\''
            ", 0, (1,), 87), ('one', 4, (1,), 87), ('one', 8, (1,), 87)]\n"
            '[((\'TypeError\', "\'int\' object is not callable"), (\'two\', (1,), 86)), ('
            '(\'one\', 11, (1,), 87), (\'TypeError\', "\'int\' object is not callable")),'
            " (('one', 11, (1,), 88), ('two', (1,), 88)), (('one', 11, (1,), 89), ("
            "'two', (1,), 89))]\n"
            "[('one', 0, (1,), 84), ('one', 4, (1,), 84), ('one', 8, (1,), 84), ('o"
            "ne', 0, (1,), 85), ('one', 4, (1,), 85), ('one', 8, (1,), 85), ('calle"
            "d', 1), ('called', 1), ('called', 1), ('one', 0, (1,), 87), ('one', 4,"
            " (1,), 87), ('one', 8, (1,), 87)]\n"
            "[(('called', 1), ('two', (1,), 86)), (('one', 11, (1,), 87), ('called'"
            ", 1)), (('one', 11, (1,), 88), ('two', (1,), 88)), (('one', 11, (1,), "
            "89), ('two', (1,), 89))]\n"
            "[('one', 0, (1,), 84), ('one', 4, (1,), 84), ('one', 8, (1,), 84), ('o"
            "ne', 0, (1,), 85), ('one', 4, (1,), 85), ('one', 8, (1,), 85), ('TypeE"
            'rror\', "\'tuple\' object is not callable"), (\'TypeError\', "\'tuple\' objec'
            't is not callable"), (\'TypeError\', "\'tuple\' object is not callable"), '
            "('one', 0, (1,), 87), ('one', 4, (1,), 87), ('one', 8, (1,), 87)]\n"
            '[((\'TypeError\', "\'tuple\' object is not callable"), (\'two\', (1,), 86)),'
            ' ((\'one\', 11, (1,), 87), (\'TypeError\', "\'tuple\' object is not callable'
            '")), ((\'one\', 11, (1,), 88), (\'two\', (1,), 88)), ((\'one\', 11, (1,), 89'
            "), ('two', (1,), 89))]\n"
            "[('one', 0, (1,), 84), ('one', 4, (1,), 84), ('one', 8, (1,), 84), ('o"
            "ne', 0, (1,), 85), ('one', 4, (1,), 85), ('one', 8, (1,), 85), ('stati"
            "c', 1), ('static', 1), ('static', 1), ('one', 0, (1,), 87), ('one', 4,"
            " (1,), 87), ('one', 8, (1,), 87)]\n"
            "[(('static', 1), ('two', (1,), 86)), (('one', 11, (1,), 87), ('static'"
            ", 1)), (('one', 11, (1,), 88), ('two', (1,), 88)), (('one', 11, (1,), "
            "89), ('two', (1,), 89))]\n"
            "[('one', 0, (1,), 84), ('one', 4, (1,), 84), ('one', 8, (1,), 84), ('o"
            "ne', 0, (1,), 85), ('one', 4, (1,), 85), ('one', 8, (1,), 85), ('class"
            "', 'P', (1,)), ('class', 'P', (1,)), ('class', 'P', (1,)), ('one', 0, "
            "(1,), 87), ('one', 4, (1,), 87), ('one', 8, (1,), 87)]\n"
            "[(('class', 'P', (1,)), ('two', (1,), 86)), (('one', 11, (1,), 87), ('"
            "class', 'P', (1,))), (('one', 11, (1,), 88), ('two', (1,), 88)), (('on"
            "e', 11, (1,), 89), ('two', (1,), 89))]\n"
            "[('one', 0, (1,), 84), ('one', 4, (1,), 84), ('one', 8, (1,), 84), ('o"
            "ne', 0, (1,), 85), ('one', 4, (1,), 85), ('one', 8, (1,), 85), ('TypeE"
            'rror\', "object of type \'int\' has no len()"), (\'TypeError\', "object of '
            'type \'int\' has no len()"), (\'TypeError\', "object of type \'int\' has no '
            'len()"), (\'one\', 0, (1,), 87), (\'one\', 4, (1,), 87), (\'one\', 8, (1,), '
            '87)]\n'
            '[((\'TypeError\', "object of type \'int\' has no len()"), (\'two\', (1,), 86'
            ')), ((\'one\', 11, (1,), 87), (\'TypeError\', "object of type \'int\' has no'
            ' len()")), ((\'one\', 11, (1,), 88), (\'two\', (1,), 88)), ((\'one\', 11, (1'
            ",), 89), ('two', (1,), 89))]\n"
            "[('one', 0, (1,), 84), ('one', 4, (1,), 84), ('one', 8, (1,), 84), ('o"
            "ne', 0, (1,), 85), ('one', 4, (1,), 85), ('one', 8, (1,), 85), ('TypeE"
            'rror\', "descriptor \'upper\' for \'str\' objects doesn\'t apply to a \'P\' ob'
            'ject"), (\'TypeError\', "descriptor \'upper\' for \'str\' objects doesn\'t ap'
            'ply to a \'P\' object"), (\'TypeError\', "descriptor \'upper\' for \'str\' obj'
            'ects doesn\'t apply to a \'P\' object"), (\'one\', 0, (1,), 87), (\'one\', 4,'
            " (1,), 87), ('one', 8, (1,), 87)]\n"
            '[((\'TypeError\', "descriptor \'upper\' for \'str\' objects doesn\'t apply to'
            ' a \'P\' object"), (\'two\', (1,), 86)), ((\'one\', 11, (1,), 87), (\'TypeErr'
            'or\', "descriptor \'upper\' for \'str\' objects doesn\'t apply to a \'P\' obje'
            'ct")), ((\'one\', 11, (1,), 88), (\'two\', (1,), 88)), ((\'one\', 11, (1,), '
            "89), ('two', (1,), 89))]\n"
            "[('one', 0, (1,), 84), ('one', 4, (1,), 84), ('one', 8, (1,), 84), ('o"
            "ne', 0, (1,), 85), ('one', 4, (1,), 85), ('one', 8, (1,), 85), ('TypeE"
            'rror\', "\'tuple\' object is not callable"), (\'TypeError\', "\'tuple\' objec'
            't is not callable"), (\'TypeError\', "\'tuple\' object is not callable"), '
            "('one', 0, (1,), 87), ('one', 4, (1,), 87), ('one', 8, (1,), 87)]\n"
            '[((\'TypeError\', "\'tuple\' object is not callable"), (\'two\', (1,), 86)),'
            ' ((\'one\', 11, (1,), 87), (\'TypeError\', "\'tuple\' object is not callable'
            '")), ((\'one\', 11, (1,), 88), (\'two\', (1,), 88)), ((\'one\', 11, (1,), 89'
            "), ('two', (1,), 89))]\n")),
    "with_bases_in_c": ("""
        def make(k):
            class P(list):
                kind = k
                def last(self): return self[-1], k
                if k > 60 and k % 3 == 1: pop = list.copy
                if k > 60 and k % 3 == 2: append = list.extend
            return P
        def use(P, i):
            p = P()
            tries(p.append, (i, 2))
            return tries(lambda: p.pop()), len(p), tries(p.last), p.kind
        def append(p, x): p.append(x)
        def pop(p): return p.pop()
        def both(P, i):
            p = P((3,))
            append(p, (i, 2))
            return pop(p), p
        for n in range(60, 70): print(anew(make, use, n)[-1], anew(make, both, n)[-1])
        def no_list(k):
            class P:
                pop = list.pop
            return P
        def pops(p):
            n = 0
            for i in range(8):
                try: p.pop()
                except TypeError as e: n += len(str(e))
            return n
        print(anew(no_list, lambda P, i: pops(P())))
        """, (
            "((11, 2), 0, ('IndexError', 'list index out of range'), 59) ((11, 2), "
            '[3])\n'
            "((11, 2), 0, ('IndexError', 'list index out of range'), 60) ((11, 2), "
            '[3])\n'
            '([(11, 2)], 1, ((11, 2), 61), 61) ([3, (11, 2)], [3, (11, 2)])\n'
            '(2, 1, (11, 62), 62) (2, [3, 11])\n'
            "((11, 2), 0, ('IndexError', 'list index out of range'), 63) ((11, 2), "
            '[3])\n'
            '([(11, 2)], 1, ((11, 2), 64), 64) ([3, (11, 2)], [3, (11, 2)])\n'
            '(2, 1, (11, 65), 65) (2, [3, 11])\n'
            "((11, 2), 0, ('IndexError', 'list index out of range'), 66) ((11, 2), "
            '[3])\n'
            '([(11, 2)], 1, ((11, 2), 67), 67) ([3, (11, 2)], [3, (11, 2)])\n'
            '(2, 1, (11, 68), 68) (2, [3, 11])\n'
            '[520, 520, 520, 520]\n')),
    "by_turns": ("""
        def make(k):
            class P:
                kind = k
                def __init__(self, x): self.x = x, k
                def get(self): return self.x, k
            return P
        def use(P, i):
            p = P(i)
            return p.x, p.kind, p.get()
        for n in 2, 3, 4, 5, 6, 13:
            some = [make(k) for k in range(n)]
            out = []
            for i in range(150):
                for P in some:
                    if i % 29 == 28: P.kind = -i
                    out.append(use(P, i))
            print(out[-n:], sum(x[1] for x in out))
            anew(make, use, 40)
        """, (
            '[((149, 0), -144, ((149, 0), 0)), ((149, 1), -144, ((149, 1), 1))] -18'
            '288\n'
            '[((149, 0), -144, ((149, 0), 0)), ((149, 1), -144, ((149, 1), 1)), ((1'
            '49, 2), -144, ((149, 2), 2))] -27390\n'
            '[((149, 0), -144, ((149, 0), 0)), ((149, 1), -144, ((149, 1), 1)), ((1'
            '49, 2), -144, ((149, 2), 2)), ((149, 3), -144, ((149, 3), 3))] -36464\n'
            '[((149, 0), -144, ((149, 0), 0)), ((149, 1), -144, ((149, 1), 1)), ((1'
            '49, 2), -144, ((149, 2), 2)), ((149, 3), -144, ((149, 3), 3)), ((149, '
            '4), -144, ((149, 4), 4))] -45510\n'
            '[((149, 0), -144, ((149, 0), 0)), ((149, 1), -144, ((149, 1), 1)), ((1'
            '49, 2), -144, ((149, 2), 2)), ((149, 3), -144, ((149, 3), 3)), ((149, '
            '4), -144, ((149, 4), 4)), ((149, 5), -144, ((149, 5), 5))] -54528\n'
            '[((149, 0), -144, ((149, 0), 0)), ((149, 1), -144, ((149, 1), 1)), ((1'
            '49, 2), -144, ((149, 2), 2)), ((149, 3), -144, ((149, 3), 3)), ((149, '
            '4), -144, ((149, 4), 4)), ((149, 5), -144, ((149, 5), 5)), ((149, 6), '
            '-144, ((149, 6), 6)), ((149, 7), -144, ((149, 7), 7)), ((149, 8), -144'
            ', ((149, 8), 8)), ((149, 9), -144, ((149, 9), 9)), ((149, 10), -144, ('
            '(149, 10), 10)), ((149, 11), -144, ((149, 11), 11)), ((149, 12), -144,'
            ' ((149, 12), 12))] -116870\n')),
    "with_a_destructor": ("""
        log = []
        def make(k):
            class P:
                def __init__(self, x, y=None):
                    self.y = y
                    self.x = x + 1
                if k > 70:
                    def __del__(self): log.append((k, getattr(self, "x", "no x"), hasattr(self, "y")))
            return P
        def use(P, i):
            p = P(i)
            return p.x
        for r in range(70):
            P = make(r)
            for i in range(12): use(P, i)
        for r in range(70, 75):
            P = make(r)
            for i in range(12):
                tries(use, P, str(i) if i % 3 == 2 else i * 10 ** (i * 2))
                log.append("used")
        print(log)
        del log[:]
        def several(P, xs): return [P(x) for x in xs]
        for r in range(75):
            P = make(r)
            for i in range(12): n = len(tries(several, P, [1, 2, "3" if r > 70 and i % 3 == 0 else 3]))
            if r > 70: log.append(n)
        print(log)
        """, (
            "['used', 'used', 'used', 'used', 'used', 'used', 'used', 'used', 'used"
            "', 'used', 'used', 'used', (71, 1, True), 'used', (71, 101, True), 'us"
            "ed', (71, 'no x', True), 'used', (71, 3000001, True), 'used', (71, 400"
            "000001, True), 'used', (71, 'no x', True), 'used', (71, 6000000000001,"
            " True), 'used', (71, 700000000000001, True), 'used', (71, 'no x', True"
            "), 'used', (71, 9000000000000000001, True), 'used', (71, 1000000000000"
            "000000001, True), 'used', (71, 'no x', True), 'used', (72, 1, True), '"
            "used', (72, 101, True), 'used', (72, 'no x', True), 'used', (72, 30000"
            "01, True), 'used', (72, 400000001, True), 'used', (72, 'no x', True), "
            "'used', (72, 6000000000001, True), 'used', (72, 700000000000001, True)"
            ", 'used', (72, 'no x', True), 'used', (72, 9000000000000000001, True),"
            " 'used', (72, 1000000000000000000001, True), 'used', (72, 'no x', True"
            "), 'used', (73, 1, True), 'used', (73, 101, True), 'used', (73, 'no x'"
            ", True), 'used', (73, 3000001, True), 'used', (73, 400000001, True), '"
            "used', (73, 'no x', True), 'used', (73, 6000000000001, True), 'used', "
            "(73, 700000000000001, True), 'used', (73, 'no x', True), 'used', (73, "
            "9000000000000000001, True), 'used', (73, 1000000000000000000001, True)"
            ", 'used', (73, 'no x', True), 'used', (74, 1, True), 'used', (74, 101,"
            " True), 'used', (74, 'no x', True), 'used', (74, 3000001, True), 'used"
            "', (74, 400000001, True), 'used', (74, 'no x', True), 'used', (74, 600"
            "0000000001, True), 'used', (74, 700000000000001, True), 'used', (74, '"
            "no x', True), 'used', (74, 9000000000000000001, True), 'used', (74, 10"
            "00000000000000000001, True), 'used', (74, 'no x', True), 'used']\n"
            "[(71, 3, True), (71, 2, True), (71, 'no x', True), (71, 4, True), (71,"
            ' 3, True), (71, 2, True), (71, 4, True), (71, 3, True), (71, 2, True),'
            " (71, 3, True), (71, 2, True), (71, 'no x', True), (71, 4, True), (71,"
            ' 3, True), (71, 2, True), (71, 4, True), (71, 3, True), (71, 2, True),'
            " (71, 3, True), (71, 2, True), (71, 'no x', True), (71, 4, True), (71,"
            ' 3, True), (71, 2, True), (71, 4, True), (71, 3, True), (71, 2, True),'
            " (71, 3, True), (71, 2, True), (71, 'no x', True), (71, 4, True), (71,"
            ' 3, True), (71, 2, True), (71, 4, True), (71, 3, True), (71, 2, True),'
            " 3, (72, 3, True), (72, 2, True), (72, 'no x', True), (72, 4, True), ("
            '72, 3, True), (72, 2, True), (72, 4, True), (72, 3, True), (72, 2, Tru'
            "e), (72, 3, True), (72, 2, True), (72, 'no x', True), (72, 4, True), ("
            '72, 3, True), (72, 2, True), (72, 4, True), (72, 3, True), (72, 2, Tru'
            "e), (72, 3, True), (72, 2, True), (72, 'no x', True), (72, 4, True), ("
            '72, 3, True), (72, 2, True), (72, 4, True), (72, 3, True), (72, 2, Tru'
            "e), (72, 3, True), (72, 2, True), (72, 'no x', True), (72, 4, True), ("
            '72, 3, True), (72, 2, True), (72, 4, True), (72, 3, True), (72, 2, Tru'
            "e), 3, (73, 3, True), (73, 2, True), (73, 'no x', True), (73, 4, True)"
            ', (73, 3, True), (73, 2, True), (73, 4, True), (73, 3, True), (73, 2, '
            "True), (73, 3, True), (73, 2, True), (73, 'no x', True), (73, 4, True)"
            ', (73, 3, True), (73, 2, True), (73, 4, True), (73, 3, True), (73, 2, '
            "True), (73, 3, True), (73, 2, True), (73, 'no x', True), (73, 4, True)"
            ', (73, 3, True), (73, 2, True), (73, 4, True), (73, 3, True), (73, 2, '
            "True), (73, 3, True), (73, 2, True), (73, 'no x', True), (73, 4, True)"
            ', (73, 3, True), (73, 2, True), (73, 4, True), (73, 3, True), (73, 2, '
            "True), 3, (74, 3, True), (74, 2, True), (74, 'no x', True), (74, 4, Tr"
            'ue), (74, 3, True), (74, 2, True), (74, 4, True), (74, 3, True), (74, '
            "2, True), (74, 3, True), (74, 2, True), (74, 'no x', True), (74, 4, Tr"
            'ue), (74, 3, True), (74, 2, True), (74, 4, True), (74, 3, True), (74, '
            "2, True), (74, 3, True), (74, 2, True), (74, 'no x', True), (74, 4, Tr"
            'ue), (74, 3, True), (74, 2, True), (74, 4, True), (74, 3, True), (74, '
            "2, True), (74, 3, True), (74, 2, True), (74, 'no x', True), (74, 4, Tr"
            'ue), (74, 3, True), (74, 2, True), (74, 4, True), (74, 3, True), (74, '
            '2, True), 3]\n')),
    "made_otherwise": ("""
        import abc
        class Meta(type):
            def __call__(cls, *args): return "called", args
        class Root: pass
        def make(k, other):
            bases = (Root,) if other < 3 else ()
            class P(*bases, metaclass=Meta if other == 1 else abc.ABCMeta if other == 2 else type):
                if other == 3:
                    def __new__(cls, *args): return "new", args
                if other == 2:
                    @abc.abstractmethod
                    def todo(self): pass
                def __init__(self, x, y): self.x = x; self.y = y
            if other == 4: P.__init__ = lambda self, x, y: 5
            if other == 5: P.__init__ = lambda self, *args: vars(self).update(x=args, y=6)
            if other == 6: del P.__init__
            return P
        USE = '''
        def use(P, i):
            p = P(i, 7)
            return p if type(p) is tuple else vars(p)
        '''
        import textwrap
        for other in range(8):
            line = []
            for usual in 0, 7:
                exec(textwrap.dedent(USE))
                for k in [usual] * 60 + [other] * 3:
                    P = make(k, k)
                    for i in range(15): line.append(tries(use, P, i))
                print(line[-1], line[-30], line[-46])
        """, (
            "{'x': 14, 'y': 7} {'x': 0, 'y': 7} {'x': 14, 'y': 7}\n"
            "{'x': 14, 'y': 7} {'x': 0, 'y': 7} {'x': 14, 'y': 7}\n"
            "('called', (14, 7)) ('called', (0, 7)) {'x': 14, 'y': 7}\n"
            "('called', (14, 7)) ('called', (0, 7)) {'x': 14, 'y': 7}\n"
            '(\'TypeError\', "Can\'t instantiate abstract class P with abstract method'
            ' todo") (\'TypeError\', "Can\'t instantiate abstract class P with abstrac'
            't method todo") {\'x\': 14, \'y\': 7}\n'
            '(\'TypeError\', "Can\'t instantiate abstract class P with abstract method'
            ' todo") (\'TypeError\', "Can\'t instantiate abstract class P with abstrac'
            't method todo") {\'x\': 14, \'y\': 7}\n'
            "('new', (14, 7)) ('new', (0, 7)) {'x': 14, 'y': 7}\n"
            "('new', (14, 7)) ('new', (0, 7)) {'x': 14, 'y': 7}\n"
            '(\'TypeError\', "__init__() should return None, not \'int\'") (\'TypeError\''
            ', "__init__() should return None, not \'int\'") {\'x\': 14, \'y\': 7}\n'
            '(\'TypeError\', "__init__() should return None, not \'int\'") (\'TypeError\''
            ', "__init__() should return None, not \'int\'") {\'x\': 14, \'y\': 7}\n'
            "{'x': (14, 7), 'y': 6} {'x': (0, 7), 'y': 6} {'x': 14, 'y': 7}\n"
            "{'x': (14, 7), 'y': 6} {'x': (0, 7), 'y': 6} {'x': 14, 'y': 7}\n"
            "('TypeError', 'P() takes no arguments') ('TypeError', 'P() takes no ar"
            "guments') {'x': 14, 'y': 7}\n"
            "('TypeError', 'P() takes no arguments') ('TypeError', 'P() takes no ar"
            "guments') {'x': 14, 'y': 7}\n"
            "{'x': 14, 'y': 7} {'x': 0, 'y': 7} {'x': 14, 'y': 7}\n"
            "{'x': 14, 'y': 7} {'x': 0, 'y': 7} {'x': 14, 'y': 7}\n")),
    "classes_that_were_called_and_no_more": ("""
        # What is called has a method under the name, or what is none; only the method has been used.
        PROGRAM = '''
        class Calls:
            def __call__(self, *args): return "called", len(args)
        def make(k, other):
            class P:
                __slots__ = "x",
                def __init__(self, x): self.x = x
                if other == 0:
                    def m(self, *args): return "method", len(args)
                elif other == 1: m = Calls()
                else: m = staticmethod(lambda *args: ("static", len(args)))
            return P
        few = [1, 2, 3]
        def use(P, i):
            p = P(i)
            few[i]
            return p.m()
        '''
        import textwrap
        for other in 1, 2:
            seen = set()
            for each in 2, 3:
                for n in range(80, 280, 20):
                    names = {}
                    exec(textwrap.dedent(PROGRAM), names)
                    use, make = names["use"], names["make"]
                    for k in range(n):
                        if k % each == 0: tries(use, make(k, 0), 1)
                        else: tries(use, make(k, other), 5)
                    for i in range(3): seen.add(tries(use, make(0, other), 1))
            print(seen)
        """, (
            "{('called', 0)}\n"
            "{('static', 0)}\n")),
    "class_methods_of_what_binds": ("""
        class Binds:
            def __get__(self, owner, cls): return lambda *args: ("bound", len(args))
        def make(k, other):
            class P:
                __slots__ = "x",
                def __init__(self, x): self.x = x
                if other == 0: m = classmethod(lambda cls, *args: ("class", len(args)))
                elif other == 1: m = classmethod(property(lambda cls: lambda *args: ("got", len(args))))
                elif other == 2: m = classmethod(Binds())
                else: m = classmethod(len)
            return P
        PROGRAM = '''
        def use(P, i): return P(i).m()
        def again(p): return p.m()
        '''
        import textwrap
        for other in range(4):
            seen = set()
            for n in 20, 100, 200:
                exec(textwrap.dedent(PROGRAM))
                for k in [0] * n + [other] * 2:
                    P = make(0, k)
                    for i in range(5): last = tries(use, P, i), tries(again, P(i))
                seen.add(last)
            print(seen)
        """, (
            "{(('class', 0), ('class', 0))}\n"
            "{(('got', 0), ('got', 0))}\n"
            "{(('bound', 0), ('bound', 0))}\n"
            "{(('TypeError', \"object of type 'type' has no len()\"), ('TypeError', \"object of type 'type' has no len()\"))}\n")),
    "who_has_a_finalizer": ("""
        # An instance that machine code has made and leaves behind is dropped, and made again.
        log = []
        few = [1, 2, 3]
        def make(k, other):
            class P:
                __slots__ = "x", "y"
                def __init__(self, x): self.x = x; self.y = few[x]
                if other:
                    def __del__(self): log.append(k)
            return P
        def use(P, i): return P(i).y
        for n in 20, 60, 100:
            for k in range(n):
                P = make(k, False)
                for i in range(20): tries(use, P, i % 3)
            for k in range(3):
                P = make(k, True)
                for i in 1, 5, 2, 6, "": tries(use, P, i)
        print(log == sorted([0, 1, 2] * 5) * 3)
        """, (
            'True\n')),
    "keys_that_run_code": ("""
        import sys
        log = set()
        class Key:
            def __init__(self, name): self.name = name
            def __hash__(self): return hash(self.name)
            def __eq__(self, other):
                caller = sys._getframe(1)
                log.add((caller.f_code.co_name, caller.f_lineno - caller.f_code.co_firstlineno))
                return False
        class Root: __slots__ = "x", "y"
        def init(self, x, y): self.x = x; self.y = y
        def make(k, more):
            return type("P", (Root,), {"__slots__": (), "__init__": init, **more})
        def get(p):
            q = p
            t = 0
            return t + q.x
        def new(P, i):
            t = 0
            return P(
                i, 2)
        for more in {}, {Key("x"): 1}, {Key("__init__"): 2}:
            for k in range(50):
                P = make(k, more if k > 40 else {})
                for i in range(15): last = get(new(P, i))
            # Where there is something to look for, and nowhere else.
            print(last, log - {("init", 0), ("make", 1), ("get", 3), ("new", 2), ("new", 3)})
        """, (
            '14 set()\n'
            '14 set()\n'
            '14 set()\n')),
    "classes_die": ("""
        def use(P, i): return P(i, 5).total()
        seen = []
        def make(k):
            P = layouts(k)
            seen.append(weakref.ref(P))
            return P
        print(anew(make, use, 300))
        gc.collect()
        print(sum(ref() is not None for ref in seen))
        """, (
            '[1105, 1105, 1105, 1105]\n'
            '0\n')),
    "within_each_other": ("""
        def make(k):
            class P:
                def __init__(self, x): self.x = x
                def get(self): return self.x, k
            return P
        def use(P, depth):
            p = P(depth)
            before = p.get()
            inner = use(make(depth), depth - 1) if depth else ()
            return before, p.get(), p.x, inner
        for r in range(60): last = use(make(-r), 3)
        print(last)
        """, (
            '((3, -59), (3, -59), 3, ((2, 3), (2, 3), 2, ((1, 2), (1, 2), 1, ((0, 1'
            '), (0, 1), 0, ()))))\n')),
    "who_dies_in_between": ("""
        log = []
        class Loud:
            def __init__(self, n): self.n = n
            def __del__(self): log.append(self.n)
        def make(k):
            class P:
                def __init__(self, x):
                    self.x = x
                    self.y = Loud(x)
                def swap(self, v): self.y = v
            return P
        def use(P, i):
            p = P(i)
            p.swap(Loud(-i))
            p.y = None
            log.append("now")
        for r in range(40):
            P = make(r)
            for i in range(5): use(P, i)
        print(log[-20:], len(log))
        """, (
            "[-3, 'now', 4, -4, 'now', 0, 0, 'now', 1, -1, 'now', 2, -2, 'now', 3, "
            "-3, 'now', 4, -4, 'now'] 600\n")),
}


class MadeAnew(unittest.TestCase):
    pass


add_cases(MadeAnew, CASES, SETUP)


@unittest.skipUnless(run("import sys; print(sys._jit.is_available())") == "True\n",
                     "this build has no compiler")
class Compiled(unittest.TestCase):
    def guards_of(self, function, program, last=True):
        """The guards on types of the last version of a function's machine code, or of all."""
        text = textwrap.dedent(SETUP) + textwrap.dedent(program)
        shown = finished(text, SPRINGBOARD_JIT="on", SPRINGBOARD_JIT_DUMP=function).stderr
        graph = shown.rpartition("machine code: ")[0].rpartition("machine code: ")[2]
        self.assertTrue(graph, shown)
        return [word for word in (graph if last else shown).split() if word in ("GUARD_LIKE", "GUARD_VERSIONS")]

    @not_with_stress
    def test_attributes_and_calls_of_classes_that_are_made_anew(self):
        program = """
            def use(P, i):
                p = P(i, 7)
                return p.x + p.y
            anew(layouts, use)
            """
        # What a class has made is of that class.
        self.assertEqual(self.guards_of("use", program), ["GUARD_LIKE"])

    @not_with_stress
    def test_methods_of_classes_that_are_made_anew(self):
        program = """
            def use(p): return p.total()
            for k in range(300):
                p = layouts(k)(k, 5)
                for i in range(7): use(p)
                gc.collect(0)
            """
        self.assertEqual(self.guards_of("use", program), ["GUARD_LIKE"])

    @not_with_stress
    def test_classes_that_stay(self):
        """Eight are told apart by their versions, however alike they are."""
        program = """
            def get(p): return p.x * 2 + p.y
            some = [layouts(k)(k, 5) for k in range(4)]
            for i in range(3000):
                for p in some: get(p)
            """
        self.assertEqual(self.guards_of("get", program), ["GUARD_VERSIONS"])

    @not_with_stress
    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "exits are judged by the time they take")
    def test_more_classes_that_stay_than_were_there(self):
        """The guard that tells them apart fails too often: a matter of time."""
        program = """
            def get(p):
                t = 0
                for i in range(9): t += i ^ p.x
                return t
            kept = []
            for k in range(100):
                kept.append(layouts(k)(k, 5))
                for i in range(1000): get(kept[-1])
            """
        guards = [self.guards_of("get", program) for _ in range(4)]
        self.assertTrue(any("GUARD_LIKE" in of_one for of_one in guards), guards)

    @not_with_stress
    def test_classes_that_go(self):
        program = """
            def get(p): return p.x * 2 + p.y
            for k in range(300):
                p = layouts(k)(k, 5)
                for i in range(7): get(p)
                gc.collect(0)
            """
        self.assertEqual(self.guards_of("get", program), ["GUARD_LIKE"])

    @not_with_stress
    def test_classes_that_are_not_alike(self):
        program = """
            def other(k):
                class P:
                    __slots__ = ("a", "x")
                    def __init__(self, x, y): self.x = x
                return P
            def get(p):
                t = 0
                for i in range(2): t += i ^ p.x
                return t
            for k in range(300):
                p = [layouts, other][k % 2](k)(k, 5)
                for i in range(3): get(p)
                gc.collect(0)
            """
        self.assertNotIn("GUARD_LIKE", self.guards_of("get", program, last=False))


if __name__ == "__main__":
    unittest.main()
