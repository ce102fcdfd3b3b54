/* Calls of functions, methods and classes in C that neither run Python code nor look at frames
   (quiet.h): their operands stay where they are, and the frame need not be true. Of some, numbers
   go in and come out unboxed, or the call is no call at all. */
#include "build_ops.h"
#include "quiet.h"
#include "displays.h"
#include "items.h"

/* The operands of a quiet call as words; 0: one is unboxed. */
static int
use_words(JitBuilder *b, unsigned first, unsigned n, JitRef *words)
{
    for (unsigned i = 0; i < n; i++) {
        words[i] = _PyJit_Use(b, first + i);
        if (type_of(b, words[i]) == JIT_T_DOUBLE) {
            return 0;
        }
    }
    return 1;
}

/* The end of a call whose value is known: its window is done with. */
static int
finish_call(JitBuilder *b, unsigned window, unsigned nargs, unsigned dest, JitRef value, int owned)
{
    for (unsigned i = 0; i < nargs; i++) {
        _PyJit_Done(b, window + FRAME_WORDS + i);
    }
    _PyJit_Done(b, window);
    _PyJit_WriteValue(b, dest, value, owned);
    return 1;
}

/* The same for a call of C: leaves if nothing was done. */
static int
finish_quiet(JitBuilder *b, const void *function, PyTypeObject *cls, const JitRef *words,
             unsigned n, unsigned window, unsigned nregs, unsigned dest)
{
    int all_ints = cls == NULL;
    for (unsigned i = 0; i < n; i++) {
        all_ints = all_ints && type_of(b, words[i]) == JIT_T_INT;
    }
    int is_int = all_ints || cls == &PyLong_Type;
    JitType type = is_int ? JIT_T_INT : cls != NULL ? JIT_T_OBJECT : JIT_T_WORD;
    uint32_t snap = _PyJit_SnapBefore(b);
    JitRef value = _PyJit_Node(b, JIT_CALL_NODE, type, words[0], n > 1 ? words[1] : 0);
    JitNode *node = _PyJit_At(b, value);
    node->args[2] = n > 2 ? words[2] : 0;
    node->args[3] = n > 3 ? words[3] : 0;
    node->nargs = (uint16_t)n;
    node->aux = function;
    node->cls = is_int ? NULL : cls;
    guard_answer(b, JIT_NE, value, snap);
    return finish_call(b, window, nregs, dest, value, _PyJit_MayCount(b, value));
}

static int
call_quiet_function(JitBuilder *b, unsigned window, unsigned nargs, PyCFunctionObject *seen,
                    unsigned dest)
{
    JitRef words[JIT_ARGS];
    PyTypeObject *cls;
    unsigned args = window + FRAME_WORDS;
    const void *function = nargs > 0 && nargs <= JIT_ARGS
                           ? _PyJit_QuietFunction(seen, nargs, &cls) : NULL;
    if (function == NULL) {
        return 0;
    }
    if (!use_words(b, args, nargs, words)) {
        return 0;
    }
    JitRef func = to_class(b, _PyJit_Use(b, window), &PyCFunction_Type);
    if (func == 0) {
        return 0;
    }
    guard_mem(b, JIT_64, func, offsetof(PyCFunctionObject, m_ml), (uint64_t)seen->m_ml);
    return finish_quiet(b, function, cls, words, nargs, window, nargs, dest);
}

/* Leaves unless a cond the number, which a NaN never is. */
static void
guard_double(JitBuilder *b, JitCond cond, JitRef x, double number)
{
    guard_doubles(b, cond, x, double_const(b, number));
}

