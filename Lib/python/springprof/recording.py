"""The file that a recording is kept in: written once, read whole. Its format is described in
Doc/springprof-reference.rst.

In memory and in the file a recording is a few tables. A *frame* is a place in a program: function,
file, line, kind. A *node* is a frame with the node that called it, so a stack is the number of
its innermost node; node 0 is nobody's. A *sample* is a node with a thread, a time and a weight.
Times and weights are nanoseconds.
"""
import array
import json
import math
import os
import struct
import sys
import tempfile
import zlib

from springprof.errors import Problem

MAGIC = b"springpf"
VERSION = 1
HEAD = struct.Struct("<8sII")           # magic, version, number of sections
SECTION = struct.Struct("<4sIQQ")       # name, 0, bytes in the file, bytes unpacked

# Kinds of frames.
PYTHON, COMPILED, INTERPRETER, LIBRARY, KERNEL = range(5)
KINDS = "Python", "compiled Python", "interpreter", "library", "kernel"
PYTHON_KINDS = PYTHON, COMPILED

# A file of more bytes than that is not a recording of ours but a mistake or an attack.
MOST_UNPACKED = 1 << 33
# What one sample can hold. A thread that waits on a machine that stalls has more.
MOST_WEIGHT = 0xffffffff


class Frame:
    __slots__ = "name", "file", "line", "kind", "dso"

    def __init__(self, name, file="", line=0, kind=LIBRARY, dso=""):
        self.name, self.file, self.line, self.kind, self.dso = name, file, line, kind, dso

    @property
    def is_python(self):
        return self.kind in PYTHON_KINDS


class Recording:
    """`meta` is a dict of facts, `threads` a list of {pid, tid, name}, `frames` a list of Frame;
    the rest are columns: parents and node_frames by node, the others by sample, in order of time.
    """

    def __init__(self):
        self.meta = {}
        self.threads = []
        self.frames = []
        self.parents = array.array("I", [0])        # of node 0, which nobody calls
        self.node_frames = array.array("I", [0])
        self.times = array.array("d")
        self.sample_threads = array.array("I")
        self.nodes = array.array("I")
        self.weights = array.array("I")
        self.sources = {}

    def stack(self, node):
        """Frames of a node, innermost first."""
        found = []
        while node:
            found.append(self.frames[self.node_frames[node]])
            node = self.parents[node]
        return found

    @property
    def total(self):
        return sum(self.weights)

    @property
    def effective(self):
        """How many samples of equal weight would tell as much as these do."""
        squares = sum(weight * weight for weight in self.weights)
        return self.total ** 2 / squares if squares else 0


class Builder:
    """Makes a recording from stacks."""

    def __init__(self):
        self.recording = Recording()
        self._frames = {}
        self._children = {}
        self._threads = {}
        self._samples = []

    def frame(self, name, file="", line=0, kind=LIBRARY, dso=""):
        key = name, file, line, kind, dso
        number = self._frames.get(key)
        if number is None:
            number = self._frames[key] = len(self.recording.frames)
            self.recording.frames.append(Frame(*key))
        return number

    def node(self, parent, frame):
        key = parent << 32 | frame
        number = self._children.get(key)
        if number is None:
            number = self._children[key] = len(self.recording.parents)
            self.recording.parents.append(parent)
            self.recording.node_frames.append(frame)
        return number

    def thread(self, pid, tid, name):
        number = self._threads.get((pid, tid))
        if number is None:
            number = self._threads[pid, tid] = len(self.recording.threads)
            self.recording.threads.append({"pid": pid, "tid": tid, "name": name})
        elif self.recording.threads[number]["name"] != name:
            self.recording.threads[number]["name"] = name       # the newest is what it became
        return number

    def sample(self, time, thread, frames, weight):
        """`frames` are numbers, innermost first."""
        node = 0
        for frame in reversed(frames):
            node = self.node(node, frame)
        self.whole_sample(time, thread, node, weight)

    def whole_sample(self, time, thread, node, weight):
        while weight > MOST_WEIGHT:
            self._samples.append((time, thread, node, MOST_WEIGHT))
            weight -= MOST_WEIGHT
        self._samples.append((time, thread, node, weight))

    def _forget_unused_frames(self):
        """Those that were looked up and then taken out of a stack."""
        recording = self.recording
        used = sorted(set(recording.node_frames[1:]))
        numbers = {old: new for new, old in enumerate(used)}
        recording.frames = [recording.frames[old] for old in used]
        recording.node_frames = array.array(
            "I", [0, *(numbers[old] for old in recording.node_frames[1:])])

    def finish(self, **meta):
        self._forget_unused_frames()
        recording = self.recording
        self._samples.sort()
        start = self._samples[0][0] if self._samples else 0
        for time, thread, node, weight in self._samples:
            recording.times.append(time - start)
            recording.sample_threads.append(thread)
            recording.nodes.append(node)
            recording.weights.append(weight)
        recording.meta.update(meta)
        return recording


