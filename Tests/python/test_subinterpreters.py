"""Interpreters beside the main one: what they may start, and how they end."""
import _blake2
import _sha3
import codecs
import gc
import os
import re
import subprocess
import sys
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


# Run in another interpreter, which then ends, and in the main one afterwards.
WORK = """
import collections, csv, datetime, decimal, functools, io, itertools, json, pickle, re, struct
import ast, copyreg, hashlib, socket

rows = list(csv.reader(io.StringIO('a;b\\n"c";d'), delimiter=";"))
assert rows == [["a", "b"], ["c", "d"]], rows
try:
    csv.reader([], dialect="unheard of")
except csv.Error as error:
    assert type(error) is csv.Error
else:
    raise AssertionError("no csv.Error")

Point = collections.namedtuple("Point", "x y")
things = [collections.OrderedDict(a=1), collections.Counter("aab"), re.compile("a+b", re.I),
          datetime.datetime(2020, 2, 29, tzinfo=datetime.timezone.utc), decimal.Decimal("1.5"),
          {1, 2}, functools.partial(int, base=2), range(3), collections.deque([1], 2)]
for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
    for thing in things:
        again = pickle.loads(pickle.dumps(thing, protocol))
        assert str(again) == str(thing), (again, thing)
try:
    pickle.dumps(lambda: 1)
except (pickle.PicklingError, AttributeError):
    pass
try:
    pickle.loads(b"?")
except pickle.UnpicklingError:
    pass

class Odd:
    pass
copyreg.pickle(Odd, lambda odd: (int, (7,)))
assert pickle.loads(pickle.dumps(Odd())) == 7

assert json.loads(json.dumps({"a": [1, 2.5, None]})) == {"a": [1, 2.5, None]}
try:
    json.loads("{")
except json.JSONDecodeError:
    pass
assert struct.unpack("<hb", struct.pack("<hb", -2, 3)) == (-2, 3)
try:
    struct.pack("b", 1000)
except struct.error:
    pass
assert list(itertools.chain([1], itertools.islice(itertools.count(5), 2))) == [1, 5, 6]
assert Point(1, 2)._replace(x=3) == (3, 2)
assert collections.defaultdict(list)[1] == []
assert functools.lru_cache(lambda x: x + 1)(1) == 2
assert functools.reduce(lambda a, b: a * b, [1, 2, 3]) == 6
moment = datetime.datetime.strptime("2020-02-29", "%Y-%m-%d") + datetime.timedelta(366)
assert moment.isoformat() == "2021-03-01T00:00:00", moment
with decimal.localcontext() as context:
    context.prec = 5
    assert str(decimal.Decimal(1) / 3) == "0.33333"
try:
    decimal.Decimal("x")
except decimal.InvalidOperation:
    pass
assert re.sub(r"(?P<n>[a-c])+", lambda m: m["n"].upper(), "abcd") == "Cd"
try:
    re.compile("(")
except re.error:
    pass
assert ast.unparse(ast.parse("x=1+f(y)")) == "x = 1 + f(y)"
assert ast.Constant(3).n == 3
hashlib.md5(b"a", usedforsecurity=False)
try:
    socket.getaddrinfo("", "no" * 400)
except socket.gaierror:
    pass
"""

# What the other interpreter changes, and how the main one would notice.
CHANGES = [
    ("import csv; csv.register_dialect('theirs', delimiter=';'); csv.field_size_limit(3)",
     "import csv; assert 'theirs' not in csv.list_dialects(); assert csv.field_size_limit() > 3"),
    ("import pickle, copyreg; copyreg.dispatch_table.clear(); copyreg.pickle(complex, str)",
     "import pickle; assert pickle.loads(pickle.dumps(1j)) == 1j"),
    ("import _pickle; _pickle.PickleError.mark = _pickle.UnpicklingError.mark = 1",
     "import _pickle; assert not hasattr(_pickle.UnpicklingError, 'mark')"),
    ("import ast; ast.AST.mark = 1; del ast.BinOp._fields",
     "import ast; assert not hasattr(ast.AST, 'mark'); assert ast.BinOp._fields"),
    ("import socket; socket.gaierror.mark = 1",
     "import socket; assert not hasattr(socket.gaierror, 'mark')"),
    ("import _csv; _csv.Error.mark = 1",
     "import _csv; assert not hasattr(_csv.Error, 'mark')"),
]


class WhatModulesKeep(unittest.TestCase):
    """The rule of Include/internal/module_state.h."""

    def run_in_another(self, code):
        interp = interpreters.create()
        try:
            interpreters.run_string(interp, code)
        finally:
            interpreters.destroy(interp)

    def test_modules_work_in_another_one_and_in_the_main_one_afterwards(self):
        for _ in range(2):
            self.run_in_another(WORK)
            gc.collect()
            exec(WORK, {"__name__": __name__})

    def test_modules_that_another_one_was_the_first_to_import(self):
        code = ("import _xxsubinterpreters as interpreters, gc\n"
                "interp = interpreters.create()\n"
                f"interpreters.run_string(interp, {WORK!r})\n"
                "interpreters.destroy(interp)\n"
                "gc.collect()\n"
                f"exec({WORK!r})\n")
        done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True)
        self.assertEqual((0, ""), (done.returncode, done.stderr))

    def test_what_another_one_changes_is_its_own(self):
        for change, check in CHANGES:
            with self.subTest(change):
                exec(check, {})
                self.run_in_another(change)
                exec(check, {})


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
