"""The variables of a traced frame: what locals() and frame.f_locals show, when they are brought up
to date, and when what is stored there becomes the value of a variable."""
import sys

kept = {}


def let_alone(frame, event, arg):
    return let_alone


def look(frame, event, arg):
    frame.f_locals
    return look


def keep(frame, event, arg):
    if event == "call":
        kept["d"] = frame.f_locals
    return keep


def set_and_delete(frame, event, arg):
    here = frame.f_lineno - frame.f_code.co_firstlineno
    if event == "line" and frame.f_code is two_lines.__code__ and here == 2:
        frame.f_locals["x"] = 9
    if event == "line" and frame.f_code is two_lines.__code__ and here == 4:
        frame.f_locals.pop("x", None)
    return set_and_delete


class Said:
    def __del__(self):
        print("destroyed")


def destroys():
    x = Said()
    x = None
    print("behind", x)


def two_lines():
    x = 1
    y = 2
    print(x, y)
    z = 3
    try:
        print(x, z)
    except NameError as e:
        print(e)


def of_locals(w):
    out = locals()
    del out["w"]
    x = 1
    try:
        w
    except NameError as e:
        print(e)
    out["w"] = 6
    print(w, x, {k: v for k, v in out.items() if k != "out"})
    return len(out)


def of_frame(a):
    d = sys._getframe().f_locals
    d["a"] = 3
    b = 1
    print(a, [k for k in d])
    sys._getframe().f_locals["a"] = 4
    print(a, [k for k in d], b)

    def inner():
        return a
    d["a"] = 5
    print(inner(), d["a"])


def of_call(a):
    x = 1
    if kept:
        kept["d"]["a"] = 5
        kept["d"]["x"] = 6
        print(a, x)
        kept["d"]["x"] = 7
        print(x, kept["d"])
    return sorted(locals())


for switch in sys.settrace, sys.setprofile:
    for observer in let_alone, look, keep, set_and_delete:
        for function in destroys, two_lines, of_locals, of_frame, of_call:
            args = () if function in (destroys, two_lines) else (1,)
            kept.clear()
            print("--", switch.__name__, observer.__name__, function.__name__)
            switch(observer)
            try:
                result = function(*args)
            except Exception as e:
                result = e
            finally:
                switch(None)
            print(result)
