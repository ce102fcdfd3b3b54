"""The object model: classes, slots, descriptors, lookup, and their death."""
import gc
import sys
import types
import unittest
import weakref


class SlotsFollowTheClass(unittest.TestCase):
    def test_method_added_later_is_used_by_subclasses(self):
        class A: pass
        class B(A): pass
        with self.assertRaisesRegex(TypeError, "object of type 'B' has no len"):
            len(B())
        A.__len__ = lambda self: 7
        self.assertEqual(len(B()), 7)
        del A.__len__
        with self.assertRaises(TypeError):
            len(B())

    def test_override_hides_a_change_of_the_base(self):
        class A:
            def __call__(self): return 'A'
        class B(A):
            def __call__(self): return 'B'
        A.__call__ = lambda self: 'new'
        self.assertEqual(B()(), 'B')

    def test_own_hash_keeps_the_inherited_comparison(self):
        class L(list):
            def __hash__(self): return 1
        self.assertEqual(L([1]), L([1]))
        self.assertEqual({L([1]): 'x'}[L([1])], 'x')

    def test_own_comparison_removes_the_hash(self):
        class A:
            def __eq__(self, other): return True
        with self.assertRaisesRegex(TypeError, "unhashable type: 'A'"):
            hash(A())

    def test_special_name_that_is_not_interned(self):
        name = ''.join(['__le', 'n__'])
        X = type('X', (), {name: lambda self: 3})
        self.assertEqual(len(X()), 3)

    def test_c_method_under_another_name(self):
        class I(int):
            __add__ = int.__mul__
        self.assertEqual(I(3) + 4, 12)

    def test_reflected_method_of_subclass_goes_first(self):
        class A:
            def __add__(self, other): return 'A'
            def __radd__(self, other): return 'rA'
        class B(A):
            def __radd__(self, other): return 'rB'
        self.assertEqual(A() + B(), 'rB')
        self.assertEqual(A() + A(), 'A')


class Layout(unittest.TestCase):
    def test_class_assignment_keeps_attributes(self):
        class A: pass
        class B: pass
        a = A()
        a.x, a.y = 1, 2
        a.__class__ = B
        a.z = 3
        self.assertEqual(vars(a), {'x': 1, 'y': 2, 'z': 3})

    def test_class_assignment_between_other_layouts_is_refused(self):
        class A: __slots__ = ('a',)
        class B: __slots__ = ('b',)
        with self.assertRaisesRegex(TypeError, 'object layout differs'):
            A().__class__ = B

    def test_classes_with_the_same_slots(self):
        def assigned(slots):
            a, b = (type(name, (), {'__slots__': slots}) for name in 'AB')
            try:
                a().__class__ = b
            except TypeError:
                return False
            return True
        for slots in ((), ('a',), ('a', 'b'), ('__dict__',), ('a', '__dict__'), ('__weakref__',)):
            self.assertTrue(assigned(slots), slots)
        # The list of weak references is behind the slots then, where python3.11 doesn't look.
        for slots in ('a', '__weakref__'), ('a', '__dict__', '__weakref__'):
            self.assertFalse(assigned(slots), slots)

    def test_module_may_become_a_subclass_and_back(self):
        class M(types.ModuleType): pass
        m = types.ModuleType('m')
        m.__class__ = M
        m.__class__ = types.ModuleType
        self.assertIs(type(m), types.ModuleType)

    def test_conflicting_c_layouts(self):
        with self.assertRaisesRegex(TypeError, 'lay-out conflict'):
            type('X', (int, str), {})

    def test_bases_assignment_reaches_subclasses(self):
        class A:
            def who(self): return 'A'
        class B:
            def who(self): return 'B'
        class C(A): pass
        class D(C): pass
        d = D()
        self.assertEqual(d.who(), 'A')
        C.__bases__ = (B,)
        self.assertEqual(d.who(), 'B')
        self.assertEqual(A.__subclasses__(), [])
        with self.assertRaisesRegex(TypeError, 'inheritance cycle'):
            C.__bases__ = (D,)


