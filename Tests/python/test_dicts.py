"""dict and OrderedDict against a list of pairs, and where they may be hurt."""
import collections
import gc
import itertools
import random
import sys
import tracemalloc
import unittest
import weakref
from collections import OrderedDict


class Model:
    """The obvious implementation: pairs in order."""

    def __init__(self):
        self.pairs = []

    def find(self, key):
        for i, (k, _) in enumerate(self.pairs):
            if k == key:
                return i
        return -1

    def set(self, key, value):
        i = self.find(key)
        if i < 0:
            self.pairs.append([key, value])
        else:
            self.pairs[i][1] = value

    def pop(self, key):
        i = self.find(key)
        return self.pairs.pop(i)[1] if i >= 0 else None


class AgainstModel(unittest.TestCase):

    KEYS = {
        "strings": lambda r: str(r.randrange(40)),
        "ints": lambda r: r.randrange(-20, 20),
        "same low bits": lambda r: r.randrange(40) << 40,
        "mixed": lambda r: r.choice([1, 1.0, "1", (1,), None, True, 2 ** 80,
                                     r.randrange(30)]),
    }

    def run_operations(self, d, make_key, seed):
        r = random.Random(seed)
        model = Model()
        for step in range(1500):
            key = make_key(r)
            op = r.randrange(8)
            if op < 3:
                d[key] = step
                model.set(key, step)
            elif op < 5:
                self.assertEqual(d.pop(key, None), model.pop(key))
            elif op == 5 and d:
                k, v = d.popitem()
                self.assertEqual([k, v], model.pairs.pop())
            elif op == 6:
                self.assertEqual(key in d, model.find(key) >= 0)
            else:
                i = model.find(key)
                expected = model.pairs[i][1] if i >= 0 else "none"
                self.assertEqual(d.get(key, "none"), expected)
            if step % 100 == 0:
                self.assertEqual([[k, v] for k, v in d.items()], model.pairs)
                self.assertEqual([k for k in reversed(d)],
                                 [k for k, _ in reversed(model.pairs)])
                self.assertEqual(list(d.copy().items()), list(d.items()))
                self.assertEqual(dict(d), d)

    def test_random_operations_agree_with_the_model(self):
        for name, make_key in self.KEYS.items():
            for kind in dict, OrderedDict:
                with self.subTest(keys=name, kind=kind.__name__):
                    self.run_operations(kind(), make_key, name)

    def test_moving_to_either_end_agrees_with_the_model(self):
        r = random.Random(5)
        d = OrderedDict.fromkeys(range(30))
        order = list(range(30))
        for step in range(3000):
            key = r.choice(order)
            last = r.random() < .5
            d.move_to_end(key, last)
            order.remove(key)
            order.insert(len(order) if last else 0, key)
            if step % 7 == 0:
                key = d.popitem(last=last)[0]
                self.assertEqual(key, order.pop(-1 if last else 0))
                d[step + 100] = None
                order.append(step + 100)
            if step % 50 == 0:
                self.assertEqual(list(d), order)
                self.assertEqual(list(reversed(d)), order[::-1])


class Displays(unittest.TestCase):

    def test_keys_may_be_equal(self):
        rng = random.Random(5)
        for kind, make_key in AgainstModel.KEYS.items():
            for n in [*range(12), 20, 29]:
                keys = [make_key(rng) for _ in range(n)]
                names = {"k%d" % i: key for i, key in enumerate(keys)}
                pairs = ", ".join("k%d: %d" % (i, i) for i in range(n))
                constant = ", ".join("%r: x" % (key,) for key in keys)
                model, same = Model(), Model()
                for i, key in enumerate(keys):
                    model.set(key, i)
                    same.set(key, self)
                with self.subTest(kind=kind, n=n):
                    made = eval("{%s}" % pairs, names)
                    self.assertEqual([*map(list, made.items())], model.pairs)
                    self.assertEqual([made[key] for key, _ in model.pairs],
                                     [value for _, value in model.pairs])
                    made = eval("{%s}" % constant, {"x": self})
                    self.assertEqual([*map(list, made.items())], same.pairs)
                    self.assertTrue(gc.is_tracked(made) or n == 0)
                    for key in keys + ["another", 7]:
                        made[key] = 1
                        same.set(key, 1)
                    self.assertEqual([*map(list, made.items())], same.pairs)


