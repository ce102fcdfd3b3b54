"""configure names the Debian package of what is missing, and what it found."""
import os
import subprocess
import sysconfig
import tempfile
import unittest

SLOW = "runs configure again and again"

CONFIGURE = os.path.join(sysconfig.get_config_var("abs_srcdir"), "configure")
COMPILER = sysconfig.get_config_var("CC")


@unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "it would look at the emulator's machine")
@unittest.skipUnless(os.path.exists(CONFIGURE), "there is no configure script")
class ConfigureTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory(prefix="springboard-configure-")
        cls.addClassCleanup(directory.cleanup)
        cls.directory = directory.name
        cls.good = cls.configure()      # fills the cache, which makes the others quick

    @classmethod
    def configure(cls, *args, **facts):
        return subprocess.run([CONFIGURE, "--cache-file=cache", f"CC={COMPILER}", *args],
                              cwd=cls.directory, env=os.environ | facts, text=True,
                              capture_output=True, timeout=300)

    def check_missing(self, fact, package):
        with open(os.path.join(self.directory, "cache")) as f:
            before = f.read()
        with open(os.path.join(self.directory, "cache"), "w") as f:
            f.writelines(line for line in before.splitlines(True) if not line.startswith(fact))
        try:
            result = self.configure(**{fact: "no"})
        finally:
            with open(os.path.join(self.directory, "cache"), "w") as f:
                f.write(before)
        self.assertEqual(result.returncode, 1, result.stdout[-2000:])
        self.assertRegex(result.stderr, rf"apt-get install .*\b{package}\b")

    def test_summary(self):
        self.assertEqual(self.good.returncode, 0, self.good.stderr)
        for line in ("compiler", "dispatch", "allocator", "standard library",
                     "perf trampolines", "static probes", "shared library"):
            self.assertRegex(self.good.stdout, rf"(?m)^  {line}  +\S")

    def test_missing_headers_are_named_by_package(self):
        for header, package in (("gmp_h", "libgmp-dev"), ("zlib_h", "zlib1g-dev"),
                                ("expat_h", "libexpat1-dev"), ("openssl_evp_h", "libssl-dev")):
            with self.subTest(header):
                self.check_missing(f"ac_cv_header_{header}", package)

    def test_missing_libraries_are_named_by_package(self):
        for library, package in (("gmp___gmpz_init", "libgmp-dev"), ("z_zlibVersion", "zlib1g-dev"),
                                 ("expat_XML_ParserCreate", "libexpat1-dev")):
            with self.subTest(library):
                self.check_missing(f"ac_cv_lib_{library}", package)

    def test_compiler_without_headers_or_linker(self):
        compiler = os.path.join(self.directory, "half-a-compiler")
        for fails_for, packages in (("*", "libc6-dev"), ("*\" -o \"*", "binutils libc6-dev")):
            with self.subTest(packages):
                with open(compiler, "w") as f:
                    f.write(f'#!/bin/sh\ncase "$*" in {fails_for}) exit 1;; esac\n')
                os.chmod(compiler, 0o755)
                result = subprocess.run([CONFIGURE, f"CC={compiler}"], cwd=self.directory,
                                        text=True, capture_output=True, timeout=60)
                self.assertEqual(result.returncode, 1)
                self.assertIn(f": apt-get install {packages}\n", result.stderr)

    def test_missing_library_of_the_standard_kind(self):
        result = self.configure("--with-stdlib=/nonexistent")
        self.assertEqual(result.returncode, 1)
        self.assertIn("apt-get install libpython3.11-stdlib", result.stderr)

    def test_unknown_allocator(self):
        result = self.configure("--with-malloc=fancy")
        self.assertEqual(result.returncode, 1)
        self.assertIn("--with-malloc takes blocks or system", result.stderr)

    def test_no_compiler(self):
        result = subprocess.run([CONFIGURE, "CC="], cwd=self.directory, text=True,
                                capture_output=True, env={"PATH": self.tools_without_compilers()})
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("apt-get install clang-19", result.stderr)

    def tools_without_compilers(self):
        tools = os.path.join(self.directory, "tools")
        os.mkdir(tools)
        for folder in ("/usr/bin", "/bin"):
            for name in os.listdir(folder):
                compiler = any(part in name for part in ("gcc", "clang", "cc", "c++", "g++", "c99"))
                if not compiler and not os.path.lexists(os.path.join(tools, name)):
                    os.symlink(os.path.join(folder, name), os.path.join(tools, name))
        return tools


if __name__ == "__main__":
    unittest.main()
