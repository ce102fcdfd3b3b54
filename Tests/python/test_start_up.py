"""What is done, and not done, between exec and the first line of a program."""
import opcode
import os
import subprocess
import sys
import sysconfig
import tempfile
import unittest

PORTABLE = "what is imported when"

CLEAN = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}


def run(*args):
    return subprocess.run([sys.executable, *args], capture_output=True, text=True, env=CLEAN,
                          timeout=60, check=True).stdout


LIBRARY_CACHE = os.path.join(os.path.dirname(opcode.__file__), "library")
WITHOUT_PYCACHE = """
import _io, sys, importlib._bootstrap_external as external
open_code, to_code, compiled = _io.open_code, external.SourceLoader.source_to_code, []

def without_pycache(path):
    if "/__pycache__/" in path:
        raise FileNotFoundError(2, "No such file or directory", path)
    return open_code(path)

def recording(self, data, path, **options):
    compiled.append(path)
    return to_code(self, data, path, **options)

_io.open_code = without_pycache
external.SourceLoader.source_to_code = recording
import argparse, asyncio, json, unittest
print([path for path in compiled if path.startswith(sys._stdlib_dir)])
"""


class StartUpTest(unittest.TestCase):
    MAPPED = "print({{line.split('/')[-1].split('.so')[0] for line in open('/proc/self/maps')" \
             " if '.so' in line}} & {wanted!r})"

    def mapped(self, before, *libraries):
        return run("-I", "-S", "-c", before + self.MAPPED.format(wanted=set(libraries)))

    def test_home_has_its_libraries_below_platlibdir(self):
        with tempfile.TemporaryDirectory() as tmp:
            for name in "home/lib", "home/other", "exec/lib", "exec/other":
                os.makedirs(f"{tmp}/{name}")
                os.symlink(os.path.dirname(os.__file__), f"{tmp}/{name}/python3.11")
            default = sys.base_prefix, sys.base_exec_prefix
            for home, platlibdir, prefix, exec_prefix in [
                    ("{}/home", "", "{}/home", "{}/home"),
                    ("{}/home", "other", "{}/home", "{}/home"),
                    ("{}/home/", "other", "{}/home/", "{}/home/"),
                    ("{}/home:{}/exec", "", "{}/home", "{}/exec"),
                    ("{}/home:{}/exec", "other", "{}/home", "{}/exec"),
                    ("{}/home:", "", "{}/home", default[1]),
                    (":{}/exec", "", default[0], "{}/exec")]:
                with self.subTest(home=home, platlibdir=platlibdir):
                    home, prefix, exec_prefix = (
                        s.replace("{}", tmp) for s in (home, prefix, exec_prefix))
                    where = f"{prefix.rstrip('/')}/{platlibdir or 'lib'}/python3.11"
                    dynload = f"{exec_prefix.rstrip('/')}/{platlibdir or 'lib'}/python3.11/lib-dynload"
                    out = subprocess.run(
                        [sys.executable, "-S", "-c", "import sys; print(sys.prefix, sys.exec_prefix,"
                         " sys.base_prefix, sys.base_exec_prefix, sys._stdlib_dir, *sys.path[-3:])"],
                        env=dict(os.environ, PYTHONHOME=home, PYTHONPLATLIBDIR=platlibdir),
                        capture_output=True, text=True)
                    self.assertEqual(out.stderr, "")
                    self.assertEqual(out.stdout.split(),
                                     [prefix, exec_prefix, prefix, exec_prefix, where,
                                      f"{os.path.dirname(where)}/python311.zip", where, dynload])

    def test_libraries_are_opened_when_they_are_needed(self):
        self.assertEqual(self.mapped("", "libcrypto"), "set()\n")
        if "sanitize" not in (sysconfig.get_config_var("PY_CORE_LDFLAGS") or ""):
            self.assertEqual(self.mapped("", "libgcc_s"), "set()\n")   # the sanitizer unwinds by it
        self.assertEqual(self.mapped("import _md5; ", "libcrypto"), "set()\n")
        self.assertEqual(self.mapped("import _md5; _md5.md5(); ", "libcrypto"),
                         "{'libcrypto'}\n")

    @unittest.skipUnless(os.path.isdir(LIBRARY_CACHE), "this build has no bytecode of the library")
    def test_library_is_not_compiled_where_users_cannot_write(self):
        self.assertEqual(run("-I", "-c", WITHOUT_PYCACHE), "[]\n")

    @unittest.skipUnless(os.path.isdir(LIBRARY_CACHE), "this build has no bytecode of the library")
    def test_cached_names_bytecode_that_is_there(self):
        out = run("-c", "import os, colorsys, textwrap\n"
                  "print([os.path.isfile(m.__cached__) for m in (colorsys, textwrap)],"
                  " colorsys.__spec__.cached == colorsys.__cached__)")
        self.assertEqual(out, "[True, True] True\n")

    @unittest.skipUnless(os.path.isdir(LIBRARY_CACHE), "this build has no bytecode of the library")
    def test_importlib_that_is_not_frozen_has_the_same_magic_number(self):
        out = run("-I", "-c", "import sys, importlib.util as frozen\n"
                  "for name in [n for n in sys.modules if 'importlib' in n]:\n"
                  "    del sys.modules[name]\n"
                  "sys.modules['_frozen_importlib_external'] = None\n"
                  "import importlib._bootstrap_external as fresh\n"
                  "print(fresh.__file__ == fresh.__spec__.origin,"
                  " fresh.MAGIC_NUMBER == frozen.MAGIC_NUMBER)")
        self.assertEqual(out, "True True\n")

    @unittest.skipUnless(os.path.isdir(LIBRARY_CACHE), "this build has no bytecode of the library")
    def test_library_is_not_read_from_beside_its_source(self):
        # Whatever lies there: root may have compiled it with another magic number in it.
        out = run("-I", "-c", "import sys; opened = []\n"
                  "sys.addaudithook(lambda event, args: event == 'open' and opened.append(args[0]))\n"
                  "import colorsys\n"
                  "print({path for path in opened if str(path).endswith('.pyc')})")
        cached = f"{LIBRARY_CACHE}{os.path.dirname(os.__file__)}/colorsys.springboard-311.pyc"
        self.assertEqual(eval(out), {cached})

    @unittest.skipUnless(os.access(LIBRARY_CACHE, os.W_OK), "the library's bytecode can't be written")
    def test_library_is_not_written_beside_its_source(self):
        # By root neither: those folders are another package's.
        library = os.path.dirname(os.__file__)
        ours = f"{LIBRARY_CACHE}{library}/colorsys.springboard-311.opt-2.pyc"
        beside = f"{library}/__pycache__/colorsys.springboard-311.opt-2.pyc"
        for path in ours, beside:
            if os.path.exists(path):
                os.unlink(path)
        self.addCleanup(lambda: os.path.exists(ours) and os.unlink(ours))
        run("-I", "-OO", "-c", "import colorsys")
        self.assertEqual([os.path.exists(path) for path in (ours, beside)], [True, False])

    def test_python311_and_this_one_refuse_bytecode_of_the_other(self):
        peer = "/usr/bin/python3.11"
        if not os.path.exists(peer):
            self.skipTest("python3.11 is not installed")
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "m.py")
            with open(source, "w") as f:
                f.write("print('ran')\n")
            for maker, reader in (sys.executable, peer), (peer, sys.executable):
                compiled = os.path.join(folder, "m.pyc")
                subprocess.run([maker, "-c", "import py_compile, sys;"
                                "py_compile.compile(*sys.argv[1:], doraise=True)",
                                source, compiled], check=True)
                for python, expected in (maker, (0, "ran\n")), (reader, (1, "")):
                    done = subprocess.run([python, compiled], text=True,
                                          capture_output=True)
                    with self.subTest(maker=maker, reader=python):
                        self.assertEqual((done.returncode, done.stdout), expected)
                self.assertIn("Bad magic number", done.stderr)

    def test_what_c_code_prints_is_not_buffered_either(self):
        source = ("import ctypes, sys; c = ctypes.CDLL(None); print('one'); c.printf(b'two %d', 2); "
                  "print('three'); c.abort()")
        for switches, env, text in ((["-u"], {}, b"one\ntwo 2three\n"),
                                    ([], {"PYTHONUNBUFFERED": "1"}, b"one\ntwo 2three\n"),
                                    ([], {}, b"")):
            done = subprocess.run([sys.executable, *switches, "-c", source],
                                  env=CLEAN | env, stdout=subprocess.PIPE)
            self.assertEqual(done.stdout, text, switches)

    def test_collector_starts_with_start_up_in_the_oldest_generation(self):
        out = run("-c", "import gc; print(gc.isenabled(), sum(s['collections'] for s in"
                  " gc.get_stats()), len(gc.get_objects(2)) > 1000, gc.get_count()[0] < 700)")
        self.assertEqual(out, "True 0 True True\n")

    def test_collector_runs_after_start_up(self):
        out = run("-c", "import gc\nfor i in range(2000):\n x = []; x.append(x)\n"
                  "print(gc.get_stats()[0]['collections'] > 0)")
        self.assertEqual(out, "True\n")


if __name__ == "__main__":
    unittest.main()
