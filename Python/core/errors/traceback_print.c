/* Tracebacks as text: the frames, their source lines and the carets. */
#include "Python.h"
#include "frameobject.h"
#include "osdefs.h"
#include "anchors.h"
#include "internal/errors.h"
#include "internal/pystate.h"
#include "internal/traceback.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE_INDENT 4
#define DEFAULT_LIMIT 1000
#define MAX_SAME_LINES 3

/* ------------------------------------------------------------- source lines */

/* Reads one line with any line ending. *line is malloc memory, without the ending. */
static ssize_t
read_line(FILE *fp, char **line, size_t *room)
{
    size_t n = 0;
    int c;
    while ((c = getc_unlocked(fp)) != EOF && c != '\n') {
        if (c == '\r') {
            int next = getc_unlocked(fp);
            if (next != '\n' && next != EOF) {
                ungetc(next, fp);
            }
            break;
        }
        if (n + 1 >= *room) {
            size_t bigger = *room == 0 ? 256 : *room * 2;
            char *more = realloc(*line, bigger);
            if (more == NULL) {
                return -1;
            }
            *line = more;
            *room = bigger;
        }
        (*line)[n++] = (char)c;
    }
    if (c == EOF && n == 0) {
        return -1;
    }
    if (*line == NULL) {
        *line = malloc(1);
        *room = 1;
        if (*line == NULL) {
            return -1;
        }
    }
    return (ssize_t)n;
}

/* Finds the name in a line like "# -*- coding: NAME -*-", or returns 0. */
static int
coding_cookie(const char *line, size_t length, char *name, size_t size)
{
    size_t i = 0;
    while (i < length && (line[i] == ' ' || line[i] == '\t'
                          || line[i] == '\f')) {
        i++;
    }
    if (i == length || line[i] != '#') {
        return 0;
    }
    for (; i + 7 <= length; i++) {
        if (memcmp(line + i, "coding", 6) != 0
            || (line[i + 6] != ':' && line[i + 6] != '=')) {
            continue;
        }
        size_t j = i + 7, n = 0;
        while (j < length && (line[j] == ' ' || line[j] == '\t')) {
            j++;
        }
        while (j < length && n + 1 < size
               && (Py_ISALNUM(line[j]) || strchr("-_.", line[j]) != NULL)) {
            name[n++] = line[j++];
        }
        name[n] = '\0';
        return n > 0;
    }
    return 0;
}

/* Whether the first line allows the cookie to be on the second. */
static int
is_blank_or_comment(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '#') {
            return 1;
        }
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\f') {
            return 0;
        }
    }
    return 1;
}

/* Line `lineno` of the file as text. Returns a new reference, or NULL with or without an
   exception. */
static PyObject *
decoded_line(FILE *fp, int lineno)
{
    char *line = NULL;
    size_t room = 0;
    char encoding[64] = "utf-8";
    int may_have_cookie = 1;
    PyObject *text = NULL;
    for (int i = 1; i <= lineno; i++) {
        ssize_t length = read_line(fp, &line, &room);
        if (length < 0) {
            break;
        }
        char *start = line;
        if (i == 1 && length >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
            start += 3;
            length -= 3;
            may_have_cookie = 0;
        }
        if (i <= 2 && may_have_cookie) {
            if (coding_cookie(start, (size_t)length, encoding,
                              sizeof(encoding))
                || !is_blank_or_comment(start, (size_t)length)) {
                may_have_cookie = 0;
            }
        }
        if (i == lineno) {
            text = PyUnicode_Decode(start, length, encoding, "replace");
        }
    }
    free(line);
    return text;
}

