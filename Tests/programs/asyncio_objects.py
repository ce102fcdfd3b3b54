"""asyncio's futures as objects: arguments and messages, attributes, results, iterators, and what
may be done before __init__()."""
import asyncio
import copy
import pickle
import weakref

Future, Task = asyncio.Future, asyncio.Task


class Loop:
    def __init__(self):
        self.calls = []

    def get_debug(self):
        return False

    def call_soon(self, *args, **kwargs):
        self.calls.append((args, kwargs))

    def call_exception_handler(self, context):
        print("  handler", list(context), context["message"])

    def __repr__(self):
        return "<Loop>"


loop = Loop()


def show(name, function, *args, **kwargs):
    try:
        result = function(*args, **kwargs)
    except BaseException as error:
        print(name, "!!", type(error).__name__, error, type(error.__context__).__name__)
    else:
        print(name, "->", type(result) if isinstance(result, (Future, type)) else result)


def places(error):
    """Where its traceback leads."""
    found, entry = [], error.__traceback__
    while entry is not None:
        found.append(entry.tb_frame.f_code.co_name)
        entry = entry.tb_next
    return found


ATTRIBUTES = ["_state", "_asyncio_future_blocking", "_loop", "_callbacks", "_result", "_exception",
              "_log_traceback", "_source_traceback", "_cancel_message"]
METHODS = ["result", "exception", "cancel", "cancelled", "done", "get_loop",
           "_make_cancelled_error", "__await__"]


def before_init():
    future, task = Future.__new__(Future), Task.__new__(Task)
    for name in METHODS + ["__iter__", "__repr__"]:
        show(name, getattr(future, name))
    for name in METHODS + ["cancelling", "uncancel", "get_name"]:
        show("task " + name, getattr(task, name))
    for method in future.set_result, future.add_done_callback, future.remove_done_callback:
        show(method.__name__, method, 1)
    show("set_exception", future.set_exception, ValueError)
    show("set_name", task.set_name, 5)
    for name in ATTRIBUTES:
        show(name, getattr, future, name)
    for name in "_log_destroy_pending", "_must_cancel", "_coro", "_fut_waiter":
        show(name, getattr, task, name)


def attributes():
    future = Future(loop=loop)
    values = {"_asyncio_future_blocking": (1, 0, True, None, [], 2.5),
              "_log_traceback": (True, False, 1, 0, "x", None), "_cancel_message": (1, None, "x"),
              "added": (1,)}
    for name in ATTRIBUTES + ["added"]:
        for value in values.get(name, (1,)):
            show(f"{name} = {value!r}", setattr, future, name, value)
            show("  now", getattr, future, name)
        show("del " + name, delattr, future, name)
        show("  now", getattr, future, name)
    show("__dict__", lambda: future.__dict__)
    show("of the class", setattr, Future, "x", 1)
    print(weakref.ref(future)() is future, future == future,
          hash(future) == object.__hash__(future))
    print(Future[int], Task[int], Future.__class_getitem__(3))
    show("pickle", pickle.dumps, future)
    show("copy", copy.copy, future)


def arguments():
    for args, keywords in [((1,), {}), ((), {"loop": None}), ((), {"lop": 1}), ((), {"loop": 1}),
                           ((1, 2), {})]:
        show(f"Future {args} {keywords}", Future, *args, **keywords)
    for args, keywords in [((), {}), ((1,), {}), ((1,), {"loop": loop}), ((1, 2), {}),
                           ((), {"coro": 1, "loop": loop}), ((1,), {"loop": loop, "foo": 1})]:
        show(f"Task {args} {keywords}", Task, *args, **keywords)
    of_methods = {
        "set_result": [((), {}), ((1, 2), {}), ((), {"result": 1})],
        "set_exception": [((), {}), ((1,), {}), ((int,), {}), ((StopIteration,), {}), ((None,), {}),
                          ((StopIteration(3),), {}), ((type("S", (StopIteration,), {}),), {})],
        "add_done_callback": [((), {}), ((1, 2), {}), ((1,), {"context": None}),
                              ((1,), {"contex": None}), ((1,), {}), ((), {"fn": 1})],
        "remove_done_callback": [((), {}), ((1, 2), {}), ((1,), {}), ((), {"fn": 1})],
        "cancel": [((1, 2), {}), ((), {"ms": 1}), ((), {"msg": 1}), ((), {})],
        "result": [((1,), {})], "get_loop": [((1,), {}), ((), {})], "done": [((1,), {})],
    }
    for method, all_arguments in of_methods.items():
        for args, keywords in all_arguments:
            future = Future(loop=loop)
            show(f"{method} {args} {keywords}", getattr(future, method), *args, **keywords)
            print("   ", future._state, len(future._callbacks or ()), future._cancel_message)
            future._log_traceback = False
    for name in ("_enter_task", "_leave_task", "_register_task", "_unregister_task",
                 "_set_running_loop", "get_event_loop", "_get_event_loop", "get_running_loop"):
        for args, keywords in [((), {"x": 2}), ((1, 2, 3), {}), ((), {"loop": 1, "task": 2})]:
            show(f"{name} {args} {keywords}", getattr(asyncio.events, name, None)
                 or getattr(asyncio.tasks, name), *args, **keywords)


