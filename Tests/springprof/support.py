"""What the tests of this folder share: programs with known shares, and one recording of each."""
import atexit
import functools
import math
import os
import shutil
import subprocess
import sys
import tempfile

from springprof import machine, recording

# hot() spends its time in three lines as 1 : 3 : 6, and in a function that C calls back.
SHARES = """\
import sys, threading, time

def spin(n):
    for i in range(n):
        pass

def one():
    spin(3000)

def three():
    spin(9000)

def hot():
    spin(3000)
    spin(9000)
    spin(18000)

def key(x):
    spin(300)
    return -x

def sorter():
    return sorted(range(10), key=key)

def both():
    hot()
    sorter()

def run(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        both()

def other():
    run(float(sys.argv[1]) / 3)

if __name__ == "__main__":
    thread = threading.Thread(target=other)
    thread.start()
    run(float(sys.argv[1]))
    thread.join()
    print(time.process_time())
"""
SPIN = "def spin(n):\n    for i in range(n): pass\n"

# A thread that computes, in one() and three() as 1 : 3, and one that sleeps. With READY behind it,
# it runs until its standard input ends.
SERVER = SPIN + """
import os, sys, threading, time
def one(): spin(2000)
def three(): spin(6000)
def serve():
    while True:
        one()
        three()
def sleeper():
    while True: time.sleep(30)
threading.Thread(target=serve, daemon=True).start()
threading.Thread(target=sleeper, daemon=True).start()
"""
READY = "print('ready', flush=True)\nsys.stdin.read()\n"
LINES = {line: number for number, line in enumerate(SHARES.split("\n"), 1)}


# What makes a program an ordinary user's, for root.
AS_USER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


@functools.cache
def folder():
    path = tempfile.mkdtemp(prefix="springprof-test-")
    atexit.register(shutil.rmtree, path, True)
    return path


def file(name, text=None):
    path = os.path.join(folder(), name)
    if text is not None:
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
    return path


def environment(**more):
    return {**{k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}, **more}


def remove_map(pid):
    try:
        os.unlink(f"/tmp/perf-{pid}.map")
    except OSError:
        pass


def springprof(*arguments, check=True, prefix=(), text=True, **options):
    """A finished springprof."""
    done = subprocess.run([*prefix, sys.executable, "-m", "springprof", *arguments],
                          capture_output=True, text=text, timeout=300, cwd=folder(),
                          env=options.pop("env", None) or environment(), **options)
    if check and done.returncode:
        raise AssertionError(f"{arguments}: exit code {done.returncode}\n{done.stderr}")
    return done


def left_behind(record):
    """Files that a record of a program which forks has left. Its temporary folder is one of its
    own, since others may record at the same time."""
    with tempfile.TemporaryDirectory(prefix="springprof-test-") as temporary:
        done = record("-c", "import os\npid = os.fork()\nif not pid: os._exit(0)\n"
                            "os.wait()\nprint(pid, os.getpid())",
                      env=environment(TMPDIR=temporary))
        maps = [f"/tmp/perf-{pid}.map" for pid in done.stdout.split()]
        assert len(maps) == 2, done.stderr
        return [*os.listdir(temporary), *filter(os.path.exists, maps)]


@functools.cache
def refusal():
    """None if programs can be recorded here, otherwise why not."""
    if "SPRINGBOARD_EMULATOR" in os.environ:
        return "perf sees the emulator instead of what it runs"
    for check in (machine.check_perf, machine.check_paranoid, machine.check_seccomp,
                  machine.check_frame_pointers):
        finding = check()
        if finding.state == machine.BAD:
            return finding.line()
    return None


@functools.cache
def shares_file(*options, record=None, seconds=1.5):
    """(path of a recording of SHARES, what it printed, perf's own file). `record` are the options
    of another engine than perf."""
    program = file("shares.py", SHARES)
    name = "shares" + "".join((*options, *(record or ()))).replace("=", "")
    output, data = file(name + ".springprof"), file(name + ".perf.data")
    done = springprof("record", "-q", "-o", output, *(record or ("--perf-data", data)), "--",
                      *options, program, str(seconds), stdin=subprocess.DEVNULL)
    for process in recording.read(output).meta["processes"]:
        atexit.register(remove_map, process["pid"])     # --perf-data keeps it
    return output, done.stdout, data


def shares(*options, record=None):
    return recording.read(shares_file(*options, record=record)[0])


def tolerance(share, result):
    """How far off a share may be: four standard deviations of so many samples, and a little. The
    kernel of a busy machine lets the timer engine have few that matter."""
    return 0.03 + 4 * math.sqrt(share * (1 - share) / max(result.effective, 1))


def own_and_total(result):
    """{function's name: (own, total)} of Python functions, as parts of the whole"""
    from springprof import tables
    found = tables.Tables(result)
    return {key[0]: (row.own / found.total, row.total / found.total)
            for key, row in found.functions.items() if key[2]}
