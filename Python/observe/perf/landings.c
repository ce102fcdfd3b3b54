/* A code object's landings: where they lie, and under which name.

   Without lines a code object has one landing, and its trampoline word is that
   landing's address; with lines it has one for each line, and the word is the address
   of a table that the VM looks lines up in (_PyCodeLines).

   A word of another backend, or with lines where they were without, is kept in
   code->landings: so whoever switches back and forth adds no entries. A code object that
   has landings keeps them; a backend that begins a new file, as in a forked child, is
   told of them again. `landed` lists these code objects; the GIL guards it. */
#include "Python.h"
#include "internal/code.h"
#include "internal/code_tables.h"
#include "internal/perf.h"
#include "internal/vm.h"

#ifdef SB_HAVE_TRAMPOLINE

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A member of the list code->landings; the table of lines, if there is one, lies
   16-byte aligned behind it. */
typedef struct Kept {
    struct Kept *next;
    uintptr_t word;             /* with its tag */
    char *base;                 /* the first landing */
    uintptr_t is_lost;          /* the backend has to be told again */
} Kept;

_Static_assert(sizeof(Kept) % 16 == 0, "the table has room for tags");

static PyVMCode *landed;

/* -------------------------------------------------------------------- names */

/* The UTF-8 text of a name, with what can't be encoded escaped. Borrowed from
   `op` or from *owner, a new reference or NULL. NULL with an exception set. */
static const char *
text_of(PyObject *op, Py_ssize_t *size, PyObject **owner)
{
    *owner = NULL;
    const char *text = PyUnicode_AsUTF8AndSize(op, size);
    if (text == NULL) {
        PyErr_Clear();
        *owner = PyUnicode_AsEncodedString(op, "utf-8", "backslashreplace");
        if (*owner != NULL) {
            text = PyBytes_AS_STRING(*owner);
            *size = PyBytes_GET_SIZE(*owner);
        }
    }
    return text;
}

/* Copies text; a NUL in it would end the name. */
static char *
put_text(char *to, const char *text, Py_ssize_t size)
{
    memcpy(to, text, (size_t)size);
    for (char *nul; (nul = memchr(to, '\0', (size_t)size)) != NULL;) {
        *nul = '?';
    }
    return to + size;
}

#define SHORT_NAME 512

/* py::QUALNAME:FILE, in `buffer` if it is short enough, or NULL. `file_at`: where in it
   the file begins. */
static char *
name_of(PyVMCode *code, char buffer[SHORT_NAME], size_t *file_at)
{
    PyObject *own1 = NULL, *own2 = NULL;
    Py_ssize_t n1 = 0, n2 = 0;
    const char *qualname = text_of(code->ob.co_qualname, &n1, &own1);
    const char *file = text_of(code->ob.co_filename, &n2, &own2);
    char *name = NULL;
    if (qualname != NULL && file != NULL) {
        size_t need = (size_t)n1 + (size_t)n2 + sizeof("py:::");
        name = need <= SHORT_NAME ? buffer : PyMem_RawMalloc(need);
    }
    if (name != NULL) {
        char *p = put_text(name, "py::", 4);
        p = put_text(p, qualname, n1);
        *p++ = ':';
        *file_at = (size_t)(p - name);
        p = put_text(p, file, n2);
        *p = '\0';
    }
    Py_XDECREF(own1);
    Py_XDECREF(own2);
    return name;
}

/* -------------------------------------------------------------------- lines */

/* The line of each instruction word; words without one have that of the word
   before, or of the first that has one. A PyMem_RawMalloc() block, or NULL. */
static int32_t *
lines_of_words(PyVMCode *code)
{
    int32_t *lines = PyMem_RawMalloc(Py_MAX(code->ninstr, 1) * sizeof(*lines));
    if (lines == NULL) {
        return NULL;
    }
    PyLocationWalk walk;
    uint32_t at = 0, first = 0;
    int32_t last = code->ob.co_firstlineno;
    _PyLocation_Start(&walk, &code->ob);
    while (_PyLocation_Next(&walk)) {
        if (walk.line >= 0) {
            last = walk.line;
        }
        else if (first == at) {
            first += (uint32_t)walk.words;
        }
        for (int i = 0; i < walk.words && at < code->ninstr; i++) {
            lines[at++] = last;
        }
    }
    for (; at < code->ninstr; at++) {
        lines[at] = last;
    }
    for (uint32_t i = 0; i < first && first < code->ninstr; i++) {
        lines[i] = lines[first];
    }
    return lines;
}

