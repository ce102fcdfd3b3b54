/* The assembler: how far jumps reach, and that its two tables are correct when they are
   read back. */
#include "suite.h"
#include "Python/frontend/ir.h"

#include <stdlib.h>
#include <string.h>

static void
append(IRCode *ir, int op, int a, int b, int32_t arg, int handler, SrcLoc loc)
{
    IRInstr *in = _PyIR_Append(ir);
    ck_assert_ptr_nonnull(in);
    *in = (IRInstr){.op = (uint16_t)op, .a = (uint16_t)a, .b = (uint16_t)b, .arg = arg,
                    .handler = handler, .loc = loc};
}

static void
append_nops(IRCode *ir, int n)
{
    for (int i = 0; i < n; i++) {
        append(ir, OP_NOP, 0, 0, 0, 0, NO_LOC);
    }
}

static void
free_assembled(IRAssembled *out)
{
    PyMem_Free(out->code);
    Py_CLEAR(out->linetable);
    Py_CLEAR(out->exceptiontable);
}

/* Where control goes from word `at` when its condition is `holds`; follows the
   unconditional jumps that an out-of-range jump hops over. */
static int64_t
destination(const IRAssembled *out, int64_t at, uint16_t jump_if, int holds)
{
    const PyInstr *w = &out->code[at];
    int taken = w->op == jump_if ? holds : !holds;
    at += 1 + (taken ? (int16_t)w->c : 0);
    while (out->code[at].op == OP_JUMP) {
        at += 1 + out->code[at].bc;
    }
    return at;
}

/* A conditional jump over `between` words, forward or back, both ways. */
static void
check_distance(int between, int forward)
{
    IRCode ir = {0};
    int label = _PyIR_NewLabel(&ir);
    int at;
    if (forward) {
        at = 0;
        append(&ir, OP_JUMP_IF_LT, 1, 2, label, 0, NO_LOC);
        append_nops(&ir, between);
        _PyIR_Bind(&ir, label);
        append_nops(&ir, 1);
    }
    else {
        _PyIR_Bind(&ir, label);
        append_nops(&ir, between);
        at = between;
        append(&ir, OP_JUMP_IF_LT, 1, 2, label, 0, NO_LOC);
        append_nops(&ir, 1);
    }
    IRAssembled out;
    ck_assert_int_eq(_PyIR_Assemble(&ir, 1, &out), 0);
    int64_t grown = (int64_t)out.ncode - (between + 2);
    int64_t target = forward ? between + 1 + grown : 0;
    int64_t next = at + 1 + grown;
    ck_assert_msg(destination(&out, at, OP_JUMP_IF_LT, 1) == target,
                  "over %d words: to %lld, not %lld", between,
                  (long long)destination(&out, at, OP_JUMP_IF_LT, 1), (long long)target);
    int64_t falls = destination(&out, at, OP_JUMP_IF_LT, 0);
    ck_assert_msg(falls == next || (forward && between == 0), "over %d words: on to %lld, not %lld",
                  between, (long long)falls, (long long)next);
    int64_t reach = forward ? between : -(int64_t)between - 1;
    ck_assert_msg((grown == 0) == (reach >= INT16_MIN && reach <= INT16_MAX),
                  "over %d words: %lld more", between, (long long)grown);
    free_assembled(&out);
    _PyIR_Free(&ir);
}

START_TEST(test_conditional_jumps_reach_any_distance)
{
    static const int distances[] = {0, 1, 100, 32765, 32766, 32767, 32768, 32769, 70000};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(distances); i++) {
        check_distance(distances[i], 1);
        check_distance(distances[i], 0);
    }
}
END_TEST

START_TEST(test_growing_one_jump_may_put_another_out_of_range)
{
    /* Nested jumps, each just in range while the ones inside are short. */
    IRCode ir = {0};
    enum {JUMPS = 20};
    int labels[JUMPS];
    for (int i = 0; i < JUMPS; i++) {
        labels[i] = _PyIR_NewLabel(&ir);
        append(&ir, OP_JUMP_IF_LT, 1, 2, labels[i], 0, NO_LOC);
    }
    append_nops(&ir, 32768);
    for (int i = JUMPS; i-- > 0;) {
        _PyIR_Bind(&ir, labels[i]);
        append_nops(&ir, 1);
    }
    IRAssembled out;
    ck_assert_int_eq(_PyIR_Assemble(&ir, 1, &out), 0);
    int64_t at = 0;
    for (int i = 0; i < JUMPS; i++) {
        int64_t target = (int64_t)out.ncode - 1 - i;
        ck_assert_int_eq(destination(&out, at, OP_JUMP_IF_LT, 1), target);
        at = destination(&out, at, OP_JUMP_IF_LT, 0);
    }
    free_assembled(&out);
    _PyIR_Free(&ir);
}
END_TEST

/* The next number of an exception table; *first: whether it begins a range. */
static unsigned
table_number(const uint8_t **p, int *first)
{
    unsigned value = **p & 0x3f;
    *first = **p >> 7;
    while (*(*p)++ & 0x40) {
        value = value << 6 | (**p & 0x3f);
    }
    return value;
}

