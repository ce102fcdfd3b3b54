/* Substring search. See internal/textsearch.h for the interface and search_impl.h for
   the algorithm. */
#include "internal/textsearch.h"

/* The outcome of sixteen byte comparisons: 0xff in each byte that is
   equal, in memory order. */
typedef struct {
    uint64_t low;
    uint64_t high;
} Mask;

#if PY_BIG_ENDIAN
#  define FIRST_BYTE(word) (__builtin_clzll(word) / 8)
#  define LAST_BYTE(word) (7 - __builtin_ctzll(word) / 8)
#  define BYTES_FROM(n) (~(uint64_t)0 >> (8 * (n)))
#else
#  define FIRST_BYTE(word) (__builtin_ctzll(word) / 8)
#  define LAST_BYTE(word) (7 - __builtin_clzll(word) / 8)
#  define BYTES_FROM(n) (~(uint64_t)0 << (8 * (n)))
#endif

static inline int
mask_first(Mask mask)
{
    return mask.low ? FIRST_BYTE(mask.low) : 8 + FIRST_BYTE(mask.high);
}

static inline int
mask_last(Mask mask)
{
    return mask.high ? 8 + LAST_BYTE(mask.high) : LAST_BYTE(mask.low);
}

/* Forgets the first `width` bytes that are set. */
static inline void
mask_drop_first(Mask *mask, int width)
{
    uint64_t *word = mask->low ? &mask->low : &mask->high;
    int next = FIRST_BYTE(*word) + width;
    *word = next >= 8 ? 0 : *word & BYTES_FROM(next);
}

typedef Py_UCS1 Vector1 __attribute__((vector_size(16)));
typedef Py_UCS2 Vector2 __attribute__((vector_size(16)));
typedef Py_UCS4 Vector4 __attribute__((vector_size(16)));

#define UNIT Py_UCS1
#define VECTOR Vector1
#define UNIT_NAME(name) name##_1
#include "search_impl.h"
#undef UNIT
#undef VECTOR
#undef UNIT_NAME

#define UNIT Py_UCS2
#define VECTOR Vector2
#define UNIT_NAME(name) name##_2
#include "search_impl.h"
#undef UNIT
#undef VECTOR
#undef UNIT_NAME

#define UNIT Py_UCS4
#define VECTOR Vector4
#define UNIT_NAME(name) name##_4
#include "search_impl.h"
#undef UNIT
#undef VECTOR
#undef UNIT_NAME

