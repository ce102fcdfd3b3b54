/* Where a module keeps what it made at import. One rule:

   - What Python code can change, and what leads to such things, belongs to one interpreter:
     registries, exceptions that import makes, classes that are not immutable, functions and
     dictionaries taken from other modules.
     - A module whose types are made from specs has it in its module object: m_size is its
       size, and PyModule_GetState() or PyType_GetModuleState() lead there.
     - From a static type no way leads to a module. A module with static types uses the functions
       below: its state is the interpreter's.
   - A C static holds what is the same for the whole process: static types, immutable types
     that are made once, constants (datetime.timezone.utc), free lists, what the operating
     system keeps per process (signal handlers, syslog's ident, the locale), and what observes
     the process (tracemalloc, faulthandler). Likewise what a module of one phase has made
     (m_size is -1: _io), since interpreters share all of it.

   Tests/python/test_subinterpreters.py runs modules in two interpreters. */
#ifndef SB_INTERNAL_MODULE_STATE_H
#define SB_INTERNAL_MODULE_STATE_H

#include "Python.h"
#include "internal/pystate.h"

/* The modules that do so. */
enum _PyModuleState_Owner {
    MODULE_STATE_AST,
    MODULE_STATE_ASYNCIO,
    MODULE_STATE_CSV,
    MODULE_STATE_DECIMAL,
    MODULE_STATE_PICKLE,
    MODULE_STATE_SOCKET,
    MODULE_STATES
};
static_assert(MODULE_STATES <= Py_ARRAY_LENGTH(((PyInterpreterState *)0)->module_states),
              "an interpreter has room for the state of these modules");

/* The module's state in this interpreter, or NULL if it has not been made. */
static inline void *
_PyModuleState_Get(enum _PyModuleState_Owner owner)
{
    return _PyInterpreterState_GET()->module_states[owner];
}

/* The same; makes it if necessary, of this size, with zeros. `clear` is called before it is freed,
   which is when the interpreter ends, after its modules. NULL with MemoryError. */
void *_PyModuleState_Need(enum _PyModuleState_Owner owner, size_t size, void (*clear)(void *));
/* For PyInterpreterState_Clear(). */
void _PyModuleState_Drop(PyInterpreterState *interp);

#endif
