/* Operations on single digits: logic, shifts and rotations, exponents, neighbours. */

#include "decimal_impl.h"
#include <stdlib.h>

/* -------------------------------------------------------------------- logic */

/* The digits, all 0 or 1, as a string without leading zeros; to be freed. NULL if it isn't a
   logical operand. */
static char *
logical_digits(const num *a, size_t *len)
{
    if (a->kind != FINITE || a->sign || a->exp != 0) {
        return NULL;
    }
    char *text = malloc((size_t)a->digits + 1);
    if (text == NULL) {
        return NULL;
    }
    _dec_write_digits(a, text);
    *len = (size_t)a->digits;
    for (size_t i = 0; i < *len; i++) {
        if (text[i] > '1') {
            free(text);
            return NULL;
        }
    }
    return text;
}

/* The lowest prec digits of the text, which is overwritten. */
static void
set_logical(num *r, char *text, size_t len, const dctx *ctx)
{
    if (len > (size_t)ctx->prec) {
        text += len - (size_t)ctx->prec;
        len = (size_t)ctx->prec;
    }
    set_triple(r, 0, 0, 0);
    _dec_read_digits(r, text, len);
}

/* table: bit (2 * x + y) is the result for the digits x and y. */
static void
logical(num *r, const num *a, const num *b, int table, const dctx *ctx, uint32_t *status)
{
    size_t m = 0, n = 0;
    char *x = logical_digits(a, &m), *y = x == NULL ? NULL : logical_digits(b, &n);
    if (y == NULL) {
        free(x);
        set_invalid(r, INVALID_OPERATION, status);
        return;
    }
    if (m < n) {
        char *other = x;
        x = y;
        y = other;
        size_t size = m;
        m = n;
        n = size;
    }
    for (size_t i = 0; i < m; i++) {
        int p = x[m - 1 - i] - '0', q = i < n ? y[n - 1 - i] - '0' : 0;
        x[m - 1 - i] = (char)('0' + (table >> (2 * p + q) & 1));
    }
    set_logical(r, x, m, ctx);
    free(x);
    free(y);
}

BINARY(_dec_logical_and)
{
    logical(r, a, b, 8, ctx, status);
}

BINARY(_dec_logical_or)
{
    logical(r, a, b, 14, ctx, status);
}

BINARY(_dec_logical_xor)
{
    logical(r, a, b, 6, ctx, status);
}

UNARY(_dec_logical_invert)
{
    size_t n = 0;
    char *x = logical_digits(a, &n);
    if (x == NULL) {
        set_invalid(r, INVALID_OPERATION, status);
        return;
    }
    size_t m = (size_t)ctx->prec > n ? (size_t)ctx->prec : n;
    char *text = _dec_room((int64_t)m, status) ? malloc(m + 1) : NULL;
    if (text == NULL) {
        free(x);
        set_invalid(r, NO_MEMORY, status);
        return;
    }
    memset(text, '1', m - n);
    for (size_t i = 0; i < n; i++) {
        text[m - n + i] = (char)('0' + '1' - x[i]);
    }
    set_logical(r, text, m, ctx);
    free(x);
    free(text);
}

/* -------------------------------------------------------- shifts and exponents */

/* The second operand of rotate and shift: 0, or -1 if r is the result. */
static int
places(num *r, const num *a, const num *b, const dctx *ctx, int64_t *n, uint32_t *status)
{
    if (_dec_nan_operand(r, a, b, NULL, ctx, status)) {
        return -1;
    }
    if (b->kind != FINITE || b->exp != 0 || !_dec_as_int64(b, n) || *n > ctx->prec
        || *n < -ctx->prec) {
        set_invalid(r, INVALID_OPERATION, status);
        return -1;
    }
    _dec_copy(r, a);
    return a->kind == INFINITE ? -1 : 0;
}

BINARY(_dec_shift)
{
    int64_t n;
    uint32_t ignored = 0;
    if (places(r, a, b, ctx, &n, status) < 0) {
        return;
    }
    int64_t exp = a->exp;
    if (n >= 0) {
        /* Digits that would be lost need not be shifted. */
        if (n == ctx->prec) {
            num_clear(r);
            set_small(r, 0);
            return;
        }
        _dec_keep_low(r, ctx->prec - n);
        if (!_dec_shift_left(r, n, status)) {
            num_clear(r);
            set_special(r, 0, QUIET_NAN);
        }
        return;
    }
    _dec_keep_low(r, ctx->prec);
    _dec_drop(r, -n, ROUND_DOWN, &ignored);
    r->exp = exp;
}

