/* Allocators, the collector, thread states, pending calls and marshalled files, as C code
   sees them. */
#include "suite.h"
#include "marshal.h"
#include "internal/gcstate.h"
#include "internal/hashtable.h"
#include "internal/memory.h"
#include "internal/pystate.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --------------------------------------------------------------- allocators */

static struct {
    PyMemAllocatorEx below;
    int mallocs, frees;
} counting;

static void *
count_malloc(void *Py_UNUSED(ctx), size_t n)
{
    counting.mallocs++;
    return counting.below.malloc(counting.below.ctx, n);
}

static void *
count_calloc(void *Py_UNUSED(ctx), size_t n, size_t size)
{
    counting.mallocs++;
    return counting.below.calloc(counting.below.ctx, n, size);
}

static void *
count_realloc(void *Py_UNUSED(ctx), void *p, size_t n)
{
    return counting.below.realloc(counting.below.ctx, p, n);
}

static void
count_free(void *Py_UNUSED(ctx), void *p)
{
    counting.frees++;
    counting.below.free(counting.below.ctx, p);
}

START_TEST(test_replaced_allocator_gets_the_requests_of_its_domain)
{
    PyMemAllocatorEx hooks = {NULL, count_malloc, count_calloc, count_realloc,
                              count_free};
    PyMem_GetAllocator(PYMEM_DOMAIN_MEM, &counting.below);
    PyMem_SetAllocator(PYMEM_DOMAIN_MEM, &hooks);
    counting.mallocs = counting.frees = 0;
    void *p = PyMem_Malloc(10), *q = PyMem_Calloc(3, 4);
    void *other = PyMem_RawMalloc(10);
    p = PyMem_Realloc(p, 100);
    PyMem_Free(p);
    PyMem_Free(q);
    PyMem_RawFree(other);
    int mallocs = counting.mallocs, frees = counting.frees;
    PyMem_SetAllocator(PYMEM_DOMAIN_MEM, &counting.below);
    ck_assert_int_eq(mallocs, 2);
    ck_assert_int_eq(frees, 2);
    PyMem_Free(PyMem_Malloc(1));
    ck_assert_int_eq(counting.mallocs, 2);
}
END_TEST

START_TEST(test_requests_at_the_edges)
{
    void *a = PyMem_Malloc(0), *b = PyMem_Malloc(0);
    ck_assert_ptr_nonnull(a);
    ck_assert_ptr_nonnull(b);
    ck_assert_ptr_ne(a, b);
    PyMem_Free(a);
    PyMem_Free(b);
    ck_assert_ptr_null(PyMem_Malloc((size_t)PY_SSIZE_T_MAX + 1));
    ck_assert_ptr_null(PyObject_Calloc((size_t)PY_SSIZE_T_MAX / 2, 4));
    ck_assert_ptr_null(PyMem_RawRealloc(NULL, (size_t)PY_SSIZE_T_MAX + 1));
    PyMem_Free(NULL);
    char *zeros = PyObject_Calloc(7, 9);
    for (int i = 0; i < 63; i++) {
        ck_assert_int_eq(zeros[i], 0);
    }
    PyObject_Free(zeros);
}
END_TEST

/* ----------------------------------------------------------- the hash table */

START_TEST(test_hashtable_keeps_what_it_is_given)
{
    _Py_hashtable_t *table = _Py_hashtable_new(_Py_hashtable_hash_ptr,
                                               _Py_hashtable_compare_direct);
    for (uintptr_t i = 1; i <= 1000; i++) {
        ck_assert_int_eq(_Py_hashtable_set(table, (void *)i, (void *)(i * 3)),
                         0);
    }
    ck_assert_uint_eq(table->nentries, 1000);
    for (uintptr_t i = 1; i <= 1000; i++) {
        ck_assert_ptr_eq(_Py_hashtable_get(table, (void *)i),
                         (void *)(i * 3));
    }
    for (uintptr_t i = 1; i <= 990; i++) {
        ck_assert_ptr_eq(_Py_hashtable_steal(table, (void *)i),
                         (void *)(i * 3));
    }
    ck_assert_ptr_null(_Py_hashtable_steal(table, (void *)1));
    ck_assert_uint_eq(table->nentries, 10);
    ck_assert_uint_le(table->nbuckets, 128);
    ck_assert_ptr_eq(_Py_hashtable_get(table, (void *)995),
                     (void *)(uintptr_t)(995 * 3));
    _Py_hashtable_destroy(table);
}
END_TEST

