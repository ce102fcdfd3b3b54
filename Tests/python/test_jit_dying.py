"""Objects that die in machine code: what is borrowed from them, and what runs then."""
import os
import textwrap
import unittest

from jit_cases import run

SETUP = """
    import gc, os, sys, weakref
    # A collection at each allocation may have been before.
    def finds_garbage():
        return gc.collect() > 0 or "SPRINGBOARD_STRESS" in os.environ
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
    def drop(make, new):
        box, y = make(new()), 1.5
        y = y * 2
        box = y
        return box
"""

# Behind a list of `makers`: what each makes of an object is dropped, and the object dies with it or
# not. A maker may keep it in `held`.
DROP_EACH = """
            held = []
            for make in makers:
                print(make.__name__)
                warm(drop, make, int)
                drop(make, Loud)
                kept = Loud("kept")
                drop(make, lambda: kept)
                print(sys.getrefcount(kept))
                kept.name = "let go"
                held.clear()
                del kept
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

    def test_views_and_iterators_of_dicts(self):
        self.check("""
            def view(x): return {1: x}.items()
            def view_of_values(x): return {1: x}.values()
            def view_of_another(x):
                held.append({1: x})
                return held[-1].keys()
            def pairs(x): return iter({1: x}.items())
            def step(x):
                it = iter({1: x}.items())
                next(it)
                return it
            def exhausted(x):
                it = iter({1: x}.items())
                list(it)
                return it
            def pair_alone(x):
                held.append({1: x})
                it = iter(held[-1].items())
                next(it)
                held[-1][1] = None
                return it
            def same_twice_in_pair(x):
                held.append({x: x})
                it = iter(held[-1].items())
                next(it)
                held[-1].clear()
                return it
            makers = [view, view_of_values, view_of_another, pairs, step, exhausted, pair_alone,
                      same_twice_in_pair]
        """ + DROP_EACH)

    def test_who_looks_finds_the_frame(self):
        self.check("""
            makers = [*classes, lambda x: [x], lambda x: (x, x), slice, lambda x: [[x]],
                      lambda x: Plain([Slots(x)]), lambda x: {1: x}, lambda x: Plain(x).__init__,
                      lambda x: iter([x]), lambda x: lambda: x, lambda x: {x},
                      lambda x: frozenset([x, 1]), lambda x: {"key": [x]}]
        """ + DROP_EACH)

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
            print(finds_garbage())
        """)

    def test_bound_methods_of_c_and_iterators(self):
        self.check("""
            def shown(what):
                frame = sys._getframe(2)
                print(what, frame.f_lineno - frame.f_code.co_firstlineno, sorted(frame.f_locals))
            class List(list):
                def __del__(self):
                    shown("list")
            class Dict(dict):
                def __del__(self):
                    shown("dict")
            class Set(set):
                def __del__(self):
                    shown("set")
            def f(n, loud):
                a = n + 1
                m = (List if loud else list)().append
                b = a * 2
                m = None
                m = iter((Dict if loud else dict)(a=1))
                c = b + 1
                m = None
                m = iter((Set if loud else set)((1, 2)))
                d = c + 1
                m = None
                for x in (Dict if loud else dict)(a=1, b=2):
                    d = x
                return a, c, d
            for i in range(900):
                f(i, i % 50 > 47)
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
            print(with_class(1), finds_garbage())
        """)

    def test_what_dies_with_a_call_that_is_built_in(self):
        self.check("""
            class Box:
                def __init__(self, x, y=None):
                    self.x = x
                    self.y = y
                def get(self): return self.x
                def pick(self, other): return other.y if self.y is None else self
                def swap(self, boxes):
                    self.x = boxes[0]
                    boxes[0] = None
                def more(self): return Box(self.x, self.y)
            class Narrow(Box):
                __slots__ = "z"
            def first(pair): return pair[0]
            def got(cls, x): return cls(x).get()
            def picked(cls, x, y): return cls(x, y).pick(cls(x, "other"))
            def swapped(cls, boxes): return cls(1).swap(boxes)
            def chained(cls, x): return cls(x).more().more().get()
            def of_list(x): return first([x, 1])
            def of_tuple(x): return first((x, x))
            def of_both(x): return first([Box(x), x]).get()
            for x in 5, "abc", 2.5, [1], (1, [2]), Box(3), None:
                for cls in Box, Narrow:
                    warm(got, cls, x)
                    warm(picked, cls, x, None)
                    warm(swapped, cls, [1])
                    warm(chained, cls, x)
                for f in of_list, of_tuple, of_both:
                    warm(f, x)
            for cls in Box, Narrow:
                got(cls, Loud("got"))
                chained(cls, Loud("chained"))
                picked(cls, Loud("picked"), None)
                picked(cls, 1, Loud("y"))
                swapped(cls, [Loud("swapped")])
                swapped(cls, [[Loud("swapped in a list")]])
                got(cls, [Loud("in a list")])
                made = Loud("held")
                ref = weakref.ref(made, lambda r: print("gone", sys._getframe(1).f_code.co_name))
                got(cls, made)
                del made
                made = cls(Loud("seen"))
                ref = weakref.ref(made, lambda r: print("gone", sys._getframe(1).f_code.co_name))
                of_tuple(made)
                del made
            for f in of_list, of_tuple, of_both:
                f(Loud(f.__name__))
                print(f([5]) == [5])
            """)

    def test_a_method_of_what_is_dropped_may_be_built_in(self):
        """It is not left because the owner dies."""
        text = textwrap.dedent("""
            import sys
            class Box:
                def __init__(self, x): self.x = x
                def twice(self): return self.x * 2
            def f(n):
                r = 0
                for i in range(n):
                    r += Box(i).twice()
                return r
            for i in range(200): f(1000)
            print(sys._jit.figures()["exits"] < 20, sys._jit.figures()["compiled"] > 0)
            """)
        self.assertEqual(run(text, SPRINGBOARD_JIT="on"), "True True\n")

    def test_functions(self):
        self.check("""
            def with_default(x):
                def f(a=x): pass
                return f
            def with_cells(x):
                y = z = x
                def f(): return x, y, z
                del y, z
                return f
            def with_one_cell_twice(x):
                def f(): return x
                return type(f)(f.__code__, {}, "g", None, f.__closure__)
            def with_annotation(x):
                def f(a: x): pass
                return f
            def with_keyword(x):
                def f(*, a=x): pass
                return f
            def with_attribute(x):
                def f(): pass
                f.x = x
                return f
            def with_doc(x):
                def f(): pass
                f.__doc__ = x
                return f
            def with_module(x):
                def f(): pass
                f.__module__ = x
                return f
            class Name(str):
                name = "name"
                __del__ = Loud.__del__
            def with_name(x):
                def f(): pass
                f.__name__ = (Name if type(x) is Loud else str)("a%d" % len(held))
                held.append(x)
                return f
            def with_globals(x):
                return eval("lambda: 0", {"x": x})
            def with_builtins(x):
                return eval("lambda: 0", {"__builtins__": {"x": x}})
            def with_old_code(x):
                f = eval("lambda a=x: 0", {"x": x})
                f.__code__ = drop.__code__
                return f
            makers = [f for name, f in sorted(globals().items()) if name.startswith("with_")]
        """ + DROP_EACH)

    def test_functions_with_weak_references(self):
        self.check("""
            def see(ref):
                frame = sys._getframe(1)
                print(ref(), frame.f_lineno - frame.f_code.co_firstlineno, frame.f_locals["f"])
            def drop(see):
                def f(): pass
                ref = weakref.ref(f, see) if see else None
                f = 4
                return ref
            warm(drop, None)
            print(drop(see)())
            def circle():
                def f(): return f
                f.__globals__
            warm(circle)
            print(finds_garbage())
        """)

    def test_keys_and_values(self):
        self.check("""
            def drop(make, new):
                d = make(new(), new())
                d = 1
                return d
            def alone(x):
                return x
            makers = [lambda x, y: {1: x, 2: y}, lambda x, y: {x: 1, 2: y}, lambda x, y: {x: x},
                      lambda x, y: {(x, y)}, lambda x, y: {x, y, 3}, lambda x, y: frozenset([x]),
                      lambda x, y: {i: x for i in range(7)}, lambda x, y: {i: x for i in range(30)},
                      lambda x, y: (x, y, x), lambda x, y: (3.5, x, "a%d" % id(d)),
                      lambda x, y: ((x, 2.5), (y, 3.5)), lambda x, y: [1.5, x, x],
                      lambda x, y: [x] * 3 + [y] * 20, lambda x, y: [x] + [None] * 30,
                      lambda x, y: [None] * 30 + [y] * 9 + [x]]
            d = 0
            counts = []
            for make in makers:
                warm(drop, make, lambda: object())
                drop(make, Loud)
                kept = Loud("kept")
                warm(drop, make, lambda: kept)
                counts.append(sys.getrefcount(kept))
                kept.name = "let go"
                del kept
            print(counts)
        """)

    def test_datetimes_whose_zone_dies(self):
        self.check("""
            from datetime import datetime, time, timedelta, timezone, tzinfo
            class Zone(tzinfo):
                name = "zone"
                __del__ = Loud.__del__
            makers = [lambda z: datetime(2024, 1, 2, tzinfo=z), lambda z: time(1, 2, tzinfo=z),
                      lambda z: (datetime(2024, 1, 2, tzinfo=z), time(1, 2, tzinfo=z)),
                      lambda z: [datetime(2024, 1, 2, tzinfo=z) + timedelta(3)],
                      lambda z: {datetime(2024, 1, 2): datetime(2024, 1, 2, tzinfo=z)}]
            for make in makers:
                for zone in None, timezone.utc, timezone(timedelta(hours=1)):
                    warm(drop, make, lambda: zone)
                drop(make, Zone)
                kept = Zone()
                drop(make, lambda: kept)
                print(sys.getrefcount(kept))
                kept.name = "let go"
                del kept
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

    def test_except_star_lets_go(self):
        self.check("""
            refs = []
            class Error(Exception): pass
            class Other(Exception): pass
            def fail():
                error = Error()
                refs.append(weakref.ref(error))
                raise error
            def second(i):
                try:
                    fail()
                except* KeyError: pass
                except* Error: pass
            def body(i):
                try:
                    fail()
                except* Error:
                    i = 1
            def group(i):
                try:
                    raise ExceptionGroup("both", [Error(), Other()])
                except* Other as e:
                    refs.append(weakref.ref(e.exceptions[0]))
                except* Error as e:
                    refs.append(weakref.ref(e.exceptions[0]))
            for f in second, body, group:
                warm(f, 1)
                gc.collect()
                print(f.__name__, [ref() for ref in refs if ref() is not None])
        """)

    def test_import_as_lets_go(self):
        self.check("""
            import importlib.machinery
            def get():
                import importlib.machinery as found
                return found
            before = sys.getrefcount(importlib)
            warm(get)
            print(get().__name__, sys.getrefcount(importlib) - before)
        """)

    def test_the_mapping_that_exec_gives_a_function(self):
        self.check("""
            def constant(): return 5
            def sees(): return locals()
            def loops():
                for i in range(3): pass
            scope, mapping = {}, {"seen": 1}
            for code in constant.__code__, sees.__code__, loops.__code__:
                warm(eval, code, scope, mapping)
                warm(exec, code, scope)
                before = sys.getrefcount(scope), sys.getrefcount(mapping)
                warm(eval, code, scope, mapping)
                warm(exec, code, scope)
                print(eval(code, scope, mapping), code.co_name,
                      [sys.getrefcount(scope) - before[0], sys.getrefcount(mapping) - before[1]])
        """)


if __name__ == "__main__":
    unittest.main()
