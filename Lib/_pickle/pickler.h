/* The pickler from inside: its state, the memo and the output. */
#ifndef SB_PICKLER_H
#define SB_PICKLER_H

#include "pickle_impl.h"

/* Maps objects, by identity, to the numbers that they have been given. Open addressing,
   linear probing; the keys are owned references. */
struct memo {
    struct memo_entry {
        PyObject *key;
        Py_ssize_t number;
    } *table;
    size_t mask;
    size_t used;
};

int _PyMemo_Init(struct memo *);
void _PyMemo_Free(struct memo *);
int _PyMemo_Clear(struct memo *);
/* The number, or -1. */
Py_ssize_t _PyMemo_Get(const struct memo *, PyObject *key);
int _PyMemo_Set(struct memo *, PyObject *key, Py_ssize_t number);

typedef struct {
    PyObject_HEAD
    struct memo memo;
    PyObject *write;            /* of the file; NULL for dumps() */
    struct method_ref persistent_id;
    PyObject *dispatch_table;   /* the pickler's own, or NULL */
    PyObject *reducer_override; /* while dumping */
    PyObject *buffer_callback;

    PyObject *buffer;           /* bytes for `out`, or NULL */
    char *out;                  /* what has not been written yet, inside the buffer */
    Py_ssize_t out_length;
    Py_ssize_t out_room;
    Py_ssize_t frame_start;     /* in out, of its header; -1: no frame is open */
    int framing;

    int proto;
    int bin;                    /* proto >= 1 */
    int fast;                   /* no memo */
    int fast_nesting;
    int fix_imports;
    PyObject *fast_memo;        /* addresses of containers being saved */
} Pickler;

/* output.c. 0, or -1 with an exception. */
int _PyPickler_WriteSlow(Pickler *, const void *bytes, Py_ssize_t n);
int _PyPickler_CutFrame(Pickler *);
int _PyPickler_EndFrame(Pickler *);
int _PyPickler_Flush(Pickler *);
/* What has not been written yet, as a new reference. No frame may be open. A buffer with more room
   than MOST_OUTPUT_KEPT is not copied but given away. */
PyObject *_PyPickler_TakeOutput(Pickler *);
#define MOST_OUTPUT_KEPT 4096
/* Writes a header, then a long payload, which bypasses the buffer. `payload`, if not
   NULL, is an object that holds the bytes. */
int _PyPickler_WriteLarge(Pickler *, const void *header, Py_ssize_t n_header,
                          const char *data, Py_ssize_t size,
                          PyObject *payload);

/* Call at the end of each opcode. */
static inline int
_PyPickler_Boundary(Pickler *self)
{
    return self->framing && self->frame_start >= 0
           && self->out_length - self->frame_start - FRAME_HEADER_SIZE >= FRAME_SIZE_TARGET
           ? _PyPickler_CutFrame(self) : 0;
}

static inline int
_PyPickler_Write(Pickler *self, const void *bytes, Py_ssize_t n)
{
    if (n > self->out_room - self->out_length
        || (self->framing && self->frame_start < 0)) {
        return _PyPickler_WriteSlow(self, bytes, n);
    }
    memcpy(self->out + self->out_length, bytes, (size_t)n);
    self->out_length += n;
    return 0;
}

static inline int
write_op(Pickler *self, enum opcode op)
{
    char byte = (char)op;
    return _PyPickler_Write(self, &byte, 1);
}

/* An opcode and its operand, a number of so many bytes (1, 2, 4 or 8). */
static inline int
write_number(Pickler *self, int op, uint64_t number, int bytes)
{
    unsigned char text[9];
    if (self->out_room - self->out_length < (Py_ssize_t)sizeof(text)
        || (self->framing && self->frame_start < 0)) {
        text[0] = (unsigned char)op;
        store_le(text + 1, number, bytes);
        return _PyPickler_WriteSlow(self, text, bytes + 1);
    }
    /* There is room for all 8 bytes, so that what is stored is of a fixed size. */
    unsigned char *out = (unsigned char *)self->out + self->out_length;
    out[0] = (unsigned char)op;
    store_le(out + 1, number, 8);
    self->out_length += bytes + 1;
    return 0;
}

/* save.c, save_object.c */
int _PyPickler_Save(Pickler *, PyObject *obj, int no_persistent_id);
int _PyPickler_MemoGet(Pickler *, PyObject *key);
int _PyPickler_MemoPut(Pickler *, PyObject *obj);
int _PyPickler_BatchList(Pickler *, PyObject *iter);
int _PyPickler_BatchDict(Pickler *, PyObject *iter);
int _PyPickler_SaveByReduction(Pickler *, PyObject *obj);
/* Saves as a reduction what Py_BuildValue() returned; steals `value`. */
int _PyPickler_SaveBuilt(Pickler *, PyObject *value, PyObject *obj);

#endif
