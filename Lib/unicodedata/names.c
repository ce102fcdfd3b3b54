/* Names of characters.

   A name is a phrase of words from a lexicon (generated/unicode_names.h). A list of code
   points, sorted by name, allows a reverse look-up by binary search. Hangul syllables and
   unified ideographs are named by rule. */
#include "database.h"

typedef struct {
    Py_UCS4 first;
    Py_UCS4 last;
} Range;

typedef struct {
    const char *name;
    Py_UCS4 code;
} Alias;

typedef struct {
    const char *name;
    int length;
    Py_UCS4 codes[4];
} Sequence;

#include "generated/unicode_names.h"

#define HANGUL_FIRST 0xac00
#define HANGUL_COUNT 11172
#define VOWELS 21
#define TAILS 28

#define HANGUL_PREFIX "HANGUL SYLLABLE "
#define IDEOGRAPH_PREFIX "CJK UNIFIED IDEOGRAPH-"

static int
is_ideograph(Py_UCS4 ch)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(ideographs); i++) {
        if (ch >= ideographs[i].first && ch <= ideographs[i].last) {
            return 1;
        }
    }
    return 0;
}

/* The name of a listed character; its length, or 0. */
static int
listed_name(Py_UCS4 ch, char *out, int size)
{
    unsigned int offset =
        phrase_index2[((unsigned int)phrase_index1[ch >> PHRASE_SHIFT]
                       << PHRASE_SHIFT) + (ch & ((1u << PHRASE_SHIFT) - 1))];
    if (offset == 0) {
        return 0;
    }
    const uint8_t *p = phrases + offset;
    const uint8_t *end = p + 1 + *p;
    int n = 0;
    for (p++; p < end;) {
        unsigned int word = *p++;
        if (word >= ONE_BYTE) {
            word = ONE_BYTE + (word - ONE_BYTE) * 256u + *p++;
        }
        const char *text = word_text + word_offsets[word];
        int length = (int)(word_offsets[word + 1] - word_offsets[word]);
        if (n + length + 2 > size) {
            return 0;
        }
        if (n > 0) {
            out[n++] = ' ';
        }
        memcpy(out + n, text, (size_t)length);
        n += length;
    }
    out[n] = '\0';
    return n;
}

int
_PyUCD_GetName(Py_UCS4 ch, char *buffer, int size)
{
    if (ch > 0x10ffff) {
        return 0;
    }
    if (ch >= HANGUL_FIRST && ch < HANGUL_FIRST + HANGUL_COUNT) {
        unsigned int index = ch - HANGUL_FIRST;
        int n = snprintf(buffer, (size_t)size, HANGUL_PREFIX "%s%s%s",
                         jamo_leads[index / (VOWELS * TAILS)],
                         jamo_vowels[index / TAILS % VOWELS],
                         jamo_tails[index % TAILS]);
        return n < size;
    }
    if (is_ideograph(ch)) {
        return snprintf(buffer, (size_t)size, IDEOGRAPH_PREFIX "%X",
                        (unsigned int)ch) < size;
    }
    return listed_name(ch, buffer, size) > 0;
}

/* ------------------------------------------------------------------ Look-up */

/* The longest of the strings that text starts with, by index; -1 if none. */
static int
match_jamo(const char *const *jamo, int count, const char *text, int size,
           int *used)
{
    int best = -1;
    *used = -1;
    for (int i = 0; i < count; i++) {
        int n = (int)strlen(jamo[i]);
        if (n > *used && n <= size && memcmp(jamo[i], text, (size_t)n) == 0) {
            best = i;
            *used = n;
        }
    }
    return best;
}

