"""_asyncio: what neither python3.11 nor test_asyncio can judge. Loops whose call_soon() is not
called because it is asyncio's own, and all that makes it be called; forks, threads, interpreters;
objects that are used while they are changed; references."""
import _asyncio
import asyncio
import asyncio.base_events
import asyncio.events
import collections
import concurrent.futures
import contextlib
import contextvars
import gc
import os
import subprocess
import sys
import textwrap
import threading
import tracemalloc
import unittest
import unittest.mock
import weakref

PORTABLE = "queues of callbacks"

try:
    import _xxsubinterpreters as interpreters
except ImportError:
    interpreters = None

BaseLoop = asyncio.base_events.BaseEventLoop


async def returns(value=None):
    return value


def run_python(code):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True,
                          text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr[-3000:]


class IsOurs(unittest.TestCase):
    def test_it_is_built_in(self):
        self.assertIn("_asyncio", sys.builtin_module_names)
        self.assertIs(asyncio.Future, _asyncio.Future)
        self.assertIs(asyncio.Task, _asyncio.Task)
        self.assertIs(asyncio.get_running_loop, _asyncio.get_running_loop)
        self.assertIs(asyncio.tasks._current_tasks, _asyncio._current_tasks)

    def test_it_can_be_imported_before_asyncio(self):
        self.assertEqual(run_python("""
            import _asyncio, asyncio
            print(asyncio.Future is _asyncio.Future, asyncio.run(asyncio.sleep(0, 5)))
            """), (0, "True 5\n", ""))

    def test_without_asyncio_its_classes_raise(self):
        self.assertEqual(run_python("""
            import sys
            sys.modules["asyncio.events"] = None
            try:
                import _asyncio
            except ImportError:
                pass
            for _ in range(2):
                for cls in object.__subclasses__():
                    if cls.__name__ == "Future":
                        try: cls()
                        except TypeError as error: print(error)
                        try: cls.__new__(cls).result()
                        except SystemError as error: print("SystemError")
            """)[:2], (0, "'NoneType' object is not callable\nSystemError\n" * 2))

    def test_imported_again_it_has_the_same_state(self):
        before = _asyncio._current_tasks, _asyncio._all_tasks
        del sys.modules["_asyncio"]
        try:
            import _asyncio as again
        finally:
            sys.modules["_asyncio"] = _asyncio
        self.assertEqual((again.Future, again.Task), (asyncio.Future, asyncio.Task))
        self.assertIs(again._current_tasks, before[0])
        self.assertIs(again._all_tasks, before[1])

    def test_iterator_that_has_ended(self):
        with contextlib.closing(asyncio.new_event_loop()) as loop:
            future = loop.create_future()
            future.set_result(5)
            iterator = iter(future)
            self.assertRaises(StopIteration, next, iterator)
            self.assertRaises(StopIteration, iterator.send, None)


class Seen(set):
    """Names of the functions that are on the stack when a collection begins, and one begins
    whenever something is allocated."""

    def __call__(self, phase, info):
        frame = sys._getframe(1)
        while frame is not None:
            self.add(frame.f_code.co_name)
            frame = frame.f_back

    def __enter__(self):
        self.before = gc.get_threshold()
        gc.callbacks.append(self)
        gc.set_threshold(1)
        return self

    def __exit__(self, *args):
        gc.set_threshold(*self.before)
        gc.callbacks.remove(self)


@contextlib.contextmanager
def replaced_code(function, other):
    before = function.__code__
    function.__code__ = other.__code__
    try:
        yield
    finally:
        function.__code__ = before


