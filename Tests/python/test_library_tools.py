"""What a person does with the library: the tools for programs and programmers."""
import argparse
import ast
import contextlib
import cProfile
import doctest
import inspect
import io
import logging
import logging.handlers
import os
import pstats
import subprocess
import sys
import tempfile
import textwrap
import timeit
import tokenize
import traceback
import unittest

PORTABLE = "what programs ask of the library"


def run(*args, data="", cwd=None):
    return subprocess.run([sys.executable, *args], input=data, capture_output=True, text=True,
                          cwd=cwd, timeout=120)


class CommandLines(unittest.TestCase):
    def test_argparse_subcommands_help_and_errors(self):
        parser = argparse.ArgumentParser(prog="tool", description="Does things.")
        parser.add_argument("-v", "--verbose", action="count", default=0)
        commands = parser.add_subparsers(dest="command", required=True)
        add = commands.add_parser("add", help="adds numbers")
        add.add_argument("numbers", nargs="+", type=int)
        self.assertEqual(vars(parser.parse_args(["-vv", "add", "1", "2"])),
                         {"verbose": 2, "command": "add", "numbers": [1, 2]})
        self.assertIn("adds numbers", parser.format_help())
        err = io.StringIO()
        with self.assertRaises(SystemExit) as caught, contextlib.redirect_stderr(err):
            parser.parse_args(["add", "x"])
        self.assertEqual(caught.exception.code, 2)
        self.assertIn("tool add: error: argument numbers: invalid int value: 'x'", err.getvalue())

    def test_unittest_as_a_command(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "test_a.py"), "w") as f:
                f.write(textwrap.dedent("""
                    import unittest
                    from unittest import mock
                    class A(unittest.TestCase):
                        def test_ok(self):
                            with mock.patch("os.getcwd", return_value="/x") as m:
                                import os
                                self.assertEqual(os.getcwd(), "/x")
                            m.assert_called_once_with()
                        def test_bad(self): self.assertEqual([1, 2], [1, 3])
                        @unittest.skip("why")
                        def test_skip(self): pass
                        def test_sub(self):
                            for i in range(3):
                                with self.subTest(i=i): self.assertLess(i, 2)
                """))
            done = run("-m", "unittest", "-v", cwd=folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAILED (failures=2, skipped=1)", done.stderr)
        self.assertIn("AssertionError: Lists differ: [1, 2] != [1, 3]", done.stderr)

    def test_pdb_steps_breaks_and_prints(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "p.py")
            with open(path, "w") as f:
                f.write("def double(x):\n    y = x * 2\n    return y\n\n"
                        "for i in range(3):\n    double(i)\nprint('end')\n")
            done = run("-m", "pdb", path,
                       data="b double, x == 1\nc\nargs\nn\np y\nwhere\nup\np i\ncl 1\nr\nc\nq\n")
        out = done.stdout
        self.assertIn("x = 1", out)
        self.assertIn("(Pdb) 2\n", out)
        self.assertIn("-> double(i)", out)
        self.assertIn("--Return--", out)
        self.assertIn("end\n", out)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_venv_makes_an_environment_of_its_own(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("-m", "venv", "--without-pip", os.path.join(folder, "env"))
            self.assertEqual(done.returncode, 0, done.stderr)
            shown = subprocess.run([os.path.join(folder, "env", "bin", "python"), "-c",
                                    "import sys, json; print(sys.prefix != sys.base_prefix, sys.prefix)"],
                                   capture_output=True, text=True)
            self.assertEqual(shown.stdout, f"True {folder}/env\n", shown.stderr)


class Profilers(unittest.TestCase):
    def test_cprofile_counts_calls(self):
        def leaf():
            return sum(range(10))

        def caller():
            for _ in range(7):
                leaf()
        profile = cProfile.Profile()
        profile.runcall(caller)
        counts = {name: stat[0] for (_, _, name), stat in pstats.Stats(profile).stats.items()}
        self.assertEqual((counts["leaf"], counts["caller"], counts["<built-in method builtins.sum>"]),
                         (7, 1, 7))

    def test_profile_and_trace_as_commands(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "p.py")
            with open(path, "w") as f:
                f.write("def leaf():\n    return 1\nfor _ in range(9):\n    leaf()\n")
            profiled = run("-m", "profile", path)
            traced = run("-m", "trace", "--listfuncs", path)
        self.assertRegex(profiled.stdout, r"(?m)^ +9 .*p\.py:1\(leaf\)$")
        self.assertIn("modulename: p, funcname: leaf", traced.stdout)

    def test_timeit_runs_the_statement(self):
        calls = []
        seconds = timeit.timeit("f(1)", globals={"f": calls.append}, number=50)
        self.assertEqual(len(calls), 50)
        self.assertGreater(seconds, 0)


def documented(n):
    """Doubles.

    >>> documented(2)
    4
    >>> documented("a")
    'aa'
    >>> documented(None)
    Traceback (most recent call last):
    TypeError: unsupported operand type(s) for *: 'NoneType' and 'int'
    >>> [documented(i) for i in range(3)]  # doctest: +NORMALIZE_WHITESPACE
    [0,   2, 4]
    """
    return n * 2


class Source(unittest.TestCase):
    def test_doctest_finds_and_runs_examples(self):
        test = doctest.DocTestFinder().find(documented, globs={"documented": documented})[0]
        self.assertEqual(doctest.DocTestRunner().run(test), (0, 4))

    def test_inspect_reads_signatures_sources_and_frames(self):
        def f(a, /, b: int = 2, *args, c, d="x", **rest) -> str:
            return inspect.currentframe().f_code.co_name
        self.assertEqual(str(inspect.signature(f)),
                         "(a, /, b: int = 2, *args, c, d='x', **rest) -> str")
        self.assertEqual(inspect.signature(f).bind(1, c=3).arguments, {"a": 1, "c": 3})
        self.assertIn("currentframe", inspect.getsource(f))
        self.assertEqual(f(1, c=2), "f")
        self.assertEqual(inspect.getdoc(documented).splitlines()[0], "Doubles.")

    def test_ast_changes_code_and_prints_it(self):
        class Constants(ast.NodeTransformer):
            def visit_Constant(self, node):
                return ast.copy_location(ast.Constant(node.value + 1), node) \
                    if isinstance(node.value, int) else node
        tree = ast.fix_missing_locations(Constants().visit(ast.parse("x = [1, 'a', 2 if y else 3]")))
        self.assertEqual(ast.unparse(tree), "x = [2, 'a', 3 if y else 4]")
        space = {"y": 0}
        exec(compile(tree, "<t>", "exec"), space)
        self.assertEqual(space["x"], [2, "a", 4])
        self.assertEqual(ast.literal_eval("{'a': (1, -2.5, None)}"), {"a": (1, -2.5, None)})

    def test_tokenize_gives_back_the_source(self):
        with open(__file__, "rb") as f:
            source = f.read()
        tokens = list(tokenize.tokenize(io.BytesIO(source).readline))
        again = tokenize.tokenize(io.BytesIO(tokenize.untokenize(tokens)).readline)
        self.assertEqual([t[:2] for t in again], [t[:2] for t in tokens])

    def test_traceback_shows_chains_carets_and_locals(self):
        def inner(x):
            return x["key"]["deep"]
        try:
            try:
                inner({"key": None})
            except TypeError as e:
                raise RuntimeError("outer") from e
        except RuntimeError as e:
            shown = "".join(traceback.TracebackException.from_exception(e, capture_locals=True).format())
        self.assertIn("The above exception was the direct cause", shown)
        self.assertIn('    return x["key"]["deep"]\n           ~~~~~~~~^^^^^^^^\n', shown)
        self.assertIn("    x = {'key': None}\n", shown)

    def test_logging_to_handlers_with_filters_and_exceptions(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "log")
            logger = logging.Logger("app")
            handler = logging.handlers.RotatingFileHandler(path, maxBytes=400, backupCount=1)
            handler.setFormatter(logging.Formatter("%(levelname)-7s %(name)s %(lineno)d %(message)s"))
            logger.addHandler(handler)
            logger.addFilter(lambda record: "secret" not in record.getMessage())
            logger.info("user %s has %d", "zoë", 3)
            logger.info("a secret")
            try:
                1 / 0
            except ZeroDivisionError:
                logger.exception("failed")
            for n in range(20):
                logger.warning("line %02d", n)
            handler.close()
            with open(path) as now, open(path + ".1") as before:
                text = before.read() + now.read()
        self.assertIn("WARNING app", text)
        self.assertTrue(text.endswith("line 19\n"), text)
        self.assertNotIn("secret", text)


if __name__ == "__main__":
    unittest.main()
