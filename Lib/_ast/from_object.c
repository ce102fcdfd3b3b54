/* From objects to C: the tree that compile() is given.

   What a field's type demands is checked here; rules that concern several fields are left
   to Python/frontend/ast_validate.c. */

#include "types.h"
#include "internal/frontend.h"
#include "internal/pystate.h"

#include <string.h>

typedef struct {
    AstTypes *types;
    AstArena *arena;
} Reader;

static int read_node(Reader *r, AstFieldType type, PyObject *object, AstNode **out);

static int
keep(Reader *r, PyObject *object)
{
    return _PyAstArena_Steal(r->arena, Py_NewRef(object));
}

/* A new reference to an attribute; NULL without exception if it is missing. */
static int
lookup(PyObject *object, PyObject *name, PyObject **value)
{
    *value = PyObject_GetAttr(object, name);
    if (*value == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
            return -1;
        }
        PyErr_Clear();
    }
    return 0;
}

static int
read_int(PyObject *object, int *out)
{
    if (!PyLong_Check(object)) {
        PyErr_Format(PyExc_ValueError, "invalid integer value: %R", object);
        return -1;
    }
    long value = PyLong_AsLong(object);
    if (value == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (value != (int)value) {
        PyErr_SetString(PyExc_OverflowError, "Python int too large to convert to C int");
        return -1;
    }
    *out = (int)value;
    return 0;
}

/* identifier, string and constant: references. NULL for None. */
static int
read_reference(Reader *r, AstFieldType type, PyObject *object, PyObject **out)
{
    if (type != AST_TYPE_constant) {
        if (object == Py_None) {
            *out = NULL;
            return 0;
        }
        if (type == AST_TYPE_identifier && !PyUnicode_CheckExact(object)) {
            PyErr_SetString(PyExc_TypeError, "AST identifier must be of type str");
            return -1;
        }
        if (type == AST_TYPE_string && !PyUnicode_CheckExact(object)
            && !PyBytes_CheckExact(object))
        {
            PyErr_SetString(PyExc_TypeError, "AST string must be of type str");
            return -1;
        }
    }
    *out = object;
    return keep(r, object);
}

/* Which kind of `type` is the object? AST_none with TypeError if it is none of them. */
static AstKind
kind_of(Reader *r, AstFieldType type, PyObject *object)
{
    for (int k = AST_none + 1; k < AST_KIND_COUNT; k++) {
        if (_PyAst_Kinds[k].type != type || _PyAst_Kinds[k].group == NULL) {
            continue;
        }
        int is = PyObject_IsInstance(object, r->types->kinds[k]);
        if (is != 0) {
            return is < 0 ? AST_none : (AstKind)k;
        }
    }
    PyErr_Format(PyExc_TypeError, "expected some sort of %s, but got %R",
                 _PyAst_FieldTypeNames[type], object);
    return AST_none;
}

static int
is_operator(AstFieldType type)
{
    return type == AST_TYPE_expr_context || type == AST_TYPE_boolop
        || type == AST_TYPE_operator || type == AST_TYPE_unaryop
        || type == AST_TYPE_cmpop;
}

static int
is_reference(AstFieldType type)
{
    return type == AST_TYPE_identifier || type == AST_TYPE_string
        || type == AST_TYPE_constant;
}

/* python3.11 counts one level of nesting for each part of a node that is read: its
   position, a field, an item of a list. */
static int
enter(const char *owner)
{
    if (_Py_EnterRecursiveCall("") == 0) {
        return 0;
    }
    PyErr_Format(PyExc_RecursionError,
                 "maximum recursion depth exceeded while traversing '%s' node", owner);
    return -1;
}

/* lineno, col_offset, end_lineno, end_col_offset. */
static int
read_position_numbers(Reader *r, const char *owner, int positions, PyObject *object,
                      AstPos *pos)
{
    int *numbers = &pos->lineno;
    for (int i = 0; i < 4; i++) {
        PyObject *value;
        if (lookup(object, r->types->positions[i], &value) < 0) {
            return -1;
        }
        if (i >= 2 && positions == 1 && (value == NULL || value == Py_None)) {
            Py_XDECREF(value);
            numbers[i] = numbers[i - 2];
            continue;
        }
        if (value == NULL) {
            PyErr_Format(PyExc_TypeError, "required field \"%U\" missing from %s",
                         r->types->positions[i], owner);
            return -1;
        }
        int result = read_int(value, &numbers[i]);
        Py_DECREF(value);
        if (result < 0) {
            return -1;
        }
    }
    return 0;
}

static int
read_positions(Reader *r, const char *owner, int positions, PyObject *object, AstPos *pos)
{
    if (enter(owner) < 0) {
        return -1;
    }
    int result = read_position_numbers(r, owner, positions, object, pos);
    _Py_LeaveRecursiveCall();
    return result;
}

static int
read_list(Reader *r, const AstKindInfo *info, const AstField *field, PyObject *list,
          void *where)
{
    if (!PyList_Check(list)) {
        PyErr_Format(PyExc_TypeError, "%s field \"%s\" must be a list, not a %.200s",
                     info->name, field->name, Py_TYPE(list)->tp_name);
        return -1;
    }
    Py_ssize_t size = PyList_GET_SIZE(list);
    AstSeq *seq = field->type == AST_TYPE_cmpop
        ? (AstSeq *)_PyAst_NewOpSeq(r->arena, size) : _PyAst_NewSeq(r->arena, size);
    if (seq == NULL) {
        return -1;
    }
    if (size == 0 && field->type == AST_TYPE_identifier) {
        seq = (AstSeq *)&_PyAst_EmptyNameSeq;
    }
    *(AstSeq **)where = seq;
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *item = Py_NewRef(PyList_GET_ITEM(list, i));
        int result;
        if (enter(info->name) < 0) {
            Py_DECREF(item);
            return -1;
        }
        if (field->type == AST_TYPE_identifier) {
            result = read_reference(r, field->type, item,
                                    &((AstNameSeq *)seq)->items[i]);
        }
        else if (field->type == AST_TYPE_cmpop) {
            AstKind op = kind_of(r, field->type, item);
            ((AstOpSeq *)seq)->items[i] = op;
            result = op == AST_none ? -1 : 0;
        }
        else {
            result = read_node(r, field->type, item, &seq->items[i]);
        }
        _Py_LeaveRecursiveCall();
        Py_DECREF(item);
        if (result < 0) {
            return -1;
        }
        if (PyList_GET_SIZE(list) != size) {
            PyErr_Format(PyExc_RuntimeError,
                         "%s field \"%s\" changed size during iteration",
                         info->name, field->name);
            return -1;
        }
    }
    return 0;
}

