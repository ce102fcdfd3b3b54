"""Wrong programs and what users are told about them: the exception, its message, and
the range that the carets mark. The expectations were recorded with CPython 3.11."""

import ast
import os
import subprocess
import sys
import tempfile
import unittest
import warnings

PORTABLE = "texts"

# (source, exception, message, line, column, shown text, end line, end column)
CASES = [
    ('class A x:\n pass', 'SyntaxError', 'invalid syntax', 1, 9, 'class A x:\n', 1, 10),
    ('class A:\npass',
     'IndentationError', 'expected an indented block after class definition on line 1',
     2, 1, 'pass\n', 2, 5),
    ('def f() x:\n pass', 'SyntaxError', "expected ':'", 1, 9, 'def f() x:\n', 1, 10),
    ('def f:\n pass', 'SyntaxError', "expected '('", 1, 6, 'def f:\n', 1, 7),
    ('def f()', 'SyntaxError', "expected ':'", 1, 8, 'def f()\n', 1, 8),
    ('for x in y z:\n pass', 'SyntaxError', 'invalid syntax', 1, 12, 'for x in y z:\n', 1, 13),
    ('for x in y\n pass', 'SyntaxError', "expected ':'", 1, 11, 'for x in y\n', 1, 11),
    ('while x y: pass', 'SyntaxError', 'invalid syntax', 1, 9, 'while x y: pass\n', 1, 10),
    ('while x\n pass', 'SyntaxError', "expected ':'", 1, 8, 'while x\n', 1, 8),
    ('else: 1', 'SyntaxError', 'invalid syntax', 1, 1, 'else: 1\n', 1, 5),
    ('if x:\n pass\nelse x: pass', 'SyntaxError', "expected ':'", 3, 6, 'else x: pass\n', 3, 7),
    ('if x: pass\nelse\n pass', 'SyntaxError', "expected ':'", 2, 5, 'else\n', 2, 5),
    ('try x: pass', 'SyntaxError', "expected ':'", 1, 5, 'try x: pass\n', 1, 6),
    ('try\n pass', 'SyntaxError', "expected ':'", 1, 4, 'try\n', 1, 4),
    ('try: pass\nfinally x: pass',
     'SyntaxError', "expected ':'",
     2, 9, 'finally x: pass\n', 2, 10),
    ('try: pass\nfinally\n pass', 'SyntaxError', "expected ':'", 2, 8, 'finally\n', 2, 8),
    ('lambda x y: 1', 'SyntaxError', 'invalid syntax', 1, 10, 'lambda x y: 1\n', 1, 11),
    ('lambda x\n', 'SyntaxError', 'invalid syntax', 1, 9, 'lambda x\n', 1, 9),
    ('try: pass\nexcept x y: pass',
     'SyntaxError', 'invalid syntax',
     2, 10, 'except x y: pass\n', 2, 11),
    ('try: pass\nexcept x\n pass', 'SyntaxError', "expected ':'", 2, 9, 'except x\n', 2, 9),
    ('with x y: pass', 'SyntaxError', 'invalid syntax', 1, 8, 'with x y: pass\n', 1, 9),
    ('with x\n pass', 'SyntaxError', "expected ':'", 1, 7, 'with x\n', 1, 7),
    ('with (x)\n pass', 'SyntaxError', "expected ':'", 1, 9, 'with (x)\n', 1, 9),
    ('if x y: pass', 'SyntaxError', 'invalid syntax', 1, 6, 'if x y: pass\n', 1, 7),
    ('match x:\n case 1 2: pass',
     'SyntaxError', 'invalid syntax',
     2, 9, ' case 1 2: pass\n', 2, 10),
    ('match x:\n case 1\n  pass', 'SyntaxError', "expected ':'", 2, 8, ' case 1\n', 2, 8),
    ('match x\n case 1: pass', 'SyntaxError', "expected ':'", 1, 8, 'match x\n', 1, 8),
    ('match x:\n pass', 'SyntaxError', 'invalid syntax', 2, 2, ' pass\n', 2, 6),
    ('match x:\ncase 1: pass',
     'IndentationError', "expected an indented block after 'match' statement on line 1",
     2, 1, 'case 1: pass\n', 2, 5),
    ('for x\n', 'SyntaxError', 'invalid syntax', 1, 6, 'for x\n', 1, 6),
    ('for x y', 'SyntaxError', 'invalid syntax', 1, 7, 'for x y\n', 1, 8),
    ('class 1', 'SyntaxError', 'invalid syntax', 1, 7, 'class 1\n', 1, 8),
    ('def 1', 'SyntaxError', 'invalid syntax', 1, 5, 'def 1\n', 1, 6),
    ('async x', 'SyntaxError', 'invalid syntax', 1, 7, 'async x\n', 1, 8),
    ('async def f() x: pass',
     'SyntaxError', "expected ':'",
     1, 15, 'async def f() x: pass\n', 1, 16),
    ('async with x\n pass', 'SyntaxError', "expected ':'", 1, 13, 'async with x\n', 1, 13),
    ('if 1:\n    a\n  b\n',
     'IndentationError', 'unindent does not match any outer indentation level',
     3, 4, '  b\n', 3, -1),
    ('  a', 'IndentationError', 'unexpected indent', 1, 2, '  a\n', 1, -1),
    ('if 1:\n a\n\tb\n',
     'TabError', 'inconsistent use of tabs and spaces in indentation',
     3, 1, '\tb\n', 3, 0),
    ('a = 1 + \\\n  b c\n', 'SyntaxError', 'invalid syntax', 2, 5, 'a = 1 + \\\n  b c\n', 2, 6),
    ('a \\ b',
     'SyntaxError', 'unexpected character after line continuation character',
     1, 4, 'a \\ b\n', 1, 0),
    ('a \\', 'SyntaxError', 'unexpected EOF while parsing', 1, 4, 'a \\\n', 1, -1),
    ('x = (1,\n 2\n', 'SyntaxError', "'(' was never closed", 1, 5, 'x = (1,', 1, 0),
    ('x = (1 2)',
     'SyntaxError', 'invalid syntax. Perhaps you forgot a comma?',
     1, 6, 'x = (1 2)\n', 1, 9),
    ('(1,\n(2 3\n', 'SyntaxError', "'(' was never closed", 2, 1, '(2 3\n', 2, 0),
    ('x = [1,\n2\nfoo bar baz', 'SyntaxError', "'[' was never closed", 1, 5, 'x = [1,', 1, 0),
    ("'abc",
     'SyntaxError', 'unterminated string literal (detected at line 1)',
     1, 1, "'abc", 1, 1),
    ("'''abc\n\n",
     'SyntaxError', 'unterminated triple-quoted string literal (detected at line 2)',
     1, 1, "'''abc", 1, 1),
    ("f'{a b}'",
     'SyntaxError', 'f-string: invalid syntax. Perhaps you forgot a comma?',
     1, 2, '(a b)\n', 1, 5),
    ("f'{a",
     'SyntaxError', 'unterminated string literal (detected at line 1)',
     1, 1, "f'{a", 1, 1),
    ("f'{}'", 'SyntaxError', 'f-string: empty expression not allowed', 1, 6, "f'{}'\n", 1, 6),
    ("f'{a!x}'",
     'SyntaxError', "f-string: invalid conversion character: expected 's', 'r', or 'a'",
     1, 9, "f'{a!x}'\n", 1, 9),
    ("f'{a:{b:{c}}}'",
     'SyntaxError', 'f-string: expressions nested too deeply',
     1, 15, "f'{a:{b:{c}}}'\n", 1, 15),
    ("f'}'", 'SyntaxError', "f-string: single '}' is not allowed", 1, 5, "f'}'\n", 1, 5),
    ("f'{\\n}'",
     'SyntaxError', 'f-string expression part cannot include a backslash',
     1, 8, "f'{\\n}'\n", 1, 8),
    ("f'{#}'",
     'SyntaxError', "f-string expression part cannot include '#'",
     1, 7, "f'{#}'\n", 1, 7),
    ("f'{lambda x:1}'", 'SyntaxError', 'f-string: invalid syntax', 1, 10, '(lambda x)\n', 1, 11),
    ('x = 1__0', 'SyntaxError', 'invalid decimal literal', 1, 6, 'x = 1__0', 1, 6),
    ('0777',
     'SyntaxError', 'leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers',
     1, 1, '0777', 1, 2),
    ('0x', 'SyntaxError', 'invalid hexadecimal literal', 1, 2, '0x', 1, 2),
    ('0xg', 'SyntaxError', 'invalid hexadecimal literal', 1, 2, '0xg', 1, 2),
    ('0b2', 'SyntaxError', "invalid digit '2' in binary literal", 1, 3, '0b2', 1, 3),
    ('0o8', 'SyntaxError', "invalid digit '8' in octal literal", 1, 3, '0o8', 1, 3),
    ('1e', 'SyntaxError', 'invalid decimal literal', 1, 1, '1e', 1, 1),
    ('1_', 'SyntaxError', 'invalid decimal literal', 1, 2, '1_', 1, 2),
    ('1abc', 'SyntaxError', 'invalid decimal literal', 1, 1, '1abc', 1, 1),
    ('1.5abc', 'SyntaxError', 'invalid decimal literal', 1, 3, '1.5abc', 1, 3),
    ('1jx', 'SyntaxError', 'invalid imaginary literal', 1, 2, '1jx', 1, 2),
    ('0_7',
     'SyntaxError', 'leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers',
     1, 1, '0_7', 1, 3),
    ('a$b', 'SyntaxError', 'invalid syntax', 1, 2, 'a$b\n', 1, 3),
    ('a?', 'SyntaxError', 'invalid syntax', 1, 2, 'a?\n', 1, 3),
    ('a!b', 'SyntaxError', 'invalid syntax', 1, 2, 'a!b\n', 1, 3),
    ('\u20ac', 'SyntaxError', "invalid character '\u20ac' (U+20AC)", 1, 1, '\u20ac', 1, 1),
    ('a\xa0b', 'SyntaxError', 'invalid non-printable character U+00A0', 1, 2, 'a\xa0b', 1, 2),
    ('\xe9\u20ac', 'SyntaxError', "invalid character '\u20ac' (U+20AC)", 1, 2, '\xe9\u20ac', 1, 2),
    ('a b', 'SyntaxError', 'invalid syntax', 1, 3, 'a b\n', 1, 4),
    ('print 1',
     'SyntaxError', "Missing parentheses in call to 'print'. Did you mean print(...)?",
     1, 1, 'print 1\n', 1, 8),
    ("exec 'a'",
     'SyntaxError', "Missing parentheses in call to 'exec'. Did you mean exec(...)?",
     1, 1, "exec 'a'\n", 1, 9),
    ('del f()', 'SyntaxError', 'cannot delete function call', 1, 5, 'del f()\n', 1, 8),
    ('del (a, b())', 'SyntaxError', 'cannot delete function call', 1, 9, 'del (a, b())\n', 1, 12),
    ('f() = 1',
     'SyntaxError', "cannot assign to function call here. Maybe you meant '==' instead of '='?",
     1, 1, 'f() = 1\n', 1, 4),
    ('f() += 1',
     'SyntaxError', "'function call' is an illegal expression for augmented assignment",
     1, 1, 'f() += 1\n', 1, 4),
    ('a, b += 1',
     'SyntaxError', "'tuple' is an illegal expression for augmented assignment",
     1, 1, 'a, b += 1\n', 1, 5),
    ('(a,b): int',
     'SyntaxError', 'only single target (not tuple) can be annotated',
     1, 1, '(a,b): int\n', 1, 6),
    ('[a]: int',
     'SyntaxError', 'only single target (not list) can be annotated',
     1, 1, '[a]: int\n', 1, 4),
    ('f(): int', 'SyntaxError', 'illegal target for annotation', 1, 1, 'f(): int\n', 1, 4),
    ('x = yield = 1',
     'SyntaxError', 'assignment to yield expression not possible',
     1, 5, 'x = yield = 1\n', 1, 10),
    ('None = 1', 'SyntaxError', 'cannot assign to None', 1, 1, 'None = 1\n', 1, 5),
    ('f(a=1, b)',
     'SyntaxError', 'positional argument follows keyword argument',
     1, 9, 'f(a=1, b)\n', 1, 10),
    ('f(**a, b)',
     'SyntaxError', 'positional argument follows keyword argument unpacking',
     1, 9, 'f(**a, b)\n', 1, 10),
    ('f(**a, *b)',
     'SyntaxError', 'iterable argument unpacking follows keyword argument unpacking',
     1, 3, 'f(**a, *b)\n', 1, 6),
    ('f(x for x in y, 1)',
     'SyntaxError', 'Generator expression must be parenthesized',
     1, 3, 'f(x for x in y, 1)\n', 1, 15),
    ('f(1, x for x in y)',
     'SyntaxError', 'Generator expression must be parenthesized',
     1, 6, 'f(1, x for x in y)\n', 1, 18),
    ('f(a b)',
     'SyntaxError', 'invalid syntax. Perhaps you forgot a comma?',
     1, 3, 'f(a b)\n', 1, 6),
    ('f(True=1)', 'SyntaxError', 'cannot assign to True', 1, 3, 'f(True=1)\n', 1, 8),
    ('f(a.b=1)',
     'SyntaxError', 'expression cannot contain assignment, perhaps you meant "=="?',
     1, 3, 'f(a.b=1)\n', 1, 7),
    ('f(a=b for a in c)',
     'SyntaxError', "invalid syntax. Maybe you meant '==' or ':=' instead of '='?",
     1, 3, 'f(a=b for a in c)\n', 1, 5),
    ('(a=1)',
     'SyntaxError', "invalid syntax. Maybe you meant '==' or ':=' instead of '='?",
     1, 2, '(a=1)\n', 1, 5),
    ('if a = 1: pass',
     'SyntaxError', "invalid syntax. Maybe you meant '==' or ':=' instead of '='?",
     1, 4, 'if a = 1: pass\n', 1, 9),
    ('if a.b = 1: pass',
     'SyntaxError', "cannot assign to attribute here. Maybe you meant '==' instead of '='?",
     1, 4, 'if a.b = 1: pass\n', 1, 7),
    ('while a() = 1: pass',
     'SyntaxError', "cannot assign to function call here. Maybe you meant '==' instead of '='?",
     1, 7, 'while a() = 1: pass\n', 1, 10),
    ('[x, y for x in z]',
     'SyntaxError', 'did you forget parentheses around the comprehension target?',
     1, 2, '[x, y for x in z]\n', 1, 6),
    ('[*a for a in b]',
     'SyntaxError', 'iterable unpacking cannot be used in comprehension',
     1, 2, '[*a for a in b]\n', 1, 4),
    ('{**a for a in b}',
     'SyntaxError', 'dict unpacking cannot be used in dict comprehension',
     1, 2, '{**a for a in b}\n', 1, 4),
    ('{a:*b}',
     'SyntaxError', 'cannot use a starred expression in a dictionary value',
     1, 4, '{a:*b}\n', 1, 6),
    ('{a:}',
     'SyntaxError', "expression expected after dictionary key and ':'",
     1, 3, '{a:}\n', 1, 4),
    ('{a b}', 'SyntaxError', 'invalid syntax. Perhaps you forgot a comma?', 1, 2, '{a b}\n', 1, 5),
    ('{a:1, b}', 'SyntaxError', "':' expected after dictionary key", 1, 7, '{a:1, b}\n', 1, 0),
    ('{1:2, 3:4 5:6}',
     'SyntaxError', 'invalid syntax. Perhaps you forgot a comma?',
     1, 9, '{1:2, 3:4 5:6}\n', 1, 12),
    ('(*a)', 'SyntaxError', 'cannot use starred expression here', 1, 2, '(*a)\n', 1, 4),
    ('(**a)', 'SyntaxError', 'cannot use double starred expression here', 1, 2, '(**a)\n', 1, 4),
    ('import a from b', 'SyntaxError', 'invalid syntax', 1, 10, 'import a from b\n', 1, 14),
    ('from a import b,',
     'SyntaxError', 'trailing comma not allowed without surrounding parentheses',
     1, 17, 'from a import b,\n', 1, 17),
    ('from a import *, b', 'SyntaxError', 'invalid syntax', 1, 16, 'from a import *, b\n', 1, 17),
    ('import a.b as c.d', 'SyntaxError', 'invalid syntax', 1, 16, 'import a.b as c.d\n', 1, 17),
    ('try: pass\n',
     'SyntaxError', "expected 'except' or 'finally' block",
     1, 10, 'try: pass\n', 1, -1),
    ('try:\n pass\nx=1',
     'SyntaxError', "expected 'except' or 'finally' block",
     3, 1, 'x=1\n', 3, 2),
    ('try: pass\nexcept a, b: pass',
     'SyntaxError', 'multiple exception types must be parenthesized',
     2, 8, 'except a, b: pass\n', 2, 12),
    ('try: pass\nexcept* : pass',
     'SyntaxError', 'expected one or more exception types',
     2, 9, 'except* : pass\n', 2, 10),
    ('try: pass\nexcept*\n',
     'SyntaxError', 'expected one or more exception types',
     2, 8, 'except*\n', 2, 8),
    ('try:\n pass\nexcept a:\n pass\nexcept* b:\n pass\n',
     'SyntaxError', "cannot have both 'except' and 'except*' on the same 'try'",
     5, 1, 'except* b:\n', 5, 8),
    ('with open(x) as f(): pass',
     'SyntaxError', 'cannot assign to function call',
     1, 17, 'with open(x) as f(): pass\n', 1, 20),
    ('for f() in x: pass',
     'SyntaxError', 'cannot assign to function call',
     1, 5, 'for f() in x: pass\n', 1, 8),
    ('[x for f() in y]',
     'SyntaxError', 'cannot assign to function call',
     1, 8, '[x for f() in y]\n', 1, 11),
    ('def f(a=1, b): pass',
     'SyntaxError', 'non-default argument follows default argument',
     1, 12, 'def f(a=1, b): pass\n', 1, 13),
    ('def f((a,b)): pass',
     'SyntaxError', 'Function parameters cannot be parenthesized',
     1, 7, 'def f((a,b)): pass\n', 1, 12),
    ('def f(*): pass',
     'SyntaxError', 'named arguments must follow bare *',
     1, 7, 'def f(*): pass\n', 1, 8),
    ('def f(*, **k): pass',
     'SyntaxError', 'named arguments must follow bare *',
     1, 7, 'def f(*, **k): pass\n', 1, 8),
    ('def f(/): pass', 'SyntaxError', 'invalid syntax', 1, 7, 'def f(/): pass\n', 1, 8),
    ('def f(a, /, b, /): pass',
     'SyntaxError', '/ may appear only once',
     1, 16, 'def f(a, /, b, /): pass\n', 1, 17),
    ('def f(*a, *b): pass',
     'SyntaxError', '* argument may appear only once',
     1, 11, 'def f(*a, *b): pass\n', 1, 12),
    ('def f(*a, /): pass',
     'SyntaxError', '/ must be ahead of *',
     1, 11, 'def f(*a, /): pass\n', 1, 12),
    ('def f(*a=1): pass',
     'SyntaxError', 'var-positional argument cannot have default value',
     1, 9, 'def f(*a=1): pass\n', 1, 10),
    ('def f(**k=1): pass',
     'SyntaxError', 'var-keyword argument cannot have default value',
     1, 10, 'def f(**k=1): pass\n', 1, 11),
    ('def f(**k, a): pass',
     'SyntaxError', 'arguments cannot follow var-keyword argument',
     1, 12, 'def f(**k, a): pass\n', 1, 13),
    ('def f(a=): pass',
     'SyntaxError', 'expected default value expression',
     1, 8, 'def f(a=): pass\n', 1, 9),
    ('lambda *: 1',
     'SyntaxError', 'named arguments must follow bare *',
     1, 9, 'lambda *: 1\n', 1, 10),
    ('lambda (a): 1',
     'SyntaxError', 'Lambda expression parameters cannot be parenthesized',
     1, 8, 'lambda (a): 1\n', 1, 11),
    ('lambda a=1,b: 1',
     'SyntaxError', 'non-default argument follows default argument',
     1, 12, 'lambda a=1,b: 1\n', 1, 13),
    ('case x: pass', 'SyntaxError', 'invalid syntax', 1, 6, 'case x: pass\n', 1, 7),
    ('x if y', 'SyntaxError', "expected 'else' after 'if' expression", 1, 1, 'x if y\n', 1, 7),
    ('(x if y)', 'SyntaxError', "expected 'else' after 'if' expression", 1, 2, '(x if y)\n', 1, 8),
    ('a if b else', 'SyntaxError', 'invalid syntax', 1, 12, 'a if b else\n', 1, 12),
    ('a = b = c() = d',
     'SyntaxError', 'cannot assign to function call',
     1, 9, 'a = b = c() = d\n', 1, 12),
    ('assert a = 1', 'SyntaxError', 'invalid syntax', 1, 10, 'assert a = 1\n', 1, 11),
    ('global a.b', 'SyntaxError', 'invalid syntax', 1, 9, 'global a.b\n', 1, 10),
    ('a := 1', 'SyntaxError', 'invalid syntax', 1, 3, 'a := 1\n', 1, 5),
    ('(a.b := 1)',
     'SyntaxError', 'cannot use assignment expressions with attribute',
     1, 2, '(a.b := 1)\n', 1, 5),
    ('(a := 1 = 2)', 'SyntaxError', 'invalid syntax', 1, 9, '(a := 1 = 2)\n', 1, 10),
    ('if True:\n    x = 1\n     y = 2\n',
     'IndentationError', 'unexpected indent',
     3, 5, '     y = 2\n', 3, -1),
    ('if 1:',
     'IndentationError', "expected an indented block after 'if' statement on line 1",
     1, 6, 'if 1:\n', 1, -1),
    ('if 1:\n',
     'IndentationError', "expected an indented block after 'if' statement on line 1",
     1, 6, 'if 1:\n', 1, -1),
    ('while 1:\n\n',
     'IndentationError', "expected an indented block after 'while' statement on line 1",
     2, 1, '\n', 2, -1),
    ('class A:\n',
     'IndentationError', 'expected an indented block after class definition on line 1',
     1, 9, 'class A:\n', 1, -1),
    ('def f():\n',
     'IndentationError', 'expected an indented block after function definition on line 1',
     1, 9, 'def f():\n', 1, -1),
    ('for x in y:\n',
     'IndentationError', "expected an indented block after 'for' statement on line 1",
     1, 12, 'for x in y:\n', 1, -1),
    ('try:\n',
     'IndentationError', "expected an indented block after 'try' statement on line 1",
     1, 5, 'try:\n', 1, -1),
    ('try: pass\nexcept:\n',
     'IndentationError', "expected an indented block after 'except' statement on line 2",
     2, 8, 'except:\n', 2, -1),
    ('try: pass\nexcept* a:\n',
     'IndentationError', "expected an indented block after 'except*' statement on line 2",
     2, 11, 'except* a:\n', 2, -1),
    ('with a:\n',
     'IndentationError', "expected an indented block after 'with' statement on line 1",
     1, 8, 'with a:\n', 1, -1),
    ('match x:\n case 1:\n',
     'IndentationError', "expected an indented block after 'case' statement on line 2",
     2, 9, ' case 1:\n', 2, -1),
    ('a)', 'SyntaxError', "unmatched ')'", 1, 2, 'a)', 1, 2),
    ('(a]',
     'SyntaxError', "closing parenthesis ']' does not match opening parenthesis '('",
     1, 3, '(a]', 1, 3),
    ('(\na]',
     'SyntaxError', "closing parenthesis ']' does not match opening parenthesis '(' on line 1",
     2, 2, 'a]', 2, 2),
    ("a = 'x\n",
     'SyntaxError', 'unterminated string literal (detected at line 1)',
     1, 5, "a = 'x", 1, 5),
    ('\ta\n  b', 'IndentationError', 'unexpected indent', 1, 1, '\ta\n', 1, -1),
    ('not', 'SyntaxError', 'invalid syntax', 1, 4, 'not\n', 1, 4),
    ('1 not 2', 'SyntaxError', 'invalid syntax', 1, 7, '1 not 2\n', 1, 8),
    ('1 is', 'SyntaxError', 'invalid syntax', 1, 5, '1 is\n', 1, 5),
    ('a..b', 'SyntaxError', 'invalid syntax', 1, 3, 'a..b\n', 1, 4),
    ('a[', 'SyntaxError', "'[' was never closed", 1, 2, 'a[\n', 1, 0),
    ('a[]', 'SyntaxError', 'invalid syntax', 1, 3, 'a[]\n', 1, 4),
    ('{', 'SyntaxError', "'{' was never closed", 1, 1, '{\n', 1, 0),
    ('}', 'SyntaxError', "unmatched '}'", 1, 1, '}', 1, 1),
    ('f(', 'SyntaxError', "'(' was never closed", 1, 2, 'f(\n', 1, 0),
    ('f(,)', 'SyntaxError', 'invalid syntax', 1, 3, 'f(,)\n', 1, 4),
    ('[,]', 'SyntaxError', 'invalid syntax', 1, 2, '[,]\n', 1, 3),
    ('x = ', 'SyntaxError', 'invalid syntax', 1, 5, 'x = \n', 1, 5),
    ('x ==', 'SyntaxError', 'invalid syntax', 1, 5, 'x ==\n', 1, 5),
    ('lambda', 'SyntaxError', 'invalid syntax', 1, 7, 'lambda\n', 1, 7),
    ('@', 'SyntaxError', 'invalid syntax', 1, 2, '@\n', 1, 2),
    ('@a', 'SyntaxError', 'invalid syntax', 1, 0, '@a\n', 1, 0),
    ('@a\nx', 'SyntaxError', 'invalid syntax', 2, 1, 'x\n', 2, 2),
    ('async', 'SyntaxError', 'invalid syntax', 1, 6, 'async\n', 1, 6),
    ('await', 'SyntaxError', 'invalid syntax', 1, 6, 'await\n', 1, 6),
    ('a, = ', 'SyntaxError', 'invalid syntax', 1, 6, 'a, = \n', 1, 6),
    ('print(*a b)',
     'SyntaxError', 'invalid syntax. Perhaps you forgot a comma?',
     1, 8, 'print(*a b)\n', 1, 11),
    ('(a for a in b c)', 'SyntaxError', 'invalid syntax', 1, 15, '(a for a in b c)\n', 1, 16),
    ('[a for a b]',
     'SyntaxError', 'invalid syntax. Perhaps you forgot a comma?',
     1, 8, '[a for a b]\n', 1, 11),
    ('[a for]', 'SyntaxError', 'invalid syntax', 1, 7, '[a for]\n', 1, 8),
    ('a if b else c = 1',
     'SyntaxError', 'cannot assign to conditional expression',
     1, 1, 'a if b else c = 1\n', 1, 14),
    ('-a = 1',
     'SyntaxError', "cannot assign to expression here. Maybe you meant '==' instead of '='?",
     1, 1, '-a = 1\n', 1, 3),
    ('a < b = 1', 'SyntaxError', 'cannot assign to comparison', 1, 1, 'a < b = 1\n', 1, 6),
    ('a and b = 1', 'SyntaxError', 'cannot assign to expression', 1, 1, 'a and b = 1\n', 1, 8),
    ("'a' = 1",
     'SyntaxError', "cannot assign to literal here. Maybe you meant '==' instead of '='?",
     1, 1, "'a' = 1\n", 1, 4),
    ("f'{a}' = 1",
     'SyntaxError', "cannot assign to f-string expression here. Maybe you meant '==' instead of '='?",
     1, 1, "f'{a}' = 1\n", 1, 7),
    ('... = 1',
     'SyntaxError', "cannot assign to ellipsis here. Maybe you meant '==' instead of '='?",
     1, 1, '... = 1\n', 1, 4),
    ('{} = 1',
     'SyntaxError', "cannot assign to dict literal here. Maybe you meant '==' instead of '='?",
     1, 1, '{} = 1\n', 1, 3),
    ('(yield) = 1',
     'SyntaxError', "cannot assign to yield expression here. Maybe you meant '==' instead of '='?",
     1, 2, '(yield) = 1\n', 1, 7),
    ('(a, 1) = 1', 'SyntaxError', 'cannot assign to literal', 1, 5, '(a, 1) = 1\n', 1, 6),
    ('[a, f()] = 1',
     'SyntaxError', 'cannot assign to function call',
     1, 5, '[a, f()] = 1\n', 1, 8),
    ('*a, 1 = 1',
     'SyntaxError', "cannot assign to literal here. Maybe you meant '==' instead of '='?",
     1, 5, '*a, 1 = 1\n', 1, 6),
    ('x: int: 1', 'SyntaxError', 'invalid syntax', 1, 7, 'x: int: 1\n', 1, 8),
    ('pass = 1', 'SyntaxError', 'invalid syntax', 1, 6, 'pass = 1\n', 1, 7),
    ('import', 'SyntaxError', 'invalid syntax', 1, 7, 'import\n', 1, 7),
    ('from', 'SyntaxError', 'invalid syntax', 1, 5, 'from\n', 1, 5),
    ('from . import', 'SyntaxError', 'invalid syntax', 1, 14, 'from . import\n', 1, 14),
    ('from a', 'SyntaxError', 'invalid syntax', 1, 7, 'from a\n', 1, 7),
    ('raise a from', 'SyntaxError', 'invalid syntax', 1, 13, 'raise a from\n', 1, 13),
    ('del', 'SyntaxError', 'invalid syntax', 1, 4, 'del\n', 1, 4),
    ('del a,,', 'SyntaxError', 'invalid syntax', 1, 7, 'del a,,\n', 1, 8),
    ('global', 'SyntaxError', 'invalid syntax', 1, 7, 'global\n', 1, 7),
    ('nonlocal 1', 'SyntaxError', 'invalid syntax', 1, 10, 'nonlocal 1\n', 1, 11),
    ('break 1', 'SyntaxError', 'invalid syntax', 1, 7, 'break 1\n', 1, 8),
    ('if', 'SyntaxError', 'invalid syntax', 1, 3, 'if\n', 1, 3),
    ('elif', 'SyntaxError', 'invalid syntax', 1, 1, 'elif\n', 1, 5),
    ('else', 'SyntaxError', 'invalid syntax', 1, 1, 'else\n', 1, 5),
    ('a else b', 'SyntaxError', 'invalid syntax', 1, 3, 'a else b\n', 1, 7),
    ('class C(x for x in y): pass',
     'SyntaxError', 'invalid syntax',
     1, 11, 'class C(x for x in y): pass\n', 1, 14),
    ('a = 1 if 2 else', 'SyntaxError', 'invalid syntax', 1, 16, 'a = 1 if 2 else\n', 1, 16),
    ('with a as 1: pass',
     'SyntaxError', 'cannot assign to literal',
     1, 11, 'with a as 1: pass\n', 1, 12),
    ('with (a as b c): pass',
     'SyntaxError', 'invalid syntax. Perhaps you forgot a comma?',
     1, 12, 'with (a as b c): pass\n', 1, 15),
    ('with (a as b, c as 1): pass',
     'SyntaxError', 'cannot assign to literal',
     1, 20, 'with (a as b, c as 1): pass\n', 1, 21),
    ('match x:\n case a as _: pass\n',
     'SyntaxError', "cannot use '_' as a target",
     2, 12, ' case a as _: pass\n', 2, 13),
    ('match x:\n case a as b.c: pass\n',
     'SyntaxError', 'invalid syntax',
     2, 13, ' case a as b.c: pass\n', 2, 14),
    ('match x:\n case A(a=1, b): pass\n',
     'SyntaxError', 'positional patterns follow keyword patterns',
     2, 14, ' case A(a=1, b): pass\n', 2, 15),
    ("match x:\n case {**a, 'b':1}: pass\n",
     'SyntaxError', 'invalid syntax',
     2, 13, " case {**a, 'b':1}: pass\n", 2, 16),
    ('match x:\n case 1+2: pass\n',
     'SyntaxError', 'imaginary number required in complex literal',
     2, 9, ' case 1+2: pass\n', 2, 10),
    ('match x:\n case -a: pass\n',
     'SyntaxError', 'invalid syntax',
     2, 8, ' case -a: pass\n', 2, 9),
    ('print f(x)',
     'SyntaxError', "Missing parentheses in call to 'print'. Did you mean print(...)?",
     1, 1, 'print f(x)\n', 1, 11),
    ('a.print b', 'SyntaxError', 'invalid syntax', 1, 9, 'a.print b\n', 1, 10),
    ('if x:\n  print 1\n',
     'SyntaxError', "Missing parentheses in call to 'print'. Did you mean print(...)?",
     2, 3, '  print 1\n', 2, 10),
    ("'\\x'",
     'SyntaxError', "(unicode error) 'unicodeescape' codec can't decode bytes in position 0-1: truncated \\xXX escape",
     1, 5, "'\\x'\n", 1, 5),
    ("'abc\u20ac\\x4'",
     'SyntaxError', "(unicode error) 'unicodeescape' codec can't decode bytes in position 13-15: truncated \\xXX escape",
     1, 10, "'abc\u20ac\\x4'\n", 1, 10),
    ("b'\\x1'",
     'SyntaxError', '(value error) invalid \\x escape at position 0',
     1, 7, "b'\\x1'\n", 1, 7),
    ("x='\\N{foo}'",
     'SyntaxError', "(unicode error) 'unicodeescape' codec can't decode bytes in position 0-6: unknown Unicode character name",
     1, 12, "x='\\N{foo}'\n", 1, 12),
    ("'\\U12345678'",
     'SyntaxError', "(unicode error) 'unicodeescape' codec can't decode bytes in position 0-9: illegal Unicode character",
     1, 13, "'\\U12345678'\n", 1, 13),
    ("b'\xe9'",
     'SyntaxError', 'bytes can only contain ASCII literal characters',
     1, 5, "b'\xe9'\n", 1, 5),
    ("b'a' 'b'",
     'SyntaxError', 'cannot mix bytes and nonbytes literals',
     1, 9, "b'a' 'b'\n", 1, 9),
    ("f'{ !r}'",
     'SyntaxError', "f-string: expression required before '!'",
     1, 9, "f'{ !r}'\n", 1, 9),
    ("f'{ :x}'",
     'SyntaxError', "f-string: expression required before ':'",
     1, 9, "f'{ :x}'\n", 1, 9),
    ("f'{=}'", 'SyntaxError', "f-string: expression required before '='", 1, 7, "f'{=}'\n", 1, 7),
    ("f'{a!}'",
     'SyntaxError', "f-string: invalid conversion character: expected 's', 'r', or 'a'",
     1, 8, "f'{a!}'\n", 1, 8),
    ("f'{a!r'", 'SyntaxError', "f-string: expecting '}'", 1, 8, "f'{a!r'\n", 1, 8),
    ("f'{a!r:'", 'SyntaxError', "f-string: expecting '}'", 1, 9, "f'{a!r:'\n", 1, 9),
    ("f'{a:'", 'SyntaxError', "f-string: expecting '}'", 1, 7, "f'{a:'\n", 1, 7),
    ("f'{a:x'", 'SyntaxError', "f-string: expecting '}'", 1, 8, "f'{a:x'\n", 1, 8),
    ("f'{(}'",
     'SyntaxError', "f-string: closing parenthesis '}' does not match opening parenthesis '('",
     1, 7, "f'{(}'\n", 1, 7),
    ("f'{)}'", 'SyntaxError', "f-string: unmatched ')'", 1, 7, "f'{)}'\n", 1, 7),
    ("f'{a[}'",
     'SyntaxError', "f-string: closing parenthesis '}' does not match opening parenthesis '['",
     1, 8, "f'{a[}'\n", 1, 8),
    ('f"{\'}"', 'SyntaxError', 'f-string: unterminated string', 1, 7, 'f"{\'}"\n', 1, 7),
    ("f'''{\na b}'''",
     'SyntaxError', 'f-string: invalid syntax. Perhaps you forgot a comma?',
     2, 1, 'a b)\n', 2, 4),
    ("x = f'''abc\n   {a b}'''",
     'SyntaxError', 'f-string: invalid syntax. Perhaps you forgot a comma?',
     2, 2, '(a b)\n', 2, 5),
    ("f'{0777}'",
     'SyntaxError', 'leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers',
     1, 2, '(0777)', 1, 3),
    ("f'{1a}'", 'SyntaxError', 'invalid decimal literal', 1, 2, '(1a)', 1, 2),
    ("f'{a;b}'", 'SyntaxError', 'f-string: invalid syntax', 1, 3, '(a;b)\n', 1, 4),
    ("f'{*a}'",
     'SyntaxError', 'f-string: cannot use starred expression here',
     1, 2, '(*a)\n', 1, 4),
    ("f'{a=b}'", 'SyntaxError', "f-string: expecting '}'", 1, 9, "f'{a=b}'\n", 1, 9),
    ("f'{f()=1}'", 'SyntaxError', "f-string: expecting '}'", 1, 11, "f'{f()=1}'\n", 1, 11),
    ("f'{}{'", 'SyntaxError', 'f-string: empty expression not allowed', 1, 7, "f'{}{'\n", 1, 7),
    ("f'{a}{'", 'SyntaxError', "f-string: expecting '}'", 1, 8, "f'{a}{'\n", 1, 8),
    ("f'a }'", 'SyntaxError', "f-string: single '}' is not allowed", 1, 7, "f'a }'\n", 1, 7),
    ("f'{x:{y!q}}'",
     'SyntaxError', "f-string: invalid conversion character: expected 's', 'r', or 'a'",
     1, 13, "f'{x:{y!q}}'\n", 1, 13),
    ("f'{a!rr}'", 'SyntaxError', "f-string: expecting '}'", 1, 10, "f'{a!rr}'\n", 1, 10),
    ("f'{(a,b}'",
     'SyntaxError', "f-string: closing parenthesis '}' does not match opening parenthesis '('",
     1, 10, "f'{(a,b}'\n", 1, 10),
    ("f'{\u20ac}'", 'SyntaxError', "invalid character '\u20ac' (U+20AC)", 1, 2, '(\u20ac)', 1, 2),
    ("\xe9 = f'{a b}'",
     'SyntaxError', 'f-string: invalid syntax. Perhaps you forgot a comma?',
     1, 2, '(a b)\n', 1, 5),
    ('"\xe9" + f(a b)',
     'SyntaxError', 'invalid syntax. Perhaps you forgot a comma?',
     1, 9, '"\xe9" + f(a b)\n', 1, 12),
    ("x = '\xe9' $", 'SyntaxError', 'invalid syntax', 1, 9, "x = '\xe9' $\n", 1, 10),
    ("f'{a $ b}'", 'SyntaxError', 'f-string: invalid syntax', 1, 4, '(a $ b)\n', 1, 5),
    ("f'{'a'}'", 'SyntaxError', "f-string: expecting '}'", 1, 5, "f'{'a'}'\n", 1, 6),
    ("f'{a!s!r}'", 'SyntaxError', "f-string: expecting '}'", 1, 11, "f'{a!s!r}'\n", 1, 11),
    ("f'{lambda:1}'", 'SyntaxError', 'f-string: invalid syntax', 1, 8, '(lambda)\n', 1, 9),
    ('class A(a b): pass',
     'SyntaxError', 'invalid syntax. Perhaps you forgot a comma?',
     1, 9, 'class A(a b): pass\n', 1, 12),
    ('match x:\n case {1:a 2:b}: pass',
     'SyntaxError', 'invalid syntax',
     2, 12, ' case {1:a 2:b}: pass\n', 2, 13),
    ('match x:\n case A(b c): pass',
     'SyntaxError', 'invalid syntax',
     2, 11, ' case A(b c): pass\n', 2, 12),
    ('match x:\n case a|b as _: pass',
     'SyntaxError', "cannot use '_' as a target",
     2, 14, ' case a|b as _: pass\n', 2, 15),
    ('try:\n pass\nexcept*:\n pass',
     'SyntaxError', 'expected one or more exception types',
     3, 8, 'except*:\n', 3, 9),
    ('try:\n pass\nexcept* a:\n pass\nexcept b:\n pass',
     'SyntaxError', "cannot have both 'except' and 'except*' on the same 'try'",
     5, 1, 'except b:\n', 5, 7),
    ("{'a':1, 'b' c:2}",
     'SyntaxError', "':' expected after dictionary key",
     1, 11, "{'a':1, 'b' c:2}\n", 1, 0),
    ("{'a':1, b c:2}",
     'SyntaxError', "':' expected after dictionary key",
     1, 9, "{'a':1, b c:2}\n", 1, 0),
    ("{'a' c:2}",
     'SyntaxError', 'invalid syntax. Perhaps you forgot a comma?',
     1, 2, "{'a' c:2}\n", 1, 7),
    ('{1:1, 2 c:3}',
     'SyntaxError', "':' expected after dictionary key",
     1, 7, '{1:1, 2 c:3}\n', 1, 0),
    ('{b c:1}',
     'SyntaxError', 'invalid syntax. Perhaps you forgot a comma?',
     1, 2, '{b c:1}\n', 1, 5),
    ('{1:1, (b) c:1}',
     'SyntaxError', "':' expected after dictionary key",
     1, 8, '{1:1, (b) c:1}\n', 1, 0),
    ('{1:1, **b c}', 'SyntaxError', 'invalid syntax', 1, 11, '{1:1, **b c}\n', 1, 12),
    ('{1:1, f(a b):1}',
     'SyntaxError', "':' expected after dictionary key",
     1, 7, '{1:1, f(a b):1}\n', 1, 0),
    ('[1, b c]',
     'SyntaxError', 'invalid syntax. Perhaps you forgot a comma?',
     1, 5, '[1, b c]\n', 1, 8),
    ('{1:2, b if c}',
     'SyntaxError', "':' expected after dictionary key",
     1, 7, '{1:2, b if c}\n', 1, 0),
    ('f(c c)', 'SyntaxError', 'invalid syntax', 1, 5, 'f(c c)\n', 1, 6),
    ('f(a a)',
     'SyntaxError', 'invalid syntax. Perhaps you forgot a comma?',
     1, 3, 'f(a a)\n', 1, 6),
    ('f(match c, A)', 'SyntaxError', 'invalid syntax', 1, 9, 'f(match c, A)\n', 1, 10),
    ('opts, args args = getopt(x)',
     'SyntaxError', "invalid syntax. Maybe you meant '==' or ':=' instead of '='?",
     1, 12, 'opts, args args = getopt(x)\n', 1, 28),
    ('def f()-> : pass', 'SyntaxError', "expected ':'", 1, 8, 'def f()-> : pass\n', 1, 10),
    ('x[1]: y = % 1', 'SyntaxError', 'invalid syntax', 1, 11, 'x[1]: y = % 1\n', 1, 12),
]


