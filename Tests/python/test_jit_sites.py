"""Attributes where an instruction meets several classes, instances with a dictionary of their own,
and what changes behind the back of such code: the same answers as python3.11."""

import unittest

from jit_cases import add_cases

SETUP = """
    class Base:
        kind = 'base'; count = 0
        def __init__(self, n): self.n = n; self.m = -n
        def get(self): return self.n
        def over(self): return 'base'
        @property
        def twice(self): return self.n * 2
    class A(Base):
        def over(self): return ('a', self.n)
    class B(Base):
        def over(self): return ('b', self.m)
    class C(Base):
        kind = 'c'
        def __init__(self, n): self.first = 0; Base.__init__(self, n)
    class D(A): pass
    class Slots:
        __slots__ = ('n', 'm', 'k')
        kind = 'slots'
        def __init__(self, n): self.n = n; self.m = -n
        def get(self): return self.n
        def over(self): return 'slots'
    class Hook:
        kind = 'hook'
        def __getattr__(self, name): return 'hook ' + name
    def attr(o): return o.n
    def method(o): return o.get()
    def over(o): return o.over()
    def prop(o): return o.twice
    def of_type(o): return o.kind
    def counted(o): return o.count
    def put(o, v): o.m = v
    def call(o, x): return o.callback(x)
    def name_of(o): return o.__class__.__name__
    def tries(f, *args):
        try:
            return f(*args)
        except Exception as e:
            return type(e).__name__, str(e)
    def warm(f, owners, *args):
        for i in range(400):
            for o in owners: tries(f, o, *args)
        return [tries(f, o, *args) for o in owners]
    FUNCTIONS = attr, method, over, prop, of_type, counted
    four = [A(1), B(2), D(3), Base(4)]
    mixed = four + [C(5), Slots(6)]
"""

