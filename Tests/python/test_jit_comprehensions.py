"""Comprehensions, and generator expressions that are consumed at once, do the same as a part of
the function that runs them."""

import textwrap
import unittest

from jit_cases import add_cases, run

SETUP = """
    import sys
    class P:
        def __init__(self, x): self.x = x
        def plus(self, k): return self.x + k
    def tries(f, *args):
        try:
            return f(*args)
        except Exception as e:
            t, out = e.__traceback__.tb_next, []
            while t is not None:
                out.append((t.tb_frame.f_code.co_name, t.tb_lineno))
                t = t.tb_next
            return type(e).__name__, str(e), out
    def warm(f, *args):
        for i in range(1500): r = f(*args)
        return r
"""

# name: (program, what python3.11 prints)
CASES = {
    "items_of_both_kinds": ("""
        big, p = 10**20, P(1)
        def pairs(row): return [a + b for a, b in zip(row, row[1:])]
        def items(row): return [x for x in row]
        def found(keys, d): return [d.get(k) for k in keys]
        def sums(row, k): return [x * k for x in row if x]
        row = [1, big, 2, 3, big + 1, 5]
        mix = [1, 'a', p, None, 2.5, big, 1 << 40]
        d = dict(enumerate(mix))
        print(warm(pairs, row), warm(sums, row, 3))
        print(warm(items, mix) == mix, warm(found, range(9), d) == mix + [None, None])
        before = [sys.getrefcount(x) for x in (p, big, mix[1])]
        for i in range(100): items(mix); found(range(9), d); pairs(row); sums(row, 3)
        print([sys.getrefcount(x) for x in (p, big, mix[1])] == before)
        print(tries(pairs, row + ['a'])[1])
        print(sums([2, 'ab', big], 2), pairs([2.5, 1, big]), pairs([big] * 3 + [True] * 2))
        print(tries(found, [1, []], d)[1])
        print([sys.getrefcount(x) for x in (p, big, mix[1])] == before)
        """,
        '[100000000000000000001, 100000000000000000002, 5, 100000000000000000004, 10000'
        '0000000000000006] [3, 300000000000000000000, 6, 9, 300000000000000000003, 15]\n'
        'True True\n'
        'True\n'
        "unsupported operand type(s) for +: 'int' and 'str'\n"
        "[4, 'abab', 200000000000000000000] [3.5, 100000000000000000001] [2000000000000"
        '00000000, 200000000000000000000, 100000000000000000001, 2]\n'
        "unhashable type: 'list'\n"
        'True\n'
        ),
    "what_they_make": ("""
        def f(L, k, O):
            return ([x + k for x in L], [x for x in L if x & 1], {x for x in L}, {x: k for x in L},
                    [o.plus(k) for o in O], [x * .5 for x in L], [str(x) for x in L],
                    [x * y for x in L for y in L], [y for x in (L, (1, 2), L) for y in x],
                    [i * k for i in range(k)], [i for i in range(9, k, -2)],
                    [(x, o) for x in L for o in range(x)], [[0] * x for x in L],
                    [P(x).x for x in L])
        O = [P(1), P(2.5)]
        L = [1, 2, 3]
        print(warm(f, L, 4, O))
        print(f((5,), 4, O), f([], 0, []))
        print(f([True], 4, O[:1])[:7])
        print(tries(f, [1, 'a'], 4, O))
        print(tries(f, L, 4, [P('a')]))
        print(tries(f, [1, 2], 4, [P(1), 5]))
        print(f(range(3), 4, O)[:4])
        """,
        '([5, 6, 7], [1, 3], {1, 2, 3}, {1: 4, 2: 4, 3: 4}, [5, 6.5], [0.5, 1.0'
        ", 1.5], ['1', '2', '3'], [1, 2, 3, 2, 4, 6, 3, 6, 9], [1, 2, 3, 1, 2, "
        '1, 2, 3], [0, 4, 8, 12], [9, 7, 5], [(1, 0), (2, 0), (2, 1), (3, 0), ('
        '3, 1), (3, 2)], [[0], [0, 0], [0, 0, 0]], [1, 2, 3])\n'
        "([9], [5], {5}, {5: 4}, [5, 6.5], [2.5], ['5'], [25], [5, 1, 2, 5], [0"
        ', 4, 8, 12], [9, 7, 5], [(5, 0), (5, 1), (5, 2), (5, 3), (5, 4)], [[0,'
        ' 0, 0, 0, 0]], [5]) ([], [], set(), {}, [], [], [], [], [1, 2], [], [9'
        ', 7, 5, 3, 1], [], [], [])\n'
        "([5], [True], {True}, {True: 4}, [5], [0.5], ['True'])\n"
        '(\'TypeError\', \'can only concatenate str (not "int") to str\', [(\'f\', 20'
        "), ('<listcomp>', 20)])\n"
        '(\'TypeError\', \'can only concatenate str (not "int") to str\', [(\'f\', 21'
        "), ('<listcomp>', 21), ('plus', 5)])\n"
        '(\'AttributeError\', "\'int\' object has no attribute \'plus\'", [(\'f\', 21),'
        " ('<listcomp>', 21)])\n"
        '([4, 5, 6], [1], {0, 1, 2}, {0: 4, 1: 4, 2: 4})\n'
        ),
    "who_consumes": ("""
        def f(L, k):
            return (any(x > k for x in L), all(x > k for x in L), sum(x + k for x in L),
                    list(x for x in L if x != k), tuple(x - 1 for x in L), set(x for x in L),
                    any(x for x in L), all(i < 9 for i in range(len(L))),
                    sum(i for i in range(len(L))))
        print(warm(f, [1, 2, 3], 2))
        print(f([], 2), f((9,), 2), f([1, 2.5], 2), f([1 << 61, 1 << 61], 1 << 61))
        print(f([1 << 80, -0.0], 0))
        print(tries(f, [1, 'a'], 2))
        def g(L): return sum(x * .5 for x in L)
        print(warm(g, [1, 2]), g([]), g([-0.0]), g([0, 1e308, 1e308, 3e308]), g([float('nan')]))
        print(type(g([])), tries(g, [1, None]))
        class Fussy:
            def __bool__(self): raise ValueError('neither')
        def h(L): return any(o for o in L), all(o for o in L)
        print(warm(h, [0, 1.5, 'a', []]), h([None]), h(['', 3]), h([0.0]), tries(h, [0, Fussy()]))
        def unhashed(L): return set(x for x in L), {x for x in L}, {x: 1 for x in L}
        print(warm(unhashed, [1, 2, 3]), tries(unhashed, [1, []]), tries(unhashed, [(1, [])]))
        """,
        '(True, False, 12, [1, 3], (0, 1, 2), {1, 2, 3}, True, True, 3)\n'
        '(False, True, 0, [], (), set(), False, True, 0) (True, True, 11, [9], '
        '(8,), {9}, True, True, 0) (True, False, 7.5, [1, 2.5], (0, 1.5), {1, 2'
        '.5}, True, True, 1) (False, False, 9223372036854775808, [], (230584300'
        '9213693951, 2305843009213693951), {2305843009213693952}, True, True, 1'
        ')\n'
        '(True, False, 1.2089258196146292e+24, [1208925819614629174706176], (12'
        '08925819614629174706175, -1.0), {1208925819614629174706176, -0.0}, Tru'
        'e, True, 1)\n'
        '(\'TypeError\', "\'>\' not supported between instances of \'str\' and \'int\'"'
        ", [('f', 20), ('<genexpr>', 20)])\n"
        '1.5 0 0.0 inf nan\n'
        '<class \'int\'> (\'TypeError\', "unsupported operand type(s) for *: \'NoneT'
        'ype\' and \'float\'", [(\'g\', 28), (\'<genexpr>\', 28)])\n'
        "(True, False) (False, False) (True, False) (False, False) ('ValueError"
        "', 'neither', [('h', 33), ('__bool__', 32)])\n"
        '({1, 2, 3}, {1, 2, 3}, {1: 1, 2: 1, 3: 1}) (\'TypeError\', "unhashable t'
        'ype: \'list\'", [(\'unhashed\', 35)]) (\'TypeError\', "unhashable type: \'lis'
        't\'", [(\'unhashed\', 35)])\n'
        ),
    "builtins_may_change": ("""
        import builtins
        def f(L): return any(x > 1 for x in L), sum(x for x in L), [abs(x) for x in L]
        print(warm(f, [1, 2]))
        class Mine(int):
            def __radd__(self, other): return ('radd', other)
            def __add__(self, other): return ('add', other)
        print(f([0, Mine(3)]))
        any = lambda it: ('mine', list(it))
        print(f([1, 2]))
        del any
        old = builtins.sum
        builtins.sum = lambda it: ('sum', list(it))
        try:
            print(f([1, 2]))
        finally:
            builtins.sum = old
        abs = str
        print(f([-1, 2]))
        """,
        '(True, 3, [1, 2])\n'
        "(True, ('radd', 0), [0, 3])\n"
        "(('mine', [False, True]), 3, [1, 2])\n"
        "(True, ('sum', [1, 2]), [1, 2])\n"
        "(True, 1, ['-1', '2'])\n"
        ),
    "frames_are_seen": ("""
        def look(x):
            names, f = [], sys._getframe(1)
            while f is not None:
                name = f.f_code.co_name
                names.append((name, f.f_lineno, name != '<module>' and sorted(f.f_locals)))
                f = f.f_back
            seen.append(names)
            return x
        class Odd:
            def __init__(self, x): self.x = x
            def __getattr__(self, name): return look(5)
        seen = []
        def f(L): return [o.x for o in L], any(o.x == 'y' for o in L), {o.x for o in L}
        print(warm(f, [P(1), P(2)]))
        odd = Odd(3)
        print(f([P(1), odd]))
        del odd.x
        print(f([P(1), odd]))
        for names in seen: print(names)
        class Loud:
            def __init__(self, name): self.name = name
            def __del__(self): print('del', self.name, sys._getframe(1).f_code.co_name)
        def g(n): return [Loud(i).name for i in range(n)]
        print(warm(lambda: [P(i).x for i in range(3)]))
        print(g(2))
        """,
        '([1, 2], False, {1, 2})\n'
        '([1, 3], False, {1, 3})\n'
        '([1, 5], False, {1, 5})\n'
        "[('__getattr__', 29, ['name', 'self']), ('<listcomp>', 31, ['.0', 'o']"
        "), ('f', 31, ['L']), ('<module>', 36, False)]\n"
        "[('__getattr__', 29, ['name', 'self']), ('<genexpr>', 31, ['.0', 'o'])"
        ", ('f', 31, ['L']), ('<module>', 36, False)]\n"
        "[('__getattr__', 29, ['name', 'self']), ('<setcomp>', 31, ['.0', 'o'])"
        ", ('f', 31, ['L']), ('<module>', 36, False)]\n"
        '[0, 1, 2]\n'
        'del 0 <listcomp>\n'
        'del 1 <listcomp>\n'
        '[0, 1]\n'
        ),
    "changes_are_made_once": ("""
        log = []
        class Logs:
            def __init__(self, x): self.x = x
            def get(self, k):
                log.append(self.x)
                return self.x // k
        def f(L, k): return [o.get(k) for o in L]
        print(warm(f, [Logs(1), Logs(4)], 2), len(log))
        del log[:]
        print(tries(f, [Logs(1), Logs(2)], 0), log)
        counts = {}
        def g(L):
            return [x for x in L if not (x in counts or counts.setdefault(x, len(counts)))]
        print(g('abca'), warm(g, 'abcd'), counts)
        seen = set()
        def h(L): return [x for x in L if x not in seen and not seen.add(x)]
        print(h([1, 2, 1]), warm(h, [1, 2, 3]), h([5, 5, 'a', 1 << 70, 1 << 70]))
        def w(L):
            last = None
            r = [last := x for x in L]
            return r, last
        print(warm(w, [1, 2]), w([]), w(['a']))
        class Slow:
            n = 0
            @property
            def x(self):
                self.n += 1
                return self.n
        s = Slow()
        print(warm(lambda: [o.x for o in [s, s]]), s.n)
        """,
        '[0, 2] 3000\n'
        "('ZeroDivisionError', 'integer division or modulo by zero', [('f', 25)"
        ", ('<listcomp>', 25), ('get', 24)]) [1]\n"
        "['a'] [] {'a': 0, 'b': 1, 'c': 2, 'd': 3}\n"
        "[1, 2] [] [5, 'a', 1180591620717411303424]\n"
        "([1, 2], 2) ([], None) (['a'], 'a')\n"
        '[2999, 3000] 3000\n'
        ),
    "lists_that_change": ("""
        def f(L): return [x for x in L], [y + 1 for x in L for y in x]
        print(warm(f, [[1, 2], [3]]))
        class Grows:
            def __init__(self, L): self.L = L
            def __add__(self, other):
                if len(self.L) < 5: self.L.append(7)
                return 'grown'
        L = []
        L.append(Grows(L))
        print([type(x).__name__ for x in f([L])[0]], f([L])[1])
        class Sub(list):
            def __iter__(self): return iter('sub')
        print(tries(lambda: [x for x in Sub([1])]))
        def g(L): return [x for x in L]
        print(warm(g, [1]), g(Sub([1])), g({'k': 1}), g('ab'), g(x for x in (1, 2)), tries(g, 5))
        def one(o): return [x for x in o.x if x], any(x for x in o.x)
        print(warm(one, P([0, 1])), one(P((0,))), tries(one, P(3)), tries(one, 3))
        """,
        '([[1, 2], [3]], [2, 3, 4])\n'
        "['list'] ['grown', 8, 8]\n"
        "['s', 'u', 'b']\n"
        '[1] [\'s\', \'u\', \'b\'] [\'k\'] [\'a\', \'b\'] [1, 2] (\'TypeError\', "\'int\' objec'
        't is not iterable", [(\'g\', 32)])\n'
        '([1], True) ([], False) (\'TypeError\', "\'int\' object is not iterable", '
        '[(\'one\', 34)]) (\'AttributeError\', "\'int\' object has no attribute \'x\'",'
        " [('one', 34)])\n"
        ),
    "cells": ("""
        def f(L, k):
            def inner(): return k
            a = [x + k for x in L]
            k += 1
            return a, sum(x + k for x in L), inner(), {x: inner() for x in L}
        print(warm(f, [1, 2], 3), f([1], 2.5), tries(f, [1], 'a'))
        def outer(k, deleted):
            def g(L):
                return [x + k for x in L], [x + k for x in L for y in [k]]
            if deleted: del k
            return g
        g = outer(2, False)
        print(warm(g, [1, 2]), tries(outer(2, True), [1]))
        class C:
            y = 3
            z = [y for y in range(3)]
            def m(self, L): return [__class__.y + x for x in L]
        print(warm(C().m, [1]), C.z)
        """,
        "([4, 5], 11, 4, {1: 4, 2: 4}) ([3.5], 4.5, 3.5, {1: 3.5}) ('TypeError'"
        ', "unsupported operand type(s) for +: \'int\' and \'str\'", [(\'f\', 21), (\''
        "<listcomp>', 21)])\n"
        '([3, 4], [3, 4]) (\'NameError\', "cannot access free variable \'k\' where '
        'it is not associated with a value in enclosing scope", [(\'g\', 27), (\'<'
        "listcomp>', 27)])\n"
        '[4] [0, 1, 2]\n'
        ),
    "deep_calls": ("""
        def down(n):
            return [0] if n == 0 else [x + 1 for x in down(n - 1)]
        print(warm(down, 20))
        def deepest(f):
            low, high = 1, 3000
            while low < high:
                middle = (low + high + 1) // 2
                try:
                    f(middle)
                    low = middle
                except RecursionError:
                    high = middle - 1
            return low
        sys.setrecursionlimit(300)
        def sums(n): return n and sum(x + sums(n - 1) for x in (1,))
        def leaf(n): return [x + 1 for x in (1, 2)] if n == 0 else leaf(n - 1)
        for i in range(100): leaf(20)
        print(deepest(leaf), deepest(down) > 90)
        """,
        '[20]\n'
        '296 True\n'
        ),
    "tracing_and_signals": ("""
        def f(L): return [x + 1 for x in L], sum(x for x in L)
        print(warm(f, [1, 2]))
        events = []
        def trace(frame, event, arg):
            events.append((event, frame.f_code.co_name, frame.f_lineno))
            return trace
        sys.settrace(trace)
        f([1, 2])
        sys.settrace(None)
        print(events)
        import signal, os
        if hasattr(signal, 'setitimer'):
            got = []
            signal.signal(signal.SIGALRM, lambda n, frame: got.append(frame.f_code.co_name))
            big = list(range(200000))
            def busy(L): return [x & 3 for x in L]
            while len(busy(big)) < 10: pass
            signal.setitimer(signal.ITIMER_REAL, .002, .002)
            rounds = 0
            while len(got) < 5 and rounds < 5000:
                assert len(busy(big)) == 200000
                rounds += 1
            signal.setitimer(signal.ITIMER_REAL, 0)
            print(len(got) >= 5, set(got) <= {'busy', '<listcomp>', '<module>', '<lambda>'})
        """,
        '([2, 3], 3)\n'
        "[('call', 'f', 19), ('line', 'f', 19), ('call', '<listcomp>', 19), ('l"
        "ine', '<listcomp>', 19), ('line', '<listcomp>', 19), ('line', '<listco"
        "mp>', 19), ('return', '<listcomp>', 19), ('call', '<genexpr>', 19), ('"
        "line', '<genexpr>', 19), ('return', '<genexpr>', 19), ('call', '<genex"
        "pr>', 19), ('line', '<genexpr>', 19), ('return', '<genexpr>', 19), ('c"
        "all', '<genexpr>', 19), ('line', '<genexpr>', 19), ('return', '<genexp"
        "r>', 19), ('return', 'f', 19)]\n"
        'True True\n'
        ),
    "many_objects": ("""
        import gc
        def f(n): return [P(i) for i in range(n)]
        def g(n):
            return ({i: P(i) for i in range(n)}, tuple(P(i) for i in range(n)),
                    set(str(i) for i in range(n)))
        for i in range(60): r = f(2000); s = g(1000)
        print(len(r), r[1999].x, len(s[0]), s[1][999].x, len(s[2]))
        before = len(gc.get_objects())
        for i in range(60): r = f(500); s = g(500)
        del r, s
        gc.collect()
        print(abs(len(gc.get_objects()) - before) < 8000)
        def fails(L): return [P(x + 1) for x in L]
        warm(fails, [1, 2])
        class Gone: pass
        import weakref
        for i in range(300):
            o = Gone(); w = weakref.ref(o)
            tries(fails, [1, o]); tries(fails, [1, 2.5, o])
        del o
        print(w())
        """,
        '2000 1999 1000 999 1000\n'
        'True\n'
        'None\n'
        ),
    "tuples_and_texts": ("""
        def work(L, S):
            return ([(x, y) for x in L for y in S], [(x * .5,) for x in L],
                    [(x, x, str(x)) for x in L],
                    min(x for x in L), max(x + 1 for x in L), ','.join(x for x in S),
                    ''.join(str(x) for x in L), {(x, x): 1 for x in L},
                    [(x, y, x, y) for x in L for y in S])
        print(warm(work, [3, 1, 2], ['a', 'b']))
        def mn(L): return min(x for x in L)
        def mx(L): return max(x for x in L)
        def jn(L): return '-'.join(x for x in L)
        for f in (mn, mx):
            warm(f, [3, 1])
            for L in ([], [True, 0], [1.5, 2], [1 << 61], [-(1 << 61) - 5, 3], ['a', 'b'],
                      [(1 << 61) - 1], [-(1 << 61) + 1], [0, False]):
                print(tries(f, L))
        class St(str): pass
        warm(jn, ['a', 'b'])
        for L in ([], ['a'], [1], [St('q'), 'r'], ['a', None]): print(tries(jn, L))
        """,
        "([(3, 'a'), (3, 'b'), (1, 'a'), (1, 'b'), (2, 'a'), (2, 'b')], [(1.5,)"
        ", (0.5,), (1.0,)], [(3, 3, '3'), (1, 1, '1'), (2, 2, '2')], 1, 4, 'a,b"
        "', '312', {(3, 3): 1, (1, 1): 1, (2, 2): 1}, [(3, 'a', 3, 'a'), (3, 'b"
        "', 3, 'b'), (1, 'a', 1, 'a'), (1, 'b', 1, 'b'), (2, 'a', 2, 'a'), (2, "
        "'b', 2, 'b')])\n"
        "('ValueError', 'min() arg is an empty sequence', [('mn', 26)])\n"
        '0\n'
        '1.5\n'
        '2305843009213693952\n'
        '-2305843009213693957\n'
        'a\n'
        '2305843009213693951\n'
        '-2305843009213693951\n'
        '0\n'
        "('ValueError', 'max() arg is an empty sequence', [('mx', 27)])\n"
        'True\n'
        '2\n'
        '2305843009213693952\n'
        '3\n'
        'b\n'
        '2305843009213693951\n'
        '-2305843009213693951\n'
        '0\n'
        '\n'
        'a\n'
        "('TypeError', 'sequence item 0: expected str instance, int found', [('"
        "jn', 28)])\n"
        'q-r\n'
        "('TypeError', 'sequence item 1: expected str instance, NoneType found'"
        ", [('jn', 28)])\n"
        ),
    "pairs_of_items": ("""
        def work(L, S):
            return ([x * i for i, x in enumerate(L)], [x + str(y) for x, y in zip(S, L)],
                    {x: y for y, x in enumerate(S)}, sum(a * b for a, b in zip(L, L)),
                    any(i == x for i, x in enumerate(L)), [p for p in enumerate(S)],
                    [p for p in zip(L, S)], max(a - b for a, b in zip(L, L)),
                    [(i, j) for i, r in enumerate([L, L]) for j, x in enumerate(r) if x > 1])
        print(warm(work, [3, 1, 2], ['a', 'b']))
        def en(L): return [x + i for i, x in enumerate(L)]
        def zi(A, B): return [x + y for x, y in zip(A, B)], all(x == y for x, y in zip(A, B))
        L = [3, 1, 2]
        warm(en, L), warm(zi, L, L)
        for x in ([], (1, 2), 'ab', range(3), 5, [1.5], {1: 2}): print(tries(en, x))
        for a, b in (([], L), (L, []), (L, L[:2]), ((1, 2), L), ('ab', 'cd'), (range(3), L), (5, L),
                     (L, 5), ([1], ['a']), (iter(L), L)):
            print(tries(zi, a, b))
        enumerate = lambda L: [('mine', 1)]
        print(tries(en, L))
        """,
        "([0, 1, 4], ['a3', 'b1'], {'a': 0, 'b': 1}, 14, True, [(0, 'a'), (1, '"
        "b')], [(3, 'a'), (1, 'b')], 0, [(0, 0), (0, 2), (1, 0), (1, 2)])\n"
        '[]\n'
        '[1, 3]\n'
        '(\'TypeError\', \'can only concatenate str (not "int") to str\', [(\'en\', 2'
        "6), ('<listcomp>', 26)])\n"
        '[0, 2, 4]\n'
        '(\'TypeError\', "\'int\' object is not iterable", [(\'en\', 26)])\n'
        '[1.5]\n'
        '[1]\n'
        '([], True)\n'
        '([], True)\n'
        '([6, 2], True)\n'
        '([4, 3], False)\n'
        "(['ac', 'bd'], False)\n"
        '([3, 2, 4], False)\n'
        '(\'TypeError\', "\'int\' object is not iterable", [(\'zi\', 27)])\n'
        '(\'TypeError\', "\'int\' object is not iterable", [(\'zi\', 27)])\n'
        '(\'TypeError\', "unsupported operand type(s) for +: \'int\' and \'str\'", [('
        "'zi', 27), ('<listcomp>', 27)])\n"
        '([6, 2, 4], True)\n'
        '(\'TypeError\', "unsupported operand type(s) for +: \'int\' and \'str\'", [('
        "'en', 26), ('<listcomp>', 26)])\n"
        ),
    "dicts": ("""
        import collections
        def work(D):
            return ([k for k in D], [v + 1 for v in D.values()], {v: k for k, v in D.items()},
                    sum(v for v in D.values()), any(v > 2 for k, v in D.items()),
                    [(k, v, j) for k, v in D.items() for j in D], [x for x in D.items()],
                    [k for k in D.keys()], [k for d in [D, D] for k in d])
        print(warm(work, {'a': 1, 'b': 2, 'c': 3}))
        def ks(D): return [k for k in D], [k + v for k, v in D.items()], [v for v in D.values()]
        warm(ks, {1: 2})
        E = {i: i for i in range(10)}
        del E[0], E[5], E[9]
        for d in ({}, E, collections.OrderedDict(E), collections.Counter('aab'), {1: 'a'},
                  {(1, 2): 3},
                  collections.defaultdict(int, {1: 2}), [1], 'x'):
            print(tries(ks, d))
        o = P(1)
        o.y = 2
        def own(o): return [k for k in o.__dict__], [v for k, v in o.__dict__.items()]
        print(warm(own, o))
        class G:
            def __add__(s, o):
                M['z'] = 1
                return 5
        M = {1: G()}
        def bad(M): return [v + 1 for v in M.values()]
        warm(bad, {1: 1})
        print(tries(bad, M))
        """,
        "(['a', 'b', 'c'], [2, 3, 4], {1: 'a', 2: 'b', 3: 'c'}, 6, True, [('a',"
        " 1, 'a'), ('a', 1, 'b'), ('a', 1, 'c'), ('b', 2, 'a'), ('b', 2, 'b'), "
        "('b', 2, 'c'), ('c', 3, 'a'), ('c', 3, 'b'), ('c', 3, 'c')], [('a', 1)"
        ", ('b', 2), ('c', 3)], ['a', 'b', 'c'], ['a', 'b', 'c', 'a', 'b', 'c']"
        ')\n'
        '([], [], [])\n'
        '([1, 2, 3, 4, 6, 7, 8], [2, 4, 6, 8, 12, 14, 16], [1, 2, 3, 4, 6, 7, 8'
        '])\n'
        '([1, 2, 3, 4, 6, 7, 8], [2, 4, 6, 8, 12, 14, 16], [1, 2, 3, 4, 6, 7, 8'
        '])\n'
        '(\'TypeError\', \'can only concatenate str (not "int") to str\', [(\'ks\', 2'
        "6), ('<listcomp>', 26)])\n"
        '(\'TypeError\', "unsupported operand type(s) for +: \'int\' and \'str\'", [('
        "'ks', 26), ('<listcomp>', 26)])\n"
        '(\'TypeError\', \'can only concatenate tuple (not "int") to tuple\', [(\'ks'
        "', 26), ('<listcomp>', 26)])\n"
        '([1], [3], [2])\n'
        '(\'AttributeError\', "\'list\' object has no attribute \'items\'", [(\'ks\', 2'
        '6)])\n'
        '(\'AttributeError\', "\'str\' object has no attribute \'items\'", [(\'ks\', 26'
        ')])\n'
        "(['x', 'y'], [1, 2])\n"
        "('RuntimeError', 'dictionary changed size during iteration', [('bad', "
        "43), ('<listcomp>', 43)])\n"
        ),
    "generators_and_coroutines": ("""
        import asyncio
        def gen(L,k,D):
            for i in range(3):
                yield [x+k for x in L]
                yield sum(x*i for x in L), any(x>k for x in L), ','.join(str(x) for x in L)
                yield ({a: b for a, b in D.items()}, [x * i for i, x in enumerate(L)],
                       [j for j in range(k)])
                k += 1
        async def co(L,k):
            a=[x+k for x in L]
            await asyncio.sleep(0)
            return a, sum(x+k for x in L), max(x for x in L)
        def run(c):
            try:
                while True: c.send(None)
            except StopIteration as e: return e.value
        async def ag(L,k):
            for i in range(2):
                yield [x+k for x in L]
        async def useag(L): return [y async for y in ag(L,3)], [z async for z in ag(L,4) if z]
        for i in range(600):
            a=list(gen([1,2,3],2,{1:2})); b=run(co([1,2],3)); c=run(useag([1,2]))
        print(a,b,c)
        print(tries(lambda: list(gen([1, 'a'], 2, {}))))
        print(tries(lambda: list(gen((1.5,), 1, {'a': None}))))
        print(tries(lambda: run(co([], 1))))
        print(tries(lambda: run(co([2.5], 1))))
        g=gen([1,2],1,{}); next(g); next(g)
        try: g.throw(ValueError('x'))
        except ValueError as e: print('thrown',e)
        g=gen([1,2],1,{}); next(g); g.close()
        """,
        "[[3, 4, 5], (0, True, '1,2,3'), ({1: 2}, [0, 2, 6], [0, 1]), [4, 5, 6]"
        ", (6, False, '1,2,3'), ({1: 2}, [0, 2, 6], [0, 1, 2]), [5, 6, 7], (12,"
        " False, '1,2,3'), ({1: 2}, [0, 2, 6], [0, 1, 2, 3])] ([4, 5], 9, 2) (["
        '[4, 5], [4, 5]], [[5, 6], [5, 6]])\n'
        '(\'TypeError\', \'can only concatenate str (not "int") to str\', [(\'<lambd'
        "a>', 42), ('gen', 22), ('<listcomp>', 22)])\n"
        "[[2.5], (0.0, True, '1.5'), ({'a': None}, [0.0], [0]), [3.5], (1.5, Fa"
        "lse, '1.5'), ({'a': None}, [0.0], [0, 1]), [4.5], (3.0, False, '1.5'),"
        " ({'a': None}, [0.0], [0, 1, 2])]\n"
        "('ValueError', 'max() arg is an empty sequence', [('<lambda>', 44), ('"
        "run', 33), ('co', 30)])\n"
        '([3.5], 3.5, 2.5)\n'
        'thrown x\n'
        ),
    "sums_of_bools": ("""
        def f(s, t): return sum(x in s for x in t), sum(x == 2 for x in t), sum(not x for x in t)
        def g(t): return sum(x for x in t)
        print(warm(f, {1, 2}, [1, 2, 3]), warm(g, [1, 2]))
        for t in [], [True], [1.5, True], [True, 1.5], [1 << 61, True, 1 << 61], [1 << 70, True]:
            print(f({1, 2}, t), g(t), type(g(t)).__name__, type(f({1}, t)[0]).__name__)
        print(tries(f, {1}, [[]]), tries(g, ['a']))
        """,
        "(2, 1, 0) 3\n"
        "(0, 0, 0) 0 int int\n"
        "(1, 0, 0) 1 int int\n"
        "(1, 0, 0) 2.5 float int\n"
        "(1, 0, 0) 2.5 float int\n"
        "(1, 0, 0) 4611686018427387905 int int\n"
        "(1, 0, 0) 1180591620717411303425 int int\n"
        "('TypeError', \"unhashable type: 'list'\", [('f', 19), ('<genexpr>', 19)]) "
        "('TypeError', \"unsupported operand type(s) for +: 'int' and 'str'\", [('g', 20)])\n"
        ),
    "sets_of_new_tuples": ("""
        class Mortal:
            def __init__(self, n): self.n = n
            def __hash__(self): return 1
            def __eq__(self, other): return True
            def __del__(self): print('del', self.n)
        def f(n): return {(x % 5, x % 3) for x in range(n)}, {(x % 7 + 10**6,) for x in range(n)}
        def g(n, o): return {(x % 3 + .5, str(x % 2), o) for x in range(n)}
        def h(L): return {(a, b) for a, b in L}
        def m(n): return {(Mortal(x), 1) for x in range(n)}
        o = object()
        before = sys.getrefcount(o)
        print([sorted(x) for x in warm(f, 40)], sorted(x[:2] for x in warm(g, 30, o)))
        print(sorted(warm(h, [(1, 2), (1, 2), (2, 1), (True, 2.0)])), tries(h, [(1, []), (1, 2)]))
        print(sys.getrefcount(o) - before, len(g(9, o)))
        for i in range(300): h([(1, 2)])
        made = m(3)
        print(len(made))
        del made
        """,
        "[[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1),"
        " (3, 2), (4, 0), (4, 1), (4, 2)], [(1000000,), (1000001,), (1000002,), (1000003,), "
        "(1000004,), (1000005,), (1000006,)]] [(0.5, '0'), (0.5, '1'), (1.5, '0'), (1.5, '1'), "
        "(2.5, '0'), (2.5, '1')]\n"
        "[(1, 2), (2, 1)] ('TypeError', \"unhashable type: 'list'\", "
        "[('h', 26), ('<setcomp>', 26)])\n"
        "0 6\n"
        "del 1\n"
        "del 2\n"
        "1\n"
        "del 0\n"
        ),
    "over_sets": ("""
        class Odd(set):
            def __iter__(self): return iter("odd")
        class Key:
            def __init__(self, n): self.n = n
            def __repr__(self): return f"Key({self.n})"
            def __hash__(self): return 5
            def __eq__(self, other):
                if type(other) is Key and self.n + other.n > 11: raise ValueError(self, other)
                return type(other) is Key and self.n == other.n
        def f(s, k, t):
            return ([x for x in s], {x & k for x in s}, {x: k for x in s}, sum(x for x in s),
                    any(x > k for x in s), [y for x in s for y in t], {x + y for x in s for y in t},
            sorted((x, y) for x in t for y in s if y != k), {(x, k) for x in s}, [t[0] for x in s])
        def only(s): return {x for x in s}
        def out(s): return [x for x in s if x]
        S, T = {1, 2, 9, 300, -1}, [3, 1 << 40]
        print(warm(f, S, 7, T))
        print(f(set(), 7, T), f({5}, 5, [5]))
        for s in frozenset(S), Odd(S), [1, 2], {1: 2, 3: 4}, range(3), {'a'}, {1.5}, {True}, 5:
            print(tries(f, s, 7, T))
        warm(out, {0, 1, 'a'})
        warm(only, {1, 300}), warm(only, frozenset([1, 300]))
        o = object()
        before = sys.getrefcount(o)
        for i in range(1500): only({o, i, i + 1.5, str(i), (o, i)}); out({o, i})
        print(sys.getrefcount(o) == before)
        print(only({1, 300, -1, -2, 1 << 60, 1 << 61, (1 << 61) - 1, 1 << 70}) == {
            1, 300, -1, -2, 1 << 60, 1 << 61, (1 << 61) - 1, 1 << 70})
        print(list(only({(1 << 61) - 1, 0, 5, 1 << 61})) == list({(1 << 61) - 1, 0, 5, 1 << 61}))
        print(tries(only, {Key(1), Key(2)}), only([Key(1)] * 2), tries(only, [Key(6), Key(7)]))
        def changing(s, add): return [add(x) for x in s]
        for i in range(1500): changing({1}, abs)
        growing = {1, 2}
        print(tries(changing, growing, lambda x: growing.add(x + 10)))
        """,
        '([1, 2, 9, 300, -1], {1, 2, 4, 7}, {1: 7, 2: 7, 9: 7, 300: 7, -1: 7}, 31'
        '1, True, [3, 1099511627776, 3, 1099511627776, 3, 1099511627776, 3, 10995'
        '11627776, 3, 1099511627776], {1099511627777, 1099511627778, 2, 4, 5, 109'
        '9511627785, 12, 1099511628076, 303, 1099511627775}, [(3, -1), (3, 1), (3'
        ', 2), (3, 9), (3, 300), (1099511627776, -1), (1099511627776, 1), (109951'
        '1627776, 2), (1099511627776, 9), (1099511627776, 300)], {(2, 7), (-1, 7)'
        ', (1, 7), (9, 7), (300, 7)}, [3, 3, 3, 3, 3])\n'
        '([], set(), {}, 0, False, [], set(), [], set(), []) ([5], {5}, {5: 5}, 5'
        ', False, [5], {10}, [], {(5, 5)}, [5])\n'
        '([1, 2, 9, 300, -1], {1, 2, 4, 7}, {1: 7, 2: 7, 9: 7, 300: 7, -1: 7}, 31'
        '1, True, [3, 1099511627776, 3, 1099511627776, 3, 1099511627776, 3, 10995'
        '11627776, 3, 1099511627776], {1099511627777, 1099511627778, 2, 4, 5, 109'
        '9511627785, 12, 1099511628076, 303, 1099511627775}, [(3, -1), (3, 1), (3'
        ', 2), (3, 9), (3, 300), (1099511627776, -1), (1099511627776, 1), (109951'
        '1627776, 2), (1099511627776, 9), (1099511627776, 300)], {(2, 7), (-1, 7)'
        ', (1, 7), (9, 7), (300, 7)}, [3, 3, 3, 3, 3])\n'
        '(\'TypeError\', "unsupported operand type(s) for &: \'str\' and \'int\'", [(\'f'
        "', 29), ('<setcomp>', 29)])\n"
        '([1, 2], {1, 2}, {1: 7, 2: 7}, 3, False, [3, 1099511627776, 3, 109951162'
        '7776], {1099511627777, 1099511627778, 4, 5}, [(3, 1), (3, 2), (109951162'
        '7776, 1), (1099511627776, 2)], {(1, 7), (2, 7)}, [3, 3])\n'
        '([1, 3], {1, 3}, {1: 7, 3: 7}, 4, False, [3, 1099511627776, 3, 109951162'
        '7776], {1099511627777, 1099511627779, 4, 6}, [(3, 1), (3, 3), (109951162'
        '7776, 1), (1099511627776, 3)], {(3, 7), (1, 7)}, [3, 3])\n'
        '([0, 1, 2], {0, 1, 2}, {0: 7, 1: 7, 2: 7}, 3, False, [3, 1099511627776, '
        '3, 1099511627776, 3, 1099511627776], {1099511627776, 1099511627777, 1099'
        '511627778, 3, 4, 5}, [(3, 0), (3, 1), (3, 2), (1099511627776, 0), (10995'
        '11627776, 1), (1099511627776, 2)], {(0, 7), (1, 7), (2, 7)}, [3, 3, 3])\n'
        '(\'TypeError\', "unsupported operand type(s) for &: \'str\' and \'int\'", [(\'f'
        "', 29), ('<setcomp>', 29)])\n"
        '(\'TypeError\', "unsupported operand type(s) for &: \'float\' and \'int\'", [('
        "'f', 29), ('<setcomp>', 29)])\n"
        '([True], {1}, {True: 7}, 1, False, [3, 1099511627776], {1099511627777, 4'
        '}, [(3, True), (1099511627776, True)], {(True, 7)}, [3])\n'
        '(\'TypeError\', "\'int\' object is not iterable", [(\'f\', 29)])\n'
        'True\n'
        'True\n'
        'True\n'
        "{Key(1), Key(2)} {Key(1)} ('ValueError', '(Key(6), Key(7))', [('only', 3"
        "2), ('<setcomp>', 32), ('__eq__', 26)])\n"
        "('RuntimeError', 'Set changed size during iteration', [('changing', 49),"
        " ('<listcomp>', 49)])\n"
        ),
}


