/* The versions of functions' machine code, from the moment that one is made until nothing can be
   running in it.

   Frames may still be running in machine code that has been replaced, or whose function is dead.
   So it is freed when no call of the interpreter's is in any machine code (_PyJit_Running), or
   when a look at the C stack says that its addresses are not there. */
#include "Python.h"
#include "build.h"
#include "record.h"
#include "stepping.h"
#include "lower.h"
#include "code_memory.h"
#include "versions.h"
#include "../vm/vm.h"
#include <setjmp.h>
#include <unwind.h>


PyJitCode *_PyJit_Installed;
void (*_PyJit_Publish)(PyJitCode *);
int _PyJit_ShowsScopes;
long _PyJit_Running;
PyJitCode *_PyJit_Retired;

void
_PyJit_TakeOver(PyJitCode *jit, const PyJitCode *old)
{
    jit->kinds = old->kinds;
    jit->refused = old->refused;
    jit->outside = old->outside;
    jit->inlined = old->inlined;
    jit->operands = old->operands;
    jit->counts = old->counts;
}

void
_PyJit_Enlist(PyJitCode *jit)
{
    jit->next = _PyJit_Installed;
    jit->installed_at = &_PyJit_Installed;
    if (jit->next != NULL) {
        jit->next->installed_at = &jit->next;
    }
    _PyJit_Installed = jit;
}

static void
uninstall(PyJitCode *jit)
{
    if (jit->installed_at != NULL) {
        *jit->installed_at = jit->next;
        if (jit->next != NULL) {
            jit->next->installed_at = jit->installed_at;
        }
        jit->installed_at = NULL;
    }
}

/* Bytes of code that wait to be freed, and so many are worth a look at the stack. */
static size_t retired_bytes;
#define MANY_RETIRED ((size_t)256 << 10)

void
_PyJit_Retire(PyJitCode *jit)
{
    for (; jit != NULL; jit = jit->earlier) {
        if (!jit->is_retired) {
            jit->is_retired = 1;
            jit->retired_next = _PyJit_Retired;
            _PyJit_Retired = jit;
            retired_bytes += jit->room;
        }
    }
}

static void
free_version(PyJitCode *jit)
{
    uninstall(jit);
    PyJitCode *later = jit->code != NULL ? jit->code->jit : NULL;
    while (later != NULL && later->earlier != jit) {
        later = later->earlier;
    }
    if (later != NULL) {
        later->earlier = jit->earlier;
    }
    retired_bytes -= jit->room;
    _PyJit_Figures.freed += jit->room != 0;
    _PyJit_FreeVersion(jit);
}

void
_PyJit_PutToUse(PyVMCode *code)
{
    const PyJitCode *jit = code->jit;
    code->native_entry = _PyJit_EntryForCalls(code, jit);
    _PyVM_MarkNative(code);
}

void
_PyJit_KeepEarlier(PyVMCode *code)
{
    PyJitCode *jit = code->jit, *earlier = jit->earlier;
    code->jit = earlier;
    _PyJit_PutToUse(code);
    jit->earlier = NULL;
    jit->code = NULL;
    _PyJit_Retire(jit);
}

void
_PyJit_FreeRetired(void)
{
    while (_PyJit_Retired != NULL) {
        PyJitCode *jit = _PyJit_Retired;
        _PyJit_Retired = jit->retired_next;
        free_version(jit);
    }
}

/* The upper bits of a return address may be a signature. */
#define ADDRESS_BITS (((uintptr_t)1 << 48) - 1)

/* Does the word look like an address in machine code, as a return address does, or in what
   belongs to it? */
static int
refers_to(uintptr_t word, const PyJitCode *jit)
{
    return (jit->room != 0 && word - (uintptr_t)jit->start <= jit->room)
           || word - (uintptr_t)jit < sizeof(*jit);
}

/* Notes of each that has retired whether a word between the two refers to it. Stacks are long, and
   most of their words are no such addresses at all. */
__attribute__((noinline, no_sanitize("address"))) static void
look_for_retired(const uintptr_t *word, const uintptr_t *top)
{
    uintptr_t code = ADDRESS_BITS, code_end = 0, first = ADDRESS_BITS, last = 0;
    for (PyJitCode *jit = _PyJit_Retired; jit != NULL; jit = jit->retired_next) {
        jit->is_seen = 0;
        if (jit->room != 0) {
            code = Py_MIN(code, (uintptr_t)jit->start);
            code_end = Py_MAX(code_end, (uintptr_t)jit->start + jit->room);
        }
        first = Py_MIN(first, (uintptr_t)jit);
        last = Py_MAX(last, (uintptr_t)jit + sizeof(*jit));
    }
    for (; word < top; word++) {
        uintptr_t address = *word & ADDRESS_BITS;
        if ((address >= code && address <= code_end) || (address >= first && address < last)) {
            for (PyJitCode *jit = _PyJit_Retired; jit != NULL; jit = jit->retired_next) {
                jit->is_seen |= refers_to(address, jit);
            }
        }
    }
}

