"""Attributes kept inside instances behave as if they were in __dict__."""
import gc
import sys
import unittest
import weakref


class InlineAttributes(unittest.TestCase):

    def test_dict_has_the_order_of_assignment_in_each_instance(self):
        class A:
            pass
        a, b = A(), A()
        a.x, a.y, a.z = 1, 2, 3
        b.z, b.x = 4, 5
        del a.y
        a.y = 6
        self.assertEqual(list(a.__dict__.items()),
                         [("x", 1), ("z", 3), ("y", 6)])
        self.assertEqual(list(b.__dict__.items()), [("z", 4), ("x", 5)])

    def test_more_attributes_than_fit(self):
        class A:
            pass
        for round_ in range(3):
            a = A()
            for i in range(90):
                setattr(a, f"n{i}", i)
            self.assertEqual([getattr(a, f"n{i}") for i in range(90)],
                             list(range(90)))
            self.assertEqual(list(vars(a)), [f"n{i}" for i in range(90)])

    def test_many_attributes_live_in_the_instance(self):
        # An instance whose attributes have moved into a dict is smaller than one with values.
        for n in 7, 15, 31, 62:
            class A:
                pass
            for _ in range(n):
                a = A()
                for i in range(n):
                    setattr(a, f"n{i}", i)
            before = sys.getsizeof(A)
            self.assertEqual([getattr(a, f"n{i}") for i in range(n)], list(range(n)))
            held = gc.get_referents(a)
            self.assertFalse([r for r in held if type(r) is dict], n)
            a.__dict__
            self.assertTrue([r for r in gc.get_referents(a) if type(r) is dict], n)
            self.assertEqual(list(vars(a).items()), [(f"n{i}", i) for i in range(n)])
            self.assertEqual(sys.getsizeof(A), before)

    def test_initialised_with_many_attributes(self):
        lines = ["def __init__(self):"] + [f"    self.n{i} = {i}" for i in range(70)]
        for n in 29, 30, 31, 61, 62, 63, 64, 65, 70:
            names = {}
            exec("\n".join(lines[:n + 1]), names)
            A = type("A", (), {"__init__": names["__init__"]})
            for _ in range(300):
                a = A()
                self.assertEqual((a.n0, getattr(a, f"n{n - 1}")), (0, n - 1))
            self.assertEqual(list(vars(a).values()), list(range(n)))

    def test_dict_and_attributes_are_one_thing(self):
        class A:
            pass
        a = A()
        a.x = 1
        d = a.__dict__
        d["y"] = 2
        a.z = 3
        del d["x"]
        self.assertFalse(hasattr(a, "x"))
        self.assertEqual(a.y, 2)
        self.assertEqual(d, {"y": 2, "z": 3})
        self.assertIs(a.__dict__, d)
        del a
        self.assertEqual(d, {"y": 2, "z": 3})

    def test_replaced_dict(self):
        class A:
            pass
        a = A()
        a.x = 1
        a.__dict__ = {"y": 2}
        self.assertEqual((a.y, hasattr(a, "x")), (2, False))
        del a.__dict__["y"]
        a.x = 3
        self.assertEqual(vars(a), {"x": 3})

    def test_class_assignment_keeps_attributes(self):
        class A:
            pass

        class B:
            def __init__(self):
                self.b = 1
                self.a = 2
        B()
        a = A()
        a.a, a.c = 3, 4
        a.__class__ = B
        self.assertEqual((a.a, a.c, hasattr(a, "b")), (3, 4, False))
        a.b = 5
        self.assertEqual(vars(a), {"a": 3, "c": 4, "b": 5})

    def test_subclass_with_slots_keeps_both(self):
        class A:
            def __init__(self):
                self.x = 1

        class B(A):
            __slots__ = ("s",)
        b = B()
        b.s = 2
        b.y = 3
        self.assertEqual((b.x, b.s, b.y, vars(b)), (1, 2, 3, {"x": 1, "y": 3}))

    def test_names_that_are_not_plain_strings(self):
        class Name(str):
            pass

        class A:
            pass
        a = A()
        a.x = 1
        setattr(a, Name("y"), 2)
        self.assertEqual((a.x, a.y), (1, 2))
        self.assertEqual(getattr(a, "".join(["", "x"])), 1)

    def test_deleting_what_is_not_there(self):
        class A:
            pass
        a = A()
        with self.assertRaisesRegex(AttributeError, "x"):
            del a.x
        a.x = 1
        del a.x
        with self.assertRaises(AttributeError):
            del a.x

    def test_values_are_released_with_the_instance(self):
        class A:
            pass
        a = A()
        a.x = A()
        ref = weakref.ref(a.x)
        a.y = 1
        a.x = 2
        self.assertIsNone(ref())
        a.x = A()
        ref = weakref.ref(a.x)
        del a
        self.assertIsNone(ref())

    def test_cycles_through_inline_values_are_collected(self):
        class A:
            pass
        a = A()
        a.b = A()
        a.b.a = a
        ref = weakref.ref(a)
        del a
        gc.collect()
        self.assertIsNone(ref())

    def test_destructor_that_adds_an_attribute(self):
        class A:
            def __del__(self):
                self.late = 1
                seen.append(vars(self))
        seen = []
        a = A()
        a.x = 1
        del a
        self.assertEqual(seen, [{"x": 1, "late": 1}])


