import os
import sys
import tempfile

import cffi

ffi = cffi.FFI()
ffi.cdef("int printf(const char *, ...); double sqrt(double); struct p { int x; double y[2]; };"
         "void qsort(void *, size_t, size_t, int (*)(const void *, const void *));")
libc = ffi.dlopen(None)
libm = ffi.dlopen("libm.so.6")
print(libm.sqrt(2.0), ffi.sizeof("struct p"), ffi.new("struct p *", {"x": 3, "y": [1, 2]}).y[1])
numbers = ffi.new("int[]", [5, 3, 9, 1])


@ffi.callback("int(const void *, const void *)")
def compare(a, b):
    return ffi.cast("int *", a)[0] - ffi.cast("int *", b)[0]


libc.qsort(numbers, 4, ffi.sizeof("int"), compare)
print(list(numbers), ffi.string(ffi.new("char[]", b"text")), bytes(ffi.buffer(numbers))[:4])
handle = ffi.new_handle({"a": 1})
print(ffi.from_handle(handle), ffi.typeof("int(*)(char)").kind)
for wrong in (lambda: ffi.new("int[2]", [1, 2, 3]), lambda: numbers[9], lambda: libm.missing, lambda: ffi.cdef("int x")):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0][:70])
