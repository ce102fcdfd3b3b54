/* What each file of C tests includes: Check, and how a file registers its tests.

   All files are linked into one program, which runs the tests of one file per process:
   most tests need a Python that has just started, and some configure it before it starts. */
#include "Python.h"
#include <check.h>

typedef struct c_tests {
    const char *name;
    void (*add)(TCase *tests);
    void (*start)(void);            /* NULL: Py_InitializeEx(0) */
    int in_processes;               /* each test in a process of its own */
    struct c_tests *next;
} CTests;

void CTests_Register(CTests *tests);
int CTests_Wanted(const char *name);

/* For .start, where fixtures start Python or no test needs it. */
void CTests_StartNothing(void);

/* How many bytes of this process have been advised so: may be in huge pages (" hg", a flag of
   /proc/self/smaps), or may not (" nh"). An emulator takes no notice of such advice. */
size_t CTests_AdvisedBytes(const char *flag);

/* At the end of a file: C_TESTS(name of the file, other fields) { tcase_add_test(tests, …); … } */
#define C_TESTS(NAME, ...)                                                                   \
    static void add_tests(TCase *tests);                                                     \
    static CTests these_tests = {.name = #NAME, .add = add_tests, __VA_ARGS__};              \
    __attribute__((constructor)) static void register_tests(void)                            \
    {                                                                                        \
        CTests_Register(&these_tests);                                                       \
    }                                                                                        \
    static void add_tests(TCase *tests)

/* Only tests that were asked for by name are added. */
#define _tcase_add_test(TCASE, TEST, ...) \
    (CTests_Wanted((TEST)->name) ? _tcase_add_test(TCASE, TEST, __VA_ARGS__) : (void)0)
