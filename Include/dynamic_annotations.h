/* Hints for race detectors like ThreadSanitizer. They do nothing now: today's sanitizers
   recognise locks by themselves. Not part of Python.h. */
#ifndef __DYNAMIC_ANNOTATIONS_H__
#define __DYNAMIC_ANNOTATIONS_H__

#ifndef DYNAMIC_ANNOTATIONS_ENABLED
#  define DYNAMIC_ANNOTATIONS_ENABLED 0
#endif

#define _Py_ANNOTATE_BARRIER_DESTROY(barrier)
#define _Py_ANNOTATE_BARRIER_INIT(barrier, count, reinitialization_allowed)
#define _Py_ANNOTATE_BARRIER_WAIT_AFTER(barrier)
#define _Py_ANNOTATE_BARRIER_WAIT_BEFORE(barrier)
#define _Py_ANNOTATE_BENIGN_RACE(address, description)
#define _Py_ANNOTATE_BENIGN_RACE_SIZED(address, size, description)
#define _Py_ANNOTATE_BENIGN_RACE_STATIC(static_var, description)
#define _Py_ANNOTATE_CONDVAR_LOCK_WAIT(cv, lock)
#define _Py_ANNOTATE_CONDVAR_SIGNAL(cv)
#define _Py_ANNOTATE_CONDVAR_SIGNAL_ALL(cv)
#define _Py_ANNOTATE_CONDVAR_WAIT(cv)
#define _Py_ANNOTATE_ENABLE_RACE_DETECTION(enable)
#define _Py_ANNOTATE_EXPECT_RACE(address, description)
#define _Py_ANNOTATE_FLUSH_STATE()
#define _Py_ANNOTATE_HAPPENS_AFTER(obj)
#define _Py_ANNOTATE_HAPPENS_BEFORE(obj)
#define _Py_ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN()
#define _Py_ANNOTATE_IGNORE_READS_AND_WRITES_END()
#define _Py_ANNOTATE_IGNORE_READS_BEGIN()
#define _Py_ANNOTATE_IGNORE_READS_END()
#define _Py_ANNOTATE_IGNORE_SYNC_BEGIN()
#define _Py_ANNOTATE_IGNORE_SYNC_END()
#define _Py_ANNOTATE_IGNORE_WRITES_BEGIN()
#define _Py_ANNOTATE_IGNORE_WRITES_END()
#define _Py_ANNOTATE_MUTEX_IS_USED_AS_CONDVAR(mu)
#define _Py_ANNOTATE_NEW_MEMORY(address, size)
#define _Py_ANNOTATE_NO_OP(arg)
#define _Py_ANNOTATE_PCQ_CREATE(pcq)
#define _Py_ANNOTATE_PCQ_DESTROY(pcq)
#define _Py_ANNOTATE_PCQ_GET(pcq)
#define _Py_ANNOTATE_PCQ_PUT(pcq)
#define _Py_ANNOTATE_PUBLISH_MEMORY_RANGE(address, size)
#define _Py_ANNOTATE_PURE_HAPPENS_BEFORE_MUTEX(mu)
#define _Py_ANNOTATE_RWLOCK_ACQUIRED(lock, is_w)
#define _Py_ANNOTATE_RWLOCK_CREATE(lock)
#define _Py_ANNOTATE_RWLOCK_DESTROY(lock)
#define _Py_ANNOTATE_RWLOCK_RELEASED(lock, is_w)
#define _Py_ANNOTATE_SWAP_MEMORY_RANGE(address, size)
#define _Py_ANNOTATE_THREAD_NAME(name)
#define _Py_ANNOTATE_TRACE_MEMORY(arg)
#define _Py_ANNOTATE_UNPROTECTED_READ(x) (x)
#define _Py_ANNOTATE_UNPUBLISH_MEMORY_RANGE(address, size)
#endif
