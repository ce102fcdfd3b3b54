/* Comprehensions, and generator expressions that a built-in function consumes at once, as a part of
   the function that runs them: without a frame, without an iterator, and what consumes a generator
   expression is a part of its loop.

   They are built as small functions are (build_inline.c), with loops (build_redone.c). The loop is
   over a list, a tuple, a range, a dict or its view, a set, enumerate() or zip(). What the body
   does may make new objects, but change none that others see. So whoever leaves, in whatever round,
   drops what has been made and goes back to the GET_ITER or what stands in front of it, and the
   interpreter executes the whole comprehension, with a frame that can be seen. If the body does
   anything else, all of it is forgotten, and the function is called. Signals and other threads get
   their turn in this way, too. */
#include "build_ops.h"
#include "redone.h"
#include "internal/call.h"
#include "internal/dict.h"
#include "internal/vm_values.h"

/* Longer ones, in words, are called. */
#define MOST_WORDS 160

/* A comprehension that is to be run. */
typedef struct {
    unsigned window;            /* of the call of its function */
    PyVMCode *code;
    JitRef maker;
    struct JitConsumer consumer;
    PyObject *consumed_by;      /* or NULL */
    unsigned outer;             /* window of the consumer's call */
    unsigned dest;
    uint32_t next;              /* the instruction behind all */
} Found;

/* ---------------------------------------------------------------- where they stand */

/* Functions that consume an iterator, and nothing else. */
static int
find_consumer(PyObject *callee, ConsumerKind *kind)
{
    static const char *const names[] = {[FOR_ANY] = "any", [FOR_ALL] = "all", [FOR_NEXT] = "next",
                                        [FOR_SUM] = "sum", [FOR_MIN] = "min", [FOR_MAX] = "max"};
    if (callee == (PyObject *)&PyList_Type || callee == (PyObject *)&PyTuple_Type
        || callee == (PyObject *)&PySet_Type) {
        *kind = callee == (PyObject *)&PyList_Type ? FOR_LIST
              : callee == (PyObject *)&PyTuple_Type ? FOR_TUPLE : FOR_SET;
        return 1;
    }
    if (callee == NULL || !Py_IS_TYPE(callee, &PyCFunction_Type)) {
        return 0;
    }
    PyCFunctionObject *func = (PyCFunctionObject *)callee;
    if (!_PyCFunction_IsOfBuiltins(func)) {
        return 0;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++) {
        if (strcmp(names[i], func->m_ml->ml_name) == 0) {
            *kind = (ConsumerKind)i;
            return 1;
        }
    }
    return 0;
}

/* The class's function of this name, or NULL, without an exception: it is none of Python's. Returns
   a borrowed reference. */
static PyFunctionObject *
method_of(PyTypeObject *type, const char *name)
{
    PyObject *key = PyUnicode_InternFromString(name);
    PyObject *method = key == NULL ? NULL : _PyType_Lookup(type, key);
    Py_XDECREF(key);
    if (method == NULL || !Py_IS_TYPE(method, &PyFunction_Type)) {
        PyErr_Clear();
        return NULL;
    }
    return (PyFunctionObject *)method;
}

/* The same of Counter, as collections has it. */
static PyFunctionObject *
method_of_counter(PyTypeObject *type, const char *name, const char *qualname)
{
    PyFunctionObject *method = method_of(type, name);
    if (method == NULL) {
        return NULL;
    }
    PyObject *counts = PyDict_GetItemString(method->func_globals, "_count_elements");
    return counts != NULL && Py_IS_TYPE(counts, &PyCFunction_Type)
           && strcmp(((PyCFunctionObject *)counts)->m_ml->ml_name, "_count_elements") == 0
           && _PyUnicode_EqualToASCIIString(((PyCodeObject *)method->func_code)->co_qualname,
                                            qualname)
           && method->func_module != NULL && PyUnicode_Check(method->func_module)
           && _PyUnicode_EqualToASCIIString(method->func_module, "collections") ? method : NULL;
}

