/* Objects and types: the head of every object, reference counts, attributes, comparison,
   and the functions of which a type consists.

   An object is one block of memory that begins with PyObject (or with PyVarObject, if the
   number of its items varies). It never moves, and is freed when its last reference is
   released. */
#ifndef Py_OBJECT_H
#define Py_OBJECT_H

_Py_BEGIN_DECLS

/* -------------------------------------------------------- the object's head */

struct _object {
    Py_ssize_t ob_refcnt;
    PyTypeObject *ob_type;
};

typedef struct {
    PyObject ob_base;
    Py_ssize_t ob_size;     /* items; the type defines the meaning of the sign */
} PyVarObject;

/* The first member of an object's structure. */
#define PyObject_HEAD     PyObject ob_base;
#define PyObject_VAR_HEAD PyVarObject ob_base;
/* No extra members. (CPython has some when it traces references.) */
#define _PyObject_HEAD_EXTRA
#define _PyObject_EXTRA_INIT

/* Initialisers of a static object's head. */
#define PyObject_HEAD_INIT(type)          { 1, type },
#define PyVarObject_HEAD_INIT(type, size) { PyObject_HEAD_INIT(type) size },

#define Py_INVALID_SIZE ((Py_ssize_t)-1)

#define _PyObject_CAST(op)    _Py_CAST(PyObject *, (op))
#define _PyVarObject_CAST(op) _Py_CAST(PyVarObject *, (op))
#define _PyType_CAST(op)      _Py_CAST(PyTypeObject *, (op))

static inline Py_ssize_t
Py_REFCNT(PyObject *op)
{
    return op->ob_refcnt;
}

/* Returns a borrowed reference. */
static inline PyTypeObject *
Py_TYPE(PyObject *op)
{
    return op->ob_type;
}

/* For objects whose structure begins with a PyVarObject. */
static inline Py_ssize_t
Py_SIZE(PyObject *op)
{
    return _PyVarObject_CAST(op)->ob_size;
}

static inline int
Py_IS_TYPE(PyObject *op, PyTypeObject *type)
{
    return op->ob_type == type;
}

static inline void
Py_SET_REFCNT(PyObject *op, Py_ssize_t count)
{
    op->ob_refcnt = count;
}

static inline void
Py_SET_TYPE(PyObject *op, PyTypeObject *type)
{
    op->ob_type = type;
}

static inline void
Py_SET_SIZE(PyVarObject *op, Py_ssize_t size)
{
    op->ob_size = size;
}

/* Older API versions accept a pointer to any object's structure. */
#if !defined(Py_LIMITED_API) || Py_LIMITED_API+0 < 0x030b0000
#  define Py_REFCNT(op)            Py_REFCNT(_PyObject_CAST(op))
#  define Py_TYPE(op)              Py_TYPE(_PyObject_CAST(op))
#  define Py_SIZE(op)              Py_SIZE(_PyObject_CAST(op))
#  define Py_IS_TYPE(op, type)     Py_IS_TYPE(_PyObject_CAST(op), (type))
#  define Py_SET_REFCNT(op, count) Py_SET_REFCNT(_PyObject_CAST(op), (count))
#  define Py_SET_TYPE(op, type)    Py_SET_TYPE(_PyObject_CAST(op), (type))
#  define Py_SET_SIZE(op, size)    Py_SET_SIZE(_PyVarObject_CAST(op), (size))
#endif

/* --------------------------------------------------------- reference counts */

/* Calls the type's tp_dealloc. For Py_DECREF, when the count has reached 0. */
PyAPI_FUNC(void) _Py_Dealloc(PyObject *);

static inline void
Py_INCREF(PyObject *op)
{
    op->ob_refcnt++;
}

/* May run any code: the destructors of the object and of everything that it owned. */
static inline void
Py_DECREF(PyObject *op)
{
    if (--op->ob_refcnt == 0) {
        _Py_Dealloc(op);
    }
}

/* The same, but they do nothing for NULL. */
static inline void
Py_XINCREF(PyObject *op)
{
    if (op != _Py_NULL) {
        Py_INCREF(op);
    }
}

static inline void
Py_XDECREF(PyObject *op)
{
    if (op != _Py_NULL) {
        Py_DECREF(op);
    }
}

/* Return a new reference to the argument, which may be NULL in the X form. */
static inline PyObject *
_Py_NewRef(PyObject *op)
{
    Py_INCREF(op);
    return op;
}