class NoException(Exception):
    def __new__(cls):
        return 5


class Fails(Exception):
    def __new__(cls):
        return 1 / 0


def raised():
    try:
        1 / 0
    except ZeroDivisionError as error:
        return error


def results():
    future = Future(loop=loop)
    for name in "result", "exception":
        show("pending " + name, getattr(future, name))

    class Sets(Exception):
        def __new__(cls):
            future.set_result(3)
            return Exception.__new__(cls)
    for exception in NoException, Fails, Sets:
        show(exception.__name__, future.set_exception, exception)
        print("   ", future._state)
    for name, args in [("result", ()), ("exception", ()), ("set_result", (1,)),
                       ("set_exception", (ValueError(),)), ("cancel", ())]:
        show("done " + name, getattr(future, name), *args)
    future, error = Future(loop=loop), raised()
    future.set_exception(error)
    print(future._log_traceback)
    for _ in range(3):
        try:
            try:
                raise KeyError
            except KeyError:
                future.result()
        except ZeroDivisionError as seen:
            print(places(seen), seen is error, repr(seen.__context__), future._log_traceback)
    print(future.exception() is error, places(error))
    for msg in "m", None, 0, "", ():
        future = Future(loop=loop)
        future.cancel(msg)
        for _ in range(2):
            try:
                future.result()
            except asyncio.CancelledError as seen:
                print(repr(seen), places(seen))
        show("exception", future.exception)
        print(repr(future._make_cancelled_error()), future.cancelled(), future.done())
    for kind in Future, type("Sub", (Future,), {}):
        future = kind(loop=loop)
        future.set_exception(ValueError("never seen"))
        del future


def iterators():
    future = Future(loop=loop)
    iterator = iter(future)
    print(type(iterator), next(iterator) is future, future._asyncio_future_blocking)
    show("next", next, iterator)
    future.set_result((4, 5))
    for _ in range(2):
        show("next", next, iterator)
    show("send", future.__await__().send, 3)
    future = Future(loop=loop)
    for args in [(), (ValueError,), (ValueError(3),), (ValueError, 4), (ValueError, None, None),
                 (ValueError(3), 4), (3,), (ValueError, 1, 2), (int,), (ValueError, ValueError(9)),
                 (1, 2, 3, 4), (KeyError, (1, 2)), (Fails,), (NoException,)]:
        iterator = iter(future)
        show(f"throw {args}", iterator.throw, *args)
        show("  then", lambda: next(iterator) is future)
        future._asyncio_future_blocking = False
    iterator = iter(future)
    show("close", iterator.close)
    show("  then", next, iterator)
    future.set_exception(ValueError("x"))
    iterator = iter(future)
    show("next", next, iterator)
    show("  then", next, iterator)
    for name, function in [("new", type(iterator)), ("pickle", lambda: pickle.dumps(iterator)),
                           ("weak", lambda: weakref.ref(iterator))]:
        show(name, function)
    print([name for name in dir(iterator) if not name.startswith("__")])


for part in before_init, attributes, arguments, results, iterators:
    print("---", part.__name__)
    part()
