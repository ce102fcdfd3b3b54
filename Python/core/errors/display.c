/* Exceptions as the default sys.excepthook shows them: PyErr_Display and
   PyErr_Print.

   An exception is shown after its cause, or after its context. A group shows
   its members below it, indented, each under a numbered line. Every line begins
   with the margin of the group that it is in. */
#include "Python.h"
#include "internal/errors.h"
#include "internal/exceptions.h"
#include "internal/names.h"
#include "internal/pystate.h"
#include "internal/traceback.h"

#include <stdio.h>

enum { MAX_GROUP_WIDTH = 15, MAX_GROUP_DEPTH = 10, GROUP_INDENT = 2 };

static const char cause_text[] =
    "The above exception was the direct cause of the following exception:";
static const char context_text[] =
    "During handling of the above exception, another exception occurred:";

typedef struct {
    PyObject *file;             /* borrowed */
    PyObject *seen;             /* set of the id()s of exceptions already shown, or NULL */
    int depth;                  /* of groups; 0 outside any */
    int first_of_group;         /* the next header begins with "+ " */
    int need_close;             /* the closing line of a group is still to be written */
} display;

static int show_chain(display *d, PyObject *exc);

static int
put(display *d, const char *text)
{
    return PyFile_WriteString(text, d->file);
}

static int
put_object(display *d, PyObject *op)
{
    return PyFile_WriteObject(op, d->file, Py_PRINT_RAW);
}

static int
indent_of(const display *d)
{
    return GROUP_INDENT * d->depth;
}

static int
put_spaces(display *d, int n)
{
    while (n-- > 0) {
        if (put(d, " ") < 0) {
            return -1;
        }
    }
    return 0;
}

/* Begins a line by writing the margin. */
static int
put_margin(display *d)
{
    if (d->depth == 0) {
        return 0;
    }
    if (put_spaces(d, indent_of(d)) < 0) {
        return -1;
    }
    return put(d, "| ");
}

/* Writes a line that consists of a text only. */
static int
put_line(display *d, const char *text)
{
    return put_margin(d) < 0 || put(d, text) < 0 || put(d, "\n") < 0 ? -1 : 0;
}

/* ------------------------------------------------------------ syntax errors */

struct place {
    PyObject *message;          /* all owned */
    PyObject *filename;
    PyObject *text;             /* or NULL */
    Py_ssize_t lineno;
    Py_ssize_t offset;          /* 1-based, in characters; -1: none */
    Py_ssize_t end_lineno;
    Py_ssize_t end_offset;
};

static void
clear_place(struct place *p)
{
    Py_CLEAR(p->message);
    Py_CLEAR(p->filename);
    Py_CLEAR(p->text);
}

/* An int attribute, or `if_none` for None. -1 on error. */
static int
int_attribute(PyObject *exc, PyObject *name, Py_ssize_t if_none,
              Py_ssize_t *result)
{
    PyObject *value = PyObject_GetAttr(exc, name);
    if (value == NULL) {
        return -1;
    }
    int status = 0;
    if (value == Py_None) {
        *result = if_none;
    }
    else {
        *result = _PyLong_AsInt(value);
        status = *result == -1 && PyErr_Occurred() ? -1 : 0;
    }
    Py_DECREF(value);
    return status;
}

/* Reads the attributes of a SyntaxError, or of anything that looks like one. */
static int
get_place(PyObject *exc, struct place *p)
{
    memset(p, 0, sizeof(*p));
    p->message = PyObject_GetAttr(exc, _Py_NAME(msg));
    p->filename = p->message == NULL ? NULL
        : PyObject_GetAttr(exc, _Py_NAME(filename));
    if (p->filename == NULL) {
        goto fail;
    }
    if (p->filename == Py_None) {
        Py_SETREF(p->filename, PyUnicode_FromString("<string>"));
        if (p->filename == NULL) {
            goto fail;
        }
    }
    PyObject *lineno = PyObject_GetAttr(exc, _Py_NAME(lineno));
    if (lineno == NULL) {
        goto fail;
    }
    p->lineno = _PyLong_AsInt(lineno);
    Py_DECREF(lineno);
    if (p->lineno == -1 && PyErr_Occurred()) {
        goto fail;
    }
    if (int_attribute(exc, _Py_NAME(offset), -1, &p->offset) < 0) {
        goto fail;
    }
    if (Py_IS_TYPE(exc, (PyTypeObject *)PyExc_SyntaxError)
        || PyErr_GivenExceptionMatches(exc, PyExc_SyntaxError)) {
        if (int_attribute(exc, _Py_NAME(end_lineno), p->lineno,
                          &p->end_lineno) < 0
            || int_attribute(exc, _Py_NAME(end_offset), -1,
                             &p->end_offset) < 0) {
            goto fail;
        }
    }
    else {
        p->end_lineno = p->lineno;
        p->end_offset = -1;
    }
    p->text = PyObject_GetAttr(exc, _Py_NAME(text));
    if (p->text == NULL) {
        goto fail;
    }
    if (p->text == Py_None) {
        Py_CLEAR(p->text);
    }
    return 0;

fail:
    clear_place(p);
    return -1;
}