class OrderedDictIterators(unittest.TestCase):
    def loop(self, keys, change, over=iter):
        d = OrderedDict.fromkeys(keys)
        try:
            for key in over(d):
                change(d, key)
        except RuntimeError as e:
            return str(e)
        return "ended"

    def test_what_happens_at_the_last_key_is_not_noticed(self):
        self.assertEqual(self.loop([3], lambda d, k: d.pop(k)), "ended")
        self.assertEqual(self.loop([3, 4], lambda d, k: k == 4 and d.update({5: 1})), "ended")
        self.assertEqual(self.loop([3, 4], lambda d, k: k == 3 and d.pop(3), reversed), "ended")
        self.assertEqual(self.loop([3], lambda d, k: d.clear()), "ended")

    def test_what_happens_before_is(self):
        self.assertEqual(self.loop([3, 4], lambda d, k: d.pop(4)),
                         "OrderedDict mutated during iteration")
        self.assertEqual(self.loop([3, 4, 5], lambda d, k: d.clear()),
                         "OrderedDict changed size during iteration")


class AskedKey:
    """Is compared by a method."""
    def __init__(self, number=0):
        self.number = number

    def __hash__(self):
        return self.number

    def __eq__(self, other):
        return self.number == other.number


class Reentrancy(unittest.TestCase):

    def test_comparison_that_empties_the_dict(self):
        class Key:
            def __hash__(self):
                return 1

            def __eq__(self, other):
                d.clear()
                return False
        d = {Key(): i for i in range(1)}
        d[Key()] = "new"
        self.assertEqual(list(d.values()), ["new"])

    def test_a_search_compares_each_key_once(self):
        class Key:
            def __init__(self, number):
                self.number = number

            def __hash__(self):
                return self.number

            def __eq__(self, other):
                asked.append(self)
                return False
        asked = []
        for number in range(40):
            for others in 0, 3, 12:
                keys = [Key(number) for _ in range(3)]
                d = dict.fromkeys([*keys, *range(100, 100 + others)])
                for search in d.get, d.__contains__, lambda key: d.setdefault(key, 1):
                    asked.clear()
                    search(number)
                    self.assertEqual(sorted(map(id, asked)), sorted(map(id, keys)),
                                     (number, others))
                    d.pop(number, 0)

    def test_values_that_a_comparison_removes_live_until_it_ends(self):
        class Values(list):
            pass

        class Item:
            def __eq__(self, other):
                d.clear()
                e.clear()
                alive.extend(ref() is not None for ref in refs)
                return True

        alive = []
        for make_key in (lambda: "a", lambda: 1, AskedKey):
            d, e = [{make_key(): Values([Item()])} for _ in range(2)]
            refs = [weakref.ref(value) for m in (d, e) for value in m.values()]
            alive.clear()
            self.assertTrue(d == e)
            self.assertEqual(alive, [True, True])
            self.assertEqual([ref() for ref in refs], [None, None])

    def test_equality_asks_each_value_once_until_one_differs(self):
        class Value:
            def __init__(self, number, equal=True):
                self.number, self.equal = number, equal

            def __eq__(self, other):
                asked.append((self.number, other.number))
                return self.equal

        asked = []
        for make_key in (str, int, AskedKey):
            for wrap in (lambda value: value, lambda value: [value], lambda value: {"v": value}):
                for differs in (None, 0, 3, 5):
                    d, e = [{make_key(i): wrap(Value(side + i, i != differs)) for i in range(6)}
                            for side in (0, 100)]
                    asked.clear()
                    self.assertEqual(d == e, differs is None)
                    last = 5 if differs is None else differs
                    self.assertEqual(asked, [(i, 100 + i) for i in range(last + 1)])
                    del e[make_key(5)]
                    e[make_key(6)] = wrap(Value(106))
                    asked.clear()
                    self.assertFalse(d == e)
                    last = 4 if differs in (None, 5) else differs
                    self.assertEqual(asked, [(i, 100 + i) for i in range(last + 1)])

    def test_errors_of_values_that_are_compared(self):
        class Value:
            def __eq__(self, other):
                raise ZeroDivisionError

        class Vague:
            def __eq__(self, other):
                return self

            def __bool__(self):
                raise ZeroDivisionError

        for value in Value, Vague:
            for make_key in (str, int, AskedKey):
                for wrap in (lambda value: value, lambda value: [value]):
                    d, e = [{make_key(1): wrap(value())} for _ in range(2)]
                    with self.assertRaises(ZeroDivisionError):
                        d == e

    def test_entries_that_move_within_their_table_while_one_is_looked_for(self):
        class Key:
            def __init__(self, name, hash=1):
                self.name, self.hash = name, hash

            def __hash__(self):
                return self.hash

            def __eq__(self, other):
                if keys[1] in map(id, (self, other)) and not done:
                    done.append(1)
                    change()
                return self.name == other.name

        def change():
            """All is as before, but the third key has come to the place of the first."""
            del d[first], d[second]
            for i in range(2):
                filler = Key(i, 3)
                d[filler] = None
                del d[filler]
            d[second] = 2

        first, second, third = map(Key, "abc")
        keys = [id(first), id(second)]
        done = [1]
        d = {first: 1, second: 2, third: 3}
        done.clear()
        self.assertEqual(d.get(Key("c")), 3)
        self.assertTrue(done)
        self.assertEqual(list(d), [third, second])

    def test_destructor_that_reads_the_dict_sees_it_whole(self):
        seen = []

        class Value:
            def __del__(self):
                seen.append(dict(d))
        d = {"a": Value(), "b": 1}
        d["a"] = 2
        self.assertEqual(seen, [{"a": 2, "b": 1}])
        d["c"] = Value()
        del d["c"]
        self.assertEqual(seen[1], {"a": 2, "b": 1})

    def test_iteration_notices_changes(self):
        d = dict.fromkeys(range(5))
        with self.assertRaisesRegex(RuntimeError, "changed size"):
            for key in d:
                d[key + 10] = 1
        d = dict.fromkeys(range(5))
        with self.assertRaisesRegex(RuntimeError, "keys changed"):
            for key in d:
                del d[key]
                d[key + 10] = 1

    def test_iteration_backwards_does_not_notice_a_key_that_comes_again(self):
        """The table is made anew when "a" comes again, and "e" is behind the position."""
        for view in dict, dict.keys, dict.values, dict.items:
            d = {key: key for key in "abcde"}
            del d["b"]
            seen = []
            for item in reversed(d if view is dict else view(d)):
                seen += item[0]
                if len(seen) == 1:
                    d["a"] = d.pop("a")
            self.assertEqual("".join(seen), "eaedc")

    def test_iterator_of_an_empty_ordered_dict_has_ended(self):
        d = collections.OrderedDict()
        iterators = [make(view) for view in (d, d.keys(), d.values(), d.items())
                     for make in (iter, reversed)]
        d["a"] = 1
        for it in iterators:
            self.assertEqual(list(it), [])


