/* exp, ln, log10 and power.

   Values are computed as fixed-point binary numbers (an mpz and a number of bits after the point)
   with some digits more than the precision. If the digits after those that the result keeps don't
   tell how to round, it is done again with more of them. Results that are exact are found first. */

#include "decimal_impl.h"
#include <math.h>

#define BITS_PER_DIGIT 3.3219280948873626

static uint64_t
bits_of(int64_t digits)
{
    return (uint64_t)((double)digits * BITS_PER_DIGIT) + 2;
}

/* ------------------------------------------------------------ fixed point */

/* The sum of 1 / ((2 k + 1) * square**(k - a + 1)) for a <= k < b is t / (f * q). */
static void
split(mpz_t t, mpz_t f, mpz_t q, uint64_t square, uint64_t a, uint64_t b)
{
    if (b - a == 1) {
        mpz_set_ui(t, 1);
        mpz_set_ui(f, 2 * a + 1);
        mpz_set_ui(q, square);
        return;
    }
    mpz_t t2, f2, q2;
    uint64_t middle = a + (b - a) / 2;
    mpz_inits(t2, f2, q2, NULL);
    split(t, f, q, square, a, middle);
    split(t2, f2, q2, square, middle, b);
    mpz_mul(t, t, f2);
    mpz_mul(t, t, q2);
    mpz_addmul(t, t2, f);
    mpz_mul(f, f, f2);
    mpz_mul(q, q, q2);
    mpz_clears(t2, f2, q2, NULL);
}

/* sum += factor * atanh(1 / n) */
static void
add_atanh(mpz_t sum, uint64_t factor, uint64_t n, uint64_t bits)
{
    mpz_t t, f, q;
    uint64_t terms = (uint64_t)((double)bits / (2 * log2((double)n))) + 2;
    mpz_inits(t, f, q, NULL);
    split(t, f, q, n * n, 0, terms);
    mpz_mul_ui(t, t, n * factor);
    mpz_mul_2exp(t, t, bits);
    mpz_mul(f, f, q);
    mpz_tdiv_q(t, t, f);
    mpz_add(sum, sum, t);
    mpz_clears(t, f, q, NULL);
}

/* The natural logarithm of 10, to within a few units. */
static void
log_of_ten(mpz_t r, uint64_t bits)
{
    static mpz_t known;
    static uint64_t known_bits;
    if (known_bits < bits) {
        uint64_t more = bits + bits / 4 + 64;
        if (known_bits == 0) {
            mpz_init(known);
        }
        mpz_set_ui(known, 0);
        add_atanh(known, 46, 31, more);
        add_atanh(known, 34, 49, more);
        add_atanh(known, 20, 161, more);
        known_bits = more;
    }
    mpz_tdiv_q_2exp(r, known, known_bits - bits);
}

/* r = e**x for |x| < 4: halved until the series is short, then squared as often. */
static void
exp_fixed(mpz_t r, const mpz_t x, uint64_t bits)
{
    uint64_t halvings = (uint64_t)sqrt((double)bits) + 2, work = bits + halvings + 32;
    mpz_t y, term;
    mpz_inits(y, term, NULL);
    mpz_mul_2exp(y, x, work - bits);
    mpz_tdiv_q_2exp(y, y, halvings);
    mpz_set_ui(r, 1);
    mpz_mul_2exp(r, r, work);
    mpz_add(r, r, y);
    mpz_set(term, y);
    for (uint64_t n = 2; mpz_sgn(term) != 0; n++) {
        mpz_mul(term, term, y);
        mpz_tdiv_q_2exp(term, term, work);
        mpz_tdiv_q_ui(term, term, n);
        mpz_add(r, r, term);
    }
    for (uint64_t i = 0; i < halvings; i++) {
        mpz_mul(r, r, r);
        mpz_tdiv_q_2exp(r, r, work);
    }
    mpz_tdiv_q_2exp(r, r, work - bits);
    mpz_clears(y, term, NULL);
}