#define DISPATCH(kind, function, ...)           \
    ((kind) == 1 ? function##_1(__VA_ARGS__)    \
     : (kind) == 2 ? function##_2(__VA_ARGS__)  \
     : function##_4(__VA_ARGS__))

/* memchr() finds a character's low byte faster than a loop over units can, if there are
   few others with this byte. Not a part of its caller, whose usual text is short and narrow. */
#define FAR 64

static __attribute__((noinline)) Py_ssize_t
find_by_low_byte(const Py_UCS2 *hay, Py_ssize_t n, Py_UCS2 ch)
{
    Py_ssize_t i = 0;
    while (n - i >= FAR) {
        const Py_UCS2 *from = hay + i;
        const void *found = memchr(from, ch & 0xff, (size_t)(n - i) * sizeof(*hay));
        if (found == NULL) {
            return -1;
        }
        const Py_ssize_t at = ((const char *)found - (const char *)from) / 2;
        if (from[at] == ch) {
            return i + at;
        }
        i += at + 1;
        if (at < FAR) {
            break;
        }
    }
    const Py_ssize_t at = find_unit_2(hay + i, n - i, ch);
    return at < 0 ? -1 : i + at;
}

Py_ssize_t
_PyText_FindChar(int kind, const void *hay, Py_ssize_t n, Py_UCS4 ch)
{
    if (kind == 1) {
        if (ch > 0xff) {
            return -1;
        }
        if (n < 16) {
            return find_unit_1(hay, n, (Py_UCS1)ch);
        }
        const char *found = memchr(hay, (int)ch, (size_t)n);
        return found ? found - (const char *)hay : -1;
    }
    if (kind == 2) {
        return ch > 0xffff ? -1 : find_by_low_byte(hay, n, (Py_UCS2)ch);
    }
    return find_unit_4(hay, n, ch);
}

Py_ssize_t
_PyText_RFindChar(int kind, const void *hay, Py_ssize_t n, Py_UCS4 ch)
{
    if (kind == 1) {
        return ch > 0xff ? -1 : rfind_unit_1(hay, n, (Py_UCS1)ch);
    }
    if (kind == 2) {
        return ch > 0xffff ? -1 : rfind_unit_2(hay, n, (Py_UCS2)ch);
    }
    return rfind_unit_4(hay, n, ch);
}

static inline Py_UCS4
first_unit(int kind, const void *needle)
{
    return PyUnicode_READ(kind, needle, 0);
}

void
_PyText_FinderInit(_PyTextFinder *f, int kind, const void *needle,
                   Py_ssize_t m)
{
    *f = (_PyTextFinder){.needle = needle, .len = m, .kind = kind};
}

Py_ssize_t
_PyText_FinderMany(_PyTextFinder *f, const void *hay, Py_ssize_t n,
                   Py_ssize_t *out, Py_ssize_t room)
{
    if (n < f->len) {
        return 0;
    }
    return f->kind == 1 ? find_many_1(f, hay, n, out, room)
        : f->kind == 2 ? find_many_2(f, hay, n, out, room)
        : find_many_4(f, hay, n, out, room);
}

/* For fewer units, preparing a search costs more than it saves. */
#define SHORT_TEXT 32

Py_ssize_t
_PyText_Find(int kind, const void *hay, Py_ssize_t n,
             const void *needle, Py_ssize_t m)
{
    if (m == 0) {
        return 0;
    }
    if (n < m) {
        return -1;
    }
    if (m == 1) {
        return _PyText_FindChar(kind, hay, n, first_unit(kind, needle));
    }
    if (n < SHORT_TEXT) {
        return DISPATCH(kind, find_plainly, hay, n, needle, m);
    }
    _PyTextFinder f;
    Py_ssize_t at;
    f.needle = needle;
    f.len = m;
    f.kind = kind;
    f.two_way = 0;
    return _PyText_FinderMany(&f, hay, n, &at, 1) ? at : -1;
}

Py_ssize_t
_PyText_RFind(int kind, const void *hay, Py_ssize_t n,
              const void *needle, Py_ssize_t m)
{
    if (n < m) {
        return -1;
    }
    if (m == 0) {
        return n;
    }
    if (m == 1) {
        return _PyText_RFindChar(kind, hay, n, first_unit(kind, needle));
    }
    return DISPATCH(kind, rfind, hay, n, needle, m);
}

Py_ssize_t
_PyText_Count(int kind, const void *hay, Py_ssize_t n,
              const void *needle, Py_ssize_t m, Py_ssize_t maxcount)
{
    if (maxcount <= 0) {
        return 0;
    }
    if (m == 0) {
        return n < maxcount ? n + 1 : maxcount;
    }
    if (m == 1) {
        const Py_UCS4 ch = first_unit(kind, needle);
        Py_ssize_t count = DISPATCH(kind, count_unit, hay, n, ch);
        return count < maxcount ? count : maxcount;
    }
    _PyTextFinder f;
    _PyText_FinderInit(&f, kind, needle, m);
    Py_ssize_t count = 0, found, places[64];
    const char *p = hay;
    do {
        found = _PyText_FinderMany(&f, p, n, places,
                                   Py_ARRAY_LENGTH(places));
        if (found > 0) {
            Py_ssize_t done = places[found - 1] + m;
            p += done * kind;
            n -= done;
        }
        count += found;
    } while (found == (Py_ssize_t)Py_ARRAY_LENGTH(places)
             && count < maxcount);
    return Py_MIN(count, maxcount);
}
