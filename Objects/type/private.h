/* Shared by the files of Objects/type only.

     ready.c            PyType_Ready: makes a type object usable
     new.c              class statements: type.__new__
     spec.c             PyType_FromSpec and its family
     metatype.c         `type` itself: its slots and methods
     attrs.c            attributes of classes as Python sees them: __name__ and others
     attr_place.c       where instances, modules and classes have an attribute
     cache.c            versions, the method cache, _PyType_Lookup
     call.c             calling a class
     mro.c              the method resolution order
     layout.c           which C layouts are compatible
     subtype.c          creation and destruction of instances of Python classes
     slots.c            slots.def as a table, and keeping slots up to date
     slot_functions.c   slots that call Python methods
     slot_wrappers.c    Python methods that call slots
     object_type.c      object and its methods */
#ifndef SB_TYPE_PRIVATE_H
#define SB_TYPE_PRIVATE_H

#include "Python.h"
#include <stddef.h>
#include "structmember.h"
#include "internal/call.h"
#include "internal/gc.h"
#include "internal/instance_attrs.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/type.h"

static inline int
has_flag(PyTypeObject *type, unsigned long flag)
{
    return (type->tp_flags & flag) != 0;
}

#define type_is_heap(type) has_flag(type, Py_TPFLAGS_HEAPTYPE)

/* mro.c */

/* Computes type->tp_mro (calling a metaclass's mro()). Stores the previous MRO in *old,
   an owned reference or NULL, if old != NULL. Returns 1 if it has set the MRO, 0 if a
   reentrant call has already done so, -1 with an exception. */
int _PyMro_Update(PyTypeObject *type, PyObject **old);
/* Returns a new list, computed by C3. */
PyObject *_PyMro_Compute(PyTypeObject *type);

/* layout.c */
PyTypeObject *_PyType_BestBase(PyObject *bases);   /* borrowed */
int _PyType_SameLayout(PyTypeObject *old, PyTypeObject *new,
                       const char *attribute);

/* slots.c */
int _PyType_AddOperators(PyTypeObject *type);
void _PyType_FixupSlots(PyTypeObject *type);
int _PyType_UpdateSlot(PyTypeObject *type, PyObject *name);
/* A class's own attribute has been overwritten; NULL: there was none, or there is none now. Is it
   one that changes all the time? Then no cache has its value, and the version stands. */
int _PyType_Changes(PyTypeObject *type, PyObject *name, PyObject *old, PyObject *value);
/* Has the class such an attribute? It has been looked up. */
int _PyType_IsChanging(PyTypeObject *type, PyObject *name);
/* Objects that have or get this type had such functions before: where they are attributes of
   classes, what was known of those holds no more (attr_place.h). */
void _PyType_KindChanged(PyTypeObject *type, descrgetfunc get, descrsetfunc set);
void _PyType_UpdateAllSlots(PyTypeObject *type);
int _PySlots_Init(void);

/* ready.c */
/* __new__ of C types: METH_FASTCALL | METH_KEYWORDS. */
PyObject *_PyType_NewWrapper(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *kwnames);
int _PyType_AddSubclass(PyTypeObject *base, PyTypeObject *type);
void _PyType_RemoveAllSubclasses(PyTypeObject *type, PyObject *bases);

/* cache.c */
void _PyType_MroModified(PyTypeObject *type, PyObject *bases);

/* new.c */
PyObject *_PyType_New(PyTypeObject *metatype, PyObject *args,
                      PyObject *kwargs);

/* attrs.c */
extern PyGetSetDef _PyType_GetSets[];
/* Returns a new reference. */
PyObject *_PyType_QualifiedName(PyTypeObject *type);

/* Adds the names of the attributes of a class and of its __bases__, whatever its mro is. */
int _PyType_MergeDicts(PyObject *names, PyObject *cls);
/* Returns the text of "name(sig)\n--\n\ntext" as a C string in the same memory. `name`
   may be dotted. */
const char *_PyType_DocWithoutSignature(const char *name, const char *doc);

/* subtype.c */
extern PyGetSetDef _PySubtype_GetSetsFull[];
extern PyGetSetDef _PySubtype_GetSetsDict[];
extern PyGetSetDef _PySubtype_GetSetsWeakref[];

/* slot_functions.c, slot_wrappers.c: the functions named in slots.def */
#include "internal/slot_prototypes.h"

#endif
