/* Types made at run time from C descriptions: PyType_FromSpec() and its family; and
   what C code may query of a heap type. */
#include "private.h"

/* ------------------------------------------------------------- slot numbers */

/* The offset in PyHeapTypeObject of each number in typeslots.h. 0 means that the number
   is not such a slot (tp_base and tp_bases are handled separately). */
#define TYPE(field) offsetof(PyHeapTypeObject, ht_type.field)
#define NUMBER(field) offsetof(PyHeapTypeObject, as_number.field)
#define SEQUENCE(field) offsetof(PyHeapTypeObject, as_sequence.field)
#define MAPPING(field) offsetof(PyHeapTypeObject, as_mapping.field)
#define ASYNC(field) offsetof(PyHeapTypeObject, as_async.field)
#define BUFFER(field) offsetof(PyHeapTypeObject, as_buffer.field)

static const short slot_offsets[] = {
    [Py_bf_getbuffer] = BUFFER(bf_getbuffer),
    [Py_bf_releasebuffer] = BUFFER(bf_releasebuffer),
    [Py_mp_ass_subscript] = MAPPING(mp_ass_subscript),
    [Py_mp_length] = MAPPING(mp_length),
    [Py_mp_subscript] = MAPPING(mp_subscript),
    [Py_nb_absolute] = NUMBER(nb_absolute),
    [Py_nb_add] = NUMBER(nb_add),
    [Py_nb_and] = NUMBER(nb_and),
    [Py_nb_bool] = NUMBER(nb_bool),
    [Py_nb_divmod] = NUMBER(nb_divmod),
    [Py_nb_float] = NUMBER(nb_float),
    [Py_nb_floor_divide] = NUMBER(nb_floor_divide),
    [Py_nb_index] = NUMBER(nb_index),
    [Py_nb_inplace_add] = NUMBER(nb_inplace_add),
    [Py_nb_inplace_and] = NUMBER(nb_inplace_and),
    [Py_nb_inplace_floor_divide] = NUMBER(nb_inplace_floor_divide),
    [Py_nb_inplace_lshift] = NUMBER(nb_inplace_lshift),
    [Py_nb_inplace_multiply] = NUMBER(nb_inplace_multiply),
    [Py_nb_inplace_or] = NUMBER(nb_inplace_or),
    [Py_nb_inplace_power] = NUMBER(nb_inplace_power),
    [Py_nb_inplace_remainder] = NUMBER(nb_inplace_remainder),
    [Py_nb_inplace_rshift] = NUMBER(nb_inplace_rshift),
    [Py_nb_inplace_subtract] = NUMBER(nb_inplace_subtract),
    [Py_nb_inplace_true_divide] = NUMBER(nb_inplace_true_divide),
    [Py_nb_inplace_xor] = NUMBER(nb_inplace_xor),
    [Py_nb_int] = NUMBER(nb_int),
    [Py_nb_invert] = NUMBER(nb_invert),
    [Py_nb_lshift] = NUMBER(nb_lshift),
    [Py_nb_multiply] = NUMBER(nb_multiply),
    [Py_nb_negative] = NUMBER(nb_negative),
    [Py_nb_or] = NUMBER(nb_or),
    [Py_nb_positive] = NUMBER(nb_positive),
    [Py_nb_power] = NUMBER(nb_power),
    [Py_nb_remainder] = NUMBER(nb_remainder),
    [Py_nb_rshift] = NUMBER(nb_rshift),
    [Py_nb_subtract] = NUMBER(nb_subtract),
    [Py_nb_true_divide] = NUMBER(nb_true_divide),
    [Py_nb_xor] = NUMBER(nb_xor),
    [Py_sq_ass_item] = SEQUENCE(sq_ass_item),
    [Py_sq_concat] = SEQUENCE(sq_concat),
    [Py_sq_contains] = SEQUENCE(sq_contains),
    [Py_sq_inplace_concat] = SEQUENCE(sq_inplace_concat),
    [Py_sq_inplace_repeat] = SEQUENCE(sq_inplace_repeat),
    [Py_sq_item] = SEQUENCE(sq_item),
    [Py_sq_length] = SEQUENCE(sq_length),
    [Py_sq_repeat] = SEQUENCE(sq_repeat),
    [Py_tp_alloc] = TYPE(tp_alloc),
    [Py_tp_base] = TYPE(tp_base),
    [Py_tp_bases] = TYPE(tp_bases),
    [Py_tp_call] = TYPE(tp_call),
    [Py_tp_clear] = TYPE(tp_clear),
    [Py_tp_dealloc] = TYPE(tp_dealloc),
    [Py_tp_del] = TYPE(tp_del),
    [Py_tp_descr_get] = TYPE(tp_descr_get),
    [Py_tp_descr_set] = TYPE(tp_descr_set),
    [Py_tp_doc] = TYPE(tp_doc),
    [Py_tp_getattr] = TYPE(tp_getattr),
    [Py_tp_getattro] = TYPE(tp_getattro),
    [Py_tp_hash] = TYPE(tp_hash),
    [Py_tp_init] = TYPE(tp_init),
    [Py_tp_is_gc] = TYPE(tp_is_gc),
    [Py_tp_iter] = TYPE(tp_iter),
    [Py_tp_iternext] = TYPE(tp_iternext),
    [Py_tp_methods] = TYPE(tp_methods),
    [Py_tp_new] = TYPE(tp_new),
    [Py_tp_repr] = TYPE(tp_repr),
    [Py_tp_richcompare] = TYPE(tp_richcompare),
    [Py_tp_setattr] = TYPE(tp_setattr),
    [Py_tp_setattro] = TYPE(tp_setattro),
    [Py_tp_str] = TYPE(tp_str),
    [Py_tp_traverse] = TYPE(tp_traverse),
    [Py_tp_members] = TYPE(tp_members),
    [Py_tp_getset] = TYPE(tp_getset),
    [Py_tp_free] = TYPE(tp_free),
    [Py_nb_matrix_multiply] = NUMBER(nb_matrix_multiply),
    [Py_nb_inplace_matrix_multiply] = NUMBER(nb_inplace_matrix_multiply),
    [Py_am_await] = ASYNC(am_await),
    [Py_am_aiter] = ASYNC(am_aiter),
    [Py_am_anext] = ASYNC(am_anext),
    [Py_tp_finalize] = TYPE(tp_finalize),
    [Py_am_send] = ASYNC(am_send),
};