/* r = ln(m) for m between 0.1 and 10, by Newton's method for e**r = m; each step has three times
   the bits of the one before. */
static void
ln_fixed(mpz_t r, const mpz_t m, uint64_t bits)
{
    uint64_t steps[64], have = 40;
    int n = 0;
    for (uint64_t b = bits + 16; b > have; b = b / 3 + 8) {
        steps[n++] = b;
    }
    mpz_t part, e, top;
    mpz_inits(part, e, top, NULL);
    /* A double's worth of it. */
    if (bits > 60) {
        mpz_tdiv_q_2exp(part, m, bits - 60);
    }
    else {
        mpz_mul_2exp(part, m, 60 - bits);
    }
    double guess = log(ldexp(mpz_get_d(part), -60));
    mpz_set_d(r, ldexp(guess, 60));
    uint64_t at = 60;
    while (n-- > 0) {
        uint64_t b = steps[n];
        if (b >= at) {
            mpz_mul_2exp(r, r, b - at);
        }
        else {
            mpz_tdiv_q_2exp(r, r, at - b);
        }
        at = b;
        if (bits >= b) {
            mpz_tdiv_q_2exp(part, m, bits - b);
        }
        else {
            mpz_mul_2exp(part, m, b - bits);
        }
        exp_fixed(e, r, b);
        mpz_sub(top, part, e);
        mpz_mul_2exp(top, top, b + 1);
        mpz_add(e, e, part);
        mpz_tdiv_q(top, top, e);
        mpz_add(r, r, top);
    }
    if (at >= bits) {
        mpz_tdiv_q_2exp(r, r, at - bits);
    }
    else {
        mpz_mul_2exp(r, r, bits - at);
    }
    mpz_clears(part, e, top, NULL);
}

/* r = |a| times 10**scale, which is at most 10**20 or so. */
static void
to_fixed(mpz_t r, const num *a, int64_t scale, uint64_t bits)
{
    mpz_t z;
    int64_t exp = a->exp + scale;
    if (exp >= 0) {
        mpz_mul(r, view(a, z), _dec_pow10((uint64_t)exp));
        mpz_mul_2exp(r, r, bits);
    }
    else if ((double)-adjusted(a) - (double)scale > (double)bits) {
        mpz_set_ui(r, 0);
    }
    else {
        mpz_mul_2exp(r, view(a, z), bits);
        mpz_tdiv_q(r, r, _dec_pow10((uint64_t)-exp));
    }
}

/* r = ln(a) for a > 0. */
static void
ln_of(mpz_t r, const num *a, uint64_t bits)
{
    int64_t k = adjusted(a);
    mpz_t m, ten;
    mpz_inits(m, ten, NULL);
    to_fixed(m, a, -k, bits + 8);
    /* Between 0.32 and 3.2, so that the sum below loses nothing. */
    mpz_set_ui(ten, 3);
    mpz_mul_2exp(ten, ten, bits + 8);
    if (mpz_cmp(m, ten) > 0) {
        mpz_tdiv_q_ui(m, m, 10);
        k++;
    }
    ln_fixed(r, m, bits + 8);
    if (k != 0) {
        log_of_ten(ten, bits + 72);
        if (k < 0) {
            mpz_mul_ui(ten, ten, (uint64_t)-k);
            mpz_neg(ten, ten);
        }
        else {
            mpz_mul_ui(ten, ten, (uint64_t)k);
        }
        mpz_tdiv_q_2exp(ten, ten, 64);
        mpz_add(r, r, ten);
    }
    mpz_tdiv_q_2exp(r, r, 8);
    mpz_clears(m, ten, NULL);
}

/* z = x * 10**places, rounded down. */
static void
to_decimal(mpz_t z, const mpz_t x, int64_t places, uint64_t bits)
{
    mpz_abs(z, x);
    mpz_mul(z, z, _dec_pow10((uint64_t)places));
    mpz_tdiv_q_2exp(z, z, bits);
}

