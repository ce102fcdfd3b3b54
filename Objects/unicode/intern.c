/* Interned strings.

   The table uses open addressing with linear probing, and holds no references: a mortal
   interned string removes itself when it is destroyed (_PyUnicode_ForgetInterned). A
   removal moves the rest of its probe run back, so that there are no tombstones. The
   capacity is a power of two, of which at most two thirds are in use. Beside the strings there
   are parts of their hashes: strings that are passed by are not read from memory.

   The strings of names.def and those passed to InternPermanent have
   SSTATE_INTERNED_IMMORTAL and a reference count that never reaches 0. */
#include "private.h"

static PyObject **table;
static uint32_t *marks;         /* mark_of() the hash of each string, or 0; behind the table */
static size_t table_mask;       /* capacity - 1, or 0 without a table */
static size_t table_used;

struct _Py_names _Py_names;

static inline uint32_t
mark_of(Py_hash_t hash)
{
    return (uint32_t)hash != 0 ? (uint32_t)hash : 1;
}

/* The slot of the string equal to str, or the empty one where it belongs. */
static size_t
find_slot(PyObject *str)
{
    uint32_t mark = mark_of(HASH(str));
    size_t i = mark & table_mask;
    for (; marks[i] != 0; i = (i + 1) & table_mask) {
        if (marks[i] == mark && HASH(table[i]) == HASH(str) && _PyUnicode_FastEq(table[i], str)) {
            break;
        }
    }
    return i;
}

static inline void
fill_slot(size_t slot, PyObject *str, uint32_t mark)
{
    table[slot] = str;
    marks[slot] = mark;
}

static int
reserve_one(void)
{
    size_t capacity = table_mask ? table_mask + 1 : 0;
    if ((table_used + 1) * 3 <= capacity * 2) {
        return 0;
    }
    size_t new_capacity = capacity ? capacity * 2 : 4096;
    PyObject **fresh = PyMem_RawCalloc(new_capacity, sizeof(*table) + sizeof(*marks));
    if (fresh == NULL) {
        return -1;
    }
    PyObject **old = table;
    uint32_t *old_marks = marks;
    table = fresh;
    marks = (uint32_t *)(fresh + new_capacity);
    table_mask = new_capacity - 1;
    for (size_t i = 0; i < capacity; i++) {
        if (old_marks[i] != 0) {
            size_t slot = old_marks[i] & table_mask;
            while (marks[slot] != 0) {
                slot = (slot + 1) & table_mask;
            }
            fill_slot(slot, old[i], old_marks[i]);
        }
    }
    PyMem_RawFree(old);
    return 0;
}

void
PyUnicode_InternInPlace(PyObject **p)
{
    PyObject *str = *p;
    if (str == NULL || !PyUnicode_CheckExact(str)
        || PyUnicode_CHECK_INTERNED(str))
    {
        return;
    }
    if (PyUnicode_READY(str) < 0 || reserve_one() < 0) {
        PyErr_Clear();          /* interning is only an optimisation */
        return;
    }
    _PyUnicode_Hash(str);
    size_t slot = find_slot(str);
    if (marks[slot] != 0) {
        Py_INCREF(table[slot]);
        Py_SETREF(*p, table[slot]);
        return;
    }
    fill_slot(slot, str, mark_of(HASH(str)));
    table_used++;
    AS_ASCII(str)->state.interned = Py_REFCNT(str) >= _Py_IMMORTAL_REFCNT
        ? SSTATE_INTERNED_IMMORTAL : SSTATE_INTERNED_MORTAL;
}

PyObject *
_PyUnicode_FindInterned(PyObject *str)
{
    if (PyUnicode_CHECK_INTERNED(str) || !PyUnicode_IS_READY(str) || table == NULL) {
        return NULL;
    }
    _PyUnicode_Hash(str);
    size_t slot = find_slot(str);
    return marks[slot] != 0 ? table[slot] : NULL;
}

/* The slot of the string that consists of these bytes, or the empty one where it belongs. */
static inline size_t
find_latin1(const char *text, Py_ssize_t n, Py_hash_t hash)
{
    uint32_t mark = mark_of(hash);
    size_t i = mark & table_mask;
    for (; marks[i] != 0; i = (i + 1) & table_mask) {
        PyObject *str = table[i];
        if (marks[i] == mark && HASH(str) == hash && LENGTH(str) == n
            && KIND(str) == PyUnicode_1BYTE_KIND && memcmp(DATA(str), text, (size_t)n) == 0) {
            break;
        }
    }
    return i;
}

PyObject *
_PyUnicode_InternLatin1(const char *text, Py_ssize_t n)
{
    Py_hash_t hash = _Py_HashBytes(text, n);
    if (reserve_one() < 0) {
        return PyErr_NoMemory();
    }
    size_t slot = find_latin1(text, n, hash);
    if (marks[slot] != 0) {
        return Py_NewRef(table[slot]);
    }
    PyObject *str = PyUnicode_FromKindAndData(PyUnicode_1BYTE_KIND, text, n);
    if (str == NULL || PyUnicode_CHECK_INTERNED(str)) {
        return str;
    }
    HASH(str) = hash;
    if (Py_REFCNT(str) >= _Py_IMMORTAL_REFCNT || marks[slot] != 0) {
        PyUnicode_InternInPlace(&str);
        return str;
    }
    fill_slot(slot, str, mark_of(hash));
    table_used++;
    AS_ASCII(str)->state.interned = SSTATE_INTERNED_MORTAL;
    return str;
}