/* int(x), str(x), float(x), bool(x) */
static int
call_quiet_type(JitBuilder *b, unsigned window, PyTypeObject *type, unsigned dest)
{
    unsigned argument = window + FRAME_WORDS;
    PyTypeObject *cls;
    const void *function = _PyJit_QuietType(type, &cls);
    JitRef callee = _PyJit_Use(b, window), x = _PyJit_Use(b, argument);
    int is_double = type_of(b, x) == JIT_T_DOUBLE, is_int = type_of(b, x) == JIT_T_INT;
    if (function == NULL || (is_double && type != &PyLong_Type && type != &PyFloat_Type)) {
        return 0;
    }
    guard_compare(b, JIT_EQ, callee, (uint64_t)type);
    if (type == &PyFloat_Type && (is_double || is_int)) {
        x = is_double ? x : _PyJit_Node(b, JIT_INT_TO_DOUBLE_NODE, JIT_T_DOUBLE, x, 0);
        return finish_call(b, window, 1, dest, x, 0);
    }
    if (type == &PyLong_Type && is_int) {
        return finish_call(b, window, 1, dest, x, 0);
    }
    if (is_double) {
        guard_double(b, JIT_LT, x, 4e18);
        guard_double(b, JIT_GT, x, -4e18);
        JitRef whole = _PyJit_Node(b, JIT_TRUNC_NODE, JIT_T_RAW, x, 0);
        whole = guarded(b, JIT_TAG_NODE, JIT_T_INT, whole, 0);
        return finish_call(b, window, 1, dest, whole, 0);
    }
    return finish_quiet(b, function, cls, &x, 1, window, 1, dest);
}

/* Functions of a double that give one, unboxed. */
typedef enum { OF_ABS, OF_SQRT, OF_FINITE, OF_POSITIVE, OF_ANY, GIVES_FINITE } NumberUse;

static const struct NumberFunction {
    const char *module, *name;
    NumberUse use;              /* of which arguments they are C's function, without an error */
    double (*function)(double);
} number_functions[] = {
    {"builtins", "abs", OF_ABS, NULL},
    {"math", "fabs", OF_ABS, NULL},
    {"math", "sqrt", OF_SQRT, NULL},
    {"math", "sin", OF_FINITE, sin},
    {"math", "cos", OF_FINITE, cos},
    {"math", "tan", OF_FINITE, tan},
    {"math", "exp", GIVES_FINITE, exp},
    {"math", "log", OF_POSITIVE, log},
    {"math", "log2", OF_POSITIVE, log2},
    {"math", "log10", OF_POSITIVE, log10},
    {"math", "atan", OF_ANY, atan},
    {"math", "tanh", OF_ANY, tanh},
};

/* The name of the module that it is from; or "". */
static const char *
module_of(PyCFunctionObject *func)
{
    const char *module = func->m_self != NULL && PyModule_Check(func->m_self)
                         ? PyModule_GetName(func->m_self) : "";
    if (module == NULL) {
        PyErr_Clear();
    }
    return module == NULL ? "" : module;
}

static const struct NumberFunction *
number_function(PyCFunctionObject *func)
{
    const char *module = module_of(func);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(number_functions); i++) {
        const struct NumberFunction *f = &number_functions[i];
        if (strcmp(f->module, module) == 0 && strcmp(f->name, func->m_ml->ml_name) == 0) {
            return f;
        }
    }
    return NULL;
}

/* Its value for a double. */
static JitRef
number_value(JitBuilder *b, const struct NumberFunction *f, JitRef x)
{
    if (f->use == OF_ABS) {
        return _PyJit_Node(b, JIT_FABS_NODE, JIT_T_DOUBLE, x, 0);
    }
    if (f->use == OF_SQRT) {
        guard_double(b, JIT_GE, x, 0.0);
        return _PyJit_Node(b, JIT_FSQRT_NODE, JIT_T_DOUBLE, x, 0);
    }
    if (f->use == OF_FINITE || f->use == OF_POSITIVE) {
        guard_finite(b, x);
    }
    if (f->use == OF_POSITIVE) {
        guard_double(b, JIT_GT, x, 0.0);
    }
    JitRef value = call_double(b, (const void *)f->function, x, 0);
    if (f->use == GIVES_FINITE) {
        guard_finite(b, value);
    }
    return value;
}

static int
call_number(JitBuilder *b, unsigned window, PyCFunctionObject *seen, unsigned dest)
{
    const struct NumberFunction *f = number_function(seen);
    if (f == NULL) {
        return 0;
    }
    JitRef x = _PyJit_Use(b, window + FRAME_WORDS);
    int right = JIT_RIGHT(b->kinds[b->ip]), is_abs = f->use == OF_ABS && f->module[0] == 'b';
    int kind = kind_of_value(b, x, right == JIT_SEEN_COMPLEX ? JIT_SEEN_OTHER : right);
    JitComplex number = {0};
    if (is_abs && kind == JIT_SEEN_OTHER) {
        number = _PyJit_Parts(b, x, kind, right == JIT_SEEN_COMPLEX);
        x = number.re;
    }
    else if (kind == JIT_SEEN_FLOAT || (!is_abs && kind == JIT_SEEN_INT)) {
        x = to_double(b, x, kind);
    }
    else {
        return 0;
    }
    JitRef func = x == 0 ? 0 : to_class(b, _PyJit_Use(b, window), &PyCFunction_Type);
    if (func == 0) {
        return 0;
    }
    guard_mem(b, JIT_64, func, offsetof(PyCFunctionObject, m_ml), (uint64_t)seen->m_ml);
    x = number.re != 0 ? _PyJit_AbsOfComplex(b, number) : number_value(b, f, x);
    return finish_call(b, window, 1, dest, x, 0);
}

