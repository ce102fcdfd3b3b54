/* Libraries that few programs need: they are opened on first use, not mapped
   and relocated at every start.

   A library's functions are a list macro; the C file that owns it writes

       #define CRYPTO_FUNCTIONS(X) X(EVP_MD_CTX_new) X(EVP_MD_CTX_free) …
       PY_LAZY_LIBRARY(crypto, CRYPTO_FUNCTIONS)

   and calls crypto.EVP_MD_CTX_new() after PY_LAZY_OPEN(crypto, SONAME) has
   returned 0. Other files that use the library write PY_LAZY_FUNCTIONS of the
   same list in a header, and `extern`. */
#ifndef SB_LAZY_LIBRARY_H
#define SB_LAZY_LIBRARY_H

#define PY_LAZY_FIELD(function) __typeof__(&function) function;
#define PY_LAZY_NAME(function) #function "\0"
#define PY_LAZY_FUNCTIONS(tag, list) struct tag##_functions { list(PY_LAZY_FIELD) }

/* Defines the struct of function pointers `tag`, and their names. */
#define PY_LAZY_DEFINE(tag, list) \
    struct tag##_functions tag; \
    static const char tag##_names[] = list(PY_LAZY_NAME)
#define PY_LAZY_LIBRARY(tag, list) \
    PY_LAZY_FUNCTIONS(tag, list); \
    static PY_LAZY_DEFINE(tag, list)

#define PY_LAZY_OPEN(tag, soname) \
    _PyLazyLibrary_Open(soname, tag##_names, &tag, sizeof(tag))

/* Opens the library and fills in the pointers, `size` bytes of them, from the
   NUL-terminated names; does nothing when that is done. Returns -1 with an
   ImportError when the library or one of its functions is not there. */
extern int _PyLazyLibrary_Open(const char *soname, const char *names, void *functions,
                               size_t size);

#endif
