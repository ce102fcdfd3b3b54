/* A code object's landings: where they lie, and under which name.

   Without lines a code object has one landing, and code->landing is its address; with lines
   it has one for each line, and code->landing is the address of a table that the VM looks
   lines up in (_PyCodeLines). Its low bits are the mode.

   When the mode changes, the landings of the earlier mode are kept in code->kept_landings, so
   that switching back and forth adds no entries. A code object keeps its landings until it is
   destroyed; then they are vacant, for the next one of its name (vacant.c). When a backend
   begins a new file, as in a forked child, they are published again. The GIL guards
   everything here. */
#include "Python.h"
#include "internal/code.h"
#include "internal/code_tables.h"
#include "internal/jit.h"
#include "internal/perf.h"
#include "internal/vm.h"

#ifdef SB_HAVE_LANDINGS

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A member of the list code->kept_landings; the table of lines, if there is one, follows it,
   16-byte aligned. */
typedef struct Kept {
    struct Kept *next;
    uintptr_t landing;          /* code->landing in that mode */
    char *base;                 /* the first landing */
    uintptr_t is_published;     /* 0: they have to be published again */
} Kept;

_Static_assert(sizeof(Kept) % 16 == 0, "the table has room for modes");

/* The list of code objects with landings. */
static PyVMCode *first_with_landings;

/* -------------------------------------------------------------------- names */

#define NAME_PREFIX "py::"
#define SHORT_NAME 512

/* A name's text, borrowed from the string or from `owner`, a new reference or NULL. */
typedef struct {
    const char *text;           /* NULL: no memory */
    size_t size;
    PyObject *owner;
} Text;

/* UTF-8 text; what can't be encoded is escaped. Keeps an exception that is set. */
static Text
encoded(PyObject *op)
{
    PyObject *type, *value, *traceback;
    Text result = {0};
    PyErr_Fetch(&type, &value, &traceback);
    result.owner = PyUnicode_AsEncodedString(op, "utf-8", "backslashreplace");
    PyErr_Restore(type, value, traceback);
    if (result.owner != NULL) {
        result.text = PyBytes_AS_STRING(result.owner);
        result.size = (size_t)PyBytes_GET_SIZE(result.owner);
    }
    return result;
}

static inline Text
text_of(PyObject *op)
{
    if (!PyUnicode_IS_COMPACT_ASCII(op)) {
        return encoded(op);
    }
    return (Text){PyUnicode_DATA(op), (size_t)PyUnicode_GET_LENGTH(op), NULL};
}

/* PREFIX QUALNAME : FILE and a NUL. */
static void
join_name(char *name, Text qualname, Text file)
{
    memcpy(name, NAME_PREFIX, strlen(NAME_PREFIX));
    char *p = name + strlen(NAME_PREFIX);
    _PyPerf_CopyName(p, qualname.text, qualname.size);
    p += qualname.size;
    *p++ = ':';
    _PyPerf_CopyName(p, file.text, file.size);
    p[file.size] = '\0';
}

/* The name of a code object, in `buffer` if it is short enough; name->text NULL: no memory.
   `file_at`: where in it the file begins. */
static void
name_of(PyVMCode *code, char buffer[SHORT_NAME], _PyPerf_Name *name, size_t *file_at)
{
    name->hash = 31 * (size_t)PyUnicode_Type.tp_hash(code->ob.co_qualname)
                 + (size_t)PyUnicode_Type.tp_hash(code->ob.co_filename);
    _PyPerf_PrefetchVacant(name);
    Text qualname = text_of(code->ob.co_qualname), file = text_of(code->ob.co_filename);
    char *text = NULL;
    *file_at = strlen(NAME_PREFIX) + qualname.size + 1;
    name->size = *file_at + file.size;
    if (qualname.text != NULL && file.text != NULL) {
        text = name->size < SHORT_NAME ? buffer : PyMem_RawMalloc(name->size + 1);
    }
    if (text != NULL) {
        join_name(text, qualname, file);
    }
    name->text = text;
    Py_XDECREF(qualname.owner);
    Py_XDECREF(file.owner);
}