static int
is_blank(Py_UCS4 c)
{
    return c == ' ' || c == '\t' || c == '\f';
}

/* Shows the offending text, with carets under the wrong part of it. */
static int
show_program_text(display *d, const struct place *p)
{
    if (!PyUnicode_Check(p->text)) {
        return 0;
    }
    Py_ssize_t start = 0, length = PyUnicode_GET_LENGTH(p->text);
    /* What goes on in the next lines is marked as far as this one's text goes, with its newline. */
    Py_ssize_t offset = p->offset, end_offset = p->end_lineno > p->lineno ? length : p->end_offset;
    if (length > 0 && PyUnicode_READ_CHAR(p->text, length - 1) == '\n') {
        length--;
    }
    /* The position after the last character is valid, too. */
    offset = Py_MIN(offset, length + 1);
    end_offset = Py_MIN(end_offset, length + 1);
    if (offset > 0) {
        /* Of several lines, only the part from the offset's line on is shown. */
        for (;;) {
            Py_ssize_t newline = PyUnicode_FindChar(p->text, '\n', start,
                                                    length, 1);
            if (newline < 0 || newline - start >= offset - 1) {
                break;
            }
            Py_ssize_t skipped = newline + 1 - start;
            start += skipped;
            offset -= skipped;
            end_offset -= skipped;
        }
    }
    while (start < length
           && is_blank(PyUnicode_READ_CHAR(p->text, start))) {
        start++;
        offset--;
        end_offset--;
    }
    PyObject *shown = PyUnicode_Substring(p->text, start, length);
    if (shown == NULL) {
        return -1;
    }
    int failed = put_margin(d) < 0 || put(d, "    ") < 0
        || put_object(d, shown) < 0 || put(d, "\n") < 0;
    Py_DECREF(shown);
    if (failed) {
        return -1;
    }
    if (p->offset < 1 || offset < 1) {
        return 0;
    }
    if (end_offset <= offset) {
        end_offset = offset + 1;
    }
    if (put_margin(d) < 0 || put(d, "    ") < 0) {
        return -1;
    }
    for (Py_ssize_t i = 1; i < offset; i++) {
        if (put(d, " ") < 0) {
            return -1;
        }
    }
    for (Py_ssize_t i = offset; i < end_offset; i++) {
        if (put(d, "^") < 0) {
            return -1;
        }
    }
    return put(d, "\n");
}

/* For exceptions with a print_file_and_line attribute: shows the place, and returns a new
   reference to the message that replaces str(exc). */
static int
show_place(display *d, PyObject *exc, PyObject **message)
{
    PyObject *mark;
    struct place p;
    *message = NULL;
    int found = _PyObject_LookupAttr(exc, _Py_NAME(print_file_and_line),
                                     &mark);
    if (found <= 0) {
        return found;
    }
    Py_DECREF(mark);
    if (get_place(exc, &p) < 0) {
        PyErr_Clear();
        return 0;
    }
    PyObject *head = PyUnicode_FromFormat("  File \"%S\", line %zd\n",
                                          p.filename, p.lineno);
    int status = -1;
    if (head != NULL && put_margin(d) == 0 && put_object(d, head) == 0
        && (p.text == NULL || show_program_text(d, &p) == 0)) {
        *message = Py_NewRef(p.message);
        status = 0;
    }
    Py_XDECREF(head);
    clear_place(&p);
    return status;
}

/* ------------------------------------------------------------ one exception */

