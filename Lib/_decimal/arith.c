/* Sums, products, quotients, quantize and their relatives, the square root.

   Each operation is done on machine words if its exact result fits, and on scratch integers
   otherwise; then finalize() rounds. */

#include "decimal_impl.h"

/* --------------------------------------------------------------------- sums */

/* The part of an operand that is too small to be seen is as good as 1 at this place. */
static void
add_apart(num *r, const num *high, const num *low, int low_sign, const dctx *ctx,
          uint32_t *status)
{
    num tiny;
    int64_t shift = high->exp - low->exp;
    if (!zero_coef(high)) {
        int64_t place = high->exp - 1 + (high->digits > ctx->prec ? 0
                                         : high->digits - ctx->prec - 1);
        if (adjusted(low) < place) {
            set_triple(&tiny, low_sign, zero_coef(low) ? 0 : 1, place);
            low = &tiny;
            shift = high->exp - place;
        }
        if (!_dec_room(high->digits + shift, status)) {
            set_special(r, 0, QUIET_NAN);
            return;
        }
    }
    mpz_t z;
    if (zero_coef(high)) {
        mpz_set_ui(_dec_z0, 0);
    }
    else if (shift > 0) {
        mpz_mul(_dec_z0, view(high, z), _dec_pow10((uint64_t)shift));
    }
    else {
        mpz_set(_dec_z0, view(high, z));
    }
    if (high->sign == low_sign) {
        mpz_add(_dec_z0, _dec_z0, view(low, z));
    }
    else {
        mpz_sub(_dec_z0, _dec_z0, view(low, z));
    }
    r->kind = FINITE;
    r->exp = low->exp;
    if (mpz_sgn(_dec_z0) == 0) {
        r->sign = high->sign == low_sign ? high->sign : ctx->round == ROUND_FLOOR;
    }
    else {
        r->sign = high->sign ^ (mpz_sgn(_dec_z0) < 0);
        mpz_abs(_dec_z0, _dec_z0);
    }
    _dec_finalize_mpz(r, _dec_z0, ctx, status);
}

static void
add_finite(num *r, const num *a, const num *b, int b_sign, const dctx *ctx, uint32_t *status)
{
    int64_t shift = a->exp - b->exp;
    if (!a->is_big && !b->is_big) {
        u128 x = coef(a), y = coef(b);
        int fits = 1;
        r->exp = b->exp;
        if (shift > 0) {
            if (a->digits + shift <= 38) {
                x *= _dec_p10_128[shift];
            }
            else {
                fits = x == 0;
            }
        }
        else if (shift < 0) {
            r->exp = a->exp;
            if (b->digits - shift <= 38) {
                y *= _dec_p10_128[-shift];
            }
            else {
                fits = y == 0;
            }
        }
        if (fits && a->digits <= 38 && b->digits <= 38) {
            r->kind = FINITE;
            if (a->sign == b_sign) {
                r->sign = a->sign;
                x += y;
            }
            else if (x == y) {
                r->sign = ctx->round == ROUND_FLOOR;
                x = 0;
            }
            else if (x > y) {
                r->sign = a->sign;
                x -= y;
            }
            else {
                r->sign = (uint8_t)b_sign;
                x = y - x;
            }
            set_small(r, x);
            finalize(r, ctx, status);
            return;
        }
    }
    if (shift >= 0) {
        add_apart(r, a, b, b_sign, ctx, status);
    }
    else {
        num other = *b;
        other.sign = (uint8_t)b_sign;
        add_apart(r, &other, a, a->sign, ctx, status);
    }
}

static void
add_special(num *r, const num *a, const num *b, int b_sign, const dctx *ctx, uint32_t *status)
{
    if (_dec_nan_operand(r, a, b, NULL, ctx, status)) {
        return;
    }
    if (a->kind == INFINITE && b->kind == INFINITE && a->sign != b_sign) {
        set_invalid(r, INVALID_OPERATION, status);
        return;
    }
    set_special(r, a->kind == INFINITE ? a->sign : b_sign, INFINITE);
}

