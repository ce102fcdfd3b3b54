/* The process's own unwinders, for backtrace() and C++ exceptions, learn of machine code: by
   libgcc's registry, as one table of all functions.

   The registry reads a table only when something is unwound, and then keeps what it has read.
   So to add a function the table is withdrawn and handed in again: two stores, mostly. The GIL
   guards everything here. */
#include "lower.h"
#include <dlfcn.h>

void *
_PyJit_LibgccFunction(const char *name)
{
    /* It must be that of the shared library, loaded or to be loaded, not of a copy that is
       linked into the program. */
    static void *libgcc;
    if (libgcc == NULL) {
        libgcc = dlopen("libgcc_s.so.1", RTLD_LAZY | RTLD_LOCAL);
    }
    return libgcc == NULL ? NULL : dlsym(libgcc, name);
}

static struct {
    const void **of_function;   /* .eh_frame's; then NULL */
    size_t n, size;
    int is_registered;
} table;

/* A copy for where it will stay; code is never freed, and so this is not either. */
static const void *
frame_info_in_place(const PyJitCode *jit)
{
    const PyJitFrameInfo *info = jit->frame_info;
    char *bytes = PyMem_RawCalloc(1, info->size + 4);
    if (bytes != NULL) {
        _PyJit_FillFrameInfo(bytes, info, jit->start - bytes);
    }
    return bytes;
}

void
_PyJit_TellUnwinders(const PyJitCode *jit)
{
    static void (*enter)(void *);
    static void (*withdraw)(void *);
    static int looked_up;
    if (!looked_up) {
        looked_up = 1;
        *(void **)&enter = _PyJit_LibgccFunction("__register_frame_table");
        *(void **)&withdraw = _PyJit_LibgccFunction("__deregister_frame");
    }
    if (enter == NULL || withdraw == NULL || jit->frame_info == NULL) {
        return;
    }
    const void *info = frame_info_in_place(jit);
    if (info == NULL) {
        return;
    }
    if (table.is_registered) {
        withdraw((void *)table.of_function);
    }
    if (table.n + 2 > table.size) {
        size_t size = 2 * table.size + 64;
        const void **grown = PyMem_RawRealloc((void *)table.of_function, size * sizeof(*grown));
        if (grown == NULL) {
            PyMem_RawFree((void *)info);
            info = NULL;
        }
        else {
            table.of_function = grown;
            table.size = size;
        }
    }
    if (info != NULL) {
        table.of_function[table.n++] = info;
        table.of_function[table.n] = NULL;
    }
    table.is_registered = table.n > 0;
    if (table.is_registered) {
        enter((void *)table.of_function);
    }
}
