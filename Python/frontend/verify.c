/* Proves, before a code object is assembled, that its instructions keep the rules of
   frame.h: a temporary is read only where every path has written it, and written only where
   it is dead, windows and runs are complete, and no temporary is left alive at a return.
   Used by the tests, or for all code with SPRINGBOARD_VERIFY=1 in the environment. */
#include "ir.h"
#include "internal/frame.h"

#include <string.h>

enum { DEAD = 0, LIVE = 1, MAYBE = 2, UNSEEN = 3 };

typedef struct {
    IRCode *ir;
    int first_temp, nregs;
    uint8_t *in;                /* state before each entry that starts a block */
    int *slot;                  /* entry -> block number, or -1 */
    int *work;
    uint8_t *queued;
    int nwork;
    uint8_t *now;
    int at;                     /* the current entry */
    const char *wrong;
} Verifier;

static int
width(const Verifier *v)
{
    return v->nregs - v->first_temp;
}

static void
complain(Verifier *v, const char *what)
{
    if (v->wrong == NULL) {
        v->wrong = what;
    }
}

static uint8_t *
state_of(Verifier *v, int reg)
{
    if (reg >= v->nregs) {
        complain(v, "register out of range");
        return NULL;
    }
    return reg < v->first_temp ? NULL : &v->now[reg - v->first_temp];
}

static void
look(Verifier *v, int reg)
{
    uint8_t *s = state_of(v, reg);
    if (s != NULL && *s != LIVE) {
        complain(v, "reads a dead register");
    }
}

static void
take(Verifier *v, int reg)
{
    uint8_t *s = state_of(v, reg);
    if (s != NULL) {
        if (*s != LIVE) {
            complain(v, "takes a dead register");
        }
        *s = DEAD;
    }
}

static void
write_reg(Verifier *v, int reg)
{
    uint8_t *s = state_of(v, reg);
    if (s != NULL) {
        if (*s == LIVE) {
            complain(v, "overwrites a live temporary");     /* machine code releases none */
        }
        *s = LIVE;
    }
}

static void
kill_reg(Verifier *v, int reg)
{
    uint8_t *s = state_of(v, reg);
    if (s != NULL) {
        *s = DEAD;
    }
}

static void
take_run(Verifier *v, int from, int n)
{
    for (int i = 0; i < n; i++) {
        if (from + i < v->first_temp) {
            complain(v, "a run of variables");
            return;
        }
        take(v, from + i);
    }
}

static void
take_window(Verifier *v, const IRInstr *in, int method)
{
    int header = FRAME_WORDS + method;
    take(v, in->a);
    for (int i = 1; i < header; i++) {
        uint8_t *s = state_of(v, in->a + i);
        if (s != NULL && *s != DEAD) {
            complain(v, "a value inside a window's header");
        }
    }
    take_run(v, in->a + header, in->b);
}

