"""sys.monitoring (PEP 669): each event, DISABLE and restart_events(), several tools, local events,
threads, exceptions of callbacks, beside sys.settrace(); with and without machine code."""
import gc
import os
import subprocess
import sys
import sysconfig
import textwrap
import threading
import time
import unittest

M = sys.monitoring
E = M.events
TOOL, OTHER = 3, 4
NAMES = [name for name in vars(E) if name != "NO_EVENTS"]


def warm(function, *args, times=1200):
    """Runs a function until it is compiled, if there is a compiler."""
    for _ in range(times):
        function(*args)


class Recorder:
    """Notes the events of some functions: (event, function, line or what else is asked for)."""

    def __init__(self, tool, *functions, result=None):
        self.tool = tool
        self.codes = {f.__code__ for f in functions}
        self.log = []
        self.result = result

    def __call__(self, name):
        def callback(code, *args):
            if code in self.codes:
                self.log.append((name, code.co_name, *args))
                return self.result(name, *args) if self.result else None
        return callback

    def listen(self, *names):
        for name in names:
            M.register_callback(self.tool, getattr(E, name), self(name))
        return sum(getattr(E, name) for name in names)


class MonitoringTest(unittest.TestCase):
    def setUp(self):
        M.use_tool_id(TOOL, "test")
        M.use_tool_id(OTHER, "other")

    def tearDown(self):
        for tool in TOOL, OTHER:
            M.set_events(tool, 0)
            for name in NAMES:
                M.register_callback(tool, getattr(E, name), None)
            M.free_tool_id(tool)

    def events_of(self, names, call, *functions, keep=lambda name, args: args):
        """What is reported for the functions while `call` runs."""
        recorder = Recorder(TOOL, *(functions or (call,)))
        M.set_events(TOOL, recorder.listen(*names.split()))
        try:
            call()
        finally:
            M.set_events(TOOL, 0)
        return [(entry[0], entry[1], *keep(entry[0], entry[2:])) for entry in recorder.log]

    def short(self, names, call, *functions):
        """The same without places: [event, function, further arguments]."""
        return self.events_of(names, call, *functions, keep=lambda name, args:
                              args if name == "LINE" else args[1:])

    def lines(self, call, *functions):
        base = (functions or (call,))[0].__code__.co_firstlineno
        return [entry[2] - base for entry in self.events_of("LINE", call, *functions)]