/* ------------------------------------------------------------ the collector */

/* A heap type whose instances hold one reference and count their deaths. */
typedef struct {
    PyObject_HEAD
    PyObject *other;
} holder;

static int deaths, clears;

static int
holder_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    Py_VISIT(((holder *)op)->other);
    return 0;
}

static int
holder_clear(PyObject *op)
{
    clears++;
    Py_CLEAR(((holder *)op)->other);
    return 0;
}

static void
holder_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    PyObject_GC_UnTrack(op);
    deaths++;
    Py_XDECREF(((holder *)op)->other);
    type->tp_free(op);
    Py_DECREF(type);
}

static PyType_Slot holder_slots[] = {
    {Py_tp_traverse, holder_traverse},
    {Py_tp_clear, holder_clear},
    {Py_tp_dealloc, holder_dealloc},
    {0, NULL},
};

static PyType_Spec holder_spec = {
    .name = "test.Holder",
    .basicsize = sizeof(holder),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = holder_slots,
};

static holder *
new_holder(PyObject *type, PyObject *other)
{
    holder *h = (holder *)PyType_GenericAlloc((PyTypeObject *)type, 0);
    h->other = Py_XNewRef(other);
    return h;
}

START_TEST(test_collector_frees_rings_and_spares_what_is_held)
{
    PyObject *type = PyType_FromSpec(&holder_spec);
    PyGC_Collect();
    deaths = clears = 0;
    holder *a = new_holder(type, NULL);
    holder *b = new_holder(type, (PyObject *)a);
    a->other = Py_NewRef((PyObject *)b);
    holder *kept = new_holder(type, NULL);
    holder *tail = new_holder(type, (PyObject *)kept);
    kept->other = Py_NewRef((PyObject *)tail);
    Py_DECREF(a);
    Py_DECREF(b);
    Py_DECREF(tail);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(deaths, 2);
    ck_assert_ptr_eq(kept->other, (PyObject *)tail);
    ck_assert(PyObject_GC_IsTracked((PyObject *)tail));
    Py_DECREF(kept);
    ck_assert_int_eq(PyGC_Collect(), 2);
    ck_assert_int_eq(deaths, 4);
    Py_DECREF(type);
}
END_TEST

START_TEST(test_collector_agrees_with_reachability_on_random_graphs)
{
    enum { N = 300 };
    PyObject *type = PyType_FromSpec(&holder_spec);
    for (int round = 0; round < 20; round++) {
        PyObject *nodes[N];
        int edge[N], held[N] = {0}, alive[N] = {0};
        PyGC_Collect();
        deaths = 0;
        for (int i = 0; i < N; i++) {
            nodes[i] = (PyObject *)new_holder(type, NULL);
        }
        for (int i = 0; i < N; i++) {
            edge[i] = rand() % N;
            ((holder *)nodes[i])->other = Py_NewRef(nodes[edge[i]]);
        }
        int expected = N;
        for (int i = 0; i < N; i++) {
            held[i] = rand() % 40 == 0;
            for (int j = i; held[i] && !alive[j]; j = edge[j]) {
                alive[j] = 1;
                expected--;
            }
        }
        for (int i = 0; i < N; i++) {
            if (!held[i]) {
                Py_DECREF(nodes[i]);
            }
        }
        PyGC_Collect();
        ck_assert_int_eq(deaths, expected);
        for (int i = 0; i < N; i++) {
            if (held[i]) {
                Py_DECREF(nodes[i]);
            }
        }
        PyGC_Collect();
        ck_assert_int_eq(deaths, N);
    }
    Py_DECREF(type);
}
END_TEST

