/* tp_traverse of classes made by class statements. The collector has it inline: such instances are
   most of what it goes through, and a call for each attribute takes as long as the rest. */
#ifndef SB_INTERNAL_SUBTYPE_TRAVERSE_H
#define SB_INTERNAL_SUBTYPE_TRAVERSE_H

#include "internal/instance_attrs.h"
#include "internal/type.h"

static inline __attribute__((always_inline)) int
_PySubtype_TraverseSlots(PyTypeObject *type, PyObject *self, visitproc visit, void *arg)
{
    PyMemberDef *member = _PyType_SlotMembers(type);
    for (Py_ssize_t i = Py_SIZE(type); i > 0; i--, member++) {
        if (member->type == T_OBJECT_EX) {
            Py_VISIT(*(PyObject **)((char *)self + member->offset));
        }
    }
    return 0;
}

/* The attributes of an instance with a managed dictionary. */
static inline __attribute__((always_inline)) int
_PyInstance_Traverse(PyObject *self, visitproc visit, void *arg)
{
    int n = _PyInstance_Header(self)->capacity;
    PyObject **values = n != 0 ? _PyInstance_Values(self) : _PyInstance_DictSlot(self);
    for (int i = 0; i < (n != 0 ? n : 1); i++) {
        Py_VISIT(values[i]);
    }
    return 0;
}

static inline __attribute__((always_inline)) int
_PySubtype_TraverseInline(PyObject *self, visitproc visit, void *arg)
{
    PyTypeObject *type = Py_TYPE(self), *base = type;
    while (base->tp_traverse == _PySubtype_Traverse) {
        if (Py_SIZE(base) > 0) {
            int status = _PySubtype_TraverseSlots(base, self, visit, arg);
            if (status != 0) {
                return status;
            }
        }
        base = base->tp_base;
    }
    if (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) {
        if (!(base->tp_flags & Py_TPFLAGS_MANAGED_DICT)) {
            int status = _PyInstance_Traverse(self, visit, arg);
            if (status != 0) {
                return status;
            }
        }
    }
    else if (type->tp_dictoffset != 0 && type->tp_dictoffset != base->tp_dictoffset) {
        PyObject **dict = _PyObject_GetDictPtr(self);
        if (dict != NULL) {
            Py_VISIT(*dict);
        }
    }
    /* If the base is a heap type, its function visits the type itself. */
    if (base->tp_traverse == NULL || !(base->tp_flags & Py_TPFLAGS_HEAPTYPE)) {
        Py_VISIT(type);
    }
    return base->tp_traverse != NULL ? base->tp_traverse(self, visit, arg) : 0;
}

#endif