class TestTools(MonitoringTest):
    def test_ids(self):
        self.assertEqual((M.DEBUGGER_ID, M.COVERAGE_ID, M.PROFILER_ID, M.OPTIMIZER_ID),
                         (0, 1, 2, 5))
        self.assertEqual(M.get_tool(TOOL), "test")
        self.assertIsNone(M.get_tool(5))
        for wrong in -1, 6, 100:
            for call in (lambda: M.use_tool_id(wrong, "x"), lambda: M.get_tool(wrong),
                         lambda: M.set_events(wrong, 0), lambda: M.free_tool_id(wrong),
                         lambda: M.register_callback(wrong, E.LINE, None)):
                self.assertRaises(ValueError, call)
        self.assertRaises(ValueError, M.use_tool_id, TOOL, "again")
        self.assertRaises(ValueError, M.use_tool_id, 5, 5)
        self.assertEqual(M.get_tool(TOOL), "test")

    def test_unused_tool_has_no_events(self):
        code = self.test_unused_tool_has_no_events.__code__
        for call in (lambda: M.set_events(5, E.LINE), lambda: M.get_events(5),
                     lambda: M.set_local_events(5, code, E.LINE),
                     lambda: M.get_local_events(5, code)):
            self.assertRaises(ValueError, call)

    def test_a_freed_tool_keeps_events_and_callbacks(self):
        seen = []
        M.register_callback(TOOL, E.PY_START, lambda code, at: seen.append(code.co_name))
        M.set_events(TOOL, E.PY_START)
        M.free_tool_id(TOOL)

        def f():
            pass
        f()
        M.use_tool_id(TOOL, "test")
        self.assertIn("f", seen)
        self.assertEqual(M.get_events(TOOL), E.PY_START)

    def test_event_numbers(self):
        self.assertEqual([getattr(E, name) for name in NAMES], [1 << i for i in range(17)])
        self.assertEqual(NAMES[:10],
                         "PY_START PY_RESUME PY_RETURN PY_YIELD CALL LINE INSTRUCTION JUMP BRANCH "
                         "STOP_ITERATION".split())
        self.assertEqual(E.NO_EVENTS, 0)

    def test_sets_of_events(self):
        code = self.test_sets_of_events.__code__
        for wrong in -1, 1 << 17, E.C_RETURN, E.C_RAISE | E.LINE, E.CALL | E.C_RAISE:
            self.assertRaises(ValueError, M.set_events, TOOL, wrong)
        for wrong in -1, E.RAISE, E.PY_UNWIND, 1 << 17, E.C_RETURN:
            self.assertRaises(ValueError, M.set_local_events, TOOL, code, wrong)
        self.assertRaises(TypeError, M.set_local_events, TOOL, "code", 0)
        self.assertRaises(TypeError, M.set_events, TOOL, "events")
        M.set_events(TOOL, E.CALL | E.C_RETURN | E.C_RAISE | E.RAISE)
        self.assertEqual(M.get_events(TOOL), E.CALL | E.RAISE)
        self.assertEqual(M._all_events(), {"CALL": 1 << TOOL, "RAISE": 1 << TOOL})

    def test_callbacks_are_exchanged(self):
        f, g = (lambda *args: None), (lambda *args: None)
        self.assertIsNone(M.register_callback(TOOL, E.LINE, f))
        self.assertIs(M.register_callback(TOOL, E.LINE, g), f)
        self.assertIs(M.register_callback(TOOL, E.LINE, None), g)
        for wrong in 0, E.LINE | E.CALL, -4, 1 << 17:
            self.assertRaises(ValueError, M.register_callback, TOOL, wrong, f)

    def test_registering_is_audited(self):
        program = textwrap.dedent("""
            import sys
            def hook(event, args):
                if event.startswith("sys.monitoring"):
                    print(event, args)
            sys.addaudithook(hook)
            sys.monitoring.register_callback(1, sys.monitoring.events.LINE, None)
        """)
        out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual(out.stdout, "sys.monitoring.register_callback (None,)\n", out.stderr)


class TestFunctions(MonitoringTest):
    def test_start_return(self):
        def f():
            return 3
        self.assertEqual(self.short("PY_START PY_RETURN", f),
                         [("PY_START", "f"), ("PY_RETURN", "f", 3)])

    def test_places_are_those_of_the_code(self):
        def f(x):
            return [x,
                    len("a")]
        for name, _, at, *rest in self.events_of("PY_RETURN CALL", lambda: f(1), f):
            lines = [line for start, end, line in f.__code__.co_lines() if start <= at < end]
            first = f.__code__.co_firstlineno
            self.assertEqual(lines, [first + (2 if name == "CALL" else 1)], name)

    def test_implicit_return(self):
        def f():
            pass
        for _ in range(2):      # the second time, specialised
            self.assertEqual(self.short("PY_RETURN", f), [("PY_RETURN", "f", None)])

    def test_generator(self):
        def gen():
            got = yield 1
            yield got
            return 7

        def use():
            g = gen()
            next(g)
            g.send("sent")
            for _ in g:
                pass
        self.assertEqual(self.short("PY_START PY_RESUME PY_YIELD PY_RETURN", use, gen), [
            ("PY_START", "gen"), ("PY_YIELD", "gen", 1), ("PY_RESUME", "gen"),
            ("PY_YIELD", "gen", "sent"), ("PY_RESUME", "gen"), ("PY_RETURN", "gen", 7)])

    def test_suspended_before_and_resumed_after(self):
        def gen():
            yield 1
            yield 2
        g = gen()
        next(g)
        self.assertEqual(self.short("PY_RESUME PY_YIELD", lambda: next(g), gen),
                         [("PY_RESUME", "gen"), ("PY_YIELD", "gen", 2)])

    def test_coroutine(self):
        class Wait:
            def __await__(self):
                yield "waits"
                return "done"

        async def inner():
            return await Wait()

        async def outer():
            return await inner()

        def use():
            c = outer()
            c.send(None)
            try:
                c.send(None)
            except StopIteration:
                pass
        seen = self.short("PY_START PY_RESUME PY_YIELD PY_RETURN", use, inner, outer)
        self.assertEqual(seen, [
            ("PY_START", "outer"), ("PY_START", "inner"), ("PY_YIELD", "inner", "waits"),
            ("PY_YIELD", "outer", "waits"), ("PY_RESUME", "outer"), ("PY_RESUME", "inner"),
            ("PY_RETURN", "inner", "done"), ("PY_RETURN", "outer", "done")])

    def test_throw(self):
        def gen():
            try:
                yield 1
            except KeyError:
                yield 2

        def use():
            g = gen()
            next(g)
            g.throw(KeyError("k"))
            g.close()
        seen = self.short("PY_THROW PY_RESUME PY_YIELD RAISE EXCEPTION_HANDLED PY_UNWIND RERAISE",
                          use, gen)
        names = [name for name, _, *rest in seen]
        self.assertEqual(names[:5], ["PY_YIELD", "PY_THROW", "RAISE", "EXCEPTION_HANDLED",
                                     "PY_YIELD"])
        self.assertEqual(names[5:7], ["PY_THROW", "RAISE"])     # GeneratorExit
        self.assertEqual(names[-1], "PY_UNWIND")
        self.assertIsInstance(seen[1][2], KeyError)
        self.assertIsInstance(seen[-1][2], GeneratorExit)

    def test_stop_iteration(self):
        def gen():
            yield 1
            return 9

        def loop():
            for _ in gen():
                pass

        def delegate():
            return (yield from gen())
        for function, value in (loop, None), (delegate, None):
            seen = self.short("STOP_ITERATION", lambda: list(function() or ()), function)
            self.assertEqual([entry[:2] for entry in seen],
                             [("STOP_ITERATION", function.__name__)])
            self.assertIsInstance(seen[0][2], StopIteration)
            self.assertEqual(seen[0][2].value, 9)

    def test_stop_iteration_can_be_disabled(self):
        def gen():
            yield 1

        def loop():
            for _ in range(3):
                for _ in gen():
                    pass
        recorder = Recorder(TOOL, loop, result=lambda *args: M.DISABLE)
        M.set_events(TOOL, recorder.listen("STOP_ITERATION"))
        loop()
        loop()
        self.assertEqual(len(recorder.log), 1)


