#!/usr/bin/python3.11
"""CPython's own test suite against our python.

usage: run.py --python PATH [--expected | --all | MODULE...] [--update]
              [--jobs N] [--timeout S] [--logs DIR]
       run.py --peer [MODULE...]
       run.py --counts

Each module runs in a process and an empty directory of its own. The outcome is
compared with expectations.txt (module outcome passed failed skipped):

  --expected   run the modules that the table expects to pass (default)
  --all        run every module of the suite
  --update     write what was seen into the table; a module may only get better,
               unless --force is given as well
  --peer       run under /usr/bin/python3.11 instead, and write peer.txt: what
               python3.11 makes of the same modules with the same driver
  --counts     run nothing; list the modules of which we run fewer tests than
               python3.11 does

Outcomes, best first: pass, skip (the module says it can't run here), fail,
timeout, crash (ended by a signal). python3.11 is the judge of what this machine
can do: a skip counts only where it skips as well (otherwise it is called a
failure), and a module that it fails itself is marked so and not counted.
"""
import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import side_by_side

SUITE = "/usr/lib/python3.11/test"
PEER = "/usr/bin/python3.11"
TABLE = os.path.join(HERE, "expectations.txt")
PEER_TABLE = os.path.join(HERE, "peer.txt")
# They take longest (from 10 seconds to 2 minutes), and begin first, so that none ends alone.
LONGEST = """
test_concurrent_futures test_multiprocessing_spawn test_multiprocessing_forkserver test_asyncio
test_multiprocessing_fork test_signal test_ssl test_imaplib test_io test_subprocess test_xmlrpc
test_logging test_faulthandler test_largefile test_selectors test_source_encoding test_venv
test_threading test_poll test_ftplib test_compileall
""".split()
RANK = {"pass": 0, "skip": 0, "fail": 1, "timeout": 2, "crash": 3}


def all_modules():
    names = set()
    for entry in os.listdir(SUITE):
        if entry.startswith("test_"):
            if entry.endswith(".py"):
                names.add(entry[:-3])
            elif os.path.exists(os.path.join(SUITE, entry, "__init__.py")):
                names.add(entry)
    return sorted(names)


def read_table(path):
    """{module: (outcome, passed, failed, skipped)}"""
    table = {}
    if os.path.exists(path):
        with open(path) as f:
            for line in f:
                fields = line.partition("#")[0].split()
                if fields:
                    name, outcome, *counts = fields
                    table[name] = (outcome, *map(int, counts))
    return table


def write_table(path, table, heading, peer=()):
    """peer: the table that rows are marked from, where python3.11 does not pass."""
    with open(path, "w") as f:
        f.write(f"# module outcome passed failed skipped: {heading}\n")
        for name in sorted(table):
            mark = ""
            if name in peer and peer[name][0] != "pass":
                mark = f" # python3.11: {peer[name][0]}"
            f.write(" ".join(map(str, (name, *table[name]))) + mark + "\n")


def fewer_tests(table, peer):
    """Rows of modules of which less ran than under python3.11."""
    for name, (outcome, passed, failed, skipped) in sorted(table.items()):
        theirs = peer.get(name)
        if theirs and passed + failed < theirs[1] + theirs[2]:
            yield (f"{name:32} {outcome:8} {passed + failed:5} ran, {skipped:4} skipped; "
                   f"python3.11: {theirs[1] + theirs[2]:5} ran, {theirs[3]:4} skipped")