static Py_UCS4
lookup_hangul(const char *text, int size)
{
    int used, lead, vowel, tail;
    lead = match_jamo(jamo_leads, (int)Py_ARRAY_LENGTH(jamo_leads), text,
                      size, &used);
    text += used;
    size -= used;
    vowel = match_jamo(jamo_vowels, VOWELS, text, size, &used);
    if (lead < 0 || vowel < 0) {
        return 0;
    }
    text += used;
    size -= used;
    tail = match_jamo(jamo_tails, TAILS, text, size, &used);
    if (tail < 0 || used != size) {
        return 0;
    }
    return HANGUL_FIRST
        + (Py_UCS4)((lead * VOWELS + vowel) * TAILS + tail);
}

static Py_UCS4
lookup_ideograph(const char *text, int size)
{
    Py_UCS4 ch = 0;
    if (size != 4 && size != 5) {
        return 0;
    }
    for (int i = 0; i < size; i++) {
        unsigned int digit = text[i] >= '0' && text[i] <= '9'
            ? (unsigned int)(text[i] - '0')
            : text[i] >= 'A' && text[i] <= 'F'
            ? (unsigned int)(text[i] - 'A' + 10) : 16;
        if (digit == 16) {
            return 0;
        }
        ch = ch << 4 | digit;
    }
    return is_ideograph(ch) ? ch : 0;
}

static int
starts_with(const char *text, int size, const char *prefix)
{
    int n = (int)strlen(prefix);
    return size > n && memcmp(text, prefix, (size_t)n) == 0;
}

/* name is in upper case and ends with a null. */
static Py_UCS4
lookup_listed(const char *name, int *found)
{
    size_t low = 0, high = Py_ARRAY_LENGTH(codes_by_name);
    while (low < high) {
        char candidate[UCD_NAME_MAX];
        size_t middle = (low + high) / 2;
        listed_name(codes_by_name[middle], candidate, sizeof(candidate));
        int order = strcmp(candidate, name);
        if (order == 0) {
            *found = 1;
            return codes_by_name[middle];
        }
        if (order < 0) {
            low = middle + 1;
        }
        else {
            high = middle;
        }
    }
    *found = 0;
    return 0;
}

static int
compare_alias(const void *name, const void *entry)
{
    return strcmp(name, ((const Alias *)entry)->name);
}

static int
compare_sequence(const void *name, const void *entry)
{
    return strcmp(name, ((const Sequence *)entry)->name);
}

int
_PyUCD_Lookup(const char *name, int size, _PyUCD_NameKinds kinds,
              Py_UCS4 *out)
{
    if (starts_with(name, size, HANGUL_PREFIX)) {
        const int n = (int)strlen(HANGUL_PREFIX);
        out[0] = lookup_hangul(name + n, size - n);
        return out[0] != 0;
    }
    if (starts_with(name, size, IDEOGRAPH_PREFIX)) {
        const int n = (int)strlen(IDEOGRAPH_PREFIX);
        out[0] = lookup_ideograph(name + n, size - n);
        return out[0] != 0;
    }
    char upper[UCD_NAME_MAX];
    if (size >= UCD_NAME_MAX) {
        return 0;
    }
    for (int i = 0; i < size; i++) {
        if (name[i] == '\0') {
            return 0;
        }
        upper[i] = (char)Py_TOUPPER(name[i]);
    }
    upper[size] = '\0';
    int found;
    out[0] = lookup_listed(upper, &found);
    if (found) {
        return 1;
    }
    const Alias *alias = kinds < NAMES_AND_ALIASES ? NULL
        : bsearch(upper, aliases, Py_ARRAY_LENGTH(aliases), sizeof(Alias),
                  compare_alias);
    if (alias != NULL) {
        out[0] = alias->code;
        return 1;
    }
    const Sequence *sequence = kinds < ALL_NAMES ? NULL
        : bsearch(upper, sequences, Py_ARRAY_LENGTH(sequences),
                  sizeof(Sequence), compare_sequence);
    if (sequence == NULL) {
        return 0;
    }
    memcpy(out, sequence->codes,
           (size_t)sequence->length * sizeof(Py_UCS4));
    return sequence->length;
}
