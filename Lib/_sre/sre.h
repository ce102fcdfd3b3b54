/* The regular expression engine: what the files of _sre share.

   re._compiler emits an array of 32-bit codes; constants.def names them in the order in
   which re._constants numbers them. Matching is done by a machine with a program counter,
   a position, and ONE backtrack stack (match.h). There is no recursion in C, so no
   pattern or text can overflow the C stack. Everything that matching changes (marks,
   repeat counts) is logged on that stack, so that going back to a choice restores the
   state exactly. */
#ifndef SB_LIB_SRE_H
#define SB_LIB_SRE_H

#include "Python.h"

#include <stddef.h>

#define SRE_MAGIC 20220615
typedef uint32_t SreCode;
#define SRE_MAXREPEAT ((SreCode)~0u)
#define SRE_MAXGROUPS ((Py_ssize_t)(INT32_MAX / 2))

enum {
#define OP(name) OP_##name,
#define AT(name)
#define CH(name)
#include "constants.def"
#undef OP
#undef AT
#undef CH
    OP__COUNT
};
enum {
#define OP(name)
#define AT(name) AT_##name,
#define CH(name)
#include "constants.def"
#undef OP
#undef AT
#undef CH
    AT__COUNT
};
enum {
#define OP(name)
#define AT(name)
#define CH(name) CH_##name,
#include "constants.def"
#undef OP
#undef AT
#undef CH
    CH__COUNT
};

enum { FLAG_TEMPLATE = 1, FLAG_IGNORECASE = 2, FLAG_LOCALE = 4, FLAG_MULTILINE = 8,
       FLAG_DOTALL = 16, FLAG_UNICODE = 32, FLAG_VERBOSE = 64, FLAG_DEBUG = 128,
       FLAG_ASCII = 256 };
enum { INFO_PREFIX = 1, INFO_LITERAL = 2, INFO_CHARSET = 4 };

/* Which of the characters below 256 an item takes: one bit each. Made when a match first
   meets the item. */
typedef uint32_t SreMap[8];

/* Which alternatives of a branch can begin with a character, a bit each (first.c). */
#define SRE_ALTERNATIVES 64
enum { SRE_OTHER_CHARACTERS = 256, SRE_END_OF_TEXT, SRE_PLACES };
#define SRE_PLACE_OF(ch) ((ch) > 255 ? (Py_UCS4)SRE_OTHER_CHARACTERS : (Py_UCS4)(ch))
typedef struct {
    uint64_t alternatives[SRE_PLACES];
    uint32_t code[SRE_ALTERNATIVES];        /* where each begins in the pattern's code */
    uint32_t number;                        /* among the pattern's branches */
} SreBranch;

typedef struct {
    PyObject_VAR_HEAD
    Py_ssize_t groups;          /* must be first: MemberDef */
    PyObject *groupindex;       /* dict */
    PyObject *indexgroup;       /* tuple */
    PyObject *pattern;          /* or None */
    int flags;
    PyObject *weakreflist;
    int isbytes;                /* 1 bytes, 0 str, -1 no pattern: either */
    uint16_t *map_of;           /* for each code where a set or a branch begins: 1 + the number of
                                   its map or table, or 0. NULL: none yet */
    SreMap *maps;
    int nmaps;
    SreBranch **branches;       /* NULL: a branch that gets no table */
    int nbranches;
    int asked;                  /* how often for a table that there was not */
    int steps;                  /* that making tables has cost */
    struct SreBegins *begins;   /* where a match may begin; NULL: not known */
    int begun;                  /* how often that was asked while it was not known */
    Py_ssize_t codesize;
    SreCode code[1];
} SrePattern;

typedef struct {
    PyObject_VAR_HEAD
    PyObject *string;           /* None while a sub() callback is outlived */
    PyObject *regs;             /* cached tuple of spans, or NULL */
    SrePattern *pattern;
    Py_ssize_t pos, endpos, lastindex;
    Py_ssize_t groups;          /* group 0 included */
    Py_ssize_t mark[1];         /* start, end of each group; -1 */
} SreMatch;

/* One open REPEAT … UNTIL. */
typedef struct SreRepeat {
    const SreCode *code;        /* at skip, min, max */
    Py_ssize_t count;           /* completed iterations, -1 before the first */
    const void *last;           /* where the last iteration began */
    struct SreRepeat *prev;     /* the enclosing one, or next in the free list */
} SreRepeat;

typedef struct {
    uint32_t kind;
    uint32_t index;
    intptr_t a, b;
} SreEntry;

/* What most matches need is in the state itself. */
#define SRE_FEW_ENTRIES 16
#define SRE_FEW_MARKS 12

