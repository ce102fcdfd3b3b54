/* Attributes and methods, by what the inline caches know.

   A value that is loaded is borrowed from its owner, as items are from their lists. It gets a
   reference of its own when the owner dies with the instruction, before something is stored
   (_PyJit_OwnBorrowed()), and before code runs that machine code does not know (_PyJit_Sync()).
   Destructors may run at each release: if they have dropped what is borrowed, machine code is
   left (rare.c).

   A pointer in a cache is good as long as its type has the version, so it is read only if the
   type can be found by its version now. */
#include "build_ops.h"
#include "internal/attr_place.h"
#include "internal/dict.h"
#include "internal/instance_attrs.h"
#include "internal/type.h"

#define HEADER(member) \
    ((size_t)0 - 4 * sizeof(void *) + offsetof(_PyInstanceHeader, member))

/* The object in a register, which is not an int or a double; or 0. Only what may be tagged is
   guarded. */
static JitRef
owner_in(JitBuilder *b, unsigned reg)
{
    JitRef ref = _PyJit_Use(b, reg);
    JitNode *n = _PyJit_At(b, ref);
    return n->op == JIT_CONST_NODE && n->imm == 0 ? 0 : to_object(b, ref);
}

void
_PyJit_GuardVersion(JitBuilder *b, JitRef owner, uint32_t version)
{
    _PyJit_Notice(b);
    for (int i = 0; i < b->nknown; i++) {
        if (b->known[i].owner == owner && b->known[i].version == version) {
            return;
        }
    }
    JitRef type = load(b, JIT_T_RAW, JIT_64, owner, offsetof(PyObject, ob_type));
    guard_mem(b, JIT_32, type, offsetof(PyTypeObject, tp_version_tag), version);
    _PyJit_Notice(b);
    if (b->nknown < (int)Py_ARRAY_LENGTH(b->known)) {
        b->known[b->nknown].owner = owner;
        b->known[b->nknown++].version = version;
    }
}

/* Nothing in the instance hides an attribute of its class (PLACE_OF_TYPE). 0: there is no code
   for that. */
static int
guard_not_hidden(JitBuilder *b, JitRef owner, uint32_t guard)
{
    if (guard == NO_OWN_ATTRIBUTES) {
        return 1;
    }
    if (guard >= OWN_DICT) {
        return 0;
    }
    JitRef capacity = load(b, JIT_T_RAW, JIT_8, owner, HEADER(capacity));
    guard_compare(b, JIT_NE, capacity, 0);
    JitRef type = load(b, JIT_T_RAW, JIT_64, owner, offsetof(PyObject, ob_type));
    JitRef keys = load(b, JIT_T_RAW, JIT_64, type, offsetof(PyHeapTypeObject, ht_cached_keys));
    guard_mem(b, JIT_8, keys, offsetof(_PySharedKeys, count), guard);
    return 1;
}

static void
guard_inline(JitBuilder *b, JitRef owner, uint64_t index)
{
    JitRef capacity = load(b, JIT_T_RAW, JIT_8, owner, HEADER(capacity));
    guard_compare(b, JIT_GT, capacity, index);
}

/* ----------------------------------------------------------------------- loads */

/* What a module has now where the cache says, or NULL. */
static PyObject *
value_in_module(PyObject *module, const PyCacheWord *cache)
{
    if (module == NULL || !Py_IS_TYPE(module, &PyModule_Type)) {
        return NULL;
    }
    struct _dictkeysobject *keys = (*(PyDictObject **)(module + 1))->ma_keys;
    return keys->version == cache[1].version
           ? _PyDictKeys_UnicodeEntries(keys)[cache[2].word].value : NULL;
}

