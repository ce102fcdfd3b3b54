/* pyexpat: from expat's callbacks to the handlers of the program.

   Every callback converts its C strings to an array of objects and passes them to
   report(), which owns them from then on, including NULLs (failed conversions).
   Tracebacks show the callback as a frame of this file. */

#include "pyexpat_module.h"
#include "internal/traceback.h"

/* --------------------------------------------------------------- conversion */

static PyObject *
text_or_none(const XML_Char *s)
{
    return s == NULL ? Py_NewRef(Py_None)
        : PyUnicode_DecodeUTF8(s, (Py_ssize_t)strlen(s), "strict");
}

/* Names recur: equal ones become the same object. */
static PyObject *
interned(ParserObject *self, const XML_Char *s)
{
    PyObject *text = text_or_none(s);
    if (text == NULL || self->intern == NULL) {
        return text;
    }
    PyObject *known = PyDict_SetDefault(self->intern, text, text);
    Py_XINCREF(known);
    Py_DECREF(text);
    return known;
}

static PyObject *
convert_model(const XML_Content *model)
{
    if (Py_EnterRecursiveCall(" in conv_content_model")) {
        return NULL;
    }
    PyObject *children = PyTuple_New(model->numchildren);
    for (unsigned i = 0; children != NULL && i < model->numchildren; i++) {
        PyObject *child = convert_model(&model->children[i]);
        if (child == NULL) {
            Py_CLEAR(children);
            break;
        }
        PyTuple_SET_ITEM(children, i, child);
    }
    Py_LeaveRecursiveCall();
    if (children == NULL) {
        return NULL;
    }
    PyObject *name = text_or_none(model->name);
    if (name == NULL) {
        Py_DECREF(children);
        return NULL;
    }
    return Py_BuildValue("(iiNN)", (int)model->type, (int)model->quant, name,
                         children);
}

/* ------------------------------------------------------------------ calling */

void
_PyExpat_ClearHandlers(ParserObject *self)
{
    for (int i = 0; i < HANDLER_COUNT; i++) {
        if (self->handlers[i] != NULL) {
            _PyExpat_ConnectHandler(self, i, 0);
            Py_CLEAR(self->handlers[i]);
        }
    }
}

static int
refuse_external_entity(XML_Parser Py_UNUSED(parser),
                       const XML_Char *Py_UNUSED(context),
                       const XML_Char *Py_UNUSED(base),
                       const XML_Char *Py_UNUSED(system_id),
                       const XML_Char *Py_UNUSED(public_id))
{
    return 0;
}

/* An exception is set: nothing more is reported. */
static void
stop(ParserObject *self)
{
    _PyExpat_ClearHandlers(self);
    XML_SetExternalEntityRefHandler(self->expat, refuse_external_entity);
    (void)XML_StopParser(self->expat, XML_FALSE);
}

static PyObject *
call_handler(ParserObject *self, int which, const char *name, int line,
             PyObject *const *args, size_t n)
{
    PyObject *handler = Py_NewRef(self->handlers[which]);
    self->callback_depth++;
    PyObject *result = PyObject_Vectorcall(handler, args, n, NULL);
    self->callback_depth--;
    Py_DECREF(handler);
    if (result == NULL) {
        _PyTraceback_Add(name, "pyexpat.c", line);
        stop(self);
    }
    return result;
}

/* Calls a handler, after delivering the text that came before. Steals the n references in
   args; a NULL among them is an exception that stops the parser. NULL: stopped. */
static PyObject *
report(ParserObject *self, int which, const char *name, int line,
       PyObject **args, size_t n)
{
    PyObject *result = NULL;
    int complete = 1;
    for (size_t i = 0; i < n; i++) {
        complete &= args[i] != NULL;
    }
    if (!complete) {
        stop(self);
    }
    else if (self->handlers[which] != NULL) {
        result = call_handler(self, which, name, line, args, n);
    }
    for (size_t i = 0; i < n; i++) {
        Py_XDECREF(args[i]);
    }
    return result;
}