/* A file that has moved may be found along sys.path, by the last part of its name. */
static FILE *
open_along_path(PyObject *filename)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(filename);
    Py_ssize_t slash = PyUnicode_FindChar(filename, SEP, 0, n, -1);
    PyObject *tail = PyUnicode_Substring(filename, slash + 1, n);
    PyObject *path = PySys_GetObject("path");
    FILE *fp = NULL;
    if (tail != NULL && path != NULL && PyList_Check(path)) {
        Py_INCREF(path);
        for (Py_ssize_t i = 0; fp == NULL && i < PyList_GET_SIZE(path); i++) {
            PyObject *folder = PyList_GET_ITEM(path, i);
            if (!PyUnicode_Check(folder)) {
                continue;
            }
            Py_ssize_t k = PyUnicode_GET_LENGTH(folder);
            const char *separator = k > 0
                && PyUnicode_READ_CHAR(folder, k - 1) != SEP ? "/" : "";
            PyObject *name = PyUnicode_FromFormat("%U%s%U", folder, separator,
                                                  tail);
            if (name != NULL) {
                fp = _Py_fopen_obj(name, "rb");
                Py_DECREF(name);
            }
            PyErr_Clear();
        }
        Py_DECREF(path);
    }
    PyErr_Clear();
    Py_XDECREF(tail);
    return fp;
}

