#!/usr/bin/python3.11
"""Runs the test suites that Debian's packages ship under our python and under python3.11, and
compares: the same tests fail, nothing crashes or hangs, and the processor time is at most 1.2 times
python3.11's. suites.txt is the table of them.

usage: run.py --python PATH [--results DIR] [--quick] [--again] [--list] [PART-OR-SUITE...]
       run.py --python PATH [--results DIR] --sample SECONDS [--again] [PART-OR-SUITE...]
       run.py --results DIR --page Doc/suites.rst

The packages of the chosen suites are installed (apt-get, as root) if they are missing. A run takes
hours and may be interrupted: DIR/results.json has the finished suites, and only --again repeats
them (under ours; under python3.11 they are repeated if the packages have another version). DIR also
has a log and a file of events of each run, and the bytecode of both pythons.

A suite runs in one process of pytest (driver.py). If a signal ends that process, or a test makes
no progress for --stall seconds, the test's file is abandoned, which counts as a crash or a
hang, and the next process continues with the remaining files. Tests that fail in only one of the
pythons are run once more, in both, without the rest of the suite: if they then agree, the test is
called unsteady and does not count. Tests have no network except a loopback of their own, if the
system allows that (unshare), one thread for numerical libraries, and a home folder of their own.

--sample compares the time of a part of a suite whose whole takes too long: its files, in an order
that hashes of their names give, until the tests have cost our python SECONDS (about 20 will do); a
file counts for at most a quarter of that, and is then left. These tests run once in each python,
untimed, so that all bytecode is there, and then once more in both. Results of whole runs stay as
they are; the sample's ratio and its share of the tests are shown where there is no ratio of a whole
run. A suite of which all tests fit into the sample runs whole instead.

--page keeps the rows of the page that DIR/results.json has no whole run for.

The last line is "N passed, N failed, N skipped", of suites.
"""
import argparse
import datetime
import glob
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PEER = "/usr/bin/python3.11"
PACKAGES = "/usr/lib/python3/dist-packages"
MOST_TIME = 1.2
# Below this many seconds of processor time a ratio says nothing but what start-up costs.
LEAST_TIME = 3.0
FILES = "test_*.py", "*_test.py", "tests.py"
BAD = "crash", "hang"


class Suite:
    """A row: name | part | Debian packages | tests | options of pytest | what is known.

    Tests are files and folders below dist-packages, or patterns of them, or beside this file. What
    is known: "TEXT: why; …", differences that are accepted in tests whose name has TEXT.
    """

    def __init__(self, line):
        fields = [field.strip() for field in line.split("|")]
        self.name, self.part, packages, tests, options, known = fields
        self.packages = ["python3-pytest", *packages.split()]
        self.tests = tests.split()
        self.options = shlex.split(options)
        self.known = [k.partition(": ")[0].strip() for k in known.split(";") if k.strip()]

    def files(self):
        """The test files, in an order that is always the same."""
        found = []
        for test in self.tests:
            ours = os.path.join(HERE, test)
            for path in [ours] if os.path.exists(ours) else sorted(
                    glob.glob(os.path.join(PACKAGES, test))):
                if os.path.isdir(path):
                    inside = {file for pattern in FILES
                              for file in glob.glob(f"{path}/**/{pattern}", recursive=True)}
                    found += sorted(inside)
                else:
                    found.append(path)
        return list(dict.fromkeys(found))

    def spread_files(self):
        """The same, in an order in which the first ones are a fair sample, on every machine."""
        def key(file):
            name = os.path.relpath(file, PACKAGES if file.startswith(PACKAGES) else HERE)
            return hashlib.sha256(name.encode()).digest()
        return sorted(self.files(), key=key)

    def root(self):
        """The folder that pytest's names of tests begin below."""
        files = self.files()
        inside = all(file.startswith(PACKAGES + "/") for file in files)
        return PACKAGES if inside else os.path.dirname(os.path.commonpath(files))

    def is_known(self, test):
        return any(known in test for known in self.known)


