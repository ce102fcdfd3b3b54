import sys

import greenlet


def ping(n):
    for i in range(n):
        got = main.switch(("ping", i))
    return "ping ends"


def pong():
    deep(30)
    raise KeyError("from pong")


def deep(n):
    if n == 0:
        main.switch(("deep", len(__import__("inspect").stack()) > 30))
    else:
        deep(n - 1)


main = greenlet.getcurrent()
a, b = greenlet.greenlet(ping), greenlet.greenlet(pong)
print(a.switch(3), b.switch(), a.switch(), a.switch(), a.switch(), a.dead)
try:
    b.switch()
except KeyError as error:
    print("caught", error, b.dead)


def producer():
    for i in range(1000):
        yield i


def consumer(out):
    for value in producer():
        out.append(value)
        main.switch()


lists = [[] for _ in range(20)]
workers = [greenlet.greenlet(consumer) for _ in lists]
for worker, out in zip(workers, lists):
    worker.switch(out)
for _ in range(200):
    for worker in workers:
        worker.switch()
print({len(out) for out in lists}, sum(map(sum, lists)))


def handler():
    try:
        1 / 0
    except ZeroDivisionError:
        main.switch("inside except")
        print("still", sys.exc_info()[0].__name__)
    try:
        main.switch("waiting")
    except greenlet.GreenletExit:
        print("asked to leave")
        raise


h = greenlet.greenlet(handler)
print(h.switch(), sys.exc_info())
print(h.switch())
h.throw()
print(h.dead)
