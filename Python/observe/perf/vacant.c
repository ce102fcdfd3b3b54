/* Landings of code objects that are gone.

   An address means one name for good: samples taken earlier are looked up later. So
   landings go to another code object only under the name, and with the lines, that they
   had. A program that makes the same functions again and again (exec() in a loop, classes
   made on the fly) needs no further memory for it then, and adds nothing to its map.

   A table of short chains, found by the hash of name and lines. When a chain is full its
   oldest landings are given up, so that names which never come again don't fill memory.
   The GIL guards it. */
#include "Python.h"
#include "internal/perf.h"

#ifdef SB_HAVE_TRAMPOLINE

#include <string.h>

#define CHAINS 8192
#define CHAIN_LENGTH 8

typedef struct Vacant {
    struct Vacant *next;
    _PyPerf_Landings landings;
    size_t name_size;           /* with its NUL */
    unsigned line_count;
    int32_t line[];             /* and then the name */
} Vacant;

static Vacant **chains;
static size_t vacant_count;

static const char *
name_in(const Vacant *vacant)
{
    return (const char *)&vacant->line[vacant->line_count];
}

static size_t
lines_size(const _PyPerf_Lines *lines)
{
    return lines != NULL ? lines->count * sizeof(*lines->line) : 0;
}

static Vacant **
chain_of(const char *name, size_t name_size, const _PyPerf_Lines *lines)
{
    size_t hash = (size_t)_Py_HashBytes(name, (Py_ssize_t)name_size);
    if (lines != NULL) {
        hash = 31 * hash
               + (size_t)_Py_HashBytes(lines->line, (Py_ssize_t)lines_size(lines));
    }
    return &chains[hash % CHAINS];
}

static int
is_for(const Vacant *vacant, uintptr_t tag, const char *name, size_t name_size,
       const _PyPerf_Lines *lines)
{
    return vacant->landings.tag == tag && vacant->name_size == name_size
           && vacant->line_count == (lines != NULL ? lines->count : 0)
           && memcmp(name_in(vacant), name, name_size) == 0
           && (lines == NULL
               || memcmp(vacant->line, lines->line, lines_size(lines)) == 0);
}

static void
forget(Vacant **at)
{
    Vacant *vacant = *at;
    *at = vacant->next;
    PyMem_RawFree(vacant);
    vacant_count--;
}

void
_PyPerf_Vacate(const _PyPerf_Landings *landings, const char *name,
               const _PyPerf_Lines *lines)
{
    size_t name_size = strlen(name) + 1;
    if (chains == NULL
        && (chains = PyMem_RawCalloc(CHAINS, sizeof(*chains))) == NULL) {
        return;
    }
    Vacant *vacant = PyMem_RawMalloc(sizeof(Vacant) + lines_size(lines) + name_size);
    if (vacant == NULL) {
        return;
    }
    Vacant **chain = chain_of(name, name_size, lines), **last = chain;
    for (int i = 1; *last != NULL && i < CHAIN_LENGTH; i++) {
        last = &(*last)->next;
    }
    if (*last != NULL) {
        forget(last);
    }
    vacant->next = *chain;
    vacant->landings = *landings;
    vacant->name_size = name_size;
    vacant->line_count = lines != NULL ? lines->count : 0;
    if (lines != NULL) {
        memcpy(vacant->line, lines->line, lines_size(lines));
    }
    memcpy(&vacant->line[vacant->line_count], name, name_size);
    *chain = vacant;
    vacant_count++;
}

int
_PyPerf_Occupy(_PyPerf_Landings *landings, const char *name, const _PyPerf_Lines *lines)
{
    if (vacant_count == 0) {
        return 0;
    }
    size_t name_size = strlen(name) + 1;
    Vacant **at = chain_of(name, name_size, lines);
    while (*at != NULL && !is_for(*at, landings->tag, name, name_size, lines)) {
        at = &(*at)->next;
    }
    if (*at == NULL) {
        return 0;
    }
    *landings = (*at)->landings;
    forget(at);
    return 1;
}

void
_PyPerf_LoseVacant(uintptr_t tag)
{
    for (size_t i = 0; vacant_count > 0 && i < CHAINS; i++) {
        for (Vacant *vacant = chains[i]; vacant != NULL; vacant = vacant->next) {
            vacant->landings.is_lost |=
                (vacant->landings.tag & ~SHOWN_TAG_LINES) == tag;
        }
    }
}

#endif
