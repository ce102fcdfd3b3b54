/* Comparison of C strings without regard to the case of ASCII letters. The result is
   negative, 0 or positive. The GIL is not needed. */
#ifndef Py_STRCMP_H
#define Py_STRCMP_H

_Py_BEGIN_DECLS

PyAPI_FUNC(int) PyOS_mystricmp(const char *s1, const char *s2);
PyAPI_FUNC(int) PyOS_mystrnicmp(const char *s1, const char *s2, Py_ssize_t size);

#define PyOS_stricmp  PyOS_mystricmp
#define PyOS_strnicmp PyOS_mystrnicmp

_Py_END_DECLS
#endif