static PyFunctionObject *
init_of_counter(PyTypeObject *type)
{
    return method_of_counter(type, "__init__", "Counter.__init__");
}

static PyFunctionObject *
update_of_counter(PyTypeObject *type)
{
    return method_of_counter(type, "update", "Counter.update");
}

/* collections.Counter, whose methods do nothing with what they are given but count it. */
static int
is_counter(PyObject *callee)
{
    PyTypeObject *type = (PyTypeObject *)callee;
    return PyType_CheckExact(callee) && strcmp(type->tp_name, "Counter") == 0
           && type->tp_base == &PyDict_Type && type->tp_version_tag != 0
           && init_of_counter(type) != NULL && update_of_counter(type) != NULL;
}

/* A function that its class keeps must still have the body that it has now. */
static void
guard_body(JitBuilder *b, PyFunctionObject *function)
{
    JitRef code = load(b, JIT_T_RAW, JIT_64, raw_const(b, (uint64_t)function),
                       offsetof(PyFunctionObject, func_code));
    guard_mem(b, JIT_32, code, offsetof(PyVMCode, version),
              _PyVMCode_CAST(function->func_code)->version);
}

/* A dict, which `ref` is, must still have the value under the name that it has now, which is
   returned, borrowed. NULL: that can't be told. */
static PyObject *
guard_entry(JitBuilder *b, JitRef ref, PyObject *dict, const char *name)
{
    PyObject *key = PyUnicode_InternFromString(name);
    PyDictObject *mp = (PyDictObject *)dict;
    Py_ssize_t place = key == NULL || !PyDict_CheckExact(dict) ? -1 : _PyDict_IndexOfStr(mp, key);
    Py_XDECREF(key);
    uint32_t version = place < 0 ? 0 : _PyDictKeys_VersionFor(mp, place);
    if (version == 0) {
        PyErr_Clear();
        return NULL;
    }
    PyObject **value = _PyDictKeys_ValueSlot(mp->ma_keys, place);
    JitRef keys = load(b, JIT_T_RAW, JIT_64, ref, offsetof(PyDictObject, ma_keys));
    guard_mem(b, JIT_32, keys, offsetof(struct _dictkeysobject, version), version);
    guard_compare(b, JIT_EQ, load(b, JIT_T_RAW, JIT_64, keys,
                                  (size_t)((char *)value - (char *)mp->ma_keys)), (uint64_t)*value);
    return *value;
}

/* The dict must not get this name while its keys have the version that they have now. 0: it has. */
static int
note_missing(PyObject *dict, const char *name)
{
    PyObject *key = PyUnicode_InternFromString(name);
    int is_missing = key != NULL && _PyDict_IndexOfStr((PyDictObject *)dict, key) < 0;
    if (is_missing) {
        _PyDict_NoteMissing(key);
    }
    PyErr_Clear();
    Py_XDECREF(key);
    return is_missing;
}

static const unsigned long long *registered_classes;
static int (*is_known_not)(PyObject *, PyTypeObject *);

void
_PyJit_LearnOfClasses(const unsigned long long *registrations,
                      int (*known_not)(PyObject *, PyTypeObject *))
{
    registered_classes = registrations;
    is_known_not = known_not;
}

/* A generator must still be no instance of this abstract class. */
static int
guard_no_instance(JitBuilder *b, PyObject *abstract)
{
    PyTypeObject *meta = Py_TYPE(abstract);
    PyFunctionObject *check = method_of(meta, "__instancecheck__");
    if (check == NULL || meta->tp_version_tag == 0
        || is_known_not == NULL || !is_known_not(abstract, &PyGen_Type)) {
        return 0;
    }
    JitRef of = load(b, JIT_T_RAW, JIT_64, raw_const(b, (uint64_t)abstract),
                     offsetof(PyObject, ob_type));
    guard_compare(b, JIT_EQ, of, (uint64_t)meta);
    guard_mem(b, JIT_32, of, offsetof(PyTypeObject, tp_version_tag), meta->tp_version_tag);
    guard_body(b, check);
    guard_mem(b, JIT_64, raw_const(b, (uint64_t)registered_classes), 0, *registered_classes);
    PyObject *globals = check->func_globals;
    return guard_entry(b, raw_const(b, (uint64_t)globals), globals, "_abc_instancecheck") != NULL;
}

