"""Other tools' formats: as they are described, and with the same totals."""
import collections
import gzip
import json
import os
import shutil
import subprocess
import time
import unittest

from springprof import recording
from support import LINES, file, folder, refusal, shares_file, springprof

# The part of google's profile.proto that is used.
PROTO = """\
syntax = "proto3";
message ValueType { int64 type = 1; int64 unit = 2; }
message Label { int64 key = 1; int64 str = 2; int64 num = 3; int64 num_unit = 4; }
message Sample { repeated uint64 location_id = 1; repeated int64 value = 2;
  repeated Label label = 3; }
message Mapping { uint64 id = 1; uint64 memory_start = 2; uint64 memory_limit = 3;
  uint64 file_offset = 4; int64 filename = 5; int64 build_id = 6; bool has_functions = 7;
  bool has_filenames = 8; bool has_line_numbers = 9; bool has_inline_frames = 10; }
message Line { uint64 function_id = 1; int64 line = 2; }
message Location { uint64 id = 1; uint64 mapping_id = 2; uint64 address = 3; repeated Line line = 4;
  bool is_folded = 5; }
message Function { uint64 id = 1; int64 name = 2; int64 system_name = 3; int64 filename = 4;
  int64 start_line = 5; }
message Profile { repeated ValueType sample_type = 1; repeated Sample sample = 2;
  repeated Mapping mapping = 3; repeated Location location = 4; repeated Function function = 5;
  repeated string string_table = 6; int64 drop_frames = 7; int64 keep_frames = 8;
  int64 time_nanos = 9; int64 duration_nanos = 10; ValueType period_type = 11; int64 period = 12;
  repeated int64 comment = 13; int64 default_sample_type = 14; }
"""