class TestCalls(MonitoringTest):
    def test_calls(self):
        def g(x=0, *, y=0):
            pass

        class C:
            def __init__(self, a):
                pass

            def m(self):
                pass

            def __call__(self):
                pass
        c = C(0)
        bound, text = c.m, "abc"

        def f():
            g()
            g(1)
            g(y=2)
            c.m()
            bound()
            c()
            C(4)
            text.upper()
            len(text)
            g(*(8,), **{})
            max(*[5, 6])
        calls = [entry[2:] for entry in self.short("CALL", f)]
        self.assertEqual(calls, [
            (g, M.MISSING), (g, 1), (g, 2), (C.m, c), (bound, M.MISSING), (c, M.MISSING), (C, 4),
            (str.upper, text), (len, text), (g, 8), (max, 5)])

    def test_ends_of_calls(self):
        def g():
            pass

        class C:
            def __init__(self):
                pass

        def f():
            g()
            C()
            "a".upper()
            max(*[5, 6])
            try:
                int("x")
            except ValueError:
                pass
        seen = self.short("CALL C_RETURN C_RAISE", f)
        self.assertEqual(seen, [
            ("CALL", "f", g, M.MISSING),
            ("CALL", "f", C, M.MISSING), ("C_RETURN", "f", C, M.MISSING),
            ("CALL", "f", str.upper, "a"), ("C_RETURN", "f", str.upper, "a"),
            ("CALL", "f", max, 5), ("C_RETURN", "f", max, 5),
            ("CALL", "f", int, "x"), ("C_RAISE", "f", int, "x")])

    def test_with_statement(self):
        class Manager:
            def __enter__(self):
                return self

            def __exit__(self, *args):
                pass
        m = Manager()

        def f():
            with m:
                pass
        self.assertEqual([entry[2].__name__ for entry in self.short("CALL", f)], ["__exit__"])

    def test_disabled_calls_have_no_ends(self):
        def f():
            for _ in range(3):
                len("a")
        recorder = Recorder(TOOL, f, result=lambda name, *args: M.DISABLE)
        M.set_events(TOOL, recorder.listen("CALL", "C_RETURN", "C_RAISE"))
        f()
        self.assertEqual([(entry[0], entry[3]) for entry in recorder.log],
                         [("CALL", range), ("CALL", len)])