/* -------------------------------------------------------------------- lines */

/* The line of each instruction word. A word without a line has that of the word
   before it, or of the first word that has one. */
static void
lines_of_words(PyVMCode *code, int32_t *lines)
{
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
}

static int
compare_lines(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static const int32_t *
find_line(int32_t line, const int32_t *lines, unsigned count)
{
    return bsearch(&line, lines, count, sizeof(line), compare_lines);
}

/* Stores each of n lines once, in order, and returns how many they are. Most code goes back
   only to lines that it has passed, so that there is nothing to sort. */
static unsigned
distinct_lines(const int32_t *lines, uint32_t n, int32_t *distinct)
{
    unsigned count = 0, sorted = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0 && lines[i] == lines[i - 1]) {
            continue;
        }
        if (count == sorted && (count == 0 || lines[i] > distinct[count - 1])) {
            sorted++;
        }
        else if (find_line(lines[i], distinct, sorted) != NULL) {
            continue;
        }
        distinct[count++] = lines[i];
    }
    if (count == sorted) {
        return count;
    }
    qsort(distinct, count, sizeof(*distinct), compare_lines);
    unsigned kept = 1;
    for (unsigned i = 1; i < count; i++) {
        if (distinct[i] != distinct[kept - 1]) {
            distinct[kept++] = distinct[i];
        }
    }
    return kept;
}

/* ------------------------------------------------------------- descriptions */

/* What is published about a code object. Large descriptions are allocated. */
#define FEW_WORDS 128
typedef struct {
    _PyPerf_Name name;
    int32_t *line_of_word;      /* NULL: without lines */
    _PyPerf_Lines lines;
    char short_name[SHORT_NAME];
    int32_t few_words[2 * FEW_WORDS];
} Description;

static void
free_description(Description *d)
{
    int reason = errno;
    if (d->name.text != d->short_name) {
        PyMem_RawFree((char *)d->name.text);
    }
    if (d->line_of_word != d->few_words) {
        PyMem_RawFree(d->line_of_word);
    }
    errno = reason;
}

/* 0, or -1 without memory. Keeps an exception that is set. */
static int
describe(PyVMCode *code, int lines, Description *d)
{
    size_t file_at, words = code->ninstr;
    d->line_of_word = NULL;
    name_of(code, d->short_name, &d->name, &file_at);
    if (d->name.text != NULL && lines) {
        d->line_of_word = words <= FEW_WORDS
                          ? d->few_words
                          : PyMem_RawMalloc(2 * words * sizeof(*d->line_of_word));
    }
    if (d->name.text == NULL || (lines && d->line_of_word == NULL)) {
        free_description(d);
        errno = ENOMEM;
        return -1;
    }
    if (lines) {
        int32_t *distinct = d->line_of_word + words;
        lines_of_words(code, d->line_of_word);
        d->lines.count = distinct_lines(d->line_of_word, code->ninstr, distinct);
        d->lines.line = distinct;
        d->lines.file = d->name.text + file_at;
        d->lines.start = NULL;
        d->lines.frame_info = NULL;
    }
    return 0;
}

static const _PyPerf_Lines *
lines_in(const Description *d)
{
    return d->line_of_word != NULL ? &d->lines : NULL;
}

/* -------------------------------------------------------------- publication */

/* Makes a member of the list with a table for the VM, or returns NULL. */
static Kept *
table_of_lines(PyVMCode *code, char *base, const Description *d)
{
    size_t n = code->ninstr;
    const int32_t *line_of_word = d->line_of_word;
    Kept *kept = PyMem_RawMalloc(sizeof(Kept) + sizeof(_PyCodeLines)
                                 + n * sizeof(void *));
    if (kept == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    _PyCodeLines *table = (_PyCodeLines *)(kept + 1);
    table->distance = (char *)table->landing - (char *)code->code;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && line_of_word[i] == line_of_word[i - 1]) {
            table->landing[i] = table->landing[i - 1];
            continue;
        }
        const int32_t *found = find_line(line_of_word[i], d->lines.line, d->lines.count);
        table->landing[i] = base + (found - d->lines.line) * PERF_LANDING_SIZE
                            + RECORD_LANDING_OFFSET;
    }
    return kept;
}

