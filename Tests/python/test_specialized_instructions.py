"""Instructions that adapt to what they meet must notice when it changes."""

import sys
import types
import unittest

WARM = 200

counter = 0


def repeat(function, *args):
    for _ in range(WARM):
        result = function(*args)
    return result


class GlobalsTest(unittest.TestCase):
    def make(self, **names):
        namespace = dict(names)
        exec("def read(): return name\ndef length(x): return len(x)", namespace)
        return namespace

    def test_new_value_is_seen(self):
        ns = self.make(name=1)
        self.assertEqual(repeat(ns['read']), 1)
        ns['name'] = 2
        self.assertEqual(ns['read'](), 2)

    def test_deleted_name_raises(self):
        ns = self.make(name=1)
        repeat(ns['read'])
        del ns['name']
        with self.assertRaisesRegex(NameError, "name 'name' is not defined"):
            ns['read']()

    def test_global_hides_builtin_later(self):
        ns = self.make()
        self.assertEqual(repeat(ns['length'], 'abc'), 3)
        ns['len'] = lambda x: 'mine'
        self.assertEqual(ns['length']('abc'), 'mine')
        del ns['len']
        self.assertEqual(ns['length']('abc'), 3)

    def test_growing_namespace_keeps_reading_right(self):
        ns = self.make(name='first')
        repeat(ns['read'])
        for i in range(100):
            ns['other%d' % i] = i
            self.assertEqual(ns['read'](), 'first')

    def test_same_code_with_other_globals(self):
        ns = self.make(name=1)
        repeat(ns['read'])
        other = types.FunctionType(ns['read'].__code__, {'name': 'other'})
        self.assertEqual(repeat(other), 'other')
        self.assertEqual(ns['read'](), 1)