def read_table(path):
    with open(path) as f:
        return [Suite(line) for line in f if line.strip() and not line.startswith("#")]


def versions(packages):
    """Of the packages that are installed."""
    shown = subprocess.run(["dpkg-query", "-W", "-f=${Package} ${Version} ${db:Status-Status}\n",
                            *packages], capture_output=True, text=True).stdout
    rows = (line.split() for line in shown.splitlines())
    return {row[0]: row[1] for row in rows if row[-1] == "installed"}


def install(packages, log):
    """Installs what is missing of the packages; says what could not be."""
    missing = sorted(set(packages) - set(versions(packages)))
    if missing:
        print("installing", *missing, flush=True)
        with open(log, "w") as f:
            # Those that apt does not know must not keep the others away.
            known = subprocess.run(["apt-cache", "show", *missing], stderr=f,
                                   stdout=subprocess.PIPE, text=True).stdout
            names = sorted(set(re.findall(r"(?m)^Package: (\S+)", known)) & set(missing))
            subprocess.run(["apt-get", "install", "-y", "--no-install-recommends",
                            "-o", "DPkg::Lock::Timeout=600", *names],
                           stdout=f, stderr=f, stdin=subprocess.DEVNULL,
                           env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"})
    return sorted(set(missing) - set(versions(packages)))


def isolated():
    """The words before a command that give it a network with nothing but loopback."""
    words = ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$0" "$@"']
    if shutil.which("unshare") is None or subprocess.run([*words, "true"],
                                                         capture_output=True).returncode:
        return []
    return words


class Run:
    """One suite under one python: which tests there are, what came of them, what it cost."""

    def __init__(self, suite, python, folder, title, limits, choice=()):
        self.suite, self.python, self.limits = suite, python, limits
        self.choice = choice    # options of driver.py: which of the tests are meant
        self.folder = folder
        self.log = os.path.join(folder, f"{suite.name}.{title}.log")
        self.events = os.path.join(folder, f"{suite.name}.{title}.events")
        self.outcomes = {}      # test -> [outcome, message]
        self.cpu = 0.0
        for path in self.log, self.events:
            if os.path.exists(path):
                os.unlink(path)

    def environment(self, home):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(("PYTHON", "PYTEST", "PIP_", "MAKE", "DISPLAY"))}
        threads = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "NUMEXPR",
                                                                   "NUMBA", "MKL")}
        bytecode = os.path.join(self.folder, "bytecode")
        return env | threads | {"HOME": home, "TMPDIR": home, "LC_ALL": "C.UTF-8", "TZ": "UTC",
                                "MPLBACKEND": "Agg", "PYTHONHASHSEED": "0", "LANG": "C.UTF-8",
                                "PYTHONPYCACHEPREFIX": bytecode, "NO_COLOR": "1",
                                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "XDG_RUNTIME_DIR": home}

    def whole(self):
        """Every file."""
        files = self.suite.files()
        self.compile(files)
        return self.all_of(files)

    def all_of(self, files):
        """These files, however many processes it takes."""
        ends = time.monotonic() + self.limits.suite
        for _ in range(20):
            finished, planned, current = self.process(files, ends)
            if finished:
                return self
            if current is None or current[1] not in files:
                self.outcomes[self.suite.name] = [finished if finished in BAD else "crash",
                                                  "pytest did not get so far as the tests"]
                return self
            left = {path for test, path in planned if test not in self.outcomes} if planned \
                else set(files)
            files = [file for file in files if file in left and file != current[1]]
            if not files or time.monotonic() > ends:
                return self
        return self

    def compile(self, files):
        """What is imported gets its bytecode, which is not part of the time that is compared."""
        with tempfile.TemporaryDirectory(prefix="suites-", ignore_cleanup_errors=True) as home:
            try:
                subprocess.run(self.command(home, os.devnull, ["--collect-only", *files]), cwd=home,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env=self.environment(home),
                               timeout=self.limits.stall)
            except subprocess.TimeoutExpired:
                pass        # the run itself will tell

    def command(self, home, events, arguments):
        steady = ["--hypothesis"] * ("python3-hypothesis" in self.suite.packages)
        return [*self.limits.isolated, self.python, os.path.join(HERE, "driver.py"), *steady,
                *self.choice, events, "-q", "--tb=short", "-rN",
                "-p", "no:cacheprovider", "-p", "no:faulthandler",
                "--continue-on-collection-errors", f"--rootdir={self.suite.root()}",
                f"--basetemp={home}/pytest", *self.suite.options, *arguments]

    def only(self, tests):
        """These tests alone, in one process."""
        root = self.suite.root()
        self.process([os.path.join(root, test) for test in tests],
                     time.monotonic() + self.limits.suite)
        return self

    def process(self, arguments, ends):
        """Returns whether pytest came to its end, what it had planned, and else what it was at:
        (test, file)."""
        begin = os.path.getsize(self.events) if os.path.exists(self.events) else 0
        with tempfile.TemporaryDirectory(prefix="suites-", ignore_cleanup_errors=True) as home, \
                open(self.log, "ab") as log:
            process = subprocess.Popen(
                self.command(home, self.events, arguments),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=home, start_new_session=True,
                env=self.environment(home))
            status = self.wait(process, ends)
        return self.read_events(begin, status)

    def wait(self, process, ends):
        """The exit status, or "hang"."""
        size, since, hang = -1, time.monotonic(), False
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            now = os.path.getsize(self.events) if os.path.exists(self.events) else 0
            if now != size:
                size, since = now, time.monotonic()
            if time.monotonic() > min(since + self.limits.stall, ends):
                hang = True
                os.killpg(process.pid, signal.SIGKILL)
                _, status, usage = os.wait4(process.pid, 0)
                break
            time.sleep(0.05)
        process.returncode = status
        self.cpu += usage.ru_utime + usage.ru_stime
        try:
            os.killpg(process.pid, signal.SIGKILL)      # what the tests have left running
        except ProcessLookupError:
            pass
        return "hang" if hang else os.waitstatus_to_exitcode(status)

    def read_events(self, begin, status):
        planned, current, finished = [], None, False
        paths = {}
        if os.path.exists(self.events):
            with open(self.events) as f:
                f.seek(begin)
                for line in f:
                    kind, *rest = json.loads(line)
                    if kind == "planned":
                        planned = rest[0]
                        paths = dict(planned)
                        current = None
                    elif kind == "collect":
                        current = rest[0], rest[0]
                    elif kind == "start":
                        current = rest[0], paths.get(rest[0])
                    elif kind == "end":
                        self.outcomes[rest[0]] = rest[1:]
                    else:
                        finished = True
        # Exit codes of pytest's own are below 10. After the last test something may still crash.
        if status == "hang" or status < 0 or status >= 128 or not finished:
            what = "hang" if status == "hang" else "crash"
            name = current[0] if current and not finished else f"{self.suite.name}: the end"
            self.outcomes[name] = [what, f"exit status {status}"]
        return finished, planned, current

    def as_dict(self):
        counts = {}
        for outcome, _ in self.outcomes.values():
            counts[outcome] = counts.get(outcome, 0) + 1
        bad = {test: [outcome, message] for test, (outcome, message) in self.outcomes.items()
               if outcome not in ("passed", "skipped")}
        return {"counts": counts, "bad": bad, "cpu": round(self.cpu, 2),
                "all": len(self.outcomes)}


