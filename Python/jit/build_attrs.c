/* Attributes and methods, by what the inline caches know.

   A value that is loaded is borrowed from its owner, as items are from their lists. It gets a
   reference of its own when the owner dies with the instruction, before something is stored
   (_PyJit_OwnBorrowed()), and before code runs that machine code does not know (_PyJit_Sync()).
   Destructors may run at each release: if they have dropped what is borrowed, machine code is
   left (rare.c).

   A pointer in a cache is good as long as its type has the version, so it is read only if the
   type can be found by its version now. */
#include "build_ops.h"
#include "items.h"
#include "likes.h"
#include "quiet.h"
#include "internal/attr_place.h"
#include "internal/callable_wrapper.h"
#include "internal/dict.h"
#include "internal/instance_attrs.h"
#include "internal/slot_prototypes.h"
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

const uint32_t *
_PyJit_VersionAlone(JitBuilder *b, uint32_t version)
{
    static const uint32_t none;
    uint32_t *alone = _PyJit_Alloc(b->g, sizeof(*alone));
    if (alone == NULL) {
        return &none;           /* the graph has failed */
    }
    *alone = version;
    return alone;
}

static int
is_among(uint32_t version, const uint32_t *versions, unsigned n)
{
    int found = 0;
    for (unsigned i = 0; i < n; i++) {
        found |= versions[i] == version;
    }
    return found;
}

/* What is known of the class of an object: a number of `known`, or -1. */
static int
known_versions(JitBuilder *b, JitRef owner)
{
    _PyJit_Notice(b);
    int found = -1;
    for (int i = 0; i < b->nknown; i++) {
        if (b->known[i].owner == owner && b->known[i].like == NULL
            && (found < 0 || b->known[i].n < b->known[found].n)) {
            found = i;
        }
    }
    return found;
}

/* The type has one of these versions. */
static void
guard_type(JitBuilder *b, JitRef type, const uint32_t *versions, unsigned n)
{
    if (n == 1) {
        guard_mem(b, JIT_32, type, offsetof(PyTypeObject, tp_version_tag), versions[0]);
        return;
    }
    JitRef guard = guarded(b, JIT_GUARD_VERSIONS_NODE, JIT_T_NONE, type, 0);
    _PyJit_At(b, guard)->aux = versions;
    _PyJit_At(b, guard)->reg = (uint16_t)n;
}

int
_PyJit_Know(JitBuilder *b, JitKnownClass known)
{
    _PyJit_Notice(b);
    int has_room = b->nknown < (int)Py_ARRAY_LENGTH(b->known);
    if (has_room) {
        b->known[b->nknown++] = known;
    }
    return has_room;
}

/* The owner's type has one of these versions. */
static void
guard_versions(JitBuilder *b, JitRef owner, const uint32_t *versions, unsigned n)
{
    int at = known_versions(b, owner), sure = at >= 0;
    for (unsigned i = 0; sure && i < b->known[at].n; i++) {
        sure = is_among(b->known[at].versions[i], versions, n);
    }
    if (sure) {
        return;
    }
    JitRef type = load(b, JIT_T_RAW, JIT_64, owner, offsetof(PyObject, ob_type));
    guard_type(b, type, versions, n);
    _PyJit_Know(b, (JitKnownClass){.owner = owner, .n = n, .versions = versions});
}

void
_PyJit_GuardVersion(JitBuilder *b, JitRef owner, uint32_t version)
{
    guard_versions(b, owner, _PyJit_VersionAlone(b, version), 1);
}

/* What the object's class is known to be like, or NULL. */
static JitLike *
known_like(JitBuilder *b, JitRef object)
{
    JitLike *found = NULL;
    _PyJit_Notice(b);
    for (int i = 0; i < b->nknown && found == NULL; i++) {
        found = b->known[i].owner == object ? b->known[i].like : NULL;
    }
    return found;
}

void
_PyJit_GuardLikeType(JitBuilder *b, JitRef type, JitLike *like)
{
    JitRef guard = guarded(b, JIT_GUARD_LIKE_NODE, JIT_T_NONE, type, 0);
    _PyJit_At(b, guard)->aux = like;
}

static void
guard_like(JitBuilder *b, JitRef owner, JitLike *like)
{
    if (known_like(b, owner) != like) {
        _PyJit_GuardLikeType(b, load(b, JIT_T_RAW, JIT_64, owner, offsetof(PyObject, ob_type)),
                             like);
        _PyJit_Know(b, (JitKnownClass){.owner = owner, .like = like});
    }
}

JitRef
_PyJit_ValueOfLike(JitBuilder *b, const JitLike *like, int demand, PyObject *seen)
{
    JitLikeRule rule = like->demands[demand].rule;
    if (rule == JIT_LIKE_SAME) {
        return _PyJit_Const(b, (PyReg)seen);
    }
    JitRef value = load(b, JIT_T_OBJECT, JIT_64, raw_const(b, (uint64_t)like),
                        offsetof(JitLike, ways[0].values)
                        + (size_t)demand * sizeof(like->ways[0].values[0]));
    if (rule != JIT_LIKE_PLAIN) {
        _PyJit_At(b, value)->cls = Py_TYPE(seen);
        _PyJit_At(b, value)->aux = seen;
    }
    return value;
}

