/* The packed form of instructions (Objects/code/packed.c), and a walk over it. */
#ifndef SB_INTERNAL_PACKED_CODE_H
#define SB_INTERNAL_PACKED_CODE_H

#include "internal/code.h"

/* Packs n words, n > 0; `out` NULL: counts only. Returns how many bytes that takes. Never fails. */
size_t _PyCode_Pack(const PyInstr *words, uint32_t n, uint8_t *out);

/* A walk over packed instructions. */
typedef struct {
    const uint8_t *next, *limit;
    uint8_t is_raw;             /* words that are no instructions: there is no walk */
    uint8_t is_bad;
} PyPackedWalk;

/* Returns how many words there are, or 0: these bytes are not in this form. */
uint32_t _PyPacked_Start(PyPackedWalk *, const uint8_t *packed, size_t size);
/* The next instruction, general as the compiler made it, and the `arg` of its first cache word.
   0: there is none, or what is there is not in this form. */
int _PyPacked_Next(PyPackedWalk *, PyInstr *in, uint32_t *arg);

/* Their words as a new bytes object; NULL with MemoryError or ValueError. */
PyObject *_PyPacked_GetWords(const uint8_t *packed, size_t size);

#endif
