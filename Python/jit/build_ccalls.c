/* Calls of C code that may do anything: built-in functions, methods of built-in classes, classes
   and other callables.

   What is called is known by its definition (PyMethodDef) or by the class; a guard says so. The
   arguments lie in the window, as the interpreter has them, and ints among them become objects
   there. So whoever looks sees the same frame, and if an exception is raised the window is
   emptied in the same order. The function itself is called directly if it is the interpreter's
   own and takes an array. Others may lack frame pointers, and then a profiler would not see who
   has called them: C with a frame of its own, _PyJit_CallExtension(), stands between. */
#include "build_ops.h"
#include "likes.h"
#include "ccalls.h"
#include "../vm/call.h"
#include "internal/call.h"
#include "internal/type.h"
#include <dlfcn.h>

/* So many arguments, with self; each is released by an instruction of its own. */
#define MOST_ARGS 6

/* A call that is to be made. */
typedef struct {
    JitCCall how;
    const void *function;
    unsigned window, nargs;     /* nargs: of the array */
    unsigned first;             /* register of the first argument of the array */
    JitRef self;                /* the first operand, or 0 */
    PyTypeObject *cls;          /* of the value, if there is only one */
    PyObject *names;
} Call;

/* Does the function lie where the interpreter does? */
static int
is_ours(const void *function)
{
    struct dl_find_object theirs, ours;
    return _dl_find_object((void *)function, &theirs) == 0
           && _dl_find_object((void *)PyObject_Vectorcall, &ours) == 0
           && theirs.dlfo_map_start == ours.dlfo_map_start;
}

/* Which convention. JIT_C_VECTOR: the object itself is called. */
static JitCCall
convention(PyMethodDef *def, unsigned nargs, PyObject *names)
{
    if (!is_ours((const void *)def->ml_meth)) {
        return JIT_C_VECTOR;
    }
    switch (def->ml_flags & METH_CALL_FLAGS) {
    case METH_O: return nargs == 1 && names == NULL ? JIT_C_O : JIT_C_VECTOR;
    case METH_NOARGS: return nargs == 0 && names == NULL ? JIT_C_NOARGS : JIT_C_VECTOR;
    case METH_FASTCALL: return names == NULL ? JIT_C_FAST : JIT_C_VECTOR;
    case METH_FASTCALL | METH_KEYWORDS: return JIT_C_FASTKW;
    default: return JIT_C_VECTOR;
    }
}

/* The arguments and what is called are released in their order, and the instruction ends. The
   window holds objects. */
static void
finish(JitBuilder *b, Call *c, JitRef value, unsigned dest)
{
    unsigned end = c->first + c->nargs;
    for (unsigned r = c->window + FRAME_WORDS; r < end; r++) {
        JitSlot *slot = &b->slots[r];
        JitNode *n = slot->ref == 0 ? NULL : _PyJit_At(b, slot->ref);
        if (n == NULL || n->op != JIT_CONST_NODE || n->type != JIT_T_OBJECT) {
            PyTypeObject *cls = n != NULL && n->type == JIT_T_OBJECT ? n->cls : NULL;
            JitRef object = load_word(b, JIT_T_OBJECT, r);
            _PyJit_At(b, object)->cls = cls;
            *slot = (JitSlot){.ref = object, .memptr = 1};
        }
        _PyJit_Done(b, r);
    }
    _PyJit_Done(b, c->window);
    _PyJit_WriteValue(b, dest, value, _PyJit_MayCount(b, value));
    uint32_t snap = _PyJit_SnapNow(b, b->next);
    JitRef pending = _PyJit_Node(b, JIT_PENDING_NODE, JIT_T_NONE, 0, 0);
    _PyJit_At(b, pending)->snap = snap;
    _PyJit_CheckOk(b, b->next);
}

/* Ints and doubles among the arguments become objects. Returns a bit for each argument of the
   array that may still be a tag when the frame is true. */
