"""What `make install` puts where, and that it runs from there and from elsewhere."""
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

SLOW = "installs the build"

BUILD = os.path.dirname(os.path.realpath(sys.executable))
SOURCES = sysconfig.get_config_var("abs_srcdir")
SHARED = sysconfig.get_config_var("Py_ENABLE_SHARED")
IN_BUILD_TREE = os.path.exists(os.path.join(BUILD, "config", "Makefile"))
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}


def run(*command, **kwargs):
    result = subprocess.run(command, capture_output=True, text=True, timeout=600,
                            env=CLEAN | kwargs.pop("env", {}), **kwargs)
    if result.returncode != 0:
        raise AssertionError(f"{command} exits with {result.returncode}:\n"
                             f"{result.stdout}{result.stderr}")
    return result.stdout


def setUpModule():
    global DEST, PREFIX
    if not IN_BUILD_TREE:
        raise unittest.SkipTest("this python is not in its build tree")
    DEST = tempfile.mkdtemp(prefix="springboard-install-")
    prefix = sysconfig.get_config_var("prefix")
    try:
        # Not the libpython3.11.a that costs another link-time optimisation, in builds that have one.
        run("make", "-s", "-C", BUILD, "-o", "python", "install", f"DESTDIR={DEST}",
            "LIBRARY=$(TESTS_LIBRARY)", env={"MAKEFLAGS": ""})
    except BaseException:
        shutil.rmtree(DEST)
        raise
    PREFIX = DEST + prefix


def tearDownModule():
    shutil.rmtree(DEST)


WHERE = """
import importlib, json, opcode, os, sys, sysconfig
data = importlib.import_module("_sysconfigdata__" + sys.implementation._multiarch)
print(json.dumps(dict(executable=sys.executable, own=os.path.dirname(opcode.__file__),
      data=data.__file__, prefix=sysconfig.get_config_var("prefix"), path=sys.path,
      makefile=sysconfig.get_makefile_filename(), include=sysconfig.get_path("include"),
      config_h=sysconfig.get_config_h_filename(), stdlib=sysconfig.get_path("stdlib"))))
"""


