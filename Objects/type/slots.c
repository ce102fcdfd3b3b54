/* The table of slots, and keeping slots consistent with the class dictionary.

   A field of a type is a C function. Several special methods may share it (__add__ and
   __radd__: nb_add), and one special method may fill several fields (__len__: mp_length
   and sq_length). The rules for each field:
   - no method found: the field is empty;
   - every method found is the wrapper of one C function that fits this field:
     the field takes that function, so that inherited C behaviour costs nothing;
   - otherwise the field takes the slot function of slots.def, which looks the
     method up at run time.

   They are applied to a new class, and when one of the methods of a class or of one of
   its bases changes. */
#include "private.h"
#include "internal/unicode.h"

typedef struct wrapperbase slot_entry;

#define SLOT_OFFSET(suite, field) SLOT_OFFSET_##suite(field)
#define SLOT_OFFSET_type(field) offsetof(PyHeapTypeObject, ht_type.field)
#define SLOT_OFFSET_async(field) offsetof(PyHeapTypeObject, as_async.field)
#define SLOT_OFFSET_number(field) offsetof(PyHeapTypeObject, as_number.field)
#define SLOT_OFFSET_mapping(field) offsetof(PyHeapTypeObject, as_mapping.field)
#define SLOT_OFFSET_sequence(field) \
    offsetof(PyHeapTypeObject, as_sequence.field)

static slot_entry slots[] = {
#define SLOT(suite, field, name, function, wrapper, doc) \
    {name, SLOT_OFFSET(suite, field), (void *)(function), \
     (wrapperfunc)(wrapper), doc, 0, NULL},
#define SLOT_KW(suite, field, name, function, wrapper, doc) \
    {name, SLOT_OFFSET(suite, field), (void *)(function), \
     (wrapperfunc)(void (*)(void))(wrapper), doc, PyWrapperFlag_KEYWORDS, \
     NULL},
#include "slots.def"
#undef SLOT
#undef SLOT_KW
};

#define SLOT_COUNT ((int)Py_ARRAY_LENGTH(slots))
#define MAX_SAME_NAME 4

/* The parts of a type that have slots, in the order of a heap type's fields. */
enum { IN_TYPE, IN_ASYNC, IN_NUMBER, IN_MAPPING, IN_SEQUENCE, PARTS };

static unsigned char
part_of(const slot_entry *entry)
{
    size_t at = (size_t)entry->offset;
    return (unsigned char)((at >= offsetof(PyHeapTypeObject, as_async))
                           + (at >= offsetof(PyHeapTypeObject, as_number))
                           + (at >= offsetof(PyHeapTypeObject, as_mapping))
                           + (at >= offsetof(PyHeapTypeObject, as_sequence)));
}

static unsigned char parts[Py_ARRAY_LENGTH(slots)];

/* The entries that have the same name as this one: indices, terminated by -1. */
static signed char same_name[Py_ARRAY_LENGTH(slots)][MAX_SAME_NAME + 1];
/* Interned name -> index of its first entry: open addressing. */
#define NAME_TABLE 256
static struct {
    PyObject *name;
    int index;
} name_table[NAME_TABLE];

static inline size_t
name_position(PyObject *name)
{
    return ((uintptr_t)name >> 4) & (NAME_TABLE - 1);
}

/* Index of the first entry for an interned name, or -1. */
static int
find_name(PyObject *name)
{
    size_t i = name_position(name);
    while (name_table[i].name != NULL) {
        if (name_table[i].name == name) {
            return name_table[i].index;
        }
        i = (i + 1) & (NAME_TABLE - 1);
    }
    return -1;
}

int
_PySlots_Init(void)
{
    if (slots[0].name_strobj != NULL) {
        return 0;
    }
    for (int i = 0; i < SLOT_COUNT; i++) {
        slot_entry *entry = &slots[i];
        parts[i] = part_of(entry);
        entry->name_strobj = PyUnicode_InternFromString(entry->name);
        if (entry->name_strobj == NULL) {
            return -1;
        }
        if (find_name(entry->name_strobj) < 0) {
            size_t p = name_position(entry->name_strobj);
            while (name_table[p].name != NULL) {
                p = (p + 1) & (NAME_TABLE - 1);
            }
            name_table[p].name = entry->name_strobj;
            name_table[p].index = i;
        }
    }
    for (int i = 0; i < SLOT_COUNT; i++) {
        int n = 0;
        for (int j = 0; j < SLOT_COUNT; j++) {
            if (slots[j].name_strobj == slots[i].name_strobj) {
                assert(n < MAX_SAME_NAME);
                same_name[i][n++] = (signed char)j;
            }
        }
        same_name[i][n] = -1;
    }
    return 0;
}

