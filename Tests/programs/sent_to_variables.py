"""In `x = yield`, what x held dies in the generator that runs again: a finalizer can't go on with it."""


class Goes:
    """Wants to go on with a generator when it dies."""
    def __init__(self, on):
        self.on = on

    def __del__(self):
        try:
            print("finalizer gets", self.on(generator))
        except (ValueError, StopIteration) as e:
            print(type(e).__name__, e)


def twice(on):
    x = Goes(on)
    x = yield 1
    print("got", x)
    x = yield 2
    print("got", x)


def once(on):
    x = Goes(on)
    x = yield 1
    print("got", x)


def many(on):
    for i in range(300):
        x = yield i
        if i % 100 == 50:
            x = Goes(on)


for on in next, lambda g: g.send("inner"), lambda g: g.close(), lambda g: g.throw(ValueError("thrown")):
    for function in twice, once:
        generator = function(on)
        print(next(generator))
        try:
            while True:
                print(generator.send("outer"))
        except StopIteration:
            print("end")
    generator = many(on)
    print(sum(generator))
    generator = many(on)
    total = next(generator)
    try:
        while True:
            total += generator.send(1)
    except StopIteration:
        print(total)
