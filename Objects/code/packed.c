/* Instructions at rest: the form in which a code object is made, kept and marshalled.

   Most functions of a program that has imported much never run. So a code object holds its
   instructions packed, in a third of the room, and gets words that the VM can run and specialise
   (`code`) when it is called for the first time. The packed form stays: it is what co_code, marshal
   and comparisons ask for, whatever the VM has made of the words since.

   First a number: the count of words times two, plus 1 if the words follow as they are. That is for
   words that no compiler makes, as code.replace() allows them. Else each instruction is its opcode,
   then one number for each operand that the opcode has, then the `arg` of its first cache word if
   that belongs to the compiler; all other words of caches are zero. A number has seven bits in each
   byte, the lowest first, and 0x80 in all but its last. Of signed operands the lowest bit is the
   sign. */
#include "Python.h"
#include "internal/packed_code.h"

#include <string.h>

/* The most words that one byte can stand for: an opcode and its caches. */
enum { MOST_WORDS_OF_BYTE = 4 };

/* Whether the first cache word of an opcode belongs to the compiler. */
static inline int
cache_has_arg(unsigned op)
{
    switch (op) {
    case OP_LOAD_GLOBAL: case OP_STORE_GLOBAL: case OP_LOAD_NAME:
    case OP_STORE_NAME: case OP_LOAD_ATTR: case OP_STORE_ATTR:
    case OP_LOAD_METHOD: case OP_BUILD_CONST_KEY_MAP: case OP_UNPACK_EX:
    case OP_CALL_KW: case OP_CALL_METHOD_KW: case OP_MAKE_FUNCTION:
    case OP_FOR_ITER: case OP_SEND: case OP_IMPORT_NAME: case OP_IMPORT_FROM:
    case OP_ADDI: case OP_SUBI: case OP_MULI: case OP_FLOORDIVI: case OP_MODI:
    case OP_ANDI: case OP_LSHIFTI: case OP_RSHIFTI:
        return 1;
    default:
        return 0;
    }
}

static inline uint32_t
to_unsigned(int32_t value)
{
    return (uint32_t)value << 1 ^ (uint32_t)(value >> 31);
}

static inline int32_t
to_signed(uint32_t number)
{
    return (int32_t)(number >> 1 ^ -(number & 1));
}

/* ------------------------------------------------------------------ packing */

/* Writes nothing, but counts, where `out` is NULL. */
typedef struct {
    uint8_t *out;
    size_t size;
} Packer;

static void
put_byte(Packer *p, uint8_t byte)
{
    if (p->out != NULL) {
        p->out[p->size] = byte;
    }
    p->size++;
}

static void
put_number(Packer *p, uint32_t number)
{
    while (number >= 0x80) {
        put_byte(p, (uint8_t)(number | 0x80));
        number >>= 7;
    }
    put_byte(p, (uint8_t)number);
}

/* 0: it has something where the opcode has no operand. */
static int
put_operands(Packer *p, const PyInstr *in)
{
    const char *operands = _PyOpcode_Info[in->op].operands;
    const uint16_t fields[] = {in->a, in->b, in->c};
    for (int i = 0; i < 3; i++) {
        switch (operands[i]) {
        case '-':
            if (fields[i] != 0) {
                return 0;
            }
            break;
        case 'i': case 'j':
            put_number(p, to_unsigned((int16_t)fields[i]));
            break;
        case 'X': case 'J':
            put_number(p, to_unsigned(in->bc));
            return 1;
        case 'K': case 'N':
            put_number(p, (uint32_t)in->bc);
            return 1;
        default:
            put_number(p, fields[i]);
        }
    }
    return 1;
}

/* 0: these are words that no compiler makes. */
static int
put_instructions(Packer *p, const PyInstr *words, uint32_t n)
{
    for (uint32_t at = 0; at < n; ) {
        const PyInstr *in = &words[at];
        if (in->op >= OP__COUNT || in->line != 0 || _PyInstr_Words(in) > n - at) {
            return 0;
        }
        put_byte(p, in->op);
        if (!put_operands(p, in)) {
            return 0;
        }
        at += _PyInstr_Words(in);
        const PyInstr *cache = in + 1, *end = &words[at];
        if (cache_has_arg(in->op)) {
            PyCacheWord word = {.word = cache->word};
            put_number(p, word.arg);
            if ((cache++)->word != word.arg) {
                return 0;
            }
        }
        for (; cache < end; cache++) {
            if (cache->word != 0) {
                return 0;
            }
        }
    }
    return 1;
}

size_t
_PyCode_Pack(const PyInstr *words, uint32_t n, uint8_t *out)
{
    Packer packer = {.out = out};
    put_number(&packer, n << 1);
    if (!put_instructions(&packer, words, n)) {
        packer.size = 0;
        put_number(&packer, n << 1 | 1);
        if (out != NULL) {
            memcpy(out + packer.size, words, n * sizeof(*words));
        }
        packer.size += n * sizeof(*words);
    }
    return packer.size;
}

