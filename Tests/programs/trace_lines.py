"""The lines that tracers hear of: of what has none of its own (implicit returns, clean-up behind
except* and finally, both ways of a conditional expression, the frame that ends there), of variables
and constants on lines of their own, and of statements over several lines."""
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
----
def f(a, b):
    x = (a +
         b)
    y = [a,
         b]
    z = f2(a,
           b)
    w = (a
         if b
         else a)
    if (a
        and b
        or a):
        pass
    if (
        a):
        pass
    while (
        b):
        b = 0
    u = (a <
         b)
    v = (a <
         b <
         a)
    t = {a:
         b}
    s = c[
        a]
    c[
      a] = b
    return (
        a)
def f2(a, b): pass
c = {1: 2}
f(1, 2)
----
def f(a, b):
    [a
     for a in [1]
     if a
     if b]
    {a:
     b
     for a in [1]
     if a}
    list(a
      for a in [1]
      if
      a)
    print(end=
      b, sep=
      b)
    del (
       a)
    for i in (
       c):
        assert (
            b is
             not None), (
             b)
    lambda x=(
       b): x
    yy = (
       b).n
    (
     b).n
    -(
     b)
    not (
     b)
    raise (
      b)
c = [1]
f(1, "")
----
def f(a, b):
    with (
        a) as (
        x):
        pass
    x = (yield (
        b))
    yield from (
       c)
    match (
        b):
        case 1:
            pass
        case 3 if (
            x):
            pass
    a, b = (
      a,
      b)
    x = (
      a is
      b)
    x = (
      a in
      c)
    x = (a or
       b)
    x = (a and
       b)
    x = (
       not
       b)
    b += (
       b)
    x = a[
       0:
       b]
    try:
        raise ValueError from (
            b)
    except (
        x):
        pass
class M:
   def __enter__(self): return 1
   def __exit__(self, *a): pass
   def __getitem__(self, x): pass
c = [1]
list(f(M(), 3))
----
def f(a, b, c):
    x = (a +
         1)
    x = (1 +
         a)
    x = (a ==
         1)
    if (a ==
        1):
        x = 3
    if (a
        is None):
        x = 3
    if (a is
        None):
        x = 3
    x = c[
      0]
    x = (c
      [0])
    x = (a
         +
         b)
    x += (
      1)
    while (x >
       4):
        x = 0
    x = foo(a, b,
       c)
    x = foo(
       a,
       b,
       c=c
    )
    x = foo(
       1,
       b + 1,
       c=a
    )
    x = (c
       .index
       (a))
    x = [
       a,
       1,
    ]
    x = (
       1,
       2)
    x = {
       1: a,
       2: b,
    }
    if a and \\
       b:
        x = 4
    return (a,
            b)
def foo(a, b, c): pass
f(1, 2, [1])
----
def f(a, b, c):
    try:
        1/0
    except (
       c):
        pass
    try:
        1/0
    except (
       ZeroDivisionError,
       c):
        pass
    for x in (
         a):
        pass
    with (
         b):
        pass
    with (b
         ) as x, \\
         b as y:
        pass
    del (x,
        y)
    if not (
         a):
       pass
    if not a and (
         b):
       pass
    assert (
       a), (
        b)
    return (
        a
        if c else
        b)
class M:
   def __enter__(self): return 1
   def __exit__(self, *a): pass
f([1], M(), ArithmeticError)
----
def f(
    a,
    b=0,
    *,
    c=None,
    d: int = 3,
) -> "x":
    return (
        a
        + b * 2
        + len(
            "abc"
        )
    )
