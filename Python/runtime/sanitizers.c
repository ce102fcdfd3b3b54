/* The sanitizers' run-time options of a build --with-address-sanitizer; what
   ASAN_OPTIONS and its like say comes on top. */
#ifdef SB_SANITIZE

#include "Python.h"

#define FOR_THE_RUNTIME \
    __attribute__((used, visibility("default")))

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

/* Leaks: objects that live as long as the process are reachable only through
   tagged and relative pointers, which the leak checker can't follow; growth is
   what Tests/python looks for. A failing allocation is a MemoryError. */
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
