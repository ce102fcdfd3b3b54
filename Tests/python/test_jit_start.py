"""When the compiler begins: at once, but not with what a young program's imports execute."""
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

HOT = """
    import sys, time

    def hot(seconds):
        "Calls and loops until something is compiled."
        end = time.perf_counter() + seconds
        while time.perf_counter() < end and not sys._jit.figures()["compiled"]:
            for i in range(500):
                work(i)
        return sys._jit.figures()["compiled"] > 0

    def work(i):
        total = 0
        for k in range(20):
            total += i ^ k
        return total
"""


@unittest.skipUnless(sys._jit.is_available(), "there is no compiler for this machine")
class Start(unittest.TestCase):
    def run_with_modules(self, program, **modules):
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("SPRINGBOARD_JIT", "PYTHON_JIT")}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in modules.items():
                with open(os.path.join(folder, name + ".py"), "w") as file:
                    file.write(textwrap.dedent(text))
            return subprocess.run([sys.executable, "-c", program], cwd=folder, env=environment,
                                  capture_output=True, text=True, timeout=120).stdout

    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "it is judged by the time it takes")
    def test_what_a_young_program_imports_is_not_compiled(self):
        """Where others use the processor, it may be old before its first import."""
        for _ in range(3):
            out = self.run_with_modules("import importing\nprint(importing.hot(60))",
                                        importing=textwrap.dedent(HOT) + "print(hot(.15))\n")
            if out == "False\nTrue\n":
                break
        self.assertEqual(out, "False\nTrue\n")

    def test_an_import_that_goes_on_is_compiled(self):
        out = self.run_with_modules("import importing",
                                    importing=textwrap.dedent(HOT) + "print(hot(60))\n")
        self.assertEqual(out, "True\n")

    def test_what_is_long_has_to_be_warm_for_longer(self):
        """It takes longer to compile; of what has many branches a call executes few."""
        program = """if 1:
            import sys, time
            def made(branches):
                lines = [f"    elif i == {k}: return i * {k + 3} - 1" for k in range(branches)]
                exec("def f(i):\\n    if i < 0: pass\\n" + "\\n".join(lines), space := {})
                return space["f"]
            short, long = made(10), made(120)
            def called(function, times):
                before = sys._jit.figures()["compiled"]
                for i in range(times): function(i & 7)
                return sys._jit.figures()["compiled"] - before
            print(called(short, 2500) > 0, called(long, 2500) > 0)
            end = time.process_time() + 60
            while time.process_time() < end:
                if called(long, 1000) > 0:
                    print("compiled")
                    break
            """
        out = self.run_with_modules(program)
        self.assertEqual(out, "True False\ncompiled\n")

    def test_what_takes_too_long_to_compile_stays_interpreted(self):
        """The time grows with the variables of a function that is long: it would stop the program."""
        program = """if 1:
            import sys, time
            def made(variables):
                lines = [f"    v{k} = i + {k}" for k in range(variables)]
                head = "def f(i):\\n    if i < 8: return is_active()\\n"
                exec(head + "\\n".join(lines), space := {"is_active": sys._jit.is_active})
                return space["f"]
            def is_compiled(function, seconds):
                end = time.process_time() + seconds
                while time.process_time() < end:
                    for i in range(20000):
                        if function(i & 7): return True
                return False
            print(is_compiled(made(20), 60), is_compiled(made(1500), 1))
            """
        self.assertEqual(self.run_with_modules(program), "True False\n")

    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "it is judged by the time it takes")
    def test_who_consumes_a_warm_generator_expression_is_warm(self):
        """It is built into that function, or the loop of a module: few calls or rounds are enough."""
        program = """if 1:
            import hashlib, sys, time
            def rest():
                "In C, until a hundredth of the time at most has gone into compiling."
                missing = 100 * sys._jit.figures()["seconds"] - time.process_time()
                if missing > 0: hashlib.pbkdf2_hmac("sha256", b"", b"", int(missing * 4e6) + 1)
            def total(xs, k): return sum(x * k for x in xs)
            def plain(xs, k): return sum(xs) * k
            def squares(xs): return [x * x for x in xs]
            def compiled(function, *args):
                "By fewer calls than make a function warm by itself. There is time for compiling."
                before = sys._jit.figures()["compiled"]
                for i in range(500):
                    function(range(300), *args)
                    if i % 10 == 0: rest()
                return sys._jit.figures()["compiled"] - before
            print(compiled(plain, 3), compiled(total, 3), compiled(squares))
            before = sys._jit.figures()["compiled"]
            for i in range(500):
                total = sum(x ^ i for x in range(300))
                if i % 10 == 0: rest()
            print(sys._jit.figures()["compiled"] - before)
            """
        self.assertEqual(self.run_with_modules(program), "0 2 2\n2\n")

    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "it is judged by the time it takes")
    def test_imports_that_fail_are_over(self):
        out = self.run_with_modules(
            "import hot, time, sys\n"
            "for name in 'failing', 'missing':\n"
            "    try: __import__(name)\n"
            "    except (ZeroDivisionError, ImportError): pass\n"
            "while not sys._jit.figures()['compiled']: hot.hot(.001)\n"
            "print(time.process_time() < .4 or time.process_time())",
            hot=HOT, failing="import missing_as_well")
        self.assertEqual(out, "True\n")


if __name__ == "__main__":
    unittest.main()
