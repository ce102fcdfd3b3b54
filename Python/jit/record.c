/* What is seen of operands while a function is getting warm: record.h. */
#include "items.h"
#include "quiet.h"
#include "record.h"
#include "versions.h"
#include "slices.h"
#include "spending.h"
#include "stepping.h"
#include "../vm/vm.h"
#include "internal/attr_place.h"
#include "internal/instance_attrs.h"
#include "internal/monitoring.h"

#undef A
#undef B
#undef C

static int
kind_of(PyReg value)
{
    if (value == 0) {
        return 0;
    }
    if (REG_IS_INT(value)) {
        return JIT_SEEN_INT;
    }
    PyTypeObject *type = Py_TYPE(REG_PTR(value));
    if (type == &PyLong_Type) {
        Py_ssize_t size = Py_SIZE(REG_PTR(value));
        return size >= -1 && size <= 2 ? JIT_SEEN_INT : JIT_SEEN_OTHER;
    }
    return type == &PyFloat_Type ? JIT_SEEN_FLOAT
         : type == &PyBool_Type ? JIT_SEEN_BOOL : JIT_SEEN_OTHER;
}

static int
kind_of_operand(PyReg value)
{
    int kind = kind_of(value);
    return kind == JIT_SEEN_OTHER && IS_EXACT(value, PyLong_Type) ? JIT_SEEN_BIG
         : kind == JIT_SEEN_BOOL ? JIT_SEEN_OTHER : kind;
}

/* 0: no container that is known here. */
static int
container_kind(PyReg value)
{
    if (value == 0 || REG_IS_INT(value)) {
        return 0;
    }
    PyTypeObject *type = Py_TYPE(REG_PTR(value));
    return type == &PyList_Type ? JIT_SEEN_LIST
         : type == &PyTuple_Type ? JIT_SEEN_TUPLE
         : type == &PyDict_Type ? JIT_SEEN_DICT
         : type == &PyUnicode_Type ? JIT_SEEN_STR : 0;
}

static void
kinds_of_slice(PyReg container, int *left, int *right)
{
    *left = container_kind(container);
    *right = *left != 0 ? 0 : _PyJit_IsSliced(container) ? JIT_SEEN_SLICED : JIT_SEEN_NO_ITEMS;
}

static int
key_kind(PyReg key)
{
    return kind_of(key) == JIT_SEEN_INT ? JIT_SEEN_INT
         : _PyJit_IsQuietKey(key) ? JIT_SEEN_QUIET_KEY : JIT_SEEN_OTHER_KEY;
}

/* -------------------------------------------------------------------- attributes */

static PyObject *
attribute_name(PyVMFrame *f, const PyInstr *ip)
{
    return code_name(f, ((const PyCacheWord *)(ip + 1))->arg);
}

/* What is formatted. */
static int
kind_of_text(PyReg value)
{
    return REG_IS_INT(value) || IS_EXACT(value, PyLong_Type) ? JIT_SEEN_INT
         : IS_EXACT(value, PyFloat_Type) ? JIT_SEEN_FLOAT
         : IS_EXACT(value, PyUnicode_Type) ? JIT_SEEN_TEXT : JIT_SEEN_OTHER;
}

/* Where is it stored, and has it a value already? */
static int
kind_of_store(PyVMFrame *f, const PyInstr *ip, PyReg owner)
{
    if (!REG_IS_PTR(owner)) {
        return JIT_SEEN_SOUGHT;
    }
    PyObject *op = REG_PTR(owner), *name = attribute_name(f, ip);
    _PyAttrPlace place = _PyJit_PlaceInInstances(Py_TYPE(op), name);
    if (place.kind == PLACE_MEMBER) {
        return JIT_SEEN_OLD;
    }
    if (place.kind == PLACE_INLINE && (Py_ssize_t)place.number < _PyInstance_Header(op)->capacity) {
        return _PyInstance_Values(op)[place.number] != NULL ? JIT_SEEN_OLD : JIT_SEEN_NEW;
    }
    return _PyJit_MayStore(op, name) ? JIT_SEEN_ELSEWHERE : JIT_SEEN_SOUGHT;
}

