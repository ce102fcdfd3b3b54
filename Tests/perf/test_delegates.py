"""Generators that are resumed together, by machine code of the innermost, stand in the stacks
all the same: they have records meanwhile."""
import collections
import unittest

from support import need_frame_pointers, perf_refusal, python_chain, record

# Each way of resuming walk(); all of them delegate, and only busy() takes time.
PROGRAM = """\
import time
%s
def busy():
    n = 0
    for i in range(400):
        n += i & 7
    return n
def leaf(rounds):
    for i in range(rounds):
        busy()
        yield i
def inner(rounds):
    yield from leaf(rounds)
def middle(rounds):
    got = yield from inner(rounds)
    return got
def walk(rounds):
    yield from middle(rounds)
def by_loop():
    for i in walk(50): pass
def by_sum():
    sum(walk(50))
def by_next():
    made = walk(50)
    for i in range(50): next(made)
def main(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        by_loop(), by_sum(), by_next()
"""
WAYS = "by_loop", "by_sum", "by_next"

@unittest.skipIf(perf_refusal(), perf_refusal())
@unittest.skipUnless(*need_frame_pointers())
class Samples(unittest.TestCase):
    def check(self, imports, options, start):
        program = PROGRAM % imports + start
        seen = collections.Counter()
        for stack in record(["-X", "jit=1", *options, "-c", program]):
            chain = python_chain(stack)
            if chain[-1:] == ["busy"]:
                seen[" ".join(chain)] += 1
        total = sum(seen.values())
        self.assertGreater(total, 100)
        whole = {f"<module> main {way} walk middle inner leaf busy" for way in WAYS}
        for chain, count in seen.items():
            # busy() has no frame of its own in its first two instructions and its last.
            if chain not in whole:
                self.assertLess(count, max(total / 100, 3), (chain, seen))
        for chain in whole:
            self.assertGreater(seen[chain], total / 10, seen)

    def test_all_that_delegate_are_in_the_chain(self):
        self.check("", ["-X", "perf"], "main(0.8)")

    def test_with_foreign_code(self):
        """An extension module is loaded: so the chain is followed before each call from C."""
        self.check("import _lzma", ["-X", "perf"], "main(0.8)")

    def test_lines(self):
        lines = collections.Counter()
        for stack in record(["-X", "jit=1", "-X", "perf", "-X", "perf_lines", "-c",
                             PROGRAM % "" + "main(0.8)"]):
            if stack[0].startswith("py::busy:"):
                names = [name.split(":") for name in stack if name.startswith("py::")]
                lines[tuple((name[2], int(name[-1])) for name in names[1:5])] += 1
        total = sum(lines.values())
        self.assertGreater(total, 50)
        expected = ("leaf", 10), ("inner", 13), ("middle", 15), ("walk", 18)
        self.assertGreater(lines[expected], 0.9 * total, lines)


if __name__ == "__main__":
    unittest.main()