class SyntaxErrorTest(unittest.TestCase):

    def test_message_and_range_of_each_wrong_program(self):
        for source, name, message, *place in CASES:
            with self.subTest(source=source), warnings.catch_warnings():
                warnings.simplefilter('ignore')
                with self.assertRaises(SyntaxError) as raised:
                    ast.parse(source, '<snippet>')
                error = raised.exception
                self.assertEqual(type(error).__name__, name)
                self.assertEqual(error.args, (message, ('<snippet>', *place)))


class EndOfFileTest(unittest.TestCase):
    def test_what_a_file_lacks_at_its_end_has_no_column(self):
        report = "import sys; sys.excepthook = lambda t, e, tb: print(e.args[1][1:4])"
        for text, expected in (
            ("def f():\n", (1, 0, "def f():\n")),
            ("if 1:", (1, 0, "if 1:")),
            ("try:\n  pass\n\n# c\n", (4, 0, "# c\n")),
            ("x = \\\n", (1, 6, "x = \\\n")),
            ("f(", (1, 2, "f(")),
        ):
            with self.subTest(text), tempfile.TemporaryDirectory() as folder:
                for name, content in ("sitecustomize.py", report), ("program.py", text):
                    with open(os.path.join(folder, name), "w") as f:
                        f.write(content)
                done = subprocess.run([sys.executable, os.path.join(folder, "program.py")],
                                      env={**os.environ, "PYTHONPATH": folder},
                                      capture_output=True, text=True, timeout=60)
                self.assertEqual(done.stdout, f"{expected}\n", done.stderr)


