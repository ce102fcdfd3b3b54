/* The collector as gc and C see it: generations, resurrection, finalizers that run
   once, callbacks, and weak references. */
#include "suite.h"

#include <stdlib.h>

/* Runs statements in a fresh namespace, with gc and a class that can be in a ring. */
static PyObject *
run(const char *source)
{
    static const char prelude[] =
        "import gc, weakref\n"
        "class Node:\n"
        "    pass\n"
        "def ring(n=2, cls=Node):\n"
        "    nodes = [cls() for i in range(n)]\n"
        "    for i in range(n):\n"
        "        nodes[i].next = nodes[i - 1]\n"
        "    return nodes[0]\n";
    PyObject *names = PyDict_New();
    PyDict_SetItemString(names, "__builtins__", PyEval_GetBuiltins());
    PyObject *result = PyRun_String(prelude, Py_file_input, names, names);
    if (result != NULL) {
        Py_DECREF(result);
        result = PyRun_String(source, Py_file_input, names, names);
    }
    if (result == NULL) {
        PyErr_Print();
        ck_abort_msg("the program failed: %s", source);
    }
    Py_DECREF(result);
    return names;
}

static long
number(PyObject *names, const char *name)
{
    PyObject *value = PyDict_GetItemString(names, name);
    ck_assert_msg(value != NULL, "no %s", name);
    return PyLong_AsLong(value);
}

START_TEST(test_survivors_move_to_the_next_generation)
{
    PyObject *names = run(
        "gc.disable(); gc.collect()\n"
        "node = ring(50)\n"
        "young = [sum(x is node for x in gc.get_objects(g)) for g in range(3)]\n"
        "gc.collect(0)\n"
        "middle = [sum(x is node for x in gc.get_objects(g)) for g in range(3)]\n"
        "gc.collect(1)\n"
        "old = [sum(x is node for x in gc.get_objects(g)) for g in range(3)]\n"
        "gc.enable()\n"
        "a, b, c = young == [1, 0, 0], middle == [0, 1, 0], old == [0, 0, 1]\n");
    ck_assert_int_eq(number(names, "a"), 1);
    ck_assert_int_eq(number(names, "b"), 1);
    ck_assert_int_eq(number(names, "c"), 1);
    Py_DECREF(names);
}
END_TEST

START_TEST(test_a_young_collection_spares_old_garbage)
{
    PyObject *names = run(
        "gc.disable(); gc.collect()\n"
        "node = ring(); gone = weakref.ref(node)\n"
        "gc.collect(0); gc.collect(1)\n"
        "del node\n"
        "gc.collect(0); after_young = gone() is not None\n"
        "gc.collect(1); after_middle = gone() is not None\n"
        "found = gc.collect(2); after_full = gone() is not None\n"
        "gc.enable()\n");
    ck_assert_int_eq(number(names, "after_young"), 1);
    ck_assert_int_eq(number(names, "after_middle"), 1);
    ck_assert_int_eq(number(names, "after_full"), 0);
    ck_assert_int_ge(number(names, "found"), 2);
    Py_DECREF(names);
}
END_TEST

START_TEST(test_allocations_start_a_collection_at_the_threshold)
{
    PyObject *names = run(
        "gc.collect(); before = gc.get_threshold(); gc.set_threshold(100, 5, 5)\n"
        "starts = []\n"
        "def seen(phase, info):\n"
        "    if phase == 'start': starts.append(info['generation'])\n"
        "gc.callbacks.append(seen)\n"
        "held = [[] for i in range(5000)]\n"
        "gc.callbacks.remove(seen); gc.set_threshold(*before)\n"
        "young, middle = starts.count(0), starts.count(1)\n");
    ck_assert_int_ge(number(names, "young"), 20);
    ck_assert_int_ge(number(names, "middle"), 3);
    ck_assert_int_lt(number(names, "middle"), number(names, "young"));
    Py_DECREF(names);
}
END_TEST