/* The class that stands for owners of classes that are made anew, or NULL. Up to eight classes that
   stay are told apart by a guard on all of them, so that is tried first. */
static PyTypeObject *
model_of_owners(JitBuilder *b)
{
    int go = 0;
    PyTypeObject *last = b->operands == NULL ? NULL
        : _PyJit_LastMadeAnew(_PyJit_OwnersOf((JitOperands *)b->operands, b->ip), &go);
    const PyJitCode *jit = b->g->code->jit, *own = b->code->jit;
    return go || jit->versions >= JIT_LIKE_VERSIONS || own->versions >= JIT_LIKE_VERSIONS ? last
                                                                                         : NULL;
}

/* Have the owners been several classes of one name (not instances of them)? Programs that make a
   class anew each time go on to do so, and the next would not be among those that have been
   seen. */
static int
has_classes_made_anew(JitBuilder *b)
{
    const uint32_t *seen = _PyJit_OwnersOf((JitOperands *)b->operands, b->ip);
    PyTypeObject *types[JIT_OWNERS];
    int n = 0, again = 0;
    for (int i = 0; b->operands != NULL && i < JIT_OWNERS && seen[i] != 0; i++) {
        types[n] = seen[i] < JIT_OPERAND_INT && (seen[i] & JIT_IS_CLASS)
                   ? _PyType_OfVersion(seen[i] & ~JIT_IS_CLASS) : NULL;
        for (int k = 0; k < n && types[n] != NULL; k++) {
            again |= strcmp(types[k]->tp_name, types[n]->tp_name) == 0;
        }
        n += types[n] != NULL;
    }
    return again;
}

/* ----------------------------------------------------------------------- sites */

/* What an instruction has met, and where the attribute is in such owners. */
typedef struct {
    PyObject *name;
    uint32_t *versions;         /* of the owners' classes */
    unsigned n;                 /* 0: not known, or too many */
    PyTypeObject *types[JIT_OWNERS];
    JitLike *like;              /* their classes are like the only one of `types`, or NULL */
    int demand;                 /* and what has to be where the attribute is */
    int of_classes;             /* the owners are classes themselves, of the same metatype */
    _PyAttrPlace place;         /* PLACE_UNKNOWN: not the same for all */
} Site;

/* Is what holds for one type true for the other, whose instances may be of other sizes? */
static int
is_same_place(const Site *site, PyTypeObject *type, _PyAttrPlace place)
{
    return site->place.kind == place.kind && site->place.number == place.number
           && (place.kind != PLACE_INLINE || site->types[0]->tp_basicsize == type->tp_basicsize)
           && (place.kind == PLACE_INLINE || place.kind == PLACE_MEMBER
               || site->place.value == place.value);
}

/* Adds a class. 0: nothing is known of attributes of its instances, or of its own. */
static int
add_version(Site *site, uint32_t version)
{
    int is_class = version < JIT_OPERAND_INT && (version & JIT_IS_CLASS);
    version = is_class ? version & ~JIT_IS_CLASS : version;
    PyTypeObject *type = version >= JIT_OPERAND_INT ? NULL : _PyType_OfVersion(version);
    if (type == NULL || type == &PyModule_Type || type == &PySuper_Type) {
        return type == NULL && version < JIT_OPERAND_INT;       /* it is no more */
    }
    _PyAttrPlace place = is_class ? _PyJit_PlaceOfClass(type, site->name)
                                  : _PyJit_PlaceInInstances(type, site->name);
    if (type->tp_version_tag != version
        || (site->n > 0 && (site->of_classes != is_class
                            || (is_class && Py_TYPE(site->types[0]) != Py_TYPE(type))))) {
        return 0;
    }
    if (site->n == 0) {
        site->place = place;
        site->of_classes = is_class;
    }
    else if (!is_same_place(site, type, place)) {
        site->place.kind = PLACE_UNKNOWN;
    }
    site->types[site->n] = type;
    site->versions[site->n++] = version;
    return 1;
}

/* Owners are of classes like that one. */
static void
fill_like(Site *site, JitLike *like)
{
    PyTypeObject *model = _PyJit_ModelOf(like);
    _PyAttrPlace place = model == NULL ? (_PyAttrPlace){.kind = PLACE_UNKNOWN}
                                       : _PyJit_PlaceInInstances(model, site->name);
    site->demand = _PyJit_Demand(like, site->name, &place);
    if (site->demand >= 0) {
        site->like = like;
        site->place = place;
        site->n = 1;
        site->types[0] = model;
        site->versions[0] = place.version;
    }
}

