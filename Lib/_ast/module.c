/* The `_ast` module: classes for the nodes of a syntax tree, and trees as Python
   objects.

   All classes but AST are made from the table in ast.def when they are first
   needed. They are ordinary heap types: users subclass them and set attributes. */

#include "types.h"
#include "internal/frontend.h"
#include "internal/module_init.h"
#include "internal/module_state.h"

#include <stddef.h>
#include <structmember.h>
#include <string.h>

/* ---------------------------------------------------------------------- AST */

typedef struct {
    PyObject_HEAD
    PyObject *dict;
} AstObject;

static void
ast_dealloc(AstObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_CLEAR(self->dict);
    type->tp_free(self);
    Py_DECREF(type);
}

static int
ast_traverse(AstObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(self->dict);
    return 0;
}

static int
ast_clear(AstObject *self)
{
    Py_CLEAR(self->dict);
    return 0;
}

/* The class's _fields as a tuple or list. New reference. */
static PyObject *
fields_of(PyObject *self)
{
    PyObject *fields = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "_fields");
    if (fields == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
            return NULL;
        }
        PyErr_Clear();
        return PyTuple_New(0);
    }
    Py_SETREF(fields, PySequence_Fast(fields, "_fields is not a sequence"));
    return fields;
}

static int
set_keywords(PyObject *self, PyObject *fields, Py_ssize_t n_args, PyObject *kwargs)
{
    Py_ssize_t pos = 0;
    PyObject *key, *value;
    while (PyDict_Next(kwargs, &pos, &key, &value)) {
        int known = PySequence_Contains(fields, key);
        if (known < 0) {
            return -1;
        }
        if (known) {
            Py_ssize_t index = PySequence_Index(fields, key);
            if (index < 0) {
                return -1;
            }
            if (index < n_args) {
                PyErr_Format(PyExc_TypeError,
                             "%.400s got multiple values for argument '%U'",
                             Py_TYPE(self)->tp_name, key);
                return -1;
            }
        }
        if (PyObject_SetAttr(self, key, value) < 0) {
            return -1;
        }
    }
    return 0;
}

static int
ast_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *fields = fields_of(self);
    if (fields == NULL) {
        return -1;
    }
    int result = -1;
    Py_ssize_t n_fields = PySequence_Fast_GET_SIZE(fields);
    Py_ssize_t n_args = PyTuple_GET_SIZE(args);
    if (n_fields < n_args) {
        PyErr_Format(PyExc_TypeError, "%.400s constructor takes at most %zd "
                     "positional argument%s", _PyType_Name(Py_TYPE(self)), n_fields,
                     n_fields == 1 ? "" : "s");
        goto done;
    }
    for (Py_ssize_t i = 0; i < n_args; i++) {
        PyObject *name = PySequence_Fast_GET_ITEM(fields, i);
        if (PyObject_SetAttr(self, name, PyTuple_GET_ITEM(args, i)) < 0) {
            goto done;
        }
    }
    result = kwargs != NULL ? set_keywords(self, fields, n_args, kwargs) : 0;
done:
    Py_DECREF(fields);
    return result;
}

static PyObject *
ast_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *dict = PyObject_GetAttrString(self, "__dict__");
    if (dict == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
            return NULL;
        }
        PyErr_Clear();
        return Py_BuildValue("O()", Py_TYPE(self));
    }
    return Py_BuildValue("O()N", Py_TYPE(self), dict);
}