/* Takes the landings of a destroyed code object of the same description, or new ones. 0,
   or -1. */
static int
take_landings(const _PyPerf_Backend *backend, const Description *d, unsigned int size,
              _PyPerf_Landings *landings)
{
    if (_PyPerf_TakeVacant(landings, &d->name, lines_in(d))) {
        return 0;
    }
    landings->base = _PyPerf_NewLandings(size + backend->behind);
    landings->is_published = 0;
    return landings->base != NULL ? 0 : -1;
}

/* Publishes landings for a code object: those of `kept`, or others if it is NULL. Returns
   code->landing for this mode, without the mode, or 0 with errno set. With lines it is kept
   with its table. */
static uintptr_t
publish(PyVMCode *code, const _PyPerf_Backend *backend, const Description *d,
        uintptr_t mode, const Kept *kept)
{
    const _PyPerf_Lines *lines = lines_in(d);
    unsigned int size = (lines != NULL ? lines->count : 1) * PERF_LANDING_SIZE;
    _PyPerf_Landings landings = {kept != NULL ? kept->base : NULL, mode, 0};
    if (kept == NULL && take_landings(backend, d, size, &landings) < 0) {
        return 0;
    }
    Kept *to_keep = NULL;
    if (lines != NULL && kept == NULL
        && (to_keep = table_of_lines(code, landings.base, d)) == NULL) {
        return 0;
    }
    if (!landings.is_published
        && backend->publish(landings.base, size, &d->name, lines) < 0) {
        int reason = errno;
        PyMem_RawFree(to_keep);
        errno = reason;
        return 0;
    }
    if (to_keep == NULL) {
        return kept != NULL ? kept->landing - mode : (uintptr_t)landings.base;
    }
    uintptr_t table = (uintptr_t)(to_keep + 1);
    *to_keep = (Kept){code->kept_landings, table | mode, landings.base, 1};
    code->kept_landings = to_keep;
    return table;
}

static uintptr_t
describe_and_publish(PyVMCode *code, const _PyPerf_Backend *backend, uintptr_t mode,
                     const Kept *kept)
{
    Description d;
    uintptr_t landing = 0;
    if (describe(code, (mode & SHOWN_MODE_LINES) != 0, &d) == 0) {
        landing = publish(code, backend, &d, mode, kept);
        free_description(&d);
    }
    return landing;
}

/* --------------------------------------------------------------- other modes */

static inline uintptr_t
mode_of(const Kept *kept)
{
    return kept->landing & SHOWN_MODE_MASK;
}

static Kept *
find_kept(PyVMCode *code, uintptr_t mode)
{
    Kept *kept = code->kept_landings;
    while (kept != NULL && mode_of(kept) != mode) {
        kept = kept->next;
    }
    return kept;
}

/* Keeps code->landing before it is replaced. If there is no memory for that, the code
   object is published again when needed. */
static void
keep_present(PyVMCode *code)
{
    uintptr_t landing = (uintptr_t)code->landing, mode = landing & SHOWN_MODE_MASK;
    if (landing == 0 || (mode & SHOWN_MODE_LINES) || find_kept(code, mode) != NULL) {
        return;
    }
    Kept *kept = PyMem_RawMalloc(sizeof(Kept));
    if (kept != NULL) {
        *kept = (Kept){code->kept_landings, landing, (char *)(landing - mode), 1};
        code->kept_landings = kept;
    }
}

/* If code->landing is of this backend, moves it to the list of those that are kept, where it
   can be marked. */
static void
set_aside(PyVMCode *code, uintptr_t backend_mode)
{
    uintptr_t mode = (uintptr_t)code->landing & SHOWN_MODE_MASK;
    if ((mode & ~SHOWN_MODE_LINES) != backend_mode) {
        return;
    }
    keep_present(code);
    code->landing = find_kept(code, mode) != NULL
                    ? (void *)((uintptr_t)code->landing | SHOWN_MODE_NONE) : NULL;
}

