/* Coefficients: their digits, powers of ten, from and to integers. */

#include "decimal_impl.h"
#include "internal/int.h"
#include <math.h>
#include <stdlib.h>

const uint64_t _dec_p10[20] = {
    1ULL, 10ULL, 100ULL, 1000ULL, 10000ULL, 100000ULL, 1000000ULL, 10000000ULL, 100000000ULL,
    1000000000ULL, 10000000000ULL, 100000000000ULL, 1000000000000ULL, 10000000000000ULL,
    100000000000000ULL, 1000000000000000ULL, 10000000000000000ULL, 100000000000000000ULL,
    1000000000000000000ULL, 10000000000000000000ULL,
};

#define E19 ((u128)10000000000000000000ULL)
#define FROM_19(n) E19 * (n##ULL)
const u128 _dec_p10_128[39] = {
    1ULL, 10ULL, 100ULL, 1000ULL, 10000ULL, 100000ULL, 1000000ULL, 10000000ULL, 100000000ULL,
    1000000000ULL, 10000000000ULL, 100000000000ULL, 1000000000000ULL, 10000000000000ULL,
    100000000000000ULL, 1000000000000000ULL, 10000000000000000ULL, 100000000000000000ULL,
    1000000000000000000ULL, FROM_19(1), FROM_19(10), FROM_19(100), FROM_19(1000), FROM_19(10000),
    FROM_19(100000), FROM_19(1000000), FROM_19(10000000), FROM_19(100000000),
    FROM_19(1000000000), FROM_19(10000000000), FROM_19(100000000000), FROM_19(1000000000000),
    FROM_19(10000000000000), FROM_19(100000000000000), FROM_19(1000000000000000),
    FROM_19(10000000000000000), FROM_19(100000000000000000), FROM_19(1000000000000000000),
    FROM_19(10000000000000000000),
};

mpz_t _dec_z0, _dec_z1, _dec_z2;

/* Powers that are kept for good, and the last two others. */
#define KEPT_POWERS 256
static mpz_t kept[KEPT_POWERS];
static struct {
    uint64_t n;
    mpz_t power;
} recent[2];

void
_dec_init_values(void)
{
    mpz_inits(_dec_z0, _dec_z1, _dec_z2, recent[0].power, recent[1].power, NULL);
    mpz_init_set_ui(kept[0], 1);
    for (int i = 1; i < KEPT_POWERS; i++) {
        mpz_init(kept[i]);
        mpz_mul_ui(kept[i], kept[i - 1], 10);
    }
}

mpz_srcptr
_dec_pow10(uint64_t n)
{
    if (n < KEPT_POWERS) {
        return kept[n];
    }
    if (recent[0].n != n) {
        mpz_swap(recent[0].power, recent[1].power);
        uint64_t other = recent[0].n;
        recent[0].n = recent[1].n;
        recent[1].n = other;
        if (recent[0].n != n) {
            mpz_ui_pow_ui(recent[0].power, 5, n);
            mpz_mul_2exp(recent[0].power, recent[0].power, n);
            recent[0].n = n;
        }
    }
    return recent[0].power;
}

int
_dec_room(int64_t digits, uint32_t *status)
{
    /* GMP stops the process when memory is short, so it is asked for here. */
    if (digits <= 20000000) {
        return 1;
    }
    void *block = digits > 4000000000LL ? NULL : malloc((size_t)digits * 2);
    if (block == NULL) {
        *status |= NO_MEMORY;
        return 0;
    }
    free(block);
    return 1;
}

