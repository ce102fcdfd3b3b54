/* _md5, _sha1, _sha256, _sha512 and _sha3: the algorithms that hashlib uses if there is
   no _hashlib, computed by OpenSSL's libcrypto.

   One table row per algorithm; the modules differ only in which rows they use. An object
   holds an EVP context; large updates run without the GIL, under the object's lock. */
#include "hash_input.h"
#include "internal/lazy_library.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "structmember.h"

#include <openssl/evp.h>

#define CRYPTO_FUNCTIONS(X) \
    X(EVP_DigestFinalXOF) X(EVP_DigestFinal_ex) X(EVP_DigestInit_ex) \
    X(EVP_DigestUpdate) X(EVP_MD_CTX_copy_ex) X(EVP_MD_CTX_free) \
    X(EVP_MD_CTX_new) X(EVP_MD_fetch) X(EVP_MD_free)
PY_LAZY_LIBRARY(crypto, CRYPTO_FUNCTIONS);

typedef struct {
    const char *name;           /* of OpenSSL, and of the object */
    const char *evp;
    int block_size, digest_size;        /* 0: extendable (shake) */
    int rate, capacity;         /* of sha3 */
    const char *suffix;
} Algorithm;

enum { MD5, SHA1, SHA224, SHA256, SHA384, SHA512, SHA3_224, SHA3_256, SHA3_384, SHA3_512,
       SHAKE_128, SHAKE_256, ALGORITHMS };

static const Algorithm algorithms[ALGORITHMS] = {
    [MD5] = {"md5", "MD5", 64, 16, 0, 0, NULL},
    [SHA1] = {"sha1", "SHA1", 64, 20, 0, 0, NULL},
    [SHA224] = {"sha224", "SHA224", 64, 28, 0, 0, NULL},
    [SHA256] = {"sha256", "SHA256", 64, 32, 0, 0, NULL},
    [SHA384] = {"sha384", "SHA384", 128, 48, 0, 0, NULL},
    [SHA512] = {"sha512", "SHA512", 128, 64, 0, 0, NULL},
    [SHA3_224] = {"sha3_224", "SHA3-224", 144, 28, 1152, 448, "\x06"},
    [SHA3_256] = {"sha3_256", "SHA3-256", 136, 32, 1088, 512, "\x06"},
    [SHA3_384] = {"sha3_384", "SHA3-384", 104, 48, 832, 768, "\x06"},
    [SHA3_512] = {"sha3_512", "SHA3-512", 72, 64, 576, 1024, "\x06"},
    [SHAKE_128] = {"shake_128", "SHAKE128", 168, 0, 1344, 256, "\x1f"},
    [SHAKE_256] = {"shake_256", "SHAKE256", 136, 0, 1088, 512, "\x1f"},
};

typedef struct {
    PyObject_HEAD
    const Algorithm *algorithm;
    EVP_MD_CTX *context;
    PyThread_type_lock lock;
} Hash;

static PyTypeObject *types[ALGORITHMS];

static PyObject *
crypto_failed(void)
{
    PyErr_SetString(PyExc_ValueError, "libcrypto refuses this hash");
    return NULL;
}

static Hash *
new_hash(int which)
{
    if (PY_LAZY_OPEN(crypto, SB_SONAME_CRYPTO) < 0) {
        return NULL;
    }
    Hash *self = PyObject_New(Hash, types[which]);
    if (self == NULL) {
        return NULL;
    }
    self->algorithm = &algorithms[which];
    self->lock = PyThread_allocate_lock();
    self->context = crypto.EVP_MD_CTX_new();
    EVP_MD *md = crypto.EVP_MD_fetch(NULL, algorithms[which].evp, NULL);
    int good = self->context != NULL && self->lock != NULL && md != NULL
        && crypto.EVP_DigestInit_ex(self->context, md, NULL);
    crypto.EVP_MD_free(md);
    if (!good) {
        Py_DECREF(self);
        return (Hash *)crypto_failed();
    }
    return self;
}

