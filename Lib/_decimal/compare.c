/* Order, total order, minimum and maximum. */

#include "decimal_impl.h"

/* Of finite coefficients that are not 0. */
static int
cmp_finite(const num *a, const num *b)
{
    int64_t x = adjusted(a), y = adjusted(b);
    if (x != y) {
        return x < y ? -1 : 1;
    }
    int64_t shift = a->exp - b->exp;
    if (!a->is_big && !b->is_big && a->digits <= 38 && b->digits <= 38) {
        u128 p = coef(a), q = coef(b);
        if (shift > 0) {
            p *= _dec_p10_128[shift];
        }
        else if (shift < 0) {
            q *= _dec_p10_128[-shift];
        }
        return p < q ? -1 : p > q;
    }
    mpz_t u, v;
    mpz_srcptr p = view(a, u), q = view(b, v);
    if (shift > 0) {
        mpz_mul(_dec_z0, p, _dec_pow10((uint64_t)shift));
        p = _dec_z0;
    }
    else if (shift < 0) {
        mpz_mul(_dec_z0, q, _dec_pow10((uint64_t)-shift));
        q = _dec_z0;
    }
    int order = mpz_cmp(p, q);
    return order < 0 ? -1 : order > 0;
}

int
_dec_cmp_magnitude(const num *a, const num *b)
{
    if ((a->kind | b->kind) != FINITE) {
        return (a->kind == INFINITE) - (b->kind == INFINITE);
    }
    int p = !zero_coef(a), q = !zero_coef(b);
    return p && q ? cmp_finite(a, b) : p - q;
}

int
_dec_cmp(const num *a, const num *b)
{
    if (is_zero(a) && is_zero(b)) {
        return 0;
    }
    if (is_zero(a)) {
        return b->sign ? 1 : -1;
    }
    if (is_zero(b) || a->sign != b->sign) {
        return a->sign ? -1 : 1;
    }
    int order = _dec_cmp_magnitude(a, b);
    return a->sign ? -order : order;
}

static int
cmp_total_magnitude(const num *a, const num *b)
{
    if (is_nan(a) || is_nan(b)) {
        /* Numbers, signalling NaNs, quiet NaNs; then by payload. */
        int p = !is_nan(a) ? 0 : a->kind == SIGNALLING_NAN ? 1 : 2;
        int q = !is_nan(b) ? 0 : b->kind == SIGNALLING_NAN ? 1 : 2;
        if (p != q) {
            return p < q ? -1 : 1;
        }
        mpz_t u, v;
        int order = mpz_cmp(view(a, u), view(b, v));
        return order < 0 ? -1 : order > 0;
    }
    int order = _dec_cmp_magnitude(a, b);
    if (order == 0 && a->kind == FINITE) {
        order = a->exp < b->exp ? -1 : a->exp > b->exp;
    }
    return order;
}

static int
compare_total(const num *a, const num *b)
{
    if (a->sign != b->sign) {
        return a->sign ? -1 : 1;
    }
    int order = cmp_total_magnitude(a, b);
    return a->sign ? -order : order;
}

static void
set_order(num *r, int order)
{
    set_triple(r, order < 0, order != 0, 0);
}

BINARY(_dec_compare)
{
    if (!_dec_nan_operand(r, a, b, NULL, ctx, status)) {
        set_order(r, _dec_cmp(a, b));
    }
}

BINARY(_dec_compare_signal)
{
    if (_dec_nan_operand(r, a, b, NULL, ctx, status)) {
        *status |= INVALID_OPERATION;
        return;
    }
    set_order(r, _dec_cmp(a, b));
}

BINARY(_dec_compare_total)
{
    (void)ctx;
    (void)status;
    set_order(r, compare_total(a, b));
}

BINARY(_dec_compare_total_mag)
{
    (void)ctx;
    (void)status;
    set_order(r, cmp_total_magnitude(a, b));
}

/* want is 1 for the larger, -1 for the smaller operand. */
static void
choose(num *r, const num *a, const num *b, int want, int (*cmp)(const num *, const num *),
       const dctx *ctx, uint32_t *status)
{
    const num *chosen;
    if (a->kind == QUIET_NAN && !is_nan(b)) {
        chosen = b;
    }
    else if (b->kind == QUIET_NAN && !is_nan(a)) {
        chosen = a;
    }
    else if (_dec_nan_operand(r, a, b, NULL, ctx, status)) {
        return;
    }
    else {
        int order = cmp(a, b);
        if (order == 0) {
            order = compare_total(a, b);
        }
        chosen = order * want >= 0 ? a : b;
    }
    _dec_copy(r, chosen);
    finalize(r, ctx, status);
}

BINARY(_dec_max)
{
    choose(r, a, b, 1, _dec_cmp, ctx, status);
}

BINARY(_dec_min)
{
    choose(r, a, b, -1, _dec_cmp, ctx, status);
}

BINARY(_dec_max_mag)
{
    choose(r, a, b, 1, _dec_cmp_magnitude, ctx, status);
}

BINARY(_dec_min_mag)
{
    choose(r, a, b, -1, _dec_cmp_magnitude, ctx, status);
}
