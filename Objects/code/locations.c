/* The source locations of the words of a code object: CPython 3.11's location table,
   with one unit per word. The addresses that Python code sees are twice the index of a
   word (see code.h). */
#include "Python.h"
#include "internal/code.h"
#include "internal/code_tables.h"

enum {
    LOC_ONE_LINE = 10,
    LOC_NO_COLUMNS = 13,
    LOC_LONG = 14,
    LOC_NONE = 15,
};

static void
start(PyLocationWalk *walk, PyObject *linetable, int firstlineno)
{
    const uint8_t *table = (uint8_t *)PyBytes_AS_STRING(linetable);
    *walk = (PyLocationWalk){
        .next = table, .limit = table + PyBytes_GET_SIZE(linetable),
        .computed_line = firstlineno,
        .line = -1, .end_line = -1, .col = -1, .end_col = -1,
    };
}

void
_PyLocation_Start(PyLocationWalk *walk, PyCodeObject *co)
{
    start(walk, co->co_linetable, co->co_firstlineno);
}

static unsigned
read_byte(PyLocationWalk *walk)
{
    return walk->next < walk->limit ? *walk->next++ : 0;
}

static unsigned
read_varint(PyLocationWalk *walk)
{
    unsigned value = 0, shift = 0, byte;
    do {
        byte = read_byte(walk);
        if (shift < 32) {
            value |= (byte & 0x3f) << shift;
        }
        shift += 6;
    } while (byte & 0x40);
    return value;
}

static int
read_svarint(PyLocationWalk *walk)
{
    unsigned value = read_varint(walk);
    return value & 1 ? -(int)(value >> 1) : (int)(value >> 1);
}

int
_PyLocation_Next(PyLocationWalk *walk)
{
    walk->start += walk->words;
    walk->words = 0;
    if (walk->next >= walk->limit) {
        return 0;
    }
    unsigned head = read_byte(walk);
    unsigned code = (head >> 3) & 15;
    walk->words = (int)(head & 7) + 1;
    walk->line = walk->end_line = walk->col = walk->end_col = -1;
    if (code == LOC_NONE) {
        return 1;
    }
    if (code == LOC_LONG) {
        walk->computed_line += read_svarint(walk);
        walk->line = walk->computed_line;
        walk->end_line = walk->line + (int)read_varint(walk);
        walk->col = (int)read_varint(walk) - 1;
        walk->end_col = (int)read_varint(walk) - 1;
        return 1;
    }
    if (code == LOC_NO_COLUMNS) {
        walk->computed_line += read_svarint(walk);
    }
    else if (code >= LOC_ONE_LINE) {
        walk->computed_line += (int)code - LOC_ONE_LINE;
        walk->col = (int)read_byte(walk);
        walk->end_col = (int)read_byte(walk);
    }
    else {
        unsigned byte = read_byte(walk);
        walk->col = (int)(code << 3 | byte >> 4);
        walk->end_col = walk->col + (int)(byte & 15);
    }
    walk->line = walk->end_line = walk->computed_line;
    return 1;
}

#define MAX_LINE_ENTRY 8        /* in bytes: the head, and 32 bits at 6 bits each */

PyObject *
_PyCode_WithoutColumns(PyObject *linetable, int firstlineno)
{
    PyLocationWalk walk;
    Py_ssize_t entries = 0;
    for (start(&walk, linetable, firstlineno); _PyLocation_Next(&walk);) {
        entries++;
    }
    PyObject *result = PyBytes_FromStringAndSize(NULL, entries * MAX_LINE_ENTRY);
    if (result == NULL) {
        return NULL;
    }
    uint8_t *out = (uint8_t *)PyBytes_AS_STRING(result);
    int line = firstlineno;
    for (start(&walk, linetable, firstlineno); _PyLocation_Next(&walk);) {
        unsigned code = walk.line < 0 ? LOC_NONE : LOC_NO_COLUMNS;
        *out++ = (uint8_t)(0x80 | code << 3 | (unsigned)(walk.words - 1));
        if (code == LOC_NONE) {
            continue;
        }
        int moved = walk.line - line;
        unsigned rest = moved < 0 ? (0u - (unsigned)moved) << 1 | 1 : (unsigned)moved << 1;
        for (; rest >= 64; rest >>= 6) {
            *out++ = 0x40 | (rest & 63);
        }
        *out++ = (uint8_t)rest;
        line = walk.line;
    }
    _PyBytes_Resize(&result, (char *)out - PyBytes_AS_STRING(result));
    return result;
}

