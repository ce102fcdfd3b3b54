/* The _stat module: what os.stat()'s st_mode means. */
#include "Python.h"
#include "internal/module_init.h"

#include <sys/stat.h>

/* Some bits that other systems have; here nothing has them. */
#define S_IFDOOR 0
#define S_IFPORT 0
#define S_IFWHT 0
#define S_ISDOOR(mode) ((void)(mode), 0)
#define S_ISPORT(mode) ((void)(mode), 0)
#define S_ISWHT(mode) ((void)(mode), 0)

/* -1 with an exception set for what is no mode. */
static int
get_mode(PyObject *op, mode_t *mode)
{
    unsigned long value;
    if (PyLong_Check(op)) {
        value = PyLong_AsUnsignedLong(op);
        if (value == (unsigned long)-1 && PyErr_Occurred()) {
            return -1;
        }
    }
    else {
        PyErr_SetString(PyExc_TypeError, "an integer is required");
        return -1;
    }
    *mode = (mode_t)value;
    if (*mode != value) {
        PyErr_SetString(PyExc_OverflowError, "mode out of range");
        return -1;
    }
    return 0;
}

#define TEST(name)                                                      \
    static PyObject *                                                   \
    stat_ ## name(PyObject *Py_UNUSED(module), PyObject *op)            \
    {                                                                   \
        mode_t mode;                                                    \
        if (get_mode(op, &mode) < 0) {                                  \
            return NULL;                                                \
        }                                                               \
        return PyBool_FromLong(name(mode));                             \
    }

TEST(S_ISDIR)
TEST(S_ISCHR)
TEST(S_ISBLK)
TEST(S_ISREG)
TEST(S_ISFIFO)
TEST(S_ISLNK)
TEST(S_ISSOCK)
TEST(S_ISDOOR)
TEST(S_ISPORT)
TEST(S_ISWHT)

PyDoc_STRVAR(imode_doc, "Return the bits that os.chmod() can set.");

static PyObject *
stat_S_IMODE(PyObject *Py_UNUSED(module), PyObject *op)
{
    mode_t mode;
    return get_mode(op, &mode) < 0 ? NULL : PyLong_FromLong(mode & 07777);
}

PyDoc_STRVAR(ifmt_doc, "Return the bits that tell the file's type.");

static PyObject *
stat_S_IFMT(PyObject *Py_UNUSED(module), PyObject *op)
{
    mode_t mode;
    return get_mode(op, &mode) < 0 ? NULL : PyLong_FromLong(mode & S_IFMT);
}

static char
type_letter(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFREG: return '-';
    case S_IFDIR: return 'd';
    case S_IFLNK: return 'l';
    case S_IFBLK: return 'b';
    case S_IFCHR: return 'c';
    case S_IFIFO: return 'p';
    case S_IFSOCK: return 's';
    default: return '?';
    }
}

/* `special` replaces the x: lower case if x is set too. */
static char
x_letter(mode_t mode, mode_t x, mode_t special, char letter)
{
    if (mode & special) {
        return mode & x ? letter : Py_TOUPPER(letter);
    }
    return mode & x ? 'x' : '-';
}

PyDoc_STRVAR(filemode_doc, "Write a mode as ls does: '-rwxr-xr-x'.");

static PyObject *
stat_filemode(PyObject *Py_UNUSED(module), PyObject *op)
{
    mode_t mode;
    if (get_mode(op, &mode) < 0) {
        return NULL;
    }
    char text[11] = {
        type_letter(mode),
        mode & S_IRUSR ? 'r' : '-',
        mode & S_IWUSR ? 'w' : '-',
        x_letter(mode, S_IXUSR, S_ISUID, 's'),
        mode & S_IRGRP ? 'r' : '-',
        mode & S_IWGRP ? 'w' : '-',
        x_letter(mode, S_IXGRP, S_ISGID, 's'),
        mode & S_IROTH ? 'r' : '-',
        mode & S_IWOTH ? 'w' : '-',
        x_letter(mode, S_IXOTH, S_ISVTX, 't'),
        '\0',
    };
    return PyUnicode_FromString(text);
}

#define METHOD(name) \
    {#name, stat_ ## name, METH_O, PyDoc_STR(#name "(mode) -> bool")}

static PyMethodDef stat_methods[] = {
    METHOD(S_ISDIR), METHOD(S_ISCHR), METHOD(S_ISBLK), METHOD(S_ISREG),
    METHOD(S_ISFIFO), METHOD(S_ISLNK), METHOD(S_ISSOCK), METHOD(S_ISDOOR),
    METHOD(S_ISPORT), METHOD(S_ISWHT),
    {"S_IMODE", stat_S_IMODE, METH_O, imode_doc},
    {"S_IFMT", stat_S_IFMT, METH_O, ifmt_doc},
    {"filemode", stat_filemode, METH_O, filemode_doc},
    {NULL, NULL, 0, NULL},
};

#define ROW(name) {#name, name}
static const struct {
    const char *name;
    long value;
} constants[] = {
    ROW(S_IFDIR), ROW(S_IFCHR), ROW(S_IFBLK), ROW(S_IFREG), ROW(S_IFIFO),
    ROW(S_IFLNK), ROW(S_IFSOCK), ROW(S_IFDOOR), ROW(S_IFPORT), ROW(S_IFWHT),
    ROW(S_ISUID), ROW(S_ISGID), ROW(S_ISVTX), {"S_ENFMT", S_ISGID},
    ROW(S_IREAD), ROW(S_IWRITE), ROW(S_IEXEC),
    ROW(S_IRWXU), ROW(S_IRUSR), ROW(S_IWUSR), ROW(S_IXUSR),
    ROW(S_IRWXG), ROW(S_IRGRP), ROW(S_IWGRP), ROW(S_IXGRP),
    ROW(S_IRWXO), ROW(S_IROTH), ROW(S_IWOTH), ROW(S_IXOTH),
    {"UF_NODUMP", 0x1}, {"UF_IMMUTABLE", 0x2}, {"UF_APPEND", 0x4},
    {"UF_OPAQUE", 0x8}, {"UF_NOUNLINK", 0x10}, {"UF_COMPRESSED", 0x20},
    {"UF_HIDDEN", 0x8000}, {"SF_ARCHIVED", 0x10000},
    {"SF_IMMUTABLE", 0x20000}, {"SF_APPEND", 0x40000},
    {"SF_NOUNLINK", 0x100000}, {"SF_SNAPSHOT", 0x200000},
    {"ST_MODE", 0}, {"ST_INO", 1}, {"ST_DEV", 2}, {"ST_NLINK", 3},
    {"ST_UID", 4}, {"ST_GID", 5}, {"ST_SIZE", 6}, {"ST_ATIME", 7},
    {"ST_MTIME", 8}, {"ST_CTIME", 9},
};
#undef ROW

static int
stat_exec(PyObject *module)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(constants); i++) {
        if (PyModule_AddIntConstant(module, constants[i].name,
                                    constants[i].value) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyModuleDef_Slot stat_slots[] = {
    {Py_mod_exec, stat_exec},
    {0, NULL},
};

static PyModuleDef stat_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_stat",
    .m_doc = PyDoc_STR("The bits of st_mode: S_IF*, S_IS*(), filemode()."),
    .m_size = 0,
    .m_methods = stat_methods,
    .m_slots = stat_slots,
};

MODULE_INIT(_stat)
{
    return PyModuleDef_Init(&stat_module);
}
