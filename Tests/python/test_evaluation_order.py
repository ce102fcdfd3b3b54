"""What compiled code does where a register machine could get it wrong: operands
that change while an expression is evaluated, values that must survive, things
that must die in time, and ways out of nested blocks."""

import unittest
import weakref


class Log(list):
    def __call__(self, value):
        self.append(value)
        return value


class OperandsTest(unittest.TestCase):
    def test_left_operand_keeps_its_value_when_a_walrus_rebinds_it(self):
        a = 1
        self.assertEqual(a + (a := 10), 11)
        self.assertEqual(a, 10)

    def test_walrus_on_both_sides(self):
        self.assertEqual((x := 3) - (x := 1), 2)
        self.assertEqual(x, 1)

    def test_walrus_inside_subscript_and_call(self):
        d = {1: 'one', 2: 'two'}
        k = 1
        self.assertEqual([d[k], d[(k := 2)], k], ['one', 'two', 2])
        self.assertEqual((lambda *args: args)(k, (k := 5), k), (2, 5, 5))

    def test_walrus_in_comparison_chain(self):
        x = 5
        self.assertTrue(x < (x := 7) < 9)
        self.assertEqual(x, 7)

    def test_walrus_in_augmented_assignment(self):
        x = 1
        x += (x := 10)
        self.assertEqual(x, 11)

    def test_target_is_written_only_when_all_is_evaluated(self):
        def fail():
            raise KeyError
        x = 1
        with self.assertRaises(KeyError):
            x = x + fail()
        self.assertEqual(x, 1)
        with self.assertRaises(KeyError):
            x = 0 or fail()
        self.assertEqual(x, 1)
        with self.assertRaises(KeyError):
            x, y = 2, fail()
        self.assertEqual(x, 1)

    def test_subscript_assignment_evaluates_value_first(self):
        log = Log()
        box = {}
        log(box)[log('key')] = log('value')
        self.assertEqual(log[0], 'value')
        self.assertEqual(log[2], 'key')

    def test_augmented_subscript_evaluates_once(self):
        log = Log()
        box = [1, 2]
        log(box)[log(1)] += log(40)
        self.assertEqual(box, [1, 42])
        self.assertEqual(len(log), 3)

    def test_augmented_assignment_calls_inplace_slots(self):
        class N:
            def __iadd__(self, other):
                return ('iadd', other)
            def __add__(self, other):
                return ('add', other)
        n = m = N()
        n += 1
        self.assertEqual(n, ('iadd', 1))
        self.assertEqual(m + 1, ('add', 1))

    def test_reflected_operator_with_small_constant(self):
        class N:
            def __radd__(self, other):
                return ('radd', other)
            def __gt__(self, other):
                return ('gt', other)
        self.assertEqual(1 + N(), ('radd', 1))
        self.assertEqual(1 < N(), ('gt', 1))

    def test_swap_and_rotation(self):
        a, b, c = 1, 2, 3
        a, b = b, a
        self.assertEqual((a, b), (2, 1))
        a, b, c = c, a, b
        self.assertEqual((a, b, c), (3, 2, 1))
        a, a = 1, 2
        self.assertEqual(a, 2)
        i, x = 0, [0, 0]
        i, x[i] = 1, 2
        self.assertEqual(x, [0, 2])

    def test_chain_evaluates_the_middle_once(self):
        log = Log()
        self.assertTrue(log(1) < log(2) < log(3))
        self.assertEqual(log, [1, 2, 3])
        log.clear()
        self.assertFalse(log(1) < log(0) < log(3))
        self.assertEqual(log, [1, 0])
        log.clear()
        if log(1) < log(0) < log(3) < log(4):
            self.fail()
        self.assertEqual(log, [1, 0])
        if not (log(1) < log(2) > log(0) != log(5)):
            self.fail()

    def test_chain_value_is_that_of_the_deciding_link(self):
        class V:
            def __init__(self, v): self.v = v
            def __lt__(self, other): return self.v
        self.assertEqual(V([]) < V(1) < V(2), [])
        self.assertEqual(V([1]) < V('last') < V(2), 'last')

    def test_boolean_operators_give_operands(self):
        self.assertEqual(0 or [] or 'x', 'x')
        self.assertEqual(1 and [] and 'x', [])
        a = []
        b = a or None
        self.assertIsNone(b)
        self.assertEqual((1 if a else 2) + (3 if not a else 4), 5)

    def test_conditions_with_not_and_nested_operators(self):
        for a in (0, 1):
            for b in (0, 1):
                for c in (0, 1):
                    want = bool((a and not b) or (b and not (c or a)))
                    got = False
                    if (a and not b) or (b and not (c or a)):
                        got = True
                    self.assertEqual(got, want)
                    self.assertEqual(bool((a if b else c) or (b if not a else 0)),
                                     True if ((a if b else c) or
                                              (b if not a else 0)) else False)

    def test_nan_comparisons_jump_the_right_way(self):
        nan = float('nan')
        if nan < 1 or nan >= 1 or nan == nan or not (nan != nan):
            self.fail()
        if not nan < 5:
            pass
        else:
            self.fail()

    def test_many_arguments_and_long_displays(self):
        source = 'f(%s)' % ', '.join(map(str, range(600)))
        self.assertEqual(eval(source, {'f': lambda *a: a}), tuple(range(600)))
        names = ', '.join('k%d=%d' % (i, i) for i in range(600))
        self.assertEqual(eval('f(%s)' % names, {'f': lambda **k: sum(k.values())}),
                         sum(range(600)))
        for left, right in ('[]', '()', '{}'):
            source = left + ', '.join('x+%d' % i for i in range(2000)) + right
            value = eval(source, {'x': 0})
            self.assertEqual(sorted(value), list(range(2000)))
        source = '{%s}' % ', '.join('x+%d: %d' % (i, i) for i in range(2000))
        self.assertEqual(eval(source, {'x': 0}), {i: i for i in range(2000)})
        source = "f'%s'" % ''.join('{x}%d' % i for i in range(1500))
        self.assertEqual(eval(source, {'x': '-'}),
                         ''.join('-%d' % i for i in range(1500)))

    def test_starred_calls(self):
        def f(*args, **kwargs):
            return args, kwargs
        self.assertEqual(f(1, *[2, 3], 4, *(), x=1, **{'y': 2}, z=3),
                         ((1, 2, 3, 4), {'x': 1, 'y': 2, 'z': 3}))
        with self.assertRaisesRegex(TypeError, "multiple values for keyword argument 'x'"):
            f(x=1, **{'x': 2})
        with self.assertRaisesRegex(TypeError, r"argument after \* must be an iterable, not int"):
            f(*1)
        with self.assertRaisesRegex(TypeError, r"argument after \*\* must be a mapping, not int"):
            f(**1)

    def test_far_jumps(self):
        body = '\n'.join('        x += a[%d]' % i for i in range(15000))
        source = ('def f(a, n, x=0):\n'
                  '    for i in range(n):\n'
                  '        if i == 1: continue\n'
                  '        if i < 100:\n'
                  '            x = x\n' + body + '\n'
                  '        if i is None or x in (): break\n'
                  '    return x\n')
        scope = {}
        exec(source, scope)
        self.assertEqual(scope['f']([1] * 15000, 3), 30000)
        source = ('def g(n, x=0):\n'
                  '    if n < 5:\n' + '\n'.join('        x += 1' for i in range(40000))
                  + '\n    return x\n')
        exec(source, scope)
        self.assertEqual((scope['g'](1), scope['g'](9)), (40000, 0))