/* Delivers the text that came before. Is there still a handler then? */
static int
listening(ParserObject *self, int which)
{
    if (self->handlers[which] == NULL || PyErr_Occurred()) {
        return 0;
    }
    if (_PyExpat_FlushText(self) < 0) {
        return 0;
    }
    return self->handlers[which] != NULL;
}

#define REPORT(self, Name, ...) do { \
        PyObject *args_[] = {__VA_ARGS__}; \
        Py_XDECREF(report((self), HANDLER_##Name, #Name, __LINE__, args_, \
                          Py_ARRAY_LENGTH(args_))); \
    } while (0)

/* A handler whose result is returned to expat. */
#define ASK(self, Name, answer, ...) do { \
        PyObject *args_[] = {__VA_ARGS__ __VA_OPT__(,) NULL}; \
        PyObject *result_ = report((self), HANDLER_##Name, #Name, __LINE__, \
                                   args_, Py_ARRAY_LENGTH(args_) - 1); \
        (answer) = integer_answer((self), result_); \
    } while (0)

static int
integer_answer(ParserObject *self, PyObject *result)
{
    if (result == NULL) {
        return 0;
    }
    long answer = PyLong_AsLong(result);
    Py_DECREF(result);
    if (answer == -1 && PyErr_Occurred()) {
        stop(self);
        return 0;
    }
    return (int)answer;
}

/* --------------------------------------------------------------------- text */

static int
deliver_text(ParserObject *self, const XML_Char *s, int n)
{
    PyObject *text = PyUnicode_DecodeUTF8(s, n, "strict");
    if (text == NULL) {
        stop(self);
        return -1;
    }
    PyObject *result = call_handler(self, HANDLER_CharacterData,
                                    "CharacterData", __LINE__, &text, 1);
    Py_DECREF(text);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

int
_PyExpat_FlushText(ParserObject *self)
{
    int n = self->buffer_used;
    if (self->buffer == NULL || n == 0) {
        return 0;
    }
    self->buffer_used = 0;
    if (self->handlers[HANDLER_CharacterData] == NULL) {
        return 0;
    }
    return deliver_text(self, self->buffer, n);
}

static void
on_CharacterData(void *data, const XML_Char *s, int n)
{
    ParserObject *self = data;
    if (PyErr_Occurred()) {
        return;
    }
    if (self->buffer != NULL && n <= self->buffer_size) {
        if (n > self->buffer_size - self->buffer_used
                && _PyExpat_FlushText(self) < 0) {
            return;
        }
        if (self->buffer != NULL && n <= self->buffer_size) {
            memcpy(self->buffer + self->buffer_used, s, (size_t)n);
            self->buffer_used += n;
            return;
        }
    }
    if (listening(self, HANDLER_CharacterData)) {
        (void)deliver_text(self, s, n);
    }
}

static void
ignore_text(void *Py_UNUSED(data), const XML_Char *Py_UNUSED(s),
            int Py_UNUSED(n))
{
}

void
_PyExpat_IgnoreText(ParserObject *self)
{
    XML_SetCharacterDataHandler(self->expat, ignore_text);
}

/* ----------------------------------------------------------------- elements */

static PyObject *
convert_attributes(ParserObject *self, const XML_Char *const *pairs)
{
    Py_ssize_t n = 0;
    if (self->specified_attributes) {
        n = XML_GetSpecifiedAttributeCount(self->expat);
    }
    else {
        while (pairs[n] != NULL) {
            n += 2;
        }
    }
    PyObject *all = self->ordered_attributes ? PyList_New(n) : PyDict_New();
    for (Py_ssize_t i = 0; all != NULL && i < n; i += 2) {
        PyObject *name = interned(self, pairs[i]);
        PyObject *value = name == NULL ? NULL : text_or_none(pairs[i + 1]);
        if (value == NULL) {
            Py_XDECREF(name);
            Py_CLEAR(all);
        }
        else if (self->ordered_attributes) {
            PyList_SET_ITEM(all, i, name);
            PyList_SET_ITEM(all, i + 1, value);
        }
        else {
            int failed = PyDict_SetItem(all, name, value);
            Py_DECREF(name);
            Py_DECREF(value);
            if (failed < 0) {
                Py_CLEAR(all);
            }
        }
    }
    return all;
}

static void
on_StartElement(void *data, const XML_Char *name, const XML_Char **attributes)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_StartElement)) {
        PyObject *all = convert_attributes(self, attributes);
        PyObject *tag = all == NULL ? NULL : interned(self, name);
        REPORT(self, StartElement, tag, all);
    }
}

