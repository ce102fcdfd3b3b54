/* Where the text to parse comes from: strings, files, and lines typed at a prompt. */

#include "parser.h"
#include "internal/source_encoding.h"

#include <string.h>

#define NEWEST_MINOR 11
#define ERRCODE_EOF 11

static int
feature_version(PyCompilerFlags *flags)
{
    if (flags == NULL || !(flags->cf_flags & PyCF_ONLY_AST)
        || flags->cf_feature_version <= 0)
    {
        return NEWEST_MINOR;
    }
    return flags->cf_feature_version;
}

static AstNode *
parse_text(SourceText *source, PyObject *filename, int start, PyCompilerFlags *flags,
           int count_characters, AstArena *arena)
{
    Py_ssize_t size;
    char *text = _PySource_Normalize(source, start == Py_file_input, arena, &size);
    if (text == NULL) {
        return NULL;
    }
    Parser p;
    _PyParse_Init(&p, text, size, filename, start,
                  flags != NULL ? flags->cf_flags : 0, feature_version(flags), arena);
    p.count_characters = count_characters;
    p.tok.from_file = source->from_file;
    p.encoding = source->encoding[0] != '\0' ? source->encoding : NULL;
    AstNode *mod = _PyParse_Run(&p);
    _PyParse_Clear(&p);
    return mod;
}

AstNode *
_PyAst_ParseString(const char *text, PyObject *filename, int start,
                   PyCompilerFlags *flags, AstArena *arena)
{
    if (PySys_Audit("compile", "yO", text, filename) < 0) {
        return NULL;
    }
    SourceText source = {.text = text, .size = (Py_ssize_t)strlen(text)};
    int is_utf8 = flags != NULL && (flags->cf_flags & PyCF_IGNORE_COOKIE);
    if (!is_utf8 && _PySource_Decode(&source, filename) < 0) {
        Py_XDECREF(source.owner);
        return NULL;
    }
    AstNode *mod = parse_text(&source, filename, start, flags,
                              is_utf8 || source.declared, arena);
    Py_XDECREF(source.owner);
    return mod;
}

/* -------------------------------------------------------------------- files */

/* Reads the rest of a file. Returns a new bytes object. */
static PyObject *
read_all(FILE *fp)
{
    Py_ssize_t capacity = 65536, size = 0;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, capacity);
    while (bytes != NULL) {
        size += (Py_ssize_t)fread(PyBytes_AS_STRING(bytes) + size, 1, capacity - size, fp);
        if (size < capacity) {
            break;
        }
        capacity *= 2;
        _PyBytes_Resize(&bytes, capacity);
    }
    if (bytes != NULL && ferror(fp)) {
        PyErr_SetFromErrno(PyExc_OSError);
        Py_CLEAR(bytes);
    }
    if (bytes != NULL) {
        _PyBytes_Resize(&bytes, size);
    }
    return bytes;
}

/* A line of a file in UTF-8 ends at a null byte, and the next line continues it: CPython
   reads lines as C strings, and programs with such bytes run there. */
static int
cut_at_nulls(SourceText *source)
{
    const char *s = source->text, *end = s + source->size;
    if (memchr(s, '\0', source->size) == NULL) {
        return 0;
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, source->size);
    if (bytes == NULL) {
        return -1;
    }
    char *out = PyBytes_AS_STRING(bytes);
    while (s < end) {
        const char *newline = memchr(s, '\n', end - s);
        const char *next = newline == NULL ? end : newline + 1;
        const char *null = memchr(s, '\0', next - s);
        size_t n = (size_t)((null != NULL ? null : next) - s);
        memcpy(out, s, n);
        out += n;
        s = next;
    }
    Py_ssize_t size = out - PyBytes_AS_STRING(bytes);
    if (_PyBytes_Resize(&bytes, size) < 0) {
        return -1;
    }
    Py_SETREF(source->owner, bytes);
    source->text = PyBytes_AS_STRING(bytes);
    source->size = size;
    return 0;
}

static AstNode *
parse_whole_file(FILE *fp, PyObject *filename, const char *encoding, int start,
                 PyCompilerFlags *flags, AstArena *arena)
{
    PyObject *bytes = read_all(fp);
    if (bytes == NULL) {
        return NULL;
    }
    SourceText source = {.text = PyBytes_AS_STRING(bytes), .size = PyBytes_GET_SIZE(bytes),
                         .owner = bytes, .declared = 1, .from_file = 1};
    AstNode *mod = NULL;
    if (encoding != NULL && strcmp(encoding, "utf-8") != 0) {
        PyObject *text = PyUnicode_Decode(source.text, source.size, encoding, NULL);
        PyObject *utf8 = text == NULL ? NULL : PyUnicode_AsUTF8String(text);
        Py_XDECREF(text);
        if (utf8 == NULL) {
            goto done;
        }
        Py_SETREF(source.owner, utf8);
        source.text = PyBytes_AS_STRING(utf8);
        source.size = PyBytes_GET_SIZE(utf8);
    }
    else if (_PySource_Decode(&source, filename) < 0) {
        goto done;
    }
    if (source.encoding[0] == '\0' && cut_at_nulls(&source) < 0) {
        goto done;
    }
    if (memchr(source.text, '\0', source.size) != NULL) {
        PyErr_SetString(PyExc_SyntaxError, "source code cannot contain null bytes");
    }
    else if (_PySource_CheckUtf8(&source, filename) == 0) {
        mod = parse_text(&source, filename, start, flags, 1, arena);
    }
done:
    Py_XDECREF(source.owner);
    return mod;
}

/* ----------------------------------------------------------------- a prompt */

