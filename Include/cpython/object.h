/* The layout of types, and operations on objects that need the full API. (object.h
   includes this file.) */
#ifndef Py_CPYTHON_OBJECT_H
#define Py_CPYTHON_OBJECT_H

_Py_BEGIN_DECLS

/* ------------------------------------------------------------ method tables */

/* Everything in these tables may be NULL. */

typedef struct {
    binaryfunc nb_add;
    binaryfunc nb_subtract;
    binaryfunc nb_multiply;
    binaryfunc nb_remainder;
    binaryfunc nb_divmod;
    ternaryfunc nb_power;
    unaryfunc nb_negative;
    unaryfunc nb_positive;
    unaryfunc nb_absolute;
    inquiry nb_bool;
    unaryfunc nb_invert;
    binaryfunc nb_lshift;
    binaryfunc nb_rshift;
    binaryfunc nb_and;
    binaryfunc nb_xor;
    binaryfunc nb_or;
    unaryfunc nb_int;
    void *nb_reserved;
    unaryfunc nb_float;
    binaryfunc nb_inplace_add;
    binaryfunc nb_inplace_subtract;
    binaryfunc nb_inplace_multiply;
    binaryfunc nb_inplace_remainder;
    ternaryfunc nb_inplace_power;
    binaryfunc nb_inplace_lshift;
    binaryfunc nb_inplace_rshift;
    binaryfunc nb_inplace_and;
    binaryfunc nb_inplace_xor;
    binaryfunc nb_inplace_or;
    binaryfunc nb_floor_divide;
    binaryfunc nb_true_divide;
    binaryfunc nb_inplace_floor_divide;
    binaryfunc nb_inplace_true_divide;
    unaryfunc nb_index;
    binaryfunc nb_matrix_multiply;
    binaryfunc nb_inplace_matrix_multiply;
} PyNumberMethods;

typedef struct {
    lenfunc sq_length;
    binaryfunc sq_concat;
    ssizeargfunc sq_repeat;
    ssizeargfunc sq_item;
    void *was_sq_slice;
    ssizeobjargproc sq_ass_item;
    void *was_sq_ass_slice;
    objobjproc sq_contains;
    binaryfunc sq_inplace_concat;
    ssizeargfunc sq_inplace_repeat;
} PySequenceMethods;

typedef struct {
    lenfunc mp_length;
    binaryfunc mp_subscript;
    objobjargproc mp_ass_subscript;
} PyMappingMethods;

/* Like a generator's send(): see PySendResult. */
typedef PySendResult (*sendfunc)(PyObject *iter, PyObject *value, PyObject **result);

typedef struct {
    unaryfunc am_await;
    unaryfunc am_aiter;
    unaryfunc am_anext;
    sendfunc am_send;
} PyAsyncMethods;

typedef int (*getbufferproc)(PyObject *, Py_buffer *, int);
typedef void (*releasebufferproc)(PyObject *, Py_buffer *);

typedef struct {
    getbufferproc bf_getbuffer;
    releasebufferproc bf_releasebuffer;
} PyBufferProcs;

/* A call without a tuple: see PyObject_Vectorcall in cpython/abstract.h. */
typedef PyObject *(*vectorcallfunc)(PyObject *callable, PyObject *const *args,
                                    size_t nargsf, PyObject *kwnames);

/* The former tp_print of Python 2. */
typedef Py_ssize_t printfunc;

/* ----------------------------------------------------------------- the type */

struct _typeobject {
    PyObject_VAR_HEAD
    const char *tp_name;            /* "module.name" */
    Py_ssize_t tp_basicsize;        /* an instance has tp_basicsize bytes, plus */
    Py_ssize_t tp_itemsize;         /* tp_itemsize for each item */

    destructor tp_dealloc;
    Py_ssize_t tp_vectorcall_offset;    /* of the vectorcallfunc in the instance */
    getattrfunc tp_getattr;         /* with char * names; tp_getattro is better */
    setattrfunc tp_setattr;
    PyAsyncMethods *tp_as_async;
    reprfunc tp_repr;

