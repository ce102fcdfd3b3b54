/* Executable memory (install.c). */
#ifndef SB_JIT_CODE_MEMORY_H
#define SB_JIT_CODE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Writable pages for so many bytes of code; NULL: there are none. */
uint8_t *_PyJit_CodeRoom(size_t size);
/* They are written: makes them executable. 0 or -1. */
int _PyJit_CodeReady(uint8_t *room, size_t size);

#endif