static int
read_value(Reader *r, const AstKindInfo *info, const AstField *field, PyObject *value,
           void *where)
{
    AstFieldType type = field->type;
    int missing;
    if (is_reference(type)) {
        if (read_reference(r, type, value, where) < 0) {
            return -1;
        }
        missing = *(PyObject **)where == NULL;
    }
    else if (type == AST_TYPE_int) {
        return read_int(value, where);
    }
    else if (value == Py_None) {
        *(void **)where = NULL;
        missing = 1;
        if (is_operator(type)) {
            *(AstKind *)where = AST_none;
        }
    }
    else if (is_operator(type)) {
        *(AstKind *)where = kind_of(r, type, value);
        return *(AstKind *)where == AST_none ? -1 : 0;
    }
    else {
        if (read_node(r, type, value, where) < 0) {
            return -1;
        }
        missing = 0;
    }
    if (missing && field->cardinality == AST_CARD_ONE) {
        PyErr_Format(PyExc_ValueError, "field '%s' is required for %s",
                     field->name, info->name);
        return -1;
    }
    return 0;
}

static int
read_field(Reader *r, AstKind kind, int i, PyObject *object, AstNode *node)
{
    const AstKindInfo *info = &_PyAst_Kinds[kind];
    const AstField *field = &info->fields()[i];
    void *where = (char *)node + field->offset;
    PyObject *value;
    if (lookup(object, r->types->field_names[kind][i], &value) < 0) {
        return -1;
    }
    if (field->cardinality == AST_CARD_OPT && (value == NULL || value == Py_None)) {
        Py_XDECREF(value);
        if (field->type == AST_TYPE_int) {
            *(int *)where = 0;
        }
        else {
            *(void **)where = NULL;
        }
        return 0;
    }
    if (value == NULL) {
        PyErr_Format(PyExc_TypeError, "required field \"%s\" missing from %s",
                     field->name, info->name);
        return -1;
    }
    int result = -1;
    if (field->cardinality == AST_CARD_SEQ) {
        result = read_list(r, info, field, value, where);
    }
    else if (enter(info->name) == 0) {
        result = read_value(r, info, field, value, where);
        _Py_LeaveRecursiveCall();
    }
    Py_DECREF(value);
    return result;
}