    PyNumberMethods *tp_as_number;
    PySequenceMethods *tp_as_sequence;
    PyMappingMethods *tp_as_mapping;

    hashfunc tp_hash;
    ternaryfunc tp_call;
    reprfunc tp_str;
    getattrofunc tp_getattro;
    setattrofunc tp_setattro;

    PyBufferProcs *tp_as_buffer;
    unsigned long tp_flags;         /* Py_TPFLAGS_ */
    const char *tp_doc;

    traverseproc tp_traverse;       /* for the collector */
    inquiry tp_clear;
    richcmpfunc tp_richcompare;
    Py_ssize_t tp_weaklistoffset;   /* of a PyObject * in the instance, NULL at first */

    getiterfunc tp_iter;
    iternextfunc tp_iternext;

    PyMethodDef *tp_methods;        /* arrays that end with an empty entry */
    PyMemberDef *tp_members;
    PyGetSetDef *tp_getset;

    PyTypeObject *tp_base;          /* NULL: object; not counted in a static type */
    PyObject *tp_dict;
    descrgetfunc tp_descr_get;
    descrsetfunc tp_descr_set;
    Py_ssize_t tp_dictoffset;       /* of the instance's __dict__; from the end if negative */
    initproc tp_init;
    allocfunc tp_alloc;
    newfunc tp_new;
    freefunc tp_free;
    inquiry tp_is_gc;               /* for types that have both static and heap instances */

    PyObject *tp_bases;             /* tuples, made by PyType_Ready */
    PyObject *tp_mro;
    PyObject *tp_cache;
    PyObject *tp_subclasses;
    PyObject *tp_weaklist;
    destructor tp_del;
    unsigned int tp_version_tag;    /* 0: the type's attributes are not cached */
    destructor tp_finalize;         /* __del__ */
    vectorcallfunc tp_vectorcall;   /* for calling the type */
};

struct _specialization_cache {
    PyObject *getitem;
};

/* A type made by a class statement or a specification. Its method tables are inside it.
   The PyMemberDefs of its __slots__ follow it. */
typedef struct _heaptypeobject {
    PyTypeObject ht_type;
    PyAsyncMethods as_async;
    PyNumberMethods as_number;
    PyMappingMethods as_mapping;
    PySequenceMethods as_sequence;
    PyBufferProcs as_buffer;
    PyObject *ht_name;
    PyObject *ht_slots;
    PyObject *ht_qualname;
    struct _dictkeysobject *ht_cached_keys;
    PyObject *ht_module;
    char *_ht_tpname;
    struct _specialization_cache _spec_cache;
} PyHeapTypeObject;

PyAPI_DATA(PyTypeObject) _PyNone_Type;
PyAPI_DATA(PyTypeObject) _PyNotImplemented_Type;
PyAPI_DATA(int) _Py_SwappedOp[];

/* The module made from `def` whose namespace contains the type, or a type that it
   inherits from. Returns a borrowed reference. */
PyAPI_FUNC(PyObject *) PyType_GetModuleByDef(PyTypeObject *type, PyModuleDef *def);

PyAPI_FUNC(const char *) _PyType_Name(PyTypeObject *type);
/* Returns a borrowed reference, or NULL without an exception when no type in the MRO has
   the name. */
PyAPI_FUNC(PyObject *) _PyType_Lookup(PyTypeObject *type, PyObject *name);
PyAPI_FUNC(PyTypeObject *) _PyType_CalculateMetaclass(PyTypeObject *metatype,
    PyObject *bases);
PyAPI_FUNC(PyObject *) _PyType_GetDocFromInternalDoc(const char *name, const char *doc);
PyAPI_FUNC(PyObject *) _PyType_GetTextSignatureFromInternalDoc(const char *name,
    const char *doc);

