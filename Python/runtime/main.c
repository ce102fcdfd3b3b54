/* The program: nothing but main(). Everything else is in run_main.c, so that other
   programs can embed us. */
#include "internal/runtime.h"

/* Defined if the program and the interpreter are one binary (observe/perf/bridges.c). */
extern const char _Py_IsOwnProgram[];
const char _Py_IsOwnProgram[] = "";

int
main(int argc, char **argv)
{
    return _PySpringboard_Library ? Py_BytesMain(argc, argv) : 1;
}