static PyMemberDef ast_members[] = {
    {"__dictoffset__", T_PYSSIZET, offsetof(AstObject, dict), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyMethodDef ast_methods[] = {
    {"__reduce__", ast_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef ast_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyType_Slot ast_slots[] = {
    {Py_tp_dealloc, ast_dealloc},
    {Py_tp_getattro, PyObject_GenericGetAttr},
    {Py_tp_setattro, PyObject_GenericSetAttr},
    {Py_tp_traverse, ast_traverse},
    {Py_tp_clear, ast_clear},
    {Py_tp_members, ast_members},
    {Py_tp_methods, ast_methods},
    {Py_tp_getset, ast_getset},
    {Py_tp_init, ast_init},
    {Py_tp_alloc, PyType_GenericAlloc},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_free, PyObject_GC_Del},
    {0, NULL}
};

static PyType_Spec ast_spec = {
    .name = "ast.AST",
    .basicsize = sizeof(AstObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = ast_slots,
};

/* -------------------------------------------------------------- the classes */

/* Programs change these classes, and subclass them: each interpreter has its own. */
static inline AstTypes *
types(void)
{
    return _PyModuleState_Get(MODULE_STATE_AST);
}

static const char *const position_names[4] = {
    "lineno", "col_offset", "end_lineno", "end_col_offset"
};

const char *const _PyAst_FieldTypeNames[AST_FIELD_TYPE_COUNT] = {
    "identifier", "string", "constant", "int", "mod", "stmt", "expr", "expr_context",
    "boolop", "operator", "unaryop", "cmpop", "comprehension", "excepthandler",
    "arguments", "arg", "keyword", "alias", "withitem", "match_case", "pattern",
    "type_ignore"
};

/* "BinOp(expr left, operator op, expr right)" */
static PyObject *
kind_signature(const AstKindInfo *info)
{
    if (info->n_fields == 0) {
        return PyUnicode_FromString(info->name);
    }
    PyObject *text = PyUnicode_FromFormat("%s(", info->name);
    const AstField *fields = info->fields();
    static const char *const marks[] = {"", "?", "*"};
    for (int i = 0; text != NULL && i < info->n_fields; i++) {
        PyUnicode_AppendAndDel(&text, PyUnicode_FromFormat(
            "%s%s%s %s", i > 0 ? ", " : "", _PyAst_FieldTypeNames[fields[i].type],
            marks[fields[i].cardinality], fields[i].name));
    }
    if (text != NULL) {
        PyUnicode_AppendAndDel(&text, PyUnicode_FromString(")"));
    }
    return text;
}

/* "cmpop = Eq | NotEq", on lines of their own if members have fields. */
static PyObject *
group_doc(const char *group)
{
    PyObject *text = PyUnicode_FromFormat("%s = ", group);
    char indent[64] = "";
    memset(indent, ' ', Py_MIN(strlen(group), sizeof(indent) - 1));
    int with_fields = 0, n = 0;
    for (int k = AST_none + 1; k < AST_KIND_COUNT; k++) {
        const AstKindInfo *info = &_PyAst_Kinds[k];
        with_fields |= info->group && strcmp(info->group, group) == 0 && info->n_fields;
    }
    for (int k = AST_none + 1; text != NULL && k < AST_KIND_COUNT; k++) {
        const AstKindInfo *info = &_PyAst_Kinds[k];
        if (info->group == NULL || strcmp(info->group, group) != 0) {
            continue;
        }
        if (n++ > 0) {
            PyUnicode_AppendAndDel(&text, with_fields
                ? PyUnicode_FromFormat("\n%s | ", indent)
                : PyUnicode_FromString(" | "));
        }
        if (text != NULL) {
            PyUnicode_AppendAndDel(&text, kind_signature(info));
        }
    }
    return text;
}

static PyObject *
make_class(const char *name, PyObject *base, PyObject *field_names, PyObject *doc)
{
    if (doc == NULL || field_names == NULL) {
        Py_XDECREF(doc);
        Py_XDECREF(field_names);
        return NULL;
    }
    return PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){sOsOsssN}", name, base,
                                 "_fields", field_names, "__match_args__", field_names,
                                 "__module__", "ast", "__doc__", doc);
}

/* The attributes that hold a node's position. */
static int
add_positions(PyObject *type, int positions)
{
    PyObject *names = positions
        ? Py_BuildValue("(ssss)", position_names[0], position_names[1],
                        position_names[2], position_names[3])
        : PyTuple_New(0);
    if (names == NULL) {
        return -1;
    }
    int result = PyObject_SetAttrString(type, "_attributes", names);
    Py_DECREF(names);
    for (int i = 2; result == 0 && positions == 1 && i < 4; i++) {
        result = PyObject_SetAttr(type, types()->positions[i], Py_None);
    }
    return result;
}

static int
make_kind(AstKind kind)
{
    const AstKindInfo *info = &_PyAst_Kinds[kind];
    const AstField *fields = info->fields();
    PyObject *base = info->group ? types()->groups[info->type] : types()->ast;
    PyObject **names = PyMem_Calloc(info->n_fields + 1, sizeof(PyObject *));
    PyObject *tuple = PyTuple_New(info->n_fields);
    types()->field_names[kind] = names;
    if (names == NULL || tuple == NULL) {
        Py_XDECREF(tuple);
        PyErr_NoMemory();
        return -1;
    }
    for (int i = 0; i < info->n_fields; i++) {
        names[i] = PyUnicode_InternFromString(fields[i].name);
        if (names[i] == NULL) {
            Py_DECREF(tuple);
            return -1;
        }
        PyTuple_SET_ITEM(tuple, i, Py_NewRef(names[i]));
    }
    PyObject *type = make_class(info->name, base, tuple, kind_signature(info));
    Py_DECREF(tuple);
    types()->kinds[kind] = type;
    if (type == NULL || (info->group == NULL && add_positions(type, info->positions) < 0)) {
        return -1;
    }
    for (int i = 0; i < info->n_fields; i++) {
        if (fields[i].cardinality == AST_CARD_OPT
            && PyObject_SetAttr(type, names[i], Py_None) < 0)
        {
            return -1;
        }
    }
    if (kind >= AST_Load && kind <= AST_NotIn) {
        types()->singletons[kind] = PyType_GenericNew((PyTypeObject *)type, NULL, NULL);
        return types()->singletons[kind] == NULL ? -1 : 0;
    }
    return 0;
}

static int
make_group(const char *name, AstFieldType field_type, int positions)
{
    PyObject *empty = PyTuple_New(0);
    PyObject *type = make_class(name, types()->ast, empty, group_doc(name));
    Py_XDECREF(empty);
    types()->groups[field_type] = type;
    return type == NULL ? -1 : add_positions(type, positions);
}

static int
make_types(void)
{
    for (int i = 0; i < 4; i++) {
        types()->positions[i] = PyUnicode_InternFromString(position_names[i]);
        if (types()->positions[i] == NULL) {
            return -1;
        }
    }
    types()->ast = PyType_FromSpec(&ast_spec);
    PyObject *empty = types()->ast == NULL ? NULL : PyTuple_New(0);
    if (empty == NULL || PyObject_SetAttrString(types()->ast, "_fields", empty) < 0
        || PyObject_SetAttrString(types()->ast, "__match_args__", empty) < 0
        || PyObject_SetAttrString(types()->ast, "_attributes", empty) < 0)
    {
        Py_XDECREF(empty);
        return -1;
    }
    Py_DECREF(empty);
#define MAKE_GROUP(group, positions) \
    if (make_group(#group, AST_TYPE_##group, positions) < 0) { \
        return -1; \
    }
    AST_GROUPS(MAKE_GROUP)
    for (int k = AST_none + 1; k < AST_KIND_COUNT; k++) {
        if (make_kind((AstKind)k) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Drops the classes that make_types() has made. */
static void
drop_types(void *state)
{
    AstTypes *t = state;
    for (int k = 0; k < AST_KIND_COUNT; k++) {
        Py_CLEAR(t->singletons[k]);
        Py_CLEAR(t->kinds[k]);
        for (PyObject **name = t->field_names[k]; name != NULL && *name; name++) {
            Py_DECREF(*name);
        }
        PyMem_Free(t->field_names[k]);
    }
    for (int i = 0; i < AST_FIELD_TYPE_COUNT; i++) {
        Py_CLEAR(t->groups[i]);
    }
    for (int i = 0; i < 4; i++) {
        Py_CLEAR(t->positions[i]);
    }
    Py_CLEAR(t->ast);
    memset(t, 0, sizeof(*t));
}

AstTypes *
_PyAst_Types(void)
{
    AstTypes *t = _PyModuleState_Need(MODULE_STATE_AST, sizeof(AstTypes), drop_types);
    if (t != NULL && !t->ready) {
        if (make_types() < 0) {
            PyObject *type, *value, *traceback;
            PyErr_Fetch(&type, &value, &traceback);
            drop_types(t);
            PyErr_Restore(type, value, traceback);
            return NULL;
        }
        t->ready = 1;
    }
    return t;
}

int
_PyAst_Check(PyObject *object)
{
    return _PyAst_Types() == NULL ? -1 : PyObject_IsInstance(object, types()->ast);
}

/* ------------------------------------------------------------- C to objects */

typedef struct {
    int depth, limit;
} Nesting;

static PyObject *node_to_object(AstNode *node, Nesting *nesting);

static PyObject *
field_to_object(const AstField *field, void *where, Nesting *nesting)
{
    if (field->cardinality != AST_CARD_SEQ) {
        switch (field->type) {
        case AST_TYPE_identifier:
        case AST_TYPE_string:
        case AST_TYPE_constant: {
            PyObject *object = *(PyObject **)where;
            return Py_NewRef(object != NULL ? object : Py_None);
        }
        case AST_TYPE_int:
            return PyLong_FromLong(*(int *)where);
        case AST_TYPE_expr_context:
        case AST_TYPE_boolop:
        case AST_TYPE_operator:
        case AST_TYPE_unaryop:
            return Py_NewRef(types()->singletons[*(AstKind *)where]);
        default:
            return node_to_object(*(AstNode **)where, nesting);
        }
    }
    /* All kinds of sequences begin with their size. */
    AstSeq *seq = *(AstSeq **)where;
    PyObject *list = PyList_New(seq->size);
    for (Py_ssize_t i = 0; list != NULL && i < seq->size; i++) {
        PyObject *item;
        if (field->type == AST_TYPE_identifier) {
            item = Py_NewRef(((AstNameSeq *)seq)->items[i]);
        }
        else if (field->type == AST_TYPE_cmpop) {
            item = Py_NewRef(types()->singletons[((AstOpSeq *)seq)->items[i]]);
        }
        else {
            item = node_to_object(seq->items[i], nesting);
        }
        if (item == NULL) {
            Py_CLEAR(list);
            break;
        }
        PyList_SET_ITEM(list, i, item);
    }
    return list;
}

static int
add_position_attributes(PyObject *object, const AstPos *pos)
{
    const int *numbers = &pos->lineno;
    for (int i = 0; i < 4; i++) {
        PyObject *number = PyLong_FromLong(numbers[i]);
        int result = number == NULL ? -1
            : PyObject_SetAttr(object, types()->positions[i], number);
        Py_XDECREF(number);
        if (result < 0) {
            return -1;
        }
    }
    return 0;
}

static PyObject *
node_to_object(AstNode *node, Nesting *nesting)
{
    if (node == NULL) {
        return Py_NewRef(Py_None);
    }
    if (_PyFrontend_DeeperIn(&nesting->depth, nesting->limit, "ast construction") < 0) {
        return NULL;
    }
    const AstKindInfo *info = &_PyAst_Kinds[node->kind];
    const AstField *fields = info->fields();
    PyObject **names = types()->field_names[node->kind];
    PyObject *object = PyType_GenericNew((PyTypeObject *)types()->kinds[node->kind],
                                         NULL, NULL);
    if (object == NULL) {
        return NULL;
    }
    for (int i = 0; i < info->n_fields; i++) {
        PyObject *value = field_to_object(&fields[i], (char *)node + fields[i].offset,
                                          nesting);
        int result = value == NULL ? -1 : PyObject_SetAttr(object, names[i], value);
        Py_XDECREF(value);
        if (result < 0) {
            Py_DECREF(object);
            return NULL;
        }
    }
    if (info->positions && add_position_attributes(object, &node->pos) < 0) {
        Py_DECREF(object);
        return NULL;
    }
    nesting->depth--;
    return object;
}

PyObject *
_PyAst_ToObject(AstNode *mod)
{
    Nesting nesting = {.limit = _PyFrontend_DepthLimit()};
    return _PyAst_Types() == NULL ? NULL : node_to_object(mod, &nesting);
}

/* --------------------------------------------------------------- the module */

static int
ast_exec(PyObject *module)
{
    if (_PyAst_Types() == NULL
        || PyModule_AddObjectRef(module, "AST", types()->ast) < 0
        || PyModule_AddIntMacro(module, PyCF_ALLOW_TOP_LEVEL_AWAIT) < 0
        || PyModule_AddIntMacro(module, PyCF_ONLY_AST) < 0
        || PyModule_AddIntMacro(module, PyCF_TYPE_COMMENTS) < 0)
    {
        return -1;
    }
#define ADD_GROUP(group, positions) \
    if (PyModule_AddObjectRef(module, #group, types()->groups[AST_TYPE_##group]) < 0) { \
        return -1; \
    }
    AST_GROUPS(ADD_GROUP)
    for (int k = AST_none + 1; k < AST_KIND_COUNT; k++) {
        if (PyModule_AddObjectRef(module, _PyAst_Kinds[k].name, types()->kinds[k]) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, ast_exec},
    {0, NULL}
};

static struct PyModuleDef ast_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_ast",
    .m_slots = module_slots,
};

MODULE_INIT(_ast)
{
    return PyModuleDef_Init(&ast_module);
}
