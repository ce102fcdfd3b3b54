/* Where our own program, or library, has its functions: all of them have frame pointers.

   Who follows the chain knows by it which return addresses may be in a record that is ours. */
#include "Python.h"
#include "internal/perf.h"

_PyPerfText _PyPerf_OwnText;

#if defined(SB_HAVE_LANDINGS) && !defined(SB_NO_FRAME_POINTERS)

#include <link.h>

/* Only in our own program does the text section contain no foreign code (main.c). */
extern const char _Py_IsOwnProgram[] __attribute__((weak, visibility("hidden")));

static int
find(struct dl_phdr_info *info, size_t Py_UNUSED(size), void *Py_UNUSED(unused))
{
    uintptr_t here = (uintptr_t)_PyPerf_Call;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && here - start < segment->p_memsz) {
            if (info->dlpi_name[0] != '\0' || _Py_IsOwnProgram != NULL) {
                _PyPerf_OwnText = (_PyPerfText){.start = start, .size = segment->p_memsz};
            }
            return 1;
        }
    }
    return 0;
}

void
_PyPerf_FindOwnText(void)
{
    if (_PyPerf_OwnText.size == 0) {
        dl_iterate_phdr(find, NULL);
    }
}

#else

void
_PyPerf_FindOwnText(void)
{
}

#endif
