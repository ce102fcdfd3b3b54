"""At what lines what has none of its own is reported: returns and clean-up behind except* and
finally, both ways of a conditional expression, and where a frame stands that ends there."""
import sys

PROGRAMS = """\
try:
    try:
        1/0
    except ZeroDivisionError as b:
        b
        assert 'x', 2
except BaseException as x:
    pass
----
try:
    try:
        1/0
    except ZeroDivisionError as b:
        b
        b = 3
except BaseException as x:
    pass
----
try:
    try:
        1/0
    except ZeroDivisionError as b:
        assert 'x', 2
except BaseException as x:
    pass
----
try:
    try:
        1/0
    except* ZeroDivisionError as b:
        b = lambda: 3
except BaseException as x:
    pass
----
try:
    try:
        1/0
    except* ZeroDivisionError as b:
        b = 3
except BaseException as x:
    pass
----
def q():
    try:
        1/0
    except* (TypeError, ZeroDivisionError) as c:
        assert (1).decode(), [3]
        del d
        raise ValueError(3)
    else:
        d = 3
try:
    q()
except: pass
----
def q():
    try:
        1/0
    except* (TypeError, ZeroDivisionError) as c:
        assert (1).decode()
try:
    q()
except: pass
----
try:
  for i in 1, 2:
    try:
       1/0
    except (TypeError, ZeroDivisionError) as a:
        raise ValueError(4)
        global ex
    finally:
        raise ValueError(3)
        a = 4
        raise ValueError((b'ab').clear())
except BaseException as _x:
    pass
----
def g():
  try:
    try:
        1/0
    finally:
        if (b'ab'):
            for d in 5:
                a = 3
                continue
            else:
                a = 5
        elif a:
            b = 3
        else:
            raise ValueError(33)
            raise ValueError(3)
        for a in 1:
            c = 5
            continue
        else:
            try:
                a = 3
            except* (TypeError, ValueError) as b:
                c &= c
            else:
                b = 5
                raise ValueError(3)
    e = 4
  except BaseException as x:
    pass
g()
----
b, d, e = 'two', {'k': 5}, None
try:
    b -= ((d and (-0.0) or not (-1)) if [c := 4, c, *(d, (10**20))] else (d if c else (...)))
except Exception: pass
----
b, d, e = 'two', {'k': 5}, None
b = (d and (-0.0) or not (-1))
----
b, d, e = 'two', {'k': 5}, None
b = (d and 5 or e)
----
b, d, e = 'two', {'k': 5}, None
b = ((d and 5) if e else d)
----
b, d, e = 'two', {'k': 5}, None
b = (d and 5 or e) if d else e
----
b, d, e = 'two', {'k': 5}, None
b = (d or e) if d else e
----
b, d, e = 'two', {'k': 5}, None
b = (d and 0 or e) if d else e
----
b, d, e = 'two', {'k': 5}, None
b = (d or e) if d else (e if d else b)
----
def q():
        try:
            1/0
            try:
                4
            except* (TypeError, ValueError) as e:
                a = 3
            else:
                c = 5
        finally:
            try:
                e, *a = 3
                (e, a) = 3
            except* (AttributeError, ValueError) as c:
                e = 3
try: q()
except: pass
----
def q():
    try:
        1/0
    finally:
        try:
            3
        except* (AttributeError, ValueError) as c:
            e = 3
try: q()
except: pass
----
def q():
    try:
        1/0
    finally:
        try:
            1/0
        except* (AttributeError, ValueError) as c:
            e = 3
        else:
            5
try: q()
except: pass
----
def q():
    try:
        try: 1/0
        finally:
          try:
            d = 4
            raise TypeError
          except (TypeError, IndexError) as a:
            raise ValueError(3)
            global ex
            global ax
          finally:
            raise ValueError(2)
            a = lambda x: 4
    except: pass
q()
----
def q():
    try:
        1/0
    finally:
        try:
            3
        except (AttributeError, ValueError) as c:
            e = 3
try: q()
except: pass
----
def q():
    try:
        1/0
    finally:
        try:
            1/0
        except (ZeroDivisionError, ValueError) as c:
            e = 3
        else:
            5
try: q()
except: pass
----
def q():
    try:
        1/0
    finally:
        try:
            d = 1/1
        except (ZeroDivisionError, ValueError):
            e = 3
        else:
            e = 5
try: q()
except: pass
----
def q():
    try:
        1/0
    finally:
        try:
            d = 1/1
        except* (ZeroDivisionError, ValueError):
            e = 3
        else:
            e = 5
try: q()
except: pass
----
def q():
    try:
        1/0
    finally:
        if 4: d = 5
        elif d:
            e = 4
try: q()
except: pass
----
def q():
    d = 3
    try:
        1/0
    finally:
        if d: d = 5
        else:
            e = 4
try: q()
except: pass
----
def q():
    d = 3
    try:
        1/0
    finally:
        for i in 1, 2:
            e = 4
try: q()
except: pass
----
def q():
    d = 3
    try:
        1/0
    finally:
        with open("/dev/null"):
            e = 4
try: q()
except: pass
----
def q():
    d = 3
    try:
        1/0
    finally:
        if d:
            try: 1/0
            finally: e = 4
try: q()
except: pass
----
def q(d):
    try:
        1/0
    finally:
        if d:
            try: e = 4
            except KeyError: e = 5
        elif d is None:
            pass
for d in 1, 0, None:
  try: q(d)
  except: pass
----
def q(d):
    try:
        1/0
    except:
        try:
            e = 1/d
        except: pass
        raise
for d in 1, 0:
  try: q(d)
  except: pass
----
def q():
    try:
        1/0
    except* (TypeError, ValueError):
        3
try: q()
except: pass
----
def q():
    try:
        try:
            1/0
        except* (TypeError, ValueError):
            3
    finally:
        3
try: q()
except: pass
----
def q():
    try:
        try:
            1/0
        except* (TypeError, ValueError):
            3
    except KeyError:
        3
try: q()
except: pass
----
def q():
    for i in 1, 2:
        try:
            1/0
        except* (ZeroDivisionError, ValueError) as x:
            if i == 3: 5
        except* KeyError:
            4
        else: i = 3
        finally:
            i = 3
try: q()
except: pass
----
def q():
    for i in 1, 2:
        try:
            if i == 1: raise ExceptionGroup("x", [KeyError(1), ValueError(2)])
        except* (ZeroDivisionError, ValueError) as x:
            1/0
        except* KeyError:
            4
        else: i = 3
        finally:
            i = 3
try: q()
except: pass
""".split("----\n")


def events(text, switch):
    told = []

    def hear(frame, event, arg):
        if frame.f_code.co_filename == "<text>" and event[:2] != "c_":
            told.append(f"{event} {frame.f_lineno}")
        return hear
    code = compile(text, "<text>", "exec")
    switch(hear)
    try:
        exec(code, {})
    except BaseException as e:
        told.append(type(e).__name__)
    finally:
        switch(None)
    return " ".join(told)


for text in PROGRAMS:
    print(events(text, sys.settrace))
    print(events(text, sys.setprofile))
