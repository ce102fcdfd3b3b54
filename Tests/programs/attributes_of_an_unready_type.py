"""mypyc sets attributes of types before PyType_Ready(), when they have no dictionary yet."""
import ctypes
import gc
import os
import sys

gc.disable()                # such a type can't be traversed
alloc = ctypes.pythonapi.PyType_GenericAlloc
alloc.argtypes, alloc.restype = [ctypes.py_object, ctypes.c_ssize_t], ctypes.c_void_p
put = ctypes.pythonapi.PyObject_SetAttrString
put.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.py_object]

made = alloc(type, 0)
print(put(made, b"place", "somewhere"), put(made, b"place", "elsewhere"))
print(ctypes.cast(made + type.__dictoffset__, ctypes.POINTER(ctypes.py_object))[0])
sys.stdout.flush()
os._exit(0)