class InstalledTest(unittest.TestCase):
    def program(self, prefix=None):
        return os.path.join(prefix or PREFIX, "bin", "springboard3.11")

    def check_paths(self, program, prefix):
        seen = json.loads(run(program, "-c", WHERE, cwd="/"))
        own = os.path.join(prefix, "lib", "springboard3.11")
        self.assertEqual(os.path.realpath(seen["own"]), os.path.realpath(own))
        self.assertEqual(os.path.dirname(seen["data"]), seen["own"])
        self.assertEqual(os.path.realpath(seen["prefix"]), os.path.realpath(prefix))
        self.assertTrue(os.path.isdir(seen["include"]), seen["include"])
        self.assertTrue(os.path.isfile(seen["makefile"]), seen["makefile"])
        self.assertTrue(seen["makefile"].startswith(seen["own"]), seen["makefile"])
        self.assertTrue(os.path.isfile(os.path.join(seen["stdlib"], "os.py")), seen)
        return seen

    def test_runs_where_it_was_put(self):
        seen = self.check_paths(self.program(), PREFIX)
        self.assertNotIn(BUILD, str(seen["path"]))
        self.assertNotIn(SOURCES, str(seen["path"]))

    def test_runs_after_being_moved(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            moved = os.path.join(elsewhere, "a b")
            shutil.copytree(PREFIX, moved, symlinks=True)
            self.check_paths(self.program(moved), moved)

    def test_runs_through_links(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            link = os.path.join(elsewhere, "python3")
            os.symlink(self.program(), link)
            self.assertEqual(self.check_paths(link, PREFIX)["executable"], link)

    def test_python_names_are_in_a_directory_of_their_own(self):
        names = os.path.join(PREFIX, "lib", "springboard3.11", "bin")
        for name in ("python", "python3", "python3.11"):
            with self.subTest(name):
                self.check_paths(os.path.join(names, name), PREFIX)
        self.assertEqual(sorted(n for n in os.listdir(os.path.join(PREFIX, "bin"))
                                if n.startswith("python")), [])
        out = run("python3", "-c", "import sys; print(sys.implementation.name, sys.executable)",
                  env={"PATH": f"{names}:/usr/bin:/bin"})
        self.assertEqual(out.split(), ["springboard", os.path.join(names, "python3")])

    def test_venv_of_the_installed_program(self):
        for kind in ("--symlinks", "--copies"):
            with self.subTest(kind), tempfile.TemporaryDirectory() as env:
                made = subprocess.run([self.program(), "-m", "venv", kind, "--without-pip", env],
                                      capture_output=True, text=True, env=CLEAN)
                if SHARED and kind == "--copies":
                    # Installed elsewhere than configured: the copy is nowhere near the library.
                    self.check_copy_is_no_other_python(os.path.join(env, "bin", "python"))
                    continue
                self.assertEqual(made.returncode, 0, made.stderr)
                seen = self.check_paths(os.path.join(env, "bin", "python"), PREFIX)
                self.assertEqual(seen["executable"], os.path.join(env, "bin", "python"))

    def check_copy_is_no_other_python(self, copy):
        done = subprocess.run([copy, "-c", "print('runs')"], capture_output=True, text=True,
                              env=CLEAN)
        self.assertEqual((done.returncode, done.stdout), (127, ""))
        self.assertRegex(done.stderr, "_PySpringboard_Library|libpython3.11.so.1.0")
        seen = self.check_paths_with_library_path(copy)
        self.assertEqual(seen["executable"], copy)

    def check_paths_with_library_path(self, program):
        return json.loads(run(program, "-c", WHERE, cwd="/",
                              env={"LD_LIBRARY_PATH": os.path.join(PREFIX, "lib")}))

    @unittest.skipUnless(SHARED, "not built with --enable-shared")
    def test_library_path_goes_before_the_installed_library(self):
        with tempfile.TemporaryDirectory() as other:
            shutil.copy(os.path.join(PREFIX, "lib", "libpython3.11.so.1.0"), other)
            for path, mapped in (("", PREFIX + "/lib"), (other, other)):
                out = run(self.program(), "-c", "print(open('/proc/self/maps').read())",
                          env={"LD_LIBRARY_PATH": path})
                self.assertEqual(set(re.findall(r"/\S*/libpython\S*", out)),
                                 {os.path.realpath(mapped) + "/libpython3.11.so.1.0"})

    @unittest.skipUnless(SHARED, "not built with --enable-shared")
    def test_installed_program_does_not_look_into_the_build_tree(self):
        dynamic = run("readelf", "-d", self.program())
        self.assertNotIn(BUILD, dynamic)
        self.assertIn("$ORIGIN/../lib", dynamic)

    def test_headers_without_internal_ones_but_cythons(self):
        include = json.loads(run(self.program(), "-c", WHERE))["include"]
        wanted = {os.path.relpath(os.path.join(d, f), os.path.join(SOURCES, "Include"))
                  for d, _, files in os.walk(os.path.join(SOURCES, "Include"))
                  for f in files if f.endswith(".h") and "internal" not in d}
        there = {os.path.relpath(os.path.join(d, f), include)
                 for d, _, files in os.walk(include) for f in files}
        self.assertEqual(wanted - there, set())
        self.assertEqual({f for f in there if "internal" in f},
                         {"internal/pycore_frame.h"})

    def test_pkg_config(self):
        if shutil.which("pkg-config") is None:
            self.skipTest("pkg-config is not installed")
        libdir = PREFIX + "/lib"
        env = {"PKG_CONFIG_PATH": f"{libdir}/pkgconfig"}
        for name in ("springboard-3.11", "springboard-3.11-embed"):
            self.assertEqual(run("pkg-config", "--modversion", name, env=env), "3.11\n")
            self.assertIn("/include/springboard3.11",
                          run("pkg-config", "--cflags", name, env=env))
        self.assertIn("-lpython3.11",
                      run("pkg-config", "--libs", "springboard-3.11-embed", env=env))
        # By CPython's names only in a folder of ours, which sysconfig names.
        self.assertFalse(os.path.exists(f"{libdir}/pkgconfig/python-3.11.pc"))
        libpc = run(self.program(), "-c",
                    "import sysconfig; print(sysconfig.get_config_var('LIBPC'))").strip()
        for name in ("python-3.11", "python-3.11-embed"):
            self.assertIn("/include/springboard3.11",
                          run("pkg-config", "--cflags", name, env={"PKG_CONFIG_LIBDIR": libpc}))

    def test_springprof_is_a_command(self):
        program = os.path.join(PREFIX, "bin", "springprof")
        self.assertIn("record", run(program, "--help"))
        # A page's parts are installed with it, and the folder that it is called in is not searched.
        self.assertIn("page.html", os.listdir(os.path.join(
            PREFIX, "lib", "springboard3.11", "springprof", "page")))
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "argparse.py"), "w") as f:
                f.write("raise SystemExit('the wrong one')")
            self.assertIn("record", run(program, "--help", cwd=folder))
        self.assertTrue(os.path.exists(os.path.join(PREFIX, "share", "man", "man1",
                                                    "springprof.1")))

    def test_config_script(self):
        script = os.path.join(PREFIX, "bin", "springboard3.11-config")
        self.assertEqual(run(script, "--extension-suffix").strip(),
                         sysconfig.get_config_var("EXT_SUFFIX"))
        self.assertEqual(run(script, "--includes").strip(),
                         f"-I{PREFIX}/include/springboard3.11")
        omit = "omit" if "--without-frame-pointers" in sysconfig.get_config_var("CONFIG_ARGS") \
            else "no-omit"
        self.assertIn(f"-f{omit}-frame-pointer", run(script, "--cflags"))
        self.assertIn("-lpython3.11", run(script, "--libs", "--embed"))
        self.assertNotIn("-lpython3.11", run(script, "--libs"))
        wrong = subprocess.run([script, "--nonsense"], capture_output=True, text=True)
        self.assertEqual((wrong.returncode, wrong.stdout), (1, ""))
        self.assertTrue(wrong.stderr.startswith("Usage: "), wrong.stderr)

    EMBEDDING = r"""
        #include <Python.h>
        int main(void)
        {
            Py_Initialize();
            int failed = PyRun_SimpleString(
                "import sys, opcode, json, _ctypes\n"
                "print(json.dumps([sys.implementation.name, opcode.__file__]))");
            return failed || Py_FinalizeEx();
        }
        """

    def flags_of(self, tool):
        if tool == "pkg-config":
            ask = ["pkg-config", f"--define-variable=prefix={PREFIX}", "springboard-3.11-embed"]
            env = {"PKG_CONFIG_PATH": f"{PREFIX}/lib/pkgconfig"}
            return run(*ask, "--cflags", env=env), run(*ask, "--libs", env=env)
        script = os.path.join(PREFIX, "bin", "springboard3.11-config")
        return run(script, "--cflags"), run(script, "--ldflags", "--embed")

    def test_programs_embed_it_with_the_flags_that_are_told(self):
        tools = ["springboard3.11-config"]
        if shutil.which("pkg-config") is not None:
            tools.append("pkg-config")
        for tool in tools:
            with self.subTest(tool), tempfile.TemporaryDirectory() as directory:
                source, program = (os.path.join(directory, n) for n in ("app.c", "app"))
                with open(source, "w") as f:
                    f.write(textwrap.dedent(self.EMBEDDING))
                cflags, libs = self.flags_of(tool)
                sanitizers = [flag for flag in sysconfig.get_config_var("PY_CORE_LDFLAGS").split()
                              if "sanitize" in flag]
                run(*sysconfig.get_config_var("CC").split(), *cflags.split(), *sanitizers, source,
                    "-o", program, *libs.split())
                name, opcode = json.loads(run(program, cwd=directory))
                self.assertEqual(name, "springboard")
                if SHARED:
                    self.assertEqual(os.path.dirname(opcode), f"{PREFIX}/lib/springboard3.11")

    def test_extension_built_with_the_flags_that_are_told(self):
        script = os.path.join(PREFIX, "bin", "springboard3.11-config")
        with tempfile.TemporaryDirectory() as directory:
            source = os.path.join(directory, "answer.c")
            with open(source, "w") as f:
                f.write(textwrap.dedent(r"""
                    #include <Python.h>
                    static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "answer"};
                    PyMODINIT_FUNC PyInit_answer(void)
                    {
                        PyObject *m = PyModule_Create(&module);
                        if (m != NULL && PyModule_AddIntConstant(m, "ANSWER", 42) < 0) {
                            Py_CLEAR(m);
                        }
                        return m;
                    }
                    """))
            suffix = run(script, "--extension-suffix").strip()
            run(*sysconfig.get_config_var("CC").split(), "-shared", "-fPIC",
                *run(script, "--cflags").split(), source, "-o",
                os.path.join(directory, "answer" + suffix), *run(script, "--ldflags").split())
            out = run(self.program(), "-c", "import answer; print(answer.ANSWER)", cwd=directory)
            self.assertEqual(out, "42\n")

    def test_installed_modules_are_compiled(self):
        own = os.path.join(PREFIX, "lib", "springboard3.11")
        tag = sys.implementation.cache_tag
        for name in os.listdir(own):
            if name.endswith(".py"):
                compiled = os.path.join(own, "__pycache__", f"{name[:-3]}.{tag}.pyc")
                self.assertTrue(os.path.exists(compiled), f"no {compiled}")


