/* See accounts.h. */
#include "accounts.h"

#include <errno.h>
#include <unistd.h>

static inline AccountState *
get_state(PyObject *module)
{
    return PyModule_GetState(module);
}

int
_PyAccounts_Exec(PyObject *module, const struct account_database *db)
{
    PyTypeObject *type = PyStructSequence_NewType(db->desc);
    get_state(module)->type = type;
    return type == NULL ? -1 : PyModule_AddType(module, type);
}

int
_PyAccounts_Traverse(PyObject *module, visitproc visit, void *arg)
{
    Py_VISIT(get_state(module)->type);
    return 0;
}

int
_PyAccounts_Clear(PyObject *module)
{
    Py_CLEAR(get_state(module)->type);
    return 0;
}

void
_PyAccounts_Free(void *module)
{
    _PyAccounts_Clear(module);
}

PyObject *
_PyAccounts_Text(const char *text)
{
    return text != NULL ? PyUnicode_DecodeFSDefault(text)
                        : Py_NewRef(Py_None);
}

PyObject *
_PyAccounts_Entry(PyObject *module, PyObject **items, int count)
{
    PyObject *entry = PyStructSequence_New(get_state(module)->type);
    int whole = entry != NULL;
    for (int i = 0; i < count; i++) {
        whole = whole && items[i] != NULL;
        if (entry != NULL) {
            PyStructSequence_SET_ITEM(entry, i, items[i]);
        }
        else {
            Py_XDECREF(items[i]);
        }
    }
    if (!whole) {
        Py_CLEAR(entry);
    }
    return entry;
}

PyObject *
_PyAccounts_All(PyObject *module, const struct account_database *db)
{
    PyObject *list = PyList_New(0);
    if (list == NULL) {
        return NULL;
    }
    void *p;
    db->rewind();
    while ((p = db->next()) != NULL) {
        PyObject *entry = db->make(module, p);
        if (entry == NULL || PyList_Append(list, entry) < 0) {
            Py_XDECREF(entry);
            Py_CLEAR(list);
            break;
        }
        Py_DECREF(entry);
    }
    db->close();
    return list;
}

/* *result is a new entry, or NULL without an exception if there is none; -1 with an
   exception set. */
static int
look_up(PyObject *module, const struct account_database *db, const char *name, id_t id,
        PyObject **result)
{
    *result = NULL;
    long hint = sysconf(db->text_size_name);
    size_t size = hint > 0 ? (size_t)hint : 1024;
    char *memory = NULL;        /* the entry, then its strings */
    void *found = NULL;
    int error;
    do {
        char *more = PyMem_RawRealloc(memory, db->entry_size + size);
        if (more == NULL) {
            PyMem_RawFree(memory);
            PyErr_NoMemory();
            return -1;
        }
        memory = more;
        Py_BEGIN_ALLOW_THREADS
        error = db->find(name, id, memory, memory + db->entry_size, size, &found);
        Py_END_ALLOW_THREADS
        size *= 2;
    } while (error == ERANGE && size < (size_t)PY_SSIZE_T_MAX / 2);
    *result = error == 0 && found != NULL ? db->make(module, found) : NULL;
    PyMem_RawFree(memory);
    return PyErr_Occurred() ? -1 : 0;
}

PyObject *
_PyAccounts_EncodeName(PyObject *name)
{
    PyObject *bytes = PyUnicode_EncodeFSDefault(name);
    char *text;
    if (bytes != NULL && PyBytes_AsStringAndSize(bytes, &text, NULL) < 0) {
        Py_CLEAR(bytes);
    }
    return bytes;
}

PyObject *
_PyAccounts_ByName(PyObject *module, const struct account_database *db, PyObject *name,
                   const char *no_such_name)
{
    PyObject *bytes = _PyAccounts_EncodeName(name), *entry;
    if (bytes == NULL) {
        return NULL;
    }
    int rc = look_up(module, db, PyBytes_AS_STRING(bytes), 0, &entry);
    Py_DECREF(bytes);
    if (rc == 0 && entry == NULL) {
        PyErr_Format(PyExc_KeyError, "%s: %R", no_such_name, name);
    }
    return entry;
}

PyObject *
_PyAccounts_ById(PyObject *module, const struct account_database *db, id_t id,
                 PyObject *(*as_int)(id_t), const char *no_such_id)
{
    PyObject *entry;
    if (look_up(module, db, NULL, id, &entry) == 0 && entry == NULL) {
        PyObject *number = as_int(id);
        if (number != NULL) {
            PyErr_Format(PyExc_KeyError, "%s: %S", no_such_id, number);
            Py_DECREF(number);
        }
    }
    return entry;
}
