/* Code objects. co_code_adaptive, the tables and the names have Springboard's own format:
   read them through the functions, or from Python with the dis module. */
#if !defined(Py_CODE_H) && !defined(Py_LIMITED_API)
#define Py_CODE_H

_Py_BEGIN_DECLS

/* One unit of co_code in CPython's form: an opcode and its argument. */
typedef uint16_t _Py_CODEUNIT;

#ifdef WORDS_BIGENDIAN
#  define _Py_OPCODE(word)                 ((word) >> 8)
#  define _Py_OPARG(word)                  ((word) & 255)
#  define _Py_MAKECODEUNIT(opcode, oparg)  ((opcode) << 8 | (oparg))
#else
#  define _Py_OPCODE(word)                 ((word) & 255)
#  define _Py_OPARG(word)                  ((word) >> 8)
#  define _Py_MAKECODEUNIT(opcode, oparg)  ((opcode) | (oparg) << 8)
#endif
#define _Py_SET_OPCODE(word, opcode)       (((unsigned char *)&(word))[0] = (opcode))

/* The structure with SIZE bytes of instructions, for code in static memory. */
#define _PyCode_DEF(SIZE) { \
    PyObject_VAR_HEAD \
    PyObject *co_consts; \
    PyObject *co_names; \
    PyObject *co_exceptiontable; \
    int co_flags;                   /* CO_ */ \
    short co_warmup; \
    short _co_linearray_entry_size; \
    int co_argcount;                /* including positional-only ones, without *args */ \
    int co_posonlyargcount; \
    int co_kwonlyargcount; \
    int co_stacksize; \
    int co_firstlineno; \
    int co_nlocalsplus;             /* locals, cells and free variables */ \
    int co_nlocals; \
    int co_nplaincellvars; \
    int co_ncellvars; \
    int co_nfreevars; \
    PyObject *co_localsplusnames; \
    PyObject *co_localspluskinds; \
    PyObject *co_filename; \
    PyObject *co_name; \
    PyObject *co_qualname; \
    PyObject *co_linetable; \
    PyObject *co_weakreflist; \
    PyObject *_co_code;             /* the co_code that was made on request, or NULL */ \
    char *_co_linearray; \
    int _co_firsttraceable; \
    void *co_extra;                 /* data of _PyCode_SetExtra */ \
    char co_code_adaptive[(SIZE)]; \
}

struct PyCodeObject _PyCode_DEF(1);

#define _PyCode_CODE(CO)   ((_Py_CODEUNIT *)(CO)->co_code_adaptive)
#define _PyCode_NBYTES(CO) (Py_SIZE(CO) * (Py_ssize_t)sizeof(_Py_CODEUNIT))

/* co_flags */
#define CO_OPTIMIZED             0x0001     /* locals live in registers */
#define CO_NEWLOCALS             0x0002
#define CO_VARARGS               0x0004
#define CO_VARKEYWORDS           0x0008
#define CO_NESTED                0x0010
#define CO_GENERATOR             0x0020
#define CO_COROUTINE             0x0080
#define CO_ITERABLE_COROUTINE    0x0100     /* types.coroutine() */
#define CO_ASYNC_GENERATOR       0x0200

/* from __future__ import … */
#define CO_FUTURE_DIVISION         0x20000
#define CO_FUTURE_ABSOLUTE_IMPORT  0x40000
#define CO_FUTURE_WITH_STATEMENT   0x80000
#define CO_FUTURE_PRINT_FUNCTION   0x100000
#define CO_FUTURE_UNICODE_LITERALS 0x200000
#define CO_FUTURE_BARRY_AS_BDFL    0x400000
#define CO_FUTURE_GENERATOR_STOP   0x800000
#define CO_FUTURE_ANNOTATIONS      0x1000000

/* Some future features turn words into keywords. */
#define PY_PARSER_REQUIRES_FUTURE_KEYWORD

/* How many nested blocks the compiler accepts. */
#define CO_MAXBLOCKS 20

PyAPI_DATA(PyTypeObject) PyCode_Type;

#define PyCode_Check(op)      Py_IS_TYPE((op), &PyCode_Type)
#define PyCode_GetNumFree(op) ((op)->co_nfreevars)

/* A code object that is only good for tracebacks. */
PyAPI_FUNC(PyCodeObject *) PyCode_NewEmpty(const char *filename, const char *funcname,
    int firstlineno);
/* The instructions must be Springboard's: the co_code of another code object. */
PyAPI_FUNC(PyCodeObject *) PyCode_New(int, int, int, int, int, PyObject *, PyObject *,
    PyObject *, PyObject *, PyObject *, PyObject *, PyObject *, PyObject *, PyObject *,
    int, PyObject *, PyObject *);
PyAPI_FUNC(PyCodeObject *) PyCode_NewWithPosOnlyArgs(int, int, int, int, int, int,
    PyObject *, PyObject *, PyObject *, PyObject *, PyObject *, PyObject *, PyObject *,
    PyObject *, PyObject *, int, PyObject *, PyObject *);

/* Lines and columns of an instruction, from its offset (tb_lasti, f_lasti); -1: unknown.
   Addr2Location returns 1 if they are known. */
PyAPI_FUNC(int) PyCode_Addr2Line(PyCodeObject *co, int byte_offset);
PyAPI_FUNC(int) PyCode_Addr2Location(PyCodeObject *code, int byte_offset, int *start_line,
    int *start_column, int *end_line, int *end_column);

PyAPI_FUNC(PyObject *) PyCode_GetCode(PyCodeObject *co);
PyAPI_FUNC(PyObject *) PyCode_GetVarnames(PyCodeObject *co);
PyAPI_FUNC(PyObject *) PyCode_GetCellvars(PyCodeObject *co);
PyAPI_FUNC(PyObject *) PyCode_GetFreevars(PyCodeObject *co);
PyAPI_FUNC(PyObject *) PyCode_Optimize(PyObject *code, PyObject *consts, PyObject *names,
    PyObject *lnotab);
PyAPI_FUNC(PyObject *) _PyCode_ConstantKey(PyObject *obj);

/* A tool can store a value in a code object. index is a result of
   _PyEval_RequestCodeExtraIndex. */
PyAPI_FUNC(int) _PyCode_GetExtra(PyObject *code, Py_ssize_t index, void **extra);
PyAPI_FUNC(int) _PyCode_SetExtra(PyObject *code, Py_ssize_t index, void *extra);

/* A range of instructions on one line, used for iterating over the table. */
struct _opaque {
    int computed_line;
    const uint8_t *lo_next;
    const uint8_t *limit;
};

typedef struct _line_offsets {
    int ar_start;
    int ar_end;
    int ar_line;
    struct _opaque opaque;
} PyCodeAddressRange;

/* Kinds of entries of co_linetable, which has 3.11's form. */
typedef enum _PyCodeLocationInfoKind {
    PY_CODE_LOCATION_INFO_SHORT0 = 0,       /* to 9: columns in one byte */
    PY_CODE_LOCATION_INFO_ONE_LINE0 = 10,   /* to 12: the line's delta is 0, 1, 2 */
    PY_CODE_LOCATION_INFO_ONE_LINE1 = 11,
    PY_CODE_LOCATION_INFO_ONE_LINE2 = 12,
    PY_CODE_LOCATION_INFO_NO_COLUMNS = 13,
    PY_CODE_LOCATION_INFO_LONG = 14,
    PY_CODE_LOCATION_INFO_NONE = 15
} _PyCodeLocationInfoKind;

_Py_END_DECLS
#endif
