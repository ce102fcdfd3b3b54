"""An extension module is compiled in each way that people have, by the flags and folders that this
python tells the tool, whether it is installed or still in its build tree."""
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import unittest

LONG = "compiles packages"

var = sysconfig.get_config_var
CLEAN = {k: v for k, v in os.environ.items()
         if not k.startswith(("PYTHON", "PKG_CONFIG", "CFLAGS", "CPPFLAGS", "LDFLAGS"))}
BIN = os.path.dirname(os.path.realpath(sys.executable))

EXTENSION = r"""
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *
twice(PyObject *module, PyObject *arg)
{
    return PyNumber_Add(arg, arg);
}

static PyMethodDef methods[] = {{"twice", twice, METH_O, NULL}, {NULL}};
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, "doubling", NULL, 0, methods};

PyMODINIT_FUNC
PyInit_doubling(void)
{
    return PyModule_Create(&def);
}
"""


def have(module):
    return importlib.util.find_spec(module) is not None


def needs_program(name):
    return unittest.skipIf(shutil.which(name) is None, f"{name} is not installed")


def needs_module(name):
    return unittest.skipUnless(have(name), f"there is no module {name}")


@unittest.skipUnless(os.path.exists(os.path.join(var("INCLUDEPY"), "Python.h")),
                     f"no Python.h in {var('INCLUDEPY')}")
@unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ,
                 "the compilers of the machine that emulates make code for itself")
class BuildingTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="springboard-extension-")
        self.addCleanup(directory.cleanup)
        self.directory = os.path.realpath(directory.name)
        self.write("doubling.c", EXTENSION)

    def write(self, name, text):
        with open(os.path.join(self.directory, name), "w") as f:
            f.write(textwrap.dedent(text))

    def run_it(self, *command, env={}):
        done = subprocess.run(command, capture_output=True, text=True, timeout=300,
                              env=CLEAN | env, cwd=self.directory)
        if done.returncode != 0:
            self.fail(f"{command} exits with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def compile(self, *flags):
        self.run_it(*var("CC").split(), "-shared", "-fPIC", *flags, "doubling.c", "-o",
                    "doubling" + var("EXT_SUFFIX"))

    def check_module(self, folder="."):
        """The module in the folder has the suffix that is ours alone, and works."""
        name = os.path.join(self.directory, folder, "doubling" + var("EXT_SUFFIX"))
        self.assertTrue(os.path.exists(name), f"no {name} in {os.listdir(os.path.dirname(name))}")
        seen = self.run_it(sys.executable, "-c", textwrap.dedent(f"""
            import sys
            sys.path.insert(0, {folder!r})
            import doubling
            print(doubling.twice('ab'), doubling.twice(2**70))
            """))
        self.assertEqual(seen.split(), ["abab", str(2**71)])

    def check_headers(self, text):
        """What was said to the compiler names our headers and no other python's."""
        self.assertIn(f"-I{var('INCLUDEPY')}", text)
        self.assertNotRegex(text, r"include/python3")

    def with_setup(self, core, python=sys.executable, env={}):
        self.write("setup.py", f"""
            from {core} import setup, Extension
            setup(name="doubling", version="1", ext_modules=[Extension("doubling", ["doubling.c"])])
            """)
        self.check_headers(self.run_it(python, "-W", "ignore", "setup.py", "-v", "build_ext", "-i",
                                       env=env))
        self.check_module()

    @needs_module("setuptools")
    def test_setuptools(self):
        self.with_setup("setuptools")

    def test_distutils(self):
        self.with_setup("distutils.core", env={"SETUPTOOLS_USE_DISTUTILS": "stdlib"})

    @needs_module("setuptools")
    def test_setuptools_in_a_virtual_environment(self):
        env = os.path.join(self.directory, "env")
        self.run_it(sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", env)
        self.with_setup("setuptools", os.path.join(env, "bin", "python"))

    def test_distutils_warns_who_imports_it(self):
        self.write("made.py", """
            import distutils
            import distutils.sysconfig
            print(distutils.sysconfig.get_python_inc(prefix="/other"))
            """)
        asked = [subprocess.run([python, "made.py"], capture_output=True, text=True, env=CLEAN
                                | {"SETUPTOOLS_USE_DISTUTILS": "stdlib"}, cwd=self.directory)
                 for python in (sys.executable, "/usr/bin/python3.11")]
        self.assertEqual(asked[0].stderr, asked[1].stderr)
        self.assertEqual(asked[0].stderr.count("made.py:"), 2, asked[0].stderr)
        self.assertEqual(asked[0].stdout, "/other/include/python3.11\n")

    ONE_FOLDER = {
        "sysconfig.get_path('include')": "import sysconfig",
        "sysconfig.get_path('platinclude')": "import sysconfig",
        "sysconfig.get_config_var('INCLUDEPY')": "import sysconfig",
        "sysconfig.get_config_var('CONFINCLUDEPY')": "import sysconfig",
        "get_python_inc()": "from distutils.sysconfig import get_python_inc",
        "get_python_inc(plat_specific=True)": "from distutils.sysconfig import get_python_inc",
        "os.path.dirname(sysconfig.get_config_h_filename())": "import os, sysconfig",
    }

    def test_tools_that_know_one_folder_of_headers(self):
        for question, imports in self.ONE_FOLDER.items():
            with self.subTest(question):
                folder = self.run_it(sys.executable, "-W", "ignore", "-c",
                                     f"{imports}; print({question})").strip()
                for name in "Python.h", "pyconfig.h", "cpython/unicodeobject.h":
                    self.assertTrue(os.path.exists(os.path.join(folder, name)),
                                    f"no {name} in {folder}")
                self.compile(f"-I{folder}")
                self.check_module()

    def test_headers_are_found_by_their_new_names(self):
        # A header that has come since is there after the next make.
        if not os.path.exists(os.path.join(BIN, "config", "Makefile")):
            self.skipTest("this python is not in its build tree")
        sources = os.path.join(var("abs_srcdir"), "Include")
        self.assertEqual([name for name in os.listdir(sources)
                          if not os.path.exists(os.path.join(var("INCLUDEPY"), name))], [])

    def test_config_script(self):
        script = os.path.join(BIN, "springboard3.11-config")
        includes, cflags, ldflags, suffix = (
            self.run_it(script, question).strip()
            for question in ("--includes", "--cflags", "--ldflags", "--extension-suffix"))
        self.check_headers(includes)
        self.check_headers(cflags)
        self.assertEqual(suffix, var("EXT_SUFFIX"))
        self.compile(*cflags.split(), *ldflags.split())
        self.check_module()

    @needs_program("pkg-config")
    def test_pkg_config(self):
        for name in "python-3.11", "springboard-3.11":
            with self.subTest(name):
                flags = self.run_it("pkg-config", "--cflags", "--libs", name,
                                    env={"PKG_CONFIG_LIBDIR": var("LIBPC")})
                self.check_headers(flags)
                self.compile(*flags.split())
                self.check_module()

    @needs_module("Cython")
    def test_cython(self):
        self.write("doubling.pyx", "def twice(x):\n    return x + x\n")
        os.unlink(os.path.join(self.directory, "doubling.c"))
        self.run_it(sys.executable, "-W", "ignore", "-m", "Cython.Build.Cythonize", "-3", "-i",
                    "doubling.pyx", env={"CFLAGS": "-w"})
        self.check_module()

    @needs_module("numpy")
    def test_numpys_tests_build_extensions(self):
        self.write("made.py", """
            import pathlib, warnings
            warnings.simplefilter("ignore")
            pathlib.Path("made").mkdir()
            from numpy.testing import extbuild
            module = extbuild.build_and_import_extension(
                "doubled", [("twice", "METH_O", "return PyNumber_Add(args, args);")],
                build_dir=pathlib.Path("made"))
            print(module.twice("ab"))
            """)
        self.assertEqual(self.run_it(sys.executable, "made.py"), "abab\n")

    @needs_module("cffi")
    def test_cffi(self):
        self.write("made.py", """
            import warnings
            warnings.simplefilter("ignore")
            import cffi
            ffi = cffi.FFI()
            ffi.cdef("int twice(int);")
            ffi.set_source("_doubled", "static int twice(int n) { return n + n; }")
            ffi.compile()
            from _doubled import lib
            print(lib.twice(21))
            """)
        self.assertEqual(self.run_it(sys.executable, "made.py"), "42\n")

    def commands(self, folder):
        """What the compiler was told, from the file that meson and CMake write."""
        with open(os.path.join(self.directory, folder, "compile_commands.json")) as f:
            return " ".join(entry["command"] for entry in json.load(f))

    @needs_program("ninja")
    @needs_program("meson")
    def test_meson(self):
        self.write("meson.build", f"""
            project('doubling', 'c')
            python = import('python').find_installation('{sys.executable}')
            python.extension_module('doubling', 'doubling.c', dependencies: python.dependency())
            """)
        env = {"CC": var("CC"), "LC_ALL": "C.UTF-8"}
        self.run_it("meson", "setup", "out", env=env)
        self.run_it("ninja", "-C", "out", env=env)
        self.check_headers(re.sub(r"-I\.\.\S+", lambda m: "-I" + os.path.abspath(
            os.path.join(self.directory, "out", m[0][2:])), self.commands("out")))
        self.check_module("out")

    @needs_program("cmake")
    def test_cmake(self):
        for kind in "Python", "Python3":
            with self.subTest(kind):
                shutil.rmtree(os.path.join(self.directory, "out"), ignore_errors=True)
                self.write("CMakeLists.txt", f"""
                    cmake_minimum_required(VERSION 3.18)
                    project(doubling C)
                    find_package({kind} 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
                    {kind}_add_library(doubling MODULE WITH_SOABI doubling.c)
                    """)
                self.run_it("cmake", "-S", ".", "-B", "out", "-G", "Unix Makefiles",
                            f"-D{kind}_EXECUTABLE={sys.executable}",
                            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", env={"CC": var("CC")})
                self.run_it("cmake", "--build", "out", env={"MAKEFLAGS": ""})
                self.check_headers(self.commands("out").replace("-isystem ", "-I"))
                self.check_module("out")


if __name__ == "__main__":
    unittest.main()
