"""The user's own cache of bytecode, for modules beside which the user may not write."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PORTABLE = "files in folders"

OTHER = 65534
BECOME = ["setpriv", f"--reuid={OTHER}", f"--regid={OTHER}", "--clear-groups"]
# Says how often the module was compiled.
PROGRAM = """
import sys
sys.path.insert(0, {library!r})
compiled = []
sys.addaudithook(lambda event, args: event == "compile" and compiled.append(args[1]))
import outside.module
print(sum(name.endswith("module.py") for name in map(str, compiled)), outside.module.value)
"""
FILL = "big = '''" + "x" * 9000 + "'''\n"


@unittest.skipUnless(os.getuid() == 0, "only root can make folders that another user can't write")
class BytecodeCache(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="bytecode-")
        self.addCleanup(shutil.rmtree, self.folder)
        os.chmod(self.folder, 0o755)
        self.library = os.path.join(self.folder, "library")
        self.home = os.path.join(self.folder, "home")
        os.makedirs(os.path.join(self.library, "outside"))
        os.mkdir(self.home, 0o700)
        os.chown(self.home, OTHER, OTHER)
        self.write("__init__", "")
        self.write("module", FILL + "value = 1\n")

    def write(self, name, text, time=1_600_000_000):
        path = os.path.join(self.library, "outside", name + ".py")
        with open(path, "w") as file:
            file.write(text)
        os.utime(path, (time, time))

    def environment(self, **variables):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("PYTHON", "XDG_"))}
        return {**kept, "HOME": self.home, **variables}

    def start(self, *options, before=(), **variables):
        return subprocess.Popen(
            [*BECOME, *before, sys.executable, *options, "-c",
             PROGRAM.format(library=self.library)],
            env=self.environment(**variables), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, cwd="/")

    def run_program(self, *options, **others):
        process = self.start(*options, **others)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (0, ""))
        compiled, value = map(int, out.split())
        return compiled, value

    def cached(self, below=None):
        return sorted(os.path.join(place, name)
                      for place, _, names in os.walk(below or self.home) for name in names
                      if "module.springboard" in name)

    def test_second_start_does_not_compile(self):
        self.assertEqual(self.run_program(), (1, 1))
        [path] = self.cached()
        self.assertTrue(path.startswith(self.home + "/.cache/springboard/"), path)
        self.assertTrue(path.endswith(self.library + "/outside/module.springboard-311.pyc"), path)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        self.assertEqual(os.stat(self.home + "/.cache/springboard").st_mode & 0o777, 0o700)
        self.assertEqual(self.run_program(), (0, 1))
        self.assertFalse(os.path.exists(self.library + "/outside/__pycache__"))

    def test_changed_source_is_compiled(self):
        self.run_program()
        self.write("module", FILL + "value = 2\n", 1_600_000_001)
        self.assertEqual(self.run_program(), (1, 2))
        self.assertEqual(self.run_program(), (0, 2))

    def test_what_is_beside_goes_first(self):
        os.chmod(os.path.join(self.library, "outside"), 0o777)
        self.assertEqual(self.run_program(), (1, 1))
        self.assertEqual(self.cached(), [])
        self.assertEqual(len(self.cached(self.library)), 1)
        self.assertEqual(self.run_program(), (0, 1))

    def test_damaged_files_do_no_harm(self):
        self.run_program()
        [path] = self.cached()
        with open(path, "rb") as file:
            data = file.read()
        for damaged in (b"", data[:10], data[:16], data[:200], data[:-1], data[:-8],
                        data[:300] + b"?" + data[301:], data + b"x"):
            with open(path, "wb") as file:
                file.write(damaged)
            self.assertEqual(self.run_program(), (1, 1), damaged[:20])
            self.assertEqual(self.run_program(), (0, 1))

    def test_files_of_others_do_not_count(self):
        self.run_program()
        [path] = self.cached()
        os.chown(path, 0, 0)
        os.chmod(path, 0o644)
        self.assertEqual(self.run_program(), (1, 1))

    def test_folder_that_others_can_write_is_not_used(self):
        self.run_program()
        [path] = self.cached()
        folder = path[:-len(self.library + "/outside/module.springboard-311.pyc")]
        os.chmod(folder, 0o777)
        self.assertEqual(self.run_program(), (1, 1))
        os.chmod(folder, 0o700)
        self.assertEqual(self.run_program(), (0, 1))

    def test_cache_that_cannot_be_written_is_no_error(self):
        os.chmod(self.home, 0o500)
        self.assertEqual(self.run_program(), (1, 1))
        self.assertEqual(self.run_program(HOME="/nowhere/at/all"), (1, 1))
        self.assertEqual(self.run_program(HOME="/dev/null"), (1, 1))
        self.assertEqual(self.run_program(HOME=""), (1, 1))
        self.assertEqual(self.cached(), [])

    def test_full_disk_leaves_nothing(self):
        limited = [sys.executable, "-c", "import os, resource, sys; resource.setrlimit("
                   "resource.RLIMIT_FSIZE, (4096, 4096)); os.execv(sys.argv[1], sys.argv[1:])"]
        self.assertEqual(self.run_program(before=limited), (1, 1))
        self.assertEqual(self.cached(), [])
        self.assertEqual(self.run_program(), (1, 1))
        self.assertEqual(self.run_program(), (0, 1))

    def test_it_can_be_switched_off(self):
        for options, variables in ((["-X", "bytecode_cache=0"], {}), (["-B"], {}),
                                   ([], {"PYTHON_BYTECODE_CACHE": "0"})):
            with self.subTest(options=options, variables=variables):
                self.assertEqual(self.run_program(*options, **variables), (1, 1))
                self.assertEqual(self.cached(), [])
        self.assertEqual(self.run_program("-I"), (1, 1))
        self.assertEqual(self.cached(), [])

    def test_another_folder(self):
        for options, variables, place in (
                ([], {"XDG_CACHE_HOME": "a"}, "a/springboard"),
                ([], {"PYTHON_BYTECODE_CACHE": "b"}, "b"),
                (["-X", "bytecode_cache=c"], {"PYTHON_BYTECODE_CACHE": "b"}, "c")):
            variables = {name: f"{self.home}/{value}" for name, value in variables.items()}
            options = [option.replace("=c", f"={self.home}/c") for option in options]
            with self.subTest(place=place):
                self.run_program(*options, **variables)
                self.assertEqual(len(self.cached(os.path.join(self.home, place))), 1)
                self.assertEqual(self.run_program(*options, **variables), (0, 1))

    def test_another_pycache_prefix_is_enough(self):
        self.run_program(PYTHONPYCACHEPREFIX=self.home + "/prefix")
        self.assertEqual(len(self.cached(self.home + "/prefix")), 1)
        self.assertEqual(self.cached(self.home + "/.cache"), [])

    def test_many_at_once(self):
        for process in [self.start() for _ in range(8)]:
            out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, err, out.split()[1]), (0, "", "1"))
        self.assertEqual(len(self.cached()), 1)
        self.assertEqual(self.run_program(), (0, 1))


class Trim(unittest.TestCase):
    def test_the_oldest_go(self):
        from _bytecode_cache import trim
        folder = self.enterContext(tempfile.TemporaryDirectory())
        for n in range(10):
            path = os.path.join(folder, str(n))
            with open(path, "wb") as file:
                file.write(bytes(8192))
            os.utime(path, (n, n))
        trim(folder, most=90_000, kept=50_000)
        self.assertEqual(len(os.listdir(folder)), 10)
        trim(folder, most=80_000, kept=50_000)
        self.assertEqual(sorted(os.listdir(folder)), ["4", "5", "6", "7", "8", "9"])


if __name__ == "__main__":
    unittest.main()