/* -------------------------------------------------------------- identifiers */

/* A name that C code uses often: `_Py_IDENTIFIER(close);` makes PyId_close, which becomes
   a str at its first use. */
typedef struct _Py_Identifier {
    const char *string;
    Py_ssize_t index;       /* -1: not yet made */
} _Py_Identifier;

#define _Py_static_string_init(value)     { .string = (value), .index = -1 }
#define _Py_static_string(varname, value) \
    static _Py_Identifier varname = _Py_static_string_init(value)
#define _Py_IDENTIFIER(varname)           _Py_static_string(PyId_##varname, #varname)

PyAPI_FUNC(PyObject *) _PyType_LookupId(PyTypeObject *type, _Py_Identifier *name);
PyAPI_FUNC(PyObject *) _PyObject_LookupSpecialId(PyObject *op, _Py_Identifier *name);
PyAPI_FUNC(PyObject *) _PyObject_GetAttrId(PyObject *op, _Py_Identifier *name);
PyAPI_FUNC(int) _PyObject_SetAttrId(PyObject *op, _Py_Identifier *name, PyObject *value);
#define _PyObject_LookupSpecial _PyObject_LookupSpecialId

/* ------------------------------------------------------------------ objects */

/* Writes repr(o), or str(o) with Py_PRINT_RAW, to the file. Returns 0, or -1. */
PyAPI_FUNC(int) PyObject_Print(PyObject *o, FILE *fp, int flags);

/* Like PyObject_GetAttr, but without AttributeError. Returns 1 with *result set, 0 with
   NULL, or -1. */
PyAPI_FUNC(int) _PyObject_LookupAttr(PyObject *op, PyObject *name, PyObject **result);
PyAPI_FUNC(int) _PyObject_LookupAttrId(PyObject *op, _Py_Identifier *name,
    PyObject **result);
/* Returns 1 if *method is a function that takes op as its first argument, or 0 if it is
   an attribute (or NULL, with an exception). */
PyAPI_FUNC(int) _PyObject_GetMethod(PyObject *op, PyObject *name, PyObject **method);
/* The address of the pointer to the instance's dictionary. NULL if it has none. */
PyAPI_FUNC(PyObject **) _PyObject_GetDictPtr(PyObject *obj);
PyAPI_FUNC(PyObject *) _PyObject_GenericGetAttrWithDict(PyObject *op, PyObject *name,
    PyObject *dict, int suppress);
PyAPI_FUNC(int) _PyObject_GenericSetAttrWithDict(PyObject *op, PyObject *name,
    PyObject *value, PyObject *dict);
PyAPI_FUNC(PyObject *) _PyObject_NextNotImplemented(PyObject *op);
PyAPI_FUNC(PyObject *) _PyObject_GetState(PyObject *op);
PyAPI_FUNC(int) _PyObject_IsAbstract(PyObject *op);
PyAPI_FUNC(PyObject *) _PyObject_FunctionStr(PyObject *op);

/* Call tp_finalize, once in the object's life. The second is for tp_dealloc, with a count
   of 0: it returns -1 when the finalizer made a new reference, so that the object stays
   alive. */
PyAPI_FUNC(void) PyObject_CallFinalizer(PyObject *op);
PyAPI_FUNC(int) PyObject_CallFinalizerFromDealloc(PyObject *op);

/* Gives a new object its first reference. */
PyAPI_FUNC(void) _Py_NewReference(PyObject *op);

/* Assign first, then release the old value: the release may run code that reads the
   variable. Steals `op2`. */
#define Py_SETREF(op, op2) \
    do { \
        PyObject **_py_where = _Py_CAST(PyObject **, &(op)); \
        PyObject *_py_old = *_py_where; \
        *_py_where = _PyObject_CAST(op2); \
        Py_DECREF(_py_old); \
    } while (0)