/* Is it just where the place says? */
static int
is_placed(PyObject *op, _PyAttrPlace place)
{
    switch (place.kind) {
    case PLACE_INLINE:
        return _PyInstance_InlineValue(op, (Py_ssize_t)place.number) != NULL;
    case PLACE_MEMBER:
        return *(PyObject **)((char *)op + place.number) != NULL;
    case PLACE_OF_TYPE:
        return place.number == NO_OWN_ATTRIBUTES
               || (place.number == HIDDEN_BY_MOVED && _PyInstance_Header(op)->capacity != 0)
               || (place.number == OWN_DICT && Py_TYPE(op)->tp_dictoffset > 0
                   && _PyAttr_OwnDict(op) == NULL);
    case PLACE_CLASS: case PLACE_GETTER: case PLACE_PROPERTY:
        return 1;
    default:
        return 0;
    }
}

static int
kind_of_load(PyVMFrame *f, const PyInstr *ip, PyReg owner)
{
    if (!REG_IS_PTR(owner)) {
        return JIT_SEEN_SOUGHT;
    }
    PyObject *op = REG_PTR(owner), *name = attribute_name(f, ip);
    int is_there = is_placed(op, _PyJit_PlaceInInstances(Py_TYPE(op), name))
                   || (PyType_Check(op)
                       && _PyJit_PlaceOfClass((PyTypeObject *)op, name).kind == PLACE_OF_CLASS);
    int where = is_there ? JIT_SEEN_PLACED : JIT_SEEN_FOUND;
    if (_PyOpcode_Info[ip->op].base == OP_LOAD_METHOD && _PyJit_Method(op, name) != NULL) {
        return where;
    }
    int is_value = _PyJit_Attr(op, name) != NULL;
    if (!is_value && _PyOpcode_Info[ip->op].base == OP_LOAD_METHOD
        && _PyAttr_KnownWrapper(op, name) != NULL) {
        return JIT_SEEN_PLACED | JIT_SEEN_SOUGHT;
    }
    if (_PyOpcode_Info[ip->op].base == OP_LOAD_METHOD) {
        return is_value ? where | JIT_SEEN_NO_METHOD : JIT_SEEN_SOUGHT;
    }
    return is_value ? where : is_there ? JIT_SEEN_PLACED | JIT_SEEN_GOT : JIT_SEEN_SOUGHT;
}

/* Adds the class of an attribute's owner to those that have been seen. Returns a bit for how many
   there are. */
static int
note_owner(PyVMFrame *f, const PyInstr *ip, PyReg owner)
{
    const PyJitCode *jit = f->code->jit;
    if (jit->operands == NULL) {
        return 0;
    }
    uint32_t *owners = _PyJit_OwnersOf(jit->operands, (uint32_t)(ip - f->code->code));
    uint32_t version = JIT_OPERAND_INT;
    if (REG_IS_PTR(owner)) {
        PyObject *op = REG_PTR(owner);
        int is_class = PyType_Check(op)
            && _PyJit_PlaceOfClass((PyTypeObject *)op, attribute_name(f, ip)).kind != PLACE_UNKNOWN;
        version = _PyType_AssignVersion(is_class ? (PyTypeObject *)op : Py_TYPE(op));
        version = version == 0 ? JIT_OPERAND_MIXED : is_class ? version | JIT_IS_CLASS : version;
    }
    int n = 0;
    while (n < JIT_OWNERS && owners[n] != 0 && owners[n] != version) {
        n++;
    }
    if (n == JIT_OWNERS) {
        /* Classes that have been changed or are gone need no room. */
        n = 0;
        for (int i = 0; i < JIT_OWNERS; i++) {
            if (owners[i] >= JIT_OPERAND_INT
                || _PyType_OfVersion(owners[i] & ~JIT_IS_CLASS) != NULL) {
                owners[n++] = owners[i];
            }
        }
        memset(&owners[n], 0, (size_t)(JIT_OWNERS - n) * sizeof(*owners));
        version = n < JIT_OWNERS ? version : JIT_OPERAND_MIXED;
        n = n < JIT_OWNERS ? n : JIT_OWNERS - 1;
    }
    owners[n] = version;
    return 1 << (n < 3 ? n : 3);
}

