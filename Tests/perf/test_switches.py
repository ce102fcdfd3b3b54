"""Ways to switch profiling on and off, and which one wins."""
import sys
import unittest

from support import names, run

ACTIVE = "import sys; print(sys.is_stack_trampoline_active())"


class Precedence(unittest.TestCase):
    def active(self, *options, **env):
        status, out, err, lines = run(ACTIVE, *options, env=env)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(lines is not None, out == "True\n", "active without a map")
        return out == "True\n"

    def test_off_by_default(self):
        self.assertFalse(self.active())

    def test_option(self):
        self.assertTrue(self.active("-X", "perf"))
        self.assertTrue(self.active("-X", "perf=1"))
        self.assertFalse(self.active("-X", "perf=0"))

    def test_variable(self):
        self.assertTrue(self.active(PYTHONPERFSUPPORT="1"))
        self.assertFalse(self.active(PYTHONPERFSUPPORT="0"))
        self.assertFalse(self.active(PYTHONPERFSUPPORT=""))

    def test_the_option_wins_over_the_variable(self):
        self.assertFalse(self.active("-X", "perf=0", PYTHONPERFSUPPORT="1"))
        self.assertTrue(self.active("-X", "perf", PYTHONPERFSUPPORT="0"))

    def test_the_environment_may_be_ignored(self):
        self.assertFalse(self.active("-E", PYTHONPERFSUPPORT="1"))
        self.assertFalse(self.active("-I", PYTHONPERFSUPPORT="1"))
        self.assertTrue(self.active("-I", "-X", "perf"))

    def test_the_function_wins_over_both(self):
        status, out, err, _ = run(
            "import sys; sys.deactivate_stack_trampoline(); "
            "print(sys.is_stack_trampoline_active())", "-X", "perf",
            env={"PYTHONPERFSUPPORT": "1"})
        self.assertEqual((out, err), ("False\n", ""))
        status, out, err, _ = run(
            "import sys; sys.activate_stack_trampoline('perf'); "
            "print(sys.is_stack_trampoline_active())", "-X", "perf=0")
        self.assertEqual((out, err), ("True\n", ""))