/* Counter's methods must be made of what they are now, and find the same by the names that they
   hand the values to: a class has another version when it gets another method, but not when a
   method or its module is changed. 0: that can't be told. */
static int
guard_counter(JitBuilder *b, PyTypeObject *type)
{
    PyFunctionObject *update = update_of_counter(type), *init = init_of_counter(type);
    if (update == NULL || init == NULL) {
        return 0;
    }
    guard_body(b, init);
    guard_body(b, update);
    PyObject *globals = update->func_globals, *builtins = update->func_builtins;
    JitRef here = raw_const(b, (uint64_t)globals);
    PyObject *abc = guard_entry(b, here, globals, "_collections_abc");
    if (abc == NULL || !PyModule_CheckExact(abc)) {
        return 0;
    }
    /* Another object may be at the place of a module that is gone. */
    JitRef module = raw_const(b, (uint64_t)abc);
    guard_mem(b, JIT_64, module, offsetof(PyObject, ob_type), (uint64_t)&PyModule_Type);
    JitRef there = load(b, JIT_T_RAW, JIT_64, module, (size_t)PyModule_Type.tp_dictoffset);
    PyObject *mapping = guard_entry(b, there, PyModule_GetDict(abc), "Mapping");
    return mapping != NULL && guard_no_instance(b, mapping)
           && guard_entry(b, here, globals, "_count_elements") != NULL
           && note_missing(globals, "isinstance")
           && guard_entry(b, raw_const(b, (uint64_t)builtins), builtins, "isinstance") != NULL;
}

/* Functions that take all values before they return, and for which it makes no difference whether
   those come from a generator or are in a list, if hashing and comparing them runs no code. For a
   Counter, they may be counted as well: it takes over the counts of a mapping. */
static int
find_taker(PyObject *callee, struct JitConsumer *consumer)
{
    int is_function = callee != NULL && Py_IS_TYPE(callee, &PyCFunction_Type);
    int is_type = callee != NULL && PyType_CheckExact(callee);
    PyTypeObject *type = (PyTypeObject *)callee;
    consumer->kind = FOR_CALL;
    consumer->keeps = is_function || (is_type && strcmp(type->tp_name, "collections.deque") == 0
                                      && !(type->tp_flags & Py_TPFLAGS_HEAPTYPE));
    if (is_function) {
        PyCFunctionObject *func = (PyCFunctionObject *)callee;
        return _PyCFunction_IsOfBuiltins(func) && strcmp(func->m_ml->ml_name, "sorted") == 0;
    }
    consumer->counts = is_type && is_counter(callee);
    return is_type && (consumer->keeps || consumer->counts || type == &PyFrozenSet_Type
                       || type == &PyDict_Type);
}

/* The call behind this instruction in whose window the register is the first of n arguments, or
   NULL. */
static const PyInstr *
call_with(JitBuilder *b, uint32_t ip, unsigned argument, unsigned n)
{
    const PyInstr *call = &b->code->code[ip];
    return b->source_at[ip] == 0 && _PyOpcode_Info[call->op].base == OP_CALL && call->b == n
           && argument == (unsigned)call->a + FRAME_WORDS && !(b->refused[ip] & JIT_REFUSED_AGAIN)
           ? call : NULL;
}

static const PyInstr *
call_behind(JitBuilder *b, uint32_t ip, unsigned argument)
{
    return call_with(b, ip, argument, 1);
}

