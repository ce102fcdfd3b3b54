/* Text of the operating system and of C. The GIL is not needed. */
#ifndef Py_FILEUTILS_H
#define Py_FILEUTILS_H

_Py_BEGIN_DECLS

/* Uses surrogateescape, so that every byte string can be converted back. The result is
   freed with PyMem_RawFree. On failure returns NULL: *size (if not NULL) is (size_t)-1
   for lack of memory, -2 for bad bytes. */
#if _Py_API_SINCE(5)
PyAPI_FUNC(wchar_t *) Py_DecodeLocale(const char *arg, size_t *size);
#endif
/* The result is freed with PyMem_Free. On failure returns NULL: *error_pos is (size_t)-1
   for lack of memory, or the position of the character that can't be encoded. */
#if _Py_API_SINCE(5)
PyAPI_FUNC(char *) Py_EncodeLocale(const wchar_t *text, size_t *error_pos);
#endif

#ifndef Py_LIMITED_API
#  include "cpython/fileutils.h"
#endif

_Py_END_DECLS
#endif