class UnboundTest(unittest.TestCase):
    def test_unbound_local(self):
        def f(flag):
            if flag:
                x = 1
            return x
        self.assertEqual(f(True), 1)
        with self.assertRaises(UnboundLocalError) as caught:
            f(False)
        self.assertEqual(str(caught.exception),
                         "cannot access local variable 'x' where it is not "
                         "associated with a value")

    def test_deleted_parameter(self):
        def f(x):
            del x
            return x
        self.assertRaises(UnboundLocalError, f, 1)

    def test_unbound_after_loop_that_never_ran(self):
        def f(items):
            for x in items:
                pass
            return x
        self.assertEqual(f([1, 2]), 2)
        self.assertRaises(UnboundLocalError, f, [])

    def test_unbound_in_handler(self):
        def f(fail):
            try:
                if fail:
                    raise KeyError
                x = 1
            except KeyError:
                return x
            return x
        self.assertEqual(f(False), 1)
        self.assertRaises(UnboundLocalError, f, True)

    def test_exception_name_is_unbound_after_its_handler(self):
        def f():
            e = 1
            try:
                raise KeyError
            except KeyError as e:
                pass
            return e
        self.assertRaises(UnboundLocalError, f)

    def test_operand_is_checked_before_later_operands_run(self):
        ran = []
        def f():
            return x + ran.append(1)
            x = 1
        self.assertRaises(UnboundLocalError, f)
        self.assertEqual(ran, [])

    def test_free_variable(self):
        def f():
            def g():
                return x
            g()
            x = 1
        with self.assertRaises(NameError) as caught:
            f()
        self.assertEqual(str(caught.exception),
                         "cannot access free variable 'x' where it is not "
                         "associated with a value in enclosing scope")

    def test_class_body_looks_in_its_own_names_first(self):
        x = 'outer'
        class A:
            y = x
        class B:
            x = 'inner'
            z = x
            def m(self): return x
        self.assertEqual((A.y, B.z, B().m()), ('outer', 'inner', 'outer'))
        with self.assertRaises(NameError):
            class C:
                y = x
                x = 1


