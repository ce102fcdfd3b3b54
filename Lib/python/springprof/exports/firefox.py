"""The processed format of the Firefox Profiler (https://profiler.firefox.com), which describes it
in docs-developer/processed-profile-format.md. It brings profiles of older versions up to date."""
import json
import os

from springprof.recording import COMPILED, INTERPRETER, KERNEL, KINDS, LIBRARY, PYTHON

SUFFIX = ".firefox.json"

VERSION = 48            # of the processed format: whether a thread is the main one is told, and
                        # numbers of processes are text
GECKO_VERSION = 29      # the format of Firefox's own that belongs to it
LIBRARY_RESOURCE, NO_RESOURCE_TYPE = 1, 0
COLORS = {PYTHON: "yellow", COMPILED: "green", INTERPRETER: "blue", LIBRARY: "purple",
          KERNEL: "red"}


class Table:
    """Columns of one length."""

    def __init__(self, *names):
        self.columns = {name: [] for name in names}
        self.length = 0

    def add(self, **values):
        for name, column in self.columns.items():
            column.append(values.get(name))
        self.length += 1
        return self.length - 1

    def json(self):
        return {**self.columns, "length": self.length}


class Thread:
    """A thread has tables of its own, with what its samples need."""

    def __init__(self, recording, facts, libraries):
        self.recording, self.facts, self.libraries = recording, facts, libraries
        self.strings, self.frames, self.functions, self.nodes = {}, {}, {}, {0: None}
        self.counts_time = recording.meta.get("unit", "ns") == "ns"
        self.counts_processor_time = self.counts_time and recording.meta.get("mode") == "cpu"
        self.samples = Table("stack", "time", "weight",
                             *(["threadCPUDelta"] if self.counts_processor_time else []))
        self.stack_table = Table("frame", "prefix", "category", "subcategory")
        self.frame_table = Table("address", "inlineDepth", "category", "subcategory", "func",
                                 "nativeSymbol", "innerWindowID", "implementation", "line",
                                 "column")
        self.func_table = Table("name", "isJS", "relevantForJS", "resource", "fileName",
                                "lineNumber", "columnNumber")
        self.resource_table = Table("lib", "name", "host", "type")
        self.resources = {}

    def string(self, text):
        return self.strings.setdefault(text, len(self.strings))

    def library(self, file):
        """Its place in the list of all threads; None for what is no file: [vdso], the GIL."""
        if not os.path.isabs(file):
            return None
        return self.libraries.setdefault(file, len(self.libraries))

    def resource(self, file):
        if not file:
            return -1
        if file not in self.resources:
            self.resources[file] = self.resource_table.add(
                lib=self.library(file), name=self.string(os.path.basename(file)), host=None,
                type=LIBRARY_RESOURCE if os.path.isabs(file) else NO_RESOURCE_TYPE)
        return self.resources[file]

    def function(self, frame):
        key = frame.name, frame.file, frame.dso
        if key not in self.functions:
            self.functions[key] = self.func_table.add(
                name=self.string(frame.name), isJS=False, relevantForJS=False,
                resource=self.resource(frame.dso), lineNumber=None, columnNumber=None,
                fileName=self.string(frame.file) if frame.file else None)
        return self.functions[key]

    def frame(self, number):
        if number not in self.frames:
            frame = self.recording.frames[number]
            self.frames[number] = self.frame_table.add(
                address=-1, inlineDepth=0, category=frame.kind, subcategory=0,
                func=self.function(frame), line=frame.line or None, innerWindowID=0)
        return self.frames[number]

    def stack(self, node):
        missing, at = [], node
        while at not in self.nodes:
            missing.append(at)
            at = self.recording.parents[at]
        for at in reversed(missing):
            number = self.recording.node_frames[at]
            self.nodes[at] = self.stack_table.add(
                frame=self.frame(number), prefix=self.nodes[self.recording.parents[at]],
                category=self.recording.frames[number].kind, subcategory=0)
        return self.nodes[node]

    def json(self, main):
        facts = self.facts
        return {
            "processType": "default", "processStartupTime": 0, "processShutdownTime": None,
            "registerTime": 0, "unregisterTime": None, "pausedRanges": [],
            "name": facts["name"], "isMainThread": main, "processName": facts["name"],
            "pid": str(facts["pid"]), "tid": facts["tid"],
            "samples": {**self.samples.json(),
                        "weightType": "tracing-ms" if self.counts_time else "samples"},
            "markers": {"data": [], "name": [], "startTime": [], "endTime": [], "phase": [],
                        "category": [], "length": 0},
            "stackTable": self.stack_table.json(), "frameTable": self.frame_table.json(),
            "funcTable": self.func_table.json(), "resourceTable": self.resource_table.json(),
            "nativeSymbols": {"libIndex": [], "address": [], "name": [], "functionSize": [],
                              "length": 0},
            "stringArray": list(self.strings),
        }


def library(path):
    name = os.path.basename(path)
    return {"arch": "", "name": name, "path": path, "debugName": name, "debugPath": path,
            "breakpadId": "", "codeId": None}


def make(recording):
    libraries = {}
    threads = [Thread(recording, facts, libraries) for facts in recording.threads]
    for time, number, node, weight in zip(recording.times, recording.sample_threads,
                                          recording.nodes, recording.weights):
        thread = threads[number]
        thread.samples.add(stack=thread.stack(node), time=time / 1e6, threadCPUDelta=weight,
                           weight=weight / 1e6 if thread.counts_time else weight)
    meta = recording.meta
    profile = {
        "meta": {
            "interval": 1000 / (meta.get("frequency") or 1000),
            "startTime": meta.get("created", 0) * 1000, "processType": 0,
            "product": os.path.basename(" ".join(meta.get("command", [])[:1])) or "python",
            "stackwalk": 1, "version": GECKO_VERSION, "preprocessedProfileVersion": VERSION,
            "categories": [{"name": name, "color": COLORS[kind], "subcategories": ["Other"]}
                           for kind, name in enumerate(KINDS)],
            "sampleUnits": {"time": "ms", "eventDelay": "ms", "threadCPUDelta": "ns"},
            "markerSchema": [], "debug": False, "symbolicated": True, "toolkit": "",
            "importedFrom": "springprof",
        },
        "libs": [library(path) for path in libraries], "pages": [], "counters": [],
        "profilerOverhead": [],
        "threads": [thread.json(thread.facts["pid"] == thread.facts["tid"])
                    for thread in threads if thread.samples.length],
    }
    return json.dumps(profile, separators=(",", ":")).encode()
