#!/usr/bin/python3.11
"""CPython's own test suite against our python.

usage: run.py --python PATH [--expected | --all | MODULE...] [--update]
              [--jobs N] [--timeout S] [--logs DIR] [--peer]

Each module runs in a process and an empty directory of its own. The outcome is
compared with expectations.txt (module outcome passed failed skipped):

  --expected   run the modules that the table expects to pass (default)
  --all        run every module of the suite
  --update     write what was seen into the table; a module may only get better,
               unless --force is given as well
  --peer       run under /usr/bin/python3.11 instead, and print the modules that
               fail there: they are marked "peer" in the table and not counted

Outcomes, best first: pass, skip (the module says it can't run here), fail,
timeout, crash (ended by a signal).
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SUITE = "/usr/lib/python3.11/test"
TABLE = os.path.join(HERE, "expectations.txt")
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


def read_table():
    table = {}
    if os.path.exists(TABLE):
        with open(TABLE) as f:
            for line in f:
                if line.strip() and not line.startswith("#"):
                    name, outcome, *counts = line.split()
                    table[name] = (outcome, *map(int, counts))
    return table


def write_table(table):
    with open(TABLE, "w") as f:
        f.write("# module outcome passed failed skipped (see run.py); "
                "a module may only get better\n")
        for name in sorted(table):
            f.write(" ".join(map(str, (name, *table[name]))) + "\n")


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
        process = subprocess.Popen(
            [python, os.path.join(HERE, "driver.py"), name, result], cwd=cwd, env=env,
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            start_new_session=True, preexec_fn=default_sigint)
        try:
            code = process.wait(timeout)
            timed_out = False
        except subprocess.TimeoutExpired:
            timed_out = True
        try:                                # nothing of it stays behind
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        if timed_out:
            code = process.wait()
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
    if timed_out:
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--python")
    parser.add_argument("--expected", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--force", action="store_true")
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=180)
    parser.add_argument("--logs", default="/tmp/springboard-conformance")
    parser.add_argument("modules", nargs="*")
    args = parser.parse_args()
    python = "/usr/bin/python3.11" if args.peer else os.path.abspath(args.python)
    os.makedirs(args.logs, exist_ok=True)
    table = read_table()
    if args.modules:
        modules = args.modules
    elif args.all or args.peer:
        modules = [m for m in all_modules() if args.peer or table.get(m, ("",))[0] != "peer"]
    else:
        modules = sorted(m for m in table if table[m][0] == "pass")
    worse, passed, failed, skipped = [], 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        jobs = [pool.submit(run_module, python, m, args.timeout, args.logs) for m in modules]
        for job in concurrent.futures.as_completed(jobs):
            name, outcome, *counts, seconds = job.result()
            before = table.get(name)
            note = ""
            regressed = before is not None and before[0] in RANK \
                and RANK[outcome] > RANK[before[0]]
            if regressed:
                # Once more, alone, before it counts: these machines are noisy.
                name, outcome, *counts, seconds = run_module(python, name, 2 * args.timeout,
                                                             args.logs)
                regressed = RANK[outcome] > RANK[before[0]]
            if regressed:
                worse.append(name)
                note = f"  WORSE than {before[0]}"
            if outcome == "skip":
                skipped += 1
            elif outcome == "pass" or (before is not None and not regressed):
                passed += 1
            else:
                failed += 1
            print(f"{outcome:8} {name:32} {counts[0]:5} passed {counts[1]:4} failed "
                  f"{counts[2]:4} skipped {seconds:6.1f}s{note}", flush=True)
            if args.peer:
                if outcome not in ("pass", "skip"):
                    table[name] = ("peer", *counts)
            elif args.update and (args.force or not regressed):
                table[name] = (outcome, *counts)
    if args.update or args.peer:
        write_table(table)
    if worse:
        print("worse than expected:", *sorted(worse))
        print("logs:", args.logs)
    print(f"conformance: {passed} passed, {failed + len(worse) if not args.all else failed} "
          f"failed, {skipped} skipped")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
