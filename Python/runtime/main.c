/* The program: main() and nothing else. Everything is in run_main.c, so that
   other programs can embed us. */
#include "Python.h"

int
main(int argc, char **argv)
{
    return Py_BytesMain(argc, argv);
}
