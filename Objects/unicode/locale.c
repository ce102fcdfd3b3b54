/* Text of the C locale: Py_DecodeLocale and its family.

   The Py_ functions work before the runtime is initialised, with memory from
   PyMem_RawMalloc. In UTF-8 mode and in UTF-8 locales our own codec is used; otherwise
   mbrtowc and wcrtomb. With "surrogateescape", bytes that cannot be decoded become
   U+DC80 to U+DCFF, and are restored by encoding. */
#include "private.h"

#include <langinfo.h>
#include <locale.h>
#include <wchar.h>

static int utf8_mode;

void
_Py_SetUTF8Mode(int enabled)
{
    utf8_mode = enabled;
}

static int
locale_is_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static int
supported_handler(_Py_error_handler errors)
{
    return errors == _Py_ERROR_STRICT || errors == _Py_ERROR_SURROGATEESCAPE;
}

static wchar_t *
new_wide(size_t n)
{
    if (n >= (size_t)PY_SSIZE_T_MAX / sizeof(wchar_t)) {
        return NULL;
    }
    return PyMem_RawMalloc((n + 1) * sizeof(wchar_t));
}

/* ----------------------------------------------------------------- decoding */

/* The length of the UTF-8 sequence at p, or 0. `pass` allows surrogates. */
static int
utf8_sequence(const unsigned char *p, Py_ssize_t left, int pass,
              wchar_t *value)
{
    unsigned char lead = p[0];
    int n = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2
        : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (n == 0 || n > left) {
        return 0;
    }
    Py_UCS4 ch = n == 1 ? lead : lead & (0xffu >> (n + 1));
    for (int i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
        ch = ch << 6 | (p[i] & 0x3fu);
    }
    if ((n == 3 && ch < 0x800) || (n == 4 && ch < 0x10000)
        || ch > MAX_UNICODE || (Py_UNICODE_IS_SURROGATE(ch) && !pass))
    {
        return 0;
    }
    *value = (wchar_t)ch;
    return n;
}

static int
decode_utf8(const char *input, Py_ssize_t size, wchar_t **wstr,
            size_t *wlen, const char **reason, _Py_error_handler errors)
{
    const int pass = errors == _Py_ERROR_SURROGATEPASS;
    if (!supported_handler(errors) && !pass) {
        return -3;
    }
    wchar_t *out = new_wide((size_t)size);
    if (out == NULL) {
        return -1;
    }
    size_t n = 0;
    for (Py_ssize_t i = 0; i < size;) {
        const unsigned char *p = (const unsigned char *)input + i;
        int length = utf8_sequence(p, size - i, pass, &out[n]);
        if (length == 0) {
            if (errors != _Py_ERROR_SURROGATEESCAPE) {
                PyMem_RawFree(out);
                if (wlen != NULL) {
                    *wlen = (size_t)i;
                }
                if (reason != NULL) {
                    *reason = "decoding error";
                }
                return -2;
            }
            out[n] = 0xdc00 + *p;
            length = 1;
        }
        n++;
        i += length;
    }
    out[n] = 0;
    *wstr = out;
    if (wlen != NULL) {
        *wlen = n;
    }
    return 0;
}

static int
decode_multibyte(const char *input, wchar_t **wstr, size_t *wlen,
                 const char **reason, _Py_error_handler errors)
{
    const size_t size = strlen(input);
    wchar_t *out = new_wide(size);
    if (out == NULL) {
        return -1;
    }
    mbstate_t state;
    memset(&state, 0, sizeof(state));
    size_t n = 0, i = 0;
    while (i < size) {
        wchar_t ch;
        size_t length = mbrtowc(&ch, input + i, size - i, &state);
        int bad = length == (size_t)-1 || length == (size_t)-2
            || (length > 0 && Py_UNICODE_IS_SURROGATE((Py_UCS4)ch));
        if (length == 0) {
            break;
        }
        if (!bad) {
            out[n++] = ch;
            i += length;
            continue;
        }
        if (errors != _Py_ERROR_SURROGATEESCAPE) {
            PyMem_RawFree(out);
            if (wlen != NULL) {
                *wlen = i;
            }
            if (reason != NULL) {
                *reason = "decoding error";
            }
            return -2;
        }
        out[n++] = 0xdc00 + (unsigned char)input[i++];
        memset(&state, 0, sizeof(state));
    }
    out[n] = 0;
    *wstr = out;
    if (wlen != NULL) {
        *wlen = n;
    }
    return 0;
}

