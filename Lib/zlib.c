/* zlib: compression, by the library of that name.

   Input goes to a z_stream in portions that fit its 32-bit counts; output collects in a
   growing buffer. The GIL is released while the library works: an object's lock keeps a
   second thread out of its stream. */

#define PY_SSIZE_T_CLEAN
#include "Python.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "structmember.h"
#include <stddef.h>
#include <zlib.h>

#define DEF_BUF_SIZE (16 * 1024)
#define DEF_MEM_LEVEL 8

typedef struct {
    PyTypeObject *compress_type;
    PyTypeObject *decompress_type;
    PyObject *error;
} zlib_state;

typedef struct {
    PyObject_HEAD
    z_stream stream;
    PyObject *unused_data;
    PyObject *unconsumed_tail;
    PyObject *zdict;            /* or NULL */
    char eof;
    char initialised;           /* the stream holds memory */
    char compresses;
    PyThread_type_lock lock;
} StreamObject;



static zlib_state *
state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

static zlib_state *
state_of_object(StreamObject *self)
{
    return PyType_GetModuleState(Py_TYPE(self));
}

/* ------------------------------------------------------------------- errors */

static void
raise_zlib(zlib_state *state, const z_stream *stream, int error,
           const char *doing)
{
    const char *reason = error == Z_VERSION_ERROR
        ? "library version mismatch" : stream->msg;
    if (reason == NULL) {
        reason = error == Z_BUF_ERROR ? "incomplete or truncated stream"
            : error == Z_STREAM_ERROR ? "inconsistent stream state"
            : error == Z_DATA_ERROR ? "invalid input data" : NULL;
    }
    if (reason != NULL) {
        PyErr_Format(state->error, "Error %d %s: %.200s", error, doing,
                     reason);
    }
    else {
        PyErr_Format(state->error, "Error %d %s", error, doing);
    }
}

/* --------------------------------------------------------------- allocation */

static void *
stream_alloc(void *Py_UNUSED(context), unsigned int items, unsigned int size)
{
    if (size != 0 && items > (size_t)PY_SSIZE_T_MAX / size) {
        return NULL;
    }
    /* Called without the GIL: use the raw allocator. */
    return PyMem_RawMalloc((size_t)items * size);
}

static void
stream_free(void *Py_UNUSED(context), void *p)
{
    PyMem_RawFree(p);
}

static void
prepare_stream(z_stream *stream)
{
    memset(stream, 0, sizeof(*stream));
    stream->zalloc = stream_alloc;
    stream->zfree = stream_free;
}

/* ------------------------------------------------------------------- output */

/* The bytes that a stream has produced: in a bytes object with room for
   more, up to `limit` if that is not 0. */
struct output {
    PyObject *bytes;
    Py_ssize_t used;
    Py_ssize_t limit;
};

static int
output_start(struct output *out, Py_ssize_t room, Py_ssize_t limit)
{
    out->used = 0;
    out->limit = limit;
    if (limit != 0 && room > limit) {
        room = limit;
    }
    out->bytes = PyBytes_FromStringAndSize(NULL, room);
    return out->bytes == NULL ? -1 : 0;
}

/* Makes the stream write to free room, which is made if necessary: 1; 0 at the limit; -1
   with an exception. */
static int
output_room(struct output *out, z_stream *stream)
{
    Py_ssize_t size = PyBytes_GET_SIZE(out->bytes);
    if (out->used == size) {
        if (size == out->limit && out->limit != 0) {
            return 0;
        }
        Py_ssize_t more = size < PY_SSIZE_T_MAX - size ? size
                                                       : PY_SSIZE_T_MAX - size;
        more = more == 0 ? 1 : more;
        if (out->limit != 0 && size + more > out->limit) {
            more = out->limit - size;
        }
        if (size == PY_SSIZE_T_MAX) {
            PyErr_NoMemory();
            return -1;
        }
        if (_PyBytes_Resize(&out->bytes, size + more) < 0) {
            return -1;
        }
        size += more;
    }
    Py_ssize_t room = Py_MIN(size - out->used, (Py_ssize_t)UINT_MAX);
    stream->next_out = (Bytef *)PyBytes_AS_STRING(out->bytes) + out->used;
    stream->avail_out = (uInt)room;
    return 1;
}

static void
output_note(struct output *out, const z_stream *stream)
{
    out->used = (char *)stream->next_out - PyBytes_AS_STRING(out->bytes);
}

static PyObject *
output_finish(struct output *out)
{
    (void)_PyBytes_Resize(&out->bytes, out->used);
    return out->bytes;
}

