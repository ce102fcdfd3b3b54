/* Substring search for one width of units. Included by search.c with UNIT (the unsigned
   type), UNIT_NAME(x) and VECTOR (a 16-byte vector of UNIT) defined.

   The scan looks for positions where both the first and the last unit of the needle
   match, sixteen bytes at a time, and compares the middle there. For some texts
   (aaaa…ab in aaaa…) these comparisons fail late and often. Once they have cost more
   than a few passes over the text, the finder factorises the needle and continues with
   the two-way algorithm, which is linear for every text. */

#define LANES ((Py_ssize_t)(16 / sizeof(UNIT)))

static inline VECTOR
UNIT_NAME(load)(const UNIT *p)
{
    VECTOR v;
    memcpy(&v, p, sizeof(v));
    return v;
}

static inline VECTOR
UNIT_NAME(splat)(UNIT unit)
{
    return (VECTOR){0} + unit;
}

/* Bytes of all ones where lanes are equal, as two words. */
static inline Mask
UNIT_NAME(mask)(VECTOR equal)
{
    Mask mask;
    memcpy(&mask, &equal, sizeof(mask));
    return mask;
}

static Py_ssize_t
UNIT_NAME(find_unit)(const UNIT *hay, Py_ssize_t n, UNIT unit)
{
    Py_ssize_t i = 0;
    if (n >= LANES) {
        const VECTOR wanted = UNIT_NAME(splat)(unit);
        /* Which of the four it is, the next loop finds out. */
        for (; i + 4 * LANES <= n; i += 4 * LANES) {
            Mask mask = UNIT_NAME(mask)(
                (VECTOR)((UNIT_NAME(load)(hay + i) == wanted)
                         | (UNIT_NAME(load)(hay + i + LANES) == wanted)
                         | (UNIT_NAME(load)(hay + i + 2 * LANES) == wanted)
                         | (UNIT_NAME(load)(hay + i + 3 * LANES) == wanted)));
            if (mask.low | mask.high) {
                break;
            }
        }
        for (; i + LANES <= n; i += LANES) {
            Mask mask = UNIT_NAME(mask)(
                (VECTOR)(UNIT_NAME(load)(hay + i) == wanted));
            if (mask.low | mask.high) {
                return i + mask_first(mask) / (Py_ssize_t)sizeof(UNIT);
            }
        }
    }
    for (; i < n; i++) {
        if (hay[i] == unit) {
            return i;
        }
    }
    return -1;
}

static Py_ssize_t
UNIT_NAME(rfind_unit)(const UNIT *hay, Py_ssize_t n, UNIT unit)
{
    if (n >= LANES) {
        const VECTOR wanted = UNIT_NAME(splat)(unit);
        for (; n >= LANES; n -= LANES) {
            Mask mask = UNIT_NAME(mask)(
                (VECTOR)(UNIT_NAME(load)(hay + n - LANES) == wanted));
            if (mask.low | mask.high) {
                return n - LANES
                    + mask_last(mask) / (Py_ssize_t)sizeof(UNIT);
            }
        }
    }
    while (--n >= 0) {
        if (hay[n] == unit) {
            return n;
        }
    }
    return -1;
}

static Py_ssize_t
UNIT_NAME(count_unit)(const UNIT *hay, Py_ssize_t n, UNIT unit)
{
    Py_ssize_t count = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        count += hay[i] == unit;
    }
    return count;
}

/* ------------------------------------------------------------------ two-way */

/* The start of the largest suffix of the needle, by < or by > on units, and the period
   of that suffix. */
static Py_ssize_t
UNIT_NAME(max_suffix)(const UNIT *needle, Py_ssize_t m, int reverse,
                      Py_ssize_t *period)
{
    Py_ssize_t best = 0, challenger = 1, matched = 0, p = 1;
    while (challenger + matched < m) {
        UNIT a = needle[challenger + matched], b = needle[best + matched];
        if (a == b) {
            if (matched + 1 == p) {
                challenger += p;
                matched = 0;
            }
            else {
                matched++;
            }
        }
        else if ((a < b) ^ reverse) {
            challenger += matched + 1;
            matched = 0;
            p = challenger - best;
        }
        else {
            best = challenger;
            challenger++;
            matched = 0;
            p = 1;
        }
    }
    *period = p;
    return best;
}

static void
UNIT_NAME(factorise)(_PyTextFinder *f)
{
    const UNIT *needle = f->needle;
    Py_ssize_t period1, period2;
    Py_ssize_t cut1 = UNIT_NAME(max_suffix)(needle, f->len, 0, &period1);
    Py_ssize_t cut2 = UNIT_NAME(max_suffix)(needle, f->len, 1, &period2);
    f->cut = cut1 > cut2 ? cut1 : cut2;
    f->period = cut1 > cut2 ? period1 : period2;
    f->is_periodic = f->period + f->cut <= f->len
        && memcmp(needle, needle + f->period,
                  (size_t)f->cut * sizeof(UNIT)) == 0;
    if (!f->is_periodic) {
        Py_ssize_t longer = f->cut > f->len - f->cut ? f->cut
                                                     : f->len - f->cut;
        f->period = longer + 1;
    }
    f->two_way = 1;
}

static Py_ssize_t
UNIT_NAME(two_way)(const _PyTextFinder *f, const UNIT *hay, Py_ssize_t n)
{
    const UNIT *needle = f->needle;
    const Py_ssize_t m = f->len, cut = f->cut;
    Py_ssize_t remembered = 0;  /* prefix known to match, when periodic */
    for (Py_ssize_t at = 0; at <= n - m;) {
        Py_ssize_t i = cut > remembered ? cut : remembered;
        while (i < m && needle[i] == hay[at + i]) {
            i++;
        }
        if (i < m) {
            at += i - cut + 1;
            remembered = 0;
            continue;
        }
        i = cut - 1;
        while (i >= remembered && needle[i] == hay[at + i]) {
            i--;
        }
        if (i < remembered) {
            return at;
        }
        at += f->period;
        remembered = f->is_periodic ? m - f->period : 0;
    }
    return -1;
}

