/* What is compiled of code that runs once: one of its loops.

   The body of a module runs once, and so do many programs' main functions. While they do, a loop
   that has ended never comes back, and of what comes later nothing is known. So of such code the
   outermost loop is compiled in which it is warm, and nothing else: all other blocks are cold
   (state.c), calls do not enter it, and the next loop that becomes warm takes its place. Thus a
   body of many loops costs what they do, instead of their number's square.

   Who is called a second time may be called often. From then on the whole function is compiled,
   with what was seen of each of its loops. */
#include "build.h"
#include "region.h"

static const JitRegion whole = {0, 0};

static inline int
is_jump_back(const PyInstr *in)
{
    return _PyOpcode_Info[in->op].base == OP_JUMP_BACK;
}

/* RESUME counts calls (vm/warm.c). */
static int
runs_once(PyVMCode *code)
{
    const PyInstr *resume = &code->code[_PyJit_EntryOf(code) - 1];
    return _PyJit_RunsOnce(resume->b) && !code->is_generator;
}

/* The loops that have instructions in common with this one, together, and whether there are
   more. */
static JitRegion
outermost(PyVMCode *code, JitRegion loop, int *are_others)
{
    int grows = 1;
    while (grows) {
        grows = *are_others = 0;
        for (uint32_t at = 0; at < code->ninstr; at += _PyInstr_Words(&code->code[at])) {
            if (!is_jump_back(&code->code[at])) {
                continue;
            }
            uint32_t head = _PyJit_JumpTarget(code, at);
            if (head > loop.last || at < loop.first) {
                *are_others = 1;
            }
            else if (head < loop.first || at > loop.last) {
                loop.first = Py_MIN(loop.first, head);
                loop.last = Py_MAX(loop.last, at);
                grows = 1;
            }
        }
    }
    return loop;
}

JitRegion
_PyJit_RegionOf(PyVMCode *code, const PyInstr *warm)
{
    if (!is_jump_back(warm) || !runs_once(code)) {
        return whole;
    }
    int are_others;
    uint32_t ip = (uint32_t)(warm - code->code);
    JitRegion loop = {_PyJit_JumpTarget(code, ip), ip};
    loop = outermost(code, loop, &are_others);
    /* A function with one loop may as well be compiled for its later calls. */
    return are_others || !(code->ob.co_flags & CO_OPTIMIZED) ? loop : whole;
}

int64_t
_PyJit_WordsOf(PyVMCode *code, JitRegion region)
{
    return _PyJit_IsWhole(region) ? code->ninstr : region.last - region.first + 1;
}

void
_PyJit_MoveTo(PyVMCode *code, JitRegion region)
{
    ((PyJitCode *)code->jit)->region = region;
    for (uint32_t at = 0; at < code->ninstr; at += _PyInstr_Words(&code->code[at])) {
        PyInstr *in = &code->code[at];
        if (is_jump_back(in) && in->a != JIT_NEVER_WARM && !_PyJit_IsInside(region, at)) {
            in->a = 0;          /* it had machine code, and so was not counted */
        }
    }
}

void
_PyJit_EnterLoops(PyVMCode *code, const PyInstr *jump_back)
{
    const PyJitCode *jit = code->jit;
    uint32_t from = (uint32_t)(jump_back - code->code), to = _PyJit_JumpTarget(code, from);
    jit->outside[to] = 1;
    for (uint32_t at = from; !_PyJit_IsWhole(jit->region) && at <= jit->region.last;
         at += _PyInstr_Words(&code->code[at])) {
        const PyInstr *in = &code->code[at];
        if (is_jump_back(in) && _PyJit_JumpTarget(code, at) < to) {
            jit->outside[_PyJit_JumpTarget(code, at)] = 1;
        }
    }
}

void
_PyJit_SetAside(PyVMCode *code)
{
    PyJitCode *jit = code->jit;
    jit->recording = 0;
    memset(jit->places, 0, code->ninstr * sizeof(uint32_t));
    for (uint32_t at = jit->region.first; at <= jit->region.last;
         at += _PyInstr_Words(&code->code[at])) {
        PyInstr *in = &code->code[at];
        if (is_jump_back(in)) {
            in->a = JIT_NEVER_WARM;
        }
    }
    _PyVM_MarkNative(code);             /* nothing is */
}
