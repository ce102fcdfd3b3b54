/* Instructions at rest (Objects/code/packed.c): what is packed comes back word for word, and bytes
   that nobody has packed are refused without a look beyond their end. */
#include "suite.h"
#include "internal/packed_code.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 400 };

static uint32_t
some_number(int bits)
{
    return ((uint32_t)random() << 16 ^ (uint32_t)random()) & (uint32_t)(((uint64_t)1 << bits) - 1);
}

/* Mostly small ones, as instructions have them. */
static uint32_t
some_operand(int bits)
{
    return some_number(random() % 4 ? 6 : bits);
}

/* Appends an instruction with operands where its opcode has some. Returns the count of words. */
static uint32_t
append(PyInstr *words, uint32_t n, int op)
{
    const char *operands = _PyOpcode_Info[op].operands;
    PyInstr in = {.op = (uint8_t)op};
    if (operands[0] != '-') {
        in.a = (uint16_t)some_operand(16);
    }
    if (strchr("XKNJ", operands[1])) {
        in.bc = (int32_t)some_operand(32);
    }
    else {
        in.b = operands[1] == '-' ? 0 : (uint16_t)some_operand(16);
        in.c = operands[2] == '-' ? 0 : (uint16_t)some_operand(16);
    }
    words[n++] = in;
    for (int i = 0; i < _PyOpcode_Info[op].cache; i++) {
        words[n++].word = 0;
    }
    return n;
}

static int
comes_back(const PyInstr *words, uint32_t n, int *is_raw)
{
    size_t size = _PyCode_Pack(words, n, NULL);
    uint8_t *packed = malloc(size);         /* just as large, for the sanitizers */
    ck_assert_uint_eq(_PyCode_Pack(words, n, packed), size);
    PyPackedWalk walk;
    ck_assert_uint_eq(_PyPacked_Start(&walk, packed, size), n);
    *is_raw = walk.is_raw;
    PyObject *bytes = _PyPacked_GetWords(packed, size);
    free(packed);
    ck_assert_ptr_nonnull(bytes);
    int same = (size_t)PyBytes_GET_SIZE(bytes) == n * sizeof(*words)
               && memcmp(PyBytes_AS_STRING(bytes), words, n * sizeof(*words)) == 0;
    Py_DECREF(bytes);
    return same;
}

START_TEST(test_every_opcode_comes_back)
{
    PyInstr words[MOST];
    int is_raw;
    for (int op = 0; op < OP__COUNT; op++) {
        for (int k = 0; k < 50; k++) {
            ck_assert_msg(comes_back(words, append(words, 0, op), &is_raw), "%s",
                          _PyOpcode_Info[op].name);
            ck_assert_msg(!is_raw, "%s", _PyOpcode_Info[op].name);
        }
    }
}
END_TEST

START_TEST(test_the_compilers_word_of_a_cache_comes_back)
{
    PyInstr words[MOST];
    int is_raw;
    for (int k = 0; k < 200; k++) {
        uint32_t n = append(words, 0, OP_LOAD_GLOBAL);
        words[1].word = (PyCacheWord){.arg = some_operand(32)}.word;
        ck_assert(comes_back(words, n, &is_raw) && !is_raw);
    }
}
END_TEST

START_TEST(test_words_that_no_compiler_makes_come_back)
{
    PyInstr words[MOST];
    int is_raw;
    for (int k = 0; k < 2000; k++) {
        uint32_t n = 1 + some_number(4);
        for (uint32_t i = 0; i < n; i++) {
            words[i].word = (uint64_t)some_number(32) << 32 | some_number(32);
        }
        ck_assert(comes_back(words, n, &is_raw));
    }
    uint32_t n = append(words, 0, OP_LOAD_GLOBAL);
    words[2].word = 1;                      /* of the VM's cache */
    ck_assert(comes_back(words, n, &is_raw) && is_raw);
    words[2].word = 0;
    ck_assert(comes_back(words, n - 1, &is_raw) && is_raw);     /* cut off */
}
END_TEST

START_TEST(test_it_is_small)
{
    PyInstr words[] = {{.op = OP_RESUME}, {.op = OP_ADD, .a = 3, .b = 1, .c = 2}, {.word = 0},
                       {.op = OP_RETURN, .a = 3}};
    ck_assert_uint_le(_PyCode_Pack(words, Py_ARRAY_LENGTH(words), NULL), 10);
}
END_TEST

START_TEST(test_other_bytes_are_refused_or_read_to_their_end_only)
{
    PyInstr words[MOST];
    int refused = 0;
    for (int k = 0; k < 20000; k++) {
        uint32_t n = 0;
        for (int i = (int)some_number(4); i >= 0; i--) {
            n = append(words, n, (int)(some_number(16) % OP__COUNT));
        }
        size_t size = _PyCode_Pack(words, n, NULL), cut = some_number(16) % (size + 1);
        uint8_t *packed = malloc(size);
        _PyCode_Pack(words, n, packed);
        for (int i = (int)some_number(2); i > 0; i--) {
            packed[some_number(16) % size] = (uint8_t)some_number(8);
        }
        uint8_t *left = malloc(cut + 1);
        memcpy(left, packed, cut);
        free(packed);
        PyObject *bytes = _PyPacked_GetWords(left, cut);
        if (bytes == NULL) {
            ck_assert(PyErr_ExceptionMatches(PyExc_ValueError));
            PyErr_Clear();
            refused++;
        }
        Py_XDECREF(bytes);
        free(left);
    }
    ck_assert_int_gt(refused, 10000);
}
END_TEST

C_TESTS(packed_code)
{
    tcase_add_test(tests, test_every_opcode_comes_back);
    tcase_add_test(tests, test_the_compilers_word_of_a_cache_comes_back);
    tcase_add_test(tests, test_words_that_no_compiler_makes_come_back);
    tcase_add_test(tests, test_it_is_small);
    tcase_add_test(tests, test_other_bytes_are_refused_or_read_to_their_end_only);
}
