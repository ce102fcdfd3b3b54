"""What the compiler leaves in code objects: constants, sizes, positions, names of
opcodes, and identity of ints that were registers."""
import collections
import dis
import marshal
import os
import subprocess
import sys
import tempfile
import unittest


def opnames(function):
    return [i.opname for i in dis.get_instructions(function)]


class ConstantTests(unittest.TestCase):

    def test_consts_hold_every_loaded_constant(self):
        def f():
            return 42

        def g(x):
            x = -7
            return x

        def nothing():
            pass
        self.assertEqual(f.__code__.co_consts, (None, 42))
        self.assertEqual(g.__code__.co_consts, (None, -7))
        self.assertEqual(nothing.__code__.co_consts, (None,))

    def test_replaced_consts_are_used(self):
        def f():
            return 1
        code = f.__code__.replace(co_consts=(None, 1000))
        self.assertEqual(eval(code), 1000)

    def test_code_stays_the_same_while_it_runs(self):
        def f(flag):
            x = 70000
            y = -3
            if flag:
                return x + y
        before = f.__code__.co_code
        for flag in (True, False, True):
            f(flag)
        self.assertEqual(f.__code__.co_code, before)
        copy = marshal.loads(marshal.dumps(f.__code__))
        self.assertEqual(copy, f.__code__)
        self.assertEqual(type(f)(copy, {})(True), 69997)

    def test_constants_decide_and_or(self):
        for source in ("True and x", "1 or x", "False and x", "0 or x"):
            code = compile(source, "f", "eval")
            names = [i.opname for i in dis.get_instructions(code)]
            self.assertFalse([n for n in names if "JUMP" in n], (source, names))
            self.assertEqual(eval(code, {"x": 5}), eval(source, {"x": 5}))

    def test_the_truth_of_a_value_is_asked_once(self):
        class Asked:
            def __init__(self, truth):
                self.truth = truth
                self.times = 0

            def __bool__(self):
                self.times += 1
                return self.truth
        for source in ("(a and b) and c", "(a or b) or c", "(a and b) or c",
                       "(a or b) and c", "((a and b) or c) and d", "a and (b or c) and d"):
            for bits in range(16):
                names = {n: Asked(bool(bits >> i & 1)) for i, n in enumerate("abcd")}
                result = eval(source, names)
                plain = {n: bool(bits >> i & 1) for i, n in enumerate("abcd")}
                self.assertEqual(result.truth, eval(source, plain), (source, bits))
                for n in "abcd":
                    self.assertLessEqual(names[n].times, 1, (source, bits, n))

    def test_errors_behind_a_deciding_constant_remain(self):
        with self.assertRaisesRegex(SyntaxError, "outside function"):
            compile("False and (yield)", "f", "exec")


class SizeTests(unittest.TestCase):

    def test_long_displays_and_calls_need_few_registers(self):
        many = ", ".join(["x"] * 500)
        keywords = ", ".join(f"a{i}=x" for i in range(500))
        pairs = ", ".join(f"x+{i}: x" for i in range(500))
        for source in (f"[{many}]", f"({many})", f"{{{many}}}", f"{{{pairs}}}",
                       f"f({many})", f"f({keywords})", f"o.m({many}, {keywords})",
                       f"f(*x, {many}, **x, {keywords})"):
            size = compile(source, "f", "eval").co_stacksize
            self.assertLess(size, 16, source[:30])

    def test_long_calls_pass_everything_in_order(self):
        seen = []

        def x(n):
            seen.append(n)
            return n

        def f(*args, **kwargs):
            return args, kwargs
        n = 100
        source = "f(%s, %s)" % (", ".join(f"x({i})" for i in range(n)),
                                ", ".join(f"k{i}=x({n + i})" for i in range(n)))
        args, kwargs = eval(source, {"f": f, "x": x})
        self.assertEqual(args, tuple(range(n)))
        self.assertEqual(kwargs, {f"k{i}": n + i for i in range(n)})
        self.assertEqual(seen, list(range(2 * n)))

    def test_long_calls_still_detect_duplicates(self):
        source = "f(**{'k3': 1}, %s)" % ", ".join(f"k{i}=0" for i in range(40))
        with self.assertRaisesRegex(TypeError, "multiple values for keyword argument 'k3'"):
            eval(source, {"f": lambda **k: k})

    def test_long_dicts_keep_order_and_the_last_value(self):
        source = "{%s, **d, %s}" % (", ".join(f"{i}: {i}" for i in range(40)),
                                    ", ".join(f"{i}: -{i}" for i in range(30, 70)))
        result = eval(source, {"d": {"x": 1}})
        self.assertEqual(list(result), [*range(40), "x", *range(40, 70)])
        self.assertEqual(result[35], -35)

    def test_stacksize_of_replace_is_kept(self):
        code = compile("a + b", "f", "eval").replace(co_stacksize=0)
        self.assertEqual(code.co_stacksize, 0)