/* Interns, and makes the string permanent (_Py_IMMORTAL_REFCNT). Steals the
   reference to *p and leaves the interned string there, as
   PyUnicode_InternInPlace does. */
static void
intern_permanent(PyObject **p)
{
    PyUnicode_InternInPlace(p);
    PyObject *str = *p;
    if (PyUnicode_CHECK_INTERNED(str) == SSTATE_INTERNED_MORTAL) {
        AS_ASCII(str)->state.interned = SSTATE_INTERNED_IMMORTAL;
        Py_SET_REFCNT(str, _Py_IMMORTAL_REFCNT);
    }
}

void
PyUnicode_InternImmortal(PyObject **p)
{
    if (PyErr_WarnEx(PyExc_DeprecationWarning,
                     "PyUnicode_InternImmortal() is deprecated; "
                     "use PyUnicode_InternInPlace() instead", 1) < 0)
    {
        PyErr_WriteUnraisable(NULL);
    }
    PyUnicode_InternInPlace(p);
    if (*p != NULL
        && PyUnicode_CHECK_INTERNED(*p) == SSTATE_INTERNED_MORTAL)
    {
        AS_ASCII(*p)->state.interned = SSTATE_INTERNED_IMMORTAL;
        Py_INCREF(*p);
    }
}

PyObject *
PyUnicode_InternFromString(const char *text)
{
    size_t n = strlen(text);
    Py_hash_t hash = _Py_HashBytes(text, (Py_ssize_t)n);
    if (table != NULL) {
        size_t slot = find_latin1(text, (Py_ssize_t)n, hash);
        if (marks[slot] != 0 && PyUnicode_IS_ASCII(table[slot])) {
            return Py_NewRef(table[slot]);
        }
    }
    PyObject *str = PyUnicode_FromString(text);
    if (str != NULL) {
        if (PyUnicode_IS_ASCII(str)) {
            HASH(str) = hash;
        }
        PyUnicode_InternInPlace(&str);
    }
    return str;
}

void
_PyUnicode_ForgetInterned(PyObject *str)
{
    size_t hole = mark_of(HASH(str)) & table_mask;
    while (table[hole] != str) {
        assert(marks[hole] != 0);
        hole = (hole + 1) & table_mask;
    }
    /* Move back the strings that a probe could no longer reach across the hole. */
    for (size_t i = (hole + 1) & table_mask; marks[i] != 0; i = (i + 1) & table_mask) {
        size_t distance = (i - marks[i]) & table_mask;
        if (distance >= ((i - hole) & table_mask)) {
            fill_slot(hole, table[i], marks[i]);
            hole = i;
        }
    }
    marks[hole] = 0;
    table_used--;
}

/* ---------------------------------------------------- names and identifiers */

static int
intern_name(PyObject **slot, const char *text)
{
    if (*slot != NULL) {
        return 0;
    }
    *slot = _PyUnicode_FromASCII(text, (Py_ssize_t)strlen(text));
    if (*slot == NULL) {
        return -1;
    }
    intern_permanent(slot);
    return 0;
}

int
_PyNames_Init(void)
{
#define NAME_AS(identifier, text)                           \
    if (intern_name(&_Py_names.identifier, text) < 0) {     \
        return -1;                                          \
    }
#define NAME(identifier) NAME_AS(identifier, #identifier)
#include "internal/names.def"
#undef NAME
#undef NAME_AS
    return 0;
}

/* Static _Py_Identifier structs of extensions: each gets a place in this
   array on its first use. */
static PyObject **identifiers;
static Py_ssize_t identifiers_used, identifiers_room;

PyObject *
_PyUnicode_FromId(_Py_Identifier *id)
{
    if (id->index >= 0 && id->index < identifiers_used
        && identifiers[id->index] != NULL)
    {
        return identifiers[id->index];
    }
    PyObject *str = PyUnicode_DecodeUTF8(id->string,
                                         (Py_ssize_t)strlen(id->string),
                                         NULL);
    if (str == NULL) {
        return NULL;
    }
    intern_permanent(&str);
    if (id->index >= 0 && id->index < identifiers_used) {
        identifiers[id->index] = str;
        return str;
    }
    if (identifiers_used == identifiers_room) {
        Py_ssize_t room = identifiers_room ? 2 * identifiers_room : 64;
        PyObject **grown = PyMem_RawRealloc(identifiers,
                                            room * sizeof(PyObject *));
        if (grown == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        identifiers = grown;
        identifiers_room = room;
    }
    id->index = identifiers_used++;
    identifiers[id->index] = str;
    return str;
}