# The file.

def _columns(*columns):
    swap = sys.byteorder == "big"
    parts = [struct.pack("<II", len(columns[0]), 0)]
    for column in columns:
        if swap:
            column = column[:]
            column.byteswap()
        parts.append(column.tobytes())
    return b"".join(parts)


def _read_columns(data, *typecodes):
    count, _ = struct.unpack_from("<II", data)
    at, columns = 8, []
    for typecode in typecodes:
        column = array.array(typecode)
        size = count * column.itemsize
        if at + size > len(data):
            raise ValueError("a table is too short")
        column.frombytes(data[at:at + size])
        if sys.byteorder == "big":
            column.byteswap()
        columns.append(column)
        at += size
    return columns


def _text(value):
    return json.dumps(value, separators=(",", ":")).encode()


def sections(recording):
    """(name, bytes) of each section."""
    strings = {"": 0}

    def number(text):
        return strings.setdefault(text, len(strings))

    columns = [array.array("I") for _ in range(5)]
    for frame in recording.frames:
        for column, value in zip(columns, (number(frame.name), number(frame.file), frame.line,
                                           frame.kind, number(frame.dso))):
            column.append(value)
    yield b"META", _text(recording.meta)
    yield b"STRS", _text(list(strings))
    yield b"THRD", _text(recording.threads)
    yield b"FRMS", _columns(*columns)
    yield b"NODS", _columns(recording.parents, recording.node_frames)
    yield b"SMPL", _columns(recording.times, recording.sample_threads, recording.nodes,
                            recording.weights)
    yield b"SRCS", _text(recording.sources)


def pack(recording):
    packed = [(name, len(data), zlib.compress(data, 6)) for name, data in sections(recording)]
    parts = [HEAD.pack(MAGIC, VERSION, len(packed))]
    for name, size, data in packed:
        parts += SECTION.pack(name, 0, len(data), size), data
    return b"".join(parts)


def unpack(data):
    """The recording in a file's bytes. ValueError, zlib.error, struct.error... for bad ones."""
    _, _, count = HEAD.unpack_from(data)
    at, found = HEAD.size, {}
    for _ in range(count):
        name, _, stored, size = SECTION.unpack_from(data, at)
        at += SECTION.size
        if at + stored > len(data) or size > MOST_UNPACKED:
            raise ValueError("the file is cut short")
        unpacker = zlib.decompressobj()
        found[name] = unpacker.decompress(data[at:at + stored], size + 1)
        if len(found[name]) != size:
            raise ValueError("a section has another size than it says")
        at += stored
    recording = Recording()
    recording.meta = json.loads(found[b"META"])
    recording.threads = json.loads(found[b"THRD"])
    recording.sources = json.loads(found[b"SRCS"])
    strings = json.loads(found[b"STRS"])
    _check_texts(recording, strings)
    for name, file, line, kind, dso in zip(*_read_columns(found[b"FRMS"], *"IIIII")):
        recording.frames.append(Frame(strings[name], strings[file], line, kind, strings[dso]))
    recording.parents, recording.node_frames = _read_columns(found[b"NODS"], *"II")
    (recording.times, recording.sample_threads, recording.nodes,
     recording.weights) = _read_columns(found[b"SMPL"], *"dIII")
    _check(recording)
    return recording