static void
on_EndElement(void *data, const XML_Char *name)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_EndElement)) {
        REPORT(self, EndElement, interned(self, name));
    }
}

static void
on_StartNamespaceDecl(void *data, const XML_Char *prefix, const XML_Char *uri)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_StartNamespaceDecl)) {
        REPORT(self, StartNamespaceDecl, interned(self, prefix),
               interned(self, uri));
    }
}

static void
on_EndNamespaceDecl(void *data, const XML_Char *prefix)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_EndNamespaceDecl)) {
        REPORT(self, EndNamespaceDecl, interned(self, prefix));
    }
}

static void
on_ProcessingInstruction(void *data, const XML_Char *target,
                         const XML_Char *content)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_ProcessingInstruction)) {
        REPORT(self, ProcessingInstruction, interned(self, target),
               text_or_none(content));
    }
}

static void
on_Comment(void *data, const XML_Char *content)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_Comment)) {
        REPORT(self, Comment, text_or_none(content));
    }
}

/* The entry exists for `args_` to have a type; no handler takes arguments. */
#define REPORT_NOTHING(self, Name) \
    Py_XDECREF(report((self), HANDLER_##Name, #Name, __LINE__, NULL, 0))

static void
on_StartCdataSection(void *data)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_StartCdataSection)) {
        REPORT_NOTHING(self, StartCdataSection);
    }
}

static void
on_EndCdataSection(void *data)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_EndCdataSection)) {
        REPORT_NOTHING(self, EndCdataSection);
    }
}

static void
on_Default(void *data, const XML_Char *s, int n)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_Default)) {
        REPORT(self, Default, PyUnicode_DecodeUTF8(s, n, "strict"));
    }
}

static void
on_DefaultExpand(void *data, const XML_Char *s, int n)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_DefaultExpand)) {
        REPORT(self, DefaultExpand, PyUnicode_DecodeUTF8(s, n, "strict"));
    }
}

/* -------------------------------------------------- document type, entities */

static void
on_XmlDecl(void *data, const XML_Char *version, const XML_Char *encoding,
           int standalone)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_XmlDecl)) {
        REPORT(self, XmlDecl, text_or_none(version), text_or_none(encoding),
               PyLong_FromLong(standalone));
    }
}

static void
on_StartDoctypeDecl(void *data, const XML_Char *name, const XML_Char *system_id,
                    const XML_Char *public_id, int has_internal_subset)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_StartDoctypeDecl)) {
        REPORT(self, StartDoctypeDecl, interned(self, name),
               interned(self, system_id), interned(self, public_id),
               PyLong_FromLong(has_internal_subset));
    }
}

static void
on_EndDoctypeDecl(void *data)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_EndDoctypeDecl)) {
        REPORT_NOTHING(self, EndDoctypeDecl);
    }
}

static void
on_ElementDecl(void *data, const XML_Char *name, XML_Content *model)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_ElementDecl)) {
        REPORT(self, ElementDecl, interned(self, name), convert_model(model));
    }
    XML_FreeContentModel(self->expat, model);
}

static void
on_AttlistDecl(void *data, const XML_Char *element, const XML_Char *attribute,
               const XML_Char *type, const XML_Char *default_, int required)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_AttlistDecl)) {
        REPORT(self, AttlistDecl, interned(self, element),
               interned(self, attribute), text_or_none(type),
               text_or_none(default_), PyLong_FromLong(required));
    }
}

