/* Arguments of the posix module: paths, descriptors, ids, offsets; and the
   errors that name them. */
#include "posix.h"
#include "internal/abstract.h"

PyObject *
_posix_error(void)
{
    return PyErr_SetFromErrno(PyExc_OSError);
}

PyObject *
_posix_path_error(const path_t *path)
{
    return PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path->object);
}

PyObject *
_posix_path_error2(const path_t *path, const path_t *path2)
{
    return PyErr_SetFromErrnoWithFilenameObjects(PyExc_OSError, path->object, path2->object);
}

PyObject *
_posix_unavailable(const char *function, const char *argument)
{
    return PyErr_Format(PyExc_NotImplementedError, "%s%s%s unavailable on this platform",
                        function ? function : "", function ? ": " : "", argument);
}

/* -------------------------------------------------------------------- paths */

static int
fail_type(const path_t *path, PyObject *object)
{
    const char *allowed =
        path->allow_fd && path->nullable ? "string, bytes, os.PathLike, integer or None"
        : path->allow_fd ? "string, bytes, os.PathLike or integer"
        : path->nullable ? "string, bytes, os.PathLike or None"
        : "string, bytes or os.PathLike";
    PyErr_Format(PyExc_TypeError, "%s%s%s should be %s, not %.200s",
                 path->function ? path->function : "", path->function ? ": " : "",
                 path->argument ? path->argument : "path", allowed, _PyType_Name(Py_TYPE(object)));
    return 0;
}

static int
as_descriptor(PyObject *object, int *fd)
{
    PyObject *index = PyNumber_Index(object);
    if (index == NULL) {
        return 0;
    }
    int overflow;
    long value = PyLong_AsLongAndOverflow(index, &overflow);
    Py_DECREF(index);
    if (value == -1 && !overflow && PyErr_Occurred()) {
        return 0;
    }
    if (overflow > 0 || value > INT_MAX) {
        PyErr_SetString(PyExc_OverflowError, "fd is greater than maximum");
        return 0;
    }
    if (overflow < 0 || value < INT_MIN) {
        PyErr_SetString(PyExc_OverflowError, "fd is less than minimum");
        return 0;
    }
    *fd = (int)value;
    return 1;
}

int
_posix_path_converter(PyObject *object, void *out)
{
    path_t *path = out;
    if (object == NULL) {       /* clean up after another argument failed */
        _posix_path_done(path);
        return 1;
    }
    path->object = path->bytes = NULL;
    PyObject *given = Py_NewRef(object);
    if (object == Py_None && path->nullable) {
        path->object = given;
        return Py_CLEANUP_SUPPORTED;
    }
    if (!PyUnicode_Check(object) && !PyBytes_Check(object)) {
        if (path->allow_fd && PyIndex_Check(object)) {
            if (!as_descriptor(object, &path->fd)) {
                Py_DECREF(given);
                return 0;
            }
            path->object = given;
            return Py_CLEANUP_SUPPORTED;
        }
        PyObject *real = _PyObject_CallFSPath(object);
        if (real != NULL) {
            Py_SETREF(given, real);
        }
        else {
            if (!PyErr_Occurred()) {
                if (PyObject_CheckBuffer(object)) {
                    /* bytes-like objects: accepted with a warning */
                    if (PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                                         "%s%s%s should be %s, not %.200s",
                                         path->function ? path->function : "",
                                         path->function ? ": " : "",
                                         path->argument ? path->argument : "path",
                                         path->allow_fd && path->nullable
                                             ? "string, bytes, os.PathLike, integer or None"
                                             : path->allow_fd
                                                 ? "string, bytes, os.PathLike or integer"
                                                 : path->nullable
                                                     ? "string, bytes, os.PathLike or None"
                                                     : "string, bytes or os.PathLike",
                                         _PyType_Name(Py_TYPE(object))) < 0) {
                        Py_DECREF(given);
                        return 0;
                    }
                    path->bytes = PyBytes_FromObject(object);
                    if (path->bytes == NULL) {
                        Py_DECREF(given);
                        return 0;
                    }
                    goto have_text;
                }
                fail_type(path, object);
            }
            Py_DECREF(given);
            return 0;
        }
    }