/* ---------------------------------------------------------------- unpacking */

/* Moves on to the limit, and gives 0, where the number does not end before it. */
static inline uint32_t
get_number(PyPackedWalk *walk)
{
    const uint8_t *p = walk->next;
    uint32_t number = 0;
    for (int shift = 0; p < walk->limit && shift < 35; shift += 7) {
        uint8_t byte = *p++;
        number |= (uint32_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            walk->next = p;
            return number;
        }
    }
    walk->next = walk->limit;
    walk->is_bad = 1;
    return 0;
}

uint32_t
_PyPacked_Start(PyPackedWalk *walk, const uint8_t *packed, size_t size)
{
    *walk = (PyPackedWalk){.next = packed, .limit = packed + size};
    uint32_t number = get_number(walk), n = number >> 1;
    walk->is_raw = number & 1;
    size_t left = (size_t)(walk->limit - walk->next);
    if (walk->is_bad || n > (walk->is_raw ? left / sizeof(PyInstr) : left * MOST_WORDS_OF_BYTE)) {
        return 0;
    }
    return n;
}

int
_PyPacked_Next(PyPackedWalk *walk, PyInstr *in, uint32_t *arg)
{
    if (walk->next >= walk->limit || *walk->next >= OP__COUNT) {
        return 0;
    }
    *in = (PyInstr){.op = *walk->next++};
    const char *operands = _PyOpcode_Info[in->op].operands;
    uint16_t *fields[] = {&in->a, &in->b, &in->c};
    for (int i = 0; i < 3; i++) {
        switch (operands[i]) {
        case '-':
            break;
        case 'i': case 'j':
            *fields[i] = (uint16_t)to_signed(get_number(walk));
            break;
        case 'X': case 'J':
            in->bc = to_signed(get_number(walk));
            i = 3;
            break;
        case 'K': case 'N':
            in->bc = (int32_t)get_number(walk);
            i = 3;
            break;
        default:
            *fields[i] = (uint16_t)get_number(walk);
        }
    }
    *arg = cache_has_arg(in->op) ? get_number(walk) : 0;
    return !walk->is_bad;
}

/* Fills all n words. 0: they are not what is packed here. */
static int
unpack(const uint8_t *packed, size_t size, PyInstr *words)
{
    PyPackedWalk walk;
    uint32_t n = _PyPacked_Start(&walk, packed, size), arg;
    if (walk.is_raw) {
        memcpy(words, walk.next, n * sizeof(*words));
        return 1;
    }
    memset(words, 0, n * sizeof(*words));
    for (uint32_t at = 0; at < n; at += _PyInstr_Words(&words[at])) {
        if (!_PyPacked_Next(&walk, &words[at], &arg) || _PyInstr_Words(&words[at]) > n - at) {
            return 0;
        }
        if (arg != 0) {
            words[at + 1].word = (PyCacheWord){.arg = arg}.word;
        }
    }
    return walk.next == walk.limit;
}

static void
complain(void)
{
    PyErr_SetString(PyExc_ValueError, "code: bad packed instructions");
}

PyObject *
_PyPacked_GetWords(const uint8_t *packed, size_t size)
{
    PyPackedWalk walk;
    Py_ssize_t nbytes = _PyPacked_Start(&walk, packed, size) * (Py_ssize_t)sizeof(PyInstr);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, nbytes);
    if (bytes != NULL && !unpack(packed, size, (PyInstr *)PyBytes_AS_STRING(bytes))) {
        Py_CLEAR(bytes);
        complain();
    }
    return bytes;
}

PyObject *
_PyCode_GetWords(PyVMCode *co)
{
    return _PyPacked_GetWords(co->packed, co->npacked);
}

static int
simple_to_call(const PyCodeObject *co)
{
    int wanted = CO_OPTIMIZED | CO_NEWLOCALS;
    int unwanted = CO_VARARGS | CO_VARKEYWORDS | CO_GENERATOR | CO_COROUTINE
                   | CO_ASYNC_GENERATOR;
    return (co->co_flags & (wanted | unwanted)) == wanted
           && co->co_kwonlyargcount == 0;
}

int
_PyCode_UnpackQuietly(PyVMCode *co)
{
    if (_PyCode_IsUnpacked(co)) {
        return 0;
    }
    PyInstr *words = PyMem_Malloc((size_t)_PyCode_NBYTES_VM(co));
    if (words == NULL) {
        return -1;
    }
    if (!unpack(co->packed, co->npacked, words)) {
        PyMem_Free(words);
        return -2;
    }
    co->code = words;
    co->simple_call = (uint8_t)simple_to_call(&co->ob);
    return 0;
}

int
_PyCode_Unpack(PyVMCode *co)
{
    int result = _PyCode_UnpackQuietly(co);
    if (result == -1) {
        PyErr_NoMemory();
    }
    else if (result < 0) {
        complain();
    }
    return result < 0 ? -1 : 0;
}
