"""Programs that print the same compiled to machine code and interpreted."""
import atexit
import functools
import os
import select
import subprocess
import sys
import tempfile
import textwrap
import unittest


# For tests that count on when garbage dies, or on what is compiled, and when.
not_with_stress = unittest.skipIf("SPRINGBOARD_STRESS" in os.environ,
                                  "other code runs, and garbage dies early")


def python_for(mode):
    """What runs programs in a mode. SB_INTERPRETER is what interprets them, for tests that compare:
    an emulator takes long to start, and the machine itself prints the same."""
    return mode == "off" and os.environ.get("SB_INTERPRETER") or sys.executable


# An emulated interpreter's start is mostly translation, which a child has from its parent: this one
# stops at the end of its start, where site imports this, and goes on in a child for each line that
# it reads.
FORKS = """\
import os, sys
while "PYTHONPATH" in os.environ:
    part = os.read(0, 1)
    if not part: os._exit(0)
    if part != b"\\n": continue
    child = os.fork()
    if child:
        os.write(1, b"%d\\n" % os.waitpid(child, 0)[1])
        continue
    for fd, name in (0, os.devnull), (1, "out"), (2, "err"):
        os.close(fd)
        os.set_inheritable(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC), True)
    del os.environ["PYTHONPATH"]
    sys.path.remove(os.getcwd())
"""


class Forks:
    def __init__(self, python, env):
        folder = tempfile.TemporaryDirectory()
        self.folder = folder.name
        self.write("sitecustomize.py", FORKS)
        self.process = subprocess.Popen([python, "<string>"], cwd=self.folder, bufsize=0,
                                        env={**env, "PYTHONPATH": self.folder},
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        atexit.register(folder.cleanup)
        atexit.register(self.process.communicate)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as out:
            out.write(text)

    def read(self, name):
        """With the program's name as -c has it."""
        with open(os.path.join(self.folder, name), encoding="utf-8") as text:
            return text.read().replace(os.path.join(self.folder, "<string>"), "<string>")

    def run(self, program, timeout):
        self.write("<string>", program)
        self.process.stdin.write(b"\n")
        if not select.select([self.process.stdout], [], [], timeout)[0]:
            self.process.kill()
            raise subprocess.TimeoutExpired(program, timeout)
        status = int(self.process.stdout.readline())
        return subprocess.CompletedProcess(program, os.waitstatus_to_exitcode(status),
                                           self.read("out"), self.read("err"))


@functools.cache
def forks(python, **env):
    return Forks(python, {**os.environ, **env})


def finished(program, python=None, timeout=300, **env):
    """The finished process of a program."""
    python = python or python_for(env.get("SPRINGBOARD_JIT"))
    if "SPRINGBOARD_EMULATOR" in os.environ and python != os.environ.get("SB_INTERPRETER"):
        return forks(python, **env).run(program, timeout)
    # Without site, whose import is no part of the test: it is a third of a start.
    return subprocess.run([python, "-S", "-c", program], env={**os.environ, **env}, text=True,
                          capture_output=True, timeout=timeout)


def run(program, **env):
    done = finished(program, **env)
    return done.stdout + done.stderr[-4000:]


def add_cases(to, cases, setup, frail=()):
    """Gives a class a test for each of {name: (program, what it prints)}. SB_JIT_MODES="stress:1
    stress:2": in these modes. frail: names of those that are not run under SPRINGBOARD_STRESS."""
    def add(name, program, expected):
        def test(self):
            text = textwrap.dedent(setup) + textwrap.dedent(program)
            for mode in os.environ.get("SB_JIT_MODES", "eager on off stress:7").split():
                self.assertEqual(run(text, SPRINGBOARD_JIT=mode), expected, mode)
        setattr(to, "test_" + name, not_with_stress(test) if name in frail else test)

    for name, (program, expected) in cases.items():
        add(name, program, expected)
