"""Switches off what `springprof attach` has switched on in a process. An attach that is killed needs
no detach: the process does it by itself after some seconds. What the program has switched on itself
stays on."""
from springprof import mailbox

HELP = "switch perf support off in a process"


def add_arguments(parser):
    parser.add_argument("pid", type=int, metavar="PID")
    parser.add_argument("--timeout", type=float, default=mailbox.ANSWER_SECONDS, metavar="SECONDS",
                        help="how long to wait for an answer (default: %(default)s)")


def run(options):
    state = mailbox.Mailbox(options.pid).post(mailbox.OFF, options.timeout)
    if state.by & mailbox.BY_PROGRAM:
        print(f"process {options.pid}: {state.what} stays on, because the program has switched it on")