/* The text typed so far. It moves as it grows, and old copies stay in the arena: tokens
   and names may point into them. */
typedef struct {
    FILE *fp;
    AstArena *arena;
    const char *encoding;
    const char *prompt;
    const char *next_prompt;
    char *text;
    Py_ssize_t size;
    Py_ssize_t capacity;
} Prompt;

/* The typed line as UTF-8. Returns a new bytes object. */
static PyObject *
read_prompted(Prompt *prompt)
{
    char *typed = PyOS_Readline(prompt->fp ? prompt->fp : stdin, stdout,
                                prompt->prompt ? prompt->prompt : "");
    if (typed == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetNone(PyExc_KeyboardInterrupt);
        }
        return NULL;
    }
    PyObject *line;
    if (prompt->encoding != NULL && strcmp(prompt->encoding, "utf-8") != 0) {
        PyObject *text = PyUnicode_Decode(typed, (Py_ssize_t)strlen(typed),
                                          prompt->encoding, NULL);
        line = text == NULL ? NULL : PyUnicode_AsUTF8String(text);
        Py_XDECREF(text);
    }
    else {
        line = PyBytes_FromString(typed);
    }
    PyMem_Free(typed);
    return line;
}

static int
reserve(Prompt *prompt, Tokenizer *tok, Py_ssize_t more)
{
    if (prompt->size + more < prompt->capacity) {
        return 0;
    }
    Py_ssize_t capacity = Py_MAX(prompt->capacity * 2, prompt->size + more + 256);
    char *text = _PyAstArena_Alloc(prompt->arena, capacity);
    if (text == NULL) {
        return -1;
    }
    if (prompt->size > 0) {
        memcpy(text, prompt->text, prompt->size);
    }
    text[prompt->size] = '\0';
    const char *old = tok->text;
#define MOVE(pointer) ((pointer) = (pointer) == NULL ? NULL : text + ((pointer) - old))
    MOVE(tok->cur);
    MOVE(tok->line_start);
    MOVE(tok->line_end);
    MOVE(tok->shown);
    MOVE(tok->token_start);
    MOVE(tok->multiline_start);
#undef MOVE
    tok->text = text;
    tok->text_end = text + prompt->size;
    prompt->text = text;
    prompt->capacity = capacity;
    return 0;
}

/* Adds the typed line to the text, or the end of input in the middle of a line. Returns
   the text's size; 0 at the end of input, after starting a new line on the terminal; -1
   with an exception. */
static Py_ssize_t
append_typed(Tokenizer *tok)
{
    Prompt *prompt = tok->reader;
    PyObject *line = read_prompted(prompt);
    if (line == NULL) {
        return -1;
    }
    if (prompt->next_prompt != NULL) {
        prompt->prompt = prompt->next_prompt;
    }
    Py_ssize_t size = PyBytes_GET_SIZE(line);
    if (size == 0) {
        PySys_WriteStderr("\n");
    }
    else if (reserve(prompt, tok, size + 2) < 0) {
        size = -1;
    }
    else {
        memcpy(prompt->text + prompt->size, PyBytes_AS_STRING(line), size);
        prompt->size += size;
    }
    Py_DECREF(line);
    return size;
}

static int
read_line(Tokenizer *tok)
{
    Prompt *prompt = tok->reader;
    Py_ssize_t start = prompt->size, typed;
    do {
        typed = append_typed(tok);
    } while (typed > 0 && prompt->text[prompt->size - 1] != '\n');
    if (typed < 0) {
        return -1;
    }
    if (prompt->size == start) {
        return 0;
    }
    char *out = prompt->text + start;
    Py_ssize_t size = prompt->size - start;
    if (size >= 2 && out[size - 2] == '\r' && out[size - 1] == '\n') {
        out[--size - 1] = '\n';
    }
    if (out[size - 1] != '\n') {
        out[size++] = '\n';
    }
    out[size] = '\0';
    prompt->size = start + size;
    tok->text_end = prompt->text + prompt->size;
    return 1;
}

static AstNode *
parse_prompted(FILE *fp, PyObject *filename, const char *encoding, int start,
               const char *ps1, const char *ps2, PyCompilerFlags *flags, int *errcode,
               AstArena *arena)
{
    Prompt prompt = {.fp = fp, .arena = arena, .encoding = encoding, .prompt = ps1,
                     .next_prompt = ps2};
    Parser p;
    _PyParse_Init(&p, "", 0, filename, start, flags != NULL ? flags->cf_flags : 0,
                  feature_version(flags), arena);
    p.tok.interactive = 1;
    p.tok.reader = &prompt;
    p.tok.read_line = read_line;
    AstNode *mod = NULL;
    if (reserve(&prompt, &p.tok, 1) == 0) {
        mod = _PyParse_Run(&p);
    }
    if (mod == NULL && errcode != NULL && p.n_tokens > 0
        && p.tokens[0].type == TOK_ENDMARKER)
    {
        *errcode = ERRCODE_EOF;
    }
    _PyParse_Clear(&p);
    return mod;
}

AstNode *
_PyAst_ParseFile(FILE *fp, PyObject *filename, const char *encoding, int start,
                 const char *ps1, const char *ps2, PyCompilerFlags *flags, int *errcode,
                 AstArena *arena)
{
    if (errcode != NULL) {
        *errcode = 0;
    }
    if (PySys_Audit("compile", "OO", Py_None, filename) < 0) {
        return NULL;
    }
    if (ps1 != NULL || ps2 != NULL || start == Py_single_input) {
        return parse_prompted(fp, filename, encoding, start, ps1, ps2, flags, errcode,
                              arena);
    }
    return parse_whole_file(fp, filename, encoding, start, flags, arena);
}