/* Are all owners' classes like the last of them, one of many that are made? Then this is the
   site. */
static int
has_like_owners(JitBuilder *b, Site *site)
{
    PyTypeObject *model = model_of_owners(b);
    JitLike *like = model == NULL ? NULL : _PyJit_NewLike(b->g, model);
    if (like == NULL) {
        return 0;
    }
    Site filled = *site;
    fill_like(&filled, like);
    const uint32_t *seen = _PyJit_OwnersOf((JitOperands *)b->operands, b->ip);
    int fit = filled.like != NULL;
    for (int i = 0; fit && i < JIT_OWNERS && seen[i] != 0; i++) {
        PyTypeObject *type = seen[i] < JIT_IS_CLASS ? _PyType_OfVersion(seen[i]) : NULL;
        fit = type == NULL || _PyJit_WouldFit(type, like);
    }
    *site = fit ? filled : *site;
    return fit;
}

static Site
site_of(JitBuilder *b, const PyInstr *in, JitRef owner)
{
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    Site site = {.name = PyTuple_GET_ITEM(b->code->ob.co_names, cache->arg),
                 .versions = _PyJit_Alloc(b->g, JIT_OWNERS * sizeof(uint32_t))};
    const uint32_t *seen = _PyJit_OwnersOf((JitOperands *)b->operands, b->ip);
    int at = known_versions(b, owner);
    int is_class = seen[0] > JIT_IS_CLASS && seen[0] < JIT_OPERAND_INT;
    unsigned n = JIT_OWNERS;
    if (site.versions == NULL || b->refused[b->ip] || has_classes_made_anew(b)) {
        return site;            /* the method cache may know it */
    }
    JitLike *like = known_like(b, owner);
    if (like != NULL) {
        fill_like(&site, like);
        return site;
    }
    if (at < 0 && has_like_owners(b, &site)) {
        return site;
    }
    if (at >= 0 && !is_class) {
        seen = b->known[at].versions;
        n = b->known[at].n;
    }
    for (unsigned i = 0; i < n && seen[i] != 0; i++) {
        if (!add_version(&site, seen[i])) {
            site.n = 0;
            site.place.kind = PLACE_UNKNOWN;
            break;
        }
    }
    return site;
}

/* The owner's class is one of those that have been seen. */
static void
guard_class(JitBuilder *b, const Site *site, JitRef owner)
{
    if (site->like != NULL) {
        guard_like(b, owner, site->like);
    }
    else {
        guard_versions(b, owner, site->versions, site->n);
    }
}

/* The owner is one of those that have been seen, by what guards can tell. */
static void
guard_site(JitBuilder *b, const Site *site, JitRef owner)
{
    if (site->of_classes) {
        _PyJit_GuardVersion(b, owner, site->place.version2);
        guard_type(b, owner, site->versions, site->n);
    }
    else {
        guard_class(b, site, owner);
    }
}

/* What the class has, behind the guard. */
static JitRef
value_of_class(JitBuilder *b, const Site *site)
{
    return site->like != NULL
           ? _PyJit_ValueOfLike(b, site->like, site->demand, site->place.value)
           : _PyJit_Const(b, (PyReg)site->place.value);
}

/* No dictionary in the instance hides an attribute of its class (PLACE_OF_TYPE). 0: there is no
   code for that. */
static int
guard_not_hidden(JitBuilder *b, const Site *site, JitRef owner)
{
    if (site->place.number == OWN_DICT) {
        Py_ssize_t offset = site->types[0]->tp_dictoffset;
        for (unsigned i = 1; i < site->n; i++) {
            offset = site->types[i]->tp_dictoffset == offset ? offset : 0;
        }
        if (offset <= 0 || (JIT_RIGHT(b->kinds[b->ip]) & (JIT_SEEN_FOUND | JIT_SEEN_SOUGHT))) {
            return 0;           /* there are dictionaries */
        }
        guard_compare(b, JIT_EQ, load(b, JIT_T_RAW, JIT_64, owner, (size_t)offset), 0);
    }
    else if (site->place.number != NO_OWN_ATTRIBUTES) {
        guard_compare(b, JIT_NE, load(b, JIT_T_RAW, JIT_8, owner, HEADER(capacity)), 0);
    }
    return 1;
}

static void
guard_inline(JitBuilder *b, JitRef owner, uint64_t index)
{
    JitRef capacity = load(b, JIT_T_RAW, JIT_8, owner, HEADER(capacity));
    guard_compare(b, JIT_GT, capacity, index);
}

/* A call that changes nothing which machine code knows (quiet.h). */
static JitRef
quiet_call(JitBuilder *b, const void *function, JitType type, JitRef x, JitRef y)
{
    (void)_PyJit_SnapBefore(b);         /* for the guard behind it */
    JitRef value = _PyJit_Node(b, JIT_CALL_NODE, type, x, y);
    JitNode *n = _PyJit_At(b, value);
    n->nargs = y != 0 ? 2 : 1;
    n->aux = function;
    n->cond = 1;
    return value;
}

