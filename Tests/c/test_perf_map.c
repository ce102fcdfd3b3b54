/* The map of generated code as other compilers in the process use it: from threads that
   Python does not know, while Python functions are entered, and across fork(). */
#include "suite.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ENTRIES = 5000, FUNCTIONS = 3000, FORK_EVERY = 500, FINI_EVERY = 1000 };

typedef struct {
    pthread_t thread;
    long number, faults;
} Worker;

static void
path_of(pid_t pid, char path[64])
{
    snprintf(path, 64, "/tmp/perf-%ld.map", (long)pid);
}

static int
write_entry(long thread, long i)
{
    char name[64];
    snprintf(name, sizeof(name), "compiled_%ld_%ld", thread, i);
    const void *address = (const void *)(0x100000000000 + (thread << 32) + 16 * i);
    return PyUnstable_WritePerfMapEntry(address, 16, name);
}

/* The child writes to a map of its own. */
static int
fork_and_write(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        int faults = 0;
        for (long i = 0; i < 100; i++) {
            faults += write_entry(THREADS, i) != 0;
        }
        PyUnstable_PerfMapState_Fini();
        _exit(faults != 0);
    }
    int status;
    char path[64];
    path_of(pid, path);
    return waitpid(pid, &status, 0) != pid || status != 0 || unlink(path) != 0;
}

static void *
work(void *argument)
{
    Worker *w = argument;
    for (long i = 1; i <= ENTRIES; i++) {
        w->faults += write_entry(w->number, i) != 0;
        if (w->number == 0 && i % FORK_EVERY == 0) {
            w->faults += fork_and_write();
        }
        if (i % FINI_EVERY == 0) {
            PyUnstable_PerfMapState_Fini();
        }
    }
    return NULL;
}

/* How many lines there are; each has an address, a size and a name. Fillers do not count. */
static long
count_lines(const char *prefix)
{
    char path[64], *line = NULL;
    size_t room = 0;
    long count = 0;
    path_of(getpid(), path);
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    for (ssize_t n; (n = getline(&line, &room, f)) > 0;) {
        unsigned long address, size;
        int at = 0;
        ck_assert_int_eq(line[n - 1], '\n');
        ck_assert_int_eq(sscanf(line, "%lx %lx %n", &address, &size, &at), 2);
        ck_assert_int_gt(at, 0);
        count += strncmp(line + at, prefix, strlen(prefix)) == 0;
    }
    free(line);
    fclose(f);
    return count;
}

static void
run(const char *statements)
{
    ck_assert_int_eq(PyRun_SimpleString(statements), 0);
}

START_TEST(test_threads_without_the_gil_write_while_python_defines_and_forks)
{
    static Worker workers[THREADS];
    char code[512];
    run("import sys\nsys.activate_stack_trampoline('perf')\n");
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (Worker){.number = i};
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int part = 0; part < 10; part++) {
        snprintf(code, sizeof(code),
                 "kept = []\n"
                 "for i in range(%d, %d):\n"
                 "    exec(f'def entered_{i}(): pass\\nentered_{i}()')\n",
                 part * FUNCTIONS / 10, (part + 1) * FUNCTIONS / 10);
        run(code);
        count_lines("");
    }
    long faults = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        faults += workers[i].faults;
    }
    ck_assert_int_eq(faults, 0);
    ck_assert_int_eq(count_lines("compiled_"), THREADS * ENTRIES);
    ck_assert_int_eq(count_lines("py::entered_"), FUNCTIONS);
    run("sys.deactivate_stack_trampoline()\n");
}
END_TEST

/* The disk is full, as far as this process goes. */
static void
limit_files(rlim_t size)
{
    struct rlimit limit;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = size;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

START_TEST(test_a_copy_without_room_leaves_whole_lines)
{
    char other[] = "/tmp/perf-test-XXXXXX";
    int fd = mkstemp(other);
    FILE *f = fdopen(fd, "w");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < 50000; i++) {
        fprintf(f, "%x 10 copied_%d\n", 0x1000 + 16 * i, i);
    }
    fclose(f);
    ck_assert_int_eq(write_entry(9, 1), 0);
    limit_files(300001);
    errno = 0;
    ck_assert_int_eq(PyUnstable_CopyPerfMapFile(other), -1);
    ck_assert_int_eq(errno, EFBIG);
    limit_files(RLIM_INFINITY);
    ck_assert_int_eq(count_lines("copied_"), 0);
    ck_assert_int_eq(write_entry(9, 2), 0);
    ck_assert_int_eq(PyUnstable_CopyPerfMapFile(other), 0);
    ck_assert_int_eq(write_entry(9, 3), 0);
    ck_assert_int_eq(count_lines("copied_"), 50000);
    ck_assert_int_eq(count_lines("compiled_9_"), 3);
    PyUnstable_PerfMapState_Fini();
    ck_assert_int_eq(count_lines("copied_"), 50000);
    unlink(other);
}
END_TEST

static void
start(void)
{
    Py_Initialize();
}

static void
stop_python(void)
{
    char path[64];
    PyUnstable_PerfMapState_Fini();
    path_of(getpid(), path);
    unlink(path);
}

C_TESTS(perf_map, .start = CTests_StartNothing)
{
    tcase_add_unchecked_fixture(tests, start, NULL);
    tcase_add_checked_fixture(tests, NULL, stop_python);
    tcase_add_test(tests, test_threads_without_the_gil_write_while_python_defines_and_forks);
    tcase_add_test(tests, test_a_copy_without_room_leaves_whole_lines);
}