/* ------------------------------------------------------------------- results */

/* z is the coefficient to within a few units. Can it be rounded? */
#define DOUBT 50

static int
can_round(const mpz_t z, const num *n, const dctx *ctx)
{
    int64_t digits = _dec_digits_of_mpz(z), drop = digits - ctx->prec;
    int64_t etiny = dec_etiny(ctx);
    if (n->exp + drop < etiny) {
        drop = etiny - n->exp;
    }
    if (drop <= 3) {
        return 0;
    }
    if (drop > digits + 2) {
        return 1;
    }
    int at_half = ctx->round >= ROUND_HALF_UP && ctx->round <= ROUND_HALF_EVEN;
    mpz_t rest, other;
    mpz_inits(rest, other, NULL);
    mpz_srcptr unit = _dec_pow10((uint64_t)drop);
    mpz_tdiv_r(rest, z, unit);
    mpz_sub(other, unit, rest);
    int known;
    if (at_half) {
        mpz_sub(rest, rest, other);
        known = mpz_cmpabs_ui(rest, 2 * DOUBT) > 0;
    }
    else {
        known = mpz_cmp_ui(rest, DOUBT) > 0 && mpz_cmp_ui(other, DOUBT) > 0;
    }
    mpz_clears(rest, other, NULL);
    return known;
}

/* For a power that may be exact, or in the middle, which no number of digits would show. */
static void
snap(mpz_t z, const dctx *ctx)
{
    int64_t drop = _dec_digits_of_mpz(z) - ctx->prec;
    if (drop <= 3) {
        return;
    }
    mpz_t half;
    mpz_init(half);
    mpz_tdiv_q_2exp(half, _dec_pow10((uint64_t)drop), 1);
    mpz_add_ui(z, z, DOUBT);
    mpz_tdiv_r(_dec_z2, z, half);
    mpz_sub(z, z, _dec_z2);
    mpz_clear(half);
}

/* An irrational result: of more digits than the precision, the last not 0. */
static void
finish(num *r, mpz_t z, const dctx *ctx, uint32_t *status)
{
    if (mpz_divisible_ui_p(z, 5)) {
        mpz_add_ui(z, z, 1);
    }
    _dec_finalize_mpz(r, z, ctx, status);
    *status |= INEXACT | ROUNDED;
}

/* 1 with something that can't be seen added, or subtracted if `below`. */
static void
near_one(num *r, int sign, int below, const dctx *ctx, uint32_t *status)
{
    if (!_dec_room(ctx->prec, status)) {
        set_special(r, 0, QUIET_NAN);
        return;
    }
    r->kind = FINITE;
    r->sign = (uint8_t)sign;
    r->exp = -(ctx->prec + 3);
    mpz_set(_dec_z0, _dec_pow10((uint64_t)ctx->prec + 3));
    if (below) {
        mpz_sub_ui(_dec_z0, _dec_z0, 1);
    }
    else {
        mpz_add_ui(_dec_z0, _dec_z0, 1);
    }
    finish(r, _dec_z0, ctx, status);
}

/* A result far outside of the exponents' limits. */
static void
far_off(num *r, int sign, int large, const dctx *ctx, uint32_t *status)
{
    set_triple(r, sign, 1, large ? ctx->emax + 1 : dec_etiny(ctx) - 3);
    finalize(r, ctx, status);
}

/* r = e**t 10**-places and its exponent, t being in fixed point. */
static void
exp_to_decimal(num *r, mpz_t z, const mpz_t t, int64_t places, uint64_t bits)
{
    mpz_t ten, k, rest;
    mpz_inits(ten, k, rest, NULL);
    /* t / ln 10 has up to 64 bits before the point. */
    log_of_ten(ten, bits + 72);
    mpz_mul_2exp(rest, t, 72);
    mpz_fdiv_qr(k, rest, rest, ten);
    mpz_tdiv_q_2exp(rest, rest, 72);
    exp_fixed(z, rest, bits);
    to_decimal(z, z, places, bits);
    r->exp = mpz_get_si(k) - places;
    mpz_clears(ten, k, rest, NULL);
}

