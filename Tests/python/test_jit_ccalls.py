"""Calls of C code from machine code: the same values, errors, events, frames and order of
destruction as python3.11."""

import unittest

from jit_cases import add_cases

SETUP = """
    import sys
    class Loud:
        def __init__(self, name): self.name = name
        def __del__(self): print('del', self.name)
        def __repr__(self): return self.name
    def tries(f, *args):
        try:
            return f(*args)
        except Exception as e:
            return type(e).__name__, str(e)
    def warm(f, *args):
        for i in range(1500): r = f(*args)
        return r
    def lines(f, *args):
        try:
            f(*args)
        except Exception as e:
            t, out = e.__traceback__, []
            while t is not None:
                out.append((t.tb_frame.f_code.co_name, t.tb_lineno))
                t = t.tb_next
            return type(e).__name__, str(e), out
"""

# name: (program, what python3.11 prints)
CASES = {
    "values": ("""
        import math, functools, operator
        from collections import deque, OrderedDict
        def f(x, s, l):
            return (getattr(s, 'upper')(), list(l), tuple(l), set(l), dict(zip(l, l)), sorted(l),
                    sum(l), math.floor(x + 0.5), math.hypot(3, x), s.split(), s.partition(' '),
                    l.count(x), l.copy(), s.encode(), repr(x), len(deque(l)), len(range(x)),
                    frozenset(l), list(enumerate(s, x)), list(reversed(l)), int('7'), float('1.5'),
                    str(l), bytes(2), complex(x, 1), dict(a=x, b=s), max(l, key=str),
                    s.split(sep=' '),
                    operator.add(x, 1), functools.reduce(operator.add, l), 
                    isinstance(x, (str, (int,))))
        warm(f, 3, 'a b', [3, 1, 2])
        print(f(3, 'a b', [3, 1, 2]))
        print(f(300, 'a b', [1 << 40, 1, 2]))
        print(tries(f, 3.0, 'a b', [3]))
        print(tries(f, 3, b'a b', [3]))
        print(tries(f, 3, 'a b', 5))
        """,
        "('A B', [3, 1, 2], (3, 1, 2), {1, 2, 3}, {3: 3, 1: 1, 2: 2}, [1, 2, 3], 6, 3, "
        "4.242640687119285, ['a', 'b'], ('a', ' ', 'b'), 1, [3, 1, 2], b'a b', '3', 3, 3, "
        "frozenset({1, 2, 3}), [(3, 'a'), (4, ' '), (5, 'b')], [2, 1, 3], 7, 1.5, '[3, 1, "
        "2]', b'\\x00\\x00', (3+1j), {'a': 3, 'b': 'a b'}, 3, ['a', 'b'], 4, 6, True)\n"
        "('A B', [1099511627776, 1, 2], (1099511627776, 1, 2), {1099511627776, 1, 2}, "
        '{1099511627776: 1099511627776, 1: 1, 2: 2}, [1, 2, 1099511627776], '
        "1099511627779, 300, 300.01499962501873, ['a', 'b'], ('a', ' ', 'b'), 0, "
        "[1099511627776, 1, 2], b'a b', '300', 3, 300, frozenset({1099511627776, 1, 2}), "
        "[(300, 'a'), (301, ' '), (302, 'b')], [2, 1, 1099511627776], 7, 1.5, "
        "'[1099511627776, 1, 2]', b'\\x00\\x00', (300+1j), {'a': 300, 'b': 'a b'}, 2, "
        "['a', 'b'], 301, 1099511627779, True)\n"
        '(\'TypeError\', "\'float\' object cannot be interpreted as an integer")\n'
        '(\'TypeError\', "a bytes-like object is required, not \'str\'")\n'
        '(\'TypeError\', "\'int\' object is not iterable")\n'),
    "tagged_arguments": ("""
        def f(d, l, x):
            l.insert(0, x)
            d.setdefault(x, x + 1)
            d.update({x: x * 2})
            return l.pop(0), d.pop(x, None), divmod(x, 7), hex(x), l.index(x) if x in l else -1
        for x in (5, 300, 1 << 40, 1 << 70, -6, -5):
            print(warm(f, {}, [x], x))
        for x in ('a', 2.5): print(tries(f, {}, [x], x))
        """,
        "(5, 10, (0, 5), '0x5', 0)\n"
        "(300, 600, (42, 6), '0x12c', 0)\n"
        "(1099511627776, 2199023255552, (157073089682, 2), '0x10000000000', 0)\n"
        '(1180591620717411303424, 2361183241434822606848, (168655945816773043346, 2), '
        "'0x400000000000000000', 0)\n"
        "(-6, -12, (-1, 1), '-0x6', 0)\n"
        "(-5, -10, (-1, 2), '-0x5', 0)\n"
        '(\'TypeError\', \'can only concatenate str (not "int") to str\')\n'
        '(\'TypeError\', "\'float\' object cannot be interpreted as an integer")\n'),
    "errors": ("""
        def f(s, l, x):
            a = s.join(l)
            b = (
                getattr(x,
                        a))
            return b
        def g(l, x):
            try:
                return l.index(x)
            except ValueError as e:
                return 'not', e.args
        class C: ab = 7
        print(warm(f, '', ['a', 'b'], C))
        print(lines(f, '', ['a', 1], C))
        print(lines(f, '', ['a', 'c'], C))
        print(lines(f, 1, ['a', 'c'], C))
        print(warm(g, [1, 2], 2), g([1, 2], 3), g([], 3), tries(g, (1,), 2), tries(g, 5, 2))
        def n(d): return d.popitem()
        def warm_n():
            for i in range(1500): n({i: i})
        warm_n()
        print(tries(n, {}), lines(n, {})[2])
        def t(x): return list(x)
        warm(t, (1,))
        print(tries(t, 5), t('ab'), lines(t, 5)[2])
        """,
        '7\n'
        "('TypeError', 'sequence item 1: expected str instance, int found', [('lines', "
        "17), ('f', 26)])\n"
        '(\'AttributeError\', "type object \'C\' has no attribute \'ac\'", [(\'lines\', '
        "17), ('f', 28)])\n"
        '(\'AttributeError\', "\'int\' object has no attribute \'join\'", [(\'lines\', '
        "17), ('f', 26)])\n"
        "1 ('not', ('3 is not in list',)) ('not', ('3 is not in list',)) ('not', "
        '(\'tuple.index(x): x not in tuple\',)) (\'AttributeError\', "\'int\' object has '
        'no attribute \'index\'")\n'
        '(\'KeyError\', "\'popitem(): dictionary is empty\'") [(\'lines\', 17), (\'n\', '
        '42)]\n'
        '(\'TypeError\', "\'int\' object is not iterable") [\'a\', \'b\'] [(\'lines\', '
        "17), ('t', 47)]\n"),
    "destruction": ("""
        class Get:
            def __getattr__(self, name):
                print('get', name)
                raise AttributeError(name)
        def f(a, l):
            l.append(repr(len(l)))
            l.extend([Loud('item' + a)])
            print('extended')
            print(len([Loud('len' + a)]), 'len')
            x = getattr(Loud('own' + a), 'name')
            print(x)
            y = tuple([Loud('tuple' + a)])
            print('made')
            y = None
            print('gone')
            return getattr(Get(), a + 'x', Loud('default' + a)).name
        def silent(*a): pass
        out, real = [], print
        def capture(*a): out.append(a)
        print = capture
        warm(f, 'a', [])
        print = real
        out.clear()
        f('b', [])
        def g(l): return l.index(Loud('sought'))
        print(lines(g, []))
        for i in range(3): print(tries(g, [1]))
        """,
        'extended\n'
        'del lenb\n'
        '1 len\n'
        'del ownb\n'
        'ownb\n'
        'made\n'
        'del tupleb\n'
        'gone\n'
        'get bx\n'
        'del defaultb\n'
        'del itemb\n'
        'del sought\n'
        "('ValueError', 'sought is not in list', [('lines', 17), ('g', 49)])\n"
        'del sought\n'
        "('ValueError', 'sought is not in list')\n"
        'del sought\n'
        "('ValueError', 'sought is not in list')\n"
        'del sought\n'
        "('ValueError', 'sought is not in list')\n"),
    "replaced": ("""
        import math
        h = math.floor
        def f(x): return h(x)
        def g(x): return len(x)
        print(warm(f, 2.5), warm(g, {1, 2}))
        h = math.ceil
        print(f(2.5))
        h = lambda x: 'lambda'
        print(f(2.5))
        h = str
        print(f(2.5))
        h = 5
        print(tries(f, 2.5))
        len = lambda x: 'length'
        print(g({1}))
        del len
        print(g({1, 2, 3}), tries(g, 5))
        class L:
            def __len__(self): return 11
        class N:
            def __len__(self): return -1
        class E:
            def __len__(self): raise KeyError('e')
        print(g(L()), tries(g, N()), tries(g, E()), lines(g, E())[2])
        class S(str):
            def partition(self, x): return 'mine', x
        def m(s): return s.partition(',')
        warm(m, 'a,b')
        print(m('a,b'), m(S('a,b')), m(b'a,b') if 0 else None, tries(m, 5))
        class T(str): pass
        print(m(T('x,y')))
        """,
        '2 2\n'
        '3\n'
        'lambda\n'
        '2.5\n'
        '(\'TypeError\', "\'int\' object is not callable")\n'
        'length\n'
        '3 (\'TypeError\', "object of type \'int\' has no len()")\n'
        '11 (\'ValueError\', \'__len__() should return >= 0\') (\'KeyError\', "\'e\'") '
        "[('lines', 17), ('g', 28), ('__len__', 47)]\n"
        '(\'a\', \',\', \'b\') (\'mine\', \',\') None (\'AttributeError\', "\'int\' '
        'object has no attribute \'partition\'")\n'
        "('x', ',', 'y')\n"),
    "bound": ("""
        def f(n):
            l, d = [], {}
            add, get, ends = l.append, d.setdefault, 'abc'.endswith
            for i in range(n):
                add(i)
                get(i, i)
                if i > n - 3: add(ends('c'))
            return l[-4:], len(l), len(d)
        print(warm(f, 3), f(1000))
        def g(f, x): return f(x)
        print(warm(g, 'abc'.index, 'c'))
        print(g([].append, 'c'), g(lambda x: x, 1), tries(g, 'abc'.index, 'd'))
        print(g(int, '3'), g(len, 'ab'))
        """,
        '([1, True, 2, True], 5, 3) ([998, True, 999, True], 1002, 1000)\n'
        '2\n'
        "None 1 ('ValueError', 'substring not found')\n"
        '3 2\n'),
    "events": ("""
        import math
        log = []
        def note(frame, event, arg):
            log.append((event, frame.f_code.co_name, frame.f_lineno - first,
                        getattr(arg, '__name__', None)))
        def f(x, l):
            y = math.floor(x)
            l.insert(0, y)
            return sorted(l), list(l), len({1})
        first = f.__code__.co_firstlineno
        warm(f, 1.5, [])
        sys.setprofile(note)
        f(2.5, [3])
        sys.setprofile(None)
        for entry in log: print(entry)
        log.clear()
        def on(l):
            l.sort(key=lambda x: sys.setprofile(note) if switch else None)
            l.index(1)
            return math.floor(3.5)
        switch = 0
        warm(on, [1])
        switch = 1
        first = on.__code__.co_firstlineno
        on([1])
        sys.setprofile(None)
        for entry in log: print(entry)
        """,
        "('call', 'f', 0, None)\n"
        "('c_call', 'f', 1, 'floor')\n"
        "('c_return', 'f', 1, 'floor')\n"
        "('c_call', 'f', 2, 'insert')\n"
        "('c_return', 'f', 2, 'insert')\n"
        "('c_call', 'f', 3, 'sorted')\n"
        "('c_return', 'f', 3, 'sorted')\n"
        "('c_call', 'f', 3, 'len')\n"
        "('c_return', 'f', 3, 'len')\n"
        "('return', 'f', 3, None)\n"
        "('c_call', '<module>', 8, 'setprofile')\n"
        "('return', '<lambda>', 1, None)\n"
        "('c_call', 'on', 2, 'index')\n"
        "('c_return', 'on', 2, 'index')\n"
        "('c_call', 'on', 3, 'floor')\n"
        "('c_return', 'on', 3, 'floor')\n"
        "('return', 'on', 3, None)\n"
        "('c_call', '<module>', 9, 'setprofile')\n"),
    "frames": ("""
        def look(x):
            f = sys._getframe(1)
            seen.append((f.f_code.co_name, f.f_lineno - f.f_code.co_firstlineno,
                         sorted(f.f_locals)))
            return x
        class K:
            def __init__(self, n): self.n = n
            def __lt__(self, other):
                look(0)
                seen.append(sys._getframe(1).f_locals['z'])
                return self.n < other.n
        def f(l):
            z = len(l) * 1.5
            l.sort(key=look)
            z += 1
            return sorted(l)
        for i in range(300):
            seen = []
            f([K(2), K(1)])
        print(seen)
        """,
        "[('f', 2, ['l', 'z']), ('f', 2, ['l', 'z']), ('__lt__', 1, ['other', 'self']), "
        "3.0, ('__lt__', 1, ['other', 'self']), 4.0]\n"),
    "recursion": ("""
        class R:
            def __init__(self, n): self.n = n
            def __repr__(self): return repr(self.n)
        def deep(n):
            r = 1
            for i in range(n): r = R(r)
            return repr(r)
        def depth():
            low, high = 1, 3000
            while low < high:
                middle = (low + high) // 2
                try:
                    deep(middle)
                    low = middle + 1
                except RecursionError:
                    high = middle
            return low
        print(warm(deep, 3), deep(100), tries(deep, 5000)[0])
        sys.setrecursionlimit(200)
        print(depth())
        def f(n): return [].__len__() if n == 0 else f(n - 1)
        def call(n): return ([7].copy() if n == 0 else call(n - 1))
        sys.setrecursionlimit(1000)
        warm(call, 5)
        sys.setrecursionlimit(100)
        for n in range(90, 100): print(n, tries(call, n)[0])
        """,
        '1 1 RecursionError\n'
        '66\n'
        '90 7\n'
        '91 7\n'
        '92 7\n'
        '93 7\n'
        '94 7\n'
        '95 7\n'
        '96 7\n'
        '97 RecursionError\n'
        '98 RecursionError\n'
        '99 RecursionError\n'),
    "signals": ("""
        import os, signal
        def handler(*a): raise KeyError('signal')
        signal.signal(signal.SIGUSR1, handler)
        def f(kill, pid, what):
            try:
                kill(pid, what)
                return 'no signal'
            except KeyError as e:
                return 'signal', e.__traceback__.tb_lineno - f.__code__.co_firstlineno
        print(warm(f, os.kill, os.getpid(), 0))
        print(f(os.kill, os.getpid(), signal.SIGUSR1), f(os.kill, os.getpid(), 0))
        """,
        "no signal\n('signal', 2) no signal\n"),
    "asked": ("""
        from collections import deque, OrderedDict
        class B:
            def __init__(self, x): self.x = x
            def __bool__(self):
                if self.x == 'raise': raise KeyError(self.x)
                return self.x
        class N:
            def __init__(self, x): self.x = x
            def __len__(self): return self.x
            def __contains__(self, x):
                if x == 'raise': raise KeyError(x)
                return x == self.x
        def truth(x):
            out = [not x, 1 if x is None else (x and 1) == 1, (x or 2) == 2]
            if x: out.append('true')
            if not x: out.append('false')
            while x:
                out.append('loop')
                break
            return out
        def temp(f, a):
            if f(a): return 'yes'
            return not f(a)
        def contains(x, c):
            out = [x in c, x not in c]
            if x in c: out.append('in')
            if x not in c: out.append('not in')
            return out
        values = [deque(), deque([1]), {}, {1: 2}, '', 'a', 0, 5, 0.0, 2.5, None, B(True), B(False),
                  N(0), N(3), OrderedDict(), range(0), range(2), b'', {}.keys(), {1: 1}.items(),
                  set(), frozenset('a'), 1 << 70, object, float('nan'), memoryview(b'')]
        for _ in range(100):
            out = [truth(v) for v in values]
            out += [temp(f, a) for f, a in ((deque, 'a'), (deque, ''), (N, 0), (N, 2), (B, True),
                                            (Loud, 'x') if _ == 99 else (N, 4))]
        for o in out: print(o)
        places = [deque([1, 'a']), {1: 2}, {'a'}, [1, 'a', 2.5], (1, 2), 'abc', range(3),
                  {1: 2}.keys(),
                  N(1), N('a'), b'ab', iter([1, 2]), [N(1), 'a'], {2.5}, frozenset([1 << 70])]
        for _ in range(100):
            out = [tries(contains, x, c) for c in places
                   for x in (1, 'a', 2.5, 1 << 70, 'raise', None)]
        for o in out: print(o)
        print(tries(truth, B('raise')), tries(truth, B(3)), tries(truth, N(-1)))
        print(tries(truth, N('a')))
        print(tries(contains, [], {}), tries(contains, 1, 5), lines(contains, 'raise', N(1))[2],
              lines(truth, B('raise'))[2])
        class Held:
            def __init__(self, l): self.l = l
            def __bool__(self): return bool(self.l)
            def __del__(self): print('del', len(self.l))
        def held(l):
            if Held(l): print('then')
            if not Held(l): print('then not')
            if Held(l) and l: print('both')
            x = Held(l) or 5
            print(5 in deque([Held(l), 5]), [] in [Held(l)])
        for _ in range(3): held([1]); held([])
        log = []
        def note(frame, event, arg): log.append((event, getattr(arg, '__name__', None)))
        class Sets:
            def __bool__(self):
                if switch: sys.setprofile(note)
                return True
        def sets(x, l):
            if x: l.count(1)
            l.index(1)
            return l
        switch = 0
        warm(sets, Sets(), [1])
        for i in range(100): [sets(x, [1]) for x in (Sets(), deque('a'), [1], B(True))]
        switch = 1
        sets(Sets(), [1])
        sys.setprofile(None)
        print(log)
        """,
        'del x\n'
        "[True, False, True, 'false']\n"
        "[False, True, False, 'true', 'loop']\n"
        "[True, False, True, 'false']\n"
        "[False, True, False, 'true', 'loop']\n"
        "[True, False, True, 'false']\n"
        "[False, True, False, 'true', 'loop']\n"
        "[True, False, True, 'false']\n"
        "[False, True, False, 'true', 'loop']\n"
        "[True, False, True, 'false']\n"
        "[False, True, False, 'true', 'loop']\n"
        "[True, 1, True, 'false']\n"
        "[False, True, False, 'true', 'loop']\n"
        "[True, False, True, 'false']\n"
        "[True, False, True, 'false']\n"
        "[False, True, False, 'true', 'loop']\n"
        "[True, False, True, 'false']\n"
        "[True, False, True, 'false']\n"
        "[False, True, False, 'true', 'loop']\n"
        "[True, False, True, 'false']\n"
        "[True, False, True, 'false']\n"
        "[False, True, False, 'true', 'loop']\n"
        "[True, False, True, 'false']\n"
        "[False, True, False, 'true', 'loop']\n"
        "[False, True, False, 'true', 'loop']\n"
        "[False, True, False, 'true', 'loop']\n"
        "[False, True, False, 'true', 'loop']\n"
        "[True, False, True, 'false']\n"
        'yes\n'
        'True\n'
        'True\n'
        'yes\n'
        'yes\n'
        'yes\n'
        "[True, False, 'in']\n"
        "[True, False, 'in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[True, False, 'in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[True, False, 'in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[True, False, 'in']\n"
        "[True, False, 'in']\n"
        "[True, False, 'in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[True, False, 'in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        '(\'TypeError\', "\'in <string>\' requires string as left operand, not int")\n'
        "[True, False, 'in']\n"
        '(\'TypeError\', "\'in <string>\' requires string as left operand, not float")\n'
        '(\'TypeError\', "\'in <string>\' requires string as left operand, not int")\n'
        "[False, True, 'not in']\n"
        '(\'TypeError\', "\'in <string>\' requires string as left operand, not '
        'NoneType")\n'
        "[True, False, 'in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[True, False, 'in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[True, False, 'in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        '(\'KeyError\', "\'raise\'")\n'
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[True, False, 'in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        '(\'KeyError\', "\'raise\'")\n'
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        '(\'TypeError\', "a bytes-like object is required, not \'str\'")\n'
        '(\'TypeError\', "a bytes-like object is required, not \'float\'")\n'
        "('ValueError', 'byte must be in range(0, 256)')\n"
        '(\'TypeError\', "a bytes-like object is required, not \'str\'")\n'
        '(\'TypeError\', "a bytes-like object is required, not \'NoneType\'")\n'
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[True, False, 'in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[True, False, 'in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        "[True, False, 'in']\n"
        "[False, True, 'not in']\n"
        "[False, True, 'not in']\n"
        '(\'KeyError\', "\'raise\'") (\'TypeError\', \'__bool__ should return bool, '
        "returned int') ('ValueError', '__len__() should return >= 0')\n"
        '(\'TypeError\', "\'str\' object cannot be interpreted as an integer")\n'
        '(\'TypeError\', "unhashable type: \'list\'") (\'TypeError\', "argument of type '
        '\'int\' is not iterable") [(\'lines\', 17), (\'contains\', 49), '
        "('__contains__', 35)] [('lines', 17), ('truth', 38), ('__bool__', 29)]\n"
        'del 1\n'
        'then\n'
        'del 1\n'
        'del 1\n'
        'both\n'
        'del 1\n'
        'del 1\n'
        'True False\n'
        'del 1\n'
        'del 0\n'
        'del 0\n'
        'then not\n'
        'del 0\n'
        'del 0\n'
        'del 0\n'
        'del 0\n'
        'True False\n'
        'del 1\n'
        'then\n'
        'del 1\n'
        'del 1\n'
        'both\n'
        'del 1\n'
        'del 1\n'
        'True False\n'
        'del 1\n'
        'del 0\n'
        'del 0\n'
        'then not\n'
        'del 0\n'
        'del 0\n'
        'del 0\n'
        'del 0\n'
        'True False\n'
        'del 1\n'
        'then\n'
        'del 1\n'
        'del 1\n'
        'both\n'
        'del 1\n'
        'del 1\n'
        'True False\n'
        'del 1\n'
        'del 0\n'
        'del 0\n'
        'then not\n'
        'del 0\n'
        'del 0\n'
        'del 0\n'
        'del 0\n'
        'True False\n'
        "[('return', None), ('c_call', 'count'), ('c_return', 'count'), ('c_call', "
        "'index'), ('c_return', 'index'), ('return', None), ('c_call', 'setprofile')]\n"),
    "callables": ("""
        import functools, operator, re
        part = functools.partial(divmod, 17)
        first = operator.itemgetter(0)
        @functools.lru_cache(None)
        def cached(x): return x * 2
        class Meta(type):
            def __call__(cls, *a): return cls.__name__, a
        class M(metaclass=Meta): pass
        class Obj:
            def __call__(self, x): return 'called', x
        obj = Obj()
        word = re.compile('[a-z]+')
        def f(x):
            return (part(x), first([x]), cached(x), M(x), obj(x), word.match('ab1').group(),
                list(zip([x], 'a')), list(map(str, [x])), list(filter(None, [0, x])))
        print(warm(f, 5))
        part = functools.partial(pow, 2)
        obj = cached
        cached = len
        print(tries(f, 5))
        cached = lambda x: 'l'
        print(f(5))
        class M: 
            def __init__(self, x): self.x = x
            def __repr__(self): return f'M({self.x})'
        print(f(5))
        """,
        "((3, 2), 5, 10, ('M', (5,)), ('called', 5), 'ab', [(5, 'a')], ['5'], [5])\n"
        '(\'TypeError\', "object of type \'int\' has no len()")\n'
        "(32, 5, 'l', ('M', (5,)), 10, 'ab', [(5, 'a')], ['5'], [5])\n"
        "(32, 5, 'l', M(5), 10, 'ab', [(5, 'a')], ['5'], [5])\n"),
}


class CCallTests(unittest.TestCase):
    pass


add_cases(CCallTests, CASES, SETUP)

if __name__ == "__main__":
    unittest.main()
