/* Hash objects that OpenSSL computes: what _md5, _sha1, _sha256, _sha512 and _sha3 share. A
   module describes its algorithms and makes a type for each, which its state holds. */
#ifndef SB_EVP_HASH_H
#define SB_EVP_HASH_H

#include "Python.h"
#include "hash_input.h"
#include "internal/method_table.h"
#include "internal/module_init.h"

typedef struct {
    const char *name;           /* of the object */
    const char *evp;            /* of OpenSSL */
    int block_size;
    int digest_size;            /* 0: as long as the caller wants */
} EvpAlgorithm;

struct evp_md_ctx_st;

typedef struct {
    PyObject_HEAD
    const EvpAlgorithm *algorithm;
    struct evp_md_ctx_st *context;
    PyThread_type_lock lock;
} EvpHash;

/* ------------------------------------------------------------------ objects */

/* A new hash object with data in it, unless that is NULL. */
PyObject *_PyEvpHash_New(PyTypeObject *type, const EvpAlgorithm *algorithm, PyObject *data);
/* The digest so far, of `size` bytes; the object can still be updated. */
PyObject *_PyEvpHash_Digest(EvpHash *self, Py_ssize_t size);
/* Steals `bytes`, which may be NULL. */
PyObject *_PyEvpHash_ToHex(PyObject *bytes);
PyObject *_PyEvpHash_Update(PyObject *self, PyObject *data);
PyObject *_PyEvpHash_Copy(PyObject *self, PyObject *ignored);
PyObject *_PyEvpHash_FixedDigest(PyObject *self, PyObject *ignored);
PyObject *_PyEvpHash_FixedHexDigest(PyObject *self, PyObject *ignored);
void _PyEvpHash_Dealloc(EvpHash *self);

/* Entries of the tables of methods and of attributes. */
#define EVP_COPY(flags) \
    {"copy", _PyEvpHash_Copy, METH_NOARGS | (flags), \
     "copy($self, /)\n--\n\nAnother object with the same state."}
#define EVP_DIGEST \
    {"digest", _PyEvpHash_FixedDigest, METH_NOARGS, \
     "digest($self, /)\n--\n\nThe digest as bytes."}
#define EVP_HEXDIGEST \
    {"hexdigest", _PyEvpHash_FixedHexDigest, METH_NOARGS, \
     "hexdigest($self, /)\n--\n\nThe digest in hexadecimal."}
#define EVP_UPDATE(parameter) \
    {"update", _PyEvpHash_Update, METH_O, \
     "update($self, " parameter ", /)\n--\n\nAdds data."}

PyObject *_PyEvpHash_GetName(PyObject *self, void *closure);
PyObject *_PyEvpHash_GetBlockSize(PyObject *self, void *closure);
PyObject *_PyEvpHash_GetDigestSize(PyObject *self, void *closure);
#define EVP_ATTRIBUTES \
    {"block_size", _PyEvpHash_GetBlockSize, NULL, NULL, NULL}, \
    {"name", _PyEvpHash_GetName, NULL, NULL, NULL}, \
    {"digest_size", _PyEvpHash_GetDigestSize, NULL, NULL, NULL}

/* -------------------------------------------------------------------- types */

/* The type of algorithms with a digest of fixed length, which a function makes: "_md5.md5". */
extern PyType_Slot _PyEvpHash_slots[];
#define EVP_TYPE_SPEC(full_name) { \
    .name = full_name, \
    .basicsize = sizeof(EvpHash), \
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, \
    .slots = _PyEvpHash_slots, \
}

/* ------------------------------------------------------------------ modules */

/* The state of each of these modules: its types, as many as it has. */
#define EVP_MOST_TYPES 6
typedef struct {
    PyTypeObject *types[EVP_MOST_TYPES];
} EvpState;

/* Makes the module's type of this index and adds it as an attribute. 0, or -1. */
int _PyEvpModule_AddType(PyObject *module, int index, PyType_Spec *spec, const char *attribute);
int _PyEvpModule_Traverse(PyObject *module, visitproc visit, void *arg);
int _PyEvpModule_Clear(PyObject *module);
void _PyEvpModule_Free(void *module);

/* What a module's function does: NAME(string=b'', *, usedforsecurity=True). */
PyObject *_PyEvpModule_Make(PyObject *module, int index, const EvpAlgorithm *algorithm,
                            struct _PyArg_Parser *parser, PyObject *const *args,
                            Py_ssize_t nargs, PyObject *kwnames);

/* The function of an algorithm, new_NAME, and its entry in the module's table of methods. The
   type is at an index of the state. */
#define EVP_FUNCTION(function, index, algorithm) \
    static PyObject * \
    new_##function(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) \
    { \
        static const char *const keywords[] = {"string", "usedforsecurity", NULL}; \
        static _PyArg_Parser parser = {.format = "|O$p:" #function, .keywords = keywords}; \
        return _PyEvpModule_Make(module, index, algorithm, &parser, args, nargs, kwnames); \
    }
#define EVP_METHOD(function) \
    {#function, FAST_KEYWORDS(new_##function), \
     #function "($module, /, string=b'', *, usedforsecurity=True)\n--\n\nA hash object."}

#define EVP_MODULE(name_, methods_, slots_) { \
    PyModuleDef_HEAD_INIT, \
    .m_name = name_, \
    .m_size = sizeof(EvpState), \
    .m_methods = methods_, \
    .m_slots = slots_, \
    .m_traverse = _PyEvpModule_Traverse, \
    .m_clear = _PyEvpModule_Clear, \
    .m_free = _PyEvpModule_Free, \
}

#endif