/* ----------------------------------------------------------------------- exp */

UNARY(_dec_exp)
{
    if (_dec_nan_operand(r, a, NULL, NULL, ctx, status)) {
        return;
    }
    if (a->kind == INFINITE) {
        if (a->sign) {
            set_triple(r, 0, 0, 0);
        }
        else {
            _dec_copy(r, a);
        }
        return;
    }
    if (zero_coef(a)) {
        set_triple(r, 0, 1, 0);
        return;
    }
    dctx even = *ctx;
    even.round = ROUND_HALF_EVEN;
    if (adjusted(a) >= 19) {
        far_off(r, 0, !a->sign, &even, status);
        return;
    }
    if (adjusted(a) < -(ctx->prec + 3)) {
        near_one(r, 0, a->sign, &even, status);
        return;
    }
    mpz_t t, z;
    mpz_inits(t, z, NULL);
    for (int64_t guard = 8; ; guard *= 2) {
        int64_t places = ctx->prec + guard;
        uint64_t bits = bits_of(places + 4);
        if (!_dec_room(places * 3, status)) {
            set_special(r, 0, QUIET_NAN);
            break;
        }
        r->kind = FINITE;
        r->sign = 0;
        to_fixed(t, a, 0, bits);
        if (a->sign) {
            mpz_neg(t, t);
        }
        exp_to_decimal(r, z, t, places, bits);
        if (can_round(z, r, &even)) {
            finish(r, z, &even, status);
            break;
        }
    }
    mpz_clears(t, z, NULL);
}

/* --------------------------------------------------------------- logarithms */

/* The number of zeros after the point of |ln a|, or less than that: a is not 1. */
static int64_t
zeros_of_ln(const num *a)
{
    int64_t adj = adjusted(a);
    if (adj != 0 && adj != -1) {
        return 0;
    }
    num one, difference;
    uint32_t ignored = 0;
    set_triple(&one, 0, 1, 0);
    _dec_subtract(&difference, a, &one, &_dec_exact, &ignored);
    int64_t zeros = -adjusted(&difference);
    num_clear(&difference);
    return zeros > 0 ? zeros : 0;
}

static int
is_one(const num *a)
{
    num one;
    set_triple(&one, 0, 1, 0);
    return _dec_cmp_magnitude(a, &one) == 0;
}

/* Is a = 10**k? */
static int
is_power_of_ten(const num *a)
{
    return a->digits == _dec_trailing_zeros(a) + 1
        && (a->is_big ? mpz_cmp(a->big, _dec_pow10((uint64_t)a->digits - 1)) == 0
                      : coef(a) == _dec_p10_128[a->digits - 1]);
}

static void
logarithm(num *r, const num *a, int to_base_ten, const dctx *ctx, uint32_t *status)
{
    if (_dec_nan_operand(r, a, NULL, NULL, ctx, status)) {
        return;
    }
    if (a->kind == FINITE && zero_coef(a)) {
        set_special(r, 1, INFINITE);
        return;
    }
    if (a->sign) {
        set_invalid(r, INVALID_OPERATION, status);
        return;
    }
    if (a->kind == INFINITE) {
        _dec_copy(r, a);
        return;
    }
    dctx even = *ctx;
    even.round = ROUND_HALF_EVEN;
    if (to_base_ten && is_power_of_ten(a)) {
        int64_t adj = adjusted(a);
        set_triple(r, adj < 0, (u128)(adj < 0 ? 0 - (uint64_t)adj : (uint64_t)adj), 0);
        finalize(r, &even, status);
        return;
    }
    if (is_one(a)) {
        set_triple(r, 0, 0, 0);
        return;
    }
    int64_t zeros = zeros_of_ln(a) + 1;
    mpz_t x, z;
    mpz_inits(x, z, NULL);
    for (int64_t guard = 8; ; guard *= 2) {
        int64_t places = ctx->prec + zeros + guard;
        uint64_t bits = bits_of(places + 4);
        if (!_dec_room(places * 3, status)) {
            set_special(r, 0, QUIET_NAN);
            break;
        }
        ln_of(x, a, bits);
        if (to_base_ten) {
            log_of_ten(z, bits);
            mpz_mul_2exp(x, x, bits);
            mpz_tdiv_q(x, x, z);
        }
        r->kind = FINITE;
        r->sign = mpz_sgn(x) < 0;
        r->exp = -places;
        to_decimal(z, x, places, bits);
        if (can_round(z, r, &even)) {
            finish(r, z, &even, status);
            break;
        }
    }
    mpz_clears(x, z, NULL);
}