static uint64_t
box_arguments(JitBuilder *b, Call *c)
{
    uint64_t maybe = 0;
    for (unsigned i = 0; i < c->nargs; i++) {
        JitSlot *slot = &b->slots[c->first + i];
        JitRef ref = _PyJit_Use(b, c->first + i);
        if (type_of(b, ref) == JIT_T_INT && slot->dirty && !slot->owned) {
            JitRef object = box(b, ref, 0);
            _PyJit_Write(b, c->first + i, object, 1);
        }
        else if (type_of(b, ref) == JIT_T_INT || type_of(b, ref) == JIT_T_WORD) {
            maybe |= (uint64_t)1 << i;
        }
    }
    return maybe;
}

/* The call, whose guards stand. */
static int
make_call(JitBuilder *b, Call *c, unsigned dest)
{
    JitRef callee = _PyJit_Use(b, c->window);
    int is_const = _PyJit_At(b, callee)->op == JIT_CONST_NODE;
    if (_PyJit_CallCounts(c->how, c->first > c->window + FRAME_WORDS, c->names != NULL)) {
        _PyJit_GuardDepth(b, 1);
    }
    uint64_t maybe = box_arguments(b, c);
    _PyJit_Sync(b);
    for (unsigned i = 0; i < c->nargs; i++) {
        JitSlot *slot = &b->slots[c->first + i];
        if (slot->ref != 0 && type_of(b, slot->ref) == JIT_T_INT) {
            slot->ref = 0;      /* memory will hold it as an object */
            slot->memptr = 1;
        }
    }
    JitRef names = c->names == NULL ? 0 : raw_const(b, (uint64_t)c->names);
    JitRef value = _PyJit_Node(b, JIT_CALL_C_NODE, JIT_T_OBJECT, c->self, is_const ? callee : 0);
    JitNode *n = _PyJit_At(b, value);
    n->cond = (uint8_t)c->how;
    n->width = (uint8_t)c->nargs;
    n->reg = (uint16_t)c->first;
    n->nargs = (uint16_t)(c->first - c->window);
    n->imm = b->ip | maybe << 32;
    n->aux = c->function;
    n->cls = c->cls;
    n->args[2] = names;
    finish(b, c, value, dest);
    return 1;
}

/* ------------------------------------------------------------------ what is called */

/* The definition that the interpreter's specialised form has met, or NULL. */
static PyMethodDef *
cached_definition(const PyInstr *in)
{
    switch (in->op) {
    case OP_CALL__C_O: case OP_CALL__C_FAST: case OP_CALL__C_FASTKW: case OP_CALL__LEN:
    case OP_CALL__ISINSTANCE:
    case OP_CALL_METHOD__C_O: case OP_CALL_METHOD__C_NOARGS: case OP_CALL_METHOD__C_FAST:
    case OP_CALL_METHOD__C_FASTKW: case OP_CALL_METHOD__ATTR_O: case OP_CALL_METHOD__ATTR_FAST:
    case OP_CALL_METHOD__ATTR_FASTKW: case OP_CALL_METHOD__LIST_APPEND:
        return ((const PyCacheWord *)(in + 1))[1].ptr;
    default:
        return NULL;
    }
}

static int
call_function(JitBuilder *b, unsigned window, unsigned nargs, PyObject *names, unsigned dest,
              PyMethodDef *def)
{
    JitRef func = to_class(b, _PyJit_Use(b, window), &PyCFunction_Type);
    if (func == 0) {
        return 0;
    }
    Call c = {convention(def, nargs, names), (const void *)_PyJit_CallExtension, window, nargs,
              window + FRAME_WORDS, func, NULL, names};
    if (c.how != JIT_C_VECTOR) {
        guard_mem(b, JIT_64, func, offsetof(PyCFunctionObject, m_ml), (uint64_t)def);
        c.function = (const void *)def->ml_meth;
        c.self = def->ml_flags & METH_STATIC
                 ? 0 : load(b, JIT_T_OBJECT, JIT_64, func, offsetof(PyCFunctionObject, m_self));
    }
    return make_call(b, &c, dest);
}