have_text:
    if (path->bytes != NULL) {          /* errors name the object itself */
        path->is_bytes = 1;
    }
    else if (PyUnicode_Check(given)) {
        if (!PyUnicode_FSConverter(given, &path->bytes)) {  /* "embedded null byte" */
            Py_DECREF(given);
            return 0;
        }
    }
    else {
        path->is_bytes = 1;
        path->bytes = Py_NewRef(given);
    }
    path->object = given;
    path->text = PyBytes_AS_STRING(path->bytes);
    path->length = PyBytes_GET_SIZE(path->bytes);
    if (strlen(path->text) != (size_t)path->length) {
        PyErr_Format(PyExc_ValueError, "%s%sembedded null character in %s",
                     path->function ? path->function : "", path->function ? ": " : "",
                     path->argument ? path->argument : "path");
        _posix_path_done(path);
        return 0;
    }
    return Py_CLEANUP_SUPPORTED;
}

void
_posix_path_done(path_t *path)
{
    Py_CLEAR(path->object);
    Py_CLEAR(path->bytes);
}

int
_posix_fs_bytes(PyObject *object, void *out)
{
    return PyUnicode_FSConverter(object, out);
}

/* -------------------------------------------------------------- descriptors */

int
_posix_dir_fd_converter(PyObject *object, void *fd)
{
    if (object == Py_None) {
        *(int *)fd = AT_FDCWD;
        return 1;
    }
    if (PyIndex_Check(object)) {
        return as_descriptor(object, fd);
    }
    PyErr_Format(PyExc_TypeError, "argument should be integer or None, not %.200s",
                 Py_TYPE(object)->tp_name);
    return 0;
}

int
_posix_fd_converter(PyObject *object, void *fd)
{
    int value = PyObject_AsFileDescriptor(object);
    *(int *)fd = value;
    return value >= 0;
}

int
_posix_bad_combination(const char *function, const path_t *path, int dir_fd,
                       int follow_symlinks)
{
    if (path->fd >= 0 && dir_fd != AT_FDCWD) {
        PyErr_Format(PyExc_ValueError, "%s: can't specify dir_fd without matching path",
                     function);
        return 1;
    }
    if (path->fd >= 0 && !follow_symlinks) {
        PyErr_Format(PyExc_ValueError,
                     "%s: cannot use fd and follow_symlinks together", function);
        return 1;
    }
    return 0;
}

/* ------------------------------------------------------ ids, sizes, devices */

/* uid_t and gid_t: unsigned 32 bits, where -1 is a value of its own. */
static int
convert_id(PyObject *object, const char *what, uid_t *id)
{
    PyObject *index = PyNumber_Index(object);
    if (index == NULL) {
        PyErr_Format(PyExc_TypeError, "%s should be integer, not %.200s", what,
                     Py_TYPE(object)->tp_name);
        return 0;
    }
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(index, &overflow);
    Py_DECREF(index);
    if (value == -1 && !overflow) {
        if (PyErr_Occurred()) {
            return 0;
        }
        *id = (uid_t)-1;
        return 1;
    }
    /* python3.11 says "less" for every number that fits into a long. */
    if (overflow > 0 || value == 0xFFFFFFFFLL) {
        PyErr_Format(PyExc_OverflowError, "%s is greater than maximum", what);
        return 0;
    }
    if (value < 0 || value > 0xFFFFFFFFLL) {
        PyErr_Format(PyExc_OverflowError, "%s is less than minimum", what);
        return 0;
    }
    *id = (uid_t)value;
    return 1;
}

int
_Py_Uid_Converter(PyObject *object, void *uid)
{
    return convert_id(object, "uid", uid);
}

int
_Py_Gid_Converter(PyObject *object, void *gid)
{
    return convert_id(object, "gid", gid);
}

PyObject *
_PyLong_FromUid(uid_t uid)
{
    return uid == (uid_t)-1 ? PyLong_FromLong(-1) : PyLong_FromUnsignedLong(uid);
}

PyObject *
_PyLong_FromGid(gid_t gid)
{
    return _PyLong_FromUid(gid);
}

PyObject *
_posix_dev(dev_t dev)
{
    return PyLong_FromUnsignedLongLong(dev);
}

int
_posix_off_converter(PyObject *object, void *off)
{
    *(off_t *)off = PyLong_AsLongLong(object);
    return !(*(off_t *)off == -1 && PyErr_Occurred());
}

int
_posix_dev_converter(PyObject *object, void *dev)
{
    *(dev_t *)dev = PyLong_AsUnsignedLongLong(object);
    return !(*(dev_t *)dev == (dev_t)-1 && PyErr_Occurred());
}