/* The value of an attribute, not yet counted; or 0. */
static JitRef
attribute(JitBuilder *b, const PyInstr *in, JitRef owner)
{
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    uint32_t version = cache[1].version;
    PyTypeObject *type = _PyType_OfVersion(version);
    JitRef value;
    switch (in->op) {
    case OP_LOAD_ATTR__INLINE:
        if (type == NULL) {
            return 0;
        }
        _PyJit_GuardVersion(b, owner, version);
        guard_inline(b, owner, cache[2].word);
        value = load(b, JIT_T_OBJECT, JIT_64, owner,
                     (size_t)type->tp_basicsize + cache[2].word * sizeof(PyObject *));
        guard_compare(b, JIT_NE, value, 0);
        return value;
    case OP_LOAD_ATTR__MEMBER:
        _PyJit_GuardVersion(b, owner, version);
        value = load(b, JIT_T_OBJECT, JIT_64, owner, cache[2].word);
        guard_compare(b, JIT_NE, value, 0);
        return value;
    case OP_LOAD_ATTR__OF_TYPE:
        if (type == NULL || cache[1].version2 == OWN_DICT) {
            return 0;
        }
        _PyJit_GuardVersion(b, owner, version);
        (void)guard_not_hidden(b, owner, cache[1].version2);
        return _PyJit_Const(b, (PyReg)cache[2].ptr);
    case OP_LOAD_ATTR__MODULE: case OP_LOAD_METHOD__MODULE: {
        guard_mem(b, JIT_64, owner, offsetof(PyObject, ob_type), (uint64_t)&PyModule_Type);
        JitRef dict = load(b, JIT_T_RAW, JIT_64, owner, sizeof(PyObject));
        JitRef keys = load(b, JIT_T_RAW, JIT_64, dict, offsetof(PyDictObject, ma_keys));
        guard_mem(b, JIT_32, keys, offsetof(struct _dictkeysobject, version), version);
        value = load(b, JIT_T_OBJECT, JIT_64, keys,
                     sizeof(struct _dictkeysobject) + cache[2].word * sizeof(_PyDictUnicodeEntry)
                     + offsetof(_PyDictUnicodeEntry, value));
        guard_compare(b, JIT_NE, value, 0);
        _PyJit_At(b, value)->aux = value_in_module(_PyJit_SeenObject(b, owner), cache);
        return value;
    }
    case OP_LOAD_ATTR__CLASS: case OP_LOAD_METHOD__CLASS:
        if (type == NULL) {
            return 0;
        }
        _PyJit_GuardVersion(b, owner, cache[1].version2);
        guard_mem(b, JIT_32, owner, offsetof(PyTypeObject, tp_version_tag), version);
        return _PyJit_Const(b, (PyReg)cache[2].ptr);
    default:
        return 0;
    }
}

/* The register whose owner is done with gives way to the value in another. */
static void
finish_load(JitBuilder *b, unsigned from, unsigned to, JitRef value)
{
    int counts = _PyJit_Dies(b, from) && _PyJit_MayCount(b, value);
    if (counts) {
        (void)_PyJit_Node(b, JIT_INCREF_NODE, JIT_T_NONE, value, 0);
    }
    _PyJit_Done(b, from);
    _PyJit_Write(b, to, value, counts);
    _PyJit_FinishInstr(b, b->next);
}

static int
build_property(JitBuilder *b, const PyInstr *in, JitRef owner)
{
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    if (_PyType_OfVersion(cache[1].version) == NULL) {
        return 0;
    }
    _PyJit_GuardVersion(b, owner, cache[1].version);
    return _PyJit_BuildProperty(b, in, owner, cache[2].ptr);
}

