"""Boxes of numbers in machine code: floats and ints that are made, destroyed, borrowed and used
again there look as in python3.11; and what is known already is not loaded or checked again."""

import re
import sys
import textwrap
import unittest

from jit_cases import finished

# name: (program, what python3.11 prints)
CASES = {
    "a_variable_is_rebound_on_one_way_only": ("""
        def pair(x, c):
            z = x + 1.0
            return (x, (x := z * 2.0) if c else 1.0)
        def make(i): return i * 1.25
        wrong = 0
        for i in range(3000):
            wrong += pair(make(i), i % 2) != (i * 1.25, (i * 1.25 + 1.0) * 2.0 if i % 2 else 1.0)
        print(wrong)
        """, "0\n"),
    "copies_of_a_number_are_one_object": ("""
        class O: pass
        o = O()
        same = lambda q: q
        def call(l, x):
            try: return l.index(x) + 1
            except ValueError: return 0
        def copies(n, inf):
            c = [0] * 20
            for i in range(n):
                x = inf - inf + i
                y = x
                l = [x, y]; t = (x, y)
                d = {x: 1}
                c[0] += x in l
                c[1] += l[0] is l[1]
                c[2] += t[0] is y
                c[3] += x is y
                c[4] += l == [x, y]
                c[5] += t == (y, x)
                c[6] += y in d
                c[7] += l.count(y)
                c[8] += {x} == {y}
                c[9] += call(l, x)
                c[10] += max(x, y) is x
                z = y if i & 1 else x
                c[11] += z is x
                o.v = x
                c[12] += o.v is x
                c[13] += same(x) is x
                c[14] += id(x) == id(o.v)
                for q in l: c[16] += q is x
                s = [z for z in l if z is not x]
                c[17] += len(s)
            return c
        def key(n, inf):
            d = {}
            x = inf - inf
            for i in range(n): d[x] = i
            return len(d)
        def given(x, n):
            y = x * 2.0
            kept = [x]
            if n > 2998: kept.append(y)
            return x if n & 1 else kept[0]
        def gives(n, inf):
            x = inf - inf
            c = 0
            for i in range(n):
                c += given(x, i) is x
            return c
        print(copies(10, float('inf')))
        print(copies(3000, float('inf')))
        print(key(3000, float('inf')), gives(3000, float('inf')))
        """,
        '[10, 10, 10, 10, 10, 10, 10, 20, 10, 10, 10, 10, 10, 10, 10, 0, 20, 0, 0, 0]\n'
        '[3000, 3000, 3000, 3000, 3000, 3000, 3000, 6000, 3000, 3000,'
        ' 3000, 3000, 3000, 3000, 3000, 0, 6000, 0, 0, 0]\n'
        '1 3000\n'),
    "a_borrowed_global_is_replaced": ("""
        class O: pass
        o = O()
        X = 7.25
        def swap(g, i):
            g['X'], o.y = i * 1.5, X
            return o.y
        swap(globals(), 0)
        wrong = 0
        junk = []
        for i in range(1, 3000):
            got = swap(globals(), i)
            junk.append(i * 2.5 + 1.0)
            wrong += got != (i - 1) * 1.5
        print(wrong)
        """, "0\n"),
    "who_else_has_the_number": ("""
        class O: pass
        def floats(o, i):
            o.x = i * 0.5
            a = o.x
            o.x += 1.0
            b = o.x
            o.x += 1.0
            return a, b, o.x
        def ints(o, i):
            o.n = i * 1000
            a = o.n
            o.n += 1000
            b = [o.n]
            o.n -= 7
            return a, b[0], o.n
        def items(a, i):
            b = a[0], a
            a[0] += i
            a[0] *= 2.0
            return b[0], a[0]
        def shared(o, p, i):
            o.x = p.x = i * 1.5
            o.x += 1.0
            return o.x, p.x
        o, p = O(), O()
        for i in range(2000):
            last = floats(o, i), ints(o, i), items([i * 0.25], i), shared(o, p, i), shared(o, o, i)
        print(*last)
        print(ints(o, -3), ints(o, 2 ** 40), ints(o, 0), floats(o, True))
        """, "(999.5, 1000.5, 1001.5) (1999000, 2000000, 1999993) (499.75, 4997.5) "
             "(2999.5, 2998.5) (2999.5, 2999.5)\n"
             "(-3000, -2000, -2007) (1099511627776000, 1099511627777000, 1099511627776993) "
             "(0, 1000, 993) (0.5, 1.5, 2.5)\n"),
    "what_a_number_replaces_is_destroyed_then": ("""
        class O: pass
        class F(float):
            def __del__(self): print('del', float(self), o.x if self > 0 else '')
        def put(o, x): o.x = x + 1.0
        def put_item(a, x): a[0] = x + 1.0
        o = O(); o.x = 0.5
        a = [0.5]
        for i in range(1500): put(o, i); put_item(a, i)
        o.x = F(3.0)
        put(o, 1)
        a[0] = F(-4.0)
        put_item(a, 2)
        o.x = None; put(o, 4); o.x = 2 ** 70; put(o, 5); o.x = 'text'; put(o, 6)
        print(o.x, a)
        """, "del 3.0 2.0\ndel -4.0 \n7.0 [3.0]\n"),
    "items_are_borrowed": ("""
        class Loud:
            def __init__(self, n): self.n = n
            def __del__(self): log.append(self.n)
        log = []
        def drop(a): a[:] = [0.0]; return len(a)
        def keep(a, f): return a[0], f(a)
        def rebound(a): return a[0], (a := [1.0])
        def temporary(i): return [i * 1.5, Loud(i)][0] + [Loud(i)][0].n
        def swap(a): a[0], a[1] = a[1], a[0]
        class V: pass
        v = V()
        for i in range(2000):
            a = [i * 0.5, i * 0.25]
            swap(a); swap(a); swap(a)
            v.a = [a]
            last = a, keep([i * 1.1, Loud(i)], drop), rebound([i * 0.75]), temporary(i), v.a[0][1]
        print(last, len(log), log[:5])
        """, "([499.75, 999.5], (2198.9, 1), (1499.25, [1.0]), 4997.5, 999.5) 6000 "
             "[0, 0, 0, 1, 1]\n"),
    "sums_begin_as_ints": ("""
        def total(a):
            s = 0
            for x in a: s += x * 1.5
            return s
        def some(a):
            s = 0
            for x in a:
                if x > 2.0: s += x
            return s
        def nested(n):
            r = 0
            for i in range(n):
                s = 0
                for j in range(i): s += j * 0.5
                r = r + s
            return r
        def both(a):
            s = n = 0
            m = None
            for x in a:
                if x < 0: break
                s += x
                n += 1
                m = x if m is None else max(m, x)
            else:
                n = -n
            return s, n, m
        a = [i * 0.5 for i in range(10)]
        for i in range(500): last = total(a), some(a), nested(5), both(a)
        print(*last)
        print(total([]), total([2]), total(['ab'] * 0), some([]), some([3]), nested(0), nested(1),
              nested(2), both([]), both([1.5, -1]), both([1, 2.5]), both([True]))
        try: total(['a'])
        except TypeError as e: print(e)
        """, "33.75 17.5 5.0 (22.5, -10, 4.5)\n"
             "0 3.0 0 0 3 0 0 0.0 (0, 0, None) (1.5, 1, 1.5) (3.5, -2, 2.5) (1, -1, True)\n"
             "can't multiply sequence by non-int of type 'float'\n"),
    "a_loop_only_reads_them": ("""
        import sys
        class C: K = 54
        def count(a, c, k, b):
            op = c.K
            n = 0
            for x in a:
                if x == op: n += 1
                if x == k: n += 10
                if b: n += 100
            return n
        for i in range(300): count([54, 'x', 3, 54], C, 3, False)
        print(count([54, 'x', 3, 54, 54.0], C, 3, False), count([1, 2], C, 2.0, True))
        C.K = 'x'
        print(count([54, 'x', 3, 54], C, None, 1), count([], C, None, []))
        def rebinds(f, n):
            x = 0.5
            y = x
            for i in range(n):
                y += x
                if i % 100 == 50: f(locals())
            return x, y
        for i in range(20): last = rebinds(len, 300)
        print(last)
        """, "13 210\n401 0\n(0.5, 150.5)\n"),
    "nothing_leaks": ("""
        import sys
        class O: pass
        def run(o, a, n):
            for i in range(n):
                o.x = i * 0.5
                o.x += 1.0
                o.n = i * 1000
                o.n += 1
                a[0] = o.x
                a[1] = o.n
                x = a[0]
                a[0], a[1] = a[1], a[0]
                x = x + a[1]
            return x
        o = O(); a = [0.0, 0]
        for i in range(5): run(o, a, 2000)
        before = sys.getallocatedblocks()
        for i in range(50): run(o, a, 2000)
        print(abs(sys.getallocatedblocks() - before) < 200)
        """, "True\n"),
    "nothing_leaks_where_loops_are_entered": ("""
        import sys
        class O: pass
        def run(p, a, v, i):
            try:
                p.y = p.x * i - a[i % 3]
                for i in a:
                    v -= -1.5
            except ValueError as e: pass
            return v
        o = O(); o.x = 0.5
        for i in range(1000): run(o, [1.5, 2.5, 1000 + i], 1.5, 2)
        before = sys.getallocatedblocks()
        for i in range(1000): run(o, [1.5, 2.5, 1000 + i], 1.5, 2)
        print(abs(sys.getallocatedblocks() - before) < 200, run(o, [2.5] * 2000 + [7], 0.5, 0))
        """, "True 3002.0\n"),
    "a_number_in_two_places_is_one_object": ("""
        import sys
        class A:
            def __init__(self, i, v): self.x = i; self.y = i; self.v = v + .5; self.w = v
        class S:
            __slots__ = "x", "y", "v", "w"
            __init__ = A.__init__
        def fill(cls, n): return [cls(i, i * .5) for i in range(1000, n)]
        def again(o, i, v):
            o.x = i + 1; o.y = i; v = v * 2
            o.v = v; o.w = v
            o.x += 1; o.w += 1.0
            return o.x, o.y, o.v, o.w
        for cls in A, S:
            for _ in range(30): a = fill(cls, 1100)
            # What a slot had is taken for the new one, if it is there: these may be two.
            print(sum(o.x is o.y or cls is S for o in a), a[7].x, a[7].y, a[7].v, a[7].w)
            for i in range(3000): r = again(a[9], i, i * .25)
            print(r, a[9].x, a[9].y, a[9].v, a[9].w)
            before = sys.getallocatedblocks()
            for _ in range(90): a = fill(cls, 1100); again(a[5], 9999, 9.5)
            print(abs(sys.getallocatedblocks() - before) < 200, cls is S or sys.getrefcount(a[3].x))
        """, "100 1007 1007 504.0 503.5\n(3001, 2999, 1499.5, 1500.5) 3001 2999 1499.5 1500.5\nTrue 3\n"
           "100 1007 1007 504.0 503.5\n(3001, 2999, 1499.5, 1500.5) 3001 2999 1499.5 1500.5\nTrue True\n"),
}


