/* The semaphores of the static probes (observe/probes.c), in section .probes of the
   program. Tracers find them there, and increment them while they are attached. The first
   eight bytes are also the word at which the VM looks (_Py_attention in
   internal/pystate.h). */
#define SEMAPHORE(name) \
    .globl  python_##name##_semaphore; \
    .hidden python_##name##_semaphore; \
    .type   python_##name##_semaphore, %object; \
    .size   python_##name##_semaphore, 2; \
python_##name##_semaphore: \
    .2byte  0

    .section .probes, "aw", %progbits
    .p2align 3
    .globl  _Py_attention
    .hidden _Py_attention
    .type   _Py_attention, %object
    .size   _Py_attention, 8
_Py_attention:
    SEMAPHORE(function__entry)
    SEMAPHORE(function__return)
    SEMAPHORE(line)
    .2byte  0
    SEMAPHORE(gc__start)
    SEMAPHORE(gc__done)
    SEMAPHORE(import__find__load__start)
    SEMAPHORE(import__find__load__done)
    SEMAPHORE(audit)
    SEMAPHORE(gil__wait)
    SEMAPHORE(gil__acquired)
    SEMAPHORE(gil__released)
    SEMAPHORE(exception__raise)

    .section .note.GNU-stack, "", %progbits