UNARY(_dec_ln)
{
    logarithm(r, a, 0, ctx, status);
}

UNARY(_dec_log10)
{
    logarithm(r, a, 1, ctx, status);
}

/* --------------------------------------------------------------------- power */

/* 1 with as many zeros as an integer power of 1.00 has. */
static void
power_of_one(num *r, const num *a, const num *b, int sign, int is_integer, const dctx *ctx,
             uint32_t *status)
{
    int64_t zeros, n;
    if (is_integer) {
        if (b->sign) {
            set_triple(r, sign, 1, 0);
            return;
        }
        zeros = ctx->prec;
        if (a->exp == 0) {
            zeros = 0;
        }
        else if (_dec_as_int64(b, &n) && n <= ctx->prec && -a->exp <= ctx->prec / n) {
            zeros = -a->exp * n;
        }
        if (zeros > ctx->prec - 1) {
            zeros = ctx->prec - 1;
            *status |= ROUNDED;
        }
    }
    else {
        zeros = ctx->prec - 1;
        *status |= INEXACT | ROUNDED;
    }
    set_triple(r, sign, 1, 0);
    if (!_dec_shift_left(r, zeros, status)) {
        set_special(r, 0, QUIET_NAN);
        return;
    }
    r->exp = -zeros;
}

/* Is a**b certainly larger or smaller than all numbers of the context? Then it is the result. a is
   not 1; the logarithms to base 10 of |ln a| and of b are taken from below. */
static int
out_of_range(num *r, const num *a, const num *b, int sign, const dctx *ctx, uint32_t *status)
{
    num base = *a;
    int64_t adj = adjusted(a), of_ln;
    base.sign = 0;
    if (adj > 0 || adj < -1) {
        of_ln = digits_of_word((uint64_t)(adj > 0 ? adj : -1 - adj)) - 1;
    }
    else {
        /* As cautious as python3.11: it shows with directed rounding. */
        of_ln = -zeros_of_ln(&base) - (adj == 0 ? 2 : 1);
    }
    int grows = (adj >= 0) != b->sign;
    int64_t limit = grows ? ctx->emax : -dec_etiny(ctx);
    if (digits_of_word((uint64_t)limit) >= adjusted(b) + of_ln) {
        return 0;
    }
    far_off(r, sign, grows, ctx, status);
    return 1;
}

