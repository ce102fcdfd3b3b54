/* The function that makes a built-in module: MODULE_INIT(_csv) { … }, at the start of a line.
   The build finds these lines, so no list is edited (generated/builtin_modules.def). */
#ifndef SB_INTERNAL_MODULE_INIT_H
#define SB_INTERNAL_MODULE_INIT_H

#include "Python.h"

#define MODULE_INIT(name) \
    PyMODINIT_FUNC PyInit_##name(void); \
    PyMODINIT_FUNC PyInit_##name(void)

#endif