int64_t
_dec_digits_of_mpz(mpz_srcptr z)
{
    size_t n = mpz_size(z);
    if (n <= 2) {
        return digits_of_u128((u128)(n > 1 ? mpz_getlimbn(z, 1) : 0) << 64
                              | (n > 0 ? mpz_getlimbn(z, 0) : 0));
    }
    /* The logarithm, unless it is too close to an integer to be trusted. */
    long exponent;
    double mantissa = mpz_get_d_2exp(&exponent, z);
    double logarithm = log10(mantissa) + (double)exponent * 0.30102999566398119521;
    double whole = floor(logarithm), part = logarithm - whole;
    const double doubt = 1e-10 + (double)exponent * 1e-15;
    int64_t digits = (int64_t)whole + 1;
    if (part < doubt) {
        return mpz_cmp(z, _dec_pow10((uint64_t)digits - 1)) < 0 ? digits - 1 : digits;
    }
    if (part > 1 - doubt) {
        return mpz_cmp(z, _dec_pow10((uint64_t)digits)) < 0 ? digits : digits + 1;
    }
    return digits;
}

void
_dec_set_mpz(num *n, mpz_srcptr z)
{
    size_t size = mpz_size(z);
    if (size <= 2) {
        set_small(n, (u128)(size > 1 ? mpz_getlimbn(z, 1) : 0) << 64
                  | (size > 0 ? mpz_getlimbn(z, 0) : 0));
        return;
    }
    n->is_big = 1;
    mpz_init_set(n->big, z);
    n->digits = _dec_digits_of_mpz(z);
}

void
_dec_copy(num *r, const num *a)
{
    *r = *a;
    if (a->is_big) {
        mpz_init_set(r->big, a->big);
    }
}

int
_dec_shift_left(num *n, int64_t shift, uint32_t *status)
{
    if (shift == 0 || zero_coef(n)) {
        return 1;
    }
    if (n->digits + shift <= 38) {
        set_small(n, coef(n) * _dec_p10_128[shift]);
        return 1;
    }
    if (!_dec_room(n->digits + shift, status)) {
        return 0;
    }
    mpz_t z;
    mpz_mul(_dec_z2, view(n, z), _dec_pow10((uint64_t)shift));
    num_clear(n);
    _dec_set_mpz(n, _dec_z2);
    return 1;
}

int64_t
_dec_trailing_zeros(const num *n)
{
    int64_t zeros = 0;
    if (!n->is_big) {
        u128 c = coef(n), rest;
        if (c == 0) {
            return 0;
        }
        for (int step = 16; step > 0; step /= 2) {
            while (c >= _dec_p10_128[step]) {
                u128 q = div_pow10(c, step, &rest);
                if (rest != 0) {
                    break;
                }
                c = q;
                zeros += step;
            }
        }
        return zeros;
    }
    /* No more than the number has factors of two. Halve what is left to find the number. */
    int64_t most = (int64_t)mpz_scan1(n->big, 0);
    mpz_t z, q, r;
    mpz_init_set(z, n->big);
    mpz_inits(q, r, NULL);
    for (int64_t step = 1; step <= most; ) {
        mpz_tdiv_qr(q, r, z, _dec_pow10((uint64_t)step));
        if (mpz_sgn(r) != 0) {
            most = step - 1;
            step = most / 2 > 0 ? most / 2 : most;
            if (step == 0) {
                break;
            }
            continue;
        }
        mpz_swap(z, q);
        zeros += step;
        most -= step;
        step = 2 * step <= most ? 2 * step : most;
        if (step == 0) {
            break;
        }
    }
    mpz_clears(z, q, r, NULL);
    return zeros;
}

static void
write_word(uint64_t v, char *p, int n)
{
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
        "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
        "8081828384858687888990919293949596979899";
    while (n >= 2) {
        uint64_t q = v / 100;
        n -= 2;
        memcpy(p + n, pairs + 2 * (v - q * 100), 2);
        v = q;
    }
    if (n == 1) {
        p[0] = (char)('0' + v);
    }
}