BINARY(_dec_rotate)
{
    int64_t n;
    uint32_t ignored = 0;
    if (places(r, a, b, ctx, &n, status) < 0) {
        return;
    }
    int64_t exp = a->exp;
    _dec_keep_low(r, ctx->prec);
    if (n < 0) {
        n += ctx->prec;
    }
    if (n == 0 || n == ctx->prec) {
        return;
    }
    /* The highest n of prec digits become the lowest. */
    num low;
    _dec_copy(&low, r);
    _dec_keep_low(&low, ctx->prec - n);
    _dec_drop(r, ctx->prec - n, ROUND_DOWN, &ignored);
    if (!_dec_shift_left(&low, n, status)) {
        num_clear(r);
        num_clear(&low);
        set_special(r, 0, QUIET_NAN);
        return;
    }
    mpz_t x, y;
    mpz_add(_dec_z0, view(&low, x), view(r, y));
    num_clear(r);
    num_clear(&low);
    _dec_set_mpz(r, _dec_z0);
    r->exp = exp;
}

BINARY(_dec_scaleb)
{
    int64_t n, most = 2 * (ctx->emax + ctx->prec);
    if (_dec_nan_operand(r, a, b, NULL, ctx, status)) {
        return;
    }
    if (b->kind != FINITE || b->exp != 0 || !_dec_as_int64(b, &n) || n > most || n < -most) {
        set_invalid(r, INVALID_OPERATION, status);
        return;
    }
    _dec_copy(r, a);
    if (a->kind != INFINITE) {
        r->exp += n;
        finalize(r, ctx, status);
    }
}

UNARY(_dec_logb)
{
    if (_dec_nan_operand(r, a, NULL, NULL, ctx, status)) {
        return;
    }
    if (a->kind == INFINITE) {
        set_special(r, 0, INFINITE);
    }
    else if (zero_coef(a)) {
        set_special(r, 1, INFINITE);
        *status |= DIVISION_BY_ZERO;
    }
    else {
        int64_t adj = adjusted(a);
        set_triple(r, adj < 0, (u128)(adj < 0 ? 0 - (uint64_t)adj : (uint64_t)adj), 0);
        finalize(r, ctx, status);
    }
}

/* --------------------------------------------------------------- neighbours */

static void
next(num *r, const num *a, int down, const dctx *ctx, uint32_t *status)
{
    if (_dec_nan_operand(r, a, NULL, NULL, ctx, status)) {
        return;
    }
    if (a->kind == INFINITE) {
        if (a->sign == down) {
            _dec_copy(r, a);
            return;
        }
        /* The largest number. */
        dctx to_zero = *ctx;
        uint32_t ignored = 0;
        to_zero.round = ROUND_DOWN;
        set_triple(r, a->sign, 1, ctx->emax + 1);
        finalize(r, &to_zero, &ignored);
        *status |= ignored & ERRORS;
        return;
    }
    dctx directed = *ctx;
    uint32_t conditions = 0;
    directed.round = down ? ROUND_FLOOR : ROUND_CEILING;
    _dec_copy(r, a);
    finalize(r, &directed, &conditions);
    if ((conditions & (INEXACT | ERRORS)) == 0) {
        num tiny;
        num_clear(r);
        set_triple(&tiny, down, 1, dec_etiny(ctx) - 1);
        conditions = 0;
        _dec_add(r, a, &tiny, &directed, &conditions);
    }
    *status |= conditions & ERRORS;
}

UNARY(_dec_next_plus)
{
    next(r, a, 0, ctx, status);
}

UNARY(_dec_next_minus)
{
    next(r, a, 1, ctx, status);
}

BINARY(_dec_next_toward)
{
    if (_dec_nan_operand(r, a, b, NULL, ctx, status)) {
        return;
    }
    int order = _dec_cmp(a, b);
    if (order == 0) {
        _dec_copy_sign(r, a, b, ctx, status);
        return;
    }
    next(r, a, order > 0, ctx, status);
    if (r->kind == INFINITE) {
        *status |= OVERFLOWED | ROUNDED | INEXACT;
    }
    else if (r->kind == FINITE && adjusted(r) < ctx->emin) {
        *status |= UNDERFLOWED | SUBNORMAL | ROUNDED | INEXACT;
        if (zero_coef(r)) {
            *status |= CLAMPED;
        }
    }
}

/* -------------------------------------------------------------------- signs */

BINARY(_dec_copy_sign)
{
    (void)ctx;
    (void)status;
    _dec_copy(r, a);
    r->sign = b->sign;
}

UNARY(_dec_copy_abs)
{
    (void)ctx;
    (void)status;
    _dec_copy(r, a);
    r->sign = 0;
}

UNARY(_dec_copy_negate)
{
    (void)ctx;
    (void)status;
    _dec_copy(r, a);
    r->sign = !a->sign;
}

const char *
_dec_number_class(const num *a, const dctx *ctx)
{
    switch (a->kind) {
    case QUIET_NAN: return "NaN";
    case SIGNALLING_NAN: return "sNaN";
    case INFINITE: return a->sign ? "-Infinity" : "+Infinity";
    }
    if (zero_coef(a)) {
        return a->sign ? "-Zero" : "+Zero";
    }
    if (adjusted(a) < ctx->emin) {
        return a->sign ? "-Subnormal" : "+Subnormal";
    }
    return a->sign ? "-Normal" : "+Normal";
}
