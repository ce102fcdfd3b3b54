"""What a command says when it can't do what it is asked to."""


def one_line(error):
    """What is said of a Problem, or of an OSError that nobody has expected."""
    if isinstance(error, OSError):
        what = error.strerror or str(error)
        return f"{error.filename}: {what}" if error.filename else what
    return str(error)


class Problem(Exception):
    """Its text is one line for the user: what is wrong, and what to do. No traceback is shown."""


class PerfRefused(Problem):
    """perf has not begun to record; nothing else has happened."""