static void
ordinary_operands(Verifier *v, const IRInstr *in)
{
    const char *letters = _PyIR_Ops[in->op].operand;
    uint16_t regs[3] = {in->a, in->b, in->c};
    for (int k = 0; k < 3; k++) {
        if (letters[k] == 'k') {
            look(v, regs[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        if (letters[k] == 'r') {
            take(v, regs[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        if (letters[k] == 'D') {
            write_reg(v, regs[k]);
        }
    }
}

/* The effect of an entry on the path to the next one. */
static void
step(Verifier *v, const IRInstr *in)
{
    switch (in->op) {
    case OP_DROP:
        kill_reg(v, in->a);     /* does nothing to a dead one */
        return;
    case OP_CLEAR_LOCAL:
    case OP_DELETE_LOCAL:
        kill_reg(v, in->a);
        return;
    case OP_BUILD_TUPLE: case OP_BUILD_TUPLE_REST: case OP_BUILD_LIST: case OP_BUILD_SET:
    case OP_BUILD_STRING: case OP_BUILD_SLICE: case OP_BUILD_CONST_KEY_MAP:
        take_run(v, in->b, in->c);
        break;
    case OP_BUILD_MAP:
        take_run(v, in->b, in->c * 2);
        break;
    case OP_MAKE_FUNCTION:
        take_run(v, in->b, __builtin_popcount(in->c));
        break;
    case OP_MATCH_CLASS:
        take_run(v, in->b, 3);
        break;
    case OP_IMPORT_NAME:
        take_run(v, in->b, 2);
        break;
    case OP_LOAD_SLICE:
        take(v, in->b);
        take_run(v, in->c, 2);
        break;
    case OP_STORE_SLICE:
        take(v, in->a);
        take_run(v, in->b, 2);
        take(v, in->c);
        return;
    case OP_CALL: case OP_CALL_KW:
        take_window(v, in, 0);
        write_reg(v, in->c);
        return;
    case OP_CALL_METHOD: case OP_CALL_METHOD_KW:
        take_window(v, in, 1);
        write_reg(v, in->c);
        return;
    case OP_CALL_EX: {
        IRInstr window = *in;
        window.b = (uint16_t)(1 + in->b);
        take_window(v, &window, 0);
        write_reg(v, in->c);
        return;
    }
    case OP_BEFORE_WITH: case OP_BEFORE_ASYNC_WITH:
        take(v, in->c);
        write_reg(v, in->a);
        write_reg(v, in->b);
        return;
    case OP_MOVE_METHOD:
        take(v, in->b);
        break;
    case OP_WITH_EXCEPT_START:
        take(v, in->b);
        look(v, in->c);
        break;
    case OP_LOAD_METHOD:
        take(v, in->b);
        write_reg(v, in->a);
        return;
    case OP_UNPACK_LOCALS:
        take(v, in->b);
        if (in->a + in->c > v->first_temp) {
            complain(v, "not variables");
        }
        return;
    case OP_UNPACK_SEQUENCE:
    case OP_UNPACK_EX: {
        int n = in->op == OP_UNPACK_EX ? in->c + 1 + in->arg : in->c;
        take(v, in->b);
        for (int i = 0; i < n; i++) {
            write_reg(v, in->a + i);
        }
        return;
    }
    case OP_CHECK_EG_MATCH:
        ordinary_operands(v, in);
        write_reg(v, in->a + 1);
        return;
    case OP_RAISE:
        if (in->c >= 1) {
            take(v, in->a);
        }
        if (in->c == 2) {
            take(v, in->b);
        }
        return;
    case OP_JUMP_IF_TRUE_OR_DROP: case OP_JUMP_IF_FALSE_OR_DROP:
        take(v, in->a);
        return;
    default:
        ordinary_operands(v, in);
        return;
    }
    write_reg(v, in->a);
}

/* The effect of an entry on the path of its jump. */
static void
step_jump(Verifier *v, const IRInstr *in)
{
    switch (in->op) {
    case OP_FOR_ITER:
        take(v, in->a);
        return;
    case OP_SEND:
        take(v, in->b);
        take(v, in->a);
        write_reg(v, in->c);
        return;
    case OP_JUMP_IF_TRUE_OR_DROP: case OP_JUMP_IF_FALSE_OR_DROP:
        look(v, in->a);
        return;
    default:
        ordinary_operands(v, in);
        return;
    }
}

static void
flow_into(Verifier *v, int entry, const uint8_t *state)
{
    int block = v->slot[entry];
    uint8_t *in = &v->in[(size_t)block * (size_t)width(v)];
    int changed = 0;
    for (int i = 0; i < width(v); i++) {
        uint8_t merged = in[i] == UNSEEN || in[i] == state[i] ? state[i] : MAYBE;
        if (merged != in[i]) {
            in[i] = merged;
            changed = 1;
        }
    }
    if ((changed || v->queued[block] == 2) && v->queued[block] != 1) {
        v->queued[block] = 1;
        v->work[v->nwork++] = entry;
    }
}

static void
flow_to_handler(Verifier *v, const IRInstr *in)
{
    const IRHandler *h = &v->ir->handlers[in->handler];
    uint8_t *copy = v->now + width(v);
    memcpy(copy, v->now, (size_t)width(v));
    int depth = h->depth - v->first_temp;
    if (depth < 0 || depth >= width(v)) {
        complain(v, "handler without a register");
        return;
    }
    memset(copy + depth, DEAD, (size_t)(width(v) - depth));
    copy[depth] = LIVE;
    flow_into(v, v->ir->labels[h->label], copy);
}

static void
check_return(Verifier *v)
{
    for (int i = 0; i < width(v); i++) {
        if (v->now[i] != DEAD) {
            complain(v, "a temporary is alive at a return");
        }
    }
}

static void
run_block(Verifier *v, int entry)
{
    IRCode *ir = v->ir;
    int block = v->slot[entry];
    memcpy(v->now, &v->in[(size_t)block * (size_t)width(v)], (size_t)width(v));
    for (int i = entry; i < ir->n; i++) {
        const IRInstr *in = &ir->v[i];
        if (i != entry && v->slot[i] >= 0) {
            flow_into(v, i, v->now);
            return;
        }
        v->at = i;
        if (in->handler) {
            flow_to_handler(v, in);
        }
        if (_PyIR_Ops[in->op].jump) {
            uint8_t *saved = v->now + 2 * width(v);
            memcpy(saved, v->now, (size_t)width(v));
            step_jump(v, in);
            if (v->wrong != NULL) {
                return;
            }
            flow_into(v, ir->labels[in->arg], v->now);
            memcpy(v->now, saved, (size_t)width(v));
        }
        if (in->op == OP_JUMP || in->op == OP_JUMP_BACK) {
            return;
        }
        if (in->op != IR_RETURN_NONE) {
            step(v, in);
        }
        if (in->op == OP_RETURN || in->op == IR_RETURN_NONE) {
            check_return(v);
        }
        if (v->wrong != NULL || _PyIR_Ops[in->op].ends) {
            return;
        }
    }
    complain(v, "control falls off the end");
}

static int
mark_blocks(Verifier *v)
{
    IRCode *ir = v->ir;
    int n = 0;
    for (int i = 0; i <= ir->n; i++) {
        v->slot[i] = -1;
    }
    v->slot[0] = n++;
    for (int i = 0; i < ir->n; i++) {
        int entry = -1;
        if (_PyIR_Ops[ir->v[i].op].jump) {
            entry = ir->labels[ir->v[i].arg];
        }
        if (entry >= 0 && v->slot[entry] < 0) {
            v->slot[entry] = n++;
        }
        if (ir->v[i].handler) {
            entry = ir->labels[ir->handlers[ir->v[i].handler].label];
            if (v->slot[entry] < 0) {
                v->slot[entry] = n++;
            }
        }
    }
    return n;
}

int
_PyIR_Verify(IRCode *ir, int Py_UNUSED(nlocals), int first_temp, int nregs,
             PyObject *qualname)
{
    static int wanted = -1;
    if (wanted < 0) {
        wanted = getenv("SPRINGBOARD_VERIFY") != NULL;
    }
    if (!wanted) {
        return 0;
    }
    Verifier v = {.ir = ir, .first_temp = first_temp, .nregs = nregs};
    v.slot = PyMem_Malloc(((size_t)ir->n + 1) * sizeof(int));
    v.work = PyMem_Malloc(((size_t)ir->n + 1) * sizeof(int));
    int blocks = v.slot && v.work ? mark_blocks(&v) : 0;
    size_t w = (size_t)width(&v) + 1;
    v.in = PyMem_Malloc((size_t)(blocks + 1) * w);
    v.queued = PyMem_Malloc((size_t)blocks + 1);
    v.now = PyMem_Malloc(3 * w);
    if (v.in == NULL || v.queued == NULL || v.now == NULL) {
        v.wrong = "no memory";
    }
    else {
        memset(v.in, UNSEEN, (size_t)(blocks + 1) * w);
        memset(v.queued, 2, (size_t)blocks + 1);
        memset(v.now, DEAD, 3 * w);
        flow_into(&v, 0, v.now);
        while (v.nwork > 0 && v.wrong == NULL) {
            int entry = v.work[--v.nwork];
            v.queued[v.slot[entry]] = 0;
            run_block(&v, entry);
        }
    }
    if (v.wrong != NULL) {
        const IRInstr *in = &ir->v[v.at];
        PyErr_Format(PyExc_SystemError,
                     "bytecode of %U: %s at %d: %s %d, %d, %d (line %d)",
                     qualname, v.wrong, v.at, _PyIR_Ops[in->op].name, in->a,
                     in->b, in->c, in->loc.line);
    }
    PyMem_Free(v.slot);
    PyMem_Free(v.work);
    PyMem_Free(v.in);
    PyMem_Free(v.queued);
    PyMem_Free(v.now);
    return v.wrong != NULL ? -1 : 0;
}
