/* First characters: which alternatives of a branch can begin with a character.

   A table for each branch has a bit per alternative, for each character below 256, for all others
   together, and for the end of the text. A bit that is 0 says that the alternative, together with
   all that follows it in the pattern, cannot match there; one that is 1 promises nothing. So a
   branch of many alternatives, as in a tokenizer's pattern, tries only the one or two that come
   into question, however many there are.

   A pattern has such a table itself, of one bit, and one for the character before the match, which
   patterns that begin with a look behind or with ^ ask for. A match that is tried at a place, as
   those of a tokenizer's list of patterns are, mostly ends with one look at them, and a search
   passes over where no match begins.

   A pattern that is used once would not gain what a table costs. So it is made when the pattern has
   asked for tables some times. */
#include "sre.h"

#define ASKED_OFTEN 64              /* then the pattern gets tables */
#define STEPS 4000                  /* so much of the code is looked at for one table */
#define STEPS_OF_PATTERN 20000      /* and for all of a pattern: the match waits for some 15 ms */

enum { OTHERS = SRE_OTHER_CHARACTERS, END = SRE_END_OF_TEXT };

/* What a piece of code can begin with; the last two places as in a table. */
typedef struct {
    unsigned char may[SRE_PLACES];
} First;

static void
add_characters(First *first)
{
    memset(first->may, 1, END);
}

static void
add_anything(First *first)
{
    memset(first->may, 1, SRE_PLACES);
}

/* An item that takes one character. */
static void
add_item(SrePattern *pattern, First *first, const SreCode *item)
{
    switch (item[0]) {
    case OP_LITERAL:
        first->may[Py_MIN(item[1], OTHERS)] = 1;
        return;
    case OP_LITERAL_IGNORE: case OP_LITERAL_UNI_IGNORE:
        for (Py_UCS4 ch = 0; ch < 256; ch++) {
            first->may[ch] |= (unsigned char)sre_single(item, ch);
        }
        first->may[OTHERS] = 1;
        return;
    case OP_IN: case OP_IN_IGNORE: case OP_IN_UNI_IGNORE: {
        const uint32_t *map = sre_map_of(pattern, item[0], item + 2);
        if (map != NULL) {
            for (Py_UCS4 ch = 0; ch < 256; ch++) {
                first->may[ch] |= (unsigned char)sre_map_has(map, ch);
            }
            first->may[OTHERS] = 1;
            return;
        }
        break;
    }
    default:
        break;
    }
    add_characters(first);
}

/* What is not known here can begin with anything. Tests that take no character are passed over. */
static void
add_first(SrePattern *pattern, First *first, const SreCode *pc, int *steps)
{
    for (;;) {
        if (--*steps < 0) {
            add_anything(first);
            return;
        }
        switch (pc[0]) {
        case OP_FAILURE:
            return;
        case OP_MARK: case OP_AT: case OP_ATOMIC_GROUP:
            pc += 2;
            break;
        case OP_JUMP: case OP_ASSERT: case OP_ASSERT_NOT:
            pc += 1 + pc[1];
            break;
        case OP_BRANCH:
            for (const SreCode *skip = pc + 1; *skip != 0; skip += *skip) {
                add_first(pattern, first, skip + 1, steps);
            }
            return;
        case OP_REPEAT_ONE: case OP_MIN_REPEAT_ONE: case OP_POSSESSIVE_REPEAT_ONE:
            add_item(pattern, first, pc + 4);       /* skip min max item */
            if (pc[2] > 0) {
                return;
            }
            pc += 1 + pc[1];
            break;
        case OP_REPEAT:                             /* skip min max body; UNTIL after skip */
            if (pc[2] > 0) {
                pc += 4;
                break;
            }
            add_first(pattern, first, pc + 4, steps);
            pc += 1 + pc[1] + 1;
            break;
        case OP_ANY: case OP_ANY_ALL: case OP_CATEGORY:
        case OP_IN: case OP_IN_IGNORE: case OP_IN_UNI_IGNORE: case OP_IN_LOC_IGNORE:
        case OP_LITERAL: case OP_LITERAL_IGNORE: case OP_LITERAL_UNI_IGNORE:
        case OP_LITERAL_LOC_IGNORE: case OP_NOT_LITERAL: case OP_NOT_LITERAL_IGNORE:
        case OP_NOT_LITERAL_UNI_IGNORE: case OP_NOT_LITERAL_LOC_IGNORE:
            add_item(pattern, first, pc);
            return;
        default:
            add_anything(first);
            return;
        }
    }
}