class AttributesTest(unittest.TestCase):
    def test_instance_attribute_moves_to_the_dict(self):
        class C:
            def __init__(self):
                self.x = 1
        read = lambda o: o.x
        c = C()
        self.assertEqual(repeat(read, c), 1)
        c.__dict__['x'] = 2
        self.assertEqual(read(c), 2)
        c.__dict__ = {'x': 3}
        self.assertEqual(read(c), 3)
        del c.x
        with self.assertRaises(AttributeError):
            read(c)

    def test_store_after_materialised_dict(self):
        class C:
            def __init__(self):
                self.x = 1
        def write(o, v):
            o.x = v
        repeat(write, C(), 5)
        c = C()
        d = c.__dict__
        write(c, 7)
        self.assertEqual(d, {'x': 7})

    def test_class_change_is_seen(self):
        class A:
            v = 'A'
        class B:
            v = 'B'
        read = lambda o: o.v
        a = A()
        self.assertEqual(repeat(read, a), 'A')
        a.__class__ = B
        self.assertEqual(read(a), 'B')
        B.v = 'new'
        self.assertEqual(read(a), 'new')

    def test_instance_attribute_starts_to_hide_method(self):
        class C:
            def m(self):
                return 'method'
        call = lambda o: o.m()
        c = C()
        c.other = 1
        self.assertEqual(repeat(call, c), 'method')
        c.m = lambda: 'own'
        self.assertEqual(call(c), 'own')
        self.assertEqual(call(C()), 'method')

    def test_method_replaced_in_base(self):
        class A:
            def m(self):
                return 1
        class B(A):
            pass
        call = lambda o: o.m()
        self.assertEqual(repeat(call, B()), 1)
        A.m = lambda self: 2
        self.assertEqual(call(B()), 2)
        B.m = lambda self: 3
        self.assertEqual(call(B()), 3)

    def test_data_descriptor_appears(self):
        class C:
            def __init__(self):
                self.x = 'own'
        read = lambda o: o.x
        c = C()
        self.assertEqual(repeat(read, c), 'own')
        C.x = property(lambda self: 'computed')
        self.assertEqual(read(c), 'computed')
        del C.x
        self.assertEqual(read(c), 'own')

    def test_property_getter_is_replaced(self):
        class C:
            @property
            def p(self):
                return 1
        read = lambda o: o.p
        self.assertEqual(repeat(read, C()), 1)
        C.__dict__['p'].__init__(lambda self: 2)
        self.assertEqual(read(C()), 2)
        C.p = property(lambda self: 3)
        self.assertEqual(read(C()), 3)

    def test_property_raises(self):
        class C:
            @property
            def p(self):
                if self.bad:
                    raise KeyError('p')
                return 1
        def read(o):
            try:
                return o.p
            except KeyError:
                return 'caught'
        c = C()
        c.bad = False
        repeat(read, c)
        c.bad = True
        self.assertEqual(read(c), 'caught')

    def test_slot_is_deleted(self):
        class C:
            __slots__ = 'a'
        c = C()
        c.a = 1
        read = lambda o: o.a
        repeat(read, c)
        del c.a
        with self.assertRaises(AttributeError):
            read(c)

    def test_module_attribute_changes_and_goes(self):
        m = types.ModuleType('m')
        m.x = 1
        read = lambda: m.x
        self.assertEqual(repeat(read), 1)
        m.x = 2
        self.assertEqual(read(), 2)
        del m.x
        with self.assertRaises(AttributeError):
            read()
        m.__getattr__ = lambda name: 'dynamic'
        self.assertEqual(read(), 'dynamic')

    def test_many_classes_change_at_one_place(self):
        """What the method cache knows of a class goes with its version."""
        def make(i):
            class C:
                kind = i

                def __init__(self):
                    self.x = i

                def get(self):
                    return i

            class S(C):
                __slots__ = ("s",)
            return C, S
        classes = [cls for i in range(5) for cls in make(i)]

        def read(objects):
            result = []
            for o in objects:
                o.x += 1
                result.append((o.x, o.kind, o.get(), o.__class__))
            return result
        objects = [cls() for cls in classes]
        for round in range(1, 40):
            self.assertEqual(read(objects), [(i // 2 + round, i // 2, i // 2, cls)
                                             for i, cls in enumerate(classes)])
        for i, cls in enumerate(classes):
            if i % 2 == 0:
                cls.kind = cls.x = property(lambda self: "p", lambda self, value: None)
                cls.get = lambda self: "g"
        classes[1].get = lambda self: "s"
        expected = [("p1", "p", "g", cls) for cls in classes]
        expected[1] = "p1", "p", "s", classes[1]

        def read_text(objects):
            return [(f"{o.x}1", o.kind, o.get(), o.__class__) for o in objects]
        for _ in range(40):
            self.assertEqual(read_text(objects), expected)
        objects[2].__dict__["get"] = lambda: "own"
        self.assertEqual(read_text(objects)[2][2], "own")

    def test_class_is_assigned(self):
        class A:
            pass

        class B:
            pass
        o = A()
        for cls in (A, B) * 40:
            o.__class__ = cls
            self.assertIs(o.__class__, cls)
            self.assertIs(type(o), cls)

    def test_error_of_getter_tells_the_attribute(self):
        class C:
            @property
            def x(self):
                self = None
                raise AttributeError("x")

            def __get__(self, obj, cls):
                raise AttributeError("get")

            def __set__(self, obj, value):
                raise AttributeError("set")

        class D:
            c = C()

        class E:
            def __getattr__(self, name):
                raise AttributeError("hook")
        for cls, name in (C, "x"), (D, "c"), (E, "z"):
            o = cls()
            ns = {}
            exec(f"def read(o): return o.{name}", ns)
            for _ in range(WARM):
                with self.assertRaises(AttributeError) as caught:
                    ns["read"](o)
                self.assertEqual(caught.exception.name, name)
                self.assertIs(caught.exception.obj, o)

    def test_hook_is_asked_for_what_is_missing(self):
        class C:
            def __init__(self):
                self.own = 1

            def __getattr__(self, name):
                if name == "gone":
                    raise AttributeError(name)
                return name.upper()

            @property
            def fails(self):
                raise AttributeError("fails")

            def method(self):
                return 2

        def read(o):
            return o.own, o.other, o.fails, o.method(), o.call.lower(), getattr(o, "gone", 3)
        o = C()
        for _ in range(WARM):
            self.assertEqual(read(o), (1, "OTHER", "FAILS", 2, "call", 3))
        del o.own
        self.assertEqual(read(o)[0], "OWN")
        C.__getattr__ = lambda self, name: name
        self.assertEqual(read(o)[1], "other")
        del C.__getattr__
        with self.assertRaises(AttributeError):
            o.other
        C.__getattribute__ = lambda self, name: "all"
        self.assertEqual(o.method, "all")

    def test_many_classes_at_one_place(self):
        classes = [type('C%d' % i, (), {'v': i, 'm': lambda self, i=i: i})
                   for i in range(10)]
        read = lambda o: (o.v, o.m())
        for _ in range(50):
            for i, cls in enumerate(classes):
                self.assertEqual(read(cls()), (i, i))


    def test_method_of_instance_that_gets_a_dict(self):
        """The dict of such an object lies at an offset, and is made late."""
        import collections
        call = lambda o: o.popitem
        method = lambda o: o.keys()
        for _ in range(3):
            o = collections.OrderedDict(a=1)
            self.assertEqual(repeat(lambda o: list(method(o)), o), ["a"])
            self.assertEqual(repeat(call, o).__self__, o)
            for i in range(20):
                setattr(o, "own%d" % i, i)
                self.assertEqual(list(method(o)), ["a"])
                self.assertEqual(call(o).__self__, o)
            self.assertEqual(repeat(lambda o: list(method(o)), o), ["a"])
            o.keys = lambda: "own"
            self.assertEqual(method(o), "own")
            o.popitem = 5
            self.assertEqual(call(o), 5)

    def test_instances_without_attributes_get_some(self):
        class C:
            def m(self):
                return "class"

            @classmethod
            def c(cls):
                return cls

            @staticmethod
            def s():
                return "static"
        read = lambda o: (o.m(), o.c(), o.s(), o.m.__self__)
        o, later = C(), C()
        self.assertEqual(repeat(read, o), ("class", C, "static", o))
        for i in range(8):
            setattr(later, "x%d" % i, i)
        later.c = lambda: "own"
        self.assertEqual(read(later), ("class", "own", "static", later))
        self.assertEqual(read(o), ("class", C, "static", o))
        self.assertEqual(later.__dict__["x7"], 7)

    def test_descriptors_in_c(self):
        import collections
        Point = collections.namedtuple("Point", "x y")
        read = lambda o: o.x
        self.assertEqual(repeat(read, Point(1, 2)), 1)
        Point.x = 5
        self.assertEqual(read(Point(1, 2)), 5)
        with self.assertRaises(AttributeError) as caught:
            repeat(lambda o: o.__kwdefaults__, 3)
        self.assertEqual((caught.exception.name, caught.exception.obj), ("__kwdefaults__", 3))


class ComparisonsTest(unittest.TestCase):
    """What is compared without asking the objects gives what they would say."""

    def test_every_pair_in_every_order(self):
        import operator
        nan = float("nan")

        class Odd:
            def __eq__(self, other):
                return "odd"
            __hash__ = None
        odd = Odd()
        values = [1, 2, -1, 1 << 40, -(1 << 40), 1 << 200, 1.0, nan, "", "a", "ab", "\u20ac",
                  None, True, (), (1,), (1, 2), (1.0,), ("a", 1), ("a", 2), (nan,), (1 << 70,),
                  ((1, 2), 3), ((1, 2), 4), ((((1,),),),), (((((1,),),),),), (odd,), (None,),
                  (1, "a"), ("a", odd), [1], [1, 2], "b", object]
        code = {"<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne,
                ">": operator.gt, ">=": operator.ge}
        for text, function in code.items():
            ns = {}
            exec(f"def value(a, b): return a {text} b\n"
                 f"def jump(a, b):\n if a {text} b: return True\n return False", ns)
            for a in values:
                for b in values:
                    try:
                        expected = getattr(type(a), f"__{function.__name__}__")(a, b)
                        if expected is NotImplemented:
                            expected = function(a, b)
                    except TypeError:
                        for name in "value", "jump":
                            with self.assertRaises(TypeError, msg=(a, text, b)):
                                ns[name](a, b)
                        continue
                    self.assertEqual(ns["value"](a, b), expected, (a, text, b))
                    self.assertIs(ns["jump"](a, b), bool(expected), (a, text, b))

    def test_tuples_as_keys(self):
        keys = [(i, str(j), float(i)) for i in range(6) for j in range(6)]
        table, group = {k: i for i, k in enumerate(keys)}, set(keys)
        for i, k in enumerate(keys):
            copy = tuple(list(k[:2]) + [int(k[2])])
            self.assertEqual(table[copy], i)
            self.assertIn(copy, group)
        self.assertNotIn((1, "1", 2.0), table)
        self.assertNotIn((1, "1"), group)


class CallsTest(unittest.TestCase):
    def test_functions_of_modules_at_one_place(self):
        import math
        import operator
        import struct

        class Mine:
            @staticmethod
            def floor(x):
                return "mine"

            def method(self, x):
                return "method"
        call = lambda m, x: m.floor(x)
        self.assertEqual(repeat(call, math, 2.5), 2)
        self.assertEqual(call(Mine, 2.5), "mine")
        self.assertEqual(call(Mine(), 2.5), "mine")
        fake = types.ModuleType("fake")
        fake.floor = Mine().method
        self.assertEqual(call(fake, 2.5), "method")
        fake.floor = lambda x: x
        self.assertEqual(repeat(call, fake, 2.5), 2.5)
        fake.floor = math.ceil
        self.assertEqual(repeat(call, fake, 2.5), 3)
        with self.assertRaises(TypeError):
            call(fake, "text")
        add = lambda m, a, b: m.add(a, b)
        self.assertEqual(repeat(add, operator, 1, 2), 3)
        group = set()
        group_add = lambda s, x: s.add(x)
        fake.add = lambda x: x
        self.assertEqual(repeat(group_add, fake, 5), 5)
        self.assertIsNone(repeat(group_add, group, 5))
        unpack = lambda m, f, b: m.unpack_from(f, b)
        self.assertEqual(repeat(unpack, struct, "<H", b"ab"), (25185,))

    def test_unpacked_arguments_of_classes_and_methods(self):
        class C:
            def __init__(self, a, *rest, key=0, **others):
                self.all = a, rest, key, others

            def method(self, *args, **kwargs):
                return self, args, kwargs

        class Returns:
            def __init__(self, *args):
                if args:
                    return args
        c = C(0)
        for _ in range(WARM):
            self.assertEqual(C(*[1, 2, 3], **{"key": 4, "z": 5}).all, (1, (2, 3), 4, {"z": 5}))
            self.assertEqual(C(*(i for i in range(2))).all, (0, (1,), 0, {}))
            self.assertEqual(c.method(*(1, 2), **{"k": 3}), (c, (1, 2), {"k": 3}))
            with self.assertRaisesRegex(TypeError, "missing 1 required positional argument: 'a'"):
                C(*[])
            with self.assertRaisesRegex(TypeError, "should return None, not 'tuple'"):
                Returns(*[1])
            with self.assertRaisesRegex(TypeError, "keywords must be strings"):
                C(1, **{2: 3})
            self.assertIsInstance(Returns(*[]), Returns)

    def test_callables_in_c(self):
        import functools
        import operator

        class C:
            @functools.lru_cache(None)
            def m(self, x):
                return [x]
        c = C()
        self.assertIs(repeat(lambda: c.m(1)), c.m(1))
        get = operator.itemgetter(1)
        part = functools.partial(max, 5)
        self.assertEqual(repeat(lambda: (get([1, 2]), part(7), part(3))), (2, 7, 5))
        with self.assertRaises(TypeError):
            repeat(lambda: get())

    def test_code_of_function_is_replaced(self):
        def f(a):
            return a
        def g(a, b=5):
            return a + b
        call = lambda: f(1)
        self.assertEqual(repeat(call), 1)
        f.__code__ = g.__code__
        f.__defaults__ = (5,)
        self.assertEqual(call(), 6)

    def test_defaults_change(self):
        def f(a, b=1):
            return b
        call = lambda: f(0)
        self.assertEqual(repeat(call), 1)
        f.__defaults__ = (2,)
        self.assertEqual(call(), 2)
        f.__defaults__ = None
        with self.assertRaisesRegex(TypeError, "missing 1 required positional"):
            call()

    def test_init_is_replaced(self):
        class C:
            def __init__(self, x):
                self.x = x
        make = lambda: C(1)
        self.assertEqual(repeat(make).x, 1)
        C.__init__ = lambda self, x: setattr(self, 'x', 'new')
        self.assertEqual(make().x, 'new')
        C.__new__ = lambda cls, x: 'not an instance'
        self.assertEqual(make(), 'not an instance')

    def test_abstract_class_refuses(self):
        import abc
        class C(abc.ABC):
            def __init__(self):
                pass
        make = lambda: C()
        repeat(make)
        C.m = abc.abstractmethod(lambda self: 0)
        abc.update_abstractmethods(C)
        with self.assertRaises(TypeError):
            make()

    def test_init_raising_leaves_the_variable_alone(self):
        class C:
            def __init__(self, fail):
                if fail:
                    raise ValueError
        def make(fail):
            x = 'old'
            try:
                x = C(fail)
            except ValueError:
                pass
            return x
        repeat(make, False)
        self.assertEqual(make(True), 'old')

    def test_len_of_other_things(self):
        class Sized:
            def __len__(self):
                return 7
        length = lambda x: len(x)
        repeat(length, [1, 2])
        for value, expected in ((Sized(), 7), ({1: 2}, 1), ('ab', 2), (b'abc', 3),
                                (range(5), 5), ((), 0)):
            self.assertEqual(length(value), expected)
        with self.assertRaisesRegex(TypeError, r"object of type 'int' has no len\(\)"):
            length(5)

    def test_append_of_a_list_subclass(self):
        class L(list):
            def append(self, item):
                super().append(('mine', item))
        def add(l, x):
            l.append(x)
        repeat(add, [], 1)
        l = L()
        add(l, 2)
        self.assertEqual(l, [('mine', 2)])

    def test_c_method_with_wrong_self(self):
        call = lambda m, o: m(o, 'x')
        repeat(call, str.find, 'axb')
        with self.assertRaises(TypeError):
            call(str.find, 5)

    def test_type_of_anything(self):
        kind = lambda x: type(x)
        self.assertIs(repeat(kind, 5), int)
        self.assertIs(kind('a'), str)
        self.assertIs(kind(type), type)


class LoopsTest(unittest.TestCase):
    def test_every_kind_of_iterator_at_one_place(self):
        def collect(iterable):
            result = []
            for item in iterable:
                result.append(item)
            return result
        def gen():
            yield from (1, 2)
            return 5
        for _ in range(5):
            for make in (lambda: [1, 2], lambda: (1, 2), lambda: range(1, 3), gen,
                         lambda: {1: 0, 2: 0}, lambda: iter((1, 2)), lambda: {1, 2}):
                self.assertEqual(collect(make()), [1, 2])

    def test_range_at_the_edges_of_words(self):
        collect = lambda r: [i for i in r]
        edge = 2**62
        self.assertEqual(collect(range(edge - 2, edge + 2)),
                         [edge - 2, edge - 1, edge, edge + 1])
        self.assertEqual(collect(range(-edge + 1, -edge - 3, -1)),
                         [-edge + 1, -edge, -edge - 1, -edge - 2])
        self.assertEqual(collect(range(2**63 - 2, 2**63 + 1)),
                         [2**63 - 2, 2**63 - 1, 2**63])

    def test_list_grows_and_shrinks_under_the_loop(self):
        seen = []
        l = [1, 2, 3]
        for x in l:
            seen.append(x)
            if len(l) < 5:
                l.append(x * 10)
        self.assertEqual(seen, [1, 2, 3, 10, 20])
        l = [1, 2, 3, 4]
        seen = []
        for x in l:
            seen.append(x)
            l.pop()
        self.assertEqual(seen, [1, 2])

    def test_generator_closed_from_its_own_loop(self):
        def gen():
            yield 1
            yield 2
        g = gen()
        seen = []
        for x in g:
            seen.append(x)
            g.close()
        self.assertEqual(seen, [1])


class SubscriptsTest(unittest.TestCase):
    def test_kinds_at_one_place(self):
        class G:
            def __getitem__(self, key):
                return ('got', key)
        get = lambda o, k: o[k]
        repeat(get, G(), 1)
        for o, k, expected in (([1, 2], -1, 2), ((1, 2), 0, 1), ('abc', 1, 'b'),
                               ('\u20ac', 0, '\u20ac'), (b'ab', 0, 97),
                               (bytearray(b'ab'), -1, 98), ({5: 6}, 5, 6), (G(), 2, ('got', 2)),
                               (range(5), 3, 3)):
            self.assertEqual(get(o, k), expected)
        for o, k, error in (([], 0, IndexError), ('', 0, IndexError), ({}, 0, KeyError),
                            (b'', -1, IndexError), (5, 0, TypeError), ([1], 'a', TypeError)):
            with self.assertRaises(error):
                get(o, k)

    def test_getitem_raises_and_goes(self):
        class G:
            def __getitem__(self, key):
                raise LookupError(key)
        def get(o):
            try:
                return o[1]
            except LookupError as e:
                return e.args
        self.assertEqual(repeat(get, G()), (1,))
        G.__getitem__ = lambda self, key: key
        self.assertEqual(get(G()), 1)
        del G.__getitem__
        with self.assertRaises(TypeError):
            get(G())

    def test_missing_is_asked(self):
        class D(dict):
            def __missing__(self, key):
                return 'missing'
        get = lambda o, k: o[k]
        repeat(get, {1: 2}, 1)
        self.assertEqual(get(D(), 1), 'missing')

    def test_bytearray_stores(self):
        b = bytearray(3)
        def put(o, i, v):
            o[i] = v
        repeat(put, b, 1, 255)
        self.assertEqual(b, b'\0\xff\0')
        for i, v, error in ((3, 0, IndexError), (0, 256, ValueError), (0, -1, ValueError),
                            (0, 'a', TypeError)):
            with self.assertRaises(error):
                put(b, i, v)


class IdentityTest(unittest.TestCase):
    def test_large_int_keeps_its_identity(self):
        x = 10**15 + len('abc')
        l = [x]
        self.assertTrue(l[0] is x)
        self.assertTrue(x is x)
        y = x
        self.assertTrue(y is x)
        d = {'k': x}
        self.assertTrue(d['k'] is x)

    def test_equal_ints_of_other_types_are_not_identical(self):
        one = 1
        self.assertFalse(one is True)
        self.assertTrue(one == True)


class LifetimeTest(unittest.TestCase):
    def test_operands_of_methods_die_at_their_last_use(self):
        log = []

        class D:
            def __init__(self, name):
                self.name = name

            def __del__(self):
                log.append(self.name)

            @property
            def x(self):
                return 1

            def __getitem__(self, key):
                return 2

            def __neg__(self):
                return 3
        for _ in range(4):
            value = D("owner").x
            self.assertEqual((value, log), (1, ["owner"]))
            log.clear()
            value = D("container")[D("key")]
            self.assertEqual((value, sorted(log)), (2, ["container", "key"]))
            log.clear()
            value = D("container")[0]
            self.assertEqual((value, log), (2, ["container"]))
            log.clear()
            value = -D("operand")
            self.assertEqual((value, log), (3, ["operand"]))
            log.clear()

    def test_gc_while_arguments_are_bound(self):
        import gc
        old = gc.get_threshold()
        gc.set_threshold(1)
        try:
            class Node:
                def __del__(self):
                    many(1, 2, *range(3), key=4)
            def many(a, b, *args, key=0, **more):
                return a, b, args, key, more
            for i in range(200):
                n = Node()
                n.me = n
                del n
                self.assertEqual(many(i, 2, 3, key=i, other=i),
                                 (i, 2, (3,), i, {'other': i}))
        finally:
            gc.set_threshold(*old)

    def test_frames_survive_and_can_be_read(self):
        frames = []
        def f(n):
            x = [n]
            if n:
                f(n - 1)
            frames.append(sys._getframe())
        f(3)
        self.assertEqual([fr.f_locals['x'] for fr in frames], [[0], [1], [2], [3]])
        self.assertIs(frames[0].f_back, frames[1])


if __name__ == '__main__':
    unittest.main()