int
_Py_DecodeLocaleEx(const char *input, wchar_t **wstr, size_t *wlen,
                   const char **reason, int current_locale,
                   _Py_error_handler errors)
{
    if (!supported_handler(errors)) {
        return -3;
    }
    if ((utf8_mode && !current_locale) || locale_is_utf8()) {
        return decode_utf8(input, (Py_ssize_t)strlen(input), wstr, wlen,
                           reason, errors);
    }
    return decode_multibyte(input, wstr, wlen, reason, errors);
}

wchar_t *
Py_DecodeLocale(const char *input, size_t *wlen)
{
    wchar_t *wstr;
    int status = _Py_DecodeLocaleEx(input, &wstr, wlen, NULL, 0,
                                    _Py_ERROR_SURROGATEESCAPE);
    if (status != 0) {
        if (wlen != NULL) {
            *wlen = (size_t)status;
        }
        return NULL;
    }
    return wstr;
}

/* ----------------------------------------------------------------- encoding */

/* Writes the bytes of one wide character to out (room for 16). Returns 0 on failure. */
static size_t
encode_one(char *out, wchar_t wide, int utf8, mbstate_t *state, int escape,
           int pass)
{
    Py_UCS4 ch = (Py_UCS4)wide;
    if (escape && ch >= 0xdc80 && ch <= 0xdcff) {
        out[0] = (char)(ch - 0xdc00);
        return 1;
    }
    if (!utf8) {
        size_t n = wcrtomb(out, wide, state);
        return n == (size_t)-1 ? 0 : n;
    }
    if (ch > MAX_UNICODE || (Py_UNICODE_IS_SURROGATE(ch) && !pass)) {
        return 0;
    }
    if (ch < 0x80) {
        out[0] = (char)ch;
        return 1;
    }
    const size_t n = ch < 0x800 ? 2 : ch < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (ch & 0x3f));
        ch >>= 6;
    }
    out[0] = (char)((0xf0u << (4 - n)) | ch);
    return n;
}

static int
encode_wide(const wchar_t *text, int utf8, char **str, size_t *error_pos,
            const char **reason, int raw_malloc, _Py_error_handler errors)
{
    const int escape = errors == _Py_ERROR_SURROGATEESCAPE;
    const int pass = errors == _Py_ERROR_SURROGATEPASS;
    char piece[MB_LEN_MAX > 16 ? MB_LEN_MAX : 16];
    char *out = NULL;
    for (int writing = 0; writing < 2; writing++) {
        mbstate_t state;
        memset(&state, 0, sizeof(state));
        size_t size = 0;
        for (size_t i = 0; text[i] != 0; i++) {
            size_t n = encode_one(piece, text[i], utf8, &state, escape, pass);
            if (n == 0) {
                if (error_pos != NULL) {
                    *error_pos = i;
                }
                if (reason != NULL) {
                    *reason = "encoding error";
                }
                return -2;
            }
            if (writing) {
                memcpy(out + size, piece, n);
            }
            size += n;
        }
        if (!writing) {
            out = raw_malloc ? PyMem_RawMalloc(size + 1)
                             : PyMem_Malloc(size + 1);
            if (out == NULL) {
                return -1;
            }
            out[size] = '\0';
        }
    }
    *str = out;
    return 0;
}

static int
encode_locale(const wchar_t *text, char **str, size_t *error_pos,
              const char **reason, int current_locale, int raw_malloc,
              _Py_error_handler errors)
{
    if (!supported_handler(errors)) {
        return -3;
    }
    int utf8 = (utf8_mode && !current_locale) || locale_is_utf8();
    return encode_wide(text, utf8, str, error_pos, reason, raw_malloc,
                       errors);
}

