/* The numbers of the tokens, as in the token module. Not part of Python.h. */
#if !defined(Py_TOKEN_H) && !defined(Py_LIMITED_API)
#define Py_TOKEN_H

#undef TILDE    /* <sys/ttydefaults.h> has one */

#define ENDMARKER        0
#define NAME             1
#define NUMBER           2
#define STRING           3
#define NEWLINE          4
#define INDENT           5
#define DEDENT           6
#define LPAR             7/* ( */
#define RPAR             8/* ) */
#define LSQB             9/* [ */
#define RSQB             10/* ] */
#define COLON            11/* : */
#define COMMA            12/* , */
#define SEMI             13/* ; */
#define PLUS             14/* + */
#define MINUS            15/* - */
#define STAR             16/*  *  */
#define SLASH            17/*  /  */
#define VBAR             18/* | */
#define AMPER            19/* & */
#define LESS             20/* < */
#define GREATER          21/* > */
#define EQUAL            22/* = */
#define DOT              23/* . */
#define PERCENT          24/* % */
#define LBRACE           25/* { */
#define RBRACE           26/* } */
#define EQEQUAL          27/* == */
#define NOTEQUAL         28/* != */
#define LESSEQUAL        29/* <= */
#define GREATEREQUAL     30/* >= */
#define TILDE            31/* ~ */
#define CIRCUMFLEX       32/* ^ */
#define LEFTSHIFT        33/* << */
#define RIGHTSHIFT       34/* >> */
#define DOUBLESTAR       35/*  **  */
#define PLUSEQUAL        36/* += */
#define MINEQUAL         37/* -= */
#define STAREQUAL        38/*  *=  */
#define SLASHEQUAL       39/*  /=  */
#define PERCENTEQUAL     40/* %= */
#define AMPEREQUAL       41/* &= */
#define VBAREQUAL        42/* |= */
#define CIRCUMFLEXEQUAL  43/* ^= */
#define LEFTSHIFTEQUAL   44/* <<= */
#define RIGHTSHIFTEQUAL  45/* >>= */
#define DOUBLESTAREQUAL  46/*  **=  */
#define DOUBLESLASH      47/*  //  */
#define DOUBLESLASHEQUAL 48/*  //=  */
#define AT               49/* @ */
#define ATEQUAL          50/* @= */
#define RARROW           51/* -> */
#define ELLIPSIS         52/* ... */
#define COLONEQUAL       53/* := */
#define OP               54/* any operator */
#define AWAIT            55
#define ASYNC            56
#define TYPE_IGNORE      57
#define TYPE_COMMENT     58/* # type: … */
#define SOFT_KEYWORD     59
#define ERRORTOKEN       60
#define N_TOKENS         64
#define NT_OFFSET        256

#define ISTERMINAL(x)    ((x) < NT_OFFSET)
#define ISNONTERMINAL(x) ((x) >= NT_OFFSET)
#define ISEOF(x)         ((x) == ENDMARKER)
/* Token types that depend on whitespace. */
#define ISWHITESPACE(x) \
    ((x) == ENDMARKER || (x) == NEWLINE || (x) == INDENT || (x) == DEDENT)
#endif