/* Is it a comprehension's, or a generator expression's? */
static int
is_fit(PyVMCode *code)
{
    int banned = CO_VARARGS | CO_VARKEYWORDS | CO_COROUTINE | CO_ASYNC_GENERATOR;
    if (code->ninstr > MOST_WORDS || code->nhandlers != 0 || code->ob.co_argcount != 1
        || code->ob.co_kwonlyargcount != 0 || (code->ob.co_flags & banned)
        || _PyCode_UnpackQuietly(code) < 0) {
        return 0;
    }
    for (uint32_t ip = 0; ip < code->ninstr; ip += 1u + _PyOpcode_Info[code->code[ip].op].cache) {
        switch (_PyOpcode_Info[code->code[ip].op].base) {
        case OP_MAKE_CELL: case OP_SEND: case OP_YIELD_FROM_VALUE: case OP_MAKE_FUNCTION:
            return 0;
        }
    }
    return 1;
}

/* str.join() */
static int
find_join(JitBuilder *b, Found *found, unsigned argument)
{
    const PyInstr *call = &b->code->code[found->next];
    if (b->source_at[found->next] != 0 || call->b != 1
        || _PyOpcode_Info[call->op].base != OP_CALL_METHOD
        || argument != call->a + FRAME_WORDS + 1u) {
        return 0;
    }
    JitNode *method = _PyJit_At(b, _PyJit_Use(b, call->a));
    PyObject *join = method->op == JIT_CONST_NODE && method->type == JIT_T_OBJECT
                     ? REG_PTR(method->imm) : NULL;
    if (join == NULL || !Py_IS_TYPE(join, &PyMethodDescr_Type)
        || ((PyMethodDescrObject *)join)->d_common.d_type != &PyUnicode_Type
        || strcmp(((PyMethodDescrObject *)join)->d_method->ml_name, "join") != 0) {
        return 0;
    }
    found->outer = call->a;
    found->consumed_by = join;
    found->consumer.kind = FOR_JOIN;
    found->next += 1u + _PyOpcode_Info[call->op].cache;
    found->dest = call->c;
    return 1;
}

/* next() with a constant for the case that there is no value. */
static const PyInstr *
find_next(JitBuilder *b, Found *found, unsigned argument)
{
    const PyInstr *load = &b->code->code[found->next], *call;
    if (_PyOpcode_Info[load->op].base != OP_LOAD_CONST || load->a != argument + 1u
        || b->source_at[found->next] != 0) {
        return NULL;
    }
    call = call_with(b, found->next + 1, argument, 2);
    if (call != NULL) {
        found->consumer.fallback = _PyJit_ConstantOf(b, load);
        found->next++;
    }
    return call;
}

/* A generator needs a call that consumes it. */
static int
find_outer(JitBuilder *b, Found *found, const PyInstr *call)
{
    if (!found->code->is_generator) {
        return 1;
    }
    unsigned argument = call->c;
    const PyInstr *outer = call_behind(b, found->next, argument);
    if (outer == NULL) {
        outer = find_next(b, found, argument);
    }
    if (outer == NULL) {
        return find_join(b, found, argument);
    }
    found->outer = outer->a;
    found->consumed_by = _PyJit_SeenObject(b, _PyJit_Use(b, outer->a));
    if (outer->b == 1 && find_taker(found->consumed_by, &found->consumer)) {
        found->dest = argument;
        return 1;
    }
    found->next += 1u + _PyOpcode_Info[outer->op].cache;
    found->dest = outer->c;
    return find_consumer(found->consumed_by, &found->consumer.kind)
           && (outer->b == 2) == (found->consumer.kind == FOR_NEXT);
}

/* The code of the function that a MAKE_FUNCTION makes. */
static PyObject *
made_code(JitBuilder *b, const PyInstr *make)
{
    return PyTuple_GET_ITEM(b->code->ob.co_consts, ((const PyCacheWord *)(make + 1))->arg);
}

