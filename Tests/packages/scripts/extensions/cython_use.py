"""Compiles an extension with Cython against the headers of python3.11-dev, and uses it."""
import importlib.util
import os
import subprocess

SOURCE = '''
# cython: language_level=3
import cython
cdef class Counter:
    cdef public int n
    cdef dict seen
    def __init__(self): self.n = 0; self.seen = {}
    def add(self, key, *, int by=1):
        self.n += by
        self.seen[key] = self.seen.get(key, 0) + by
        return self.seen
    def __iter__(self): return iter(sorted(self.seen))
    def __getitem__(self, key): return self.seen[key]
def primes(int most):
    cdef int n, i
    found = []
    for n in range(2, most):
        for i in found:
            if n % i == 0: break
        else: found.append(n)
    return found
def squares(n):
    for i in range(n): yield i * i
async def waits(what): return await what
def fails(x): raise ValueError(f"bad {x!r}")
def total(double[:] view):
    cdef double s = 0
    for i in range(view.shape[0]): s += view[i]
    return s
def closure(a):
    def inner(b, *args, c=3, **more): return a, b, args, c, more
    return inner
'''
import Cython.Compiler.Main as compiler
with open("made.pyx", "w") as f:
    f.write(SOURCE)
compiler.compile("made.pyx")
subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-w", "-I/usr/include/python3.11", "made.c", "-o", "made.so"],
               check=True)
spec = importlib.util.spec_from_file_location("made", os.path.abspath("made.so"))
made = importlib.util.module_from_spec(spec)
spec.loader.exec_module(made)
counter = made.Counter()
counter.add("x")
print(counter.add("y", by=3), counter.n, list(counter), counter["y"])
print(made.primes(40), list(made.squares(5)), made.closure(1)(2, 4, c=5, d=6))
import array
print(made.total(array.array("d", [1.5, 2.5])))


async def three():
    return 3


import asyncio
print(asyncio.run(made.waits(three())))
for wrong in (lambda: made.fails("x"), lambda: counter.add(), lambda: made.primes("x"), lambda: made.total(b"x"), lambda: counter["q"]):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
try:
    made.fails(1)
except ValueError as error:
    import traceback
    print(traceback.extract_tb(error.__traceback__)[-1].name)
