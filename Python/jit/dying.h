/* Objects that machine code gives up: dying.c. */
#ifndef SB_JIT_DYING_H
#define SB_JIT_DYING_H

#include "Python.h"
#include "internal/instance_attrs.h"
#include "internal/list.h"
#include "internal/rare_call.h"
#include "internal/tuple.h"
#include "internal/type.h"

/* Can no other code run when an object of this class is destroyed? NULL: it is not known. */
static inline int
_PyJit_IsInert(const PyTypeObject *cls)
{
    return cls == &PyUnicode_Type || cls == &PyFloat_Type || cls == &PyLong_Type
           || cls == &PyBool_Type || cls == &PyBytes_Type || cls == &PyComplex_Type
           || cls == &PyRangeIter_Type;
}

/* The same, also of a C type whose objects are nothing but memory, as those of date and timedelta
   are. */
static inline int
_PyJit_DiesAlone(const PyTypeObject *type)
{
    return _PyJit_IsInert(type)
           || (type->tp_dealloc == PyBaseObject_Type.tp_dealloc && type->tp_free == PyObject_Free
               && !(type->tp_flags & (Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_HAVE_GC)));
}

/* Is it of a C type that has told how to find it out (_PyJit_LearnDiesAlone()), and does it? */
_Py_RARE_CALL int _PyJit_SaysDiesAlone(PyObject *object);

static inline int
_PyJit_ObjectDiesAlone(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    return _PyJit_DiesAlone(type)
           || (!(type->tp_flags & (Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_HAVE_GC))
               && _PyJit_SaysDiesAlone(object));
}

/* Can't anybody look when this object, which nothing refers to any more, or one reference that
   goes, is destroyed, with all that is destroyed then? */
int _PyJit_DiesQuietly(PyObject *object);
/* Is it an iterator or a dict's view, as loops leave them, of something that lives on or is nothing
   but memory? */
int _PyJit_IteratedStays(PyObject *object);
/* Could _PyJit_Destroy() do so? */
static inline int
_PyJit_IsDestroyable(PyTypeObject *type)
{
    return type == &PyTuple_Type || type == &PyList_Type || _PyInstance_IsPlain(type);
}

#define _PyJit_FEW_ITEMS 8

/* Of an item with several references, but not more than there are items: is one from outside? */
_Py_RARE_CALL int _PyJit_IsHeldElsewhere(PyObject *const *items, Py_ssize_t n, Py_ssize_t i);

static inline int
_PyJit_IsShared(PyObject *const *items, Py_ssize_t n, Py_ssize_t i)
{
    Py_ssize_t references = Py_REFCNT(items[i]);
    return references > n || (references > 1 && _PyJit_IsHeldElsewhere(items, n, i));
}

/* Does an item live on, or die without a sound? */
static inline int
_PyJit_ItemStays(PyObject *const *items, Py_ssize_t n, Py_ssize_t i)
{
    return Py_REFCNT(items[i]) > n || _PyJit_ObjectDiesAlone(items[i])
           || _PyJit_IsShared(items, n, i);
}

/* Are the items few, and has each other references? 0: it is not known. */
static inline int
_PyJit_FewAreShared(PyObject *const *items, Py_ssize_t n)
{
    if (n > _PyJit_FEW_ITEMS) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (items[i] == NULL || !_PyJit_IsShared(items, n, i)) {
            return 0;
        }
    }
    return 1;
}

/* Drops the items of a tuple if they are such. 0: nothing has been done. */
static inline int
_PyJit_DropShared(PyObject *const *items, Py_ssize_t n)
{
    if (!_PyJit_FewAreShared(items, n)) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_SET_REFCNT(items[i], Py_REFCNT(items[i]) - 1);
    }
    return 1;
}

/* The same of a tuple or list, but those that have no other references may be nothing but
   memory. */
static inline int
_PyJit_DropAlone(PyObject *const *items, Py_ssize_t n)
{
    if (n > _PyJit_FEW_ITEMS) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (items[i] == NULL || !_PyJit_ItemStays(items, n, i)) {
            return 0;
        }
    }
    while (n > 0) {
        PyObject *item = items[--n];
        Py_SET_REFCNT(item, Py_REFCNT(item) - 1);
        if (Py_REFCNT(item) == 0) {
            Py_TYPE(item)->tp_dealloc(item);
        }
    }
    return 1;
}

static inline PyObject **
_PyJit_ItemsOf(PyObject *object, const PyTypeObject *type)
{
    return type == &PyTuple_Type ? ((PyTupleObject *)object)->ob_item
                                 : ((PyListObject *)object)->ob_item;
}

/* Frees a tuple or list, whose items have been released. */
static inline void
_PyJit_FreeEmptied(PyObject *object, const PyTypeObject *type)
{
    if (type == &PyTuple_Type) {
        _PyTuple_FreeEmptied((PyTupleObject *)object);
    }
    else {
        _PyList_FreeEmptied((PyListObject *)object);
    }
}

/* Destroys a tuple, a list or an instance of a plain class if that runs no other code, and those
   among its items that die with it, down so many levels. 0: it is something else; or it is as it
   was, but for items at its end or attributes, which it has no more. -1: likewise, and
   _PyJit_DiesQuietly() need not be asked. */
int _PyJit_Destroy(PyObject *object, int levels);
/* The part of the next function for items that _PyJit_DropAlone() leaves. */
int _PyJit_DestroyMixed(PyObject *object, PyTypeObject *type, int levels);

/* The same of what is a tuple or list, while nobody traces references. */
static inline int
_PyJit_DestroyItems(PyObject *object, PyTypeObject *type, int levels)
{
    if (!_PyJit_DropAlone(_PyJit_ItemsOf(object, type), Py_SIZE(object))) {
        return _PyJit_DestroyMixed(object, type, levels);
    }
    _PyJit_FreeEmptied(object, type);
    return 1;
}

#endif