#define SLOT_LIMIT ((int)Py_ARRAY_LENGTH(slot_offsets))

/* -------------------------------------------------- reading the description */

struct spec_reader {
    PyType_Spec *spec;
    PyObject *module;
    PyObject *bases;            /* owned tuple */
    PyTypeObject *base;         /* borrowed */
    PyMemberDef *members;
    Py_ssize_t member_count;
    Py_ssize_t weaklist, dict, vectorcall;  /* offsets, 0 if not given */
};

static int
read_offset_member(struct spec_reader *reader, PyMemberDef *member)
{
    static const char *const names[] = {
        "__weaklistoffset__", "__dictoffset__", "__vectorcalloffset__",
    };
    Py_ssize_t *const targets[] = {
        &reader->weaklist, &reader->dict, &reader->vectorcall,
    };
    for (int i = 0; i < 3; i++) {
        if (strcmp(member->name, names[i]) == 0) {
            _PyObject_ASSERT_WITH_MSG((PyObject *)&PyType_Type,
                                      member->type == T_PYSSIZET
                                      && member->flags == READONLY,
                                      "offsets are read-only Py_ssize_t");
            *targets[i] = member->offset;
            return 1;
        }
    }
    return 0;
}

static int
read_slots(struct spec_reader *reader)
{
    for (PyType_Slot *slot = reader->spec->slots; slot->slot != 0; slot++) {
        if (slot->slot < 0 || slot->slot >= SLOT_LIMIT) {
            PyErr_SetString(PyExc_RuntimeError, "invalid slot offset");
            return -1;
        }
        if (slot->slot != Py_tp_members) {
            continue;
        }
        if (reader->member_count != 0) {
            PyErr_SetString(PyExc_SystemError,
                            "Multiple Py_tp_members slots are not "
                            "supported.");
            return -1;
        }
        reader->members = slot->pfunc;
        for (PyMemberDef *m = slot->pfunc; m->name != NULL; m++) {
            reader->member_count++;
            read_offset_member(reader, m);
        }
    }
    return 0;
}

static int
find_bases(struct spec_reader *reader, PyObject *bases)
{
    if (bases == NULL) {
        PyTypeObject *base = &PyBaseObject_Type;
        for (PyType_Slot *slot = reader->spec->slots; slot->slot; slot++) {
            if (slot->slot == Py_tp_base) {
                base = slot->pfunc;
            }
            else if (slot->slot == Py_tp_bases) {
                bases = slot->pfunc;
            }
        }
        if (bases == NULL) {
            reader->bases = PyTuple_Pack(1, base);
            if (reader->bases == NULL) {
                return -1;
            }
        }
    }
    if (bases != NULL) {
        if (!PyTuple_Check(bases)) {
            reader->bases = PyTuple_Pack(1, bases);
            if (reader->bases == NULL) {
                return -1;
            }
        }
        else {
            reader->bases = Py_NewRef(bases);
        }
    }
    reader->base = _PyType_BestBase(reader->bases);
    if (reader->base == NULL) {
        return -1;
    }
    if (!has_flag(reader->base, Py_TPFLAGS_BASETYPE)) {
        PyErr_Format(PyExc_TypeError,
                     "type '%.100s' is not an acceptable base type",
                     reader->base->tp_name);
        return -1;
    }
    return 0;
}

