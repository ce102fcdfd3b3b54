/* _blake2: blake2b and blake2s with all their parameters. */
#include "Python.h"

#include "../shared/hash_input.h"
#include "internal/bytes.h"
#include "internal/module_init.h"

/* In which order the rounds take the words of a block. The last two of blake2b are the first two. */
static const uint8_t orders[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

/* The first bits of the fractions of the square roots of the first eight primes. */
static const uint64_t b_start[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};
static const uint32_t s_start[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

#define WORD uint64_t
#define ROUNDS 12
#define ROTATIONS {32, 24, 16, 63}
#define NAME(name) b_##name
#include "core.h"
#undef WORD
#undef ROUNDS
#undef ROTATIONS
#undef NAME

#define WORD uint32_t
#define ROUNDS 10
#define ROTATIONS {16, 12, 8, 7}
#define NAME(name) s_##name
#include "core.h"

typedef struct {
    PyObject_HEAD
    int wide;                   /* blake2b */
    int digest_size, last_node;
    union {
        b_state b;
        s_state s;
    } state;
    PyThread_type_lock lock;
} Blake2;

static PyTypeObject *blake2b_type, *blake2s_type;

static int
feed(void *op, const void *data, size_t n)
{
    Blake2 *self = op;
    if (self->wide) {
        b_add(&self->state.b, data, n);
    }
    else {
        s_add(&self->state.s, data, n);
    }
    return 1;
}

static int
add(Blake2 *self, PyObject *data)
{
    return _PyHash_Feed(data, self->lock, feed, self);
}

static Blake2 *
alloc(PyTypeObject *type)
{
    Blake2 *self = (Blake2 *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->lock = PyThread_allocate_lock();
    if (self->lock == NULL) {
        Py_DECREF(self);
        return (Blake2 *)PyErr_NoMemory();
    }
    return self;
}

typedef struct {
    int digest_size, fanout, depth, node_depth, inner_size, last_node;
    unsigned long leaf_size;
    unsigned long long node_offset;
    Py_buffer key, salt, person;
} Parameters;

static int
fail(const char *format, int limit)
{
    PyErr_Format(PyExc_ValueError, format, limit);
    return -1;
}

static int
check(const Parameters *p, int max_digest, int max_key, int salt, int person,
      unsigned long long max_offset)
{
    if (p->digest_size <= 0 || p->digest_size > max_digest) {
        PyErr_Format(PyExc_ValueError, "digest_size must be between 1 and %d bytes", max_digest);
        return -1;
    }
    if (p->salt.len > salt) {
        return fail("maximum salt length is %d bytes", salt);
    }
    if (p->person.len > person) {
        return fail("maximum person length is %d bytes", person);
    }
    if (p->fanout < 0 || p->fanout > 255) {
        return fail("fanout must be between 0 and 255", 0);
    }
    if (p->depth <= 0 || p->depth > 255) {
        return fail("depth must be between 1 and 255", 0);
    }
    if (p->leaf_size > 0xFFFFFFFFUL) {
        PyErr_SetString(PyExc_OverflowError, "leaf_size is too large");
        return -1;
    }
    if (p->node_offset > max_offset) {
        PyErr_SetString(PyExc_OverflowError, "node_offset is too large");
        return -1;
    }
    if (p->node_depth < 0 || p->node_depth > 255) {
        return fail("node_depth must be between 0 and 255", 0);
    }
    if (p->inner_size < 0 || p->inner_size > max_digest) {
        return fail("inner_size must be between 0 and is %d", max_digest);
    }
    if (p->key.len > max_key) {
        return fail("maximum key length is %d bytes", max_key);
    }
    return 0;
}

static void
put_le(uint8_t *out, unsigned long long value, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = (uint8_t)(value >> (8 * i));
    }
}

/* The parameter block, by the offsets of RFC 7693 and the BLAKE2 paper. */
static void
set_up(Blake2 *self, const Parameters *p)
{
    uint8_t block[64] = {0}, padded[128] = {0};
    block[0] = (uint8_t)p->digest_size;
    block[1] = (uint8_t)p->key.len;
    block[2] = (uint8_t)p->fanout;
    block[3] = (uint8_t)p->depth;
    put_le(block + 4, p->leaf_size, 4);
    self->digest_size = p->digest_size;
    self->last_node = p->last_node;
    const int depth_at = self->wide ? 16 : 14;
    const int salt_at = self->wide ? 32 : 16, person_at = self->wide ? 48 : 24;
    put_le(block + 8, p->node_offset, depth_at - 8);
    block[depth_at] = (uint8_t)p->node_depth;
    block[depth_at + 1] = (uint8_t)p->inner_size;
    memcpy(block + salt_at, p->salt.len ? p->salt.buf : "", (size_t)p->salt.len);
    memcpy(block + person_at, p->person.len ? p->person.buf : "", (size_t)p->person.len);
    if (self->wide) {
        b_begin(&self->state.b, block);
    }
    else {
        s_begin(&self->state.s, block);
    }
    if (p->key.len > 0) {       /* the key is the first block */
        memcpy(padded, p->key.buf, (size_t)p->key.len);
        feed(self, padded, self->wide ? 128 : 64);
        memset(padded, 0, sizeof(padded));
    }
}

/* 1 with ValueError set for an int below zero. */
static int
refuse_negative(PyObject *value)
{
    if (!PyLong_Check(value) || _PyLong_Sign(value) >= 0) {
        return 0;
    }
    PyErr_SetString(PyExc_ValueError, "value must be positive");
    return 1;
}

/* Format "i" says "C long" of what is too large. */
static int
as_int(PyObject *value, void *result)
{
    *(int *)result = _PyLong_AsInt(value);
    return *(int *)result != -1 || !PyErr_Occurred();
}

static PyObject *
blake2_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static const char *const names[] = {"", "digest_size", "key", "salt", "person", "fanout", "depth",
                            "leaf_size", "node_offset", "node_depth", "inner_size", "last_node",
                            "usedforsecurity", NULL};
    static _PyArg_Parser b = {.keywords = names, .format = "|O$O&y*y*y*O&O&OOO&O&pp:blake2b"},
                         s = {.keywords = names, .format = "|O$O&y*y*y*O&O&OOO&O&pp:blake2s"};
    int wide = PyType_IsSubtype(type, blake2b_type);
    Parameters p = {.digest_size = wide ? 64 : 32, .fanout = 1, .depth = 1};
    PyObject *data = NULL, *leaf = NULL, *offset = NULL;
    int security = 1;
    if (kwds == NULL && PyTuple_GET_SIZE(args) == 1) {
        data = PyTuple_GET_ITEM(args, 0);
    }
    else if (!_PyArg_ParseTupleAndKeywordsFast(args, kwds, wide ? &b : &s, &data,
                                               as_int, &p.digest_size, &p.key, &p.salt, &p.person,
                                               as_int, &p.fanout, as_int, &p.depth, &leaf,
                                               &offset, as_int, &p.node_depth, as_int,
                                               &p.inner_size, &p.last_node, &security)) {
        return NULL;
    }
    Blake2 *self = NULL;
    if (leaf != NULL && !refuse_negative(leaf)) {
        p.leaf_size = PyLong_AsUnsignedLong(leaf);
    }
    if (!PyErr_Occurred() && offset != NULL && !refuse_negative(offset)) {
        p.node_offset = PyLong_AsUnsignedLongLong(offset);
    }
    int good = !PyErr_Occurred()
        && (wide ? check(&p, 64, 64, 16, 16, ~0ULL)
                 : check(&p, 32, 32, 8, 8, (1ULL << 48) - 1)) == 0;
    if (good && (self = alloc(type)) != NULL) {
        self->wide = wide;
        set_up(self, &p);
        if (data != NULL && add(self, data) < 0) {
            Py_CLEAR(self);
        }
    }
    PyBuffer_Release(&p.key);
    PyBuffer_Release(&p.salt);
    PyBuffer_Release(&p.person);
    return (PyObject *)self;
}

static void
blake2_dealloc(Blake2 *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (self->lock != NULL) {
        PyThread_free_lock(self->lock);
    }
    memset(&self->state, 0, sizeof(self->state));
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *
blake2_update(PyObject *op, PyObject *data)
{
    return add((Blake2 *)op, data) < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *
blake2_copy(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    Blake2 *self = (Blake2 *)op, *copy = alloc(Py_TYPE(op));
    if (copy == NULL) {
        return NULL;
    }
    copy->wide = self->wide;
    copy->digest_size = self->digest_size;
    copy->last_node = self->last_node;
    PyThread_acquire_lock(self->lock, 1);
    copy->state = self->state;
    PyThread_release_lock(self->lock);
    return (PyObject *)copy;
}

/* Of which the digest is the beginning. */
static void
whole_hash(Blake2 *self, uint8_t out[64])
{
    PyThread_acquire_lock(self->lock, 1);
    if (self->wide) {
        b_state copy = self->state.b;
        b_end(&copy, self->last_node, out);
    }
    else {
        s_state copy = self->state.s;
        s_end(&copy, self->last_node, out);
    }
    PyThread_release_lock(self->lock);
}

static PyObject *
blake2_digest(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    uint8_t out[64];
    whole_hash((Blake2 *)op, out);
    return PyBytes_FromStringAndSize((char *)out, ((Blake2 *)op)->digest_size);
}

static PyObject *
blake2_hexdigest(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    uint8_t out[64];
    whole_hash((Blake2 *)op, out);
    return _Py_strhex((char *)out, ((Blake2 *)op)->digest_size);
}

static PyObject *
get_name(PyObject *op, void *Py_UNUSED(closure))
{
    return PyUnicode_FromString(((Blake2 *)op)->wide ? "blake2b" : "blake2s");
}

static PyObject *
get_block_size(PyObject *op, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(((Blake2 *)op)->wide ? 128 : 64);
}

static PyObject *
get_digest_size(PyObject *op, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(((Blake2 *)op)->digest_size);
}

static PyMethodDef blake2_methods[] = {
    {"copy", blake2_copy, METH_NOARGS, "copy($self, /)\n--\n\n"
      "Another hash object in the same state."},
    {"digest", blake2_digest, METH_NOARGS, "digest($self, /)\n--\n\n"
      "The hash of the data so far, as bytes."},
    {"hexdigest", blake2_hexdigest, METH_NOARGS, "hexdigest($self, /)\n--\n\n"
      "The hash of the data so far, in hexadecimal digits."},
    {"update", blake2_update, METH_O, "update($self, data, /)\n--\n\n"
      "Adds data."},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef blake2_getset[] = {
    {"name", get_name, NULL, NULL, NULL}, {"block_size", get_block_size, NULL, NULL, NULL},
    {"digest_size", get_digest_size, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}
};

#define DOC(n) \
    n "(data=b'', /, *, digest_size=_blake2." n ".MAX_DIGEST_SIZE,\n" \
    "        key=b'', salt=b'', person=b'', fanout=1, depth=1, leaf_size=0,\n" \
    "        node_offset=0, node_depth=0, inner_size=0, last_node=False,\n" \
    "        usedforsecurity=True)\n--\n\nA " n " hash object."

static PyTypeObject *
make_type(const char *name, const char *doc)
{
    PyType_Slot slots[] = {
        {Py_tp_dealloc, blake2_dealloc}, {Py_tp_new, blake2_new}, {Py_tp_doc, (void *)doc},
        {Py_tp_methods, blake2_methods}, {Py_tp_getset, blake2_getset}, {0, NULL}
    };
    PyType_Spec spec = {name, sizeof(Blake2), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                        slots};
    return (PyTypeObject *)PyType_FromSpec(&spec);
}

static int
add_limits(PyObject *module, PyTypeObject *type, const char *prefix, const int limits[4])
{
    static const char *const names[] = {"SALT_SIZE", "PERSON_SIZE", "MAX_KEY_SIZE",
                                        "MAX_DIGEST_SIZE"};
    for (int i = 0; i < 4; i++) {
        char full[48];
        PyOS_snprintf(full, sizeof(full), "%s_%s", prefix, names[i]);
        PyObject *value = PyLong_FromLong(limits[i]);
        int rc = value == NULL ? -1 : PyDict_SetItemString(type->tp_dict, names[i], value);
        if (rc == 0) {
            rc = PyModule_AddObjectRef(module, full, value);
        }
        Py_XDECREF(value);
        if (rc < 0) {
            return -1;
        }
    }
    PyType_Modified(type);
    return 0;
}

static int
blake2_exec(PyObject *module)
{
    static const int wide[] = {16, 16, 64, 64}, narrow[] = {8, 8, 32, 32};
    if (blake2b_type == NULL) {         /* one for all interpreters */
        blake2b_type = make_type("_blake2.blake2b", DOC("blake2b"));
    }
    if (blake2s_type == NULL) {
        blake2s_type = make_type("_blake2.blake2s", DOC("blake2s"));
    }
    if (blake2b_type == NULL || blake2s_type == NULL
        || PyModule_AddType(module, blake2b_type) < 0
        || PyModule_AddType(module, blake2s_type) < 0
        || add_limits(module, blake2b_type, "BLAKE2B", wide) < 0) {
        return -1;
    }
    return add_limits(module, blake2s_type, "BLAKE2S", narrow);
}

static PyModuleDef_Slot blake2_slots[] = {{Py_mod_exec, blake2_exec}, {0, NULL}};

static struct PyModuleDef blake2_module = {
    PyModuleDef_HEAD_INIT, "_blake2", "_blake2b provides BLAKE2b for hashlib\n", 0, NULL,
    blake2_slots, NULL, NULL, NULL
};

MODULE_INIT(_blake2)
{
    return PyModuleDef_Init(&blake2_module);
}