/* Frees what no word between the two points at. `here` lies in the caller's frame: where variables
   are kept on the stack, those of this function would point at all that it looks at. */
static __attribute__((noinline)) void
free_unseen_between(const uintptr_t *here, const uintptr_t *top)
{
    look_for_retired(here, top);
    PyJitCode **at = &_PyJit_Retired;
    while (*at != NULL) {
        PyJitCode *jit = *at;
        if (jit->is_seen) {
            at = &jit->retired_next;
        }
        else {
            *at = jit->retired_next;
            free_version(jit);
        }
    }
}

/* Programs may stay in a compiled loop from beginning to end. If no other thread is in machine
   code, and nobody moves stacks about, then what the stack does not speak of is not running. */
void
_PyJit_FreeUnseen(PyThreadState *ts)
{
    if (retired_bytes <= MANY_RETIRED) {
        return;     /* what runs on is looked for again when as much has come */
    }
    jmp_buf registers;
    (void)setjmp(registers);
    for (PyThreadState *t = ts->interp->threads_head; t != NULL; t = t->next) {
        if (TS_IMPL(t)->switches_stacks) {
            return;
        }
    }
    const uintptr_t *top = (const uintptr_t *)TS_IMPL(ts)->c_stack_top;
    const uintptr_t *here = (const uintptr_t *)&registers;
    if (_PyJit_Running == TS_IMPL(ts)->native_depth && TS_IMPL(ts)->c_stack_known
        && here < top) {
        free_unseen_between(here, top);
    }
}

void
_PyJit_Decline(PyVMCode *code)
{
    PyJitCode *jit = code->jit;
    if (jit->room != 0) {
        _PyJit_RecordAgain(code);       /* makes one that has no machine code */
        jit = code->jit;
    }
    _PyJit_Retire(jit->earlier);
    jit->declined = 1;
    jit->recording = 0;
    memset(jit->places, 0, code->ninstr * sizeof(uint32_t));
    code->native_entry = _PyCode_DefaultEntry;
    for (uint32_t at = 0; at < code->ninstr;
         at += 1u + _PyOpcode_Info[code->code[at].op].cache) {
        PyInstr *in = &code->code[at];
        int base = _PyOpcode_Info[in->op].base;
        if (base == OP_RESUME || base == OP_JUMP_BACK) {
            in->op = (uint8_t)base;
            /* It need not be counted any more. */
            *(base == OP_RESUME ? &in->b : &in->a) = JIT_NEVER_WARM;
        }
    }
}

void
_PyJit_Free(PyVMCode *code)
{
    PyJitCode *jit = code->jit;
    if (jit->refused == NULL) {
        _PyJit_FreeStepping(code);
        return;
    }
    code->jit = NULL;
    PyMem_RawFree(jit->kinds);
    PyMem_RawFree(jit->refused);
    PyMem_RawFree(jit->outside);
    PyMem_RawFree(jit->inlined);
    PyMem_RawFree(jit->operands);
    PyMem_RawFree(jit->counts);
    _PyJit_Retire(jit);
    while (jit != NULL) {
        PyJitCode *earlier = jit->earlier;
        uninstall(jit);
        jit->code = NULL;
        jit->earlier = NULL;
        jit = earlier;
    }
    if (_PyJit_Running == 0) {
        _PyJit_FreeRetired();
    }
}

void
_PyJit_AfterForkChild(PyThreadState *ts)
{
    _PyJit_Running = TS_IMPL(ts)->native_depth;
}

/* ------------------------------------------------------------------ who runs */

typedef struct {
    const PyVMFrame *f;
    int runs;
    uintptr_t (*ip_of)(struct _Unwind_Context *);
} Looking;

/* Of the innermost machine code on the C stack: is it that of the frame, and at its instruction?
   When a frame has left machine code, that which is innermost is its caller's. */
static _Unwind_Reason_Code
look(struct _Unwind_Context *context, void *arg)
{
    Looking *looking = arg;
    const char *back = (const char *)looking->ip_of(context);
    for (const PyJitCode *jit = _PyJit_Installed; jit != NULL; jit = jit->next) {
        if (back <= jit->start || (size_t)(back - jit->start) > jit->size) {
            continue;
        }
        uint32_t at = (uint32_t)(back - 1 - jit->start), i = 0;
        while (i + 1 < jit->nmarks && jit->marks[i + 1].at <= at) {
            i++;
        }
        looking->runs = jit->code == looking->f->code
            && looking->f->ip == jit->code->code + jit->marks[i].ip;
        return _URC_END_OF_STACK;
    }
    return _URC_NO_REASON;
}

int
_PyJit_IsRunning(const PyVMFrame *f)
{
    _Unwind_Reason_Code (*walk)(_Unwind_Trace_Fn, void *);
    Looking looking = {.f = f};
    *(void **)&walk = _PyJit_LibgccFunction("_Unwind_Backtrace");
    *(void **)&looking.ip_of = _PyJit_LibgccFunction("_Unwind_GetIP");
    if (walk != NULL && looking.ip_of != NULL && _PyJit_Installed != NULL) {
        (void)walk(look, &looking);
    }
    return looking.runs;
}
