"""Steps of asyncio's tasks in a loop that only records: what coroutines yield, raise and return,
cancellation, futures of other kinds, loops that refuse, and tasks changed while they run."""
import asyncio
import collections.abc
import gc
import re

Future, Task = asyncio.Future, asyncio.Task


def plain(error):
    text = re.sub(r"0x[0-9a-f]+", "0x", str(error))
    return re.sub(r"(running|done, defined) at \S*", r"\1", text)


class Loop:
    refuses = False

    def __init__(self):
        self.calls = []

    def get_debug(self):
        return False

    def call_soon(self, callback, *args, context=None):
        if self.refuses:
            raise OSError("refused")
        self.calls.append((callback, args, context))

    def call_exception_handler(self, context):
        print("   handler", list(context), context["message"],
              plain(repr(context.get("exception"))))

    def run(self):
        for _ in range(20):
            if not self.calls:
                break
            callback, args, context = self.calls.pop(0)
            try:
                context.run(callback, *args)
            except BaseException as error:
                print("   raised", type(error).__name__, plain(error),
                      type(error.__context__).__name__)


def chain(error):
    links = []
    while error is not None and len(links) < 6:
        names, entry = [], error.__traceback__
        while entry is not None:
            names.append(entry.tb_frame.f_code.co_name)
            entry = entry.tb_next
        links.append((type(error).__name__, names))
        error = error.__context__
    return links


def report(name, task):
    error = task._exception
    print(name, task._state, task._result, type(error).__name__, plain(error or ""),
          task._must_cancel, task._fut_waiter is not None, task.cancelling(), task._cancel_message)
    if error is not None:
        print("   chain", chain(error))
    for _ in range(2 if task._state == "CANCELLED" else 0):
        try:
            task.result()
        except asyncio.CancelledError as seen:
            print("   cancelled", repr(seen), chain(seen))
    task._log_traceback = task._log_destroy_pending = False


def go(title, coro, before=None, loop=None, **keywords):
    loop = loop or Loop()
    task = Task(coro, loop=loop, **keywords)
    if before is not None:
        before(task)
    loop.run()
    report(title, task)
    return task


def current(loop):
    return asyncio.tasks._current_tasks[loop]


class Yields:
    def __init__(self, value):
        self.value = value

    def __await__(self):
        return (yield self.value)


async def yields(value):
    return await Yields(value)


async def returns(value=5):
    return value


async def raises(error):
    raise error


async def waits(future):
    return await future


class Duck:
    """A future of another kind."""
    _asyncio_future_blocking = True

    def __init__(self, loop):
        self._loop = loop

    def add_done_callback(self, callback, *, context):
        self._loop.call_soon(callback, self, context=context)

    def result(self):
        return 1

    def cancel(self, msg=None):
        print("   duck is cancelled", msg)
        return True


class DuckWithGetLoop(Duck):
    def get_loop(self):
        print("   get_loop")
        return self._loop


class DuckThatFails(Duck):
    def result(self):
        raise KeyError("duck")


class DuckThatIsNone(Duck):
    _asyncio_future_blocking = None


class DuckReadOnly(Duck):
    @property
    def _asyncio_future_blocking(self):
        return True


class DuckWithoutTruth(Duck):
    class NoTruth:
        def __bool__(self):
            return 1 / 0 > 0
    _asyncio_future_blocking = NoTruth()


class DuckThatRaises(Duck):
    @property
    def _asyncio_future_blocking(self):
        raise KeyError("attribute")


class DuckWithoutLoop:
    _asyncio_future_blocking = True


def what_is_yielded():
    go("returns", returns())
    go("returns a tuple", returns((1, 2)))
    go("raises", raises(ValueError(1)))
    go("None", yields(None))
    go("an int", yields(3))
    go("a generator", yields(x for x in ()))
    other = Loop()
    for kind in (Duck, DuckWithGetLoop, DuckThatFails, DuckThatIsNone, DuckReadOnly,
                 DuckWithoutTruth, DuckThatRaises):
        for owner in "same", "other":
            loop = Loop()
            duck = kind(loop if owner == "same" else other)
            go(f"{kind.__name__} {owner}", yields(duck), loop=loop)
    go("no loop", yields(DuckWithoutLoop()))
    loop = Loop()
    duck = Duck(loop)
    duck._asyncio_future_blocking = False
    go("duck not awaited", yields(duck), loop=loop)
    go("future not awaited", yields(Future(loop=loop)), loop=loop)
    go("future of another loop", waits(Future(loop=other)), loop=loop)


