/* The properties of characters: the functions that read generated/unicode_properties.h. A
   code point leads through two index tables to its record. */
#include "database.h"
#include "internal/unicode.h"

typedef struct {
    uint8_t category;
    uint8_t bidi;
    uint8_t combining;
    uint8_t mirrored;
    uint8_t width;
    uint8_t quick_check;        /* two bits for each form */
} PropertyRecord;

typedef struct {
    uint8_t assigned;
    uint8_t category;
    uint8_t bidi;
    uint8_t mirrored;
    uint8_t width;
    int8_t decimal;             /* where it differs from today's, or -1 */
} OldRecord;

typedef struct {
    Py_UCS4 code;
    Py_UCS4 was;
} Correction;

typedef struct {
    Py_UCS4 first;
    Py_UCS4 second;
    Py_UCS4 composite;
} Composition;

#include "generated/unicode_properties.h"

const char _PyUCD_version[] = UNIDATA_VERSION;

#define INDEX(table, SHIFT, ch) \
    (table##_index2[((unsigned int)table##_index1[(ch) >> SHIFT] << SHIFT) \
                    + ((ch) & ((1u << SHIFT) - 1))])

static const PropertyRecord *
record_of(Py_UCS4 ch)
{
    return &property_records[INDEX(property, PROPERTY_SHIFT, ch)];
}

static const OldRecord *
old_record_of(Py_UCS4 ch)
{
    return &old_records[INDEX(old, OLD_SHIFT, ch)];
}

const char *
_PyUCD_Category(Py_UCS4 ch, int old)
{
    return category_names[old ? old_record_of(ch)->category
                              : record_of(ch)->category];
}

const char *
_PyUCD_Bidirectional(Py_UCS4 ch, int old)
{
    return bidi_names[old ? old_record_of(ch)->bidi : record_of(ch)->bidi];
}

const char *
_PyUCD_EastAsianWidth(Py_UCS4 ch, int old)
{
    return width_names[old ? old_record_of(ch)->width
                           : record_of(ch)->width];
}

int
_PyUCD_Mirrored(Py_UCS4 ch, int old)
{
    return old ? old_record_of(ch)->mirrored : record_of(ch)->mirrored;
}

int
_PyUCD_Combining(Py_UCS4 ch, int old)
{
    if (old && !old_record_of(ch)->assigned) {
        return 0;
    }
    return record_of(ch)->combining;
}

int
_PyUCD_Assigned(Py_UCS4 ch, int old)
{
    return old ? old_record_of(ch)->assigned : record_of(ch)->category != 0;
}

int
_PyUCD_Decimal(Py_UCS4 ch, int old)
{
    if (old) {
        const OldRecord *record = old_record_of(ch);
        if (!record->assigned) {
            return -1;
        }
        if (record->decimal >= 0) {
            return record->decimal;
        }
    }
    return _PyUnicode_ToDecimalDigit(ch);
}

int
_PyUCD_QuickCheck(Py_UCS4 ch, _PyUCD_Form form)
{
    return record_of(ch)->quick_check >> 2 * form & 3;
}

const Py_UCS4 *
_PyUCD_Decomposition(Py_UCS4 ch, int old, int *length, const char **prefix)
{
    *length = 0;
    *prefix = "";
    if (old) {
        if (!old_record_of(ch)->assigned) {
            return NULL;
        }
        for (size_t i = 0; i < Py_ARRAY_LENGTH(corrections); i++) {
            if (corrections[i].code == ch) {
                *length = 1;
                return &corrections[i].was;
            }
        }
    }
    unsigned int index = INDEX(decomposition, DECOMPOSITION_SHIFT, ch);
    if (index == 0) {
        return NULL;
    }
    *length = (int)(decomposition_data[index] & 0xff);
    *prefix = decomposition_prefixes[decomposition_data[index] >> 8];
    return &decomposition_data[index + 1];
}

Py_UCS4
_PyUCD_Compose(Py_UCS4 first, Py_UCS4 second)
{
    const uint64_t wanted = (uint64_t)first << 32 | second;
    size_t low = 0, high = Py_ARRAY_LENGTH(compositions);
    while (low < high) {
        size_t middle = (low + high) / 2;
        const Composition *c = &compositions[middle];
        uint64_t found = (uint64_t)c->first << 32 | c->second;
        if (found == wanted) {
            return c->composite;
        }
        if (found < wanted) {
            low = middle + 1;
        }
        else {
            high = middle;
        }
    }
    return 0;
}