static inline PyObject *
_Py_XNewRef(PyObject *op)
{
    Py_XINCREF(op);
    return op;
}

#define Py_DECREF(op) Py_DECREF(_PyObject_CAST(op))
#if !defined(Py_LIMITED_API) || Py_LIMITED_API+0 < 0x030b0000
#  define Py_INCREF(op)  Py_INCREF(_PyObject_CAST(op))
#  define Py_XINCREF(op) Py_XINCREF(_PyObject_CAST(op))
#  define Py_XDECREF(op) Py_XDECREF(_PyObject_CAST(op))
#endif

/* Sets the variable to NULL before releasing the old value, so that code run by the
   release does not find a dead object there. */
#define Py_CLEAR(op) \
    do { \
        PyObject **_py_where = _Py_CAST(PyObject **, &(op)); \
        PyObject *_py_old = *_py_where; \
        if (_py_old != NULL) { \
            *_py_where = NULL; \
            Py_DECREF(_py_old); \
        } \
    } while (0)

/* The same as functions, for languages that link but don't compile C. */
PyAPI_FUNC(void) Py_IncRef(PyObject *o);
PyAPI_FUNC(void) Py_DecRef(PyObject *o);
PyAPI_FUNC(void) _Py_IncRef(PyObject *);
PyAPI_FUNC(void) _Py_DecRef(PyObject *);
PyAPI_FUNC(PyObject *) Py_NewRef(PyObject *o);
PyAPI_FUNC(PyObject *) Py_XNewRef(PyObject *o);

#if !defined(Py_LIMITED_API) || Py_LIMITED_API+0 < 0x030b0000
#  define Py_NewRef(op)  _Py_NewRef(_PyObject_CAST(op))
#  define Py_XNewRef(op) _Py_XNewRef(_PyObject_CAST(op))
#else
#  define Py_NewRef(op)  _Py_NewRef(op)
#  define Py_XNewRef(op) _Py_XNewRef(op)
#endif

/* ------------------------------------------------------ functions of a type */

typedef PyObject *(*unaryfunc)(PyObject *);
typedef PyObject *(*binaryfunc)(PyObject *, PyObject *);
typedef PyObject *(*ternaryfunc)(PyObject *, PyObject *, PyObject *);
typedef int (*inquiry)(PyObject *);
typedef Py_ssize_t (*lenfunc)(PyObject *);

typedef PyObject *(*ssizeargfunc)(PyObject *, Py_ssize_t);
typedef PyObject *(*ssizessizeargfunc)(PyObject *, Py_ssize_t, Py_ssize_t);
typedef int (*ssizeobjargproc)(PyObject *, Py_ssize_t, PyObject *);
typedef int (*ssizessizeobjargproc)(PyObject *, Py_ssize_t, Py_ssize_t, PyObject *);
typedef int (*objobjproc)(PyObject *, PyObject *);
typedef int (*objobjargproc)(PyObject *, PyObject *, PyObject *);

/* tp_traverse calls visit(object, arg) for each object that it owns. If the result is not
   0, it stops and returns that result (Py_VISIT in objimpl.h). */
typedef int (*visitproc)(PyObject *, void *);
typedef int (*traverseproc)(PyObject *, visitproc, void *);

typedef void (*freefunc)(void *);
typedef void (*destructor)(PyObject *);
typedef PyObject *(*allocfunc)(PyTypeObject *, Py_ssize_t);
typedef PyObject *(*newfunc)(PyTypeObject *, PyObject *, PyObject *);
typedef int (*initproc)(PyObject *, PyObject *, PyObject *);

/* Deletes if the value is NULL. */
typedef PyObject *(*getattrfunc)(PyObject *, char *);
typedef PyObject *(*getattrofunc)(PyObject *, PyObject *);
typedef int (*setattrfunc)(PyObject *, char *, PyObject *);
typedef int (*setattrofunc)(PyObject *, PyObject *, PyObject *);
typedef PyObject *(*descrgetfunc)(PyObject *, PyObject *, PyObject *);
typedef int (*descrsetfunc)(PyObject *, PyObject *, PyObject *);