static void
on_EntityDecl(void *data, const XML_Char *name, int is_parameter,
              const XML_Char *value, int value_length, const XML_Char *base,
              const XML_Char *system_id, const XML_Char *public_id,
              const XML_Char *notation)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_EntityDecl)) {
        REPORT(self, EntityDecl, interned(self, name),
               PyLong_FromLong(is_parameter),
               value == NULL ? Py_NewRef(Py_None)
                   : PyUnicode_DecodeUTF8(value, value_length, "strict"),
               interned(self, base), interned(self, system_id),
               interned(self, public_id), interned(self, notation));
    }
}

static void
on_UnparsedEntityDecl(void *data, const XML_Char *name, const XML_Char *base,
                      const XML_Char *system_id, const XML_Char *public_id,
                      const XML_Char *notation)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_UnparsedEntityDecl)) {
        REPORT(self, UnparsedEntityDecl, interned(self, name),
               interned(self, base), interned(self, system_id),
               interned(self, public_id), interned(self, notation));
    }
}

static void
on_NotationDecl(void *data, const XML_Char *name, const XML_Char *base,
                const XML_Char *system_id, const XML_Char *public_id)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_NotationDecl)) {
        REPORT(self, NotationDecl, interned(self, name), interned(self, base),
               interned(self, system_id), interned(self, public_id));
    }
}

static void
on_SkippedEntity(void *data, const XML_Char *name, int is_parameter)
{
    ParserObject *self = data;
    if (listening(self, HANDLER_SkippedEntity)) {
        REPORT(self, SkippedEntity, interned(self, name),
               PyLong_FromLong(is_parameter));
    }
}

static int
on_NotStandalone(void *data)
{
    ParserObject *self = data;
    int answer = 0;
    if (listening(self, HANDLER_NotStandalone)) {
        ASK(self, NotStandalone, answer);
    }
    return answer;
}

static int
on_ExternalEntityRef(XML_Parser parser, const XML_Char *context,
                     const XML_Char *base, const XML_Char *system_id,
                     const XML_Char *public_id)
{
    ParserObject *self = XML_GetUserData(parser);
    int answer = 0;
    if (listening(self, HANDLER_ExternalEntityRef)) {
        ASK(self, ExternalEntityRef, answer, text_or_none(context),
            interned(self, base), interned(self, system_id),
            interned(self, public_id));
    }
    return answer;
}

/* -------------------------------------------------------------- connections */

void
_PyExpat_ConnectHandler(ParserObject *self, int which, int wanted)
{
    switch (which) {
#define XML_SetDefaultExpandHandler XML_SetDefaultHandlerExpand
#define HANDLER(name) \
    case HANDLER_##name: \
        XML_Set##name##Handler(self->expat, wanted ? on_##name : NULL); \
        break;
#include "handlers.def"
#undef HANDLER
    default:
        Py_UNREACHABLE();
    }
}

int
_PyExpat_UnknownEncoding(void *Py_UNUSED(data), const XML_Char *name,
                         XML_Encoding *info)
{
    if (PyErr_Occurred()) {
        return XML_STATUS_ERROR;
    }
    char every_byte[256];
    for (int i = 0; i < 256; i++) {
        every_byte[i] = (char)i;
    }
    PyObject *text = PyUnicode_Decode(every_byte, 256, name, "replace");
    if (text == NULL) {
        return XML_STATUS_ERROR;
    }
    if (PyUnicode_GET_LENGTH(text) != 256) {
        Py_DECREF(text);
        PyErr_SetString(PyExc_ValueError,
                        "multi-byte encodings are not supported");
        return XML_STATUS_ERROR;
    }
    for (int i = 0; i < 256; i++) {
        Py_UCS4 ch = PyUnicode_READ_CHAR(text, i);
        info->map[i] = ch == Py_UNICODE_REPLACEMENT_CHARACTER ? -1 : (int)ch;
    }
    info->data = NULL;
    info->convert = NULL;
    info->release = NULL;
    Py_DECREF(text);
    return XML_STATUS_OK;
}