/* Tracing asks for line numbers very often: after a few requests all of them are
   cached. */
#define QUESTIONS_BEFORE_ARRAY 4

static void
keep_lines(PyVMCode *co)
{
    int32_t *lines = PyMem_Malloc((size_t)co->ninstr * sizeof(int32_t));
    if (lines == NULL) {
        return;
    }
    PyLocationWalk walk;
    uint32_t at = 0;
    _PyLocation_Start(&walk, &co->ob);
    while (_PyLocation_Next(&walk)) {
        for (int i = 0; i < walk.words && at < co->ninstr; i++) {
            lines[at++] = walk.line;
        }
    }
    while (at < co->ninstr) {
        lines[at++] = -1;
    }
    co->ob._co_linearray = (char *)lines;
    co->ob._co_linearray_entry_size = sizeof(int32_t);
}

int
_PyCode_LineOf(PyVMCode *co, Py_ssize_t instr)
{
    if (instr < 0) {
        return co->ob.co_firstlineno;
    }
    if (instr >= (Py_ssize_t)co->ninstr) {
        return -1;
    }
    if (co->ob._co_linearray == NULL
        && ++co->ob._co_linearray_entry_size >= QUESTIONS_BEFORE_ARRAY) {
        co->ob._co_linearray_entry_size = 0;
        keep_lines(co);
    }
    if (co->ob._co_linearray != NULL) {
        return ((int32_t *)co->ob._co_linearray)[instr];
    }
    PyLocationWalk walk;
    _PyLocation_Start(&walk, &co->ob);
    while (_PyLocation_Next(&walk)) {
        if (instr < walk.start + walk.words) {
            return walk.line;
        }
    }
    return -1;
}

void
_PyCode_PositionOf(PyVMCode *co, Py_ssize_t instr, int *line, int *end_line,
                   int *col, int *end_col)
{
    PyLocationWalk walk;
    _PyLocation_Start(&walk, &co->ob);
    while (instr >= 0 && _PyLocation_Next(&walk)) {
        if (instr < walk.start + walk.words) {
            *line = walk.line;
            *end_line = walk.end_line;
            *col = walk.col;
            *end_col = walk.end_col;
            return;
        }
    }
    *line = instr < 0 ? co->ob.co_firstlineno : -1;
    *end_line = *col = *end_col = -1;
}

int
PyCode_Addr2Line(PyCodeObject *co, int address)
{
    return _PyCode_LineOf((PyVMCode *)co, address < 0 ? -1 : address / 2);
}

int
PyCode_Addr2Location(PyCodeObject *co, int address, int *line, int *col,
                     int *end_line, int *end_col)
{
    if (address < 0) {
        *line = co->co_firstlineno;
        *col = 0;
        *end_line = *end_col = 0;
        return 1;
    }
    _PyCode_PositionOf((PyVMCode *)co, address / 2, line, end_line, col, end_col);
    return 1;
}

/* --------------------------------------------------------------- co_lines() */

typedef struct {
    PyObject_HEAD
    PyCodeObject *code;         /* owned */
    PyLocationWalk walk;
    int have;                   /* `walk` is at an entry that has not been returned yet */
    int unit;                   /* positions: word within the entry */
} LocationIter;

static PyObject *
new_iter(PyTypeObject *type, PyCodeObject *co)
{
    LocationIter *it = PyObject_New(LocationIter, type);
    if (it == NULL) {
        return NULL;
    }
    it->code = (PyCodeObject *)Py_NewRef(co);
    _PyLocation_Start(&it->walk, co);
    it->have = 0;
    it->unit = 0;
    return (PyObject *)it;
}

