"""Runs pytest under the interpreter that is tested, and writes each event to a file at once:
run.py reads the file, even if the process has crashed.

usage: driver.py [--hypothesis] [--sample SECONDS | --tests FILE] EVENTS PYTEST-ARGUMENT...

--sample stops when the tests have cost SECONDS of processor time, and leaves out the rest of a file
that has had a quarter of them. --tests runs only tests whose names are in the JSON list.

A line of EVENTS is a JSON list: ["collect", file], ["planned", [test, …]], ["start", test],
["end", test, outcome, message], ["finished"].
"""
import json
import os
import sys


class Events:
    def __init__(self, path):
        # Tests close descriptors, fork and replace open(): each line is one write to a file
        # that is opened for it.
        self.path = path
        self.owner = os.getpid()
        self.open, self.write, self.close = os.open, os.write, os.close
        self.getpid, self.dumps = os.getpid, json.dumps
        self.outcomes = {}

    def tell(self, *event):
        if self.getpid() != self.owner:
            return
        fd = self.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            self.write(fd, (self.dumps(event) + "\n").encode())
        finally:
            self.close(fd)

    def pytest_collectstart(self, collector):
        if type(collector).__name__ in ("Module", "DoctestModule", "Package"):
            self.tell("collect", str(collector.path))

    def pytest_collectreport(self, report):
        if report.failed:
            name = "collecting " + report.nodeid
            self.tell("start", name)
            self.tell("end", name, "failed", last_line(report))

    def pytest_collection_finish(self, session):
        self.tell("planned", [[item.nodeid, str(item.path)] for item in session.items])

    def pytest_runtest_logstart(self, nodeid):
        self.outcomes[nodeid] = "passed", ""
        self.tell("start", nodeid)

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.outcomes[report.nodeid] = "failed", last_line(report)
        elif report.skipped and self.outcomes.get(report.nodeid, ("passed",))[0] == "passed":
            self.outcomes[report.nodeid] = "skipped", ""

    def pytest_runtest_logfinish(self, nodeid):
        self.tell("end", nodeid, *self.outcomes.pop(nodeid))


class Sample:
    def __init__(self, seconds):
        self.seconds, self.times = seconds, os.times

    def now(self):
        return sum(self.times()[:4])

    def pytest_collection_finish(self, session):
        self.spent = {item.path: 0.0 for item in session.items}
        self.share = self.seconds / min(len(self.spent), 4)
        self.file, self.since = None, self.now()

    def pytest_runtest_protocol(self, item, nextitem):
        now = self.now()
        if self.file is not None:
            # A test that takes minutes must not be the whole sample.
            spent = self.spent[self.file] + now - self.since
            self.spent[self.file] = min(spent, self.share)
        self.file, self.since = item.path, now
        if sum(self.spent.values()) >= self.seconds:
            item.session.shouldstop = "the sample is big enough"
        elif self.spent[item.path] < self.share:
            return None
        # What the tests before have set up for all of their file ends now.
        item.session._setupstate.teardown_exact(None if item.session.shouldstop else nextitem)
        return True


class Chosen:
    def __init__(self, path):
        with open(path) as f:
            self.tests = set(json.load(f))

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if item.nodeid in self.tests]


def last_line(report):
    """What the failure says, in a line."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash is not None else report.longreprtext.strip().rpartition("\n")[2]
    return text.split("\n")[0][:300]


def steady_hypothesis():
    """Tests of examples have the same ones in all runs, however long they take."""
    from hypothesis import HealthCheck, settings
    settings.register_profile("suites", derandomize=True, database=None, deadline=None,
                              suppress_health_check=list(HealthCheck))
    settings.load_profile("suites")


def main():
    del sys.path[0]         # this folder, which is no part of the suite
    if sys.argv[1] == "--hypothesis":
        del sys.argv[1]
        steady_hypothesis()
    plugins = []
    if sys.argv[1] == "--sample":
        plugins.append(Sample(float(sys.argv[2])))
    elif sys.argv[1] == "--tests":
        plugins.append(Chosen(sys.argv[2]))
    events, *arguments = sys.argv[1 + 2 * len(plugins):]
    events = Events(events)
    import pytest
    status = pytest.main(arguments, plugins=[events, *plugins])
    events.tell("finished")
    return status


# Processes that multiprocessing spawns import this file.
if __name__ == "__main__":
    sys.exit(main())