/* ----------------------------------------------------------------------- loads */

/* What a module has now in this place, or NULL. */
static PyObject *
value_in_module(PyObject *module, _PyAttrPlace place)
{
    if (module == NULL || !Py_IS_TYPE(module, &PyModule_Type)) {
        return NULL;
    }
    struct _dictkeysobject *keys = (*(PyDictObject **)(module + 1))->ma_keys;
    return keys->version == place.version ? _PyDictKeys_UnicodeEntries(keys)[place.number].value
                                          : NULL;
}

/* The place of an attribute of a module or a class, by the cache, or by what the owner is now. */
static _PyAttrPlace
cached_place(JitBuilder *b, const PyInstr *in, JitRef owner)
{
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    _PyAttrPlace place = {.version = cache[1].version, .version2 = cache[1].version2};
    PyObject *seen = _PyJit_SeenObject(b, owner);
    switch (in->op) {
    case OP_LOAD_ATTR__MODULE: case OP_LOAD_METHOD__MODULE:
        place.kind = PLACE_MODULE;
        place.number = cache[2].word;
        break;
    case OP_LOAD_ATTR__CLASS: case OP_LOAD_METHOD__CLASS:
        place.kind = PLACE_OF_CLASS;
        place.value = cache[2].ptr;
        break;
    default:
        if (seen != NULL && (PyModule_CheckExact(seen) || PyType_Check(seen))) {
            place = _PyAttr_Find(seen, PyTuple_GET_ITEM(b->code->ob.co_names, cache->arg));
        }
    }
    return place;
}

/* What is in a dictionary that belongs to a module, or to a class; or 0. */
static JitRef
cached_attribute(JitBuilder *b, const PyInstr *in, JitRef owner)
{
    if (b->refused[b->ip]) {
        return 0;
    }
    _PyAttrPlace place = cached_place(b, in, owner);
    switch (place.kind) {
    case PLACE_MODULE: {
        guard_mem(b, JIT_64, owner, offsetof(PyObject, ob_type), (uint64_t)&PyModule_Type);
        JitRef dict = load(b, JIT_T_RAW, JIT_64, owner, sizeof(PyObject));
        JitRef keys = load(b, JIT_T_RAW, JIT_64, dict, offsetof(PyDictObject, ma_keys));
        guard_mem(b, JIT_32, keys, offsetof(struct _dictkeysobject, version), place.version);
        JitRef value = load(b, JIT_T_OBJECT, JIT_64, keys,
                     sizeof(struct _dictkeysobject) + place.number * sizeof(_PyDictUnicodeEntry)
                     + offsetof(_PyDictUnicodeEntry, value));
        guard_compare(b, JIT_NE, value, 0);
        _PyJit_At(b, value)->aux = value_in_module(_PyJit_SeenObject(b, owner), place);
        return value;
    }
    case PLACE_OF_CLASS:
        if (_PyType_OfVersion(place.version) == NULL || has_classes_made_anew(b)) {
            return 0;
        }
        _PyJit_GuardVersion(b, owner, place.version2);
        guard_mem(b, JIT_32, owner, offsetof(PyTypeObject, tp_version_tag), place.version);
        return _PyJit_Const(b, (PyReg)place.value);
    default:
        return 0;
    }
}

/* What the method cache leads to. Leaves where it leads to nothing. */
static JitRef
found_attribute(JitBuilder *b, const void *function, JitRef owner, PyObject *name)
{
    JitRef value = quiet_call(b, function, JIT_T_OBJECT, owner, raw_const(b, (uint64_t)name));
    guard_compare(b, JIT_NE, value, 0);
    return value;
}

/* Which the owner's class gives, if nothing hides it. 0: it has to be searched for. */
static JitRef
placed_in_class(JitBuilder *b, const Site *site, JitRef owner)
{
    guard_site(b, site, owner);
    return site->of_classes || guard_not_hidden(b, site, owner)
           ? value_of_class(b, site) : 0;
}

/* The value of an attribute that is in the instance or, unbound, in its class; borrowed, or 0. */
static JitRef
placed_attribute(JitBuilder *b, const Site *site, JitRef owner)
{
    JitRef value;
    size_t offset = site->place.number;
    switch (site->place.kind) {
    case PLACE_INLINE:
        guard_class(b, site, owner);
        guard_inline(b, owner, site->place.number);
        value = load(b, JIT_T_OBJECT, JIT_64, owner,
                     (size_t)site->types[0]->tp_basicsize + offset * sizeof(PyObject *));
        guard_compare(b, JIT_NE, value, 0);
        return value;
    case PLACE_MEMBER:
        guard_class(b, site, owner);
        value = load(b, JIT_T_OBJECT, JIT_64, owner, offset);
        guard_compare(b, JIT_NE, value, 0);
        return value;
    case PLACE_CLASS:
        guard_class(b, site, owner);
        return load(b, JIT_T_OBJECT, JIT_64, owner, offsetof(PyObject, ob_type));
    case PLACE_OF_TYPE:
        /* It may bind now, though what was seen did not. */
        return Py_TYPE(site->place.value)->tp_descr_get != NULL ? 0
               : placed_in_class(b, site, owner);
    case PLACE_OF_CLASS:
        return placed_in_class(b, site, owner);
    default:
        return 0;
    }
}

