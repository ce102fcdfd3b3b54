"""The interactive prompt on a pipe, fatal errors of the start, and the order of things
at exit."""
import os
import subprocess
import sys
import tempfile
import unittest

PORTABLE = "texts and the order of things"


def run(*args, data=""):
    return subprocess.run([sys.executable, *args], input=data, capture_output=True, text=True,
                          timeout=60)


class Prompt(unittest.TestCase):
    def test_end_of_input_leaves_the_terminal_on_a_new_line(self):
        for data, shown in (("", ">>> \n"), ("1+1\n", ">>> >>> \n"),
                            ("if 1:\n  2\n", ">>> ... ... \n>>> \n"), ("5", ">>> ... \n>>> \n")):
            with self.subTest(data):
                self.assertEqual(run("-q", "-i", data=data).stderr, shown)


class Exit(unittest.TestCase):
    def test_cycles_that_outlive_their_modules_are_finalised_in_silence(self):
        done = run("-c", "import asyncio\nasyncio.set_event_loop(asyncio.new_event_loop())")
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 0))

    def test_objects_of_main_are_finalised_while_modules_work(self):
        done = run("-c", "import os\nclass C:\n  def __del__(self): print(os.getcwd() != '')\nc = C()")
        self.assertEqual((done.stdout, done.stderr), ("True\n", ""))

    def test_objects_in_builtins_are_finalised_with_builtins_as_they_were(self):
        done = run("-c", "import builtins, sys\nclass C:\n"
                   "  def __del__(self): print(len('abc'), 'stored' in dir(builtins))\n"
                   "builtins.stored = C()\nbuiltins.len = None")
        self.assertEqual((done.stdout, done.stderr), ("3 False\n", ""))

    def test_main_dies_while_modules_imported_later_work(self):
        done = run("-c", "import warnings\nfile = open('/dev/null')\n"
                   "with warnings.catch_warnings(record=True):\n"
                   "  warnings.simplefilter('always')\n  warnings.warn('seen')")
        self.assertEqual(done.stderr, "")       # the filters in force ignore a ResourceWarning

    def test_destructors_of_the_last_collection_import_nothing(self):
        done = run("-c", "import sys\nclass C:\n  def __del__(self, sys=sys):\n"
                   "    print(sys.meta_path, sys.path_hooks, sys.path)\n"
                   "    try: import colorsys\n    except ImportError as e: print(e)\nc = C()\n")
        self.assertEqual((done.stdout, done.stderr), ("None None None\nsys.meta_path is None, "
                                                      "Python is likely shutting down\n", ""))

    def test_files_that_only_hooks_refer_to_get_their_text(self):
        """Each of these keeps the function, and with it the namespace of __main__, to the end."""
        hooks = ("codecs.register_error('mine', hook)", "codecs.register(hook)",
                 "os.register_at_fork(before=hook)", "os.register_at_fork(after_in_child=hook)",
                 "os.register_at_fork(after_in_parent=hook)", "sys.addaudithook(hook)",
                 "sys.settrace(hook)", "sys.setprofile(hook)", "sys.set_asyncgen_hooks(hook, hook)",
                 "contextvars.ContextVar('v').set(hook)", "atexit.register(hook)")
        for hook in hooks:
            with self.subTest(hook), tempfile.NamedTemporaryFile() as f:
                done = run("-c", "import atexit, codecs, contextvars, os, sys\n"
                           "def hook(*args): file\n"
                           f"file = open({f.name!r}, 'w')\nfile.write('text')\n{hook}")
                self.assertEqual((f.read(), done.stderr, done.returncode), (b"text", "", 0))

    def test_errors_after_the_modules_show_no_source(self):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as f:
            f.write("import os\nclass C:\n  def __del__(self): 1/0\nos.kept = C()\n")
            f.flush()
            done = run(f.name)
        self.assertRegex(done.stderr, r'^Exception ignored in: <function C.__del__ at 0x\w+>\n'
                         r'Traceback \(most recent call last\):\n  File ".*", line 3, in __del__\n'
                         r'ZeroDivisionError: division by zero\n$')

    def test_what_is_no_function_is_told_of_threading(self):
        done = run("-c", "import threading\nthreading._shutdown = None")
        self.assertIn("TypeError: 'NoneType' object is not callable", done.stderr)

    def test_streams_are_flushed_after_a_script_and_at_the_end(self):
        program = ("import os, sys\nclass Stream:\n"
                   "  def __init__(self, name): self.name = name\n"
                   "  def write(self, text): pass\n"
                   "  def flush(self): os.write(1, self.name)\n"
                   "sys.stdout, sys.stderr = Stream(b'o'), Stream(b'e')\n")
        self.assertEqual(run("-", data=program).stdout, "eooe")
        self.assertEqual(run("-c", program).stdout, "oe")