def compare(suite, ours, peer, again):
    """What to tell: the tests of which one python alone is not content. `again` runs tests once
    more in both pythons and returns those that still differ."""
    bad = {"ours": set(ours["bad"]), "peer": set(peer["bad"])}
    both = bad["ours"] & bad["peer"]
    # A crash or hang differs from a mere failure.
    differ = bad["ours"] ^ bad["peer"] | {t for t in both if ours["bad"][t][0] in BAD
                                          and peer["bad"][t][0] not in BAD}
    known = {test for test in differ if suite.is_known(test)}
    runnable = {t for t in differ - known if "::" in t and ours["bad"].get(t, " ")[0] not in BAD
                and not t.startswith("collecting ")}
    still = again(sorted(runnable)) if runnable else set()
    steady = (differ - known - runnable) | still
    return {
        "both": sorted(both - differ),
        "ours only": sorted(steady & bad["ours"]),
        "peer only": sorted(steady - bad["ours"]),
        "known": sorted(known), "unsteady": sorted(runnable - still),
        "ratio": 0 if peer["quick"] else round(ours["cpu"] / max(peer["cpu"], 0.01), 2),
    }


def verdict(suite, record):
    """Why the suite fails; nothing if it does not."""
    why = []
    told, ours, peer = record["told"], record["ours"], record["peer"]
    if told["ours only"]:
        why.append(f"{len(told['ours only'])} fail on ours only")
    if not ours["counts"].get("passed"):
        why.append("no test passes: something that they import is not installed?")
    if peer["cpu"] >= LEAST_TIME and told["ratio"] > MOST_TIME:
        why.append(f"{told['ratio']} times the processor time")
    crashes = [t for t, (outcome, _) in ours["bad"].items()
               if outcome in BAD and peer["bad"].get(t, [""])[0] not in BAD
               and not suite.is_known(t)]
    if crashes:
        why.append("a crash or a hang: " + ", ".join(crashes[:3]))
    return why


