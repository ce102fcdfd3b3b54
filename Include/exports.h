/* Visibility of symbols. Springboard is compiled with hidden visibility: everything that
   extensions may link to is declared with one of these. */
#ifndef Py_EXPORTS_H
#define Py_EXPORTS_H

#define Py_EXPORTED_SYMBOL __attribute__((visibility("default")))
#define Py_IMPORTED_SYMBOL __attribute__((visibility("default")))
#define Py_LOCAL_SYMBOL    __attribute__((visibility("hidden")))
#endif
