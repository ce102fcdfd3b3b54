/* Is an array of codes a program that the machine can run? Anybody can call
   _sre.compile() with anything, and the machine itself checks little. The walk follows
   the nesting that re._compiler makes, and accepts nothing else. */
#include "sre.h"

#define MAX_NESTING 10000

/* A set, up to and including its FAILURE, within [pc, end). */
static int
valid_set(const SreCode *pc, const SreCode *end)
{
    while (pc < end) {
        SreCode op = *pc++;
        ptrdiff_t left = end - pc;
        switch (op) {
        case OP_FAILURE:
            return pc == end;
        case OP_NEGATE:
            break;
        case OP_LITERAL:
            pc += 1;
            break;
        case OP_RANGE: case OP_RANGE_UNI_IGNORE:
            pc += 2;
            break;
        case OP_CHARSET:
            pc += 8;
            break;
        case OP_BIGCHARSET: {
            if (left < 65 || *pc > 256 || left < 65 + (ptrdiff_t)*pc * 8) {
                return 0;
            }
            const unsigned char *chunk = (const unsigned char *)(pc + 1);
            for (int i = 0; i < 256; i++) {
                if (chunk[i] >= *pc) {
                    return 0;
                }
            }
            pc += 65 + *pc * 8;
            break;
        }
        case OP_CATEGORY:
            if (left < 1 || *pc >= CH__COUNT) {
                return 0;
            }
            pc += 1;
            break;
        default:
            return 0;
        }
    }
    return 0;
}

static int valid(const SreCode *pc, const SreCode *end, Py_ssize_t groups, int depth);

/* One item that REPEAT_ONE may repeat, and its SUCCESS. */
static int
valid_item(const SreCode *pc, const SreCode *end)
{
    if (end - pc < 2 || end[-1] != OP_SUCCESS) {
        return 0;
    }
    switch (*pc) {
    case OP_ANY: case OP_ANY_ALL:
        return end - pc == 2;
    case OP_LITERAL: case OP_NOT_LITERAL: case OP_LITERAL_IGNORE: case OP_NOT_LITERAL_IGNORE:
    case OP_LITERAL_UNI_IGNORE: case OP_NOT_LITERAL_UNI_IGNORE: case OP_LITERAL_LOC_IGNORE:
    case OP_NOT_LITERAL_LOC_IGNORE:
        return end - pc == 3;
    case OP_IN: case OP_IN_IGNORE: case OP_IN_UNI_IGNORE: case OP_IN_LOC_IGNORE:
        return end - pc > 3 && pc[1] == (SreCode)(end - pc - 2) && valid_set(pc + 2, end - 1);
    default:
        return 0;
    }
}

/* Where a skip at pc leads, or NULL outside (pc, end]. */
static const SreCode *
skip_target(const SreCode *pc, const SreCode *end)
{
    return end - pc < 1 || *pc < 1 || *pc > (size_t)(end - pc) ? NULL : pc + *pc;
}

static int
valid_branch(const SreCode **cursor, const SreCode *end, Py_ssize_t groups, int depth)
{
    const SreCode *pc = *cursor, *exit = NULL;
    for (;;) {
        if (pc >= end) {
            return 0;
        }
        if (*pc == 0) {
            break;
        }
        const SreCode *next = skip_target(pc, end);
        if (next == NULL || next - pc < 3 || next[-2] != OP_JUMP
            || !valid(pc + 1, next - 2, groups, depth)) {
            return 0;
        }
        const SreCode *target = skip_target(next - 1, end);
        if (target == NULL || (exit != NULL && exit != target)) {
            return 0;
        }
        exit = target;
        pc = next;
    }
    *cursor = pc + 1;
    return exit == NULL || exit == pc + 1;
}

static int
valid_repeat(SreCode op, const SreCode **cursor, const SreCode *end, Py_ssize_t groups,
             int depth)
{
    const SreCode *pc = *cursor, *target = skip_target(pc, end);
    if (target == NULL || target - pc < 3 || pc[1] > pc[2]) {
        return 0;
    }
    if (op == OP_REPEAT || op == OP_POSSESSIVE_REPEAT) {
        if (target >= end || !valid(pc + 3, target, groups, depth)
            || !(op == OP_REPEAT ? *target == OP_MAX_UNTIL || *target == OP_MIN_UNTIL
                                 : *target == OP_SUCCESS)) {
            return 0;
        }
        target++;
    }
    else if (!valid_item(pc + 3, target)) {
        return 0;
    }
    *cursor = target;
    return 1;
}

static int
valid_conditional(const SreCode **cursor, const SreCode *end, Py_ssize_t groups, int depth)
{
    const SreCode *pc = *cursor;
    if (end - pc < 2 || pc[0] >= (size_t)groups) {
        return 0;
    }
    const SreCode *skip = pc + 1;
    /* The skip is counted from one before itself. */
    if (*skip < 2 || *skip - 1 > (size_t)(end - skip)) {
        return 0;
    }
    const SreCode *no = skip + *skip - 1, *yes_end = no;
    if (no - skip >= 3 && no[-2] == OP_JUMP && no[-1] >= 1
        && no[-1] <= (size_t)(end - (no - 1))) {
        const SreCode *over = no - 1 + no[-1];
        if (valid(skip + 1, no - 2, groups, depth) && valid(no, over, groups, depth)) {
            *cursor = over;
            return 1;
        }
    }
    if (!valid(skip + 1, yes_end, groups, depth)) {
        return 0;
    }
    *cursor = no;
    return 1;
}

