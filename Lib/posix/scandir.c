/* listdir, and scandir with its DirEntry, which caches what readdir and stat have
   returned. */
#include "posix.h"

#include <dirent.h>

/* Opens the directory: "." for None; a duplicate of a given descriptor. */
static DIR *
open_directory(path_t *path)
{
    DIR *dir;
    if (path->fd == -1) {
        UNLOCKED(dir, opendir(path->text ? path->text : "."));
    }
    else {
        int fd = _Py_dup(path->fd);
        if (fd < 0) {
            return NULL;
        }
        UNLOCKED(dir, fdopendir(fd));
        if (dir == NULL) {
            close(fd);
        }
    }
    if (dir == NULL) {
        _posix_path_error(path);
    }
    return dir;
}

static int
is_dot(const char *name)
{
    return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

/* A directory that was passed as a descriptor is rewound at the end. */
static void
close_directory(DIR *dir, int shared)
{
    Py_BEGIN_ALLOW_THREADS
    if (shared) {
        rewinddir(dir);
    }
    closedir(dir);
    Py_END_ALLOW_THREADS
}

/* Some more names, each with its null byte, behind each other: giving the GIL up for each of them
   takes longer than reading it. Returns their size, 0 at the end, or -1 with errno. */
static Py_ssize_t
read_names(DIR *dir, char *names, size_t room)
{
    size_t used = 0;
    Py_BEGIN_ALLOW_THREADS
    while (room - used > NAME_MAX) {
        errno = 0;
        struct dirent *entry = readdir(dir);
        if (entry == NULL) {
            break;
        }
        if (!is_dot(entry->d_name)) {
            size_t size = strlen(entry->d_name) + 1;
            memcpy(names + used, entry->d_name, size);
            used += size;
        }
    }
    Py_END_ALLOW_THREADS
    return used == 0 && errno != 0 ? -1 : (Py_ssize_t)used;
}

static PyObject *
os_listdir(ARGS)
{
    KEYWORDS("path");
    path_t path = PATH("listdir", "path", 1, 1);
    if (!PARSE("|O&:listdir", path_converter, &path)) {
        return NULL;
    }
    PyObject *list = NULL;
    DIR *dir = NULL;
    if (PySys_Audit("os.listdir", "O", path.object ? path.object : Py_None) < 0
        || (dir = open_directory(&path)) == NULL || (list = PyList_New(0)) == NULL) {
        goto done;
    }
    char names[16 * (NAME_MAX + 1)];
    Py_ssize_t size;
    while ((size = read_names(dir, names, sizeof(names))) > 0) {
        for (const char *p = names; p < names + size; p += strlen(p) + 1) {
            PyObject *name = path.is_bytes ? PyBytes_FromString(p) : PyUnicode_DecodeFSDefault(p);
            if (name == NULL || PyList_Append(list, name) < 0) {
                Py_XDECREF(name);
                Py_CLEAR(list);
                goto done;
            }
            Py_DECREF(name);
        }
    }
    if (size < 0) {
        _posix_path_error(&path);
        Py_CLEAR(list);
    }
done:
    if (dir != NULL) {
        close_directory(dir, path.fd != -1);
    }
    path_done(&path);
    return list;
}

/* ----------------------------------------------------------------- DirEntry */

typedef struct {
    PyObject_HEAD
    PyObject *name, *path;
    PyObject *stat, *lstat;     /* cached, or NULL */
    unsigned char d_type;
    ino_t d_ino;
    int dir_fd;                 /* -1: path is enough */
} DirEntry;

static void
DirEntry_dealloc(DirEntry *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(self->name);
    Py_XDECREF(self->path);
    Py_XDECREF(self->stat);
    Py_XDECREF(self->lstat);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *
fetch_stat(DirEntry *self, int follow)
{
    PyObject *bytes = NULL;
    struct stat st;
    int rc;
    if (self->dir_fd != -1) {
        if (!PyUnicode_FSConverter(self->name, &bytes)) {
            return NULL;
        }
        UNLOCKED(rc, fstatat(self->dir_fd, PyBytes_AS_STRING(bytes), &st,
                             follow ? 0 : AT_SYMLINK_NOFOLLOW));
    }
    else {
        if (!PyUnicode_FSConverter(self->path, &bytes)) {
            return NULL;
        }
        UNLOCKED(rc, follow ? stat(PyBytes_AS_STRING(bytes), &st)
                            : lstat(PyBytes_AS_STRING(bytes), &st));
    }
    Py_DECREF(bytes);
    return rc < 0 ? PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, self->path)
                  : _posix_stat_result(&st);
}

static PyObject *
entry_lstat(DirEntry *self)
{
    if (self->lstat == NULL) {
        self->lstat = fetch_stat(self, 0);
    }
    return Py_XNewRef(self->lstat);
}

/* What kind of file is it? -1 with an exception. */
static int
entry_is_link(DirEntry *self)
{
    if (self->d_type != DT_UNKNOWN) {
        return self->d_type == DT_LNK;
    }
    PyObject *st = entry_lstat(self);
    if (st == NULL) {
        if (PyErr_ExceptionMatches(PyExc_FileNotFoundError)) {
            PyErr_Clear();
            return 0;
        }
        return -1;
    }
    long mode = PyLong_AsLong(PyStructSequence_GetItem(st, 0));
    Py_DECREF(st);
    return S_ISLNK((mode_t)mode);
}

static PyObject *
entry_stat(DirEntry *self, int follow)
{
    if (!follow) {
        return entry_lstat(self);
    }
    if (self->stat == NULL) {
        int link = entry_is_link(self);
        if (link < 0) {
            return NULL;
        }
        self->stat = link ? fetch_stat(self, 1) : entry_lstat(self);
    }
    return Py_XNewRef(self->stat);
}

static PyObject *
DirEntry_stat(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    KEYWORDS("follow_symlinks");
    int follow = 1;
    return PARSE("|$p:stat", &follow) ? entry_stat((DirEntry *)self, follow) : NULL;
}

/* Is the entry of this kind (S_IFDIR, S_IFREG)? A file that is gone is of no kind. */
static PyObject *
entry_test(DirEntry *self, int follow, mode_t kind)
{
    int link = entry_is_link(self);
    if (link < 0) {
        return NULL;
    }
    if (self->d_type != DT_UNKNOWN && !(follow && link)) {
        return PyBool_FromLong(self->d_type == (kind == S_IFDIR ? DT_DIR : DT_REG));
    }
    PyObject *st = entry_stat(self, follow);
    if (st == NULL) {
        if (PyErr_ExceptionMatches(PyExc_FileNotFoundError)) {
            PyErr_Clear();
            Py_RETURN_FALSE;
        }
        return NULL;
    }
    long mode = PyLong_AsLong(PyStructSequence_GetItem(st, 0));
    Py_DECREF(st);
    return PyBool_FromLong(((mode_t)mode & S_IFMT) == kind);
}

static PyObject *
DirEntry_is_dir(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    KEYWORDS("follow_symlinks");
    int follow = 1;
    return PARSE("|$p:is_dir", &follow) ? entry_test((DirEntry *)self, follow, S_IFDIR) : NULL;
}

static PyObject *
DirEntry_is_file(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    KEYWORDS("follow_symlinks");
    int follow = 1;
    return PARSE("|$p:is_file", &follow) ? entry_test((DirEntry *)self, follow, S_IFREG) : NULL;
}

static PyObject *
DirEntry_is_symlink(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    int link = entry_is_link((DirEntry *)self);
    return link < 0 ? NULL : PyBool_FromLong(link);
}

static PyObject *
DirEntry_inode(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromUnsignedLongLong(((DirEntry *)self)->d_ino);
}

static PyObject *
DirEntry_fspath(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_NewRef(((DirEntry *)self)->path);
}

static PyObject *
DirEntry_repr(DirEntry *self)
{
    return PyUnicode_FromFormat("<DirEntry %R>", self->name);
}

static PyMethodDef DirEntry_methods[] = {
    {"is_dir", FAST_KEYWORDS(DirEntry_is_dir), "is_dir($self, /, *, follow_symlinks=True)\n--\n\n"
      "Is it a directory?"},
    {"is_file", FAST_KEYWORDS(DirEntry_is_file), "is_file($self, /, *, follow_symlinks=True)\n--\n\n"
      "Is it a regular file?"},
    {"is_symlink", DirEntry_is_symlink, METH_NOARGS | METH_FOR_CLASS, "is_symlink($self, /)\n--\n\n"
      "Is it a symbolic link?"},
    {"stat", FAST_KEYWORDS(DirEntry_stat), "stat($self, /, *, follow_symlinks=True)\n--\n\n"
      "os.stat() of the entry, asked once."},
    {"inode", DirEntry_inode, METH_NOARGS, "inode($self, /)\n--\n\n"
      "The entry's inode number."},
    {"__fspath__", DirEntry_fspath, METH_NOARGS, "__fspath__($self, /)\n--\n\n"
      "The entry's path."},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, "See PEP 585"},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef DirEntry_members[] = {
    {"name", T_OBJECT_EX, offsetof(DirEntry, name), READONLY, "the entry's base filename"},
    {"path", T_OBJECT_EX, offsetof(DirEntry, path), READONLY, "scandir's path joined with name"},
    {NULL, 0, 0, 0, NULL}
};

static PyType_Slot DirEntry_slots[] = {
    {Py_tp_dealloc, DirEntry_dealloc}, {Py_tp_repr, DirEntry_repr},
    {Py_tp_methods, DirEntry_methods}, {Py_tp_members, DirEntry_members}, {0, NULL}
};
static PyType_Spec DirEntry_spec = {
    "posix.DirEntry", sizeof(DirEntry), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, DirEntry_slots
};

/* ------------------------------------------------------------- the iterator */

typedef struct {
    PyObject_HEAD
    path_t path;
    DIR *dir;                   /* NULL when exhausted or closed */
} ScandirIterator;

static void
iterator_close(ScandirIterator *self)
{
    DIR *dir = self->dir;
    if (dir != NULL) {
        self->dir = NULL;
        close_directory(dir, self->path.fd != -1);
    }
}

static PyObject *
new_entry(ScandirIterator *it, const struct dirent *d)
{
    DirEntry *entry = PyObject_New(DirEntry, _posix_types.DirEntry);
    if (entry == NULL) {
        return NULL;
    }
    entry->stat = entry->lstat = NULL;
    entry->d_type = d->d_type;
    entry->d_ino = d->d_ino;
    entry->dir_fd = it->path.fd;
    path_t *path = &it->path;
    entry->name = path->is_bytes ? PyBytes_FromString(d->d_name)
                                 : PyUnicode_DecodeFSDefault(d->d_name);
    entry->path = NULL;
    if (entry->name == NULL) {
        Py_DECREF(entry);
        return NULL;
    }
    if (path->fd != -1) {
        entry->path = Py_NewRef(entry->name);
    }
    else {
        const char *dir = path->text ? path->text : ".";
        size_t n = strlen(dir);
        const char *sep = n > 0 && dir[n - 1] == '/' ? "" : "/";
        PyObject *joined = PyBytes_FromFormat("%s%s%s", dir, sep, d->d_name);
        if (joined != NULL && !path->is_bytes) {
            entry->path = PyUnicode_DecodeFSDefaultAndSize(PyBytes_AS_STRING(joined),
                                                           PyBytes_GET_SIZE(joined));
            Py_DECREF(joined);
        }
        else {
            entry->path = joined;
        }
    }
    if (entry->path == NULL) {
        Py_DECREF(entry);
        return NULL;
    }
    return (PyObject *)entry;
}

static PyObject *
iterator_next(ScandirIterator *self)
{
    while (self->dir != NULL) {
        struct dirent *d;
        errno = 0;
        UNLOCKED(d, readdir(self->dir));
        if (d == NULL) {
            if (errno != 0) {
                _posix_path_error(&self->path);
            }
            iterator_close(self);
            return NULL;
        }
        if (!is_dot(d->d_name)) {
            PyObject *entry = new_entry(self, d);
            if (entry == NULL) {
                iterator_close(self);
            }
            return entry;
        }
    }
    return NULL;
}

static PyObject *
iterator_close_method(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    iterator_close((ScandirIterator *)self);
    Py_RETURN_NONE;
}

static PyObject *
iterator_enter(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_NewRef(self);
}

static PyObject *
iterator_exit(PyObject *self, PyObject *Py_UNUSED(args))
{
    return iterator_close_method(self, NULL);
}

static void
iterator_finalize(ScandirIterator *self)
{
    if (self->dir == NULL) {
        return;
    }
    PyObject *type, *value, *tb;
    PyErr_Fetch(&type, &value, &tb);
    if (PyErr_ResourceWarning((PyObject *)self, 1, "unclosed scandir iterator %R", self) < 0
        && PyErr_ExceptionMatches(PyExc_Warning)) {
        PyErr_WriteUnraisable((PyObject *)self);
    }
    iterator_close(self);
    PyErr_Restore(type, value, tb);
}

static void
iterator_dealloc(ScandirIterator *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (PyObject_CallFinalizerFromDealloc((PyObject *)self) < 0) {
        return;
    }
    path_done(&self->path);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyMethodDef iterator_methods[] = {
    {"__enter__", iterator_enter, METH_NOARGS, NULL},
    {"__exit__", iterator_exit, METH_VARARGS, NULL},
    {"close", iterator_close_method, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyType_Slot iterator_slots[] = {
    {Py_tp_dealloc, iterator_dealloc}, {Py_tp_finalize, iterator_finalize},
    {Py_tp_iter, PyObject_SelfIter}, {Py_tp_iternext, iterator_next},
    {Py_tp_methods, iterator_methods}, {0, NULL}
};
static PyType_Spec iterator_spec = {
    "posix.ScandirIterator", sizeof(ScandirIterator), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, iterator_slots
};

static PyObject *
os_scandir(ARGS)
{
    KEYWORDS("path");
    path_t path = PATH("scandir", "path", 1, 1);
    if (!PARSE("|O&:scandir", path_converter, &path)) {
        return NULL;
    }
    if (PySys_Audit("os.scandir", "O", path.object ? path.object : Py_None) < 0) {
        path_done(&path);
        return NULL;
    }
    ScandirIterator *it = PyObject_New(ScandirIterator, _posix_types.ScandirIterator);
    if (it == NULL) {
        path_done(&path);
        return NULL;
    }
    it->path = path;
    it->dir = open_directory(&it->path);
    if (it->dir == NULL) {
        Py_DECREF(it);
        return NULL;
    }
    return (PyObject *)it;
}

PyMethodDef _posix_scandir_methods[] = {
    {"listdir", FAST_KEYWORDS(os_listdir), "listdir($module, /, path=None)\n--\n\nThe names in a directory."},
    {"scandir", FAST_KEYWORDS(os_scandir), "scandir($module, /, path=None)\n--\n\nAn iterator of the entries of a directory."},
    {NULL, NULL, 0, NULL}
};

int
_posix_init_scandir(PyObject *module)
{
    if (_posix_types.DirEntry == NULL) {
        _posix_types.DirEntry = (PyTypeObject *)PyType_FromSpec(&DirEntry_spec);
    }
    if (_posix_types.ScandirIterator == NULL) {
        _posix_types.ScandirIterator = (PyTypeObject *)PyType_FromSpec(&iterator_spec);
    }
    return _posix_types.ScandirIterator == NULL ? -1
           : _posix_add_type(module, "DirEntry", _posix_types.DirEntry);
}
