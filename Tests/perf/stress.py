"""Eight threads define, call and drop functions, switch the showing of frames on and off
in all its forms, and fork; then every map is checked.

usage: stress.py [SECONDS]       run by the python that is tested; 0: no fault found

A map has whole lines only, each address lies in executable memory, no range has two
names, and what was called while frames were shown is in it.
"""
import os
import random
import re
import signal
import sys
import threading
import time

LINE = re.compile(r"([0-9a-f]+) ([0-9a-f]+) (\S.*)")
MODES = [("perf", False), ("perf", True), ("perf_jit", False), ("perf_jit", True),
         ("perf_gdb", True)]
faults, counts = [], {"functions": 0, "switches": 0, "forks": 0}
stop = threading.Event()
switching = threading.Lock()


def executable_ranges():
    with open("/proc/self/maps") as f:
        ranges = [line.split()[:2] for line in f]
    return [tuple(int(part, 16) for part in where.split("-"))
            for where, access in ranges if "x" in access]


def check_map(wanted=()):
    """What is wrong with this process's map."""
    path = f"/tmp/perf-{os.getpid()}.map"
    with open(path, newline="\n", errors="surrogateescape") as f:
        text = f.read()
    if text and not text.endswith("\n"):
        return f"{path} ends within a line"
    allowed, seen, entries = executable_ranges(), set(), []
    for line in text.split("\n")[:-1]:
        match = LINE.fullmatch(line)
        if match is None:
            return f"torn line {line!r}"
        start, size, name = int(match[1], 16), int(match[2], 16), match[3]
        if not any(low <= start and start + size <= high for low, high in allowed):
            return f"not executable: {line}"
        if not name.startswith("[unused]"):
            entries.append((start, size, name))
            seen.add(name)
    entries.sort()
    for (start, size, name), (next_start, _, next_name) in zip(entries, entries[1:]):
        if start + size > next_start:
            return f"{name} and {next_name} overlap"
    lost = [name for name in wanted if name not in seen]
    return f"{len(lost)} lost, as {lost[0]}" if lost else None


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
        sys.activate_stack_trampoline("perf")
        for i in range(20):
            use(*make_function(f"child_{i}"), 3)
        wrong = check_map([f"py::child_{i}:<string>" for i in range(20)])
        sys.deactivate_stack_trampoline()
        if wrong is None:
            status = 0
        else:
            os.write(2, f"in a child: {wrong}\n".encode())
        for name in f"/tmp/perf-{os.getpid()}.map", f"/tmp/jit-{os.getpid()}.dump":
            if os.path.exists(name):
                os.unlink(name)
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
                pid = os.fork()
                if pid == 0:
                    in_child()
                if os.waitpid(pid, 0)[1]:
                    faults.append(f"child {pid} failed")
    except BaseException as e:
        faults.append(f"thread {number}: {e!r}")
        raise


def main(seconds):
    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for t in threads:
        t.start()
    time.sleep(seconds)
    stop.set()
    for t in threads:
        t.join()
    sys.deactivate_stack_trampoline()
    sys.activate_stack_trampoline("perf")
    for i in range(500):
        use(*make_function(f"last_{i}"), 2)
    wrong = check_map([f"py::last_{i}{kind}:<string>" for i in range(500)
                       for kind in ("", "_gen", "_fail")])
    sys.deactivate_stack_trampoline()
    wrong = wrong or check_map()
    faults.extend([wrong] if wrong else [])
    for name in f"/tmp/perf-{os.getpid()}.map", f"/tmp/jit-{os.getpid()}.dump":
        if os.path.exists(name):
            os.unlink(name)
    print(counts, *faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 60))