/* iter(range(…)), as loops begin: the GET_ITER behind the call is done with it. */
static int
call_range(JitBuilder *b, unsigned window, unsigned nargs, unsigned dest)
{
    const PyInstr *next = &b->code->code[b->next];
    unsigned args = window + FRAME_WORDS;
    if (nargs < 1 || nargs > 3 || _PyOpcode_Info[next->op].base != OP_GET_ITER || next->b != dest
        || dest < b->first_temp || b->source_at[b->next] != 0 || b->refused[b->next]) {
        return 0;
    }
    JitRef given[3];
    for (unsigned i = 0; i < nargs; i++) {
        given[i] = _PyJit_Use(b, args + i);
        if (type_of(b, given[i]) == JIT_T_DOUBLE || (given[i] = to_int(b, given[i])) == 0) {
            return 0;
        }
    }
    guard_compare(b, JIT_EQ, _PyJit_Use(b, window), (uint64_t)&PyRange_Type);
    JitRef words[3] = {
        nargs > 1 ? given[0] : _PyJit_Const(b, REG_FROM_INT(0)),
        nargs > 1 ? given[1] : given[0],
        nargs > 2 ? given[2] : _PyJit_Const(b, REG_FROM_INT(1)),
    };
    if (_PyJit_BuildOverRange(b, next, words, window, nargs)) {
        return 1;
    }
    if (b->inlined != NULL) {
        return 0;
    }
    b->next += 1u + _PyOpcode_Info[next->op].cache;
    return finish_quiet(b, (const void *)_PyJit_RangeIter, &PyRangeIter_Type, words, 3, window,
                        nargs, next->a);
}

/* q, r = divmod(x, y) of ints: no pair is made. */
static int
call_divmod(JitBuilder *b, unsigned window, PyCFunctionObject *seen, unsigned dest)
{
    uint32_t next = b->next, behind = next + 1u + _PyOpcode_Info[b->code->code[next].op].cache;
    const PyInstr *unpack = &b->code->code[next];
    int base = _PyOpcode_Info[unpack->op].base;
    if (strcmp(seen->m_ml->ml_name, "divmod") != 0 || strcmp(module_of(seen), "builtins") != 0
        || JIT_RIGHT(b->kinds[b->ip]) != JIT_SEEN_INT
        || (base != OP_UNPACK_SEQUENCE && base != OP_UNPACK_LOCALS) || unpack->c != 2
        || unpack->b != dest || dest < b->first_temp || b->source_at[next] != 0) {
        return 0;
    }
    JitRef func = _PyJit_Use(b, window), operands[2];
    for (unsigned i = 0; i < 2; i++) {
        JitRef x = _PyJit_Use(b, window + FRAME_WORDS + i);
        operands[i] = kind_of_value(b, x, JIT_SEEN_INT) == JIT_SEEN_INT ? to_int(b, x) : 0;
        if (operands[i] == 0) {
            return 0;
        }
    }
    func = to_class(b, func, &PyCFunction_Type);
    if (func == 0) {
        return 0;
    }
    guard_mem(b, JIT_64, func, offsetof(PyCFunctionObject, m_ml), (uint64_t)seen->m_ml);
    JitRef quotient = _PyJit_IntArithmetic(b, K_FLOORDIV, operands[0], operands[1]);
    JitRef rest = _PyJit_IntArithmetic(b, K_MOD, operands[0], operands[1]);
    _PyJit_Done(b, window + FRAME_WORDS + 1);
    _PyJit_Done(b, window + FRAME_WORDS);
    _PyJit_Done(b, window);
    b->ip = next;
    b->next = behind;
    _PyJit_Write(b, unpack->a, quotient, 0);
    _PyJit_Write(b, unpack->a + 1u, rest, 0);
    _PyJit_FinishInstr(b, behind);
    return 1;
}

