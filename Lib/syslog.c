/* The syslog module.

   openlog(3) keeps the pointer to the identification: `ident` owns the str whose
   UTF-8 form it points into. */
#include "Python.h"
#include "internal/method_table.h"
#include "internal/module_init.h"

#include <string.h>
#include <syslog.h>

static PyObject *ident;
static int is_open;

/* Returns a new reference to the script's name, from sys.argv, or NULL if there is none. */
static PyObject *
script_name(void)
{
    PyObject *argv = PySys_GetObject("argv");
    if (argv == NULL || !PyList_Check(argv) || PyList_GET_SIZE(argv) == 0) {
        return NULL;
    }
    PyObject *script = PyList_GET_ITEM(argv, 0);
    if (!PyUnicode_Check(script) || PyUnicode_GET_LENGTH(script) == 0) {
        return NULL;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(script);
    Py_ssize_t slash = PyUnicode_FindChar(script, '/', 0, n, -1);
    return slash < 0 ? Py_NewRef(script)
                     : PyUnicode_Substring(script, slash + 1, n);
}

PyDoc_STRVAR(openlog_doc,
"openlog([ident[, logoption[, facility]]])\n\nSet how later messages are sent.");

static PyObject *
syslog_openlog(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwds)
{
    static char *names[] = {"ident", "logoption", "facility", NULL};
    PyObject *new_ident = NULL;
    long option = 0, facility = LOG_USER;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|Ull:openlog", names,
                                     &new_ident, &option, &facility)) {
        return NULL;
    }
    if (new_ident != NULL) {
        Py_INCREF(new_ident);
    }
    else {
        new_ident = script_name();
        if (new_ident == NULL && PyErr_Occurred()) {
            return NULL;
        }
    }
    const char *text = NULL;
    if (new_ident != NULL) {
        text = PyUnicode_AsUTF8(new_ident);
        if (text == NULL) {
            Py_DECREF(new_ident);
            return NULL;
        }
    }
    if (PySys_Audit("syslog.openlog", "Oll",
                    new_ident != NULL ? new_ident : Py_None, option,
                    facility) < 0) {
        Py_XDECREF(new_ident);
        return NULL;
    }
    openlog(text, (int)option, (int)facility);
    is_open = 1;
    Py_XSETREF(ident, new_ident);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(syslog_doc,
"syslog([priority,] message)\n\nSend a message to the system's logger.");

static PyObject *
syslog_syslog(PyObject *module, PyObject *args)
{
    PyObject *message;
    int priority = LOG_INFO;
    if (!PyArg_ParseTuple(args, "iU;[priority,] message string", &priority,
                          &message)) {
        PyErr_Clear();
        if (!PyArg_ParseTuple(args, "U;[priority,] message string",
                              &message)) {
            return NULL;
        }
    }
    const char *text = PyUnicode_AsUTF8(message);
    if (text == NULL
        || PySys_Audit("syslog.syslog", "is", priority, text) < 0) {
        return NULL;
    }
    if (!is_open) {
        PyObject *empty = PyTuple_New(0);
        PyObject *opened = empty == NULL ? NULL
            : syslog_openlog(module, empty, NULL);
        Py_XDECREF(empty);
        if (opened == NULL) {
            return NULL;
        }
        Py_DECREF(opened);
    }
    /* Another thread's openlog() must not free the name meanwhile. */
    PyObject *used = Py_XNewRef(ident);
    Py_BEGIN_ALLOW_THREADS
    syslog(priority, "%s", text);
    Py_END_ALLOW_THREADS
    Py_XDECREF(used);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(closelog_doc, "closelog()\n\nUndo openlog().");

static PyObject *
syslog_closelog(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    if (PySys_Audit("syslog.closelog", NULL) < 0) {
        return NULL;
    }
    if (is_open) {
        closelog();
        Py_CLEAR(ident);
        is_open = 0;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(setlogmask_doc,
"setlogmask(maskpri) -> int\n\nSet which priorities are logged.");

static PyObject *
syslog_setlogmask(PyObject *Py_UNUSED(module), PyObject *args)
{
    long mask;
    if (!PyArg_ParseTuple(args, "l;mask for priority", &mask)
        || PySys_Audit("syslog.setlogmask", "l", mask) < 0) {
        return NULL;
    }
    return PyLong_FromLong(setlogmask((int)mask));
}

PyDoc_STRVAR(log_mask_doc, "LOG_MASK(pri) -> int\n\nThe mask of one priority.");

static PyObject *
syslog_log_mask(PyObject *Py_UNUSED(module), PyObject *args)
{
    long priority;
    if (!PyArg_ParseTuple(args, "l:LOG_MASK", &priority)) {
        return NULL;
    }
    return PyLong_FromLong(LOG_MASK(priority));
}

PyDoc_STRVAR(log_upto_doc,
"LOG_UPTO(pri) -> int\n\nThe mask of all priorities up to one.");

static PyObject *
syslog_log_upto(PyObject *Py_UNUSED(module), PyObject *args)
{
    long priority;
    if (!PyArg_ParseTuple(args, "l:LOG_UPTO", &priority)) {
        return NULL;
    }
    return PyLong_FromLong(LOG_UPTO(priority));
}

static PyMethodDef syslog_methods[] = {
    {"openlog", VAR_KEYWORDS(syslog_openlog), openlog_doc},
    {"closelog", syslog_closelog, METH_NOARGS, closelog_doc},
    {"syslog", syslog_syslog, METH_VARARGS, syslog_doc},
    {"setlogmask", syslog_setlogmask, METH_VARARGS, setlogmask_doc},
    {"LOG_MASK", syslog_log_mask, METH_VARARGS, log_mask_doc},
    {"LOG_UPTO", syslog_log_upto, METH_VARARGS, log_upto_doc},
    {NULL, NULL, 0, NULL},
};

#define ROW(name) {#name, name}
static const struct {
    const char *name;
    int value;
} constants[] = {
    ROW(LOG_EMERG), ROW(LOG_ALERT), ROW(LOG_CRIT), ROW(LOG_ERR),
    ROW(LOG_WARNING), ROW(LOG_NOTICE), ROW(LOG_INFO), ROW(LOG_DEBUG),
    ROW(LOG_PID), ROW(LOG_CONS), ROW(LOG_NDELAY), ROW(LOG_ODELAY),
    ROW(LOG_NOWAIT), ROW(LOG_PERROR),
    ROW(LOG_KERN), ROW(LOG_USER), ROW(LOG_MAIL), ROW(LOG_DAEMON),
    ROW(LOG_AUTH), ROW(LOG_LPR), ROW(LOG_LOCAL0), ROW(LOG_LOCAL1),
    ROW(LOG_LOCAL2), ROW(LOG_LOCAL3), ROW(LOG_LOCAL4), ROW(LOG_LOCAL5),
    ROW(LOG_LOCAL6), ROW(LOG_LOCAL7), ROW(LOG_SYSLOG), ROW(LOG_CRON),
    ROW(LOG_UUCP), ROW(LOG_NEWS), ROW(LOG_AUTHPRIV),
};
#undef ROW

static int
syslog_exec(PyObject *module)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(constants); i++) {
        if (PyModule_AddIntConstant(module, constants[i].name,
                                    constants[i].value) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyModuleDef_Slot syslog_slots[] = {
    {Py_mod_exec, syslog_exec},
    {0, NULL},
};

static PyModuleDef syslog_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "syslog",
    .m_size = 0,
    .m_methods = syslog_methods,
    .m_slots = syslog_slots,
};

MODULE_INIT(syslog)
{
    return PyModuleDef_Init(&syslog_module);
}
