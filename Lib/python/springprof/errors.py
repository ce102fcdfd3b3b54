"""What a command says when it can't do what it is asked to."""


class Problem(Exception):
    """Its text is one line for the user: what is wrong, and what to do. No traceback is shown."""


class PerfRefused(Problem):
    """perf has not begun to record; nothing else has happened."""
