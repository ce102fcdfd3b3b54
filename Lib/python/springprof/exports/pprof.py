"""pprof's format: google's profile.proto, compressed. A message is a sequence of fields, each
with its number, a kind, and a value; see "Protocol Buffers: encoding"."""
import gzip

SUFFIX = ".pb.gz"

# Of profile.proto.
PROFILE = dict(sample_type=1, sample=2, mapping=3, location=4, function=5, string_table=6,
               time_nanos=9, duration_nanos=10, period_type=11, period=12, default_sample_type=14)


def number(value):
    value &= (1 << 64) - 1
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def integer(field, value):
    return number(field << 3) + number(value) if value else b""


def block(field, data):
    return number(field << 3 | 2) + number(len(data)) + data


def packed(field, values):
    return block(field, b"".join(map(number, values)))


class Strings:
    def __init__(self):
        self.numbers = {"": 0}

    def __call__(self, text):
        return self.numbers.setdefault(text, len(self.numbers))


def make(recording):
    text = Strings()

    meta = recording.meta
    is_time = meta.get("unit", "ns") == "ns"
    mode = meta.get("mode", "cpu")
    what = (mode, "nanoseconds") if is_time else (meta["unit"], "count")

    def value_type(field, kind, unit):
        return block(field, integer(1, text(kind)) + integer(2, text(unit)))

    parts = [value_type(PROFILE["sample_type"], "samples", "count"),
             value_type(PROFILE["sample_type"], *what)]
    counts = {}
    for key, weight in zip(zip(recording.sample_threads, recording.nodes), recording.weights):
        count = counts.setdefault(key, [0, 0])
        count[0] += 1
        count[1] += weight
    for (thread, node), values in sorted(counts.items()):
        stack = []
        while node:
            stack.append(recording.node_frames[node] + 1)
            node = recording.parents[node]
        who = recording.threads[thread]
        labels = (block(3, integer(1, text("thread")) + integer(2, text(who["name"])))
                  + block(3, integer(1, text("tid")) + integer(3, who["tid"]))
                  + block(3, integer(1, text("pid")) + integer(3, who["pid"])))
        parts.append(block(PROFILE["sample"], packed(1, stack) + packed(2, values) + labels))
    functions, mappings = {}, {}
    for at, frame in enumerate(recording.frames):
        key = frame.name, frame.file or frame.dso
        function = functions.setdefault(key, len(functions) + 1)
        # Python's places share one mapping without addresses.
        mapping = mappings.setdefault(
            frame.dso or ("[python]" if frame.is_python else "[kernel]"), len(mappings) + 1)
        line = block(4, integer(1, function) + integer(2, frame.line))
        parts.append(block(PROFILE["location"], integer(1, at + 1) + integer(2, mapping) + line))
    for (name, file), function in functions.items():
        parts.append(block(PROFILE["function"], integer(1, function) + integer(2, text(name))
                           + integer(3, text(name)) + integer(4, text(file))))
    for file, mapping in mappings.items():
        parts.append(block(PROFILE["mapping"], integer(1, mapping) + integer(5, text(file))
                           + integer(7, 1) + integer(8, 1)
                           + integer(9, int(bool(recording.meta.get("lines"))))))
    parts.append(integer(PROFILE["time_nanos"], int(meta.get("created", 0) * 1e9)))
    parts.append(integer(PROFILE["duration_nanos"], int(meta.get("seconds", 0) * 1e9)))
    parts.append(value_type(PROFILE["period_type"], *what))
    if meta.get("frequency") and is_time:
        parts.append(integer(PROFILE["period"], round(1e9 / meta["frequency"])))
    parts.append(integer(PROFILE["default_sample_type"], text(what[0])))
    parts += [block(PROFILE["string_table"], string.encode(errors="replace"))
              for string in text.numbers]
    return gzip.compress(b"".join(parts), 6, mtime=0)