void
_dec_write_digits(const num *n, char *p)
{
    if (n->is_big) {
        /* mpn_get_str() overwrites its operand, and may write a leading zero. */
        char *text = mpz_get_str(NULL, 10, n->big);
        memcpy(p, text, (size_t)n->digits);
        /* Another extension may have given GMP an allocator of its own. */
        void (*release)(void *, size_t);
        mp_get_memory_functions(NULL, NULL, &release);
        release(text, strlen(text) + 1);
    }
    else if (n->digits <= 19) {
        write_word(n->w[0], p, (int)n->digits);
    }
    else {
        u128 low, c = div_pow10(coef(n), 19, &low);
        int head = (int)n->digits - 19;
        if (head > 19) {
            u128 middle, top = div_pow10(c, 19, &middle);
            write_word((uint64_t)top, p, head - 19);
            write_word((uint64_t)middle, p + head - 19, 19);
        }
        else {
            write_word((uint64_t)c, p, head);
        }
        write_word((uint64_t)low, p + head, 19);
    }
}

void
_dec_read_digits(num *n, char *digits, size_t len)
{
    unsigned char *values = (unsigned char *)digits;
    for (size_t i = 0; i < len; i++) {
        values[i] = (unsigned char)(digits[i] - '0');
    }
    mp_limb_t *limbs = mpz_limbs_write(_dec_z0, (mp_size_t)(len / 19 + 2));
    mp_size_t size = len == 0 ? 0 : mpn_set_str(limbs, values, len, 10);
    mpz_limbs_finish(_dec_z0, size);
    _dec_set_mpz(n, _dec_z0);
}

void
_dec_keep_low(num *n, int64_t digits)
{
    if (n->digits <= digits) {
        return;
    }
    if (!n->is_big) {
        set_small(n, coef(n) % _dec_p10_128[digits]);
        return;
    }
    mpz_tdiv_r(_dec_z0, n->big, _dec_pow10((uint64_t)digits));
    num_clear(n);
    _dec_set_mpz(n, _dec_z0);
}

int
_dec_from_int(num *n, PyObject *op)
{
    int64_t v;
    n->kind = FINITE;
    n->exp = 0;
    if (_PyLong_AsInt64Exact(op, &v)) {
        n->sign = v < 0;
        n->is_big = 0;
        n->w[0] = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
        n->w[1] = 0;
        n->digits = digits_of_word(n->w[0]);
        return 0;
    }
    Py_ssize_t size = Py_SIZE(op);
    n->sign = size < 0;
    mpz_import(_dec_z0, (size_t)Py_ABS(size), -1, sizeof(digit), 0,
               8 * sizeof(digit) - PyLong_SHIFT, ((PyLongObject *)op)->ob_digit);
    _dec_set_mpz(n, _dec_z0);
    return 0;
}

int
_dec_is_integer(const num *n)
{
    if (n->kind != FINITE) {
        return 0;
    }
    return n->exp >= 0 || zero_coef(n)
        || (-n->exp < n->digits && _dec_trailing_zeros(n) >= -n->exp);
}

int
_dec_is_odd(const num *n)
{
    if (n->exp > 0 || zero_coef(n)) {
        return 0;
    }
    if (n->exp == 0) {
        return n->is_big ? mpz_odd_p(n->big) : (int)(n->w[0] & 1);
    }
    mpz_t z;
    mpz_tdiv_q(_dec_z0, view(n, z), _dec_pow10((uint64_t)-n->exp));
    return mpz_odd_p(_dec_z0);
}

int
_dec_as_int64(const num *n, int64_t *value)
{
    if (!_dec_is_integer(n)) {
        return 0;
    }
    if (zero_coef(n)) {
        *value = 0;
        return 1;
    }
    if (adjusted(n) > 18) {
        return 0;
    }
    u128 c, rest;
    if (n->is_big) {
        mpz_tdiv_q(_dec_z0, n->big, _dec_pow10((uint64_t)-n->exp));
        c = mpz_get_ui(_dec_z0);
    }
    else {
        c = n->exp >= 0 ? coef(n) * _dec_p10[n->exp] : div_pow10(coef(n), (int)-n->exp, &rest);
    }
    if (c > INT64_MAX) {
        return 0;
    }
    *value = n->sign ? -(int64_t)c : (int64_t)c;
    return 1;
}
