/* Executable memory (code_memory.c). */
#ifndef SB_JIT_CODE_MEMORY_H
#define SB_JIT_CODE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Room for a function: it is written at `writable`, in code made for the address `code`. */
typedef struct {
    char *code;
    uint8_t *writable;
    size_t size;
} JitRoom;

/* Finds room for so many bytes. 0, or -1: there is none. */
int _PyJit_OpenRoom(JitRoom *room, size_t size);
/* It is written: makes it executable. 0, or -1: the system refuses, and there is no room. */
int _PyJit_CloseRoom(JitRoom *room);
/* It was not written after all. */
void _PyJit_AbandonRoom(JitRoom *room);
/* Gives the room of code back that nobody runs any more. */
void _PyJit_FreeRoom(const char *code, size_t size);

/* Is there room for another function, as far as is known? */
int _PyJit_HasRoom(void);

#endif