/* Runs function(stream, mode) over the input until it is used up, the output's limit is
   reached, or the stream ends. The last portion gets `last_mode`, others Z_NO_FLUSH (or
   Z_SYNC_FLUSH for inflate). *error is the library's last result. Returns -1 with an
   exception if there is no memory, or if `check` says that a result is an error and has
   raised it. */
typedef int (*stream_step)(z_stream *, int);

struct pump {
    z_stream *stream;
    stream_step step;
    int mode;                   /* while there is more input */
    int last_mode;
    struct output *out;
    int error;
    /* Handles a result other than OK, BUF_ERROR, STREAM_END: 1 to continue with the same
       input; 0 to stop; -1 with an exception. */
    int (*unusual)(struct pump *);
    void *context;
};

static int
pump_portion(struct pump *pump, int mode)
{
    z_stream *stream = pump->stream;
    for (;;) {
        int room = output_room(pump->out, stream);
        if (room <= 0) {
            return room;
        }
        Py_BEGIN_ALLOW_THREADS
        pump->error = pump->step(stream, mode);
        Py_END_ALLOW_THREADS
        output_note(pump->out, stream);
        switch (pump->error) {
        case Z_OK:
        case Z_BUF_ERROR:
        case Z_STREAM_END:
            break;
        default: {
            int go_on = pump->unusual == NULL ? 0 : pump->unusual(pump);
            if (go_on <= 0) {
                return go_on;
            }
            continue;
        }
        }
        if (pump->error == Z_STREAM_END || stream->avail_out != 0) {
            return 1;
        }
    }
}

static int
pump_all(struct pump *pump, Py_buffer *data, Py_ssize_t *left)
{
    z_stream *stream = pump->stream;
    *left = data->len;
    stream->next_in = data->buf;
    int status;
    do {
        uInt portion = (uInt)Py_MIN(*left, (Py_ssize_t)UINT_MAX);
        *left -= portion;
        stream->avail_in = portion;
        status = pump_portion(pump, *left > 0 ? pump->mode
                                              : pump->last_mode);
        *left += stream->avail_in;
    } while (status > 0 && pump->error != Z_STREAM_END
             && *left > stream->avail_in);
    return status < 0 ? -1 : 0;
}

/* ------------------------------------------------------ one call for it all */

static PyObject *
zlib_compress(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
              PyObject *kwnames)
{
    static const char *const keywords[] = {"", "level", "wbits", NULL};
    static _PyArg_Parser parser = {
        .format = "y*|ii:compress", .keywords = keywords,
    };
    zlib_state *state = state_of(module);
    Py_buffer data = {.buf = NULL};
    int level = Z_DEFAULT_COMPRESSION, wbits = MAX_WBITS;
    PyObject *result = NULL;
    z_stream stream;
    struct output out;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &data,
                                      &level, &wbits)) {
        return NULL;
    }
    prepare_stream(&stream);
    int error = deflateInit2(&stream, level, Z_DEFLATED, wbits, DEF_MEM_LEVEL,
                             Z_DEFAULT_STRATEGY);
    if (error != Z_OK) {
        if (error == Z_MEM_ERROR) {
            PyErr_SetString(PyExc_MemoryError,
                            "Out of memory while compressing data");
        }
        else if (error == Z_STREAM_ERROR) {
            PyErr_SetString(state->error, "Bad compression level");
        }
        else {
            raise_zlib(state, &stream, error, "while compressing data");
        }
        goto done;
    }
    if (output_start(&out, DEF_BUF_SIZE, 0) == 0) {
        Py_ssize_t left;
        struct pump pump = {
            .stream = &stream, .step = deflate, .mode = Z_NO_FLUSH,
            .last_mode = Z_FINISH, .out = &out,
        };
        int status = pump_all(&pump, &data, &left);
        error = deflateEnd(&stream);
        if (status == 0 && pump.error == Z_STREAM_END && error == Z_OK) {
            result = output_finish(&out);
        }
        else {
            if (status == 0) {
                raise_zlib(state, &stream,
                           pump.error == Z_STREAM_END ? error : pump.error,
                           pump.error == Z_STREAM_END
                           ? "while finishing compression"
                           : "while compressing data");
            }
            Py_XDECREF(out.bytes);
        }
    }
    else {
        deflateEnd(&stream);
    }
done:
    PyBuffer_Release(&data);
    return result;
}

