"""Attributes of classes that are written all the time, and what is known of the class meanwhile."""
import os
import subprocess
import sys
import textwrap
import unittest

from jit_cases import add_cases, not_with_stress, run

SETUP = """
    class Counted:
        n = 0
        kind = "plain"
        def __init__(self, x):
            Counted.n += 1
            self.x = x
        def size(self):
            return self.x + self.n
    class Sub(Counted):
        def later(self):
            return super().n
"""

CASES = {
    "counter": ("""
        def f(k):
            t = 0
            for i in range(k):
                c = Sub(i)
                t += c.x + c.n + Sub.n + Counted.n + c.size() + c.later()
            return t
        print(f(3000), Counted.n)
    """, "31504497 3000\n".replace("31504497", str(sum(2 * i + 5 * (i + 1) for i in range(3000))))),
    "it_becomes_a_descriptor": ("""
        def read(o):
            return o.kind, type(o).kind
        o = Counted(1)
        seen = []
        for i in range(100):
            Counted.kind = i
            seen.append(read(o))
        Counted.kind = property(lambda self: "got")
        print(seen[-1], read(o)[0], type(read(o)[1]).__name__)
        Counted.kind = lambda self: "method"
        print(o.kind(), o.kind.__self__ is o)
        Counted.kind = 5
        print(read(o))
        del Counted.kind
        try:
            read(o)
        except AttributeError as e:
            print(e)
        Counted.kind = 6
        print(read(o))
    """, "(99, 99) got property\nmethod True\n(5, 5)\n"
         "'Counted' object has no attribute 'kind'\n(6, 6)\n"),
    "descriptors_of_the_metaclass_come_first": ("""
        class Meta(type):
            @property
            def kind(cls):
                return "got"
            @kind.setter
            def kind(cls, value):
                print("set", value)
        class Made(metaclass=Meta):
            kind = 1
            other = 1
        def write(c, i):
            c.kind = i
            c.other = i
        for i in range(3):
            write(Made, i)
        print(Made.kind, Made.__dict__["kind"], Made.other)
        class Named:
            __name__ = "in the dictionary"
            __doc__ = 1
        Named.__name__ = "Other"
        Named.__doc__ = 2
        print(Named.__name__, Named.__dict__["__name__"], Named.__doc__, Named().__name__)
        class Last:
            def __del__(self):
                print("gone:", Named.last, Named().last)
        Named.last = Last()
        Named.last = 7
        class Text(str):
            pass
        setattr(Named, Text("last"), 8)
        print(Named.last, [type(k) for k in Named.__dict__ if k == "last"])
    """, "set 0\nset 1\nset 2\ngot 1 2\nOther in the dictionary 2 in the dictionary\n"
         "gone: 7 7\n8 [<class 'str'>]\n"),
    "a_subclass_hides_it": ("""
        def read(o):
            return o.n, o.size()
        s = Sub(1)
        for i in range(100):
            Counted.n = i
            assert read(s) == (i, i + 1)
        Sub.n = -1
        assert read(s) == (-1, 0)
        for i in range(100):
            Counted.n = i
            Sub.n = -i
            assert read(s) == (-i, 1 - i) and read(Counted.__new__(Counted).__class__(2))[0] == i + 1
        del Sub.n
        print(read(s))
        s.n = 7
        for i in range(100):
            Counted.n = i
            assert read(s) == (7, 8)
        print(read(s))
    """, "(100, 101)\n(7, 8)\n"),
    "read_long_after": ("""
        def read(k):
            t = 0
            for i in range(k):
                t += Counted.n
            return t
        for round in range(30):
            for i in range(20):
                Counted.n = i + round
            name = "".join(["n"])
            assert getattr(Counted, name) == 19 + round
            assert read(1000) == 1000 * (19 + round), round
            assert getattr(Counted(1), name) == 20 + round
        print(Counted.n)
    """, "49\n"),
    "class_of_values_becomes_a_descriptor": ("""
        class Value:
            pass
        def read(o):
            return type(o.kind).__name__
        o = Counted(1)
        for i in range(100):
            Counted.kind = Value()
            assert read(o) == "Value"
        Value.__get__ = lambda self, obj, cls: "through"
        print(o.kind)
        Counted.kind = Value()
        print(o.kind, Counted.kind)
        del Value.__get__
        print(read(o))
    """, "through\nthrough through\nValue\n"),
}


class ClassCounters(unittest.TestCase):
    @not_with_stress
    def test_what_is_known_of_the_class_stays(self):
        program = textwrap.dedent(SETUP) + textwrap.dedent("""
            import sys
            def f(k):
                t = 0
                for i in range(k):
                    c = Counted(i)
                    t += c.x + c.size()
                return t
            for i in range(100):
                f(1000)
            figures = sys._jit.figures()
            print(figures["exits"] < 100, figures["compiled"] < 8, figures)
        """)
        out = run(program, SPRINGBOARD_JIT="on")
        self.assertTrue(out.startswith("True True"), out)


add_cases(ClassCounters, CASES, SETUP)