class LifetimeTest(unittest.TestCase):
    def test_temporaries_die_at_their_last_use(self):
        alive = []
        class T:
            def __init__(self): alive.append(1)
            def __del__(self): alive.pop()
            def m(self): return len(alive)
        self.assertEqual(T().m(), 1)
        self.assertEqual(len(alive), 0)
        T()
        self.assertEqual(len(alive), 0)
        [T(), T()]
        self.assertEqual(len(alive), 0)
        for t in [T(), T()]:
            break
        self.assertEqual(len(alive), 1)
        del t
        self.assertEqual(len(alive), 0)

    def test_map_lets_go_of_its_items_in_their_order(self):
        died = []

        class Item:
            def __init__(self, name):
                self.name = name

            def __del__(self):
                died.append(self.name)

        def items(name, n):
            for i in range(n):
                yield Item(f'{name}{i}')

        for names, expected in (('ab', 'a0b0a1'), ('abc', 'a0b0c0a1b1'),
                                ('abcdefg', 'a0b0c0d0e0f0g0a1b1c1d1e1f1')):
            for function in lambda *args: None, divmod, max:
                del died[:]
                # The last is the shortest: what the others gave is let go of as well.
                try:
                    list(map(function, *[items(name, 2) for name in names[:-1]],
                             items(names[-1], 1)))
                except TypeError:
                    self.assertEqual(''.join(died), expected[:2 * len(names)])
                else:
                    self.assertEqual(''.join(died), expected)

    def test_iterator_dies_on_break(self):
        class It:
            def __iter__(self): return self
            def __next__(self): return 1
        it = It()
        r = weakref.ref(it)
        for x in (it, (it := None))[0]:
            break
        self.assertIsNone(r())

    def test_failed_match_leaves_nothing(self):
        class P:
            pass
        p = P()
        r = weakref.ref(p)
        match [p, [1, 2]]:
            case [x, [1, 3]]:
                self.fail()
            case {'a': x}:
                self.fail()
            case [y, [1, 2 | 4]] if False:
                self.fail()
            case _:
                pass
        del p, y
        self.assertIsNone(r())

    def test_exceptions_do_not_keep_operands(self):
        class P:
            pass
        p = P()
        r = weakref.ref(p)
        def fail():
            raise KeyError
        try:
            [p, (p := None), fail()]
        except KeyError:
            pass
        self.assertIsNone(r())