class FatalStart(unittest.TestCase):
    """What stops the start is one message with the state and the exception."""
    END = r"\n\nCurrent thread 0x\w+ \(most recent call first\):\n  <no Python frame>\n$"

    def test_stdin_is_a_directory(self):
        folder = os.open("/", os.O_RDONLY)
        self.addCleanup(os.close, folder)
        done = subprocess.run([sys.executable, "-c", "1"], stdin=folder, capture_output=True, text=True)
        self.assertRegex(done.stderr, "^Fatal Python error: init_sys_streams: <stdin> is a directory, cannot "
                         "continue\nPython runtime state: core initialized" + self.END)
        self.assertEqual(done.returncode, 1)

    def start(self, *options, **env):
        return subprocess.run([sys.executable, *options, "-c", "1"], capture_output=True, text=True,
                              env={**os.environ, **env})

    def test_unknown_encoding_of_the_streams(self):
        done = self.start(PYTHONIOENCODING="foo")
        self.assertRegex(done.stderr, "^Fatal Python error: init_stdio_encoding: failed to get the Python codec "
                         "name of the stdio encoding\nPython runtime state: core initialized\n"
                         "LookupError: unknown encoding: foo" + self.END)
        self.assertEqual(done.returncode, 1)

    def test_a_home_without_a_library_shows_where_it_was_looked_for(self):
        done = self.start(PYTHONHOME="/nowhere")
        self.assertRegex(done.stderr, r"^Python path configuration:\n  PYTHONHOME = '/nowhere'\n(.*\n)*"
                         r"  sys.path = \[\n(    .*\n)*  \]\nFatal Python error: init_fs_encoding: ")
        self.assertIn("ModuleNotFoundError: No module named 'encodings'", done.stderr)

    def test_options_before_there_is_a_configuration(self):
        for done in (self.start("-Xutf8=3"), self.start(PYTHONUTF8="x"), self.start(PYTHONMALLOC="foo")):
            self.assertRegex(done.stderr, r"^Fatal Python error: preconfig_init_\w+: .*\n"
                             r"Python runtime state: preinitializing\n\n$")

    def test_any_value_of_safepath_counts(self):
        done = subprocess.run([sys.executable, "-c", "import sys; print(sys.flags.safe_path)"],
                              capture_output=True, text=True, env={**os.environ, "PYTHONSAFEPATH": "0"})
        self.assertEqual(done.stdout, "True\n")

    def test_nothing_behind_help_counts(self):
        for options in "-h1", "-?J", "-Vhc":
            done = self.start(options)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, "^usage: ")

    def test_script_keeps_the_path_it_was_given(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = os.path.realpath(folder)
            with open(os.path.join(folder, "__main__.py"), "w") as f:
                f.write("print(__file__)")
            for given, file in ((".", "/__main__.py"), ("./", "/./__main__.py"),
                                ("./__main__.py", "/./__main__.py"), ("__main__.py", "/__main__.py"),
                                (".//__main__.py", "/.//__main__.py")):
                done = subprocess.run([sys.executable, given], capture_output=True, text=True, cwd=folder)
                self.assertEqual((done.stdout, done.stderr), (folder + file + "\n", ""), given)


if __name__ == "__main__":
    unittest.main()