/* complex(x, y) of ints and floats */
static int
call_complex(JitBuilder *b, unsigned window, unsigned dest)
{
    JitRef callee = _PyJit_Use(b, window), parts[2];
    for (unsigned i = 0; i < 2; i++) {
        JitRef x = _PyJit_Use(b, window + FRAME_WORDS + i);
        int kind = kind_of_value(b, x, 0);
        if (kind != JIT_SEEN_INT && kind != JIT_SEEN_FLOAT) {
            return 0;
        }
        parts[i] = to_double(b, x, kind);
        if (parts[i] == 0) {
            return 0;
        }
    }
    guard_compare(b, JIT_EQ, callee, (uint64_t)&PyComplex_Type);
    JitRef value = _PyJit_BoxComplex(b, parts[0], parts[1], 0);
    return finish_call(b, window, 2, dest, value, 1);
}

/* type(x) */
static int
call_type(JitBuilder *b, unsigned window, unsigned dest)
{
    unsigned argument = window + FRAME_WORDS;
    JitRef callee = _PyJit_Use(b, window), x = _PyJit_Use(b, argument), type;
    if (type_of(b, callee) != JIT_T_OBJECT) {
        return 0;
    }
    if (_PyJit_At(b, callee)->op != JIT_CONST_NODE) {
        guard_compare(b, JIT_EQ, callee, (uint64_t)&PyType_Type);
    }
    int seen = type_of(b, x) == JIT_T_WORD ? JIT_RIGHT(b->kinds[b->ip]) : 0;
    if (seen == JIT_SEEN_INT) {
        JitRef number = guarded(b, JIT_GUARD_INT_NODE, JIT_T_INT, x, 0);
        _PyJit_Refine(b, x, number);
        x = number;
    }
    else if (seen & JIT_SEEN_INT) {
        return finish_quiet(b, (const void *)_PyJit_TypeOf, NULL, &x, 1, window, 1, dest);
    }
    if (type_of(b, x) == JIT_T_INT || type_of(b, x) == JIT_T_DOUBLE) {
        type = _PyJit_Const(b, type_of(b, x) == JIT_T_INT ? (PyReg)&PyLong_Type
                                                          : (PyReg)&PyFloat_Type);
    }
    else {
        x = to_object(b, x);
        type = load(b, JIT_T_OBJECT, JIT_64, x, offsetof(PyObject, ob_type));
    }
    incref(b, type);
    return finish_call(b, window, 1, dest, type, 1);
}

int
_PyJit_BuildListAppend(JitBuilder *b, JitRef list, unsigned reg, int is_int)
{
    JitRef item = _PyJit_Use(b, reg);
    if (type_of(b, item) == JIT_T_WORD) {
        JitRef better = guarded(b, is_int ? JIT_GUARD_INT_NODE : JIT_GUARD_OBJECT_NODE,
                                is_int ? JIT_T_INT : JIT_T_OBJECT, item, 0);
        _PyJit_Refine(b, item, better);
        item = better;
    }
    (void)guarded(b, JIT_LIST_ROOM_NODE, JIT_T_NONE, list, 0);
    item = _PyJit_TakeObject(b, reg, item, 0);
    JitRef size = load(b, JIT_T_RAW, JIT_64, list, offsetof(PyVarObject, ob_size));
    JitRef items = load(b, JIT_T_RAW, JIT_64, list, offsetof(PyListObject, ob_item));
    JitRef put = _PyJit_Node(b, JIT_STORE_INDEXED_NODE, JIT_T_NONE, items, size);
    _PyJit_At(b, put)->args[2] = item;
    _PyJit_At(b, put)->width = JIT_64;
    JitRef count = _PyJit_Node(b, JIT_ADD_MEM_NODE, JIT_T_NONE, list, 0);
    _PyJit_At(b, count)->imm = offsetof(PyVarObject, ob_size);
    _PyJit_At(b, count)->width = JIT_64;
    _PyJit_At(b, count)->cond = 1;
    return 1;
}

