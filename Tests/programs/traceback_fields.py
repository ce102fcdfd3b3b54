# What functions in C read from a traceback: the fields of the structure are filled from the beginning.
import ctypes


class Traceback(ctypes.Structure):
    _fields_ = [("head", ctypes.c_char * object.__basicsize__), ("next", ctypes.py_object),
                ("frame", ctypes.py_object), ("lasti", ctypes.c_int), ("lineno", ctypes.c_int)]


def inner(x):
    y = 1 \
        / x
    return y


def outer(x):
    try:
        return inner(x)
    finally:
        x = 2


def lines():
    try:
        return outer(0)
    except ZeroDivisionError as e:
        tb = e.__traceback__
    found = []
    while tb is not None:
        fields = Traceback.from_address(id(tb))
        found.append((fields.lineno, fields.frame is tb.tb_frame))
        assert fields.lineno == tb.tb_lineno
        tb = tb.tb_next
    return found


print(lines())
for _ in range(3000):
    last = lines()
print(last)
try:
    exec("\n\n\nx = [y for y in 1]")
except TypeError as e:
    print(Traceback.from_address(id(e.__traceback__.tb_next)).lineno)
