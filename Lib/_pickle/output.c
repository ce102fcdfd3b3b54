/* The pickler's output and memo.

   With protocol 4 opcodes come in frames: a header with a length, then that many bytes.
   Room for the header is reserved when the frame's first byte is written. A frame ends at
   the first boundary between opcodes after it has reached its size. Payloads of at least
   that size are written outside of frames, without being copied. */
#include "pickler.h"

static int
reserve(Pickler *self, Py_ssize_t n)
{
    if (n > PY_SSIZE_T_MAX / 2 - self->out_length - FRAME_HEADER_SIZE) {
        PyErr_NoMemory();
        return -1;
    }
    Py_ssize_t needed = self->out_length + n;
    if (needed <= self->out_room) {
        return 0;
    }
    Py_ssize_t room = Py_MAX(needed + needed / 2, 1024);
    if (self->buffer == NULL) {
        self->buffer = PyBytes_FromStringAndSize(NULL, room);
    }
    else {
        _PyBytes_Resize(&self->buffer, room);
    }
    if (self->buffer == NULL) {
        self->out_length = self->out_room = 0;
        return -1;
    }
    self->out = PyBytes_AS_STRING(self->buffer);
    self->out_room = room;
    return 0;
}

int
_PyPickler_WriteSlow(Pickler *self, const void *bytes, Py_ssize_t n)
{
    int begins_frame = self->framing && self->frame_start < 0;
    if (self->out_room - self->out_length < n + FRAME_HEADER_SIZE
        && reserve(self, n + FRAME_HEADER_SIZE) < 0) {
        return -1;
    }
    if (begins_frame) {
        self->frame_start = self->out_length;
        memset(self->out + self->out_length, 0xfe, FRAME_HEADER_SIZE);
        self->out_length += FRAME_HEADER_SIZE;
    }
    memcpy(self->out + self->out_length, bytes, (size_t)n);
    self->out_length += n;
    return 0;
}

int
_PyPickler_EndFrame(Pickler *self)
{
    if (!self->framing || self->frame_start < 0) {
        return 0;
    }
    char *header = self->out + self->frame_start;
    Py_ssize_t length = self->out_length - self->frame_start
        - FRAME_HEADER_SIZE;
    if (length >= FRAME_SIZE_MIN) {
        header[0] = (char)FRAME;
        store_le((unsigned char *)header + 1, (uint64_t)length, 8);
    }
    else {
        memmove(header, header + FRAME_HEADER_SIZE, (size_t)length);
        self->out_length -= FRAME_HEADER_SIZE;
    }
    self->frame_start = -1;
    return 0;
}

PyObject *
_PyPickler_TakeOutput(Pickler *self)
{
    PyObject *bytes;
    if (self->out_room <= MOST_OUTPUT_KEPT) {
        bytes = PyBytes_FromStringAndSize(self->out, self->out_length);
    }
    else {
        bytes = self->buffer;
        self->buffer = NULL;
        self->out_room = 0;
        _PyBytes_Resize(&bytes, self->out_length);
    }
    self->out_length = 0;
    return bytes;
}

int
_PyPickler_Flush(Pickler *self)
{
    assert(self->frame_start < 0);
    if (self->write == NULL || self->out_length == 0) {
        return 0;
    }
    PyObject *bytes = _PyPickler_TakeOutput(self);
    if (bytes == NULL) {
        return -1;
    }
    PyObject *result = PyObject_CallOneArg(self->write, bytes);
    Py_DECREF(bytes);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

int
_PyPickler_CutFrame(Pickler *self)
{
    /* A file is written frame by frame; memory need not be. */
    return _PyPickler_EndFrame(self) < 0 ? -1 : _PyPickler_Flush(self);
}

int
_PyPickler_WriteLarge(Pickler *self, const void *header, Py_ssize_t n_header,
                      const char *data, Py_ssize_t size, PyObject *payload)
{
    int framing = self->framing, past_buffer = size >= FRAME_SIZE_TARGET;
    int result = -1;
    if (past_buffer) {
        if (_PyPickler_EndFrame(self) < 0) {
            return -1;
        }
        self->framing = 0;
    }
    if (_PyPickler_Write(self, header, n_header) < 0) {
        goto done;
    }
    if (!past_buffer || self->write == NULL) {
        result = _PyPickler_Write(self, data, size);
        goto done;
    }
    if (_PyPickler_Flush(self) < 0) {
        goto done;
    }
    /* The file may keep what it is given. */
    PyObject *memory = payload != NULL ? Py_NewRef(payload)
        : PyBytes_FromStringAndSize(data, size);
    if (memory != NULL) {
        PyObject *written = PyObject_CallOneArg(self->write, memory);
        Py_DECREF(memory);
        Py_XDECREF(written);
        result = written == NULL ? -1 : 0;
    }
done:
    self->framing = framing;
    return result;
}

/* --------------------------------------------------------------------- memo */

#define MEMO_SMALLEST 8

int
_PyMemo_Init(struct memo *memo)
{
    memo->table = PyMem_Calloc(MEMO_SMALLEST, sizeof(struct memo_entry));
    memo->mask = MEMO_SMALLEST - 1;
    memo->used = 0;
    if (memo->table == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

void
_PyMemo_Free(struct memo *memo)
{
    struct memo_entry *table = memo->table;
    memo->table = NULL;
    if (table == NULL) {
        return;
    }
    for (size_t i = 0; i <= memo->mask; i++) {
        Py_XDECREF(table[i].key);
    }
    PyMem_Free(table);
}

int
_PyMemo_Clear(struct memo *memo)
{
    struct memo old = *memo;
    if (_PyMemo_Init(memo) < 0) {
        *memo = old;
        return -1;
    }
    _PyMemo_Free(&old);
    return 0;
}

static inline struct memo_entry *
memo_slot(const struct memo *memo, PyObject *key)
{
    size_t i = (((uintptr_t)key >> 4) * 0x9E3779B97F4A7C15u >> 20)
        & memo->mask;
    while (memo->table[i].key != NULL && memo->table[i].key != key) {
        i = (i + 1) & memo->mask;
    }
    return &memo->table[i];
}

Py_ssize_t
_PyMemo_Get(const struct memo *memo, PyObject *key)
{
    struct memo_entry *entry = memo_slot(memo, key);
    return entry->key == NULL ? -1 : entry->number;
}

static int
memo_grow(struct memo *memo)
{
    struct memo bigger = {.mask = memo->mask * 4 + 3, .used = memo->used};
    bigger.table = PyMem_Calloc(bigger.mask + 1, sizeof(struct memo_entry));
    if (bigger.table == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i <= memo->mask; i++) {
        if (memo->table[i].key != NULL) {
            *memo_slot(&bigger, memo->table[i].key) = memo->table[i];
        }
    }
    PyMem_Free(memo->table);
    *memo = bigger;
    return 0;
}

int
_PyMemo_Set(struct memo *memo, PyObject *key, Py_ssize_t number)
{
    struct memo_entry *entry = memo_slot(memo, key);
    if (entry->key != NULL) {
        entry->number = number;
        return 0;
    }
    entry->key = Py_NewRef(key);
    entry->number = number;
    memo->used++;
    return memo->used * 3 > memo->mask * 2 ? memo_grow(memo) : 0;
}
