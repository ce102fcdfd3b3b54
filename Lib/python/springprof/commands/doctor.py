"""Looks at what decides whether programs can be recorded here: perf, permissions, /tmp, the
interpreter. Says of each what was found, what it means, and what to do. With the number of a
process: whether that one can be recorded. Exits with 1 if something stands in the way."""
from springprof import machine

HELP = "what this machine allows, and how to allow more"


def add_arguments(parser):
    parser.add_argument("pid", nargs="?", type=int, metavar="PID")


def run(options):
    findings = machine.all_findings(options.pid)
    for finding in findings:
        print(f"{finding.state:8}{finding.name}: {finding.found}")
        print(f"        {finding.meaning}")
        if finding.remedy and finding.state != machine.GOOD:
            print(f"        -> {finding.remedy}")
    return int(any(finding.state == machine.BAD for finding in findings))
