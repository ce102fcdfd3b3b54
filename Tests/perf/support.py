"""What the tests of this folder share: running programs and reading maps."""
import functools
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time

EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                       "..", "..", "Tools", "perf", "example.py")
EXAMPLE = os.path.normpath(EXAMPLE)
STARTED = time.time() - 1


def run(code, *options, env=None, timeout=60):
    """A program's (exit code, stdout, stderr, map lines or None). Removes its map."""
    return run_arguments(*options, "-c", code, env=env, timeout=timeout, keep_dump=True)


def run_arguments(*arguments, env=None, timeout=60, keep_dump=False):
    """The same of what the interpreter is started with."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    environment.update(env or {})
    started = time.time() - 0.05
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=environment, text=True)
    try:
        out, err = process.communicate(timeout=timeout)
    finally:
        process.kill()
        if not keep_dump:
            remove_dump(process.pid)
    return process.returncode, out, err, take_map(process.pid, started)


def map_path(pid):
    return f"/tmp/perf-{pid}.map"


def remove_dump(pid):
    try:
        os.unlink(f"/tmp/jit-{pid}.dump")
    except OSError:
        pass


def take_map(pid, started=STARTED):
    try:
        return read_map(pid, started)
    finally:
        try:
            os.unlink(map_path(pid))
        except OSError:
            pass


def read_map(pid, started=STARTED):
    """Lines of a map, without the filler that a killed process leaves."""
    try:
        with open(map_path(pid), encoding="utf-8", errors="surrogateescape",
                  newline="\n") as f:
            if os.fstat(f.fileno()).st_mtime < started:
                return None         # of another process that had this PID
            text = f.read()
    except FileNotFoundError:
        return None
    return [line for line in text.split("\n")[:-1] if " 1 [unused]" not in line]


def names(lines):
    return [line.split(" ", 2)[2] for line in lines or []]


LINE = re.compile(r"[0-9a-f]+ [0-9a-f]+ \S.*")


def tool_refusal(tool):
    """None if the tool can look at our processes, otherwise why not."""
    if shutil.which(tool) is None:
        return f"{tool} is not installed"
    if "SPRINGBOARD_EMULATOR" in os.environ:
        return f"{tool} sees the emulator instead of what it runs"
    return None


def need_frame_pointers():
    """Arguments of unittest.skipUnless."""
    return ("-fomit-frame-pointer" not in sysconfig.get_config_var("CFLAGS"),
            "this build has no frame pointers")


@functools.cache
def perf_refusal():
    """None if perf can record here, otherwise why not."""
    if tool_refusal("perf"):
        return tool_refusal("perf")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["perf", "record", "-F", "999", "-g", "-o",
                               os.path.join(folder, "data"), "--", "true"],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        return "perf can't record here: " + done.stderr.strip().split("\n")[-1]
    return None


def perf_script(data, fields):
    return subprocess.run(["perf", "script", "-i", data, "-F", fields], capture_output=True,
                          text=True, timeout=120, stdin=subprocess.DEVNULL, check=True).stdout


def has_map(pid, began):
    """A process that began then, not an earlier one that had its number."""
    try:
        return os.path.getmtime(map_path(pid)) > began - 1      # files have the time of a tick
    except OSError:
        return False


def remove_older_map(pid, began):
    """perf would take names from it."""
    if os.path.exists(map_path(pid)) and not has_map(pid, began):
        os.unlink(map_path(pid))


def record(arguments, env=None, check=True, with_pids=False):
    """Stacks of a recorded program: lists of symbols, leaf first; or (process, stack) of each."""
    began = time.time()
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data")
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        environment.update(env or {})
        subprocess.run(["perf", "record", "-F", "1999", "-g", "-o", data, "--",
                        sys.executable, *arguments], capture_output=True,
                       stdin=subprocess.DEVNULL, timeout=120, check=check,
                       env=environment)
        for pid in set(perf_script(data, "pid").split()):
            remove_older_map(int(pid), began)
        script = perf_script(data, "pid,ip,sym")
    stacks, pids = [], set()
    for block in script.split("\n\n"):
        lines = block.strip("\n").split("\n")
        if len(lines) < 2:
            continue
        pid = int(lines[0].split()[0])
        pids.add(pid)
        stack = [line.split(None, 1)[1] for line in lines[1:] if len(line.split(None, 1)) == 2]
        stacks.append((pid, stack) if with_pids else stack)
    for pid in pids:
        try:
            os.unlink(map_path(pid))
        except OSError:
            pass
    return stacks


def python_chain(stack):
    """The Python functions of a stack, outermost first, without files."""
    return [re.sub(r":[^:]*$", "", symbol.removeprefix("py::"))
            for symbol in reversed(stack) if symbol.startswith("py::")]