@unittest.skipIf(os.environ.get("SPRINGBOARD_STRESS"), "sees calls by collections of its own")
class Calls(unittest.TestCase):
    """call_soon() of asyncio's own loops is not called; that of all others is."""

    def setUp(self):
        self.loop = asyncio.new_event_loop()
        self.addCleanup(self.loop.close)

    def calls_of(self, loop=None):
        """What is on the stack while a future has its callback scheduled, and the handle."""
        loop = loop or self.loop
        future = asyncio.Future(loop=loop)
        future.add_done_callback(print)
        loop._ready.clear()
        with Seen() as seen:
            future.set_result(1)
        return seen & {"call_soon", "_call_soon", "_check_closed"}

    def assert_called(self, loop=None):
        self.assertIn("call_soon", self.calls_of(loop))

    def assert_not_called(self, loop=None):
        self.assertEqual(self.calls_of(loop), set())

    def test_of_asyncios_loops_it_is_not_called(self):
        self.assert_not_called()
        with contextlib.closing(type("Sub", (asyncio.SelectorEventLoop,), {})()) as loop:
            self.assert_not_called(loop)
            loop.x = 1
            self.assert_not_called(loop)

    def test_the_handle_is_the_same(self):
        context = asyncio.events.contextvars.copy_context()
        future = asyncio.Future(loop=self.loop)
        future.add_done_callback(len, context=context)
        future.set_result(1)
        handle = self.loop._ready[-1]
        other = self.loop.call_soon(len, future, context=context)
        self.assertIs(type(handle), asyncio.events.Handle)
        slots = [name for name in type(handle).__slots__ if name != "__weakref__"]
        self.assertEqual(len(slots), 7)
        for name in slots:
            with self.subTest(name):
                self.assertEqual(getattr(handle, name), getattr(other, name))
        self.assertIs(weakref.ref(handle)(), handle)
        self.assertTrue(gc.is_tracked(handle))
        self.assertEqual(repr(handle), repr(other))

    def test_steps_and_wakeups(self):
        async def main():
            with Seen() as seen:
                await asyncio.sleep(0)
                await asyncio.gather(returns(), returns())
            return seen
        seen = self.loop.run_until_complete(main())
        self.assertIn("main", seen)
        self.assertNotIn("_call_soon", seen)

    def test_a_closed_loop(self):
        loop = asyncio.new_event_loop()
        future = asyncio.Future(loop=loop)
        future.add_done_callback(print)
        loop.close()
        with self.assertRaisesRegex(RuntimeError, "Event loop is closed"):
            future.set_result(1)

    def test_debug_mode(self):
        self.assert_not_called()
        self.loop.set_debug(True)
        self.assert_called()
        future = asyncio.Future(loop=self.loop)
        self.assertEqual(future._source_traceback[-1].name, "test_debug_mode")
        future.add_done_callback(print)
        future.set_result(1)
        self.assertIsNotNone(self.loop._ready[-1]._source_traceback)
        self.loop.set_debug(False)
        self.assert_not_called()

    def test_wrong_thread_in_debug_mode(self):
        self.loop.set_debug(True)
        future = asyncio.Future(loop=self.loop)
        future.add_done_callback(print)
        self.loop._thread_id = -1
        try:
            with self.assertRaisesRegex(RuntimeError, "Non-thread-safe operation"):
                future.set_result(1)
        finally:
            self.loop._thread_id = None

    def test_methods_of_a_subclass(self):
        called = []

        def make(name):
            def method(self, *args, **keywords):
                called.append(name)
                return getattr(asyncio.SelectorEventLoop, name)(self, *args, **keywords)
            return method
        for name in "call_soon", "_call_soon", "_check_closed", "get_debug":
            with self.subTest(name):
                cls = type("Sub", (asyncio.SelectorEventLoop,), {name: make(name)})
                with contextlib.closing(cls()) as loop:
                    called.clear()
                    self.assert_called(loop)
                    self.assertIn(name, called)

    def test_methods_of_the_class_that_are_replaced_later(self):
        for name in "call_soon", "_call_soon", "_check_closed", "get_debug":
            with self.subTest(name):
                self.assert_not_called()
                method = getattr(BaseLoop, name)
                with unittest.mock.patch.object(BaseLoop, name, autospec=True,
                                                side_effect=method) as mock:
                    future = asyncio.Future(loop=self.loop)
                    future.add_done_callback(print)
                    future.set_result(1)
                    self.assertTrue(mock.called)
                self.assert_not_called()

    def test_methods_of_the_loop_that_are_replaced_later(self):
        """The second loop's, too, whose class knows an attribute of that name by then."""
        for name in "call_soon", "_call_soon", "_check_closed", "get_debug":
            cls = type("Sub", (asyncio.SelectorEventLoop,), {})
            for _ in range(3):
                with self.subTest(name), contextlib.closing(cls()) as loop:
                    self.calls_of(loop)
                    called = []
                    method = getattr(loop, name)
                    setattr(loop, name, lambda *args, **kw: called.append(1) or method(*args, **kw))
                    future = asyncio.Future(loop=loop)
                    future.add_done_callback(print)
                    future.set_result(1)
                    self.assertTrue(called)
                    delattr(loop, name)

    def test_code_that_is_replaced(self):
        def other(self, *args, **keywords):
            raise KeyError
        for name in "call_soon", "_call_soon", "_check_closed":
            with self.subTest(name):
                self.assert_not_called()
                future = asyncio.Future(loop=self.loop)
                future.add_done_callback(print)
                with replaced_code(getattr(BaseLoop, name), other):
                    self.assertRaises(KeyError, future.set_result, 1)
        with replaced_code(BaseLoop.get_debug, other):
            self.assertRaises(KeyError, asyncio.Future, loop=self.loop)
        self.assert_not_called()

        def init(self, callback, args, loop, context=None):
            raise KeyError
        with replaced_code(asyncio.events.Handle.__init__, init):
            future = asyncio.Future(loop=self.loop)
            future.add_done_callback(print)
            self.assertRaises(KeyError, future.set_result, 1)

    def test_functions_of_the_same_module_with_other_code(self):
        """As in a library that somebody has edited."""
        for name in "call_soon", "_call_soon":
            with self.subTest(name):
                made = {}
                exec(f"def {name}(self, *args, **keywords): raise KeyError",
                     vars(asyncio.base_events), made)
                cls = type("Sub", (asyncio.SelectorEventLoop,), made)
                with contextlib.closing(cls()) as loop:
                    future = asyncio.Future(loop=loop)
                    future.add_done_callback(print)
                    self.assertRaises(KeyError, future.set_result, 1)

    def test_handles_that_are_replaced(self):
        self.assert_not_called()

        class Handle(asyncio.events.Handle):
            pass
        for target, value in [("asyncio.events.Handle", Handle),
                              ("asyncio.base_events.events", unittest.mock.Mock(Handle=Handle))]:
            with self.subTest(target), unittest.mock.patch(target, value):
                self.assert_called()
                self.assertIs(type(self.loop._ready[-1]), Handle)

        def init(self, *args):
            raise KeyError
        for name, value in [("__init__", init), ("_args", property())]:
            with self.subTest(name), \
                    unittest.mock.patch.object(asyncio.events.Handle, name, value):
                future = asyncio.Future(loop=self.loop)
                future.add_done_callback(print)
                self.assertRaises((KeyError, AttributeError), future.set_result, 1)

    def test_handles_that_are_replaced_while_one_is_made(self):
        Handle = asyncio.events.Handle
        slots = ["_callback", "_args", "_cancelled", "_loop", "_source_traceback", "_repr",
                 "_context", "__weakref__"]

        def handle_class(slots):
            return type("Handle", (), {"__slots__": slots, "__init__": Handle.__init__})

        def make_one():
            loops.x = object()      # so all of it is looked at again
            future = asyncio.Future(loop=self.loop)
            future.set_result(1)
            future.add_done_callback(print)
        loops = type("Loops", (asyncio.SelectorEventLoop,), {})
        self.loop = loops()
        self.addCleanup(self.loop.close)

        class Garbage:
            def __init__(self):
                self.cycle = self

            def __del__(self):
                asyncio.events.Handle = larger
                make_one()
                replaced.append(1)
        replaced = []
        done = asyncio.Future(loop=self.loop)
        done.set_result(1)
        thresholds = gc.get_threshold()
        try:
            for i in range(8):      # few: each class costs one of the first looks
                asyncio.events.Handle = handle_class(slots)
                larger = handle_class([f"A{n}" for n in range(500)] + slots[::-1])
                make_one()
                gc.collect()
                gc.disable()
                Garbage()
                gc.set_threshold(1 + i)
                gc.enable()
                done.add_done_callback(print)
                gc.set_threshold(*thresholds)
                for handle in self.loop._ready:
                    self.assertIs(handle._callback, print)
                    self.assertEqual(len(handle._args), 1)
                self.loop._ready.clear()
        finally:
            gc.set_threshold(*thresholds)
            gc.enable()
            gc.collect()
            asyncio.events.Handle = Handle
        self.assertTrue(replaced)

    def test_a_ready_queue_of_another_kind(self):
        class Queue(collections.deque):
            def append(self, handle):
                appended.append(handle)
        appended = []
        self.assert_not_called()
        self.loop._ready = Queue()
        future = asyncio.Future(loop=self.loop)
        future.add_done_callback(print)
        future.set_result(1)
        self.assertEqual(len(appended), 1)
        self.loop._ready = collections.deque()

    def test_loops_whose_attributes_are_in_a_dict(self):
        self.loop.__dict__["call_soon"] = None
        del self.loop.__dict__["call_soon"]
        future = asyncio.Future(loop=self.loop)
        future.add_done_callback(print)
        future.set_result(1)
        self.assertEqual(len(self.loop._ready), 1)

    def test_who_watches_sees_the_call(self):
        def watch(set_watcher, trace):
            names = []

            def watcher(frame, event, arg):
                names.append(frame.f_code.co_name)
                return watcher
            future = asyncio.Future(loop=self.loop)
            future.add_done_callback(print)
            set_watcher(watcher)
            try:
                future.set_result(1)
            finally:
                set_watcher(None)
            return names
        for set_watcher in sys.settrace, sys.setprofile:
            with self.subTest(set_watcher):
                self.assert_not_called()
                names = watch(set_watcher, set_watcher is sys.settrace)
                self.assertTrue({"call_soon", "_call_soon", "__init__"} <= set(names), names)
        self.assert_not_called()

    @unittest.skipUnless(hasattr(sys, "monitoring"), "needs sys.monitoring")
    def test_monitors_see_the_call(self):
        monitoring, names = sys.monitoring, []
        tool, event = monitoring.DEBUGGER_ID, monitoring.events.PY_START

        def calls_in_between(set_events):
            names.clear()
            future = asyncio.Future(loop=self.loop)
            future.add_done_callback(print)
            set_events(event)
            future.set_result(1)
            set_events(0)
            return set(names)
        self.assert_not_called()
        monitoring.use_tool_id(tool, "test")
        try:
            monitoring.register_callback(tool, event, lambda code, at: names.append(code.co_name))
            seen = calls_in_between(lambda events: monitoring.set_events(tool, events))
            self.assertTrue({"call_soon", "_call_soon", "__init__"} <= seen, seen)
            code = BaseLoop._call_soon.__code__
            seen = calls_in_between(lambda events: monitoring.set_local_events(tool, code, events))
            self.assertEqual(seen, {"_call_soon"})
        finally:
            monitoring.free_tool_id(tool)
        # Machine code that this thread is in has to end before it is as it was.
        with concurrent.futures.ThreadPoolExecutor(1) as executor:
            executor.submit(self.assert_not_called).result()

    def test_memory_that_is_traced_has_the_handles_place(self):
        self.assert_not_called()
        future = asyncio.Future(loop=self.loop)
        future.add_done_callback(print)
        tracemalloc.start(3)
        try:
            future.set_result(1)
            places = tracemalloc.get_object_traceback(self.loop._ready[-1])
        finally:
            tracemalloc.stop()
        self.assertTrue(places[-1].filename.endswith("base_events.py"), places)

    def test_loops_that_are_no_asyncio_loops(self):
        class Loop:
            def __init__(self):
                self.calls = []

            def get_debug(self):
                return False

            def call_soon(self, *args, context):
                self.calls.append((args, context))
        loop = Loop()
        future = asyncio.Future(loop=loop)
        context = asyncio.events.contextvars.copy_context()
        future.add_done_callback(print, context=context)
        future.set_result(1)
        self.assertEqual(loop.calls, [((print, future), context)])

    def test_many_classes_of_loops(self):
        self.assertEqual(run_python("""
            import asyncio
            results = set()
            for _ in range(250):
                loop = type("Sub", (asyncio.SelectorEventLoop,), {})()
                results.add(loop.run_until_complete(asyncio.sleep(0, 3)))
                loop.close()
            print(results)
            """), (0, "{3}\n", ""))


