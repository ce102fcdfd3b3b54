/* The static probes themselves: each is an instruction that does nothing, with a note in the
   program file that tells tracers its address and where its arguments are (<sys/sdt.h>).

   Names and arguments are those of CPython's instrumentation, as far as it has them. */
#include "Python.h"
#include "internal/frame_object.h"
#include "internal/probes.h"

#ifdef WITH_DTRACE
#  define _SDT_HAS_SEMAPHORES 1
#  include <sys/sdt.h>
#else
#  define DTRACE_PROBE(provider, name)              ((void)0)
#  define DTRACE_PROBE1(provider, name, a)          ((void)(a))
#  define DTRACE_PROBE2(provider, name, a, b)       ((void)(a), (void)(b))
#  define DTRACE_PROBE3(provider, name, a, b, c)    ((void)(a), (void)(b), (void)(c))
#endif

/* The UTF-8 text of a name, borrowed from the object; "?" if it has none. */
static const char *
text_of(PyObject *name)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    const char *text = PyUnicode_AsUTF8(name);
    PyErr_Restore(type, value, traceback);
    return text != NULL ? text : "?";
}

static const char *
file_of(PyVMFrame *f)
{
    return text_of(f->code->ob.co_filename);
}

static const char *
function_of(PyVMFrame *f)
{
    return text_of(f->code->ob.co_name);
}

void
_PyProbes_FunctionEntry(PyVMFrame *f)
{
    const char *file = file_of(f), *function = function_of(f);
    DTRACE_PROBE3(python, function__entry, file, function, _PyFrame_LineOf(f));
}

void
_PyProbes_FunctionReturn(PyVMFrame *f)
{
    const char *file = file_of(f), *function = function_of(f);
    DTRACE_PROBE3(python, function__return, file, function, _PyFrame_LineOf(f));
}

void
_PyProbes_Line(PyVMFrame *f, int line)
{
    const char *file = file_of(f), *function = function_of(f);
    DTRACE_PROBE3(python, line, file, function, line);
}

void
_PyProbes_GCStart(int generation)
{
    DTRACE_PROBE1(python, gc__start, generation);
}

void
_PyProbes_GCDone(Py_ssize_t collected)
{
    DTRACE_PROBE1(python, gc__done, (long)collected);
}

void
_PyProbes_ImportFindLoadStart(PyObject *name)
{
    const char *text = text_of(name);
    DTRACE_PROBE1(python, import__find__load__start, text);
}

void
_PyProbes_ImportFindLoadDone(PyObject *name, int found)
{
    const char *text = text_of(name);
    DTRACE_PROBE2(python, import__find__load__done, text, found);
}

void
_PyProbes_Audit(const char *event, PyObject *args)
{
    DTRACE_PROBE2(python, audit, event, (void *)args);
}

void
_PyProbes_GILWait(unsigned long holder)
{
    DTRACE_PROBE1(python, gil__wait, (long)holder);
}

void
_PyProbes_GILAcquired(void)
{
    DTRACE_PROBE(python, gil__acquired);
}

void
_PyProbes_GILReleased(void)
{
    DTRACE_PROBE(python, gil__released);
}

void
_PyProbes_ExceptionRaise(PyThreadState *tstate, PyVMFrame *f)
{
    const char *type = ((PyTypeObject *)tstate->curexc_type)->tp_name, *file = file_of(f);
    DTRACE_PROBE3(python, exception__raise, type, file, _PyFrame_LineOf(f));
}