BINARY(_dec_add)
{
    if (__builtin_expect((a->kind | b->kind) != FINITE, 0)) {
        add_special(r, a, b, b->sign, ctx, status);
        return;
    }
    add_finite(r, a, b, b->sign, ctx, status);
}

BINARY(_dec_subtract)
{
    if (__builtin_expect((a->kind | b->kind) != FINITE, 0)) {
        add_special(r, a, b, !b->sign, ctx, status);
        return;
    }
    add_finite(r, a, b, !b->sign, ctx, status);
}

/* ----------------------------------------------------------------- products */

/* Of finite numbers. Returns 1 if r has the coefficient, 0 if it is in z0, -1 without memory. */
static int
product(num *r, const num *a, const num *b, uint32_t *status)
{
    r->kind = FINITE;
    r->sign = a->sign ^ b->sign;
    r->exp = a->exp + b->exp;
    if (!a->is_big && !b->is_big) {
        if ((a->w[1] | b->w[1]) == 0) {
            set_small(r, (u128)a->w[0] * b->w[0]);
            return 1;
        }
        if (a->digits + b->digits <= 38) {
            set_small(r, coef(a) * coef(b));
            return 1;
        }
    }
    mpz_t x, y;
    if (!_dec_room(a->digits + b->digits, status)) {
        set_special(r, 0, QUIET_NAN);
        return -1;
    }
    mpz_mul(_dec_z0, view(a, x), view(b, y));
    return 0;
}

static int
special_product(num *r, const num *a, const num *b)
{
    if (is_zero(a) || is_zero(b)) {
        return 0;
    }
    set_special(r, a->sign ^ b->sign, INFINITE);
    return 1;
}

/* The product of coefficients of two words, rounded to a precision of no more than two words,
   without a detour by scratch numbers. 0 if it has to be done otherwise. */
static int
multiply_two_words(num *r, const num *a, const num *b, const dctx *ctx, uint32_t *status)
{
    mp_limb_t p[4], q[4] = {0}, rest[2] = {0};
    mpz_t z;
    if (a->is_big || b->is_big || ctx->prec > 38 || a->digits + b->digits <= 38) {
        return 0;
    }
    mpn_mul_n(p, a->w, b->w, 2);
    mp_size_t n = p[3] != 0 ? 4 : p[2] != 0 ? 3 : p[1] != 0 ? 2 : 1;
    int64_t digits = a->digits + b->digits;
    digits -= mpz_cmp(mpz_roinit_n(z, p, n), _dec_pow10((uint64_t)digits - 1)) < 0;
    int64_t drop = digits - ctx->prec, exp = a->exp + b->exp, adj = exp + digits - 1;
    if (drop <= 0 || drop > 38 || adj < ctx->emin || adj > ctx->emax || n < 2) {
        return 0;
    }
    u128 unit = _dec_p10_128[drop];
    const mp_limb_t divisor[2] = {(mp_limb_t)unit, (mp_limb_t)(unit >> 64)};
    if (divisor[1] == 0) {
        rest[0] = mpn_divrem_1(q, 0, p, n, divisor[0]);
    }
    else {
        mpn_tdiv_qr(q, rest, 0, p, n, divisor, 2);
    }
    u128 c = (u128)q[1] << 64 | q[0], lost = (u128)rest[1] << 64 | rest[0];
    r->kind = FINITE;
    r->sign = a->sign ^ b->sign;
    r->exp = exp + drop;
    *status |= ROUNDED;
    if (lost != 0) {
        *status |= INEXACT;
        c += (unsigned)raises_quotient(ctx->round, r->sign, c, lost, unit);
    }
    set_small(r, c);
    finalize(r, ctx, status);
    return 1;
}

BINARY(_dec_multiply)
{
    if (__builtin_expect((a->kind | b->kind) != FINITE, 0)) {
        if (!_dec_nan_operand(r, a, b, NULL, ctx, status) && !special_product(r, a, b)) {
            set_invalid(r, INVALID_OPERATION, status);
        }
        return;
    }
    if (multiply_two_words(r, a, b, ctx, status)) {
        return;
    }
    switch (product(r, a, b, status)) {
    case 1: finalize(r, ctx, status); break;
    case 0: _dec_finalize_mpz(r, _dec_z0, ctx, status); break;
    }
}

