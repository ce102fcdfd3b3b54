/* The program: main() and nothing else. Everything is in run_main.c, so that
   other programs can embed us. */
#include "internal/runtime.h"

/* What is in the same text is ours. */
extern const char _Py_IsOwnProgram[];
const char _Py_IsOwnProgram[] = "";

int
main(int argc, char **argv)
{
    return _PySpringboard_Library ? Py_BytesMain(argc, argv) : 1;
}