PyTypeObject *
_PyJit_ClassAtLoad(const JitBuilder *b, unsigned window)
{
    const uint32_t *owners = NULL;
    if (b->operands == NULL || b->inlined != NULL) {
        return NULL;
    }
    for (uint32_t ip = b->sources[b->source].start; ip < b->ip;
         ip += _PyInstr_Words(&b->code->code[ip])) {
        const PyInstr *in = &b->code->code[ip];
        if (_PyOpcode_Info[in->op].base == OP_LOAD_METHOD && in->a == window) {
            owners = _PyJit_OwnersOf((JitOperands *)b->operands, ip);
        }
    }
    return owners != NULL && owners[1] == 0 && owners[0] < JIT_IS_CLASS
           ? _PyType_OfVersion(owners[0]) : NULL;
}

/* Is the object of this class or a class derived from it? If that is not known already, its class
   has to be the one that the method was loaded from, or else just this one. 0: it is not. */
static int
guard_self(JitBuilder *b, JitRef self, PyTypeObject *type, unsigned window)
{
    if (class_of(b, self) != NULL) {
        return _PyType_IsSubtypeFast(class_of(b, self), type);
    }
    _PyJit_Notice(b);
    for (int i = 0; i < b->nknown; i++) {
        if (b->known[i].owner == self && b->known[i].like != NULL) {
            PyTypeObject *base = b->known[i].like->facts.base;
            return base != NULL && _PyType_IsSubtypeFast(base, type);
        }
        if (b->known[i].owner == self) {
            for (unsigned k = 0; k < b->known[i].n; k++) {
                PyTypeObject *known = _PyType_OfVersion(b->known[i].versions[k]);
                if (known == NULL || !_PyType_IsSubtypeFast(known, type)) {
                    return 0;
                }
            }
            return 1;
        }
    }
    PyTypeObject *loaded = _PyJit_ClassAtLoad(b, window);
    if (loaded != NULL && loaded != type && _PyType_IsSubtypeFast(loaded, type)) {
        _PyJit_GuardVersion(b, self, loaded->tp_version_tag);
        return 1;
    }
    return to_class(b, self, type) != 0;
}

/* Of a constant method, whose self is the first argument in the window. */
static int
call_method(JitBuilder *b, unsigned window, unsigned nargs, PyObject *names, unsigned dest,
            PyMethodDescrObject *method)
{
    Call c = {convention(method->d_method, nargs, names), (const void *)_PyJit_CallExtension,
              window, nargs + 1, window + FRAME_WORDS, _PyJit_Use(b, window), NULL, names};
    if (c.how != JIT_C_VECTOR) {
        JitRef self = to_object(b, _PyJit_Use(b, window + FRAME_WORDS));
        if (self == 0 || !guard_self(b, self, method->d_common.d_type, window)) {
            return 0;
        }
        c.function = (const void *)method->d_method->ml_meth;
        c.self = _PyJit_Use(b, window + FRAME_WORDS);
        c.first++;
        c.nargs--;
    }
    return make_call(b, &c, dest);
}

/* Classes whose calls make nothing but instances of just this class. */
static PyTypeObject *
made_by(PyTypeObject *type)
{
    return type == &PyList_Type || type == &PyDict_Type || type == &PySet_Type
           || type == &PyTuple_Type || type == &PyFrozenSet_Type || type == &PyEnum_Type
           ? type : NULL;
}