class IncompleteInputTest(unittest.TestCase):
    """codeop decides from these whether to read on."""

    def message(self, source, flags=0x4000 | 0x200):
        with self.assertRaises(SyntaxError) as raised:
            compile(source, '<snippet>', 'single', flags | ast.PyCF_ONLY_AST)
        return raised.exception.msg

    def test_open_block_bracket_and_string_are_incomplete(self):
        for source in ('if x:', 'def f():\n', '(1,\n', "'''text\n", 'x = 1 + \\\n'):
            with self.subTest(source=source):
                self.assertEqual(self.message(source), 'incomplete input')

    def test_wrong_input_is_not_incomplete(self):
        for source in ('a b\n', 'x = = 1\n', "'text\n", ')\n'):
            with self.subTest(source=source):
                self.assertNotEqual(self.message(source), 'incomplete input')


class DeepNestingTest(unittest.TestCase):

    def test_brackets_are_limited(self):
        with self.assertRaisesRegex(SyntaxError, 'too many nested parentheses'):
            ast.parse('(' * 201 + ')' * 201)

    def test_deep_operators_raise_instead_of_crashing(self):
        for source in ('-' * 100_000 + '1', 'not ' * 100_000 + '1',
                       'lambda: ' * 100_000 + '1', '1 if 1 else ' * 100_000 + '1'):
            with self.subTest(source=source[:12]):
                with self.assertRaises(MemoryError):
                    ast.parse(source)

    def test_wrong_nested_brackets_take_no_exponential_time(self):
        for source in ('{a b' * 60, '{1: 2, a b' * 60, '(a = 1 ' * 60, 'f(a=1, b ' * 60):
            with self.subTest(source=source[:12]):
                self.assertRaises(SyntaxError, ast.parse, source)


