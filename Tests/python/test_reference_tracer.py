"""PyRefTracer: each object is told of once when it is made, and once before it is destroyed."""
import importlib.util
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

from test_abi_extensions import KINDS, SOURCES, compile_extension, setUpModule      # noqa: F401

SLOW = "compiles extension modules"

# What makes and frees objects in other ways than by their types: machine code, free lists,
# blocks that move, resurrection, objects that wait because the nesting is deep.
PROGRAM = """
    import balance, gc, io, unittest

    def numbers(n):
        x, big, total = 0.5, 1 << 40, 0
        kept = []
        for i in range(n):
            x = x * 1.0000001 + i
            big += i
            total += i & 7
            kept.append((x, big, i))
            if i % 100 == 0:
                kept.clear()
        return x, big, total

    def texts(n):
        for i in range(n):
            text = ""
            for c in "abcdefghij" * 40:
                text += c
            b"".join([b"x"] * i)
            io.BytesIO(b"y" * i).read()
            tuple(j for j in range(i % 30))
            "%s and %r" % (text, i)

    class Risen:
        graves = []
        def __del__(self):
            if len(self.graves) < 50:
                self.graves.append(self)

    class Node:
        def __init__(self, next):
            self.next = next

    def deep(n):
        node, nest = None, ()
        for i in range(n):
            node, nest = Node(node), (nest, [nest])

    def everything():
        numbers(3000)
        texts(200)
        for i in range(100):
            Risen()
        Risen.graves.clear()
        deep(20000)
        own = [balance.Own() for i in range(50)]
        for i in range(300):
            cycle = []
            cycle.append([cycle, {i: cycle}, Node(cycle)])
        try:
            [][1]
        except IndexError as e:
            error = e
        gc.collect()

    everything()
    gc.collect()
    for i in range(3):
        balance.start()
        everything()
        made, destroyed, faults, told = balance.stop()
        print(faults, told, made > 20000, abs(made - destroyed) < 2000)
    print(balance.replace())
    print(balance.replace_itself())

    # Who lives is known as alive, each one, and nobody as dead.
    gc.collect()
    gc.disable()
    old = gc.get_objects()
    ids = set(map(id, old))
    balance.start()
    keep = [Node(Node([i, str(i), {i: 0.5 * i}])) for i in range(2000)]
    keep.append([balance.Own() for i in range(100)])
    everything()
    gc.collect()
    ids |= {id(old), id(ids)}
    new = [o for o in gc.get_objects() if id(o) not in ids]
    inner = gc.get_referents(*new)
    states = [balance.state(o) for o in new], [balance.state(o) for o in inner]
    balance.stop()
    unknown = [type(o) for o, state in zip(new, states[0]) if state != 1]
    dead = [type(o) for o, state in zip(inner, states[1]) if state == 2]
    kept = {balance.state(o) for o in keep[-1]} | {balance.state(n.next.next) for n in keep[:-1]}
    print(unknown[:5], dead[:5], kept, len(new) > 6000, len(inner) > 12000)
"""

# CPython's tests of types that keep what they free, collect, resurrect and nest; over a million
# objects. They are found where python3.11 keeps them.
LIBRARY_TESTS = """
    import balance, gc, io, unittest
    names = "test_list", "test_dict", "test_generators", "test_deque", "test_class", "test_float"
    gc.collect()
    balance.start()
    for name in names:
        suite = unittest.defaultTestLoader.loadTestsFromName("test." + name)
        result = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
        del suite
    gc.collect()
    made, destroyed, faults, told = balance.stop()
    print(faults, told, made > 1000000, made > destroyed > 1000000)
"""


class ReferenceTracer(unittest.TestCase):
    def test_events_take_turns(self):
        with tempfile.TemporaryDirectory() as folder:
            for compiler, standard in KINDS:
                path = os.path.join(folder, "balance.so")
                compile_extension(self, compiler, standard, os.path.join(SOURCES, "balance.c"),
                                  path)
            for mode in "off", "on", "eager":
                with self.subTest(mode=mode):
                    done = subprocess.run(
                        [sys.executable, "-c", textwrap.dedent(PROGRAM)], text=True, timeout=120,
                        env=os.environ | {"PYTHONPATH": folder, "SPRINGBOARD_JIT": mode},
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                    self.assertEqual(done.stdout, "0 [] True True\n" * 3 + "(1, 2, 1)\n(1, 1, 1)\n"
                                     "[] [] {1} True True\n")

    @unittest.skipIf("SPRINGBOARD_STRESS" in os.environ, "its own code runs without a tracer")
    @unittest.skipUnless(importlib.util.find_spec("test.test_list"),
                         "CPython's tests are not here")
    def test_the_librarys_tests_balance(self):
        with tempfile.TemporaryDirectory() as folder:
            compiler, standard = KINDS[0]
            compile_extension(self, compiler, standard, os.path.join(SOURCES, "balance.c"),
                              os.path.join(folder, "balance.so"))
            for mode in "on", "eager":
                with self.subTest(mode=mode):
                    done = subprocess.run(
                        [sys.executable, "-c", textwrap.dedent(LIBRARY_TESTS)], text=True,
                        env=os.environ | {"PYTHONPATH": folder, "SPRINGBOARD_JIT": mode},
                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300)
                    self.assertEqual(done.stdout.splitlines()[-1], "0 [] True True")

    def test_tracers_of_both_types_compile_without_warnings(self):
        source = """
            #include "Python.h"
            #define TRACER(name, type) \\
                int name(PyObject *op, type event, void *data); \\
                int name(PyObject *op, type event, void *data) \\
                { \\
                    switch (event) { \\
                    case PyRefTracer_CREATE: return op == data; \\
                    case PyRefTracer_DESTROY: return 1; \\
                    case PyRefTracer_TRACKER_REMOVED: return 2; \\
                    } \\
                    return PyRefTracer_SetTracer(name, data); \\
                }
            TRACER(by_type, PyRefTracerEvent)
            TRACER(by_int, int)
            int neither(void);
            int neither(void) { return PyRefTracer_SetTracer(NULL, NULL); }
            """
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "both.c")
            with open(path, "w") as file:
                file.write(textwrap.dedent(source))
            for compiler, standard in KINDS:
                compile_extension(self, compiler, standard, path, path[:-1] + "so", "-Wswitch-enum",
                                  "-Wconversion")


if __name__ == "__main__":
    unittest.main()
