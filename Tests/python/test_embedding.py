"""A C program that runs us inside: linked with what the build made, once and again."""
import marshal
import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import unittest

SLOW = "builds and links a static library"

var = sysconfig.get_config_var
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
CLEAN["PYTHONDONTWRITEBYTECODE"] = "1"      # a program elsewhere does not find our bytecode
BUILD = os.path.dirname(os.path.realpath(sys.executable))

PROGRAM = r"""
#include <Python.h>

static int
run(const char *text)
{
    return PyRun_SimpleString(text) < 0;
}

int
main(int argc, char **argv)
{
    int failed = 0;
    for (int round = 1; round <= 3; round++) {
        Py_Initialize();
        PyObject *answer = PyLong_FromLong(round);
        PyObject *main_module = PyImport_AddModule("__main__");
        failed |= PyObject_SetAttrString(main_module, "round", answer);
        Py_DECREF(answer);
        failed |= run("import sys, opcode, json, math, threading\n"
                      "class Node:\n"
                      "    def __del__(self): print('gone', round, flush=True)\n"
                      "node = Node(); node.self = node\n"
                      "print(round, json.dumps({'pi': math.pi}), 'old' in globals())\n"
                      "old = 1\n");
        failed |= Py_FinalizeEx();
        if (Py_IsInitialized()) {
            failed = 1;
        }
    }
    return failed;
}
"""

ENCODINGS = r"""
#include <Python.h>
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void
show(void)
{
    PyRun_SimpleString("import sys; print(sys.flags.utf8_mode, sys.stdout.encoding,"
                       " sys.stdout.errors, flush=True)");
}

int
main(int argc, char **argv)
{
    wchar_t *args[] = {L"program", L"-X", L"utf8", L"-E"};
    PyPreConfig early;
    PyPreConfig_InitPythonConfig(&early);
    PyStatus status = Py_PreInitializeFromArgs(&early, 4, args);
    if (PyStatus_Exception(status)) {
        Py_ExitStatusException(status);
    }
    printf("%d\n", Py_SetStandardStreamEncoding("latin1", argc > 1 ? "ignore" : NULL));
    fflush(stdout);
    Py_Initialize();
    show();
    printf("%d\n", Py_SetStandardStreamEncoding("latin1", NULL));
    fflush(stdout);
    Py_FinalizeEx();
    Py_Initialize();
    show();
    return Py_FinalizeEx();
}
"""

FROZEN = r"""
#include <Python.h>
#include <marshal.h>
static const unsigned char main_code[] = {%s}, inner_code[] = {%s};

int
main(int argc, char **argv)
{
    static const struct _frozen modules[] = {
        {"__main__", main_code, sizeof(main_code)},
        {"inner", inner_code, sizeof(inner_code)},
        {NULL},
    };
    PyImport_FrozenModules = modules;
    return Py_FrozenMain(argc, argv);
}
"""
FROZEN_MAIN = """
import _imp, inner, sys
print(__name__, sys.argv[1:], inner.x, inner.__spec__.origin,
      "inner" in _imp._frozen_module_names(), _imp.is_frozen("inner"))
sys.exit(7)
"""


def as_c_array(name, text):
    code = compile(text, f"<frozen {name}>", "exec")
    return ", ".join(map(str, marshal.dumps(code)))

# Prints by how many KB memory grows in a life, once the first ten are over.
GROWTH = r"""
#include <Python.h>

static long
resident_kb(void)
{
    long size = 0, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f == NULL || fscanf(f, "%ld %ld", &size, &pages) != 2) {
        abort();
    }
    fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int
main(void)
{
    long before = 0;
    for (int life = 1; life <= 40; life++) {
        Py_Initialize();
        if (PyRun_SimpleString("class Node: pass\nnodes = [Node() for i in range(100)]\n") < 0
            || Py_FinalizeEx() < 0) {
            return 1;
        }
        if (life == 10) {
            before = resident_kb();
        }
    }
    printf("%ld\n", (resident_kb() - before) / 30);
    return 0;
}
"""

# What a life may set for all of the process is as it was in the next.
SETTINGS = r"""
#include <Python.h>

int
main(void)
{
    for (int life = 1; life <= 2; life++) {
        Py_Initialize();
        if (PyRun_SimpleString(
                "import csv, gc, sys, _tracemalloc as tracemalloc\n"
                "print(gc.garbage, gc.callbacks, gc.get_threshold(), gc.isenabled(),"
                " gc.get_debug(), gc.get_freeze_count(), sys.getrecursionlimit(),"
                " sys.getswitchinterval(), csv.field_size_limit(), tracemalloc.is_tracing())\n"
                "gc.garbage.append(1); gc.callbacks.append(lambda *_: called())\n"
                "gc.set_threshold(500, 5, 5); gc.disable(); gc.freeze()\n"
                "sys.setrecursionlimit(777); sys.setswitchinterval(0.5)\n"
                "csv.field_size_limit(10); tracemalloc.start()\n"
                "def called(): print('called')\n") < 0 || Py_FinalizeEx() < 0) {
            return 1;
        }
    }
    return 0;
}
"""


