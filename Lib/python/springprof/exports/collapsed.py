"""Collapsed stacks, for flamegraph.pl and its relatives: `outer;inner nanoseconds`, a line for each
stack. Python frames have their place: `function (file.py:42)`."""
import re

SUFFIX = ".collapsed.txt"


def label(frame):
    text = frame.name
    if frame.is_python:
        text += f" ({frame.file}:{frame.line})" if frame.line else f" ({frame.file})"
    # A semicolon separates frames, and a line ends the stack.
    return re.sub(r"[;\n\r]", ":", text)


def make(recording):
    weights = {}
    for node, weight in zip(recording.nodes, recording.weights):
        weights[node] = weights.get(node, 0) + weight
    labels = [label(frame) for frame in recording.frames]
    lines = []
    for node, weight in sorted(weights.items()):
        stack = []
        while node:
            stack.append(labels[recording.node_frames[node]])
            node = recording.parents[node]
        lines.append(f"{';'.join(reversed(stack)) or '[no stack]'} {weight}\n")
    return "".join(lines).encode(errors="replace")