static PyObject *
zlib_decompress(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                PyObject *kwnames)
{
    static const char *const keywords[] = {"", "wbits", "bufsize", NULL};
    static _PyArg_Parser parser = {
        .format = "y*|in:decompress", .keywords = keywords,
    };
    zlib_state *state = state_of(module);
    Py_buffer data = {.buf = NULL};
    int wbits = MAX_WBITS;
    Py_ssize_t bufsize = DEF_BUF_SIZE;
    PyObject *result = NULL;
    z_stream stream;
    struct output out;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &data,
                                      &wbits, &bufsize)) {
        return NULL;
    }
    if (bufsize < 0) {
        PyErr_SetString(PyExc_ValueError, "bufsize must be non-negative");
        goto done;
    }
    prepare_stream(&stream);
    int error = inflateInit2(&stream, wbits);
    if (error != Z_OK) {
        if (error == Z_MEM_ERROR) {
            PyErr_SetString(PyExc_MemoryError,
                            "Out of memory while decompressing data");
        }
        else {
            raise_zlib(state, &stream, error,
                       "while preparing to decompress data");
        }
        goto done;
    }
    if (output_start(&out, bufsize == 0 ? 1 : bufsize, 0) == 0) {
        Py_ssize_t left;
        struct pump pump = {
            .stream = &stream, .step = inflate, .mode = Z_SYNC_FLUSH,
            .last_mode = Z_FINISH, .out = &out,
        };
        int status = pump_all(&pump, &data, &left);
        if (status == 0 && pump.error != Z_STREAM_END) {
            if (pump.error == Z_MEM_ERROR) {
                PyErr_SetString(PyExc_MemoryError,
                                "Out of memory while decompressing data");
            }
            else {
                raise_zlib(state, &stream, pump.error,
                           "while decompressing data");
            }
            status = -1;
        }
        error = inflateEnd(&stream);
        if (status == 0 && error != Z_OK) {
            raise_zlib(state, &stream, error,
                       "while finishing decompression");
            status = -1;
        }
        if (status == 0) {
            result = output_finish(&out);
        }
        else {
            Py_XDECREF(out.bytes);
        }
    }
    else {
        inflateEnd(&stream);
    }
done:
    PyBuffer_Release(&data);
    return result;
}

/* ------------------------------------------------------------------ objects */

static StreamObject *
new_stream_object(PyTypeObject *type, int compresses)
{
    StreamObject *self = PyObject_New(StreamObject, type);
    if (self == NULL) {
        return NULL;
    }
    self->eof = 0;
    self->initialised = 0;
    self->compresses = (char)compresses;
    self->zdict = NULL;
    prepare_stream(&self->stream);
    self->unused_data = PyBytes_FromStringAndSize(NULL, 0);
    self->unconsumed_tail = PyBytes_FromStringAndSize(NULL, 0);
    self->lock = PyThread_allocate_lock();
    if (self->unused_data == NULL || self->unconsumed_tail == NULL
        || self->lock == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_MemoryError, "Unable to allocate lock");
        }
        Py_DECREF(self);
        return NULL;
    }
    return self;
}

static void
stream_object_dealloc(StreamObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (self->initialised) {
        if (self->compresses) {
            deflateEnd(&self->stream);
        }
        else {
            inflateEnd(&self->stream);
        }
    }
    if (self->lock != NULL) {
        PyThread_free_lock(self->lock);
    }
    Py_XDECREF(self->unused_data);
    Py_XDECREF(self->unconsumed_tail);
    Py_XDECREF(self->zdict);
    PyObject_Free(self);
    Py_DECREF(type);
}

static void
lock_stream(StreamObject *self)
{
    if (!PyThread_acquire_lock(self->lock, 0)) {
        Py_BEGIN_ALLOW_THREADS
        PyThread_acquire_lock(self->lock, 1);
        Py_END_ALLOW_THREADS
    }
}

static void
unlock_stream(StreamObject *self)
{
    PyThread_release_lock(self->lock);
}

static int
zdict_fits(const Py_buffer *zdict)
{
    if ((size_t)zdict->len > UINT_MAX) {
        PyErr_SetString(PyExc_OverflowError,
                        "zdict length does not fit in an unsigned int");
        return 0;
    }
    return 1;
}

