/* Names as profilers may show them.

   A program chooses the names of its functions and files freely. A line break would begin
   a new entry in a map, or a new stack frame in the output of perf and gdb, and a terminal
   obeys control characters. So control characters of ASCII and Latin 1, and Unicode's line
   and paragraph separators, become '?'; a name keeps its size. */
#include "Python.h"
#include "internal/perf.h"

#include <string.h>

/* Copies eight bytes. Are all of them printable ASCII? */
static inline int
copy_printable(char *to, const char *from)
{
    const uint64_t each = 0x0101010101010101u;
    uint64_t bytes;
    memcpy(&bytes, from, sizeof(bytes));
    memcpy(to, &bytes, sizeof(bytes));
    /* The high bit is set for each byte that is above 0x7f, below 0x20, or 0x7f. */
    uint64_t strange = bytes | (bytes - 0x20 * each) | ((bytes ^ 0x7f * each) - each);
    return (strange & 0x80 * each) == 0;
}

void
_PyPerf_CopyName(char *to, const char *name, size_t size)
{
    const unsigned char *s = (const unsigned char *)name;
    size_t i = 0;
    while (i + 8 <= size && copy_printable(to + i, name + i)) {
        i += 8;
    }
    if (i + 8 > size && size >= 8 && copy_printable(to + size - 8, name + size - 8)) {
        return;
    }
    for (; i < size; i++) {
        size_t bad = s[i] < 0x20 || s[i] == 0x7f ? 1 : 0;
        if (s[i] == 0xc2 && i + 1 < size && s[i + 1] >= 0x80 && s[i + 1] < 0xa0) {
            bad = 2;
        }
        else if (s[i] == 0xe2 && i + 2 < size && s[i + 1] == 0x80
                 && (s[i + 2] == 0xa8 || s[i + 2] == 0xa9)) {
            bad = 3;
        }
        if (bad == 0) {
            to[i] = (char)s[i];
            continue;
        }
        memset(to + i, '?', bad);
        i += bad - 1;
    }
}
