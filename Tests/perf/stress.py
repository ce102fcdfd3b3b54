"""Eight threads define, call and drop functions, switch perf support on and off
in all its forms, and fork; then every file is checked.

usage: stress.py [SECONDS]       run by the python that is tested; 0: no fault found

A map has complete lines only, even while it is being written, and a dump complete records. Each
address lies in executable memory, no range has two names, and every function that was called
while support was on is there. The same is checked for the entries that a debugger gets.
"""
import ctypes
import itertools
import os
import random
import re
import signal
import struct
import sys
import threading
import time

from test_jitdump import dump_path, parse

MAP_LINE = re.compile(r"([0-9a-f]+) ([0-9a-f]+) (\S.*)")
MODES = [("perf", False), ("perf", True), ("perf_jit", False), ("perf_jit", True),
         ("perf_gdb", True)]
faults, counts = [], {"functions": 0, "switches": 0, "forks": 0, "looks at the map": 0}
stop = threading.Event()
persist_after_fork = ctypes.pythonapi.PyUnstable_PerfTrampoline_SetPersistAfterFork


class Fault(Exception):
    pass


# Each gives (address, size, name) of what a backend has been told.

def map_entries():
    path = f"/tmp/perf-{os.getpid()}.map"
    with open(path, newline="\n", errors="surrogateescape") as f:
        text = f.read()
    if text and not text.endswith("\n"):
        raise Fault(f"{path} ends within a line")
    for line in text.split("\n")[:-1]:
        match = MAP_LINE.fullmatch(line)
        if match is None:
            raise Fault(f"torn line {line!r}")
        if not match[3].startswith("[unused]"):
            yield int(match[1], 16), int(match[2], 16), match[3]


def dump_entries():
    with open(dump_path(os.getpid()), "rb") as f:
        _, records = parse(f.read())
    for kind, body in records:
        if kind == 0:
            owner, _, _, address, size, _ = struct.unpack_from("=IIQQQQ", body)
            if owner != os.getpid():
                raise Fault(f"a record of process {owner}")
            yield address, size, body[40:body.index(0, 40)].decode()


# As gdb knows them. Addresses, and no POINTER(): that would be the field itself, which
# changes when what walks the list is made known in its turn.

class JitEntry(ctypes.Structure):
    _fields_ = [("next", ctypes.c_void_p), ("previous", ctypes.c_void_p),
                ("image", ctypes.c_void_p), ("size", ctypes.c_uint64)]


class JitDescriptor(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("action", ctypes.c_uint32),
                ("relevant", ctypes.c_void_p), ("first", ctypes.c_void_p)]


def walk_list():
    address = JitDescriptor.in_dll(ctypes.pythonapi, "__jit_debug_descriptor").first
    addresses, images = [], []
    while address and address not in addresses:
        entry = JitEntry.from_address(address)
        addresses.append(address)
        images.append(ctypes.string_at(entry.image, entry.size))
        address = entry.next
    return addresses, images


def gdb_entries():
    # What is compiled meanwhile changes the list: only one that is the same twice counts.
    addresses, images = walk_list()
    while (again := walk_list())[0] != addresses:
        addresses, images = again
    for image in images:
        if image[:4] != b"\x7fELF":
            raise Fault("an image is not ELF")
        sections, = struct.unpack_from("=Q", image, 40)
        size, count = struct.unpack_from("=HH", image, 58)
        headers = [struct.unpack_from("=IIQQQQIIQQ", image, sections + i * size)
                   for i in range(count)]
        symbols, = [header for header in headers if header[1] == 2]
        strings = headers[symbols[6]][4]
        for at in range(symbols[4] + 24, symbols[4] + symbols[5], 24):
            name, _, _, _, start, length = struct.unpack_from("=IBBHQQ", image, at)
            name += strings
            yield start, length, image[name:image.index(0, name)].decode()


ENTRIES = {"perf": map_entries, "perf_jit": dump_entries, "perf_gdb": gdb_entries}


def executable_ranges():
    """Mappings that touch are one."""
    with open("/proc/self/maps") as f:
        mappings = [line.split()[:2] for line in f]
    ranges = []
    for where, access in mappings:
        low, high = (int(part, 16) for part in where.split("-"))
        if "x" not in access:
            continue
        if ranges and ranges[-1][1] == low:
            low = ranges.pop()[0]
        ranges.append((low, high))
    return ranges


