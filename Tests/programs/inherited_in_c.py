"""What a class inherits from one in C is used on short ways: isinstance() with a metaclass that has
no hook of its own, comparisons and hashes of classes that define some of the methods, attributes
that C code asks for. Each rule of the long way still holds."""
import abc
import functools
import sys
import types


def attempt(f, *args):
    try:
        return f(*args)
    except BaseException as e:
        return type(e).__name__, str(e)


# ------------------------------------------------------------------ isinstance()

class Meta(type):
    pass


class Base(metaclass=Meta):
    pass


class Derived(Base):
    pass


class Claims:
    __class__ = Derived


class Asks(type):
    def __instancecheck__(cls, op):
        print('asked', cls.__name__, type(op).__name__)
        return op == 3

    def __subclasscheck__(cls, op):
        return 'yes'


class Odd(type):
    __instancecheck__ = type.__subclasscheck__
    __subclasscheck__ = type.__instancecheck__


class Static(type):
    __instancecheck__ = staticmethod(lambda *args: print('static', len(args)) or [])
    __subclasscheck__ = functools.partial(lambda *args: print('partial', len(args)) or 1)


class Property(type):
    @property
    def __instancecheck__(cls):
        print('property', cls.__name__)
        return type.__dict__['__instancecheck__'].__get__(cls)

    @property
    def __subclasscheck__(cls):
        return type.__dict__['__subclasscheck__']


class NotAClass:
    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__


class Raises(type):
    __instancecheck__ = None

    def __subclasscheck__(cls, op):
        raise KeyError(type(op).__name__)


def checks():
    for cls in (Base, Derived, Asks('A', (), {}), Odd('O', (), {}), Static('S', (), {}),
                Property('P', (), {}), NotAClass(), Raises('R', (), {}), abc.ABC,
                (int, Base), (Base, (Derived, int))):
        for op in Base(), Derived(), Claims(), 3, int, Derived, Base:
            print(attempt(isinstance, op, cls), attempt(issubclass, op, cls))
    Meta.__instancecheck__ = lambda cls, op: 'late'
    print(isinstance(3, Base), isinstance(3, Derived))
    del Meta.__instancecheck__
    print(isinstance(3, Base), isinstance(Derived(), Base))

    global Sub

    class Sub(abc.ABC):
        @classmethod
        def __subclasshook__(cls, C):
            return hasattr(C, 'quack') or NotImplemented
    Sub.register(int)
    print(isinstance(3, Sub), isinstance('', Sub), isinstance(types.SimpleNamespace(quack=1), Sub))


def site(op, cls):
    return isinstance(op, cls)


def one_instruction():
    """The same from an instruction that has learnt what it calls."""
    class Dies:
        def __init__(self, name):
            self.name = name

        def __del__(self):
            print('dies', self.name, end='; ')

    class MakesClass:
        def __getitem__(self, item):
            return type('Temporary', (), {'__del__': lambda self: print('never')})

    classes = [Base, Derived, int, bool, object, type, Meta, (int, Base), (), (str, (Base,)),
               abc.ABC, Asks('A', (), {}), Property('P', (), {}), NotAClass(), 3, None, 'text',
               int | str, (int, 3), (3, int), (str, 3), list[int], Raises('R', (), {})]
    values = [3, True, 2**70, 'text', Base(), Derived(), Claims(), Base, type, None]
    for _ in range(3):
        for cls in classes:
            print([attempt(site, op, cls) for op in values for _ in range(20)][::20])
    for i in range(70):
        isinstance(Dies(i) if i > 66 else i, Dies)
    print()
    for i in range(70):
        result = isinstance(Dies(i) if i > 66 else i, MakesClass()[0])
    print(result)

    def events():
        seen = []
        sys.setprofile(lambda frame, event, arg: seen.append((event, getattr(arg, '__name__', 0))))
        site(3, int)
        site(Derived(), Base)
        sys.setprofile(None)
        return seen
    print(events(), events())
    globals()['isinstance'] = lambda *args: ('mine', args)
    print(site(3, int))
    del globals()['isinstance']
    print(site(3, int), site(3, str))
    import builtins
    old, builtins.isinstance = builtins.isinstance, issubclass
    print(site(bool, int), site(int, bool))
    builtins.isinstance = old
    print(site(3, Base), site(Base(), Base))
    Meta.__instancecheck__ = lambda cls, op: 'late'
    print(site(3, Base), site(Derived(), Base), site(3, (str, Base)))
    del Meta.__instancecheck__
    print(site(3, Base), site(Derived(), Base), site(3, (str, Base)))


def deep(n, f):
    return f() if n == 0 else deep(n - 1, f)