class OrderedDictWhileAssigning(unittest.TestCase):
    def after(self, act):
        class Dying:
            def __del__(self):
                act(d)

        d = OrderedDict([(34, Dying()), (9, 1), (5, 2)])
        d[34] = "x"
        return d

    def test_finalizer_of_the_old_value_adds_a_key(self):
        d = self.after(lambda d: d.__setitem__(48, "new"))
        self.assertEqual(list(d.items()), [(34, "x"), (9, 1), (5, 2), (48, "new")])
        self.assertEqual(repr(d), "OrderedDict([(34, 'x'), (9, 1), (5, 2), (48, 'new')])")

    def test_finalizer_of_the_old_value_adds_many(self):
        d = self.after(lambda d: d.update(dict.fromkeys(range(100, 130))))
        self.assertEqual(list(d), [34, 9, 5, *range(100, 130)])

    def test_finalizer_of_the_old_value_removes_a_key(self):
        d = self.after(lambda d: d.pop(9))
        self.assertEqual(list(d.items()), [(34, "x"), (5, 2)])
        del d[5]
        dict.__delitem__(d, 34)
        d[1] = 2
        self.assertRaises(KeyError, list, d.items())    # dict's own methods are still noticed

    def test_key_that_adds_another_when_compared(self):
        class Key:
            def __hash__(self):
                return hash(9)

            def __eq__(self, other):
                if 7 not in d:
                    d[7] = "added"
                return False

        d = OrderedDict([(9, 1)])
        key = Key()
        d[key] = 2
        self.assertEqual(list(d), [9, 7, key])


class Collector(unittest.TestCase):

    def test_only_dicts_that_can_be_in_a_cycle_are_tracked(self):
        self.assertFalse(gc.is_tracked({"a": 1, 2: "b"}))
        self.assertTrue(gc.is_tracked({"a": []}))
        d = {}
        d["x"] = d
        self.assertTrue(gc.is_tracked(d))

    def test_a_queue_needs_no_second_table(self):
        for kind in int, str:
            d = {kind(i): None for i in range(20000)}
            numbers = iter(range(20000, 100000))
            for n in itertools.islice(numbers, 30000):      # it has the table of a queue then
                d[kind(n)] = d.pop(next(iter(d)))
            tracemalloc.start()
            self.addCleanup(tracemalloc.stop)
            for n in numbers:
                d[kind(n)] = d.pop(next(iter(d)))
            now, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            # The new keys, but no table.
            self.assertLess(most - now, sys.getsizeof(d) // 4)
            self.assertEqual([int(k) for k in d], list(range(80000, 100000)))

    def test_taking_from_the_front_is_not_quadratic(self):
        d = dict.fromkeys(range(100_000))
        while d:
            del d[next(iter(d))]
        self.assertEqual(d, {})


if __name__ == "__main__":
    unittest.main()
