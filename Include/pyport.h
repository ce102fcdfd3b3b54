/* What the API requires of the C compiler (gcc or clang): the names of the integer types,
   attributes of functions, casts that work in C and C++, and the version of the limited
   API. */
#ifndef Py_PYPORT_H
#define Py_PYPORT_H

#include "pyconfig.h"
#include "exports.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>

/* ------------------------------------------------------- C and C++ together */

#ifdef __cplusplus
#  define _Py_BEGIN_DECLS extern "C" {
#  define _Py_END_DECLS   }
#else
#  define _Py_BEGIN_DECLS
#  define _Py_END_DECLS
#endif

/* Whether to declare the additions of 3.MINOR to the limited API. */
#ifdef Py_LIMITED_API
#  define _Py_API_SINCE(minor) (Py_LIMITED_API+0 >= 0x03000000 + ((minor) << 16))
#else
#  define _Py_API_SINCE(minor) 1
#endif

/* _Py_STATIC_CAST is for numbers and void pointers. _Py_CAST is for pointers to objects:
   it may drop const, and in C++ it casts a class to its base, and accepts 0, nullptr and
   objects that convert to the pointer (a smart reference, for example). The C-style cast
   does all that; the pragmas here keep -Wold-style-cast quiet. */
#ifdef __cplusplus
#  define _Py_STATIC_CAST(type, expr) static_cast<type>(expr)
#  pragma GCC diagnostic push
#  pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C++" {
namespace _Py_casts {
template <typename To, typename From> inline To
cast(const From &value)
{
    return (To)value;
}
template <typename To> inline To
cast(int address)
{
    return (To)(intptr_t)address;
}
}
}
#  pragma GCC diagnostic pop
#  define _Py_CAST(type, expr) _Py_casts::cast<type>(expr)
#else
#  define _Py_STATIC_CAST(type, expr) ((type)(expr))
#  define _Py_CAST(type, expr)        ((type)(expr))
#endif

#if defined(__cplusplus) && __cplusplus >= 201103L
#  define _Py_NULL nullptr
#else
#  define _Py_NULL NULL
#endif

/* -------------------------------------------------------- the integer types */

typedef ssize_t    Py_ssize_t;     /* sizes and indices */
typedef Py_ssize_t Py_ssize_clean_t;
typedef Py_ssize_t Py_hash_t;
typedef size_t     Py_uhash_t;
typedef intptr_t   Py_intptr_t;
typedef uintptr_t  Py_uintptr_t;

#define PY_SSIZE_T_MAX    SSIZE_MAX
#define PY_SSIZE_T_MIN    (-PY_SSIZE_T_MAX-1)
#define PY_SIZE_MAX       SIZE_MAX
#define SIZEOF_PY_HASH_T  SIZEOF_SIZE_T
#define SIZEOF_PY_UHASH_T SIZEOF_SIZE_T

/* The number of bits in a digit of an int (cpython/longintrepr.h). */
#ifndef PYLONG_BITS_IN_DIGIT
#  define PYLONG_BITS_IN_DIGIT 30
#endif

/* Older names of C's own types and limits. */
#define HAVE_LONG_LONG 1
#define PY_LONG_LONG   long long
#define PY_LLONG_MIN   LLONG_MIN
#define PY_LLONG_MAX   LLONG_MAX
#define PY_ULLONG_MAX  ULLONG_MAX
#define PY_INT32_T     int32_t
#define PY_UINT32_T    uint32_t
#define PY_INT64_T     int64_t
#define PY_UINT64_T    uint64_t
#define PY_DWORD_MAX   4294967295U

#ifdef WORDS_BIGENDIAN
#  define PY_BIG_ENDIAN    1
#  define PY_LITTLE_ENDIAN 0
#else
#  define PY_BIG_ENDIAN    0
#  define PY_LITTLE_ENDIAN 1
#endif

/* Literals of type long long. */
#ifndef Py_LL
#  define Py_LL(x) x##LL
#endif
#ifndef Py_ULL
#  define Py_ULL(x) Py_LL(x##U)
#endif

/* I >> J with the sign kept, which gcc and clang do for every TYPE. */
#define Py_ARITHMETIC_RIGHT_SHIFT(TYPE, I, J) ((I) >> (J))

/* Converts to a narrower type. Debug builds check that no bit is lost. */
#ifdef Py_DEBUG
#  define Py_SAFE_DOWNCAST(VALUE, WIDE, NARROW) \
    (assert(_Py_STATIC_CAST(WIDE, _Py_STATIC_CAST(NARROW, (VALUE))) == (VALUE)), \
     _Py_STATIC_CAST(NARROW, (VALUE)))
#else
#  define Py_SAFE_DOWNCAST(VALUE, WIDE, NARROW) _Py_STATIC_CAST(NARROW, (VALUE))
#endif

/* -------------------------------------------------- functions and variables */

/* For prototypes of what the interpreter exports, and for the definition of a module's
   PyInit_ function. */
#define PyAPI_FUNC(RTYPE) Py_EXPORTED_SYMBOL RTYPE
#define PyAPI_DATA(RTYPE) extern Py_EXPORTED_SYMBOL RTYPE
#ifdef __cplusplus
#  define PyMODINIT_FUNC extern "C" Py_EXPORTED_SYMBOL PyObject *
#else
#  define PyMODINIT_FUNC Py_EXPORTED_SYMBOL PyObject *
#endif

/* A static function. INLINE hints that calls are frequent. */
#define Py_LOCAL(type)        static type
#define Py_LOCAL_INLINE(type) static inline type

#define Py_GCC_ATTRIBUTE(x)  __attribute__(x)
#define Py_ALWAYS_INLINE     __attribute__((always_inline))
#define Py_NO_INLINE         __attribute__((noinline))
#define Py_ALIGNED(x)        __attribute__((aligned(x)))
#define _Py_NO_RETURN        __attribute__((__noreturn__))
#define _Py_HOT_FUNCTION     __attribute__((hot))
/* VERSION is for the reader. */
#define Py_DEPRECATED(VERSION) __attribute__((__deprecated__))

/* Between PUSH and POP, IGNORE_DEPR_DECLS lets deprecated names be used. */
#ifdef __clang__
#  define _Py_COMP_DIAG_PUSH _Pragma("clang diagnostic push")
#  define _Py_COMP_DIAG_IGNORE_DEPR_DECLS \
    _Pragma("clang diagnostic ignored \"-Wdeprecated-declarations\"")
#  define _Py_COMP_DIAG_POP _Pragma("clang diagnostic pop")
#else
#  define _Py_COMP_DIAG_PUSH _Pragma("GCC diagnostic push")
#  define _Py_COMP_DIAG_IGNORE_DEPR_DECLS \
    _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
#  define _Py_COMP_DIAG_POP _Pragma("GCC diagnostic pop")
#endif

#ifdef __has_builtin
#  define _Py__has_builtin(x) __has_builtin(x)
#else
#  define _Py__has_builtin(x) 0
#endif

#define Py_FORCE_EXPANSION(X) X
#define Py_VA_COPY           va_copy
#if !defined(Py_LIMITED_API) || Py_LIMITED_API+0 < 0x030b0000
#  define Py_MEMCPY memcpy
#endif

/* Extensions use this to ask whether there are threads: there are. */
#ifndef WITH_THREAD
#  define WITH_THREAD
#endif
#endif