/* The same by the shortest way that is good for all owners that have been seen. */
static JitRef
attribute(JitBuilder *b, const Site *site, JitRef owner)
{
    int seen = JIT_RIGHT(b->kinds[b->ip]);
    JitRef value = (seen & ~JIT_SEEN_NO_METHOD) == JIT_SEEN_PLACED && site->n > 0
                   ? placed_attribute(b, site, owner) : 0;
    return value == 0 && (seen & JIT_SEEN_SOUGHT) == 0 && seen != 0
           ? found_attribute(b, (const void *)_PyJit_Attr, owner, site->name) : value;
}

/* The register whose owner is done with gives way to the value in another. */
static void
finish_load(JitBuilder *b, unsigned from, unsigned to, JitRef value)
{
    int counts = _PyJit_Dies(b, from) && _PyJit_MayCount(b, value);
    if (counts) {
        incref(b, value);
    }
    _PyJit_Done(b, from);
    _PyJit_WriteValue(b, to, value, counts);
}

static int
build_property(JitBuilder *b, const PyInstr *in, const Site *site, JitRef owner)
{
    /* With __getattr__, that would be called if the getter raises AttributeError. */
    for (unsigned i = 0; i < site->n; i++) {
        if (site->types[i]->tp_getattro != PyObject_GenericGetAttr) {
            return 0;
        }
    }
    guard_class(b, site, owner);
    return _PyJit_BuildProperty(b, in, owner, value_of_class(b, site), site->place.value);
}

/* Descriptors that may be destroyed while they run. */
static PyObject *
get_by(PyObject *descr, PyObject *owner, PyObject *type)
{
    Py_INCREF(descr);
    PyObject *value = Py_TYPE(descr)->tp_descr_get(descr, owner, type);
    Py_DECREF(descr);
    return value;
}

/* A descriptor in C, or what binds. */
static int
build_getter(JitBuilder *b, const PyInstr *in, const Site *site, JitRef owner)
{
    PyObject *descr = site->place.value;
    descrgetfunc get = Py_TYPE(descr)->tp_descr_get;
    int fits = get != NULL && get != slot_descr_get;    /* Python's may lose its method */
    for (unsigned i = 0; i < site->n; i++) {
        fits = fits && !_PyAttr_MayGoOn(site->types[i], descr);
    }
    if (!fits) {
        return 0;
    }
    if (!Py_IS_TYPE(descr, &PyGetSetDescr_Type) && !Py_IS_TYPE(descr, &PyMemberDescr_Type)) {
        get = get_by;
    }
    guard_class(b, site, owner);
    if (site->place.kind == PLACE_OF_TYPE
        && !guard_not_hidden(b, site, owner)) {
        return 0;
    }
    JitRef first = site->like != NULL ? value_of_class(b, site) : raw_const(b, (uint64_t)descr);
    _PyJit_Sync(b);
    JitRef last = load(b, JIT_T_RAW, JIT_64, owner, offsetof(PyObject, ob_type));
    JitRef value = _PyJit_Node(b, JIT_CALL_OPAQUE_NODE, JIT_T_OBJECT, first, owner);
    JitNode *n = _PyJit_At(b, value);
    n->args[2] = last;
    n->nargs = 3;
    n->cond = JIT_RAISES_AS_GETTER;
    n->imm = b->ip;
    n->aux = (const void *)get;
    _PyJit_Done(b, in->b);
    _PyJit_WriteValue(b, in->a, value, 1);
    _PyJit_CheckOk(b, b->next);
    return 1;
}

/* z.real, z.imag; or 0. */
static JitRef
part_of_complex(JitBuilder *b, const Site *site, JitRef owner)
{
    int is_real = PyUnicode_CompareWithASCIIString(site->name, "real") == 0;
    if (!is_real && PyUnicode_CompareWithASCIIString(site->name, "imag") != 0) {
        return 0;
    }
    JitComplex z = _PyJit_Parts(b, owner, JIT_SEEN_OTHER, 1);
    return is_real ? z.re : z.im;
}

