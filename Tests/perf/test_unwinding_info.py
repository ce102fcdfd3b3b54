"""The call frame information that perf gets with the jitdump."""
import os
import struct
import unittest

import cfi
from support import run
from test_jitdump import dump_path, parse

# Of the architecture: frame pointer and return address as DWARF numbers them.
FRAME, RETURN = {"x86_64": (6, 16), "aarch64": (29, 30)}[os.uname().machine]


class UnwindingInformation(unittest.TestCase):
    def records(self, *options):
        status, out, err, _ = run("import os\ndef f(): pass\ndef g():\n  f()\n  f()\n"
                                  "g(); print(os.getpid())", "-X", "perf_jit", "-X", "jit=0",
                                  *options)
        self.assertEqual((status, err), (0, ""))
        path = dump_path(int(out))
        with open(path, "rb") as f:
            _, records = parse(f.read())
        os.unlink(path)
        return records

    def check(self, records):
        info, seen = None, 0
        for kind, body in records:
            if kind == 4:
                info = body
            elif kind == 0:
                self.assertIsNotNone(info, "code without unwinding information")
                self.check_code(info, struct.unpack_from("=Q", body, 24)[0])
                info = None
                seen += 1
        self.assertGreater(seen, 3)

    def check_code(self, info, code_size):
        """Every address of a piece of code leads to the record that it stands in."""
        size, header_size, mapped = struct.unpack_from("=QQQ", info)
        self.assertEqual(size, mapped)
        table, header = info[24:24 + size - header_size], info[24 + size - header_size:]
        # perf lays the code at 0, the table behind it at a multiple of 8.
        place = (code_size + 7) & ~7
        for address in range(code_size):
            self.assertEqual(cfi.rules_at(table, place, address),
                             (RETURN, {"cfa": (FRAME, 16), FRAME: -16, RETURN: -8}),
                             f"at {address} of {code_size}")
        self.assertIsNone(cfi.rules_at(table, place, -1))
        # The header's sorted table: one function, and where it is described.
        self.assertEqual(header[:4], b"\x01\x1b\x03\x3b")
        start, count, code, fde = struct.unpack_from("=iIii", header, 4)
        header_place = place + len(table)
        self.assertEqual((header_place + 4 + start, count), (place, 1))
        self.assertEqual(header_place + code, 0)
        self.assertEqual(header_place + fde,
                         place + 4 + struct.unpack_from("=I", table)[0])

    def test_gh_136541_leads_from_a_function_to_its_caller(self):
        self.check(self.records())

    def test_gh_136541_leads_from_a_line_to_the_caller(self):
        self.check(self.records("-X", "perf_lines"))


if __name__ == "__main__":
    unittest.main()
