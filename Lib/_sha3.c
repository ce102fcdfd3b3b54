/* _sha3: SHA3 and SHAKE, computed by OpenSSL (shared/evp_hash.h). Unlike those of other hash
   modules, the types themselves are called. */
#include "shared/evp_hash.h"

typedef struct {
    EvpAlgorithm evp;
    int rate, capacity;
    const char *suffix;
} Sha3Algorithm;

enum { SHA3_224, SHA3_256, SHA3_384, SHA3_512, SHAKE_128, SHAKE_256, TYPES };
static_assert(TYPES <= EVP_MOST_TYPES, "a module's state has room for its types");

static const Sha3Algorithm algorithms[TYPES] = {
    [SHA3_224] = {{"sha3_224", "SHA3-224", 144, 28}, 1152, 448, "\x06"},
    [SHA3_256] = {{"sha3_256", "SHA3-256", 136, 32}, 1088, 512, "\x06"},
    [SHA3_384] = {{"sha3_384", "SHA3-384", 104, 48}, 832, 768, "\x06"},
    [SHA3_512] = {{"sha3_512", "SHA3-512", 72, 64}, 576, 1024, "\x06"},
    [SHAKE_128] = {{"shake_128", "SHAKE128", 168, 0}, 1344, 256, "\x1f"},
    [SHAKE_256] = {{"shake_256", "SHAKE256", 136, 0}, 1088, 512, "\x1f"},
};

static const Sha3Algorithm *
algorithm_of(PyObject *op)
{
    return (const Sha3Algorithm *)((EvpHash *)op)->algorithm;
}

/* ------------------------------------------------------------------ objects */

static PyObject *
sha3_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"", "usedforsecurity", NULL};
    EvpState *state = PyType_GetModuleState(type);
    PyObject *data = NULL;
    int security = 1, which = 0;
    char format[40];
    while (which < TYPES - 1 && state->types[which] != type) {
        which++;
    }
    PyOS_snprintf(format, sizeof(format), "|O$p:%s", algorithms[which].evp.name);
    if (!PyArg_ParseTupleAndKeywords(args, kwds, format, names, &data, &security)) {
        return NULL;
    }
    return _PyEvpHash_New(type, &algorithms[which].evp, data);
}

static PyObject *
shake_digest(PyObject *op, PyObject *arg)
{
    unsigned long length = PyLong_AsUnsignedLong(arg);
    if (length == (unsigned long)-1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyErr_SetString(PyExc_ValueError, "value must be positive");
        }
        return NULL;
    }
    if (length >= (1UL << 29)) {
        PyErr_SetString(PyExc_ValueError, "length is too large");
        return NULL;
    }
    return _PyEvpHash_Digest((EvpHash *)op, (Py_ssize_t)length);
}

static PyObject *
shake_hexdigest(PyObject *op, PyObject *arg)
{
    return _PyEvpHash_ToHex(shake_digest(op, arg));
}

static PyObject *
get_rate(PyObject *op, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(algorithm_of(op)->rate);
}

static PyObject *
get_capacity(PyObject *op, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(algorithm_of(op)->capacity);
}

static PyObject *
get_suffix(PyObject *op, void *Py_UNUSED(closure))
{
    return PyBytes_FromString(algorithm_of(op)->suffix);
}

/* -------------------------------------------------------------------- types */

static PyMethodDef sha3_methods[] = {
    EVP_COPY(0), EVP_DIGEST, EVP_HEXDIGEST, EVP_UPDATE("data"), {NULL, NULL, 0, NULL}
};

static PyMethodDef shake_methods[] = {
    EVP_COPY(0),
    {"digest", shake_digest, METH_O, "digest($self, length, /)\n--\n\nA digest of any length."},
    {"hexdigest", shake_hexdigest, METH_O,
     "hexdigest($self, length, /)\n--\n\nA digest in hexadecimal."},
    EVP_UPDATE("data"),
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef attributes[] = {
    EVP_ATTRIBUTES,
    {"_capacity_bits", get_capacity, NULL, NULL, NULL},
    {"_rate_bits", get_rate, NULL, NULL, NULL},
    {"_suffix", get_suffix, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

#define SLOTS(methods) { \
    {Py_tp_dealloc, _PyEvpHash_Dealloc}, \
    {Py_tp_methods, methods}, \
    {Py_tp_getset, attributes}, \
    {Py_tp_new, sha3_new}, \
    {Py_tp_doc, "(data=b'', /, *, usedforsecurity=True)\n--\n\nA hash object."}, \
    {0, NULL} \
}
static PyType_Slot sha3_slots[] = SLOTS(sha3_methods);
static PyType_Slot shake_slots[] = SLOTS(shake_methods);

#define SPEC(name_, slots_) { \
    .name = "_sha3." name_, \
    .basicsize = sizeof(EvpHash), \
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, \
    .slots = slots_, \
}
static PyType_Spec specs[TYPES] = {
    [SHA3_224] = SPEC("sha3_224", sha3_slots), [SHA3_256] = SPEC("sha3_256", sha3_slots),
    [SHA3_384] = SPEC("sha3_384", sha3_slots), [SHA3_512] = SPEC("sha3_512", sha3_slots),
    [SHAKE_128] = SPEC("shake_128", shake_slots), [SHAKE_256] = SPEC("shake_256", shake_slots),
};

/* ------------------------------------------------------------------- module */

static int
module_exec(PyObject *module)
{
    for (int i = 0; i < TYPES; i++) {
        if (_PyEvpModule_AddType(module, i, &specs[i], algorithms[i].evp.name) < 0) {
            return -1;
        }
    }
    return PyModule_AddStringConstant(module, "implementation", "libcrypto");
}

static PyMethodDef module_methods[] = {{NULL, NULL, 0, NULL}};
static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static struct PyModuleDef module_def = EVP_MODULE("_sha3", module_methods, module_slots);

MODULE_INIT(_sha3)
{
    return PyModuleDef_Init(&module_def);
}
