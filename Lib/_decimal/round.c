/* Rounding, and what a context asks of a result. */

#include "decimal_impl.h"

int
_dec_raises(int rounding, int sign, unsigned last, int half)
{
    switch (rounding) {
    case ROUND_UP: return 1;
    case ROUND_CEILING: return !sign;
    case ROUND_FLOOR: return sign;
    case ROUND_HALF_UP: return half >= 0;
    case ROUND_HALF_DOWN: return half > 0;
    case ROUND_HALF_EVEN: return half > 0 || (half == 0 && (last & 1));
    case ROUND_05UP: return last % 5 == 0;
    default: return 0;          /* ROUND_DOWN */
    }
}

/* q = z / 10**drop, rounded. Returns whether something has been lost. z2 is overwritten. */
static int
divide_and_round(mpz_t q, mpz_srcptr z, int64_t digits, int64_t drop, int rounding, int sign)
{
    if (drop > digits) {
        int lost = mpz_sgn(z) != 0;
        mpz_set_ui(q, lost && _dec_raises(rounding, sign, 0, -1));
        return lost;
    }
    mpz_srcptr power = _dec_pow10((uint64_t)drop);
    mpz_tdiv_qr(q, _dec_z2, z, power);
    if (mpz_sgn(_dec_z2) == 0) {
        return 0;
    }
    mpz_mul_2exp(_dec_z2, _dec_z2, 1);
    if (_dec_raises(rounding, sign, (unsigned)mpz_tdiv_ui(q, 10), mpz_cmp(_dec_z2, power))) {
        mpz_add_ui(q, q, 1);
    }
    return 1;
}

void
_dec_drop(num *n, int64_t drop, int rounding, uint32_t *status)
{
    if (drop <= 0) {
        return;
    }
    int lost;
    n->exp += drop;
    *status |= ROUNDED;
    if (n->is_big) {
        mpz_t q;
        mpz_init(q);
        lost = divide_and_round(q, n->big, n->digits, drop, rounding, n->sign);
        mpz_clear(n->big);
        n->is_big = 0;
        _dec_set_mpz(n, q);
        mpz_clear(q);
    }
    else {
        u128 c = coef(n), q, rest;
        if (drop <= n->digits && drop <= 38) {
            q = div_pow10(c, (int)drop, &rest);
            lost = rest != 0;
            q += lost && raises_quotient(rounding, n->sign, q, rest, _dec_p10_128[drop]);
        }
        else {
            /* Less than a half, with 39 digits, too: 5e38 is more than 128 bits hold. */
            lost = c != 0;
            q = lost && _dec_raises(rounding, n->sign, 0, -1);
        }
        set_small(n, q);
    }
    if (lost) {
        *status |= INEXACT;
    }
}

static void
set_largest(num *n, const dctx *ctx, uint32_t *status)
{
    num_clear(n);
    if (ctx->prec <= 38) {
        set_small(n, _dec_p10_128[ctx->prec] - 1);
    }
    else if (_dec_room(ctx->prec, status)) {
        mpz_sub_ui(_dec_z2, _dec_pow10((uint64_t)ctx->prec), 1);
        _dec_set_mpz(n, _dec_z2);
    }
    else {
        set_special(n, 0, QUIET_NAN);
        return;
    }
    n->exp = dec_etop(ctx);
}

static void
overflow(num *n, const dctx *ctx, uint32_t *status)
{
    int to_infinity = 1;
    switch (ctx->round) {
    case ROUND_DOWN: case ROUND_05UP: to_infinity = 0; break;
    case ROUND_CEILING: to_infinity = !n->sign; break;
    case ROUND_FLOOR: to_infinity = n->sign; break;
    }
    *status |= OVERFLOWED | INEXACT | ROUNDED;
    if (to_infinity) {
        num_clear(n);
        set_special(n, n->sign, INFINITE);
    }
    else {
        set_largest(n, ctx, status);
    }
}