class NameTests(unittest.TestCase):

    def test_operators_go_by_cpythons_names(self):
        def f(a, b):
            return (a + b, a < b, a is not b, a in b, a[b], -a)
        wanted = ["BINARY_OP", "COMPARE_OP", "IS_OP", "CONTAINS_OP", "BINARY_SUBSCR",
                  "UNARY_NEGATIVE", "BUILD_TUPLE", "RETURN_VALUE"]
        self.assertEqual([n for n in opnames(f) if n in wanted], wanted)
        args = {i.opname: i.argval for i in dis.get_instructions(f)}
        self.assertEqual(args["COMPARE_OP"], "<")
        self.assertEqual(args["IS_OP"], 1)
        self.assertEqual(args["CONTAINS_OP"], 0)

    def test_moves_between_variables_and_temporaries_are_loads_and_stores(self):
        def f(a, b):
            a = b = a and b
            return (a,)
        shown = [(i.opname, i.argval) for i in dis.get_instructions(f)]
        self.assertIn(("LOAD_FAST", "b"), shown)
        self.assertIn(("STORE_FAST", "a"), shown)
        self.assertIn(("LOAD_FAST", "a"), shown)
        for i in dis.get_instructions(f):
            self.assertEqual(dis.opname[i.opcode], i.opname)

    def test_call_is_shown_as_precall_and_call_at_one_address(self):
        def f(a):
            return a(1) + a.b(2, c=3)
        shown = list(dis.get_instructions(f))
        for i, precall in enumerate(shown):
            if precall.opname == "PRECALL":
                call = shown[i + 1]
                self.assertEqual((call.opname, call.offset), ("CALL", precall.offset))
        self.assertEqual(opnames(f).count("PRECALL"), 2)
        caches = dis.get_instructions(f, show_caches=True)
        self.assertNotIn("PRECALL", [i.opname for i in caches])

    def test_calls_of_imported_names_stand_where_the_expression_begins(self):
        source = "import os\nfrom os import path\ndef f(o):\n (os\n .getpid(1))\n" \
                 "def g(o):\n (o\n .getpid(1))\n"
        names = {}
        exec(compile(source, "f", "exec"), names)
        lines = {}
        for f in names["f"], names["g"]:
            try:
                f(os)
            except TypeError as e:
                lines[f.__name__] = e.__traceback__.tb_next.tb_lineno
        self.assertEqual(lines, {"f": 4, "g": 8})

    def test_opmap_and_opname_agree(self):
        for name, op in dis.opmap.items():
            self.assertEqual(dis.opname[op], name)

    def test_augmented_assignment_shows(self):
        def f(a):
            a += 1
            a += a
            return a
        signs = [i.argrepr for i in dis.get_instructions(f)
                 if i.opname == "BINARY_OP"]
        self.assertEqual(signs, ["+=", "+="])


class IdentityTests(unittest.TestCase):

    def test_small_ints_are_counted_where_they_are_held(self):
        class Slot:
            __slots__ = "value",
        one, two = 1, 2
        held, slot = collections.deque([None] * 3), Slot()
        before = sys.getrefcount(one), sys.getrefcount(two)
        held[one] = two
        slot.value = two
        two < held[one], one + 1.5, one in held, held[one]
        after = sys.getrefcount(one), sys.getrefcount(two)
        self.assertEqual((after[0] - before[0], after[1] - before[1]), (0, 2))

    def test_copies_of_a_variable_are_one_object(self):
        def f(a):
            pair = (a, a)
            row = [a, a, a]
            table = {1: a, 2: a}
            return {id(a), *map(id, pair), *map(id, row), *map(id, table.values())}
        self.assertEqual(len(f(123456)), 1)
        self.assertEqual(len(f(int("99999"))), 1)

    def test_arguments_of_c_functions_are_the_variable(self):
        def f(a):
            return id(a) == id(a) and (lambda *x: x)(a)[0] is a
        self.assertTrue(f(123456))


class DebugRangeTests(unittest.TestCase):

    def test_loaded_code_has_no_columns_without_debug_ranges(self):
        code = compile("a = (b +\n c)\nd = e.f", "f", "exec")
        with tempfile.NamedTemporaryFile() as f:
            marshal.dump(code, f)
            f.flush()
            out = subprocess.run(
                [sys.executable, "-X", "no_debug_ranges", "-c",
                 "import marshal, sys; c = marshal.load(open(sys.argv[1], 'rb'));"
                 "print({p[2:] for p in c.co_positions()}, [l for *_, l in c.co_lines()])",
                 f.name], capture_output=True, text=True, check=True).stdout
        lines = [line for *_, line in code.co_lines()]
        self.assertEqual(out.split("}")[0], "{(None, None)")
        self.assertEqual(eval(out.partition("} ")[2]), lines)


class ReloadTests(unittest.TestCase):

    def test_reload_of_an_extension_keeps_what_it_made(self):
        import _csv
        import importlib
        import math
        for module, name in ((_csv, "Error"), (math, "pi")):
            before = getattr(module, name)
            module.mark = 1
            importlib.reload(module)
            self.assertIs(getattr(module, name), before)
            self.assertEqual(module.mark, 1)
            del module.mark


class SourceFileTests(unittest.TestCase):

    def run_file(self, source):
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "prog.py")
            with open(path, "wb") as f:
                f.write(source)
            r = subprocess.run([sys.executable, "-X", "utf8", path], capture_output=True)
        return r.stdout.decode(), r.stderr.decode()

    def test_error_quotes_the_line_in_the_encoding_of_the_file(self):
        text = '# coding: cp437\n"\u252c\u00f3" + f(4, x for x in y)\n'
        out, err = self.run_file(text.encode("cp437"))
        self.assertIn('\n    "\u252c\u00f3" + f(4, x for x in y)\n', err)

    def test_lines_end_at_null_bytes(self):
        self.assertEqual(self.run_file(b"x = 1\nprint(x)#\x00\n\n\0 bad\nprint(2)\n")[0],
                         "1\n2\n")

    def test_bad_utf8_is_reported_before_null_bytes(self):
        self.assertIn("Non-UTF-8 code starting with '\\xfd'",
                      self.run_file(b"#\0\n#\xfd\n")[1])


if __name__ == "__main__":
    unittest.main()
