"""What is told of objects that are no paths, by the short names of their types; of too few and too many
arguments of functions of os; and Match.expand() with a keyword."""
import ast
import collections
import datetime
import io
import os
import re
import warnings
from array import array

warnings.simplefilter("always")


class Answers:
    def __init__(self, answer):
        self.answer = answer

    def __fspath__(self):
        return self.answer


def told(f, *args, **kwargs):
    with warnings.catch_warnings(record=True) as caught:
        try:
            result = f(*args, **kwargs)
        except Exception as e:
            result = type(e).__name__, str(e)
    print(f.__name__, result, [str(w.message) for w in caught])


NO_PATHS = [datetime.date(2020, 1, 1), collections.OrderedDict(), collections.deque(), re.compile("a"), io.StringIO(),
            ast.AST(), datetime.timezone.utc, datetime.date, array("b", b"/none"), bytearray(b"/none"),
            Answers(collections.deque()), Answers(None), Answers(datetime.date)]
for x in NO_PATHS:
    for f in open, os.fspath, os.stat, os.listdir, io.FileIO, os.fsencode, os.execve, os.truncate:
        told(f, x, *{os.execve: ([], {}), os.truncate: (1,)}.get(f, ()))
    told(lambda path: compile("1", path, "eval").co_filename, x)

for name in ("unsetenv setresuid setreuid getgrouplist initgroups putenv sched_setparam setpgid execv fpathconf "
             "sched_setaffinity killpg waitpid sched_setscheduler kill ftruncate tcsetpgrp posix_fallocate "
             "posix_fadvise lseek waitid readv writev preadv pwritev closerange makedev set_inheritable lockf read "
             "pread set_blocking write pwrite get_terminal_size").split():
    f = getattr(os, name)
    told(f, *[None] * 9)
    if name != "get_terminal_size":
        told(f)
        told(f, None)

told(io.BufferedRWPair)
told(io.BufferedRWPair, 1)
told(io.BufferedRWPair, 1, 2, 3, 4)
told(io.BufferedRWPair, 1, 2)

match = re.match("(?P<q>a)(b)?", "ac")
told(match.expand, template=r"x\1\g<q>")
told(match.expand, r"x\1")
told(match.expand)
told(match.expand, nope=1)
told(match.expand, "a", "b")
told(match.expand, "a", template="b")
told(ast.AST, 1)
told(ast.Name, 1, 2, 3)
told(ast.Name, 1, id=2)
