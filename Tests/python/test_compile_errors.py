"""Scoping and placement errors: what the symbol table and the code generator
refuse, with the message and the range that CPython 3.11 shows."""

import ast
import sys
import unittest
import warnings

PORTABLE = "texts"

# (source, None or (message, line, column, end line, end column))
CASES = [
    ('def f():\n  return\n  yield 1\nreturn 5', ("'return' outside function", 4, 1, 4, 9)),
    ('async def f():\n yield 1\n return 2',
     ("'return' with value in async generator", 3, 2, 3, 10)),
    ('break', ("'break' outside loop", 1, 1, 1, 6)),
    ('for x in y:\n def f(): continue', ("'continue' not properly in loop", 2, 11, 2, 19)),
    ('x: int\nglobal x', ("annotated name 'x' can't be global", 2, 1, 2, 9)),
    ('def f():\n x=1\n global x',
     ("name 'x' is assigned to before global declaration", 3, 2, 3, 10)),
    ('def f():\n print(x)\n global x',
     ("name 'x' is used prior to global declaration", 3, 2, 3, 10)),
    ('def f(x): global x', ("name 'x' is parameter and global", 1, 11, 1, 19)),
    ('def f(x):\n nonlocal x', ("name 'x' is parameter and nonlocal", 2, 2, 2, 12)),
    ('nonlocal x', ('nonlocal declaration not allowed at module level', 1, 1, 1, 11)),
    ('def f():\n nonlocal y', ("no binding for nonlocal 'y' found", 2, 2, 2, 12)),
    ('class A:\n nonlocal z', ("no binding for nonlocal 'z' found", 2, 2, 2, 12)),
    ('def f():\n from x import *', ('import * only allowed at module level', 2, 16, 2, 17)),
    ('f(a=1,a=2)', ('keyword argument repeated: a', 1, 7, 1, 10)),
    ('f(__debug__=1)', ('cannot assign to __debug__', 1, 1, 1, 15)),
    ('__debug__=1', ('cannot assign to __debug__', 1, 1, 1, 10)),
    ('del __debug__', ('cannot delete __debug__', 1, 5, 1, 14)),
    ('def __debug__():pass', ('cannot assign to __debug__', 1, 1, 1, 21)),
    ('def f():\n for __debug__ in x: pass', ('cannot assign to __debug__', 2, 6, 2, 15)),
    ('[1 for __debug__ in x]', ('cannot assign to __debug__', 1, 8, 1, 17)),
    ('def f():\n a,__debug__=1,2', ('cannot assign to __debug__', 2, 4, 2, 13)),
    ('def f():\n __debug__+=1', ('cannot assign to __debug__', 2, 2, 2, 11)),
    ('def f():\n for a,__debug__ in x: pass', ('cannot assign to __debug__', 2, 8, 2, 17)),
    ('def f():\n __debug__=1', ('cannot assign to __debug__', 2, 2, 2, 11)),
    ('def f():\n (__debug__:=1)', ('cannot assign to __debug__', 2, 3, 2, 12)),
    ('def f():\n def __debug__(): pass', ('cannot assign to __debug__', 2, 2, 2, 23)),
    ('x.__debug__=1', ('cannot assign to __debug__', 1, 1, 1, 12)),
    ('*a', ("can't use starred expression here", 1, 1, 1, 3)),
    ('*a=1', ('starred assignment target must be in a list or tuple', 1, 1, 1, 3)),
    ('a,*b,*c=d', ('multiple starred expressions in assignment', 1, 1, 1, 8)),
    ('match x:\n case a: pass\n case b: pass',
     ("name capture 'a' makes remaining patterns unreachable", 2, 7, 2, 8)),
    ('match x:\n case _: pass\n case 1: pass',
     ('wildcard makes remaining patterns unreachable', 2, 7, 2, 8)),
    ('match x:\n case a|1: pass',
     ("name capture 'a' makes remaining patterns unreachable", 2, 7, 2, 8)),
    ('match x:\n case (a,a): pass',
     ("multiple assignments to name 'a' in pattern", 2, 10, 2, 11)),
    ('match x:\n case {1:a,1:b}: pass',
     ('mapping pattern checks duplicate key (1)', 2, 7, 2, 16)),
    ('match x:\n case A(x=1,x=2): pass',
     ('attribute name repeated in class pattern: x', 2, 15, 2, 16)),
    ('match x:\n case [*a,*b]:pass',
     ('multiple starred names in sequence pattern', 2, 7, 2, 14)),
    ('[x:=1 for x in y]',
     ("assignment expression cannot rebind comprehension iteration variable 'x'", 1, 2, 1, 3)),
    ('[(x:=1) for y in (x:=2)]',
     ('assignment expression cannot be used in a comprehension iterable expression', 1, 19, 1, 23)),
    ('class A:\n [x:=1 for y in z]',
     ('assignment expression within a comprehension cannot be used in a class body', 2, 3, 2, 4)),
    ('[[(j:=0) for i in range(5)] for j in range(5)]',
     ("assignment expression cannot rebind comprehension iteration variable 'j'", 1, 4, 1, 5)),
    ('[i for i in range(5) if (j:=0) for j in range(5)]',
     ("comprehension inner loop cannot rebind assignment expression target 'j'", 1, 36, 1, 37)),
    ('[(yield) for x in y]', ("'yield' inside list comprehension", 1, 3, 1, 8)),
    ('def f(): [(yield) for x in y]', ("'yield' inside list comprehension", 1, 12, 1, 17)),
    ('{(yield):1 for x in y}', ("'yield' inside dict comprehension", 1, 3, 1, 8)),
    ('((yield) for x in y)', ("'yield' inside generator expression", 1, 3, 1, 8)),
    ('lambda: (yield)', None),
    ('class A: yield', ("'yield' outside function", 1, 10, 1, 15)),
    ('await x', ("'await' outside function", 1, 1, 1, 8)),
    ('def f(): await x', ("'await' outside async function", 1, 10, 1, 17)),
    ('async def f(): yield from x', ("'yield from' inside async function", 1, 16, 1, 28)),
    ('[await x for x in y]',
     ('asynchronous comprehension outside of an asynchronous function', 1, 1, 1, 21)),
    ('async def f(): await x', None),
    ('def f(): [x async for x in y]',
     ('asynchronous comprehension outside of an asynchronous function', 1, 10, 1, 30)),
    ('def f():\n async for x in y: pass', ("'async for' outside async function", 2, 2, 2, 24)),
    ('def f():\n async with x: pass', ("'async with' outside async function", 2, 2, 2, 20)),
    ('try: pass\nexcept: pass\nexcept A: pass',
     ("default 'except:' must be last", 2, 1, 2, 13)),
    ('for x in y:\n try: pass\n except* A: break',
     ("'break', 'continue' and 'return' cannot appear in an except* block", 3, 13, 3, 18)),
    ('def f():\n try: pass\n except* A: return',
     ("'break', 'continue' and 'return' cannot appear in an except* block", 3, 13, 3, 19)),
    ('try: pass\nexcept* A: continue',
     ("'break', 'continue' and 'return' cannot appear in an except* block", 2, 12, 2, 20)),
    ('from __future__ import braces', ('not a chance', 1, 1, 1, None)),
    ('from __future__ import foo', ('future feature foo is not defined', 1, 1, 1, None)),
    ('x=1\nfrom __future__ import division',
     ('from __future__ imports must occur at the beginning of the file', 2, 1, 2, 32)),
    ('from __future__ import annotations\ndef f(x: (yield)): pass',
     ("'yield expression' can not be used within an annotation", 2, 11, 2, 16)),
    ('from __future__ import annotations\nx: (y:=1)',
     ("'named expression' can not be used within an annotation", 2, 5, 2, 9)),
    ('def f(a,a): pass', ("duplicate argument 'a' in function definition", 1, 9, 1, 10)),
    ('lambda a,a:1', ("duplicate argument 'a' in function definition", 1, 10, 1, 11)),
    ('def f():\n x: int\n global x', ("annotated name 'x' can't be global", 3, 2, 3, 10)),
    ('def f():\n global x\n x: int', ("annotated name 'x' can't be global", 3, 2, 3, 8)),
    ('def f():\n def g():\n  nonlocal x\n  global x\n x=1',
     ("name 'x' is nonlocal and global", 3, 3, 3, 13)),
    ('def f():\n def g():\n  global x\n  nonlocal x\n x=1',
     ("name 'x' is nonlocal and global", 3, 3, 3, 11)),
    ('print(f"{*a}")', ('f-string: cannot use starred expression here', 1, 2, 1, 4)),
    ('f(**x, *y)',
     ('iterable argument unpacking follows keyword argument unpacking', 1, 3, 1, 6)),
    ('(*x)', ('cannot use starred expression here', 1, 2, 1, 4)),
    ('[*x]', None),
    ('x = *y', ("can't use starred expression here", 1, 5, 1, 7)),
    ('x = *y,', None),
    ('del *x', ('cannot delete starred', 1, 5, 1, 7)),
    ('del (*x,)', ('cannot delete starred', 1, 6, 1, 8)),
    ('for *x in y: pass',
     ('starred assignment target must be in a list or tuple', 1, 5, 1, 7)),
    ('for *x, in y: pass', None),
    ('with a as *b: pass',
     ('starred assignment target must be in a list or tuple', 1, 11, 1, 13)),
    ('a: int, b', ('invalid syntax', 1, 7, 1, 8)),
    ('(a): int = 1', None),
    ('(a, b): int', ('only single target (not tuple) can be annotated', 1, 1, 1, 7)),
    ('def f(x) -> (yield): pass', ("'yield' outside function", 1, 14, 1, 19)),
    ('class A((yield)): pass', ("'yield' outside function", 1, 10, 1, 15)),
    ('@(yield)\ndef f(): pass', ("'yield' outside function", 1, 3, 1, 8)),
    ('async def f():\n def g(): await x', ("'await' outside async function", 2, 11, 2, 18)),
    ('async def f():\n lambda: await x', ("'await' outside async function", 2, 10, 2, 17)),
    ('async def f():\n lambda: [x async for x in y]',
     ('asynchronous comprehension outside of an asynchronous function', 2, 10, 2, 30)),
    ('def f():\n  [x for x in await y]', ("'await' outside async function", 2, 15, 2, 22)),
    ('import a.b as c\nimport *', ('invalid syntax', 2, 8, 2, 9)),
    ('def f():\n  import *', ('invalid syntax', 2, 10, 2, 11)),
    ('def f():\n class A:\n  from x import *',
     ('import * only allowed at module level', 3, 17, 3, 18)),
    ('x = 1 if 2 else *3', ('invalid syntax', 1, 17, 1, 18)),
    ('class C:\n def f(self): __class__ = 1; global __class__',
     ("name '__class__' is assigned to before global declaration", 2, 30, 2, 46)),
]


