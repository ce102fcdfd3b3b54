/* See internal/lazy_library.h. A library stays open until the process ends: what it
   registered (exit handlers, thread keys) may be used after a module is gone. */
#include "Python.h"
#include "internal/lazy_library.h"

#include <dlfcn.h>

static int
not_there(const char *soname)
{
    const char *why = dlerror();
    PyErr_Format(PyExc_ImportError, "%s", why != NULL ? why : soname);
    return -1;
}

int
_PyLazyLibrary_Open(const char *soname, const char *names, void *functions, size_t size)
{
    char *const last = (char *)functions + size - sizeof(void *);
    void *address;
    memcpy(&address, last, sizeof(address));
    if (address != NULL) {
        return 0;
    }
    void *library = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) {
        return not_there(soname);
    }
    for (char *slot = functions; slot <= last; slot += sizeof(void *)) {
        address = dlsym(library, names);
        if (address == NULL) {
            return not_there(soname);
        }
        memcpy(slot, &address, sizeof(address));
        names += strlen(names) + 1;
    }
    return 0;
}
