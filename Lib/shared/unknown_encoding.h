/* For all modules of this program that use expat. */
#ifndef SB_PYEXPAT_UNKNOWN_ENCODING_H
#define SB_PYEXPAT_UNKNOWN_ENCODING_H

#include "Python.h"
#include <expat.h>

/* expat's callback for encodings that it does not know: looks them up in the codec
   registry. */
int _PyExpat_UnknownEncoding(void *data, const XML_Char *name,
                             XML_Encoding *info);

#endif
