"""What a C function that takes keywords is given when there are none: NULL, or the
empty dict of a call with ** , as python3.11 does. (numpy tells them apart.)"""
import ctypes
import unittest

METH_VARARGS, METH_KEYWORDS = 1, 2
SIGNATURE = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p,
                              ctypes.c_void_p)


class MethodDef(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("function", SIGNATURE),
                ("flags", ctypes.c_int), ("doc", ctypes.c_char_p)]


@SIGNATURE
def see(_self, _args, kwargs):
    return None if not kwargs else ctypes.cast(kwargs, ctypes.py_object).value


# As static as in C: a function looks at its PyMethodDef until it is gone, which is
# after this module's names are.
definition = MethodDef(b"see", see, METH_VARARGS | METH_KEYWORDS, None)
ctypes.pythonapi.Py_IncRef(ctypes.py_object(definition))
new_function = ctypes.pythonapi.PyCFunction_NewEx
new_function.restype = ctypes.py_object
new_function.argtypes = ctypes.POINTER(MethodDef), ctypes.c_void_p, ctypes.c_void_p
function = new_function(ctypes.byref(definition), None, None)


def pass_on(*args, **kwargs):
    return function(*args, **kwargs)


class KeywordsOfCFunctions(unittest.TestCase):
    def test_without_keywords_there_is_no_dict(self):
        args = ()
        self.assertIsNone(function())
        self.assertIsNone(function(1))
        self.assertIsNone(function(*args))
        self.assertIsNone(next(map(function, [1])))

    def test_two_stars_give_a_dict_even_if_empty(self):
        args, empty = (1,), {}
        self.assertEqual(function(**empty), {})
        self.assertEqual(function(*args, **empty), {})
        self.assertEqual(function(1, **empty, **empty), {})
        self.assertEqual(pass_on(), {})
        self.assertEqual(pass_on(1), {})

    def test_the_dict_is_the_functions_own(self):
        given = {"a": 1}
        self.assertEqual(function(**given), given)
        self.assertIsNot(function(**given), given)

        def outer(**kwargs):
            return function(**kwargs), kwargs
        got, passed = outer(a=1)
        self.assertEqual(got, {"a": 1})
        self.assertIsNot(got, passed)

        def outer_with_args(*args, **kwargs):
            return function(*args, **kwargs), kwargs
        got, passed = outer_with_args(1, a=1)
        self.assertEqual(got, {"a": 1})
        self.assertIsNot(got, passed)


def parse(args, kwargs, *names):
    """PyArg_ParseTupleAndKeywords with a unit "O" for each name, all optional."""
    return parse_as("|" + "O" * len(names), args, kwargs, *names)


def parse_as(units, args, kwargs, *names):
    values = [ctypes.py_object(None) for _ in names]
    array = (ctypes.c_char_p * (len(names) + 1))(*[name.encode() for name in names], None)
    if not ctypes.pythonapi.PyArg_ParseTupleAndKeywords(
            ctypes.py_object(args), ctypes.py_object(kwargs),
            f"{units}:parsed".encode(), array, *map(ctypes.byref, values)):
        return None
    return [value.value for value in values]


class Unusual(str):
    """Equal to another str than the one that it consists of."""
    def __eq__(self, other):
        return other == "second"

    def __hash__(self):
        return hash("second")


class KeywordsByName(unittest.TestCase):
    def test_few_and_many(self):
        for n in range(1, 12):
            names = [f"name{i}" for i in range(n)]
            for given in range(n + 1):
                chosen = names[::-1][:given]
                self.assertEqual(parse((), {name: name for name in chosen}, *names),
                                 [name if name in chosen else None for name in names])

    def test_names_that_begin_alike(self):
        self.assertEqual(parse((), {"ab": 1, "abc": 2}, "a", "ab", "abc"), [None, 1, 2])

    def test_names_outside_ascii(self):
        self.assertEqual(parse((1,), {"\xe9": 2, "\u20ac": 3}, "a", "\xe9", "\u20ac"), [1, 2, 3])

    def test_equality_of_a_subclass_decides(self):
        self.assertEqual(parse((), {Unusual("first"): 1}, "first", "second"), [None, 1])

    def test_required_and_keyword_only(self):
        for units, args, kwargs, expected in (
                ("OO|O", (1,), {"b": 2}, [1, 2, None]),
                ("OO|O", (), {"c": 3, "b": 2, "a": 1}, [1, 2, 3]),
                ("O|$OO", (1,), {"c": 3}, [1, None, 3]),
                ("O|O$O", (), {"c": 3, "a": 1}, [1, None, 3]),
                ("|$OOO", (), {"b": 2}, [None, 2, None]),
                ("O$OO", (1,), {"b": 2},
                 "TypeError: parsed() missing required argument 'c' (pos 3)"),
                ("OO|O", (), {"b": 2},
                 "TypeError: parsed() missing required argument 'a' (pos 1)"),
                ("O|$OO", (1, 2), {"c": 3},
                 "TypeError: parsed() takes at most 1 positional argument (2 given)"),
                ("O$OO", (1, 2), {"c": 3},
                 "TypeError: parsed() takes exactly 1 positional argument (2 given)"),
                ("O$O|O", (), {"a": 1, "b": 2},
                 "SystemError: Invalid format string ($ before |)")):
            with self.subTest(units=units, args=args, kwargs=kwargs):
                try:
                    got = parse_as(units, args, kwargs, "a", "b", "c")
                except Exception as e:
                    got = f"{type(e).__name__}: {e}"
                self.assertEqual(got, expected)

    def test_a_parameter_without_a_name_takes_no_keyword(self):
        self.assertEqual(parse_as("O|O", (1,), {"b": 2}, "", "b"), [1, 2])
        with self.assertRaises(TypeError) as caught:
            parse_as("O|O", (), {"b": 2}, "", "b")
        self.assertEqual(str(caught.exception),
                         "parsed() takes at least 1 positional argument (0 given)")

    def test_complaints(self):
        for args, kwargs, message in (
                ((), {"third": 1}, "'third' is an invalid keyword argument for parsed()"),
                ((1,), {"first": 1},
                 "argument for parsed() given by name ('first') and position (1)"),
                ((), {1: 1}, "keywords must be strings")):
            with self.assertRaises(TypeError) as caught:
                parse(args, kwargs, "first", "second")
            self.assertEqual(str(caught.exception), message)


if __name__ == "__main__":
    unittest.main()
