"""Our C headers declare what CPython 3.11's declare: functions, structures,
constants and macros, at every version of the limited API.

Debian's python3.11-dev is the measure."""
import fnmatch
import functools
import importlib.util
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import unittest

SLOW = "compiles many small programs with both sets of headers"

here = os.path.dirname(os.path.abspath(__file__))


def setUpModule():
    if "SPRINGBOARD_EMULATOR" in os.environ:
        raise unittest.SkipTest("the compilers of the machine that emulates make code for itself")



def load(name):
    path = os.path.join(here, os.pardir, "abi", f"{name}.py")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


headers = load("headers")
check_exports = load("check_exports")

OURS = [os.path.abspath(os.path.join(here, os.pardir, os.pardir, "Include")),
        os.path.dirname(sys.executable)]
DEBIAN = "/usr/include/python3.11"
DEBIAN_CONFIG = f"/usr/include/{os.uname().machine}-linux-gnu/python3.11"

# Files that need another library's header first, or are no part of the C API.
APART = {"pyexpat.h", "py_curses.h", "pydtrace.h", "pyconfig.h", "opcode.h"}
LEVELS = [None, *range(2, 12)]
GUARD = re.compile(r"\w+_H$|PYMACCONFIG_H")


def debian_names():
    listed = subprocess.run(["dpkg", "-L", "libpython3.11-dev", "python3.11-dev"],
                            text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL).stdout
    return sorted(line[len(DEBIAN) + 1:] for line in listed.split()
                  if line.startswith(DEBIAN + "/") and line.endswith(".h")
                  and "/internal/" not in line)


NAMES = debian_names()
# Python.h and its cpython/ parts come first, the rest by name.
INCLUDED = ["Python.h"] + [name for name in NAMES
                           if "/" not in name and name not in APART | {"Python.h"}]


@functools.cache
def not_declared():
    """Patterns of names in Tests/abi/not_declared.txt."""
    with open(os.path.join(here, os.pardir, "abi", "not_declared.txt")) as f:
        return [line.split()[0] for line in f if line.strip() and line[0] != "#"]


def is_listed(name):
    if name == "WITH_PYMALLOC" and not sysconfig.get_config_var(name):
        return True             # --with-malloc=system says so, as --without-pymalloc does
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in not_declared())


ours = headers.Headers(OURS, INCLUDED)
debian = headers.Headers([DEBIAN, DEBIAN_CONFIG], INCLUDED)


@functools.cache
def declared(level):
    return ours.declarations(level), debian.declarations(level)


@unittest.skipUnless(headers.CLANG, "clang is missing")
@unittest.skipUnless(NAMES, "python3.11-dev is missing")
class Declarations(unittest.TestCase):
    def check(self, part):
        for level in LEVELS:
            with self.subTest(limited_api=level):
                mine, theirs = (getattr(side, part) for side in declared(level))
                self.assertEqual({name: (mine.get(name), what) for name, what in theirs.items()
                                  if mine.get(name) != what and not is_listed(name)}, {})

    def test_every_header_exists(self):
        self.assertEqual([name for name in NAMES if not any(
            os.path.exists(os.path.join(folder, name)) for folder in OURS)], [])

    def test_functions_have_the_same_types(self):
        self.check("functions")

    def test_variables_have_the_same_types(self):
        self.check("variables")

    def test_typedefs_name_the_same_types(self):
        self.check("typedefs")

    def test_structures_have_the_same_members(self):
        self.check("records")

    def test_enumerations_have_the_same_names(self):
        self.check("enumerators")

    def test_macros_take_the_same_arguments(self):
        for level in LEVELS:
            with self.subTest(limited_api=level):
                mine, theirs = ours.macros(level), debian.macros(level)
                self.assertEqual(
                    {name: (mine.get(name), macro) for name, macro in theirs.items()
                     if not GUARD.match(name) and not is_listed(name)
                     and getattr(mine.get(name), "parameters", "none") != macro.parameters},
                    {})

    def test_limited_api_shows_no_more_than_debians(self):
        for level in LEVELS[1:]:
            with self.subTest(limited_api=level):
                mine, theirs = declared(level)
                more = set(mine.functions) - set(theirs.functions)
                # Both spellings are declared, whatever PY_SSIZE_T_CLEAN says.
                more = {name for name in more if not name.endswith("_SizeT")}
                self.assertEqual(more, set())

    def test_list_of_exceptions_is_up_to_date(self):
        mine, theirs = declared(None)
        declared_by_us = set(mine.functions) | set(mine.variables)
        known = set(theirs.functions) | set(theirs.variables) | set(debian.macros())
        for pattern in not_declared():
            with self.subTest(name=pattern):
                self.assertEqual(fnmatch.filter(declared_by_us, pattern), [],
                                 "declared: strike it from the list")
                if not pattern.startswith(("HAVE_", "WORDS_", "STRICT_")):
                    self.assertNotEqual(fnmatch.filter(known, pattern), [],
                                        "not in Debian's headers")


