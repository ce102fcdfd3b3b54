/* Prototypes of what slots.def refers to. */
#ifndef SB_SLOT_PROTOTYPES_H
#define SB_SLOT_PROTOTYPES_H

#define WRAPPER(name) \
    PyObject *name(PyObject *self, PyObject *args, void *wrapped)
#define WRAPPER_KW(name) \
    PyObject *name(PyObject *self, PyObject *args, void *wrapped, \
                   PyObject *kwargs)

WRAPPER(wrap_unary);
WRAPPER(wrap_binary);
WRAPPER(wrap_binary_any);
WRAPPER(wrap_binary_reflected);
WRAPPER(wrap_ternary);
WRAPPER(wrap_ternary_reflected);
WRAPPER(wrap_inquiry);
WRAPPER(wrap_length);
WRAPPER(wrap_index_arg);
WRAPPER(wrap_sq_item);
WRAPPER(wrap_sq_setitem);
WRAPPER(wrap_sq_delitem);
WRAPPER(wrap_contains);
WRAPPER(wrap_setitem);
WRAPPER(wrap_delitem);
WRAPPER(wrap_setattr);
WRAPPER(wrap_delattr);
WRAPPER(wrap_hash);
WRAPPER(wrap_del);
WRAPPER(wrap_lt);
WRAPPER(wrap_le);
WRAPPER(wrap_eq);
WRAPPER(wrap_ne);
WRAPPER(wrap_gt);
WRAPPER(wrap_ge);
WRAPPER(wrap_next);
WRAPPER(wrap_descr_get);
WRAPPER(wrap_descr_set);
WRAPPER(wrap_descr_delete);
WRAPPER_KW(wrap_call);
WRAPPER_KW(wrap_init);

#define SLOT_UNARY(name) PyObject *name(PyObject *self)
#define SLOT_BINARY(name) PyObject *name(PyObject *self, PyObject *other)

SLOT_UNARY(slot_repr);
SLOT_UNARY(slot_str);
SLOT_UNARY(slot_iter);
SLOT_UNARY(slot_await);
SLOT_UNARY(slot_aiter);
SLOT_UNARY(slot_anext);
SLOT_UNARY(slot_negative);
SLOT_UNARY(slot_positive);
SLOT_UNARY(slot_absolute);
SLOT_UNARY(slot_invert);
SLOT_UNARY(slot_int);
SLOT_UNARY(slot_float);
SLOT_UNARY(slot_index);
SLOT_BINARY(slot_add);
SLOT_BINARY(slot_subtract);
SLOT_BINARY(slot_multiply);
SLOT_BINARY(slot_remainder);
SLOT_BINARY(slot_divmod);
SLOT_BINARY(slot_lshift);
SLOT_BINARY(slot_rshift);
SLOT_BINARY(slot_and);
SLOT_BINARY(slot_xor);
SLOT_BINARY(slot_or);
SLOT_BINARY(slot_floor_divide);
SLOT_BINARY(slot_true_divide);
SLOT_BINARY(slot_matrix_multiply);
SLOT_BINARY(slot_inplace_add);
SLOT_BINARY(slot_inplace_subtract);
SLOT_BINARY(slot_inplace_multiply);
SLOT_BINARY(slot_inplace_remainder);
SLOT_BINARY(slot_inplace_lshift);
SLOT_BINARY(slot_inplace_rshift);
SLOT_BINARY(slot_inplace_and);
SLOT_BINARY(slot_inplace_xor);
SLOT_BINARY(slot_inplace_or);
SLOT_BINARY(slot_inplace_floor_divide);
SLOT_BINARY(slot_inplace_true_divide);
SLOT_BINARY(slot_inplace_matrix_multiply);

Py_hash_t slot_hash(PyObject *self);
int slot_bool(PyObject *self);
PyObject *slot_call(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *slot_richcompare(PyObject *self, PyObject *other, int op);
PyObject *slot_descr_get(PyObject *self, PyObject *obj, PyObject *type);
int slot_descr_set(PyObject *self, PyObject *obj, PyObject *value);
PyObject *slot_new(PyTypeObject *type, PyObject *args, PyObject *kwargs);
void slot_finalize(PyObject *self);
PyObject *slot_power(PyObject *self, PyObject *other, PyObject *modulus);
PyObject *slot_inplace_power(PyObject *self, PyObject *other,
                             PyObject *modulus);
Py_ssize_t slot_length(PyObject *self);
int slot_ass_subscript(PyObject *self, PyObject *key, PyObject *value);
PyObject *slot_sq_item(PyObject *self, Py_ssize_t i);
int slot_sq_ass_item(PyObject *self, Py_ssize_t i, PyObject *value);
int slot_contains(PyObject *self, PyObject *value);

#undef WRAPPER
#undef WRAPPER_KW
#undef SLOT_UNARY
#undef SLOT_BINARY

#endif
