"""Exceptions of every kind in a small order system; ends with an uncaught group. What is printed on the way is the test."""
import contextlib
import functools
import sys
import traceback
from dataclasses import dataclass, field
from enum import Enum, IntFlag, StrEnum, auto, unique


class ShopError(Exception):
    code = 100

    def __init_subclass__(cls, code=None, **kw):
        super().__init_subclass__(**kw)
        cls.code = code or cls.__mro__[1].code + 1

    def __str__(self):
        return f"[{self.code}] {super().__str__() or type(self).__name__}"


class OutOfStock(ShopError):
    def __init__(self, item, wanted, left):
        super().__init__(item, wanted, left)
        self.item = item
        self.add_note(f"only {left} left")

    def __reduce__(self):
        return type(self), self.args


class Refused(ShopError, PermissionError, code=403):
    pass


class State(StrEnum):
    NEW = auto()
    PAID = auto()
    SENT = "sent!"


class Flags(IntFlag):
    GIFT = 1
    FAST = 2
    FRAGILE = 8
    ALL = GIFT | FAST | FRAGILE


@dataclass(kw_only=True)
class Order:
    number: int
    lines: dict = field(default_factory=dict)
    state: State = State.NEW
    flags: Flags = Flags(0)

    def __post_init__(self):
        if self.number < 0:
            raise ValueError("negative number") from None


def audited(f):
    @functools.wraps(f)
    def wrapper(*args, **kw):
        try:
            return f(*args, **kw)
        except ShopError as e:
            e.add_note(f"in {f.__name__}")
            raise
        finally:
            print("audit", f.__name__)
    return wrapper


class Shop:
    def __init__(self):
        self.stock = {"tea": 5, "cup": 1}

    @contextlib.contextmanager
    def transaction(self):
        before = dict(self.stock)
        try:
            yield self
        except BaseException as e:
            self.stock = before
            print("rolled back after", type(e).__name__)
            raise

    @audited
    def take(self, item, n):
        try:
            left = self.stock[item]
        except KeyError:
            raise OutOfStock(item, n, 0)
        if left < n:
            raise OutOfStock(item, n, left) from LookupError(item)
        self.stock[item] = left - n

    def order(self, o, *, allow=True):
        with self.transaction():
            if not allow:
                raise Refused(13, "not you", "door")
            for item, n in o.lines.items():
                self.take(item, n)
        o.state = State.PAID
        return o


shop = Shop()
print(shop.order(Order(number=1, lines={"tea": 2}, flags=Flags.GIFT | Flags.FAST)))
for lines, allow in (({"tea": 1, "cup": 2}, True), ({"hat": 1}, True), ({}, False)):
    try:
        shop.order(Order(number=2, lines=lines), allow=allow)
    except OSError as e:
        print("OSError:", e, e.errno, e.filename, e.code, isinstance(e, ShopError))
    except ShopError as e:
        print(e, e.args, e.__notes__, repr(e.__cause__), repr(e.__context__), e.__suppress_context__)
print(shop.stock, [s for s in State], State("new") is State.NEW, f"{State.SENT} {State.PAID!r} {Flags.ALL & ~Flags.FAST!r} {Flags(16)!r} {Flags.GIFT | 4!r}")
for bad in (lambda: State("x"), lambda: Flags("x"), lambda: Order(3), lambda: Order(number=-1), lambda: unique(Enum("Dup", {"A": 1, "B": 1})), lambda: Enum("E", "A B").C, lambda: setattr(State, "NEW", 3)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e, repr(e.__cause__))