static void
hash_dealloc(Hash *self)
{
    PyTypeObject *type = Py_TYPE(self);
    crypto.EVP_MD_CTX_free(self->context);
    if (self->lock != NULL) {
        PyThread_free_lock(self->lock);
    }
    PyObject_Free(self);
    Py_DECREF(type);
}

static int
feed(void *context, const void *bytes, size_t n)
{
    return crypto.EVP_DigestUpdate(context, bytes, n);
}

static int
hash_add(Hash *self, PyObject *data)
{
    int fed = _PyHash_Feed(data, self->lock, feed, self->context);
    if (fed == 0) {
        crypto_failed();
    }
    return fed > 0 ? 0 : -1;
}

/* The digest so far, of `size` bytes; the object can still be updated. */
static PyObject *
hash_result(Hash *self, Py_ssize_t size)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, size);
    EVP_MD_CTX *copy = crypto.EVP_MD_CTX_new();
    int good = bytes != NULL && copy != NULL;
    if (good) {
        Py_BEGIN_ALLOW_THREADS
        PyThread_acquire_lock(self->lock, 1);
        good = crypto.EVP_MD_CTX_copy_ex(copy, self->context);
        PyThread_release_lock(self->lock);
        Py_END_ALLOW_THREADS
    }
    unsigned char *out = bytes == NULL ? NULL : (unsigned char *)PyBytes_AS_STRING(bytes);
    if (good && self->algorithm->digest_size == 0) {
        good = size == 0 || crypto.EVP_DigestFinalXOF(copy, out, (size_t)size);
    }
    else if (good) {
        good = crypto.EVP_DigestFinal_ex(copy, out, NULL);
    }
    crypto.EVP_MD_CTX_free(copy);
    if (!good) {
        Py_XDECREF(bytes);
        return PyErr_Occurred() ? NULL : crypto_failed();
    }
    return bytes;
}

static PyObject *
to_hex(PyObject *bytes)
{
    if (bytes == NULL) {
        return NULL;
    }
    PyObject *text = PyObject_CallMethod(bytes, "hex", NULL);
    Py_DECREF(bytes);
    return text;
}

static PyObject *
hash_digest(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return hash_result((Hash *)op, ((Hash *)op)->algorithm->digest_size);
}

static PyObject *
hash_hexdigest(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return to_hex(hash_digest(op, NULL));
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
    return hash_result((Hash *)op, (Py_ssize_t)length);
}

static PyObject *
shake_hexdigest(PyObject *op, PyObject *arg)
{
    return to_hex(shake_digest(op, arg));
}

static PyObject *
hash_update(PyObject *op, PyObject *data)
{
    return hash_add((Hash *)op, data) < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *
hash_copy(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    Hash *self = (Hash *)op;
    Hash *copy = new_hash((int)(self->algorithm - algorithms));
    if (copy == NULL) {
        return NULL;
    }
    PyThread_acquire_lock(self->lock, 1);
    int good = crypto.EVP_MD_CTX_copy_ex(copy->context, self->context);
    PyThread_release_lock(self->lock);
    if (!good) {
        Py_DECREF(copy);
        return crypto_failed();
    }
    return (PyObject *)copy;
}

#define GETTER(field, make, value) \
static PyObject * \
get_##field(PyObject *op, void *Py_UNUSED(closure)) \
{ \
    const Algorithm *a = ((Hash *)op)->algorithm; \
    return make(value); \
}
GETTER(name, PyUnicode_FromString, a->name)
GETTER(block_size, PyLong_FromLong, a->block_size)
GETTER(digest_size, PyLong_FromLong, a->digest_size)
GETTER(rate, PyLong_FromLong, a->rate)
GETTER(capacity, PyLong_FromLong, a->capacity)
GETTER(suffix, PyBytes_FromString, a->suffix)

/* string=b'', *, usedforsecurity=True; `data` for sha3's positional. */
static PyObject *
make_hash(int which, PyObject *data)
{
    Hash *self = new_hash(which);
    if (self != NULL && data != NULL && hash_add(self, data) < 0) {
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static PyObject *
sha3_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"", "usedforsecurity", NULL};
    PyObject *data = NULL;
    int security = 1, which = SHA3_224;
    char format[40];
    while (which < SHAKE_256 && types[which] != type) {
        which++;
    }
    PyOS_snprintf(format, sizeof(format), "|O$p:%s", algorithms[which].name);
    if (!PyArg_ParseTupleAndKeywords(args, kwds, format, names, &data, &security)) {
        return NULL;
    }
    return make_hash(which, data);
}


#define CONSTRUCTOR(function, which) \
static PyObject * \
new_##function(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs, \
               PyObject *kwnames) \
{ \
    static const char *const keywords[] = {"string", "usedforsecurity", NULL}; \
    static _PyArg_Parser parser = {.format = "|O$p:" #function, .keywords = keywords}; \
    PyObject *data = NULL; \
    int security = 1; \
    return _PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &data, &security) \
        ? make_hash(which, data) : NULL; \
}
CONSTRUCTOR(md5, MD5)
CONSTRUCTOR(sha1, SHA1)
CONSTRUCTOR(sha224, SHA224)
CONSTRUCTOR(sha256, SHA256)
CONSTRUCTOR(sha384, SHA384)
CONSTRUCTOR(sha512, SHA512)

