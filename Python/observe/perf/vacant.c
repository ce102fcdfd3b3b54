/* Landings of code objects that have been destroyed.

   An address keeps one name for ever, because samples taken earlier are looked up later.
   So landings go to another code object only if it has the same name and lines. Then a
   program that makes the same functions again and again (exec() in a loop, classes made on
   the fly) needs no further memory for them, and adds nothing to its map.

   A table of small sets, found by the hash of the name. Most searches find nothing: a word
   of marks for each set tells that, which is in the cache or has been prefetched. When a
   set is full its oldest landings are given up, so that names which never come again don't
   fill memory. The GIL guards the table. */
#include "Python.h"
#include "internal/perf.h"

#ifdef SB_HAVE_LANDINGS

#include <string.h>

#define SETS 4096
#define SET_SIZE 8

typedef struct {
    _PyPerf_Landings landings;
    size_t name_size;
    unsigned line_count;
    int32_t line[];             /* and then the name */
} Vacant;

/* A byte for each member of a set, not 0; the newest is the lowest byte. */
typedef uint64_t Marks;
typedef Vacant *Set[SET_SIZE];

_Static_assert(sizeof(Marks) == SET_SIZE, "a mark is a byte");

static Marks *marks_of_sets;
static Set *sets;
static size_t vacant_count;

static size_t
lines_size(const _PyPerf_Lines *lines)
{
    return lines != NULL ? lines->count * sizeof(*lines->line) : 0;
}

static inline size_t
set_of(const _PyPerf_Name *name)
{
    return name->hash % SETS;
}

static Marks
mark_of(const _PyPerf_Name *name, const _PyPerf_Lines *lines)
{
    size_t hash = name->hash / SETS;
    if (lines != NULL) {
        hash = 31 * (31 * hash + lines->count) + (size_t)lines->line[0];
    }
    return hash % UINT8_MAX + 1;
}

/* Sets the high bit of each byte that equals the mark. */
static inline Marks
find_mark(Marks marks, Marks mark)
{
    const Marks each = 0x0101010101010101u, low_bits = 0x7f * each;
    Marks differences = marks ^ mark * each;
    return ~(((differences & low_bits) + low_bits) | differences | low_bits);
}

static int
is_for(const Vacant *vacant, uintptr_t mode, const _PyPerf_Name *name,
       const _PyPerf_Lines *lines)
{
    return vacant->landings.mode == mode && vacant->name_size == name->size
           && vacant->line_count == (lines != NULL ? lines->count : 0)
           && memcmp(&vacant->line[vacant->line_count], name->text, name->size) == 0
           && (lines == NULL
               || memcmp(vacant->line, lines->line, lines_size(lines)) == 0);
}

static void
forget(size_t set, size_t i)
{
    Marks marks = marks_of_sets[set], below = ((Marks)1 << 8 * i) - 1;
    marks_of_sets[set] = (marks & below) | (marks >> 8 & ~below);
    PyMem_RawFree(sets[set][i]);
    for (; i + 1 < SET_SIZE; i++) {
        sets[set][i] = sets[set][i + 1];
    }
    sets[set][i] = NULL;
    vacant_count--;
}

static void
add_first(size_t set, Marks mark, Vacant *vacant)
{
    if (sets[set][SET_SIZE - 1] != NULL) {
        forget(set, SET_SIZE - 1);
    }
    memmove(&sets[set][1], sets[set], sizeof(Set) - sizeof(*sets[set]));
    sets[set][0] = vacant;
    marks_of_sets[set] = marks_of_sets[set] << 8 | mark;
    vacant_count++;
}

static int
make_sets(void)
{
    if (marks_of_sets == NULL) {
        marks_of_sets = PyMem_RawCalloc(SETS, sizeof(Marks));
    }
    if (sets == NULL) {
        sets = PyMem_RawCalloc(SETS, sizeof(Set));
    }
    return marks_of_sets != NULL && sets != NULL ? 0 : -1;
}

void
_PyPerf_AddVacant(const _PyPerf_Landings *landings, const _PyPerf_Name *name,
               const _PyPerf_Lines *lines)
{
    if (make_sets() < 0) {
        return;
    }
    Vacant *vacant = PyMem_RawMalloc(sizeof(Vacant) + lines_size(lines) + name->size);
    if (vacant == NULL) {
        return;
    }
    vacant->landings = *landings;
    vacant->name_size = name->size;
    vacant->line_count = lines != NULL ? lines->count : 0;
    if (lines != NULL) {
        memcpy(vacant->line, lines->line, lines_size(lines));
    }
    memcpy(&vacant->line[vacant->line_count], name->text, name->size);
    add_first(set_of(name), mark_of(name, lines), vacant);
}

void
_PyPerf_PrefetchVacant(const _PyPerf_Name *name)
{
    if (vacant_count != 0) {
        __builtin_prefetch(&marks_of_sets[set_of(name)]);
    }
}

int
_PyPerf_TakeVacant(_PyPerf_Landings *landings, const _PyPerf_Name *name,
               const _PyPerf_Lines *lines)
{
    if (vacant_count == 0) {
        return 0;
    }
    size_t set = set_of(name);
    Marks found = find_mark(marks_of_sets[set], mark_of(name, lines));
    for (; found != 0; found &= found - 1) {
        size_t i = (size_t)__builtin_ctzll(found) / 8;
        if (is_for(sets[set][i], landings->mode, name, lines)) {
            *landings = sets[set][i]->landings;
            forget(set, i);
            return 1;
        }
    }
    return 0;
}

void
_PyPerf_UnpublishVacant(uintptr_t mode)
{
    for (size_t set = 0; vacant_count > 0 && set < SETS; set++) {
        for (size_t i = 0; i < SET_SIZE && sets[set][i] != NULL; i++) {
            sets[set][i]->landings.is_published &=
                (sets[set][i]->landings.mode & ~SHOWN_MODE_LINES) != mode;
        }
    }
}

#endif
