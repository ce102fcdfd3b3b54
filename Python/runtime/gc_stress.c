/* SPRINGBOARD_STRESS=gc[:N]: collections at unexpected moments.

   This file acts at every N-th allocation of a tracked object, call and jump back (N is 1
   unless given): these are the moments at which a collection, a signal or another thread
   may come anyway. It

   1. makes two cycles, one with a __del__, one with a weak reference that has a callback,
      and collects them. Both run Python code that calls itself six deep, with arguments of
      every kind, a generator and a comprehension, raises and catches: it writes over what
      lies above the frames in use. The result is checked, too;
   2. writes over what lies further up (_PyVM_PoisonAbove);
   3. collects the youngest generation of the program's objects.

   If something breaks because of this, a reference was not held where it had to be: look
   for the window, or the borrowed reference, that was in use at that moment.

   Programs notice nothing of this, except that their garbage dies early. The objects made
   here are in no generation (`hidden`). During step 1 no tracer is called, no other
   thread runs, no signal is handled, and the recursion limit is raised. Afterwards the
   collector's counts and ages are as they were before. */
#include "Python.h"
#include "internal/errors.h"
#include "internal/gc_stress.h"
#include "internal/gcstate.h"
#include "internal/object.h"
#include "internal/pystate.h"
#include "internal/type.h"
#include "internal/vm.h"

#include <stdlib.h>
#include <string.h>

struct _PyGC_Stress _PyGC_stress;

static struct {
    PyGC_Head objects;      /* the objects of this file, hidden from the collector */
    PyObject *make;         /* makes the cycles; returns the weak reference */
    PyObject *wrong;        /* a list of unexpected results */
    int countdown;
    int points;             /* since the program's objects were last collected */
} hidden = {.objects = {(uintptr_t)&hidden.objects, (uintptr_t)&hidden.objects}};

static const char source[] =
    "def both(n, *args):\n"
    "    for arg in args:\n"
    "        yield n, arg\n"
    "\n"
    "def deep(n, a, b, *args, k=None, **kwargs):\n"
    "    if not n:\n"
    "        raise LookupError(a, b, args, k, kwargs)\n"
    "    local = [a, n], (b, n), {'n': n}, n + 0.5\n"
    "    pairs = [(arg, m) for m, arg in both(n, a, *args)]\n"
    "    try:\n"
    "        below = deep(n - 1, b, a, n, *args, k=[k, n], **kwargs)\n"
    "    except LookupError as error:\n"
    "        below = error.args\n"
    "    return local, pairs, below, kwargs\n"
    "\n"
    "def call():\n"
    "    return deep(5, 1, 'b', 2.5, None, k=(), x=1 << 70, y=[])\n"
    "\n"
    "def run(*ignored):\n"
    "    try:\n"
    "        value = call()\n"
    "        if value != expected:\n"
    "            wrong.append(f'{value} instead of {expected}')\n"
    "    except MemoryError:\n"
    "        pass\n"
    "    except BaseException as error:\n"
    "        wrong.append(repr(error))\n"
    "\n"
    "class Finalized:\n"
    "    def __init__(self, *args, **kwargs):\n"
    "        self.me, self.args, self.kwargs = self, args, kwargs\n"
    "    __del__ = run\n"
    "\n"
    "class Referenced:\n"
    "    def __init__(self):\n"
    "        self.me = self\n"
    "\n"
    "def make():\n"
    "    Finalized(1, 'a', b=2)\n"
    "    return ref(Referenced(), run)\n"
    "\n"
    "wrong = []\n"
    "expected = call()\n";

PyStatus
_PyGC_ReadStress(void)
{
    const char *text = getenv("SPRINGBOARD_STRESS");
    _PyGC_stress.wanted = _PyGC_stress.rounds = 0;
    if (text == NULL || *text == '\0') {
        return PyStatus_Ok();
    }
    if (strcmp(text, "rounds") == 0) {
        _PyGC_stress.rounds = 1;
        return PyStatus_Ok();
    }
    long every = 1;
    int ok = strncmp(text, "gc", 2) == 0;
    if (ok && text[2] != '\0') {
        char *end;
        every = strtol(text + 3, &end, 10);
        ok = text[2] == ':' && text[3] >= '0' && text[3] <= '9' && *end == '\0'
             && every >= 1 && every <= 1000000000;
    }
    if (!ok) {
        return PyStatus_Error("SPRINGBOARD_STRESS must be \"rounds\", \"gc\" or \"gc:N\" with N "
                              "from 1 to 1000000000");
    }
    _PyGC_stress.wanted = (int)every;
    return PyStatus_Ok();
}

/* ------------------------------------------------------- hiding the objects */

/* After this, only newly tracked objects are in the youngest generation. */
static void
put_young_aside(PyGC_Head *aside)
{
    *aside = (PyGC_Head){(uintptr_t)aside, (uintptr_t)aside};
    _PyGC_ListMerge(&_PyGC.heads[0], aside);
}

/* Puts the objects back, in front of those that have been tracked since. */
static void
put_young_back(PyGC_Head *aside)
{
    _PyGC_ListMerge(&_PyGC.heads[0], aside);
    _PyGC_ListMerge(aside, &_PyGC.heads[0]);
}