def order_of_finally(how):
    log = []
    def run():
        for i in range(3):
            try:
                try:
                    log.append(("try", i))
                    if how == "continue" and i == 0: continue
                    if how == "break" and i == 1: break
                    if how == "return" and i == 1: return "returned"
                    if how == "raise" and i == 1: raise KeyError(i)
                    if how == "override" and i == 1: return "lost"
                except KeyError:
                    log.append("except")
                    raise ValueError("second")
                else:
                    log.append("else")
                finally:
                    log.append("finally")
                    if how == "override": return "won"
            except ValueError as e:
                log.append((str(e), repr(e.__context__)))
        else:
            log.append("loop else")
        return "end"
    return run(), log


for how in ("plain", "continue", "break", "return", "raise", "override"):
    print(how, *order_of_finally(how))


def grouped():
    errors = []
    for job in (lambda: int("x"), lambda: [][1], lambda: {}["k"], lambda: 1 / 0, lambda: None.attr):
        try:
            job()
        except Exception as e:
            errors.append(e)
    return ExceptionGroup("jobs", [errors[0], ExceptionGroup("lookups", errors[1:3]), *errors[3:]])


try:
    raise grouped()
except* LookupError as g:
    print("lookups", g.exceptions[0].exceptions, g.message)
except* (ValueError, ZeroDivisionError) as g:
    print("numbers", g.exceptions)
except* AttributeError as g:
    print("attributes", [e.name for e in g.exceptions])
g = grouped()
print(g.subgroup(KeyError), g.split(ArithmeticError)[1], g.derive([ValueError()]), sep="\n")
for bad in (lambda: ExceptionGroup("x", []), lambda: ExceptionGroup("x", [3]), lambda: ExceptionGroup("x", [KeyboardInterrupt()]), lambda: BaseExceptionGroup("x", [ValueError()]), lambda: ExceptionGroup(1, [ValueError()])):
    try:
        print(type(bad()))
    except Exception as e:
        print(type(e).__name__, e)

with contextlib.suppress(ZeroDivisionError), contextlib.ExitStack() as stack:
    stack.push(lambda *exc: print("pushed", exc[0].__name__))
    stack.callback(print, "called")
    1 / 0
def swallow_context():
    try: {}["a"]
    except KeyError as e: e.with_traceback(None); return e.__traceback__
print(swallow_context(), sys.exc_info())
try:
    try: raise ValueError("inner")
    finally: undefined_name
except NameError as e:
    print(e, e.name, repr(e.__context__))
try: print(shop.stok)
except AttributeError as e: print(e, e.name, e.obj is shop)
for code in ("raise 3", "raise ValueError from 3", "raise", "raise KeyError, 1", "assert (1, 2)", "assert 0, 'msg'", "try: pass\nexcept 5: pass", "try: 1/0\nexcept 5: pass", "f(**{1: 2})", "def f(): return\nf(1, x=2)", "x: int = y", "a, b = 1", "a, b = 1, 2, 3", "a, *b = ()", "import nothing.here", "from os import nothing", "del zz", "lambda: (yield)", "[].x = 1", "1 .real = 2", "int.x = 1", "None()", "'a'[1.5]", "{}[[]]", "{[]: 1}", "''.join([1])", "sum(['a'])", "[] < 3", "next(iter([]))", "range(1, 2, 0)", "open('/nope')", "float('x')", "type('x', (), 3)", "class A(1): pass", "class A(metaclass=3): pass", "super()", "exec('x = ')", "eval('1 +')", "__import__(3)", "globals()[1]()"):
    try:
        exec(code, {})
        print(code, "-> fine")
    except BaseException as e:
        print(repr(code), "->", type(e).__name__ + ":", e)


def recursive(n):
    return recursive(n - 1) + 1 if n else bottom()


def bottom():
    raise OutOfStock("end", 1, 0) from grouped()


try:
    recursive(2)
except ShopError:
    traceback.print_exc(file=sys.stdout)
    traceback.print_exc(limit=1, file=sys.stdout)
    traceback.print_exc(limit=-1, chain=False, file=sys.stdout)
    print("".join(traceback.format_stack(limit=1)).replace(sys.argv[0], "ME"), end="")
recursive(4)
