/* The command line and the environment, for modules that read their own options. */
#ifndef SB_INTERNAL_OPTIONS_H
#define SB_INTERNAL_OPTIONS_H

#include "Python.h"

/* The value of -X name: NULL if absent, L"" if given bare. */
const wchar_t *_PyConfig_XOption(const PyConfig *config, const wchar_t *name);
/* An environment variable; NULL if it is empty, or the environment is to be ignored. */
const char *_PyConfig_Getenv(const PyConfig *config, const char *name);

#endif
