/* Access to the dict of the sys module, and to its streams, for every floor. The module
   itself is Python/runtime/sys. */
#include "Python.h"
#include "internal/pystate.h"

PyObject *
PySys_GetObject(const char *name)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyObject *sysdict = tstate->interp->sysdict;
    if (sysdict == NULL) {
        return NULL;
    }
    PyObject *type, *value, *tb;
    PyErr_Fetch(&type, &value, &tb);
    PyObject *found = PyDict_GetItemString(sysdict, name);
    PyErr_Restore(type, value, tb);
    return found;
}

int
PySys_SetObject(const char *name, PyObject *value)
{
    PyObject *sysdict = _PyInterpreterState_GET()->sysdict;
    if (sysdict == NULL) {      /* start-up failed before there was a sys */
        PyErr_SetString(PyExc_RuntimeError, "lost sys");
        return -1;
    }
    if (value != NULL) {
        return PyDict_SetItemString(sysdict, name, value);
    }
    PyObject *key = PyUnicode_FromString(name);
    if (key == NULL) {
        return -1;
    }
    int has = PyDict_Contains(sysdict, key);
    int rc = has > 0 ? PyDict_DelItem(sysdict, key) : has;
    Py_DECREF(key);
    return rc;
}

/* printf to sys.stdout or sys.stderr: at most 1000 bytes, then a mark. Uses the C stream
   if that fails, and never changes the current exception. */
static void
write_stream(const char *name, FILE *fallback, const char *format, va_list va)
{
    enum { LIMIT = 1000 };
    char buffer[LIMIT + 1];
    PyObject *type, *value, *tb;
    PyErr_Fetch(&type, &value, &tb);
    PyObject *file = PySys_GetObject(name);
    int written = PyOS_vsnprintf(buffer, sizeof(buffer), format, va);
    const char *parts[] = {buffer,
        written < 0 || written >= (int)sizeof(buffer) ? "... truncated" : NULL};
    for (int i = 0; i < 2 && parts[i] != NULL; i++) {
        if (file == NULL || file == Py_None || PyFile_WriteString(parts[i], file) < 0) {
            PyErr_Clear();
            fputs(parts[i], fallback);
        }
    }
    PyErr_Restore(type, value, tb);
}

void
PySys_WriteStdout(const char *format, ...)
{
    va_list va;
    va_start(va, format);
    write_stream("stdout", stdout, format, va);
    va_end(va);
}

void
PySys_WriteStderr(const char *format, ...)
{
    va_list va;
    va_start(va, format);
    write_stream("stderr", stderr, format, va);
    va_end(va);
}

static void
format_stream(const char *name, FILE *fallback, const char *format, va_list va)
{
    PyObject *type, *value, *tb;
    PyErr_Fetch(&type, &value, &tb);
    PyObject *file = PySys_GetObject(name);
    PyObject *text = PyUnicode_FromFormatV(format, va);
    if (text != NULL) {
        if (file == NULL || PyFile_WriteObject(text, file, Py_PRINT_RAW) < 0) {
            PyErr_Clear();
            const char *utf8 = PyUnicode_AsUTF8(text);
            if (utf8 != NULL) {
                fputs(utf8, fallback);
            }
        }
        Py_DECREF(text);
    }
    PyErr_Restore(type, value, tb);
}

void
PySys_FormatStdout(const char *format, ...)
{
    va_list va;
    va_start(va, format);
    format_stream("stdout", stdout, format, va);
    va_end(va);
}

void
PySys_FormatStderr(const char *format, ...)
{
    va_list va;
    va_start(va, format);
    format_stream("stderr", stderr, format, va);
    va_end(va);
}
