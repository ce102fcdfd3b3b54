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
    "self_becomes_another_class_before_the_call": ("""
        class Words(dict):
            def __missing__(self, key): return 'missing'
        class Others(dict):
            def get(self, key, value=None): return 'mine'
            def __len__(self): return 7
        class Heap(list): pass
        class Own(list):
            def append(self, item): self.extend((item, 'own'))
        class Text(str): pass
        def turn(x, cls, key):
            if cls is not None:
                x.__class__ = cls
            return key
        def look(d, cls, key):
            return d.get(turn(d, cls, key), 0), d.setdefault(turn(d, cls, key), key), len(d)
        def put(l, cls, item):
            l.append(turn(l, cls, item))
            l.extend(turn(l, cls, (item, item)))
            return type(l).__name__, len(l)
        def starts(s, key): return s.startswith(turn(s, None, key))
        print(warm(look, Words(a=1), None, 'a'), warm(put, Heap(), None, 1),
              warm(starts, Text('ab'), 'a'))
        for i in range(60):
            d, l = Words(a=1), Heap()
            a = look(d, Others, 'a'), look(d, None, 'b'), look(d, Words, 'c')
            b = put(l, Own if i % 2 else None, i), put(l, Heap, i), len(l)
            c = starts(Text('ab'), 'b'), starts('ab', 'a'), tries(starts, Text('ab'), 1)
            e = look({'a': 1}, None, 'a'), put([], None, 1), tries(look, 3, None, 'a')
        print(a, b)
        print(c[:2], c[2][0], e[:2], e[2][0])
        del Words.__missing__
        Words.get = lambda *args: 'new'
        print([look(Words(a=2), None, 'a') for i in range(60)][-1])
    """, "(1, 1, 1) ('Heap', 4500) True\n"
     "((1, 1, 7), ('mine', 'b', 7), ('mine', 'c', 3)) (('Own', 3), ('Heap', 7), 7)\n"
     "(False, True) TypeError ((1, 1, 1), ('list', 3)) AttributeError\n"
     "('new', 2, 1)\n"),
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
    "stars": ("""
        import gc
        def args(*a): return a
        def first(x, *a): return x, a
        def both(x, *a, k=1, **r): return x, a, k, sorted(r.items())
        def only(x, *, k, m=2): return x, k, m
        def cells(x, *a):
            def inner(): return x, a
            x += 1
            return inner()
        def gen(x, *a):
            yield x
            yield a
        def plain_cells(x):
            def inner(): return x
            return inner()
        class S:
            def __init__(self, *a, **k): self.a, self.k = a, k
            def m(self, *a, k=None): return len(self.a), a, k
            @classmethod
            def c(cls, *a): return cls.__name__, a
            @staticmethod
            def s(*a): return a
            def __call__(self, *a): return 'call', a
        s = S(1)
        def calls(x):
            return (args(), args(x, x), first(x), first(x, 2.5, 'c'), both(x), both(x, 1, k=x, z=x),
                    only(x, k=x), only(x=x, m=3, k=1 << 70), cells(x), list(gen(x, 1)),
                    plain_cells(x), S(x, k=x).k, s.m(x), s.m(x, k=x), s.c(x), S.s(x), s(x))
        print(warm(calls, 5))
        print(calls(1 << 65), tries(calls, 'a'))
        def e1(x): return first(*x)
        def e2(x): return first()
        def e3(x): return only(x)
        def e4(x): return only(x, k=1, z=2)
        def e5(x): return both(x, x=2)
        def e6(x): return first(x, y=1)
        def e7(x): return S(x).m(j=1)
        for f in e1, e2, e3, e4, e5, e6, e7:
            for i in range(1200): tries(f, 5)
            print(tries(f, 5), lines(f, 5)[2])
        def swap(x): return first(x, 1)
        warm(swap, 1)
        first.__code__ = (lambda x, y: ('swapped', x, y)).__code__
        print(swap(2))
        first = only
        print(tries(swap, 2))
        first = str
        print(tries(swap, 2))
        def deep(n, *a): return n if n == 0 else deep(n - 1, n)
        warm(deep, 5)
        sys.setrecursionlimit(100)
        print([tries(deep, n) == 0 for n in range(85, 100)])
        sys.setrecursionlimit(1000)
        print(tries(deep, 5000))
        class Bad:
            def __init__(self, *a): return 5 if a else None
        def bad(x): return type(Bad(*x) if x else Bad()).__name__
        warm(bad, ())
        print(bad(()), tries(bad, (1,)))
        def loud(*a, k=None): return len(a)
        def gone():
            print(loud(Loud('a'), Loud('b'), k=Loud('k')))
            try:
                loud(Loud('c'), j=Loud('j'))
            except TypeError as e:
                print(e)
            print('end')
        real, print = print, lambda *a: None
        warm(gone)
        print = real
        gone()
        def many(**k): return len(k)
        def pairs(n):
            return many(a=n, b=[n]), many(**{'c': n}), args(*range(n)), both(n, *[n], **{'q': n})
        gc.set_threshold(20)
        print(warm(pairs, 3))
        gc.set_threshold(700)
        """,
        "((), (5, 5), (5, ()), (5, (2.5, 'c')), (5, (), 1, []), (5, (1,), 5, [('z', 5)]), "
        "(5, 5, 2), (5, 1180591620717411303424, 3), (6, ()), [5, (1,)], 5, {'k': 5}, (1, "
        "(5,), None), (1, (5,), 5), ('S', (5,)), (5,), ('call', (5,)))\n"
        '((), (36893488147419103232, 36893488147419103232), (36893488147419103232, ()), '
        "(36893488147419103232, (2.5, 'c')), (36893488147419103232, (), 1, []), "
        "(36893488147419103232, (1,), 36893488147419103232, [('z', "
        '36893488147419103232)]), (36893488147419103232, 36893488147419103232, 2), '
        '(36893488147419103232, 1180591620717411303424, 3), (36893488147419103233, ()), '
        "[36893488147419103232, (1,)], 36893488147419103232, {'k': 36893488147419103232}, "
        '(1, (36893488147419103232,), None), (1, (36893488147419103232,), '
        "36893488147419103232), ('S', (36893488147419103232,)), (36893488147419103232,), "
        "('call', (36893488147419103232,))) ('TypeError', 'can only concatenate str (not "
        '"int") to str\')\n'
        "('TypeError', '__main__.first() argument after * must be an iterable, not int') "
        "[('lines', 17), ('e1', 55)]\n"
        '(\'TypeError\', "first() missing 1 required positional argument: \'x\'") '
        "[('lines', 17), ('e2', 56)]\n"
        '(\'TypeError\', "only() missing 1 required keyword-only argument: \'k\'") '
        "[('lines', 17), ('e3', 57)]\n"
        '(\'TypeError\', "only() got an unexpected keyword argument \'z\'") [(\'lines\', '
        "17), ('e4', 58)]\n"
        '(\'TypeError\', "both() got multiple values for argument \'x\'") [(\'lines\', '
        "17), ('e5', 59)]\n"
        '(\'TypeError\', "first() got an unexpected keyword argument \'y\'") [(\'lines\', '
        "17), ('e6', 60)]\n"
        '(\'TypeError\', "S.m() got an unexpected keyword argument \'j\'") [(\'lines\', '
        "17), ('e7', 61)]\n"
        "('swapped', 2, 1)\n"
        "('TypeError', 'only() takes 1 positional argument but 2 were given')\n"
        '(\'TypeError\', "str() argument \'encoding\' must be str, not int")\n'
        '[True, True, True, True, True, True, True, True, True, True, True, True, False, '
        'False, False]\n'
        "('RecursionError', 'maximum recursion depth exceeded')\n"
        'Bad (\'TypeError\', "__init__() should return None, not \'int\'")\n'
        'del k\n'
        'del b\n'
        'del a\n'
        '2\n'
        'del j\n'
        'del c\n'
        "loud() got an unexpected keyword argument 'j'\n"
        'end\n'
        "(2, 1, (0, 1, 2), (3, (3,), 1, [('q', 3)]))\n"),
    "unpacked": ("""
        import functools
        def two(x, y=2): return x, y
        def any_(*a, **k): return a, k
        def gen(*a): yield from a
        class C:
            def __init__(self, *a, **k): self.made = a, k
            def m(self, *a, **k): return a, k
            def __call__(self, *a): return 'call', a
            def __repr__(self): return 'C()'
        class Bad:
            def __init__(self, *a): return a
        class M:
            def keys(self): return ['y']
            def __getitem__(self, key): return key * 2
        def wrap(f):
            @functools.wraps(f)
            def inner(*a, **k): return f(*a, **k)
            return inner
        wrapped = wrap(wrap(two))
        c = C()
        def calls(a, k):
            return (two(*a), any_(*a, **k), any_(1, *a, z=2, **k), list(gen(*a)), C(*a, **k).made,
                    c.m(*a, **k), c(*a), wrapped(*a, **k), dict(*[], **k), max(*a, 5), str(*a),
                    [*a, *a], {**k, 'n': 1}, any_(**M()), print(*a, **{'sep': '-', 'end': ''}))
        real, print = print, lambda *a, **k: None
        warm(calls, (1,), {'y': 3})
        print = real
        print(calls((1,), {'y': 3}), calls([7], {'y': [3]}), calls([4], {}), any_(*iter([4])))
        print(tries(calls, (1, 2, 3), {}), tries(calls, 5, {}), tries(calls, (), {}))
        def one(f, a, k): return f(*a, **k)
        for f, a, k in ((two, (1,), {'x': 1}), (two, (1,), {1: 1}), (two, (1,), 5), (two, 5, {}),
                        (Bad, (1,), {}), (5, (), {}), (max, (), {}), (two, (1,), {'y': 5}),
                        (Bad, (), {}), (C, (), {}), (list, ('ab',), {}), (len, ('ab',), {'a': 1})):
            for i in range(400): tries(one, f, a, k)
            print(str(tries(one, f, a, k))[:70], (lines(one, f, a, k) or (0, 0, 0))[2])
        def merged(k): return two(1, **k, **k)
        for i in range(400): tries(merged, {'y': 1})
        print(tries(merged, {'y': 1}), merged({}))
        def deep(n, *a): return n if n == 0 else deep(*(n - 1, n))
        warm(deep, 5)
        sys.setrecursionlimit(100)
        print([tries(deep, n) == 0 for n in range(85, 100)])
        sys.setrecursionlimit(1000)
        log = []
        def note(frame, event, arg): log.append((event, getattr(arg, '__name__', None)))
        def sets(f, *a):
            f(*a)
            one(len, ('a',), {})
            return max(*(1, 2))
        warm(sets, len, 'a')
        sets(sys.setprofile, note)
        sys.setprofile(None)
        print(log)
        def gone():
            any_(*[Loud('a')], **{'k': Loud('k')})
            print('end')
            tries(two, *[Loud('1'), Loud('2'), Loud('3')])
            print('ended')
        real, print = print, lambda *a: None
        warm(gone)
        print = real
        gone()
        """,
        "174((1, 2), ((1,), {'y': 3}), ((1, 1), {'z': 2, 'y': 3}), [1], ((1,), {'y': 3}), "
        "((1,), {'y': 3}), ('call', (1,)), (1, 3), {'y': 3}, 5, '1', [1, 1], {'y': 3, "
        "'n': 1}, ((), {'y': 'yy'}), None) ((7, 2), ((7,), {'y': [3]}), ((1, 7), {'z': 2, "
        "'y': [3]}), [7], ((7,), {'y': [3]}), ((7,), {'y': [3]}), ('call', (7,)), (7, "
        "[3]), {'y': [3]}, 7, '7', [7, 7], {'y': [3], 'n': 1}, ((), {'y': 'yy'}), None) "
        "((4, 2), ((4,), {}), ((1, 4), {'z': 2}), [4], ((4,), {}), ((4,), {}), ('call', "
        "(4,)), (4, 2), {}, 5, '4', [4, 4], {'n': 1}, ((), {'y': 'yy'}), None) ((4,), "
        '{})\n'
        "('TypeError', 'two() takes from 1 to 2 positional arguments but 3 were given') "
        "('TypeError', '__main__.two() argument after * must be an iterable, not int') "
        '(\'TypeError\', "two() missing 1 required positional argument: \'x\'")\n'
        '(\'TypeError\', "two() got multiple values for argument \'x\'") [(\'lines\', '
        "17), ('one', 54)]\n"
        "('TypeError', 'keywords must be strings') [('lines', 17), ('one', 54)]\n"
        "('TypeError', '__main__.two() argument after ** must be a mapping, not "
        "[('lines', 17), ('one', 54)]\n"
        "('TypeError', '__main__.two() argument after * must be an iterable, no "
        "[('lines', 17), ('one', 54)]\n"
        '(\'TypeError\', "__init__() should return None, not \'tuple\'") [(\'lines\', '
        "17), ('one', 54)]\n"
        '(\'TypeError\', "\'int\' object is not callable") [(\'lines\', 17), (\'one\', '
        '54)]\n'
        "('TypeError', 'max expected at least 1 argument, got 0') [('lines', 17), ('one', "
        '54)]\n'
        '(1, 5) 0\n'
        '(\'TypeError\', "__init__() should return None, not \'tuple\'") [(\'lines\', '
        "17), ('one', 54)]\n"
        'C() 0\n'
        "['a', 'b'] 0\n"
        "('TypeError', 'len() takes no keyword arguments') [('lines', 17), ('one', 54)]\n"
        '(\'TypeError\', "__main__.two() got multiple values for keyword argument \'y\'") '
        '(1, 2)\n'
        '[True, True, True, True, True, True, True, True, True, True, True, True, False, '
        'False, False]\n'
        "[('call', None), ('c_call', 'len'), ('c_return', 'len'), ('return', None), "
        "('c_call', 'max'), ('c_return', 'max'), ('return', None), ('c_call', "
        "'setprofile')]\n"
        'del k\n'
        'del a\n'
        'end\n'
        'del 3\n'
        'del 2\n'
        'del 1\n'
        'ended\n'),
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