static int
show_type(display *d, PyObject *type)
{
    PyObject *module;
    if (_PyObject_LookupAttr(type, _Py_NAME(dunder_module), &module) < 0) {
        PyErr_Clear();
        module = NULL;
    }
    int failed = 0;
    if (module == NULL || !PyUnicode_Check(module)) {
        failed = put(d, "<unknown>.") < 0;
    }
    else if (!_PyUnicode_EqualToASCIIString(module, "builtins")
             && !_PyUnicode_EqualToASCIIString(module, "__main__")) {
        failed = put_object(d, module) < 0 || put(d, ".") < 0;
    }
    Py_XDECREF(module);
    if (failed) {
        return -1;
    }
    PyObject *name = PyType_GetQualName((PyTypeObject *)type);
    if (name == NULL || !PyUnicode_Check(name)) {
        PyErr_Clear();
        failed = put(d, "<unknown>") < 0;
    }
    else {
        failed = put_object(d, name) < 0;
    }
    Py_XDECREF(name);
    return failed ? -1 : 0;
}

/* `message` is shown by its str(). */
static int
show_message(display *d, PyObject *exc, PyObject *message)
{
    if (put_margin(d) < 0 || show_type(d, (PyObject *)Py_TYPE(exc)) < 0) {
        return -1;
    }
    if (message == Py_None) {
        return 0;
    }
    PyObject *text = PyObject_Str(message);
    if (text == NULL) {
        PyErr_Clear();
        return put(d, ": <exception str() failed>");
    }
    int failed = 0;
    if (PyUnicode_GET_LENGTH(text) != 0) {
        failed = put(d, ": ") < 0 || put_object(d, text) < 0;
    }
    Py_DECREF(text);
    return failed ? -1 : 0;
}

static int
show_suggestion(display *d, PyObject *exc)
{
    PyObject *name = _Py_Offer_Suggestions(exc);
    if (name == NULL) {
        return 0;
    }
    int failed = put(d, ". Did you mean: '") < 0 || put_object(d, name) < 0
        || put(d, "'?") < 0;
    Py_DECREF(name);
    return failed ? -1 : 0;
}

static int
show_note(display *d, PyObject *note)
{
    PyObject *text = PyObject_Str(note);
    PyObject *lines;
    if (text == NULL) {
        PyErr_Clear();
        return put_line(d, "<note str() failed>");
    }
    lines = PyUnicode_Splitlines(text, 1);
    Py_DECREF(text);
    if (lines == NULL) {
        return -1;
    }
    int failed = 0;
    for (Py_ssize_t i = 0; !failed && i < PyList_GET_SIZE(lines); i++) {
        failed = put_margin(d) < 0
            || put_object(d, PyList_GET_ITEM(lines, i)) < 0;
    }
    Py_DECREF(lines);
    return failed || put(d, "\n") < 0 ? -1 : 0;
}

static int
show_notes(display *d, PyObject *exc)
{
    PyObject *notes;
    int found = _PyObject_LookupAttr(exc, _Py_NAME(dunder_notes), &notes);
    if (found <= 0) {
        return found;
    }
    int failed = 0;
    if (!PySequence_Check(notes)) {
        PyObject *text = PyObject_Repr(notes);
        if (text == NULL) {
            PyErr_Clear();
            failed = put_margin(d) < 0
                || put(d, "<__notes__ repr() failed>") < 0;
        }
        else {
            failed = put_margin(d) < 0 || put_object(d, text) < 0;
            Py_DECREF(text);
        }
    }
    else {
        Py_ssize_t n = PySequence_Length(notes);
        failed = n < 0;
        for (Py_ssize_t i = 0; !failed && i < n; i++) {
            PyObject *note = PySequence_GetItem(notes, i);
            failed = note == NULL || show_note(d, note) < 0;
            Py_XDECREF(note);
        }
    }
    Py_DECREF(notes);
    return failed ? -1 : 0;
}

static int
show_traceback(display *d, PyObject *exc, const char *header)
{
    PyObject *traceback = _PyExc_BASE(exc)->traceback;
    if (traceback == NULL || traceback == Py_None) {
        return 0;
    }
    PyObject *margin = NULL, *header_margin = NULL;
    if (d->depth > 0) {
        margin = PyUnicode_FromString("| ");
        header_margin = PyUnicode_FromString(d->first_of_group ? "+ " : "| ");
        if (margin == NULL || header_margin == NULL) {
            Py_XDECREF(margin);
            Py_XDECREF(header_margin);
            return -1;
        }
    }
    int status = _PyTraceBack_Print_Indented(traceback, indent_of(d), margin,
                                             header_margin, header, d->file);
    Py_XDECREF(margin);
    Py_XDECREF(header_margin);
    return status;
}