static PyObject *
zlib_compressobj(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                 PyObject *kwnames)
{
    static const char *const keywords[] = {
        "level", "method", "wbits", "memLevel", "strategy", "zdict", NULL
    };
    static _PyArg_Parser parser = {
        .format = "|iiiiiy*:compressobj", .keywords = keywords,
    };
    zlib_state *state = state_of(module);
    int level = Z_DEFAULT_COMPRESSION, method = Z_DEFLATED, wbits = MAX_WBITS;
    int mem_level = DEF_MEM_LEVEL, strategy = Z_DEFAULT_STRATEGY;
    Py_buffer zdict = {.buf = NULL};
    StreamObject *self = NULL;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &level,
                                      &method, &wbits, &mem_level, &strategy,
                                      &zdict)) {
        return NULL;
    }
    if (zdict.buf != NULL && !zdict_fits(&zdict)) {
        goto error;
    }
    self = new_stream_object(state->compress_type, 1);
    if (self == NULL) {
        goto error;
    }
    int error = deflateInit2(&self->stream, level, method, wbits, mem_level,
                             strategy);
    if (error != Z_OK) {
        if (error == Z_MEM_ERROR) {
            PyErr_SetString(PyExc_MemoryError,
                            "Can't allocate memory for compression object");
        }
        else if (error == Z_STREAM_ERROR) {
            PyErr_SetString(PyExc_ValueError,
                            "Invalid initialization option");
        }
        else {
            raise_zlib(state, &self->stream, error,
                       "while creating compression object");
        }
        goto error;
    }
    self->initialised = 1;
    if (zdict.buf != NULL) {
        error = deflateSetDictionary(&self->stream, zdict.buf,
                                     (uInt)zdict.len);
        if (error != Z_OK) {
            PyErr_SetString(PyExc_ValueError,
                            error == Z_STREAM_ERROR
                            ? "Invalid dictionary"
                            : "deflateSetDictionary()");
            goto error;
        }
        PyBuffer_Release(&zdict);
    }
    return (PyObject *)self;
error:
    if (zdict.buf != NULL) {
        PyBuffer_Release(&zdict);
    }
    Py_XDECREF(self);
    return NULL;
}

/* Gives the stream the dictionary that it asks for. */
static int
set_inflate_dictionary(zlib_state *state, StreamObject *self)
{
    Py_buffer zdict;
    if (PyObject_GetBuffer(self->zdict, &zdict, PyBUF_SIMPLE) < 0) {
        return -1;
    }
    int status = -1;
    if (zdict_fits(&zdict)) {
        int error = inflateSetDictionary(&self->stream, zdict.buf,
                                         (uInt)zdict.len);
        if (error == Z_OK) {
            status = 0;
        }
        else {
            raise_zlib(state, &self->stream, error, "while setting zdict");
        }
    }
    PyBuffer_Release(&zdict);
    return status;
}

static PyObject *
zlib_decompressobj(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                   PyObject *kwnames)
{
    static const char *const keywords[] = {"wbits", "zdict", NULL};
    static _PyArg_Parser parser = {
        .format = "|iO:decompressobj", .keywords = keywords,
    };
    zlib_state *state = state_of(module);
    int wbits = MAX_WBITS;
    PyObject *zdict = NULL;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &wbits,
                                      &zdict)) {
        return NULL;
    }
    if (zdict != NULL && !PyObject_CheckBuffer(zdict)) {
        PyErr_SetString(PyExc_TypeError,
                        "zdict argument must support the buffer protocol");
        return NULL;
    }
    StreamObject *self = new_stream_object(state->decompress_type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->zdict = Py_XNewRef(zdict);
    int error = inflateInit2(&self->stream, wbits);
    if (error != Z_OK) {
        if (error == Z_STREAM_ERROR) {
            PyErr_SetString(PyExc_ValueError,
                            "Invalid initialization option");
        }
        else if (error == Z_MEM_ERROR) {
            PyErr_SetString(PyExc_MemoryError,
                            "Can't allocate memory for decompression object");
        }
        else {
            raise_zlib(state, &self->stream, error,
                       "while creating decompression object");
        }
        Py_DECREF(self);
        return NULL;
    }
    self->initialised = 1;
    /* A raw stream does not say that it needs its dictionary. */
    if (self->zdict != NULL && wbits < 0
        && set_inflate_dictionary(state, self) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

/* ----------------------------------------------------------------- Compress */

/* For methods of one argument, which has no name. */
static const char *const one_place[] = {"", NULL};

static PyObject *
compress_compress(StreamObject *self, PyObject *const *args, Py_ssize_t nargs,
                  PyObject *kwnames)
{
    static _PyArg_Parser parser = {.format = "y*:compress", .keywords = one_place};
    zlib_state *state = state_of_object(self);
    Py_buffer data;
    struct output out = {NULL, 0, 0};
    Py_ssize_t left;
    PyObject *result = NULL;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &data)) {
        return NULL;
    }
    lock_stream(self);
    struct pump pump = {
        .stream = &self->stream, .step = deflate, .mode = Z_NO_FLUSH,
        .last_mode = Z_NO_FLUSH, .out = &out,
    };
    if (output_start(&out, DEF_BUF_SIZE, 0) == 0
        && pump_all(&pump, &data, &left) == 0) {
        if (pump.error == Z_OK || pump.error == Z_BUF_ERROR) {
            result = output_finish(&out);
            out.bytes = NULL;
        }
        else {
            raise_zlib(state, &self->stream, pump.error,
                       "while compressing data");
        }
    }
    Py_XDECREF(out.bytes);
    unlock_stream(self);
    PyBuffer_Release(&data);
    return result;
}

