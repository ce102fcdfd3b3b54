/* The errno module: the symbols of the system's error numbers. */
#include "Python.h"
#include "internal/module_init.h"

#include <errno.h>

#define ROW(name) {#name, name}

/* If a number has two names, errorcode has the later one. */
static const struct {
    const char *name;
    int number;
} rows[] = {
    ROW(EDEADLK), ROW(EOPNOTSUPP), ROW(EWOULDBLOCK), ROW(E2BIG),
    ROW(EACCES), ROW(EADDRINUSE), ROW(EADDRNOTAVAIL), ROW(EADV),
    ROW(EAFNOSUPPORT), ROW(EAGAIN), ROW(EALREADY), ROW(EBADE), ROW(EBADF),
    ROW(EBADFD), ROW(EBADMSG), ROW(EBADR), ROW(EBADRQC), ROW(EBADSLT),
    ROW(EBFONT), ROW(EBUSY), ROW(ECANCELED), ROW(ECHILD), ROW(ECHRNG),
    ROW(ECOMM), ROW(ECONNABORTED), ROW(ECONNREFUSED), ROW(ECONNRESET),
    ROW(EDEADLOCK), ROW(EDESTADDRREQ), ROW(EDOM), ROW(EDOTDOT),
    ROW(EDQUOT), ROW(EEXIST), ROW(EFAULT), ROW(EFBIG), ROW(EHOSTDOWN),
    ROW(EHOSTUNREACH), ROW(EIDRM), ROW(EILSEQ), ROW(EINPROGRESS),
    ROW(EINTR), ROW(EINVAL), ROW(EIO), ROW(EISCONN), ROW(EISDIR),
    ROW(EISNAM), ROW(EKEYEXPIRED), ROW(EKEYREJECTED), ROW(EKEYREVOKED),
    ROW(EL2HLT), ROW(EL2NSYNC), ROW(EL3HLT), ROW(EL3RST), ROW(ELIBACC),
    ROW(ELIBBAD), ROW(ELIBEXEC), ROW(ELIBMAX), ROW(ELIBSCN), ROW(ELNRNG),
    ROW(ELOOP), ROW(EMEDIUMTYPE), ROW(EMFILE), ROW(EMLINK), ROW(EMSGSIZE),
    ROW(EMULTIHOP), ROW(ENAMETOOLONG), ROW(ENAVAIL), ROW(ENETDOWN),
    ROW(ENETRESET), ROW(ENETUNREACH), ROW(ENFILE), ROW(ENOANO),
    ROW(ENOBUFS), ROW(ENOCSI), ROW(ENODATA), ROW(ENODEV), ROW(ENOENT),
    ROW(ENOEXEC), ROW(ENOKEY), ROW(ENOLCK), ROW(ENOLINK), ROW(ENOMEDIUM),
    ROW(ENOMEM), ROW(ENOMSG), ROW(ENONET), ROW(ENOPKG), ROW(ENOPROTOOPT),
    ROW(ENOSPC), ROW(ENOSR), ROW(ENOSTR), ROW(ENOSYS), ROW(ENOTBLK),
    ROW(ENOTCONN), ROW(ENOTDIR), ROW(ENOTEMPTY), ROW(ENOTNAM),
    ROW(ENOTRECOVERABLE), ROW(ENOTSOCK), ROW(ENOTSUP), ROW(ENOTTY),
    ROW(ENOTUNIQ), ROW(ENXIO), ROW(EOVERFLOW), ROW(EOWNERDEAD),
    ROW(EPERM), ROW(EPFNOSUPPORT), ROW(EPIPE), ROW(EPROTO),
    ROW(EPROTONOSUPPORT), ROW(EPROTOTYPE), ROW(ERANGE), ROW(EREMCHG),
    ROW(EREMOTE), ROW(EREMOTEIO), ROW(ERESTART), ROW(ERFKILL), ROW(EROFS),
    ROW(ESHUTDOWN), ROW(ESOCKTNOSUPPORT), ROW(ESPIPE), ROW(ESRCH),
    ROW(ESRMNT), ROW(ESTALE), ROW(ESTRPIPE), ROW(ETIME), ROW(ETIMEDOUT),
    ROW(ETOOMANYREFS), ROW(ETXTBSY), ROW(EUCLEAN), ROW(EUNATCH),
    ROW(EUSERS), ROW(EXDEV), ROW(EXFULL),
};

static int
errno_exec(PyObject *module)
{
    PyObject *codes = PyDict_New();
    if (codes == NULL) {
        return -1;
    }
    PyObject *module_dict = PyModule_GetDict(module);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(rows); i++) {
        PyObject *name = PyUnicode_FromString(rows[i].name);
        PyObject *number = PyLong_FromLong(rows[i].number);
        int failed = name == NULL || number == NULL
            || PyDict_SetItem(module_dict, name, number) < 0
            || PyDict_SetItem(codes, number, name) < 0;
        Py_XDECREF(name);
        Py_XDECREF(number);
        if (failed) {
            Py_DECREF(codes);
            return -1;
        }
    }
    int status = PyModule_AddObjectRef(module, "errorcode", codes);
    Py_DECREF(codes);
    return status;
}

static PyModuleDef_Slot errno_slots[] = {
    {Py_mod_exec, errno_exec},
    {0, NULL},
};

PyDoc_STRVAR(errno_doc,
"Symbols of the system's error numbers.\n\n"
"errorcode maps the numbers back to the symbols' names.");

static PyModuleDef errno_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "errno",
    .m_doc = errno_doc,
    .m_size = 0,
    .m_slots = errno_slots,
};

MODULE_INIT(errno)
{
    return PyModuleDef_Init(&errno_module);
}