void
_dec_multiply_exact(num *r, const num *a, const num *b, uint32_t *status)
{
    if ((a->kind | b->kind) != FINITE) {
        if (!special_product(r, a, b)) {
            set_invalid(r, INVALID_OPERATION, status);
        }
    }
    else if (product(r, a, b, status) == 0) {
        _dec_set_mpz(r, _dec_z0);
    }
}

void
_dec_fma(num *r, const num *a, const num *b, const num *c, const dctx *ctx, uint32_t *status)
{
    num between;
    uint32_t condition = 0;
    /* Infinity * 0 is invalid before c is looked at. */
    if ((is_nan(a) || is_nan(b) || (!is_zero(a) && !is_zero(b))
         || (a->kind == FINITE && b->kind == FINITE))
        && _dec_nan_operand(r, a, b, c, ctx, status)) {
        return;
    }
    _dec_multiply_exact(&between, a, b, &condition);
    if (condition != 0) {
        *status |= condition;
        *r = between;
        return;
    }
    _dec_add(r, &between, c, ctx, status);
    num_clear(&between);
}

/* ---------------------------------------------------------------- quotients */

/* The exact quotient, if it has an end and no more digits than the context: for precisions for
   which there is no memory. */
static int
divide_exactly(num *r, const num *a, const num *b, const dctx *ctx)
{
    mpz_t x, y, p, q, g, z;
    mpz_init_set(x, view(a, z));
    mpz_init_set(y, view(b, z));
    mpz_inits(p, q, g, NULL);
    mpz_gcd(g, x, y);
    mpz_divexact(x, x, g);
    mpz_divexact(y, y, g);
    mpz_set_ui(g, 5);
    uint64_t fives = mpz_remove(p, y, g), twos = mpz_scan1(p, 0);
    mpz_tdiv_q_2exp(p, p, twos);
    int64_t places = (int64_t)(twos > fives ? twos : fives);
    int exact = mpz_cmp_ui(p, 1) == 0 && places < 20000000;
    if (exact) {
        mpz_ui_pow_ui(p, 2, (uint64_t)places - twos);
        mpz_mul(x, x, p);
        mpz_ui_pow_ui(p, 5, (uint64_t)places - fives);
        mpz_mul(x, x, p);
        r->kind = FINITE;
        r->exp = a->exp - b->exp - places;
        _dec_set_mpz(r, x);
        exact = r->digits <= ctx->prec;
        if (!exact) {
            num_clear(r);
        }
    }
    mpz_clears(x, y, p, q, g, NULL);
    return exact;
}

/* Removes zeros that stand below the ideal exponent. */
static void
strip_to(num *r, int64_t ideal)
{
    if (r->exp < ideal) {
        int64_t zeros = _dec_trailing_zeros(r), most = ideal - r->exp;
        uint32_t ignored = 0;
        _dec_drop(r, zeros < most ? zeros : most, ROUND_DOWN, &ignored);
    }
}