static int
compare_lines(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Each line once, in order: a PyMem_RawMalloc() block, or NULL. */
static int32_t *
distinct_lines(const int32_t *lines, uint32_t n, unsigned *count)
{
    int32_t *result = PyMem_RawMalloc(Py_MAX(n, 1) * sizeof(*result));
    if (result == NULL) {
        return NULL;
    }
    unsigned kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || lines[i] != lines[i - 1]) {
            result[kept++] = lines[i];
        }
    }
    qsort(result, kept, sizeof(*result), compare_lines);
    unsigned n_distinct = 0;
    for (unsigned i = 0; i < kept; i++) {
        if (i == 0 || result[i] != result[i - 1]) {
            result[n_distinct++] = result[i];
        }
    }
    *count = n_distinct;
    return result;
}

/* The table for the VM, in a new member of the list, or NULL. */
static Kept *
table_of_lines(PyVMCode *code, char *base, const int32_t *of_word,
               const _PyPerf_Lines *lines)
{
    size_t n = code->ninstr;
    Kept *kept = PyMem_RawMalloc(sizeof(Kept) + sizeof(_PyCodeLines)
                                 + n * sizeof(void *));
    if (kept == NULL) {
        return NULL;
    }
    _PyCodeLines *table = (_PyCodeLines *)(kept + 1);
    kept->base = base;
    kept->is_lost = 0;
    table->distance = (char *)table->landing - (char *)code->code;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && of_word[i] == of_word[i - 1]) {
            table->landing[i] = table->landing[i - 1];
            continue;
        }
        const int32_t *found = bsearch(&of_word[i], lines->line, lines->count,
                                       sizeof(int32_t), compare_lines);
        table->landing[i] = base + (found - lines->line) * PERF_LANDING_SIZE
                            + RECORD_LANDING_OFFSET;
    }
    return kept;
}

/* -------------------------------------------------------------- publication */

/* Landings for a code object, those of `lost` or new ones: its trampoline word without
   the tag, or 0 with errno set. */
static uintptr_t
publish(const _PyPerf_Backend *backend, const char *name, const Kept *lost)
{
    char *landing = lost != NULL
                    ? lost->base
                    : _PyPerf_NewLandings(PERF_LANDING_SIZE + backend->behind);
    if (landing == NULL
        || backend->publish(landing, PERF_LANDING_SIZE, name, NULL) < 0) {
        return 0;
    }
    return (uintptr_t)landing;
}

/* Landings and a table for these lines, kept under the word that is the result, or 0. */
static uintptr_t
publish_new_lines(PyVMCode *code, const _PyPerf_Backend *backend, uintptr_t tag,
                  const char *name, const int32_t *of_word, const _PyPerf_Lines *lines)
{
    size_t size = (size_t)lines->count * PERF_LANDING_SIZE;
    char *base = _PyPerf_NewLandings(size + backend->behind);
    if (base == NULL) {
        return 0;
    }
    Kept *kept = table_of_lines(code, base, of_word, lines);
    if (kept == NULL) {
        errno = ENOMEM;
        return 0;
    }
    if (backend->publish(base, (unsigned int)size, name, lines) < 0) {
        int reason = errno;
        PyMem_RawFree(kept);
        errno = reason;
        return 0;
    }
    uintptr_t word = (uintptr_t)(kept + 1);
    kept->word = word | tag;
    kept->next = code->landings;
    code->landings = kept;
    return word;
}

static uintptr_t
publish_lines(PyVMCode *code, const _PyPerf_Backend *backend, uintptr_t tag,
              const char *name, const char *file, const Kept *lost)
{
    uintptr_t word = 0;
    _PyPerf_Lines lines = {.file = file};
    int32_t *of_word = lines_of_words(code), *distinct = NULL;
    errno = ENOMEM;
    if (of_word != NULL) {
        distinct = distinct_lines(of_word, code->ninstr, &lines.count);
    }
    if (distinct != NULL) {
        lines.line = distinct;
        if (lost == NULL) {
            word = publish_new_lines(code, backend, tag, name, of_word, &lines);
        }
        else if (backend->publish(lost->base, lines.count * PERF_LANDING_SIZE, name,
                                  &lines) == 0) {
            word = lost->word - tag;
        }
    }
    int reason = errno;
    PyMem_RawFree(of_word);
    PyMem_RawFree(distinct);
    errno = reason;
    return word;
}