/* The comprehension whose iterator the GET_ITER at `ip` makes. */
static int
find_comprehension(JitBuilder *b, uint32_t ip, Found *found)
{
    const PyInstr *in = &b->code->code[ip];
    uint32_t next = ip + 1 + _PyOpcode_Info[in->op].cache;
    const PyInstr *call = b->inlined != NULL || in->a < b->first_temp
                          ? NULL : call_behind(b, next, in->a);
    if (call == NULL || !_PyJit_MayInline(b)) {
        return 0;
    }
    found->window = call->a;
    found->next = next + 1 + _PyOpcode_Info[call->op].cache;
    found->dest = call->c;
    if (b->held != NULL) {
        found->code = b->held->code;
        return call->a == b->held->window && find_outer(b, found, call);
    }
    found->maker = b->slots[call->a].ref;
    JitNode *made = found->maker == 0 ? NULL : _PyJit_At(b, found->maker);
    if (made == NULL || made->op != JIT_CALL_OPAQUE_NODE
        || made->aux != (const void *)_PyVM_MakeFunction) {
        return 0;
    }
    const PyInstr *make = &b->code->code[made->imm];
    const uint8_t *inlined = ((const PyJitCode *)b->g->code->jit)->inlined;
    if (inlined[made->imm] > JIT_INLINED
        || (make->c == MAKE_CLOSURE && inlined[made->imm - 1] > JIT_INLINED)) {
        return 0;           /* that has been tried */
    }
    PyObject *code = made_code(b, make);
    found->code = _PyVMCode_CAST(code);
    return is_fit(found->code) && find_outer(b, found, call);
}

/* The loop that begins the comprehension. */
static const PyInstr *
first_loop(const PyVMCode *code)
{
    for (uint32_t ip = 0; ip < code->ninstr; ip += 1u + _PyOpcode_Info[code->code[ip].op].cache) {
        if (_PyOpcode_Info[code->code[ip].op].base == OP_FOR_ITER) {
            return code->code[ip].a == 0 ? &code->code[ip] : NULL;
        }
    }
    return NULL;
}

/* The value, or 0. */
static JitRef
run(JitBuilder *b, Found *found, const JitRef *over, int *owned)
{
    int is_generator = found->code->is_generator;
    if (is_generator) {
        JitRef callee = _PyJit_Use(b, found->outer);
        if (found->consumer.kind == FOR_JOIN) {
            found->consumer.separator = to_class(b, _PyJit_Use(b, found->outer + FRAME_WORDS),
                                                 &PyUnicode_Type);
            if (found->consumer.separator == 0) {
                return 0;
            }
        }
        else if (Py_IS_TYPE(found->consumed_by, &PyCFunction_Type)) {
            callee = to_class(b, callee, &PyCFunction_Type);
            if (callee == 0) {
                return 0;
            }
            guard_mem(b, JIT_64, callee, offsetof(PyCFunctionObject, m_ml),
                      (uint64_t)((PyCFunctionObject *)found->consumed_by)->m_ml);
        }
        else if (((PyTypeObject *)found->consumed_by)->tp_flags & Py_TPFLAGS_HEAPTYPE) {
            callee = to_class(b, callee, &PyType_Type);
            if (callee == 0) {
                return 0;
            }
            guard_mem(b, JIT_32, callee, offsetof(PyTypeObject, tp_version_tag),
                      ((PyTypeObject *)found->consumed_by)->tp_version_tag);
            if (!guard_counter(b, (PyTypeObject *)found->consumed_by)) {
                return 0;
            }
        }
        else {
            guard_compare(b, JIT_EQ, callee, (uint64_t)found->consumed_by);
        }
    }
    _PyJit_GuardDepth(b, 1);
    JitRef value = _PyJit_InlineComprehension(b, found->code, found->maker, over,
                                              is_generator ? &found->consumer : NULL, owned);
    if (value == 0 && found->consumer.wants_double) {
        found->consumer.is_double = 1;
        value = _PyJit_InlineComprehension(b, found->code, found->maker, over, &found->consumer,
                                           owned);
    }
    return value;
}

