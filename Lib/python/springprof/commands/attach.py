"""Records a process that runs, and the processes that it has started: from now on, for some
seconds, until ^C, or until it ends.

    springprof attach 1234 -d 30
    springprof attach $(pgrep -o gunicorn)

The process needs no preparation, is not stopped, and runs no code of springprof's. Perf sends it no
signal; by the timer engine, it samples itself. If springprof is killed, the process goes back to
how it was after some seconds."""
import re
import signal
import sys

from springprof import engines, mailbox, recording, sampling
from springprof.attach_process import attach_process
from springprof.errors import Problem

HELP = "record a process that runs"
MOST_SECONDS = 10 ** 8


def add_arguments(parser):
    parser.add_argument("pid", type=int, metavar="PID")
    parser.add_argument("-d", "--duration", type=float, metavar="SECONDS",
                        help="how long (default: until ^C, or until the process ends)")
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="where to write (default: the program's name and number, .springprof)")
    sampling.add_arguments(parser)
    parser.add_argument("--no-children", action="store_false", dest="children",
                        help="not the processes that it has started before")
    parser.add_argument("--timeout", type=float, default=mailbox.ANSWER_SECONDS, metavar="SECONDS",
                        help="how long to wait until it runs Python (default: %(default)s)")


def default_output(pid):
    name = re.sub(r"[^\w.+-]+", "_", mailbox.command_of(pid)) or "process"
    return f"{name}-{pid}.springprof"


def check_seconds(option, value):
    if value is not None and not 0 < value <= MOST_SECONDS:     # nan is neither
        raise Problem(f"{option}: a number of seconds, more than 0")


def run(options):
    sampling.check(options)
    check_seconds("-d", options.duration)
    check_seconds("--timeout", options.timeout)
    mailbox.Mailbox(options.pid).check_open()
    output = options.output or default_output(options.pid)
    recording.check_place(output)

    def say():
        if not options.quiet:
            until = f"for {options.duration:g} s" if options.duration else "until ^C"
            print(f"springprof: recording process {options.pid} "
                  f"({mailbox.command_of(options.pid)}) {until}", file=sys.stderr, flush=True)

    # A request to end us ends the recording, which is then written.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    result = engines.with_engine(options, lambda engine: attach_process(
        options.pid, engine, seconds=options.duration, patience=options.timeout,
        children=options.children, say=say))
    sampling.finish(result, output, options.quiet)