class RunningLoops(unittest.TestCase):
    @unittest.skipUnless(hasattr(os, "fork"), "needs fork()")
    def test_a_forked_child_has_none(self):
        self.assertEqual(run_python("""
            import asyncio, os, sys
            async def main():
                asyncio.get_running_loop()
                pid = os.fork()
                if pid == 0:
                    try: asyncio.get_running_loop()
                    except RuntimeError as error: print(error, asyncio._get_running_loop())
                    loop = asyncio.new_event_loop()
                    asyncio._set_running_loop(loop)
                    print(asyncio.get_running_loop() is loop, flush=True)
                    pid = os.fork()
                    if pid:
                        os.waitpid(pid, 0)
                        print(asyncio.get_running_loop() is loop)
                    else:
                        print(asyncio._get_running_loop())
                    sys.stdout.flush()
                    os._exit(0)
                os.waitpid(pid, 0)
                print(asyncio.get_running_loop() is not None, flush=True)
            asyncio.run(main())
            """), (0, "no running event loop None\nTrue\nNone\nTrue\nTrue\n", ""))

    def test_each_thread_has_its_own(self):
        loops, barrier = {}, threading.Barrier(4)

        async def main():
            barrier.wait()
            loops[threading.get_ident()] = asyncio.get_running_loop()
            await asyncio.sleep(0)
            return asyncio.get_running_loop() is loops[threading.get_ident()]
        results = []
        threads = [threading.Thread(target=lambda: results.append(asyncio.run(main())))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((results, len(set(loops.values()))), ([True] * 4, 4))
        self.assertIsNone(asyncio._get_running_loop())

    def test_a_thread_that_ends_drops_its_loop(self):
        class Loop:
            def __del__(self):
                seen.append(asyncio._get_running_loop())
        seen = []
        thread = threading.Thread(target=lambda: asyncio._set_running_loop(Loop()))
        thread.start()
        thread.join()
        gc.collect()
        self.assertEqual(seen, [None])

    @unittest.skipIf(interpreters is None, "needs _xxsubinterpreters")
    def test_interpreters_have_their_own(self):
        _asyncio._set_running_loop("here")
        try:
            interp = interpreters.create()
            interpreters.run_string(interp, textwrap.dedent("""
                import asyncio, _asyncio
                assert asyncio._get_running_loop() is None
                assert not _asyncio._current_tasks
                async def main():
                    await asyncio.sleep(0)
                    return len(asyncio.all_tasks())
                assert asyncio.run(main()) == 1
                task = asyncio.Task(main(), loop=(loop := asyncio.new_event_loop()))
                assert task.get_name() == "Task-4", task.get_name()
                loop.run_until_complete(task)
                loop.close()
                """))
            interpreters.destroy(interp)
            self.assertEqual(asyncio._get_running_loop(), "here")
        finally:
            _asyncio._set_running_loop(None)

    @unittest.skipIf(interpreters is None, "needs _xxsubinterpreters")
    def test_where_it_is_not_imported_its_classes_raise(self):
        interp = interpreters.create()
        try:
            interpreters.run_string(interp, textwrap.dedent("""
                for cls in object.__subclasses__():
                    if cls.__module__ == "_asyncio" and cls.__name__ == "Future":
                        for make in cls, lambda: cls.__new__(cls):
                            try: make()
                            except RuntimeError: continue
                            raise AssertionError
                """))
        finally:
            interpreters.destroy(interp)


@unittest.skipUnless(interpreters, "needs _xxsubinterpreters")
class WithoutTheModule(unittest.TestCase):
    def test_functions_and_objects_of_another_interpreter_raise(self):
        self.assertEqual(run_python("""
            import asyncio, _xxsubinterpreters as interpreters
            class Here(asyncio.Future):
                import _asyncio as module
                pending = asyncio.Future(loop=asyncio.new_event_loop())
                async def coroutine(): pass
                task = asyncio.Task(coroutine(), loop=pending.get_loop())
            other = interpreters.create()
            interpreters.run_string(other, '''if 1:
                found = [cls for cls in object.__subclasses__() if cls.__module__ == "_asyncio"]
                here = [cls for cls in found[0].__subclasses__() if cls.__name__ == "Here"][0]
                m, f, t = here.module, here.pending, here.task
                seen = []
                for call in (m.get_event_loop, m._get_event_loop, m.get_running_loop,
                             lambda: m._register_task(f), lambda: m._unregister_task(f),
                             lambda: m._enter_task(1, f), lambda: m._leave_task(1, f),
                             f.result, f.exception, f.__repr__, f.__init__, t.__repr__,
                             t.get_stack, t.print_stack, lambda: t.__init__(None),
                             lambda: f.set_exception(KeyError), lambda: f.set_result(1),
                             f._make_cancelled_error, lambda: f.add_done_callback(print)):
                    try: seen.append(call())
                    except Exception as error: seen.append(type(error).__name__)
                print(len(seen), seen[:2])
                ''')
            interpreters.destroy(other)
            """)[:2], (0, "19 ['TypeError', 'TypeError']\n"))


class Protocol(unittest.TestCase):
    """What python3.11's module does, and its classes in Python do otherwise."""

    def setUp(self):
        self.loop = asyncio.new_event_loop()
        self.addCleanup(self.loop.close)

    def run_some(self):
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.run_until_complete(asyncio.sleep(0))

    def test_a_context_of_none_is_one_of_the_loops(self):
        called, contexts = [], []
        self.loop.set_exception_handler(lambda loop, context: contexts.append(context))
        for _ in range(3):
            future = asyncio.Future(loop=self.loop)
            future.add_done_callback(called.append, context=None)
            future.set_result(1)
            future.add_done_callback(called.append, context=None)
            self.run_some()
        self.assertEqual((len(called), contexts), (6, []))

    def test_what_is_waited_for_is_cancelled_with_a_positional_message(self):
        class Future(asyncio.Future):
            def cancel(self, *args, **kwargs):
                calls.append((args, kwargs))
                return super().cancel(*args, **kwargs)

        async def cancelled_before():
            task.cancel("before")
            await Future(loop=self.loop)

        async def waits():
            await Future(loop=self.loop)
        calls = []
        for coroutine, message in (waits, "x"), (waits, None), (cancelled_before, None):
            task = asyncio.Task(coroutine(), loop=self.loop)
            self.run_some()
            task.cancel(message)
            self.run_some()
            self.assertTrue(task.cancelled())
        self.assertEqual(calls, [(("x",), {}), ((None,), {}), (("before",), {})])

    def test_task_has_descriptors_of_its_own(self):
        for name in ("result", "exception", "done", "cancelled", "add_done_callback", "_state",
                     "remove_done_callback", "_loop", "_callbacks", "_asyncio_future_blocking"):
            found = vars(asyncio.Task)[name]
            self.assertIs(found.__objclass__, asyncio.Task)
            self.assertEqual(found.__qualname__, "Task." + name)
        self.assertLessEqual({"__new__", "__iter__", "__await__"}, vars(asyncio.Task).keys())
        self.assertIs(asyncio.Task.get_loop, asyncio.Future.get_loop)
        self.assertRaisesRegex(TypeError, r"^Task\.result\(\) takes no arg",
                               asyncio.Task.__new__(asyncio.Task).result, 1)

    def test_deleting_an_attribute_before_init(self):
        future = asyncio.Future.__new__(asyncio.Future)
        with self.assertRaises(RuntimeError):
            del future._asyncio_future_blocking


class WhileTheyChange(unittest.TestCase):
    def setUp(self):
        self.loop = asyncio.new_event_loop()
        self.addCleanup(self.loop.close)

    def test_init_of_a_task_in_its_step(self):
        async def inits():
            task.__init__(returns(9), loop=self.loop)
            await asyncio.sleep(0)
            return 3
        messages = []
        self.loop.set_exception_handler(lambda loop, context: messages.append(context))
        task = asyncio.Task(inits(), loop=self.loop)
        self.loop.run_until_complete(asyncio.sleep(0.01))
        self.assertEqual(task.result(), 9)
        self.assertEqual(len(messages), 1)      # the step behind sleep(0) comes too late
        self.assertEqual(_asyncio._current_tasks, {})

    def test_init_of_a_task_in_its_step_for_another_loop(self):
        other = asyncio.new_event_loop()
        self.addCleanup(other.close)

        async def inits():
            task.__init__(returns(9), loop=other)
        task = asyncio.Task(inits(), loop=self.loop)
        self.loop.call_soon(self.loop.stop)
        self.loop.run_forever()
        self.assertEqual(_asyncio._current_tasks, {})

    def test_destructors_of_what_init_drops(self):
        class Dies:
            def __del__(self):
                for call in (lambda: future.set_result(1), lambda: future.add_done_callback(print),
                             future.cancel, lambda: future._callbacks):
                    try:
                        call()
                    except (RuntimeError, asyncio.InvalidStateError):
                        refused.append(1)
        refused = []
        future = asyncio.Future(loop=self.loop)
        future.add_done_callback(Dies().__eq__)
        future.cancel(Dies())
        self.loop._ready.clear()
        future.__init__(loop=self.loop)
        self.assertGreaterEqual(len(refused), 4)
        self.assertEqual((future._state, future._callbacks), ("PENDING", None))

    def test_loops_that_change_the_future_that_schedules(self):
        class Loop(type(self.loop)):
            def call_soon(self, callback, *args, context=None):
                if callback is len:
                    future.__init__(loop=self)
                    future.add_done_callback(print)
                    gc.collect()
                return super().call_soon(callback, *args, context=context)
        with contextlib.closing(Loop()) as loop:
            future = asyncio.Future(loop=loop)
            for callback in len, str, repr:
                future.add_done_callback(callback)
            future.set_result(1)
            self.assertEqual([handle._callback for handle in loop._ready], [len, str, repr])
            self.assertEqual([entry[0] for entry in future._callbacks], [print])

    def test_the_loop_is_held_while_a_done_future_schedules(self):
        class Garbage:
            def __init__(self):
                self.cycle = self

            def __del__(self):
                future.__init__(loop=self_loop)

        class Loop(BaseLoop):
            def __del__(self):
                pass
        self_loop, context = self.loop, contextvars.copy_context()
        thresholds = gc.get_threshold()
        self.addCleanup(gc.set_threshold, *thresholds)
        survivals = 0
        for i in range(30):
            loop = Loop()
            ready = loop._ready
            future = asyncio.Future(loop=loop)
            future.set_result(1)
            self.loop._ready.clear()
            gc.collect()
            gc.disable()
            Garbage()
            ref = weakref.ref(loop)
            del loop
            gc.set_threshold(1 + i % 10)
            gc.enable()
            future.add_done_callback(print, context=context)
            gc.disable()
            gc.set_threshold(*thresholds)
            gc.enable()
            if ready:
                self.assertIs(ready[0]._loop, ref())
                survivals += future.get_loop() is not ref()
                ref().close()
        self.assertGreater(survivals, 0)

    def test_long_chains_die(self):
        future = first = asyncio.Future(loop=self.loop)
        for _ in range(2_000 if "SPRINGBOARD_STRESS" in os.environ else 200_000):
            future.set_result(asyncio.Future(loop=self.loop))
            future = future.result()
        del future, first

    def test_pending_tasks_in_a_cycle_are_reported_once(self):
        reports = []
        self.loop.set_exception_handler(lambda loop, context: reports.append(context["message"]))

        async def waits():
            future = asyncio.Future(loop=self.loop)
            future.task = asyncio.current_task(self.loop)
            await future
        task = asyncio.Task(waits(), loop=self.loop)
        self.loop.call_soon(self.loop.stop)
        self.loop.run_forever()
        reference = weakref.ref(task)
        del task
        gc.collect()
        gc.collect()
        self.assertIsNone(reference())
        self.assertEqual(reports, ["Task was destroyed but it is pending!"])

    def test_a_task_that_its_report_keeps(self):
        kept = []
        self.loop.set_exception_handler(lambda loop, context: kept.append(context["task"]))
        task = asyncio.Task(returns(4), loop=self.loop)
        self.loop._ready.clear()
        del task
        self.assertEqual(len(kept), 1)
        self.assertFalse(kept[0].done())
        kept[0]._log_destroy_pending = False
        kept[0].get_coro().close()


class References(unittest.TestCase):
    def test_counts_stay(self):
        async def main():
            loop = asyncio.get_running_loop()
            future = loop.create_future()
            future.add_done_callback(callback)
            future.add_done_callback(callback)
            future.remove_done_callback(callback)
            await asyncio.gather(returns(thing), asyncio.sleep(0, thing))
            task = asyncio.create_task(asyncio.sleep(100))
            await asyncio.sleep(0)
            task.cancel(message)
            for awaitable in task, future:
                try:
                    await asyncio.wait_for(awaitable, 0)
                except (asyncio.CancelledError, TimeoutError):
                    pass
            failed = loop.create_future()
            failed.set_exception(error)
            try:
                await failed
            except KeyError:
                pass
            error.__traceback__ = error.__context__ = None

        class Thing:
            pass
        thing, message, error = Thing(), Thing(), KeyError()

        def callback(future):
            pass

        counted = [thing, message, error, callback, None, asyncio.events.Handle, asyncio.Future,
                   asyncio.CancelledError]

        def counts():
            gc.collect()
            return [sys.getrefcount(op) for op in counted]
        for _ in range(3):
            asyncio.run(main())
        before = counts()
        for _ in range(20):
            asyncio.run(main())
        changes = [after - count for after, count in zip(counts(), before)]
        self.assertTrue(all(abs(change) < 15 for change in changes), changes)


if __name__ == "__main__":
    unittest.main()