@unittest.skipUnless(headers.CLANG, "clang is missing")
class Exports(unittest.TestCase):
    @functools.cache
    def exported(self):
        return {name for name in check_exports.exported(sys.executable)
                if name.startswith(("Py", "_Py"))}

    def test_what_is_declared_is_exported(self):
        mine = ours.declarations()
        names = {name for name, function in mine.functions.items()
                 if not function.inline} | set(mine.variables)
        names.discard("PyDateTimeAPI")      # of each file that includes datetime.h
        self.assertEqual(sorted(names - self.exported()), [])

    def test_what_is_exported_is_declared(self):
        mine = ours.declarations()
        public = {name for name in self.exported()
                  if not name.startswith(("_", "PyInit_"))}
        self.assertEqual(sorted(public - set(mine.functions) - set(mine.variables)
                                - set(ours.macros())), [])


# What a call of a function-like macro must be, for constant arguments.
CALLS = """
Py_MIN(1, 2) Py_MAX(1, 2) Py_ABS(-3) Py_CHARMASK(-1) Py_MEMBER_SIZE(PyObject, ob_type)
Py_BUILD_ASSERT_EXPR(1) Py_ARRAY_LENGTH(((int[5]){0})) _Py_SIZE_ROUND_DOWN(13, 8)
_Py_SIZE_ROUND_UP(13, 8) _Py_IS_ALIGNED(16, 8) _Py_IS_ALIGNED(17, 8)
Py_ARITHMETIC_RIGHT_SHIFT(int, -8, 1) Py_SAFE_DOWNCAST(7L, long, int) Py_LL(5) Py_ULL(5)
Py_UNICODE_IS_SURROGATE(0xD800) Py_UNICODE_IS_SURROGATE(0xE000)
Py_UNICODE_IS_HIGH_SURROGATE(0xDBFF) Py_UNICODE_IS_HIGH_SURROGATE(0xDC00)
Py_UNICODE_IS_LOW_SURROGATE(0xDC00) Py_UNICODE_IS_LOW_SURROGATE(0xDBFF)
Py_UNICODE_JOIN_SURROGATES(0xD83D,0xDE00) Py_UNICODE_HIGH_SURROGATE(0x1F600)
Py_UNICODE_LOW_SURROGATE(0x1F600) ANY_VARARGS(PY_SSIZE_T_MAX) ANY_VARARGS(3)
PyVectorcall_NARGS(3|PY_VECTORCALL_ARGUMENTS_OFFSET) _PYTIME_FROMSECONDS(5)
_Py_OPCODE(0x1234) _Py_OPARG(0x1234) _Py_MAKECODEUNIT(0x12,0x34) ISTERMINAL(255)
ISNONTERMINAL(256) ISEOF(0) ISWHITESPACE(4) ISWHITESPACE(1) _PyIsSelectable_fd(2000)
Py_IS_NAN(Py_NAN) Py_IS_INFINITY(Py_HUGE_VAL)
Py_IS_FINITE(1.0)
"""


