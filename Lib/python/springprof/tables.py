"""Own and total time of functions and lines.

The own time of a Python function or line includes the C code that runs for it; a C function's is
its own. A function that calls itself counts once for each sample. The page counts in the same way.
"""


# Outermost frames of recordings by --mode gil.
HOLDS, WAITS = "[holds the GIL]", "[waits for the GIL]"


class Row:
    __slots__ = "own", "total"

    def __init__(self):
        self.own = self.total = 0


def function_key(frame):
    return frame.name, frame.file if frame.is_python else frame.dso, frame.is_python


def line_key(frame):
    return frame.file, frame.line


class Tables:
    """`functions`: {(name, file or library, is Python): Row}; `lines`: {(file, line): Row}"""

    def __init__(self, recording, samples=None):
        self.functions, self.lines = {}, {}
        self.total = 0
        weights = {}
        for at in range(len(recording.nodes)) if samples is None else samples:
            node = recording.nodes[at]
            weights[node] = weights.get(node, 0) + recording.weights[at]
        for node, weight in weights.items():
            self.total += weight
            self._add(recording.stack(node), weight)

    def _add(self, stack, weight):
        if not stack:
            return
        functions, lines = set(), set()
        inner = next((frame for frame in stack if frame.is_python), None)
        for frame in stack:
            functions.add(function_key(frame))
            if frame.is_python and frame.line:
                lines.add(line_key(frame))
        for key in functions:
            self.functions.setdefault(key, Row()).total += weight
        for key in lines:
            self.lines.setdefault(key, Row()).total += weight
        if inner is not None:
            self.functions[function_key(inner)].own += weight
            if inner.line:
                self.lines[line_key(inner)].own += weight
        if stack[0] is not inner:
            self.functions[function_key(stack[0])].own += weight


def quantity(weight, meta, separator=""):
    """A weight as text."""
    if meta.get("unit", "ns") == "ns":
        return f"{weight / 1e9:.2f}{separator}s"
    for size, letter in (1e9, "G"), (1e6, "M"), (1e3, "k"):
        if weight >= size:
            return f"{weight / size:.2f}{letter}"
    return str(weight)


def _rows(rows, meta, whole, count, title, label):
    yield f"{'own':>14}{'total':>16}  {title}"
    order = sorted(rows.items(), key=lambda item: (-item[1].own, -item[1].total, item[0]))
    for key, row in order[:count]:
        yield (f"{quantity(row.own, meta):>8} {row.own / whole:6.1%} "
               f"{quantity(row.total, meta):>8} {row.total / whole:6.1%}  {label(key)}")
    if len(order) > count:
        yield f"{'':32}… {len(order) - count} more"


def measure(meta):
    """What a recording's weights are times of, or numbers of."""
    if meta.get("unit", "ns") != "ns":
        return meta["unit"]
    return "of " + {"cpu": "processor time", "gil": "time with the GIL or waiting for it"}.get(
        meta.get("mode"), "time of all threads")


def gil_rows(recording, count):
    """Of a recording by --mode gil: who holds it, and who waits for it. A server may have a thread
    for each request, so those that do neither for long are summed up."""
    threads = {}
    for node, thread, weight in zip(recording.nodes, recording.sample_threads,
                                    recording.weights):
        name = recording.stack(node)[-1].name
        by_name = threads.setdefault(thread, {HOLDS: 0, WAITS: 0})
        by_name[name] = by_name.get(name, 0) + weight
    yield f"{'holds the GIL':>14}{'waits for it':>14}  thread"
    def line(row, what):
        return f"{row[HOLDS] / 1e9:13.2f}s{row[WAITS] / 1e9:13.2f}s  {what}"

    order = sorted(threads.items(), key=lambda item: -(item[1][HOLDS] + item[1][WAITS]))
    for thread, row in sorted(order[:count], key=lambda item: -item[1][HOLDS]):
        facts = recording.threads[thread]
        yield line(row, f"{facts['name']} {facts['pid']}/{facts['tid']}")
    if rest := [row for _, row in order[count:]]:
        yield line({name: sum(row[name] for row in rest) for name in (HOLDS, WAITS)},
                   f"… {len(rest)} more")
    yield ""


def text(recording, count=20):
    """Lines of a report for a terminal."""
    tables = Tables(recording)
    whole = tables.total or 1
    meta = recording.meta
    command = " ".join(os_words(meta.get("command", [])))
    yield f"{command}"
    total = quantity(tables.total, meta, " ")
    yield (f"{len(recording.times)} samples, {total} {measure(meta)} in "
           f"{meta.get('seconds', 0):.2f} s, {len(recording.threads)} thread"
           f"{'s' if len(recording.threads) != 1 else ''}")
    yield ""
    if meta.get("mode") == "gil":
        yield from gil_rows(recording, count)
    python = {key: row for key, row in tables.functions.items() if key[2]}
    native = {key: row for key, row in tables.functions.items() if not key[2]}
    yield from _rows(python, meta, whole, count, "Python function",
                     lambda key: f"{key[0]}  {key[1]}")
    if tables.lines:
        yield ""
        yield from _rows(tables.lines, meta, whole, count, "line",
                         lambda key: f"{key[0]}:{key[1]}")
    yield ""
    yield from _rows(native, meta, whole, count, "C function",
                     lambda key: f"{key[0]}  {key[1]}")


def os_words(command):
    return [word if word.isprintable() and " " not in word else repr(word) for word in command]