static void
divide_finite(num *r, const num *a, const num *b, const dctx *ctx, uint32_t *status)
{
    int64_t ideal = a->exp - b->exp;
    int sign = a->sign ^ b->sign;
    if (zero_coef(b)) {
        if (zero_coef(a)) {
            set_invalid(r, DIVISION_UNDEFINED, status);
        }
        else {
            *status |= DIVISION_BY_ZERO;
            set_special(r, sign, INFINITE);
        }
        return;
    }
    if (zero_coef(a)) {
        set_triple(r, sign, 0, ideal);
        finalize(r, ctx, status);
        return;
    }
    int64_t shift = b->digits - a->digits + ctx->prec + 1;
    int exact;
    r->kind = FINITE;
    r->sign = (uint8_t)sign;
    r->exp = ideal - shift;
    if (!a->is_big && !b->is_big && shift >= 0 && a->digits + shift <= 38) {
        u128 x = coef(a) * _dec_p10_128[shift], y = coef(b), q, rest;
        /* A small divisor with no more digits than a word: often a word itself. */
        if (b->w[1] == 0) {
            q = div_word(x, b->w[0], &rest);
        }
        else {
            q = x / y;
            rest = x - q * y;
        }
        exact = rest == 0;
        /* 2**64 is 1 modulo 5. */
        q += !exact && ((uint64_t)q % 5 + (uint64_t)(q >> 64) % 5) % 5 == 0;
        set_small(r, q);
    }
    else {
        mpz_t x, y;
        mpz_srcptr dividend = view(a, x), divisor = view(b, y);
        uint32_t condition = 0;
        if (!_dec_room((shift > 0 ? a->digits : b->digits) + (shift < 0 ? -shift : shift),
                       &condition)) {
            if (divide_exactly(r, a, b, ctx)) {
                strip_to(r, ideal);
                finalize(r, ctx, status);
            }
            else {
                *status |= condition;
                set_special(r, 0, QUIET_NAN);
            }
            return;
        }
        if (shift > 0) {
            mpz_mul(_dec_z1, dividend, _dec_pow10((uint64_t)shift));
            dividend = _dec_z1;
        }
        else if (shift < 0) {
            mpz_mul(_dec_z1, divisor, _dec_pow10((uint64_t)-shift));
            divisor = _dec_z1;
        }
        mpz_tdiv_qr(_dec_z0, _dec_z2, dividend, divisor);
        exact = mpz_sgn(_dec_z2) == 0;
        if (!exact) {
            if (mpz_divisible_ui_p(_dec_z0, 5)) {
                mpz_add_ui(_dec_z0, _dec_z0, 1);
            }
            _dec_finalize_mpz(r, _dec_z0, ctx, status);
            return;
        }
        _dec_set_mpz(r, _dec_z0);
    }
    if (exact) {
        strip_to(r, ideal);
    }
    finalize(r, ctx, status);
}

BINARY(_dec_divide)
{
    if ((a->kind | b->kind) == FINITE) {
        divide_finite(r, a, b, ctx, status);
    }
    else if (!_dec_nan_operand(r, a, b, NULL, ctx, status)) {
        if (a->kind == INFINITE) {
            if (b->kind == INFINITE) {
                set_invalid(r, INVALID_OPERATION, status);
            }
            else {
                set_special(r, a->sign ^ b->sign, INFINITE);
            }
        }
        else {
            set_triple(r, a->sign ^ b->sign, 0, dec_etiny(ctx));
            *status |= CLAMPED;
        }
    }
}

/* Integer quotient and remainder of finite numbers, b not 0, neither rounded. q may be NULL if
   only the remainder is wanted. Returns 0 with a condition set. */
static int
divide_whole(num *q, num *r, const num *a, const num *b, const dctx *ctx, uint32_t *status)
{
    int64_t ideal = a->exp < b->exp ? a->exp : b->exp;
    int sign = a->sign ^ b->sign;
    if (zero_coef(a)) {
        set_triple(q, sign, 0, 0);
        set_triple(r, a->sign, 0, ideal);
        return 1;
    }
    int64_t apart = adjusted(a) - adjusted(b);
    if (apart < 0) {
        set_triple(q, sign, 0, 0);
        _dec_copy(r, a);
        int64_t shift = a->exp - ideal;
        r->exp = ideal;
        if (!_dec_shift_left(r, shift, status)) {
            num_clear(r);
            return 0;
        }
        return 1;
    }
    if (apart > ctx->prec) {
        *status |= DIVISION_IMPOSSIBLE;
        return 0;
    }
    int64_t shift = a->exp - b->exp;
    if (!a->is_big && !b->is_big && (shift >= 0 ? a->digits + shift <= 38
                                                : b->digits - shift <= 38)) {
        u128 x = coef(a), y = coef(b);
        if (shift > 0) {
            x *= _dec_p10_128[shift];
        }
        else if (shift < 0) {
            y *= _dec_p10_128[-shift];
        }
        u128 whole = (x | y) >> 64 == 0 ? (uint64_t)x / (uint64_t)y : x / y;
        set_triple(q, sign, whole, 0);
        set_triple(r, a->sign, x - whole * y, ideal);
    }
    else {
        mpz_t x, y;
        mpz_srcptr dividend = view(a, x), divisor = view(b, y);
        int64_t room = (shift > 0 ? a->digits + shift : b->digits - shift);
        if (!_dec_room(room, status)) {
            return 0;
        }
        if (shift > 0) {
            mpz_mul(_dec_z1, dividend, _dec_pow10((uint64_t)shift));
            dividend = _dec_z1;
        }
        else if (shift < 0) {
            mpz_mul(_dec_z1, divisor, _dec_pow10((uint64_t)-shift));
            divisor = _dec_z1;
        }
        mpz_tdiv_qr(_dec_z0, _dec_z2, dividend, divisor);
        q->kind = r->kind = FINITE;
        q->sign = (uint8_t)sign;
        r->sign = a->sign;
        q->exp = 0;
        r->exp = ideal;
        _dec_set_mpz(q, _dec_z0);
        _dec_set_mpz(r, _dec_z2);
    }
    if (q->digits > ctx->prec) {
        num_clear(q);
        num_clear(r);
        *status |= DIVISION_IMPOSSIBLE;
        return 0;
    }
    return 1;
}

