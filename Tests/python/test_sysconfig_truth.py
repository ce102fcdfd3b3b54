"""sysconfig describes this build, and extension modules can be built from what it says."""
import os
import re
import subprocess
import sys
import sysconfig
import unittest

var = sysconfig.get_config_var
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}


def run(*command, **kwargs):
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, env=CLEAN,
                            **kwargs)
    if result.returncode != 0:
        raise AssertionError(f"{command} exits with {result.returncode}:\n"
                             f"{result.stdout}{result.stderr}")
    return result.stdout


class SysconfigTest(unittest.TestCase):
    def test_command_prints_configuration(self):
        out = run(sys.executable, "-m", "sysconfig")
        for name in ("CC", "CFLAGS", "CONFIG_ARGS", "INCLUDEPY", "prefix", "EXT_SUFFIX"):
            self.assertRegex(out, rf'(?m)^\t{name} = "')
        omit = "omit" if "--without-frame-pointers" in var("CONFIG_ARGS") else "no-omit"
        self.assertRegex(out, rf'(?m)^\tPY_CORE_CFLAGS = ".*-f{omit}-frame-pointer')
        if os.uname().machine in ("x86_64", "aarch64"):
            self.assertRegex(out, r'HAVE_PERF_TRAMPOLINE = "1"')
            self.assertRegex(out, rf'(?m)^\tCFLAGS = ".*-m{omit}-leaf-frame-pointer')

    def test_paths_exist(self):
        for name in ("INCLUDEPY", "CONFINCLUDEPY", "LIBPL", "LIBDEST"):
            self.assertTrue(os.path.isdir(var(name)), f"{name}: {var(name)}")
        self.assertEqual(sysconfig.get_path("include"), var("INCLUDEPY"))
        self.assertEqual(sysconfig.get_path("stdlib"), os.path.dirname(os.__file__))

    def test_makefile_is_ours_and_parses(self):
        name = sysconfig.get_makefile_filename()
        parsed = sysconfig._parse_makefile(name)
        self.assertEqual(parsed["EXT_SUFFIX"], var("EXT_SUFFIX"))
        self.assertEqual(parsed["CFLAGS"], var("CFLAGS"))

    def test_config_h_is_ours_and_parses(self):
        name = sysconfig.get_config_h_filename()
        self.assertEqual(os.path.dirname(name), var("CONFINCLUDEPY"))
        if not os.path.exists(name) or name.startswith("/usr/include/python3.11/"):
            self.skipTest("this build has no pyconfig.h of its own")
        with open(name) as f:
            self.assertEqual(sysconfig.parse_config_h(f)["SIZEOF_VOID_P"], 8)

    def test_suffixes_are_importable(self):
        import _imp
        suffixes = _imp.extension_suffixes()
        self.assertEqual(suffixes[0], var("EXT_SUFFIX"))
        self.assertEqual(var("EXT_SUFFIX"), f".{var('SOABI')}.so")
        self.assertIn("springboard-311", var("SOABI"))
        self.assertIn(f".cpython-311-{var('MULTIARCH')}.so", suffixes)

    def test_debug_and_shared_are_told_as_numbers(self):
        self.assertIn(var("Py_ENABLE_SHARED"), (0, 1))
        self.assertEqual(bool(var("Py_DEBUG")), "--enable-debug" in var("CONFIG_ARGS"))
        self.assertEqual(var("LDLIBRARY"), "libpython3.11.so" if var("Py_ENABLE_SHARED")
                         else "libpython3.11.a")

    def test_vars_have_no_unexpanded_references(self):
        for name, value in sysconfig.get_config_vars().items():
            if isinstance(value, str):
                self.assertNotRegex(value, r"\$[({]|%PREFIX%|@\w+@", name)


if __name__ == "__main__":
    unittest.main()
