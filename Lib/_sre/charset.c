/* Character classes: categories, and sets in their compiled form. */
#include "sre.h"

#include <ctype.h>

Py_UCS4
sre_lower_ascii(Py_UCS4 ch)
{
    return ch < 128 ? (Py_UCS4)Py_TOLOWER(ch) : ch;
}

Py_UCS4
sre_lower_locale(Py_UCS4 ch)
{
    return ch < 256 ? (Py_UCS4)tolower((int)ch) : ch;
}

static Py_UCS4
upper_locale(Py_UCS4 ch)
{
    return ch < 256 ? (Py_UCS4)toupper((int)ch) : ch;
}

#define ASCII_DIGIT(ch) ((ch) < 128 && Py_ISDIGIT(ch))
#define ASCII_SPACE(ch) ((ch) < 128 && Py_ISSPACE(ch))
#define ASCII_WORD(ch) ((ch) < 128 && (Py_ISALNUM(ch) || (ch) == '_'))
#define LOCALE_WORD(ch) ((ch) == '_' || ((ch) < 256 && isalnum((int)(ch))))
#define UNICODE_WORD(ch) ((ch) < 128 ? ASCII_WORD(ch) : Py_UNICODE_ISALNUM(ch))
#define UNICODE_DIGIT(ch) ((ch) < 128 ? ASCII_DIGIT(ch) : Py_UNICODE_ISDECIMAL(ch))

int
sre_category(SreCode category, Py_UCS4 ch)
{
    switch (category) {
    case CH_DIGIT: return ASCII_DIGIT(ch);
    case CH_NOT_DIGIT: return !ASCII_DIGIT(ch);
    case CH_SPACE: return ASCII_SPACE(ch);
    case CH_NOT_SPACE: return !ASCII_SPACE(ch);
    case CH_WORD: return ASCII_WORD(ch);
    case CH_NOT_WORD: return !ASCII_WORD(ch);
    case CH_LINEBREAK: return ch == '\n';
    case CH_NOT_LINEBREAK: return ch != '\n';
    case CH_LOC_WORD: return LOCALE_WORD(ch);
    case CH_LOC_NOT_WORD: return !LOCALE_WORD(ch);
    case CH_UNI_DIGIT: return UNICODE_DIGIT(ch);
    case CH_UNI_NOT_DIGIT: return !UNICODE_DIGIT(ch);
    case CH_UNI_SPACE: return Py_UNICODE_ISSPACE(ch);
    case CH_UNI_NOT_SPACE: return !Py_UNICODE_ISSPACE(ch);
    case CH_UNI_WORD: return UNICODE_WORD(ch);
    case CH_UNI_NOT_WORD: return !UNICODE_WORD(ch);
    case CH_UNI_LINEBREAK: return Py_UNICODE_ISLINEBREAK(ch);
    case CH_UNI_NOT_LINEBREAK: return !Py_UNICODE_ISLINEBREAK(ch);
    default: return 0;
    }
}

int
sre_charset(const SreCode *set, Py_UCS4 ch)
{
    int found = 1;              /* NEGATE inverts it */
    for (;;) {
        switch (*set++) {
        case OP_FAILURE:
            return !found;
        case OP_LITERAL:
            if (ch == *set++) {
                return found;
            }
            break;
        case OP_CATEGORY:
            if (sre_category(*set++, ch)) {
                return found;
            }
            break;
        case OP_CHARSET:        /* 256 bits */
            if (ch < 256 && set[ch / 32] & 1u << (ch & 31)) {
                return found;
            }
            set += 8;
            break;
        case OP_RANGE:
            if (set[0] <= ch && ch <= set[1]) {
                return found;
            }
            set += 2;
            break;
        case OP_RANGE_UNI_IGNORE:
            if (set[0] <= ch && ch <= set[1]) {
                return found;
            }
            {
                Py_UCS4 upper = Py_UNICODE_TOUPPER(ch);
                if (set[0] <= upper && upper <= set[1]) {
                    return found;
                }
            }
            set += 2;
            break;
        case OP_NEGATE:
            found = !found;
            break;
        case OP_BIGCHARSET: {   /* 256 chunk numbers in bytes, then chunks of 256 bits */
            Py_ssize_t chunks = *set++;
            if (ch < 65536) {
                int chunk = ((const unsigned char *)set)[ch >> 8];
                if (set[64 + chunk * 8 + (ch & 255) / 32] & 1u << (ch & 31)) {
                    return found;
                }
            }
            set += 64 + chunks * 8;
            break;
        }
        default:
            return 0;
        }
    }
}