/* Registers [first, first + n) held what it is over. */
static void
finish(JitBuilder *b, Found *found, JitRef value, int owned, unsigned first, unsigned n)
{
    uint32_t begin = b->ip;
    JitHeld *held = b->held;
    b->held = NULL;
    for (unsigned i = 0; i < n; i++) {
        if (b->slots[first + i].ref != 0) {
            _PyJit_Done(b, first + i);
        }
    }
    if (held == NULL) {
        _PyJit_Done(b, found->window);
    }
    else {
        for (unsigned i = 0; i < held->ncells; i++) {
            _PyJit_Done(b, held->window + i);
        }
        begin = held->ip;
        held->done = 1;
    }
    if (found->consumer.kind == FOR_JOIN) {
        _PyJit_Done(b, found->outer + FRAME_WORDS);
    }
    if (found->code->is_generator && found->consumer.kind != FOR_CALL) {
        _PyJit_Done(b, found->outer);
    }
    b->next = found->next;
    _PyJit_WriteValue(b, found->dest, value, owned);
    ((PyJitCode *)b->g->code->jit)->inlined[begin] = JIT_INLINED;
}

int
_PyJit_BuildComprehension(JitBuilder *b, const PyInstr *in)
{
    Found found = {0};
    int owned;
    if (!find_comprehension(b, b->ip, &found)) {
        return 0;
    }
    const PyInstr *loop = first_loop(found.code);
    PyTypeObject *cls = loop == NULL ? NULL
                      : _PyJit_ClassOfLoop(found.code, loop, class_of(b, _PyJit_Use(b, in->b)));
    JitRef over[4] = {cls == NULL ? 0 : to_class(b, _PyJit_Use(b, in->b), cls)};
    JitRef value = over[0] == 0 ? 0 : run(b, &found, over, &owned);
    if (value == 0) {
        return 0;
    }
    finish(b, &found, value, owned, in->b, 1);
    return 1;
}

/* The comprehension whose GET_ITER this is, over the value of the running call. */
static int
run_over(JitBuilder *b, const PyInstr *in, const JitRef *over, unsigned window, unsigned nargs)
{
    Found found = {0};
    int owned;
    JitRef value = find_comprehension(b, (uint32_t)(in - b->code->code), &found)
                   && first_loop(found.code) != NULL
                   && (over[3] == 0 || _PyJit_TakesPairs(found.code, first_loop(found.code)))
                   ? run(b, &found, over, &owned) : 0;
    if (value != 0) {
        finish(b, &found, value, owned, window, FRAME_WORDS + nargs);
    }
    return value != 0;
}

/* The loop that begins with this GET_ITER within a comprehension, or NULL. */
static const PyInstr *
inner_loop(JitBuilder *b, const PyInstr *in)
{
    const PyInstr *loop = in + 1 + _PyOpcode_Info[in->op].cache;
    return b->inlined->redone && b->inlined->caller.inlined == NULL
           && _PyOpcode_Info[loop->op].base == OP_FOR_ITER && loop->a == in->a ? loop : NULL;
}

/* An argument of zip() or enumerate(), whose class had this version: a list or tuple, or NULL. */
static PyTypeObject *
class_of_iterated(JitBuilder *b, unsigned arg, uint32_t version)
{
    PyTypeObject *known = class_of(b, _PyJit_Use(b, arg));
    if (known != NULL || version == 0) {
        return known == NULL || known == &PyList_Type ? &PyList_Type
             : known == &PyTuple_Type ? known : NULL;
    }
    return version == PyList_Type.tp_version_tag ? &PyList_Type
         : version == PyTuple_Type.tp_version_tag ? &PyTuple_Type : NULL;
}