class ComprehensionTest(unittest.TestCase):
    maxDiff = None

    def test_what_next_takes_is_built_in(self):
        said = run(textwrap.dedent("""
            def one(items): return next((x for x in items if x > 1), None)
            for i in range(20000): one([1, 2])
            """), SPRINGBOARD_JIT="on", SPRINGBOARD_JIT_DUMP="one")
        self.assertIn("---- one ", said)
        self.assertNotIn("CALL_OPAQUE", said)

    def test_items_of_both_kinds_are_appended_without_a_frame(self):
        said = run(textwrap.dedent("""
            big = 10 ** 50
            def f(a, b): return [x + y for x, y in zip(a, b)]
            for i in range(20000): f([1, big, 2, 3, big], [1, big, 2])
            """), SPRINGBOARD_JIT="on", SPRINGBOARD_JIT_DUMP="f")
        self.assertIn("---- f ", said)
        self.assertNotIn("CALL_OPAQUE", said[said.rindex("---- f "):])

    def test_loops_over_sets_are_built_in(self):
        said = run(textwrap.dedent("""
            def f(s, k): return {x & k for x in s}
            for i in range(20000): f({1, 2, 9}, 7)
            """), SPRINGBOARD_JIT="on", SPRINGBOARD_JIT_DUMP="f")
        self.assertIn("---- f ", said)
        self.assertNotIn("CALL_OPAQUE", said[said.rindex("---- f "):])

    def test_who_leaves_drops_what_has_been_given_up_but_not_released(self):
        program = textwrap.dedent("""
            import sys
            def pairs(items): return {(a, b) for a, b in items}
            def threes(items): return {(a, b, a) for a, b in items}, {(a,) for a, b in items}
            class C: pass
            some = [C(), C(), C()]
            items = [(some[i % 3], some[i * 2 % 3]) for i in range(20)]
            def counts(): return [sys.getrefcount(one) for one in some]
            before = counts()
            for i in range(400): pairs(items); threes(items)
            print([a - b for a, b in zip(counts(), before)])
            """)
        for seed in 2, 3, 4, 5, 8, 12:
            self.assertEqual(run(program, SPRINGBOARD_JIT=f"stress:{seed}"), "[0, 0, 0]\n", seed)


add_cases(ComprehensionTest, CASES, SETUP)

if __name__ == "__main__":
    unittest.main()