static int
valid(const SreCode *pc, const SreCode *end, Py_ssize_t groups, int depth)
{
    if (pc > end || depth > MAX_NESTING || (depth && Py_EnterRecursiveCall(""))) {
        PyErr_Clear();
        return 0;
    }
    int ok = 1;
    while (ok && pc < end) {
        SreCode op = *pc++;
        const SreCode *target;
        ptrdiff_t left = end - pc;
        switch (op) {
        case OP_SUCCESS: case OP_FAILURE: case OP_ANY: case OP_ANY_ALL:
            break;
        case OP_LITERAL: case OP_NOT_LITERAL: case OP_LITERAL_IGNORE:
        case OP_NOT_LITERAL_IGNORE: case OP_LITERAL_UNI_IGNORE:
        case OP_NOT_LITERAL_UNI_IGNORE: case OP_LITERAL_LOC_IGNORE:
        case OP_NOT_LITERAL_LOC_IGNORE:
            ok = left >= 1;
            pc += 1;
            break;
        case OP_MARK:
            ok = left >= 1 && *pc < 2 * (size_t)groups;
            pc += 1;
            break;
        case OP_AT:
            ok = left >= 1 && *pc < AT__COUNT;
            pc += 1;
            break;
        case OP_CATEGORY:
            ok = left >= 1 && *pc < CH__COUNT;
            pc += 1;
            break;
        case OP_GROUPREF: case OP_GROUPREF_IGNORE: case OP_GROUPREF_UNI_IGNORE:
        case OP_GROUPREF_LOC_IGNORE:
            ok = left >= 1 && *pc < (size_t)groups;
            pc += 1;
            break;
        case OP_IN: case OP_IN_IGNORE: case OP_IN_UNI_IGNORE: case OP_IN_LOC_IGNORE:
            target = skip_target(pc, end);
            ok = target != NULL && valid_set(pc + 1, target);
            pc = target;
            break;
        case OP_INFO:
            /* Only in front of a whole pattern, where sre_valid_code checks it. */
            ok = 0;
            break;
        case OP_BRANCH:
            ok = valid_branch(&pc, end, groups, depth + 1);
            break;
        case OP_REPEAT: case OP_REPEAT_ONE: case OP_MIN_REPEAT_ONE:
        case OP_POSSESSIVE_REPEAT: case OP_POSSESSIVE_REPEAT_ONE:
            ok = valid_repeat(op, &pc, end, groups, depth + 1);
            break;
        case OP_ATOMIC_GROUP:
            target = skip_target(pc, end);
            ok = target != NULL && target - pc >= 2 && target[-1] == OP_SUCCESS
                && valid(pc + 1, target - 1, groups, depth + 1);
            pc = target;
            break;
        case OP_ASSERT: case OP_ASSERT_NOT:
            target = skip_target(pc, end);
            ok = target != NULL && target - pc >= 3 && !(pc[1] & 0x80000000)
                && target[-1] == OP_SUCCESS && valid(pc + 2, target - 1, groups, depth + 1);
            pc = target;
            break;
        case OP_GROUPREF_EXISTS:
            ok = valid_conditional(&pc, end, groups, depth + 1);
            break;
        default:
            ok = 0;
            break;
        }
        ok = ok && pc <= end;
    }
    if (depth) {
        Py_LeaveRecursiveCall();
    }
    return ok;
}

static int
valid_info(const SreCode *pc, const SreCode *end)
{
    const SreCode *target = skip_target(pc, end);
    if (target == NULL || target - pc < 4) {
        return 0;
    }
    SreCode flags = pc[1];
    if (flags & ~(SreCode)(INFO_PREFIX | INFO_LITERAL | INFO_CHARSET)
        || ((flags & INFO_PREFIX) && (flags & INFO_CHARSET))
        || ((flags & INFO_LITERAL) && !(flags & INFO_PREFIX))) {
        return 0;
    }
    pc += 4;
    if (flags & INFO_PREFIX) {
        if (target - pc < 2 || pc[0] < 1 || pc[1] > pc[0]
            || (size_t)(target - pc) != 2 + 2 * (size_t)pc[0]) {
            return 0;
        }
        const SreCode *overlap = pc + 2 + pc[0];
        for (SreCode i = 0; i < pc[0]; i++) {
            if (overlap[i] >= pc[0]) {
                return 0;
            }
        }
        return 1;
    }
    return flags & INFO_CHARSET ? valid_set(pc, target) : pc == target;
}

int
sre_valid_code(const SreCode *code, Py_ssize_t size, Py_ssize_t groups)
{
    const SreCode *end = code + size;
    if (groups < 0 || groups > SRE_MAXGROUPS || size < 1 || end[-1] != OP_SUCCESS) {
        return 0;
    }
    if (code[0] == OP_INFO) {
        if (!valid_info(code + 1, end)) {
            return 0;
        }
        code += 1 + code[1];
    }
    return valid(code, end - 1, groups, 0);
}
