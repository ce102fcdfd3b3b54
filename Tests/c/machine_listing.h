/* Compares what an emitter emits with what llvm-mc makes of assembly text:

       LISTS(_PyJit_Op(&as, JIT_ADD, 0, 0, 3), "add %s, rbx", "rax");
       ...
       check_listing("");

   The bytes must be the same, so the text also says which of several encodings is wanted: the
   assembler takes the shortest. This works on every machine for every architecture. Included by
   one file for each emitter, behind the emitter itself. */
#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OPERATIONS = 200000, NAME_SIZE = 40 };

static JitAsm as;
static FILE *text;
static char *text_bytes;
static size_t text_size;
static struct {
    const char *operation;
    uint32_t end;               /* of its bytes in the usual part */
    size_t text_end;
} operations[MOST_OPERATIONS];
static int noperations;

static void
start_listing(void)
{
    _PyJit_AsmInit(&as);
    text = open_memstream(&text_bytes, &text_size);
    fputs(LISTING_HEAD, text);
    noperations = 0;
}

static void
lists(const char *operation, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(text, format, arguments);
    va_end(arguments);
    fputc('\n', text);
    ck_assert_int_lt(noperations, MOST_OPERATIONS);
    operations[noperations].operation = operation;
    operations[noperations].text_end = (size_t)ftell(text);
    operations[noperations++].end = as.parts[0].used;
}

#define LISTS(OPERATION, ...)           \
    do {                                \
        OPERATION;                      \
        lists(#OPERATION, __VA_ARGS__); \
    } while (0)

/* A few texts that are in use at the same time. */
__attribute__((format(printf, 1, 2))) static const char *
texts(const char *format, ...)
{
    static char few[8][NAME_SIZE];
    static int next;
    char *to = few[next++ % 8];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(to, NAME_SIZE, format, arguments);
    va_end(arguments);
    return to;
}

/* The contents of .text, from an object file. */
static unsigned char *
read_text_section(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    unsigned char *object = malloc((size_t)length + 1);
    ck_assert_uint_eq(fread(object, 1, (size_t)length, file), (size_t)length);
    fclose(file);
    Elf64_Ehdr head;
    memcpy(&head, object, sizeof(head));
    for (int i = 0; i < head.e_shnum; i++) {
        Elf64_Shdr section;
        memcpy(&section, object + head.e_shoff + (size_t)i * head.e_shentsize, sizeof(section));
        if (section.sh_type == SHT_PROGBITS && section.sh_flags & SHF_EXECINSTR) {
            memmove(object, object + section.sh_offset, section.sh_size);
            *size = section.sh_size;
            return object;
        }
    }
    ck_abort_msg("no code in %s", path);
    return NULL;
}

static unsigned char *
assembled(size_t *size)
{
    char folder[] = "/tmp/listing-XXXXXX", source[64], object[64], command[300];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(source, sizeof(source), "%s/listing.s", folder);
    snprintf(object, sizeof(object), "%s/listing.o", folder);
    FILE *file = fopen(source, "w");
    ck_assert_uint_eq(fwrite(text_bytes, 1, text_size, file), text_size);
    fclose(file);
    snprintf(command, sizeof(command), "llvm-mc-19 -triple=%s -filetype=obj -o %s %s",
             LISTING_TRIPLE, object, source);
    ck_assert_msg(system(command) == 0, "failed: %s", command);
    unsigned char *bytes = read_text_section(object, size);
    remove(source);
    remove(object);
    rmdir(folder);
    return bytes;
}

static void
print_bytes(const char *who, const unsigned char *bytes, size_t from, size_t to)
{
    printf("%s:", who);
    for (size_t i = from; i < to; i++) {
        printf(" %02x", bytes[i]);
    }
    putchar('\n');
}

/* Code at this address does not reach C functions, unless they are made up to be near. */
#define LISTING_ADDRESS 0x7f0000000000u

/* The constants follow as text. */
static void
check_listing(const char *constants)
{
    size_t size = _PyJit_AsmSize(&as), expected_size;
    unsigned gap = (0u - as.parts[0].used - as.parts[1].used) & 7;
    lists("the constants", ".fill %u, 1, %u\n%s", gap, LISTING_GAP, constants);
    fclose(text);
    unsigned char *ours = malloc(size + 1), *expected = assembled(&expected_size);
    ck_assert_int_eq(_PyJit_AsmFinish(&as, ours, LISTING_ADDRESS), 0);
    size_t at = 0;
    while (at < size && at < expected_size && ours[at] == expected[at]) {
        at++;
    }
    if (at < size || at < expected_size) {
        int i = 0;
        while (i < noperations - 1 && operations[i].end <= at) {
            i++;
        }
        size_t from = i == 0 ? 0 : operations[i - 1].end;
        size_t text_from = i == 0 ? 0 : operations[i - 1].text_end;
        printf("%s should be\n%.*s", operations[i].operation,
               (int)(operations[i].text_end - text_from), text_bytes + text_from);
        size_t to = at + 8 < size ? at + 8 : size;
        print_bytes("ours     ", ours, from, to);
        to = at + 8 < expected_size ? at + 8 : expected_size;
        print_bytes("llvm-mc's", expected, from, to);
        ck_abort_msg("%s: byte %zu of %zu differs (of llvm-mc's %zu)", operations[i].operation, at,
                     size, expected_size);
    }
    free(ours);
    free(expected);
    free(text_bytes);
    _PyJit_AsmFree(&as);
}

/* Adds a listing to the tests, or says why not. */
static void
add_listing(TCase *tests, const TTest *test)
{
    if (system("llvm-mc-19 --version >/dev/null 2>&1") == 0) {
        tcase_add_test(tests, test);
    }
    else if (CTests_Wanted(test->name)) {
        printf("skip %s: llvm-mc-19 is not installed\n", test->name);
    }
}