class SubFuture(Future):
    pass


class SubTask(Task):
    pass


def waiting():
    for make_future in Future, SubFuture:
        for make_task in Task, SubTask:
            for done in ("set_result", 9), ("set_exception", KeyError(3)), ("cancel", "why"):
                loop = Loop()
                future = make_future(loop=loop)
                task = make_task(waits(future), loop=loop)
                loop.run()
                print(len(future._callbacks), future._asyncio_future_blocking,
                      task._fut_waiter is future, future._callbacks[0][0].__qualname__)
                getattr(future, done[0])(done[1])
                loop.run()
                report(f"{make_future.__name__} {make_task.__name__} {done}", task)

    async def itself(loop):
        await current(loop)
    loop = Loop()
    go("itself", itself(loop), loop=loop)


def cancelling():
    loop = Loop()
    task = Task(waits(Future(loop=loop)), loop=loop)
    loop.run()
    print(task.cancel("message"), task.cancel("more"), task.uncancel())
    loop.run()
    report("while it waits", task)
    print(task.cancel())
    go("before it runs", waits(Future(loop=loop)), lambda task: task.cancel("early"), loop=loop)

    async def cancels_itself(awaits):
        current(loop).cancel("own")
        if awaits is None:
            return 4
        try:
            await awaits
        except asyncio.CancelledError as error:
            print("   caught", error.args)
        return 7
    go("itself, and returns", cancels_itself(None), loop=loop)
    go("itself, and awaits", cancels_itself(Future(loop=loop)), loop=loop)
    go("itself, and yields a duck", cancels_itself(Yields(Duck(loop))), loop=loop)
    sub = type("SubCancelled", (asyncio.CancelledError,), {})
    for error in (SystemExit(3), KeyboardInterrupt(), GeneratorExit(), asyncio.CancelledError("x"),
                  sub("y"), StopAsyncIteration(), StopIteration(3)):
        go(repr(error), raises(error))


class Coroutine:
    """No coroutine, but it has the methods of one."""

    def __init__(self, *actions):
        self.actions = list(actions)

    def act(self):
        action = self.actions.pop(0)
        if isinstance(action, (BaseException, type)):
            raise action
        return action

    def send(self, value):
        print("   send", value)
        return self.act()

    def throw(self, *args):
        print("   throw", [type(arg).__name__ for arg in args])
        return self.act()

    def close(self):
        pass

    def __await__(self):
        return self


collections.abc.Coroutine.register(Coroutine)


class WithNext(Coroutine):
    def __iter__(self):
        return self

    def __next__(self):
        print("   next")
        return self.act()


class BadSend(Coroutine):
    send = property(lambda self: 1 / 0)


class BadStr:
    def __str__(self):
        return 1 / 0


def other_coroutines():
    sub = type("SubStop", (StopIteration,), {})
    for actions in [(None, StopIteration(4)), (3, StopIteration), (3, ValueError(3)),
                    (StopIteration((1, 2)),), (sub(5),), (ValueError,)]:
        go(f"{actions}", Coroutine(*actions))
    go("next", WithNext(None, StopIteration(4)))
    go("next", WithNext(4, StopIteration(4)))
    go("bad send", BadSend())


def names():
    for name in "x", 5, "", type("Str", (str,), {})("sub"):
        task = go("name", returns(), name=name)
        print(type(task.get_name()), repr(task.get_name()))
        task.set_name(name)
        print(type(task.get_name()))
    coro = returns()
    try:
        Task(coro, loop=Loop(), name=BadStr())
    except ZeroDivisionError as error:
        print(repr(error))
    coro.close()
    loop = Loop()
    coro = returns()
    report("context", Task(coro, loop=loop, context=3))
    coro.close()
    print(loop.calls[0][2])


