"""What is thrown at `x = yield` leaves x, and what it holds alive, as they are."""
import types

log = []


class Noisy:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        log.append(f"{self.name} dies")


def caught(n):
    x = n
    for _ in range(9):
        try:
            x = yield x
        except ValueError:
            log.append(f"caught with {x}")
    return x


def finished():
    x = Noisy("x")
    try:
        x = yield
    finally:
        log.append(f"finally with {getattr(x, 'name', x)}")


def delegating():
    x = "before"
    try:
        x = yield from caught(1)
    except KeyError:
        log.append(f"delegate ended with {x}")
    yield x


def unbound():
    try:
        x = yield
    except ValueError:
        yield "x" in locals()
    yield x


@types.coroutine
def wait(v):
    r = "nothing"
    try:
        r = yield v
    except ValueError:
        log.append(f"waited with {r}")
        raise
    return r


async def awaiting():
    x = 5.5
    try:
        x = await wait(1)
    except ValueError:
        log.append(f"awaited with {x}")
    return x


async def stream():
    x = 7
    while True:
        try:
            x = yield x
        except ValueError:
            x += 1


def drive(c):
    try:
        return c.send(None)
    except StopIteration as e:
        return e.value


def show(name):
    print(name, log[:])
    log.clear()


def main():
    g = caught(1000)
    print(next(g), g.throw(ValueError), g.send(3), g.throw(ValueError()))
    show("caught")
    for end in ("close", "del", "throw"):
        g = finished()
        next(g)
        if end == "close":
            g.close()
        elif end == "throw":
            try:
                g.throw(KeyError)
            except KeyError:
                pass
        g = None
        show(end)
    g = delegating()
    print(next(g), g.throw(ValueError), g.throw(KeyError))
    show("delegating")
    g = unbound()
    print(next(g), g.throw(ValueError))
    try:
        next(g)
    except UnboundLocalError as e:
        print(e)
    c = awaiting()
    c.send(None)
    try:
        c.throw(ValueError)
    except StopIteration as e:
        print(e.value)
    show("awaiting")
    s = stream()
    print(drive(s.asend(None)), drive(s.athrow(ValueError)),
          drive(s.asend(3)), drive(s.athrow(ValueError)))
    # Generators that are compiled.
    total = 0
    for i in range(3000):
        g = caught(i)
        total += next(g) + g.throw(ValueError)
        if i % 7 == 0:
            total += g.send(i) + g.throw(ValueError)
    print(total, len(set(log)), len(log))
    log.clear()


main()