static int
build_load(JitBuilder *b, const PyInstr *in)
{
    JitRef owner = owner_in(b, in->b);
    JitRef value = owner == 0 ? 0 : cached_attribute(b, in, owner);
    if (owner != 0 && value == 0) {
        Site site = site_of(b, in, owner);
        if (site.place.kind == PLACE_PROPERTY) {
            return build_property(b, in, &site, owner);
        }
        int seen = JIT_RIGHT(b->kinds[b->ip]);
        if ((seen & JIT_SEEN_GOT) && site.n == 1 && site.types[0] == &PyComplex_Type
            && (value = part_of_complex(b, &site, owner)) != 0) {
            finish_load(b, in->b, in->a, value);
            return 1;
        }
        if (seen & JIT_SEEN_GOT) {
            return seen == (JIT_SEEN_PLACED | JIT_SEEN_GOT)
                   && (site.place.kind == PLACE_GETTER || site.place.kind == PLACE_OF_TYPE)
                   && build_getter(b, in, &site, owner);
        }
        value = attribute(b, &site, owner);
    }
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
    if (type == JIT_T_WORD) {
        JitRef object = quiet_call(b, (const void *)_PyJit_ObjectOf, JIT_T_OBJECT, value, 0);
        guard_compare(b, JIT_NE, object, 0);
        _PyJit_Done(b, reg);
        return object;
    }
    (void)_PyJit_Take(b, reg, &owned);
    if (!owned) {
        incref_counted(b, value);
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
fill_new(JitBuilder *b, const PyInstr *in, const Site *site, JitRef owner, JitRef value)
{
    PyTypeObject *type = site->types[0];
    JitInlined *maker = _PyJit_MakerOf(b, owner);
    int is_inline = site->place.kind == PLACE_INLINE;
    uint64_t index = site->place.number, bit = (uint64_t)1 << (is_inline ? index : index / 8) % 64;
    if (maker == NULL || (maker->made_set & bit) || (is_inline && index >= maker->made_room)
        || site->n != 1) {
        return 0;
    }
    guard_class(b, site, owner);
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

/* Is every owner's attribute set in the usual way, and in the same place? */
static int
is_stored_plainly(const Site *site)
{
    for (unsigned i = 0; i < site->n; i++) {
        if (site->types[i]->tp_setattro != PyObject_GenericSetAttr) {
            return 0;
        }
    }
    return site->n > 0 && (site->place.kind == PLACE_INLINE || site->place.kind == PLACE_MEMBER);
}

/* In an instance, a slot or a dictionary, as the method cache says. */
static int
build_any_store(JitBuilder *b, const PyInstr *in, PyObject *name, JitRef owner, JitRef value)
{
    if (b->inlined != NULL) {
        return 0;               /* what is replaced might run code as it dies */
    }
    JitRef string = raw_const(b, (uint64_t)name);
    JitRef may = quiet_call(b, (const void *)_PyJit_MayStore, JIT_T_RAW, owner, string);
    guard_compare(b, JIT_NE, may, 0);
    _PyJit_OwnBorrowed(b, 0, NULL);
    value = _PyJit_TakeObject(b, in->b, value, 0);
    JitRef old = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_WORD, owner, string);
    JitNode *n = _PyJit_At(b, old);
    n->args[2] = value;
    n->nargs = 3;
    n->aux = (const void *)_PyJit_StoreAttr;
    _PyJit_GiveUp(b, old, 1);
    _PyJit_Done(b, in->a);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

static void
put_inline(PyObject *owner, uint64_t index, PyObject *value)
{
    PyObject **slot = &_PyInstance_Values(owner)[index];
    if (*slot == NULL) {
        (void)_PyInstance_StoreNewSlow(owner, (Py_ssize_t)index, value);
    }
    else {
        *slot = value;
    }
}

/* The value, or nothing, that is in the instance gives way to another. */
static int
store_in_instance(JitBuilder *b, const PyInstr *in, const Site *site, JitRef owner, JitRef value)
{
    int seen = JIT_LEFT(b->kinds[b->ip]), is_inline = site->place.kind == PLACE_INLINE;
    int is_either = is_inline && seen == (JIT_SEEN_OLD | JIT_SEEN_NEW);
    int is_new = is_inline && seen == JIT_SEEN_NEW;
    guard_class(b, site, owner);
    size_t offset = site->place.number, values = (size_t)site->types[0]->tp_basicsize;
    if (is_inline) {
        guard_inline(b, owner, site->place.number);
        offset = values + offset * sizeof(PyObject *);
    }
    JitRef old = load(b, is_inline && !is_either ? JIT_T_OBJECT : JIT_T_WORD, JIT_64, owner,
                      offset);
    if (is_inline && !is_either) {
        guard_compare(b, is_new ? JIT_EQ : JIT_NE, old, 0);
    }
    if (!is_new) {
        _PyJit_GuardQuiet(b, old);
        _PyJit_OwnBorrowed(b, 0, class_of(b, old));
    }
    value = _PyJit_TakeObject(b, in->b, value, is_new || is_either ? 0 : old);
    if (is_new) {
        append_to_order(b, owner, values, site->place.number);
    }
    if (is_either) {
        JitRef put = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_NONE, owner,
                                 raw_const(b, site->place.number));
        JitNode *n = _PyJit_At(b, put);
        n->args[2] = value;
        n->nargs = 3;
        n->aux = (const void *)put_inline;
    }
    else {
        store(b, JIT_64, owner, offset, value);
    }
    if (!is_new) {
        _PyJit_GiveUp(b, old, 1);
    }
    _PyJit_Done(b, in->a);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

/* A property's setter that is Python's is called, or built in. */
static int
store_by_property(JitBuilder *b, const PyInstr *in, JitRef owner, JitRef value)
{
    Site site = site_of(b, in, owner);
    for (unsigned i = 0; i < site.n; i++) {
        if (site.types[i]->tp_setattro != PyObject_GenericSetAttr) {
            return 0;
        }
    }
    if (site.n == 0 || site.of_classes || site.place.kind != PLACE_PROPERTY) {
        return 0;
    }
    guard_class(b, &site, owner);
    return _PyJit_BuildPropertySet(b, in, owner, value, value_of_class(b, &site),
                                   site.place.value);
}

static int
build_store(JitBuilder *b, const PyInstr *in)
{
    int seen = JIT_LEFT(b->kinds[b->ip]), kinds = JIT_RIGHT(b->kinds[b->ip]);
    JitRef owner = owner_in(b, in->a);
    JitRef value = _PyJit_Use(b, in->b);
    if (owner == 0 || (seen & JIT_SEEN_SOUGHT)) {
        return owner != 0 && seen == JIT_SEEN_SOUGHT && store_by_property(b, in, owner, value);
    }
    if (type_of(b, value) == JIT_T_WORD && kinds != (JIT_SEEN_INT | JIT_SEEN_OTHER)) {
        int is_int = kinds == JIT_SEEN_INT;
        JitRef better = guarded(b, is_int ? JIT_GUARD_INT_NODE : JIT_GUARD_OBJECT_NODE,
                                is_int ? JIT_T_INT : JIT_T_OBJECT, value, 0);
        _PyJit_Refine(b, value, better);
        value = better;
    }
    Site site = site_of(b, in, owner);
    if (!is_stored_plainly(&site) || (seen & JIT_SEEN_ELSEWHERE)) {
        return seen != 0 && build_any_store(b, in, site.name, owner, value);
    }
    if (b->inlined != NULL && fill_new(b, in, &site, owner, value)) {
        return 1;
    }
    return store_in_instance(b, in, &site, owner, value);
}

/* --------------------------------------------------------------------- methods */

/* Is it a method that owners' class has? The class may be known better than by what has been seen
   here, and then others were seen. */
static int
is_method_of_class(const Site *site)
{
    return site->n > 0 && !site->of_classes && site->place.kind == PLACE_OF_TYPE
           && PyType_HasFeature(Py_TYPE(site->place.value), Py_TPFLAGS_METHOD_DESCRIPTOR);
}

/* The class has it, and the dictionary that owners have does not. */
static JitRef
method_behind_dict(JitBuilder *b, const Site *site, JitRef owner)
{
    if (!is_method_of_class(site)) {
        return 0;
    }
    guard_class(b, site, owner);
    JitRef lacks = quiet_call(b, (const void *)_PyJit_LacksOwn, JIT_T_RAW, owner,
                              raw_const(b, (uint64_t)site->name));
    guard_compare(b, JIT_NE, lacks, 0);
    return value_of_class(b, site);
}

/* A method that takes its owner first, borrowed; or 0. */
static JitRef
method(JitBuilder *b, const Site *site, JitRef owner)
{
    int seen = JIT_RIGHT(b->kinds[b->ip]);
    if (seen == 0 || (seen & (JIT_SEEN_SOUGHT | JIT_SEEN_NO_METHOD))) {
        return 0;
    }
    JitRef value = seen == JIT_SEEN_PLACED && is_method_of_class(site)
                   ? placed_in_class(b, site, owner) : 0;
    value = value != 0 ? value : method_behind_dict(b, site, owner);
    return value != 0 ? value
           : found_attribute(b, (const void *)_PyJit_Method, owner, site->name);
}

/* What is no method and is going to be called. */
static int
finish_load_function(JitBuilder *b, const PyInstr *in, JitRef value)
{
    finish_load(b, in->b, in->a + 1u, value);
    _PyJit_Write(b, in->a, _PyJit_Const(b, 0), 0);
    return 1;
}

/* A Python function that is a static or class method. */
static int
build_load_wrapped(JitBuilder *b, const PyInstr *in, const Site *site, JitRef owner)
{
    PyObject *wrapper = site->place.value;
    PyObject *callable = ((_PyCallableWrapper *)wrapper)->callable;
    if (callable == NULL || !PyFunction_Check(callable)) {
        return 0;
    }
    JitRef held = placed_in_class(b, site, owner);
    if (held == 0) {
        return 0;
    }
    JitRef loaded = load(b, JIT_T_OBJECT, JIT_64, held, offsetof(_PyCallableWrapper, callable));
    guard_compare(b, JIT_NE, loaded, 0);
    _PyJit_At(b, loaded)->aux = callable;
    if (Py_IS_TYPE(wrapper, &PyStaticMethod_Type)) {
        return finish_load_function(b, in, loaded);
    }
    /* Another's callable may bind in its own way, as a property does. */
    guard_mem(b, JIT_64, loaded, offsetof(PyObject, ob_type), (uint64_t)&PyFunction_Type);
    _PyJit_At(b, loaded)->cls = &PyFunction_Type;
    JitRef self = site->of_classes ? owner
                  : load(b, JIT_T_OBJECT, JIT_64, owner, offsetof(PyObject, ob_type));
    int counts = _PyJit_Dies(b, in->b);
    if (counts) {
        incref(b, loaded);
        incref(b, self);
    }
    _PyJit_Done(b, in->b);
    _PyJit_Write(b, in->a, loaded, counts);
    _PyJit_Write(b, in->a + FRAME_WORDS, self, counts);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

static int
build_load_method(JitBuilder *b, const PyInstr *in)
{
    JitRef owner = owner_in(b, in->b);
    JitRef value = owner == 0 ? 0 : cached_attribute(b, in, owner);
    if (owner == 0 || value != 0) {
        return owner != 0 && finish_load_function(b, in, value);
    }
    Site site = site_of(b, in, owner);
    if (JIT_RIGHT(b->kinds[b->ip]) == (JIT_SEEN_PLACED | JIT_SEEN_SOUGHT)) {
        return (site.place.kind == PLACE_WRAPPED
                || (site.place.kind == PLACE_OF_TYPE
                    && _PyCallableWrapper_Check(site.place.value)))
               && build_load_wrapped(b, in, &site, owner);
    }
    value = method(b, &site, owner);
    if (value == 0) {
        value = (JIT_RIGHT(b->kinds[b->ip]) & JIT_SEEN_NO_METHOD) ? attribute(b, &site, owner) : 0;
        return value != 0 && finish_load_function(b, in, value);
    }
    int owned;
    JitRef self = _PyJit_Take(b, in->b, &owned);
    _PyJit_Write(b, in->a, value, 0);
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

/* Was the owner an int in a register? Then it is not looked at as an object, even if others
   were. Returns 2 if it was nothing else. */
static int
saw_int(JitBuilder *b)
{
    const uint32_t *owners = b->operands == NULL
        ? NULL : _PyJit_OwnersOf((JitOperands *)b->operands, b->ip);
    int saw = 0, others = 0;
    for (int i = 0; owners != NULL && i < JIT_OWNERS; i++) {
        saw |= owners[i] == JIT_OPERAND_INT;
        others |= owners[i] != JIT_OPERAND_INT && owners[i] != 0;
    }
    return saw && !others ? 2 : saw;
}

/* A method of an int or a double in a register, which becomes an object. The classes can't be
   changed. may_guard: what may be an object has been nothing but an int. */
static int
build_number_method(JitBuilder *b, const PyInstr *in, int may_guard)
{
    PyObject *name = PyTuple_GET_ITEM(b->code->ob.co_names, ((const PyCacheWord *)(in + 1))->arg);
    JitRef self = _PyJit_Use(b, in->b);
    JitType type = type_of(b, self);
    if (type != JIT_T_INT && type != JIT_T_DOUBLE && (type != JIT_T_WORD || !may_guard)) {
        return 0;
    }
    PyObject *method = _PyType_Lookup(type == JIT_T_DOUBLE ? &PyFloat_Type : &PyLong_Type, name);
    if (method == NULL || !Py_IS_TYPE(method, &PyMethodDescr_Type)) {
        return 0;
    }
    if (type == JIT_T_WORD) {
        JitRef better = guarded(b, JIT_GUARD_INT_NODE, JIT_T_INT, self, 0);
        _PyJit_Refine(b, self, better);
        self = better;
    }
    self = _PyJit_TakeObject(b, in->b, self, 0);
    _PyJit_Write(b, in->a, _PyJit_Const(b, (PyReg)method), 0);
    _PyJit_Write(b, in->a + FRAME_WORDS, self, 1);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

int
_PyJit_BuildAttr(JitBuilder *b, const PyInstr *in)
{
    int saw = saw_int(b), again = b->refused[b->ip] & JIT_REFUSED_AGAIN;
    if (_PyOpcode_Info[in->op].base == OP_LOAD_METHOD
        && build_number_method(b, in, saw == 2 && !again)) {
        return 1;
    }
    if (saw || again) {
        return 0;
    }
    switch (_PyOpcode_Info[in->op].base) {
    case OP_LOAD_ATTR: return build_load(b, in);
    case OP_STORE_ATTR: return build_store(b, in);
    default: return build_load_method(b, in);
    }
}
