/* Call frame information, as files for profilers and debuggers have it.

   That of landings is the template's, as the assembler wrote it.

   It is found in the running program's own .eh_frame, through the sorted table of
   .eh_frame_hdr, and rewritten for a place of its own: CIE, FDE, 0, .eh_frame_hdr.
   All addresses in it are relative. One rule holds for every byte of the template,
   so it holds for any number of landings side by side. That of compiled functions is the
   compiler's (Python/jit/frame_info.c). */
#include "Python.h"
#include "internal/perf.h"

#ifdef SB_HAVE_LANDINGS

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PCREL_SDATA4 = 0x1b, UDATA4 = 0x03, DATAREL_SDATA4 = 0x3b };

/* The .eh_frame_hdr of the object that the template belongs to, or NULL. */
static int
find_header(struct dl_phdr_info *info, size_t Py_UNUSED(size), void *result)
{
    uintptr_t template = (uintptr_t)_PyPerf_template;
    const char *header = NULL;
    int here = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD) {
            here |= template - start < segment->p_memsz;
        }
        else if (segment->p_type == PT_GNU_EH_FRAME) {
            header = (const char *)start;
        }
    }
    if (here) {
        *(const char **)result = header;
    }
    return here;
}

static int32_t
read_int(const char *p)
{
    int32_t value;
    memcpy(&value, p, sizeof(value));
    return value;
}

static void
write_int(char *p, ptrdiff_t value)
{
    int32_t narrow = (int32_t)value;
    memcpy(p, &narrow, sizeof(narrow));
}

/* The template's FDE in .eh_frame, or NULL. */
static const char *
find_fde(void)
{
    const char *header = NULL;
    dl_iterate_phdr(find_header, &header);
    if (header == NULL || header[0] != 1 || (unsigned char)header[2] != UDATA4
        || (unsigned char)header[3] != DATAREL_SDATA4) {
        return NULL;
    }
    uint32_t low = 0, high = (uint32_t)read_int(header + 8);
    const char *table = header + 12;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const char *code = header + read_int(table + 8 * (size_t)middle);
        if (code == _PyPerf_template) {
            const char *fde = header + read_int(table + 8 * (size_t)middle + 4);
            /* The CIE decides the encoding of its addresses: check that it is
               the usual one. */
            return fde + 8 + read_int(fde + 8) == _PyPerf_template ? fde : NULL;
        }
        if (code < _PyPerf_template) {
            low = middle + 1;
        }
        else {
            high = middle;
        }
    }
    return NULL;
}

/* Behind an .eh_frame of `table_size` bytes, whose FDE is at `fde`: what finds it. */
enum { HEADER_SIZE = 20 };

static void
write_header(char *block, size_t table_size, ptrdiff_t fde, ptrdiff_t code)
{
    char *header = block + table_size;
    header[0] = 1;
    header[1] = PCREL_SDATA4;
    header[2] = UDATA4;
    header[3] = DATAREL_SDATA4;
    write_int(header + 4, block - (header + 4));
    write_int(header + 8, 1);
    write_int(header + 12, code - (header - block));
    write_int(header + 16, fde - (header - block));
}

size_t
_PyPerf_WriteFrameInfo(char *block, const PyJitFrameInfo *info, ptrdiff_t code,
                       size_t *header_size)
{
    size_t table_size = info->size + 4;
    _PyJit_FillFrameInfo(block, info, code);
    write_int(block + info->size, 0);
    write_header(block, table_size, (ptrdiff_t)read_int(block) + 4, code);
    *header_size = HEADER_SIZE;
    return table_size + HEADER_SIZE;
}

size_t
_PyPerf_WriteCFI(char *block, ptrdiff_t code, size_t size, size_t *header_size)
{
    static const char *fde;
    if (fde == NULL && (fde = find_fde()) == NULL) {
        return 0;
    }
    const char *cie = fde + 4 - read_int(fde + 4);
    size_t cie_size = (size_t)read_int(cie) + 4, fde_size = (size_t)read_int(fde) + 4;
    size_t table_size = cie_size + fde_size + 4;
    *header_size = HEADER_SIZE;
    if (table_size + *header_size > PERF_CFI_ROOM) {
        return 0;
    }
    char *new_fde = block + cie_size;
    memcpy(block, cie, cie_size);
    memcpy(new_fde, fde, fde_size);
    write_int(new_fde + 4, (ptrdiff_t)cie_size + 4);
    write_int(new_fde + 8, code - (new_fde + 8 - block));
    write_int(new_fde + 12, (ptrdiff_t)size);
    write_int(new_fde + fde_size, 0);
    write_header(block, table_size, (ptrdiff_t)cie_size, code);
    return table_size + *header_size;
}

/* libgcc's registry serves backtrace() and C++ exceptions alike. */
void
_PyPerf_RegisterCFI(const char *eh_frame)
{
    static void (*register_frame)(const void *);
    static int looked_up;
    if (!looked_up) {
        looked_up = 1;
        *(void **)&register_frame = _PyJit_LibgccFunction("__register_frame");
    }
    if (register_frame != NULL) {
        register_frame(eh_frame);
    }
}

#endif