typedef PyObject *(*reprfunc)(PyObject *);
typedef Py_hash_t (*hashfunc)(PyObject *);
typedef PyObject *(*richcmpfunc)(PyObject *, PyObject *, int);
typedef PyObject *(*getiterfunc)(PyObject *);
/* Returns NULL without an exception at the end. */
typedef PyObject *(*iternextfunc)(PyObject *);

#if _Py_API_SINCE(10)
/* For PyIter_Send and am_send. *result is what the generator returned, nothing, or what
   it yielded. */
typedef enum {
    PYGEN_RETURN = 0,
    PYGEN_ERROR = -1,
    PYGEN_NEXT = 1
} PySendResult;
#endif

/* -------------------------------------------------------------------- types */

/* A type as a list of slots (typeslots.h), which ends with slot 0. */
typedef struct {
    int slot;
    void *pfunc;
} PyType_Slot;

typedef struct {
    const char *name;       /* "module.name"; the text must outlive the type */
    int basicsize;
    int itemsize;
    unsigned int flags;
    PyType_Slot *slots;
} PyType_Spec;

PyAPI_DATA(PyTypeObject) PyType_Type;
PyAPI_DATA(PyTypeObject) PyBaseObject_Type;
PyAPI_DATA(PyTypeObject) PySuper_Type;

#ifndef Py_LIMITED_API
#  include "cpython/object.h"
#endif

/* Bits of tp_flags. */
#ifndef Py_LIMITED_API
#  define Py_TPFLAGS_MANAGED_DICT         (1 << 4)     /* instances keep their attributes
                                                          before their head */
#  define Py_TPFLAGS_SEQUENCE             (1 << 5)     /* what `case [a, b]:` matches */
#  define Py_TPFLAGS_MAPPING              (1 << 6)     /* what `case {…}:` matches */
#endif
#define Py_TPFLAGS_DISALLOW_INSTANTIATION (1UL << 7)   /* the type can't be called */
#define Py_TPFLAGS_IMMUTABLETYPE          (1UL << 8)   /* attributes can't be set */
#define Py_TPFLAGS_HEAPTYPE               (1UL << 9)   /* the type was allocated on the heap */
#define Py_TPFLAGS_BASETYPE               (1UL << 10)  /* may be subclassed */
#ifndef Py_LIMITED_API
#  define Py_TPFLAGS_HAVE_VECTORCALL      (1UL << 11)  /* see tp_vectorcall_offset */
#  define _Py_TPFLAGS_HAVE_VECTORCALL     Py_TPFLAGS_HAVE_VECTORCALL
#endif
#define Py_TPFLAGS_READY                  (1UL << 12)  /* PyType_Ready was called */
#define Py_TPFLAGS_READYING               (1UL << 13)
#define Py_TPFLAGS_HAVE_GC                (1UL << 14)  /* objimpl.h */
#define Py_TPFLAGS_HAVE_STACKLESS_EXTENSION 0
#define Py_TPFLAGS_METHOD_DESCRIPTOR      (1UL << 17)  /* object.attribute(…) may call it
                                                          with the object first */
#define Py_TPFLAGS_VALID_VERSION_TAG      (1UL << 19)
#define Py_TPFLAGS_IS_ABSTRACT            (1UL << 20)  /* has abstract methods left */
#define _Py_TPFLAGS_MATCH_SELF            (1UL << 22)  /* `case Type(x):` binds the subject */
#define Py_TPFLAGS_LONG_SUBCLASS          (1UL << 24)
#define Py_TPFLAGS_LIST_SUBCLASS          (1UL << 25)
#define Py_TPFLAGS_TUPLE_SUBCLASS         (1UL << 26)
#define Py_TPFLAGS_BYTES_SUBCLASS         (1UL << 27)
#define Py_TPFLAGS_UNICODE_SUBCLASS       (1UL << 28)
#define Py_TPFLAGS_DICT_SUBCLASS          (1UL << 29)
#define Py_TPFLAGS_BASE_EXC_SUBCLASS      (1UL << 30)
#define Py_TPFLAGS_TYPE_SUBCLASS          (1UL << 31)
#define Py_TPFLAGS_DEFAULT                (Py_TPFLAGS_HAVE_STACKLESS_EXTENSION | 0)
/* Without effect now. */
#define Py_TPFLAGS_HAVE_FINALIZE          (1UL << 0)
#define Py_TPFLAGS_HAVE_VERSION_TAG       (1UL << 18)

