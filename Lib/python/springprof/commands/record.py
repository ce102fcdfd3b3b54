"""Runs a program and records where its time goes.

    springprof record -- app.py argument…
    springprof record -- -m package
    springprof record -- -c 'code'
    springprof record -- gunicorn app:server

Processes that it forks, and Pythons that it executes, are recorded with it. Ends with the exit code
of the program; the recording is one file, for `springprof report`, `export` and `diff`."""
import os
import resource
import signal
import sys

from springprof import engines, recording, sampling
from springprof.errors import Problem, one_line
from springprof.record_program import default_output, record_program

HELP = "run a program and record it"


def add_arguments(parser):
    parser.usage = ("springprof record [options] "
                    "-- app.py … | -m module … | -c code … | program …")
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="where to write (default: the program's name, .springprof)")
    parser.add_argument("--lines", action="store_true", default=True,
                        help="tell lines, not only functions (the default)")
    sampling.add_arguments(parser)
    parser.add_argument("--perf-data", metavar="FILE",
                        help="keep perf's own file, too, and the maps in /tmp that it needs")


def end_as_program_did(code):
    """Of a program that a signal has ended, a shell sees the signal."""
    if code >= 0:
        return code
    sys.stdout.flush()
    sys.stderr.flush()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        signal.signal(-code, signal.SIG_DFL)
    except OSError:
        pass                    # SIGKILL needs none
    os.kill(os.getpid(), -code)
    return 128 - code


def run(options):
    program = options.after_dashes
    if not program:
        raise Problem("what to run? springprof record -- app.py …")
    sampling.check(options)
    output = options.output or default_output(program)
    recording.check_place(output)
    codes = []
    try:
        result = engines.with_engine(
            options, lambda engine: record_program(program, engine, ended=codes.append),
            keep=options.perf_data)
        sampling.finish(result, output, options.quiet)
    except (Problem, OSError) as error:
        # Who runs a program expects its exit code, also when there is no recording of it.
        if not codes:
            raise
        if not isinstance(error, BrokenPipeError):
            print(f"springprof: {one_line(error)}", file=sys.stderr)
    return end_as_program_did(codes[0])
