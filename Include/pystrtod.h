/* Conversions between text and C doubles, whatever the locale. */
#ifndef Py_STRTOD_H
#define Py_STRTOD_H

_Py_BEGIN_DECLS

/* *endptr is set to the end of the number. If endptr is NULL, the text must end there.
   -1.0 may be an error: ValueError, or overflow_exception (NULL: return infinity instead)
   for a number that is too large. */
PyAPI_FUNC(double) PyOS_string_to_double(const char *s, char **endptr,
    PyObject *overflow_exception);

/* format_code is e, f, g, E, F, G or r (repr). The result is freed with PyMem_Free. If
   type is not NULL, *type becomes one of Py_DTST_. */
PyAPI_FUNC(char *) PyOS_double_to_string(double val, char format_code, int precision,
    int flags, int *ptype);

#define Py_DTSF_SIGN      0x01      /* always with a sign */
#define Py_DTSF_ADD_DOT_0 0x02      /* 1.0, not 1 */
#define Py_DTSF_ALT       0x04      /* the # of formats */
#define Py_DTSF_NO_NEG_0  0x08      /* the z of formats */

#define Py_DTST_FINITE    0
#define Py_DTST_INFINITE  1
#define Py_DTST_NAN       2

/* innerfunc gets the text without its underscores. */
#ifndef Py_LIMITED_API
PyAPI_FUNC(PyObject *) _Py_string_to_number_with_underscores(const char *str,
    Py_ssize_t len, const char *what, PyObject *obj, void *arg,
    PyObject *(*innerfunc)(const char *, Py_ssize_t, void *));
PyAPI_FUNC(double) _Py_parse_inf_or_nan(const char *p, char **endptr);
#endif

_Py_END_DECLS
#endif
