/* What modules with static types keep for each interpreter: see internal/module_state.h. */
#include "Python.h"
#include "internal/module_state.h"

typedef struct {
    void (*clear)(void *);
    max_align_t state[];
} Block;

static inline Block *
block_of(void *state)
{
    return (Block *)((char *)state - offsetof(Block, state));
}

void *
_PyModuleState_Need(enum _PyModuleState_Owner owner, size_t size, void (*clear)(void *))
{
    void **place = &_PyInterpreterState_GET()->module_states[owner];
    if (*place == NULL) {
        Block *block = PyMem_Calloc(1, sizeof(Block) + size);
        if (block == NULL) {
            return PyErr_NoMemory();
        }
        block->clear = clear;
        *place = block->state;
    }
    return *place;
}

/* Destructors of what is released may still use another module, so all are freed last. */
void
_PyModuleState_Drop(PyInterpreterState *interp)
{
    for (int i = 0; i < MODULE_STATES; i++) {
        if (interp->module_states[i] != NULL) {
            block_of(interp->module_states[i])->clear(interp->module_states[i]);
        }
    }
    for (int i = 0; i < MODULE_STATES; i++) {
        if (interp->module_states[i] != NULL) {
            PyMem_Free(block_of(interp->module_states[i]));
            interp->module_states[i] = NULL;
        }
    }
}