f(
    1,
    d=4,
    b=2,
)
----
import functools
@functools.lru_cache(
    maxsize=None,
)
@functools.wraps(
    len
)
def f(a,
      b=0):
    '''doc'''
    value = {
        "a": a,
        "b": [
            b,
            a,
        ],
        **{
            "c": 1
        },
    }
    text = (
        "abc"
        "def"
        f"{a}"
        f"{b}"
    )
    result = (
        text
        .upper()
        .replace("A", "b")
        .split(
            ","
        )
    )
    x, *y = (
        a,
        b,
        3,
    )
    if (
        a
        and b
        or not value
        and x
    ):
        pass
    elif (
        a == 1
        and b is None
    ):
        x = 3
    z = [
        i
        for i in range(3)
        if i
        for j in (
            1,
            2,
        )
        if j > i
    ]
    w = {
        k: v
        for k, v in value.items()
        if k
    }
    q = (
        a
        if b
        else x
    )
    return (
        q,
        w,
    )
f(1,
  2)
f(
  1
)
----
class A(
    object,
):
    x: int = 3
    y = [
        1,
        2,
    ]

    @property
    def p(
        self,
    ):
        return self.x

    @classmethod
    def c(cls,
          a=1,
          *args,
          **kw):
        return cls(
        ).p
class B(A,
        metaclass=type):
    def m(self, a, b):
        self.a = (
            a
        )
        self.b, self.c = (
            b,
            a,
        )
        self.d = self.x.bit_length(
        ) + self.c
        self.e = \\
            a
        self.f[
            a
        ] = b
        return super(
        ).c(
            a,
            *[b],
            **{"k": 1},
        )
    f = {}
B().m(1, 2)
----
def g(a, b):
    try:
        with open("/dev/null") as x, \\
             open(
                 "/dev/null"
             ) as y:
            pass
        with (
            open("/dev/null") as x,
            open("/dev/null") as y,
        ):
            x.read(
            )
        yield (
            a,
            b,
        )
        z = yield a
        yield from (
            i
            for i in range(2)
        )
        assert (
            a
            == b
        ), (
            "message"
            + str(a)
        )
    except (
        ValueError,
        TypeError,
    ) as e:
        pass
    except AssertionError as e:
        raise ValueError(
            "x",
            e,
        ) from e
    finally:
        a = [
            b
        ]
try:
    list(g(1, 2))
except ValueError:
    pass
----
def f(a, b):
    for i, (x, y) in enumerate(
        zip(
            a,
            b,
        )
    ):
        if x == y:
            continue
        elif x > \\
                y:
            break
    else:
        pass
    while (
        a
        and b
    ):
        a.pop()
    fn = lambda q: (
        q
        + 1
    )
    fn(
        1
    )
    sorted(
        b,
        key=lambda v: (
            -v
        ),
    )
    match (
        a,
        b,
    ):
        case [[], [x, *_]] if x:
            pass
        case _:
            pass
    s = b[
        0:
        1
    ]
    a += [
        1
    ]
    del (
        a[0],
        s,
    )
    return not (
        a
    )
f([1, 2], [3, 4])
----
from os import (
    path,
    sep,
)
import os.path as p, \\
    sys
x = 1; y = 2
if x: y = 3
for i in range(2): x += i
try: 1/0
except: pass
z = (x
     for x in range(3))
list(z)
v = [*range(2),
     *range(3)]
u = {"a": 1,
     "b": x}
print(
    *v,
    sep="",
    end="",
)
w = "%s %s" % (
    x,
    y,
)
assert x, \\
    y
async def co(a):
    async with L(
    ) as b:
        await b.m(
            a,
        )
    async for i in L(
    ):
        pass
    return [
        j
        async for j in L()
    ]
class L:
    n = 0
    async def __aenter__(self): return self
    async def __aexit__(self, *a): pass
    async def m(self, a): return a
    def __aiter__(self): return self
    async def __anext__(self):
        self.n += 1
        if self.n > 2:
            raise StopAsyncIteration
        return self.n
try:
    co(1).send(None)
except StopIteration:
    pass
----
class C:
    def __enter__(self): pass
    def __exit__(self, *a):
        try:
            1 / 0
        except ZeroDivisionError:
            pass
with C():
    try:
        raise KeyError
    except ValueError:
        pass
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
