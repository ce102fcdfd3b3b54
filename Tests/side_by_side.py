"""What the runners share: parts of a suite run side by side, one on each processor."""
import concurrent.futures
import contextlib
import os
import re
import signal
import subprocess


def processors():
    return len(os.sched_getaffinity(0))


_running = set()        # processes of run_to_end()


def _signal(session, number):
    """To all of a session, whatever their groups are."""
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        try:
            if os.getsid(pid) == session:
                os.kill(pid, number)
        except ProcessLookupError:
            pass


def _kill(process):
    """With all that is left of its session."""
    _signal(process.pid, signal.SIGKILL)


@contextlib.contextmanager
def idle_work_stopped():
    """The session $SB_IDLE_WORK (Tests/suites.sh), if there is one, waits meanwhile."""
    session = int(os.environ.get("SB_IDLE_WORK", 0))
    if not session:
        yield
        return
    try:
        for _ in range(2):      # one may have started another while it was told
            _signal(session, signal.SIGSTOP)
        yield
    finally:
        _signal(session, signal.SIGCONT)


def run_to_end(command, out, timeout=None, **options):
    """The exit code of a program that writes to a file, None if it has not ended in time. What it
    leaves running ends with it. Nobody waits for a pipe that a forgotten process holds open."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out,
                               stderr=subprocess.STDOUT, start_new_session=True, **options)
    _running.add(process)
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _kill(process)
        process.wait()
        _running.discard(process)


def _stop(number, frame):
    raise KeyboardInterrupt


def results(function, parts, jobs):
    """function(part) of each part, in the order in which they end. ^C, which doesn't reach what
    has a session of its own, and a request to end us end all of them."""
    before = signal.signal(signal.SIGTERM, _stop)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(function, part) for part in parts]
        try:
            for done in concurrent.futures.as_completed(running):
                yield done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(_running):
                _kill(process)
            raise
        finally:
            signal.signal(signal.SIGTERM, before)


def last_counts(pattern, text):
    """The numbers in the last line of text that matches, or None."""
    found = re.findall(pattern, text)
    return tuple(map(int, found[-1])) if found else None
