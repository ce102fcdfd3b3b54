"""Code objects: what they say about themselves, how they are copied, compared,
saved and listed."""

import contextlib
import dis
import io
import marshal
import os
import subprocess
import sys
import types
import unittest
import weakref


def sample(a, b=2, /, c=3, *args, d, e=5, **kwargs):
    """The docstring."""
    x = a + b
    def inner():
        return x, c
    try:
        return inner()
    except (KeyError, ValueError) as error:
        return [y for y in args if y is not error]


# In a saved code object: its letter, the numbers, the letter of bytes.
BEFORE_SIZE = 1 + 4 * 4 + 2 * 2 + 4 + 1


def place_of_instructions(data):
    size = int.from_bytes(data[BEFORE_SIZE:BEFORE_SIZE + 4], "little")
    return BEFORE_SIZE + 4, size


class CodeTest(unittest.TestCase):
    code = sample.__code__

    def test_attributes(self):
        code = self.code
        self.assertEqual((code.co_argcount, code.co_posonlyargcount,
                          code.co_kwonlyargcount), (3, 2, 2))
        self.assertEqual(code.co_varnames[:7],
                         ('a', 'b', 'c', 'd', 'e', 'args', 'kwargs'))
        self.assertEqual(code.co_cellvars, ('c', 'error', 'x'))
        self.assertEqual(code.co_consts[0], 'The docstring.')
        self.assertEqual(code.co_qualname, 'sample')
        inner, = [k for k in code.co_consts if isinstance(k, types.CodeType)
                  and k.co_name == 'inner']
        self.assertEqual(inner.co_freevars, ('c', 'x'))
        self.assertEqual(inner.co_qualname, 'sample.<locals>.inner')
        self.assertEqual(code.co_flags & 0xf, 0xf)

    def test_order_of_variables(self):
        """That in which the code of python3.11 mentions them: it stores at last."""
        for body, names in (
                ("x = (y := 1)", "yx"), ("(x := (y := z))", "yx"), ("x: int = (y := 1)", "yx"),
                ("x = {(a := 1): (b := 2), **(c := {})}", "abcx"),
                ("x = (lambda p=(y := 1), *, q=(z := 2): (w := p))", "yzx"),
                ("x = f(a := 1, *(b := ()), k=(c := 2)); d = 1", "abcxd"),
                ("x = (b := 1) if (a := 1) else (c := 1)", "abcx"),
                ("x = (a := 1) < (b := 2) < (c := 3) and (d := 4)", "abcdx"),
                ("x = f'{(a := 1)!r:{(b := 2)}}'", "abx"), ("x = z[(a := 1):(b := 2)].w", "abx"),
                ("x = (x, y, (x, y))\n y = 1", "xy"), ("while 1:\n  x = y\n  y = 1", "yx"),
                ("x = y = (z := 1)", "zxy"),
                # No variable at all
                ("x: int", ""), ("(x): int", ""), ("a = 1; x: y; b = 2", "ab"),
                ("x: int; x = 1", "x"), ("x: int; return x", "x"), ("x: int; del x", "x")):
            scope = {}
            exec("def function():\n " + body, scope)
            with self.subTest(body):
                code = scope["function"].__code__
                self.assertEqual("".join(code.co_varnames), names)
                self.assertEqual(code.co_nlocals, len(names))

    def test_variable_that_is_only_annotated(self):
        def function():
            x: int
            y = 1
            return locals()
        def outer():
            x: int
            return lambda: x
        self.assertEqual(function(), {"y": 1})
        self.assertEqual(outer.__code__.co_cellvars, ("x",))
        with self.assertRaises(NameError):
            outer()()

    def test_copies_are_equal(self):
        copy = self.code.replace()
        self.assertIsNot(copy, self.code)
        self.assertEqual(copy, self.code)
        self.assertEqual(hash(copy), hash(self.code))
        self.assertNotEqual(self.code.replace(co_name='other'), self.code)
        self.assertNotEqual(self.code.replace(co_firstlineno=1), self.code)

    def test_running_does_not_change_the_code_that_is_seen(self):
        def f(n):
            total = 0
            for i in range(n):
                total += len([i]) + i % 3
            return total
        before = f.__code__.co_code
        copy = f.__code__.replace()
        f(1000)
        self.assertEqual(f.__code__.co_code, before)
        self.assertEqual(f.__code__, copy)

    def test_replaced_code_runs(self):
        def f():
            return 'old'
        f.__code__ = f.__code__.replace(
            co_consts=tuple('new' if k == 'old' else k
                            for k in f.__code__.co_consts))
        self.assertEqual(f(), 'new')

    def test_functions_without_a_body_look_alike_whatever_their_parameters(self):
        # What Automat demands of the methods that are inputs of a machine.
        def nothing(): pass
        def one(self): pass
        def many(self, a, b=3, *c, k, **d): return None
        def documented(): """Text."""
        def two_documented(self, other): """Text."""
        def a_cell(self): (lambda: self) if 0 else None
        for a, b in ((nothing, one), (nothing, many), (documented, two_documented)):
            with self.subTest(b.__name__):
                self.assertEqual(a.__code__.co_code, b.__code__.co_code)
        for f in one, many, two_documented, a_cell:
            with self.subTest(f.__name__):
                f.__code__ = copy = f.__code__.replace(co_code=f.__code__.co_code)
                self.assertEqual(copy, copy.replace())
                arguments = dict.fromkeys(copy.co_varnames[1:3], 1)
                if f is many:
                    arguments["k"] = 2
                self.assertIsNone(f("kept", **arguments if f is not a_cell else {}))
        def local(a):
            a = "constant"
            return a
        self.assertNotEqual(local.__code__.co_code, one.__code__.co_code)
        local.__code__ = local.__code__.replace()
        self.assertEqual(local(1), "constant")

    def test_dis_names_the_register_of_a_constant_that_is_returned(self):
        def f(a, b):
            return "text"
        load, value = list(dis.get_instructions(f))[-2:]
        self.assertEqual((load.opname, value.opname), ("LOAD_CONST", "RETURN_VALUE"))
        self.assertEqual((load.arg[0], value.arg[0]), (2, 2))
        self.assertEqual(value.arg[1], 0)

    def test_replace_checks_types(self):
        for bad in ({'co_consts': []}, {'co_code': 'x'}, {'co_name': b''},
                    {'co_varnames': None}):
            with self.subTest(bad):
                self.assertRaises(TypeError, self.code.replace, **bad)
        self.assertRaises(ValueError, self.code.replace, co_argcount=-1)
        self.assertRaises(ValueError, self.code.replace, co_code=b'x')
        self.assertRaises(ValueError, self.code.replace, co_nlocals=99)

    def test_marshal_round_trip(self):
        copy = marshal.loads(marshal.dumps(self.code))
        self.assertEqual(copy, self.code)
        f = types.FunctionType(copy, globals(), argdefs=(2, 3))
        f.__kwdefaults__ = {'e': 5}
        self.assertEqual(f(1, d=4), (3, 3))

    def test_weak_references(self):
        code = self.code.replace()
        ref = weakref.ref(code)
        del code
        self.assertIsNone(ref())

    def test_lines_cover_the_code(self):
        lines = list(self.code.co_lines())
        self.assertEqual(lines[0][0], 0)
        for (_, end, _), (start, _, _) in zip(lines, lines[1:]):
            self.assertEqual(end, start)
        positions = list(self.code.co_positions())
        self.assertEqual(len(positions) * 2, lines[-1][1])
        first = self.code.co_firstlineno
        self.assertLessEqual({first, first + 2, first + 3, first + 6},
                             {line for _, _, line in lines})

    def test_positions_of_wide_and_multiline_code(self):
        source = 'x = [\n' + ' ' * 300 + 'a .b\n' + ' ' * 5 + ']\n' * 1
        code = compile(source, '<test>', 'exec')
        self.assertIn((2, 2, 300, 301), set(code.co_positions()))
        self.assertIn((2, 2, 300, 304), set(code.co_positions()))
        self.assertIn((1, 3, 4, 6), set(code.co_positions()))

    def test_huge_line_numbers(self):
        source = '\n' * 70000 + 'x = y'
        code = compile(source, '<test>', 'exec')
        self.assertIn((70001, 70001, 4, 5), set(code.co_positions()))

    def test_traceback_points_at_the_operand(self):
        def f(d):
            return (d['a']
                    + d['b'])
        try:
            f({'a': 1})
        except KeyError as e:
            tb = e.__traceback__.tb_next
        self.assertEqual(tb.tb_lineno, f.__code__.co_firstlineno + 2)
        position = list(f.__code__.co_positions())[tb.tb_lasti // 2]
        self.assertEqual(position[2:], (22, 28))


class DisTest(unittest.TestCase):
    def test_listing(self):
        out = io.StringIO()
        dis.dis(sample, file=out)
        text = out.getvalue()
        for part in ('BINARY_OP', '(+)', 'MAKE_FUNCTION', 'ExceptionTable:',
                     'Disassembly of <code object inner'):
            self.assertIn(part, text)

    def test_the_opcode_is_found_at_an_address(self):
        """Twisted looks whether a generator was thrown into at a yield."""
        def generator(a=None):      # (a move would be listed as what it does)
            yield
            return (yield a) + (yield)
        g = generator()
        for _ in range(3):
            g.send(None)
            at = g.gi_code.co_code[g.gi_frame.f_lasti]
            self.assertEqual(dis.opname[at], "YIELD_VALUE")
        try:
            g.throw(ValueError)
        except ValueError as e:
            tb = e.__traceback__.tb_next
        self.assertEqual(tb.tb_frame.f_code.co_code[tb.tb_lasti], at)
        for i in dis.get_instructions(generator):
            self.assertEqual(dis.opname[g.gi_code.co_code[i.offset]], i.opname)

    def test_a_listing_has_names_in_parentheses(self):
        """dill takes the names of globals from there."""
        out = io.StringIO()
        dis.dis("def f(a):\n global b\n b = 5; b = a\n return c.d(b)", file=out)
        found = {line.split("(")[-1].split(")")[0]
                 for line in out.getvalue().splitlines() if "_GLOBAL" in line}
        self.assertEqual(found, {"b", "c"})
        for part in "(d)", "(5)":
            self.assertIn(part, out.getvalue())

    def test_every_instruction_has_a_position(self):
        instructions = list(dis.get_instructions(sample, show_caches=True))
        self.assertEqual(len(instructions),
                         len(list(sample.__code__.co_positions())))

    def test_jump_targets_are_instructions(self):
        offsets = {i.offset for i in dis.get_instructions(sample)}
        self.assertLessEqual(set(dis.findlabels(sample.__code__.co_code)), offsets)

    def test_names_of_imports_and_stores(self):
        code = compile('import a.b\nfrom . import c as d\nx = 1', '<test>', 'exec')
        self.assertEqual(list(dis._find_imports(code)),
                         [('a.b', 0, None), ('', 1, ('c',))])
        self.assertEqual(list(dis._find_store_names(code)), ['a', 'd', 'x'])

    def test_code_info(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            dis.show_code(sample)
        self.assertIn('Kw-only arguments: 2', out.getvalue())


class FoldingTest(unittest.TestCase):
    def consts(self, source):
        return compile(source, '<test>', 'eval').co_consts

    def test_what_is_folded(self):
        for source, value in (('(1, 2.5, "x")', (1, 2.5, 'x')),
                              ('"a" * 3', 'aaa'), ('2 ** 60', 2 ** 60),
                              ('"abc"[1]', 'b'), ('b"a" + b"b"', b'ab'),
                              ('x in {1, 2}', frozenset({1, 2})),
                              ('x in [1, y]', None), ('-1.5', -1.5)):
            with self.subTest(source):
                if value is None:
                    continue
                found = self.consts(source)
                self.assertIn(value, found)

    def test_what_is_too_large(self):
        for source, value in (('"a" * 5000', 'a' * 5000),
                              ('2 ** 1000', 2 ** 1000),
                              ('(1, 2) * 1000', (1, 2) * 1000),
                              ('1 << 1000', 1 << 1000)):
            with self.subTest(source):
                self.assertNotIn(value, self.consts(source))
                self.assertEqual(eval(source), value)

    def test_constants_of_different_types_stay_apart(self):
        self.assertEqual(repr(eval('(1, 1.0, True, 1j, -0.0, 0.0)')),
                         '(1, 1.0, True, 1j, -0.0, 0.0)')
        self.assertEqual(repr(eval('[(1,), (1.0,), (True,), (-0.0,), (0.0,)]')),
                         '[(1,), (1.0,), (True,), (-0.0,), (0.0,)]')

    def test_percent_formats(self):
        for fmt, args in (('%s-%r', ('a', 'b')), ('%-5s|%5s|', (1, 2)),
                          ('%%%s', (3,)), ('%.2s', ('abc',)), ('%5.1r', ('x',))):
            with self.subTest(fmt):
                source = '%r %% (%s,)' % (fmt, ','.join(map(repr, args)))
                self.assertEqual(eval(source), fmt % args)
        with self.assertRaises(TypeError):
            eval('"%s %s" % (x,)', {'x': 1})

    def test_folded_string_is_no_docstring(self):
        scope = {}
        exec('def f():\n    "a" "b"\ndef g():\n    "a" + "b"\n'
             'def h():\n    f"a"\n', scope)
        self.assertEqual([scope[n].__doc__ for n in 'fgh'], ['ab', None, None])

    def test_optimize_levels(self):
        source = 'def f():\n "doc"\n assert x\n return __debug__'
        for level, doc, debug in ((1, 'doc', False), (2, None, False)):
            scope = {}
            exec(compile(source, '<test>', 'exec', optimize=level), scope)
            self.assertEqual((scope['f'].__doc__, scope['f']()), (doc, debug))

    def test_saved_code_that_is_cut_short_or_damaged(self):
        code = sample.__code__
        data = marshal.dumps(code)
        self.assertEqual(marshal.loads(data), code)
        for n in range(len(data)):
            self.assertRaises((EOFError, ValueError, TypeError), marshal.loads, data[:n])
        for size in place_of_instructions(data)[1] - 1, 0x7fffffff, 0xffffffff:
            damaged = data[:BEFORE_SIZE] + size.to_bytes(4, "little") + data[BEFORE_SIZE + 4:]
            self.assertRaises((EOFError, ValueError, TypeError), marshal.loads, damaged)

    def test_no_saved_instructions(self):
        data = marshal.dumps(sample.__code__)
        start, size = place_of_instructions(data)
        damaged = data[:BEFORE_SIZE] + bytes(4) + data[start + size:]
        self.assertRaisesRegex(ValueError, "bad marshal data", marshal.loads, damaged)

    def test_audit_hooks_hear_of_a_load_once(self):
        done = subprocess.run([sys.executable, "-c", """if 1:
            import io, marshal, sys
            code = compile("def f(): return 1", "<test>", "exec")
            data, seen = marshal.dumps(code), []
            sys.addaudithook(lambda *event: seen.append(event[0]))
            assert marshal.loads(data) == marshal.load(io.BytesIO(data)) == code
            print(seen)
            """], capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr), ("['marshal.loads', 'marshal.load']\n", ""))


class AtRestTest(unittest.TestCase):
    """Instructions are packed until the first call."""

    def make(self, source, name="f"):
        scope = {}
        exec(source, scope)
        return scope[name]

    def test_code_that_has_not_run_is_small(self):
        f = self.make("def f(a):\n" + "    a = a.b(a + 1)\n" * 50 + "    return a\n")
        code = f.__code__
        before, words = sys.getsizeof(code), len(code.co_code)
        self.assertLess(before, words)
        self.assertRaises(AttributeError, f, 1)
        self.assertEqual(sys.getsizeof(code), before + words)

    def test_co_code_is_what_it_was(self):
        source = ("def f(n):\n    s = 0\n    for i in range(n):\n"
                  "        s += len('ab' * i) & 7\n    return s, [], 70000\n")
        f = self.make(source)
        before, saved = f.__code__.co_code, marshal.dumps(f.__code__)
        for i in range(3000):
            f(3)
        again = self.make(source).__code__
        self.assertEqual(f.__code__.replace().co_code, before)
        self.assertEqual(again.co_code, before)
        self.assertEqual(f.__code__, again)
        self.assertEqual(marshal.loads(saved), again)

    def test_first_calls_of_every_kind(self):
        source = """if 1:
            class C:
                def __init__(self, a, b=2): self.a, self.b = a, b
                def __getitem__(self, i): return i + self.a
                def __len__(self): return 7
                def __eq__(self, other): return True
                def __enter__(self): return self
                def __exit__(self, *exc): return True
                def __del__(self): gone.append(self.a)
                def __call__(self, *args, k=1, **kw): return args, k, kw
                def __add__(self, x): return x
                def __iter__(self): yield self.a
                def __contains__(self, x): return x == 3
                def __getattr__(self, name): return name
                @property
                def p(self): return self.b
                @staticmethod
                def s(x): return x
                @classmethod
                def c(cls, x, *, y=5): return x, y
            gone = []
            def stars(*args, **kwargs): return args, kwargs
            def only(*, k): return k
            def both(a, /, b, *c, d=4, **e): return a, b, c, d, e
            def cell(x):
                def inner(): return x
                return inner
            async def coroutine(x): return x
            async def items(x):
                yield x
            def drive(c):
                try:
                    c.send(None)
                except StopIteration as e:
                    return e.value
            async def through(x): return [i async for i in items(x)]
            c = C(1)
            args, kwargs = (1, 2), {"k": 3}
            with c:
                1 / 0
            results = [c.b, c[4], len(c), c == 1, c(1, z=2), c + 5, list(c), 3 in c, c.other, c.p,
                       c.s(8), C.c(9), stars(*args, **kwargs), stars(), only(**kwargs), only(k=1),
                       both(1, 2), both(1, b=2, x=3), both(*args, *args), cell(4)(),
                       drive(coroutine(5)), drive(through(6)), sorted([2, 1], key=lambda x: -x),
                       [x for x in args], {x: x for x in args}, sum(x for x in args),
                       list(map(lambda x, y=3: x * y, args)), (lambda: 1)()]
            del c
        """
        results, gone = self.make(source, "results"), self.make(source, "gone")
        self.assertEqual(results, [
            2, 5, 7, True, ((1,), 1, {"z": 2}), 5, [1], True, "other", 2, 8, (9, 5),
            ((1, 2), {"k": 3}), ((), {}), 3, 1, (1, 2, (), 4, {}), (1, 2, (), 4, {"x": 3}),
            (1, 2, (1, 2), 4, {}), 4, 5, [6], [2, 1], [1, 2], {1: 1, 2: 2}, 3, [3, 6], 1])
        self.assertEqual(gone, [1])

    def test_damaged_instructions_are_an_exception_at_the_call(self):
        code = self.make("def f(a):\n    return a + 1\n").__code__
        data = marshal.dumps(code)
        start, size = place_of_instructions(data)
        # The last instruction is cut off, but the number of words is what it was.
        damaged = marshal.loads(data[:BEFORE_SIZE] + (size - 2).to_bytes(4, "little")
                                + data[start:start + size - 2] + data[start + size:])
        for args, kwargs in ((1,), {}), ((), {"a": 1}):
            with self.assertRaisesRegex(ValueError, "bad packed instructions"):
                types.FunctionType(damaged, {})(*args, **kwargs)
        self.assertRaises(ValueError, lambda: damaged.co_code)
        self.assertRaises(ValueError, lambda: damaged == code)
        self.assertRaises(ValueError, exec, damaged)

    def test_words_of_ones_own(self):
        code = self.make("def f(a):\n    return a + 1\n").__code__
        for words in bytes(range(64)), b"\xff" * 24, code.co_code[:-8], b"\1" + bytes(15):
            other = code.replace(co_code=words)
            self.assertEqual(other.co_code, words)
            self.assertEqual(marshal.loads(marshal.dumps(other)).co_code, words)
            self.assertNotEqual(other, code)

    def test_the_shortest_code_is_within_its_memory(self):
        done = subprocess.run([sys.executable, "-c", """if 1:
            code = compile("1", "<test>", "eval")
            print({code.replace(co_code=bytes(8 * n)).co_code == bytes(8 * n) for n in (1, 2, 3)})
            """], env={**os.environ, "PYTHONMALLOC": "debug"}, capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr), ("{True}\n", ""))


if __name__ == '__main__':
    unittest.main()