static AstKind
kind_alone(AstFieldType type)
{
    for (int k = AST_none + 1; k < AST_KIND_COUNT; k++) {
        if (_PyAst_Kinds[k].group == NULL && _PyAst_Kinds[k].type == type) {
            return (AstKind)k;
        }
    }
    return AST_none;
}

/* A node of the given type; NULL for None. */
static int
read_node(Reader *r, AstFieldType type, PyObject *object, AstNode **out)
{
    AstKind kind = kind_alone(type);
    int alone = kind != AST_none;
    AstPos pos = {0, 0, 0, 0};
    *out = NULL;
    if (object == Py_None && !alone) {
        return 0;
    }
    if (!alone) {
        static const unsigned char group_positions[AST_FIELD_TYPE_COUNT] = {
#define GROUP_POSITIONS(group, positions) [AST_TYPE_##group] = positions,
            AST_GROUPS(GROUP_POSITIONS)
        };
        int positions = group_positions[type];
        int is = PyObject_IsInstance(object, r->types->groups[type]);
        if (is < 0) {
            return -1;
        }
        if (positions && read_positions(r, _PyAst_FieldTypeNames[type], positions,
                                        object, &pos) < 0)
        {
            return -1;
        }
        kind = kind_of(r, type, object);
        if (kind == AST_none) {
            return -1;
        }
    }
    const AstKindInfo *info = &_PyAst_Kinds[kind];
    AstNode *node = _PyAstArena_Alloc(r->arena, info->struct_size);
    if (node == NULL) {
        return -1;
    }
    memset(node, 0, info->struct_size);
    node->kind = kind;
    for (int i = 0; i < info->n_fields; i++) {
        if (read_field(r, kind, i, object, node) < 0) {
            return -1;
        }
    }
    if (alone && info->positions
        && read_positions(r, info->name, info->positions, object, &pos) < 0)
    {
        return -1;
    }
    node->pos = pos;
    *out = node;
    return 0;
}

AstNode *
_PyAst_FromObject(PyObject *object, int start, AstArena *arena)
{
    Reader r = {_PyAst_Types(), arena};
    if (r.types == NULL) {
        return NULL;
    }
    if (PySys_Audit("compile", "OO", object, Py_None) < 0) {
        return NULL;
    }
    AstKind wanted = start == Py_eval_input ? AST_Expression
        : start == Py_single_input ? AST_Interactive : AST_Module;
    int is = PyObject_IsInstance(object, r.types->kinds[wanted]);
    if (is < 0) {
        return NULL;
    }
    if (!is) {
        PyErr_Format(PyExc_TypeError, "expected %s node, got %.400s",
                     _PyAst_Kinds[wanted].name, Py_TYPE(object)->tp_name);
        return NULL;
    }
    AstNode *mod;
    return read_node(&r, AST_TYPE_mod, object, &mod) < 0 ? NULL : mod;
}
