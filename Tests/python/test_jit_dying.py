"""Objects that die in machine code: what is borrowed from them, and what runs then."""
import os
import textwrap
import unittest

from jit_cases import run

SETUP = """
    import gc, sys, weakref
    def warm(f, *args):
        for i in range(700):
            f(*args)
    class Plain:
        def __init__(self, x):
            self.x = x
    class Slots:
        __slots__ = "x", "y"
        def __init__(self, x):
            self.x = self.y = x
    class Derived(Slots):
        def __init__(self, x):
            self.x = self.y = self.z = x
    class Loud:
        def __init__(self, name="loud"):
            self.name = name
        def __del__(self):
            frame = sys._getframe(1)
            shown = sorted((k, type(v).__name__) for k, v in frame.f_locals.items()
                           if frame.f_code.co_name != "<module>")
            print(self.name, frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno,
                  shown)
    classes = Plain, Slots, Derived
"""

class Dying(unittest.TestCase):
    maxDiff = None

    def check(self, text):
        """It prints what the interpreter prints."""
        text = textwrap.dedent(SETUP) + textwrap.dedent(text) + 'print("end")\n'
        expected = run(text, SPRINGBOARD_JIT="off")
        self.assertTrue(expected.endswith("end\n"), expected)
        for mode in os.environ.get("SB_JIT_MODES", "eager on stress:7").split():
            self.assertEqual(run(text, SPRINGBOARD_JIT=mode), expected, mode)

    def test_what_is_borrowed_stays(self):
        self.check("""
            def of_list(i):
                box = ["abc%d" % i, 7]
                return box[0], (box := None), "%d" % i
            def of_instance(i, cls):
                box = cls(["abc%d" % i, 7])
                return box.x, (box := None), ["%d" % i, 8]
            def of_both(i, cls):
                box = [cls("abc%d" % i)]
                return box[0].x + ("" if (box := None) else "%d" % i)
            for i in range(3000):
                assert of_list(i) == ("abc%d" % i, None, "%d" % i)
                for cls in classes:
                    assert of_instance(i, cls) == (["abc%d" % i, 7], None, ["%d" % i, 8])
                    assert of_both(i, cls) == "abc%d%d" % (i, i)
        """)

    def test_who_looks_finds_the_frame(self):
        self.check("""
            def drop(make, new):
                box, y = make(new()), 1.5
                y = y * 2
                box = y
                return box
            makers = [*classes, lambda x: [x], lambda x: (x, x), slice, lambda x: [[x]],
                      lambda x: Plain([Slots(x)]), lambda x: {1: x}, lambda x: Plain(x).__init__,
                      lambda x: iter([x]), lambda x: lambda: x, lambda x: {x},
                      lambda x: frozenset([x, 1]), lambda x: {"key": [x]}]
            for make in makers:
                warm(drop, make, int)
                drop(make, Loud)
                kept = Loud("kept")
                drop(make, lambda: kept)
                print(sys.getrefcount(kept))
                kept.name = "let go"
                del kept
        """)

    def test_the_last_reference_is_within(self):
        self.check("""
            def twice(new):
                x = new()
                box = [x, [x, x], Plain(x)]
                del x
                box = 2
                return box
            def circle(cls):
                a = cls(None)
                a.x = a
                a = 3
                return a
            warm(twice, int)
            twice(Loud)
            twice(lambda: [Loud("second")])
            for cls in classes:
                warm(circle, cls)
            print(gc.collect() > 0)
        """)

    def test_weak_references(self):
        self.check("""
            def drop(see):
                box = [Plain(5)]
                ref = weakref.ref(box[0], see) if see else None
                box = 4
                return ref
            warm(drop, None)
            def see(ref):
                frame = sys._getframe(1)
                print(ref(), frame.f_lineno - frame.f_code.co_firstlineno, frame.f_locals["box"])
            print(drop(see)())
            def method(see):
                box = Plain(5).__init__
                ref = weakref.ref(box, see) if see else None
                box = 6
                return ref
            warm(method, None)
            print(method(see)())
        """)

    def test_classes_that_become_loud_or_die(self):
        self.check("""
            def drop(cls):
                box = cls(1)
                box = 2
                return box
            for cls in classes:
                warm(drop, cls)
            Plain.__del__ = Loud.__del__
            Plain.name = "plain"
            drop(Plain)
            del Plain.__del__
            drop(Plain)
            class Meta(type):
                def __del__(self):
                    print("class", self.__name__)
            def with_class(i):
                cls = Meta("C", (Plain,), {})
                box = cls(1)
                del cls
                box = 3
                return box
            D = Meta("D", (Slots,), {"__slots__": ()})
            warm(drop, D)
            del D
            gc.collect()
            print(with_class(1), gc.collect() > 0)
        """)

    def test_long_chains(self):
        self.check("""
            def chain(n, cls):
                end = None
                for i in range(n):
                    end = cls(end)
                end = 1
                return end
            for cls in classes:
                for n in 3, 9, 50, 100000:
                    chain(n, cls)
                warm(chain, 12, cls)
            def loud_chain(n):
                end = Loud()
                for i in range(n):
                    end = Plain(end)
                end = 1
                return end
            for i in range(200):
                loud_chain(i % 10)
            loud_chain(40)
        """)

    def test_attributes_of_all_kinds(self):
        self.check("""
            class Other: pass
            class Late:
                def __init__(self, x):
                    if x is not None:
                        self.x = x
            class Mixed(Slots):
                def __init__(self, x):
                    self.x = x
                    self.more = x
            def drop(new, how):
                box = Plain(new())
                if how == 1:
                    box.__dict__
                elif how == 2:
                    box.more = box.x
                    del box.x
                elif how == 3:
                    box.__class__ = Other
                elif how == 4:
                    for i in range(40):
                        setattr(box, "a%d" % i, new())
                elif how == 5:
                    box = Late(None)
                elif how == 6:
                    box = Mixed(box.x)
                    del box.x
                box = how
                return box
            for how in range(7):
                warm(drop, float, how)
                drop(Loud, how)
        """)


if __name__ == "__main__":
    unittest.main()