/* Returns NULL if there are too many alternatives, or no memory. */
static SreBranch *
new_table(SrePattern *pattern, const SreCode *first_skip)
{
    int n = 0, steps = STEPS;
    for (const SreCode *skip = first_skip; *skip != 0; skip += *skip) {
        if (++n > SRE_ALTERNATIVES) {
            return NULL;
        }
    }
    SreBranch *branch = PyMem_Calloc(1, sizeof(*branch));
    if (branch == NULL) {
        return NULL;
    }
    n = 0;
    for (const SreCode *skip = first_skip; *skip != 0; skip += *skip, n++) {
        First first = {{0}};
        add_first(pattern, &first, skip + 1, &steps);
        for (int place = 0; place < SRE_PLACES; place++) {
            branch->alternatives[place] |= (uint64_t)first.may[place] << n;
        }
        branch->code[n] = (uint32_t)(skip + 1 - pattern->code);
    }
    pattern->steps += STEPS - Py_MAX(steps, 0);
    return branch;
}

const SreBranch *
sre_make_branch(SrePattern *pattern, const SreCode *skip)
{
    if (pattern->asked < ASKED_OFTEN) {
        pattern->asked++;
        return NULL;
    }
    int n = pattern->nbranches;
    if (n == UINT16_MAX || pattern->steps >= STEPS_OF_PATTERN || !sre_have_numbers(pattern)) {
        return NULL;
    }
    SreBranch **branches = PyMem_Realloc(pattern->branches, (size_t)(n + 1) * sizeof(*branches));
    if (branches == NULL) {
        return NULL;
    }
    pattern->branches = branches;
    branches[n] = NULL;
    pattern->nbranches = n + 1;
    pattern->map_of[skip - pattern->code] = (uint16_t)(n + 1);
    SreBranch *branch = new_table(pattern, skip);
    if (branch != NULL) {
        branch->number = (uint32_t)n;
    }
    return pattern->branches[n] = branch;
}

/* Is it an item that takes one character and is known to the tables? */
static int
takes_one(SreCode op)
{
    switch (op) {
    case OP_LITERAL: case OP_LITERAL_IGNORE: case OP_LITERAL_UNI_IGNORE:
    case OP_IN: case OP_IN_IGNORE: case OP_IN_UNI_IGNORE:
        return 1;
    default:
        return 0;
    }
}

/* What the code says of the character before it. A test that is not known here allows any. */
static void
add_behind(SrePattern *pattern, First *behind, const SreCode *pc, int *steps)
{
    while (pc[0] == OP_MARK) {
        pc += 2;
    }
    --*steps;
    if (*steps >= 0 && pc[0] == OP_BRANCH) {
        for (const SreCode *skip = pc + 1; *skip != 0; skip += *skip) {
            add_behind(pattern, behind, skip + 1, steps);
        }
    }
    else if (*steps >= 0 && pc[0] == OP_AT
             && (pc[1] == AT_BEGINNING || pc[1] == AT_BEGINNING_STRING)) {
        behind->may[END] = 1;
    }
    else if (*steps >= 0 && pc[0] == OP_AT && pc[1] == AT_BEGINNING_LINE) {
        behind->may[END] = behind->may['\n'] = 1;
    }
    else if (*steps >= 0 && pc[0] == OP_ASSERT && pc[2] == 1 && takes_one(pc[3])) {
        add_item(pattern, behind, pc + 3);
    }
    else {
        add_anything(behind);
    }
}

const SreBegins *
sre_make_begins(SrePattern *pattern)
{
    if (pattern->begun++ < SRE_BEGINS_ASKED) {
        return NULL;
    }
    First before = {{0}}, behind = {{0}};
    int steps = STEPS;
    const SreCode *code = pattern->code;
    code += code[0] == OP_INFO ? 1 + code[1] : 0;
    add_first(pattern, &before, code, &steps);
    add_behind(pattern, &behind, code, &steps);
    /* A pattern that may begin anywhere has none. */
    if (memchr(before.may, 0, SRE_PLACES) == NULL && memchr(behind.may, 0, SRE_PLACES) == NULL) {
        return NULL;
    }
    SreBegins *begins = PyMem_Malloc(sizeof(*begins));
    if (begins != NULL) {
        memcpy(begins->before, before.may, SRE_PLACES);
        memcpy(begins->behind, behind.may, SRE_PLACES);
    }
    return pattern->begins = begins;
}

void
sre_free_branches(SrePattern *pattern)
{
    PyMem_Free(pattern->begins);
    for (int i = 0; i < pattern->nbranches; i++) {
        PyMem_Free(pattern->branches[i]);
    }
    PyMem_Free(pattern->branches);
}