/* ------------------------------------------------------------------ threads */

static void *
foreign_thread(void *list)
{
    PyGILState_STATE outer = PyGILState_Ensure();
    PyGILState_STATE inner = PyGILState_Ensure();
    PyObject *item = PyLong_FromLong(outer == PyGILState_UNLOCKED
                                     && inner == PyGILState_LOCKED
                                     && PyGILState_Check());
    PyList_Append(list, item);
    Py_DECREF(item);
    PyGILState_Release(inner);
    PyGILState_Release(outer);
    return (void *)(uintptr_t)(PyGILState_GetThisThreadState() == NULL);
}

START_TEST(test_a_foreign_thread_gets_a_state_and_gives_it_back)
{
    enum { N = 8 };
    pthread_t threads[N];
    PyObject *list = PyList_New(0);
    PyInterpreterState *interp = PyInterpreterState_Get();
    Py_BEGIN_ALLOW_THREADS
    for (int i = 0; i < N; i++) {
        pthread_create(&threads[i], NULL, foreign_thread, list);
    }
    for (int i = 0; i < N; i++) {
        void *gone;
        pthread_join(threads[i], &gone);
        ck_assert_ptr_nonnull(gone);
    }
    Py_END_ALLOW_THREADS
    ck_assert_int_eq(PyList_GET_SIZE(list), N);
    for (int i = 0; i < N; i++) {
        ck_assert_int_eq(PyLong_AsLong(PyList_GET_ITEM(list, i)), 1);
    }
    ck_assert_ptr_null(PyThreadState_Next(PyInterpreterState_ThreadHead(interp)));
    Py_DECREF(list);
}
END_TEST

START_TEST(test_a_state_that_was_swapped_for_none_is_not_asked_for_the_gil)
{
    pthread_t waiter;
    PyObject *list = PyList_New(0);
    PyThreadState *ours = PyThreadState_Get(), *other = PyThreadState_New(ours->interp);
    pthread_create(&waiter, NULL, foreign_thread, list);
    PyThreadState_Swap(other);
    while ((_Py_EvalBreaker(other) & _Py_EB_GIL_DROP) == 0) {
        usleep(1000);
    }
    PyThreadState_Swap(NULL);
    _Py_ClearEvalBreaker(other, _Py_EB_GIL_DROP);
    usleep(100000);             /* The waiter asks every 5 ms. */
    uint32_t asked = _Py_EvalBreaker(other) & _Py_EB_GIL_DROP;
    PyThreadState_Swap(ours);
    PyThreadState_Clear(other);
    PyThreadState_Delete(other);
    Py_BEGIN_ALLOW_THREADS
    pthread_join(waiter, NULL);
    Py_END_ALLOW_THREADS
    Py_DECREF(list);
    ck_assert_uint_eq(asked, 0);
}
END_TEST

static int pending_runs;

static int
pending_call(void *arg)
{
    pending_runs++;
    if (arg != NULL) {
        PyErr_SetString(PyExc_ValueError, "pending");
        return -1;
    }
    return 0;
}

static void *
add_pending(void *Py_UNUSED(arg))
{
    int added = 0;
    while (Py_AddPendingCall(pending_call, NULL) == 0) {
        added++;
    }
    return (void *)(uintptr_t)added;
}

START_TEST(test_pending_calls_of_another_thread_run_here)
{
    pthread_t thread;
    void *added;
    pending_runs = 0;
    pthread_create(&thread, NULL, add_pending, NULL);
    pthread_join(thread, &added);
    ck_assert_int_eq((int)(uintptr_t)added, 32);
    PyRun_SimpleString("for i in range(10): pass");
    ck_assert_int_eq(pending_runs, 32);
    ck_assert_int_eq(Py_AddPendingCall(pending_call, &pending_runs), 0);
    ck_assert_int_eq(Py_MakePendingCalls(), -1);
    ck_assert(PyErr_ExceptionMatches(PyExc_ValueError));
    PyErr_Clear();
    ck_assert_int_eq(Py_MakePendingCalls(), 0);
}
END_TEST

