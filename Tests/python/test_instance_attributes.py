"""Attributes kept inside instances behave as if they were in __dict__."""
import gc
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
            for i in range(60):
                setattr(a, f"n{i}", i)
            self.assertEqual([getattr(a, f"n{i}") for i in range(60)],
                             list(range(60)))
            self.assertEqual(list(vars(a)), [f"n{i}" for i in range(60)])

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


if __name__ == "__main__":
    unittest.main()