START_TEST(test_what_a_finalizer_saves_lives_on_whole)
{
    PyObject *names = run(
        "saved, calls = [], 0\n"
        "class Phoenix(Node):\n"
        "    def __del__(self):\n"
        "        global calls\n"
        "        calls += 1\n"
        "        if calls == 1: saved.append(self)\n"
        "gc.collect()\n"
        "node = ring(1, Phoenix); node.other = ring(3)\n"
        "del node\n"
        "gc.collect()\n"
        "other = saved[0].other\n"
        "first, whole = calls, saved[0].next is saved[0] and other.next.next.next is other\n"
        "gone = weakref.ref(saved[0]); del other\n"
        "saved.clear()\n"
        "gc.collect()\n"
        "second, dead = calls, gone() is None\n");
    ck_assert_int_eq(number(names, "first"), 1);
    ck_assert_int_eq(number(names, "whole"), 1);
    /* A finalizer runs once in an object's life. */
    ck_assert_int_eq(number(names, "second"), 1);
    ck_assert_int_eq(number(names, "dead"), 1);
    Py_DECREF(names);
}
END_TEST

START_TEST(test_callbacks_learn_what_was_found)
{
    PyObject *names = run(
        "events = []\n"
        "def seen(phase, info): events.append((phase, dict(info)))\n"
        "gc.collect(); gc.callbacks.append(seen)\n"
        "node = ring(10); del node\n"
        "gc.collect()\n"
        "gc.callbacks.remove(seen)\n"
        "ok = (events[0] == ('start', {'generation': 2, 'collected': 0, 'uncollectable': 0})\n"
        "      and events[1][0] == 'stop' and events[1][1]['collected'] >= 10\n"
        "      and events[1][1]['uncollectable'] == 0 and len(events) == 2)\n");
    ck_assert_int_eq(number(names, "ok"), 1);
    Py_DECREF(names);
}
END_TEST

START_TEST(test_weak_references_of_garbage_are_dead_when_finalizers_run)
{
    PyObject *names = run(
        "called, seen = [], []\n"
        "class Watcher(Node):\n"
        "    def __del__(self): seen.append(self.weak())\n"
        "gc.collect()\n"
        "a, b = Watcher(), Node()\n"
        "a.b, b.a, a.weak = b, a, weakref.ref(b)\n"
        "outside = weakref.ref(b, called.append)\n"
        "inside = weakref.ref(a); b.weak = weakref.ref(a, lambda r: called.append('garbage too'))\n"
        "del a, b\n"
        "gc.collect()\n"
        "ok = seen == [None] and called == [outside] and inside() is None\n");
    ck_assert_int_eq(number(names, "ok"), 1);
    Py_DECREF(names);
}
END_TEST

START_TEST(test_frozen_objects_are_left_alone)
{
    PyObject *names = run(
        "gc.collect()\n"
        "node = ring(); gone = weakref.ref(node)\n"
        "gc.freeze(); del node\n"
        "gc.collect(); kept = gone() is not None\n"
        "gc.unfreeze(); gc.collect(); freed = gone() is None\n");
    ck_assert_int_eq(number(names, "kept"), 1);
    ck_assert_int_eq(number(names, "freed"), 1);
    Py_DECREF(names);
}
END_TEST

C_TESTS(collector)
{
    tcase_add_test(tests, test_survivors_move_to_the_next_generation);
    tcase_add_test(tests, test_a_young_collection_spares_old_garbage);
    tcase_add_test(tests, test_allocations_start_a_collection_at_the_threshold);
    tcase_add_test(tests, test_what_a_finalizer_saves_lives_on_whole);
    tcase_add_test(tests, test_callbacks_learn_what_was_found);
    tcase_add_test(tests, test_weak_references_of_garbage_are_dead_when_finalizers_run);
    tcase_add_test(tests, test_frozen_objects_are_left_alone);
}