int
_PyJit_BuildOverPairs(JitBuilder *b, PyObject *callee, unsigned window, unsigned nargs,
                      unsigned dest)
{
    const PyInstr *in = &b->code->code[b->next];
    unsigned args = window + FRAME_WORDS;
    int is_zip = callee == (PyObject *)&PyZip_Type;
    if (nargs != 1u + (unsigned)is_zip || _PyOpcode_Info[in->op].base != OP_GET_ITER
        || in->b != dest || dest < b->first_temp || b->source_at[b->next] != 0
        || b->refused[b->next]
        || (b->inlined != NULL && (inner_loop(b, in) == NULL
                                   || !_PyJit_TakesPairs(b->code, inner_loop(b, in))))) {
        return 0;
    }
    /* Found before guards are made for nothing. */
    Found found = {0};
    if (b->inlined == NULL && !find_comprehension(b, b->next, &found)) {
        return 0;
    }
    JitOperands seen = b->operands == NULL ? (JitOperands){0} : b->operands[b->ip];
    PyTypeObject *classes[2] = {class_of_iterated(b, args, seen.left),
                                is_zip ? class_of_iterated(b, args + 1, seen.right) : NULL};
    if (classes[0] == NULL || (is_zip && classes[1] == NULL)) {
        return 0;
    }
    JitRef over[4] = {0};
    for (unsigned i = 0; i < nargs; i++) {
        over[3 * i] = to_class(b, _PyJit_Use(b, args + i), classes[i]);
        if (over[3 * i] == 0) {
            return 0;
        }
    }
    if (!is_zip) {
        over[3] = _PyJit_Const(b, REG_FROM_INT(0));
    }
    guard_compare(b, JIT_EQ, _PyJit_Use(b, window), (uint64_t)callee);
    if (b->inlined == NULL) {
        return run_over(b, in, over, window, nargs);
    }
    int owned[2] = {0};
    for (unsigned i = 0; i < nargs; i++) {
        (void)_PyJit_Take(b, args + i, &owned[i]);
    }
    _PyJit_Done(b, window);
    b->next += 1u + _PyOpcode_Info[in->op].cache;
    _PyJit_Write(b, in->a, over[0], owned[0]);
    _PyJit_BeginLoop(b, in->a, _PyJit_Const(b, REG_FROM_INT(0)), 0, 0);
    _PyJit_MakePairs(b, in->a, over[3], owned[1]);
    b->inlined->failed |= owned[1];
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

int
_PyJit_BuildOverRange(JitBuilder *b, const PyInstr *in, const JitRef *words, unsigned window,
                      unsigned nargs)
{
    JitNode *step = _PyJit_At(b, words[2]);
    if (step->op != JIT_CONST_NODE || REG_INT(step->imm) == 0) {
        return 0;
    }
    if (b->inlined == NULL) {
        return run_over(b, in, (JitRef[4]){words[0], words[1], words[2]}, window, nargs);
    }
    if (inner_loop(b, in) == NULL) {
        return 0;
    }
    for (unsigned i = 0; i < nargs; i++) {
        _PyJit_Done(b, window + FRAME_WORDS + i);
    }
    _PyJit_Done(b, window);
    b->next += 1u + _PyOpcode_Info[in->op].cache;
    _PyJit_Write(b, in->a, _PyJit_Const(b, REG_NONE), 0);
    _PyJit_BeginLoop(b, in->a, words[0], words[1], words[2]);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

/* ------------------------------------------------------- functions that need not be made */

/* More cells than these would lie where the loop's iterator is made. */
#define MOST_CELLS FRAME_WORDS
/* So many instructions may be between the function and its call. */
#define MOST_BETWEEN 12

/* May it be executed before the function is made? What its code really is will be seen. */
static int
may_precede(int base)
{
    switch (base) {
    case OP_LOAD_GLOBAL: case OP_LOAD_ATTR: case OP_LOAD_CONST: case OP_MOVE: case OP_LOAD_DEREF:
    case OP_LOAD_FREE: case OP_LOAD_SUBSCR: case OP_LOAD_SUBSCRI: case OP_CALL: case OP_ADD:
    case OP_ADDI: case OP_SUB: case OP_SUBI: case OP_MUL: case OP_MULI: case OP_CHECK_BOUND:
        return 1;
    default:
        return 0;
    }
}

/* Is the function in this register, made at `ip`, called with an iterator soon? */
static int
leads_to_call(JitBuilder *b, uint32_t ip, unsigned window)
{
    const PyInstr *code = b->code->code;
    for (int n = 0; n < MOST_BETWEEN && ip < b->code->ninstr && b->source_at[ip] == 0; n++) {
        const PyInstr *in = &code[ip];
        int base = _PyOpcode_Info[in->op].base;
        uint32_t next = ip + 1 + _PyOpcode_Info[in->op].cache;
        if (base == OP_GET_ITER && in->a == window + FRAME_WORDS) {
            return call_behind(b, next, in->a) != NULL;
        }
        if (!may_precede(base)) {
            return 0;
        }
        ip = next;
    }
    return 0;
}

static int
has_new_owner(JitBuilder *b, const JitSaved *saved)
{
    for (unsigned r = 0; r < b->nregs; r++) {
        if (b->slots[r].ref != saved->slots[r].ref && b->slots[r].owned
            && _PyJit_MayCount(b, b->slots[r].ref)) {
            return 1;
        }
    }
    return 0;
}

int
_PyJit_BuildUnmade(JitBuilder *b, const PyInstr *in)
{
    const PyInstr *make = in;
    JitRef cells[MOST_CELLS] = {0};
    if (b->inlined != NULL || b->held != NULL || b->refused[b->ip]) {
        return 0;
    }
    if (_PyOpcode_Info[in->op].base == OP_BUILD_TUPLE) {
        make = &b->code->code[b->next];
        if (b->source_at[b->next] != 0 || _PyOpcode_Info[make->op].base != OP_MAKE_FUNCTION
            || make->c != MAKE_CLOSURE || make->b != in->a || make->a != in->b
            || in->c > MOST_CELLS) {
            return 0;
        }
    }
    else if (make->c != 0) {
        return 0;
    }
    uint32_t ip = (uint32_t)(make - b->code->code) + 1 + _PyOpcode_Info[make->op].cache;
    PyObject *code = made_code(b, make);
    JitHeld held = {.code = _PyVMCode_CAST(code), .window = make->a, .ip = b->ip, .cells = cells,
                    .ncells = make == in ? 0 : in->c};
    if (!leads_to_call(b, ip, make->a) || !is_fit(held.code) || !_PyJit_MayInline(b)) {
        return 0;
    }
    for (unsigned i = 0; i < held.ncells; i++) {
        cells[i] = _PyJit_Use(b, in->b + i);
    }
    held.snap = _PyJit_SnapBefore(b);
    JitSaved saved;
    if (!_PyJit_Save(b, &saved)) {
        return 0;
    }
    b->held = &held;
    while (!held.done && !held.failed) {
        JitRef first = b->g->nnodes;
        b->ip = ip;
        b->next = ip + 1 + _PyOpcode_Info[b->code->code[ip].op].cache;
        if (!_PyJit_BuildInstruction(b)) {
            held.failed = 1;
        }
        held.failed |= !held.done && (!_PyJit_IsPure(b, first) || has_new_owner(b, &saved)
                                      || b->g->nblocks != saved.graph.nblocks);
        ip = b->next;
    }
    b->held = NULL;
    if (held.failed || b->g->failed) {
        _PyJit_Forget(b, &saved);
        return 0;
    }
    return 1;
}