/* The exponent's limits. */
static void
fit_exponent(num *n, const dctx *ctx, uint32_t *status)
{
    int64_t adj = adjusted(n), etiny = dec_etiny(ctx), etop = dec_etop(ctx);
    if (zero_coef(n)) {
        int64_t most = ctx->clamp ? etop : ctx->emax;
        if (n->exp > most) {
            n->exp = most;
            *status |= CLAMPED;
        }
        else if (n->exp < etiny) {
            n->exp = etiny;
            *status |= CLAMPED;
        }
        return;
    }
    if (adj > ctx->emax) {
        overflow(n, ctx, status);
    }
    else if (ctx->clamp && n->exp > etop) {
        int64_t shift = n->exp - etop;
        if (!_dec_shift_left(n, shift, status)) {
            num_clear(n);
            set_special(n, 0, QUIET_NAN);
            return;
        }
        n->exp = etop;
        *status |= CLAMPED;
        if (adj < ctx->emin) {
            *status |= SUBNORMAL;
        }
    }
    else if (adj < ctx->emin) {
        *status |= SUBNORMAL;
        if (n->exp < etiny) {
            uint32_t rounded = 0;
            _dec_drop(n, etiny - n->exp, ctx->round, &rounded);
            *status |= rounded;
            if (rounded & INEXACT) {
                *status |= UNDERFLOWED;
                if (zero_coef(n)) {
                    *status |= CLAMPED;
                }
            }
        }
    }
}

static void
fit_payload(num *n, const dctx *ctx)
{
    int64_t most = ctx->prec - ctx->clamp;
    if (n->digits > most) {
        if (most == 0) {
            num_clear(n);
            set_small(n, 0);
        }
        else {
            _dec_keep_low(n, most);
        }
        if (zero_coef(n)) {
            n->digits = 0;
        }
    }
}

void
_dec_finalize_slow(num *n, const dctx *ctx, uint32_t *status)
{
    if (n->kind != FINITE) {
        if (is_nan(n)) {
            fit_payload(n, ctx);
        }
        return;
    }
    fit_exponent(n, ctx, status);
    if (n->kind == FINITE && n->digits > ctx->prec) {
        _dec_drop(n, n->digits - ctx->prec, ctx->round, status);
        if (n->digits > ctx->prec) {
            /* A carry: 10**prec. */
            uint32_t ignored = 0;
            _dec_drop(n, 1, ROUND_DOWN, &ignored);
        }
        fit_exponent(n, ctx, status);
    }
}

void
_dec_finalize_mpz(num *n, mpz_t z, const dctx *ctx, uint32_t *status)
{
    if (mpz_size(z) > 2) {
        int64_t digits = _dec_digits_of_mpz(z), drop = digits - ctx->prec;
        int64_t adj = n->exp + digits - 1;
        if (drop > 0 && adj >= ctx->emin && adj <= ctx->emax) {
            *status |= ROUNDED;
            if (divide_and_round(z, z, digits, drop, ctx->round, n->sign)) {
                *status |= INEXACT;
            }
            n->exp += drop;
        }
    }
    _dec_set_mpz(n, z);
    if (n->digits > ctx->prec && n->kind == FINITE && zero_coef(n) == 0) {
        _dec_finalize_slow(n, ctx, status);
        return;
    }
    finalize(n, ctx, status);
}

int
_dec_nan_operand(num *r, const num *a, const num *b, const num *c, const dctx *ctx,
                 uint32_t *status)
{
    const num *found = NULL;
    for (int kind = SIGNALLING_NAN; kind >= QUIET_NAN && found == NULL; kind--) {
        found = a->kind == kind ? a : b != NULL && b->kind == kind ? b
            : c != NULL && c->kind == kind ? c : NULL;
    }
    if (found == NULL) {
        return 0;
    }
    if (found->kind == SIGNALLING_NAN) {
        *status |= INVALID_OPERATION;
    }
    _dec_copy(r, found);
    r->kind = QUIET_NAN;
    fit_payload(r, ctx);
    return 1;
}
