"""Which engine takes the samples of a recording: perf, or the interpreter's own timers.

An engine has

    lines, keeps_maps       whether Python frames have lines, whether perf maps stay
    counts_kernel           whether what the kernel does for a program has its time in a recording
    sees_more_by_frequency  whether more samples a second see shorter threads
    environment(folder)     variables for a program that is started to be recorded
    folder(pid)             a temporary one for the recording of a process that runs
    command, text(folder, pid)
                            what the mailbox of a process is told
    begin(folder, pids)     returns when the processes are sampled
    end()                   returns when all samples are in the folder
    result(program, meta)   sampling.Found; `meta` is what the caller knows

and is for one recording.
"""
from springprof import machine, perf, sampling
from springprof.errors import PerfRefused, Problem
from springprof.perf_engine import PerfEngine
from springprof.timer import TimerEngine

OPTIONS = {"cpu": "--engine timer", "wall": "--wall", "gil": "--mode gil"}


def why_not_perf():
    """None if perf can record here, otherwise one line."""
    for check in machine.check_perf, machine.check_paranoid, machine.check_seccomp:
        finding = check()
        if finding.state == machine.BAD:
            return finding.line()
    return None


def instead(reason):
    return f"recorded by the timer engine, since perf can't: {reason}"


def what_needs_perf(event, keep):
    """The option that the timer engine doesn't have, or None."""
    if event != perf.EVENT:
        return f"-e {event}"
    return "--perf-data" if keep is not None else None


def choose(engine, mode, event, keep):
    """(whether it is to be the timer engine, a note or None)"""
    needs_perf = what_needs_perf(event, keep)
    if engine == "perf" and mode != "cpu":
        raise Problem(f"{OPTIONS[mode]} needs the timer engine")
    if engine == "timer" or mode != "cpu":
        if needs_perf:
            raise Problem(f"{needs_perf} needs perf, {OPTIONS[mode]} the timer engine")
        return True, None
    reason = why_not_perf() if engine == "auto" and not needs_perf else None
    return reason is not None, instead(reason) if reason else None


def with_engine(options, record, *, keep=None):
    """What record(engine) returns, with the engine that the options say, or the one that works."""
    by_timer, note = choose(options.engine, options.mode, options.event, keep)
    if not by_timer:
        try:
            return record(PerfEngine(lines=options.lines, frequency=options.frequency
                                     or sampling.FREQUENCY, event=options.event, keep=keep))
        except PerfRefused as problem:
            if options.engine == "perf" or what_needs_perf(options.event, keep):
                raise
            note = instead(problem)
    return record(TimerEngine(lines=options.lines, frequency=options.frequency,
                              mode=options.mode, notes=[note] if note else []))
