/* Decides where each name of each scope lives.

   A name that its scope binds is local there. Any other name is looked up in the
   enclosing function scopes, innermost first. If it is found in a function, it becomes a
   cell there, a free variable here, and a free variable in every scope between, which
   have to pass the cell on. Class scopes are skipped, except for the `__class__` that
   methods see. Outer scopes are resolved before inner ones. */
#include "internal/symtable.h"

static int
directive_error(Symtable *st, Scope *scope, PyObject *name, const char *format)
{
    for (int i = 0; i < scope->ndirectives; i++) {
        if (scope->directives[i].name == name) {
            return _PyFrontend_SyntaxError(
                st->filename, &scope->directives[i].pos, format, name);
        }
    }
    PyErr_Format(PyExc_SystemError, "no declaration of %R", name);
    return -1;
}

static int
is_dunder_class(PyObject *name)
{
    return PyUnicode_GET_LENGTH(name) == 9
           && PyUnicode_CompareWithASCIIString(name, "__class__") == 0;
}

/* The enclosing scope to whose variable `name` refers, or NULL if it is global. */
static Scope *
binding_scope(Scope *scope, PyObject *name)
{
    for (Scope *up = scope->parent; up != NULL; up = up->parent) {
        if (up->kind == CLASS_SCOPE && is_dunder_class(name)) {
            return up;
        }
        if (up->kind != FUNCTION_SCOPE) {
            continue;
        }
        Symbol *symbol = _PyScope_Find(up, name);
        if (symbol == NULL) {
            continue;
        }
        if (symbol->flags & DEF_GLOBAL) {
            return NULL;
        }
        if ((symbol->flags & DEF_BOUND) && !(symbol->flags & DEF_NONLOCAL)) {
            return up;
        }
    }
    return NULL;
}

static int
capture(Symtable *st, Scope *scope, Scope *binder, PyObject *name)
{
    if (binder->kind == CLASS_SCOPE) {
        binder->needs_class_closure = 1;
    }
    else {
        _PyScope_Find(binder, name)->where = SCOPE_CELL;
    }
    for (Scope *up = scope->parent; up != binder; up = up->parent) {
        Symbol *symbol = _PyScope_Find(up, name);
        if (symbol == NULL) {
            symbol = _PyScope_Add(st, up, name);
            if (symbol == NULL) {
                return -1;
            }
            symbol->where = SCOPE_FREE;
        }
        else if (up->kind == CLASS_SCOPE
                 && (symbol->flags & (DEF_BOUND | DEF_GLOBAL))) {
            symbol->flags |= DEF_FREE_CLASS;
        }
    }
    return 0;
}

static int
resolve_symbol(Symtable *st, Scope *scope, Symbol *symbol)
{
    PyObject *name = symbol->name;
    uint32_t flags = symbol->flags;
    if (flags & DEF_GLOBAL) {
        if (flags & DEF_NONLOCAL) {
            return directive_error(st, scope, name,
                                   "name '%U' is nonlocal and global");
        }
        symbol->where = SCOPE_GLOBAL_EXPLICIT;
        return 0;
    }
    if ((flags & DEF_NONLOCAL) && scope->kind == MODULE_SCOPE) {
        return directive_error(st, scope, name,
                               "nonlocal declaration not allowed at module level");
    }
    if ((flags & DEF_BOUND) && !(flags & DEF_NONLOCAL)) {
        symbol->where = SCOPE_LOCAL;
        return 0;
    }
    Scope *binder = binding_scope(scope, name);
    if (binder != NULL) {
        symbol->where = SCOPE_FREE;
        return capture(st, scope, binder, name);
    }
    if (flags & DEF_NONLOCAL) {
        return directive_error(st, scope, name,
                               "no binding for nonlocal '%U' found");
    }
    symbol->where = SCOPE_GLOBAL_IMPLICIT;
    return 0;
}

static int
resolve_scope(Symtable *st, Scope *scope)
{
    for (int i = 0; i < scope->nsymbols; i++) {
        if (scope->symbols[i].where == SCOPE_UNKNOWN
            && resolve_symbol(st, scope, &scope->symbols[i]) < 0) {
            return -1;
        }
    }
    for (int i = 0; i < scope->nchildren; i++) {
        if (resolve_scope(st, scope->children[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

int
_PySymtable_Resolve(Symtable *st)
{
    return resolve_scope(st, st->top);
}