/* The address of the field in a type. NULL if a static type lacks the suite that
   contains it. */
static void **
slot_address(PyTypeObject *type, int offset)
{
    char *base;
    size_t at = offset;
    if (at >= offsetof(PyHeapTypeObject, as_sequence)) {
        base = (char *)type->tp_as_sequence;
        at -= offsetof(PyHeapTypeObject, as_sequence);
    }
    else if (at >= offsetof(PyHeapTypeObject, as_mapping)) {
        base = (char *)type->tp_as_mapping;
        at -= offsetof(PyHeapTypeObject, as_mapping);
    }
    else if (at >= offsetof(PyHeapTypeObject, as_number)) {
        base = (char *)type->tp_as_number;
        at -= offsetof(PyHeapTypeObject, as_number);
    }
    else if (at >= offsetof(PyHeapTypeObject, as_async)) {
        base = (char *)type->tp_as_async;
        at -= offsetof(PyHeapTypeObject, as_async);
    }
    else {
        base = (char *)type;
    }
    return base == NULL ? NULL : (void **)(base + at);
}

/* ---------------------------------------------------- from slots to methods */

/* Where each part of the type would begin if it were a heap type with the fields of all parts.
   What it lacks is empty. */
static void
find_parts(PyTypeObject *type, uintptr_t at[PARTS])
{
    static const PyNumberMethods empty;
    _Static_assert(sizeof(PyNumberMethods) >= sizeof(PySequenceMethods)
                   && sizeof(PyNumberMethods) >= sizeof(PyMappingMethods)
                   && sizeof(PyNumberMethods) >= sizeof(PyAsyncMethods), "the largest part");
#define PART(part, field) \
    at[part] = (uintptr_t)(type->tp_##field != NULL ? (const void *)type->tp_##field : &empty) \
        - offsetof(PyHeapTypeObject, field)
    at[IN_TYPE] = (uintptr_t)type;
    PART(IN_ASYNC, as_async);
    PART(IN_NUMBER, as_number);
    PART(IN_MAPPING, as_mapping);
    PART(IN_SEQUENCE, as_sequence);
#undef PART
}

/* Puts a wrapper into the class dictionary for every field that the type
   itself fills in C. */
int
_PyType_AddOperators(PyTypeObject *type)
{
    uintptr_t at[PARTS];
    find_parts(type, at);
    for (int i = 0; i < SLOT_COUNT; i++) {
        slot_entry *entry = &slots[i];
        void **field = (void **)(at[parts[i]] + (size_t)entry->offset);
        if (*field == NULL || entry->wrapper == NULL) {
            continue;
        }
        int present = PyDict_Contains(type->tp_dict, entry->name_strobj);
        if (present < 0) {
            return -1;
        }
        if (present) {
            continue;
        }
        PyObject *value;
        if (*field == (void *)PyObject_HashNotImplemented) {
            value = Py_NewRef(Py_None);
        }
        else {
            value = PyDescr_NewWrapper(type, entry, *field);
            if (value == NULL) {
                return -1;
            }
        }
        int status = PyDict_SetItem(type->tp_dict, entry->name_strobj, value);
        Py_DECREF(value);
        if (status < 0) {
            return -1;
        }
    }
    return 0;
}

/* ---------------------------------------------------- from methods to slots */

/* Called when an inherited wrapper with the name of entry i is found: may the field of
   entry i have a slot function at all? If the type fills exactly one of the fields of
   that name, only this field may. */
static int
takes_part(PyTypeObject *type, int i, void **field)
{
    void **only = NULL;
    for (const signed char *p = same_name[i]; *p >= 0; p++) {
        void **other = slot_address(type, slots[(int)*p].offset);
        if (other == NULL || *other == NULL) {
            continue;
        }
        if (only != NULL) {
            return 1;
        }
        only = other;
    }
    return only == NULL || only == field;
}

static int
same_static_new(PyObject *descr)
{
    return Py_IS_TYPE(descr, &PyCFunction_Type)
           && PyCFunction_GET_FUNCTION(descr)
              == _PyCFunction_CAST(_PyType_NewWrapper);
}

/* Recomputes the field of the group of entries that begins at i. Returns the index of
   the next group. */
static int
update_group(PyTypeObject *type, int i)
{
    int offset = slots[i].offset;
    void **field = slot_address(type, offset);
    if (field == NULL) {
        do {
            i++;
        } while (i < SLOT_COUNT && slots[i].offset == offset);
        return i;
    }
    void *specific = NULL, *generic = NULL;
    int use_generic = 0;
    for (; i < SLOT_COUNT && slots[i].offset == offset; i++) {
        slot_entry *entry = &slots[i];
        PyObject *descr = _PyType_LookupInline(type, entry->name_strobj);
        if (descr == NULL) {
            if (offset == SLOT_OFFSET_type(tp_iternext)) {
                specific = (void *)_PyObject_NextNotImplemented;
            }
            continue;
        }
        if (Py_IS_TYPE(descr, &PyWrapperDescr_Type)
            && ((PyWrapperDescrObject *)descr)->d_base->name_strobj
               == entry->name_strobj) {
            PyWrapperDescrObject *wrapper = (PyWrapperDescrObject *)descr;
            if (takes_part(type, i, field)) {
                generic = entry->function;
            }
            if ((specific == NULL || specific == wrapper->d_wrapped)
                && wrapper->d_base->wrapper == entry->wrapper
                && PyType_IsSubtype(type, PyDescr_TYPE(wrapper))) {
                specific = wrapper->d_wrapped;
            }
            else {
                /* Two different C functions, or one that belongs to another
                   family of objects: decide at run time. */
                use_generic = 1;
            }
        }
        else if (offset == SLOT_OFFSET_type(tp_new)
                 && same_static_new(descr)) {
            /* The __new__ of C types calls tp_new of its type, so inherit that
               directly. */
            specific = (void *)type->tp_new;
        }
        else if (descr == Py_None && offset == SLOT_OFFSET_type(tp_hash)) {
            specific = (void *)PyObject_HashNotImplemented;
        }
        else {
            use_generic = 1;
            generic = entry->function;
            if (offset == SLOT_OFFSET_type(tp_call)) {
                /* A Python __call__ would be bypassed by the inherited vectorcall. */
                type->tp_flags &= ~Py_TPFLAGS_HAVE_VECTORCALL;
            }
        }
    }
    *field = specific != NULL && !use_generic ? specific : generic;
    return i;
}

static int
group_start(int i)
{
    while (i > 0 && slots[i - 1].offset == slots[i].offset) {
        i--;
    }
    return i;
}

static void
fixup_all(PyTypeObject *type)
{
    for (int i = 0; i < SLOT_COUNT; ) {
        i = update_group(type, i);
    }
}

/* A type in C may fill only one of the fields that belong to a name: dict has mp_length,
   but no sq_length. Its subclasses have both: C code may ask any of them for its length,
   or for an item by index; and += of a list's subclass extends it before it asks for __radd__. */
static int
misses_a_field(PyTypeObject *type, int i)
{
    if (slots[i].offset < (int)SLOT_OFFSET_number(nb_add) || slots[i].function == NULL
        || same_name[i][1] < 0 || *slot_address(type, slots[i].offset) != NULL) {
        return 0;
    }
    for (const signed char *p = same_name[i]; *p >= 0; p++) {
        if (*slot_address(type, slots[(int)*p].offset) != NULL) {
            return 1;
        }
    }
    return 0;
}

/* Where a base has given up a field for a method, that of a type further back is inherited all the
   same. */
static int
has_passed_over_base(PyTypeObject *type, int i)
{
    if (slots[i].function != NULL || !(type->tp_base->tp_flags & Py_TPFLAGS_HEAPTYPE)) {
        return 0;
    }
    void **field = slot_address(type, slots[i].offset);
    void **inherited = slot_address(type->tp_base, slots[i].offset);
    return *field != NULL && inherited != NULL && *inherited == NULL;
}

/* Marks the fields that belong to names in the dictionary. Returns whether there were any, -1 if
   a key may be equal to a special name without being it. */
static int
mark_affected(PyObject *dict, unsigned char *affected)
{
    Py_ssize_t pos = 0;
    PyObject *key;
    int any = 0;
    while (PyDict_Next(dict, &pos, &key, NULL)) {
        if (!_PyUnicode_IsPlainInterned(key)) {
            return -1;
        }
        int first = find_name(key);
        if (first < 0) {
            continue;
        }
        any = 1;
        for (const signed char *p = same_name[first]; *p >= 0; p++) {
            affected[group_start(*p)] = 1;
        }
    }
    return any;
}

/* The MRO of a class is usually the class, its base and then the base's MRO, with what further
   bases bring between. Marks what those define that are not the base's; returns whether
   anything, or -1 if the MRO is an other one: then the class may have inherited what the base
   does not have. */
static int
mark_added(PyTypeObject *type, unsigned char *affected)
{
    PyObject *mro = type->tp_mro, *behind = type->tp_base->tp_mro;
    Py_ssize_t next = 0, wanted = behind == NULL ? -1 : PyTuple_GET_SIZE(behind);
    int any = 0;
    if (PyTuple_GET_SIZE(mro) < 2 || PyTuple_GET_ITEM(mro, 1) != (PyObject *)type->tp_base) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyObject *one = PyTuple_GET_ITEM(mro, i);
        if (next < wanted && PyTuple_GET_ITEM(behind, next) == one) {
            next++;
            continue;
        }
        PyObject *dict = PyType_Check(one) ? ((PyTypeObject *)one)->tp_dict : NULL;
        int found = dict == NULL ? -1 : mark_affected(dict, affected);
        if (found < 0) {
            return -1;
        }
        any |= found;
    }
    return next == wanted ? any : -1;
}

