"""Interpreters beside the main one: what they may start, and how they end."""
import _blake2
import _sha3
import codecs
import os
import re
import unicodedata
import unittest

try:
    import _xxsubinterpreters as interpreters
except ImportError:
    raise unittest.SkipTest("needs the module _xxsubinterpreters of libpython3.11-testsuite")

FORBIDDEN = {
    "import os; os.fork()": "fork not supported",
    "import subprocess; subprocess.run(['true'])": "subprocess not supported",
    "import _thread; _thread.start_new_thread(print, ())": "thread is not supported",
}


class WhatTheyShare(unittest.TestCase):
    def test_types_of_posix_are_those_of_all(self):
        interp = interpreters.create()
        interpreters.run_string(interp, "import os; assert type(os.stat('/')) is os.stat_result")
        self.assertIs(type(os.stat("/")), os.stat_result)
        interpreters.destroy(interp)
        self.assertIs(type(os.stat("/")), os.stat_result)
        self.assertIs(type(os.uname()), os.uname_result)
        with os.scandir("/") as entries:
            self.assertIs(type(next(entries)), os.DirEntry)


    def test_types_of_patterns_and_hashes_are_those_of_all(self):
        before = re.compile("a"), _sha3.sha3_256(), _blake2.blake2b()
        interp = interpreters.create()
        interpreters.run_string(interp, "import re, _sha3, _blake2, unicodedata; re.compile('b')")
        interpreters.destroy(interp)
        self.assertIs(type(re.compile("c")), type(before[0]))
        self.assertIs(type(_sha3.sha3_256()), type(before[1]))
        self.assertIs(type(_blake2.blake2b()), type(before[2]))
        self.assertEqual(unicodedata.ucd_3_2_0.category("\u0221"), "Cn")     # new in 4.0


class WhatTheyMayStart(unittest.TestCase):
    def test_isolated_one_starts_neither_processes_nor_threads(self):
        interp = interpreters.create(isolated=True)
        for code, why in FORBIDDEN.items():
            with self.subTest(code):
                with self.assertRaisesRegex(interpreters.RunFailedError,
                                            f"{why} for isolated subinterpreters"):
                    interpreters.run_string(interp, code)

    def test_shared_one_starts_processes(self):
        interp = interpreters.create(isolated=False)
        interpreters.run_string(interp, "import subprocess; subprocess.run(['true'])")

    def test_no_terminal_is_forked_in_either(self):
        for isolated in True, False:
            interp = interpreters.create(isolated=isolated)
            with self.assertRaisesRegex(interpreters.RunFailedError,
                                        "fork not supported for subinterpreters"):
                interpreters.run_string(interp, "import os; os.forkpty()")


class WhetherTheyRun(unittest.TestCase):
    def test_the_main_one_runs(self):
        self.assertTrue(interpreters.is_running(interpreters.get_main()))

    def test_a_new_one_does_not_run(self):
        self.assertFalse(interpreters.is_running(interpreters.create()))

    def test_one_runs_while_its_code_asks(self):
        interp = interpreters.create()
        interpreters.run_string(
            interp, "import _xxsubinterpreters as i\n"
                    f"assert i.is_running({int(interp)})")


class HowTheyEnd(unittest.TestCase):
    def test_the_last_name_of_one_ends_it(self):
        interp = interpreters.create()
        interpreters.run_string(interp, "x = 1")
        number = int(interp)
        self.assertIn(number, map(int, interpreters.list_all()))
        del interp
        self.assertNotIn(number, map(int, interpreters.list_all()))

    def test_its_codecs_end_with_it(self):
        interp = interpreters.create()
        interpreters.run_string(
            interp, "import codecs\n"
                    "codecs.register_error('only-there', codecs.strict_errors)\n"
                    "try: codecs.lookup('no-such-codec')\n"
                    "except LookupError: pass")
        interpreters.destroy(interp)
        self.assertRaises(LookupError, codecs.lookup, "no-such-codec-either")
        self.assertRaises(LookupError, codecs.lookup_error, "only-there")


if __name__ == "__main__":
    unittest.main()
