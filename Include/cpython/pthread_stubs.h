/* Empty: thread functions for systems that have none (WebAssembly). */
#ifndef Py_CPYTHON_PTRHEAD_STUBS_H
#define Py_CPYTHON_PTRHEAD_STUBS_H
#endif