/* Of PyJitCode.published: a bit for each mode; what a file has learnt in one mode it is not told in the other. */
static uint32_t
bits_of_backend(uintptr_t mode)
{
    return UINT32_C(3) << (mode & ~(uintptr_t)SHOWN_MODE_LINES);
}

void
_PyPerf_Unpublish(const _PyPerf_Backend *backend)
{
    uintptr_t mode = _PyPerf_ModeOf(backend);
    for (PyVMCode *code = first_with_landings; code != NULL; code = code->landings_next) {
        set_aside(code, mode);
        for (Kept *kept = code->kept_landings; kept != NULL; kept = kept->next) {
            kept->is_published &= (mode_of(kept) & ~SHOWN_MODE_LINES) != mode;
        }
    }
    for (PyJitCode *jit = _PyJit_Installed; jit != NULL; jit = jit->next) {
        jit->published &= ~bits_of_backend(mode);
    }
    _PyPerf_UnpublishVacant(mode);
}

static void
add_to_list(PyVMCode *code)
{
    if (code->landings_link == NULL) {
        code->landings_next = first_with_landings;
        code->landings_link = &first_with_landings;
        if (first_with_landings != NULL) {
            first_with_landings->landings_link = &code->landings_next;
        }
        first_with_landings = code;
    }
}

/* ------------------------------------------------------------------ the end */

/* Hands the landings of the list to vacant.c: those with lines, or those without. */
static void
vacate_kept(PyVMCode *code, int lines)
{
    Description d;
    if (describe(code, lines, &d) < 0) {
        return;
    }
    for (Kept *kept = code->kept_landings; kept != NULL; kept = kept->next) {
        uintptr_t mode = mode_of(kept);
        if (((mode & SHOWN_MODE_LINES) != 0) == lines) {
            _PyPerf_Landings landings = {kept->base, mode, (int)kept->is_published};
            _PyPerf_AddVacant(&landings, &d.name, lines_in(&d));
        }
    }
    free_description(&d);
}

static int
has_kept(const PyVMCode *code, int lines)
{
    const Kept *kept = code->kept_landings;
    while (kept != NULL && ((mode_of(kept) & SHOWN_MODE_LINES) != 0) != lines) {
        kept = kept->next;
    }
    return kept != NULL;
}

void
_PyPerf_VacateLandings(PyVMCode *code)
{
    *code->landings_link = code->landings_next;
    if (code->landings_next != NULL) {
        code->landings_next->landings_link = code->landings_link;
    }
    keep_present(code);
    for (int lines = 0; lines <= 1; lines++) {
        if (!_Py_IsFinalizing() && has_kept(code, lines)) {
            vacate_kept(code, lines);
        }
    }
    for (Kept *kept = code->kept_landings, *next; kept != NULL; kept = next) {
        next = kept->next;
        PyMem_RawFree(kept);
    }
}

/* ---------------------------------------------------------------- beginning */

int
_PyPerf_PublishInMode(PyVMCode *code, const _PyPerf_Backend *backend, uintptr_t mode)
{
    if (_PyCode_UnpackQuietly(code) < 0) {
        errno = ENOMEM;
        return -1;
    }
    if (((uintptr_t)code->landing & SHOWN_MODE_MASK) != mode) {
        Kept *kept = find_kept(code, mode);
        uintptr_t landing = kept != NULL && kept->is_published
                            ? kept->landing - mode
                            : describe_and_publish(code, backend, mode, kept);
        if (landing == 0) {
            return -1;
        }
        if (kept != NULL) {
            kept->is_published = 1;
        }
        add_to_list(code);
        keep_present(code);
        code->landing = (void *)(landing | mode);
    }
    if (!(mode & SHOWN_MODE_LINES) && code->lines_marked) {
        _PyVM_UnmarkLines(code);
    }
    else if ((mode & SHOWN_MODE_LINES) && !code->lines_marked) {
        uintptr_t landing = (uintptr_t)code->landing - mode;
        _PyVM_MarkLines(code, (const _PyCodeLines *)landing);
    }
    return 0;
}

/* ------------------------------------------------------------- machine code */