class Attributes(unittest.TestCase):
    def test_error_knows_name_and_object(self):
        class A: pass
        a = A()
        with self.assertRaises(AttributeError) as caught:
            a.missing
        self.assertEqual(caught.exception.name, 'missing')
        self.assertIs(caught.exception.obj, a)

    def test_immutable_type(self):
        with self.assertRaisesRegex(
                TypeError, "cannot set 'x' attribute of immutable type 'int'"):
            int.x = 1
        with self.assertRaisesRegex(TypeError, "can't apply this"):
            object.__setattr__(int, 'x', 1)
        self.assertFalse(hasattr(int, 'x'))

    def test_getattr_hook_sees_only_misses(self):
        class A:
            here = 1
            def __getattr__(self, name): return name
        self.assertEqual((A().here, A().there), (1, 'there'))

    def test_who_is_asked_whether_it_is_abstract_may_ask_itself(self):
        for wrapper in property(), classmethod(len), staticmethod(len):
            wrapper.__init__(wrapper)
            with self.assertRaisesRegex(RecursionError, "while asking for __isabstractmethod__"):
                wrapper.__isabstractmethod__

    def test_arguments_that_nobody_takes(self):
        class A:
            def __init__(self, obj, func, /, **kwargs): pass
        value = object()
        for _ in range(50):
            with self.assertRaisesRegex(TypeError, 'missing 2 required'):
                A(func=value, obj=value)
        del value


class Death(unittest.TestCase):
    def test_callbacks_run_newest_first_after_all_are_dead(self):
        class A: pass
        a, log = A(), []
        def callback(number):
            return lambda ref: log.append((number, [r() for r in refs]))
        refs = [weakref.ref(a, callback(i)) for i in range(3)]
        del a
        self.assertEqual([n for n, _ in log], [2, 1, 0])
        self.assertEqual(log[0][1], [None] * 3)

    def test_resurrection_happens_once(self):
        kept, count = [], []
        class A:
            def __del__(self):
                count.append(1)
                kept.append(self)
        A()
        self.assertEqual(len(kept), 1)
        kept.clear()
        self.assertEqual(count, [1])

    def test_deep_chain(self):
        class Node: __slots__ = ('next',)
        node = None
        for _ in range(200_000):
            outer = Node()
            outer.next = node
            node = outer
        del node, outer

    def test_classes_are_collected(self):
        def make():
            class A:
                def method(self): return A
            return weakref.ref(A)
        ref = make()
        gc.collect()
        self.assertIsNone(ref())


class NamesMadeAtRunTime(unittest.TestCase):
    """A name that is put together while the program runs is not interned."""
    def test_changes_of_the_class_are_seen(self):
        class A:
            def visit_one(self): return 'one'
        class B(A): pass
        b = B()
        ask = lambda last: getattr(b, 'visit_' + last, lambda: 'none')()
        for _ in range(3):
            self.assertEqual(ask('one'), 'one')
            self.assertEqual(ask('two'), 'none')
        A.visit_two = lambda self: 'two'
        self.assertEqual([ask('one'), ask('two')], ['one', 'two'])
        setattr(B, ''.join(['visit', '_one']), lambda self: 'first')
        self.assertEqual([ask('one'), ask('two')], ['first', 'two'])
        delattr(B, ''.join(['visit_', 'one']))
        del A.visit_two
        self.assertEqual([ask('one'), ask('two')], ['one', 'none'])
        b.visit_one = lambda: 'own'
        self.assertEqual(ask('one'), 'own')

    def test_no_cache_keeps_the_name(self):
        class A:
            attribute_of_a = 1
        name = ''.join(['attribute', '_of_a'])
        before = sys.getrefcount(name)
        self.assertEqual(getattr(A(), name), 1)
        self.assertEqual(getattr(A, name), 1)
        self.assertEqual(sys.getrefcount(name), before)

    def test_who_is_asked_gets_the_very_name(self):
        class A:
            def __getattr__(self, name): return name
        name = ''.join(['__', 'doc', '___'])
        sys.intern('__doc___')
        self.assertIs(getattr(A(), name), name)
        with self.assertRaises(AttributeError) as caught:
            getattr(3, name)
        self.assertIs(caught.exception.name, name)

    def test_the_interned_one_dies_while_keys_are_compared(self):
        text = 'the_interned_one_dies'
        kept = [sys.intern(text + '!')]
        class Key:
            def __hash__(self): return hash(text + '!')
            def __eq__(self, other):
                kept.clear()
                return False
        A = type('A', (), {Key(): 1})
        self.assertFalse(hasattr(A(), text + '!'))
        self.assertEqual(kept, [])
        others = [text + str(i % 10) for i in range(100)]
        self.assertEqual([other[:-1] for other in others], [text] * 100)