def default_sigint():
    """A background job of a shell ignores SIGINT; tests count on it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run_module(python, name, timeout, logs):
    """(name, outcome, passed, failed, skipped, seconds)"""
    work = tempfile.mkdtemp(prefix=f"sb_{name}_")
    result = os.path.join(work, "result.json")
    cwd = os.path.join(work, "cwd")
    os.mkdir(cwd)
    log_path = os.path.join(logs, name + ".log")
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    env.setdefault("LC_ALL", "C.UTF-8")
    started = time.monotonic()
    with open(log_path, "wb") as log:
        code = side_by_side.run_to_end(
            [python, os.path.join(HERE, "driver.py"), name, result], log, timeout, cwd=cwd,
            env=env, preexec_fn=default_sigint)
    seconds = time.monotonic() - started
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    if os.path.exists(result):
        try:
            with open(result) as f:
                counts = json.load(f)
        except ValueError:
            pass
        have = True
    else:
        have = False
    if code is None:
        outcome = "timeout"
    elif code < 0:
        outcome = "crash"
    elif not have or code != 0 or counts["failed"]:
        outcome = "fail"
    elif counts.get("module_skipped"):
        outcome = "skip"
    else:
        outcome = "pass"
    shutil.rmtree(work, ignore_errors=True)
    return name, outcome, counts["passed"], counts["failed"], counts["skipped"], seconds


class Judge:
    """Compares outcomes with what the table and python3.11 say, and keeps score."""

    def __init__(self, python, args):
        self.python = python
        self.args = args
        self.peer = read_table(PEER_TABLE)
        self.table = self.peer if args.peer else read_table(TABLE)
        self.worse = []
        self.score = {"passed": 0, "failed": 0, "skipped": 0, "not counted": 0}

    def modules(self):
        if self.args.modules:
            return self.args.modules
        if self.args.all or self.args.peer:
            return all_modules()
        return sorted((m for m in self.table if self.table[m][0] == "pass"),
                      key=lambda m: (LONGEST.index(m) if m in LONGEST else len(LONGEST), m))

    def outcome(self, name, timeout):
        name, outcome, *counts, seconds = run_module(self.python, name, timeout,
                                                     self.args.logs)
        if outcome == "skip" and not self.args.peer and self.peer_runs(name, timeout):
            outcome = "fail"                # it can run here, so it has to
        return outcome, counts, seconds

    def peer_runs(self, name, timeout):
        """Does python3.11 run the module, here and now? Its table may be from a
        machine with other packages."""
        if self.peer.get(name, ("pass",))[0] == "skip" or not os.path.exists(PEER):
            return False
        logs = os.path.join(self.args.logs, "peer")
        os.makedirs(logs, exist_ok=True)
        return run_module(PEER, name, timeout, logs)[1] != "skip"

    def examine(self, name, outcome, counts, seconds):
        before = self.table.get(name, (outcome,))[0]
        if not self.args.peer and RANK[outcome] > RANK[before]:
            # Once more, alone, before it counts: these machines are noisy.
            outcome, counts, seconds = self.outcome(name, 2 * self.args.timeout)
        regressed = not self.args.peer and RANK[outcome] > RANK[before]
        note = ""
        if regressed:
            self.worse.append(name)
            note = f"  WORSE than {before}"
        elif self.peer.get(name, ("pass",))[0] not in ("pass", "skip"):
            self.score["not counted"] += 1
            note = "  (python3.11 fails it too)"
        elif outcome in ("pass", "skip"):
            self.score["passed" if outcome == "pass" else "skipped"] += 1
        else:
            self.score["failed"] += 1
        print(f"{outcome:8} {name:32} {counts[0]:5} passed {counts[1]:4} failed "
              f"{counts[2]:4} skipped {seconds:6.1f}s{note}", flush=True)
        if self.args.peer or self.args.force or not regressed:
            self.table[name] = (outcome, *counts)

    def write(self):
        if self.args.peer:
            write_table(PEER_TABLE, self.table, "python3.11's own, on this machine")
            self.peer = self.table
        if self.args.update or self.args.peer:
            ours = read_table(TABLE) if self.args.peer else self.table
            write_table(TABLE, ours, "a module may only get better (see run.py)",
                        self.peer)

    def report(self):
        if self.worse:
            print("worse than expected:", *sorted(self.worse))
            print("logs:", self.args.logs)
        self.score["failed"] += len(self.worse)
        print("conformance:", ", ".join(f"{n} {what}" for what, n in self.score.items()))
        return 1 if self.worse else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--python")
    parser.add_argument("--expected", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--force", action="store_true")
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    # The longest, multiprocessing by spawning, takes python3.11 250 s.
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--logs", default="/tmp/springboard-conformance")
    parser.add_argument("modules", nargs="*")
    args = parser.parse_args()
    if args.counts:
        print(*fewer_tests(read_table(TABLE), read_table(PEER_TABLE)), sep="\n")
        return 0
    python = PEER if args.peer else os.path.abspath(args.python)
    os.makedirs(args.logs, exist_ok=True)
    judge = Judge(python, args)

    def run(module):
        return module, judge.outcome(module, args.timeout)

    for module, outcome in side_by_side.results(run, judge.modules(), args.jobs):
        judge.examine(module, *outcome)
    judge.write()
    return judge.report()


if __name__ == "__main__":
    sys.exit(main())