static uintptr_t
publish_by_name(PyVMCode *code, const _PyPerf_Backend *backend, uintptr_t tag,
                const Kept *lost)
{
    char buffer[SHORT_NAME];
    size_t file_at = 0;
    PyObject *type, *value, *traceback;
    uintptr_t word = 0;
    PyErr_Fetch(&type, &value, &traceback);
    char *name = name_of(code, buffer, &file_at);
    errno = ENOMEM;
    if (name != NULL) {
        word = tag & SHOWN_TAG_LINES
               ? publish_lines(code, backend, tag, name, name + file_at, lost)
               : publish(backend, name, lost);
    }
    int reason = errno;
    if (name != buffer) {
        PyMem_RawFree(name);
    }
    PyErr_Restore(type, value, traceback);
    errno = reason;
    return word;
}

/* ------------------------------------------------------------ what was before */

static Kept *
find_kept(PyVMCode *code, uintptr_t tag)
{
    Kept *kept = code->landings;
    while (kept != NULL && (kept->word & SHOWN_TAG_MASK) != tag) {
        kept = kept->next;
    }
    return kept;
}

/* Another word takes the place of the present one. If there is no memory to keep
   it, it is published again should it be wanted. */
static void
keep_present(PyVMCode *code)
{
    uintptr_t word = (uintptr_t)code->trampoline, tag = word & SHOWN_TAG_MASK;
    if (word == 0 || (tag & SHOWN_TAG_LINES) || find_kept(code, tag) != NULL) {
        return;
    }
    Kept *kept = PyMem_RawMalloc(sizeof(Kept));
    if (kept != NULL) {
        *kept = (Kept){code->landings, word, (char *)(word - tag), 0};
        code->landings = kept;
    }
}

/* Keeps the word, if its tag is of this backend, where it can be marked as lost. */
static void
forget_word(PyVMCode *code, uintptr_t backend_tag)
{
    uintptr_t tag = (uintptr_t)code->trampoline & SHOWN_TAG_MASK;
    if ((tag & ~SHOWN_TAG_LINES) != backend_tag) {
        return;
    }
    keep_present(code);
    code->trampoline = find_kept(code, tag) != NULL
                       ? (void *)((uintptr_t)code->trampoline | SHOWN_TAG_NONE) : NULL;
}

void
_PyPerf_PublishAgain(const _PyPerf_Backend *backend)
{
    uintptr_t tag = _PyPerf_TagOf(backend);
    for (PyVMCode *code = landed; code != NULL; code = code->next_landed) {
        forget_word(code, tag);
        for (Kept *kept = code->landings; kept != NULL; kept = kept->next) {
            kept->is_lost |= (kept->word & SHOWN_TAG_MASK & ~SHOWN_TAG_LINES) == tag;
        }
    }
}

static void
add_to_list(PyVMCode *code)
{
    if (code->landed_at == NULL) {
        code->next_landed = landed;
        code->landed_at = &landed;
        if (landed != NULL) {
            landed->landed_at = &code->next_landed;
        }
        landed = code;
    }
}

int
_PyPerf_MakeLandings(PyVMCode *code, const _PyPerf_Backend *backend, uintptr_t tag)
{
    if (((uintptr_t)code->trampoline & SHOWN_TAG_MASK) != tag) {
        Kept *kept = find_kept(code, tag);
        uintptr_t word = kept != NULL && !kept->is_lost
                         ? kept->word - tag : publish_by_name(code, backend, tag, kept);
        if (word == 0) {
            return -1;
        }
        if (kept != NULL) {
            kept->is_lost = 0;
        }
        add_to_list(code);
        keep_present(code);
        code->trampoline = (void *)(word | tag);
    }
    if (!(tag & SHOWN_TAG_LINES) && code->lines_marked) {
        _PyVM_UnmarkLines(code);
    }
    else if ((tag & SHOWN_TAG_LINES) && !code->lines_marked) {
        uintptr_t word = (uintptr_t)code->trampoline - tag;
        _PyVM_MarkLines(code, (const _PyCodeLines *)word);
    }
    return 0;
}

#endif