PyObject *
_PyCode_Lines(PyCodeObject *co)
{
    return new_iter(&_PyLineIter_Type, co);
}

PyObject *
_PyCode_Positions(PyCodeObject *co)
{
    return new_iter(&_PyPositionsIter_Type, co);
}

static void
iter_dealloc(PyObject *self)
{
    Py_DECREF(((LocationIter *)self)->code);
    PyObject_Free(self);
}

static PyObject *
number_or_none(int value)
{
    return value < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(value);
}

static PyObject *
lines_next(PyObject *self)
{
    LocationIter *it = (LocationIter *)self;
    if (!it->have && !_PyLocation_Next(&it->walk)) {
        return NULL;
    }
    Py_ssize_t start = it->walk.start, end = start + it->walk.words;
    int line = it->walk.line;
    it->have = 0;
    while (_PyLocation_Next(&it->walk)) {
        if (it->walk.line != line) {
            it->have = 1;
            break;
        }
        end += it->walk.words;
    }
    return Py_BuildValue("(nnN)", start * 2, end * 2, number_or_none(line));
}

static PyObject *
positions_next(PyObject *self)
{
    LocationIter *it = (LocationIter *)self;
    while (it->unit >= it->walk.words) {
        it->unit = 0;
        if (!_PyLocation_Next(&it->walk)) {
            return NULL;
        }
    }
    it->unit++;
    return Py_BuildValue("(NNNN)", number_or_none(it->walk.line),
                         number_or_none(it->walk.end_line),
                         number_or_none(it->walk.col),
                         number_or_none(it->walk.end_col));
}

PyTypeObject _PyLineIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "line_iterator",
    .tp_basicsize = sizeof(LocationIter),
    .tp_dealloc = iter_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = lines_next,
};

PyTypeObject _PyPositionsIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "positions_iterator",
    .tp_basicsize = sizeof(LocationIter),
    .tp_dealloc = iter_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = positions_next,
};

/* -------------------------------- co_lnotab: pairs of (bytes, signed lines) */

static int
lnotab_put(PyObject *out, Py_ssize_t bytes, int lines)
{
    while (bytes > 255 || lines < -128 || lines > 127) {
        Py_ssize_t b = bytes > 255 ? 255 : bytes;
        int l = 0;
        if (b == bytes) {
            l = lines < -128 ? -128 : lines > 127 ? 127 : lines;
        }
        char pair[2] = {(char)b, (char)l};
        PyObject *more = PyBytes_FromStringAndSize(pair, 2);
        if (more == NULL || PyList_Append(out, more) < 0) {
            Py_XDECREF(more);
            return -1;
        }
        Py_DECREF(more);
        bytes -= b;
        lines -= l;
    }
    char pair[2] = {(char)bytes, (char)lines};
    PyObject *more = PyBytes_FromStringAndSize(pair, 2);
    int rc = more == NULL ? -1 : PyList_Append(out, more);
    Py_XDECREF(more);
    return rc;
}

PyObject *
_PyCode_Lnotab(PyCodeObject *co)
{
    PyObject *pieces = PyList_New(0);
    if (pieces == NULL) {
        return NULL;
    }
    PyLocationWalk walk;
    Py_ssize_t at = 0;
    int line = co->co_firstlineno;
    _PyLocation_Start(&walk, co);
    while (_PyLocation_Next(&walk)) {
        if (walk.line < 0 || walk.line == line) {
            continue;
        }
        if (lnotab_put(pieces, (walk.start - at) * 2, walk.line - line) < 0) {
            Py_DECREF(pieces);
            return NULL;
        }
        at = walk.start;
        line = walk.line;
    }
    PyObject *empty = PyBytes_FromStringAndSize(NULL, 0);
    PyObject *result = empty ? _PyBytes_Join(empty, pieces) : NULL;
    Py_XDECREF(empty);
    Py_DECREF(pieces);
    return result;
}
