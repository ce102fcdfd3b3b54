"""/tmp/jit-PID.dump, and stacks that perf unwinds with it."""
import glob
import os
import struct
import subprocess
import sys
import tempfile
import unittest

from support import (EXAMPLE, map_path, need_frame_pointers, perf_refusal, python_chain,
                     run)


def dump_path(pid):
    return f"/tmp/jit-{pid}.dump"


def remove_traces(perf_data):
    """What the processes of a recording and `perf inject --jit` have left."""
    text = subprocess.run(["perf", "script", "-i", perf_data, "-F", "pid"],
                          capture_output=True, text=True).stdout
    for pid in set(text.split()):
        for path in dump_path(pid), map_path(pid), *glob.glob(f"/tmp/jitted-{pid}-*.so"):
            if os.path.exists(path):
                os.unlink(path)


def parse(data):
    """(header fields, [(id, body)…])"""
    header = struct.unpack_from("=IIIIIIQQ", data)
    records, at = [], header[2]
    while at < len(data):
        kind, size, _ = struct.unpack_from("=IIQ", data, at)
        if size == 0 and not any(data[at:]):
            break               # what a killed process leaves
        assert size > 0 and at + size <= len(data), (at, kind, size)
        records.append((kind, data[at + 16:at + size]))
        at += size
    return header, records


def code_names(records):
    return [body[40:].split(b"\0", 1)[0].decode() for kind, body in records if kind == 0]


