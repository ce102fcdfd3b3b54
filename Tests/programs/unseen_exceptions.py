"""Handlers that do not look at the exception that they catch, and what could tell that it was
there: who else has it, tracers, destructors, names that mean something else."""
import sys


class Loud:
    def __init__(self, name, act=None):
        self.name, self.act = name, act

    def __del__(self):
        print("gone", self.name, sys.exc_info()[0])
        if self.act is not None:
            self.act()


def places(exc):
    found, tb = [], exc.__traceback__
    while tb is not None:
        code = tb.tb_frame.f_code
        found.append((code.co_name, tb.tb_lineno - code.co_firstlineno, tb.tb_lasti >= 0))
        tb = tb.tb_next
    return found


def missing(d, keys):
    n = 0
    for k in keys:
        try:
            n += d[k]
        except KeyError:
            continue
    return n


def first(it):
    try:
        return next(it)
    except StopIteration:
        pass
    return "none"


def until(it):
    n = 0
    while True:
        try:
            n += next(it)
        except StopIteration:
            break
    return n


def is_number(text):
    try:
        int(text)
    except ValueError:
        return False
    return True


def anything(f):
    try:
        f()
    except:
        pass
    return sys.exc_info()


def with_finally(f):
    try:
        try:
            f()
        except LookupError:
            pass
        else:
            print("else")
    finally:
        print("finally", sys.exc_info()[:2])


def nested(d):
    n = 0
    for i in range(4):
        try:
            try:
                n += d[i]
            except IndexError:
                n += 100
        except KeyError:
            pass
        try:
            raise ValueError(i)
        except ValueError as e:
            try:
                d["no"]
            except KeyError:
                pass
            n += e.args[0]
            assert sys.exc_info()[1] is e and e.__context__ is None
    return n


def held(exc):
    try:
        raise exc
    except ValueError:
        pass
    return places(exc)


def callee(n):
    local = Loud("local %d" % n)
    if n % 2:
        raise KeyError(n)
    raise Mine(n)


class Mine(KeyError):
    def __del__(self):
        print("Mine is gone", len(places(self)), sys.exc_info()[0])


def calls(n):
    for i in range(n):
        try:
            callee(i)
        except KeyError:
            pass
        print("behind", i)


class Table(dict):
    def __missing__(self, key):
        raise KeyError(Loud(key))


def misses(d):
    try:
        d["a"]
    except KeyError:
        pass
    print("missed")


def temporaries(act):
    try:
        [Loud("in a list", act), int("x")]
    except Wanted:
        return "caught"
    return "behind"


Wanted = ValueError


def change(to):
    def act():
        global Wanted
        Wanted = to
    return act


def generators(d):
    for k in range(6):
        try:
            yield d[k]
        except KeyError:
            continue
        except IndexError:
            break


def decoding(data):
    n = 0
    for b in data:
        try:
            b.decode("ascii")
        except UnicodeDecodeError:
            n += 1
        try:
            b.decode("utf-8")
        except UnicodeError:
            continue
        try:
            open(b.decode() + "/none/there")
        except OSError:
            pass
    return n


def outer(exc):
    # The exception goes on from a frame that does not catch it to one that does.
    def inner():
        raise exc
    try:
        inner()
    except ValueError:
        pass
    return places(exc)


def deep(n):
    try:
        return deep(n + 1)
    except RecursionError:
        pass
    return n


def traced():
    events = []

    def trace(frame, event, arg):
        if frame.f_code.co_name in ("missing", "first", "is_number"):
            events.append((frame.f_code.co_name, event, frame.f_lineno
                           - frame.f_code.co_firstlineno,
                           arg[0].__name__ if event == "exception" else arg))
        return trace

    sys.settrace(trace)
    missing({1: 2}, [1, 2])
    first(iter(()))
    is_number("x")
    sys.settrace(None)
    return events


def main():
    for _ in range(3):
        for _ in range(400):
            missing({1: 2}, [1, 2, 3])
            first(iter(()))
            is_number("x")
            until(iter([1, 2]))
            nested({1: 2})
            anything(lambda: 1 // 0)
            list(generators({1: 2, 3: 4}))
        print(missing({1: 2, 3: 4}, range(5)), first(iter(())), first(iter([7])))
        print(until(iter([1, 2, 3])), is_number("12"), is_number("1x"), is_number("\ud800"))
        print(nested({1: 2, 3: 4}), anything(lambda: 1 // 0), anything(lambda: {}[1]))
        print(list(generators({1: 2, 3: 4, 5: 6})), list(generators([1, 2])))
        with_finally(lambda: {}[1])
        with_finally(lambda: None)
        try:
            with_finally(lambda: 1 // 0)
        except ZeroDivisionError as e:
            print(places(e))
        exc = ValueError("held")
        print(held(exc), held(exc), outer(ValueError("other")))
        calls(4)
        misses(Table())
        print(decoding([b"a", b"\xff", b"b\xe4"]))
        try:
            raise IndexError("around")
        except IndexError:
            print(missing({}, [1]), first(iter(())), sys.exc_info()[0])
            try:
                raise ValueError
            except ValueError:
                pass
            print(sys.exc_info()[0])
    print(deep(0) > 100)
    for to in (ValueError, KeyError, ValueError, Exception, ValueError, (KeyError, ValueError),
               ValueError, KeyError):
        for _ in range(3):
            try:
                print(temporaries(change(to)))
            except ValueError as e:
                print("not caught", places(e))
    print(traced())


main()
