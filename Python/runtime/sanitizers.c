/* The sanitizers' run-time options of a build --with-address-sanitizer; what
   ASAN_OPTIONS and its like say comes on top. */
#ifdef SB_SANITIZE

#include "Python.h"

#define FOR_THE_RUNTIME \
    __attribute__((used, visibility("default")))

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

/* Leaks are looked for where ASAN_OPTIONS asks for it (run-all asan: programs):
   while one runs, what only tags lead to looks lost. A failing allocation is a
   MemoryError. */
FOR_THE_RUNTIME const char *
__asan_default_options(void)
{
    return "detect_leaks=0:allocator_may_return_null=1";
}

FOR_THE_RUNTIME const char *
__ubsan_default_options(void)
{
    return "print_stacktrace=1";
}

#else
typedef int _Py_no_sanitizers;
#endif
