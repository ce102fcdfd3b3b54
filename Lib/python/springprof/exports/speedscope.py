"""speedscope's file format (https://www.speedscope.app/file-format-schema.json): a sampled profile
for each thread."""
import json

SUFFIX = ".speedscope.json"


def make(recording):
    stacks = {}

    def stack(node):
        if node not in stacks:
            found, at = [], node
            while at:
                found.append(recording.node_frames[at])
                at = recording.parents[at]
            stacks[node] = found[::-1]
        return stacks[node]

    unit = "nanoseconds" if recording.meta.get("unit", "ns") == "ns" else "none"
    profiles = [{"type": "sampled", "name": f"{thread['name']} ({thread['pid']}/{thread['tid']})",
                 "unit": unit, "startValue": 0, "endValue": 0, "samples": [],
                 "weights": []} for thread in recording.threads]
    for thread, node, weight in zip(recording.sample_threads, recording.nodes, recording.weights):
        profile = profiles[thread]
        profile["samples"].append(stack(node))
        profile["weights"].append(weight)
        profile["endValue"] += weight
    frames = []
    for frame in recording.frames:
        entry = {"name": frame.name}
        if frame.file or frame.dso:
            entry["file"] = frame.file or frame.dso
        if frame.line:
            entry["line"] = frame.line
        frames.append(entry)
    profiles.sort(key=lambda profile: -profile["endValue"])
    return json.dumps({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": "springprof",
        "name": " ".join(recording.meta.get("command", [])) or "springprof",
        "activeProfileIndex": 0, "shared": {"frames": frames}, "profiles": profiles,
    }, separators=(",", ":")).encode()
