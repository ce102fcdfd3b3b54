/* Options of a PyConfig: -X NAME, and environment variables. */
#include "internal/options.h"

#include <stdlib.h>
#include <wchar.h>

const wchar_t *
_PyConfig_XOption(const PyConfig *config, const wchar_t *name)
{
    size_t n = wcslen(name);
    for (Py_ssize_t i = config->xoptions.length; --i >= 0;) {
        const wchar_t *option = config->xoptions.items[i];
        if (wcsncmp(option, name, n) == 0 && (option[n] == L'\0' || option[n] == L'=')) {
            return option[n] == L'=' ? option + n + 1 : option + n;
        }
    }
    return NULL;
}

const char *
_PyConfig_Getenv(const PyConfig *config, const char *name)
{
    if (config->use_environment == 0) {
        return NULL;
    }
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}
