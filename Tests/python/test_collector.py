"""What the cycle collector takes and leaves, on random graphs, and in which of its ways it does so:
a full collection with and without frozen objects or very many others, a young one, garbage with and
without finalizers and callbacks; in which order it leaves objects, and when it comes."""
import gc
import os
import random
import subprocess
import sys
import textwrap
import unittest
import weakref

PORTABLE = "counts and lists of the heap"


class Node:
    def __init__(self):
        self.refs = []


class Slotted:
    __slots__ = "refs", "__weakref__"

    def __init__(self):
        self.refs = []


class Reviving(Node):
    revived = []

    def __del__(self):
        self.revived.append(self)


def random_graph(generator, n):
    """(nodes, {index: indices that it refers to}): the references go through lists, tuples and
    dicts."""
    nodes = [generator.choice((Node, Slotted))() for _ in range(n)]
    edges = {}
    for i, node in enumerate(nodes):
        edges[i] = [generator.randrange(n) for _ in range(generator.randrange(4))]
        for j in edges[i]:
            wrap = generator.choice((lambda x: x, lambda x: (x,), lambda x: {"k": x},
                                     lambda x: [(x, [])]))
            node.refs.append(wrap(nodes[j]))
    return nodes, edges


def reached(roots, edges):
    seen, stack = set(), list(roots)
    while stack:
        i = stack.pop()
        if i not in seen:
            seen.add(i)
            stack.extend(edges[i])
    return seen


