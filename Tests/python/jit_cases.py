"""Programs that print the same compiled to machine code and interpreted."""
import os
import subprocess
import sys
import textwrap
import unittest


# For tests that count on when garbage dies, or on what is compiled, and when.
not_with_stress = unittest.skipIf("SPRINGBOARD_STRESS" in os.environ,
                                  "other code runs, and garbage dies early")


def python_for(mode):
    """What runs programs in a mode. SB_INTERPRETER is what interprets them, for tests that compare:
    an emulator takes long to start, and the machine itself prints the same."""
    return mode == "off" and os.environ.get("SB_INTERPRETER") or sys.executable


def run(program, **env):
    env = {**os.environ, **env}
    python = python_for(env.get("SPRINGBOARD_JIT"))
    # Without site, whose import is no part of the test: it is a third of a start.
    done = subprocess.run([python, "-S", "-c", program], env=env, text=True,
                          capture_output=True, timeout=300)
    return done.stdout + done.stderr[-2000:]


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