static int
is_bound(PyReg callee)
{
    return REG_IS_PTR(callee) && IS_EXACT(callee, PyMethod_Type)
           && Py_IS_TYPE(((PyMethodObject *)REG_PTR(callee))->im_func, &PyFunction_Type);
}

static void
kinds_of_comparison(PyReg x, PyReg y, int op, int *left, int *right)
{
    const int numbers = JIT_SEEN_INT | JIT_SEEN_FLOAT;
    *left = kind_of(x);
    *right = kind_of(y);
    if (!(*left & numbers) || !(*right & numbers)) {
        *left = *right = _PyJit_Compare(x, y, op) >= 0 ? JIT_SEEN_BOOL : JIT_SEEN_OTHER;
    }
}

/* What machine code calls by itself. */
static int
kind_of_callee(PyReg callee, unsigned nargs)
{
    if (!IS_EXACT(callee, PyFunction_Type)) {
        return JIT_SEEN_OTHER;
    }
    PyVMCode *code = (PyVMCode *)((PyFunctionObject *)REG_PTR(callee))->func_code;
    if (_PyCode_UnpackQuietly(code) == 0 && _PyVM_MakesGenerator(code, (int)nargs)) {
        return JIT_SEEN_GENERATOR;
    }
    return code->simple_call && code->ob.co_argcount == (int)nargs ? JIT_SEEN_FUNCTION
                                                                   : JIT_SEEN_OTHER;
}

static void
note_version(uint32_t *noted, uint32_t version)
{
    *noted = *noted == 0 || *noted == version ? version : JIT_OPERAND_MIXED;
}

static void
note_right(uint32_t *noted, uint32_t version)
{
    uint32_t of_float = PyFloat_Type.tp_version_tag;
    int was_number = *noted == JIT_OPERAND_INT || *noted == of_float
                     || *noted == JIT_OPERAND_NUMBER;
    if (*noted != version && *noted != 0 && was_number
        && (version == JIT_OPERAND_INT || version == of_float)) {
        version = *noted = JIT_OPERAND_NUMBER;
    }
    note_version(noted, version);
}

static uint32_t
operand_version(PyReg value)
{
    if (value == 0 || REG_IS_INT(value)) {
        return JIT_OPERAND_INT;
    }
    uint32_t version = _PyType_AssignVersion(Py_TYPE(REG_PTR(value)));
    return version != 0 ? version : JIT_OPERAND_MIXED;
}

/* A class of Python's that is called: `left` says whether it was always this one, `right` which was
   the last one. */
static void
note_class(PyVMFrame *f, const PyInstr *ip)
{
    const PyJitCode *jit = f->code->jit;
    PyReg callee = f->regs[ip->a];
    if (jit->operands == NULL || !IS_EXACT(callee, PyType_Type)
        || !PyType_HasFeature((PyTypeObject *)REG_PTR(callee), Py_TPFLAGS_HEAPTYPE)) {
        return;
    }
    uint32_t version = _PyType_AssignVersion((PyTypeObject *)REG_PTR(callee));
    if (version != 0) {
        JitOperands *operands = &jit->operands[ip - f->code->code];
        note_version(&operands->left, version | JIT_IS_CLASS);
        operands->right = version | JIT_IS_CLASS;
    }
}

static int
is_plain_item(PyReg container)
{
    return IS_EXACT(container, PyBytes_Type) || IS_EXACT(container, PyByteArray_Type);
}

static int
is_plain_sum(PyReg left, PyReg right)
{
    return IS_EXACT(left, PyUnicode_Type) && IS_EXACT(right, PyUnicode_Type);
}

/* The argument of a C function. */
static int
kind_of_argument(PyReg value)
{
    int kind = kind_of(value);
    return kind == JIT_SEEN_INT || kind == JIT_SEEN_FLOAT ? kind
         : IS_EXACT(value, PyComplex_Type) ? JIT_SEEN_COMPLEX : JIT_SEEN_NO_NUMBER;
}

static int
are_complex(PyReg left, PyReg right)
{
    const int numbers = JIT_SEEN_INT | JIT_SEEN_FLOAT;
    int x = IS_EXACT(left, PyComplex_Type), y = IS_EXACT(right, PyComplex_Type);
    return (x && (y || (kind_of(right) & numbers))) || (y && (kind_of(left) & numbers));
}

