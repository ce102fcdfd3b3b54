/* From bytes to UTF-8: byte order marks, coding cookies, line ends.

   The parser reads UTF-8 with '\n' line ends. Text that is in UTF-8 already is not
   checked here: a comment may hold any bytes, and errors in a name or a string are found
   when it is read. As in CPython, files are checked more strictly than strings. */

#include "internal/source_encoding.h"

#include <ctype.h>
#include <string.h>

#define NAME_CHAR(c) (isalnum((unsigned char)(c)) || (c) == '-' || (c) == '_' || (c) == '.')

/* The common spellings, and Python's own spelling of each. */
static void
normalize_name(const char *start, Py_ssize_t length, char out[64])
{
    char name[16] = "";
    for (Py_ssize_t i = 0; i < length && i < 12; i++) {
        name[i] = start[i] == '_' ? '-' : (char)tolower((unsigned char)start[i]);
        name[i + 1] = '\0';
    }
    static const char *const latin[] = {"latin-1", "iso-8859-1", "iso-latin-1"};
    if (strcmp(name, "utf-8") == 0 || strncmp(name, "utf-8-", 6) == 0) {
        strcpy(out, "utf-8");
        return;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(latin); i++) {
        size_t n = strlen(latin[i]);
        if (strncmp(name, latin[i], n) == 0 && (name[n] == '\0' || name[n] == '-')) {
            strcpy(out, "iso-8859-1");
            return;
        }
    }
    length = Py_MIN(length, 63);
    memcpy(out, start, length);
    out[length] = '\0';
}

/* Looks for `coding: name` in the comment of one line. Returns 1 if found; 0 if not; -1
   if the line has code, so that the next line must not be examined. */
static int
find_cookie(const char *line, const char *end, char out[64])
{
    while (line < end && (*line == ' ' || *line == '\t' || *line == '\f')) {
        line++;
    }
    if (line == end || *line == '\n' || *line == '\r') {
        return 0;
    }
    if (*line != '#') {
        return -1;
    }
    for (; end - line > 6; line++) {
        if (memcmp(line, "coding", 6) != 0 || (line[6] != ':' && line[6] != '=')) {
            continue;
        }
        const char *start = line + 7;
        while (start < end && (*start == ' ' || *start == '\t')) {
            start++;
        }
        const char *stop = start;
        while (stop < end && NAME_CHAR(*stop)) {
            stop++;
        }
        if (stop > start) {
            normalize_name(start, stop - start, out);
            return 1;
        }
    }
    return 0;
}

static int
cookie_of(const char *text, Py_ssize_t size, char out[64])
{
    const char *end = text + size;
    for (int i = 0; i < 2 && text < end; i++) {
        const char *stop = text;
        while (stop < end && *stop != '\n' && *stop != '\r') {
            stop++;
        }
        int found = find_cookie(text, stop, out);
        if (found != 0) {
            return found > 0;
        }
        if (stop < end && *stop == '\r' && stop + 1 < end && stop[1] == '\n') {
            stop++;
        }
        text = stop < end ? stop + 1 : end;
    }
    return 0;
}

/* A failure to decode is a SyntaxError without a line. */
static void
wrap_error(PyObject *filename)
{
    if (!PyErr_ExceptionMatches(PyExc_LookupError)
        && !PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)
        && !PyErr_ExceptionMatches(PyExc_SyntaxError))
    {
        return;
    }
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *message = value == NULL ? NULL : PyObject_Str(value);
    PyObject *args = message == NULL ? NULL
        : Py_BuildValue("(O(OiiO))", message, filename, 0, -1, Py_None);
    if (args != NULL) {
        PyErr_SetObject(PyExc_SyntaxError, args);
        Py_DECREF(args);
    }
    Py_XDECREF(message);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

static int
decode(SourceText *source, const char *encoding, PyObject *filename)
{
    PyObject *text = PyUnicode_Decode(source->text, source->size, encoding, NULL);
    PyObject *utf8 = text == NULL ? NULL : PyUnicode_AsUTF8String(text);
    Py_XDECREF(text);
    if (utf8 == NULL) {
        if (source->from_file && PyErr_ExceptionMatches(PyExc_LookupError)) {
            PyErr_Format(PyExc_SyntaxError, "encoding problem: %s", encoding);
        }
        else {
            wrap_error(filename);
        }
        return -1;
    }
    strcpy(source->encoding, encoding);
    Py_XSETREF(source->owner, utf8);
    source->text = PyBytes_AS_STRING(utf8);
    source->size = PyBytes_GET_SIZE(utf8);
    return 0;
}

int
_PySource_Decode(SourceText *source, PyObject *filename)
{
    char encoding[64];
    int mark = source->size >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0;
    if (mark) {
        source->text += 3;
        source->size -= 3;
        source->declared = 1;
    }
    if (!cookie_of(source->text, source->size, encoding)) {
        return 0;
    }
    source->declared = 1;
    int utf8 = strcmp(encoding, "utf-8") == 0;
    if (mark && !utf8) {
        PyErr_Format(PyExc_SyntaxError, "encoding problem: %s with BOM", encoding);
        if (!source->from_file) {
            wrap_error(filename);
        }
        return -1;
    }
    return utf8 ? 0 : decode(source, encoding, filename);
}

int
_PySource_CheckUtf8(const SourceText *source, PyObject *filename)
{
    PyObject *text = PyUnicode_DecodeUTF8(source->text, source->size, NULL);
    if (text != NULL) {
        Py_DECREF(text);
        return 0;
    }
    if (!PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
        return -1;
    }
    PyObject *type, *value, *traceback;
    Py_ssize_t bad = 0;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyUnicodeDecodeError_GetStart(value, &bad);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    int lineno = 1;
    for (Py_ssize_t i = 0; i < bad; i++) {
        lineno += source->text[i] == '\n';
    }
    PyErr_Format(PyExc_SyntaxError,
                 "Non-UTF-8 code starting with '\\x%.2x' in file %U on line %i, "
                 "but no encoding declared; "
                 "see https://peps.python.org/pep-0263/ for details",
                 (unsigned char)source->text[bad], filename, lineno);
    return -1;
}

char *
_PySource_Normalize(const SourceText *source, int add_newline, AstArena *arena,
                    Py_ssize_t *size)
{
    char *text = _PyAstArena_Alloc(arena, source->size + 2);
    if (text == NULL) {
        return NULL;
    }
    const char *s = source->text, *end = s + source->size;
    char *out = text;
    if (memchr(s, '\r', source->size) == NULL) {
        memcpy(out, s, source->size);
        out += source->size;
    }
    else {
        while (s < end) {
            char c = *s++;
            if (c == '\r') {
                c = '\n';
                s += s < end && *s == '\n';
            }
            *out++ = c;
        }
    }
    if (add_newline && out > text && out[-1] != '\n') {
        *out++ = '\n';
    }
    *out = '\0';
    *size = out - text;
    return text;
}