class CompileErrorTest(unittest.TestCase):
    def test_errors(self):
        for source, expected in CASES:
            with self.subTest(source=source), warnings.catch_warnings():
                warnings.simplefilter('ignore')
                try:
                    compile(source, '<test>', 'exec', dont_inherit=True)
                except SyntaxError as e:
                    got = (e.msg, e.lineno, e.offset, e.end_lineno, e.end_offset)
                else:
                    got = None
                self.assertEqual(got, expected)

    def test_warnings(self):
        for source, message in (
                ('assert (1, "x")', 'assertion is always true, '
                                    'perhaps remove parentheses?'),
                ('x is 5', '"is" with a literal. Did you mean "=="?'),
                ('x is not ()', '"is not" with a literal. Did you mean "!="?'),
                ('[1, 2] [3, 4]', 'list indices must be integers or slices, not '
                                  'tuple; perhaps you missed a comma?'),
                ('1 (2)', "'int' object is not callable; "
                          "perhaps you missed a comma?"),
                ('{1} [2]', "'set' object is not subscriptable; "
                            "perhaps you missed a comma?")):
            with self.subTest(source=source):
                with self.assertWarns(SyntaxWarning) as caught:
                    compile(source, '<test>', 'exec')
                self.assertEqual(str(caught.warning), message)
                with warnings.catch_warnings():
                    warnings.simplefilter('error', SyntaxWarning)
                    with self.assertRaises(SyntaxError) as raised:
                        compile(source, '<test>', 'exec')
                self.assertEqual(raised.exception.msg, message)

    def test_nesting_that_the_recursion_limit_allows(self):
        for source in ('lambda: ' * 2900 + '1', '1 if a else ' * 2900 + '2', 'not ' * 2900 + 'a',
                       'lambda x=' * 700 + '1' + ': 1' * 700):
            with self.subTest(source=source[:20]):
                tree = compile(source, '<test>', 'eval', ast.PyCF_ONLY_AST)
                self.assertIsInstance(tree, ast.Expression)
                compile(source, '<test>', 'eval')
                self.assertRaisesRegex(RecursionError, "while traversing '(expr|arg|arguments)' node",
                                       compile, tree, '<test>', 'eval')
        for source in ('lambda: ' * 2970 + '1', '1 if a else ' * 5900 + '2', 'not ' * 5900 + 'a'):
            with self.subTest(source=source[:20]):
                self.assertRaisesRegex(RecursionError, 'during compilation$',
                                       compile, source, '<test>', 'eval')
                self.assertRaisesRegex(RecursionError, 'during ast construction$',
                                       compile, source, '<test>', 'eval', ast.PyCF_ONLY_AST)
        for source in ('lambda: ' * 3000 + '1', 'lambda x=' * 800 + '1' + ': 1' * 800,
                       '1 if a else ' * 6000 + '2'):
            with self.subTest(source=source[:20]):
                self.assertRaises(MemoryError, compile, source, '<test>', 'eval')
        self.assertRaisesRegex(SyntaxError, '^invalid syntax ', compile, 'a if b else ' * 5900,
                               '<test>', 'eval')
        self.assertRaises(MemoryError, compile, 'if a: pass\n' + 'elif a: pass\n' * 6000,
                          '<test>', 'exec')

    def test_levels_of_a_tree(self):
        """An elif is one level of the recursion limit, as any statement in a list."""
        tree = ast.parse('if a: pass\n' + 'elif a: pass\n' * (sys.getrecursionlimit() - 150))
        compile(tree, '<test>', 'exec')

    def test_deep_trees_with_any_recursion_limit(self):
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(10**6)
        self.addCleanup(sys.setrecursionlimit, limit)
        for source in ('a+' * 200000 + 'a', 'a' + '.b' * 200000, 'not ' * 5900 + 'a'):
            for flags in (0, ast.PyCF_ONLY_AST):
                with self.subTest(source=source[:20], flags=flags):
                    try:
                        compile(source, '<test>', 'eval', flags)
                    except (RecursionError, MemoryError):
                        pass        # as the C stack has it

    def test_deep_nesting_is_a_recursion_error(self):
        for source in ('x = ' + 'a' + '()' * 20000, 'x = ' + 'a' + '.b' * 20000,
                       'x = ' + '-' * 20000 + 'a', 'x = ' + 'a+' * 20000 + 'a'):
            with self.subTest(source=source[:20]):
                self.assertRaises((RecursionError, MemoryError), compile, source,
                                  '<test>', 'exec')


if __name__ == '__main__':
    unittest.main()