/* ----------------------------------------------------------------- the scan */

/* Does the needle match at `at`? Its ends are already known to match. If it does not
   match, the cost is added to `wasted`. */
static inline int
UNIT_NAME(middle_matches)(_PyTextFinder *f, const UNIT *at)
{
    const UNIT *needle = f->needle;
    const Py_ssize_t m = f->len;
    if (m <= 2) {
        return 1;
    }
    if (at[1] != needle[1]) {
        return 0;
    }
    if (memcmp(at + 1, needle + 1, (size_t)(m - 2) * sizeof(UNIT)) == 0) {
        return 1;
    }
    f->wasted += m;
    return 0;
}

/* The first occurrence in a text that is too short for preparation to pay. */
static Py_ssize_t
UNIT_NAME(find_plainly)(const UNIT *hay, Py_ssize_t n, const UNIT *needle,
                        Py_ssize_t m)
{
    const Py_ssize_t places = n - m + 1;
    const UNIT first = needle[0], last = needle[m - 1];
    for (Py_ssize_t i = 0; i < places; i++) {
        if (hay[i] == first && hay[i + m - 1] == last
            && memcmp(hay + i, needle, (size_t)m * sizeof(UNIT)) == 0)
        {
            return i;
        }
    }
    return -1;
}

/* Writes the positions of up to `room` occurrences of a unit to out, in order. Returns
   their number. */
static Py_ssize_t
UNIT_NAME(find_units)(const UNIT *hay, Py_ssize_t n, UNIT unit,
                      Py_ssize_t *out, Py_ssize_t room)
{
    const VECTOR wanted = UNIT_NAME(splat)(unit);
    Py_ssize_t i = 0, count = 0;
    for (; i + LANES <= n; i += LANES) {
        Mask mask = UNIT_NAME(mask)(
            (VECTOR)(UNIT_NAME(load)(hay + i) == wanted));
        while (mask.low | mask.high) {
            if (count == room) {
                return count;
            }
            out[count++] = i + mask_first(mask) / (Py_ssize_t)sizeof(UNIT);
            mask_drop_first(&mask, (int)sizeof(UNIT));
        }
    }
    for (; i < n && count < room; i++) {
        if (hay[i] == unit) {
            out[count++] = i;
        }
    }
    return count;
}

/* Writes the positions of up to `room` occurrences that do not overlap to out. Returns
   their number. */
static Py_ssize_t
UNIT_NAME(find_many)(_PyTextFinder *f, const UNIT *hay, Py_ssize_t n,
                     Py_ssize_t *out, Py_ssize_t room)
{
    const UNIT *needle = f->needle;
    const Py_ssize_t m = f->len;
    if (m == 1) {
        return UNIT_NAME(find_units)(hay, n, needle[0], out, room);
    }
    const Py_ssize_t places = n - m + 1;
    const Py_ssize_t budget = 8 * n + 256;
    const UNIT first = needle[0], last = needle[m - 1];
    Py_ssize_t i = 0, count = 0;
    Py_ssize_t next = 0;        /* where the next occurrence may start */
    f->wasted = 0;
    if (!f->two_way && places >= LANES) {
        const VECTOR firsts = UNIT_NAME(splat)(first);
        const VECTOR lasts = UNIT_NAME(splat)(last);
        for (; i + LANES <= places && f->wasted <= budget; i += LANES) {
            VECTOR equal =
                (VECTOR)(UNIT_NAME(load)(hay + i) == firsts)
                & (VECTOR)(UNIT_NAME(load)(hay + i + m - 1) == lasts);
            Mask mask = UNIT_NAME(mask)(equal);
            while (mask.low | mask.high) {
                Py_ssize_t at = i + mask_first(mask)
                    / (Py_ssize_t)sizeof(UNIT);
                mask_drop_first(&mask, (int)sizeof(UNIT));
                if (at < next || !UNIT_NAME(middle_matches)(f, hay + at)) {
                    continue;
                }
                out[count++] = at;
                next = at + m;
                if (count == room) {
                    return count;
                }
            }
        }
        if (f->wasted > budget) {
            UNIT_NAME(factorise)(f);
        }
    }
    i = Py_MAX(i, next);
    if (f->two_way) {
        while (count < room) {
            Py_ssize_t found = UNIT_NAME(two_way)(f, hay + i, n - i);
            if (found < 0) {
                break;
            }
            out[count++] = i + found;
            i += found + m;
        }
        return count;
    }
    while (i < places && count < room) {
        if (hay[i] == first && hay[i + m - 1] == last
            && UNIT_NAME(middle_matches)(f, hay + i))
        {
            out[count++] = i;
            i += m;
        }
        else {
            i++;
        }
    }
    return count;
}

static Py_ssize_t
UNIT_NAME(rfind)(const UNIT *hay, Py_ssize_t n, const UNIT *needle,
                 Py_ssize_t m)
{
    Py_ssize_t places = n - m + 1;
    while (places > 0) {
        Py_ssize_t at = UNIT_NAME(rfind_unit)(hay, places, needle[0]);
        if (at < 0) {
            return -1;
        }
        if (hay[at + m - 1] == needle[m - 1]
            && memcmp(hay + at, needle, (size_t)m * sizeof(UNIT)) == 0)
        {
            return at;
        }
        places = at;
    }
    return -1;
}

#undef LANES