/* A bool, and another one or an int. */
static int
are_bools(PyReg left, PyReg right)
{
    int x = kind_of(left), y = kind_of(right);
    return (x == JIT_SEEN_BOOL && (y == JIT_SEEN_BOOL || y == JIT_SEEN_INT))
           || (y == JIT_SEEN_BOOL && x == JIT_SEEN_INT);
}

/* The operands of an operator: what counts is whether the left one's class is Python's. */
static void
note_operands(PyVMFrame *f, const PyInstr *ip, PyReg left, PyReg right)
{
    const PyJitCode *jit = f->code->jit;
    int base = _PyOpcode_Info[ip->op].base;
    int is_plain = base == OP_ADD || base == OP_IADD ? is_plain_sum(left, right)
                 : base == OP_LOAD_SUBSCR || base == OP_LOAD_SUBSCRI ? is_plain_item(left) : 0;
    int is_number = !is_plain && base >= OP_ADD && base <= OP_RSHIFTI;
    int is_complex = is_number && are_complex(left, right);
    int is_bool = is_number && are_bools(left, right);
    if ((is_plain || is_complex || is_bool) && jit->operands != NULL) {
        note_version(&jit->operands[ip - f->code->code].left,
                     is_plain ? JIT_OPERAND_PLAIN
                     : is_complex ? JIT_OPERAND_COMPLEX : JIT_OPERAND_BOOL);
        return;
    }
    if (REG_IS_PTR(left) && (Py_TYPE(REG_PTR(left))->tp_flags & Py_TPFLAGS_HEAPTYPE)
        && jit->operands != NULL) {
        JitOperands *operands = &jit->operands[ip - f->code->code];
        note_version(&operands->left, operand_version(left));
        note_right(&operands->right, operand_version(right));
    }
}

/* The classes of what zip() or enumerate() is called with. */
static void
note_iterated(PyVMFrame *f, const PyInstr *ip)
{
    const PyReg *args = &f->regs[ip->a + FRAME_WORDS];
    int is_zip = f->regs[ip->a] == (PyReg)&PyZip_Type;
    const PyJitCode *jit = f->code->jit;
    if (jit->operands != NULL && ip->b == 1 + is_zip
        && (is_zip || f->regs[ip->a] == (PyReg)&PyEnum_Type)) {
        JitOperands *operands = &jit->operands[ip - f->code->code];
        note_version(&operands->left, operand_version(args[0]));
        note_version(&operands->right, is_zip ? operand_version(args[1]) : 0);
    }
}

static int
is_new_coroutine(PyReg value)
{
    return IS_EXACT(value, PyCoro_Type)
           && ((PyGenObject *)REG_PTR(value))->gi_frame_state == GEN_CREATED;
}

static void
kinds_of_call(PyVMFrame *f, const PyInstr *ip, int *left, int *right)
{
    PyReg callee = f->regs[ip->a];
    const PyReg *args = &f->regs[ip->a + FRAME_WORDS];
    *left = kind_of_callee(callee, ip->b);
    if (ip->op == OP_CALL__LEN) {
        *right = container_kind(args[0]);
        *right = *right != 0 ? *right : 15;
    }
    else if (is_bound(callee)) {
        *right = JIT_SEEN_BOUND;
    }
    else if (callee == (PyReg)&PyType_Type && ip->b == 1) {
        *right = REG_IS_INT(args[0]) ? JIT_SEEN_INT : JIT_SEEN_OTHER;
    }
    else if (REG_IS_PTR(callee) && _PyJit_RefusesArguments(REG_PTR(callee), args, ip->b)) {
        *right = JIT_SEEN_REFUSED;
    }
    else if ((ip->b == 1 || ip->b == 2) && IS_EXACT(callee, PyCFunction_Type)) {
        *right = kind_of_argument(args[0]) | kind_of_argument(args[ip->b - 1]);
    }
}