class TestLinesAndJumps(MonitoringTest):
    def test_lines(self):
        def f():
            a = 1
            if a:
                b = 2
            else:
                b = 3
            return (a,
                    b)
        self.assertEqual(self.lines(f), [1, 2, 3, 6, 7, 6])

    def test_one_line(self):
        f = lambda: 5
        self.assertEqual(self.lines(f), [0])
        for statement, count in (("for i in range(3): pass", 1), ("i = 0\nwhile i < 3: i += 1", 2)):
            space = {}
            exec(f"def f():\n" + textwrap.indent(statement, " "), space)
            self.assertEqual(len(self.lines(space["f"])), count, statement)

    def test_loop(self):
        def f():
            for i in range(2):
                i += 1
            return i
        self.assertEqual(self.lines(f), [1, 2, 1, 2, 1, 3])

    def test_generator_resumed_within_a_line(self):
        def gen():
            x = yield 1
            yield (yield x)
        self.assertEqual(self.lines(lambda: list(gen()), gen), [1, 2])

    def test_handlers(self):
        def f():
            try:
                raise ValueError
            except KeyError:
                pass
            except ValueError:
                return 1
            finally:
                f.x = 1
        self.assertEqual(self.lines(f), [1, 2, 3, 5, 6, 8])

    def test_line_number_of_the_frame(self):
        seen = []

        def callback(code, line):
            if code is f.__code__:
                seen.append((line, sys._getframe(1).f_lineno))

        def f():
            a = 1
            return a
        M.register_callback(TOOL, E.LINE, callback)
        M.set_events(TOOL, E.LINE)
        f()
        M.set_events(TOOL, 0)
        self.assertEqual([line for line, _ in seen], [line for _, line in seen])
        self.assertEqual(len(seen), 2)

    def test_instructions(self):
        def f(x):
            y = x
            return y
        seen = [at for _, _, at in self.events_of("INSTRUCTION", lambda: f(1), f)]
        import dis
        at_all = [i.offset for i in dis.get_instructions(f)]
        self.assertEqual(seen, sorted(seen))
        self.assertLessEqual(set(seen), set(at_all))
        self.assertGreaterEqual(len(seen), 3)

    def test_branches_and_jumps(self):
        def f(n):
            while n:
                if n == 2:
                    pass
                n -= 1
        seen = self.events_of("BRANCH JUMP", lambda: f(2), f)
        code = f.__code__
        line_at = {at: line - code.co_firstlineno for start, end, line in code.co_lines()
                   for at in range(start, end) if line is not None}
        steps = [(name, line_at[at], line_at[to]) for name, _, at, to in seen]
        branches = [step[1:] for step in steps if step[0] == "BRANCH"]
        self.assertIn((1, 2), branches)
        self.assertIn((2, 3), branches)
        self.assertIn((2, 4), branches)

    def test_branch_by_methods_that_say_the_truth(self):
        class True_:
            def __bool__(self):
                return True

        class Bad:
            def __bool__(self):
                raise KeyError

        def f(x):
            return 1 if x else 2
        seen = self.events_of("BRANCH", lambda: f(True_()), f)
        self.assertEqual(len(seen), 1)
        with self.assertRaises(KeyError):
            self.events_of("BRANCH", lambda: f(Bad()), f)
        self.assertEqual(f(0), 2)

    def test_for_is_a_branch(self):
        def f():
            for _ in (1, 2):
                pass
            for _ in iter(lambda: 1, 1):
                pass
            for _ in {}:
                pass
        self.assertEqual(len(self.events_of("BRANCH", f)), 5)

    def test_iterator_in_python(self):
        class It:
            def __init__(self):
                self.n = 0

            def __iter__(self):
                return self

            def __next__(self):
                self.n += 1
                if self.n > 2:
                    raise StopIteration
                return self.n

        def f():
            return [x for x in It()]
        function = f
        code = next(c for c in f.__code__.co_consts if hasattr(c, "co_code"))

        def listcomp():
            pass
        recorder = Recorder(TOOL)
        recorder.codes = {code}
        M.set_events(TOOL, recorder.listen("BRANCH", "RAISE"))
        self.assertEqual(function(), [1, 2])
        self.assertEqual([entry[0] for entry in recorder.log],
                         ["BRANCH", "BRANCH", "RAISE", "BRANCH"])


