/* Hashes of numbers and of bytes. Equal numbers of all types have equal hashes: a number
   is reduced modulo the prime 2**61 - 1. */
#ifndef Py_HASH_H
#define Py_HASH_H

_Py_BEGIN_DECLS

#define _PyHASH_MULTIPLIER 1000003UL
#define _PyHASH_BITS       61
#define _PyHASH_MODULUS    (((size_t)1 << _PyHASH_BITS) - 1)
#define _PyHASH_INF        314159
#define _PyHASH_IMAG       _PyHASH_MULTIPLIER

/* Texts shorter than this would be hashed with a simpler function. 0: there is none. */
#define Py_HASH_CUTOFF    0
#define Py_HASH_EXTERNAL  0
#define Py_HASH_SIPHASH24 1
#define Py_HASH_FNV       2
#define Py_HASH_SIPHASH13 3
#ifndef Py_HASH_ALGORITHM
#  define Py_HASH_ALGORITHM Py_HASH_SIPHASH13
#endif

#ifndef Py_LIMITED_API
PyAPI_FUNC(Py_hash_t) _Py_HashDouble(PyObject *op, double value);
PyAPI_FUNC(Py_hash_t) _Py_HashPointer(const void *p);
PyAPI_FUNC(Py_hash_t) _Py_HashPointerRaw(const void *p);
/* Hashes len bytes, with the process's secret. */
PyAPI_FUNC(Py_hash_t) _Py_HashBytes(const void *p, Py_ssize_t len);

/* The secret, chosen at start-up (PYTHONHASHSEED). */
typedef union {
    unsigned char uc[24];
    struct {
        Py_hash_t prefix;
        Py_hash_t suffix;
    } fnv;
    struct {
        uint64_t k0;
        uint64_t k1;
    } siphash;
    struct {
        unsigned char padding[16];
        Py_hash_t suffix;
    } djbx33a;
    struct {
        unsigned char padding[16];
        Py_hash_t hashsalt;
    } expat;
} _Py_HashSecret_t;

PyAPI_DATA(_Py_HashSecret_t) _Py_HashSecret;

/* The function in use. */
typedef struct {
    Py_hash_t (*const hash)(const void *, Py_ssize_t);
    const char *name;
    const int hash_bits;
    const int seed_bits;
} PyHash_FuncDef;

PyAPI_FUNC(PyHash_FuncDef *) PyHash_GetFuncDef(void);
#endif

_Py_END_DECLS
#endif
