/* What the files of _pickle share. The format is described in the standard
   library's pickletools. Only the public C API is used. */
#ifndef SB_PICKLE_IMPL_H
#define SB_PICKLE_IMPL_H

#define PY_SSIZE_T_CLEAN
#include "Python.h"
#include "cpython/picklebufobject.h"
#include "internal/module_state.h"
#include <stdint.h>

enum opcode {
    MARK = '(', STOP = '.', POP = '0', POP_MARK = '1', DUP = '2',
    FLOAT = 'F', INT = 'I', BININT = 'J', BININT1 = 'K', LONG = 'L',
    BININT2 = 'M', NONE = 'N', PERSID = 'P', BINPERSID = 'Q', REDUCE = 'R',
    STRING = 'S', BINSTRING = 'T', SHORT_BINSTRING = 'U', UNICODE = 'V',
    BINUNICODE = 'X', APPEND = 'a', BUILD = 'b', GLOBAL = 'c', DICT = 'd',
    EMPTY_DICT = '}', APPENDS = 'e', GET = 'g', BINGET = 'h', INST = 'i',
    LONG_BINGET = 'j', LIST = 'l', EMPTY_LIST = ']', OBJ = 'o', PUT = 'p',
    BINPUT = 'q', LONG_BINPUT = 'r', SETITEM = 's', TUPLE = 't',
    EMPTY_TUPLE = ')', SETITEMS = 'u', BINFLOAT = 'G',
    /* protocol 2 */
    PROTO = 0x80, NEWOBJ, EXT1, EXT2, EXT4, TUPLE1, TUPLE2, TUPLE3, NEWTRUE,
    NEWFALSE, LONG1, LONG4,
    /* protocol 3 */
    BINBYTES = 'B', SHORT_BINBYTES = 'C',
    /* protocol 4 */
    SHORT_BINUNICODE = 0x8c, BINUNICODE8, BINBYTES8, EMPTY_SET, ADDITEMS,
    FROZENSET, NEWOBJ_EX, STACK_GLOBAL, MEMOIZE, FRAME,
    /* protocol 5 */
    BYTEARRAY8, NEXT_BUFFER, READONLY_BUFFER
};

enum {
    HIGHEST_PROTOCOL = 5,
    DEFAULT_PROTOCOL = 4,
    BATCH_SIZE = 1000,              /* items per APPENDS, SETITEMS, ADDITEMS */
    FRAME_SIZE_MIN = 4,
    FRAME_SIZE_TARGET = 64 * 1024,
    FRAME_HEADER_SIZE = 9,
    PREFETCH = 128 * 1024,
};

/* Objects that both sides take from other modules, and the exceptions. */
struct pickle_shared {
    PyObject *error;                /* PickleError */
    PyObject *pickling_error;
    PyObject *unpickling_error;
    PyObject *dispatch_table;       /* copyreg */
    PyObject *extension_registry;
    PyObject *extension_cache;
    PyObject *inverted_registry;
    PyObject *name_mapping_2to3;    /* _compat_pickle */
    PyObject *import_mapping_2to3;
    PyObject *name_mapping_3to2;
    PyObject *import_mapping_3to2;
    PyObject *codecs_encode;
    PyObject *getattr;
    PyObject *partial;
    /* What dumps() and loads() used last, empty: they are called for small things again and again.
       Not tracked, and NULL while it is in use. */
    PyObject *spare_pickler;
    PyObject *spare_unpickler;
};

static inline struct pickle_shared *
_PyPickle(void)
{
    return _PyModuleState_Get(MODULE_STATE_PICKLE);
}

extern PyTypeObject _PyPickler_Type;
extern PyTypeObject _PyPicklerMemoProxy_Type;
extern PyTypeObject _PyUnpickler_Type;
extern PyTypeObject _PyUnpicklerMemoProxy_Type;

/* ------------------------------------------------------------- memo_proxy.c */

typedef struct {
    PyObject_HEAD
    PyObject *owner;            /* a Pickler or an Unpickler */
} MemoProxy;

/* Returns a new reference. */
PyObject *_PyPickle_NewMemoProxy(PyTypeObject *type, PyObject *owner);

/* In pickler.c and unpickler.c. Return None, or NULL with an exception set. */
PyObject *_PyPickler_ClearMemo(PyObject *pickler);
PyObject *_PyUnpickler_ClearMemo(PyObject *unpickler);
/* A new dict: {id(obj): (number, obj)} */
PyObject *_PyPickler_CopyMemo(PyObject *pickler);
/* {number: obj} */
PyObject *_PyUnpickler_CopyMemo(PyObject *unpickler);

/* ------------------------------------------------------------------- shared */

/* obj.a.b for a list of names. Returns a new reference. *parent, if not NULL, receives a
   new reference to the object in which the last name was looked up. */
PyObject *_PyPickle_GetDotted(PyObject *obj, PyObject *names,
                              PyObject **parent);
/* A name split at its dots; AttributeError for a local name. */
PyObject *_PyPickle_SplitName(PyObject *obj, PyObject *name);

/* A method that a subclass may define: its function, and the self to call it with (NULL:
   `self` itself, held without a reference, so that there is no cycle). func is NULL if
   there is no such method. */
struct method_ref {
    PyObject *func;
    PyObject *self;
};

int _PyPickle_FindMethod(PyObject *self, const char *name,
                         struct method_ref *ref);
PyObject *_PyPickle_CallMethod(const struct method_ref *ref, PyObject *arg);
/* The attribute of that name as programs see it: getter and setter. */
PyObject *_PyPickle_GetMethod(const struct method_ref *ref, const char *name);
int _PyPickle_SetMethod(struct method_ref *ref, const char *name, PyObject *value);
/* For setters: -1 with TypeError if the value is NULL. */
int _PyPickle_RefuseDeletion(PyObject *value);

/* pickler.c, unpickler.c: the functions of the module. */
PyObject *_PyPickle_dump(PyObject *, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *_PyPickle_dumps(PyObject *, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *_PyPickle_load(PyObject *, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *_PyPickle_loads(PyObject *, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

static inline void
store_le(unsigned char *p, uint64_t value, int bytes)
{
    /* Not a loop: compilers make vectors of one that is this short. */
#if PY_BIG_ENDIAN
    value = __builtin_bswap64(value << (64 - 8 * bytes));
#endif
    switch (bytes) {
    case 1:
        *p = (unsigned char)value;
        break;
    case 2:
        memcpy(p, &value, 2);
        break;
    case 4:
        memcpy(p, &value, 4);
        break;
    default:
        memcpy(p, &value, 8);
    }
}

static inline uint64_t
load_le(const char *p, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value |= (uint64_t)(unsigned char)p[i] << (8 * i);
    }
    return value;
}

#endif
