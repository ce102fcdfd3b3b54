/* Adaptive specialisation.

   A general opcode with a cache counts its executions in the first cache word.
   Now and then (specialize_now()) it looks at its operands, and if they are of
   a kind that has a faster form, fills the cache with the guards of that form
   and rewrites its own opcode. A specialised form whose guard fails does the
   general work and becomes the general opcode again (despecialize()).

   Caches hold only numbers that are never reused (versions), and pointers that
   live as long as such a version is current. */
#ifndef SB_VM_SPECIALIZE_H
#define SB_VM_SPECIALIZE_H

#include "vm.h"
#include "internal/dict.h"
#include "internal/instance_attrs.h"
#include "internal/unicode.h"

#define SPECIALIZE_AFTER 2          /* executions before the first attempt */
#define SPECIALIZE_PERIOD 64        /* and between attempts; a power of two */

static inline int
specialize_now(const PyInstr *ip)
{
    PyCacheWord *cache = (PyCacheWord *)(ip + 1);
    return (++cache->counter & (SPECIALIZE_PERIOD - 1)) == SPECIALIZE_AFTER;
}

static inline void
set_opcode(const PyInstr *ip, int op)
{
    ((PyInstr *)ip)->op = (uint8_t)op;
}

static inline void
despecialize(const PyInstr *ip)
{
    set_opcode(ip, _PyOpcode_Info[ip->op].base);
}

VM_HIDDEN void _PyVM_SpecializeGlobal(PyVMFrame *f, const PyInstr *ip);
VM_HIDDEN void _PyVM_SpecializeStoreGlobal(PyVMFrame *f, const PyInstr *ip);
VM_HIDDEN void _PyVM_SpecializeLoadAttr(PyVMFrame *f, const PyInstr *ip,
                                        PyObject *owner);
VM_HIDDEN void _PyVM_SpecializeStoreAttr(PyVMFrame *f, const PyInstr *ip,
                                         PyObject *owner);
VM_HIDDEN void _PyVM_SpecializeLoadMethod(PyVMFrame *f, const PyInstr *ip,
                                          PyObject *owner);
/* The dictionary of an instance, borrowed. NULL: none, or one that this can't tell, or
   the values live inside. */
static inline PyObject *
own_dict(PyObject *owner)
{
    PyTypeObject *type = Py_TYPE(owner);
    return type->tp_flags & Py_TPFLAGS_MANAGED_DICT ? *_PyInstance_DictSlot(owner)
           : type->tp_dictoffset > 0 ? *(PyObject **)((char *)owner + type->tp_dictoffset)
           : NULL;
}

/* Has an object with such a dict surely no attribute of that name? Mostly a look at one
   entry tells. */
static inline int
own_dict_lacks(PyObject *owner, PyObject *name)
{
    PyDictObject *dict = (PyDictObject *)own_dict(owner);
    Py_hash_t hash = _PyUnicode_CachedHash(name);
    return dict == NULL
           || (PyDict_CheckExact(dict) && hash != -1
               && (_PyDictKeys_FirstPosition(dict->ma_keys, hash) == DICT_EMPTY
                   || (dict->ma_keys->kind == DICT_KEYS_UNICODE
                       && _PyDict_IndexOfStr(dict, name) < 0)));
}

/* What the type has under the name, borrowed, or NULL; and the method cache knows from now
   on how instances have it, if place_of() can tell. */
VM_HIDDEN PyObject *_PyVM_LookUpAttr(PyObject *owner, PyObject *name);
VM_HIDDEN PyObject *_PyVM_PlainGetItem(PyTypeObject *type);

#endif