int
_posix_id_converter(PyObject *object, void *id)
{
    long value = PyLong_AsLong(object);
    *(id_t *)id = (id_t)value;
    return !(value == -1 && PyErr_Occurred());
}

int
_posix_pid_converter(PyObject *object, void *pid)
{
    long value = PyLong_AsLong(object);
    if (value == -1 && PyErr_Occurred()) {
        return 0;
    }
    if (value < INT_MIN || value > INT_MAX) {
        PyErr_SetString(PyExc_OverflowError, value < 0 ? "signed integer is less than minimum"
                        : "signed integer is greater than maximum");
        return 0;
    }
    *(pid_t *)pid = (pid_t)value;
    return 1;
}

/* ------------------------------------------------------------------ vectors */

void
_posix_free_vector(char **vector, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        PyMem_Free(vector[i]);
    }
    PyMem_Free(vector);
}

static char *
copy_bytes(PyObject *bytes)
{
    size_t n = (size_t)PyBytes_GET_SIZE(bytes) + 1;
    char *copy = PyMem_Malloc(n);
    if (copy == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    return memcpy(copy, PyBytes_AS_STRING(bytes), n);
}

char **
_posix_string_vector(PyObject *seq, const char *function, const char *argument,
                     Py_ssize_t *count)
{
    if (!PyList_Check(seq) && !PyTuple_Check(seq)) {
        PyErr_Format(PyExc_TypeError, "%s: %s must be a tuple or list", function, argument);
        return NULL;
    }
    Py_ssize_t n = PySequence_Size(seq);
    if (n < 1 && strcmp(argument, "argv") == 0) {
        PyErr_Format(PyExc_ValueError, "%s: argv must not be empty", function);
        return NULL;
    }
    if (n < 0) {
        return NULL;
    }
    char **vector = PyMem_New(char *, n + 1);
    if (vector == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PySequence_GetItem(seq, i), *bytes = NULL;
        vector[i] = NULL;
        if (item != NULL && PyUnicode_FSConverter(item, &bytes)) {
            vector[i] = copy_bytes(bytes);
            Py_DECREF(bytes);
        }
        Py_XDECREF(item);
        if (vector[i] == NULL) {
            _posix_free_vector(vector, i);
            return NULL;
        }
    }
    vector[n] = NULL;
    if (n > 0 && vector[0][0] == '\0' && strcmp(argument, "argv") == 0) {
        PyErr_Format(PyExc_ValueError, "%s: argv first element cannot be empty", function);
        _posix_free_vector(vector, n);
        return NULL;
    }
    *count = n;
    return vector;
}

/* "key=value" strings of a mapping. */
char **
_posix_environment(PyObject *mapping, Py_ssize_t *count)
{
    PyObject *keys = PyMapping_Keys(mapping), *values = NULL;
    char **vector = NULL;
    Py_ssize_t n = 0, i = 0;
    if (keys == NULL || (values = PyMapping_Values(mapping)) == NULL) {
        goto done;
    }
    if (!PyList_Check(keys) || !PyList_Check(values)) {
        PyErr_SetString(PyExc_TypeError, "env.keys() or env.values() is not a list");
        goto done;
    }
    n = PyList_GET_SIZE(keys);
    vector = PyMem_New(char *, n + 1);
    if (vector == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (; i < n; i++) {
        PyObject *key, *value;
        if (!PyUnicode_FSConverter(PyList_GET_ITEM(keys, i), &key)) {
            goto error;
        }
        if (!PyUnicode_FSConverter(PyList_GET_ITEM(values, i), &value)) {
            Py_DECREF(key);
            goto error;
        }
        PyObject *pair = NULL;
        if (PyBytes_GET_SIZE(key) == 0 || strchr(PyBytes_AS_STRING(key) + 1, '=') != NULL) {
            PyErr_SetString(PyExc_ValueError, "illegal environment variable name");
        }
        else {
            pair = PyBytes_FromFormat("%s=%s", PyBytes_AS_STRING(key), PyBytes_AS_STRING(value));
        }
        Py_DECREF(key);
        Py_DECREF(value);
        vector[i] = pair == NULL ? NULL : copy_bytes(pair);
        Py_XDECREF(pair);
        if (vector[i] == NULL) {
            goto error;
        }
    }
    vector[n] = NULL;
    *count = n;
    goto done;
error:
    _posix_free_vector(vector, i);
    vector = NULL;
done:
    Py_XDECREF(keys);
    Py_XDECREF(values);
    return vector;
}
