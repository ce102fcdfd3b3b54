"""Compiled modules for CPython 3.11 find in this python every name they import."""
import glob
import importlib.util
import os
import subprocess
import sys
import unittest

PORTABLE = "names in files"

here = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location(
    "check_exports", os.path.join(here, os.pardir, "abi", "check_exports.py"))
check_exports = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_exports)

DYNLOAD = "/usr/lib/python3.11/lib-dynload"
PEER = "/usr/bin/python3.11"
modules = sorted(glob.glob(os.path.join(DYNLOAD, "*.so")))


def import_fails_with(python, name):
    """The last line that `import name` prints in a fresh process, or ''."""
    done = subprocess.run([python, "-c", f"import {name}"], timeout=60,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True)
    if done.returncode == 0:
        return ""
    lines = done.stderr.splitlines() or [f"exit status {done.returncode}"]
    return lines[-1]


class EveryImportedNameIsExported(unittest.TestCase):
    def test_names_of_the_list_and_of_lib_dynload(self):
        python = os.path.realpath("/proc/self/exe")
        self.assertEqual(check_exports.missing(python, modules), {})

    def test_functions_behind_macros_of_their_name(self):
        # A program may look them up (dlsym, ctypes), or be built with other headers.
        python = os.path.realpath("/proc/self/exe")
        hidden = {"Py_CompileString", "Py_CompileStringFlags", "PyRun_SimpleString",
                  "PyRun_String", "PyRun_File", "PyRun_AnyFile", "PyRun_SimpleFile"}
        self.assertEqual(set(), hidden - check_exports.exported(python))


@unittest.skipUnless(modules, f"no modules in {DYNLOAD}")
class EveryCompiledModuleLoads(unittest.TestCase):
    def test_lib_dynload(self):
        for path in modules:
            name = os.path.basename(path).partition(".")[0]
            with self.subTest(module=name):
                problem = import_fails_with(sys.executable, name)
                if problem and os.path.exists(PEER) and import_fails_with(PEER, name):
                    continue
                self.assertEqual(problem, "")


if __name__ == "__main__":
    unittest.main()