/* A class or an object that is called by C. */
static int
call_object(JitBuilder *b, unsigned window, unsigned nargs, PyObject *names, unsigned dest,
            PyObject *seen)
{
    PyThreadState *ts = _PyThreadState_GET();
    PyObject *method;
    Call c = {JIT_C_VECTOR, NULL, window, nargs, window + FRAME_WORDS, 0, NULL, names};
    if (!_PyJit_IsSearchedQuietly(Py_TYPE(seen))
        || (PyType_Check(seen) && !_PyJit_IsSearchedQuietly((PyTypeObject *)seen))
        || _PyVM_KindOfCall(ts, seen, &method) != IN_C || seen == (PyObject *)&PyUnicode_Type) {
        return 0;
    }
    if (!PyType_Check(seen)) {
        PyTypeObject *type = Py_TYPE(seen);
        if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) {
            return 0;
        }
        c.function = (const void *)PyObject_Vectorcall;
        c.self = to_class(b, _PyJit_Use(b, window), type);
        return c.self != 0 && make_call(b, &c, dest);
    }
    PyTypeObject *type = (PyTypeObject *)seen;
    int is_static = !(type->tp_flags & Py_TPFLAGS_HEAPTYPE);
    uint32_t version = is_static ? 1 : _PyType_AssignVersion(type);
    JitRef callee = to_object(b, _PyJit_Use(b, window));
    if (callee == 0 || version == 0 || (!is_static && !Py_IS_TYPE(type, &PyType_Type))) {
        return 0;
    }
    if (is_static) {
        guard_compare(b, JIT_EQ, callee, (uint64_t)type);
    }
    else {
        callee = to_class(b, callee, &PyType_Type);
        guard_mem(b, JIT_32, callee, offsetof(PyTypeObject, tp_version_tag), version);
    }
    c.self = callee;
    c.function = is_static && Py_IS_TYPE(type, &PyType_Type) && type->tp_vectorcall != NULL
                 && is_ours((const void *)type->tp_vectorcall)
                 ? (const void *)type->tp_vectorcall : (const void *)PyObject_Vectorcall;
    c.cls = c.function == (const void *)type->tp_vectorcall ? made_by(type) : NULL;
    return make_call(b, &c, dest);
}

/* len() of anything. */
static int
call_len(JitBuilder *b, const PyInstr *in)
{
    unsigned argument = in->a + FRAME_WORDS;
    JitRef func = to_class(b, _PyJit_Use(b, in->a), &PyCFunction_Type);
    JitRef object = func == 0 ? 0 : to_object(b, _PyJit_Use(b, argument));
    if (object == 0) {
        return 0;
    }
    guard_mem(b, JIT_64, func, offsetof(PyCFunctionObject, m_ml),
              (uint64_t)cached_definition(in));
    _PyJit_Sync(b);
    JitRef size = _PyJit_Node(b, JIT_CALL_OPAQUE_NODE, JIT_T_RAW, object, 0);
    JitNode *n = _PyJit_At(b, size);
    n->nargs = 1;
    n->cond = JIT_RAISES_NEGATIVE;
    n->imm = b->ip;
    n->aux = (const void *)PyObject_Size;
    JitRef tag = _PyJit_Node(b, JIT_TAG_NODE, JIT_T_INT, size, 0);
    _PyJit_At(b, tag)->snap = _PyJit_SnapBefore(b);
    Call c = {.window = in->a, .nargs = 1, .first = argument};
    finish(b, &c, tag, in->c);
    return 1;
}

int
_PyJit_BuildCCall(JitBuilder *b, unsigned window, unsigned nargs, PyObject *names, unsigned dest)
{
    const PyInstr *in = instr(b);
    JitRef ref = _PyJit_Use(b, window);
    if (b->inlined != NULL || nargs > MOST_ARGS
        || (type_of(b, ref) != JIT_T_WORD && type_of(b, ref) != JIT_T_OBJECT)) {
        return 0;
    }
    PyObject *seen = _PyJit_SeenObject(b, ref);
    PyMethodDef *def = cached_definition(in);
    int is_const = _PyJit_At(b, ref)->op == JIT_CONST_NODE;
    if (seen != NULL && Py_IS_TYPE(seen, &PyMethodDescr_Type)) {
        return is_const && nargs > 0
               && call_method(b, window, nargs - 1, names, dest, (PyMethodDescrObject *)seen);
    }
    if (in->op == OP_CALL__LEN) {
        return call_len(b, in);
    }
    if (seen != NULL && Py_IS_TYPE(seen, &PyCFunction_Type)) {
        return call_function(b, window, nargs, names, dest, ((PyCFunctionObject *)seen)->m_ml);
    }
    if (seen != NULL) {
        return call_object(b, window, nargs, names, dest, seen);
    }
    return def != NULL && call_function(b, window, nargs, names, dest, def);
}
