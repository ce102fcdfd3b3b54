/* dict against an array, and list sort against its definition: sorted, stable. */
#include "suite.h"

#include <stdlib.h>

#define KEYS 500

START_TEST(test_dict_agrees_with_an_array_over_random_operations)
{
    long values[KEYS];
    int present[KEYS] = {0};
    Py_ssize_t count = 0;
    PyObject *dict = PyDict_New();
    for (int step = 0; step < 200000; step++) {
        int k = rand() % KEYS;
        PyObject *key = PyLong_FromLong((long)k * 2654435761L);
        switch (rand() % 3) {
        case 0: {
            PyObject *value = PyLong_FromLong(step);
            ck_assert_int_eq(PyDict_SetItem(dict, key, value), 0);
            Py_DECREF(value);
            count += !present[k];
            present[k] = 1;
            values[k] = step;
            break;
        }
        case 1: {
            int rc = PyDict_DelItem(dict, key);
            ck_assert_msg((rc == 0) == present[k], "deleting key %d at step %d", k, step);
            PyErr_Clear();
            count -= present[k];
            present[k] = 0;
            break;
        }
        default: {
            PyObject *value = PyDict_GetItemWithError(dict, key);
            ck_assert_msg((value != NULL) == present[k], "looking for key %d at step %d", k, step);
            if (value != NULL) {
                ck_assert_int_eq(PyLong_AsLong(value), values[k]);
            }
        }
        }
        ck_assert_int_eq(PyDict_GET_SIZE(dict), count);
        Py_DECREF(key);
    }
    Py_DECREF(dict);
}
END_TEST

START_TEST(test_dict_iterates_in_insertion_order_after_deletions)
{
    PyObject *dict = PyDict_New(), *key, *value;
    for (long i = 0; i < 1000; i++) {
        key = PyLong_FromLong(i * 7919 % 1009);
        PyDict_SetItem(dict, key, Py_None);
        Py_DECREF(key);
    }
    for (long i = 0; i < 1000; i += 3) {
        key = PyLong_FromLong(i * 7919 % 1009);
        PyDict_DelItem(dict, key);
        Py_DECREF(key);
    }
    Py_ssize_t pos = 0;
    long i = 1;
    while (PyDict_Next(dict, &pos, &key, &value)) {
        ck_assert_int_eq(PyLong_AsLong(key), i * 7919 % 1009);
        i += i % 3 == 1 ? 1 : 2;
    }
    Py_DECREF(dict);
}
END_TEST

/* Pairs (key, original index) compared by a key function: order and stability. */
START_TEST(test_sort_is_ordered_and_stable)
{
    PyObject *globals = PyDict_New();
    PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins());
    PyObject *key = PyRun_String("lambda p: p[0]", Py_eval_input, globals, globals);
    ck_assert_ptr_nonnull(key);
    for (int n = 0; n < 3000; n = n * 2 + 1) {
        for (int shape = 0; shape < 4; shape++) {
            PyObject *list = PyList_New(n);
            for (int i = 0; i < n; i++) {
                int k = shape == 0 ? rand() % (n / 3 + 1) : shape == 1 ? i / 4
                    : shape == 2 ? (n - i) / 4 : i % 7;
                PyList_SET_ITEM(list, i, Py_BuildValue("(ii)", k, i));
            }
            PyObject *sort = PyObject_GetAttrString(list, "sort");
            PyObject *kwargs = Py_BuildValue("{sO}", "key", key), *none = PyTuple_New(0);
            PyObject *r = PyObject_Call(sort, none, kwargs);
            ck_assert_ptr_nonnull(r);
            for (int i = 1; i < n; i++) {
                PyObject *a = PyList_GET_ITEM(list, i - 1), *b = PyList_GET_ITEM(list, i);
                ck_assert_msg(PyObject_RichCompareBool(a, b, Py_LT) == 1,
                              "items %d and %d of %d (shape %d) are out of order or not stable",
                              i - 1, i, n, shape);
            }
            Py_DECREF(r);
            Py_DECREF(none);
            Py_DECREF(kwargs);
            Py_DECREF(sort);
            Py_DECREF(list);
        }
    }
    Py_DECREF(key);
    Py_DECREF(globals);
}
END_TEST

C_TESTS(containers)
{
    tcase_add_test(tests, test_dict_agrees_with_an_array_over_random_operations);
    tcase_add_test(tests, test_dict_iterates_in_insertion_order_after_deletions);
    tcase_add_test(tests, test_sort_is_ordered_and_stable);
}
