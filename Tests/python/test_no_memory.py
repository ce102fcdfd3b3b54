"""An allocation that fails is a MemoryError, or makes no difference: each of the first ones
that an operation needs fails in turn."""
import datetime
import functools
import itertools
import pwd
import threading
import unittest

try:
    from _testcapi import remove_mem_hooks, set_nomemory
except ImportError:
    set_nomemory = None


PAIRS = [(i, i) for i in range(5000)]
PAIR_BY_PAIR = {1: 2}.items()


class Raises:
    def __getattr__(self, name):
        raise AttributeError(name)

    def __bool__(self):
        raise ValueError(1)

    __len__ = __iter__ = __call__ = __bool__


def fail(value):
    raise KeyError(value)


def generator():
    yield 1
    fail(2)


OPERATIONS = {
    # What is raised comes with a frame and an entry of the traceback, made on its way.
    AttributeError: [lambda: Raises().missing],
    ValueError: [lambda: bool(Raises()), lambda: len(Raises()), lambda: list(Raises()),
                 lambda: Raises()()],
    KeyError: [lambda: fail(1), lambda: list(map(fail, [1])), lambda: sorted([1], key=fail),
               lambda: list(generator())],
    # Keywords are looked up by names that are made into strings.
    None: [lambda: datetime.timedelta(hours=1), lambda: list(itertools.product("ab", repeat=2)),
           lambda: datetime.datetime(2020, 1, day=2), lambda: hasattr(Raises(), "missing"),
           lambda: getattr(Raises(), "missing", 1),
           # All are kept, so that no pair is in reserve, as set_nomemory()'s arguments are.
           lambda: [PAIRS.append((len(PAIRS), 1)), PAIRS.append(iter(PAIR_BY_PAIR))],
           # These look at their source only when they have room.
           lambda: [1, 2, 3][::2], lambda: [1] + [2], lambda: [1] * 5, lambda: (*[1, 2],),
           lambda: memoryview(bytes(64)).cast("i", [4, 4]).tolist(),
           lambda: datetime.datetime.fromisoformat("2020-02-29\ud80012:34.789012\xfe+05:30"),
           lambda: repr(functools.partial(print, 1, a=2)),
           lambda: pwd.getpwnam("root"), lambda: pwd.getpwuid(0)],
}


def numbers_in_a_dict():
    found = {}
    for i in range(1000, 1200):
        found[i] = i + 1
    return found


def numbers_in_a_list():
    found = []
    for i in range(1000, 1200):
        found.append(i)
        found.append(i * 0.5)
    return found


# As machine code they make objects where there is no instruction that could fail.
LOOPS = [numbers_in_a_dict, numbers_in_a_list, lambda: [i for i in range(1000, 1200)],
         lambda: [i * 0.5 for i in range(200)], lambda: {i: i for i in range(1000, 1200)}]


@unittest.skipUnless(set_nomemory, "no _testcapi")
class NoMemoryTest(unittest.TestCase):
    def outcome(self, operation, nth):
        set_nomemory(nth, nth + 1)
        try:
            operation()
        except BaseException as e:
            remove_mem_hooks()
            return type(e)
        finally:
            remove_mem_hooks()

    def test_one_allocation_fails(self):
        for expected, operations in OPERATIONS.items():
            for number, operation in enumerate(operations):
                for _ in range(20):     # specialised, and with free lists
                    self.assertIs(self.outcome(operation, 10**6), expected)
                for nth in range(60):
                    with self.subTest(expected=expected, number=number, nth=nth):
                        self.assertIn(self.outcome(operation, nth), (MemoryError, expected))
                self.assertIs(self.outcome(operation, 10**6), expected)

    def test_one_allocation_of_a_loop_fails(self):
        for number, loop in enumerate(LOOPS):
            for _ in range(3000):
                loop()
            expected, kept = loop(), []
            for nth in range(250):
                with self.subTest(number=number, nth=nth):
                    kept.append(loop())     # the free lists are empty
                    self.assertIn(self.outcome(loop, nth), (MemoryError, None))
            self.assertEqual(loop(), expected)

    def test_more_errors_than_are_in_reserve(self):
        # All are kept, so that at last none is in reserve: one is shared then.
        text = "text"
        for _ in range(3):
            raised = []
            for i in range(40):
                raised.append(None)
                set_nomemory(0)
                try:
                    text * 100
                except MemoryError as e:
                    raised[-1] = e
                finally:
                    remove_mem_hooks()
            self.assertEqual({type(e) for e in raised}, {MemoryError})
            self.assertGreaterEqual(len(set(map(id, raised))), 16)
            self.assertEqual(MemoryError(1, 2).args, (1, 2))

    def test_an_error_is_in_reserve_before_what_it_refers_to_dies(self):
        class RaisesAsItDies:
            def __del__(self):
                set_nomemory(0)
                try:
                    text * 100
                except MemoryError as e:
                    raised[0] = e
                finally:
                    remove_mem_hooks()

        text, raised = "text", [None]
        errors = [MemoryError() for _ in range(40)]
        errors[0].attribute = RaisesAsItDies()
        errors[0] = None
        self.assertIs(type(raised[0]), MemoryError)
        self.assertEqual(vars(raised[0]), {})

    def test_a_variable_that_is_a_double_becomes_an_object(self):
        # The large int is not what machine code has been made for: it leaves, and the
        # interpreter goes on.
        source = '''def drift(values):
            a, b = 0.5, 0.25
            for value in values:
                a, b = a * 0.75 + value, b * 0.5 + value
            return a, b'''
        floats = [i * 0.5 for i in range(20)]
        last = floats + [2**70, *floats]
        for nth in range(8):
            for length in 1, 2, 10**6:
                with self.subTest(nth=nth, length=length):
                    names = {}
                    exec(source, names)
                    drift = names["drift"]
                    for _ in range(3000):
                        drift(floats)
                    kept = [i * 0.5 for i in range(2000)]      # the free lists are empty
                    set_nomemory(nth, nth + length)
                    try:
                        result = drift(last)
                    except MemoryError:
                        result = None
                    finally:
                        remove_mem_hooks()
                    del kept
                    self.assertIn(result, (None, drift(last)))

    def test_leaving_a_lock_needs_no_memory(self):
        # Nor does the lock stay locked: its next user would wait for ever.
        kept = [(i, i, i) for i in range(5000)]     # the free lists are empty

        def leave(lock, text):
            with lock:
                set_nomemory(0)
                text * 100

        for new in threading.Lock, threading.RLock:
            for text, expected in ("", None), ("text", MemoryError):
                with self.subTest(new=new, text=text):
                    lock, raised = new(), None
                    for i in range(50):
                        kept.append((i, i, i))
                        try:
                            leave(lock, text)
                        except MemoryError:
                            raised = MemoryError
                        finally:
                            remove_mem_hooks()
                        self.assertIn("<unlocked", repr(lock))
                    self.assertIs(raised, expected)


if __name__ == "__main__":
    unittest.main()