class HotSitesAndDicts(unittest.TestCase):
    """Instances whose values have moved into a dict, at sites that have settled on what
    they saw before."""

    def setUp(self):
        class Base:
            kind = "class"

            def method(self):
                return "method"
        self.cls = Base

    def load(self, o, n=200):
        for _ in range(n):
            found = o.kind
        return found

    def call(self, o, n=200):
        for _ in range(n):
            found = o.method()
        return found

    def test_a_dict_hides_attributes_of_the_class_and_shows_them_again(self):
        o = self.cls()
        vars(o)
        self.assertEqual((self.load(o), self.call(o)), ("class", "method"))
        o.__dict__["kind"] = "own"
        o.__dict__["method"] = lambda: "own"
        self.assertEqual((self.load(o), self.call(o)), ("own", "own"))
        self.assertEqual((self.load(self.cls()), self.call(self.cls())), ("class", "method"))
        del o.kind, o.method
        self.assertEqual((self.load(o), self.call(o)), ("class", "method"))

    def test_one_site_meets_inline_values_and_dicts(self):
        def site(o):
            o.x += 1
            return o.x
        a, b, c = self.cls(), self.cls(), self.cls()
        a.x = b.x = c.x = 0
        vars(b)
        c.__dict__ = {1: 2, "x": 0}
        for i in range(1, 200):
            self.assertEqual([site(o) for o in (a, b, c)], [i] * 3)
        self.assertEqual(vars(c), {1: 2, "x": 199})
        self.assertEqual(vars(b), {"x": 199})

    def test_names_beyond_the_shared_keys(self):
        def site(o, value):
            o.last = value
            return o.last, o.n89
        o = self.cls()
        for i in range(90):
            setattr(o, f"n{i}", i)
        for i in range(200):
            self.assertEqual(site(o, i), (i, 89))
        del o.last
        with self.assertRaises(AttributeError):
            for _ in range(3):
                o.last
        young = self.cls()
        young.n89 = -1
        self.assertEqual([site(young, i) for i in range(100)][-1], (99, -1))

    def test_a_name_that_only_dicts_had_becomes_a_shared_one(self):
        def site(o):
            return o.late
        first = self.cls()
        first.__dict__["late"] = "dict"
        self.assertEqual([site(first) for _ in range(100)], ["dict"] * 100)
        second = self.cls()
        second.late = "inline"
        self.assertEqual([site(o) for o in (first, second) * 100], ["dict", "inline"] * 100)

    def test_a_class_gets_the_attribute_later(self):
        def site(o):
            return o.late
        o = self.cls()
        o.__dict__["late"] = "dict"
        self.assertEqual([site(o) for _ in range(100)], ["dict"] * 100)
        self.cls.late = property(lambda self: "property")
        self.assertEqual(site(o), "property")
        self.cls.late = "class"
        self.assertEqual(site(o), "dict")
        del o.late
        self.assertEqual(site(o), "class")

    def test_stored_callables_are_called_without_self(self):
        def site(o):
            return o.callback(1)
        a, b = self.cls(), self.cls()
        a.callback = b.callback = lambda *args: args
        vars(b)
        self.assertEqual([site(o) for o in (a, b) * 100], [(1,)] * 200)
        with self.assertRaisesRegex(AttributeError, "has no attribute 'callback'"):
            site(self.cls())

    def test_dicts_of_a_kind_of_their_own(self):
        class Dict(dict):
            def __getitem__(self, key):
                raise RuntimeError("asked")
            __setitem__ = get = __contains__ = __getitem__

        def site(o, i):
            o.x = i
            return o.x, o.method(), o.kind
        o = self.cls()
        o.__dict__ = Dict(x=1)
        self.assertEqual([site(o, i) for i in range(100)],
                         [(i, "method", "class") for i in range(100)])

    def test_exceptions_have_a_dict_too(self):
        class Problem(Exception):
            code = 7

        def site(o, i):
            o.detail = i
            return o.detail, o.code
        o = Problem("x")
        self.assertEqual([site(o, i) for i in range(100)], [(i, 7) for i in range(100)])
        o.code = 8
        self.assertEqual(site(o, 5), (5, 8))

    def test_the_dict_dies_while_it_is_stored_into(self):
        class Last:
            def __del__(self):
                o.__dict__ = {"fresh": 1}
        o = self.cls()
        vars(o)
        for _ in range(100):
            o.x = Last()
            o.x = 1
            self.assertEqual(vars(o), {"fresh": 1})

    def test_a_dict_made_of_any_number_of_attributes(self):
        for n in range(80):
            o = self.cls()
            names = [f"name{i * 7 % n}" for i in range(n)] if n % 7 else [f"n{i}" for i in range(n)]
            for i, name in enumerate(names):
                setattr(o, name, i)
            made = vars(o)
            self.assertEqual(list(made.items()), [(name, i) for i, name in enumerate(names)])
            self.assertNotIn("name", made)
            self.assertEqual([made[name] for name in names], list(range(n)))
            made["more"] = n
            self.assertEqual((o.more, len(made)), (n, n + 1))


if __name__ == "__main__":
    unittest.main()