static int
show_exception(display *d, PyObject *exc, const char *header)
{
    if (!PyExceptionInstance_Check(exc)) {
        PyObject *text = PyUnicode_FromFormat(
            "TypeError: print_exception(): Exception expected for value, "
            "%s found\n", Py_TYPE(exc)->tp_name);
        int failed = text == NULL || put_margin(d) < 0
            || put_object(d, text) < 0;
        Py_XDECREF(text);
        return failed ? -1 : 0;
    }
    fflush(stdout);
    PyObject *message;
    if (show_traceback(d, exc, header) < 0
        || show_place(d, exc, &message) < 0) {
        return -1;
    }
    int failed = show_message(d, exc, message != NULL ? message : exc) < 0;
    Py_XDECREF(message);
    if (failed || show_suggestion(d, exc) < 0 || put(d, "\n") < 0) {
        return -1;
    }
    return show_notes(d, exc);
}

/* ------------------------------------------------------------------- groups */

static int
put_rule(display *d, int first, PyObject *label)
{
    if (put_spaces(d, indent_of(d)) < 0
        || put(d, first ? "+-+---------------- " : "  +---------------- ") < 0
        || put_object(d, label) < 0 || put(d, " ----------------\n") < 0) {
        return -1;
    }
    return 0;
}

static int
show_member(display *d, PyObject *excs, Py_ssize_t i, Py_ssize_t n)
{
    int more = i >= MAX_GROUP_WIDTH;
    PyObject *label = more ? PyUnicode_FromString("...")
                           : PyUnicode_FromFormat("%zd", i + 1);
    if (label == NULL) {
        return -1;
    }
    int failed = put_rule(d, i == 0, label) < 0;
    Py_DECREF(label);
    if (failed) {
        return -1;
    }
    d->depth++;
    if (!more) {
        if (_Py_EnterRecursiveCall(" in print_exception_group") == 0) {
            failed = show_chain(d, PyTuple_GET_ITEM(excs, i)) < 0;
            _Py_LeaveRecursiveCall();
        }
        else {
            failed = 1;
        }
    }
    else {
        Py_ssize_t left = n - MAX_GROUP_WIDTH;
        PyObject *text = PyUnicode_FromFormat("and %zd more exception%s\n",
                                              left, left == 1 ? "" : "s");
        failed = text == NULL || put_margin(d) < 0 || put_object(d, text) < 0;
        Py_XDECREF(text);
    }
    d->depth--;
    return failed ? -1 : 0;
}

static int
show_group(display *d, PyObject *exc)
{
    if (d->depth > MAX_GROUP_DEPTH) {
        PyObject *text = PyUnicode_FromFormat("... (max_group_depth is %d)\n",
                                              (int)MAX_GROUP_DEPTH);
        int failed = text == NULL || put_margin(d) < 0
            || put_object(d, text) < 0;
        Py_XDECREF(text);
        return failed ? -1 : 0;
    }
    int outermost = d->depth == 0;
    if (outermost) {
        d->depth++;
        d->first_of_group = 1;
    }
    int failed = show_exception(d, exc, "Exception Group Traceback (most "
                                        "recent call last):\n") < 0;
    d->first_of_group = 0;
    PyObject *excs = ((PyBaseExceptionGroupObject *)exc)->excs;
    Py_ssize_t n = PyTuple_GET_SIZE(excs);
    Py_ssize_t shown = n <= MAX_GROUP_WIDTH ? n : MAX_GROUP_WIDTH + 1;
    for (Py_ssize_t i = 0; !failed && i < shown; i++) {
        d->need_close = i == shown - 1;
        failed = show_member(d, excs, i, n) < 0;
    }
    /* If several groups end together, only the innermost writes the closing line. */
    if (!failed && d->need_close) {
        failed = put_spaces(d, indent_of(d)) < 0
            || put(d, "  +------------------------------------\n") < 0;
    }
    d->need_close = 0;
    if (outermost) {
        d->depth--;
    }
    return failed ? -1 : 0;
}

/* ------------------------------------------------------------------- chains */