static void
kinds_of_method_call(PyVMFrame *f, const PyInstr *ip, int *left, int *right)
{
    PyReg method = f->regs[ip->a], callee = method != 0 ? method : f->regs[ip->a + 1];
    const PyReg *argument = &f->regs[ip->a + FRAME_WORDS + 1];
    *left = callee == 0 ? JIT_SEEN_OTHER : kind_of_callee(callee, ip->b + (method != 0));
    if (method == 0 && *left != JIT_SEEN_OTHER) {
        *left = *left == JIT_SEEN_FUNCTION ? JIT_SEEN_ATTR : JIT_SEEN_OTHER;
    }
    *right = ip->b == 1 && REG_IS_INT(*argument) ? JIT_SEEN_INT : JIT_SEEN_OTHER;
    *right |= method == 0 && is_bound(callee) ? JIT_SEEN_BOUND : 0;
    if (method == 0 && ip->b == 1 && IS_EXACT(callee, PyCFunction_Type)) {
        *right = kind_of_argument(*argument);
    }
    else if (REG_IS_PTR(callee) && _PyJit_RefusesArguments(REG_PTR(callee), argument, ip->b)) {
        *right |= JIT_SEEN_REFUSED;
    }
}

void
_PyJit_RecordOperands(uint8_t *kinds, PyVMFrame *f, const PyInstr *ip)
{
    uint8_t *seen = &kinds[ip - f->code->code];
    int base = _PyOpcode_Info[ip->op].base;
    int left = 0, right = 0;
    if (base >= OP_ADD && base <= OP_IXOR) {
        left = kind_of_operand(f->regs[ip->b]);
        right = kind_of_operand(f->regs[ip->c]);
        note_operands(f, ip, f->regs[ip->b], f->regs[ip->c]);
    }
    else if (base >= OP_LT && base <= OP_GE) {
        kinds_of_comparison(f->regs[ip->b], f->regs[ip->c], base - OP_LT, &left, &right);
        note_operands(f, ip, f->regs[ip->b], f->regs[ip->c]);
    }
    else if ((base >= OP_ADDI && base <= OP_RSHIFTI) || base == OP_NEG
             || base == OP_INVERT || base == OP_POS) {
        left = kind_of_operand(f->regs[ip->b]);
        right = JIT_SEEN_INT;
        note_operands(f, ip, f->regs[ip->b], REG_FROM_INT(0));
    }
    else if (base == OP_NOT) {
        left = kind_of(f->regs[ip->b]);
        right = _PyJit_Truth(f->regs[ip->b]) >= 0 ? JIT_SEEN_KNOWN : JIT_SEEN_ASKED;
    }
    else if (base >= OP_JUMP_IF_LT && base <= OP_JUMP_IF_NOT_GE) {
        kinds_of_comparison(f->regs[ip->a], f->regs[ip->b], (base - OP_JUMP_IF_LT) % 6, &left,
                            &right);
        note_operands(f, ip, f->regs[ip->a], f->regs[ip->b]);
    }
    else if (base >= OP_JUMP_IF_LTI && base <= OP_JUMP_IF_NOT_GEI) {
        left = kind_of(f->regs[ip->a]);
        right = JIT_SEEN_INT;
    }
    else if (base == OP_JUMP_IF_TRUE || base == OP_JUMP_IF_FALSE
             || base == OP_JUMP_IF_TRUE_OR_DROP || base == OP_JUMP_IF_FALSE_OR_DROP) {
        note_operands(f, ip, f->regs[ip->a], REG_FROM_INT(0));
        left = kind_of(f->regs[ip->a]);
        right = _PyJit_Truth(f->regs[ip->a]) >= 0 ? JIT_SEEN_KNOWN : JIT_SEEN_ASKED;
    }
    else if (base == OP_CALL_METHOD) {
        kinds_of_method_call(f, ip, &left, &right);
    }
    else if (base == OP_STORE_ATTR) {
        (void)note_owner(f, ip, f->regs[ip->a]);
        left = kind_of_store(f, ip, f->regs[ip->a]);
        right = REG_IS_INT(f->regs[ip->b]) ? JIT_SEEN_INT : JIT_SEEN_OTHER;
    }
    else if (base == OP_FOR_ITER) {
        note_operands(f, ip, f->regs[ip->a], REG_FROM_INT(0));
    }
    else if (base == OP_IN || base == OP_NOT_IN || base == OP_JUMP_IF_IN
             || base == OP_JUMP_IF_NOT_IN) {
        int jumps = base == OP_JUMP_IF_IN || base == OP_JUMP_IF_NOT_IN;
        PyReg item = f->regs[jumps ? ip->a : ip->b];
        PyReg container = f->regs[jumps ? ip->b : ip->c];
        note_operands(f, ip, container, REG_FROM_INT(0));
        right = _PyJit_Contains(item, container) >= 0 ? JIT_SEEN_KNOWN : JIT_SEEN_ASKED;
    }
    else if (base == OP_LOAD_ATTR || base == OP_LOAD_METHOD) {
        left = note_owner(f, ip, f->regs[ip->b]);
        right = kind_of_load(f, ip, f->regs[ip->b]);
    }
    else if (base == OP_CALL) {
        note_operands(f, ip, f->regs[ip->a], REG_FROM_INT(0));
        note_iterated(f, ip);
        note_class(f, ip);
        kinds_of_call(f, ip, &left, &right);
    }
    else if (base == OP_CALL_KW) {
        note_class(f, ip);
    }
    else if (base == OP_LOAD_SUBSCR || base == OP_LOAD_SUBSCRI || base == OP_UNPACK_SEQUENCE
             || base == OP_UNPACK_LOCALS) {
        left = container_kind(f->regs[ip->b]);
        note_operands(f, ip, f->regs[ip->b], REG_FROM_INT(0));
        right = (base == OP_LOAD_SUBSCR ? key_kind(f->regs[ip->c]) : JIT_SEEN_INT)
                | (left == 0 ? JIT_SEEN_NO_ITEMS : 0);
    }
    else if (base == OP_LOAD_SLICE) {
        kinds_of_slice(f->regs[ip->b], &left, &right);
    }
    else if (base == OP_BUILD_SLICE && _PyJit_SliceUser(ip) != NULL) {
        const PyInstr *user = _PyJit_SliceUser(ip);
        int loads = _PyOpcode_Info[user->op].base == OP_LOAD_SUBSCR;
        kinds_of_slice(f->regs[loads ? user->b : user->a], &left, &right);
    }
    else if (base == OP_STORE_SLICE) {
        left = container_kind(f->regs[ip->a]);
        right = container_kind(f->regs[ip->c]);
        left = left != 0 ? left : JIT_SEEN_STR;
        right = right != 0 ? right : JIT_SEEN_STR;
    }
    else if (base == OP_FORMAT || base == OP_FORMAT_SPEC || base == OP_CONVERT) {
        left = kind_of_text(f->regs[ip->b]);
    }
    else if (base == OP_STORE_DEREF || base == OP_STORE_FREE) {
        left = REG_IS_INT(f->regs[base == OP_STORE_DEREF ? ip->b : ip->a]) ? JIT_SEEN_INT
                                                                         : JIT_SEEN_OTHER;
    }
    else if (base == OP_GET_AWAITABLE) {
        left = is_new_coroutine(f->regs[ip->b]) ? JIT_SEEN_COROUTINE : JIT_SEEN_OTHER;
    }
    else if (base == OP_GET_YIELD_FROM_ITER) {
        left = IS_EXACT(f->regs[ip->b], PyGen_Type) ? JIT_SEEN_GENERATOR : JIT_SEEN_OTHER;
    }
    else if (base == OP_GET_ANEXT) {
        left = IS_EXACT(f->regs[ip->b], PyAsyncGen_Type) ? JIT_SEEN_GENERATOR : JIT_SEEN_OTHER;
    }
    else if (base == OP_SEND) {
        left = IS_EXACT(f->regs[ip->a], PyCoro_Type) ? JIT_SEEN_COROUTINE
             : IS_EXACT(f->regs[ip->a], PyGen_Type) ? JIT_SEEN_GENERATOR
             : IS_EXACT(f->regs[ip->a], _PyAsyncGenASend_Type) ? JIT_SEEN_STEP : JIT_SEEN_OTHER;
    }
    else if (base == OP_RETURN || ip->op == OP_LOAD_CONST__RETURN_NONE) {
        left = f->frame_obj != NULL ? JIT_SEEN_FRAME : 0;
    }
    else if (base == OP_LIST_APPEND) {
        int is_tag = REG_IS_INT(f->regs[ip->b]);
        left = is_tag ? JIT_SEEN_STORED_TAG : 0;
        right = is_tag ? 0 : JIT_SEEN_STORED_OBJECT;
    }
    else if (base == OP_STORE_SUBSCR) {
        note_operands(f, ip, f->regs[ip->a], REG_FROM_INT(0));
        left = container_kind(f->regs[ip->a]);
        if (left != JIT_SEEN_LIST && left != JIT_SEEN_DICT) {
            left = JIT_SEEN_STR;        /* nothing that has code of its own */
        }
        int is_tag = REG_IS_INT(f->regs[ip->c]);
        left |= is_tag ? JIT_SEEN_STORED_TAG : 0;
        right = key_kind(f->regs[ip->b]) | (is_tag ? 0 : JIT_SEEN_STORED_OBJECT);
    }
    *seen |= (uint8_t)(left | right << JIT_SEEN_RIGHT);
}

