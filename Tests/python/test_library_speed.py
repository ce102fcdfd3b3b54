"""What must not take time or memory in proportion to something."""
import collections
import mmap
import re
import resource
import subprocess
import sys
import sysconfig
import time
import unittest
import xml.etree.ElementTree as ET

ALONE = "compares times"
PORTABLE = "what programs ask of the library"


class RegularExpressions(unittest.TestCase):
    def test_an_anchored_search_looks_at_the_beginning_only(self):
        """Nothing else touches the pages of the text: to look at one maps it."""
        for pattern in rb"\Ay", rb"^y", rb"^(?:y|z)", rb"\A\d+":
            with self.subTest(pattern), mmap.mmap(-1, 1000 * mmap.PAGESIZE) as text:
                text.madvise(mmap.MADV_NOHUGEPAGE)
                compiled = re.compile(pattern)
                before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
                self.assertIsNone(compiled.search(text))
                looked_at = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
                self.assertLess(looked_at, 500, "pages of 1000")

    def test_others_look_at_all_of_it(self):
        """The above can fail."""
        with mmap.mmap(-1, 1000 * mmap.PAGESIZE) as text:
            text.madvise(mmap.MADV_NOHUGEPAGE)
            before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
            self.assertIsNone(re.search(rb"y", text))
            looked_at = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
            self.assertGreaterEqual(looked_at, 900)

    def test_anchors_count_from_the_text_not_from_pos(self):
        self.assertIsNone(re.compile("^b").search("abc", 1))
        self.assertEqual(re.compile("^b", re.M).search("a\nbc", 1).span(), (2, 3))
        self.assertEqual(re.compile("^a?").findall("aab"), ["a"])
        self.assertEqual(re.sub("^", "> ", "one\ntwo"), "> one\ntwo")


class OrderedDictionaries(unittest.TestCase):
    def fastest(self, function, rounds=3):
        best = float("inf")
        for _ in range(rounds):
            start = time.process_time()
            function()
            best = min(best, time.process_time() - start)
        return best

    def test_moving_the_last_key_to_the_front_takes_constant_time(self):
        def rotate(n):
            d = collections.OrderedDict.fromkeys(range(n))
            for _ in range(n):
                d.move_to_end(next(reversed(d)), last=False)
            self.assertEqual(list(d)[:2], [0, 1])
        small = self.fastest(lambda: rotate(2_000))
        large = self.fastest(lambda: rotate(32_000))
        # 16 times the keys: 256 times the work where holes are passed again and again.
        self.assertLess(large, small * 80, f"{small:.4f} s for 2,000, {large:.4f} s for 32,000")


@unittest.skipUnless(sysconfig.get_config_var("WITH_PYMALLOC"), "the system's allocator is used")
class LargeBlocks(unittest.TestCase):
    def faults_of(self, expression, setup="pass"):
        """In a process of its own: the reservation that large blocks come from is not
        endless, and other tests may have filled it."""
        code = (f"import resource; {setup}; function = lambda: {expression}; function()\n"
                "faults = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_minflt\n"
                "before = faults()\n"
                "for _ in range(5): function()\n"
                "print(faults() - before)")
        return int(subprocess.check_output([sys.executable, "-c", code]))

    def test_a_freed_block_of_20_mb_is_used_again(self):
        faults = self.faults_of("text + b'y'", "text = b'x' * 20_000_000")
        self.assertLess(faults, 5000, f"{faults} page faults in 5 rounds")

    def test_compressors_use_their_dictionary_again(self):
        faults = self.faults_of("lzma.compress(b'x' * 1000)", "import lzma")
        self.assertLess(faults, 5000, f"{faults} page faults in 5 rounds")


class PermanentObjects(unittest.TestCase):
    def test_the_count_of_none_stands_still(self):
        def build():
            tree = ET.TreeBuilder()
            tree.start("tag", {})
            tree.data("text")
            tree.end("tag")

        build()
        before = sys.getrefcount(None)
        for _ in range(100):
            build()
        self.assertEqual(sys.getrefcount(None), before)


if __name__ == "__main__":
    unittest.main()