class Collector(unittest.TestCase):
    def setUp(self):
        gc.collect()
        gc.disable()

    def tearDown(self):
        gc.unfreeze()
        gc.enable()
        gc.collect()

    def leaves_what_is_reached(self, generation, freeze):
        for seed in range(15):
            generator = random.Random(seed)
            nodes, edges = random_graph(generator, 120)
            roots = generator.sample(range(120), 5)
            kept = [nodes[i] for i in roots]
            refs = [weakref.ref(node) for node in nodes]
            if freeze:
                gc.freeze()
                # A frozen object keeps what it refers to, and is not looked at.
                more, more_edges = random_graph(generator, 120)
                kept[0].refs.extend(more[:3])
                more[0].refs.extend(kept)
                more_refs = [weakref.ref(node) for node in more]
                del more, nodes
                left = [ref() is not None for ref in refs]
                gc.collect(generation)
                alive = {i for i, ref in enumerate(more_refs) if ref() is not None}
                self.assertEqual(alive, reached(range(3), more_edges), seed)
                self.assertEqual([ref() is not None for ref in refs], left, seed)
                gc.unfreeze()
                generation = 2
            else:
                del nodes
            for _ in range(2):
                gc.collect(generation)
                alive = {i for i, ref in enumerate(refs) if ref() is not None}
                self.assertEqual(alive, reached(roots, edges), seed)
            kept.clear()
            gc.collect()
            self.assertEqual([ref() for ref in refs], [None] * 120)

    def test_full_collection(self):
        self.leaves_what_is_reached(2, False)

    def test_full_collection_among_many_objects(self):
        many = [[i] for i in range(110_000)]        # their order is not CPython's
        self.leaves_what_is_reached(2, False)
        self.assertEqual(many[-1], [109_999])

    def test_order_of_survivors(self):
        """What is referenced from outside; then what it refers to, and what that refers to; the
        last item of a list first. (Finalizers at the end: Tests/programs/order_of_finalizers.py.)"""
        holder = [[0]]
        holder[0][0] = [[1], {"a": [2], "b": ([3], [])}]
        pair = holder[0][0][1]["b"]
        names = {id(holder): "holder", id(holder[0]): "0", id(holder[0][0]): "00",
                 id(holder[0][0][0]): "000", id(holder[0][0][1]): "dict", id(pair): "pair",
                 id(pair[0]): "first", id(pair[1]): "second", id(holder[0][0][1]["a"]): "a"}
        del pair
        gc.collect()
        order = [names[id(one)] for one in gc.get_objects(2) if id(one) in names]
        self.assertEqual(order, ["holder", "0", "00", "dict", "000", "a", "pair", "second", "first"])

    def test_first_collections_come_when_they_do_under_cpython(self):
        """Start-up counts as many objects: under python3.11 4,640 with -I -S."""
        with subprocess.Popen([sys.executable, "-I", "-S", "-c", "import gc; print(*gc.get_count())"],
                              stdout=subprocess.PIPE, text=True) as child:
            young, middle, old = map(int, child.communicate()[0].split())
        if "SPRINGBOARD_STRESS" not in os.environ:
            self.assertTrue(4300 < young + 701 * middle < 5000, (young, middle, old))
            self.assertEqual(old, 0)

    def test_young_collection(self):
        self.leaves_what_is_reached(0, False)

    def test_full_collection_with_frozen_objects(self):
        self.leaves_what_is_reached(2, True)

    def test_frozen_object_dies_after_a_collection(self):
        frozen = [Node() for _ in range(3)]
        refs = [weakref.ref(node) for node in frozen]
        gc.freeze()
        holder = [frozen, *frozen]
        gc.collect()
        del frozen[1], holder[2]
        self.assertEqual([ref() is None for ref in refs], [False, True, False])
        gc.unfreeze()
        frozen = None
        holder.append(holder)
        del holder
        gc.collect()
        self.assertEqual([ref() for ref in refs], [None] * 3)

    def test_number_of_quiet_garbage(self):
        for _ in range(10):
            one = []
            one.append({"back": one})
        del one
        self.assertEqual(gc.collect(), 20)
        self.assertEqual(gc.collect(), 0)

    def test_finalizer_revives_its_neighbours(self):
        quiet = [[] for _ in range(3)]
        for one in quiet:
            one.append(one)
        node = Reviving()
        node.refs = [node, quiet[0]]
        mark = weakref.ref(node)
        del one, node, quiet
        self.assertEqual(gc.collect(), 2)
        self.assertIs(mark(), None)     # cleared before the finalizer was called
        node = Reviving.revived.pop()
        self.assertIs(node.refs[1][0], node.refs[1])
        self.assertTrue(gc.is_tracked(node.refs))
        del node
        self.assertGreater(gc.collect(), 2)
        self.assertEqual(Reviving.revived, [])      # a finalizer is called once

    def test_callback_revives(self):
        seen = []
        node = Node()
        node.me = node
        other = Node()
        ref = weakref.ref(node, seen.append)
        other.me = other
        del node, other
        gc.collect()
        self.assertEqual(seen, [ref])
        self.assertIs(ref(), None)

    def test_survivors_of_a_clearing_can_be_collected_again(self):
        """An object that its tp_clear does not end is a candidate like any other later."""
        kept = []

        class Keeper:
            def __init__(self, target):
                self.me, self.target = self, target

            def __del__(self):
                kept.append(self.target)
        target = []
        target.append(target)
        Keeper(target)
        del target
        gc.collect()
        self.assertEqual(len(kept), 1)
        self.assertTrue(gc.is_tracked(kept[0]))
        kept.clear()
        self.assertEqual(gc.collect(), 1)

    def test_scattered_heap_is_put_in_order(self):
        """Where following the list of objects leads to and fro in memory, a full collection puts
        it in the order of addresses. It takes and leaves the same."""
        n = 60_000
        generator = random.Random(3)
        heap = [[i, {"i": [i]}] for i in range(n)]
        for i in range(n):
            heap[generator.randrange(n)] = [i, {"i": [i]}]      # takes the place of what died
        for one in heap[::10]:
            one.append(one)
        del one
        sums = [one[0] + one[1]["i"][0] for one in heap]
        ref = weakref.ref(Node())
        for turn in range(3):
            found = gc.collect()
            self.assertEqual(found, n * 3 // 10 if turn == 1 else 0)
            if turn == 0:
                del heap[::10], sums[::10]
        self.assertIsNone(ref())
        self.assertEqual([one[0] + one[1]["i"][0] for one in heap], sums)
        if "SPRINGBOARD_STRESS" in os.environ:
            return      # then no collection takes all objects at once
        ours = set(map(id, heap))
        places = [id(o) for o in gc.get_objects(2) if id(o) in ours]
        self.assertEqual(len(places), len(heap))
        rising = sum(a < b for a, b in zip(places, places[1:]))
        self.assertGreater(rising / len(places), .9)

    def run_with_thresholds(self, program):
        code = "import collections, gc\ngc.set_threshold(100, 1, 1)\n" + textwrap.dedent(program)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              timeout=100)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_a_heap_that_only_grows_is_seldom_gone_through(self):
        """Each time that it has doubled; not each time that it has grown by a quarter."""
        before, after = self.run_with_thresholds("""
            gc.collect()
            print(gc.get_stats()[2]["collections"])
            kept = [[i] for i in range(60000)]
            print(gc.get_stats()[2]["collections"])
            """)
        self.assertIn(int(after) - int(before), (2, 3, 4))

    def test_old_garbage_is_found_when_a_quarter_is_new(self):
        """Once it has been seen that there is such garbage. (20,000 live; a doubled heap first.)"""
        most, later = self.run_with_thresholds("""
            class Ring:
                def __init__(self):
                    self.me = self
            held = collections.deque(maxlen=20000)
            def most_alive(n):
                most = 0
                for i in range(n):
                    held.append(Ring())
                    if i % 500 == 0:
                        most = max(most, len(gc.get_objects(generation=2)))
                return most
            most_alive(20000)
            gc.collect()
            print(most_alive(60000))
            print(most_alive(100000))
            """)
        self.assertLess(int(most), 60000)
        self.assertLess(int(later), 40000)

    def test_tuples_and_dicts_of_atoms_are_untracked(self):
        pairs = [(i, str(i)) for i in range(10)]
        nested = [((i, "a"), 2) for i in range(10)]
        facts = [dict(a=i) for i in range(10)]
        mixed = [(i, []) for i in range(10)]
        gc.collect()
        gc.collect()
        for of_atoms in pairs, nested, facts:
            self.assertFalse(any(map(gc.is_tracked, of_atoms)))
        self.assertTrue(all(map(gc.is_tracked, mixed)))

    def test_descriptors_of_static_types_are_not_looked_through(self):
        kinds = type(str.join), type(int.real), type(object.__repr__), type(dict.__dict__["fromkeys"])
        found = [x for x in gc.get_objects() if isinstance(x, kinds)
                 and not x.__objclass__.__flags__ & 1 << 9]
        self.assertEqual(found, [])

    def test_descriptors_of_classes_die_with_them(self):
        class Slotted:
            __slots__ = "a", "__weakref__"
        self.assertTrue(gc.is_tracked(Slotted.__dict__["a"]))
        ref = weakref.ref(Slotted)
        del Slotted
        gc.collect()
        self.assertIsNone(ref())


if __name__ == "__main__":
    unittest.main()
