"""Operators of classes with several bases, and of metaclasses with an MRO of their own, do what a
lookup of the special method along the MRO finds."""
import abc
import array
import collections
import itertools
import operator
import unittest

SPECIAL = {
    "__len__": (lambda self: 3, len),
    "__getitem__": (lambda self, i: ("item", (1, 2)[i] - 1), lambda x: x[0]),
    "__hash__": (lambda self: 5, hash),
    "__eq__": (lambda self, other: "eq", lambda x: x == x),
    "__call__": (lambda self: "called", lambda x: x()),
    "__iter__": (lambda self: iter("it"), lambda x: list(iter(x))),
    "__contains__": (lambda self, item: True, lambda x: 7 in x),
    "__add__": (lambda self, other: "sum", lambda x: x + x),
    "__bool__": (lambda self: False, bool),
    "__repr__": (lambda self: "shown", repr),
    "__setattr__": (lambda self, name, value: None, lambda x: setattr(x, "a", 1)),
}


class Plain:
    pass


class Abstract(metaclass=abc.ABCMeta):
    pass


def by_lookup(cls, name, x):
    """What the special method returns that is first along the MRO, or None."""
    for one in cls.__mro__:
        if name in vars(one):
            return one, vars(one)[name]
    return None, None


class InheritedSlots(unittest.TestCase):
    def check(self, cls):
        for name, (function, operation) in SPECIAL.items():
            where, method = by_lookup(cls, name, None)
            marked = getattr(method, "marked", False)
            try:
                x = cls()
                result = operation(x)
            except (TypeError, LookupError):
                result = TypeError
            if marked:
                expected = {"__len__": 3, "__getitem__": ("item", 0), "__hash__": 5, "__eq__": "eq",
                            "__call__": "called", "__iter__": list("it"), "__contains__": True,
                            "__add__": "sum", "__bool__": False, "__repr__": "shown",
                            "__setattr__": None}[name]
                self.assertEqual(result, expected, (cls.__mro__, name))
            elif method is None and name in ("__len__", "__call__"):
                self.assertIs(result, TypeError, (cls.__mro__, name))
            elif name == "__hash__" and method is None:
                self.assertIs(result, TypeError, (cls.__mro__, name))
            elif where is not None and where.__module__ == "builtins" and name == "__len__":
                self.assertEqual(result, 0, (cls.__mro__, name))

    def mixin(self, name, bases=(object,)):
        def method(*args):
            return SPECIAL[name][0](*args)
        method.marked = True
        return type("Mixin" + name, bases, {name: method})

    def test_mixins_before_and_after_the_base(self):
        bases_of_all = Plain, Abstract, int, str, list, dict, tuple
        for base, name in itertools.product(bases_of_all, SPECIAL):
            mixin = self.mixin(name)
            for bases in (base, mixin), (mixin, base):
                cls = type(base)("Both", bases, {})
                self.check(cls)
                self.check(type(base)("Below", (cls,), {}))
                self.check(type(base)("Further", (cls, Plain), {})
                           if base is not Plain else cls)

    def test_two_mixins(self):
        for first, second in itertools.permutations(SPECIAL, 2):
            left, right = self.mixin(first), self.mixin(second)
            for bases in (left, right), (dict, left, right), (left, dict, right):
                self.check(type("Two", bases, {}))

    def test_diamond(self):
        for name in SPECIAL:
            top = self.mixin(name)
            left, right = type("Left", (top,), {}), type("Right", (top,), {})
            for other in SPECIAL:
                def method(*args, other=other):
                    return SPECIAL[other][0](*args)
                method.marked = True
                setattr(right, other, method)
                self.check(type("Bottom", (left, right), {}))
                delattr(right, other)

    def test_in_place_with_an_own_add(self):
        class Other:
            def __add__(self, other):
                return "sum"
        own = {"__add__": Other.__add__}
        for base in list, bytearray:
            late = type("Late", (base,), {})
            below = type("Below", (late,), {})
            late.__add__ = Other.__add__
            for cls in (type("Own", (base,), own), type("First", (Other, base), {}),
                        type("Second", (base, Other), {}), late, below):
                x = y = cls((1, 2))
                x += base((3,))
                self.assertIs(x, y, cls.__mro__)
                self.assertEqual(list(x), [1, 2, 3])

    def test_a_sequence_is_extended_before_the_other_operand_is_asked(self):
        class Other:
            def __radd__(self, other):
                return "sum"

            def __iter__(self):
                return iter([3])

        for base, items in (list, [1, 3]), (collections.deque, [1, 3]):
            cls = type("Below", (base,), {})
            x = base([1])
            x += Other()
            self.assertEqual(x, "sum")
            x = y = cls([1])
            x += Other()
            self.assertIs(x, y)
            self.assertEqual(list(x), items)
        for base in bytearray, array.array:
            x = type("Below", (base,), {})(b"b" if base is bytearray else "b")
            with self.assertRaises(TypeError):
                x += Other()

    def test_concat_below_a_class_with_a_method(self):
        adds = type("Adds", (list,), {"__add__": lambda self, other: "sum"})
        below = type("Below", (adds,), {})
        self.assertEqual(operator.concat(below([1]), [2]), "sum")

    def test_mro_of_a_metaclass(self):
        for name in SPECIAL:
            hidden, brought = self.mixin(name), self.mixin("__len__")

            class Meta(type):
                def mro(cls):
                    usual = super().mro()
                    return [usual[0], brought, *usual[1:]] if cls.__name__ == "Late" else usual
            base = Meta("Base", (hidden,), {})
            self.check(Meta("Late", (base,), {}))


if __name__ == "__main__":
    unittest.main()