/* |a|**b by e**(b ln a); a is not 1. */
static void
irrational_power(num *r, const num *a, const num *b, int sign, const dctx *ctx,
                 uint32_t *status)
{
    num base = *a;
    base.sign = 0;
    int64_t adj = adjusted(&base), zeros = zeros_of_ln(&base);
    int grows = (adj >= 0) != b->sign;
    int64_t most = zeros > 0 ? 1 - zeros : digits_of_word((uint64_t)(adj < 0 ? -adj : adj) + 2) + 1;
    if (adjusted(b) + 1 + most < -(ctx->prec + 3)) {
        near_one(r, sign, !grows, ctx, status);
        return;
    }
    int64_t extra = adjusted(b) > 0 ? adjusted(b) + 2 : 2;
    mpz_t x, t, z, v;
    mpz_inits(x, t, z, NULL);
    for (int64_t guard = 8; ; guard *= 2) {
        int64_t places = ctx->prec + guard;
        uint64_t bits = bits_of(places + extra + 22);
        if (!_dec_room((places + extra) * 3, status)) {
            set_special(r, 0, QUIET_NAN);
            break;
        }
        ln_of(x, &base, bits);
        mpz_mul(x, x, view(b, v));
        if (b->exp >= 0) {
            mpz_mul(x, x, _dec_pow10((uint64_t)b->exp));
        }
        else {
            mpz_tdiv_q(x, x, _dec_pow10((uint64_t)-b->exp));
        }
        if (b->sign) {
            mpz_neg(x, x);
        }
        mpz_tdiv_q_2exp(t, x, bits);
        if (!mpz_fits_slong_p(t)) {
            far_off(r, sign, grows, ctx, status);
            break;
        }
        r->kind = FINITE;
        r->sign = (uint8_t)sign;
        exp_to_decimal(r, z, x, places, bits);
        if (can_round(z, r, ctx)) {
            finish(r, z, ctx, status);
            break;
        }
        if (guard > ctx->prec + 60) {
            snap(z, ctx);
            _dec_finalize_mpz(r, z, ctx, status);
            *status |= INEXACT | ROUNDED;
            break;
        }
    }
    mpz_clears(x, t, z, NULL);
}

/* By squaring and multiplying with some more digits, as the specification has it: exact if the
   result has no more digits than the precision, and with the conditions of each step. */
static void
integer_power(num *r, const num *a, const num *b, int sign, const dctx *ctx, uint32_t *status)
{
    num base, next;
    mpz_t scaled, z;
    mpz_srcptr n = view(b, z);
    dctx work = *ctx;
    work.prec += b->digits + b->exp + 2 + b->sign;
    work.round = ROUND_HALF_EVEN;
    work.clamp = 0;
    mpz_init(scaled);
    if (b->exp > 0) {
        mpz_mul(scaled, n, _dec_pow10((uint64_t)b->exp));
        n = scaled;
    }
    else if (b->exp < 0) {
        mpz_tdiv_q(scaled, n, _dec_pow10((uint64_t)-b->exp));
        n = scaled;
    }
    if (b->sign) {
        num one;
        set_triple(&one, 0, 1, 0);
        _dec_divide(&base, &one, a, &work, status);
    }
    else {
        _dec_copy(&base, a);
    }
    _dec_copy(r, &base);
    for (mp_bitcnt_t bit = mpz_sizeinbase(n, 2) - 1; bit-- > 0; ) {
        uint32_t conditions = 0;
        _dec_multiply(&next, r, r, &work, &conditions);
        num_clear(r);
        *r = next;
        if (mpz_tstbit(n, bit)) {
            _dec_multiply(&next, r, &base, &work, &conditions);
            num_clear(r);
            *r = next;
        }
        *status |= conditions;
        if (r->kind != FINITE || (zero_coef(r) && (conditions & CLAMPED))) {
            break;
        }
    }
    mpz_clear(scaled);
    num_clear(&base);
    if (r->kind == INFINITE) {
        set_triple(r, sign, 1, ctx->emax + 1);
    }
    r->sign = (uint8_t)sign;
    finalize(r, ctx, status);
}

