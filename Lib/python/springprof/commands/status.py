"""Says of running processes whether perf support is on in them, and who has switched it on. It only
looks, so it works for a process that is stuck, too."""
from springprof import mailbox
from springprof.errors import Problem

HELP = "whether perf support is on in a process"


def add_arguments(parser):
    parser.add_argument("pid", type=int, nargs="+", metavar="PID")


def describe(state):
    if state.state == mailbox.REFUSES:
        attach = "; does not let tools attach (-X perf_attach=0)"
    else:
        attach = "" if state.state == mailbox.OPEN else "; is starting or ending"
    if state.backend == "off":
        return "off" + attach
    owners = [name for bit, name in ((mailbox.BY_PROGRAM, "the program"),
                                     (mailbox.BY_TOOL, "springprof")) if state.by & bit]
    samples = f"; takes {state.sampling} samples a second" if state.sampling else ""
    return f"{state.what}, by {' and '.join(owners) or 'nobody'}" + samples + attach


def run(options):
    code = 0
    for pid in options.pid:
        try:
            print(f"{pid}: {describe(mailbox.Mailbox(pid).read())}")
        except Problem as problem:
            if len(options.pid) == 1:
                raise
            print(f"{pid}: {problem}")
            code = 1
    return code