def number(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """{field's number: [values]}; a block's value is bytes."""
    found, at = collections.defaultdict(list), 0
    while at < len(data):
        key, at = number(data, at)
        if key & 7 == 2:
            size, at = number(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size
        else:
            assert key & 7 == 0, key
            value, at = number(data, at)
        found[key >> 3].append(value)
    return found


def numbers(data):
    found, at = [], 0
    while at < len(data):
        value, at = number(data, at)
        found.append(value)
    return found


@unittest.skipIf(refusal(), str(refusal()))
class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.path, _, cls.data = shares_file(seconds=0.5)
        cls.recording = recording.read(cls.path)
        cls.total, cls.samples = cls.recording.total, len(cls.recording.times)

    def export(self, name):
        return springprof("export", "--format", name, "-o", "-", self.path, text=False).stdout

    def test_perf_script_has_the_same_total(self):
        out = subprocess.run(["perf", "script", "-i", self.data, "-F", "event,period,pid,time",
                              "--show-task-events"], capture_output=True, text=True,
                             check=True).stdout
        total, started = 0, False
        for line in out.split("\n"):
            started |= "PERF_RECORD_COMM exec" in line
            words = line.split()
            if "counted:" in words and started:
                total += int(words[words.index("counted:") - 1])
        self.assertEqual(total, self.total)

    def test_pprof(self):
        profile = fields(gzip.decompress(self.export("pprof")))
        strings = [text.decode() for text in profile[6]]
        self.assertEqual(strings[0], "")
        units = [[strings[value] for (value,) in (fields(block)[1], fields(block)[2])]
                 for block in profile[1]]
        self.assertEqual(units, [["samples", "count"], ["cpu", "nanoseconds"]])
        functions = {function[1][0]: function for function in map(fields, profile[5])}
        locations = {place[1][0]: place for place in map(fields, profile[4])}
        mappings = {fields(block)[1][0] for block in profile[3]}
        counts = nanoseconds = 0
        lines = collections.Counter()
        for sample in map(fields, profile[2]):
            count, weight = numbers(sample[2][0])
            counts += count
            nanoseconds += weight
            for place in numbers(sample[1][0]) if sample[1] else ():
                self.assertIn(locations[place][2][0], mappings)
                line = fields(locations[place][4][0])
                function = functions[line[1][0]]
                if strings[function[2][0]] == "hot":
                    self.assertEqual(strings[function[4][0]], file("shares.py"))
                    lines[line[2][0]] += weight
        self.assertEqual((counts, nanoseconds), (self.samples, self.total))
        self.assertEqual(max(lines, key=lines.get), LINES["    spin(18000)"])

    @unittest.skipUnless(shutil.which("protoc"), "protoc is not installed")
    def test_protoc_reads_pprof(self):
        folder = os.path.dirname(file("profile.proto", PROTO))
        done = subprocess.run(["protoc", "--decode=Profile", "-I", folder,
                               file("profile.proto")], input=gzip.decompress(self.export("pprof")),
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = done.stdout.decode()
        # A field that google's description doesn't have is printed by its number.
        self.assertNotRegex(text, r"(?m)^ *\d+[: ]")
        weights = []
        for block in text.split("\nsample {")[1:]:
            values = [int(line.split()[1]) for line in block.split("\n")
                      if line.startswith("  value: ")]
            weights.append(values[1])
        self.assertEqual(sum(weights), self.total)

    @unittest.skipUnless(shutil.which("go"), "go is not installed")
    def test_go_tool_pprof(self):
        springprof("export", "-f", "pprof", "-o", file("shares.pb.gz"), self.path)
        out = subprocess.run(["go", "tool", "pprof", "-top", file("shares.pb.gz")],
                             capture_output=True, text=True, check=True).stdout
        self.assertIn("spin", out)

    def test_speedscope(self):
        profile = json.loads(self.export("speedscope"))
        self.assertEqual(profile["$schema"],
                         "https://www.speedscope.app/file-format-schema.json")
        frames = profile["shared"]["frames"]
        for frame in frames:
            self.assertLessEqual(frame.keys(), {"name", "file", "line", "col"})
            self.assertIsInstance(frame["name"], str)
        total = samples = 0
        for one in profile["profiles"]:
            self.assertEqual(one.keys(), {"type", "name", "unit", "startValue", "endValue",
                                          "samples", "weights"})
            self.assertEqual((one["type"], one["unit"]), ("sampled", "nanoseconds"))
            self.assertEqual(len(one["samples"]), len(one["weights"]))
            self.assertEqual(one["endValue"] - one["startValue"], sum(one["weights"]))
            self.assertTrue(all(0 <= frame < len(frames) for stack in one["samples"]
                                for frame in stack))
            total += sum(one["weights"])
            samples += len(one["samples"])
        self.assertEqual((total, samples), (self.total, self.samples))
        self.assertLess(profile["activeProfileIndex"], len(profile["profiles"]))
        hot = [frame for frame in frames if frame["name"] == "hot"]
        self.assertIn({"name": "hot", "file": file("shares.py"),
                       "line": LINES["    spin(18000)"]}, hot)
        # Outermost first. (The longest of all may be one that a library without frame pointers cut.)
        stack = max((stack for stack in profile["profiles"][0]["samples"]
                     if any(frames[frame]["name"] == "hot" for frame in stack)), key=len)
        self.assertIn(frames[stack[0]]["name"], ("__libc_start_call_main", "_start"))

    def test_collapsed(self):
        lines = self.export("collapsed").decode().splitlines()
        self.assertEqual(sum(int(line.rpartition(" ")[2]) for line in lines), self.total)
        place = f"hot ({file('shares.py')}:{LINES['    spin(18000)']});"
        self.assertTrue(any(place in line for line in lines))

    def check_facts(self, thread):
        """What the profiler's description of a thread and its tables demands."""
        number, text = (int, float), str
        for name, kind in (("name", text), ("processType", text), ("pid", text), ("tid", int),
                           ("isMainThread", bool), ("registerTime", number),
                           ("pausedRanges", list)):
            self.assertIsInstance(thread[name], kind, name)
        for table, columns in {
                "samples": "stack time weight", "stackTable": "frame prefix",
                "frameTable": "address inlineDepth category subcategory func nativeSymbol "
                              "innerWindowID line column",
                "funcTable": "name isJS relevantForJS resource fileName lineNumber columnNumber",
                "resourceTable": "lib name host type",
                "markers": "data name startTime endTime phase category",
                "nativeSymbols": "libIndex address name functionSize"}.items():
            self.assertLessEqual(set(columns.split()), thread[table].keys(), table)
        self.assertEqual(thread["samples"]["weightType"], "tracing-ms")
        frames = thread["frameTable"]
        for category, subcategory in zip(frames["category"], frames["subcategory"]):
            self.assertEqual(category is None, subcategory is None)

    def test_firefox(self):
        profile = json.loads(self.export("firefox"))
        categories = profile["meta"]["categories"]
        total = samples = 0
        for thread in profile["threads"]:
            strings, tables = thread["stringArray"], {}
            for name in ("samples", "stackTable", "frameTable", "funcTable", "resourceTable",
                         "nativeSymbols", "markers"):
                table = thread[name]
                for column, values in table.items():
                    if isinstance(values, list):
                        self.assertEqual(len(values), table["length"], (name, column))
                tables[name] = table
            frames, functions, stacks = (tables[name] for name in ("frameTable", "funcTable",
                                                                   "stackTable"))
            for at, (frame, prefix, category) in enumerate(zip(
                    stacks["frame"], stacks["prefix"], stacks["category"])):
                self.assertTrue(prefix is None or prefix < at)
                self.assertLess(frame, frames["length"])
                self.assertLess(category, len(categories))
            self.assertTrue(all(function < functions["length"] for function in frames["func"]))
            self.assertTrue(all(name < len(strings) for name in functions["name"]))
            times = thread["samples"]["time"]
            self.assertEqual(times, sorted(times))
            self.assertTrue(all(stack is None or stack < stacks["length"]
                                for stack in thread["samples"]["stack"]))
            total += sum(thread["samples"]["weight"])
            samples += thread["samples"]["length"]
            resources = tables["resourceTable"]
            self.assertTrue(all(resource == -1 or resource < resources["length"]
                                for resource in functions["resource"]))
            for kind, lib, name in zip(resources["type"], resources["lib"], resources["name"]):
                self.assertEqual((kind == 1), lib is not None)
                self.assertEqual(lib is None or profile["libs"][lib]["name"] == strings[name],
                                 True)
            self.assertEqual(sum(thread["samples"]["threadCPUDelta"]),
                             round(sum(thread["samples"]["weight"]) * 1e6))
            self.check_facts(thread)
        self.assertEqual(len([thread for thread in profile["threads"]
                              if thread["isMainThread"]]), 1)
        self.assertEqual(profile["meta"]["preprocessedProfileVersion"], 48)
        self.assertEqual(profile["meta"]["sampleUnits"]["threadCPUDelta"], "ns")
        self.assertEqual(samples, self.samples)
        self.assertAlmostEqual(total * 1e6, self.total, delta=1)

    @unittest.skipUnless(shutil.which("profiler-cli"),
                         "profiler-cli is not installed (npm install -g "
                         "@firefox-devtools/profiler-cli)")
    def test_firefoxs_own_loader(self):
        """It is the page's code, with a command line instead of pictures."""
        path = file("shares.firefox.json")
        with open(path, "wb") as out:
            out.write(self.export("firefox"))
        env = {**os.environ, "HOME": folder()}

        def ask(*arguments):
            return subprocess.run(["profiler-cli", *arguments], env=env, capture_output=True,
                                  text=True, timeout=100)

        ask("load", path)
        self.addCleanup(ask, "stop", "--all")
        end = time.monotonic() + 60         # it starts in the background
        while (listed := ask("thread", "list", "--json")).returncode:
            self.assertLess(time.monotonic(), end, listed.stderr)
            time.sleep(0.2)
        threads = json.loads(listed.stdout)["threads"]
        self.assertEqual(len(threads), 2)
        total = cpu = 0
        for thread in threads:
            found = json.loads(ask("thread", "functions", "--include-idle", "--json", "--thread",
                                   thread["threadHandle"]).stdout)
            self.assertEqual(found["weightType"], "tracing-ms")
            by_name = {entry["name"]: entry for entry in found["functions"]}
            self.assertGreater(by_name["spin"]["totalPercentage"], 50)
            total += sum(entry["selfSamples"] for entry in found["functions"])
            cpu += thread["cpuMs"]
        self.assertAlmostEqual(total * 1e6, self.total, delta=10)
        self.assertAlmostEqual(cpu * 1e6, self.total, delta=0.01 * self.total)


if __name__ == "__main__":
    unittest.main()
