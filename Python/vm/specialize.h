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
VM_HIDDEN PyObject *_PyVM_PlainGetItem(PyTypeObject *type);

#endif