class Results:
    """results.json, written anew after every suite."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "results.json")
        self.records = {}
        if os.path.exists(self.path):
            with open(self.path) as f:
                self.records = json.load(f)

    def put(self, name, record):
        self.records[name] = record
        with open(self.path + ".new", "w") as f:
            json.dump(self.records, f, indent=1, sort_keys=True)
        os.replace(self.path + ".new", self.path)


def still_differ(suite, args, tests):
    """Those of the tests that differ when they are run without the rest of the suite."""
    one = Run(suite, args.python, args.results, "ours-again", args).only(tests)
    other = Run(suite, PEER, args.results, "python3.11-again", args).only(tests)
    outcomes = [{test: run.outcomes.get(test, ["missing"])[0] for test in tests}
                for run in (one, other)]
    return {test for test in tests if outcomes[0][test] != outcomes[1][test]}


def check(suite, args, results):
    """Runs what is not there yet; returns the record."""
    found = versions(suite.packages)
    before = results.records.get(suite.name, {})
    if before.get("versions") != found or before.get("tests") != [suite.tests, suite.options]:
        before = {}
    ours, peer = before.get("ours"), before.get("peer")
    # A quick run of python3.11's says nothing about what fails in another run of ours.
    enough = peer is not None and (not peer["quick"] or args.quick and not args.again)
    if "told" in before and enough and not args.again and not args.peer_again:
        return before
    record = {"versions": found, "tests": [suite.tests, suite.options], "peer": peer,
              "date": datetime.date.today().isoformat()}
    if "sample" in before:
        record["sample"] = before["sample"]
    if ours is None or args.again:
        ours = Run(suite, args.python, args.results, "ours", args).whole().as_dict()
        results.put(suite.name, record | {"ours": ours})
    if not enough or args.peer_again:
        run = Run(suite, PEER, args.results, "python3.11", args)
        failed = list(dict.fromkeys(test.removeprefix("collecting ") for test in ours["bad"]
                                    if "::" in test or test.startswith("collecting ")))
        if not args.quick:
            run.whole()
        elif failed:
            run.only(failed)
        peer = run.as_dict() | {"quick": args.quick}

    told = compare(suite, ours, peer, lambda tests: still_differ(suite, args, tests))
    record |= {"ours": ours, "peer": peer, "told": told}
    results.put(suite.name, record)
    return record


def check_sample(suite, args, results):
    """Runs a sample if there is none yet; returns its record, or that of the whole suite."""
    found = versions(suite.packages)
    before = results.records.get(suite.name, {})
    if before.get("sample", {}).get("versions") == found and not args.again:
        return before["sample"]
    trial = Run(suite, args.python, args.results, "sample", args, ["--sample", str(args.sample)])
    _, planned, _ = trial.process(suite.spread_files(), time.monotonic() + args.suite)
    chosen = {test: file for test, file in planned if test in trial.outcomes}
    if len(chosen) in (0, len(dict(planned))):
        return check(suite, args, results)
    tests = os.path.join(args.results, f"{suite.name}.sample")
    with open(tests, "w") as f:
        json.dump(list(chosen), f)
    files = [file for file in suite.files() if file in chosen.values()]
    # The trial has left our bytecode, also of what tests import; the first run here the peer's.
    _, ours, peer = [
        Run(suite, python, args.results, f"sample-{title}", args, ["--tests", tests]).all_of(files)
        .as_dict() for title, python in (("before", PEER), ("ours", args.python),
                                         ("python3.11", PEER))]
    peer["quick"] = False
    told = compare(suite, ours, peer, lambda tests: still_differ(suite, args, tests))
    sample = {"versions": found, "date": datetime.date.today().isoformat(), "ours": ours,
              "peer": peer, "told": told, "share": len(chosen) / len(dict(planned))}
    results.put(suite.name, before | {"sample": sample})
    return sample


def tell(suite, record):
    """One suite's lines; whether it passes."""
    why = verdict(suite, record)
    told, counts = record["told"], record["ours"]["counts"]
    share = f" (a sample, {record['share']:.1%})" if "share" in record else ""
    print(f"{'FAIL' if why else 'pass'} {suite.name}{share}: {counts.get('passed', 0)} passed, "
          f"{len(told['both'])} fail on both, {counts.get('skipped', 0)} skipped, "
          f"{record['ours']['cpu']} s"
          + (f", {told['ratio']} times python3.11's" if told["ratio"] else "")
          + (": " + "; ".join(why) if why else ""))
    for kind in "ours only", "peer only", "unsteady", "known":
        for test in told[kind][:40]:
            said = record["ours" if kind != "peer only" else "peer"]["bad"].get(test, ["", ""])
            print(f"    {kind}: {test}: {said[0]}: {said[1][:160]}")
    sys.stdout.flush()
    return not why