@unittest.skipUnless(headers.CLANG, "clang is missing")
@unittest.skipUnless(NAMES, "python3.11-dev is missing")
class Values(unittest.TestCase):
    """One C program, made from Debian's headers, compiled with each: it prints sizes,
    offsets and constants."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_with(self, which, lines):
        source = (which.source + "#include <stddef.h>\n"
                  "#define N(e) printf(\"%s %lld\\n\", #e, (long long)(e));\n"
                  "#define S(e) printf(\"%s %s\\n\", #e, (const char *)(e));\n"
                  "int main(void) {\n" + "\n".join(lines) + "\nreturn 0; }\n")
        program = os.path.join(self.folder, "program")
        headers.compile_c([headers.CLANG, "-w", "-x", "c", "-DNDEBUG", "-o", program,
                           *which.flags()], source)
        return subprocess.run([program], stdout=subprocess.PIPE, text=True,
                              check=True).stdout.splitlines()

    def compare(self, lines):
        self.assertGreater(len(lines), 10)
        self.assertEqual(self.run_with(ours, lines), self.run_with(debian, lines))

    def expressions(self, names, before, after):
        """Those of names that Debian's headers make expressions of the kind wanted."""
        first = debian.source.count("\n") + 1
        source = debian.source + "".join(f"{before}{i}{after} = {name};\n"
                                         for i, name in enumerate(names))
        done = subprocess.run([headers.CLANG, "-w", "-fsyntax-only", "-ferror-limit=0",
                               "-x", "c", *debian.flags(), "-"], input=source, text=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        bad = {int(line) - first for line in
               re.findall(r"^<stdin>:(\d+):", done.stderr, re.M)}
        return [name for i, name in enumerate(names) if i not in bad]

    def test_sizes_and_offsets(self):
        lines = []
        for name, fields in debian.declarations().records.items():
            lines.append(f"N(sizeof({name})) N(_Alignof({name}))")
            lines += [f"N(offsetof({name}, {field}))" for field, _, bits in fields
                      if field and bits is None]
        self.assertGreater(len(lines), 800)
        self.compare(lines)

    def test_bit_fields(self):
        fill = [f"{{ PyASCIIObject o; memset(&o, 0, sizeof o); o.state.{field} = 1; "
                "N(*(unsigned *)&o.state) }"
                for field in ("interned", "kind", "compact", "ascii", "ready")]
        self.compare(fill * 3)

    def test_constants(self):
        plain = [name for name, macro in debian.macros().items()
                 if macro.parameters is None and macro.body
                 and not re.search("[{};]", macro.body)
                 and not GUARD.match(name) and not is_listed(name)]
        numbers = self.expressions(plain, "static const long long n", "")
        texts = self.expressions(sorted(set(plain) - set(numbers)),
                                 "static const char s", "[]")
        members = [name for names in debian.declarations().enumerators.values()
                   for name in names]
        self.assertGreater(len(numbers), 500)
        self.compare([f"N({name})" for name in numbers + members]
                     + [f"S({name})" for name in texts])

    def test_macros_with_arguments(self):
        self.compare([f"N({call})" for call in re.findall(r"\w+\(.*?\)(?=\s+\w+\(|\s*$)",
                                                          CALLS, re.S)])


@unittest.skipUnless(headers.CLANG, "clang is missing")
class EveryHeaderCompiles(unittest.TestCase):
    WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-Wno-unused-variable"]
    KINDS = [("gcc", "c99"), ("gcc", "c11"), (headers.CLANG, "c99"), (headers.CLANG, "c11"),
             ("g++", "c++11"), ("g++", "c++17"), (headers.CLANG, "c++11"),
             (headers.CLANG, "c++17")]

    def check(self, compiler, standard, source, *flags):
        language = "c++" if "+" in standard else "c"
        if language == "c":
            flags = ["-Wstrict-prototypes", *flags]
        try:
            headers.compile_c([compiler, "-fsyntax-only", f"-std={standard}", "-x",
                               language, *self.WARNINGS, *flags, *ours.flags()], source)
        except FileNotFoundError:
            self.skipTest(f"{compiler} is missing")
        except headers.CompilationFailed as e:
            self.fail(str(e))

    def test_after_python_h_alone(self):
        for name in INCLUDED:
            with self.subTest(header=name):
                self.check(headers.CLANG, "c11",
                           f'#include "Python.h"\n#include "{name}"\n')

    def test_in_reverse_order(self):
        source = '#include "Python.h"\n' + "".join(
            f'#include "{name}"\n' for name in reversed(INCLUDED))
        self.check(headers.CLANG, "c11", source)

    def test_by_every_compiler_and_standard(self):
        for compiler, standard in self.KINDS:
            with self.subTest(compiler=compiler, standard=standard):
                self.check(compiler, standard, ours.source)

    def test_limited_api(self):
        for level in LEVELS[1:]:
            for standard in ("c99", "c++11"):
                with self.subTest(limited_api=level, standard=standard):
                    self.check(headers.CLANG, standard, ours.source,
                               f"-DPy_LIMITED_API=0x03{level:02x}0000")


if __name__ == "__main__":
    unittest.main()
