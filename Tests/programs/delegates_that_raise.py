# What a delegate of `yield from` finds as the handled exception when it is thrown into, closed,
# or dies, while the generator that delegates is in an except block.
import sys


class Delegate:
    def __iter__(self):
        return self

    def __next__(self):
        print("next", sys.exc_info()[0])
        return 1

    def send(self, value):
        print("send", sys.exc_info()[0])
        return 1

    def throw(self, *args):
        print("throw", sys.exc_info()[0])

    def close(self):
        print("close", sys.exc_info()[0])


class Unreadable(Delegate):
    @property
    def throw(self):
        print("get throw", sys.exc_info()[0])
        1 / 0

    @property
    def close(self):
        print("get close", sys.exc_info()[0])
        1 / 0


class Raising(Delegate):
    def throw(self, *args):
        print("throw", sys.exc_info()[0])
        1 / 0

    def close(self, *args):
        print("close", sys.exc_info()[0])
        1 / 0


class Mortal(Delegate):
    def throw(self, *args):
        raise StopIteration(3)

    def __del__(self):
        print("del", sys.exc_info()[0])


def chain(e):
    result = []
    while e is not None and len(result) < 5:
        result.append(repr(e))
        e = e.__context__
    return result


sys.unraisablehook = lambda unraisable: print("unraisable", chain(unraisable.exc_value))


def outer(make):
    try:
        raise ValueError
    except ValueError:
        yield from make()


def inner(make):
    try:
        raise KeyError
    except KeyError:
        yield from make()


def throws(generator):
    generator.throw(RuntimeError)


def exits(generator):
    generator.throw(GeneratorExit)


def closes(generator):
    generator.close()


def sends(generator):
    generator.send(3)


for cls in Delegate, Unreadable, Raising, Mortal:
    for make in cls, lambda: inner(cls):
        for act in throws, exits, closes, sends:
            for handling in False, True:
                print(cls.__name__, make is cls, act.__name__, handling)
                try:
                    generator = outer(make)
                    next(generator)
                    if handling:
                        try:
                            raise OSError
                        except OSError:
                            act(generator)
                    else:
                        act(generator)
                except BaseException as e:
                    print(chain(e))
                del generator