static PyObject *
compress_flush(StreamObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static _PyArg_Parser parser = {.format = "|i:flush", .keywords = one_place};
    zlib_state *state = state_of_object(self);
    int mode = Z_FINISH;
    struct output out = {NULL, 0, 0};
    Py_buffer nothing = {.buf = "", .len = 0};
    Py_ssize_t left;
    PyObject *result = NULL;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &mode)) {
        return NULL;
    }
    if (mode == Z_NO_FLUSH) {
        return PyBytes_FromStringAndSize(NULL, 0);
    }
    lock_stream(self);
    struct pump pump = {
        .stream = &self->stream, .step = deflate, .mode = mode,
        .last_mode = mode, .out = &out,
    };
    if (output_start(&out, DEF_BUF_SIZE, 0) < 0
        || pump_all(&pump, &nothing, &left) < 0) {
        goto done;
    }
    if (pump.error == Z_STREAM_END && mode == Z_FINISH) {
        int error = deflateEnd(&self->stream);
        if (error != Z_OK) {
            raise_zlib(state, &self->stream, error,
                       "while finishing compression");
            goto done;
        }
        self->initialised = 0;
    }
    else if (pump.error != Z_OK && pump.error != Z_BUF_ERROR) {
        raise_zlib(state, &self->stream, pump.error, "while flushing");
        goto done;
    }
    result = output_finish(&out);
    out.bytes = NULL;
done:
    Py_XDECREF(out.bytes);
    unlock_stream(self);
    return result;
}

static PyObject *
copy_failed(zlib_state *state, StreamObject *self, int error,
            const char *object)
{
    if (error == Z_STREAM_ERROR) {
        PyErr_SetString(PyExc_ValueError, "Inconsistent stream state");
    }
    else if (error == Z_MEM_ERROR) {
        PyErr_Format(PyExc_MemoryError,
                     "Can't allocate memory for %s object", object);
    }
    else {
        char doing[64];
        PyOS_snprintf(doing, sizeof(doing), "while copying %s object",
                      object);
        raise_zlib(state, &self->stream, error, doing);
    }
    return NULL;
}

static PyObject *
stream_copy(StreamObject *self, PyObject *Py_UNUSED(ignored))
{
    zlib_state *state = state_of_object(self);
    StreamObject *copy = new_stream_object(Py_TYPE(self), self->compresses);
    if (copy == NULL) {
        return NULL;
    }
    lock_stream(self);
    int error = self->compresses
        ? deflateCopy(&copy->stream, &self->stream)
        : inflateCopy(&copy->stream, &self->stream);
    if (error == Z_OK) {
        copy->initialised = 1;
        copy->eof = self->eof;
        Py_SETREF(copy->unused_data, Py_NewRef(self->unused_data));
        Py_SETREF(copy->unconsumed_tail, Py_NewRef(self->unconsumed_tail));
        copy->zdict = Py_XNewRef(self->zdict);
    }
    unlock_stream(self);
    if (error != Z_OK) {
        Py_DECREF(copy);
        return copy_failed(state, self, error, self->compresses
                           ? "compression" : "decompression");
    }
    return (PyObject *)copy;
}

static PyObject *
stream_deepcopy(StreamObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static _PyArg_Parser parser = {.format = "O:__deepcopy__", .keywords = one_place};
    PyObject *memo;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &memo)) {
        return NULL;
    }
    return stream_copy(self, NULL);
}

/* --------------------------------------------------------------- Decompress */

static int
supply_dictionary(struct pump *pump)
{
    StreamObject *self = pump->context;
    if (pump->error != Z_NEED_DICT || self->zdict == NULL) {
        return 0;
    }
    return set_inflate_dictionary(state_of_object(self), self) < 0 ? -1 : 1;
}

/* Keeps unused input: after the end of the stream in unused_data, before it in
   unconsumed_tail. */
static int
save_input(StreamObject *self, Py_buffer *data, int error)
{
    Py_ssize_t left = (Byte *)data->buf + data->len - self->stream.next_in;
    if (error == Z_STREAM_END && left > 0) {
        PyObject *rest = PyBytes_FromStringAndSize(
            (char *)self->stream.next_in, left);
        if (rest == NULL) {
            return -1;
        }
        PyBytes_ConcatAndDel(&self->unused_data, rest);
        if (self->unused_data == NULL) {
            return -1;
        }
    }
    if (error == Z_STREAM_END) {
        left = 0;
        self->stream.avail_in = 0;
    }
    if (left > 0 || PyBytes_GET_SIZE(self->unconsumed_tail) > 0) {
        PyObject *tail = PyBytes_FromStringAndSize(
            (char *)self->stream.next_in, left);
        if (tail == NULL) {
            return -1;
        }
        Py_SETREF(self->unconsumed_tail, tail);
    }
    return 0;
}