class WayOutTest(unittest.TestCase):
    def test_return_value_is_kept_while_finally_rebinds(self):
        def f():
            x = 1
            try:
                return x
            finally:
                x = 2
        self.assertEqual(f(), 1)

    def test_finally_overrides_return(self):
        def f():
            for i in range(3):
                try:
                    return 'try'
                finally:
                    continue
            return 'end'
        self.assertEqual(f(), 'end')
        def g():
            try:
                return 1
            finally:
                return 2
        self.assertEqual(g(), 2)
        def h():
            try:
                raise KeyError
            finally:
                return 3
        self.assertEqual(h(), 3)

    def test_order_of_nested_ways_out(self):
        log = Log()
        class CM:
            def __init__(self, name): self.name = name
            def __enter__(self): log('enter ' + self.name); return self
            def __exit__(self, *exc): log('exit ' + self.name + ' ' + str(exc[0]))
        def f(how):
            for i in [1]:
                try:
                    with CM('a') as a, CM('b'):
                        try:
                            if how == 'return': return log('value')
                            if how == 'break': break
                            if how == 'continue': continue
                            if how == 'raise': raise KeyError
                        finally:
                            log('inner')
                finally:
                    log('outer')
            else:
                log('else')
        for how in 'return', 'break', 'continue', 'fall':
            log.clear()
            f(how)
            want = ['enter a', 'enter b'] + ['value'] * (how == 'return') + \
                ['inner', 'exit b None', 'exit a None', 'outer'] + \
                ['else'] * (how in ('continue', 'fall'))
            self.assertEqual(log, want, how)
        log.clear()
        self.assertRaises(KeyError, f, 'raise')
        self.assertEqual(log, ['enter a', 'enter b', 'inner',
                               "exit b <class 'KeyError'>",
                               "exit a <class 'KeyError'>", 'outer'])

    def test_with_suppresses(self):
        class CM:
            def __enter__(self): pass
            def __exit__(self, *exc): return True
        def f():
            for i in range(3):
                with CM():
                    raise KeyError
            return i
        self.assertEqual(f(), 2)

    def test_handler_restores_the_outer_exception(self):
        import sys
        try:
            raise KeyError(1)
        except KeyError:
            try:
                raise ValueError(2)
            except ValueError:
                self.assertIs(sys.exc_info()[0], ValueError)
            self.assertIs(sys.exc_info()[0], KeyError)
            for i in [1]:
                try:
                    raise TypeError
                except TypeError as e:
                    break
            self.assertIs(sys.exc_info()[0], KeyError)
        self.assertIs(sys.exc_info()[0], None)

    def test_context_of_exceptions_in_handlers(self):
        try:
            try:
                1 / 0
            except ZeroDivisionError as e:
                raise KeyError
        except KeyError as k:
            self.assertIsInstance(k.__context__, ZeroDivisionError)
        try:
            try:
                raise KeyError from ValueError('cause')
            finally:
                1 / 0
        except ZeroDivisionError as z:
            self.assertIsInstance(z.__context__, KeyError)
            self.assertIsInstance(z.__context__.__cause__, ValueError)

    def test_except_star(self):
        log = Log()
        def f(exc):
            try:
                raise exc
            except* KeyError as e:
                log(('key', len(e.exceptions)))
            except* (ValueError, TypeError) as e:
                log(('value', len(e.exceptions)))
                raise OSError
            else:
                log('else')
            finally:
                log('finally')
        f(ExceptionGroup('g', [KeyError(), KeyError()]))
        self.assertEqual(log, [('key', 2), 'finally'])
        log.clear()
        with self.assertRaises(ExceptionGroup) as caught:
            f(ExceptionGroup('g', [KeyError(), ValueError(), IndexError()]))
        self.assertEqual(log, [('key', 1), ('value', 1), 'finally'])
        self.assertEqual([type(e) for e in caught.exception.exceptions],
                         [OSError, ExceptionGroup])
        log.clear()
        f(KeyError())
        self.assertEqual(log, [('key', 1), 'finally'])

    def test_loop_else(self):
        def f(n, stop):
            out = []
            while n:
                n -= 1
                if n == stop:
                    break
                if n % 2:
                    continue
                out.append(n)
            else:
                out.append('else')
            return out
        self.assertEqual(f(5, 1), [4, 2])
        self.assertEqual(f(4, -1), [2, 0, 'else'])

    def test_generators_in_try(self):
        log = Log()
        def g():
            try:
                while True:
                    try:
                        log((yield 1))
                    except KeyError as e:
                        log(type(e))
                    finally:
                        log('inner')
            finally:
                log('outer')
        it = g()
        next(it)
        it.send('a')
        it.throw(KeyError)
        it.close()
        self.assertEqual(log, ['a', 'inner', KeyError, 'inner', 'inner', 'outer'])

    def test_yield_from_passes_everything_through(self):
        def inner():
            got = []
            try:
                while True:
                    got.append((yield len(got)))
            except ValueError:
                return got
        def outer():
            result = yield from inner()
            yield ('result', result)
        it = outer()
        self.assertEqual(next(it), 0)
        self.assertEqual(it.send('x'), 1)
        self.assertEqual(it.throw(ValueError), ('result', ['x']))