class ManualPageTest(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(PREFIX, "share/man/man1/springboard3.11.1")) as f:
            self.page = f.read().replace("\\-", "-")
        self.help = run(sys.executable, "--help-all")

    def check_entry(self, pattern, name):
        self.assertTrue(re.search(pattern, self.page, re.M),
                        f"{name} is in --help-all but has no entry in the manual page")

    def test_names_every_option(self):
        options = set(re.findall(r"^(-[A-Za-z]+|--[a-z-]+)\b", self.help, re.M))
        self.assertGreater(len(options), 20)
        for option in options:
            self.check_entry(rf"^\.(B|BI|BR) .*(?<![\w-]){option}\b", option)

    def test_names_every_implementation_option(self):
        options = set(re.findall(r"^-X ([a-z0-9_]+)[:=[]", self.help, re.M))
        self.assertGreater(len(options), 10)
        for option in options:
            self.check_entry(rf'^\.(B|BI|BR) "?-X {option}\b', option)

    def test_names_every_environment_variable(self):
        variables = set(re.findall(r"\b(PYTHON[A-Z0-9_]+)\b", self.help))
        self.assertGreater(len(variables), 25)
        for variable in variables:
            self.check_entry(rf"^\.B {variable}$", variable)

    def test_formats_without_complaint(self):
        if shutil.which("groff") is None:
            self.skipTest("groff is not installed")
        result = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=self.page,
                                capture_output=True, text=True)
        self.assertEqual(result.stderr, "")


if __name__ == "__main__":
    unittest.main()