static PyObject *
decompress_decompress(StreamObject *self, PyObject *const *args,
                      Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"", "max_length", NULL};
    static _PyArg_Parser parser = {
        .format = "y*|n:decompress", .keywords = keywords,
    };
    zlib_state *state = state_of_object(self);
    Py_buffer data = {.buf = NULL};
    Py_ssize_t limit = 0, left;
    struct output out = {NULL, 0, 0};
    PyObject *result = NULL;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &data,
                                      &limit)) {
        return NULL;
    }
    if (limit < 0) {
        PyErr_SetString(PyExc_ValueError, "max_length must be non-negative");
        PyBuffer_Release(&data);
        return NULL;
    }
    lock_stream(self);
    struct pump pump = {
        .stream = &self->stream, .step = inflate, .mode = Z_SYNC_FLUSH,
        .last_mode = Z_SYNC_FLUSH, .out = &out,
        .unusual = supply_dictionary, .context = self,
    };
    if (output_start(&out, DEF_BUF_SIZE, limit) < 0
        || pump_all(&pump, &data, &left) < 0
        || save_input(self, &data, pump.error) < 0) {
        goto done;
    }
    if (pump.error == Z_STREAM_END) {
        self->eof = 1;
    }
    else if (pump.error != Z_OK && pump.error != Z_BUF_ERROR) {
        raise_zlib(state, &self->stream, pump.error,
                   "while decompressing data");
        goto done;
    }
    result = output_finish(&out);
    out.bytes = NULL;
done:
    Py_XDECREF(out.bytes);
    unlock_stream(self);
    PyBuffer_Release(&data);
    return result;
}

static PyObject *
decompress_flush(StreamObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static _PyArg_Parser parser = {.format = "|n:flush", .keywords = one_place};
    zlib_state *state = state_of_object(self);
    Py_ssize_t length = DEF_BUF_SIZE, left;
    Py_buffer data;
    struct output out = {NULL, 0, 0};
    PyObject *result = NULL;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &length)) {
        return NULL;
    }
    if (length <= 0) {
        PyErr_SetString(PyExc_ValueError, "length must be greater than zero");
        return NULL;
    }
    lock_stream(self);
    if (PyObject_GetBuffer(self->unconsumed_tail, &data, PyBUF_SIMPLE) < 0) {
        unlock_stream(self);
        return NULL;
    }
    struct pump pump = {
        .stream = &self->stream, .step = inflate, .mode = Z_SYNC_FLUSH,
        .last_mode = Z_FINISH, .out = &out,
        .unusual = supply_dictionary, .context = self,
    };
    if (output_start(&out, length, 0) < 0
        || pump_all(&pump, &data, &left) < 0
        || save_input(self, &data, pump.error) < 0) {
        goto done;
    }
    if (pump.error == Z_STREAM_END) {
        self->eof = 1;
        int error = inflateEnd(&self->stream);
        self->initialised = 0;
        if (error != Z_OK) {
            raise_zlib(state, &self->stream, error,
                       "while finishing decompression");
            goto done;
        }
    }
    result = output_finish(&out);
    out.bytes = NULL;
done:
    Py_XDECREF(out.bytes);
    PyBuffer_Release(&data);
    unlock_stream(self);
    return result;
}

#define COPY_METHODS(what)                                                  \
    {"copy", (PyCFunction)stream_copy, METH_NOARGS | METH_FOR_CLASS,        \
     "copy($self, /)\n--\n\nA copy of the " what " object."},               \
    {"__copy__", (PyCFunction)stream_copy, METH_NOARGS | METH_FOR_CLASS,    \
     "__copy__($self, /)\n--\n\n"},                                         \
    {"__deepcopy__", FAST_KEYWORDS(stream_deepcopy),                        \
     "__deepcopy__($self, memo, /)\n--\n\n"}

static PyMethodDef compress_methods[] = {
    {"compress", FAST_KEYWORDS(compress_compress),
     "compress($self, data, /)\n--\n\n"
     "The compressed form of data, as far as it is complete.\n\n"
     "flush() gives what remains."},
    {"flush", FAST_KEYWORDS(compress_flush),
     "flush($self, mode=zlib.Z_FINISH, /)\n--\n\n"
     "What has not been returned yet.\n\n"
     "After the mode Z_FINISH, nothing more can be compressed."},
    COPY_METHODS("compression"),
    {NULL, NULL, 0, NULL}
};