class Dump(unittest.TestCase):
    def test_a_killed_process_has_lost_nothing(self):
        process = subprocess.Popen(
            [sys.executable, "-X", "perf_jit", "-c", """if 1:
            import os, signal
            for i in range(2000):
                space = {}
                exec(f'def unit_{i}(): pass', space)
                space[f'unit_{i}']()
            os.kill(os.getpid(), signal.SIGKILL)"""])
        process.wait(60)
        with open(dump_path(process.pid), "rb") as f:
            data = f.read()
        os.unlink(dump_path(process.pid))
        _, records = parse(data)
        found = code_names(records)
        for i in range(2000):
            self.assertIn(f"py::unit_{i}:<string>", found)

    def dump(self, code, *options):
        status, out, err, lines = run(code, *options)
        self.assertEqual((status, err), (0, ""))
        self.assertIsNone(lines, "a perf map too")
        with open(dump_path(int(out)), "rb") as f:
            data = f.read()
        self.assertEqual(os.stat(dump_path(int(out))).st_mode & 0o777, 0o600)
        os.unlink(dump_path(int(out)))
        return int(out), parse(data)

    def test_functions_with_code_and_unwinding_information(self):
        pid, (header, records) = self.dump(
            "import os\ndef f(): pass\nf(); print(os.getpid())", "-X", "perf_jit",
            "-X", "jit=0")          # compiled functions have lines, too
        self.assertEqual(header[:3], (0x4A695444, 1, 40))
        self.assertEqual(header[5], pid)
        self.assertEqual([kind for kind, _ in records], [4, 0] * (len(records) // 2))
        self.assertIn("py::f:<string>", code_names(records))
        for (_, info), (_, load) in zip(records[::2], records[1::2]):
            size, header_size, mapped = struct.unpack_from("=QQQ", info)
            self.assertEqual(header_size, 20)
            owner, _, vma, address, code_size, _ = struct.unpack_from("=IIQQQQ", load)
            self.assertEqual(owner, pid)
            name_size = load[40:].index(b"\0") + 1
            self.assertEqual(len(load), 40 + (name_size + 7) // 8 * 8 + code_size)
        addresses = sorted(struct.unpack_from("=Q", load, 16)[0]
                           for _, load in records[1::2])
        for a, b in zip(addresses, addresses[1:]):
            self.assertGreaterEqual(b - a, 16 + size, "unwinding information overlaps")

    def test_names_cannot_forge_what_perf_prints(self):
        pid, (_, records) = self.dump('''if 1:
            import os
            def f(): pass
            f.__code__ = f.__code__.replace(
                co_qualname='x\\n0 fff forged\\x1b[31m\\x85\\u2028\\0end',
                co_filename='a\\nb')
            f()
            print(os.getpid())
            ''', "-X", "perf_jit", "-X", "perf_lines")
        wanted = "py::x?0 fff forged?[31m??????end:a?b"
        self.assertIn(wanted, code_names(records))
        lines, = [records[i - 1][1] for i, (kind, body) in enumerate(records)
                  if kind == 0 and wanted.encode() in body]
        self.assertIn(b"a?b\0", lines)

    def test_switches(self):
        pid, (_, records) = self.dump("""if 1:
            import os, sys
            def f(): pass
            def g(): pass
            sys.activate_stack_trampoline('perf_jit')
            sys.activate_stack_trampoline('perf_jit')
            f()
            try: sys.activate_stack_trampoline('perf')
            except ValueError as e: assert 'perf_jit is active' in str(e), e
            else: assert 0
            sys.deactivate_stack_trampoline()
            g()
            sys.activate_stack_trampoline('perf_jit')
            f()
            sys.deactivate_stack_trampoline()
            print(os.getpid())
            """)
        self.assertEqual(code_names(records).count("py::f:<string>"), 1)
        self.assertNotIn("py::g:<string>", code_names(records))

    def test_a_child_gets_a_dump_of_its_own(self):
        status, out, err, _ = run("""if 1:
            import os
            def inherited(): pass
            def in_child(): pass
            inherited()
            pid = os.fork()
            if pid == 0:
                in_child()
                os._exit(0)
            os.waitpid(pid, 0)
            print(os.getpid(), pid)
            """, "-X", "perf_jit")
        self.assertEqual((status, err), (0, ""))
        parent, child = [int(pid) for pid in out.split()]
        found = {}
        for pid in parent, child:
            with open(dump_path(pid), "rb") as f:
                header, records = parse(f.read())
            os.unlink(dump_path(pid))
            found[pid] = code_names(records)
            self.assertEqual({struct.unpack_from("=I", body)[0]
                              for kind, body in records if kind == 0}, {pid})
        self.assertIn("py::inherited:<string>", found[child])
        self.assertIn("py::in_child:<string>", found[child])
        self.assertNotIn("py::in_child:<string>", found[parent])

    def test_a_symbolic_link_is_refused(self):
        status, out, err, _ = run("""if 1:
            import os, sys
            path = f'/tmp/jit-{os.getpid()}.dump'
            os.symlink('/nowhere', path)
            try: sys.activate_stack_trampoline('perf_jit')
            except OSError as e: print(e.filename == path)
            os.unlink(path)
            """)
        self.assertEqual((out, err), ("True\n", ""))


@unittest.skipIf(perf_refusal(), str(perf_refusal()))
class Unwinding(unittest.TestCase):
    def stacks(self, method, *program):
        """Lists of symbols, of samples taken in a file's functions."""
        with tempfile.TemporaryDirectory() as folder:
            raw, data = os.path.join(folder, "raw"), os.path.join(folder, "data")
            quiet = {"capture_output": True, "stdin": subprocess.DEVNULL,
                     "timeout": 120, "check": True, "cwd": folder, "text": True}
            subprocess.run(["perf", "record", "-F", "499", "-k", "1", "--call-graph",
                            method, "-o", raw, "--", sys.executable, "-X", "perf_jit",
                            *program], **quiet)
            perf = ["perf", "--buildid-dir", folder]
            subprocess.run([*perf, "inject", "--jit", "-i", raw, "-o", data], **quiet)
            text = subprocess.run([*perf, "script", "-i", data, "-F", "pid,ip,sym"],
                                  **quiet).stdout
            remove_traces(raw)
        result = []
        for block in text.split("\n\n"):
            lines = block.strip("\n").split("\n")
            if len(lines) > 1:
                symbols = [line.split(None, 1)[1] for line in lines[1:]
                           if len(line.split(None, 1)) == 2]
                if any(program[0] in symbol for symbol in symbols):
                    result.append(symbols)
        return result

    def check(self, method):
        chains = [chain for stack in self.stacks(method, EXAMPLE, "0.5")
                  if "main" in (chain := python_chain(stack))]
        self.assertGreater(len(chains), 30)
        whole = ["<module>", "main", "baz", "bar", "foo"]
        for chain in chains:
            self.assertEqual(chain, whole[:len(chain)])
        self.assertIn(whole, chains)

    @unittest.skipUnless(*need_frame_pointers())
    def test_by_frame_pointers(self):
        self.check("fp")

    def test_by_dwarf(self):
        self.check("dwarf")

    @unittest.skipIf(need_frame_pointers()[0], "this build has frame pointers")
    def test_without_frame_pointers_dwarf_finds_every_frame(self):
        """Also from the evaluator's last instructions, which are a large part of what a
        sort with a key function takes."""
        program = ("def key(n): return -n\n"
                   "def by_sorted(numbers): return sorted(numbers, key=key)\n"
                   "def recurse(n): return recurse(n - 1) if n else by_sorted(range(400_000))\n"
                   "for i in range(25): recurse(9)\n")
        with tempfile.NamedTemporaryFile("w", suffix=".py") as f:
            f.write(program)
            f.flush()
            # perf copies 8 KB by default: too little for calls by functions that are being
            # recorded for the compiler, each of which takes an evaluator.
            stacks = self.stacks("dwarf,32768", f.name)
        self.assertGreater(len(stacks), 100)
        whole = ["<module>", *["recurse"] * 10, "by_sorted", "key"]
        for stack in stacks:
            self.assertIn("__libc_start_call_main", stack)
            chain = python_chain(stack)
            self.assertEqual(chain, whole[:len(chain)], stack)


if __name__ == "__main__":
    unittest.main()
