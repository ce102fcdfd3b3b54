"""Two recordings in one, for a page that compares them.

Frames and stacks are those of both; the threads say which side a sample is from. What is in
another folder, but has the name of a file of the other side, is taken for the same file: versions
of a program often lie side by side. So are the files that the programs were started with.
"""
import os

from springprof.errors import Problem
from springprof.recording import Builder

MUST_AGREE = {"mode": "what was measured", "event": "perf's event", "kernel": "the kernel's frames",
              "lines": "lines", "unit": "the unit"}


def check(a, b, names):
    for key, what in MUST_AGREE.items():
        left, right = a.meta.get(key), b.meta.get(key)
        if left != right:
            raise Problem(f"{names[0]} and {names[1]} were recorded differently ({what}: {left} "
                          f"and {right}); record both in the same way")
    for recording, name in zip((a, b), names):
        if not recording.total:
            raise Problem(f"{name}: has no samples to compare")


def script(recording):
    """The file that the program was started with, as frames have it."""
    files = {frame.file for frame in recording.frames if frame.name == "<module>"}
    for word in recording.meta.get("command", [])[1:]:
        for path in files:
            if os.path.isabs(path) and path.endswith(os.sep + os.path.basename(word)):
                return path
    return None


def same_files(a, b):
    """{file of a: file of b} for files that have moved."""
    def by_name(recording):
        found = {}
        for frame in recording.frames:
            for path in filter(None, (frame.file, frame.dso)):
                found.setdefault(os.path.basename(path), set()).add(path)
        return found

    moved, others = {}, by_name(b)
    for name, paths in by_name(a).items():
        there = others.get(name, set())
        left, right = paths - there, there - paths
        if len(left) == 1 and len(right) == 1:
            moved[left.pop()] = right.pop()
    scripts = script(a), script(b)
    if all(scripts) and scripts[0] != scripts[1]:
        moved[scripts[0]] = scripts[1]
    return moved


def merge(a, b, names):
    check(a, b, names)
    moved = same_files(a, b)
    builder = Builder()
    for side, recording in enumerate((a, b)):
        numbers = [builder.frame(frame.name, moved.get(frame.file, frame.file), frame.line,
                                 frame.kind, moved.get(frame.dso, frame.dso))
                   for frame in recording.frames]
        nodes = [0] * len(recording.parents)
        for node in range(1, len(nodes)):
            nodes[node] = builder.node(nodes[recording.parents[node]],
                                       numbers[recording.node_frames[node]])
        first = len(builder.recording.threads)
        for thread in recording.threads:
            builder.recording.threads.append({**thread, "side": side})
        for time, thread, node, weight in zip(recording.times, recording.sample_threads,
                                              recording.nodes, recording.weights):
            builder.whole_sample(time, first + thread, nodes[node], weight)
    result = builder.finish(**{**b.meta, "diff": list(names)})
    result.sources = b.sources
    return result


def shares(recording, tables):
    """{function: (own, total) as parts of the whole}"""
    whole = tables.total or 1
    return {key: (row.own / whole, row.total / whole) for key, row in tables.functions.items()}
