/* Default run-time options of the sanitizers in a build --with-address-sanitizer.
   ASAN_OPTIONS and similar variables are applied on top. */
#ifdef SB_SANITIZE

#include "Python.h"

#define FOR_THE_RUNTIME \
    __attribute__((used, visibility("default")))

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

/* Leaks are only looked for where ASAN_OPTIONS asks for it (run-all asan: programs):
   during a run, blocks with only tagged pointers to them look lost. A failing allocation
   is a MemoryError. */
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