def check(backend, wanted=()):
    """Raises Fault for what is wrong with what a backend has been told."""
    entries = sorted(ENTRIES[backend]())
    allowed = executable_ranges()
    for start, size, name in entries:
        if not any(low <= start and start + size <= high for low, high in allowed):
            raise Fault(f"{backend}: {name} at {start:x} is not executable")
    for (start, size, name), (next_start, _, next_name) in itertools.pairwise(entries):
        if start + size > next_start:
            raise Fault(f"{backend}: {name} and {next_name} overlap")
    seen = {re.sub(r":\d+$", "", name) for _, _, name in entries}
    lost = [name for name in wanted if name not in seen]
    if lost:
        raise Fault(f"{backend}: {len(lost)} lost, as {lost[0]}")


def try_mode(backend, lines, prefix, count):
    """Calls functions with frames shown in a mode, by one thread alone."""
    sys.activate_stack_trampoline(backend, lines=lines)
    prefix += f"_{backend}_{lines:d}_"
    for i in range(count):
        use(*make_function(f"{prefix}{i}"), 2)
    check(backend, [f"py::{prefix}{i}{kind}:<string>" for i in range(count)
                    for kind in ("", "_gen", "_fail")])
    sys.deactivate_stack_trampoline()
    check(backend)


def remove_files():
    for name in f"/tmp/perf-{os.getpid()}.map", dump_path(os.getpid()):
        if os.path.exists(name):
            os.unlink(name)


def make_function(name):
    space = {}
    exec(f"""def {name}(n):
        if n > 0:
            return {name}(n - 1)
        return sum(x for x in [n, 1, 2]) + len(sorted([2, 1], key=lambda v: -v))
def {name}_gen(n):
    for i in range(n):
        try:
            yield i
        finally:
            pass
def {name}_fail(n):
    if n == 0: raise KeyError(n)
    {name}_fail(n - 1)
""", space)
    return space[name], space[name + "_gen"], space[name + "_fail"]


def use(function, gen, fail, depth):
    assert function(depth) == 5
    assert list(gen(4)) == [0, 1, 2, 3]
    suspended = gen(2)
    next(suspended)
    try:
        fail(depth)
    except KeyError:
        pass
    return suspended


def switch():
    """On in some mode, or off. Another thread may be faster: that is an error of
    the caller's, and says so."""
    counts["switches"] += 1
    if random.random() < 0.4:
        sys.deactivate_stack_trampoline()
        return
    backend, lines = random.choice(MODES)
    try:
        sys.activate_stack_trampoline(backend, lines=lines)
    except ValueError as e:
        assert "is active" in str(e), e


def in_child():
    signal.alarm(120)
    status = 1
    try:
        sys.deactivate_stack_trampoline()
        for backend, lines in random.sample(MODES, 2):
            try_mode(backend, lines, "child", 20)
        remove_files()
        status = 0
    except BaseException as e:
        os.write(2, f"in a child: {e!r}\n".encode())
    finally:
        os._exit(status)


def work(number):
    generator = random.Random(number)
    kept, i = [], 0
    try:
        while not stop.is_set():
            i += 1
            functions = make_function(f"thread_{number}_{i}")
            kept.append(use(*functions, generator.choice((0, 3, 40))))
            counts["functions"] += 3
            if len(kept) > 20:
                del kept[generator.randrange(20)]
            if generator.random() < 0.2:
                switch()
            if generator.random() < 0.01:
                counts["forks"] += 1
                persist_after_fork(generator.randrange(2))
                pid = os.fork()
                if pid == 0:
                    in_child()
                if os.waitpid(pid, 0)[1]:
                    faults.append(f"child {pid} failed")
    except BaseException as e:
        faults.append(f"thread {number}: {e!r}")
        raise


def look():
    """Reads the map while others write it."""
    while not stop.wait(0.2):
        try:
            check("perf")
            counts["looks at the map"] += 1
        except FileNotFoundError:
            pass                    # nobody has asked for it yet
        except Fault as e:
            faults.append(str(e))


def main(seconds):
    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    threads.append(threading.Thread(target=look))
    for t in threads:
        t.start()
    time.sleep(seconds)
    stop.set()
    for t in threads:
        t.join()
    sys.deactivate_stack_trampoline()
    for backend, lines in MODES:
        try:
            try_mode(backend, lines, "last", 300)
        except Fault as e:
            faults.append(str(e))
            sys.deactivate_stack_trampoline()
    remove_files()
    print(counts, *faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 60))
