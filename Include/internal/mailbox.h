/* The mailbox: how a tool outside of the process switches the showing of frames on and off.

   The tool finds this structure by an ELF note of the program (core/util/mailbox_words.S), reads
   it by process_vm_readv(), writes a request by process_vm_writev(), and then 1 into
   _Py_attention.wanted: so it costs nothing while nobody writes. The next thread at a safe point
   does what is asked (observe/perf/mailbox.c) and writes the reply. Lib/springprof/mailbox.py
   is the other side; the layout and the numbers are shared with it.

   What a tool has switched on stays on for as long as the tool says that it lives, by counting
   `beat` up in less than lease_ms; what the program has switched on is left alone. */
#ifndef SB_INTERNAL_MAILBOX_H
#define SB_INTERNAL_MAILBOX_H

#include <stdint.h>

#define MAILBOX_VERSION 1
#define MAILBOX_SIZE 256
#define MAILBOX_TEXT 176

typedef struct {
    char magic[8];              /* "SBMAIL\0\0" */
    uint32_t version, size;
    uint32_t state;             /* MAILBOX_CLOSED … */
    uint32_t pid;               /* in the process's own PID namespace: files are named by it */
    /* Written by the tool, the request (and `text`, where it needs one) last. A request is a number that differs from the
       last one's in its low half, and a command in the high half. */
    uint32_t lease_ms;
    uint32_t beat;
    uint64_t request;
    /* Written by the process, the reply last: the request's low half, and MAILBOX_OK … in the
       high half. */
    uint64_t reply;
    uint32_t error;             /* errno for MAILBOX_FAILED */
    uint32_t active;            /* 0, or the number of the backend from 1 on; 256: with lines */
    uint32_t by;                /* SHOWN_BY_… */
    uint32_t leases;            /* how many have run out */
    uint32_t sampling;          /* samples a second that the sampler takes; 0: it is off */
    uint32_t reserved[3];
    char text[MAILBOX_TEXT];    /* what the reply is about */
} _PyMailbox;

_Static_assert(sizeof(_PyMailbox) == MAILBOX_SIZE, "shared with mailbox_words.S and tools");

enum { MAILBOX_CLOSED, MAILBOX_OPEN, MAILBOX_REFUSES };     /* -X perf_attach=0 */

/* Commands. */
enum {
    MAILBOX_NOTHING,            /* withdraws a request */
    MAILBOX_PERF,
    MAILBOX_PERF_LINES,
    MAILBOX_PERF_JIT,
    MAILBOX_OFF,
    MAILBOX_SAMPLES,            /* as PERF, and the sampler; text: as in SPRINGBOARD_SAMPLES */
    MAILBOX_SAMPLES_LINES,
};

/* Of replies. */
enum {
    MAILBOX_OK,
    MAILBOX_UNKNOWN,            /* no such command */
    MAILBOX_REFUSED,            /* by an audit hook; text: the exception */
    MAILBOX_BUSY,               /* the program has switched on something else; text: what */
    MAILBOX_FAILED,             /* text: what has failed; error */
    MAILBOX_HOOKED,             /* another eval hook is in place (no more) */
};

extern _PyMailbox _Py_mailbox __attribute__((visibility("hidden")));
/* The mailbox's thread wants a look at it: the lease has run out, or has to be watched. */
extern volatile int _PyMailbox_wants_look;

/* Does what is asked for. Only for threads that hold the GIL, at a safe point. Raises nothing. */
struct _ts;
void _PyMailbox_Open(struct _ts *tstate);

/* For _Py_HandlePending(). */
static inline int
_PyMailbox_HasMail(void)
{
    return (uint32_t)__atomic_load_n(&_Py_mailbox.request, __ATOMIC_ACQUIRE)
               != (uint32_t)_Py_mailbox.reply
           || __builtin_expect(_PyMailbox_wants_look, 0);
}

#endif