/* A class has the same methods as its base, except for those that the other classes of its MRO
   define. So only their fields can differ from the inherited ones. (A __hash__ of its own comes
   with tp_hash; __eq__ sets __hash__ too.) */
void
_PyType_FixupSlots(PyTypeObject *type)
{
    unsigned char affected[Py_ARRAY_LENGTH(slots)] = {0};
    int any = mark_added(type, affected);
    if (any < 0) {
        fixup_all(type);
        return;
    }
    for (int i = 0; type->tp_base != &PyBaseObject_Type && i < SLOT_COUNT; i++) {
        if (misses_a_field(type, i) || has_passed_over_base(type, i)) {
            affected[group_start(i)] = 1;
            any = 1;
        }
    }
    int own_hash = 0;
    for (int i = 0; any && i < SLOT_COUNT; i++) {
        if (affected[i]) {
            update_group(type, i);
            own_hash |= slots[i].offset == SLOT_OFFSET_type(tp_hash);
        }
    }
    /* Comparison and hash are inherited together or not at all. */
    for (int i = 0; own_hash && i < SLOT_COUNT; i++) {
        if (slots[i].offset == SLOT_OFFSET_type(tp_richcompare) && group_start(i) == i) {
            update_group(type, i);
        }
    }
    if (type->tp_iternext == NULL) {
        type->tp_iternext = _PyObject_NextNotImplemented;
    }
}