START_TEST(test_errors_chain_and_normalise)
{
    PyErr_SetString(PyExc_ValueError, "cause");
    _PyErr_FormatFromCause(PyExc_KeyError, "number %d", 7);
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    ck_assert_ptr_eq(type, PyExc_KeyError);
    PyObject *cause = PyException_GetCause(value);
    ck_assert(PyErr_GivenExceptionMatches(cause, PyExc_ValueError));
    Py_DECREF(cause);
    Py_DECREF(type);
    Py_DECREF(value);
    Py_XDECREF(traceback);

    PyErr_SetObject((PyObject *)&PyLong_Type, NULL);
    ck_assert(PyErr_ExceptionMatches(PyExc_SystemError));
    PyErr_Clear();

    /* A constructor that fails is what is raised in the end. */
    PyErr_SetObject(PyExc_UnicodeDecodeError, Py_None);
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    ck_assert_ptr_eq(type, PyExc_TypeError);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    ck_assert_ptr_null(PyErr_Occurred());
}
END_TEST

/* ---------------------------------------------------------------- marshalling */

START_TEST(test_a_marshalled_file_has_what_a_string_has)
{
    for (Py_ssize_t n = 0; n < 3000; n = n < 480 ? 480 : n < 540 ? n + 1 : n + 700) {
        PyObject *list = Py_BuildValue("[NNiN]", PyBytes_FromStringAndSize(NULL, n),
                                       PyLong_FromString("123456789012345678901234567890", NULL, 10),
                                       7, PyBytes_FromStringAndSize(NULL, 2 * n));
        memset(PyBytes_AS_STRING(PyList_GET_ITEM(list, 0)), 'a', (size_t)n);
        memset(PyBytes_AS_STRING(PyList_GET_ITEM(list, 3)), 'b', 2 * (size_t)n);
        PyObject *string = PyMarshal_WriteObjectToString(list, Py_MARSHAL_VERSION);
        const Py_ssize_t size = PyBytes_GET_SIZE(string);
        FILE *fp = tmpfile();
        ck_assert_ptr_nonnull(fp);
        PyMarshal_WriteLongToFile(n, fp, Py_MARSHAL_VERSION);
        PyMarshal_WriteObjectToFile(list, fp, Py_MARSHAL_VERSION);
        fputs("after", fp);
        ck_assert_int_eq(ftell(fp), 4 + size + 5);
        rewind(fp);
        ck_assert_int_eq(PyMarshal_ReadLongFromFile(fp), n);
        char *read = malloc((size_t)size + 5);
        ck_assert_int_eq(fread(read, 1, (size_t)size + 5, fp), (size_t)size + 5);
        ck_assert(memcmp(read, PyBytes_AS_STRING(string), (size_t)size) == 0);
        ck_assert(memcmp(read + size, "after", 5) == 0);
        free(read);
        fclose(fp);
        Py_DECREF(string);
        Py_DECREF(list);
    }
}
END_TEST

C_TESTS(runtime)
{
    tcase_add_test(tests, test_replaced_allocator_gets_the_requests_of_its_domain);
    tcase_add_test(tests, test_requests_at_the_edges);
    tcase_add_test(tests, test_hashtable_keeps_what_it_is_given);
    tcase_add_test(tests, test_collector_frees_rings_and_spares_what_is_held);
    tcase_add_test(tests, test_collector_agrees_with_reachability_on_random_graphs);
    tcase_add_test(tests, test_a_foreign_thread_gets_a_state_and_gives_it_back);
    tcase_add_test(tests, test_a_state_that_was_swapped_for_none_is_not_asked_for_the_gil);
    tcase_add_test(tests, test_pending_calls_of_another_thread_run_here);
    tcase_add_test(tests, test_errors_chain_and_normalise);
    tcase_add_test(tests, test_a_marshalled_file_has_what_a_string_has);
}
