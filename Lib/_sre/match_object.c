/* re.Match: the spans of one match, and the text that they are of. */
#include "objects.h"
#include "structmember.h"

#include <stddef.h>
#include "internal/method_table.h"

static int
match_traverse(SreMatch *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->string);
    Py_VISIT(self->regs);
    Py_VISIT(self->pattern);
    return 0;
}

static int
match_clear(SreMatch *self)
{
    Py_CLEAR(self->string);
    Py_CLEAR(self->regs);
    Py_CLEAR(self->pattern);
    return 0;
}

static void
match_dealloc(SreMatch *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    match_clear(self);
    type->tp_free(self);
    Py_DECREF(type);
}

/* ------------------------------------------------------------------- groups */

/* Text of group i, or `missing`. */
static PyObject *
slice_of(SreMatch *self, Py_ssize_t i, PyObject *missing)
{
    if (self->string == Py_None || self->mark[2 * i] < 0) {
        return Py_NewRef(missing);
    }
    Py_ssize_t start = self->mark[2 * i], end = self->mark[2 * i + 1];
    if (PyUnicode_Check(self->string)) {
        return _Sre_Slice(0, NULL, self->string, start, end);
    }
    Py_buffer view;
    if (PyObject_GetBuffer(self->string, &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    start = Py_MIN(start, view.len);    /* a bytearray may have shrunk */
    end = Py_MIN(end, view.len);
    PyObject *slice = _Sre_Slice(1, view.buf, self->string, start, end);
    PyBuffer_Release(&view);
    return slice;
}

/* A group's number from an index or a name; -1 with an exception. */
static Py_ssize_t
group_number(SreMatch *self, PyObject *index)
{
    Py_ssize_t i = -1;
    if (PyIndex_Check(index)) {
        i = PyNumber_AsSsize_t(index, NULL);
    }
    else if (PyDict_GET_SIZE(self->pattern->groupindex) > 0) {
        PyObject *number = PyDict_GetItemWithError(self->pattern->groupindex, index);
        if (number != NULL && PyLong_Check(number)) {
            i = PyLong_AsSsize_t(number);
        }
    }
    if (i < 0 || i >= self->groups) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_IndexError, "no such group");
        }
        return -1;
    }
    return i;
}

static PyObject *
group_of(SreMatch *self, PyObject *index)
{
    Py_ssize_t i = group_number(self, index);
    return i < 0 ? NULL : slice_of(self, i, Py_None);
}

static PyObject *
match_group(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    SreMatch *self = (SreMatch *)op;
    if (nargs == 0) {
        return slice_of(self, 0, Py_None);
    }
    if (nargs == 1) {
        return group_of(self, args[0]);
    }
    PyObject *tuple = PyTuple_New(nargs);
    for (Py_ssize_t i = 0; tuple != NULL && i < nargs; i++) {
        PyObject *item = group_of(self, args[i]);
        if (item == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, i, item);
    }
    return tuple;
}

static PyObject *
match_getitem(PyObject *op, PyObject *index)
{
    return group_of((SreMatch *)op, index);
}

static int
default_arg(const char *format, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
            PyObject **value)
{
    static const char *const keywords[] = {"default", NULL};
    static _PyArg_Parser groups = {.format = "|O:groups", .keywords = keywords};
    static _PyArg_Parser groupdict = {.format = "|O:groupdict", .keywords = keywords};
    *value = Py_None;
    return _PyArg_ParseStackAndKeywords(args, nargs, kwnames,
                                        format[0] == 'd' ? &groupdict : &groups, value);
}

static PyObject *
match_groups(PyObject *op, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    SreMatch *self = (SreMatch *)op;
    PyObject *missing;
    if (!default_arg("groups", args, nargs, kwnames, &missing)) {
        return NULL;
    }
    PyObject *tuple = PyTuple_New(self->groups - 1);
    for (Py_ssize_t i = 1; tuple != NULL && i < self->groups; i++) {
        PyObject *item = slice_of(self, i, missing);
        if (item == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, i - 1, item);
    }
    return tuple;
}

static PyObject *
match_groupdict(PyObject *op, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    SreMatch *self = (SreMatch *)op;
    PyObject *missing, *key, *number;
    Py_ssize_t pos = 0;
    if (!default_arg("dict", args, nargs, kwnames, &missing)) {
        return NULL;
    }
    PyObject *dict = PyDict_New();
    while (dict != NULL
           && PyDict_Next(self->pattern->groupindex, &pos, &key, &number)) {
        PyObject *value = NULL;
        Py_INCREF(key);
        Py_ssize_t i = group_number(self, key);
        if (i >= 0) {
            value = slice_of(self, i, missing);
        }
        if (value == NULL || PyDict_SetItem(dict, key, value) < 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(value);
        Py_DECREF(key);
    }
    return dict;
}

/* -------------------------------------------------------------------- spans */

static Py_ssize_t
optional_group(SreMatch *self, const char *name, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional(name, nargs, 0, 1)) {
        return -1;
    }
    return nargs == 0 ? 0 : group_number(self, args[0]);
}

static PyObject *
match_start(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    SreMatch *self = (SreMatch *)op;
    Py_ssize_t i = optional_group(self, "start", args, nargs);
    return i < 0 ? NULL : PyLong_FromSsize_t(self->mark[2 * i]);
}

static PyObject *
match_end(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    SreMatch *self = (SreMatch *)op;
    Py_ssize_t i = optional_group(self, "end", args, nargs);
    return i < 0 ? NULL : PyLong_FromSsize_t(self->mark[2 * i + 1]);
}