/* Returns a new reference, or NULL without an exception. */
static PyObject *
source_line(PyObject *filename, int lineno)
{
    /* Names like "<string>" are not files. */
    if (filename == NULL || !PyUnicode_Check(filename) || lineno <= 0) {
        return NULL;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(filename);
    if (n >= 2 && PyUnicode_READ_CHAR(filename, 0) == '<'
        && PyUnicode_READ_CHAR(filename, n - 1) == '>') {
        return NULL;
    }
    /* python3.11 reads with io: once modules are cleared at exit, no lines are shown. */
    PyInterpreterState *interp = _PyInterpreterState_GET();
    if (interp->finalizing
        && (interp->modules == NULL || PyDict_GetItemString(interp->modules, "io") == NULL)) {
        return NULL;
    }
    FILE *fp = _Py_fopen_obj(filename, "rb");
    if (fp == NULL) {
        PyErr_Clear();
        fp = open_along_path(filename);
        if (fp == NULL) {
            return NULL;
        }
    }
    PyObject *text = decoded_line(fp, lineno);
    fclose(fp);
    if (text == NULL) {
        PyErr_Clear();
    }
    return text;
}

static int
write_spaces(PyObject *file, Py_ssize_t n)
{
    static const char spaces[] = "                ";
    const Py_ssize_t most = (Py_ssize_t)sizeof(spaces) - 1;
    while (n > 0) {
        Py_ssize_t now = n < most ? n : most;
        if (PyFile_WriteString(spaces + (most - now), file) < 0) {
            return -1;
        }
        n -= now;
    }
    return 0;
}

static int
write_margin(PyObject *file, int indent, PyObject *margin)
{
    if (write_spaces(file, indent) < 0) {
        return -1;
    }
    return margin == NULL ? 0
        : PyFile_WriteObject(margin, file, Py_PRINT_RAW);
}

/* Returns 0: shown, 1: no such line, -1: error. */
static int
show_source_line(PyObject *file, PyObject *filename, int lineno, int indent,
                 int margin_indent, PyObject *margin, int *truncation,
                 PyObject **line)
{
    PyObject *text = source_line(filename, lineno);
    if (text == NULL) {
        return 1;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(text), skip = 0;
    while (skip < n) {
        Py_UCS4 c = PyUnicode_READ_CHAR(text, skip);
        if (c != ' ' && c != '\t' && c != '\f') {
            break;
        }
        skip++;
    }
    if (truncation != NULL) {
        *truncation = (int)skip;
    }
    int status = -1;
    PyObject *shown = PyUnicode_Substring(text, skip, n);
    if (shown != NULL && write_margin(file, margin_indent, margin) == 0
        && write_spaces(file, indent) == 0
        && PyFile_WriteObject(shown, file, Py_PRINT_RAW) == 0
        && PyFile_WriteString("\n", file) == 0) {
        status = 0;
    }
    Py_XDECREF(shown);
    if (line != NULL && status == 0) {
        *line = text;
    }
    else {
        Py_DECREF(text);
    }
    return status;
}

int
_Py_DisplaySourceLine(PyObject *file, PyObject *filename, int lineno,
                      int indent, int *truncation, PyObject **line)
{
    return show_source_line(file, filename, lineno, indent, 0, NULL,
                            truncation, line);
}

/* ------------------------------------------------------------------- carets */

/* Columns are given in bytes of UTF-8; text is counted in characters. -1: not possible. */
static Py_ssize_t
column_of_byte(PyObject *line, Py_ssize_t byte)
{
    Py_ssize_t size;
    const char *utf8 = PyUnicode_AsUTF8AndSize(line, &size);
    if (utf8 == NULL) {
        PyErr_Clear();
        return -1;
    }
    if (byte < 0 || byte > size) {
        return -1;
    }
    Py_ssize_t column = 0;
    for (Py_ssize_t i = 0; i < byte; i++) {
        column += ((unsigned char)utf8[i] & 0xC0) != 0x80;
    }
    return column;
}

/* Characters [start, end) of the line belong to the instruction: [left, right) get '^',
   and the others '~'. */
static int
write_carets(PyObject *file, Py_ssize_t start, Py_ssize_t end, Py_ssize_t left,
             Py_ssize_t right, Py_ssize_t skipped)
{
    if (write_spaces(file, SOURCE_INDENT + start - skipped) < 0) {
        return -1;
    }
    for (Py_ssize_t i = start; i < end; i++) {
        const char *mark = i >= left && i < right ? "^" : "~";
        if (PyFile_WriteString(mark, file) < 0) {
            return -1;
        }
    }
    return PyFile_WriteString("\n", file);
}

static int
show_carets(PyObject *file, PyCodeObject *code, PyTracebackObject *tb,
            int lineno, PyObject *line, int truncation, int margin_indent,
            PyObject *margin)
{
    int first, first_byte, last, last_byte;
    if (tb->tb_lasti < 0
        || !PyCode_Addr2Location(code, tb->tb_lasti, &first, &first_byte,
                                 &last, &last_byte)
        || first != lineno || first < 0 || last < 0
        || first_byte < 0 || last_byte < 0) {
        return 0;
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(line);
    Py_ssize_t start = column_of_byte(line, first_byte);
    Py_ssize_t end, left, right;
    int anchored = 0;
    /* The range of a function's first instruction may be empty. */
    start = Py_MAX(start, truncation);
    if (first == last) {
        end = Py_MAX(column_of_byte(line, last_byte), start);
        anchored = _Py_FindAnchors(line, start, end, &left, &right);
    }
    else {
        end = length;
        while (end > start
               && Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(line, end - 1))) {
            end--;
        }
    }
    if (!anchored) {
        /* Marking the whole line would add nothing. */
        if (end - start == length - truncation) {
            return 0;
        }
        left = start;
        right = end;
    }
    if (write_margin(file, margin_indent, margin) < 0) {
        return -1;
    }
    return write_carets(file, start, end, left, right, truncation);
}

/* ------------------------------------------------------------------- frames */

static int
show_frame(PyObject *file, PyTracebackObject *tb, PyCodeObject *code,
           int lineno, int margin_indent, PyObject *margin)
{
    PyObject *head = PyUnicode_FromFormat("  File \"%U\", line %d, in %U\n",
                                          code->co_filename, lineno,
                                          code->co_name);
    if (head == NULL || write_margin(file, margin_indent, margin) < 0
        || PyFile_WriteObject(head, file, Py_PRINT_RAW) < 0) {
        Py_XDECREF(head);
        return -1;
    }
    Py_DECREF(head);
    int truncation = 0;
    PyObject *line = NULL;
    int status = show_source_line(file, code->co_filename, lineno,
                                  SOURCE_INDENT, margin_indent, margin,
                                  &truncation, &line);
    if (status == 0) {
        status = show_carets(file, code, tb, lineno, line, truncation,
                             margin_indent, margin);
        Py_DECREF(line);
    }
    return status < 0 ? -1 : 0;
}

static int
show_repetition(PyObject *file, long count, int margin_indent,
                PyObject *margin)
{
    count -= MAX_SAME_LINES;
    PyObject *text = PyUnicode_FromFormat(
        "  [Previous line repeated %ld more time%s]\n", count,
        count == 1 ? "" : "s");
    int status = -1;
    if (text != NULL && write_margin(file, margin_indent, margin) == 0) {
        status = PyFile_WriteObject(text, file, Py_PRINT_RAW);
    }
    Py_XDECREF(text);
    return status;
}

static int
line_of(PyTracebackObject *tb, PyCodeObject *code)
{
    return tb->tb_lineno != -1 ? tb->tb_lineno
                               : PyCode_Addr2Line(code, tb->tb_lasti);
}

static int
show_frames(PyObject *file, PyTracebackObject *tb, long limit, int indent,
            PyObject *margin)
{
    long depth = 0;
    for (PyTracebackObject *p = tb; p != NULL; p = p->tb_next) {
        depth++;
    }
    for (; tb != NULL && depth > limit; depth--) {
        tb = tb->tb_next;
    }
    PyCodeObject *last_code = NULL;
    int last_line = -1, status = 0;
    long count = 0;
    for (; status == 0 && tb != NULL; tb = tb->tb_next) {
        PyCodeObject *code = PyFrame_GetCode(tb->tb_frame);
        int lineno = line_of(tb, code);
        int same = last_code != NULL && lineno == last_line && lineno != -1
            && (code == last_code
                || (code->co_filename == last_code->co_filename
                    && code->co_name == last_code->co_name));
        if (!same) {
            if (count > MAX_SAME_LINES) {
                status = show_repetition(file, count, indent, margin);
            }
            count = 0;
            Py_INCREF(code);
            Py_XSETREF(last_code, code);
            last_line = lineno;
        }
        count++;
        if (status == 0 && count <= MAX_SAME_LINES) {
            status = show_frame(file, tb, code, lineno, indent, margin);
            if (status == 0) {
                status = PyErr_CheckSignals();
            }
        }
        Py_DECREF(code);
    }
    if (status == 0 && count > MAX_SAME_LINES) {
        status = show_repetition(file, count, indent, margin);
    }
    Py_XDECREF(last_code);
    return status;
}

/* sys.tracebacklimit, or the default. */
static long
get_limit(void)
{
    PyObject *value = PySys_GetObject("tracebacklimit");
    if (value == NULL || !PyLong_Check(value)) {
        return DEFAULT_LIMIT;
    }
    int overflow;
    long limit = PyLong_AsLongAndOverflow(value, &overflow);
    if (overflow > 0) {
        return LONG_MAX;
    }
    return overflow < 0 ? 0 : limit;
}

int
_PyTraceBack_Print_Indented(PyObject *tb, int indent, PyObject *margin,
                            PyObject *header_margin, const char *header,
                            PyObject *file)
{
    if (tb == NULL) {
        return 0;
    }
    if (!PyTraceBack_Check(tb)) {
        PyErr_BadInternalCall();
        return -1;
    }
    long limit = get_limit();
    if (limit <= 0) {
        return 0;
    }
    if (write_margin(file, indent, header_margin) < 0
        || PyFile_WriteString(header, file) < 0) {
        return -1;
    }
    return show_frames(file, (PyTracebackObject *)tb, limit, indent, margin);
}

int
PyTraceBack_Print(PyObject *tb, PyObject *file)
{
    return _PyTraceBack_Print_Indented(
        tb, 0, NULL, NULL, "Traceback (most recent call last):\n", file);
}