/* A descriptor in C. */
static int
build_getter(JitBuilder *b, const PyInstr *in, JitRef owner)
{
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    PyTypeObject *type = _PyType_OfVersion(cache[1].version);
    PyObject *descr = cache[2].ptr;
    /* Others might be destroyed while they run. */
    if (type == NULL || (!Py_IS_TYPE(descr, &PyGetSetDescr_Type)
                         && !Py_IS_TYPE(descr, &PyMemberDescr_Type))) {
        return 0;
    }
    _PyJit_GuardVersion(b, owner, cache[1].version);
    _PyJit_Sync(b);
    JitRef first = raw_const(b, (uint64_t)descr), last = raw_const(b, (uint64_t)type);
    JitRef value = _PyJit_Node(b, JIT_CALL_OPAQUE_NODE, JIT_T_OBJECT, first, owner);
    JitNode *n = _PyJit_At(b, value);
    n->args[2] = last;
    n->nargs = 3;
    n->cond = JIT_RAISES_AS_GETTER;
    n->imm = b->ip;
    n->aux = (const void *)Py_TYPE(descr)->tp_descr_get;
    _PyJit_Done(b, in->b);
    _PyJit_Write(b, in->a, value, 1);
    _PyJit_FinishInstr(b, b->next);
    _PyJit_CheckOk(b, b->next);
    return 1;
}

static int
build_load(JitBuilder *b, const PyInstr *in)
{
    JitRef owner = owner_in(b, in->b);
    if (owner != 0 && in->op == OP_LOAD_ATTR__PROPERTY) {
        return build_property(b, in, owner);
    }
    if (owner != 0 && in->op == OP_LOAD_ATTR__GETTER) {
        return build_getter(b, in, owner);
    }
    JitRef value = owner == 0 ? 0 : attribute(b, in, owner);
    if (value == 0) {
        return 0;
    }
    finish_load(b, in->b, in->a, value);
    return 1;
}

/* ---------------------------------------------------------------------- stores */

JitRef
_PyJit_TakeObject(JitBuilder *b, unsigned reg, JitRef value, JitRef old)
{
    JitType type = type_of(b, value);
    int owned;
    if (type == JIT_T_INT || type == JIT_T_DOUBLE) {
        JitRef object = box(b, value, old);
        _PyJit_Done(b, reg);
        return object;
    }
    (void)_PyJit_Take(b, reg, &owned);
    if (!owned && _PyJit_MayCount(b, value)) {
        (void)_PyJit_Node(b, JIT_INCREF_NODE, JIT_T_NONE, value, 0);
    }
    return value;               /* None, True and False are not counted */
}

/* An instance's first value of this name: it is the newest in the order. */
static void
append_to_order(JitBuilder *b, JitRef owner, size_t basicsize, uint64_t index)
{
    JitRef used = load(b, JIT_T_RAW, JIT_8, owner, HEADER(used));
    JitRef room = load(b, JIT_T_RAW, JIT_8, owner, HEADER(room));
    JitRef place = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_RAW, owner, used);
    for (int i = 0; i < 3; i++) {
        room = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_RAW, room, room);
    }
    place = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_RAW, place, room);
    store(b, JIT_8, place, basicsize, raw_const(b, index));
    JitRef more = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_RAW, used, 0);
    _PyJit_At(b, more)->imm = 1;
    store(b, JIT_8, owner, HEADER(used), more);
}

/* The first value of an attribute in a new instance, whose layout is known. 0: it is not that. */
static int
fill_new(JitBuilder *b, const PyInstr *in, JitRef owner, JitRef value, PyTypeObject *type)
{
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    JitInlined *maker = _PyJit_MakerOf(b, owner);
    int is_inline = in->op == OP_STORE_ATTR__INLINE;
    uint64_t index = cache[2].word, bit = (uint64_t)1 << (is_inline ? index : index / 8) % 64;
    if (maker == NULL || (maker->made_set & bit) || (is_inline && index >= maker->made_room)
        || cache[1].version != type->tp_version_tag) {
        return 0;
    }
    _PyJit_GuardVersion(b, owner, cache[1].version);
    JitRef first = b->g->nnodes;
    size_t offset = index;
    value = _PyJit_TakeObject(b, in->b, value, 0);
    if (is_inline) {
        size_t values = (size_t)type->tp_basicsize;
        offset = values + index * sizeof(PyObject *);
        store(b, JIT_8, owner, values + maker->made_room * sizeof(PyObject *) + maker->made_used,
              raw_const(b, index));
        store(b, JIT_8, owner, HEADER(used), raw_const(b, ++maker->made_used));
    }
    store(b, JIT_64, owner, offset, value);
    maker->made_set |= bit;
    _PyJit_Done(b, in->a);
    _PyJit_FinishInstr(b, b->next);
    _PyJit_MarkFilling(b, first);
    return 1;
}