/* list.append() */
static int
call_append(JitBuilder *b, unsigned window, unsigned dest)
{
    unsigned self = window + FRAME_WORDS;
    JitRef list = to_class(b, _PyJit_Use(b, self), &PyList_Type);
    if (list == 0 || !_PyJit_BuildListAppend(b, list, self + 1,
                                             JIT_RIGHT(b->kinds[b->ip]) == JIT_SEEN_INT)) {
        return 0;
    }
    return finish_call(b, window, 1, dest, _PyJit_Const(b, REG_NONE), 0);
}

/* A method of a built-in class, in a window with its self. */
static int
call_quiet_method(JitBuilder *b, unsigned window, unsigned nargs, PyMethodDescrObject *method,
                  unsigned dest)
{
    unsigned self = window + FRAME_WORDS;
    JitRef words[JIT_ARGS];
    PyTypeObject *cls = NULL, *type = method->d_common.d_type;
    PyTypeObject *loaded = _PyJit_ClassAtLoad(b, window);
    if (loaded != NULL && loaded != type) {
        return 0;           /* of a class of Python's, derived from that */
    }
    if (type == &PyList_Type && nargs == 2 && strcmp(method->d_method->ml_name, "append") == 0) {
        return call_append(b, window, dest);
    }
    const void *function = _PyJit_QuietMethod(method, nargs, &cls);
    int of_str = function == NULL && _PyJit_IsQuietStrMethod(method, nargs);
    int refused = JIT_RIGHT(b->kinds[b->ip]) & JIT_SEEN_REFUSED;
    if ((function == NULL && (!of_str || refused)) || nargs > 3 || !use_words(b, self, nargs, words)
        || to_class(b, words[0], type) == 0) {
        return 0;
    }
    (void)use_words(b, self, nargs, words);
    int takes_out = function == (const void *)_PyJit_SetDiscard
                    || function == (const void *)_PyJit_SetRemove;
    if (takes_out || strcmp(method->d_method->ml_name, "copy") == 0) {
        _PyJit_GuardDepth(b, 1);            /* these calls count as a level */
    }
    if (takes_out || (type == &PyList_Type && function != (const void *)_PyJit_CopyList)) {
        _PyJit_OwnBorrowed(b, 1, NULL);     /* what it drops may have been lent */
    }
    if (function == (const void *)_PyJit_SetAdd && _PyJit_WasSearched(b, words[0], words[1], 0)) {
        function = (const void *)_PyJit_SetAddFound;
    }
    if (!of_str) {
        return finish_quiet(b, function, cls, words, nargs, window, nargs, dest);
    }
    JitRef all[JIT_ARGS] = {raw_const(b, (uint64_t)method->d_method)};
    for (unsigned i = 0; i < 3; i++) {
        all[i + 1] = i < nargs ? words[i] : raw_const(b, 0);
    }
    return finish_quiet(b, (const void *)_PyJit_StrMethod, NULL, all, 4, window, nargs, dest);
}

int
_PyJit_BuildQuietCall(JitBuilder *b, JitRef callee, PyObject *seen, unsigned window,
                      unsigned nargs, unsigned dest)
{
    if (Py_IS_TYPE(seen, &PyCFunction_Type)) {
        PyCFunctionObject *func = (PyCFunctionObject *)seen;
        return (nargs == 1 && call_number(b, window, func, dest))
               || (nargs == 2 && call_divmod(b, window, func, dest))
               || call_quiet_function(b, window, nargs, func, dest);
    }
    if (Py_IS_TYPE(seen, &PyMethodDescr_Type)) {
        return _PyJit_At(b, callee)->op == JIT_CONST_NODE
               && call_quiet_method(b, window, nargs, (PyMethodDescrObject *)seen, dest);
    }
    if (!PyType_Check(seen)) {
        return 0;
    }
    PyTypeObject *type = (PyTypeObject *)seen;
    if (type == &PyType_Type) {
        return nargs == 1 && call_type(b, window, dest);
    }
    if ((type == &PyRange_Type && call_range(b, window, nargs, dest))
        || ((type == &PyEnum_Type || type == &PyZip_Type)
            && _PyJit_BuildOverPairs(b, seen, window, nargs, dest))
        || (type == &PyComplex_Type && nargs == 2 && call_complex(b, window, dest))) {
        return 1;
    }
    return nargs == 1 && !(JIT_RIGHT(b->kinds[b->ip]) & JIT_SEEN_REFUSED)
           && call_quiet_type(b, window, type, dest);
}