def done_by_force():
    loop = Loop()
    task = Task(returns(), loop=loop, name="twice")
    step = loop.calls.pop()[0]
    print(type(step).__name__, step.__self__ is task)
    step()
    try:
        step()
    except asyncio.InvalidStateError as error:
        print(plain(error))
    for args, keywords in [((1,), {}), ((), {"a": 1})]:
        try:
            step(*args, **keywords)
        except TypeError as error:
            print(error)

    async def sets():
        Future.set_result(current(loop), "forced")
        return 1

    async def cancels():
        Future.cancel(current(loop), "forced")
        await Future(loop=loop)

    async def leaves(error=None):
        asyncio._leave_task(loop, current(loop))
        if error is not None:
            raise error

    async def enters():
        other = Task(returns(), loop=loop, name="other")
        other._log_destroy_pending = False
        try:
            loop.calls.pop()[0]()
        finally:
            other.get_coro().close()
    for coro in sets(), cancels(), leaves(), leaves(SystemExit(3)), enters():
        go(coro.__name__, coro, loop=loop, name="n")
    print(asyncio.tasks._current_tasks)


def refusing_loops():
    loop = Loop()
    future = Future(loop=loop)
    future.add_done_callback(print)
    future.add_done_callback(len)
    loop.refuses = True
    for _ in range(2):
        try:
            future.set_result(1)
        except Exception as error:
            print(repr(error), future._state, future._callbacks)
    loop.refuses = False
    task = Task(yields(None), loop=loop)
    loop.refuses = True
    loop.run()
    report("a step that can't be scheduled", task)
    coro = returns()
    try:
        Task(coro, loop=loop)
    except OSError as error:
        print(repr(error))
    coro.close()


def dying():
    loop = Loop()
    task = Task(yields(3), loop=loop, name="n")
    loop.calls.clear()
    task.get_coro().close()
    del task
    gc.collect()

    class SubTask(Task):
        def __del__(self):
            print("   __del__")
            super().__del__()
    for error in None, ValueError(3):
        task = SubTask(raises(error) if error else yields(None), loop=loop, name="n")
        coro = task.get_coro()
        if error:
            loop.run()
        loop.calls.clear()
        del task
        gc.collect()
        coro.close()
    future = Future(loop=loop)
    task = Task(waits(future), loop=loop, name="n")
    loop.run()
    future.x, future.y = task, future
    del future, task
    gc.collect()


def removing():
    loop = Loop()
    future = Future(loop=loop)
    for callback in (id, str, id, len, id, repr):
        future.add_done_callback(callback)
    print([entry[0] for entry in future._callbacks])
    for callback in id, repr, str, int, len:
        print(future.remove_done_callback(callback),
              [entry[0] for entry in future._callbacks or ()])

    class Removes:
        def __eq__(self, other):
            future.remove_done_callback(id)
            return False
    future.add_done_callback(str)
    for _ in range(63):
        future.add_done_callback(id)
    print(future.remove_done_callback(Removes()), len(future._callbacks))

    class InitsAgain:
        def __eq__(self, other):
            future.__init__(loop=loop)
            return True
    future.remove_done_callback(InitsAgain())
    print(future._callbacks)

    class Raises:
        def __eq__(self, other):
            raise KeyError
    future.add_done_callback(id)
    future.add_done_callback(len)
    try:
        future.remove_done_callback(Raises())
    except KeyError:
        print(len(future._callbacks))

    class SetsResult:
        def __eq__(self, other):
            if not future.done():
                future.set_result(1)
            return True
    future.remove_done_callback(SetsResult())
    print(len(loop.calls), future._state)


def init_again():
    loop = Loop()
    future = Future(loop=loop)
    future.add_done_callback(print)
    future.add_done_callback(len)
    future.__init__(loop=loop)
    print(future._callbacks)
    future.set_exception(ValueError())
    future.__init__(loop=loop)
    print(future._state, future._exception, future._log_traceback, future.done())
    future.set_result(4)
    print(future.result(), len(loop.calls))
    future = Future(loop=loop)
    task = Task(waits(future), loop=loop)
    loop.run()
    task.__init__(returns(8), loop=loop, name="n")
    print(task._fut_waiter)
    future.set_result(2)
    loop.run()
    report("again", task)


for part in (what_is_yielded, waiting, cancelling, other_coroutines, names, done_by_force,
             refusing_loops, dying, removing, init_again):
    print("---", part.__name__)
    part()