#define Py_XSETREF(op, op2) \
    do { \
        PyObject **_py_where = _Py_CAST(PyObject **, &(op)); \
        PyObject *_py_old = *_py_where; \
        *_py_where = _PyObject_CAST(op2); \
        Py_XDECREF(_py_old); \
    } while (0)

/* ----------------------------------------------------------------- trashcan */

/* Postpones the destructor of a deeply nested container, so that the C stack does not
   overflow. In a tp_dealloc, after PyObject_GC_UnTrack:

       Py_TRASHCAN_BEGIN(op, my_dealloc)
       … release the members and free the object …
       Py_TRASHCAN_END

   with no `return` between the two. */
PyAPI_FUNC(int) _PyTrash_begin(PyThreadState *tstate, PyObject *op);
PyAPI_FUNC(void) _PyTrash_end(PyThreadState *tstate);
PyAPI_FUNC(int) _PyTrash_cond(PyObject *op, destructor dealloc);

#define Py_TRASHCAN_BEGIN_CONDITION(op, cond) \
    do { \
        PyThreadState *_py_trash = NULL; \
        if (cond) { \
            _py_trash = PyThreadState_Get(); \
            if (_PyTrash_begin(_py_trash, _PyObject_CAST(op))) { \
                break; \
            } \
        }
#define Py_TRASHCAN_END \
        if (_py_trash != NULL) { \
            _PyTrash_end(_py_trash); \
        } \
    } while (0);
#define Py_TRASHCAN_BEGIN(op, dealloc) \
    Py_TRASHCAN_BEGIN_CONDITION((op), \
        _PyTrash_cond(_PyObject_CAST(op), (destructor)(dealloc)))

/* The older form. It does not notice if a subclass's destructor has already begun. */
Py_DEPRECATED(3.11) typedef int UsingDeprecatedTrashcanMacro;
#define Py_TRASHCAN_SAFE_BEGIN(op) \
    do { \
        UsingDeprecatedTrashcanMacro _py_deprecated; \
        (void)_py_deprecated; \
        Py_TRASHCAN_BEGIN_CONDITION((op), 1);
#define Py_TRASHCAN_SAFE_END(op) \
        Py_TRASHCAN_END; \
    } while (0);

/* ---------------------------------------------------------------- debugging */

/* Writes what is known about an object that may be broken to stderr. */
PyAPI_FUNC(void) _PyObject_Dump(PyObject *op);
PyAPI_FUNC(int) _PyObject_IsFreed(PyObject *op);
PyAPI_FUNC(void) _Py_BreakPoint(void);
PyAPI_FUNC(int) _PyObject_CheckConsistency(PyObject *op, int check_content);
PyAPI_FUNC(void) _PyObject_DebugTypeStats(FILE *out);
_Py_NO_RETURN PyAPI_FUNC(void) _PyObject_AssertFailed(PyObject *obj, const char *expr,
    const char *msg, const char *file, int line, const char *function);

#define _PyObject_ASSERT_FAILED_MSG(obj, msg) \
    _PyObject_AssertFailed((obj), NULL, (msg), __FILE__, __LINE__, __func__)

/* assert() with a dump of the object. */
#ifdef NDEBUG
#  define _PyObject_ASSERT_FROM(obj, expr, msg, filename, lineno, func) ((void)0)
#else
#  define _PyObject_ASSERT_FROM(obj, expr, msg, filename, lineno, func) \
    ((expr) ? (void)0 \
     : _PyObject_AssertFailed((obj), Py_STRINGIFY(expr), (msg), (filename), (lineno), (func)))
#endif
#define _PyObject_ASSERT_WITH_MSG(obj, expr, msg) \
    _PyObject_ASSERT_FROM((obj), expr, (msg), __FILE__, __LINE__, __func__)
#define _PyObject_ASSERT(obj, expr) _PyObject_ASSERT_WITH_MSG((obj), expr, NULL)

_Py_END_DECLS
#endif