static PyMethodDef hash_methods[] = {
    {"copy", hash_copy, METH_NOARGS, "copy($self, /)\n--\n\nAnother object with the same state."},
    {"digest", hash_digest, METH_NOARGS, "digest($self, /)\n--\n\nThe digest as bytes."},
    {"hexdigest", hash_hexdigest, METH_NOARGS, "hexdigest($self, /)\n--\n\nThe digest in hexadecimal."},
    {"update", hash_update, METH_O, "update($self, obj, /)\n--\n\nAdds data."},
    {NULL, NULL, 0, NULL}
};

static PyMethodDef sha3_methods[] = {
    {"copy", hash_copy, METH_NOARGS, "copy($self, /)\n--\n\nAnother object with the same state."},
    {"digest", hash_digest, METH_NOARGS, "digest($self, /)\n--\n\nThe digest as bytes."},
    {"hexdigest", hash_hexdigest, METH_NOARGS, "hexdigest($self, /)\n--\n\nThe digest in hexadecimal."},
    {"update", hash_update, METH_O, "update($self, data, /)\n--\n\nAdds data."},
    {NULL, NULL, 0, NULL}
};

static PyMethodDef shake_methods[] = {
    {"copy", hash_copy, METH_NOARGS, "copy($self, /)\n--\n\nAnother object with the same state."},
    {"digest", shake_digest, METH_O, "digest($self, length, /)\n--\n\nA digest of any length."},
    {"hexdigest", shake_hexdigest, METH_O, "hexdigest($self, length, /)\n--\n\nA digest in hexadecimal."},
    {"update", hash_update, METH_O, "update($self, data, /)\n--\n\nAdds data."},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef hash_getset[] = {
    {"block_size", get_block_size, NULL, NULL, NULL}, {"name", get_name, NULL, NULL, NULL},
    {"digest_size", get_digest_size, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}
};

static PyGetSetDef sha3_getset[] = {
    {"block_size", get_block_size, NULL, NULL, NULL}, {"name", get_name, NULL, NULL, NULL},
    {"digest_size", get_digest_size, NULL, NULL, NULL},
    {"_capacity_bits", get_capacity, NULL, NULL, NULL},
    {"_rate_bits", get_rate, NULL, NULL, NULL}, {"_suffix", get_suffix, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static int
add_type(PyObject *module, int which, const char *attribute)
{
    int sha3 = which >= SHA3_224, shake = which >= SHAKE_128;
    static char names[ALGORITHMS][32];
    PyOS_snprintf(names[which], sizeof(names[which]), "%s.%s", PyModule_GetName(module),
                  algorithms[which].name);
    PyType_Slot slots[] = {
        {Py_tp_dealloc, hash_dealloc},
        {Py_tp_methods, shake ? shake_methods : sha3 ? sha3_methods : hash_methods},
        {Py_tp_getset, sha3 ? sha3_getset : hash_getset},
        {sha3 ? Py_tp_new : 0, sha3_new},
        {sha3 ? Py_tp_doc : 0,
         "(data=b'', /, *, usedforsecurity=True)\n--\n\nA hash object."},
        {0, NULL},
    };
    PyType_Slot plain[] = {slots[0], slots[1], slots[2], {0, NULL}};
    PyType_Spec spec = {
        names[which], sizeof(Hash), 0,
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE
            | (sha3 ? 0 : Py_TPFLAGS_DISALLOW_INSTANTIATION),
        sha3 ? slots : plain
    };
    if (types[which] == NULL) {         /* one for all interpreters */
        types[which] = (PyTypeObject *)PyType_FromSpec(&spec);
    }
    return types[which] == NULL ? -1
        : PyModule_AddObjectRef(module, attribute, (PyObject *)types[which]);
}

#define FUNCTION(name) \
    {#name, FAST_KEYWORDS(new_##name), \
     #name "($module, /, string=b'', *, usedforsecurity=True)\n--\n\nA hash object."}

#define MODULE(module_name, exec) \
static PyModuleDef_Slot module_name##_slots[] = {{Py_mod_exec, exec}, {0, NULL}}; \
static struct PyModuleDef module_name##_module = { \
    PyModuleDef_HEAD_INIT, #module_name, NULL, 0, module_name##_methods, module_name##_slots, \
    NULL, NULL, NULL \
};

static PyMethodDef _md5_methods[] = {FUNCTION(md5), {NULL, NULL, 0, NULL}};
static PyMethodDef _sha1_methods[] = {FUNCTION(sha1), {NULL, NULL, 0, NULL}};
static PyMethodDef _sha256_methods[] = {FUNCTION(sha224), FUNCTION(sha256), {NULL, NULL, 0, NULL}};
static PyMethodDef _sha512_methods[] = {FUNCTION(sha384), FUNCTION(sha512), {NULL, NULL, 0, NULL}};
static PyMethodDef _sha3_methods[] = {{NULL, NULL, 0, NULL}};

static int
md5_exec(PyObject *module)
{
    return add_type(module, MD5, "MD5Type");
}

static int
sha1_exec(PyObject *module)
{
    return add_type(module, SHA1, "SHA1Type");
}

static int
sha256_exec(PyObject *module)
{
    return add_type(module, SHA224, "SHA224Type") < 0 ? -1
        : add_type(module, SHA256, "SHA256Type");
}

static int
sha512_exec(PyObject *module)
{
    return add_type(module, SHA384, "SHA384Type") < 0 ? -1
        : add_type(module, SHA512, "SHA512Type");
}

static int
sha3_exec(PyObject *module)
{
    for (int i = SHA3_224; i <= SHAKE_256; i++) {
        if (add_type(module, i, algorithms[i].name) < 0) {
            return -1;
        }
    }
    return PyModule_AddStringConstant(module, "implementation", "libcrypto");
}

MODULE(_md5, md5_exec)
MODULE(_sha1, sha1_exec)
MODULE(_sha256, sha256_exec)
MODULE(_sha512, sha512_exec)
MODULE(_sha3, sha3_exec)

MODULE_INIT(_md5)
{
    return PyModuleDef_Init(&_md5_module);
}

MODULE_INIT(_sha1)
{
    return PyModuleDef_Init(&_sha1_module);
}

MODULE_INIT(_sha256)
{
    return PyModuleDef_Init(&_sha256_module);
}

MODULE_INIT(_sha512)
{
    return PyModuleDef_Init(&_sha512_module);
}

MODULE_INIT(_sha3)
{
    return PyModuleDef_Init(&_sha3_module);
}
