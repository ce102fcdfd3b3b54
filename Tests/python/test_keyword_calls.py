"""f(**kwargs): whose dict the function gets, what such calls say, and copies of dicts."""
import dis
import sys
import types
import unittest


class KeywordsOnlyTest(unittest.TestCase):
    """Functions whose only parameter is **kwargs get the dict that was made for the call."""

    def test_each_call_has_its_own_dict(self):
        def take(**kwargs):
            kwargs["new"] = 1
            return kwargs
        given = {"a": 1}
        for _ in range(200):
            first, second = take(**given), take(**given)
            self.assertEqual(first, {"a": 1, "new": 1})
            self.assertIsNot(first, second)
            self.assertEqual(given, {"a": 1})
            self.assertEqual(take(**given, b=2), {"a": 1, "b": 2, "new": 1})
            self.assertEqual(take(**{}), {"new": 1})
            self.assertEqual(take(*(), **given), {"a": 1, "new": 1})

    def test_what_is_passed_on_is_a_copy(self):
        def take(*args, **kwargs):
            kwargs.clear()
            return args

        def pass_on(*args, **kwargs):
            take(*args, **kwargs)
            return args, kwargs
        for _ in range(200):
            self.assertEqual(pass_on(1, a=2), ((1,), {"a": 2}))
            self.assertEqual(pass_on(**{"a": 2}), ((), {"a": 2}))

    def test_cells_generators_and_mappings(self):
        def closed(**kwargs):
            return lambda: kwargs

        def generator(**kwargs):
            yield kwargs
        mapping = types.MappingProxyType({"a": 1})
        for _ in range(200):
            self.assertEqual(closed(**{"a": 1})(), {"a": 1})
            self.assertEqual(next(generator(**{"a": 1})), {"a": 1})
            self.assertEqual(closed(**mapping)(), {"a": 1})

    def test_errors(self):
        def take(**kwargs):
            return kwargs
        for _ in range(50):
            with self.assertRaisesRegex(TypeError, "takes 0 positional arguments but 1 was given"):
                take(*(1,), **{"a": 1})
            with self.assertRaisesRegex(TypeError, "takes 0 positional arguments but 2 were given"):
                take(*"ab")
            with self.assertRaisesRegex(TypeError, "keywords must be strings"):
                take(**{1: 2})
            with self.assertRaisesRegex(TypeError, "multiple values for keyword argument 'a'"):
                take(**{"a": 1}, **{"a": 2})
            with self.assertRaisesRegex(TypeError, "must be a mapping, not int"):
                take(**1)

    def test_no_list_is_built_for_no_arguments(self):
        names = {i.opname for i in dis.get_instructions(lambda f, d: f(**d))}
        self.assertNotIn("LIST_TO_TUPLE", names)

    def test_dicts_of_one_value_keep_its_count(self):
        class Value:
            pass
        value = Value()
        before = sys.getrefcount(value)
        given = dict.fromkeys(range(20), value)
        copies = [dict(given), given.copy(), {**given}]
        self.assertEqual(sys.getrefcount(value), before + 80)
        del copies, given
        self.assertEqual(sys.getrefcount(value), before)


if __name__ == "__main__":
    unittest.main()