/* A run of machine code that is one function's: marks [first, end). */
typedef struct {
    PyVMCode *code;
    uint32_t first, end;
    uint32_t at, size;
} Run;

static uint32_t
end_of_mark(const PyJitCode *jit, uint32_t i)
{
    return i + 1 < jit->nmarks ? jit->marks[i + 1].at : (uint32_t)jit->size;
}

static PyVMCode *
code_of_mark(const PyJitCode *jit, uint32_t i)
{
    return jit->marks[i].scope == 0 ? jit->code : jit->scopes[jit->marks[i].scope].code;
}

/* The run that begins with a mark. Who can't tell scopes apart sees one function. */
static Run
run_from(const PyJitCode *jit, uint32_t first)
{
    if (jit->scopes == NULL) {
        return (Run){jit->code, 0, jit->nmarks, 0, (uint32_t)jit->size};
    }
    uint32_t end = first + 1;
    PyVMCode *code = code_of_mark(jit, first);
    while (end < jit->nmarks && code_of_mark(jit, end) == code) {
        end++;
    }
    uint32_t at = first == 0 ? 0 : jit->marks[first].at;
    return (Run){code, first, end, at, end_of_mark(jit, end - 1) - at};
}

/* The lines of a run, in place of those of its code object. 0, or -1 without memory. */
static int
lines_of_run(const PyJitCode *jit, const Run *run, const Description *d, _PyPerf_Lines *lines)
{
    size_t n = run->end - run->first;
    uint32_t *start = PyMem_RawMalloc((2 * n + 1) * sizeof(*start));
    if (start == NULL) {
        return -1;
    }
    int32_t *line = (int32_t *)(start + n + 1);
    unsigned count = 0;
    for (uint32_t i = run->first; i < run->end; i++) {
        const PyJitMark *mark = &jit->marks[i];
        int32_t of_word = d->line_of_word[jit->scopes == NULL ? mark->ip : mark->inner_ip];
        if (mark->at == end_of_mark(jit, i)) {
            continue;           /* an instruction without code */
        }
        if (count == 0 || line[count - 1] != of_word) {
            start[count] = mark->at - run->at;
            line[count++] = of_word;
        }
    }
    start[count] = run->size;
    *lines = (_PyPerf_Lines){count, line, d->lines.file, start, jit->frame_info};
    return 0;
}

static int
publish_run(const PyJitCode *jit, const Run *run, const _PyPerf_Backend *backend)
{
    Description d;
    _PyPerf_Lines lines = {0};
    /* jitdump has room for lines beside the name. */
    int with_lines = (_PyPerf.lines || backend == &_PyPerf_JitBackend) && jit->nmarks > 0;
    if (describe(run->code, with_lines, &d) < 0) {
        return -1;
    }
    int result = with_lines ? lines_of_run(jit, run, &d, &lines) : 0;
    if (result == 0) {
        result = backend->publish(jit->start + run->at, run->size, &d.name,
                                  with_lines ? &lines : NULL);
        PyMem_RawFree((void *)lines.start);
    }
    free_description(&d);
    return result;
}

/* A compiled function needs no landing: calls return into its code. */
static void
publish_machine_code(PyJitCode *jit)
{
    const _PyPerf_Backend *backend = _PyPerf.backend;
    if (backend == NULL || (jit->published & bits_of_backend(_PyPerf.mode))) {
        return;
    }
    int result = 0;
    uint32_t first = 0;
    do {
        Run run = run_from(jit, first);
        if (run.size > 0) {
            result |= publish_run(jit, &run, backend);
        }
        first = run.end;
    } while (first < jit->nmarks);
    if (result == 0) {
        /* What the file refuses is noticed, and said, when a landing is next published. */
        jit->published |= UINT32_C(1) << _PyPerf.mode;
    }
    jit->was_published = 1;
}

void
_PyPerf_PublishMachineCode(void)
{
    _PyJit_Publish = publish_machine_code;
    _PyJit_ShowsScopes = _PyPerf.backend == &_PyPerf_MapBackend;
    for (PyJitCode *jit = _PyJit_Installed; jit != NULL; jit = jit->next) {
        publish_machine_code(jit);
    }
}

#endif
