/* Is a class like the one that machine code was made for? likes.h tells why that is asked. */
#include "likes.h"
#include "quiet.h"
#include "record.h"
#include "internal/callable_wrapper.h"
#include "internal/type.h"
#include "../vm/call.h"

/* What a type's flags say that is of interest. */
#define FLAGS (Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_MANAGED_DICT | Py_TPFLAGS_IS_ABSTRACT \
               | Py_TPFLAGS_HAVE_GC)
/* To find out costs more than to ask the method cache. So if this many classes have come within so
   many nanoseconds for each, no more are let in. */
#define MANY_TAKEN 64
#define TOO_FAST 20000

static JitLikeFacts
facts_of(const PyTypeObject *type)
{
    PyTypeObject *base = type->tp_base;
    while (base != NULL && PyType_HasFeature(base, Py_TPFLAGS_HEAPTYPE)) {
        base = base->tp_base;
    }
    return (JitLikeFacts){
        .basicsize = type->tp_basicsize, .itemsize = type->tp_itemsize,
        .dictoffset = type->tp_dictoffset, .flags = type->tp_flags & FLAGS,
        .alloc = type->tp_alloc, .getattro = type->tp_getattro, .setattro = type->tp_setattro,
        .finalize = type->tp_finalize, .del = type->tp_del, .base = base,
    };
}

static int
same_facts(const JitLikeFacts *a, const JitLikeFacts *b)
{
    return a->basicsize == b->basicsize && a->itemsize == b->itemsize
           && a->dictoffset == b->dictoffset && a->flags == b->flags && a->alloc == b->alloc
           && a->getattro == b->getattro && a->setattro == b->setattro
           && a->finalize == b->finalize && a->del == b->del && a->base == b->base;
}

PyTypeObject *
_PyJit_LastMadeAnew(const uint32_t *owners, int *go)
{
    PyTypeObject *last = NULL;
    int n = 0;
    *go = 0;
    for (; n < JIT_OWNERS && owners[n] != 0; n++) {
        int is_mixed = owners[n] == JIT_OPERAND_MIXED;
        PyTypeObject *type = owners[n] < JIT_IS_CLASS ? _PyType_OfVersion(owners[n]) : NULL;
        if ((owners[n] >= JIT_IS_CLASS && !is_mixed)
            || (type != NULL && last != NULL && strcmp(type->tp_name, last->tp_name) != 0)) {
            return NULL;
        }
        *go |= type == NULL;
        last = type != NULL ? type : last;
    }
    return n > 1 && last != NULL && PyType_HasFeature(last, Py_TPFLAGS_HEAPTYPE) ? last : NULL;
}

/* ------------------------------------------------------------------- demands */

JitLike *
_PyJit_NewLike(JitGraph *g, PyTypeObject *model)
{
    uint32_t version = _PyType_AssignVersion(model);
    JitLike *like = version == 0 || g->nlikes == JIT_MOST_LIKES
                    ? NULL : PyMem_RawCalloc(1, sizeof(*like));
    if (like == NULL) {
        return NULL;
    }
    like->ways[0].version = version;
    like->facts = facts_of(model);
    like->next = g->likes;
    g->likes = like;
    g->nlikes++;
    return like;
}

PyTypeObject *
_PyJit_ModelOf(const JitLike *like)
{
    return _PyType_OfVersion(like->ways[0].version);
}

static uint32_t
code_version(PyObject *function)
{
    return _PyVMCode_CAST(((PyFunctionObject *)function)->func_code)->version;
}

/* A descriptor in C of a type that no heap holds: it is never destroyed. */
static int
lives_forever(PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    return (type == &PyMethodDescr_Type || type == &PyGetSetDescr_Type
            || type == &PyMemberDescr_Type || type == &PyWrapperDescr_Type)
           && !PyType_HasFeature(((PyDescrObject *)value)->d_type, Py_TPFLAGS_HEAPTYPE);
}

/* Fills the demand's rule. 0: there is none. */
static int
find_rule(JitDemand *demand, PyObject *value)
{
    switch (demand->kind) {
    case PLACE_INLINE: case PLACE_MEMBER: case PLACE_CLASS:
        demand->rule = JIT_LIKE_ANY;
        return 1;
    case PLACE_PROPERTY: case PLACE_GETTER: case PLACE_OF_TYPE:
        break;
    default:
        return 0;
    }
    if (Py_IS_TYPE(value, &PyFunction_Type)) {
        demand->rule = JIT_LIKE_FUNCTION;
        demand->wanted = code_version(value);
    }
    else if (lives_forever(value)) {
        demand->rule = JIT_LIKE_SAME;
        demand->wanted = (uint64_t)value;
    }
    else if (_PyCallableWrapper_Check(value) || Py_IS_TYPE(value, &PyProperty_Type)) {
        demand->rule = JIT_LIKE_TYPE;
        demand->wanted = (uint64_t)Py_TYPE(value);
    }
    else {
        demand->rule = JIT_LIKE_PLAIN;
        return Py_TYPE(value)->tp_descr_get == NULL;
    }
    return 1;
}