# Facts of `meta`, if they are there; lists are of texts, numbers are finite and not negative.
META = {"command": list, "notes": list, "mode": str, "event": str, "unit": str, "engine": str,
        "created": float, "seconds": float, "frequency": float, "lost": float}


def _is(value, kind):
    if kind is list:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if kind is float:
        return isinstance(value, (int, float)) and 0 <= value < 1 << 63
    return isinstance(value, kind)


def _check_texts(recording, strings):
    """What has come from JSON is of the kind that it must be."""
    meta, threads, sources = recording.meta, recording.threads, recording.sources
    if (not _is(strings, list) or not _is(meta, dict) or not _is(sources, dict)
            or not _is(list(sources.values()), list) or not isinstance(threads, list)
            or not all(_is(thread, dict) and _is(thread["name"], str)
                       and all(type(thread[key]) is int and 0 <= thread[key] < 1 << 32
                               for key in ("pid", "tid")) for thread in threads)
            or not all(_is(meta[key], kind) for key, kind in META.items() if key in meta)):
        raise ValueError("a text or a fact is of another kind")


def _check(recording):
    """Every number must be one of an entry, and a caller stands before what it calls."""
    nodes, frames = len(recording.parents), len(recording.frames)
    if (not nodes or any(parent >= node for node, parent in enumerate(recording.parents) if node)
            or max(recording.node_frames[1:], default=-1) >= frames
            or max(recording.nodes, default=0) >= nodes
            or max(recording.sample_threads, default=-1) >= len(recording.threads)
            or any(frame.kind >= len(KINDS) for frame in recording.frames)
            or not all(map(math.isfinite, recording.times))):
        raise ValueError("a number points nowhere")


def _new_file(path):
    """(descriptor, name) of a file beside that path."""
    try:
        return tempfile.mkstemp(prefix=".springprof-", dir=os.path.dirname(os.path.abspath(path)))
    except OSError as error:
        raise Problem(f"{path}: can't be written ({error.strerror}); say another place "
                      "with -o") from None


def is_recording(path):
    """Whether a file looks like one. What can't be read may be."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return True


def check_place(path):
    """Before something that takes long: can it be written there?"""
    if os.path.isdir(path):
        raise Problem(f"{path}: is a directory; say the name of a file with -o")
    if os.path.isfile(path) and os.path.getsize(path) and not is_recording(path):
        raise Problem(f"{path}: is there, and is no recording: remove it, or say another name with -o")
    if not os.path.exists(path) or os.path.isfile(path):
        handle, temporary = _new_file(path)
        os.close(handle)
        os.unlink(temporary)


def write(recording, path):
    """Whole or not at all: a reader never finds half a file."""
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as out:           # /dev/stdout, /dev/null, a pipe
            out.write(pack(recording))
        return
    handle, temporary = _new_file(path)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(pack(recording))
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException as error:
        os.unlink(temporary)
        if isinstance(error, OSError):
            raise Problem(f"{path}: can't be written ({error.strerror})") from None
        raise


def read_bytes(path):
    """A recording's bytes, if it is one of a version that we know."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}") from None
    if data[:8] == b"PERFILE2":
        raise Problem(f"{path}: this is perf's own file; `springprof record` writes the files "
                      "that are read here")
    if data[:8] != MAGIC or len(data) < HEAD.size:
        raise Problem(f"{path}: not a recording of springprof")
    _, version, _ = HEAD.unpack_from(data)
    if version != VERSION:
        raise Problem(f"{path}: has version {version} of the format, this springprof reads "
                      f"version {VERSION}")
    return data


def read(path):
    data = read_bytes(path)
    try:
        return unpack(data)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, struct.error, zlib.error,
            RecursionError) as error:
        raise Problem(f"{path}: damaged ({error})") from None