static PyObject *
make_namespace(void)
{
    PyObject *space = PyDict_New(), *code = NULL, *result = NULL, *name = NULL;
    PyObject *builtins = PyDict_Copy(PyEval_GetBuiltins());
    if (space == NULL || builtins == NULL
        || (name = PyUnicode_FromString("SPRINGBOARD_STRESS")) == NULL
        || PyDict_SetItemString(space, "__name__", name) < 0
        || PyDict_SetItemString(space, "__builtins__", builtins) < 0
        || PyDict_SetItemString(space, "ref", (PyObject *)&_PyWeakref_RefType) < 0
        || (code = Py_CompileString(source, "<SPRINGBOARD_STRESS>", Py_file_input)) == NULL
        || (result = PyEval_EvalCode(code, space, space)) == NULL) {
        Py_CLEAR(space);
    }
    Py_XDECREF(name);
    Py_XDECREF(builtins);
    Py_XDECREF(code);
    Py_XDECREF(result);
    return space;
}

int
_PyGC_StartStress(void)
{
    if (_PyGC_stress.wanted == 0) {
        return 0;
    }
    PyGC_Head young;
    int young_count = _PyGC_young_count, collecting = _PyGC.collecting;
    _PyGC.collecting = 1;
    put_young_aside(&young);
    PyObject *space = make_namespace();
    if (space != NULL) {
        static const char *const classes[] = {"Finalized", "Referenced"};
        for (size_t i = 0; i < Py_ARRAY_LENGTH(classes); i++) {
            PyObject *type = PyDict_GetItemString(space, classes[i]);
            _PyType_RemoveSubclass(&PyBaseObject_Type, (PyTypeObject *)type);
        }
        hidden.make = Py_NewRef(PyDict_GetItemString(space, "make"));
        hidden.wrong = Py_NewRef(PyDict_GetItemString(space, "wrong"));
        Py_DECREF(space);       /* kept alive by its functions */
        _PyGC_ListMerge(&_PyGC.heads[0], &hidden.objects);
        hidden.countdown = _PyGC_stress.every = _PyGC_stress.wanted;
        __atomic_store_n(&_Py_attention.wanted, 1, __ATOMIC_SEQ_CST);
    }
    put_young_back(&young);
    _PyGC.collecting = collecting;
    _PyGC_young_count = young_count;
    return space == NULL ? -1 : 0;
}

void
_PyGC_EndStress(void)
{
    if (_PyGC_stress.every == 0) {
        return;
    }
    _PyGC_stress.every = 0;
    _PyGC_UpdateTrigger();
    _PyGC_ListMerge(&hidden.objects, &_PyGC.heads[_PyGC_GENERATIONS - 1]);
    Py_CLEAR(hidden.make);
    Py_CLEAR(hidden.wrong);
}

/* ------------------------------------------------------------ stress points */

/* Runs Python code on top of any other. */
#define RECURSION_ROOM 200

static void
run_own_code(PyThreadState *tstate)
{
    PyGC_Head young;
    int young_count = _PyGC_young_count;
    struct _PyObject_RefTracer ref_tracer = _PyObject_ref_tracer;
    _PyErr_StackItem nothing_handled = {0}, *exc_info = tstate->exc_info;

    _PyGC_stress.running = 1;
    put_young_aside(&young);
    _PyObject_ref_tracer.func = NULL;
    tstate->exc_info = &nothing_handled;
    tstate->recursion_remaining += RECURSION_ROOM;
    PyThreadState_EnterTracing(tstate);

    PyObject *ref = PyObject_CallNoArgs(hidden.make);
    if (ref == NULL && !PyErr_ExceptionMatches(PyExc_MemoryError)) {
        _PyErr_Print(tstate);
        Py_FatalError("SPRINGBOARD_STRESS: its cycles can't be made");
    }
    PyErr_Clear();
    _PyGC_CollectYoungest(tstate);
    Py_XDECREF(ref);
    if (PyList_GET_SIZE(hidden.wrong) > 0) {
        PyObject_Print(hidden.wrong, stderr, 0);
        Py_FatalError("SPRINGBOARD_STRESS: its finalizer went wrong");
    }

    PyThreadState_LeaveTracing(tstate);
    tstate->recursion_remaining -= RECURSION_ROOM;
    tstate->exc_info = exc_info;
    _PyObject_ref_tracer = ref_tracer;
    put_young_back(&young);
    /* Objects from a free list don't count as allocations: the program would hardly make
       any. */
    _PyGC_ClearFreeLists();
    _PyGC_young_count = young_count;
    _PyGC_stress.running = 0;
}

/* Is there C stack for the code of this file, without a RecursionError? */
#ifdef SB_SANITIZE
#define OWN_STACK (192 * 1024)
#else
#define OWN_STACK (32 * 1024)
#endif

static int
has_stack(PyThreadState *tstate)
{
    _PyThreadStateImpl *impl = _PyThreadState_IMPL(tstate);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return here - impl->c_stack_bottom >= impl->c_stack_margin + OWN_STACK;
}

/* A large young generation is not searched at every allocation. */
static int
is_young_due(void)
{
    if (++hidden.points <= _PyGC_young_count / 500) {
        return 0;
    }
    hidden.points = 0;
    return 1;
}

void
_PyGC_StressPoint(PyThreadState *tstate)
{
    if (--hidden.countdown > 0) {
        return;
    }
    hidden.countdown = _PyGC_stress.every;
    if (_PyGC.debug || !has_stack(tstate) || !_PyVM_HasRoomAbove(tstate)) {
        return;
    }
    _PyGC.collecting = 1;
    run_own_code(tstate);
    _PyVM_PoisonAbove(tstate);
    if (is_young_due()) {
        _PyGC_CollectYoungest(tstate);
    }
    _PyGC.collecting = 0;
}

void
_PyGC_StressCall(PyThreadState *tstate)
{
    if (_PyGC.enabled && _PyGC.thresholds[0] > 0 && !_PyGC.collecting
        && !_PyErr_Occurred(tstate)) {
        _PyGC_StressPoint(tstate);
    }
    __atomic_store_n(&_Py_attention.wanted, 1, __ATOMIC_SEQ_CST);
}
