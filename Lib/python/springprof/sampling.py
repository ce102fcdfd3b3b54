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


FASTER = 9999
# What is missing in a recording is told from so much on, of the whole and in seconds.
TOLD_SHARE, TOLD_SECONDS = 0.2, 0.1


def note_unseen(result, used, engine):
    """Each thread's time counts from its own beginning, so one that has ended before its first
    sample is in no recording, and the kernel may give its time to nobody else's samples. `used` is
    what the processes have used of the processor."""
    if result.meta["mode"] != "cpu" or result.meta["unit"] != "ns":
        return
    seconds = used.user + (used.system if engine.counts_kernel else 0)
    missing = seconds - result.total / 1e9
    if missing < max(TOLD_SECONDS, TOLD_SHARE * seconds):
        return
    note = (f"{missing / seconds:.0%} of the processor time ({missing:.2f} of {seconds:.2f} s) is in "
            "no sample: threads and processes that live for a moment are hardly seen")
    if engine.sees_more_by_frequency and result.meta["frequency"] < FASTER:
        note += f"; -F {FASTER} or --engine timer sees more of them"
    result.meta["notes"].append(note)


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