/* --------------------------------------------------------- filling the type */

static int
set_names(PyHeapTypeObject *heap, const char *full_name)
{
    const char *dot = strrchr(full_name, '.');
    heap->ht_name = PyUnicode_FromString(dot == NULL ? full_name : dot + 1);
    if (heap->ht_name == NULL) {
        return -1;
    }
    heap->ht_qualname = Py_NewRef(heap->ht_name);
    size_t size = strlen(full_name) + 1;
    heap->_ht_tpname = PyMem_Malloc(size);
    if (heap->_ht_tpname == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(heap->_ht_tpname, full_name, size);
    heap->ht_type.tp_name = heap->_ht_tpname;
    return 0;
}

static int
copy_doc(PyTypeObject *type, const char *doc)
{
    if (doc == NULL) {
        return 0;
    }
    size_t size = strlen(doc) + 1;
    char *copy = PyObject_Malloc(size);
    if (copy == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(copy, doc, size);
    type->tp_doc = copy;
    return 0;
}

static int
copy_slots(struct spec_reader *reader, PyHeapTypeObject *heap)
{
    PyTypeObject *type = &heap->ht_type;
    for (PyType_Slot *slot = reader->spec->slots; slot->slot; slot++) {
        switch (slot->slot) {
        case Py_tp_base:
        case Py_tp_bases:
            break;
        case Py_tp_doc:
            if (copy_doc(type, slot->pfunc) < 0) {
                return -1;
            }
            break;
        case Py_tp_members:
            memcpy(_PyType_SlotMembers(type), slot->pfunc,
                   sizeof(PyMemberDef) * reader->member_count);
            type->tp_members = _PyType_SlotMembers(type);
            break;
        default:
            *(void **)((char *)heap + slot_offsets[slot->slot]) = slot->pfunc;
        }
    }
    return 0;
}

/* "a.b.C" belongs to module "a.b". */
static int
set_module_name(PyTypeObject *type, const char *full_name)
{
    int present = PyDict_Contains(type->tp_dict, _Py_NAME(dunder_module));
    if (present != 0) {
        return present < 0 ? -1 : 0;
    }
    const char *dot = strrchr(full_name, '.');
    if (dot == NULL) {
        return PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                                "builtin type %.200s has no __module__ "
                                "attribute", full_name);
    }
    PyObject *name = PyUnicode_FromStringAndSize(full_name, dot - full_name);
    if (name == NULL) {
        return -1;
    }
    int status = PyDict_SetItem(type->tp_dict, _Py_NAME(dunder_module), name);
    Py_DECREF(name);
    return status;
}

int
_PyType_AddModuleName(PyTypeObject *type)
{
    return PyType_Ready(type) < 0 ? -1 : set_module_name(type, type->tp_name);
}

/* The places of an instance's dictionary and weak references are the type's own business. */
static int
hide_offsets(PyTypeObject *type, const struct spec_reader *reader)
{
    return (reader->weaklist != 0
            && PyDict_DelItemString(type->tp_dict, "__weaklistoffset__") < 0)
        || (reader->dict != 0
            && PyDict_DelItemString(type->tp_dict, "__dictoffset__") < 0) ? -1 : 0;
}

static PyHeapTypeObject *
allocate(struct spec_reader *reader)
{
    PyType_Spec *spec = reader->spec;
    PyHeapTypeObject *heap = (PyHeapTypeObject *)PyType_GenericAlloc(
        &PyType_Type, reader->member_count);
    if (heap == NULL) {
        return NULL;
    }
    PyTypeObject *type = &heap->ht_type;
    type->tp_flags = spec->flags | Py_TPFLAGS_HEAPTYPE;
    type->tp_as_async = &heap->as_async;
    type->tp_as_number = &heap->as_number;
    type->tp_as_sequence = &heap->as_sequence;
    type->tp_as_mapping = &heap->as_mapping;
    type->tp_as_buffer = &heap->as_buffer;
    type->tp_base = (PyTypeObject *)Py_NewRef(reader->base);
    type->tp_bases = Py_NewRef(reader->bases);
    type->tp_basicsize = spec->basicsize;
    type->tp_itemsize = spec->itemsize;
    heap->ht_module = Py_XNewRef(reader->module);
    if (set_names(heap, spec->name) < 0 || copy_slots(reader, heap) < 0) {
        Py_DECREF(type);
        return NULL;
    }
    if (type->tp_dealloc == NULL) {
        type->tp_dealloc = _PySubtype_Dealloc;
    }
    type->tp_vectorcall_offset = reader->vectorcall;
    if (reader->dict != 0) {
        type->tp_dictoffset = reader->dict;
    }
    if (reader->weaklist != 0) {
        type->tp_weaklistoffset = reader->weaklist;
    }
    return heap;
}

PyObject *
PyType_FromModuleAndSpec(PyObject *module, PyType_Spec *spec, PyObject *bases)
{
    struct spec_reader reader = {.spec = spec, .module = module};

    if (spec->name == NULL) {
        PyErr_SetString(PyExc_SystemError,
                        "Type spec does not define the name field.");
        return NULL;
    }
    if (read_slots(&reader) < 0 || find_bases(&reader, bases) < 0) {
        Py_XDECREF(reader.bases);
        return NULL;
    }
    PyHeapTypeObject *heap = allocate(&reader);
    Py_DECREF(reader.bases);
    if (heap == NULL) {
        return NULL;
    }
    PyTypeObject *type = &heap->ht_type;
    if (PyType_Ready(type) < 0
        || set_module_name(type, spec->name) < 0 || hide_offsets(type, &reader) < 0) {
        Py_DECREF(type);
        return NULL;
    }
    return (PyObject *)type;
}

PyObject *
PyType_FromSpecWithBases(PyType_Spec *spec, PyObject *bases)
{
    return PyType_FromModuleAndSpec(NULL, spec, bases);
}

PyObject *
PyType_FromSpec(PyType_Spec *spec)
{
    return PyType_FromModuleAndSpec(NULL, spec, NULL);
}

/* --------------------------------------------------- queries of a heap type */

/* For heap types; also for a static type if it has the slot's suite. */
void *
PyType_GetSlot(PyTypeObject *type, int slot)
{
    if (slot <= 0 || slot >= SLOT_LIMIT) {
        PyErr_BadInternalCall();
        return NULL;
    }
    size_t offset = slot_offsets[slot];
    if (offset < sizeof(PyTypeObject)) {
        return *(void **)((char *)type + offset);
    }
    static const struct {
        size_t begin;
        size_t pointer;
    } suites[] = {
        {offsetof(PyHeapTypeObject, as_buffer),
         offsetof(PyTypeObject, tp_as_buffer)},
        {offsetof(PyHeapTypeObject, as_sequence),
         offsetof(PyTypeObject, tp_as_sequence)},
        {offsetof(PyHeapTypeObject, as_mapping),
         offsetof(PyTypeObject, tp_as_mapping)},
        {offsetof(PyHeapTypeObject, as_number),
         offsetof(PyTypeObject, tp_as_number)},
        {offsetof(PyHeapTypeObject, as_async),
         offsetof(PyTypeObject, tp_as_async)},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(suites); i++) {
        if (offset >= suites[i].begin) {
            char *suite = *(char **)((char *)type + suites[i].pointer);
            return suite == NULL ? NULL
                   : *(void **)(suite + (offset - suites[i].begin));
        }
    }
    return NULL;
}

PyObject *
PyType_GetModule(PyTypeObject *type)
{
    if (!type_is_heap(type)) {
        PyErr_Format(PyExc_TypeError,
                     "PyType_GetModule: Type '%s' is not a heap type",
                     type->tp_name);
        return NULL;
    }
    PyObject *module = ((PyHeapTypeObject *)type)->ht_module;
    if (module == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "PyType_GetModule: Type '%s' has no associated module",
                     type->tp_name);
    }
    return module;              /* borrowed */
}

void *
PyType_GetModuleState(PyTypeObject *type)
{
    PyObject *module = PyType_GetModule(type);
    return module == NULL ? NULL : PyModule_GetState(module);
}

PyObject *
PyType_GetModuleByDef(PyTypeObject *type, PyModuleDef *def)
{
    PyObject *mro = type->tp_mro;
    Py_ssize_t n = mro == NULL ? 0 : PyTuple_GET_SIZE(mro);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyTypeObject *cls = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (!type_is_heap(cls)) {
            continue;
        }
        PyObject *module = ((PyHeapTypeObject *)cls)->ht_module;
        if (module != NULL && PyModule_Check(module)
            && PyModule_GetDef(module) == def) {
            return module;      /* borrowed */
        }
    }
    PyErr_Format(PyExc_TypeError,
                 "PyType_GetModuleByDef: No superclass of '%s' has "
                 "the given module", type->tp_name);
    return NULL;
}