PyAPI_FUNC(unsigned long) PyType_GetFlags(PyTypeObject *type);
PyAPI_FUNC(int) PyType_IsSubtype(PyTypeObject *a, PyTypeObject *b);

static inline int
PyType_HasFeature(PyTypeObject *type, unsigned long feature)
{
#ifdef Py_LIMITED_API
    return (PyType_GetFlags(type) & feature) != 0;
#else
    return (type->tp_flags & feature) != 0;
#endif
}

#define PyType_FastSubclass(type, flag) PyType_HasFeature((type), (flag))

static inline int
PyType_Check(PyObject *op)
{
    return PyType_FastSubclass(Py_TYPE(op), Py_TPFLAGS_TYPE_SUBCLASS);
}

static inline int
PyType_CheckExact(PyObject *op)
{
    return Py_IS_TYPE(op, &PyType_Type);
}

/* Whether it is an instance of the type or of a subtype. __class__ and __instancecheck__
   are not used. */
static inline int
PyObject_TypeCheck(PyObject *op, PyTypeObject *type)
{
    return Py_IS_TYPE(op, type) || PyType_IsSubtype(Py_TYPE(op), type);
}

#if !defined(Py_LIMITED_API) || Py_LIMITED_API+0 < 0x030b0000
#  define PyType_Check(op)             PyType_Check(_PyObject_CAST(op))
#  define PyType_CheckExact(op)        PyType_CheckExact(_PyObject_CAST(op))
#  define PyObject_TypeCheck(op, type) PyObject_TypeCheck(_PyObject_CAST(op), (type))
#endif

/* Completes a static type before its first use. Returns 0, or -1. */
PyAPI_FUNC(int) PyType_Ready(PyTypeObject *type);
/* Tells the caches that the type's attributes were changed directly. */
PyAPI_FUNC(void) PyType_Modified(PyTypeObject *type);
PyAPI_FUNC(unsigned int) PyType_ClearCache(void);

/* Types made from a specification. bases is a tuple, a type or NULL. */
PyAPI_FUNC(PyObject *) PyType_FromSpec(PyType_Spec *spec);
#if _Py_API_SINCE(3)
PyAPI_FUNC(PyObject *) PyType_FromSpecWithBases(PyType_Spec *spec, PyObject *bases);
#endif
#if _Py_API_SINCE(9)
PyAPI_FUNC(PyObject *) PyType_FromModuleAndSpec(PyObject *module, PyType_Spec *spec,
    PyObject *bases);
#endif
#if _Py_API_SINCE(4)
PyAPI_FUNC(void *) PyType_GetSlot(PyTypeObject *type, int slot);
#endif
#if _Py_API_SINCE(11)
PyAPI_FUNC(PyObject *) PyType_GetName(PyTypeObject *type);
PyAPI_FUNC(PyObject *) PyType_GetQualName(PyTypeObject *type);
#endif
/* For the module that was given to PyType_FromModuleAndSpec. GetModule returns a borrowed
   reference. */
#if _Py_API_SINCE(9)
PyAPI_FUNC(PyObject *) PyType_GetModule(PyTypeObject *type);
PyAPI_FUNC(void *) PyType_GetModuleState(PyTypeObject *type);
#endif

/* The usual values of tp_alloc and tp_new. */
PyAPI_FUNC(PyObject *) PyType_GenericAlloc(PyTypeObject *type, Py_ssize_t nitems);
PyAPI_FUNC(PyObject *) PyType_GenericNew(PyTypeObject *type, PyObject *args,
    PyObject *kwds);

/* --------------------------------------------------- what any object can do */

PyAPI_FUNC(PyObject *) PyObject_Repr(PyObject *o);
PyAPI_FUNC(PyObject *) PyObject_Str(PyObject *o);
PyAPI_FUNC(PyObject *) PyObject_ASCII(PyObject *o);
PyAPI_FUNC(PyObject *) PyObject_Bytes(PyObject *o);
PyAPI_FUNC(Py_hash_t) PyObject_Hash(PyObject *o);
PyAPI_FUNC(Py_hash_t) PyObject_HashNotImplemented(PyObject *o);
PyAPI_FUNC(PyObject *) PyObject_Dir(PyObject *o);
PyAPI_FUNC(PyObject *) PyObject_SelfIter(PyObject *o);
PyAPI_FUNC(int) PyCallable_Check(PyObject *o);

