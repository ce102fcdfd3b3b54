/* Names of Python frames for gdb, by its interface for code that is made at run time.

   gdb stops at each call of __jit_debug_register_code() and reads the ELF image that
   __jit_debug_descriptor points to; when it attaches to a process it reads all images
   of the list. An image per function would make gdb slow after some hundreds, so a
   batch of functions shares one: to add a function, the newest image is withdrawn,
   written to, and announced again. Without a debugger all of that is a few stores.

   An image holds a symbol for each function (or line) and the unwinding information
   of all of them: one rule for landings, an entry for each function of compiled ones, whose
   images are others. gdb finds the code itself in memory. Images stay when the backend is
   switched off, because the landings that they name stay, too. The GIL guards everything
   here. */
#include "Python.h"
#include "internal/perf.h"

#ifdef SB_HAVE_LANDINGS

#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------- the interface, as gdb knows it */

typedef struct JitEntry {
    struct JitEntry *next, *previous;
    const char *image;
    uint64_t size;
} JitEntry;

enum { JIT_NOTHING, JIT_REGISTER, JIT_UNREGISTER };

#define GDB_SYMBOL __attribute__((used, visibility("default")))

GDB_SYMBOL struct {
    uint32_t version, action;
    JitEntry *relevant, *first;
} __jit_debug_descriptor = {1, JIT_NOTHING, NULL, NULL};

GDB_SYMBOL __attribute__((noinline)) void __jit_debug_register_code(void);

void
__jit_debug_register_code(void)
{
    __asm__ volatile("" ::: "memory");
}

static void
announce(JitEntry *entry, uint32_t action)
{
    JitEntry **first = &__jit_debug_descriptor.first;
    if (action == JIT_REGISTER) {
        entry->previous = NULL;
        entry->next = *first;
        if (*first != NULL) {
            (*first)->previous = entry;
        }
        *first = entry;
    }
    else {
        *(entry->previous != NULL ? &entry->previous->next : first) = entry->next;
        if (entry->next != NULL) {
            entry->next->previous = entry->previous;
        }
    }
    __jit_debug_descriptor.relevant = entry;
    __jit_debug_descriptor.action = action;
    __jit_debug_register_code();
}

/* ------------------------------------------------------------------- images */

#define BATCH 1024              /* symbols of an image */
#define STRINGS 98304           /* bytes for their names; more if one needs more */
#define FRAME_INFO 65536        /* bytes of compiled functions' unwinding information, likewise */

enum { NONE, TEXT, EH_FRAME, SYMTAB, STRTAB, SHSTRTAB, SECTIONS };

static const char section_names[] = "\0.text\0.eh_frame\0.symtab\0.strtab\0.shstrtab";

typedef struct {
    Elf64_Ehdr header;
    Elf64_Shdr section[SECTIONS];
    Elf64_Sym symbol[1 + BATCH];
    char cfi[PERF_CFI_ROOM];            /* of landings */
    char section_names[sizeof(section_names)];
    char strings[];                     /* then the unwinding information of compiled functions */
} Image;

typedef struct {
    JitEntry entry;
    Image *image;
    size_t symbols, strings, room;      /* in use, and room for strings */
    char *frame_info;                   /* of compiled functions; NULL: of landings */
    size_t frame_info_size, frame_info_room;
} Batch;

/* Of landings, and of compiled functions. */
static Batch *newest[2];

static void
fill_section(Image *image, int number, const char *name, uint32_t type, uint64_t flags,
             const void *content, size_t size)
{
    const char *at = section_names + 1;
    while (strcmp(at, name) != 0) {
        at += strlen(at) + 1;
    }
    image->section[number] = (Elf64_Shdr){
        .sh_name = (Elf64_Word)(at - section_names), .sh_type = type, .sh_flags = flags,
        .sh_offset = (Elf64_Off)((const char *)content - (const char *)image),
        .sh_size = size, .sh_addralign = 8,
    };
}

static void
fill_image(Image *image)
{
    image->header = (Elf64_Ehdr){
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                    EV_CURRENT},
        .e_type = ET_EXEC, .e_version = EV_CURRENT,
#ifdef __x86_64__
        .e_machine = EM_X86_64,
#else
        .e_machine = EM_AARCH64,
#endif
        .e_shoff = offsetof(Image, section), .e_ehsize = sizeof(Elf64_Ehdr),
        .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = SECTIONS, .e_shstrndx = SHSTRTAB,
    };
    memcpy(image->section_names, section_names, sizeof(section_names));
    fill_section(image, TEXT, ".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, image, 0);
    fill_section(image, EH_FRAME, ".eh_frame", SHT_PROGBITS, 0, image->cfi, 0);
    fill_section(image, SYMTAB, ".symtab", SHT_SYMTAB, 0, image->symbol,
                 sizeof(Elf64_Sym));
    fill_section(image, STRTAB, ".strtab", SHT_STRTAB, 0, image->strings, 1);
    fill_section(image, SHSTRTAB, ".shstrtab", SHT_STRTAB, 0, image->section_names,
                 sizeof(section_names));
    image->section[SYMTAB].sh_link = STRTAB;
    image->section[SYMTAB].sh_info = 1;
    image->section[SYMTAB].sh_entsize = sizeof(Elf64_Sym);
}

/* Begins a new batch, with room for a name of this size, and of compiled functions for this
   frame information (NULL: of landings). 0, or -1. */
