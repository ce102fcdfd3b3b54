"""python -m venv, and pip inside: what a person does before anything else."""
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

SLOW = "makes environments with pip"

CLEAN = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PIP_"))}
DEBIAN_PACKAGES = "/usr/lib/python3/dist-packages"


def run(*command, **kwargs):
    result = subprocess.run(command, capture_output=True, text=True, timeout=300,
                            env=CLEAN | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}, **kwargs)
    if result.returncode != 0:
        raise AssertionError(f"{command} exits with {result.returncode}:\n"
                             f"{result.stdout}{result.stderr}")
    return result.stdout


ASK = """
import json, sys, sysconfig
print(json.dumps(dict(prefix=sys.prefix, base=sys.base_prefix, executable=sys.executable,
      path=sys.path, purelib=sysconfig.get_path("purelib"), name=sys.implementation.name,
      include=sysconfig.get_path("include"))))
"""


class VirtualEnvironmentTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="springboard venv ")
        self.addCleanup(directory.cleanup)
        self.env = os.path.join(os.path.realpath(directory.name), "env")
        self.python = os.path.join(self.env, "bin", "python")

    def make(self, *options):
        run(sys.executable, "-m", "venv", *options, self.env)
        return json.loads(run(self.python, "-c", ASK, cwd="/"))

    def test_environment_is_separate(self):
        for kind in ("--symlinks", "--copies"):
            with self.subTest(kind):
                seen = self.make(kind, "--clear", "--without-pip")
                self.assertEqual(seen["name"], "springboard")
                self.assertEqual(seen["prefix"], self.env)
                self.assertEqual(seen["base"], sys.base_prefix)
                self.assertEqual(seen["executable"], self.python)
                self.assertNotIn(DEBIAN_PACKAGES, seen["path"])
                self.assertIn(f"{self.env}/lib/python3.11/site-packages", seen["path"])
                self.assertTrue(seen["purelib"].startswith(self.env), seen["purelib"])
                self.assertEqual(os.path.islink(self.python), kind == "--symlinks")
                run(self.python, "-c", "import opcode, ssl, json, sqlite3, numbers", cwd="/")

    def test_system_site_packages(self):
        seen = self.make("--without-pip", "--system-site-packages")
        self.assertIn(DEBIAN_PACKAGES, seen["path"])

    def test_debian_packages_outside_of_an_environment(self):
        out = run(sys.executable, "-c", "import sys; print(sys.path)", cwd="/")
        self.assertIn(DEBIAN_PACKAGES, out)

    def test_environment_of_an_environment(self):
        self.make("--without-pip")
        inner = os.path.join(self.env, "inner")
        run(self.python, "-m", "venv", "--without-pip", inner)
        seen = json.loads(run(os.path.join(inner, "bin", "python"), "-c", ASK, cwd="/"))
        self.assertEqual((seen["prefix"], seen["base"]), (inner, sys.base_prefix))

    def test_headers_are_ours(self):
        seen = self.make("--without-pip")
        import sysconfig
        self.assertEqual(seen["include"], sysconfig.get_config_var("INCLUDEPY"))

    @unittest.skipUnless(os.path.isdir("/usr/share/python-wheels"),
                         "no wheels for ensurepip (python3-pip-whl)")
    def test_pip_installs_a_package(self):
        self.make()
        self.assertIn(self.env, run(self.python, "-m", "pip", "--version"))
        package = os.path.join(os.path.dirname(self.env), "greeting")
        os.mkdir(package)
        with open(os.path.join(package, "greeting.py"), "w") as f:
            f.write("def main():\n    print('hello from', __name__)\n")
        with open(os.path.join(package, "setup.py"), "w") as f:
            f.write(textwrap.dedent("""
                from setuptools import setup
                setup(name="greeting", version="1.0", py_modules=["greeting"],
                      entry_points={"console_scripts": ["greet=greeting:main"]})
            """))
        pip = os.path.join(self.env, "bin", "pip")
        run(self.python, pip, "install", "--no-index", "--no-build-isolation", package)
        self.assertEqual(run(self.python, os.path.join(self.env, "bin", "greet")),
                         "hello from greeting\n")
        self.assertIn("greeting 1.0", " ".join(run(self.python, pip, "list").split()))
        run(self.python, pip, "uninstall", "-y", "greeting")
        gone = subprocess.run([self.python, "-c", "import greeting"], capture_output=True,
                              text=True, cwd="/")
        self.assertIn("ModuleNotFoundError", gone.stderr)


if __name__ == "__main__":
    unittest.main()