PAGE = """\
Other people's test suites
==========================

The test suites that Debian's packages ship, as ``make check-suites`` runs them: each under this
python and under ``python3.11``, without a network, in one process of pytest. *both*: tests that
fail under both pythons (most want a network, another user than root, or another version of
something); *ours*: those that fail under this one only, crashes and hangs among them;
*unsteady*: those that did not agree at first and did when they were run once more; *CPU*: the
processor time (user and system) as a multiple of ``python3.11``'s. ``Tests/suites/suites.txt``
says which tests of a package are meant, and what is known. *(not run)*: a quick run, in which
``python3.11`` ran only what failed; *(short)*: too short to compare; *0.72 of 12 %*: the time of a
sample with that share of the tests, which is of another day than the rest of the row.

"""


def shown_ratio(record):
    return f"{record['told']['ratio']:.2f}" if record["peer"]["cpu"] >= LEAST_TIME else "(short)"


def page(table, results, before):
    """Doc/suites.rst; `before` is its text, for what there are no results of."""
    missing = []
    rows = [("suite", "version", "passed", "skipped", "both", "ours", "unsteady", "CPU", "date")]
    old = {row[0]: row for row in (re.split("  +", line) for line in before.splitlines())
           if len(row) == len(rows[0])}
    for suite in table:
        record = results.records.get(suite.name, {})
        if "told" in record and record["ours"]["counts"].get("passed"):
            told, counts = record["told"], record["ours"]["counts"]
            version = record["versions"].get(suite.packages[1], "")
            version = re.sub(r"^\d+:|[-+~].*$", "", version)
            ours = len(told["ours only"])
            row = [suite.name, version, counts.get("passed", 0), counts.get("skipped", 0),
                   len(told["both"]), ours + len(told["known"]), len(told["unsteady"]),
                   shown_ratio(record) if told["ratio"] else "(not run)", record["date"]]
        elif suite.name in old:
            row = old[suite.name]
        else:
            missing.append(suite.name)
            continue
        if "sample" in record and (row[7] == "(not run)" or " of " in row[7]):
            share = 100 * record["sample"]["share"]
            row[7] = f"{shown_ratio(record['sample'])} of {share:.{int(share < 10)}f} %"
        rows.append(row)
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    rule = "  ".join("=" * width for width in widths)
    lines = ["  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip()
             for row in rows]
    passed = sum(int(row[2]) for row in rows[1:])
    return (PAGE + "\n".join([rule, lines[0], rule, *lines[1:], rule])
            + f"\n\n{len(rows) - 1} suites, {passed:,} tests passed.\n"
            + ("\n" + textwrap.fill("Not run yet: " + ", ".join(missing) + ".", 98,
                                    break_on_hyphens=False) + "\n" if missing else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0],
                                     epilog=__doc__.partition("\n\n")[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    # A shell's background jobs ignore it, and so would what they start; trio's tests interrupt
    # themselves and would wait for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser.add_argument("--python", default="./python")
    parser.add_argument("--results", default="suites", help="the folder of results and logs")
    parser.add_argument("--table", default=os.path.join(HERE, "suites.txt"))
    parser.add_argument("--again", action="store_true", help="also what has a result")
    parser.add_argument("--peer-again", action="store_true", help="python3.11's part too")
    parser.add_argument("--quick", action="store_true",
                        help="under python3.11 only what fails under ours; no comparison of time")
    parser.add_argument("--sample", type=float, metavar="SECONDS",
                        help="only compare the time, of tests that cost us so much")
    parser.add_argument("--no-install", action="store_true", help="skip what is not installed")
    parser.add_argument("--stall", type=float, default=900, help="seconds that a test may take")
    parser.add_argument("--suite", type=float, default=7200, help="seconds that a suite may take")
    parser.add_argument("--list", action="store_true", help="names and parts")
    parser.add_argument("--tell", action="store_true", help="what results.json has; run nothing")
    parser.add_argument("--page", metavar="FILE", help="write the table of results")
    parser.add_argument("words", nargs="*", metavar="PART-OR-SUITE")
    args = parser.parse_args()
    args.python, args.results = os.path.abspath(args.python), os.path.abspath(args.results)
    table = read_table(args.table)
    unknown = set(args.words) - {s.name for s in table} - {s.part for s in table}
    if unknown:
        parser.error("no such part or suite: " + " ".join(sorted(unknown)))
    chosen = [s for s in table if not args.words or {s.name, s.part} & set(args.words)]
    if args.list:
        for suite in chosen:
            print(f"{suite.part:10} {suite.name:24} {' '.join(suite.tests)}")
        return 0
    os.makedirs(args.results, exist_ok=True)
    results = Results(args.results)
    if args.page:
        before = ""
        if os.path.exists(args.page):
            with open(args.page) as f:
                before = f.read()
        with open(args.page, "w") as f:
            f.write(page(table, results, before))
        return 0
    args.isolated = isolated()
    if not args.no_install and not args.tell:
        install([p for s in chosen for p in s.packages], os.path.join(args.results, "apt.log"))
    passed = failed = skipped = 0
    for suite in chosen:
        missing = sorted(set(suite.packages) - set(versions(suite.packages)))
        record = results.records.get(suite.name, {})
        if args.sample:
            record = record.get("sample", {})
        if missing or args.tell and "told" not in record:
            why = ["not installed:", *missing] if missing else ["not run"]
            print(f"skipped {suite.name}:", *why)
            skipped += 1
            continue
        if not args.tell:
            record = (check_sample if args.sample else check)(suite, args, results)
        if tell(suite, record):
            passed += 1
        else:
            failed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
