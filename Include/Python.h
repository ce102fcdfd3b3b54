/* The C API: include this first, in extensions and in programs that embed Springboard. It
   includes the headers below; others have to be included separately (structmember.h,
   frameobject.h, datetime.h, marshal.h…).

   These rules hold for every function, unless its header says otherwise:

   - The caller holds the GIL.
   - A function that returns an object returns a new reference, which the caller
     releases. References passed as arguments stay the caller's. "borrowed" beside a
     prototype means that the caller does not own the result, which is valid as long as
     its owner keeps it. "steals" or "stolen" means that the function takes over the
     caller's reference to that argument, even if it fails.
   - Failure is reported by NULL, or by -1 where the result is an int, Py_ssize_t or hash,
     with an exception set. Where -1 (or -1.0) may also be a value, call
     PyErr_Occurred().
   - Functions in capitals (PyList_GET_ITEM) check neither type nor bounds.

   Which part of the API is visible:

   - With Py_LIMITED_API defined: the limited API as of the given version (0x03070000:
     that of 3.7; 3: that of 3.2). Modules built with it run on all later versions.
   - Otherwise everything. The folder cpython has what is not in the limited API.
   - Names that begin with _Py are not part of the API: they are here because macros or
     compiled extensions need them. */
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

/* Operations on objects of any type. */
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