class NonAsciiNames(unittest.TestCase):
    def test_a_bad_character_behind_one_is_what_is_reported(self):
        for _ in range(2):
            with self.assertRaisesRegex(SyntaxError, r"invalid non-printable character U\+0011"):
                compile("\u05df\x11tE", "<test>", "exec")


class SourceEncodingTest(unittest.TestCase):

    def test_cookie_decides(self):
        tree = ast.parse(b'# coding: latin-1\nx = "\xe9"\n')
        self.assertEqual(tree.body[0].value.value, '\xe9')

    def test_byte_order_mark_and_other_cookie_disagree(self):
        with self.assertRaisesRegex(SyntaxError, 'encoding problem: iso-8859-1 with BOM'):
            ast.parse(b'\xef\xbb\xbf# coding: latin-1\n')

    def test_unknown_encoding(self):
        with self.assertRaisesRegex(SyntaxError, 'unknown encoding: foo'):
            ast.parse(b'# coding: foo\n')

    def test_identifiers_are_normalized(self):
        self.assertEqual(ast.parse('\ufb01 = 1').body[0].targets[0].id, 'fi')


class OldGrammarTest(unittest.TestCase):

    def test_async_and_await_were_names_before_3_7(self):
        source = 'async = 1\nawait = 2\nasync def f():\n    # type: () -> int\n' \
                 '    x = [a async for a in await b]\nasync += await\n'
        tree = ast.parse(source, feature_version=(3, 6))
        self.assertEqual([type(s).__name__ for s in tree.body],
                         ['Assign', 'Assign', 'AsyncFunctionDef', 'AugAssign'])
        self.assertRaises(SyntaxError, ast.parse, source, feature_version=(3, 7))

    def test_only_the_annotation_of_star_args_may_be_starred(self):
        for source in ('def f(*a: *b = (1,)): pass', 'def f(a: *b): pass',
                       'def f(*a: *b, *c): pass', 'def f(**k: *b): pass'):
            with self.assertRaises(SyntaxError, msg=source) as caught:
                ast.parse(source)
            self.assertEqual(caught.exception.msg, 'invalid syntax', source)
        with self.assertRaisesRegex(SyntaxError, 'var-positional argument cannot have'):
            ast.parse('def f(*a: b = 1): pass')


    def test_a_target_in_parentheses_is_annotated_as_a_whole(self):
        for target in '(o).x', '(o)[0]', '((o))[0]', '(o.a).x':
            with self.assertRaisesRegex(SyntaxError, 'illegal target for annotation', msg=target):
                ast.parse(target + ': int = 1')
        for target in '(o)', '((o).x)', '(f()).x', '(a + b)[0]', '(((o)).x)':
            self.assertIsInstance(ast.parse(target + ': int = 1').body[0], ast.AnnAssign)


class TreeObjectTest(unittest.TestCase):

    def test_default_attributes_and_positional_fields(self):
        node = ast.arg('a')
        self.assertEqual((node.arg, node.annotation, node.type_comment),
                         ('a', None, None))
        with self.assertRaisesRegex(TypeError, 'constructor takes at most 2 positional'):
            ast.keyword('a', 1, 2)
        with self.assertRaisesRegex(TypeError, "multiple values for argument 'arg'"):
            ast.keyword('a', arg='b')

    def test_compile_checks_trees(self):
        name = ast.Name('x', ast.Store(), lineno=1, col_offset=0)
        with self.assertRaisesRegex(ValueError, 'expression must have Load context'):
            compile(ast.Expression(name), '<tree>', 'eval')
        with self.assertRaisesRegex(TypeError, 'required field "lineno" missing from expr'):
            compile(ast.Expression(ast.Name('x', ast.Load())), '<tree>', 'eval')
        with self.assertRaisesRegex(TypeError, 'expected Module node, got Expression'):
            compile(ast.Expression(name), '<tree>', 'exec')


if __name__ == '__main__':
    unittest.main()