def recursion():
    """The depth at which a check is refused, counted from the limit."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(120)
    results = []
    try:
        for n in range(60, 120):
            try:
                deep(n, lambda: isinstance(3, Base))
            except RecursionError:
                results.append(n)
                break
    finally:
        sys.setrecursionlimit(limit)
    nested = Base
    for _ in range(sys.getrecursionlimit() * 2):
        nested = nested,
    print(len(results), attempt(isinstance, 3, nested))


# ------------------------------------------------------- comparisons and hashes

class Pair(tuple):
    def __lt__(self, other):
        return 'less'


class Number(int):
    def __eq__(self, other):
        print('eq')
        return int.__eq__(self, other)

    __hash__ = int.__hash__


class Word(str):
    __eq__ = str.__eq__

    def __hash__(self):
        return str.__hash__(self)


class Foreign:
    __eq__ = int.__eq__
    __hash__ = int.__hash__
    __lt__ = tuple.__gt__


class Swapped(tuple):
    __lt__ = tuple.__gt__
    __eq__ = tuple.__ne__
    __hash__ = tuple.__len__


class Bound(int):
    @property
    def __hash__(self):
        return int.__hash__

    @property
    def __eq__(self):
        return int.__eq__

    @property
    def __lt__(self):
        return int.__gt__.__get__(self)


class Hashes:
    def __init__(self, value):
        self.value = value

    def __hash__(self):
        return self.value


class Inherits(Pair):
    __slots__ = ()
    __ne__ = object.__ne__


def comparisons():
    values = [Pair((1, 2)), Pair((1, 3)), (1, 2), Number(5), Number(-1), 5, Word('a'), 'a',
              Foreign(),
              Swapped((1, 2)), Bound(4), Inherits((1, 2)), 4]
    for a in values:
        print(type(a).__name__, attempt(hash, a) == attempt(hash, a.__class__.__mro__[-2](a))
              if not isinstance(a, Foreign) else attempt(hash, a))
        for b in values:
            print(end=' '.join(str(attempt(f, a, b))[:70] for f in (
                lambda a, b: a == b, lambda a, b: a != b, lambda a, b: a < b, lambda a, b: a >= b,
                lambda a, b: a > b)) + '; ')
        print()
    print(hash(Number(-1)), hash(Number(2**61 - 1)), attempt(hash, Hashes(2**80)) == hash(2**80),
          hash(Hashes(-1)), attempt(hash, Hashes('x')))
    table = {Number(3): 'three', Pair((1,)): 'pair', Word('w'): 'word'}
    print(table.get(3), table.get((1,)), table.get('w'), table.get(Pair((1,))))
    nested, other = Pair([1]), Pair([1])
    for _ in range(100):
        nested, other = Pair([nested]), Pair([other])
    print(nested == other, hash(nested) == hash(other))


# --------------------------------------------------------------------- attributes

class Plain:
    shared = 'class'

    def method(self):
        pass

    @property
    def prop(self):
        return 'prop'

    @property
    def fails(self):
        raise AttributeError('from the property')


class Slotted:
    __slots__ = 'a', 'b'


class Hooked(Plain):
    def __getattr__(self, name):
        return 'hook ' + name


class Name(str):
    def __hash__(self):
        return hash('shared')

    def __eq__(self, other):
        return other == 'shared'


def attributes():
    for make in Plain, Slotted, Hooked, lambda: types.SimpleNamespace(shared=1), Exception:
        op = make()
        for name in ['shared', 'a', 'late', 'method', 'prop', 'fails', '__class__', '__dict__',
                     '__module__',
                     Name('zz'), 'sha' + str('red')]:
            for again in range(3):
                out = [attempt(getattr, op, name, 'default'), attempt(hasattr, op, name)]
                out = ['method' if callable(x) else x for x in out]
            print(type(op).__name__, name, out,
                  attempt(getattr, op, name) if name == 'late' else '')
        for change in ('late', 'inst'), ('shared', 'inst'), ('a', 'slot'), ('method', 'inst'):
            print(attempt(setattr, op, *change), attempt(getattr, op, change[0], 'default'),
                  hasattr(op, change[0]))
        for name in 'late', 'shared', 'a', 'method':
            print(attempt(delattr, op, name), str(attempt(getattr, op, name, 'default'))[:20],
                  hasattr(op, name))
        if hasattr(op, '__dict__') and not isinstance(op, types.SimpleNamespace):
            op.__dict__['hidden'] = 1
            print(getattr(op, 'hidden', 0), hasattr(op, 'late'))
            op.__dict__ = {'late': 'replaced'}
            print(getattr(op, 'late', 0), getattr(op, 'hidden', 0))
    first, second = Plain(), Plain()
    print([hasattr(op, 'grown') for op in (first, second)])
    second.grown = 1
    print([hasattr(op, 'grown') for op in (first, second, Plain())])
    Plain.grown = 'class'
    print([getattr(op, 'grown', None) for op in (first, second, Plain())])
    del Plain.grown, second.grown
    print([hasattr(op, 'grown') for op in (first, second, Plain())])

    class Hidden:
        def method(self):
            pass

        @classmethod
        def make(cls):
            pass
        value = 'class'
    first, second = Hidden(), Hidden()
    for name in 'method', 'make', 'value':
        setattr(first, name, 'own')
        for again in range(3):
            print(getattr(first, name, 0), str(getattr(second, name, 0))[:6], hasattr(second, name),
                  str(getattr(Hidden(), name, 0))[:6])
        delattr(first, name)
        print(str(getattr(first, name, 0))[:6], hasattr(first, name))

    class Missing(dict):
        def __missing__(self, key):
            return 'missing'
    for kind in dict, Missing:
        odd = Hidden()
        odd.__dict__ = kind({1: 2, 'x': 3, 'value': 'in the dict', ('t',): 1})
        for name in 'x', 'y', 'value', 'method', '1':
            for again in range(3):
                getattr(Hidden(), name, 0)
                out = str(getattr(odd, name, 0))[:12], hasattr(odd, name)
            print(name, out)

    class Getters(Exception):
        __slots__ = ()
    error = Getters('text')
    del_context = type('Raises', (), {'__get__': lambda self, op, cls: op.missing,
                                      '__set__': lambda self, op, value: None})
    Getters.fails = del_context()
    for name in 'args', '__cause__', '__traceback__', 'with_traceback', '__reduce__', 'fails', \
            'none':
        for again in range(3):
            out = [str(attempt(getattr, error, name))[:50].split(' at ')[0], hasattr(error, name),
                   str(attempt(getattr, error, name, 'default'))[:25]]
        print(name, out)
    try:
        getattr(error, 'fails')
    except AttributeError as e:
        print(e.name, e.obj is error)
    for again in range(3):
        error = OSError(1, 'text')
        print(hasattr(error, 'characters_written'), getattr(error, 'characters_written', 'none'))
        try:
            getattr(error, 'characters_written')
        except AttributeError as e:
            print(e, e.name, e.obj is error)
    try:
        getattr(error, 'none')
    except AttributeError as e:
        print(e.name, e.obj is error)

    module = types.ModuleType('mod')
    module.x = 1
    print(getattr(module, 'x'), getattr(module, 'y', 'none'), module.__name__, hasattr(module, 'z'),
          type(module.__dict__), attempt(getattr, module, 'y'))

    class Other(str):
        __hash__ = object.__hash__

        def __eq__(self, other):
            return self is other
    names = [Other('x'), Other('__name__'), Other('value')]
    for again in range(2):
        print([getattr(op, name, 'none') for name in names for op in (module, Hidden(), odd)])
        print([str.__hash__(name) == hash(str(name)) for name in names])
    module.__dict__['__class__'] = 'mine'
    module.__getattr__ = lambda name: 'hook ' + name
    print(module.__class__, module.y, getattr(module, 'x'), getattr(module, Name('zz'), 'none'))
    sys.modules['mod'] = module
    from mod import x, y
    from mod import __dict__ as d
    print(x, y, d is vars(module))

    class Module(types.ModuleType):
        @property
        def x(self):
            return 'property'
        y = 'of the class'
    module.__class__ = Module
    from mod import x, y
    print(x, y, getattr(module, 'x'), getattr(module, 'y'))
    module.__dict__['y'] = 'own'
    from mod import x, y
    print(x, y)


def missing():
    """The exception for an attribute that is not there."""
    long_name = type('N' * 60, (), {})
    for op in (3, 'text', Plain(), Slotted(), object(), long_name(), type('\xc4' * 40, (), {})(),
               type('\u0101b', (), {'__slots__': ()})(), [], Base(), ValueError()):
        for name in 'nothing', 'n\xefchts', '\u0101', 'a' * 200, '', 'with \0':
            for again in range(3):
                try:
                    getattr(op, name)
                except AttributeError as e:
                    out = str(e), e.args, e.name == name, e.obj is op, e.__context__, e.__cause__
            print(ascii(out))
    try:
        try:
            raise KeyError('before')
        except KeyError:
            getattr(3, 'nothing')
    except AttributeError as e:
        print(repr(e), repr(e.__context__))
    for args, names in [((), {}), (('a',), {}), (('a', 'b'), {}), (('a',), dict(name='n', obj=3)),
                        ((), dict(obj=3)), (('a',), dict(other=3)), (('a',), {'name': None})]:
        out = attempt(lambda: AttributeError(*args, **names))
        print(repr(out), getattr(out, 'name', 0), getattr(out, 'obj', 0), getattr(out, 'args', 0))

    class Own(AttributeError):
        def __init__(self, *args, extra=1):
            super().__init__(*args, name='given')
    print(repr(Own('x', extra=2)), Own('x').name, repr(attempt(Own, 'x')))

    class Raises:
        def __getattribute__(self, name):
            raise AttributeError('own text')
    try:
        getattr(Raises(), 'x')
    except AttributeError as e:
        print(e, e.name, type(e.obj))


checks()
one_instruction()
missing()
recursion()
comparisons()
attributes()
