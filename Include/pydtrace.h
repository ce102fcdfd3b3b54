/* Static probes, as CPython's own sources fire them. Springboard's probes are in its
   binary (sys/sdt.h, provider python). They can't be fired from outside, so these do
   nothing. Not part of Python.h. */
#ifndef Py_DTRACE_H
#define Py_DTRACE_H

_Py_BEGIN_DECLS

static inline void
PyDTrace_LINE(const char *file, const char *function, int line)
{
    (void)file, (void)function, (void)line;
}

static inline void
PyDTrace_FUNCTION_ENTRY(const char *file, const char *function, int line)
{
    (void)file, (void)function, (void)line;
}

static inline void
PyDTrace_FUNCTION_RETURN(const char *file, const char *function, int line)
{
    (void)file, (void)function, (void)line;
}

static inline void
PyDTrace_AUDIT(const char *event, void *args)
{
    (void)event, (void)args;
}

#define PyDTrace_GC_START(generation)               ((void)(generation))
#define PyDTrace_GC_DONE(collected)                 ((void)(collected))
#define PyDTrace_INSTANCE_NEW_START(arg)            ((void)(arg))
#define PyDTrace_INSTANCE_NEW_DONE(arg)             ((void)(arg))
#define PyDTrace_INSTANCE_DELETE_START(arg)         ((void)(arg))
#define PyDTrace_INSTANCE_DELETE_DONE(arg)          ((void)(arg))
#define PyDTrace_IMPORT_FIND_LOAD_START(name)       ((void)(name))
#define PyDTrace_IMPORT_FIND_LOAD_DONE(name, found) ((void)(name), (void)(found))

#define PyDTrace_LINE_ENABLED()                   0
#define PyDTrace_FUNCTION_ENTRY_ENABLED()         0
#define PyDTrace_FUNCTION_RETURN_ENABLED()        0
#define PyDTrace_GC_START_ENABLED()               0
#define PyDTrace_GC_DONE_ENABLED()                0
#define PyDTrace_INSTANCE_NEW_START_ENABLED()     0
#define PyDTrace_INSTANCE_NEW_DONE_ENABLED()      0
#define PyDTrace_INSTANCE_DELETE_START_ENABLED()  0
#define PyDTrace_INSTANCE_DELETE_DONE_ENABLED()   0
#define PyDTrace_IMPORT_FIND_LOAD_START_ENABLED() 0
#define PyDTrace_IMPORT_FIND_LOAD_DONE_ENABLED()  0
#define PyDTrace_AUDIT_ENABLED()                  0

_Py_END_DECLS
#endif
