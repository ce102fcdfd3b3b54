"""Demanding programs, each run with and without perf support: the output is the same, and
nothing is lost."""
import os
import unittest

from support import run
from test_jitdump import dump_path

LONG = "many programs, each recorded"

MODES = (), ("perf",), ("perf_lines",), ("perf_jit", "perf_lines"), ("perf_gdb",)
SWITCHES = """
import os, sys
on, off = sys.activate_stack_trampoline, sys.deactivate_stack_trampoline
def switch(mode):
    off()
    if mode: on('perf', lines=mode == 2)
"""

PROGRAMS = {
"exceptions_through_10000_frames": """
import sys
sys.setrecursionlimit(40000)
log = []
def down(n):
    try:
        if n == 0: raise KeyError('x')
        return down(n - 1)
    finally:
        log.append(n)
for i in range(3):
    try: down(10000)
    except KeyError as e:
        tb, depth = e.__traceback__, 0
        while tb: tb, depth = tb.tb_next, depth + 1
        print(depth, len(log))
def gen(n):
    if n: yield from gen(n - 1)
    else: raise ValueError
try: list(gen(9000))
except ValueError: print('gen')
""",
"recursion_deeper_than_the_stack_of_c": """
import sys
sys.setrecursionlimit(10**7)
def down(n): return 0 if n == 0 else 1 + down(n - 1)
print(down(400_000))
def inf(n): return inf(n + 1)
sys.setrecursionlimit(1000)
try: inf(0)
except RecursionError as e: print(e)
""",
"switching_deep_in_a_recursion": """
sys.setrecursionlimit(20000)
def deep(n, at):
    if n == 0:
        off()
        raise ZeroDivisionError
    if n == at: switch(0)
    if n == at - 100: switch(1)
    if n == at - 200: switch(2)
    return deep(n - 1, at) + 1
for at in 5000, 3000, 1000, 300:
    try: deep(6000, at)
    except ZeroDivisionError: print('back', at)
def half(n):
    if n == 0:
        switch(1)
        return 0
    result = half(n - 1) + 1
    if n == 50: off()
    return result
print(half(100), half(3000))
off()
""",
"switching_by_a_signal_anywhere": """
import functools, signal
off()
calls = 0
def handler(*args):
    global calls
    calls += 1
    try: switch(calls % 3)
    except ValueError: pass     # it has interrupted itself
signal.signal(signal.SIGALRM, handler)
# Slower than a switch takes, or nothing else would ever run.
pause = .02 if 'SPRINGBOARD_EMULATOR' in os.environ else .0005
signal.setitimer(signal.ITIMER_REAL, pause, pause)
def key(v): return negative(v)
def negative(v): return -v
class Del:
    def __del__(self): sum(x for x in range(3))
def generator(n):
    try:
        for i in range(n):
            Del()
            yield i
    finally:
        Del()
rounds = 0
while (rounds := rounds + 1) <= 30 or calls <= 5:
    assert sorted(range(2000), key=key)[0] == 1999
    assert functools.reduce(lambda a, b: a + b, range(500)) == 124750
    assert sum(generator(200)) == 19900
    suspended = generator(5); next(suspended); suspended.close()
    suspended = generator(5); next(suspended)
    try: suspended.throw(KeyError)
    except KeyError: pass
signal.setitimer(signal.ITIMER_REAL, 0)
off()
print(calls > 5)
""",
"tracing_what_is_shown": """
import itertools
off()
events = []
def trace(frame, what, arg):
    events.append((frame.f_code.co_name, what, frame.f_lineno - frame.f_code.co_firstlineno))
    return trace
SOURCE = \"\"\"
def gen(n):
    for i in range(n):
        try: yield i
        except KeyError: pass
async def coroutine(n):
    return n if not n else await coroutine(n - 1)
def work():
    r = [sum(gen(2)), sorted([2, 1],
                             key=lambda v: -v)]
    try: coroutine(2).send(None)
    except StopIteration as e: r.append(e.value)
    g = gen(3); next(g); g.throw(KeyError); g.close()
    return r
\"\"\"
def observed(work):
    events.clear()
    sys.settrace(trace)
    work()
    sys.settrace(None)
    return events[:-1]
def new_work():
    space = {}
    exec(SOURCE, space)
    return space['work']
reference = observed(new_work())
for modes in itertools.product(range(3), repeat=4):
    work = new_work()
    for mode in modes:
        switch(mode)
        if mode == modes[0]: work()
        found = observed(work)
        assert found == reference, (modes, mode, found)
off()
print(len(reference))
""",
"generators_finalised_by_the_collector": """
import asyncio, gc
log = []
def inner():
    try: yield 1
    finally: log.append(sum(x for x in range(4)))
def outer(box):
    try: yield from inner()
    finally: log.append('outer')
def make(i):
    box = []
    it = outer(box)
    box.append(it)
    next(it)
    switch(i % 3)
for i in range(400):
    make(i)
    if i % 7 == 0: gc.collect()
gc.collect()
async def numbers(n):
    try:
        for i in range(n): yield i
    finally:
        log.append('closed')
        await asyncio.sleep(0)
async def main():
    for i in range(40):
        async for x in numbers(5):
            if x == 2:
                switch(i % 3)
                break
        started = numbers(3)
        await started.__anext__()
        if i % 3: await started.aclose()
        try: await numbers(2).athrow(ValueError)
        except ValueError: pass
asyncio.run(main())
gc.collect()
off()
print(log.count('outer'), log.count(6), log.count('closed') >= 40)
""",
"forks_of_many_threads": """
import os, signal, subprocess, threading
def f(n): return n if n < 2 else f(n-1) + f(n-2)
bad = []
def w():
    for i in range(6):
        pid = os.fork()
        if pid == 0:
            signal.alarm(60)
            ok = f(12) == 144
            exec('def fresh(): return 5\\nassert fresh() == 5')
            for p in (f'/tmp/perf-{os.getpid()}.map', f'/tmp/jit-{os.getpid()}.dump'):
                if os.path.exists(p): os.unlink(p)
            os._exit(0 if ok else 1)
        f(13)
        if os.waitpid(pid, 0)[1]: bad.append(pid)
ts = [threading.Thread(target=w) for _ in range(6)]
for t in ts: t.start()
for t in ts: t.join()
pid = os.posix_spawn('/bin/true', ['true'], os.environ); os.waitpid(pid, 0)
echo = subprocess.Popen(['echo', 'hi'], stdout=subprocess.PIPE, preexec_fn=lambda: f(5))
print(echo.communicate()[0], bad)
for p in (f'/tmp/perf-{echo.pid}.map', f'/tmp/jit-{echo.pid}.dump'):
    if os.path.exists(p): os.unlink(p)
""",
"other_interpreters": """
import _xxsubinterpreters as s
ids = [s.create() for i in range(3)]
def f(n): return n if n < 2 else f(n-1)+f(n-2)
for i in ids:
    s.run_string(i, "def f(n): return n if n < 2 else f(n-1)+f(n-2)\\nassert f(10)==55\\nimport sys\\nassert list(x for x in range(3))==[0,1,2]")
off()
on('perf')
for i in ids: s.run_string(i, "assert f(10)==55; assert sorted([2,1],key=lambda v: v)==[1,2]")
f(10); off()
for i in ids:
    s.run_string(i, "sys.activate_stack_trampoline('perf', lines=True); f(8)")
    f(8)
    try: on('perf')
    except ValueError as e: pass
    s.destroy(i)
print(sys.is_stack_trampoline_active())
""",
"code_that_is_replaced_while_it_runs": """
def f(n):
    if n == 5:
        f.__code__ = g.__code__
        import gc; gc.collect()
    return f(n - 1) + 1 if n else 0
def g(n): return 100 + n
print(f(9))
def h(): 
    for i in range(3): yield i
    h.__code__ = k.__code__
def k(): return 7
print(list(h()), h())
for lt in (b'', b'\\xff'*50, b'\\x00'*7, b'\\x80\\x00', b'\\xf8\\x00\\x01'*20):
    for fl in (1, 0, 2**31 - 1):
        def m(a): 
            b = a + 1
            return [b for i in range(2)]
        m.__code__ = m.__code__.replace(co_linetable=lt, co_firstlineno=fl)
        print(m(3))
m.__code__ = m.__code__.replace(co_qualname='', co_filename='', co_name='')
print(m(1))
""",
"callbacks_of_a_c_library": """
import ctypes
CB = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
libc = ctypes.CDLL(None)
k = 0
def cmp(a, b):
    global k; k += 1
    if k % 50 == 0: off()
    if k % 50 == 25: off(); on('perf', lines=k % 100 == 25)
    return helper(a[0] - b[0])
def helper(v): return v
for i in range(30):
    arr = (ctypes.c_int * 40)(*[(j * 7919) % 41 for j in range(40)])
    libc.qsort(arr, 40, 4, CB(cmp))
    assert list(arr) == sorted(arr)
def rec(n):
    if n == 0: return 1
    arr = (ctypes.c_int * 2)(2, 1)
    r = []
    def c(a, b):
        if not r: r.append(rec(n - 1))      # the sanitizers' qsort() compares twice
        return a[0] - b[0]
    libc.qsort(arr, 2, 4, CB(c)); return r[0] + 1
print(rec(40)); off()
""",
"a_hundred_thousand_functions": """
source = "\\n".join(f"def f{i}(): return {i}" for i in range(50_000))
total = 0
spaces = []
for k in range(2):
    space = {}
    exec(source, space)
    spaces.append(space)
for space in spaces:
    for i in range(50_000): total += space[f'f{i}']()
print(total)
""",
"closing_every_descriptor": """
import tempfile
def use(i):
    space = {}
    name = f'f_{i}_' + 'x' * 200
    exec(f'def {name}(): pass', space)
    space.pop(name)()
for i in range(10): use(i)
os.closerange(3, 256)
files = [tempfile.TemporaryFile() for i in range(8)]
for file in files:
    file.write(b'mine' * 10)
    file.flush()
for i in range(10, 2000): use(i)
off()
for file in files:
    file.seek(0)
    data = file.read()
    assert data == b'mine' * 10, data[:80]
if 'perf' in sys._xoptions or 'perf_lines' in sys._xoptions and 'perf_jit' not in sys._xoptions:
    # (In other modes there may be one of an earlier process that had this number.)
    at_end = open(f'/tmp/perf-{os.getpid()}.map').read()
    assert at_end.count('py::f_') == 2000, at_end.count('py::f_')
print('whole')
""",
"the_end_of_the_interpreter": """
import atexit, threading, time
class D:
    def __init__(self, k): self.k = k
    def __del__(self, sys=sys):
        [x for x in range(3)]
        sys.deactivate_stack_trampoline()
        if self.k % 2: sys.activate_stack_trampoline('perf')
keep = [D(i) for i in range(7)]
sys.modules['keep'] = D(8); sys.foo = D(9)
import builtins; builtins.bar = D(11)
def spin():
    while 1: sum(i for i in range(100))
threading.Thread(target=spin, daemon=True).start()
atexit.register(lambda: sys.activate_stack_trampoline('perf') if not sys.is_stack_trampoline_active() else None)
time.sleep(.05); print('bye')
""",
}


class HardPrograms(unittest.TestCase):
    def check(self, name):
        reference = None
        for mode in MODES:
            options = [word for option in mode for word in ("-X", option)]
            status, out, err, _ = run(SWITCHES + PROGRAMS[name] + "\nprint(os.getpid())",
                                      *options, timeout=200)
            *lines, pid = out.splitlines() or [""]
            if pid and os.path.exists(dump_path(pid)):
                os.unlink(dump_path(pid))
            self.assertEqual((status, err), (0, ""), (name, mode))
            reference = reference or lines
            self.assertEqual(lines, reference, (name, mode))


for name in PROGRAMS:
    setattr(HardPrograms, f"test_{name}", lambda self, name=name: self.check(name))


if __name__ == "__main__":
    unittest.main()