class TestExceptions(MonitoringTest):
    def test_raise_and_unwind(self):
        def inner():
            raise ValueError(1)

        def outer():
            try:
                inner()
            except ValueError as e:
                return e
        seen = self.short("RAISE PY_UNWIND EXCEPTION_HANDLED", outer, outer, inner)
        self.assertEqual([entry[:2] for entry in seen], [
            ("RAISE", "inner"), ("PY_UNWIND", "inner"), ("RAISE", "outer"),
            ("EXCEPTION_HANDLED", "outer")])
        self.assertEqual({repr(entry[2]) for entry in seen}, {"ValueError(1)"})

    def test_reraise(self):
        def f():
            try:
                try:
                    1 / 0
                finally:
                    pass
            except ZeroDivisionError:
                raise

        def use():
            try:
                f()
            except ZeroDivisionError:
                pass
        names = [name for name, *_ in self.short("RAISE RERAISE PY_UNWIND EXCEPTION_HANDLED",
                                                 use, f)]
        self.assertEqual(names[:4], ["RAISE", "EXCEPTION_HANDLED", "RERAISE", "EXCEPTION_HANDLED"])
        self.assertEqual(names[4], "RERAISE")
        self.assertEqual(names[-1], "PY_UNWIND")

    def test_callbacks_raise(self):
        class Mine(Exception):
            pass

        def boom(*args):
            if args[0] is f.__code__:
                raise Mine

        def f():
            for i in range(2):
                len("a")
            return [i for i in [1]]
        for name in "PY_START PY_RETURN CALL LINE INSTRUCTION JUMP BRANCH".split():
            M.register_callback(TOOL, getattr(E, name), boom)
            M.set_events(TOOL, getattr(E, name))
            with self.assertRaises(Mine, msg=name):
                f()
            M.set_events(TOOL, 0)
            self.assertEqual(f(), [1])

    def test_callback_replaces_the_exception(self):
        def boom(code, at, exc):
            if code is f.__code__:
                raise KeyError from exc

        def f():
            raise ValueError
        for name in "RAISE", "PY_UNWIND":
            M.register_callback(TOOL, getattr(E, name), boom)
            M.set_events(TOOL, getattr(E, name))
            self.assertRaises(KeyError, f)
            M.set_events(TOOL, 0)

    def test_callback_raises_in_the_frame(self):
        def boom(code, line):
            if code is f.__code__ and line == code.co_firstlineno + 2:
                raise KeyError

        def f():
            try:
                x = 1
            except KeyError:
                return "caught"
        M.register_callback(TOOL, E.LINE, boom)
        M.set_events(TOOL, E.LINE)
        self.assertEqual(f(), "caught")

    def test_exceptions_cannot_be_disabled(self):
        M.register_callback(TOOL, E.RAISE, lambda *args: M.DISABLE)

        def f():
            raise KeyError
        M.set_events(TOOL, E.RAISE)
        with self.assertRaises(ValueError) as caught:
            f()
        self.assertIn("RAISE", str(caught.exception))
        self.assertRaises(KeyError, f)          # the callback is gone