static PyMethodDef decompress_methods[] = {
    {"decompress", FAST_KEYWORDS(decompress_decompress),
     "decompress($self, data, /, max_length=0)\n--\n\n"
     "The decompressed form of data, as far as it is complete.\n\n"
     "With a max_length other than 0, no more than so many bytes are\n"
     "returned; input that was not used is unconsumed_tail then."},
    {"flush", FAST_KEYWORDS(decompress_flush),
     "flush($self, length=zlib.DEF_BUF_SIZE, /)\n--\n\n"
     "What has not been returned yet.\n\n"
     "  length\n    the initial size of the output buffer."},
    COPY_METHODS("decompression"),
    {NULL, NULL, 0, NULL}
};

static PyMemberDef decompress_members[] = {
    {"unused_data", T_OBJECT, offsetof(StreamObject, unused_data), READONLY,
     NULL},
    {"unconsumed_tail", T_OBJECT, offsetof(StreamObject, unconsumed_tail),
     READONLY, NULL},
    {"eof", T_BOOL, offsetof(StreamObject, eof), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyType_Slot compress_slots[] = {
    {Py_tp_dealloc, stream_object_dealloc},
    {Py_tp_methods, compress_methods},
    {0, NULL},
};

static PyType_Spec compress_spec = {
    .name = "zlib.Compress",
    .basicsize = sizeof(StreamObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = compress_slots,
};

static PyType_Slot decompress_slots[] = {
    {Py_tp_dealloc, stream_object_dealloc},
    {Py_tp_methods, decompress_methods},
    {Py_tp_members, decompress_members},
    {0, NULL},
};

static PyType_Spec decompress_spec = {
    .name = "zlib.Decompress",
    .basicsize = sizeof(StreamObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = decompress_slots,
};

/* ---------------------------------------------------------------- checksums */

static PyObject *
checksum(const char *name, PyObject *const *args, Py_ssize_t nargs,
         unsigned int value,
         uLong (*function)(uLong, const Bytef *, z_size_t))
{
    Py_buffer data;
    if (!_PyArg_CheckPositional(name, nargs, 1, 2)
        || PyObject_GetBuffer(args[0], &data, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    if (nargs > 1) {
        value = (unsigned int)PyLong_AsUnsignedLongMask(args[1]);
        if (value == (unsigned int)-1 && PyErr_Occurred()) {
            PyBuffer_Release(&data);
            return NULL;
        }
    }
    /* For a short checksum, releasing the GIL costs more than the checksum. */
    if (data.len > 5 * 1024) {
        Py_BEGIN_ALLOW_THREADS
        value = (unsigned int)function(value, data.buf, (z_size_t)data.len);
        Py_END_ALLOW_THREADS
    }
    else {
        value = (unsigned int)function(value, data.buf, (z_size_t)data.len);
    }
    PyBuffer_Release(&data);
    return PyLong_FromUnsignedLong(value);
}

static PyObject *
zlib_adler32(PyObject *Py_UNUSED(module), PyObject *const *args,
             Py_ssize_t nargs)
{
    return checksum("adler32", args, nargs, 1, adler32_z);
}

static PyObject *
zlib_crc32(PyObject *Py_UNUSED(module), PyObject *const *args,
           Py_ssize_t nargs)
{
    return checksum("crc32", args, nargs, 0, crc32_z);
}

/* --------------------------------------------------------------- the module */

static PyMethodDef zlib_methods[] = {
    {"adler32", FAST(zlib_adler32),
     "adler32($module, data, value=1, /)\n--\n\n"
     "Continues an Adler-32 checksum."},
    {"compress", FAST_KEYWORDS(zlib_compress),
     "compress($module, data, /, level=Z_DEFAULT_COMPRESSION, "
     "wbits=MAX_WBITS)\n--\n\n"
     "Compresses data.\n\n"
     "  level\n    0 to 9, or -1 for the library's default\n"
     "  wbits\n    size of the window, and kind of header"},
    {"compressobj", FAST_KEYWORDS(zlib_compressobj),
     "compressobj($module, /, level=Z_DEFAULT_COMPRESSION, method=DEFLATED,\n"
     "            wbits=MAX_WBITS, memLevel=DEF_MEM_LEVEL,\n"
     "            strategy=Z_DEFAULT_STRATEGY, zdict=None)\n--\n\n"
     "An object that compresses data bit by bit."},
    {"crc32", FAST(zlib_crc32),
     "crc32($module, data, value=0, /)\n--\n\n"
     "Continues a CRC-32 checksum."},
    {"decompress", FAST_KEYWORDS(zlib_decompress),
     "decompress($module, data, /, wbits=MAX_WBITS, bufsize=DEF_BUF_SIZE)\n"
     "--\n\n"
     "Decompresses data.\n\n"
     "  wbits\n    size of the window, and kind of header\n"
     "  bufsize\n    initial size of the output buffer"},
    {"decompressobj", FAST_KEYWORDS(zlib_decompressobj),
     "decompressobj($module, /, wbits=MAX_WBITS, zdict=b'')\n--\n\n"
     "An object that decompresses data bit by bit."},
    {NULL, NULL, 0, NULL}
};

static int
add_constants(PyObject *module)
{
    static const struct {
        const char *name;
        int value;
    } constants[] = {
        {"MAX_WBITS", MAX_WBITS},
        {"DEFLATED", Z_DEFLATED},
        {"DEF_MEM_LEVEL", DEF_MEM_LEVEL},
        {"DEF_BUF_SIZE", DEF_BUF_SIZE},
        {"Z_NO_COMPRESSION", Z_NO_COMPRESSION},
        {"Z_BEST_SPEED", Z_BEST_SPEED},
        {"Z_BEST_COMPRESSION", Z_BEST_COMPRESSION},
        {"Z_DEFAULT_COMPRESSION", Z_DEFAULT_COMPRESSION},
        {"Z_FILTERED", Z_FILTERED},
        {"Z_HUFFMAN_ONLY", Z_HUFFMAN_ONLY},
        {"Z_RLE", Z_RLE},
        {"Z_FIXED", Z_FIXED},
        {"Z_DEFAULT_STRATEGY", Z_DEFAULT_STRATEGY},
        {"Z_NO_FLUSH", Z_NO_FLUSH},
        {"Z_PARTIAL_FLUSH", Z_PARTIAL_FLUSH},
        {"Z_SYNC_FLUSH", Z_SYNC_FLUSH},
        {"Z_FULL_FLUSH", Z_FULL_FLUSH},
        {"Z_FINISH", Z_FINISH},
        {"Z_BLOCK", Z_BLOCK},
        {"Z_TREES", Z_TREES},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(constants); i++) {
        if (PyModule_AddIntConstant(module, constants[i].name,
                                    constants[i].value) < 0) {
            return -1;
        }
    }
    if (PyModule_AddStringConstant(module, "ZLIB_VERSION", ZLIB_VERSION) < 0
        || PyModule_AddStringConstant(module, "ZLIB_RUNTIME_VERSION",
                                      zlibVersion()) < 0
        || PyModule_AddStringConstant(module, "__version__", "1.0") < 0) {
        return -1;
    }
    return 0;
}

static int
zlib_exec(PyObject *module)
{
    zlib_state *state = state_of(module);
    state->compress_type = (PyTypeObject *)PyType_FromModuleAndSpec(
        module, &compress_spec, NULL);
    if (state->compress_type == NULL) {
        return -1;
    }
    state->decompress_type = (PyTypeObject *)PyType_FromModuleAndSpec(
        module, &decompress_spec, NULL);
    if (state->decompress_type == NULL) {
        return -1;
    }
    state->error = PyErr_NewException("zlib.error", NULL, NULL);
    if (PyModule_AddObjectRef(module, "error", state->error) < 0) {
        return -1;
    }
    return add_constants(module);
}

static int
zlib_traverse(PyObject *module, visitproc visit, void *arg)
{
    zlib_state *state = state_of(module);
    Py_VISIT(state->compress_type);
    Py_VISIT(state->decompress_type);
    Py_VISIT(state->error);
    return 0;
}

static int
zlib_clear(PyObject *module)
{
    zlib_state *state = state_of(module);
    Py_CLEAR(state->compress_type);
    Py_CLEAR(state->decompress_type);
    Py_CLEAR(state->error);
    return 0;
}

static void
zlib_free(void *module)
{
    (void)zlib_clear(module);
}

static PyModuleDef_Slot zlib_slots[] = {
    {Py_mod_exec, zlib_exec},
    {0, NULL}
};

static struct PyModuleDef zlib_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "zlib",
    .m_doc = "Compression and decompression with the zlib library.\n\n"
        "compress() and decompress() work on data as a whole, compressobj()\n"
        "and decompressobj() bit by bit; adler32() and crc32() are\n"
        "checksums. wbits chooses the size of the window and the container\n"
        "format.",
    .m_size = sizeof(zlib_state),
    .m_methods = zlib_methods,
    .m_slots = zlib_slots,
    .m_traverse = zlib_traverse,
    .m_clear = zlib_clear,
    .m_free = zlib_free,
};

MODULE_INIT(zlib)
{
    return PyModuleDef_Init(&zlib_module);
}
