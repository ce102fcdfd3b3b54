"""Methods of operators run in frames of the VM: shown, nested and unshown, to the same end."""
import os
import unittest

from support import need_frame_pointers, perf_refusal, python_chain, record, run, run_arguments

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "programs",
                       "operator_methods.py")


class Operators(unittest.TestCase):
    def test_end_in_the_same_way_while_they_are_shown(self):
        code, plain, err, _ = run_arguments(PROGRAM)
        self.assertEqual(code, 0, err)
        for option in "perf", "perf_jit", "perf_lines":
            with self.subTest(option):
                self.assertEqual(run_arguments("-X", option, PROGRAM)[:3], (0, plain, err))

    def test_deep_ones_need_more_than_one_block_of_records(self):
        code, out, err, lines = run(
            "import sys\n"
            "class Deep:\n"
            "    def __init__(self, left): self.left = left\n"
            "    def __add__(self, other):\n"
            "        return 1 + (Deep(self.left - 1) + 1) if self.left else 1\n"
            "    def __iter__(self): return self\n"
            "    def __next__(self):\n"
            "        if self.left:\n"
            "            for item in Deep(self.left - 1): pass\n"
            "        raise StopIteration\n"
            "sys.setrecursionlimit(10000)\n"
            "print(Deep(3000) + 1, list(Deep(900)), [0 for item in Deep(3000)])\n", "-X", "perf")
        self.assertEqual((code, out), (0, "3001 [] []\n"), err)

    @unittest.skipUnless(*need_frame_pointers())
    @unittest.skipIf(perf_refusal(), perf_refusal())
    def test_perf_sees_them_between_their_callers(self):
        stacks = record(["-X", "perf", "-c",
                         "class V:\n"
                         "    def __lt__(self, other):\n"
                         "        total = 0\n"
                         "        for i in range(300): total += i\n"
                         "        return True\n"
                         "    def __add__(self, other):\n"
                         "        return self < other\n"
                         "def work():\n"
                         "    v = V()\n"
                         "    for i in range(600000): v + v\n"
                         "work()\n"])
        chains = [chain for chain in map(python_chain, stacks) if chain]
        inner = [chain for chain in chains if chain[-1].endswith("__lt__")]
        self.assertGreater(len(inner), len(chains) // 2, chains)
        names = [[name.rpartition(".")[2] for name in chain] for chain in inner]
        # A compiled function's first two instructions and its last have no frame pointer of their
        # own: who looks just then misses its caller, and nothing else.
        missed = names.count(["<module>", "work", "__lt__"])
        self.assertEqual(names.count(["<module>", "work", "__add__", "__lt__"]) + missed,
                         len(names), names)
        self.assertLess(missed, max(len(names) / 100, 2), len(names))


if __name__ == "__main__":
    unittest.main()
