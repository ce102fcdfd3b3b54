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

Py_UCS4
sre_upper_locale(Py_UCS4 ch)
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
    int found = 1;              /* NEGATE turns it round */
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
