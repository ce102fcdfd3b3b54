/* Hash objects that OpenSSL's libcrypto computes (evp_hash.h): the algorithms that hashlib uses
   if there is no _hashlib.

   An object holds an EVP context; large updates run without the GIL, under the object's
   lock. */
#include "evp_hash.h"
#include "internal/bytes.h"
#include "internal/lazy_library.h"
#include "internal/method_table.h"

#include <openssl/evp.h>

#define CRYPTO_FUNCTIONS(X) \
    X(EVP_DigestFinalXOF) X(EVP_DigestFinal_ex) X(EVP_DigestInit_ex) \
    X(EVP_DigestUpdate) X(EVP_MD_CTX_copy_ex) X(EVP_MD_CTX_free) \
    X(EVP_MD_CTX_new) X(EVP_MD_fetch) X(EVP_MD_free)
PY_LAZY_LIBRARY(crypto, CRYPTO_FUNCTIONS);

static PyObject *
crypto_failed(void)
{
    PyErr_SetString(PyExc_ValueError, "libcrypto refuses this hash");
    return NULL;
}

/* ------------------------------------------------------------------ objects */

static EvpHash *
new_hash(PyTypeObject *type, const EvpAlgorithm *algorithm)
{
    if (PY_LAZY_OPEN(crypto, SB_SONAME_CRYPTO) < 0) {
        return NULL;
    }
    EvpHash *self = PyObject_New(EvpHash, type);
    if (self == NULL) {
        return NULL;
    }
    self->algorithm = algorithm;
    self->lock = PyThread_allocate_lock();
    self->context = crypto.EVP_MD_CTX_new();
    EVP_MD *md = crypto.EVP_MD_fetch(NULL, algorithm->evp, NULL);
    int good = self->context != NULL && self->lock != NULL && md != NULL
        && crypto.EVP_DigestInit_ex(self->context, md, NULL);
    crypto.EVP_MD_free(md);
    if (!good) {
        Py_DECREF(self);
        return (EvpHash *)crypto_failed();
    }
    return self;
}

void
_PyEvpHash_Dealloc(EvpHash *self)
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
hash_add(EvpHash *self, PyObject *data)
{
    int fed = _PyHash_Feed(data, self->lock, feed, self->context);
    if (fed == 0) {
        crypto_failed();
    }
    return fed > 0 ? 0 : -1;
}

PyObject *
_PyEvpHash_New(PyTypeObject *type, const EvpAlgorithm *algorithm, PyObject *data)
{
    EvpHash *self = new_hash(type, algorithm);
    if (self != NULL && data != NULL && hash_add(self, data) < 0) {
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

PyObject *
_PyEvpHash_Digest(EvpHash *self, Py_ssize_t size)
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

PyObject *
_PyEvpHash_ToHex(PyObject *bytes)
{
    if (bytes == NULL) {
        return NULL;
    }
    PyObject *text = _Py_strhex(PyBytes_AS_STRING(bytes), PyBytes_GET_SIZE(bytes));
    Py_DECREF(bytes);
    return text;
}

PyObject *
_PyEvpHash_FixedDigest(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _PyEvpHash_Digest((EvpHash *)self, ((EvpHash *)self)->algorithm->digest_size);
}

PyObject *
_PyEvpHash_FixedHexDigest(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _PyEvpHash_ToHex(_PyEvpHash_FixedDigest(self, NULL));
}

PyObject *
_PyEvpHash_Update(PyObject *self, PyObject *data)
{
    return hash_add((EvpHash *)self, data) < 0 ? NULL : Py_NewRef(Py_None);
}

PyObject *
_PyEvpHash_Copy(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    EvpHash *self = (EvpHash *)op;
    EvpHash *copy = new_hash(Py_TYPE(op), self->algorithm);
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

PyObject *
_PyEvpHash_GetName(PyObject *self, void *Py_UNUSED(closure))
{
    return PyUnicode_FromString(((EvpHash *)self)->algorithm->name);
}

PyObject *
_PyEvpHash_GetBlockSize(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(((EvpHash *)self)->algorithm->block_size);
}

PyObject *
_PyEvpHash_GetDigestSize(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(((EvpHash *)self)->algorithm->digest_size);
}

/* -------------------------------------------------------------------- types */

static PyMethodDef fixed_methods[] = {
    EVP_COPY(METH_FOR_CLASS), EVP_DIGEST, EVP_HEXDIGEST, EVP_UPDATE("obj"), {NULL, NULL, 0, NULL}
};

static PyGetSetDef attributes[] = {
    EVP_ATTRIBUTES, {NULL, NULL, NULL, NULL, NULL}
};

PyType_Slot _PyEvpHash_slots[] = {
    {Py_tp_dealloc, _PyEvpHash_Dealloc},
    {Py_tp_methods, fixed_methods},
    {Py_tp_getset, attributes},
    {0, NULL}
};

/* ------------------------------------------------------------------ modules */

int
_PyEvpModule_AddType(PyObject *module, int index, PyType_Spec *spec, const char *attribute)
{
    EvpState *state = PyModule_GetState(module);
    PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    if (type == NULL) {
        return -1;
    }
    state->types[index] = type;
    return PyModule_AddObjectRef(module, attribute, (PyObject *)type);
}

int
_PyEvpModule_Traverse(PyObject *module, visitproc visit, void *arg)
{
    EvpState *state = PyModule_GetState(module);
    for (int i = 0; i < EVP_MOST_TYPES; i++) {
        Py_VISIT(state->types[i]);
    }
    return 0;
}

int
_PyEvpModule_Clear(PyObject *module)
{
    EvpState *state = PyModule_GetState(module);
    for (int i = 0; i < EVP_MOST_TYPES; i++) {
        Py_CLEAR(state->types[i]);
    }
    return 0;
}

void
_PyEvpModule_Free(void *module)
{
    (void)_PyEvpModule_Clear(module);
}

PyObject *
_PyEvpModule_Make(PyObject *module, int index, const EvpAlgorithm *algorithm,
                  struct _PyArg_Parser *parser, PyObject *const *args, Py_ssize_t nargs,
                  PyObject *kwnames)
{
    EvpState *state = PyModule_GetState(module);
    PyObject *data = NULL;
    int security = 1;
    return _PyArg_ParseStackAndKeywords(args, nargs, kwnames, parser, &data, &security)
        ? _PyEvpHash_New(state->types[index], algorithm, data) : NULL;
}
