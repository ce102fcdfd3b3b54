/* How a function becomes warm: RESUME and JUMP_BACK count, in a table of their own, and where
   machine code has been made, they become the instructions that enter it. */
#include "native.h"
#include "internal/monitoring.h"

void
_PyVM_MarkNative(PyVMCode *code)
{
    const PyJitCode *jit = code->jit;
    if (!_PyMonitor_LeavesAlone(code, _PyThreadState_GET()->interp->monitors)) {
        jit = NULL;
    }
    code->resume_key = jit != NULL ? jit->resume_key : 0;
    for (uint32_t at = 0; at < code->ninstr; at += 1u + _PyOpcode_Info[code->code[at].op].cache) {
        PyInstr *in = &code->code[at];
        int base = _PyOpcode_Info[in->op].base;
        if (base == OP_RESUME || base == OP_JUMP_BACK) {
            int native = jit != NULL && (is_entry(in) ? _PyJit_IsCalled(jit)
                                                      : place_behind(code, in) != NULL);
            in->op = (uint8_t)(!native ? base
                               : base == OP_RESUME ? OP_RESUME__NATIVE : OP_JUMP_BACK__NATIVE);
        }
    }
}

/* Is a young program importing? */
static int
is_early(void)
{
    if (_PyJit_Warmth.imports == 0 || _PyJit_Warmth.settles == 0) {
        return 0;
    }
    if (_PyJit_Now() < _PyJit_Warmth.settles) {
        return 1;
    }
    _PyJit_Warmth.settles = 0;
    return 0;
}

/* Where a count begins anew. A RESUME's that is less says that the code has not run twice. */
static inline uint16_t
counted_again(uint16_t most)
{
    return most > 2 ? 2 : 0;
}

/* The same where the compiler had no time. */
static uint16_t
counted_soon(const PyVMCode *code, uint16_t most)
{
    int soon = code->makes_warm ? _PyJit_SoonWarm(most) : 0;
    return soon > 2 ? (uint16_t)(soon + 1) : counted_again(most);
}

/* Is it the code of a comprehension or a generator expression? */
static int
is_made_in_place(const PyVMCode *code)
{
    return code->ob.co_argcount == 1
           && PyUnicode_READ_CHAR(PyTuple_GET_ITEM(code->ob.co_localsplusnames, 0), 0) == '.';
}

static int
is_constant_of(PyVMCode *maker, PyObject *code)
{
    PyObject *constants = maker->ob.co_consts;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(constants); i++) {
        if (PyTuple_GET_ITEM(constants, i) == code) {
            return 1;
        }
    }
    return 0;
}

/* Leaves as many calls, or rounds, as there were, or a few: whom it calls is to be warm before, so
   that it can be built in, too. */
static inline void
warm_up(uint16_t *count, uint16_t most, int runs_once)
{
    int soon = _PyJit_SoonWarm(most);
    int wanted = runs_once ? soon : Py_MIN(soon + 1, most - *count);
    if (*count < wanted) {
        *count = (uint16_t)wanted;
    }
}

/* What is made and consumed in place is built into the function that does so (jit/build_inline.c).
   So where that runs long, the function is soon warm, however few its calls are; and if it is made
   in a loop, the loop. */
static void
warm_maker(PyVMFrame *f)
{
    PyVMFrame *maker = f->previous;
    if (!is_made_in_place(f->code) || maker == NULL
        || !is_constant_of(maker->code, (PyObject *)f->code)) {
        return;
    }
    PyVMCode *code = maker->code;
    code->makes_warm = 1;
    for (uint32_t at = 0; at < code->ninstr; at += _PyInstr_Words(&code->code[at])) {
        PyInstr *in = &code->code[at];
        if (in->op == OP_RESUME) {
            warm_up(&in->b, _PyJit_Warmth.calls, _PyJit_RunsOnce(in->b));
        }
        else if (in->op == OP_JUMP_BACK && in > maker->ip
                 && &code->code[_PyVM_JumpTarget(code, at)] < maker->ip) {
            warm_up(&in->a, _PyJit_Warmth.loops, 0);
        }
    }
}

static int
became_native(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip, uint16_t *count, uint16_t most)
{
    if (is_early()) {
        *count = counted_again(most);
        return 0;
    }
    int warm = _PyJit_Warm(ts, f, ip);
    if (warm <= 0) {
        *count = warm < 0 ? counted_soon(f->code, most) : JIT_NEVER_WARM;
        return 0;
    }
    warm_maker(f);
    _PyVM_MarkNative(f->code);
    return ip->op != _PyOpcode_Info[ip->op].base;
}

/* A count is in a field that the instruction does not use (Objects/code/api.c hides it). It
   wraps around: what has become warm and was not compiled is offered again much later. The
   whole word is stored, because it is loaded whole a moment later: a load waits for a store of
   a part of it. */
#define COUNT(field, most, plain, native) \
    do { \
        PyInstr *counted_ = (PyInstr *)ip; \
        const PyInstr one_ = {.field = 1}; \
        uint16_t count_ = counted_->field; \
        if (count_ < JIT_NEVER_WARM - 1) { \
            counted_->word += one_.word; \
            if (unlikely(count_ + 1 == _PyJit_Warmth.most)) { \
                SAVE_IP(); \
                int became_ = became_native(ts, f, ip, &counted_->field, _PyJit_Warmth.most); \
                RELOAD(); \
                if (became_) { \
                    TAIL(native); \
                } \
            } \
        } \
        else if (count_ != JIT_NEVER_WARM) { \
            counted_->field = counted_again(_PyJit_Warmth.most); \
        } \
        TAIL(plain); \
    } while (0)

#define COUNT_CALLS(plain, native) COUNT(b, calls, plain, native)

SLOW(count_resume)
{
    COUNT_CALLS(op_RESUME, op_RESUME__NATIVE);
}

SHARED_SLOW(_PyVM_CountShownResume)
{
    COUNT_CALLS(_PyVM_ShownResume, _PyVM_ShownResumeNative);
}

SHARED_SLOW(_PyVM_CountShownResumeLines)
{
    COUNT_CALLS(_PyVM_ShownResumeLines, _PyVM_ShownResumeNativeLines);
}

SHARED_SLOW(_PyVM_CountJumpBack)
{
    COUNT(a, loops, op_JUMP_BACK, op_JUMP_BACK__NATIVE);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
const struct _PyHandlerTable _PyVM_counting_table = {{
#define OP(name, cache, operands) [OP_##name] = op_##name,
#include "internal/opcodes.def"
#undef OP
    [OP_RESUME] = count_resume,
    [OP_JUMP_BACK] = _PyVM_CountJumpBack,
    LINE_BANK_FORGETS,
    MONITOR_BANKS,
}};
#pragma GCC diagnostic pop
