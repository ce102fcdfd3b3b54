"""Tracebacks of exceptions that trace and profile functions raise: one entry for each frame."""
import sys, traceback
def t(f,e,a):
    if e==which: raise KeyError(e)
    return t
def g():
    x=1
    return x
def gen():
    yield 1
def ex(): raise ValueError
for which in ('call','line','return','exception'):
    for fn in (g,lambda:list(gen()),ex):
        sys.settrace(t)
        try: fn()
        except BaseException as e: sys.settrace(None); traceback.print_exc(file=sys.stdout)
        sys.settrace(None)
def p(f,e,a):
    if e==which and f.f_code.co_name in('g','gen','ex'): raise KeyError(e)
for which in ('call','return','c_call','c_return'):
    for fn in (g,lambda:list(gen()),ex):
        sys.setprofile(p)
        try: fn()
        except BaseException as e: sys.setprofile(None); traceback.print_exc(file=sys.stdout)
        sys.setprofile(None)