static int
begin_batch(size_t name_size, const PyJitFrameInfo *info)
{
    size_t room = (Py_MAX(STRINGS, name_size + 1) + 7) & ~(size_t)7;
    size_t info_room = info != NULL ? Py_MAX(FRAME_INFO, info->size + 4) : 0;
    size_t size = sizeof(Image) + room + info_room;
    Batch *batch = PyMem_RawCalloc(1, sizeof(*batch));
    Image *image = PyMem_RawCalloc(1, size);
    if (batch == NULL || image == NULL) {
        PyMem_RawFree(batch);
        PyMem_RawFree(image);
        errno = ENOMEM;
        return -1;
    }
    fill_image(image);
    *batch = (Batch){.entry = {.image = (const char *)image, .size = size},
                     .image = image, .strings = 1, .room = room,
                     .frame_info = info != NULL ? image->strings + room : NULL,
                     .frame_info_room = info_room};
    if (info != NULL) {
        image->section[EH_FRAME].sh_offset =
            (Elf64_Off)(batch->frame_info - (const char *)image);
    }
    newest[info != NULL] = batch;
    return 0;
}

/* The unwinding information covers everything from the first symbol on. Its distances
   count from the address given for its section, which is that of the landings; there is
   no conflict, because the section is not loaded. */
static void
cover(Image *image, uint64_t end)
{
    Elf64_Shdr *text = &image->section[TEXT], *cfi = &image->section[EH_FRAME];
    size_t header_size;
    text->sh_size = end - text->sh_addr;
    size_t size = _PyPerf_WriteCFI(image->cfi, 0, text->sh_size, &header_size);
    cfi->sh_addr = text->sh_addr;
    cfi->sh_size = size > 0 ? size - header_size : 0;
}

/* Of a compiled function, appended to that of the others. */
static void
add_frame_info(Batch *batch, const PyJitFrameInfo *info, uint64_t code)
{
    Elf64_Shdr *cfi = &batch->image->section[EH_FRAME];
    cfi->sh_addr = batch->image->section[TEXT].sh_addr;
    _PyJit_FillFrameInfo(batch->frame_info + batch->frame_info_size, info,
                          (ptrdiff_t)(code - cfi->sh_addr)
                          - (ptrdiff_t)batch->frame_info_size);
    batch->frame_info_size += info->size;
    cfi->sh_size = batch->frame_info_size + 4;      /* the 0 at the end */
}

static int
has_room(const Batch *batch, uint64_t address, size_t need, const PyJitFrameInfo *info)
{
    return batch != NULL && batch->symbols < BATCH && batch->room - batch->strings >= need
           && (info == NULL || batch->frame_info_room - batch->frame_info_size >= info->size + 4)
           && (batch->symbols == 0
               || address - batch->image->section[TEXT].sh_addr <= INT32_MAX / 2);
}

/* `info`: NULL, or of the compiled function, at its first symbol `begins`. */
static int
add_symbol(const char *code, unsigned int size, const _PyPerf_Name *name,
           const char *suffix, const PyJitFrameInfo *info, int begins)
{
    size_t suffix_len = strlen(suffix), need = name->size + suffix_len + 1;
    uint64_t address = (uintptr_t)code;
    Batch *batch = newest[info != NULL];
    if (!has_room(batch, address, need, info)) {
        if (begin_batch(need, info) < 0) {
            return -1;
        }
        batch = newest[info != NULL];
    }
    Image *image = batch->image;
    char *string = image->strings + batch->strings;
    memcpy(string, name->text, name->size);
    memcpy(string + name->size, suffix, suffix_len + 1);
    image->symbol[++batch->symbols] = (Elf64_Sym){
        .st_name = (Elf64_Word)batch->strings,
        .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
        .st_shndx = TEXT, .st_value = address, .st_size = size,
    };
    batch->strings += need;
    if (batch->symbols == 1) {
        image->section[TEXT].sh_addr = address;
    }
    image->section[SYMTAB].sh_size = (1 + batch->symbols) * sizeof(Elf64_Sym);
    image->section[STRTAB].sh_size = batch->strings;
    if (info == NULL) {
        cover(image, address + size);
        return 0;
    }
    image->section[TEXT].sh_size = address + size - image->section[TEXT].sh_addr;
    if (begins) {
        add_frame_info(batch, info, address);
    }
    return 0;
}

/* -------------------------------------------------------------- the backend */

static int
backend_init(void)
{
    return 0;
}

static int
backend_publish(const void *code, unsigned int size, const _PyPerf_Name *name,
                const _PyPerf_Lines *lines)
{
    const PyJitFrameInfo *info = lines != NULL ? lines->frame_info : NULL;
    Batch **batches = &newest[info != NULL], *last = *batches;
    if (last != NULL) {
        announce(&last->entry, JIT_UNREGISTER);
    }
    int result = 0;
    if (lines == NULL) {
        result = add_symbol(code, size, name, "", NULL, 0);
    }
    for (unsigned i = 0; lines != NULL && i < lines->count && result == 0; i++) {
        char suffix[16];
        Batch *before = *batches;
        snprintf(suffix, sizeof(suffix), ":%d", (int)lines->line[i]);
        size_t from = _PyPerf_LineStart(lines, i), to = _PyPerf_LineStart(lines, i + 1);
        result = add_symbol((const char *)code + from, (unsigned)(to - from), name, suffix, info,
                            i == 0);
        if (before != *batches && before != last) {
            announce(&before->entry, JIT_REGISTER);
        }
    }
    if (last != NULL) {
        announce(&last->entry, JIT_REGISTER);
    }
    if (*batches != last) {
        announce(&(*batches)->entry, JIT_REGISTER);
    }
    return result;
}

static void
backend_fini(void)
{
}

static const char *
backend_file(void)
{
    return "perf_gdb";
}

const _PyPerf_Backend _PyPerf_GdbBackend = {
    "perf_gdb", backend_init, backend_publish, backend_fini, backend_file, 0,
    /* Lines are useful in a stack trace, and gdb would take a name that ends in ".py" for
       an Ada one. */
    .always_lines = 1,
};

#endif
