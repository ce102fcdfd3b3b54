/* Parsing arguments of vectorcalls. Compiled modules of the standard library use these;
   new code should use PyArg_ParseTupleAndKeywords. */
#ifndef Py_CPYTHON_MODSUPPORT_H
#define Py_CPYTHON_MODSUPPORT_H

_Py_BEGIN_DECLS

/* A format and names, prepared at the first use. The other members are initialised with
   zeros. */
typedef struct _PyArg_Parser {
    const char *format;
    const char *const *keywords;    /* NULL ends it, "" is positional only */
    const char *fname;
    const char *custom_msg;
    int pos;                        /* positional-only parameters */
    int min;
    int max;                        /* positional parameters */
    PyObject *kwtuple;
    struct _PyArg_Parser *next;
} _PyArg_Parser;

PyAPI_FUNC(int) _PyArg_ParseTupleAndKeywordsFast(PyObject *args, PyObject *kwargs,
    struct _PyArg_Parser *parser, ...);
PyAPI_FUNC(int) _PyArg_ParseStack(PyObject *const *args, Py_ssize_t nargs,
    const char *format, ...);
PyAPI_FUNC(int) _PyArg_ParseStackAndKeywords(PyObject *const *args, Py_ssize_t nargs,
    PyObject *kwnames, struct _PyArg_Parser *parser, ...);
PyAPI_FUNC(int) _PyArg_VaParseTupleAndKeywordsFast(PyObject *args, PyObject *kwargs,
    struct _PyArg_Parser *parser, va_list vargs);
PyAPI_FUNC(int) _PyArg_ParseTupleAndKeywordsFast_SizeT(PyObject *args, PyObject *kwargs,
    struct _PyArg_Parser *parser, ...);
PyAPI_FUNC(int) _PyArg_ParseStack_SizeT(PyObject *const *args, Py_ssize_t nargs,
    const char *format, ...);
PyAPI_FUNC(int) _PyArg_ParseStackAndKeywords_SizeT(PyObject *const *args,
    Py_ssize_t nargs, PyObject *kwnames, struct _PyArg_Parser *parser, ...);
PyAPI_FUNC(int) _PyArg_VaParseTupleAndKeywordsFast_SizeT(PyObject *args, PyObject *kwargs,
    struct _PyArg_Parser *parser, va_list vargs);

/* Returns the arguments in the parser's order, in buf if necessary, or NULL with an
   exception. Missing arguments are NULL. */
PyAPI_FUNC(PyObject *const *) _PyArg_UnpackKeywords(PyObject *const *args,
    Py_ssize_t nargs, PyObject *kwargs, PyObject *kwnames, struct _PyArg_Parser *parser,
    int minpos, int maxpos, int minkw, PyObject **buf);
PyAPI_FUNC(PyObject *const *) _PyArg_UnpackKeywordsWithVararg(PyObject *const *args,
    Py_ssize_t nargs, PyObject *kwargs, PyObject *kwnames, struct _PyArg_Parser *parser,
    int minpos, int maxpos, int minkw, int vararg, PyObject **buf);
#define _PyArg_UnpackKeywords(args, nargs, kwargs, kwnames, parser, minpos, maxpos, minkw, buf) \
    ((kwargs) == NULL && (kwnames) == NULL && (minkw) == 0 && (args) != NULL \
             && (minpos) <= (nargs) && (nargs) <= (maxpos) \
         ? (args) \
         : _PyArg_UnpackKeywords((args), (nargs), (kwargs), (kwnames), (parser), (minpos), \
                                 (maxpos), (minkw), (buf)))

PyAPI_FUNC(int) _PyArg_UnpackStack(PyObject *const *args, Py_ssize_t nargs,
    const char *name, Py_ssize_t min, Py_ssize_t max, ...);

/* Returns 1, or 0 with TypeError. */
PyAPI_FUNC(int) _PyArg_CheckPositional(const char *funcname, Py_ssize_t nargs,
    Py_ssize_t min, Py_ssize_t max);
PyAPI_FUNC(int) _PyArg_NoKeywords(const char *funcname, PyObject *kwargs);
PyAPI_FUNC(int) _PyArg_NoKwnames(const char *funcname, PyObject *kwnames);
PyAPI_FUNC(int) _PyArg_NoPositional(const char *funcname, PyObject *args);
#define _PyArg_CheckPositional(funcname, nargs, min, max) \
    ((!ANY_VARARGS(max) && (min) <= (nargs) && (nargs) <= (max)) \
     || _PyArg_CheckPositional((funcname), (nargs), (min), (max)))
#define _PyArg_NoKeywords(funcname, kwargs) \
    ((kwargs) == NULL || _PyArg_NoKeywords((funcname), (kwargs)))
#define _PyArg_NoKwnames(funcname, kwnames) \
    ((kwnames) == NULL || _PyArg_NoKwnames((funcname), (kwnames)))
#define _PyArg_NoPositional(funcname, args) \
    ((args) == NULL || _PyArg_NoPositional((funcname), (args)))

/* "fname() argument … must be expected, not type of arg". */
PyAPI_FUNC(void) _PyArg_BadArgument(const char *fname, const char *displayname,
    const char *expected, PyObject *arg);

/* Builds Py_BuildValue's items in an array. The caller frees it if it isn't small_stack. */
PyAPI_FUNC(PyObject **) _Py_VaBuildStack(PyObject **small_stack, Py_ssize_t small_stack_len,
    const char *format, va_list vargs, Py_ssize_t *p_nargs);
PyAPI_FUNC(PyObject **) _Py_VaBuildStack_SizeT(PyObject **small_stack,
    Py_ssize_t small_stack_len, const char *format, va_list vargs, Py_ssize_t *p_nargs);

#ifdef PY_SSIZE_T_CLEAN
#  define _PyArg_ParseTupleAndKeywordsFast   _PyArg_ParseTupleAndKeywordsFast_SizeT
#  define _PyArg_ParseStack                  _PyArg_ParseStack_SizeT
#  define _PyArg_ParseStackAndKeywords       _PyArg_ParseStackAndKeywords_SizeT
#  define _PyArg_VaParseTupleAndKeywordsFast _PyArg_VaParseTupleAndKeywordsFast_SizeT
#  define _Py_VaBuildStack                   _Py_VaBuildStack_SizeT
#endif

PyAPI_FUNC(PyObject *) _PyModule_CreateInitialized(PyModuleDef *module, int apiver);
PyAPI_DATA(const char *) _Py_PackageContext;

_Py_END_DECLS
#endif
