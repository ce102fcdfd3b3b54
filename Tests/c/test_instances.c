/* Which instances have their attributes inline, and how much room for them. */
#include "suite.h"

#include "internal/instance_attrs.h"

/* Runs statements. Returns their names. */
static PyObject *
run(const char *source)
{
    PyObject *names = PyDict_New();
    PyDict_SetItemString(names, "__builtins__", PyEval_GetBuiltins());
    PyObject *result = PyRun_String(source, Py_file_input, names, names);
    if (result == NULL) {
        PyErr_Print();
        ck_abort_msg("the program failed: %s", source);
    }
    Py_DECREF(result);
    return names;
}

/* 0: its attributes are in a dict. */
static int
capacity(PyObject *names, const char *name)
{
    PyObject *op = PyDict_GetItemString(names, name);
    ck_assert_msg(op != NULL, "no %s", name);
    return _PyInstance_Header(op)->capacity;
}

START_TEST(test_the_first_instance_has_room_for_what_its_methods_set)
{
    PyObject *names = run(
        "class Base:\n"
        "    def __init__(self): self.a = self.b = self.c = 1; self.d, self.e = 2, 3\n"
        "    def later(self, other): self.f = 1; other.x = other.y = 2; self.a += 1\n"
        "class Machine(Base):\n"
        "    def __init__(self): super().__init__(); self.g = self.h = self.i = 0\n"
        "m = Machine(); m.later(type('Other', (), {})())\n"
        "n = Machine()\n"
        "same = list(vars(Machine()))\n");
    ck_assert_int_eq(capacity(names, "m"), 10);     /* and one more */
    ck_assert_int_eq(capacity(names, "n"), 10);
    ck_assert_int_eq(PyList_GET_SIZE(PyDict_GetItemString(names, "same")), 8);
    Py_DECREF(names);
}
END_TEST

START_TEST(test_instances_made_while_the_first_is_made)
{
    PyObject *names = run(
        "class Tree:\n"
        "    def __init__(self, n):\n"
        "        self.below = n and Tree(n - 1)\n"
        "        self.a = self.b = self.c = self.d = self.e = self.f = n\n"
        "top = Tree(4)\n"
        "bottom = top.below.below.below.below\n");
    ck_assert_int_eq(capacity(names, "top"), 8);
    ck_assert_int_eq(capacity(names, "bottom"), 8);
    Py_DECREF(names);
}
END_TEST

START_TEST(test_later_instances_have_room_for_what_has_been_set)
{
    PyObject *names = run(
        "class Sparse:\n"
        "    def a(self): self.a1 = self.a2 = self.a3 = self.a4 = self.a5 = 1\n"
        "    def b(self): self.b1 = self.b2 = self.b3 = self.b4 = self.b5 = 1\n"
        "    def c(self): self.c1 = 1\n"
        "first = Sparse()\n"
        "for i in range(20):\n"
        "    last = Sparse()\n"
        "    last.c()\n");
    ck_assert_int_eq(capacity(names, "first"), 12);
    ck_assert_int_eq(capacity(names, "last"), 2);
    Py_DECREF(names);
}
END_TEST

START_TEST(test_more_than_fit)
{
    PyObject *names = run(
        "lines = [f'  self.name{i} = {i}' for i in range(70)]\n"
        "exec('class Large:\\n def __init__(self):\\n' + '\\n'.join(lines))\n"
        "exec('class Fits:\\n def __init__(self):\\n' + '\\n'.join(lines[:61]))\n"
        "large, fits = Large(), Fits()\n"
        "right = [getattr(large, f'name{i}') for i in range(70)] == list(range(70))\n"
        "class Outside: pass\n"
        "outside = Outside()\n"
        "for i in range(6): setattr(outside, f'name{i}', i)\n");
    ck_assert_int_eq(capacity(names, "large"), 0);
    ck_assert_int_eq(capacity(names, "fits"), 62);
    ck_assert_ptr_eq(PyDict_GetItemString(names, "right"), Py_True);
    ck_assert_int_eq(capacity(names, "outside"), 0);
    Py_DECREF(names);
}
END_TEST

C_TESTS(instances)
{
    tcase_add_test(tests, test_the_first_instance_has_room_for_what_its_methods_set);
    tcase_add_test(tests, test_instances_made_while_the_first_is_made);
    tcase_add_test(tests, test_later_instances_have_room_for_what_has_been_set);
    tcase_add_test(tests, test_more_than_fit);
}