static int
build_store(JitBuilder *b, const PyInstr *in)
{
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    PyTypeObject *type = _PyType_OfVersion(cache[1].version);
    int is_inline = in->op == OP_STORE_ATTR__INLINE;
    int seen = JIT_LEFT(b->kinds[b->ip]), kinds = JIT_RIGHT(b->kinds[b->ip]);
    if ((!is_inline && in->op != OP_STORE_ATTR__MEMBER) || type == NULL) {
        return 0;
    }
    JitRef owner = owner_in(b, in->a);
    JitRef value = _PyJit_Use(b, in->b);
    if (owner == 0 || (type_of(b, value) == JIT_T_WORD
                       && kinds == (JIT_SEEN_INT | JIT_SEEN_OTHER))) {
        return 0;
    }
    if (type_of(b, value) == JIT_T_WORD) {
        int is_int = kinds == JIT_SEEN_INT;
        JitRef better = guarded(b, is_int ? JIT_GUARD_INT_NODE : JIT_GUARD_OBJECT_NODE,
                                is_int ? JIT_T_INT : JIT_T_OBJECT, value, 0);
        _PyJit_Refine(b, value, better);
        value = better;
    }
    if (b->inlined != NULL && fill_new(b, in, owner, value, type)) {
        return 1;
    }
    if (is_inline && seen == (JIT_SEEN_OLD | JIT_SEEN_NEW)) {
        return 0;
    }
    _PyJit_GuardVersion(b, owner, cache[1].version);
    size_t offset = cache[2].word;
    if (is_inline) {
        guard_inline(b, owner, cache[2].word);
        offset = (size_t)type->tp_basicsize + cache[2].word * sizeof(PyObject *);
    }
    JitRef old = load(b, is_inline ? JIT_T_OBJECT : JIT_T_WORD, JIT_64, owner, offset);
    int is_new = is_inline && seen == JIT_SEEN_NEW;
    if (is_inline) {
        guard_compare(b, is_new ? JIT_EQ : JIT_NE, old, 0);
    }
    if (!is_new) {
        _PyJit_GuardQuiet(b, old);
        _PyJit_OwnBorrowed(b, 0, class_of(b, old));
    }
    value = _PyJit_TakeObject(b, in->b, value, is_new ? 0 : old);
    if (is_new) {
        append_to_order(b, owner, (size_t)type->tp_basicsize, cache[2].word);
    }
    store(b, JIT_64, owner, offset, value);
    if (!is_new) {
        _PyJit_GiveUp(b, old, 1);
    }
    _PyJit_Done(b, in->a);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

/* --------------------------------------------------------------------- methods */

static int
build_load_method(JitBuilder *b, const PyInstr *in)
{
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    JitRef owner = owner_in(b, in->b);
    if (owner == 0) {
        return 0;
    }
    if (in->op == OP_LOAD_METHOD__MODULE || in->op == OP_LOAD_METHOD__CLASS) {
        JitRef value = attribute(b, in, owner);
        if (value == 0) {
            return 0;
        }
        finish_load(b, in->b, in->a + 1u, value);
        _PyJit_Write(b, in->a, _PyJit_Const(b, 0), 0);
        return 1;
    }
    if ((in->op != OP_LOAD_METHOD__INLINE && in->op != OP_LOAD_METHOD__NO_DICT)
        || _PyType_OfVersion(cache[1].version) == NULL
        || (in->op == OP_LOAD_METHOD__INLINE && cache[1].version2 == OWN_DICT)) {
        return 0;
    }
    _PyJit_GuardVersion(b, owner, cache[1].version);
    if (in->op == OP_LOAD_METHOD__INLINE) {
        (void)guard_not_hidden(b, owner, cache[1].version2);
    }
    int owned;
    JitRef self = _PyJit_Take(b, in->b, &owned);
    _PyJit_Write(b, in->a, _PyJit_Const(b, (PyReg)cache[2].ptr), 0);
    _PyJit_Write(b, in->a + FRAME_WORDS, self, owned);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

/* The free variable __class__, or -1. */
static int
find_class_cell(const PyCodeObject *code)
{
    int first = code->co_nlocalsplus - code->co_nfreevars;
    for (int i = 0; i < code->co_nfreevars; i++) {
        PyObject *name = PyTuple_GET_ITEM(code->co_localsplusnames, first + i);
        if (PyUnicode_CompareWithASCIIString(name, "__class__") == 0) {
            return i;
        }
    }
    return -1;
}

/* super().method: no super object is made. The cache of the second instruction says which method
   it is for the classes of the first argument and of the cell __class__. */
int
_PyJit_BuildSuperMethod(JitBuilder *b, const PyInstr *in)
{
    const PyInstr *next = &b->code->code[b->next];
    const PyCodeObject *code = &b->code->ob;
    if (in->b != 0 || next->op != OP_LOAD_METHOD__SUPER || next->b != in->c
        || in->c < b->first_temp || b->source_at[b->next] != 0 || b->refused[b->next]) {
        return 0;
    }
    const PyCacheWord *cache = (const PyCacheWord *)(next + 1);
    PyTypeObject *type = _PyType_OfVersion(cache[1].version);
    PyTypeObject *cls = _PyType_OfVersion(cache[1].version2);
    int cell_index = find_class_cell(code);
    JitRef callee = _PyJit_Use(b, in->a);
    if (type == NULL || cls == NULL || cell_index < 0 || code->co_argcount == 0
        || PyType_HasFeature(type, Py_TPFLAGS_TYPE_SUBCLASS)
        || (PyBytes_AS_STRING(code->co_localspluskinds)[0] & CO_FAST_CELL)
        || _PyJit_SeenObject(b, callee) != (PyObject *)&PySuper_Type) {
        return 0;
    }
    JitRef self = owner_in(b, 0);
    if (self == 0) {
        return 0;
    }
    guard_compare(b, JIT_EQ, callee, (uint64_t)&PySuper_Type);
    guard_compare(b, JIT_NE, self, 0);
    JitRef closure = load(b, JIT_T_RAW, JIT_64, frame_function(b),
                          offsetof(PyFunctionObject, func_closure));
    JitRef cell = load(b, JIT_T_RAW, JIT_64, closure,
                       offsetof(PyTupleObject, ob_item) + (size_t)cell_index * sizeof(PyObject *));
    JitRef held = load(b, JIT_T_RAW, JIT_64, cell, offsetof(PyCellObject, ob_ref));
    guard_compare(b, JIT_EQ, held, (uint64_t)cls);
    guard_mem(b, JIT_32, held, offsetof(PyTypeObject, tp_version_tag), cache[1].version2);
    _PyJit_GuardVersion(b, self, cache[1].version);
    _PyJit_Done(b, in->a);
    _PyJit_Write(b, next->a, _PyJit_Const(b, (PyReg)cache[2].ptr), 0);
    _PyJit_Write(b, next->a + FRAME_WORDS, self, 0);
    b->next += 1u + _PyOpcode_Info[next->op].cache;
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

int
_PyJit_BuildAttr(JitBuilder *b, const PyInstr *in)
{
    switch (_PyOpcode_Info[in->op].base) {
    case OP_LOAD_ATTR: return build_load(b, in);
    case OP_STORE_ATTR: return build_store(b, in);
    default: return build_load_method(b, in);
    }
}