/* Adds exc to the set of those seen. Returns 1 if it is new. */
static int
note_seen(display *d, PyObject *exc)
{
    PyObject *id = PyLong_FromVoidPtr(exc);
    if (id == NULL) {
        return -1;
    }
    int seen = PySet_Contains(d->seen, id);
    int status = seen == 0 ? (PySet_Add(d->seen, id) < 0 ? -1 : 1) : -1;
    if (seen == 1) {
        status = 0;
    }
    Py_DECREF(id);
    return status;
}

/* Returns 1 if it has been shown, or is being shown. */
static int
was_seen(display *d, PyObject *exc)
{
    PyObject *id = PyLong_FromVoidPtr(exc);
    if (id == NULL) {
        return -1;
    }
    int seen = PySet_Contains(d->seen, id);
    Py_DECREF(id);
    return seen;
}

static int
show_previous(display *d, PyObject *exc, const char *text)
{
    if (_Py_EnterRecursiveCall(" in print_chained")) {
        return -1;
    }
    int status = show_chain(d, exc);
    _Py_LeaveRecursiveCall();
    if (status < 0) {
        return -1;
    }
    return put_line(d, "") < 0 || put_line(d, text) < 0
        || put_line(d, "") < 0 ? -1 : 0;
}

static int
show_causes(display *d, PyObject *exc)
{
    PyBaseExceptionObject *base = _PyExc_BASE(exc);
    PyObject *previous = base->cause;
    const char *text = cause_text;
    if (note_seen(d, exc) < 0) {
        return -1;
    }
    if (previous == NULL) {
        if (base->context == NULL || base->suppress_context) {
            return 0;
        }
        previous = base->context;
        text = context_text;
    }
    int seen = was_seen(d, previous);
    if (seen != 0) {
        return seen < 0 ? -1 : 0;
    }
    Py_INCREF(previous);
    int status = show_previous(d, previous, text);
    Py_DECREF(previous);
    return status;
}

/* Shows an exception after its cause or context. */
static int
show_chain(display *d, PyObject *exc)
{
    if (d->seen != NULL && PyExceptionInstance_Check(exc)) {
        if (show_causes(d, exc) < 0) {
            return -1;
        }
    }
    if (PyObject_TypeCheck(exc, (PyTypeObject *)PyExc_BaseExceptionGroup)) {
        return show_group(d, exc);
    }
    return show_exception(d, exc, "Traceback (most recent call last):\n");
}

static void
dump_to_c_stderr(PyObject *value)
{
    _PyObject_Dump(value);
    fprintf(stderr, "lost sys.stderr\n");
}

void
_PyErr_DisplayTo(PyObject *file, PyObject *Py_UNUSED(type), PyObject *value,
                 PyObject *traceback)
{
    if (PyExceptionInstance_Check(value) && traceback != NULL
        && PyTraceBack_Check(traceback)) {
        /* The given traceback is used only if the exception has none. */
        if (_PyExc_BASE(value)->traceback == NULL) {
            PyException_SetTraceback(value, traceback);
        }
    }
    display d = {.file = file};
    d.seen = PySet_New(NULL);
    if (d.seen == NULL) {
        PyErr_Clear();
    }
    if (show_chain(&d, value) < 0) {
        /* An exception that the stream refuses must not go unseen. */
        PyErr_Clear();
        dump_to_c_stderr(value);
    }
    Py_XDECREF(d.seen);
    PyObject *result = PyObject_CallMethodNoArgs(file, _Py_NAME(flush));
    if (result == NULL) {
        PyErr_Clear();
    }
    Py_XDECREF(result);
}

void
PyErr_Display(PyObject *type, PyObject *value, PyObject *traceback)
{
    PyObject *file = PySys_GetObject("stderr");
    if (file == NULL) {
        dump_to_c_stderr(value);
        return;
    }
    if (file == Py_None) {
        return;
    }
    Py_INCREF(file);
    _PyErr_DisplayTo(file, type, value != NULL ? value : Py_None, traceback);
    Py_DECREF(file);
}

/* -------------------------------------------------------------- PyErr_Print */

