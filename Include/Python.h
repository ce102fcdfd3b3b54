/* The C API: include this first, in extensions and in programs that embed
   Springboard.  It brings in the headers below; others are asked for by name
   (structmember.h, frameobject.h, datetime.h, marshal.h…).

   What holds for every function, unless its header says otherwise:

   - The caller holds the GIL.
   - A function that returns an object returns a new reference, which the caller
     releases; arguments stay the caller's. "borrowed" beside a prototype means that
     the result belongs to somebody else and lives as long as he keeps it; "stolen"
     beside an argument, that the function takes over the caller's reference, when it
     fails too.
   - Failure is told by NULL, by -1 where the result is an int, Py_ssize_t or
     hash, and leaves an exception set. Where -1 (or -1.0) can be a value, ask
     PyErr_Occurred().
   - Functions in capitals (PyList_GET_ITEM) check neither type nor bounds.

   Which part of the API is seen:

   - Py_LIMITED_API defined: the limited API, and of it what the version given
     had (0x03070000: that of 3.7; 3: that of 3.2). What it builds runs on all later
     versions.
   - otherwise everything. What only this API has is in the folder cpython.
   - A name that begins with _Py is no API: it is here because macros or compiled
     extensions need it. */
#ifndef Py_PYTHON_H
#define Py_PYTHON_H

#include "patchlevel.h"
#include "pyconfig.h"

#if !defined(Py_LIMITED_API) || Py_LIMITED_API+0 < 0x030b0000
#  include <errno.h>
#  include <stdio.h>
#  include <stdlib.h>
#  include <string.h>
#endif
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* The language: types, attributes, casts. */
#include "pyport.h"
#include "pymacro.h"
#include "pymath.h"
#include "pytypedefs.h"

/* Objects and memory. */
#include "pymem.h"
#include "pybuffer.h"
#include "object.h"
#include "objimpl.h"
#include "typeslots.h"
#include "pyhash.h"

/* The built-in types. */
#include "boolobject.h"
#include "longobject.h"
#include "cpython/longintrepr.h"
#include "floatobject.h"
#include "complexobject.h"
#include "bytesobject.h"
#include "bytearrayobject.h"
#include "unicodeobject.h"
#include "memoryobject.h"
#include "tupleobject.h"
#include "listobject.h"
#include "dictobject.h"
#include "cpython/odictobject.h"
#include "setobject.h"
#include "rangeobject.h"
#include "sliceobject.h"
#include "enumobject.h"
#include "iterobject.h"
#include "structseq.h"
#include "weakrefobject.h"
#include "genericaliasobject.h"
#include "cpython/picklebufobject.h"

/* What objects of any type can do. */
#include "abstract.h"

/* Functions, methods, modules, frames. */
#include "methodobject.h"
#include "descrobject.h"
#include "moduleobject.h"
#include "modsupport.h"
#include "pycapsule.h"
#include "cpython/cellobject.h"
#include "cpython/code.h"
#include "cpython/funcobject.h"
#include "cpython/classobject.h"
#include "pyframe.h"
#include "traceback.h"
#include "bltinmodule.h"

/* The interpreter. */
#include "pythread.h"
#include "cpython/pydebug.h"
#include "cpython/initconfig.h"
#include "pystate.h"
#include "cpython/genobject.h"
#include "cpython/context.h"
#include "pyerrors.h"
#include "warnings.h"
#include "compile.h"
#include "pythonrun.h"
#include "pylifecycle.h"
#include "ceval.h"
#include "sysmodule.h"
#include "import.h"
#include "codecs.h"
#include "cpython/observe.h"

/* The operating system and the C library. */
#include "osmodule.h"
#include "intrcheck.h"
#include "fileobject.h"
#include "fileutils.h"
#include "cpython/pytime.h"
#include "cpython/pyctype.h"
#include "pystrtod.h"
#include "pystrcmp.h"
#include "cpython/pyfpe.h"
#include "tracemalloc.h"
#endif
