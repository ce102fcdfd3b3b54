"""Programs that print the same compiled to machine code and interpreted."""
import os
import subprocess
import sys
import textwrap


def run(program, **env):
    env = {**os.environ, **env}
    done = subprocess.run([sys.executable, "-c", program], env=env, text=True,
                          capture_output=True, timeout=120)
    return done.stdout + done.stderr[-2000:]


def add_cases(to, cases, setup):
    """Gives a class a test for each of {name: (program, what it prints)}. SB_JIT_MODES="stress:1
    stress:2": in these modes."""
    def add(name, program, expected):
        def test(self):
            text = textwrap.dedent(setup) + textwrap.dedent(program)
            for mode in os.environ.get("SB_JIT_MODES", "eager on off stress:7").split():
                self.assertEqual(run(text, SPRINGBOARD_JIT=mode), expected, mode)
        setattr(to, "test_" + name, test)

    for name, (program, expected) in cases.items():
        add(name, program, expected)