START_TEST(test_the_exception_table_says_who_protects_what)
{
    IRCode ir = {0};
    _PyIR_NewHandler(&ir, 0, 0);        /* 0 is nobody, if the count starts at 0 */
    int label = _PyIR_NewLabel(&ir), far = _PyIR_NewLabel(&ir);
    int one = _PyIR_NewHandler(&ir, label, 5);
    int two = _PyIR_NewHandler(&ir, far, 300);
    append_nops(&ir, 3);
    for (int i = 0; i < 100; i++) {
        append(&ir, OP_NOP, 0, 0, 0, one, NO_LOC);
    }
    append(&ir, OP_NOP, 0, 0, 0, two, NO_LOC);
    append_nops(&ir, 5000);
    _PyIR_Bind(&ir, label);
    append_nops(&ir, 70000);
    _PyIR_Bind(&ir, far);
    append_nops(&ir, 1);
    IRAssembled out;
    ck_assert_int_eq(_PyIR_Assemble(&ir, 1, &out), 0);
    static const unsigned expected[2][4] = {{3, 100, 5104, 10}, {103, 1, 75104, 600}};
    const uint8_t *p = (const uint8_t *)PyBytes_AS_STRING(out.exceptiontable);
    const uint8_t *end = p + PyBytes_GET_SIZE(out.exceptiontable);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 4; k++) {
            int first;
            ck_assert_uint_eq(table_number(&p, &first), expected[i][k]);
            ck_assert_int_eq(first, k == 0);
        }
    }
    ck_assert_ptr_eq(p, end);
    free_assembled(&out);
    _PyIR_Free(&ir);
}
END_TEST

static unsigned
varint(const uint8_t **p)
{
    unsigned value = **p & 0x3f;
    for (int shift = 6; *(*p)++ & 0x40; shift += 6) {
        value |= (unsigned)(**p & 0x3f) << shift;
    }
    return value;
}

/* Reads one entry of a location table: *units words at loc; *line goes along. */
static void
read_location(const uint8_t **p, int *line, SrcLoc *loc, unsigned *units)
{
    unsigned head = *(*p)++;
    ck_assert_msg(head & 0x80, "an entry must begin here");
    *units = (head & 7) + 1;
    unsigned kind = head >> 3 & 15;
    *loc = (SrcLoc){-1, -1, -1, -1};
    if (kind == 15) {
        return;
    }
    if (kind >= 13) {
        unsigned delta = varint(p);
        *line += delta & 1 ? -(int)(delta >> 1) : (int)(delta >> 1);
        loc->line = loc->end_line = *line;
        if (kind == 14) {
            loc->end_line = *line + (int)varint(p);
            loc->col = (int)varint(p) - 1;
            loc->end_col = (int)varint(p) - 1;
        }
        return;
    }
    if (kind >= 10) {
        *line += (int)kind - 10;
        loc->col = *(*p)++;
        loc->end_col = *(*p)++;
    }
    else {
        unsigned rest = *(*p)++;
        loc->col = (int)(kind << 3 | rest >> 4);
        loc->end_col = loc->col + (int)(rest & 15);
    }
    loc->line = loc->end_line = *line;
}

START_TEST(test_the_location_table_gives_back_every_place)
{
    static const SrcLoc corners[] = {
        {10, 10, 0, 5}, {10, 10, 79, 94}, {10, 10, 80, 85}, {11, 11, 0, 127}, {12, 12, 127, 127},
        {14, 14, 1, 1}, {14, 14, 128, 200}, {3, 3, 4, 4}, {100000, 100003, 5000, 0}, {7, 7, -1, -1},
        {-1, -1, -1, -1}, {8, 9, 3, 2}, {1, 1, 0, 0}, {1, 1, 16, 40},
    };
    enum {COUNT = 3000};
    IRCode ir = {0};
    SrcLoc *given = malloc(COUNT * sizeof(*given));
    for (int i = 0; i < COUNT; i++) {
        given[i] = corners[rand() % Py_ARRAY_LENGTH(corners)];
        if (rand() % 3 == 0 && given[i].line > 0) {
            int line = rand() % 500 + 1;
            given[i].end_line += line - given[i].line;
            given[i].line = line;
        }
        /* Long runs of one place take several entries. */
        if (i > 0 && rand() % 4) {
            given[i] = given[i - 1];
        }
        append(&ir, i % 5 ? OP_NOP : OP_LOAD_GLOBAL, 0, 0, 0, 0, given[i]);
    }
    IRAssembled out;
    ck_assert_int_eq(_PyIR_Assemble(&ir, 10, &out), 0);
    const uint8_t *p = (const uint8_t *)PyBytes_AS_STRING(out.linetable);
    const uint8_t *end = p + PyBytes_GET_SIZE(out.linetable);
    int line = 10;
    unsigned units = 0;
    SrcLoc loc = NO_LOC;
    for (int i = 0; i < COUNT; i++) {
        for (int word = 0; word < 1 + _PyIR_Ops[ir.v[i].op].cache; word++) {
            if (units == 0) {
                ck_assert(p < end);
                read_location(&p, &line, &loc, &units);
            }
            units--;
            ck_assert_msg(loc.line == given[i].line && loc.col == given[i].col
                          && loc.end_col == given[i].end_col
                          && (loc.end_line == given[i].end_line || loc.line < 0),
                          "entry %d: %d-%d:%d-%d, not %d-%d:%d-%d", i, loc.line, loc.end_line, loc.col,
                          loc.end_col, given[i].line, given[i].end_line, given[i].col, given[i].end_col);
        }
    }
    ck_assert_ptr_eq(p, end);
    ck_assert_uint_eq(units, 0);
    free_assembled(&out);
    _PyIR_Free(&ir);
    free(given);
}
END_TEST

static void
start(void)
{
    Py_InitializeEx(0);
    _PyIR_InitOps();
}

C_TESTS(assembler, .start = start)
{
    tcase_add_test(tests, test_conditional_jumps_reach_any_distance);
    tcase_add_test(tests, test_growing_one_jump_may_put_another_out_of_range);
    tcase_add_test(tests, test_the_exception_table_says_who_protects_what);
    tcase_add_test(tests, test_the_location_table_gives_back_every_place);
}
