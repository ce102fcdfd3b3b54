"""C code that reports an error without an exception, or loses one, gets a SystemError: the
program does not end without a word, or crash. Debug builds stop there."""
import functools
import subprocess
import sys
import sysconfig
import textwrap
import unittest

SETUP = """
import ctypes
api = ctypes.pythonapi

def address(function):
    return ctypes.cast(function, ctypes.c_void_p)

# Its destructor clears the exception that is in flight.
new_capsule = api.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
def loser():
    return new_capsule(1, None, address(api.PyErr_Clear))

class GetSet(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("get", ctypes.c_void_p),
                ("set", ctypes.c_void_p), ("doc", ctypes.c_char_p),
                ("closure", ctypes.c_void_p)]

# Its getter returns NULL, and that is all.
class C:
    pass
definition = GetSet(b"attr", address(api.PyErr_Occurred), None, None, None)
new_getset = api.PyDescr_NewGetSet
new_getset.restype = ctypes.py_object
new_getset.argtypes = [ctypes.py_object, ctypes.POINTER(GetSet)]
C.attr = new_getset(C, ctypes.byref(definition))

def take(*args):
    pass
"""
DEBUG = sysconfig.get_config_var("Py_DEBUG")


class LostExceptions(unittest.TestCase):
    def run_program(self, text):
        return subprocess.run([sys.executable, "-c", SETUP + textwrap.dedent(text)],
                              capture_output=True, text=True, timeout=60)

    def check(self, text, message):
        """message: of the SystemError that ends the program."""
        done = self.run_program(text)
        if DEBUG:
            self.assertIn("Fatal Python error", done.stderr)
        else:
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(done.stderr.splitlines()[-1:], ["SystemError: " + message])

    def test_an_instruction_that_fails_without_exception(self):
        self.check("""
            def read():
                return C().attr
            read()
            """, "error return without exception set: LOAD_ATTR in read()")

    def test_an_argument_that_loses_the_exception_of_the_next(self):
        self.check("""
            def call():
                try:
                    take(loser(), 1 / 0)
                except ValueError:
                    pass
            call()
            """, "error return without exception set: TRUEDIV in call()")

    def test_a_frame_that_loses_its_exception_when_it_ends(self):
        self.check("""
            def call():
                take(loser(), 1 / 0)
            def outer():
                call()
            outer()
            """, "error return without exception set: CALL in outer()")

    def test_a_generator_that_loses_its_exception_has_not_just_ended(self):
        self.check("""
            def generate():
                yield 1
                take(loser(), 1 / 0)
            list(generate())
            """, "error return without exception set")

    def test_it_can_be_caught(self):
        text = """
            try:
                C().attr
            except SystemError as error:
                print(type(error.__traceback__).__name__)
            """
        done = self.run_program(text)
        self.assertEqual(done.stdout, "" if DEBUG else "traceback\n", done.stderr)

    def test_a_function_that_returns_null_is_named(self):
        try:
            import _testcapi
        except ImportError:
            self.skipTest("needs the module _testcapi of libpython3.11-testsuite")
        failing = _testcapi.return_null_without_error
        for call in failing, lambda: failing(*()), functools.partial(failing):
            with self.assertRaisesRegex(SystemError,
                                        "return_null_without_error> returned NULL without "
                                        "setting an exception"):
                call()
        with self.assertRaisesRegex(SystemError, "returned a result with an exception set"):
            _testcapi.return_result_with_error()


if __name__ == "__main__":
    unittest.main()
