/* hash(): the secret, and the hash functions that types share.

   Text and bytes are hashed with SipHash-1-3, keyed by the first sixteen bytes of
   _Py_HashSecret. Numbers are hashed modulo the Mersenne prime 2**61 - 1, so that equal
   numbers of different types have equal hashes. No hash is -1, because -1 means an
   error everywhere. */
#include "Python.h"
#include "internal/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/random.h>
#endif

_Py_HashSecret_t _Py_HashSecret;

/* --------------------------------------------------------------- the secret */

/* PYTHONHASHSEED promises the same hashes for the same seed on any machine, so the
   bytes come from the classic 214013/2531011 generator. */
static void
expand_seed(unsigned long seed, unsigned char *out, size_t size)
{
    uint32_t state = (uint32_t)seed;
    for (size_t i = 0; i < size; i++) {
        state = state * 214013u + 2531011u;
        out[i] = (state >> 16) & 0xff;
    }
}

static int
read_random(unsigned char *out, size_t size)
{
    size_t done = 0;
#ifdef __linux__
    while (done < size) {
        ssize_t got = getrandom(out + done, size - done, GRND_NONBLOCK);
        if (got > 0) {
            done += (size_t)got;
        }
        else if (errno != EINTR) {
            break;
        }
    }
    if (done == size) {
        return 0;
    }
#endif
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    while (done < size) {
        ssize_t got = read(fd, out + done, size - done);
        if (got > 0) {
            done += (size_t)got;
        }
        else if (got == 0 || errno != EINTR) {
            break;
        }
    }
    close(fd);
    return done == size ? 0 : -1;
}

int
_Py_HashSecret_Init(int use_seed, unsigned long seed)
{
    unsigned char *secret = _Py_HashSecret.uc;
    /* Strings made before a second Py_Initialize have cached hashes: keep the secret. */
    static int done;
    if (done) {
        return 0;
    }
    done = 1;
    if (!use_seed) {
        return read_random(secret, sizeof(_Py_HashSecret.uc));
    }
    if (seed == 0) {
        memset(secret, 0, sizeof(_Py_HashSecret.uc));
    }
    else {
        expand_seed(seed, secret, sizeof(_Py_HashSecret.uc));
    }
    return 0;
}

/* -------------------------------------------------------------- SipHash-1-3 */

static inline uint64_t
rotate_left(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static inline uint64_t
load_le64(const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof(word));
#if PY_BIG_ENDIAN
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline void
sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate_left(v[1], 13) ^ v[0];
    v[3] = rotate_left(v[3], 16) ^ v[2];
    v[0] = rotate_left(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotate_left(v[1], 17) ^ v[2];
    v[3] = rotate_left(v[3], 21) ^ v[0];
    v[2] = rotate_left(v[2], 32);
}

/* The last 0 to 7 bytes as a little-endian number. */
static inline uint64_t
load_tail(const unsigned char *p, size_t n)
{
    uint64_t tail = 0;
    if (n >= 4) {
        uint32_t low, high;
        memcpy(&low, p, 4);
        memcpy(&high, p + n - 4, 4);
#if PY_BIG_ENDIAN
        low = __builtin_bswap32(low);
        high = __builtin_bswap32(high);
#endif
        return low | (uint64_t)high << (8 * (n - 4));
    }
    if (n >= 1) {
        tail = p[0] | (uint64_t)p[n / 2] << (8 * (n / 2))
            | (uint64_t)p[n - 1] << (8 * (n - 1));
    }
    return tail;
}

static uint64_t
siphash13(uint64_t k0, uint64_t k1, const unsigned char *p, size_t n)
{
    uint64_t v[4] = {
        k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du,
        k0 ^ 0x6c7967656e657261u, k1 ^ 0x7465646279746573u,
    };
    uint64_t last = (uint64_t)n << 56;
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t word = load_le64(p);
        v[3] ^= word;
        sip_round(v);
        v[0] ^= word;
    }
    last |= load_tail(p, n);
    v[3] ^= last;
    sip_round(v);
    v[0] ^= last;
    v[2] ^= 0xff;
    sip_round(v);
    sip_round(v);
    sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static Py_hash_t
hash_buffer(const void *src, Py_ssize_t n)
{
    return (Py_hash_t)siphash13(_Py_HashSecret.siphash.k0,
                                _Py_HashSecret.siphash.k1,
                                src, (size_t)n);
}

Py_hash_t
_Py_HashBytes(const void *src, Py_ssize_t n)
{
    if (n == 0) {
        return 0;               /* b'' and '' have the same hash in every process */
    }
    Py_hash_t hash = hash_buffer(src, n);
    return hash == -1 ? -2 : hash;
}

static PyHash_FuncDef hash_function = {hash_buffer, "siphash13", 64, 128};

PyHash_FuncDef *
PyHash_GetFuncDef(void)
{
    return &hash_function;
}

/* ----------------------------------------------------- pointers and numbers */

/* The low bits of an address are nearly always zero, so rotate them to the top. */
Py_hash_t
_Py_HashPointerRaw(const void *p)
{
    size_t address = (size_t)p;
    return (Py_hash_t)(address >> 4 | address << (8 * sizeof(size_t) - 4));
}

Py_hash_t
_Py_HashPointer(const void *p)
{
    Py_hash_t hash = _Py_HashPointerRaw(p);
    return hash == -1 ? -2 : hash;
}

/* m * 2**bits modulo 2**_PyHASH_BITS - 1, for m below it: a rotation. */
static inline Py_uhash_t
modular_shift(Py_uhash_t m, int bits)
{
    return ((m << bits) & _PyHASH_MODULUS) | m >> (_PyHASH_BITS - bits);
}

Py_hash_t
_Py_HashDouble(PyObject *op, double value)
{
    int exponent, sign = 1;
    Py_uhash_t hash = 0;

    /* A whole number below the modulus is its own hash. */
    if (fabs(value) < (double)((int64_t)1 << 60) && (double)(int64_t)value == value) {
        Py_hash_t whole = (Py_hash_t)value;
        return whole == -1 ? -2 : whole;
    }
    if (!isfinite(value)) {
        if (isinf(value)) {
            return value > 0 ? _PyHASH_INF : -_PyHASH_INF;
        }
        return _Py_HashPointer(op);     /* NaNs are equal to nothing */
    }
    double mantissa = frexp(value, &exponent);
    if (mantissa < 0) {
        sign = -1;
        mantissa = -mantissa;
    }
    /* Take the mantissa in pieces of 28 bits, which a double holds exactly. */
    while (mantissa != 0.0) {
        hash = modular_shift(hash, 28);
        mantissa *= 268435456.0;
        exponent -= 28;
        Py_uhash_t piece = (Py_uhash_t)mantissa;
        mantissa -= (double)piece;
        hash += piece;
        if (hash >= _PyHASH_MODULUS) {
            hash -= _PyHASH_MODULUS;
        }
    }
    exponent %= _PyHASH_BITS;
    if (exponent < 0) {
        exponent += _PyHASH_BITS;
    }
    Py_hash_t result = (Py_hash_t)modular_shift(hash, exponent) * sign;
    return result == -1 ? -2 : result;
}

uint64_t
_Py_KeyedHash(uint64_t key, const void *data, Py_ssize_t n)
{
    return siphash13(key, 0, data, (size_t)n);
}
