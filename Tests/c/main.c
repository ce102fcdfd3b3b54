/* Runs the tests of one file, or some of them by name:

       run-tests               names each file
       run-tests FILE [TEST…]  ends with Check's summary */
#include "suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CTests *all;
static char **wanted;

void
CTests_Register(CTests *tests)
{
    CTests **place = &all;
    while (*place != NULL && strcmp((*place)->name, tests->name) < 0) {
        place = &(*place)->next;
    }
    tests->next = *place;
    *place = tests;
}

int
CTests_Wanted(const char *name)
{
    char **each = wanted;
    while (*each != NULL && strcmp(*each, name) != 0) {
        each++;
    }
    return *wanted == NULL || *each != NULL;
}

size_t
CTests_AdvisedBytes(const char *flag)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[512];
    size_t start, end, size = 0, sum = 0;
    ck_assert_ptr_nonnull(maps);
    while (fgets(line, sizeof(line), maps) != NULL) {
        if (sscanf(line, "%zx-%zx ", &start, &end) == 2) {
            size = end - start;
        }
        if (strncmp(line, "VmFlags:", 8) == 0 && strstr(line, flag) != NULL) {
            sum += size;
        }
    }
    fclose(maps);
    return sum;
}

void
CTests_StartNothing(void)
{
}

static int
run(CTests *tests)
{
    srand(1);
    tests->start != NULL ? tests->start() : Py_InitializeEx(0);
    Suite *suite = suite_create(tests->name);
    TCase *tcase = tcase_create(tests->name);
    tcase_set_timeout(tcase, 120);
    tests->add(tcase);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, tests->in_processes ? CK_FORK : CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

int
main(int argc, char **argv)
{
    wanted = argv + (argc > 1 ? 2 : 1);
    for (CTests *tests = all; tests != NULL; tests = tests->next) {
        if (argc < 2) {
            puts(tests->name);
        }
        else if (strcmp(tests->name, argv[1]) == 0) {
            return run(tests);
        }
    }
    if (argc > 1) {
        fprintf(stderr, "no file of C tests is called %s\n", argv[1]);
    }
    return argc > 1;
}
