"""What observers are told where exceptions leave blocks: lines of clean-up, temporaries that are
destroyed, the order of c_exception and of what its arguments do."""
import sys

SOURCE = '''
def leave(kind):
    def numbers():
        try:
            yield 1
            yield 2
        finally:
            kept.append("closed")
    class Manager:
        def __enter__(self): return self
        def __exit__(self, *exc): return False
    kept = []
    if kind == 0:
        try:
            1 / 0
        finally:
            kept[9]
            kind = 1
    if kind == 1:
        try:
            1 / 0
        finally:
            while kind:
                kept[9]
                kind = 0
    if kind == 2:
        try:
            pass
        finally:
            kept[9]
            kept.clear()
    if kind == 3:
        with Manager() as m:
            kept[9]
            m = 1
    if kind == 4:
        [x / 0 for x in numbers()]
    if kind == 5:
        sum((str(x) for x in numbers()), 1)
    if kind == 6:
        match kept:
            case [1] if kept:
                pass
            case []  if kept[9]:
                pass
    if kind == 7:
        try:
            1 / 0
        finally:
            match kept:
                case [1]:
                    pass
                case [] if kept[9]:
                    pass
    if kind == 8:
        try:
            1 / 0
        except ValueError:
            pass
        except ZeroDivisionError as e:
            kept[9]
    if kind == 9:
        for i in range(3):
            try:
                if i == 1:
                    continue
                kept.append(i)
            finally:
                print("finally", i)
        match kept:
            case [1]:
                pass
            case [2, *_] if kept:
                pass
'''


def observed(switch, kind, choosy=False):
    events = []

    def observer(frame, event, arg):
        if frame.f_code.co_filename == "<leave>":
            if event == "exception":
                arg = arg[0]
            arg = getattr(arg, "__name__", type(arg).__name__)
            events.append((event, frame.f_code.co_name, frame.f_lineno, arg))
        if choosy and event == "call" and frame.f_code.co_name == "numbers":
            return None
        return observer
    space = {}
    exec(compile(SOURCE, "<leave>", "exec"), space)
    switch(observer)
    try:
        space["leave"](kind)
    except Exception as e:
        error = e
    else:
        error = None
    switch(None)
    print(kind, repr(error))
    while error is not None:
        tb = error.__traceback__
        while tb:
            print("   tb", tb.tb_lineno, tb.tb_frame.f_lineno)
            tb = tb.tb_next
        error = error.__context__
    for event in events:
        print("  ", *event)


for kind in range(10):
    observed(sys.settrace, kind)
    observed(sys.settrace, kind, True)
    observed(sys.setprofile, kind)