BINARY(_dec_divide_int)
{
    int sign = a->sign ^ b->sign;
    num rest;
    if ((a->kind | b->kind) != FINITE) {
        if (_dec_nan_operand(r, a, b, NULL, ctx, status)) {
            return;
        }
        if (a->kind != INFINITE) {
            set_triple(r, sign, 0, 0);
        }
        else if (b->kind == INFINITE) {
            set_invalid(r, INVALID_OPERATION, status);
        }
        else {
            set_special(r, sign, INFINITE);
        }
    }
    else if (zero_coef(b)) {
        divide_finite(r, a, b, ctx, status);
    }
    else if (divide_whole(r, &rest, a, b, ctx, status)) {
        num_clear(&rest);
        finalize(r, ctx, status);
    }
    else {
        set_special(r, 0, QUIET_NAN);
    }
}

/* What remainder and remainder_near do alike. Returns 1 if r is the result. */
static int
remainder_special(num *r, const num *a, const num *b, const dctx *ctx, uint32_t *status)
{
    if ((a->kind | b->kind) != FINITE) {
        if (!_dec_nan_operand(r, a, b, NULL, ctx, status)) {
            if (a->kind == INFINITE) {
                set_invalid(r, INVALID_OPERATION, status);
            }
            else {
                _dec_copy(r, a);
                finalize(r, ctx, status);
            }
        }
        return 1;
    }
    if (zero_coef(b)) {
        set_invalid(r, zero_coef(a) ? DIVISION_UNDEFINED : INVALID_OPERATION, status);
        return 1;
    }
    return 0;
}

BINARY(_dec_remainder)
{
    num q;
    if (remainder_special(r, a, b, ctx, status)) {
        return;
    }
    if (!divide_whole(&q, r, a, b, ctx, status)) {
        set_special(r, 0, QUIET_NAN);
        return;
    }
    num_clear(&q);
    finalize(r, ctx, status);
}

BINARY(_dec_remainder_near)
{
    num q;
    if (remainder_special(r, a, b, ctx, status)) {
        return;
    }
    if (!divide_whole(&q, r, a, b, ctx, status)) {
        set_special(r, 0, QUIET_NAN);
        return;
    }
    num twice;
    num two;
    set_triple(&two, 0, 2, 0);
    _dec_multiply_exact(&twice, r, &two, status);
    int order = _dec_cmp_magnitude(&twice, b);
    num_clear(&twice);
    if (order > 0 || (order == 0 && _dec_is_odd(&q))) {
        /* The next integer: has it room? */
        mpz_t z;
        mpz_add_ui(_dec_z0, view(&q, z), 1);
        if (_dec_digits_of_mpz(_dec_z0) > ctx->prec) {
            num_clear(&q);
            num_clear(r);
            set_invalid(r, DIVISION_IMPOSSIBLE, status);
            return;
        }
        num rest = *r, divisor = *b;
        divisor.sign = rest.sign;
        dctx exact = _dec_exact;
        _dec_subtract(r, &rest, &divisor, &exact, status);
        num_clear(&rest);
    }
    num_clear(&q);
    finalize(r, ctx, status);
}