/* ------------------------------------------------------------------- recording

   While a function is recorded, its "machine code" is run(), which takes single steps and
   notes what it sees. All instructions are places. */

static uint32_t
offset_of(uint32_t index)
{
    return (uint32_t)((index + 1) * sizeof(PyInstr));
}

/* PyInstr.line is no part of the opcode. */
static uint64_t
word_of(const PyInstr *ip)
{
    return ip->word & ~(uint64_t)0xff00;
}

/* What has been built into its caller, which is recorded again, may have left for a way on which
   it was never seen. So it is looked at again, too, and compiled again if it does something new. */
static void
look_again(PyVMCode *code)
{
    PyJitCode *jit = code->jit;
    if (jit == NULL || jit->refused == NULL || jit->declined || jit->versions == 0) {
        return;
    }
    _PyJit_RecordAgain(code);
    if (code->jit != jit) {
        jit = code->jit;
        jit->only_looks = 1;
        jit->versions--;                /* it has not been left too often */
    }
}

/* At the end of what was to be recorded. Returns whether there is machine code. */
static int
compile(PyVMCode *code, PyFunctionObject *func)
{
    PyJitCode *jit = code->jit;
    if ((jit->only_looks && !jit->has_learnt) || (jit->in_doubt && !_PyJit_EndsDoubt(code))) {
        _PyJit_KeepEarlier(code);
        return 1;
    }
    return _PyJit_Compile(code, func);
}

