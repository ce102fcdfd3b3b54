"""Context variables, over a persistent map with colliding keys."""
import contextvars
import gc
import weakref

v = contextvars.ContextVar("v", default=0)
w = contextvars.ContextVar("w")
print(v.get(), w.get("none"))
token = v.set(1)
ctx = contextvars.copy_context()


def inside(x):
    w.set(x)
    v.set(v.get() + x)
    return v.get(), w.get(), len(contextvars.copy_context())


print(ctx.run(inside, 10), v.get(), w.get("none"), ctx[v], ctx[w], len(ctx), v in ctx)
print(token.old_value is contextvars.Token.MISSING, token.var is v)
v.reset(token)
print(v.get())
for f in [lambda: v.reset(token), lambda: w.reset(v.set(1)), lambda: ctx.run(v.reset, v.set(3)), lambda: w.get(),
          lambda: ctx.run(ctx.run, print), lambda: ctx[contextvars.ContextVar("q")], lambda: ctx["a"], lambda: hash(ctx)]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split(" at 0x")[0])

many = [contextvars.ContextVar("c%d" % i) for i in range(500)]


def fill():
    tokens = [c.set(i) for i, c in enumerate(many)]
    snapshot = contextvars.copy_context()
    for i, t in enumerate(tokens):
        if i % 3:
            many[i].reset(t)
    rest = contextvars.copy_context()
    return snapshot, rest


snapshot, rest = contextvars.Context().run(fill)
print(len(snapshot), len(rest), all(snapshot[c] == i for i, c in enumerate(many)),
      sorted(rest.values()) == list(range(0, 500, 3)), snapshot == snapshot.copy(), snapshot == rest)
print(sum(snapshot[k] for k in snapshot), sum(dict(rest.items()).values()))


class Thing:
    pass


thing = Thing()
ref = weakref.ref(thing)
cyc = contextvars.copy_context()
thing.ctx = cyc
cyc.run(w.set, thing)
del cyc, thing
gc.collect()
print(ref())