void
_dec_divmod(num *q, num *r, const num *a, const num *b, const dctx *ctx, uint32_t *status)
{
    int sign = a->sign ^ b->sign;
    if ((a->kind | b->kind) != FINITE) {
        if (_dec_nan_operand(q, a, b, NULL, ctx, status)) {
            _dec_copy(r, q);
        }
        else if (a->kind == INFINITE) {
            set_invalid(r, INVALID_OPERATION, status);
            if (b->kind == INFINITE) {
                set_special(q, 0, QUIET_NAN);
            }
            else {
                set_special(q, sign, INFINITE);
            }
        }
        else {
            set_triple(q, sign, 0, 0);
            _dec_copy(r, a);
            finalize(r, ctx, status);
        }
    }
    else if (zero_coef(b)) {
        if (zero_coef(a)) {
            set_special(q, 0, QUIET_NAN);
            set_invalid(r, DIVISION_UNDEFINED, status);
        }
        else {
            set_special(q, sign, INFINITE);
            set_invalid(r, DIVISION_BY_ZERO | INVALID_OPERATION, status);
        }
    }
    else if (divide_whole(q, r, a, b, ctx, status)) {
        finalize(q, ctx, status);
        finalize(r, ctx, status);
    }
    else {
        set_special(q, 0, QUIET_NAN);
        set_special(r, 0, QUIET_NAN);
    }
}

/* -------------------------------------------------------- quantize, rounding */

BINARY(_dec_quantize)
{
    if ((a->kind | b->kind) != FINITE) {
        if (_dec_nan_operand(r, a, b, NULL, ctx, status)) {
            return;
        }
        if (a->kind == INFINITE && b->kind == INFINITE) {
            _dec_copy(r, a);
        }
        else {
            set_invalid(r, INVALID_OPERATION, status);
        }
        return;
    }
    if (b->exp > ctx->emax || b->exp < dec_etiny(ctx)) {
        set_invalid(r, INVALID_OPERATION, status);
        return;
    }
    if (zero_coef(a)) {
        set_triple(r, a->sign, 0, b->exp);
        finalize(r, ctx, status);
        return;
    }
    int64_t shift = a->exp - b->exp;
    if (a->digits + shift > ctx->prec) {
        set_invalid(r, INVALID_OPERATION, status);
        return;
    }
    _dec_copy(r, a);
    if (shift >= 0) {
        r->exp = b->exp;
        if (!_dec_shift_left(r, shift, status)) {
            num_clear(r);
            set_special(r, 0, QUIET_NAN);
            return;
        }
    }
    else {
        _dec_drop(r, -shift, ctx->round, status);
    }
    if (adjusted(r) > ctx->emax || r->digits > ctx->prec) {
        num_clear(r);
        *status &= ~(uint32_t)(ROUNDED | INEXACT);
        set_invalid(r, INVALID_OPERATION, status);
        return;
    }
    finalize(r, ctx, status);
}

static void
to_integral(num *r, const num *a, const dctx *ctx, int exact, uint32_t *status)
{
    if (is_nan(a)) {
        _dec_nan_operand(r, a, NULL, NULL, ctx, status);
        return;
    }
    if (a->kind == INFINITE || a->exp >= 0) {
        _dec_copy(r, a);
        return;
    }
    if (zero_coef(a)) {
        set_triple(r, a->sign, 0, 0);
        return;
    }
    uint32_t rounded = 0;
    _dec_copy(r, a);
    _dec_drop(r, -a->exp, ctx->round, &rounded);
    if (exact) {
        *status |= rounded;
    }
}

UNARY(_dec_to_integral_value)
{
    to_integral(r, a, ctx, 0, status);
}

UNARY(_dec_to_integral_exact)
{
    to_integral(r, a, ctx, 1, status);
}