typedef struct {
    PyObject *string;           /* owned */
    SrePattern *pattern;        /* borrowed */
    Py_buffer buffer;           /* of a bytes-like object */
    int isbytes, charsize;
    Py_ssize_t pos, endpos;     /* as clipped */
    const void *beginning, *start, *end;    /* a match may be asked for behind the end */
    const void *limit;          /* of the whole text */
    const void *ptr;            /* end of the match */
    int match_all, must_advance, debug;
    Py_ssize_t lastmark, lastindex;
    const void **mark;
    Py_ssize_t nmarks;
    SreRepeat *repeat;          /* innermost open one */
    SreRepeat *free_repeats;
    void *repeat_blocks;
    SreEntry *stack;
    size_t used, allocated;
    Py_ssize_t barrier;         /* stack index of the innermost sub-match, -1 */
    unsigned ticks;             /* until signals are looked at */
    /* Not cleared in the beginning: */
    const void *few_marks[SRE_FEW_MARKS];
    SreEntry few_entries[SRE_FEW_ENTRIES];
} SreState;

/* Prepares a state for text of any kind; NULL with TypeError. The state owns what it
   needs until sre_state_fini. */
int sre_state_init(SreState *state, SrePattern *pattern, PyObject *string, Py_ssize_t start,
                   Py_ssize_t end);
void sre_state_fini(SreState *state);
/* Resets the state for another attempt. */
void sre_state_reset(SreState *state);

/* 1 match, 0 none, -1 with an exception. Begins at state->start; search moves
   it to where the match begins. */
int sre_match(SreState *state, const SreCode *code);
int sre_search(SreState *state, const SreCode *code);

/* Is the character in the set that the code describes, FAILURE-terminated? */
int sre_charset(const SreCode *set, Py_UCS4 ch);
int sre_category(SreCode category, Py_UCS4 ch);
/* Does an item of one character take this one? It begins with its opcode. */
int sre_single(const SreCode *item, Py_UCS4 ch);
/* Returns the map of the set after the opcode `op`, or NULL if the set depends on the
   locale or there is no memory. */
const uint32_t *sre_make_map(SrePattern *pattern, SreCode op, const SreCode *set);

/* Makes room for the numbers of maps and tables; 0 when there is none. */
int sre_have_numbers(SrePattern *pattern);

static inline int
sre_number_at(const SrePattern *pattern, const SreCode *code)
{
    return pattern->map_of != NULL ? pattern->map_of[code - pattern->code] : 0;
}

static inline const uint32_t *
sre_map_of(SrePattern *pattern, SreCode op, const SreCode *set)
{
    int number = sre_number_at(pattern, set);
    return number != 0 ? pattern->maps[number - 1] : sre_make_map(pattern, op, set);
}

static inline const uint32_t *
sre_map(const SreState *state, SreCode op, const SreCode *set)
{
    return sre_map_of(state->pattern, op, set);
}

/* The table of a branch whose first alternative's skip this is, or NULL. */
const SreBranch *sre_make_branch(SrePattern *pattern, const SreCode *skip);
void sre_free_branches(SrePattern *pattern);

/* Where a match may begin. 0: certainly not before this character, or at the end of the text; and
   not behind this one, or at the text's beginning, whose place is that of the end. */
typedef struct SreBegins {
    unsigned char before[SRE_PLACES], behind[SRE_PLACES];
} SreBegins;

/* NULL: nothing is known. */
const SreBegins *sre_make_begins(SrePattern *pattern);
#define SRE_BEGINS_ASKED 24         /* so often before the table is made */

static inline const SreBegins *
sre_begins(SrePattern *pattern)
{
    return pattern->begins != NULL || pattern->begun > SRE_BEGINS_ASKED
           ? pattern->begins : sre_make_begins(pattern);
}

static inline const SreBranch *
sre_branch(const SreState *state, const SreCode *skip)
{
    SrePattern *pattern = state->pattern;
    int number = sre_number_at(pattern, skip);
    return number != 0 ? pattern->branches[number - 1] : sre_make_branch(pattern, skip);
}

/* Can the map, which may be NULL, answer for the character? */
static inline int
sre_map_covers(const uint32_t *map, Py_UCS4 ch)
{
    return map != NULL && ch < 256;
}

static inline int
sre_map_has(const uint32_t *map, Py_UCS4 ch)
{
    return map[ch >> 5] >> (ch & 31) & 1;
}

/* Like sre_charset() and sre_single(), but uses the map where there is one. */
static inline int
sre_in_set(const SreState *state, SreCode op, const SreCode *set, Py_UCS4 ch)
{
    const uint32_t *map = ch < 256 ? sre_map(state, op, set) : NULL;
    return map != NULL ? sre_map_has(map, ch)
           : op == OP_IN ? sre_charset(set, ch) : sre_single(set - 2, ch);
}
Py_UCS4 sre_lower_ascii(Py_UCS4 ch);
Py_UCS4 sre_lower_locale(Py_UCS4 ch);

/* 1 when the machine may run the code. */
int sre_valid_code(const SreCode *code, Py_ssize_t size, Py_ssize_t groups);

#endif
