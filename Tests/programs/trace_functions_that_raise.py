# Trace and profile functions that raise: the frame's handlers see it or not, and who hears of it.
import sys


def numbers():
    try:
        yield 1
        yield 2
    except RuntimeError:
        print("  caught inside")
        yield 3
    finally:
        print("  finally")


def returns():
    for i in 1, 2:
        try:
            if i:
                return i
        except RuntimeError:
            print("  caught inside")
        finally:
            print("  finally")


def whole():
    try:
        print("  body")
    except RuntimeError:
        print("  caught inside")
    finally:
        print("  finally")


def take(x):
    return next(x)


def close(x):
    next(x)
    x.close()


def throw(x):
    next(x)
    return x.throw(KeyError)


def watch(switch, wanted, at, run, *args):
    """The function raises at an event, the at-th of its kind."""
    heard = []

    def hear(frame, event, arg):
        if frame.f_code in CODES:
            heard.append(event[0] + str(frame.f_lineno))
            if event == wanted and [e[0] for e in heard].count(wanted[0]) == at:
                raise RuntimeError(event)
        return hear
    print(switch.__name__, wanted, at, run.__name__)
    try:
        switch(hear)
        result = run(*args)
    except BaseException as e:
        switch(None)
        tb = e.__traceback__
        result = repr(e)
        while (tb := tb.tb_next) is not None:
            result += f" {tb.tb_frame.f_code.co_name}:{tb.tb_lineno}"
    finally:
        switch(None)
    print(" ", *heard, result)
    for x in args:
        print(" ", next(x, "at its end"))


CODES = [f.__code__ for f in (numbers, returns, whole)]
for switch in sys.settrace, sys.setprofile:
    for wanted in "call", "line", "return", "exception":
        for at in 1, 2, 3:
            for run in take, close, throw:
                watch(switch, wanted, at, run, numbers())
            for run in returns, whole:
                watch(switch, wanted, at, run)