class TestSwitching(MonitoringTest):
    def test_disable_is_of_a_place(self):
        def f():
            for _ in range(3):
                len("")
        recorder = Recorder(TOOL, f, result=lambda *args: M.DISABLE)
        M.set_events(TOOL, recorder.listen("LINE"))
        f()
        f()
        first = f.__code__.co_firstlineno
        lines = [1, 2, 1]       # the head of the loop is another place of its line
        self.assertEqual([line - first for _, _, line in recorder.log], lines)
        M.restart_events()
        f()
        self.assertEqual([line - first for _, _, line in recorder.log], 2 * lines)

    def test_restart_of_local_events_only(self):
        def f():
            return 1

        def unused():
            return 2
        recorder = Recorder(TOOL, f, result=lambda *args: M.DISABLE)
        events = recorder.listen("LINE", "PY_START")
        for code in f.__code__, unused.__code__:
            M.set_local_events(TOOL, code, events)
        warm(f, times=5)
        self.assertEqual(len(recorder.log), 2)
        del code, unused
        gc.collect()
        M.restart_events()
        warm(f, times=5)
        self.assertEqual(len(recorder.log), 4)
        M.set_local_events(TOOL, f.__code__, 0)
        M.restart_events()
        warm(f, times=5)
        self.assertEqual(len(recorder.log), 4)

    def test_disable_is_of_a_tool(self):
        def f():
            return 1
        deaf = Recorder(TOOL, f, result=lambda *args: M.DISABLE)
        other = Recorder(OTHER, f)
        M.set_events(TOOL, deaf.listen("PY_START", "LINE"))
        M.set_events(OTHER, other.listen("PY_START", "LINE"))
        warm(f, times=5)
        self.assertEqual((len(deaf.log), len(other.log)), (2, 10))
        M.set_events(OTHER, 0)
        f()
        self.assertEqual((len(deaf.log), len(other.log)), (2, 10))
        M.set_events(OTHER, E.PY_START)
        f()
        self.assertEqual((len(deaf.log), len(other.log)), (2, 11))

    def test_events_set_again_are_no_longer_disabled(self):
        def f():
            return 1
        recorder = Recorder(TOOL, f, result=lambda *args: M.DISABLE)
        for called in False, True:
            M.set_events(TOOL, recorder.listen("LINE"))
            f()
            f()
            M.set_events(TOOL, 0)
            if called:
                f()
        self.assertEqual(len(recorder.log), 2)

    def test_restart_while_the_function_runs(self):
        def f():
            for i in range(2):
                if i:
                    M.restart_events()
                g()

        def g():
            pass
        recorder = Recorder(TOOL, f, g, result=lambda *args: M.DISABLE)
        M.set_events(TOOL, recorder.listen("LINE"))
        f()
        first = f.__code__.co_firstlineno
        lines = [line - first for _, name, line in recorder.log if name == "f"]
        self.assertEqual(lines, [1, 2, 4, 1, 3, 4, 1])

    def test_order_of_tools(self):
        order = []

        def f():
            pass
        for tool in OTHER, TOOL:
            M.register_callback(tool, E.PY_START,
                                lambda code, at, tool=tool: order.append(tool)
                                if code is f.__code__ else None)
            M.set_events(tool, E.PY_START)
        f()
        self.assertEqual(order, [TOOL, OTHER])

    def test_callbacks_are_not_monitored(self):
        seen = []

        def helper():
            return 1

        def callback(code, at):
            seen.append(code.co_name)
            helper()
        M.register_callback(TOOL, E.PY_START, callback)
        M.set_events(TOOL, E.PY_START)
        helper()
        M.set_events(TOOL, 0)
        self.assertEqual(seen, ["helper"])

    def test_local_events(self):
        def f():
            return g()

        def g():
            return 2
        recorder = Recorder(TOOL, f, g)
        recorder.listen("LINE", "PY_START")
        M.set_local_events(TOOL, g.__code__, E.LINE | E.PY_START)
        self.assertEqual(M.get_local_events(TOOL, g.__code__), E.LINE | E.PY_START)
        self.assertEqual(M.get_local_events(TOOL, f.__code__), 0)
        self.assertEqual(M.get_local_events(OTHER, g.__code__), 0)
        f()
        self.assertEqual([entry[:2] for entry in recorder.log], [("PY_START", "g"), ("LINE", "g")])
        M.set_events(TOOL, E.PY_START)
        f()
        M.set_events(TOOL, 0)
        self.assertEqual([entry[:2] for entry in recorder.log[2:]],
                         [("PY_START", "f"), ("PY_START", "g"), ("LINE", "g")])
        M.set_local_events(TOOL, g.__code__, 0)
        f()
        self.assertEqual(len(recorder.log), 5)

    def test_local_events_as_coverage_uses_them(self):
        """PY_START for all code, which asks for the lines of each code object, once each."""
        def f(n):
            if n:
                return g(n)
            return 0

        def g(n):
            return f(n - 1)
        lines, starts = [], []

        def start(code, at):
            starts.append(code.co_name)
            M.set_local_events(TOOL, code, E.LINE)
            return M.DISABLE

        def line(code, number):
            lines.append((code.co_name, number - code.co_firstlineno))
            return M.DISABLE
        M.register_callback(TOOL, E.PY_START, start)
        M.register_callback(TOOL, E.LINE, line)
        M.set_events(TOOL, E.PY_START)
        f(3)
        f(3)
        M.set_events(TOOL, 0)
        for function in f, g:
            M.set_local_events(TOOL, function.__code__, 0)
        self.assertEqual(starts, ["f", "g"])
        self.assertEqual(lines, [("f", 1), ("f", 2), ("g", 1), ("f", 3)])

    def test_set_events_in_a_callback(self):
        def f():
            a = 1
            b = 2
            return a + b
        seen = []

        def start(code, at):
            if code is f.__code__:
                M.set_events(TOOL, E.LINE)

        def line(code, number):
            if code is f.__code__:
                seen.append(number - code.co_firstlineno)
                if len(seen) == 2:
                    M.set_events(TOOL, 0)
        M.register_callback(TOOL, E.PY_START, start)
        M.register_callback(TOOL, E.LINE, line)
        M.set_events(TOOL, E.PY_START)
        self.assertEqual(f(), 3)
        self.assertEqual(seen, [1, 2])

    def test_co_code_does_not_show_it(self):
        def f():
            for i in range(3):
                pass
        before = f.__code__.co_code
        M.set_local_events(TOOL, f.__code__, E.LINE | E.INSTRUCTION | E.BRANCH)
        f()
        self.assertEqual(f.__code__.co_code, before)
        copy = f.__code__.replace(co_name="other")
        self.assertEqual(M.get_local_events(TOOL, copy), 0)
        M.set_local_events(TOOL, f.__code__, 0)
        f()
        self.assertEqual(f.__code__.co_code, before)

    def test_code_dies_while_monitored(self):
        for _ in range(50):
            space = {}
            exec("def f(n):\n for i in range(n):\n  pass\n", space)
            M.set_local_events(TOOL, space["f"].__code__, E.LINE)
            M.register_callback(TOOL, E.LINE, lambda *args: None)
            space["f"](3)

    def test_deep_recursion(self):
        def f(n):
            if n:
                return f(n - 1)
            return 0
        recorder = Recorder(TOOL, f)
        M.set_events(TOOL, recorder.listen("PY_START", "LINE", "BRANCH", "CALL", "PY_RETURN"))
        f(400)
        with self.assertRaises(RecursionError):
            f(10 ** 6)
        M.set_events(TOOL, 0)
        self.assertEqual(f(10), 0)