BINARY(_dec_power)
{
    if (_dec_nan_operand(r, a, b, NULL, ctx, status)) {
        return;
    }
    int is_integer = _dec_is_integer(b);
    int sign = a->sign && is_integer && _dec_is_odd(b);
    if (is_zero(a)) {
        if (is_zero(b)) {
            set_invalid(r, INVALID_OPERATION, status);
        }
        else if (b->sign) {
            set_special(r, sign, INFINITE);
        }
        else {
            set_triple(r, sign, 0, 0);
        }
    }
    else if (a->sign && !is_integer) {
        set_invalid(r, INVALID_OPERATION, status);
    }
    else if (b->kind == INFINITE) {
        num one;
        set_triple(&one, 0, 1, 0);
        int order = _dec_cmp_magnitude(a, &one);
        if (order == 0) {
            power_of_one(r, a, b, sign, 0, ctx, status);
        }
        else if ((order < 0) == b->sign) {
            set_special(r, sign, INFINITE);
        }
        else {
            set_triple(r, sign, 0, 0);
        }
    }
    else if (a->kind == INFINITE) {
        if (is_zero(b)) {
            set_triple(r, sign, 1, 0);
        }
        else if (b->sign) {
            set_triple(r, sign, 0, 0);
        }
        else {
            set_special(r, sign, INFINITE);
        }
    }
    else if (is_zero(b)) {
        set_triple(r, sign, 1, 0);
    }
    else if (is_one(a)) {
        power_of_one(r, a, b, sign, is_integer, ctx, status);
    }
    else if (out_of_range(r, a, b, sign, ctx, status)) {
        return;
    }
    else if (is_integer) {
        integer_power(r, a, b, sign, ctx, status);
    }
    else {
        irrational_power(r, a, b, 0, ctx, status);
    }
}

/* ------------------------------------------------------------ modular power */

/* z = |a| modulo m */
static void
reduce(mpz_t z, const num *a, const mpz_t m)
{
    mpz_t v, power;
    if (a->exp >= 0) {
        mpz_init_set_ui(power, 10);
        mpz_t exponent;
        mpz_init_set_si(exponent, a->exp);
        mpz_powm(power, power, exponent, m);
        mpz_mul(z, view(a, v), power);
        mpz_mod(z, z, m);
        mpz_clears(power, exponent, NULL);
    }
    else {
        mpz_tdiv_q(z, view(a, v), _dec_pow10((uint64_t)-a->exp));
        mpz_mod(z, z, m);
    }
}

void
_dec_power_modulo(num *r, const num *a, const num *b, const num *m, const dctx *ctx,
                  uint32_t *status)
{
    if (_dec_nan_operand(r, a, b, m, ctx, status)) {
        return;
    }
    if (!_dec_is_integer(a) || !_dec_is_integer(b) || !_dec_is_integer(m) || is_zero(m)
        || (b->sign && !is_zero(b)) || (is_zero(a) && is_zero(b)) || adjusted(m) >= ctx->prec) {
        set_invalid(r, INVALID_OPERATION, status);
        return;
    }
    if (!_dec_room(adjusted(m) + 1, status)) {
        set_special(r, 0, QUIET_NAN);
        return;
    }
    mpz_t base, modulus, exponent, v;
    mpz_inits(base, modulus, exponent, NULL);
    if (m->exp >= 0) {
        mpz_mul(modulus, view(m, v), _dec_pow10((uint64_t)m->exp));
    }
    else {
        mpz_tdiv_q(modulus, view(m, v), _dec_pow10((uint64_t)-m->exp));
    }
    reduce(base, a, modulus);
    if (b->exp <= 0) {
        mpz_tdiv_q(exponent, view(b, v), _dec_pow10((uint64_t)-b->exp));
        mpz_powm(base, base, exponent, modulus);
    }
    else {
        mpz_powm(base, base, view(b, v), modulus);
        for (int64_t left = b->exp; left > 0; ) {
            int64_t step = left < 256 ? left : 255;
            mpz_powm(base, base, _dec_pow10((uint64_t)step), modulus);
            left -= step;
            if (mpz_cmp_ui(base, 1) <= 0) {
                break;
            }
        }
    }
    r->kind = FINITE;
    r->sign = a->sign && _dec_is_odd(b);
    r->exp = 0;
    _dec_set_mpz(r, base);
    mpz_clears(base, modulus, exponent, NULL);
}