class MatchTest(unittest.TestCase):
    def kind(self, value):
        match value:
            case None | True | False:
                return 'singleton'
            case 0 | 1 | -1.5 | 2+3j as n:
                return ('number', n)
            case 'a' | b'b':
                return 'text'
            case []:
                return 'empty'
            case [x]:
                return ('one', x)
            case [x, *_, y] if x == y:
                return ('ends', x)
            case [first, (a, b), *rest]:
                return ('nested', first, a, b, rest)
            case {'kind': 'point', 'x': x, **rest}:
                return ('point', x, rest)
            case {}:
                return 'mapping'
            case complex(real=r, imag=i):
                return ('complex', r, i)
            case int(n) | str(n):
                return ('self', n)
            case [1, *x] | [*x, 2]:
                return ('or', x)
            case _:
                return 'other'

    def test_patterns(self):
        for value, want in (
                (None, 'singleton'), (True, 'singleton'), (0, ('number', 0)),
                (-1.5, ('number', -1.5)), (2+3j, ('number', 2+3j)),
                ('a', 'text'), (b'b', 'text'), ([], 'empty'),
                ((5,), ('one', 5)), ([3, 1, 2, 3], ('ends', 3)),
                ([1, [2, 3]], ('nested', 1, 2, 3, [])),
                ([1, [2, 3], 4, 5], ('nested', 1, 2, 3, [4, 5])),
                ({'kind': 'point', 'x': 3, 'z': 9}, ('point', 3, {'z': 9})),
                ({'other': 1}, 'mapping'), (4j, ('complex', 0.0, 4.0)),
                (77, ('self', 77)), ('xyz', ('self', 'xyz')),
                ([1, 5, 6], ('or', [5, 6])), ([5, 6, 2], ('or', [5, 6])),
                ([5, 6, 7], 'other'), (1.25, 'other')):
            self.assertEqual(self.kind(value), want)

    def test_names_are_bound_only_when_the_pattern_matches(self):
        x = 'before'
        match [1, 2]:
            case [x, 3]:
                self.fail()
            case _:
                pass
        self.assertEqual(x, 'before')

    def test_subject_may_be_rebound_by_a_case(self):
        x = [1, 2]
        match x:
            case [x, y] if x == 9:
                self.fail()
            case [a, b]:
                self.assertEqual((a, b), (1, 2))


if __name__ == '__main__':
    unittest.main()