int
_PyJit_Demand(JitLike *like, PyObject *name, const _PyAttrPlace *place)
{
    JitDemand demand = {.name = name, .kind = place->kind, .number = place->number};
    if (place->version != like->ways[0].version || !find_rule(&demand, place->value)) {
        return -1;
    }
    for (uint32_t i = 0; i < like->ndemands; i++) {
        const JitDemand *d = &like->demands[i];
        if (d->name == name && d->kind == demand.kind && d->number == demand.number
            && d->rule == demand.rule && d->wanted == demand.wanted) {
            return (int)i;
        }
    }
    if (like->ndemands == JIT_LIKE_DEMANDS) {
        return -1;
    }
    Py_INCREF(name);
    like->ways[0].values[like->ndemands] = place->value;
    like->demands[like->ndemands] = demand;
    return (int)like->ndemands++;
}

void
_PyJit_DemandInit(JitLike *like, PyFunctionObject *init)
{
    like->is_called = 1;
    like->ways[0].values[0] = (PyObject *)init;
    like->demands[0] = (JitDemand){.name = Py_NewRef(_Py_NAME(dunder_init)),
                                   .rule = JIT_LIKE_FUNCTION,
                                   .wanted = code_version((PyObject *)init)};
    like->ndemands = 1;
}

/* ------------------------------------------------------------------- answers */

static int
obeys(const JitDemand *demand, PyObject *value)
{
    switch (demand->rule) {
    case JIT_LIKE_ANY:
        return 1;
    case JIT_LIKE_SAME:
        return (uint64_t)value == demand->wanted;
    case JIT_LIKE_FUNCTION:
        return Py_IS_TYPE(value, &PyFunction_Type) && code_version(value) == demand->wanted;
    case JIT_LIKE_TYPE:
        return (uint64_t)Py_TYPE(value) == demand->wanted;
    default:
        return Py_TYPE(value)->tp_descr_get == NULL;
    }
}

/* What the type has where the demand wants something, in *value. 0: it is not that. */
static int
meets(PyTypeObject *type, const JitDemand *demand, int is_init, PyObject **value)
{
    if (is_init) {
        *value = _PyVM_PlainInit(type);
        return *value != NULL && obeys(demand, *value);
    }
    _PyAttrPlace place = _PyAttr_InInstances(type, demand->name);
    *value = place.value;
    return place.kind == demand->kind && place.number == demand->number
           && (demand->rule == JIT_LIKE_ANY || (place.value != NULL && obeys(demand, place.value)));
}

/* Fills the way, if the type is like the model. */
static int
fits(PyTypeObject *type, const JitLike *like, JitLikeWay *way)
{
    JitLikeFacts facts = facts_of(type);
    if (!same_facts(&facts, &like->facts) || !_PyJit_IsSearchedQuietly(type)
        || !_PyJit_IsSearchedQuietly(Py_TYPE(type))) {
        return 0;
    }
    way->version = _PyType_AssignVersion(type);
    for (uint32_t i = 0; way->version != 0 && i < like->ndemands; i++) {
        if (!meets(type, &like->demands[i], like->is_called && i == 0, &way->values[i])) {
            return 0;
        }
    }
    return way->version != 0 && type->tp_version_tag == way->version;
}

int
_PyJit_WouldFit(PyTypeObject *type, const JitLike *like)
{
    JitLikeWay way;
    return fits(type, like, &way);
}

/* Do classes come so fast that there is nothing to gain? */
static int
comes_too_fast(JitLike *like)
{
    if (like->taken++ % MANY_TAKEN == 0) {
        int64_t now = _PyTime_GetPerfCounter();
        like->is_given_up = like->taken > 1 && now - like->since < MANY_TAKEN * TOO_FAST;
        like->since = now;
    }
    return like->is_given_up;
}

int
_PyJit_IsLike(PyTypeObject *type, JitLike *like)
{
    JitLikeWay way = {0};
    int i = 1;
    while (i < JIT_LIKE_WAYS
           && (like->ways[i].version != type->tp_version_tag || type->tp_version_tag == 0)) {
        i++;
    }
    if (i < JIT_LIKE_WAYS) {
        way = like->ways[i];
    }
    else if (like->is_given_up || comes_too_fast(like) || !fits(type, like, &way)) {
        return 0;
    }
    else {
        i--;
    }
    memmove(&like->ways[1], &like->ways[0], (size_t)i * sizeof(way));
    like->ways[0] = way;
    return 1;
}

void
_PyJit_FreeLikes(JitLike *like)
{
    while (like != NULL) {
        JitLike *next = like->next;
        for (uint32_t i = 0; i < like->ndemands; i++) {
            Py_DECREF(like->demands[i].name);
        }
        PyMem_RawFree(like);
        like = next;
    }
}
