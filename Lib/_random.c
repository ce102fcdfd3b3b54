/* _random.Random: the Mersenne Twister MT19937 of M. Matsumoto and T. Nishimura.

   `state` holds 624 words; `next` is the index of the first one that has not been
   returned yet, or 624 if there is none: then the whole state is advanced. */

#include "Python.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define N 624
#define M 397

typedef struct {
    PyObject_HEAD
    int next;
    uint32_t state[N];
} RandomObject;

/* -------------------------------------------------------------- the twister */

/* The next word at position i, from it, its neighbour, and one M away. */
static inline uint32_t
twist(uint32_t word, uint32_t neighbour, uint32_t far)
{
    uint32_t y = (word & 0x80000000u) | (neighbour & 0x7fffffffu);
    return far ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
}

static void
advance(RandomObject *self)
{
    uint32_t *s = self->state;
    int i = 0;
    for (; i < N - M; i++) {
        s[i] = twist(s[i], s[i + 1], s[i + M]);
    }
    for (; i < N - 1; i++) {
        s[i] = twist(s[i], s[i + 1], s[i + M - N]);
    }
    s[N - 1] = twist(s[N - 1], s[0], s[M - 1]);
    self->next = 0;
}

static uint32_t
next_word(RandomObject *self)
{
    if (self->next >= N) {
        advance(self);
    }
    uint32_t y = self->state[self->next++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

static void
seed_by_word(RandomObject *self, uint32_t seed)
{
    uint32_t *s = self->state;
    s[0] = seed;
    for (uint32_t i = 1; i < N; i++) {
        s[i] = 1812433253u * (s[i - 1] ^ (s[i - 1] >> 30)) + i;
    }
    self->next = N;
}

static void
seed_by_words(RandomObject *self, const uint32_t *key, size_t length)
{
    uint32_t *s = self->state;
    size_t i = 1, j = 0;
    seed_by_word(self, 19650218u);
    for (size_t k = length > N ? length : N; k > 0; k--) {
        s[i] = (s[i] ^ ((s[i - 1] ^ (s[i - 1] >> 30)) * 1664525u))
            + key[j] + (uint32_t)j;
        if (++i == N) {
            s[0] = s[N - 1];
            i = 1;
        }
        if (++j == length) {
            j = 0;
        }
    }
    for (size_t k = N - 1; k > 0; k--) {
        s[i] = (s[i] ^ ((s[i - 1] ^ (s[i - 1] >> 30)) * 1566083941u))
            - (uint32_t)i;
        if (++i == N) {
            s[0] = s[N - 1];
            i = 1;
        }
    }
    s[0] = 0x80000000u;
}

/* ------------------------------------------------------------------ seeding */

/* From the system's random source; from clocks if it is not ready. */
static void
seed_by_system(RandomObject *self)
{
    uint32_t key[N];
    if (getrandom(key, sizeof(key), GRND_NONBLOCK) == (ssize_t)sizeof(key)) {
        seed_by_words(self, key, N);
        return;
    }
    struct timespec now, up;
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_MONOTONIC, &up);
    uint32_t words[] = {
        (uint32_t)now.tv_nsec, (uint32_t)now.tv_sec, (uint32_t)getpid(),
        (uint32_t)up.tv_nsec, (uint32_t)up.tv_sec,
    };
    seed_by_words(self, words, Py_ARRAY_LENGTH(words));
}

/* Seeds with the 32-bit digits of a non-negative int. */
static int
seed_by_int(RandomObject *self, PyObject *n)
{
    size_t nbits = _PyLong_NumBits(n);
    if (nbits == (size_t)-1 && PyErr_Occurred()) {
        return -1;
    }
    size_t length = nbits == 0 ? 1 : (nbits - 1) / 32 + 1;
    uint32_t *key = PyMem_New(uint32_t, length);
    if (key == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    int status = _PyLong_AsByteArray((PyLongObject *)n, (unsigned char *)key,
                                     length * sizeof(uint32_t),
                                     PY_LITTLE_ENDIAN, 0);
#if PY_BIG_ENDIAN
    for (size_t i = 0; i < length / 2; i++) {
        uint32_t t = key[i];
        key[i] = key[length - 1 - i];
        key[length - 1 - i] = t;
    }
#endif
    if (status == 0) {
        seed_by_words(self, key, length);
    }
    PyMem_Free(key);
    return status;
}

static int
seed(RandomObject *self, PyObject *arg)
{
    PyObject *n;
    if (arg == NULL || arg == Py_None) {
        seed_by_system(self);
        return 0;
    }
    if (PyLong_CheckExact(arg)) {
        n = PyNumber_Absolute(arg);
    }
    else if (PyLong_Check(arg)) {
        /* Don't call the absolute value that a subclass defines. */
        n = PyLong_Type.tp_as_number->nb_absolute(arg);
    }
    else {
        Py_hash_t hash = PyObject_Hash(arg);
        n = hash == -1 ? NULL : PyLong_FromSize_t((size_t)hash);
    }
    if (n == NULL) {
        return -1;
    }
    int status = seed_by_int(self, n);
    Py_DECREF(n);
    return status;
}

/* ------------------------------------------------------------------ methods */

static PyObject *
random_seed(RandomObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("seed", nargs, 0, 1)
        || seed(self, nargs > 0 ? args[0] : NULL) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static int
random_init(RandomObject *self, PyObject *args, PyObject *kwds)
{
    PyObject *arg = NULL;
    if (kwds != NULL && PyDict_GET_SIZE(kwds) != 0
        && PyType_GetSlot(Py_TYPE(self), Py_tp_init) == (void *)random_init) {
        PyErr_SetString(PyExc_TypeError, "Random() takes no keyword arguments");
        return -1;
    }
    if (PyTuple_GET_SIZE(args) > 1) {
        PyErr_SetString(PyExc_TypeError, "Random() requires 0 or 1 argument");
        return -1;
    }
    if (PyTuple_GET_SIZE(args) == 1) {
        arg = PyTuple_GET_ITEM(args, 0);
    }
    return seed(self, arg);
}

/* 53 bits: 27 of one word and 26 of the next. */
static PyObject *
random_random(RandomObject *self, PyObject *Py_UNUSED(ignored))
{
    uint64_t high = next_word(self) >> 5;
    uint64_t low = next_word(self) >> 6;
    return PyFloat_FromDouble((double)(high << 26 | low) * 0x1p-53);
}

static PyObject *
random_getrandbits(RandomObject *self, PyObject *arg)
{
    int k = _PyLong_AsInt(arg);
    if (k == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (k < 0) {
        PyErr_SetString(PyExc_ValueError,
                        "number of bits must be non-negative");
        return NULL;
    }
    if (k == 0) {
        return PyLong_FromLong(0);
    }
    if (k <= 32) {
        return PyLong_FromUnsignedLong(next_word(self) >> (32 - k));
    }
    size_t n = (size_t)(k - 1) / 32 + 1;
    unsigned char *bytes = PyMem_Malloc(n * 4);
    if (bytes == NULL) {
        return PyErr_NoMemory();
    }
    /* From the least significant word up; the last one may be cut. */
    for (size_t i = 0; i < n; i++, k -= 32) {
        uint32_t word = next_word(self);
        if (k < 32) {
            word >>= 32 - k;
        }
        for (int b = 0; b < 4; b++) {
            bytes[4 * i + (size_t)b] = (unsigned char)(word >> (8 * b));
        }
    }
    PyObject *result = _PyLong_FromByteArray(bytes, n * 4, 1, 0);
    PyMem_Free(bytes);
    return result;
}

static PyObject *
random_getstate(RandomObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *state = PyTuple_New(N + 1);
    if (state == NULL) {
        return NULL;
    }
    for (int i = 0; i <= N; i++) {
        PyObject *item = i < N ? PyLong_FromUnsignedLong(self->state[i])
                               : PyLong_FromLong(self->next);
        if (item == NULL) {
            Py_DECREF(state);
            return NULL;
        }
        PyTuple_SET_ITEM(state, i, item);
    }
    return state;
}

static PyObject *
random_setstate(RandomObject *self, PyObject *state)
{
    uint32_t words[N];
    if (!PyTuple_Check(state)) {
        PyErr_SetString(PyExc_TypeError, "state vector must be a tuple");
        return NULL;
    }
    if (PyTuple_GET_SIZE(state) != N + 1) {
        PyErr_SetString(PyExc_ValueError, "state vector is the wrong size");
        return NULL;
    }
    for (int i = 0; i < N; i++) {
        unsigned long word = PyLong_AsUnsignedLong(PyTuple_GET_ITEM(state, i));
        if (word == (unsigned long)-1 && PyErr_Occurred()) {
            return NULL;
        }
        words[i] = (uint32_t)word;
    }
    long next = PyLong_AsLong(PyTuple_GET_ITEM(state, N));
    if (next == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (next < 0 || next > N) {
        PyErr_SetString(PyExc_ValueError, "invalid state");
        return NULL;
    }
    self->next = (int)next;
    memcpy(self->state, words, sizeof(words));
    Py_RETURN_NONE;
}

static void
random_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyMethodDef random_methods[] = {
    {"random", (PyCFunction)random_random, METH_NOARGS,
     "random($self, /)\n--\n\nrandom() -> x in the interval [0, 1)."},
    {"seed", FAST(random_seed),
     "seed($self, n=None, /)\n--\n\n"
     "Starts the sequence that belongs to n: an int, or the hash of anything\n"
     "else. None takes a start from the operating system."},
    {"getstate", (PyCFunction)random_getstate, METH_NOARGS,
     "getstate($self, /)\n--\n\nA tuple with the current state."},
    {"setstate", (PyCFunction)random_setstate, METH_O,
     "setstate($self, state, /)\n--\n\n"
     "Goes back to a state that getstate() returned."},
    {"getrandbits", (PyCFunction)random_getrandbits, METH_O,
     "getrandbits($self, k, /)\n--\n\n"
     "getrandbits(k) -> x.  An int with k random bits."},
    {NULL, NULL, 0, NULL}
};

static PyType_Slot random_type_slots[] = {
    {Py_tp_doc, "Random() -> create a random number generator with its own "
                "internal state."},
    {Py_tp_methods, random_methods},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_init, random_init},
    {Py_tp_dealloc, random_dealloc},
    {0, NULL},
};

static PyType_Spec random_type_spec = {
    .name = "_random.Random",
    .basicsize = sizeof(RandomObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .slots = random_type_slots,
};

static int
random_exec(PyObject *module)
{
    PyObject *type = PyType_FromModuleAndSpec(module, &random_type_spec, NULL);
    if (type == NULL) {
        return -1;
    }
    int status = PyModule_AddType(module, (PyTypeObject *)type);
    Py_DECREF(type);
    return status;
}

static PyModuleDef_Slot random_slots[] = {
    {Py_mod_exec, random_exec},
    {0, NULL}
};

static struct PyModuleDef random_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_random",
    .m_doc = "The Mersenne Twister random number generator.",
    .m_size = 0,
    .m_slots = random_slots,
};

MODULE_INIT(_random)
{
    return PyModuleDef_Init(&random_module);
}