static PyReg
run_function(PyFunctionObject *func, PyVMFrame *f, const PyInstr *ip, PyThreadState *ts)
{
    PyVMCode *code = f->code;
    while (TS_IMPL(ts)->native_ok && _PyMonitor_LeavesAlone(code, ts->interp->monitors)) {
        PyJitCode *jit = code->jit;
        if (jit->declined) {
            break;
        }
        if (!jit->recording) {
            /* A call further in has compiled it. */
            const void *place = _PyJit_PlaceOf(code, ip);
            if (place != NULL) {
                return _PyVM_GoOnNative(f, ip, ts);
            }
            break;
        }
        _PyVM_ShowStep(f, ip, ts);
        uint32_t at = (uint32_t)(ip - code->code);
        uint8_t known = jit->kinds[at];
        _PyJit_RecordOperands(jit->kinds, f, ip);
        uint16_t *count = &jit->counts[at];
        jit->has_learnt |= *count == 0 || jit->kinds[at] != known;
        *count += *count < UINT16_MAX;
        int was_inlined = jit->inlined[at];
        PyStep step = _PyVM_steps[ip->op](f, ip, ts, NULL, word_of(ip));
        if (step.f != f && step.f != NULL) {
            if (was_inlined != 0) {
                look_again(step.f->code);
            }
            step = _PyVM_FinishStep(f, ip, ts, step.f);
        }
        jit = code->jit;
        if (jit->recording && jit->to_record > 0) {
            jit->to_record--;
        }
        if (step.f == NULL) {
            if (jit->recording && jit->to_record == 0) {
                (void)compile(code, func);
            }
            return (PyReg)step.ip;
        }
        const PyInstr *next = step.ip;
        if (jit->recording && jit->to_record == 0 && next <= ip) {
            /* At the head of a loop. */
            jit->outside[next - code->code] = 1;
            if (compile(code, func)) {
                const void *place = _PyJit_PlaceOf(code, next);
                if (place != NULL) {
                    return _PyVM_GoOnNative(f, next, ts);
                }
            }
            jit->to_record = JIT_RECORDED;
        }
        ip = next;
    }
    return _PyVM_GoOnInterpreted(f, ip, ts);
}

