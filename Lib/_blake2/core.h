/* BLAKE2 (RFC 7693) for one width of words. The file that includes this defines WORD, ROUNDS, NAME()
   and ROTATIONS, the four of its function G, and then includes it again for the other width. */

#define ROTATE(w, n) ((WORD)((w) >> (n)) | (WORD)((w) << (8 * sizeof(WORD) - (n))))
#define BLOCK (16 * sizeof(WORD))

typedef struct {
    WORD h[8];
    WORD counter[2];            /* bytes compressed so far */
    uint8_t block[BLOCK];       /* what has not been compressed: the last block is different, so a
                                   full one waits until more comes */
    size_t used;
} NAME(state);

static inline WORD
NAME(load)(const uint8_t *p)
{
    WORD w = 0;
    for (size_t i = 0; i < sizeof(w); i++) {
        w |= (WORD)p[i] << (8 * i);
    }
    return w;
}

static inline __attribute__((always_inline)) void
NAME(mix)(WORD *v, int a, int b, int c, int d, WORD x, WORD y)
{
    const int by[4] = ROTATIONS;
    v[a] += v[b] + x;
    v[d] = ROTATE(v[d] ^ v[a], by[0]);
    v[c] += v[d];
    v[b] = ROTATE(v[b] ^ v[c], by[1]);
    v[a] += v[b] + y;
    v[d] = ROTATE(v[d] ^ v[a], by[2]);
    v[c] += v[d];
    v[b] = ROTATE(v[b] ^ v[c], by[3]);
}

/* One round; `order` is constant, so that the words are read from where they are. */
static inline __attribute__((always_inline)) void
NAME(mix_all)(WORD *v, const WORD *m, const uint8_t *order)
{
    NAME(mix)(v, 0, 4, 8, 12, m[order[0]], m[order[1]]);
    NAME(mix)(v, 1, 5, 9, 13, m[order[2]], m[order[3]]);
    NAME(mix)(v, 2, 6, 10, 14, m[order[4]], m[order[5]]);
    NAME(mix)(v, 3, 7, 11, 15, m[order[6]], m[order[7]]);
    NAME(mix)(v, 0, 5, 10, 15, m[order[8]], m[order[9]]);
    NAME(mix)(v, 1, 6, 11, 12, m[order[10]], m[order[11]]);
    NAME(mix)(v, 2, 7, 8, 13, m[order[12]], m[order[13]]);
    NAME(mix)(v, 3, 4, 9, 14, m[order[14]], m[order[15]]);
}

/* Compresses n bytes at p, which end a block. `last` and `last_node` are 0 or all ones. */
static void
NAME(compress)(NAME(state) *s, const uint8_t *p, size_t n, WORD last, WORD last_node)
{
    WORD m[16], v[16];
    for (int i = 0; i < 16; i++) {
        m[i] = NAME(load)(p + (size_t)i * sizeof(WORD));
    }
    s->counter[0] += (WORD)n;
    s->counter[1] += s->counter[0] < n;
    memcpy(v, s->h, sizeof(s->h));
    memcpy(v + 8, NAME(start), sizeof(NAME(start)));
    v[12] ^= s->counter[0];
    v[13] ^= s->counter[1];
    v[14] ^= last;
    v[15] ^= last_node;
    NAME(mix_all)(v, m, orders[0]);
    NAME(mix_all)(v, m, orders[1]);
    NAME(mix_all)(v, m, orders[2]);
    NAME(mix_all)(v, m, orders[3]);
    NAME(mix_all)(v, m, orders[4]);
    NAME(mix_all)(v, m, orders[5]);
    NAME(mix_all)(v, m, orders[6]);
    NAME(mix_all)(v, m, orders[7]);
    NAME(mix_all)(v, m, orders[8]);
    NAME(mix_all)(v, m, orders[9]);
    if (ROUNDS == 12) {
        NAME(mix_all)(v, m, orders[0]);
        NAME(mix_all)(v, m, orders[1]);
    }
    for (int i = 0; i < 8; i++) {
        s->h[i] ^= v[i] ^ v[i + 8];
    }
}

/* Begins with a parameter block. */
static void
NAME(begin)(NAME(state) *s, const uint8_t *parameters)
{
    memset(s, 0, sizeof(*s));
    for (int i = 0; i < 8; i++) {
        s->h[i] = NAME(start)[i] ^ NAME(load)(parameters + (size_t)i * sizeof(WORD));
    }
}

static void
NAME(add)(NAME(state) *s, const uint8_t *p, size_t n)
{
    if (n == 0) {
        return;
    }
    const size_t room = BLOCK - s->used;
    if (n > room) {
        memcpy(s->block + s->used, p, room);
        NAME(compress)(s, s->block, BLOCK, 0, 0);
        s->used = 0;
        for (p += room, n -= room; n > BLOCK; p += BLOCK, n -= BLOCK) {
            NAME(compress)(s, p, BLOCK, 0, 0);
        }
    }
    memcpy(s->block + s->used, p, n);
    s->used += n;
}

/* Writes the whole hash. No more can be added. */
static void
NAME(end)(NAME(state) *s, int last_node, uint8_t *hash)
{
    memset(s->block + s->used, 0, BLOCK - s->used);
    NAME(compress)(s, s->block, s->used, (WORD)~(WORD)0, last_node ? (WORD)~(WORD)0 : 0);
    for (size_t i = 0; i < sizeof(s->h); i++) {
        hash[i] = (uint8_t)(s->h[i / sizeof(WORD)] >> (i % sizeof(WORD) * 8));
    }
}

#undef ROTATE
#undef BLOCK
