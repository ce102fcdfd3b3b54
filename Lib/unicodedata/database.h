/* What the files of unicodedata share.

   Every question can be asked about the current database or about that of Unicode 3.2.0
   (`old`), which internationalised domain names are defined by. */
#ifndef SB_UNICODEDATA_DATABASE_H
#define SB_UNICODEDATA_DATABASE_H

#include "Python.h"

extern const char _PyUCD_version[];

/* The standard names of properties. */
const char *_PyUCD_Category(Py_UCS4 ch, int old);
const char *_PyUCD_Bidirectional(Py_UCS4 ch, int old);
const char *_PyUCD_EastAsianWidth(Py_UCS4 ch, int old);
int _PyUCD_Mirrored(Py_UCS4 ch, int old);
int _PyUCD_Combining(Py_UCS4 ch, int old);
int _PyUCD_Decimal(Py_UCS4 ch, int old);
int _PyUCD_Assigned(Py_UCS4 ch, int old);

/* The mapping of ch, in data and *length; *prefix is "" for a canonical one
   and "<font>" or the like for others. A length of 0: none. */
const Py_UCS4 *_PyUCD_Decomposition(Py_UCS4 ch, int old, int *length,
                                    const char **prefix);
/* The composite of two characters, or 0. */
Py_UCS4 _PyUCD_Compose(Py_UCS4 first, Py_UCS4 second);

typedef enum { FORM_NFD, FORM_NFKD, FORM_NFC, FORM_NFKC } _PyUCD_Form;
/* 0 yes, 1 maybe, 2 no: is ch allowed in a text of the form? */
int _PyUCD_QuickCheck(Py_UCS4 ch, _PyUCD_Form form);

/* Returns a new reference to the str in the form. */
PyObject *_PyUCD_Normalize(PyObject *str, _PyUCD_Form form, int old);
/* 1, 0, or -1 with an exception. */
int _PyUCD_IsNormalized(PyObject *str, _PyUCD_Form form, int old);

/* The name of ch into buffer: 1, or 0 if it has none or it does not fit. */
#define UCD_NAME_MAX 256
int _PyUCD_GetName(Py_UCS4 ch, char *buffer, int size);
/* The characters of a name into out, which has room for 4: how many, 0 if
   unknown. */
typedef enum { ONLY_NAMES, NAMES_AND_ALIASES, ALL_NAMES } _PyUCD_NameKinds;
int _PyUCD_Lookup(const char *name, int size, _PyUCD_NameKinds kinds,
                  Py_UCS4 *out);

#endif
