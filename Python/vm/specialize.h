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
/* The dictionary of an instance, as a borrowed reference. NULL: there is none, it is not
   found this way, or the values live inline. */
static inline PyObject *
own_dict(PyObject *owner)
{
    PyTypeObject *type = Py_TYPE(owner);
    return type->tp_flags & Py_TPFLAGS_MANAGED_DICT ? *_PyInstance_DictSlot(owner)
           : type->tp_dictoffset > 0 ? *(PyObject **)((char *)owner + type->tp_dictoffset)
           : NULL;
}

/* Does an object with such a dict certainly lack an attribute of that name? One entry
   is mostly enough to tell. */
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

/* What the type has under the name, or NULL. Returns a borrowed reference. From then on the
   method cache also has the place of the attribute in instances, if place_of() knows it. */
VM_HIDDEN PyObject *_PyVM_LookUpAttr(PyObject *owner, PyObject *name);
VM_HIDDEN PyObject *_PyVM_PlainGetItem(PyTypeObject *type);

#endif
