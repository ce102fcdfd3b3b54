"""help() has something to say about the functions of modules that people look into."""
import importlib
import os
import types
import unittest

PORTABLE = "texts"


class Docstrings(unittest.TestCase):
    def test_functions_of_builtin_modules_have_one(self):
        for name in ("builtins", "posix", "sys", "_imp", "_thread", "math", "time", "gc", "errno",
                     "atexit", "itertools", "marshal", "select", "_signal", "_socket", "_struct"):
            module = importlib.import_module(name)
            for attribute, value in vars(module).items():
                if isinstance(value, types.BuiltinFunctionType) and not attribute.startswith("_"):
                    with self.subTest(f"{name}.{attribute}"):
                        self.assertTrue(value.__doc__)

    def test_methods_of_directory_entries_have_one(self):
        for attribute, value in vars(os.DirEntry).items():
            if isinstance(value, types.MethodDescriptorType):
                with self.subTest(attribute):
                    self.assertTrue(value.__doc__)


if __name__ == "__main__":
    unittest.main()