# name: (program, what python3.11 prints)
CASES = {
    "one_place": ("""
        for f in FUNCTIONS: print(warm(f, four))
        print(warm(put, four, 7), [o.m for o in four], warm(name_of, four))
        print([tries(f, C(9)) for f in FUNCTIONS])
        print([tries(f, Slots(9)) for f in FUNCTIONS])
        print([tries(f, 5) for f in FUNCTIONS])
        """, (
            '[1, 2, 3, 4]\n'
            '[1, 2, 3, 4]\n'
            "[('a', 1), ('b', -2), ('a', 3), 'base']\n"
            '[2, 4, 6, 8]\n'
            "['base', 'base', 'base', 'base']\n"
            '[0, 0, 0, 0]\n'
            "[None, None, None, None] [7, 7, 7, 7] ['A', 'B', 'D', 'Base'"
            ']\n'
            "[9, 9, 'base', 18, 'c', 0]\n"
            '[9, 9, \'slots\', (\'AttributeError\', "\'Slots\' object has no at'
            'tribute \'twice\'"), \'slots\', (\'AttributeError\', "\'Slots\' obje'
            'ct has no attribute \'count\'")]\n'
            '[(\'AttributeError\', "\'int\' object has no attribute \'n\'"), (\''
            'AttributeError\', "\'int\' object has no attribute \'get\'"), (\'A'
            'ttributeError\', "\'int\' object has no attribute \'over\'"), (\'A'
            'ttributeError\', "\'int\' object has no attribute \'twice\'"), (\''
            'AttributeError\', "\'int\' object has no attribute \'kind\'"), (\''
            'AttributeError\', "\'int\' object has no attribute \'count\'")]\n')),
    "several_places": ("""
        for f in (attr, method, over, of_type): print(warm(f, mixed))
        print(warm(put, mixed, 7), [o.m for o in mixed], warm(name_of, mixed))
        del mixed[4].n, mixed[5].n
        print([tries(attr, o) for o in mixed])
        class Other(Base):
            def __init__(self): self.x = 1; self.n = 'other'
        print([tries(f, Other()) for f in FUNCTIONS], [tries(f, Hook()) for f in FUNCTIONS])
        """, (
            '[1, 2, 3, 4, 5, 6]\n'
            '[1, 2, 3, 4, 5, 6]\n'
            "[('a', 1), ('b', -2), ('a', 3), 'base', 'base', 'slots']\n"
            "['base', 'base', 'base', 'base', 'c', 'slots']\n"
            "[None, None, None, None, None, None] [7, 7, 7, 7, 7, 7] ['A'"
            ", 'B', 'D', 'Base', 'C', 'Slots']\n"
            '[1, 2, 3, 4, (\'AttributeError\', "\'C\' object has no attribute'
            ' \'n\'"), (\'AttributeError\', "\'Slots\' object has no attribute '
            '\'n\'")]\n'
            "['other', 'other', 'base', 'otherother', 'base', 0] ['hook n"
            '\', (\'TypeError\', "\'str\' object is not callable"), (\'TypeErro'
            'r\', "\'str\' object is not callable"), \'hook twice\', \'hook\', \''
            "hook count']\n")),
    "class_changed": ("""
        for f in FUNCTIONS: warm(f, four)
        A.over = lambda self: 'new'
        Base.twice = 'no property'
        Base.kind = 'changed'
        Base.get = lambda self: ('got', self.n)
        for f in FUNCTIONS: print([tries(f, o) for o in four])
        for f in FUNCTIONS: print(warm(f, four))
        del A.over
        B.n = property(lambda self: 'property n')
        print(warm(over, four), warm(attr, four))
        """, (
            '[1, 2, 3, 4]\n'
            "[('got', 1), ('got', 2), ('got', 3), ('got', 4)]\n"
            "['new', ('b', -2), 'new', 'base']\n"
            "['no property', 'no property', 'no property', 'no property']"
            '\n'
            "['changed', 'changed', 'changed', 'changed']\n"
            '[0, 0, 0, 0]\n'
            '[1, 2, 3, 4]\n'
            "[('got', 1), ('got', 2), ('got', 3), ('got', 4)]\n"
            "['new', ('b', -2), 'new', 'base']\n"
            "['no property', 'no property', 'no property', 'no property']"
            '\n'
            "['changed', 'changed', 'changed', 'changed']\n"
            '[0, 0, 0, 0]\n'
            "['base', ('b', -2), 'base', 'base'] [1, 'property n', 3, 4]\n")),
    "hidden_by_instance": ("""
        for f in FUNCTIONS: warm(f, four)
        a, b, d, base = four
        a.over = lambda: 'own over'
        b.kind = 'own kind'
        d.count = 5
        base.get = lambda: 'own get'
        for f in FUNCTIONS: print([tries(f, o) for o in four])
        for f in FUNCTIONS: print(warm(f, four + [A(7), Base(8)]))
        del a.over, b.kind, d.count, base.get
        for f in FUNCTIONS: print([tries(f, o) for o in four])
        """, (
            '[1, 2, 3, 4]\n'
            "[1, 2, 3, 'own get']\n"
            "['own over', ('b', -2), ('a', 3), 'base']\n"
            '[2, 4, 6, 8]\n'
            "['base', 'own kind', 'base', 'base']\n"
            '[0, 0, 5, 0]\n'
            '[1, 2, 3, 4, 7, 8]\n'
            "[1, 2, 3, 'own get', 7, 8]\n"
            "['own over', ('b', -2), ('a', 3), 'base', ('a', 7), 'base']\n"
            '[2, 4, 6, 8, 14, 16]\n'
            "['base', 'own kind', 'base', 'base', 'base', 'base']\n"
            '[0, 0, 5, 0, 0, 0]\n'
            '[1, 2, 3, 4]\n'
            '[1, 2, 3, 4]\n'
            "[('a', 1), ('b', -2), ('a', 3), 'base']\n"
            '[2, 4, 6, 8]\n'
            "['base', 'base', 'base', 'base']\n"
            '[0, 0, 0, 0]\n')),
    "own_dicts": ("""
        own = [A(1), B(2), D(3)]
        for o in own: o.__dict__
        for f in FUNCTIONS: print(warm(f, own))
        for f in FUNCTIONS: print(warm(f, own + four))
        print(warm(put, own, 7), [o.m for o in own])
        a, b, d = own
        a.__dict__['get'] = lambda: 'own get'
        b.__dict__ = {'n': 'replaced', 'kind': 'own kind'}
        del d.__dict__['n']
        d.__dict__['n'] = 'again'
        d.__dict__[3] = 4
        for f in FUNCTIONS: print([tries(f, o) for o in own])
        class Dict(dict): pass
        a.__dict__ = Dict(n='in Dict')
        for f in FUNCTIONS: print([tries(f, o) for o in own])
        del b.__dict__
        print(tries(attr, b), tries(of_type, b), tries(method, b))
        for i in range(50): setattr(d, 'x%d' % i, i)
        for i in range(49): delattr(d, 'x%d' % i)
        print(warm(attr, [d]), d.x49)
        """, (
            '[1, 2, 3]\n'
            '[1, 2, 3]\n'
            "[('a', 1), ('b', -2), ('a', 3)]\n"
            '[2, 4, 6]\n'
            "['base', 'base', 'base']\n"
            '[0, 0, 0]\n'
            '[1, 2, 3, 1, 2, 3, 4]\n'
            '[1, 2, 3, 1, 2, 3, 4]\n'
            "[('a', 1), ('b', -2), ('a', 3), ('a', 1), ('b', -2), ('a', 3"
            "), 'base']\n"
            '[2, 4, 6, 2, 4, 6, 8]\n'
            "['base', 'base', 'base', 'base', 'base', 'base', 'base']\n"
            '[0, 0, 0, 0, 0, 0, 0]\n'
            '[None, None, None] [7, 7, 7]\n'
            "[1, 'replaced', 'again']\n"
            "['own get', 'replaced', 'again']\n"
            '[(\'a\', 1), (\'AttributeError\', "\'B\' object has no attribute \''
            'm\'"), (\'a\', \'again\')]\n'
            "[2, 'replacedreplaced', 'againagain']\n"
            "['base', 'own kind', 'base']\n"
            '[0, 0, 0]\n'
            "['in Dict', 'replaced', 'again']\n"
            "['in Dict', 'replaced', 'again']\n"
            '[(\'a\', \'in Dict\'), (\'AttributeError\', "\'B\' object has no att'
            'ribute \'m\'"), (\'a\', \'again\')]\n'
            "['in Dictin Dict', 'replacedreplaced', 'againagain']\n"
            "['base', 'own kind', 'base']\n"
            '[0, 0, 0]\n'
            '(\'AttributeError\', "\'B\' object has no attribute \'n\'") base ('
            '\'AttributeError\', "\'B\' object has no attribute \'n\'")\n'
            "['again'] 49\n")),
    "many_attributes": ("""
        def big(n):
            o = Base(n)
            for i in range(40): setattr(o, 'a%d' % i, i)
            o.last = n
            return o
        def last(o): return o.last, o.a39, o.a0
        def bump(o): o.last += 1; o.a39 = o.a0 = o.last
        bigs = [big(1), big(2), big(3)]
        print(warm(last, bigs), warm(method, bigs), warm(bump, bigs), warm(last, bigs))
        print(list(big(1).__dict__)[-3:])
        """, (
            '[(1, 39, 0), (2, 39, 0), (3, 39, 0)] [1, 2, 3] [None, None, '
            'None] [(402, 402, 402), (403, 403, 403), (404, 404, 404)]\n'
            "['a38', 'a39', 'last']\n")),
    "class_assigned": ("""
        for f in FUNCTIONS: warm(f, four)
        four[0].__class__ = B
        four[1].__class__ = Hook
        four[2].__class__ = C
        for f in FUNCTIONS: print([tries(f, o) for o in four])
        for f in FUNCTIONS: print(warm(f, four))
        """, (
            '[1, 2, 3, 4]\n'
            '[1, (\'TypeError\', "\'str\' object is not callable"), 3, 4]\n'
            '[(\'b\', -1), (\'TypeError\', "\'str\' object is not callable"), \''
            "base', 'base']\n"
            "[2, 'hook twice', 6, 8]\n"
            "['base', 'hook', 'c', 'base']\n"
            "[0, 'hook count', 0, 0]\n"
            '[1, 2, 3, 4]\n'
            '[1, (\'TypeError\', "\'str\' object is not callable"), 3, 4]\n'
            '[(\'b\', -1), (\'TypeError\', "\'str\' object is not callable"), \''
            "base', 'base']\n"
            "[2, 'hook twice', 6, 8]\n"
            "['base', 'hook', 'c', 'base']\n"
            "[0, 'hook count', 0, 0]\n")),
    "hooks_added": ("""
        for f in FUNCTIONS: warm(f, four)
        def get(self, name):
            return object.__getattribute__(self, '__dict__').get(name, 'no ' + name)
        A.__getattribute__ = get
        for f in FUNCTIONS: print([tries(f, o) for o in four])
        del A.__getattribute__
        for f in FUNCTIONS: print([tries(f, o) for o in four])
        B.__getattr__ = lambda self, name: 'hook ' + name
        del four[1].n
        for f in FUNCTIONS: print(warm(f, four))
        def set(self, name, value): object.__setattr__(self, name, ('set', value))
        warm(put, four, 1)
        D.__setattr__ = set
        put(four[2], 3)
        print([o.m for o in four], warm(put, four, 2), [o.m for o in four])
        """, (
            '[1, 2, 3, 4]\n'
            '[(\'TypeError\', "\'str\' object is not callable"), 2, (\'TypeErr'
            'or\', "\'str\' object is not callable"), 4]\n'
            '[(\'TypeError\', "\'str\' object is not callable"), (\'b\', -2), ('
            '\'TypeError\', "\'str\' object is not callable"), \'base\']\n'
            "['no twice', 4, 'no twice', 8]\n"
            "['no kind', 'base', 'no kind', 'base']\n"
            "['no count', 0, 'no count', 0]\n"
            '[1, 2, 3, 4]\n'
            '[1, 2, 3, 4]\n'
            "[('a', 1), ('b', -2), ('a', 3), 'base']\n"
            '[2, 4, 6, 8]\n'
            "['base', 'base', 'base', 'base']\n"
            '[0, 0, 0, 0]\n'
            "[1, 'hook n', 3, 4]\n"
            "[1, 'hook n', 3, 4]\n"
            "[('a', 1), ('b', -2), ('a', 3), 'base']\n"
            "[2, 'hook nhook n', 6, 8]\n"
            "['base', 'base', 'base', 'base']\n"
            '[0, 0, 0, 0]\n'
            "[1, 1, ('set', 3), 1] [None, None, None, None] [2, 2, ('set'"
            ', 2), 2]\n')),
    "callbacks": ("""
        class One:
            def __init__(self, f): self.callback = f
        class Two:
            def __init__(self, f): self.x = 1; self.callback = f
        class Three:
            def callback(self, x): return ('method', x)
        def f(x): return ('f', x)
        print(warm(call, [One(f), One(len), One(str)], 'abc'))
        print(warm(call, [One(f), Two(f), Two(len)], 'abc'))
        print(warm(call, [One(f), Two(f), Three()], 'abc'))
        """, (
            "[('f', 'abc'), 3, 'abc']\n"
            "[('f', 'abc'), ('f', 'abc'), 3]\n"
            "[('f', 'abc'), ('f', 'abc'), ('method', 'abc')]\n")),
    "defaults": ("""
        class Shape:
            filled = None; color = 'red'; size = 0
            def paint(self): self.color = 'blue'; return self
        def look(o): return o.color, o.size, o.filled
        shapes = [Shape(), Shape().paint(), Shape(), Shape().paint()]
        print(warm(look, shapes))
        shapes[1].filled = True
        print(warm(look, shapes))
        Shape.color = 'green'
        del shapes[1].color
        print(warm(look, shapes))
        Shape.size = property(lambda self: ('size', self.color))
        print(warm(look, shapes))
        """, (
            "[('red', 0, None), ('blue', 0, None), ('red', 0, None), ('bl"
            "ue', 0, None)]\n"
            "[('red', 0, None), ('blue', 0, True), ('red', 0, None), ('bl"
            "ue', 0, None)]\n"
            "[('green', 0, None), ('green', 0, True), ('green', 0, None),"
            " ('blue', 0, None)]\n"
            "[('green', ('size', 'green'), None), ('green', ('size', 'gre"
            "en'), True), ('green', ('size', 'green'), None), ('blue', ('"
            "size', 'blue'), None)]\n")),
    "stored_words": ("""
        class P:
            def __init__(self, v): self.v = v
            def put(self, v): self.v = v
        values = [1, None, 2.5, 'x', 2 ** 70, True, -(2 ** 62)]
        out = []
        p = P(0)
        for i in range(700):
            v = values[i % 7]
            q = P(v)
            p.put(v)
            out.append((q.v, p.v))
        print(out[-7:])
        class S:
            __slots__ = 'v',
            def __init__(self, v):
                if v: self.v = v
            def put(self, v): self.v = v
        for i in range(700):
            s = S(values[i % 7])
            s.put(values[(i + 1) % 7])
            del s.v
            s.put(values[i % 7])
            out.append(s.v)
        print(out[-7:])
        class Loud:
            def __init__(self, name): self.name = name
            def __del__(self):
                if self.name: print('del', self.name, p.v if type(p.v) is int else type(p.v))
        for i in range(1200):
            p.put(i)
            p.put(Loud('' if i < 1198 else 'last%d' % i))
        p.put(0)
        """, (
            "[(1, 1), (None, None), (2.5, 2.5), ('x', 'x'), (118059162071"
            '7411303424, 1180591620717411303424), (True, True), (-4611686'
            '018427387904, -4611686018427387904)]\n'
            "[1, None, 2.5, 'x', 1180591620717411303424, True, -461168601"
            '8427387904]\n'
            'del last1198 1199\n'
            'del last1199 0\n')),
    "many_classes": ("""
        classes = [type('K%d' % i, (Base,), {'kind': i, 'over': lambda self, i=i: i})
                   for i in range(20)]
        owners = [cls(i) for i, cls in enumerate(classes)]
        for f in FUNCTIONS: print(warm(f, owners)[-3:])
        print(warm(put, owners, 3)[-3:], owners[19].m)
        for i in range(300):
            class Local(Base):
                def __init__(self): self.n = i
                def over(self): return 'local', i
            for k in range(20):
                o = Local()
                r = over(o), attr(o), of_type(o), put(o, k), o.m
        print(r)
        """, (
            '[17, 18, 19]\n'
            '[17, 18, 19]\n'
            '[17, 18, 19]\n'
            '[34, 36, 38]\n'
            '[17, 18, 19]\n'
            '[0, 0, 0]\n'
            '[None, None, None] 3\n'
            "(('local', 299), 299, 'base', None, 19)\n")),
    "bound": ("""
        def bound(o): return o.over
        def of_list(l): return l.append
        print([f() for f in warm(bound, four)])
        l = []
        print(warm(of_list, [l])[0](3), l, of_list([1]).__self__)
        four[0].over = lambda: 'own'
        A.over = staticmethod(lambda: 'static')
        print([f() for f in warm(bound, four)])
        """, (
            "[('a', 1), ('b', -2), ('a', 3), 'base']\n"
            'None [3] [1]\n'
            "['own', ('b', -2), 'static', 'base']\n")),
    "getters_and_hooks": ("""
        import io
        class W(io.TextIOWrapper):
            def __getattr__(self, name): return 'hook ' + name
        class Raises:
            def __get__(self, obj, cls): raise AttributeError('no')
        class H:
            d = Raises()
            p = property(lambda self: self.missing.other)
            def f(self): return 'f'
            def __getattr__(self, name): return 'hook ' + name
        def name(o): return o.name
        def d(o): return o.d, o.p
        def f(o): return o.f
        print(warm(name, [W(io.BytesIO()), W(io.BytesIO())]), warm(d, [H()]), warm(f, [H()])[0]())
        """, "['hook name', 'hook name'] [('hook d', 'hook p')] f\n"),
    "of_classes": ("""
        class Meta(type):
            hue = 'meta'
            @property
            def shade(cls): return cls.__name__ + ' shade'
        class X(metaclass=Meta): value = four[0]
        class Y(X): pass
        class Z: value = 5; hue = 'z'; shade = 'z'
        def name(c): return c.__name__
        def value(c): return c.value
        def hue(c): return c.hue, c.shade
        def type_name(o): return type(o).__name__
        print(warm(name, [A, B, X, Y, int, list]), warm(hue, [X, Y, Z]))
        print([v is four[0] for v in warm(value, [X, Y])], warm(value, [Z]))
        print(warm(type_name, mixed), tries(name, 5))
        X.__name__ = 'Renamed'
        Y.value = 'y'
        Y.hue = 'y'
        print(warm(name, [X, Y]), warm(value, [Y]), warm(hue, [X, Y, Z]))
        """, (
            "['A', 'B', 'X', 'Y', 'int', 'list'] [('meta', 'X shade'), ('"
            "meta', 'Y shade'), ('z', 'z')]\n"
            '[True, True] [5]\n'
            '[\'A\', \'B\', \'D\', \'Base\', \'C\', \'Slots\'] (\'AttributeError\', "\'i'
            'nt\' object has no attribute \'__name__\'")\n'
            "['Renamed', 'Y'] ['y'] [('meta', 'Renamed shade'), ('y', 'Y "
            "shade'), ('z', 'z')]\n")),
    "kinds_change": ("""
        class Value: pass
        class Holder:
            held = Value()
        class Meta(type): pass
        class Cls(metaclass=Meta):
            held = Value()
        Holder.held.tag = 'plain'
        def held(o): return type(o.held).__name__
        o = Holder(); o.__dict__
        print(warm(held, [Holder(), o]), warm(held, [Cls, Holder]))
        Value.__get__ = lambda self, obj, cls: ('got', obj is None)
        print(warm(held, [Holder(), o]), warm(held, [Cls, Holder]))
        print(Holder().held, Holder.held, Cls.held)
        del Value.__get__
        print(warm(held, [Holder(), o]), warm(held, [Cls, Holder]))
        class Getter:
            def __get__(self, obj, cls): return 5
            def __set__(self, obj, value): print('set', value)
        o.held = 1
        print(warm(held, [o]))
        Holder.__dict__['held'].__class__ = Getter
        print(warm(held, [Holder(), o]), o.held)
        o.held = 3
        Holder.__dict__['held'].__class__
        class Later: pass
        Later.__bases__
        class Mixin: pass
        class Kind(Mixin): pass
        Holder.held = Kind()
        print(warm(held, [Holder(), o]))
        Mixin.__get__ = lambda self, obj, cls: 'from mixin'
        print(warm(held, [Holder()]), Holder().held)
        """, (
            "['Value', 'Value'] ['Value', 'Value']\n"
            "['tuple', 'tuple'] ['tuple', 'tuple']\n"
            "('got', False) ('got', True) ('got', True)\n"
            "['Value', 'Value'] ['Value', 'Value']\n"
            "['int']\n"
            "['int', 'int'] 5\n"
            'set 3\n'
            "['Kind', 'int']\n"
            "['str'] from mixin\n")),
    "interpreters": ("""
        import _xxsubinterpreters as interpreters
        text = '''
        class A:
            kind = "sub"
            def __init__(self): self.n = 1
            def over(self): return "sub", self.n
        class B(A): pass
        def over(o): return o.over(), o.kind
        for i in range(1500): r = over(A()), over(B())
        print(r, flush=True)
        '''
        import textwrap
        warm(over, four)
        for i in range(2):
            sub = interpreters.create()
            interpreters.run_string(sub, textwrap.dedent(text))
            interpreters.destroy(sub)
        print(warm(over, four))
        """, (
            "((('sub', 1), 'sub'), (('sub', 1), 'sub'))\n"
            "((('sub', 1), 'sub'), (('sub', 1), 'sub'))\n"
            "[('a', 1), ('b', -2), ('a', 3), 'base']\n")),
}


class SiteTests(unittest.TestCase):
    maxDiff = 3000


add_cases(SiteTests, CASES, SETUP)


if __name__ == "__main__":
    unittest.main()