def run(mode, source, dump=None):
    more = {} if dump is None else {"SPRINGBOARD_JIT_DUMP": dump}
    return finished(textwrap.dedent(source), SPRINGBOARD_JIT=mode, **more)


class Boxes(unittest.TestCase):
    maxDiff = None


def case(source, expected):
    def test(self):
        for mode in "eager", "on", "off":
            with self.subTest(mode=mode):
                result = run(mode, source)
                self.assertEqual((result.stdout, result.stderr, result.returncode),
                                 (expected, "", 0))
    return test


for name, (source, expected) in CASES.items():
    setattr(Boxes, "test_" + name, case(source, expected))


class Graphs(unittest.TestCase):
    """What is known is neither loaded nor checked again."""

    def loop_of(self, body, calls):
        """The nodes of the block that closes the last loop of the last version of `f`."""
        source = "class P: pass\np = P(); p.x = 1.5; p.n = 1000; p.v = 0.5\n" + body + calls
        graph = run("on", source, dump="f").stderr.rpartition("---- f")[2]
        self.assertIn("machine code:", graph)
        block = graph.rpartition("(back)")[0].rpartition("\nblock ")[2]
        return re.findall(r"^ +\d+ +(?:word|int|object|double|raw)? +([A-Z_]+)(.*)", block,
                          flags=re.M)

    def test_attributes(self):
        nodes = self.loop_of("def f(p, n):\n"
                             "    for i in range(n):\n"
                             "        p.x = p.x + p.x * p.v\n", "for i in range(50): f(p, 100)\n")
        names = [name for name, rest in nodes]
        self.assertEqual(names.count("GUARD_MEM"), 1, nodes)
        self.assertEqual([rest for name, rest in nodes if name == "GUARD_CLASS"
                          and "<float>" not in rest], [], nodes)
        self.assertEqual(sum("<float>" in rest for name, rest in nodes
                             if name == "GUARD_CLASS"), 2, nodes)
        box = next(rest for name, rest in nodes if name == "BOX_DOUBLE")
        self.assertRegex(box, r"^ \d+ \d+ ")

    def test_items(self):
        nodes = self.loop_of("def f(a, b, c):\n"
                             "    for i in range(100):\n"
                             "        a[i] += b[i] * c\n",
                             "for i in range(50): f([1.0] * 100, [0.5] * 100, 0.25)\n")
        names = [name for name, rest in nodes]
        self.assertNotIn("INCREF", names)
        self.assertEqual([rest for name, rest in nodes
                          if name == "GUARD_CLASS" and "<list>" in rest], [], nodes)
        self.assertEqual(names.count("LOAD_INDEXED"), 2, nodes)

    def test_a_sum_that_begins_as_an_int(self):
        nodes = self.loop_of("def f(a):\n"
                             "    s = 0\n"
                             "    for x in a: s += x * 1.5\n"
                             "    return s\n", "for i in range(50): f([0.5] * 100)\n")
        names = [name for name, rest in nodes]
        self.assertNotIn("BOX_DOUBLE", names)
        self.assertNotIn("TO_DOUBLE", names)
        self.assertIn("FADD", names)


if __name__ == "__main__":
    unittest.main()