static PyReg
run(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts)
{
    PyFunctionObject *func = (PyFunctionObject *)Py_NewRef((PyObject *)frame_func(f));
    PyReg value = run_function(func, f, ip, ts);
    Py_DECREF(func);
    return value;
}

static PyReg
enter(PyVMFrame *f, PyThreadState *ts)
{
    return _PyVM_RunSteps(f, f->ip + 1, ts, run);
}

static PyReg
enter_at(PyVMFrame *f, PyThreadState *ts, const void *place)
{
    return _PyVM_RunSteps(f, place, ts, run);
}

static PyJitCode *
new_recording(PyVMCode *code)
{
    PyJitCode *jit = PyMem_RawCalloc(1, sizeof(*jit));
    uint32_t *places = PyMem_RawCalloc(code->ninstr, sizeof(*places));
    if (jit == NULL || places == NULL) {
        PyMem_RawFree(jit);
        PyMem_RawFree(places);
        return NULL;
    }
    for (uint32_t i = 0; i < code->ninstr; i++) {
        places[i] = offset_of(i);
    }
    *jit = (PyJitCode){
        .entry = enter, .entry_at = enter_at, .start = (const char *)(code->code - 1),
        .size = offset_of(code->ninstr), .places = places,
        .recording = 1, .code = code,
        .to_record = _PyJit_Enabled == JIT_STRESS ? 1 + _PyJit_Random(JIT_RECORDED) : JIT_RECORDED,
    };
    return jit;
}

int
_PyJit_StartRecording(PyVMCode *code)
{
    PyJitCode *jit = new_recording(code);
    if (jit == NULL) {
        return 0;
    }
    _PyJit_Spend(JIT_RECORDED * JIT_RECORDING_COST);
    jit->kinds = PyMem_RawCalloc(code->ninstr, 1);
    jit->refused = PyMem_RawCalloc(code->ninstr, 1);
    jit->outside = PyMem_RawCalloc(code->ninstr, 1);
    jit->inlined = PyMem_RawCalloc(code->ninstr, 1);
    jit->operands = PyMem_RawCalloc(code->ninstr, sizeof(JitOperands));
    jit->counts = PyMem_RawCalloc(code->ninstr, sizeof(uint16_t));
    code->jit = jit;
    if (jit->kinds == NULL || jit->refused == NULL || jit->outside == NULL
        || jit->inlined == NULL || jit->operands == NULL || jit->counts == NULL) {
        PyMem_RawFree(jit->counts);
        PyMem_RawFree(jit->refused);
        jit->refused = NULL;
        PyMem_RawFree(jit->kinds);
        PyMem_RawFree(jit->outside);
        PyMem_RawFree(jit->inlined);
        PyMem_RawFree(jit->operands);
        _PyJit_FreeStepping(code);
        return 0;
    }
    /* Behind a SEND a generator goes on when its delegate has ended. */
    for (uint32_t ip = 0; code->is_generator && ip < code->ninstr;
         ip += 1u + _PyOpcode_Info[code->code[ip].op].cache) {
        if (_PyOpcode_Info[code->code[ip].op].base == OP_SEND) {
            jit->outside[_PyVM_JumpTarget(code, ip)] = 1;
        }
    }
    return 1;
}

void
_PyJit_RecordAgain(PyVMCode *code)
{
    PyJitCode *old = code->jit, *jit = old->recording ? NULL : new_recording(code);
    if (jit == NULL) {
        return;
    }
    _PyJit_Spend(JIT_RECORDED * JIT_RECORDING_COST);
    _PyJit_TakeOver(jit, old);
    jit->versions = old->versions;
    jit->loops_added = old->loops_added;
    jit->region = old->region;
    jit->earlier = old;
    code->jit = jit;
    code->native_entry = _PyCode_DefaultEntry;
    _PyVM_MarkNative(code);
}