@unittest.skipUnless(os.path.exists(os.path.join(BUILD, "config", "Makefile")),
                     "this python is not in its build tree")
class EmbeddingTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        cls.program = cls.compile("embed", PROGRAM)

    @classmethod
    def compile(cls, name, text):
        source = os.path.join(cls.directory.name, name + ".c")
        with open(source, "w") as f:
            f.write(text)
        include = var("INCLUDEPY")
        if not os.path.exists(os.path.join(include, "Python.h")):
            include = "/usr/include/python3.11"
        if var("Py_ENABLE_SHARED"):
            library = [f"-L{BUILD}", "-lpython3.11", f"-Wl,-rpath,{BUILD}"]
        else:
            made = subprocess.run(["make", "-s", "--no-print-directory", "-C", BUILD,
                                   "tests-library"], capture_output=True, text=True)
            if made.returncode != 0:
                raise AssertionError(made.stdout + made.stderr)
            folder = made.stdout.split()[-1]
            library = [f"-L{folder}", "-no-pie", "-rdynamic", "-lpython3.11",
                       *shlex.split(var("LIBS"))]
        program = os.path.join(cls.directory.name, name)
        flags = [f for f in shlex.split(var("PY_CORE_LDFLAGS")) if "sanitize" in f]
        result = subprocess.run([*shlex.split(var("CC")), "-O1", "-g", f"-I{include}",
                                 f"-I{var('CONFINCLUDEPY')}", source, *flags, "-o", program,
                                 *library], capture_output=True, text=True)
        if result.returncode != 0:
            raise AssertionError(result.stderr)
        return program

    def test_initialize_and_finalize_repeatedly(self):
        result = subprocess.run([self.program], capture_output=True, text=True, env=CLEAN,
                                timeout=60)
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.stdout, "".join(
            f'{i} {{"pi": 3.141592653589793}} False\ngone {i}\n' for i in (1, 2, 3)))
        self.assertEqual(result.returncode, 0)

    def run_program(self, *command, **environment):
        result = subprocess.run(command, capture_output=True, text=True, timeout=60,
                                env=CLEAN | environment)
        self.assertEqual(result.stderr, "")
        return result

    def test_encoding_and_options_given_early(self):
        program = self.compile("encodings", ENCODINGS)
        later = "-1\n1 utf-8 surrogateescape\n"
        for arguments, errors in ([], "surrogateescape"), (["x"], "ignore"):
            done = self.run_program(program, *arguments, PYTHONIOENCODING="ascii:replace")
            self.assertEqual(done.stdout, f"0\n1 iso8859-1 {errors}\n" + later)

    def test_program_of_frozen_modules(self):
        program = self.compile("frozen", FROZEN % (as_c_array("__main__", FROZEN_MAIN),
                                                   as_c_array("inner", "x = __name__")))
        done = self.run_program(program, "a", "b")
        self.assertEqual((done.returncode, done.stdout),
                         (7, "__main__ ['a', 'b'] inner frozen True True\n"))

    def test_lives_leave_no_memory_behind(self):
        done = self.run_program(self.compile("lives", GROWTH), ASAN_OPTIONS="detect_leaks=1")
        self.assertEqual(done.returncode, 0)
        if "sanitize" not in (var("PY_CORE_LDFLAGS") or ""):    # what is freed stays in quarantine
            # python3.11 grows by 5 KB with each, this by the same; a module that stays has 40.
            self.assertLess(int(done.stdout), 20, "KB more in each of 30 lives of the interpreter")

    def test_a_life_begins_with_settings_of_its_own(self):
        program = self.compile("settings", SETTINGS)
        done = self.run_program(program)
        fresh = "[] [] (700, 10, 10) True 0 0 1000 0.005 131072 False\n"
        self.assertEqual((done.returncode, done.stdout), (0, 2 * fresh))

    def test_extension_modules_load_into_the_program(self):
        text = PROGRAM.replace("import sys, opcode, json, math, threading",
                               "import sys, opcode, json, math, threading, _ctypes, _lzma,"
                               " readline")
        program = self.compile("extensions", text.replace("round <= 3", "round <= 1"))
        result = subprocess.run([program], capture_output=True, text=True, env=CLEAN,
                                timeout=60)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)


if __name__ == "__main__":
    unittest.main()
