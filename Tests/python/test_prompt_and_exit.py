"""The interactive prompt on a pipe, and the order of things at exit."""
import subprocess
import sys
import unittest


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


if __name__ == "__main__":
    unittest.main()
