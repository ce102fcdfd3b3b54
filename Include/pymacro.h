/* Small macros that extensions also use: numbers, texts, alignment. */
#ifndef Py_PYMACRO_H
#define Py_PYMACRO_H

/* Arguments are evaluated twice. */
#define Py_MIN(x, y) ((y) < (x) ? (y) : (x))
#define Py_MAX(x, y) ((x) < (y) ? (y) : (x))
#define Py_ABS(x)    ((x) >= 0 ? (x) : -(x))

/* A char as a number from 0 to 255. */
#define Py_CHARMASK(c) ((unsigned char)((c) & 0xff))

/* The argument as a text, after its macros are expanded. */
#define _Py_XSTRINGIFY(x) #x
#define Py_STRINGIFY(x)   _Py_XSTRINGIFY(x)

#define Py_MEMBER_SIZE(type, member) sizeof(((type *)0)->member)

/* Compile-time assertions, as an expression of value 0 and as a statement. */
#define Py_BUILD_ASSERT_EXPR(cond) (sizeof(char [1 - 2 * !(cond)]) - 1)
#define Py_BUILD_ASSERT(cond)      ((void)Py_BUILD_ASSERT_EXPR(cond))

/* The number of items of an array. In C, a pointer as the argument is an error. */
#ifdef __cplusplus
#  define Py_ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#else
#  define Py_ARRAY_LENGTH(array) \
    (sizeof(array) / sizeof((array)[0]) \
     + Py_BUILD_ASSERT_EXPR(!__builtin_types_compatible_p(__typeof__(array), \
                                                          __typeof__(&(array)[0]))))
#endif

/* Doc strings: absent in a build without WITH_DOC_STRINGS. */
#ifdef WITH_DOC_STRINGS
#  define PyDoc_STR(str) str
#else
#  define PyDoc_STR(str) ""
#endif
#define PyDoc_VAR(name)         static const char name[]
#define PyDoc_STRVAR(name, str) PyDoc_VAR(name) = PyDoc_STR(str)

/* Rounds sizes (n) and addresses (p) to multiples of a, a power of two. */
#define _Py_SIZE_ROUND_DOWN(n, a) ((size_t)(n) & ~((size_t)(a) - 1))
#define _Py_SIZE_ROUND_UP(n, a)   _Py_SIZE_ROUND_DOWN((size_t)(n) + ((size_t)(a) - 1), a)
#define _Py_ALIGN_DOWN(p, a)      ((void *)((uintptr_t)(p) & ~((uintptr_t)(a) - 1)))
#define _Py_ALIGN_UP(p, a) \
    ((void *)(((uintptr_t)(p) + ((uintptr_t)(a) - 1)) & ~((uintptr_t)(a) - 1)))
#define _Py_IS_ALIGNED(p, a)      (((uintptr_t)(p) & ((uintptr_t)(a) - 1)) == 0)

/* Names an argument that the function doesn't use. (C++ could leave the name out.) */
#define Py_UNUSED(name) _unused_##name __attribute__((unused))

/* For places that are never reached. Debug builds stop there. */
#ifdef Py_DEBUG
#  define Py_UNREACHABLE() Py_FatalError("unreachable code was reached")
#else
#  define Py_UNREACHABLE() __builtin_unreachable()
#endif

/* The value only: assigning to the macro does not compile. */
#define _Py_RVALUE(EXPR) ((void)0, (EXPR))
#endif