class Functions(unittest.TestCase):
    def check(self, code, *options):
        status, out, err, lines = run(code, *options)
        self.assertEqual((status, err), (0, ""))
        return out, lines

    def test_bad_arguments(self):
        with self.assertRaisesRegex(ValueError, "invalid backend: nosuch"):
            sys.activate_stack_trampoline("nosuch")
        with self.assertRaises(TypeError):
            sys.activate_stack_trampoline(None)
        with self.assertRaises(TypeError):
            sys.activate_stack_trampoline()
        with self.assertRaisesRegex(ValueError, "embedded null character"):
            sys.activate_stack_trampoline("perf\0")
        self.assertFalse(sys.is_stack_trampoline_active())

    def test_audit_events_come_first_and_may_forbid(self):
        out, lines = self.check("""if 1:
            import sys
            events, forbidden = [], False
            def hook(event, args):
                if event.endswith('_stack_trampoline'):
                    events.append((event, args, sys.is_stack_trampoline_active()))
                    if forbidden:
                        raise PermissionError(event)
            sys.addaudithook(hook)
            def attempt(function, *args):
                try: function(*args)
                except (PermissionError, ValueError) as e: events.append(str(e))
            attempt(sys.activate_stack_trampoline, 'nosuch')
            attempt(sys.activate_stack_trampoline, 'perf')
            attempt(sys.deactivate_stack_trampoline)
            forbidden = True
            attempt(sys.activate_stack_trampoline, 'perf_jit')
            forbidden = False
            sys.activate_stack_trampoline('perf')
            forbidden = True
            attempt(sys.deactivate_stack_trampoline)
            attempt(sys.is_stack_trampoline_active)
            print(*events, sys.is_stack_trampoline_active(), sep='\\n')
            """)
        on, off = "sys.activate_stack_trampoline", "sys.deactivate_stack_trampoline"
        self.assertEqual(out.splitlines(), [
            f"('{on}', ('nosuch',), False)", "invalid backend: nosuch",
            f"('{on}', ('perf',), False)", f"('{off}', (), True)",
            f"('{on}', ('perf_jit',), False)", on,
            f"('{on}', ('perf',), False)", f"('{off}', (), True)", off, "True"])

    def test_deactivation_without_activation_is_nothing(self):
        sys.deactivate_stack_trampoline()
        self.assertFalse(sys.is_stack_trampoline_active())

    def test_only_what_is_called_while_active_is_listed(self):
        out, lines = self.check("""if 1:
            import sys
            def before(): pass
            def during(): pass
            def after(): pass
            before()
            sys.activate_stack_trampoline('perf')
            sys.activate_stack_trampoline('perf')
            during()
            sys.deactivate_stack_trampoline()
            after()
            """)
        found = names(lines)
        self.assertIn("py::during:<string>", found)
        self.assertNotIn("py::before:<string>", found)
        self.assertNotIn("py::after:<string>", found)

    def test_activation_again_keeps_earlier_entries(self):
        out, lines = self.check("""if 1:
            import sys
            def one(): pass
            def two(): pass
            for i in range(50):
                sys.activate_stack_trampoline('perf')
                one(); two()
                sys.deactivate_stack_trampoline()
                one(); two()
            """)
        found = names(lines)
        self.assertEqual(found.count("py::one:<string>"), 1)
        self.assertEqual(found.count("py::two:<string>"), 1)

    def test_a_map_that_was_taken_away_is_written_anew(self):
        out, lines = self.check("""if 1:
            import os, sys
            def f(): pass
            def g(): pass
            for function in f, g, f:
                try: os.unlink(f'/tmp/perf-{os.getpid()}.map')
                except FileNotFoundError: pass
                sys.activate_stack_trampoline('perf')
                function()
                sys.deactivate_stack_trampoline()
            """)
        self.assertIn("py::f:<string>", names(lines))
        self.assertNotIn("py::g:<string>", names(lines))

    def test_deactivate_while_running_keeps_code_mapped(self):
        out, _ = self.check("""if 1:
            import gc, sys
            def deep(n):
                if n:
                    return deep(n - 1) + 1
                sys.deactivate_stack_trampoline()
                gc.collect()
                return 0
            def gen():
                yield 1
                sys.deactivate_stack_trampoline()
                yield 2
            sys.activate_stack_trampoline('perf')
            print(deep(100))
            sys.activate_stack_trampoline('perf')
            print(list(gen()))
            class D:
                def __del__(self): sys.deactivate_stack_trampoline()
            sys.activate_stack_trampoline('perf')
            D()
            print(sys.is_stack_trampoline_active())
            """)
        self.assertEqual(out.split("\n"), ["100", "[1, 2]", "False", ""])

    def test_from_a_signal_handler_and_from_threads(self):
        out, _ = self.check("""if 1:
            import signal, sys, threading
            def handler(*args):
                if sys.is_stack_trampoline_active():
                    sys.deactivate_stack_trampoline()
                else:
                    sys.activate_stack_trampoline('perf')
            signal.signal(signal.SIGALRM, handler)
            signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
            def f(n): return n if n < 2 else f(n - 1) + f(n - 2)
            def work():
                assert f(18) == 2584
            threads = [threading.Thread(target=work) for _ in range(4)]
            for t in threads: t.start()
            for t in threads: t.join()
            work()
            signal.setitimer(signal.ITIMER_REAL, 0)
            print('done')
            """)
        self.assertEqual(out, "done\n")

    def test_programs_behave_the_same(self):
        code = """if 1:
            import functools, sys
            class Meta(type):
                def __call__(cls, *args, **kw):
                    return super().__call__(*args, **kw)
            class A(metaclass=Meta):
                def __init__(self, x, *, y=2): self.x, self.y = x, y
                def __repr__(self): return f'A({self.x}, {self.y})'
                @property
                def p(self): return self.x
                def __enter__(self): return self
                def __exit__(self, *args): return True
            def gen(n):
                try:
                    for i in range(n):
                        got = yield i
                        if got: yield got * 2
                finally:
                    print('closed')
            async def co(n):
                return n if n == 0 else 1 + await co(n - 1)
            def run(c):
                try: c.send(None)
                except StopIteration as e: return e.value
            def delegate(n): return (yield from gen(n))
            print(A(1), A(1, y=3), A(5).p, sorted([3, 1, 2], key=lambda v: -v))
            print(list(gen(3)), list(delegate(2)), run(co(20)))
            g = gen(5); next(g); print(g.send(21)); g.close()
            with A(1): raise KeyError
            def kw(a, b=2, *args, c, **rest): return a, b, args, c, rest
            print(kw(1, c=3), kw(1, 2, 3, 4, c=5, d=6), kw(*[1, 2], **{'c': 3}))
            try: kw()
            except TypeError as e: print(e)
            print(functools.reduce(lambda a, b: a + b, range(10)))
            def deep(n): return deep(n + 1)
            try: deep(0)
            except RecursionError as e: print(e)
            class Bad:
                def __init__(self): return 1
            try: Bad()
            except TypeError as e: print(e)
            def where():
                import traceback
                return [f.name for f in traceback.extract_stack()]
            print(where(), [x for x in gen(2)])
            """
        plain = run(code)
        traced = run(code, "-X", "perf")
        self.assertEqual(plain[:3], traced[:3])
        self.assertEqual(plain[0], 0, plain[2])

    def test_each_interpreter_is_switched_for_itself(self):
        out, lines = self.check("""if 1:
            import sys
            import _xxsubinterpreters as interpreters
            other = interpreters.create()
            def in_other(code):
                interpreters.run_string(other, 'import sys\\n' + code)
            active = "print(sys.is_stack_trampoline_active(), flush=True)"
            sys.activate_stack_trampoline('perf')
            in_other(active)                                    # False
            in_other("def unseen(): pass\\nunseen()")
            in_other("sys.deactivate_stack_trampoline()")
            exec(active)                                        # True
            in_other("try: sys.activate_stack_trampoline('perf_jit')\\n"
                     "except ValueError as e: print(e, flush=True)")
            in_other("sys.activate_stack_trampoline('perf')\\n" + active)      # True
            in_other("def seen(): pass\\nseen()")
            sys.deactivate_stack_trampoline()
            exec(active)                                        # False
            def unseen(): pass
            unseen()
            in_other(active)                                    # True
            in_other("def seen_too(): pass\\nseen_too()")
            """)
        self.assertEqual(out.splitlines(), [
            "False", "True", "can't activate perf_jit: perf is active", "True", "False",
            "True"])
        found = names(lines)
        self.assertIn("py::seen:<string>", found)
        self.assertIn("py::seen_too:<string>", found)
        self.assertNotIn("py::unseen:<string>", found)

    def test_ends_with_the_interpreter_that_is_shown(self):
        out, lines = self.check("""if 1:
            import os, sys
            import _xxsubinterpreters as interpreters
            other = interpreters.create()
            interpreters.run_string(other, "import sys\\nsys.activate_stack_trampoline('perf')"
                                           "\\ndef in_other(): pass\\nin_other()")
            def before(): pass
            before()
            interpreters.destroy(other)
            sys.activate_stack_trampoline('perf_jit')
            sys.deactivate_stack_trampoline()
            os.unlink(f'/tmp/jit-{os.getpid()}.dump')
            sys.activate_stack_trampoline('perf')
            def after(): pass
            after()
            """)
        found = names(lines)
        self.assertIn("py::in_other:<string>", found)
        self.assertNotIn("py::before:<string>", found)
        self.assertIn("py::after:<string>", found)

    def test_another_eval_hook_is_left_alone(self):
        self.check("""if 1:
            import ctypes, sys
            api = ctypes.pythonapi
            api.PyInterpreterState_Get.restype = ctypes.c_void_p
            interp = ctypes.c_void_p(api.PyInterpreterState_Get())
            get, put = (api._PyInterpreterState_GetEvalFrameFunc,
                        api._PyInterpreterState_SetEvalFrameFunc)
            get.restype = ctypes.c_void_p
            default = ctypes.c_void_p(get(interp))
            assert default.value == ctypes.cast(api._PyEval_EvalFrameDefault,
                                                ctypes.c_void_p).value
            # No Python function is called while it is in place.
            foreign = ctypes.cast(api.PyObject_Repr, ctypes.c_void_p)
            put(interp, foreign)
            sys.activate_stack_trampoline('perf')
            there, active = get(interp), sys.is_stack_trampoline_active()
            put(interp, default)
            assert there == foreign.value and active
            assert sys.is_stack_trampoline_active()
            assert get(interp) != default.value
            sys.deactivate_stack_trampoline()
            assert get(interp) == default.value
            """)


if __name__ == "__main__":
    unittest.main()
