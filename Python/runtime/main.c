/* The program: nothing but main(). Everything else is in run_main.c, so that other
   programs can embed us. */
#include "internal/runtime.h"

#include <sys/mman.h>

/* Defined if the program and the interpreter are one binary (observe/perf/bridges.c). */
extern const char _Py_IsOwnProgram[];
const char _Py_IsOwnProgram[] = "";

/* From the linker. */
extern char __data_start[], _edata[];

/* A start writes to nearly all pages of our data (types, mostly): one call for all is quicker than
   a page fault for each. */
static void
get_data(void)
{
    uintptr_t page = 4096, start = (uintptr_t)__data_start & ~(page - 1);
    (void)madvise((void *)start, (uintptr_t)_edata - start, MADV_POPULATE_WRITE);
}

int
main(int argc, char **argv)
{
    get_data();
    return _PySpringboard_Library ? Py_BytesMain(argc, argv) : 1;
}