void
_PyType_KindChanged(PyTypeObject *type, descrgetfunc get, descrsetfunc set)
{
    if (type->tp_descr_get != get || type->tp_descr_set != set) {
        PyType_Modified(&PyBaseObject_Type);
    }
}

static void
update_groups_of(PyTypeObject *type, int first)
{
    descrgetfunc get = type->tp_descr_get;
    descrsetfunc set = type->tp_descr_set;
    for (const signed char *p = same_name[first]; *p >= 0; p++) {
        update_group(type, group_start(*p));
    }
    _PyType_KindChanged(type, get, set);
}

static int
update_tree(PyTypeObject *type, PyObject *name, int first)
{
    update_groups_of(type, first);
    if (type->tp_subclasses == NULL) {
        return 0;
    }
    PyObject *subclasses = _PyType_GetSubclasses(type);
    if (subclasses == NULL) {
        return -1;
    }
    int status = 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(subclasses) && status == 0;
         i++) {
        PyTypeObject *sub = (PyTypeObject *)PyList_GET_ITEM(subclasses, i);
        /* A subclass that overrides the name does not see the change. */
        if (sub->tp_dict != NULL && PyDict_Check(sub->tp_dict)) {
            int own = PyDict_Contains(sub->tp_dict, name);
            if (own != 0) {
                status = own < 0 ? -1 : 0;
                continue;
            }
        }
        status = update_tree(sub, name, first);
    }
    Py_DECREF(subclasses);
    return status;
}

int
_PyType_UpdateSlot(PyTypeObject *type, PyObject *name)
{
    int first = find_name(name);
    return first < 0 ? 0 : update_tree(type, name, first);
}

void
_PyType_UpdateAllSlots(PyTypeObject *type)
{
    PyType_Modified(type);
    for (int i = 0; i < SLOT_COUNT; i++) {
        if (same_name[i][0] == i
            && update_tree(type, slots[i].name_strobj, i) < 0) {
            PyErr_Clear();
        }
    }
}
