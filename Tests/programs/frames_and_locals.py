import sys
def f(a, b):
    c = a + b
    fr = sys._getframe()
    def inner(): return c
    print(sorted(fr.f_locals.items(), key=lambda t: t[0])[:3], fr.f_lineno - fr.f_code.co_firstlineno, fr.f_back.f_code.co_name, fr.f_code.co_varnames, fr.f_code.co_cellvars)
    return fr
fr = f(1, 2)
print(fr.f_locals['a'], fr.f_locals['c'], fr.f_back is sys._getframe(), fr)if 0 else print(fr.f_locals['a'], fr.f_locals['c'])
fr.clear(); print(fr.f_locals)
def e():
    x = 'local'
    raise KeyError
try: e()
except KeyError as ex:
    tb = ex.__traceback__
    while tb: print(tb.tb_frame.f_code.co_name, tb.tb_lineno, tb.tb_frame.f_locals.get('x')); tb = tb.tb_next
def loc():
    a = 1; exec('b = 2'); return sorted(locals())
print(loc(), eval('1 + 2'), eval('x', {'x': 5}))
ns = {}; exec('def q(): return __name__\nz = 3', ns); print(ns['z'])
class K:
    v = 1
    print(sorted(k for k in locals() if not k.startswith('__')))
def dl():
    x = 1; del x
    try: x
    except UnboundLocalError as e: print(e)
    def y(): return z
    try: y()
    except NameError as e: print(e)
    z = 1
dl()
print(f.__code__.co_argcount, f.__code__.co_nlocals, f.__code__.co_flags, f.__code__.co_freevars)