class TestBesideTracers(MonitoringTest):
    def test_settrace(self):
        def f(n):
            total = 0
            for i in range(n):
                if i:
                    total += len("a")
            return total
        traced, monitored = [], []

        def trace(frame, event, arg):
            if frame.f_code is f.__code__:
                traced.append((event, frame.f_lineno))
            return trace

        def run():
            sys.settrace(trace)
            try:
                f(3)
            finally:
                sys.settrace(None)
        run()
        alone, traced[:] = list(traced), []
        lines = self.lines(lambda: f(3), f)
        for names in ("LINE", "LINE CALL BRANCH JUMP STOP_ITERATION PY_RETURN PY_START "
                      "INSTRUCTION"):
            traced.clear()
            seen = self.events_of(names, run, f)
            self.assertEqual(traced, alone)
            first = f.__code__.co_firstlineno
            self.assertEqual([e[2] - first for e in seen if e[0] == "LINE"], lines)

    def test_setprofile(self):
        def f():
            len("a")
            return [].append(1)
        profiled = []

        def profile(frame, event, arg):
            if frame.f_code is f.__code__:
                profiled.append((event, getattr(arg, "__name__", None)))

        def run():
            sys.setprofile(profile)
            try:
                f()
            finally:
                sys.setprofile(None)
        run()
        alone, profiled[:] = list(profiled), []
        seen = self.short("CALL C_RETURN C_RAISE", run, f)
        self.assertEqual(profiled, alone)
        self.assertEqual(len(seen), 4)

    def test_trace_function_jumps(self):
        def f():
            a = 1
            a = 2
            return a

        def trace(frame, event, arg):
            if frame.f_code is f.__code__ and frame.f_lineno == f.__code__.co_firstlineno + 2:
                frame.f_lineno += 1
            return trace
        recorder = Recorder(TOOL, f)
        M.set_events(TOOL, recorder.listen("LINE"))
        sys.settrace(trace)
        try:
            self.assertEqual(f(), 1)
        finally:
            sys.settrace(None)


