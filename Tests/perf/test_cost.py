"""Perf support costs nothing while it is off: callgrind counts the same instructions in a
process that has never switched it on and in one that has switched it off again."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

from support import tool_refusal

# Every kind of frame begins and ends here; the switches are between functions.
PROGRAM = """
import sys
def leaf(a): return a
class A:
    def __init__(self): self.x = 1
    @property
    def p(self): return self.x
    def m(self, a, b=2): return a
def gen(n):
    for i in range(n):
        yield i
def delegate(n):
    yield from gen(n)
async def coroutine(n):
    return n if n == 0 else await coroutine(n - 1)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def fails(n):
    try:
        1 / n if n == 0 else fails(n - 1)
    except ZeroDivisionError:
        raise
def work(n):
    for i in range(n):
        a = A()
        a.p + a.m(i) + leaf(i)
        for x in delegate(3): pass
        sorted([3, 1, 2], key=leaf)
        try: coroutine(3).send(None)
        except StopIteration: pass
        try: fails(3)
        except ZeroDivisionError: pass
    fib(12)
def switch(*modes):
    for lines in modes:
        if lines is not None: sys.activate_stack_trampoline('perf', lines=lines)
        work(200)
        if lines is not None: sys.deactivate_stack_trampoline()
work(200)
%s
work(200)
any(map(work, [20] * 10))       # what runs in any() is counted
"""


def instructions(switch):
    """What a program executes while it works, by function."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.py")
        with open(path, "w") as f:
            f.write(PROGRAM % switch)
        out = os.path.join(folder, "out")
        # -B: else the first of the runs may compile what the others find compiled.
        # valgrind 3.19 gives up on clang 19's debug information.
        python = os.path.join(folder, "python")
        subprocess.run(["strip", "-g", "-o", python, sys.executable], check=True)
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
             # How often a switch asks whether it has been heard differs: not counted.
             # The name alone: `_PyBuiltin_Any.cold`, which the linker may lay apart, is no other call.
             "--toggle-collect=_PyBuiltin_Any",
             python, "-X", "jit=0",     # when the compiler begins depends on time
             "-S", "-B", path],
            capture_output=True, text=True, timeout=500, stdin=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0"})
        if done.returncode:
            raise AssertionError(done.stderr[-2000:])
        for name in os.listdir("/tmp"):
            if re.fullmatch(r"perf-\d+\.map", name):
                pid = re.search(rf"=={name[5:-4]}==", done.stderr)
                if pid:
                    os.unlink(os.path.join("/tmp", name))
        text = subprocess.run(["callgrind_annotate", "--threshold=100", out],
                              capture_output=True, text=True, timeout=200).stdout
    found = {}
    for count, name in re.findall(r"^ *([0-9,]+) \([ 0-9.]+%\) +(?:\S*:)?(\w+)", text, re.M):
        found[name] = found.get(name, 0) + int(count.replace(",", ""))
    return found


@unittest.skipIf(tool_refusal("valgrind"), str(tool_refusal("valgrind")))
class Inactive(unittest.TestCase):
    def cost_of_work(self, switch):
        """By function. Some are left out: how long a search in a hash table takes depends on
        addresses, and so on what has been allocated."""
        return {name: n for name, n in instructions(switch).items()
                if re.match("op_|_PyVM_|_PyEval_|_PyPerf_|evaluate|return_|unwind|line_|"
                            "call_|push_|send_|for_|show_|nest_|run_|load_|store_", name)}

    def test_the_same_instructions_before_and_after(self):
        never = self.cost_of_work("switch(None, None, None)")
        after = self.cost_of_work("switch(0, 1, 0)")
        self.assertGreater(sum(never.values()), 2_000_000)
        self.assertIn("op_RETURN", never)
        # It raises; which of the two is left depends on what the linker has put into what.
        self.assertTrue({"_PyVM_Error", "unwind_default"} & set(never), never)
        self.assertNotIn("_PyPerf_Call", after)
        self.assertEqual(never, after)

    def test_a_mailbox_that_was_used_costs_nothing(self):
        # Caches of attributes depend on what else has been allocated.
        def of_frames(costs):
            return {name: n for name, n in costs.items()
                    if re.match("op_|_PyEval_|_PyPerf_|evaluate|return_|unwind|line_|show_|nest_",
                                name)}
        never = of_frames(self.cost_of_work("import os; from springprof import mailbox"))
        after = of_frames(self.cost_of_work(
            "import os; from springprof import mailbox\n"
            "box = mailbox.Mailbox(os.getpid())\n"
            "for command in mailbox.PERF, mailbox.PERF_LINES, mailbox.OFF:\n"
            "    box.post(command, 60)\n"
            "    work(200)"))
        total = sum(never.values())
        self.assertGreater(total, 1_500_000)
        self.assertNotIn("_PyPerf_Call", after)
        # The tool itself runs Python code, and leaves objects in other places.
        for name in never.keys() | after.keys():
            self.assertLess(abs(never.get(name, 0) - after.get(name, 0)), total / 1000, name)

    def test_what_is_shown_is_counted(self):
        """The comparison can fail: while frames are shown, others run."""
        shown = self.cost_of_work(
            "sys.activate_stack_trampoline('perf')")
        self.assertIn("_PyVM_ShownReturn", shown)
        self.assertEqual(shown.get("op_RETURN", 0), 0)


if __name__ == "__main__":
    unittest.main()