int
_Py_EncodeLocaleEx(const wchar_t *text, char **str, size_t *error_pos,
                   const char **reason, int current_locale,
                   _Py_error_handler errors)
{
    return encode_locale(text, str, error_pos, reason, current_locale, 1,
                         errors);
}

/* The result of Py_EncodeLocale is freed by PyMem_Free; that of the Raw one
   by PyMem_RawFree. */
char *
Py_EncodeLocale(const wchar_t *text, size_t *error_pos)
{
    char *str;
    if (error_pos != NULL) {
        *error_pos = (size_t)-1;
    }
    int status = encode_locale(text, &str, error_pos, NULL, 0, 0,
                               _Py_ERROR_SURROGATEESCAPE);
    return status == 0 ? str : NULL;
}

/* ---------------------------------------------------------------------- str */

static int
locale_handler(const char *errors, _Py_error_handler *handler)
{
    *handler = _Py_GetErrorHandler(errors);
    if (supported_handler(*handler)) {
        return 0;
    }
    PyErr_Format(PyExc_ValueError, "unsupported error handler");
    return -1;
}

PyObject *
PyUnicode_DecodeLocaleAndSize(const char *input, Py_ssize_t size,
                              const char *errors)
{
    _Py_error_handler handler;
    if (size < 0 || input[size] != '\0' || (size_t)size != strlen(input)) {
        PyErr_SetString(PyExc_ValueError, "embedded null byte");
        return NULL;
    }
    if (locale_handler(errors, &handler) < 0) {
        return NULL;
    }
    wchar_t *wide;
    size_t n;
    const char *reason;
    int status = _Py_DecodeLocaleEx(input, &wide, &n, &reason, 1, handler);
    if (status == -1) {
        return PyErr_NoMemory();
    }
    if (status == -2) {
        PyObject *exc = PyUnicodeDecodeError_Create("locale", input, size,
                                                    (Py_ssize_t)n,
                                                    (Py_ssize_t)n + 1,
                                                    reason);
        if (exc != NULL) {
            PyCodec_StrictErrors(exc);
            Py_DECREF(exc);
        }
        return NULL;
    }
    PyObject *text = PyUnicode_FromWideChar(wide, (Py_ssize_t)n);
    PyMem_RawFree(wide);
    return text;
}

PyObject *
PyUnicode_DecodeLocale(const char *input, const char *errors)
{
    return PyUnicode_DecodeLocaleAndSize(input, (Py_ssize_t)strlen(input),
                                         errors);
}

PyObject *
PyUnicode_EncodeLocale(PyObject *op, const char *errors)
{
    _Py_error_handler handler;
    if (op == NULL) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return NULL;
    }
    if (locale_handler(errors, &handler) < 0) {
        return NULL;
    }
    Py_ssize_t n;
    wchar_t *wide = PyUnicode_AsWideCharString(op, &n);
    if (wide == NULL) {
        return NULL;
    }
    if ((size_t)n != wcslen(wide)) {
        PyErr_SetString(PyExc_ValueError, "embedded null character");
        PyMem_Free(wide);
        return NULL;
    }
    char *str;
    size_t error_pos;
    const char *reason;
    int status = _Py_EncodeLocaleEx(wide, &str, &error_pos, &reason, 1,
                                    handler);
    PyMem_Free(wide);
    if (status == -1) {
        return PyErr_NoMemory();
    }
    if (status == -2) {
        PyObject *exc = PyObject_CallFunction(
            PyExc_UnicodeEncodeError, "sOnns", "locale", op,
            (Py_ssize_t)error_pos, (Py_ssize_t)error_pos + 1, reason);
        if (exc != NULL) {
            PyCodec_StrictErrors(exc);
            Py_DECREF(exc);
        }
        return NULL;
    }
    PyObject *bytes = PyBytes_FromString(str);
    PyMem_RawFree(str);
    return bytes;
}