static PyObject *
span_of(SreMatch *self, Py_ssize_t i)
{
    PyObject *span = PyTuple_New(2);
    for (Py_ssize_t end = 0; span != NULL && end < 2; end++) {
        PyObject *place = PyLong_FromSsize_t(self->mark[2 * i + end]);
        if (place == NULL) {
            Py_CLEAR(span);
            break;
        }
        PyTuple_SET_ITEM(span, end, place);
    }
    return span;
}

static PyObject *
match_span(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    SreMatch *self = (SreMatch *)op;
    Py_ssize_t i = optional_group(self, "span", args, nargs);
    return i < 0 ? NULL : span_of(self, i);
}

static PyObject *
match_get_regs(SreMatch *self, void *Py_UNUSED(closure))
{
    if (self->regs == NULL) {
        PyObject *regs = PyTuple_New(self->groups);
        for (Py_ssize_t i = 0; regs != NULL && i < self->groups; i++) {
            PyObject *span = span_of(self, i);
            if (span == NULL) {
                Py_CLEAR(regs);
                break;
            }
            PyTuple_SET_ITEM(regs, i, span);
        }
        self->regs = regs;
    }
    return Py_XNewRef(self->regs);
}

static PyObject *
match_get_lastindex(SreMatch *self, void *Py_UNUSED(closure))
{
    return self->lastindex >= 0 ? PyLong_FromSsize_t(self->lastindex) : Py_NewRef(Py_None);
}

static PyObject *
match_get_lastgroup(SreMatch *self, void *Py_UNUSED(closure))
{
    PyObject *names = self->pattern->indexgroup;
    if (self->lastindex >= 0 && self->lastindex < PyTuple_GET_SIZE(names)) {
        return Py_NewRef(PyTuple_GET_ITEM(names, self->lastindex));
    }
    Py_RETURN_NONE;
}

/* --------------------------------------------------------------------- rest */

static PyObject *
match_expand(PyObject *op, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"template", NULL};
    static _PyArg_Parser parser = {.format = "O:expand", .keywords = keywords};
    PyObject *template;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &template)) {
        return NULL;
    }
    PyObject *re = PyImport_ImportModule("re");
    PyObject *result = re == NULL ? NULL
        : PyObject_CallMethod(re, "_expand", "OOO", ((SreMatch *)op)->pattern, op, template);
    Py_XDECREF(re);
    return result;
}

static PyObject *
match_copy(PyObject *self, PyObject *Py_UNUSED(arg))
{
    return Py_NewRef(self);
}

static PyObject *
match_repr(SreMatch *self)
{
    PyObject *text = slice_of(self, 0, Py_None);
    if (text == NULL) {
        return NULL;
    }
    PyObject *result = PyUnicode_FromFormat("<%s object; span=(%zd, %zd), match=%.50R>",
                                            Py_TYPE(self)->tp_name, self->mark[0],
                                            self->mark[1], text);
    Py_DECREF(text);
    return result;
}


static PyMethodDef match_methods[] = {
    {"group", FAST_FOR_TUPLE(match_group),
     "group([group1, ...]) -> str or tuple.\n    Return subgroup(s) of the match by indices or names.\n    For 0 returns the entire match."},
    {"start", FAST(match_start), "start($self, group=0, /)\n--\n\nWhere a group begins."},
    {"end", FAST(match_end), "end($self, group=0, /)\n--\n\nWhere a group ends."},
    {"span", FAST(match_span), "span($self, group=0, /)\n--\n\n(start, end)"},
    {"groups", FAST_KEYWORDS(match_groups),
     "groups($self, /, default=None)\n--\n\nAll groups but 0."},
    {"groupdict", FAST_KEYWORDS(match_groupdict),
     "groupdict($self, /, default=None)\n--\n\nThe named groups."},
    {"expand", FAST_KEYWORDS(match_expand),
     "expand($self, /, template)\n--\n\nThe template with the groups put in."},
    {"__copy__", match_copy, METH_NOARGS, "__copy__($self, /)\n--\n\n"},
    {"__deepcopy__", match_copy, METH_O, "__deepcopy__($self, memo, /)\n--\n\n"},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, "See PEP 585"},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef match_getset[] = {
    {"lastindex", (getter)match_get_lastindex, NULL,
     "The integer index of the last matched capturing group.", NULL},
    {"lastgroup", (getter)match_get_lastgroup, NULL,
     "The name of the last matched capturing group.", NULL},
    {"regs", (getter)match_get_regs, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyMemberDef match_members[] = {
    {"string", T_OBJECT, offsetof(SreMatch, string), READONLY,
     "The string passed to match() or search()."},
    {"re", T_OBJECT, offsetof(SreMatch, pattern), READONLY, "The regular expression object."},
    {"pos", T_PYSSIZET, offsetof(SreMatch, pos), READONLY,
     "The index into the string at which the RE engine started looking for a match."},
    {"endpos", T_PYSSIZET, offsetof(SreMatch, endpos), READONLY,
     "The index into the string beyond which the RE engine will not go."},
    {NULL, 0, 0, 0, NULL}
};

static PyType_Slot match_slots[] = {
    {Py_tp_dealloc, match_dealloc}, {Py_tp_repr, match_repr}, {Py_tp_traverse, match_traverse},
    {Py_tp_clear, match_clear},
    {Py_tp_doc, "The result of re.match() and re.search().\nMatch objects always have a boolean value of True."},
    {Py_tp_methods, match_methods}, {Py_tp_members, match_members},
    {Py_tp_getset, match_getset}, {Py_mp_subscript, match_getitem}, {0, NULL}
};

PyType_Spec _Sre_MatchSpec = {
    "re.Match", sizeof(SreMatch), sizeof(Py_ssize_t),
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION
        | Py_TPFLAGS_HAVE_GC,
    match_slots
};