class TestThreads(MonitoringTest):
    def test_all_threads_report(self):
        def work(n):
            total = 0
            for i in range(n):
                total += i
            return total
        ready, go = threading.Barrier(5), threading.Event()

        def run():
            warm(work, 3, times=5)
            ready.wait()
            go.wait()
            work(3)
        threads = [threading.Thread(target=run) for _ in range(4)]
        for t in threads:
            t.start()
        ready.wait()
        seen = []
        M.register_callback(TOOL, E.PY_RETURN, lambda code, at, value:
                            seen.append(threading.get_ident()) if code is work.__code__ else None)
        M.set_events(TOOL, E.PY_RETURN)
        go.set()
        for t in threads:
            t.join()
        self.assertEqual(len(set(seen)), 4)

    def test_a_running_thread_reports_what_it_is_in(self):
        stop = threading.Event()
        rounds = []

        def spin():
            while not stop.is_set():
                rounds.append(1)
                del rounds[:]
        t = threading.Thread(target=spin)
        t.start()
        seen = threading.Event()
        M.register_callback(TOOL, E.LINE, lambda code, line:
                            seen.set() if code is spin.__code__ else None)
        M.set_events(TOOL, E.LINE)
        reported = seen.wait(20)
        M.set_events(TOOL, 0)
        stop.set()
        t.join()
        self.assertTrue(reported)


@unittest.skipUnless(sys._jit.is_enabled(), "there is no machine code")
class TestMachineCode(MonitoringTest):
    def test_compiled_functions_report(self):
        def leaf(x):
            return x + 1

        def f(n):
            total = 0
            for i in range(n):
                total = leaf(total)
            return total
        warm(f, 20)
        seen = self.short("PY_START PY_RETURN", lambda: f(3), f, leaf)
        self.assertEqual(seen, [("PY_START", "f")] + [
            e for i in range(3) for e in (("PY_START", "leaf"), ("PY_RETURN", "leaf", i + 1))]
            + [("PY_RETURN", "f", 3)])
        self.assertEqual(f(3), 3)

    def test_local_events_of_what_is_built_in(self):
        def leaf(x):
            return x + 1

        def f(n):
            total = 0
            for i in range(n):
                total = leaf(total)
            return total
        warm(f, 20)
        recorder = Recorder(TOOL, leaf)
        recorder.listen("PY_START")
        M.set_local_events(TOOL, leaf.__code__, E.PY_START)
        f(5)
        M.set_local_events(TOOL, leaf.__code__, 0)
        f(5)
        self.assertEqual(len(recorder.log), 5)

    def test_switched_on_by_what_it_calls(self):
        def switch(i):
            if i == 2500:
                M.set_events(TOOL, E.LINE)

        def f(n):
            for i in range(n):
                switch(i)
        recorder = Recorder(TOOL, f)
        recorder.listen("LINE")
        f(2502)
        M.set_events(TOOL, 0)
        self.assertIn(len(recorder.log), (3, 4))

    def test_compiled_again_when_all_is_disabled(self):
        active = sys._jit.is_active
        found = []

        def f(n):
            total = 0
            for i in range(n):
                total += i * 3 % 7
                if i == n - 1:
                    found.append(active())
            return total
        recorder = Recorder(TOOL, f, result=lambda *args: M.DISABLE)
        M.set_events(TOOL, recorder.listen("LINE", "PY_START", "BRANCH", "JUMP", "CALL",
                                           "PY_RETURN"))
        first = f(4)
        self.assertEqual(found, [False])
        mode = os.environ.get("SPRINGBOARD_JIT", "on")
        if not (mode == "eager" or mode == "on"):
            self.skipTest("machine code is left at random")
        # A thread whose functions are in machine code stays out of it until they have left it.
        # What may be spent on compiling is a share of the time: where that is used up, it is later.
        end = time.monotonic() + 60
        while not found[-1] and time.monotonic() < end:
            thread = threading.Thread(target=warm, args=(f, 20), kwargs={"times": 3000})
            thread.start()
            thread.join()
        self.assertTrue(found[-1], "it stays interpreted")
        M.restart_events()
        del recorder.log[:]
        self.assertEqual(f(4), first)
        self.assertTrue(recorder.log)
        self.assertFalse(found[-1])


class TestModes(unittest.TestCase):
    def test_with_and_without_machine_code(self):
        if "SB_MONITORING_MODE" in os.environ:
            self.skipTest("this is such a run")
        for mode in "off", "eager", "steps":
            env = dict(os.environ, SPRINGBOARD_JIT=mode, SB_MONITORING_MODE=mode)
            out = subprocess.run([sys.executable, __file__], env=env, capture_output=True,
                                 text=True)
            self.assertEqual(out.returncode, 0, mode + "\n" + out.stderr)


if __name__ == "__main__":
    unittest.main()
