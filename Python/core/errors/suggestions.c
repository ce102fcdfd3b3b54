/* "Did you mean: 'x'?" for NameError and AttributeError.

   The distance between two names counts edits: an insertion, deletion or substitution
   costs MOVE_COST, a change of case only CASE_COST. The best candidate is suggested if
   its cost is small compared with the length of the names. All exceptions in here are
   swallowed: a hint is never worth an error. */
#include "Python.h"
#include "frameobject.h"
#include "internal/errors.h"
#include "internal/names.h"

#include <string.h>

enum {
    MAX_CANDIDATES = 750,
    MAX_LENGTH = 40,
    MOVE_COST = 2,
    CASE_COST = 1,
};

static int
fold(int c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

static int
substitution_cost(char a, char b)
{
    if (a == b) {
        return 0;
    }
    return fold((unsigned char)a) == fold((unsigned char)b) ? CASE_COST
                                                            : MOVE_COST;
}

/* Edit distance of a to b, or limit + 1 when it exceeds the limit. One row of
   the usual table: row[j] is the cost of turning the part of a seen so far
   into b[:j + 1]. */
static Py_ssize_t
edit_cost(const char *a, size_t m, const char *b, size_t n, Py_ssize_t limit)
{
    while (m > 0 && n > 0 && a[0] == b[0]) {
        a++, b++, m--, n--;
    }
    while (m > 0 && n > 0 && a[m - 1] == b[n - 1]) {
        m--, n--;
    }
    if (m == 0 || n == 0) {
        return (Py_ssize_t)(m + n) * MOVE_COST;
    }
    if (m > MAX_LENGTH || n > MAX_LENGTH) {
        return limit + 1;
    }
    size_t difference = m > n ? m - n : n - m;
    if ((Py_ssize_t)difference * MOVE_COST > limit) {
        return limit + 1;
    }
    Py_ssize_t row[MAX_LENGTH];
    for (size_t j = 0; j < n; j++) {
        row[j] = (Py_ssize_t)(j + 1) * MOVE_COST;
    }
    for (size_t i = 0; i < m; i++) {
        Py_ssize_t diagonal = (Py_ssize_t)i * MOVE_COST;
        Py_ssize_t left = diagonal + MOVE_COST;
        Py_ssize_t smallest = PY_SSIZE_T_MAX;
        for (size_t j = 0; j < n; j++) {
            Py_ssize_t up = row[j];
            Py_ssize_t cost = diagonal + substitution_cost(a[i], b[j]);
            Py_ssize_t move = (left < up ? left : up) + MOVE_COST;
            if (move < cost) {
                cost = move;
            }
            diagonal = up;
            row[j] = left = cost;
            if (cost < smallest) {
                smallest = cost;
            }
        }
        if (smallest > limit) {
            return limit + 1;
        }
    }
    return row[n - 1];
}

Py_ssize_t
_Py_UTF8_Edit_Cost(PyObject *a, PyObject *b, Py_ssize_t max_cost)
{
    Py_ssize_t m, n;
    const char *s = PyUnicode_AsUTF8AndSize(a, &m);
    const char *t = s == NULL ? NULL : PyUnicode_AsUTF8AndSize(b, &n);
    if (t == NULL) {
        return -1;
    }
    if (max_cost == -1) {
        max_cost = MOVE_COST * (m > n ? m : n);
    }
    return edit_cost(s, (size_t)m, t, (size_t)n, max_cost);
}

/* The best of the names in the list. Returns a new reference, or NULL. */
static PyObject *
best_match(PyObject *names, PyObject *wanted)
{
    Py_ssize_t count = PyList_Size(names);
    if (count < 0 || count >= MAX_CANDIDATES) {
        return NULL;
    }
    Py_ssize_t wanted_size;
    const char *wanted_text = PyUnicode_AsUTF8AndSize(wanted, &wanted_size);
    if (wanted_text == NULL) {
        return NULL;
    }
    PyObject *best = NULL;
    Py_ssize_t best_cost = PY_SSIZE_T_MAX;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *name = PyList_GET_ITEM(names, i);
        Py_ssize_t size;
        if (!PyUnicode_Check(name)) {
            return NULL;
        }
        const char *text = PyUnicode_AsUTF8AndSize(name, &size);
        if (text == NULL) {
            return NULL;
        }
        if (PyUnicode_Compare(name, wanted) == 0) {
            continue;
        }
        /* At most a third of all characters may be wrong. */
        Py_ssize_t limit = (wanted_size + size + 3) * MOVE_COST / 6;
        if (limit > best_cost - 1) {
            limit = best_cost - 1;
        }
        Py_ssize_t cost = edit_cost(wanted_text, (size_t)wanted_size, text,
                                    (size_t)size, limit);
        if (cost <= limit) {
            best = name;
            best_cost = cost;
        }
    }
    return Py_XNewRef(best);
}

static PyObject *
suggest_attribute(PyAttributeErrorObject *error)
{
    if (error->name == NULL || error->obj == NULL
        || !PyUnicode_CheckExact(error->name)) {
        return NULL;
    }
    PyObject *names = PyObject_Dir(error->obj);
    if (names == NULL) {
        return NULL;
    }
    PyObject *best = best_match(names, error->name);
    Py_DECREF(names);
    return best;
}

static PyObject *
suggest_in(PyObject *mapping_or_tuple, PyObject *name)
{
    PyObject *names = PySequence_List(mapping_or_tuple);
    if (names == NULL) {
        return NULL;
    }
    PyObject *best = best_match(names, name);
    Py_DECREF(names);
    return best;
}

static PyObject *
suggest_from_frame(PyFrameObject *frame, PyObject *name)
{
    PyObject *best = NULL;
    PyCodeObject *code = PyFrame_GetCode(frame);
    PyObject *locals = code->co_localsplusnames;
    if (locals != NULL) {
        best = suggest_in(locals, name);
    }
    Py_DECREF(code);
    if (best != NULL || PyErr_Occurred()) {
        return best;
    }
    PyObject *globals = PyFrame_GetGlobals(frame);
    if (globals != NULL) {
        best = suggest_in(globals, name);
        Py_DECREF(globals);
        if (best != NULL || PyErr_Occurred()) {
            return best;
        }
    }
    PyObject *builtins = PyFrame_GetBuiltins(frame);
    if (builtins != NULL) {
        best = suggest_in(builtins, name);
        Py_DECREF(builtins);
    }
    return best;
}

static PyObject *
suggest_name(PyNameErrorObject *error)
{
    PyTracebackObject *tb = (PyTracebackObject *)error->traceback;
    if (error->name == NULL || !PyUnicode_CheckExact(error->name)
        || tb == NULL || !PyTraceBack_Check(tb)) {
        return NULL;
    }
    while (tb->tb_next != NULL) {
        tb = tb->tb_next;
    }
    return suggest_from_frame(tb->tb_frame, error->name);
}

PyObject *
_Py_Offer_Suggestions(PyObject *exception)
{
    PyObject *best = NULL;
    if (Py_IS_TYPE(exception, (PyTypeObject *)PyExc_AttributeError)) {
        best = suggest_attribute((PyAttributeErrorObject *)exception);
    }
    else if (Py_IS_TYPE(exception, (PyTypeObject *)PyExc_NameError)) {
        best = suggest_name((PyNameErrorObject *)exception);
    }
    PyErr_Clear();
    return best;
}