/* The operand with that sign, rounded. */
static void
with_sign(num *r, const num *a, int sign, const dctx *ctx, uint32_t *status)
{
    if (_dec_nan_operand(r, a, NULL, NULL, ctx, status)) {
        return;
    }
    _dec_copy(r, a);
    r->sign = (uint8_t)(is_zero(a) && ctx->round != ROUND_FLOOR ? 0 : sign);
    finalize(r, ctx, status);
}

UNARY(_dec_plus)
{
    with_sign(r, a, a->sign, ctx, status);
}

UNARY(_dec_minus)
{
    with_sign(r, a, !a->sign, ctx, status);
}

UNARY(_dec_abs)
{
    with_sign(r, a, 0, ctx, status);
}

UNARY(_dec_normalize)
{
    if (_dec_nan_operand(r, a, NULL, NULL, ctx, status)) {
        return;
    }
    _dec_copy(r, a);
    if (a->kind == INFINITE) {
        return;
    }
    finalize(r, ctx, status);
    if (r->kind != FINITE) {
        return;
    }
    if (zero_coef(r)) {
        r->exp = 0;
        return;
    }
    strip_to(r, ctx->clamp ? dec_etop(ctx) : ctx->emax);
}

/* -------------------------------------------------------------- square root */

UNARY(_dec_sqrt)
{
    if (_dec_nan_operand(r, a, NULL, NULL, ctx, status)) {
        return;
    }
    if (a->kind == INFINITE) {
        if (a->sign) {
            set_invalid(r, INVALID_OPERATION, status);
        }
        else {
            _dec_copy(r, a);
        }
        return;
    }
    int odd = (int)(a->exp & 1);
    int64_t ideal = (a->exp - odd) / 2;
    if (zero_coef(a)) {
        set_triple(r, a->sign, 0, ideal);
        finalize(r, ctx, status);
        return;
    }
    if (a->sign) {
        set_invalid(r, INVALID_OPERATION, status);
        return;
    }
    /* The root of an even power's coefficient, with one digit more than the precision. */
    int64_t have = (a->digits + odd + 1) / 2, more = ctx->prec + 1 - have;
    mpz_t z;
    dctx even = *ctx;
    uint32_t condition = 0;
    even.round = ROUND_HALF_EVEN;
    r->kind = FINITE;
    r->sign = 0;
    mpz_mul_ui(_dec_z1, view(a, z), odd ? 10 : 1);
    if (more > 0 && !_dec_room(a->digits + 2 * more, &condition)) {
        /* Then only an exact root can be found: of the coefficient without its zeros. */
        num whole;
        set_triple(&whole, 0, 0, a->exp - odd);
        _dec_set_mpz(&whole, _dec_z1);
        uint32_t ignored = 0;
        _dec_drop(&whole, _dec_trailing_zeros(&whole) & ~(int64_t)1, ROUND_DOWN, &ignored);
        mpz_sqrtrem(_dec_z0, _dec_z2, view(&whole, z));
        r->exp = whole.exp / 2;
        num_clear(&whole);
        if (mpz_sgn(_dec_z2) != 0) {
            *status |= condition;
            set_special(r, 0, QUIET_NAN);
            return;
        }
        _dec_set_mpz(r, _dec_z0);
        if (r->exp > ideal) {
            int64_t pad = r->exp - ideal;
            r->exp = ideal;
            _dec_shift_left(r, pad, status);
        }
        finalize(r, &even, status);
        return;
    }
    if (more < 0) {
        more = 0;
    }
    mpz_mul(_dec_z1, _dec_z1, _dec_pow10((uint64_t)(2 * more)));
    mpz_sqrtrem(_dec_z0, _dec_z2, _dec_z1);
    r->exp = ideal - more;
    if (mpz_sgn(_dec_z2) != 0) {
        if (mpz_divisible_ui_p(_dec_z0, 5)) {
            mpz_add_ui(_dec_z0, _dec_z0, 1);
        }
        _dec_finalize_mpz(r, _dec_z0, &even, status);
        return;
    }
    _dec_set_mpz(r, _dec_z0);
    strip_to(r, ideal);
    finalize(r, &even, status);
}