/* Turns SystemExit's code into an exit status. A code that is not an int is printed. */
static int
exit_status(PyObject *code)
{
    if (code == NULL || code == Py_None) {
        return 0;
    }
    if (PyLong_Check(code)) {
        return (int)PyLong_AsLong(code);
    }
    PyObject *file = PySys_GetObject("stderr");
    if (file != NULL && file != Py_None) {
        PyFile_WriteObject(code, file, Py_PRINT_RAW);
    }
    else {
        PyObject_Print(code, stderr, Py_PRINT_RAW);
        fflush(stderr);
    }
    PySys_WriteStderr("\n");
    return 1;
}

int
_Py_HandleSystemExit(int *status)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (!_PyErr_ExceptionMatches(tstate, PyExc_SystemExit)
        || tstate->interp->config.inspect) {
        return 0;
    }
    fflush(stdout);
    PyObject *exc = _PyErr_GetRaised(tstate);
    /* The attribute, not the field: any object may pose as the exception. */
    PyObject *code = PyObject_GetAttrString(exc, "code");
    if (code == NULL) {
        PyErr_Clear();
        code = Py_NewRef(exc);
    }
    *status = exit_status(code);
    Py_DECREF(code);
    Py_DECREF(exc);
    _PyErr_Clear(tstate);
    return 1;
}

/* Exits if the exception in flight is SystemExit (for PyErr_Print). */
static void
handle_system_exit(void)
{
    int status;
    if (_Py_HandleSystemExit(&status)) {
        Py_Exit(status);
    }
}

static void
set_last(PyObject *type, PyObject *value, PyObject *traceback)
{
    if (PySys_SetObject("last_type", type) < 0
        || PySys_SetObject("last_value", value) < 0
        || PySys_SetObject("last_traceback",
                           traceback != NULL ? traceback : Py_None) < 0) {
        PyErr_Clear();
    }
}

static void
report_bad_hook(PyThreadState *tstate, PyObject *type, PyObject *value,
                PyObject *traceback)
{
    handle_system_exit();
    PyObject *type2, *value2, *traceback2;
    _PyErr_Fetch(tstate, &type2, &value2, &traceback2);
    _PyErr_NormalizeException(tstate, &type2, &value2, &traceback2);
    if (value2 == NULL) {
        value2 = Py_NewRef(Py_None);
    }
    fflush(stdout);
    PySys_WriteStderr("Error in sys.excepthook:\n");
    PyErr_Display(type2, value2, traceback2);
    PySys_WriteStderr("\nOriginal exception was:\n");
    PyErr_Display(type, value, traceback);
    Py_XDECREF(type2);
    Py_XDECREF(value2);
    Py_XDECREF(traceback2);
}

static void
print_exception(PyThreadState *tstate, int set_sys_last_vars)
{
    PyObject *type, *value, *traceback;
    handle_system_exit();
    _PyErr_Fetch(tstate, &type, &value, &traceback);
    if (type == NULL) {
        return;
    }
    _PyErr_NormalizeException(tstate, &type, &value, &traceback);
    if (traceback == NULL) {
        traceback = Py_NewRef(Py_None);
    }
    PyException_SetTraceback(value, traceback);
    if (type == NULL) {
        Py_XDECREF(value);
        Py_XDECREF(traceback);
        return;
    }
    if (set_sys_last_vars) {
        set_last(type, value, traceback);
    }
    PyObject *hook = Py_XNewRef(PySys_GetObject("excepthook"));
    if (PySys_Audit("sys.excepthook", "OOOO", hook != NULL ? hook : Py_None,
                    type, value, traceback) < 0) {
        if (PyErr_ExceptionMatches(PyExc_RuntimeError)) {
            PyErr_Clear();
            goto done;
        }
        _PyErr_WriteUnraisableMsg("in audit hook", NULL);
    }
    if (hook == NULL) {
        PySys_WriteStderr("sys.excepthook is missing\n");
        PyErr_Display(type, value, traceback);
    }
    else {
        PyObject *args[] = {type, value, traceback};
        PyObject *result = PyObject_Vectorcall(hook, args, 3, NULL);
        if (result == NULL) {
            report_bad_hook(tstate, type, value, traceback);
        }
        Py_XDECREF(result);
    }

done:
    Py_XDECREF(hook);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

void
_PyErr_Print(PyThreadState *tstate)
{
    print_exception(tstate, 1);
}

void
PyErr_PrintEx(int set_sys_last_vars)
{
    print_exception(_PyThreadState_GET(), set_sys_last_vars);
}

void
PyErr_Print(void)
{
    PyErr_PrintEx(1);
}
