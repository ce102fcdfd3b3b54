"""What is known to be alive is left out of full collections that come by themselves
(Python/core/memory/known_alive.c): SPRINGBOARD_STRESS=rounds has that for small heaps, too."""
import os
import subprocess
import sys
import textwrap
import unittest

PORTABLE = "counts and lists of the heap"

PRELUDE = """
import gc, weakref
class Node: pass
def cycle():
    node = Node()
    node.me = node
    return node
def full(): return gc.get_stats()[2]["collections"]
def middle(): return gc.get_stats()[1]["collections"]
def allocate_until(stop):
    objects = []
    for n in range(5_000_000):
        if stop(): return
        objects.append([n])
        if len(objects) > 2000: objects.clear()
    raise AssertionError("it doesn't stop")
def next_full():
    n = full()
    allocate_until(lambda: full() > n)
kept = [[i] for i in range(3000)]
gc.collect()
"""

# What `held` refers to dies after it was found.
DIES_ONCE_FOUND = """
held = [cycle()]
ref = weakref.ref(held[0])
gc.collect()
n = middle()
allocate_until(lambda: middle() > n + 8)
held.clear()
next_full(); print(ref() is not None)
next_full(); print(ref() is not None)
"""


class Rounds(unittest.TestCase):
    def check(self, program, expected, stress="rounds"):
        env = {**os.environ, "SPRINGBOARD_STRESS": stress}
        done = subprocess.run([sys.executable, "-c", PRELUDE + textwrap.dedent(program)], env=env,
                              capture_output=True, text=True)
        self.assertEqual((done.stdout.split(), done.stderr, done.returncode), (expected.split(), "", 0))

    def test_what_was_found_and_dies_is_seen_by_the_second_full_collection(self):
        self.check(DIES_ONCE_FOUND, "True False")

    def test_what_is_not_found_is_seen_by_the_first(self):
        self.check("""
            held = [cycle()]
            ref = weakref.ref(held[0])
            gc.collect()
            held.clear()
            next_full(); print(ref() is not None)
            """, "False")

    def test_collect_is_complete_at_any_time(self):
        self.check("""
            for rounds in range(12):
                held = [cycle()]
                ref = weakref.ref(held[0])
                gc.collect(rounds % 3)
                n = middle()
                allocate_until(lambda: middle() > n + rounds)
                held.clear()
                print(gc.collect(), ref())
            """, "1 None " * 12)

    def test_who_looks_at_all_objects_sees_them(self):
        self.check("""
            ids = {id(k) for k in kept}
            for rounds in range(9):
                n = middle()
                allocate_until(lambda: middle() > n + rounds)
                objects = gc.get_objects()
                print(len(ids & {id(o) for o in objects}), len(objects) == len(set(map(id, objects))))
                n = middle()
                allocate_until(lambda: middle() > n + rounds)
                print(any(r is kept for r in gc.get_referrers(kept[rounds])))
                n = middle()
                allocate_until(lambda: middle() > n + rounds)
                gc.freeze()
                print(gc.get_freeze_count() > 3000)
                gc.unfreeze()
            """, "3000 True True True " * 9)

    def test_variables_of_frames_are_found(self):
        """They hold the heap of many a server: nothing else refers to it."""
        body = textwrap.indent(DIES_ONCE_FOUND, "    ")
        self.check(f"def serve():\n{body}serve()", "True False")

    def test_containers_change_between_two_parts(self):
        self.check("""
            import random, collections
            rng = random.Random(1)
            large = [[[i] for i in range(3000)], {i: [i] for i in range(3000)},
                     {str(i): [i] for i in range(3000)}, {(i, i) for i in range(3000)},
                     tuple([i] for i in range(3000)), collections.deque([i] for i in range(3000))]
            n = full()
            refs = []
            while full() < n + 5:
                i = rng.randrange(7)
                if i == 0: del large[0][rng.randrange(100):]; large[0] += [[i] for i in range(3000)]
                elif i == 1: large[1].clear(); large[1].update((i, [i]) for i in range(3000))
                elif i == 2: large[2].popitem(); large[2][0] = [0]; del large[2][0]
                elif i == 3: large[3] -= {(i, i) for i in range(2000)}; large[3] |= {(i, i, i) for i in range(2000)}
                elif i == 4: large[4] = tuple([i] for i in range(3000))
                elif i == 5: large[5].rotate(500); large[5].popleft(); large[5].append([cycle()])
                else:
                    c = cycle(); c.large = large[rng.randrange(6)]; large[0].append(c)
                    refs.append(weakref.ref(c)); del c
            large.clear()
            gc.collect()
            print(any(r() for r in refs))
            """, "False")

    def test_finalizers_run_once_and_resurrect(self):
        self.check("""
            class Back:
                def __init__(self): self.me = self
                def __del__(self): back.append(self); print("del")
            back = []
            held = [Back()]
            gc.collect()
            held.clear()
            next_full(); print(len(back))
            back.clear()
            next_full(); next_full(); print(gc.collect(), len(back))
            """, "del 1 0 0")

    def test_finalizers_look_at_all_objects(self):
        """That ends the round in the middle of a collection, whose survivors are not lost."""
        self.check("""
            class Back:
                def __init__(self): self.me = self
                def __del__(self): look(); saved.append(self)
            for look in [gc.get_objects, lambda: gc.get_referrers(kept), gc.freeze]:
                saved = []
                gc.unfreeze()
                gc.collect()
                for i in range(5): Back()
                gc.collect(1)
                ids = {id(o) for o in gc.get_objects()}
                print(sum(id(o) in ids for o in saved))
                gc.collect()
                while saved: saved.pop().me = None
                print(gc.collect())
            """, "5 0 " * 3)

    def test_callbacks_look_at_all_objects(self):
        self.check("""
            refs = []
            for look in [gc.get_objects, lambda: gc.get_referrers(kept), gc.freeze]:
                gc.unfreeze()
                gc.collect()
                refs = [weakref.ref(cycle(), lambda ref: look()) for i in range(5)]
                gc.collect(1)
                gc.unfreeze()
                ids = {id(o) for o in gc.get_objects()}
                print(sum(id(ref) in ids for ref in refs))
                while refs: refs.pop()
                print(gc.collect())
            """, "5 0 " * 3)

    def test_large_containers_of_numbers_do_not_put_off_collections(self):
        """What they hold takes steps as objects do, but there is nothing to be found in it."""
        self.check("""
            numbers = [0] * 8_000_000
            large = [[i] for i in range(300_000)]
            gc.collect()
            n = full()
            for i in range(1_200_000):
                large[i % 300_000] = cycle()
                if full() > n: break
            print(full() > n)
            """, "True", stress="")

    def test_large_heaps_have_rounds_without_stress(self):
        self.check("""
            large = [[i] for i in range(400_000)]
            held = [cycle()]
            ref = weakref.ref(held[0])
            gc.collect()
            n = middle()
            while middle() < n + 46: large.append([0])
            held.clear()
            n = full()
            while full() == n: large.append([0])
            print(ref() is not None)
            n = full()
            while full() == n: large.append([0])
            print(ref() is not None)
            """, "True False", stress="")


if __name__ == "__main__":
    unittest.main()
