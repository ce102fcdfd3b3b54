/* Normalisation: decomposition, canonical order, composition (UAX 15).

   Text is worked on as an array of UCS4. The algorithm runs only for text
   that the quick-check properties do not already clear. Combining classes
   are today's for the old database too. */
#include "database.h"
#include "internal/unicode.h"
#include "internal/memory.h"

#define L_FIRST 0x1100
#define V_FIRST 0x1161
#define T_FIRST 0x11a7
#define L_COUNT 19
#define V_COUNT 21
#define T_COUNT 28
#define S_FIRST 0xac00
#define S_COUNT (L_COUNT * V_COUNT * T_COUNT)

typedef struct {
    Py_UCS4 *data;
    Py_ssize_t length;
    Py_ssize_t room;
} Buffer;

static int
buffer_push(Buffer *b, Py_UCS4 ch)
{
    if (b->length == b->room) {
        Py_ssize_t room = b->room + b->room / 2 + 16;
        Py_UCS4 *data = _PyMem_RESIZED(b->data, Py_UCS4, room);
        if (data == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        b->data = data;
        b->room = room;
    }
    b->data[b->length++] = ch;
    return 0;
}

/* Nothing below is decomposed, and nothing below FIRST_COMBINING combines with another. */
#define FIRST_DECOMPOSED 0xa0
#define FIRST_COMBINING 0x300

static inline int
class_of(Py_UCS4 ch)
{
    return ch < FIRST_COMBINING ? 0 : _PyUCD_Combining(ch, 0);
}

/* ------------------------------------------------------------ decomposition */

static int
decompose(Buffer *b, Py_UCS4 ch, int compatible, int old)
{
    if (ch < FIRST_DECOMPOSED) {
        return buffer_push(b, ch);
    }
    if (ch >= S_FIRST && ch < S_FIRST + S_COUNT) {
        Py_UCS4 index = ch - S_FIRST, tail = index % T_COUNT;
        if (buffer_push(b, L_FIRST + index / (V_COUNT * T_COUNT)) < 0
            || buffer_push(b, V_FIRST + index / T_COUNT % V_COUNT) < 0)
        {
            return -1;
        }
        return tail ? buffer_push(b, T_FIRST + tail) : 0;
    }
    int length;
    const char *prefix;
    const Py_UCS4 *mapping = _PyUCD_Decomposition(ch, old, &length, &prefix);
    if (length == 0 || (*prefix && !compatible)) {
        return buffer_push(b, ch);
    }
    /* A mapping is never deeper than a few levels. */
    for (int i = 0; i < length; i++) {
        if (decompose(b, mapping[i], compatible, old) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Sorts each run of combining characters by class, keeping the order of
   equals. */
static void
order_canonically(Buffer *b)
{
    for (Py_ssize_t i = 1; i < b->length; i++) {
        Py_UCS4 ch = b->data[i];
        int class = class_of(ch);
        if (class == 0) {
            continue;
        }
        Py_ssize_t j = i;
        while (j > 0 && class_of(b->data[j - 1]) > class) {
            b->data[j] = b->data[j - 1];
            j--;
        }
        b->data[j] = ch;
    }
}

/* -------------------------------------------------------------- composition */

static Py_UCS4
compose_pair(Py_UCS4 first, Py_UCS4 second)
{
    if (first >= L_FIRST && first < L_FIRST + L_COUNT
        && second >= V_FIRST && second < V_FIRST + V_COUNT)
    {
        return S_FIRST + ((first - L_FIRST) * V_COUNT + (second - V_FIRST))
            * T_COUNT;
    }
    if (first >= S_FIRST && first < S_FIRST + S_COUNT
        && (first - S_FIRST) % T_COUNT == 0
        && second > T_FIRST && second < T_FIRST + T_COUNT)
    {
        return first + (second - T_FIRST);
    }
    return _PyUCD_Compose(first, second);
}

/* In place: each character joins the last starter unless one between them
   has the same class or a higher one. */
static void
compose(Buffer *b)
{
    Py_ssize_t starter = -1, out = 0;
    int last_class = 0;
    for (Py_ssize_t i = 0; i < b->length; i++) {
        Py_UCS4 ch = b->data[i];
        int class = class_of(ch);
        if (starter >= 0
            && (out == starter + 1 || (last_class < class && class != 0)))
        {
            Py_UCS4 composite = compose_pair(b->data[starter], ch);
            if (composite != 0) {
                b->data[starter] = composite;
                continue;
            }
        }
        if (class == 0) {
            starter = out;
        }
        last_class = class;
        b->data[out++] = ch;
    }
    b->length = out;
}

/* ---------------------------------------------------------------- the forms */

/* No character below this one is changed by the form or combines with others. */
static Py_UCS4
first_changed(_PyUCD_Form form)
{
    return form == FORM_NFC ? FIRST_COMBINING : form == FORM_NFD ? 0xc0 : FIRST_DECOMPOSED;
}

/* 0 normalised, 1 maybe, 2 not. */
static int
quick_check(PyObject *str, _PyUCD_Form form, int old)
{
    if (PyUnicode_IS_ASCII(str)) {
        return 0;
    }
    if (old) {
        return 1;               /* the properties are those of the current database */
    }
    const int kind = PyUnicode_KIND(str);
    const void *data = PyUnicode_DATA(str);
    const Py_UCS4 plain = first_changed(form);
    int result = 0, last_class = 0;
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(str); i++) {
        Py_UCS4 ch = PyUnicode_READ(kind, data, i);
        if (ch < plain) {
            last_class = 0;
            continue;
        }
        int class = class_of(ch);
        int check = _PyUCD_QuickCheck(ch, form);
        if (check == 2 || (class != 0 && last_class > class)) {
            return 2;
        }
        if (check == 1) {
            result = 1;
        }
        last_class = class;
    }
    return result;
}

static PyObject *
transform(PyObject *str, _PyUCD_Form form, int old)
{
    const int compatible = form == FORM_NFKD || form == FORM_NFKC;
    const int kind = PyUnicode_KIND(str);
    const void *data = PyUnicode_DATA(str);
    Buffer b = {NULL, 0, 0};
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(str); i++) {
        if (decompose(&b, PyUnicode_READ(kind, data, i), compatible, old) < 0)
        {
            PyMem_Free(b.data);
            return NULL;
        }
    }
    order_canonically(&b);
    if (form == FORM_NFC || form == FORM_NFKC) {
        compose(&b);
    }
    PyObject *result = PyUnicode_FromKindAndData(4, b.data, b.length);
    PyMem_Free(b.data);
    return result;
}

PyObject *
_PyUCD_Normalize(PyObject *str, _PyUCD_Form form, int old)
{
    if (quick_check(str, form, old) == 0) {
        return PyUnicode_FromObject(str);
    }
    return transform(str, form, old);
}

int
_PyUCD_IsNormalized(PyObject *str, _PyUCD_Form form, int old)
{
    int check = quick_check(str, form, old);
    if (check != 1) {
        return check == 0;
    }
    PyObject *normal = transform(str, form, old);
    if (normal == NULL) {
        return -1;
    }
    int same = PyUnicode_Compare(normal, str) == 0;
    Py_DECREF(normal);
    return same;
}
