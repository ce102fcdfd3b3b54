"""What `record` and `attach` share: the options of a recording, what an engine has found, and how
the end is told."""
import sys

from springprof import machine, perf, recording, tables
from springprof.errors import Problem


FREQUENCY = 999


def add_engine(parser):
    parser.add_argument("--engine", choices=("auto", "perf", "timer"), default="auto",
                        help="what takes the samples: the system's perf, or timers in the program, "
                             "which need no perf and see no kernel (default: perf if it is "
                             "allowed, otherwise timers)")


def add_arguments(parser):
    parser.add_argument("--no-lines", action="store_false", dest="lines",
                        help="functions only; costs a little less")
    parser.add_argument("-F", "--frequency", type=int, metavar="HZ",
                        help=f"samples a second (default: {FREQUENCY})")
    parser.add_argument("-e", "--event", default=perf.EVENT,
                        help="perf's event to sample (default: %(default)s, the processor's time)")
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing if all is well")
    parser.add_argument("--wall", action="store_const", const="wall", dest="mode", default="cpu",
                        help="all time of every thread that runs Python, sleeping and waiting, too "
                             "(timer engine; -F: 199)")
    parser.add_argument("--mode", choices=("cpu", "wall", "gil"), default="cpu",
                        help="cpu: processor time; wall: as --wall; gil: the time in which a "
                             "thread holds the GIL or waits for it (default: %(default)s)")
    add_engine(parser)


class Found:
    """`pids` are of all processes that were seen, `maps` what their names are from."""

    def __init__(self, recording, pids, maps):
        self.recording, self.pids, self.maps = recording, pids, maps


def note_missing_python(result):
    """Names need memory that can be executed, which a sandbox may forbid to us and the program."""
    if len(result.times) <= 20 or any(frame.is_python for frame in result.frames):
        return
    finding = machine.check_interpreter()
    why = finding.line() if finding.state == machine.BAD else \
        "springprof shows programs that run on Springboard; does this one?"
    result.meta["notes"].append("no Python function was seen: " + why)


def check(options):
    if options.frequency is not None and not 1 <= options.frequency <= 20000:
        raise Problem("-F: 1 to 20000 samples a second")


def finish(result, output, quiet):
    """Writes a recording, and says what is in it."""
    recording.write(result, output)
    if quiet:
        return
    for note in result.meta["notes"]:
        print(f"springprof: note: {note}", file=sys.stderr)
    total = tables.quantity(result.total, result.meta, " ")
    print(f"springprof: {output}: {len(result.times)} samples, {total} "
          f"{tables.measure(result.meta)} in {result.meta['seconds']:.2f} s; now: "
          f"springprof report {output}", file=sys.stderr)