int
sre_single(const SreCode *pc, Py_UCS4 ch)
{
    switch (pc[0]) {
    case OP_LITERAL: return ch == pc[1];
    case OP_NOT_LITERAL: return ch != pc[1];
    case OP_ANY: return ch != '\n';
    case OP_ANY_ALL: return 1;
    case OP_CATEGORY: return sre_category(pc[1], ch);
    case OP_IN: return sre_charset(pc + 2, ch);
    case OP_IN_IGNORE: return sre_charset(pc + 2, sre_lower_ascii(ch));
    case OP_IN_UNI_IGNORE: return sre_charset(pc + 2, Py_UNICODE_TOLOWER(ch));
    case OP_IN_LOC_IGNORE: {
        Py_UCS4 lower = sre_lower_locale(ch), upper = upper_locale(ch);
        return sre_charset(pc + 2, lower) || (upper != lower && sre_charset(pc + 2, upper));
    }
    case OP_LITERAL_IGNORE: return sre_lower_ascii(ch) == pc[1];
    case OP_NOT_LITERAL_IGNORE: return sre_lower_ascii(ch) != pc[1];
    case OP_LITERAL_UNI_IGNORE: return Py_UNICODE_TOLOWER(ch) == pc[1];
    case OP_NOT_LITERAL_UNI_IGNORE: return Py_UNICODE_TOLOWER(ch) != pc[1];
    case OP_LITERAL_LOC_IGNORE:
        return ch == pc[1] || sre_lower_locale(ch) == pc[1] || upper_locale(ch) == pc[1];
    case OP_NOT_LITERAL_LOC_IGNORE:
        return !(ch == pc[1] || sre_lower_locale(ch) == pc[1]
                 || upper_locale(ch) == pc[1]);
    default: return 0;
    }
}

static int
asks_locale(const SreCode *set)
{
    for (;;) {
        switch (*set++) {
        case OP_FAILURE:
            return 0;
        case OP_NEGATE:
            break;
        case OP_LITERAL:
            set++;
            break;
        case OP_CATEGORY:
            if (*set == CH_LOC_WORD || *set == CH_LOC_NOT_WORD) {
                return 1;
            }
            set++;
            break;
        case OP_CHARSET:
            set += 8;
            break;
        case OP_RANGE: case OP_RANGE_UNI_IGNORE:
            set += 2;
            break;
        case OP_BIGCHARSET:
            set += 1 + 64 + (Py_ssize_t)*set * 8;
            break;
        default:
            return 1;
        }
    }
}

int
sre_have_numbers(SrePattern *pattern)
{
    if (pattern->map_of == NULL) {
        pattern->map_of = PyMem_Calloc((size_t)pattern->codesize, sizeof(uint16_t));
    }
    return pattern->map_of != NULL;
}

/* Room for one more map; 0 when there is none. */
static int
add_map(SrePattern *pattern)
{
    int n = pattern->nmaps;
    if (n == UINT16_MAX || !sre_have_numbers(pattern)) {
        return 0;
    }
    if ((n & (n - 1)) == 0) {   /* grows at powers of two */
        SreMap *maps = PyMem_Realloc(pattern->maps, (n == 0 ? 1 : 2 * (size_t)n) * sizeof(SreMap));
        if (maps == NULL) {
            return 0;
        }
        pattern->maps = maps;
    }
    return 1;
}

const uint32_t *
sre_make_map(SrePattern *pattern, SreCode op, const SreCode *set)
{
    if (op == OP_IN_LOC_IGNORE || asks_locale(set) || !add_map(pattern)) {
        return NULL;
    }
    uint32_t *map = pattern->maps[pattern->nmaps++];
    memset(map, 0, sizeof(SreMap));
    for (Py_UCS4 ch = 0; ch < 256; ch++) {
        if (op == OP_IN ? sre_charset(set, ch) : sre_single(set - 2, ch)) {
            map[ch >> 5] |= 1u << (ch & 31);
        }
    }
    pattern->map_of[set - pattern->code] = (uint16_t)pattern->nmaps;
    return map;
}
