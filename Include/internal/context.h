/* Context variables (Objects/context/context.c); sizes are 3.11's. */
#ifndef SB_INTERNAL_CONTEXT_H
#define SB_INTERNAL_CONTEXT_H

#include "Python.h"
#include "internal/hamt.h"

struct _pycontextobject {
    PyObject_HEAD
    PyContext *ctx_prev;        /* while entered: the context before */
    _PyHamt *ctx_vars;
    PyObject *ctx_weakreflist;
    int ctx_entered;
};

struct _pycontextvarobject {
    PyObject_HEAD
    PyObject *var_name;
    PyObject *var_default;      /* or NULL */
    PyObject *var_cached;       /* borrowed; valid while the two below match */
    uint64_t var_cached_tsid;
    uint64_t var_cached_tsver;
    Py_hash_t var_hash;
};

struct _pycontexttokenobject {
    PyObject_HEAD
    PyContext *tok_ctx;
    PyContextVar *tok_var;
    PyObject *tok_oldval;       /* or NULL */
    int tok_used;
};

/* After types are ready: makes Token.MISSING. */
extern PyTypeObject _PyContextTokenMissing_Type;
int _PyContext_Init(void);

#endif
