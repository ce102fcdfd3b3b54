/* The process's own unwinders, for backtrace() and C++ exceptions, learn of machine code: by
   libgcc's registry, as one table of all functions.

   The registry reads a table only when something is unwound, and then keeps what it has read.
   So to add a function the table is withdrawn and handed in again: two stores, mostly. While
   nobody is there who unwinds, it is not handed in, and libgcc is not loaded. The GIL guards
   everything here. */
#include "lower.h"
#include <link.h>

static struct {
    const void **of_function;   /* .eh_frame's; then NULL */
    PyJitCode **functions;
    uint32_t n, size;
    int is_registered;
} table;

static struct {
    void (*enter)(void *);
    void (*withdraw)(void *);
    int looked_up;
} registry;

static int
grow_table(void)
{
    if (table.n + 2 <= table.size) {
        return 0;
    }
    uint32_t size = 2 * table.size + 64;
    const void **info = PyMem_RawRealloc((void *)table.of_function, size * sizeof(*info));
    if (info != NULL) {
        table.of_function = info;
    }
    PyJitCode **functions = PyMem_RawRealloc(table.functions, size * sizeof(*functions));
    if (functions != NULL) {
        table.functions = functions;
    }
    if (info == NULL || functions == NULL) {
        return -1;
    }
    table.size = size;
    return 0;
}

static void
withdraw(void)
{
    if (table.is_registered) {
        registry.withdraw((void *)table.of_function);
        table.is_registered = 0;
    }
}

static void
enter(void)
{
    if (table.n > 0 && registry.enter != NULL && registry.withdraw != NULL) {
        table.of_function[table.n] = NULL;
        registry.enter((void *)table.of_function);
        table.is_registered = 1;
    }
}

static void
look_up(void)
{
    if (!registry.looked_up) {
        registry.looked_up = 1;
        *(void **)&registry.enter = _PyJit_LibgccFunction("__register_frame_table");
        *(void **)&registry.withdraw = _PyJit_LibgccFunction("__deregister_frame");
        enter();
    }
}

static int
is_libgcc(struct dl_phdr_info *info, size_t Py_UNUSED(size), void *Py_UNUSED(unused))
{
    return strstr(info->dlpi_name, "/libgcc_s.so") != NULL;
}

void
_PyJit_TellUnwinders(PyJitCode *jit)
{
    PyJitFrameInfo *info = jit->frame_info;
    if (!registry.looked_up) {
        /* dlopen() would read the file to find out whether it has it. */
        if (!_PyJit_IsAlone() || dl_iterate_phdr(is_libgcc, NULL)) {
            look_up();
        }
        else {
            _PyJit_OnUnwinders = look_up;
        }
    }
    if ((registry.looked_up && (registry.enter == NULL || registry.withdraw == NULL))
        || info == NULL) {
        return;
    }
    withdraw();
    if (grow_table() == 0) {
        int64_t distance = jit->start - (char *)(info->bytes + info->hole);
        memcpy(info->bytes + info->hole, &distance, sizeof(distance));
        table.of_function[table.n] = info->bytes;
        table.functions[table.n++] = jit;
        jit->in_table = table.n;
    }
    enter();
}

void
_PyJit_ForgetByUnwinders(PyJitCode *jit)
{
    if (jit->in_table == 0) {
        return;
    }
    withdraw();
    uint32_t at = jit->in_table - 1, last = --table.n;
    table.of_function[at] = table.of_function[last];
    table.functions[at] = table.functions[last];
    table.functions[at]->in_table = at + 1;
    jit->in_table = 0;
    enter();
}