/* Return 1, 0, or -1. */
PyAPI_FUNC(int) PyObject_IsTrue(PyObject *o);
PyAPI_FUNC(int) PyObject_Not(PyObject *o);

/* Comparison: opid is one of these. */
#define Py_LT 0
#define Py_LE 1
#define Py_EQ 2
#define Py_NE 3
#define Py_GT 4
#define Py_GE 5

/* The Bool form returns 1, 0 or -1, and treats an object as equal to itself. */
PyAPI_FUNC(PyObject *) PyObject_RichCompare(PyObject *o1, PyObject *o2, int opid);
PyAPI_FUNC(int) PyObject_RichCompareBool(PyObject *o1, PyObject *o2, int opid);

/* Ends a tp_richcompare for two C values. */
#define Py_RETURN_RICHCOMPARE(val1, val2, op) \
    do { \
        switch (op) { \
        case Py_LT: if ((val1) < (val2)) { Py_RETURN_TRUE; } Py_RETURN_FALSE; \
        case Py_LE: if ((val1) <= (val2)) { Py_RETURN_TRUE; } Py_RETURN_FALSE; \
        case Py_EQ: if ((val1) == (val2)) { Py_RETURN_TRUE; } Py_RETURN_FALSE; \
        case Py_NE: if ((val1) != (val2)) { Py_RETURN_TRUE; } Py_RETURN_FALSE; \
        case Py_GT: if ((val1) > (val2)) { Py_RETURN_TRUE; } Py_RETURN_FALSE; \
        case Py_GE: if ((val1) >= (val2)) { Py_RETURN_TRUE; } Py_RETURN_FALSE; \
        default: Py_UNREACHABLE(); \
        } \
    } while (0)

/* Attributes. The Has forms can't fail: any exception is swallowed. */
PyAPI_FUNC(PyObject *) PyObject_GetAttr(PyObject *o, PyObject *attr_name);
PyAPI_FUNC(PyObject *) PyObject_GetAttrString(PyObject *o, const char *attr_name);
PyAPI_FUNC(int) PyObject_SetAttr(PyObject *o, PyObject *attr_name, PyObject *v);
PyAPI_FUNC(int) PyObject_SetAttrString(PyObject *o, const char *attr_name, PyObject *v);
PyAPI_FUNC(int) PyObject_HasAttr(PyObject *o, PyObject *attr_name);
PyAPI_FUNC(int) PyObject_HasAttrString(PyObject *o, const char *attr_name);
/* The usual values of tp_getattro and tp_setattro, and of a __dict__ getset. */
PyAPI_FUNC(PyObject *) PyObject_GenericGetAttr(PyObject *o, PyObject *name);
PyAPI_FUNC(int) PyObject_GenericSetAttr(PyObject *o, PyObject *name, PyObject *value);
#if _Py_API_SINCE(3)
PyAPI_FUNC(int) PyObject_GenericSetDict(PyObject *o, PyObject *value, void *context);
#endif

/* For tp_dealloc of types with tp_weaklistoffset. */
PyAPI_FUNC(void) PyObject_ClearWeakRefs(PyObject *o);

/* Ends the recursion of a container's repr. Enter returns 1 when the object's repr is
   already running in this thread, 0 otherwise (then Leave must follow), or -1. */
PyAPI_FUNC(int) Py_ReprEnter(PyObject *object);
PyAPI_FUNC(void) Py_ReprLeave(PyObject *object);

/* For PyObject_Print and PyFile_WriteObject: str() rather than repr(). */
#define Py_PRINT_RAW 1

/* --------------------------------------------------------------- singletons */

PyAPI_DATA(PyObject) _Py_NoneStruct;
PyAPI_DATA(PyObject) _Py_NotImplementedStruct;

#define Py_None           (&_Py_NoneStruct)
#define Py_NotImplemented (&_Py_NotImplementedStruct)

#define Py_RETURN_NONE           return Py_NewRef(Py_None)
#define Py_RETURN_NOTIMPLEMENTED return Py_NewRef(Py_NotImplemented)

/* These compare identity. */
PyAPI_FUNC(int) Py_Is(PyObject *x, PyObject *y);
PyAPI_FUNC(int) Py_IsNone(PyObject *x);
#define Py_Is(x, y)  ((x) == (y))
#define Py_IsNone(x) Py_Is((x), Py_None)

_Py_END_DECLS
#endif