class Super(unittest.TestCase):
    def test_changes_of_the_classes_behind_are_seen(self):
        class A:
            def name(self): return 'A'
        class B(A): pass
        class C(B):
            def name(self): return 'C' + super().name()
        ask = lambda: [C().name() for _ in range(3)]
        self.assertEqual(ask(), ['CA'] * 3)
        B.name = lambda self: 'B'
        self.assertEqual(ask(), ['CB'] * 3)
        A.name = lambda self: 'new'
        self.assertEqual(ask(), ['CB'] * 3)
        del B.name
        self.assertEqual(ask(), ['Cnew'] * 3)
        del A.name
        for _ in range(3):
            with self.assertRaisesRegex(AttributeError, "'super' object has no attribute 'name'"):
                ask()
        class Other:
            def name(self): return 'Other'
        C.__bases__ = Other, A
        self.assertEqual(ask(), ['COther'] * 3)

    def test_the_rest_of_another_class_is_another_rest(self):
        class A:
            def name(self): return 'A'
        class B(A):
            def name(self): return 'B' + super().name()
        class C(A):
            def name(self): return 'C' + super().name()
        class D(B, C):
            def name(self): return 'D' + super().name()
        for _ in range(3):
            self.assertEqual([cls().name() for cls in (B, C, D)], ['BA', 'CA', 'DBCA'])
        class Meta(type):
            def mro(cls):
                usual = super().mro()
                return [usual[0], *usual[-2:0:-1], usual[-1]]
        class E(D, metaclass=Meta):
            def name(self): return 'E' + super().name()
        for _ in range(3):
            self.assertEqual([cls().name() for cls in (B, D, E)], ['BA', 'DBCA', 'EA'])
        class Short(type):
            def mro(cls): return [cls, B, D, object]
        class F(D, metaclass=Short): pass
        A.last, D.last = 'A', 'D'
        for _ in range(3):
            self.assertEqual((super(F, F()).last, B.last), ('D', 'A'))

    def test_what_is_found_is_bound(self):
        class A:
            @classmethod
            def of_class(cls): return cls
            @staticmethod
            def of_none(): return 1
            @property
            def read(self): return self
            plain = object()
            def method(self): return self
        class B(A): pass
        b = B()
        for _ in range(3):
            bound, of_class = super(B, b), super(B, B)
            self.assertEqual((bound.of_class(), bound.of_none(), bound.read, bound.method()),
                             (B, 1, b, b))
            self.assertIs(bound.plain, A.plain)
            self.assertIs(of_class.of_class(), B)
            self.assertIs(of_class.method, A.method)
            self.assertIsInstance(of_class.read, property)
            self.assertIs(bound.__class__, super)
            self.assertIs(getattr(bound, ''.join(['__class', '__'])), super)
            self.assertEqual(getattr(bound, ''.join(['of_', 'none']))(), 1)

    def test_a_key_replaces_the_object(self):
        class Key(str):
            __hash__ = str.__hash__
            def __eq__(self, other):
                super.__init__(bound, A, B(2))
                return str.__eq__(self, other)
        Base = type('Base', (), {Key('name_of_key'): property(lambda self: self.number)})
        class A(Base): pass
        class B(A):
            def __init__(self, number): self.number = number
        bound = super(A, B(1))
        self.assertEqual(bound.name_of_key, 2)

    def test_a_key_changes_the_class_while_it_is_asked(self):
        class Key(str):
            __hash__ = str.__hash__
            def __eq__(self, other):
                if 'name_of_key' not in vars(Sub):
                    Sub.name_of_key = 'set'
                return False
        Base = type('Base', (), {Key('name_of_key'): 1})
        class Sub(Base): pass
        class Below(Sub):
            def ask(self): return super().name_of_key
        self.assertFalse(hasattr(Sub, 'name_of_key'))
        self.assertEqual(Below().ask(), 'set')

    def test_an_error_of_a_key_reaches_the_caller(self):
        class Refuses(Exception): pass
        class Key:
            def __hash__(self): return hash('name_of_no_attribute')
            def __eq__(self, other): raise Refuses
        class A(type('Base', (), {Key(): 1})): pass
        for _ in range(3):
            with self.assertRaises(Refuses):
                super(A, A()).name_of_no_attribute


class Generics(unittest.TestCase):
    def test_union_is_checked_in_order(self):
        self.assertIsInstance(1, int | list[int])
        with self.assertRaisesRegex(TypeError, 'parameterized generic'):
            isinstance('', int | list[int])

    def test_star_yields_an_unpacked_alias(self):
        alias, = tuple[int, str]
        self.assertEqual(repr(alias), '*tuple[int, str]')


if __name__ == '__main__':
    unittest.main()
