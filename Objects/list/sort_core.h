/* A stable, adaptive merge sort over an array of ELEM, included once for each kind of
   element. Needs:

     ELEM            the element type
     SORT(name)      pastes the kind to a name
     LESS(a, b)      on ELEM *: 1, 0, or -1 with an exception set
     LESS_FAILS(r)   r < 0, or 0 where LESS cannot fail

   Runs that are already in order are found, short ones are extended by binary
   insertion, and neighbours are merged in the order that powersort prescribes. Each
   boundary between runs gets the depth of its node in a nearly optimal merge tree. A
   run waits on the stack until a boundary with a smaller depth comes. A merge in which
   one side wins many times in a row gallops. After a failure the array still holds
   every element once.

   Programs see which elements are compared, and how often, if the elements have a
   __lt__ of their own. So each decision here is the one that CPython 3.11 takes: the
   places that a search looks at, when a merge gallops and when it knows the rest
   without a comparison. Tests/programs/sort_comparisons.py compares the sequences. */

/* How many leading elements of a[0..n-1], which is sorted, come before *key: the
   smaller ones, and with `ties` also the equal ones. The search looks at one end, then
   at the elements 1, 3, 7, ... from there, and then halves what is between the last two.
   Returns -1 if a comparison fails. */
static Py_ssize_t
SORT(count_before)(const ELEM *key, const ELEM *a, Py_ssize_t n, int ties,
                   int from_end)
{
    /* a[low-1] comes before *key; a[high] does not. */
    Py_ssize_t low = 0, high = n;
    for (Py_ssize_t away = 0; away < n; away = away * 2 + 1) {
        Py_ssize_t probe = from_end ? n - 1 - away : away;
        int r = ties ? LESS(key, &a[probe]) : LESS(&a[probe], key);
        if (LESS_FAILS(r)) {
            return -1;
        }
        if (ties ? !r : r) {
            low = probe + 1;
            if (from_end) {
                break;
            }
        }
        else {
            high = probe;
            if (!from_end) {
                break;
            }
        }
    }
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        int r = ties ? LESS(key, &a[middle]) : LESS(&a[middle], key);
        if (LESS_FAILS(r)) {
            return -1;
        }
        if (ties ? !r : r) {
            low = middle + 1;
        }
        else {
            high = middle;
        }
    }
    return low;
}

/* The length of the run at the start of a[0..n-1], n > 0. A strictly descending run is
   reversed. */
static Py_ssize_t
SORT(find_run)(ELEM *a, Py_ssize_t n)
{
    if (n == 1) {
        return 1;
    }
    int descending = LESS(&a[1], &a[0]);
    if (LESS_FAILS(descending)) {
        return -1;
    }
    Py_ssize_t end = 2;
    for (; end < n; end++) {
        int r = LESS(&a[end], &a[end - 1]);
        if (LESS_FAILS(r)) {
            return -1;
        }
        if (r != descending) {
            break;
        }
    }
    if (descending) {
        for (ELEM *low = a, *high = a + end - 1; low < high; low++, high--) {
            ELEM swap = *low;
            *low = *high;
            *high = swap;
        }
    }
    return end;
}

/* Sorts a[0..n-1], whose first part a[0..sorted-1] is already sorted. */
static int
SORT(insert_rest)(ELEM *a, Py_ssize_t sorted, Py_ssize_t n)
{
    for (; sorted < n; sorted++) {
        ELEM pivot = a[sorted];
        Py_ssize_t low = 0, high = sorted;
        while (low < high) {
            Py_ssize_t middle = (low + high) / 2;
            int r = LESS(&pivot, &a[middle]);
            if (LESS_FAILS(r)) {
                return -1;
            }
            if (r) {
                high = middle;
            }
            else {
                low = middle + 1;
            }
        }
        memmove(a + low + 1, a + low, (size_t)(sorted - low) * sizeof(ELEM));
        a[low] = pivot;
    }
    return 0;
}

static int
SORT(need_room)(struct merge_state *state, Py_ssize_t n)
{
    if (n <= state->room) {
        return 0;
    }
    PyMem_Free(state->memory);
    state->room = 0;
    state->memory = PyMem_Malloc((size_t)n * sizeof(ELEM));
    if (state->memory == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    state->room = n;
    return 0;
}

/* Merges a[0..na-1] and the following nb elements, na <= nb. The first element of the
   right side is the smallest of all, and the last one of the left side the largest. The
   left side is moved out of the way, and the result grows from the left. */
static int
SORT(merge_up)(struct merge_state *state, ELEM *a, Py_ssize_t na,
               Py_ssize_t nb)
{
    if (SORT(need_room)(state, na) < 0) {
        return -1;
    }
    ELEM *left = state->memory, *left_end = left + na;
    ELEM *right = a + na, *right_end = right + nb, *out = a;
    memcpy(left, a, (size_t)na * sizeof(ELEM));
    int result = -1;
    Py_ssize_t patience = state->patience;
    *out++ = *right++;
    if (right == right_end || left + 1 == left_end) {
        goto finished;
    }
    for (;;) {
        Py_ssize_t left_wins = 0, right_wins = 0;
        do {
            int r = LESS(right, left);
            if (LESS_FAILS(r)) {
                goto done;
            }
            if (r) {
                *out++ = *right++;
                right_wins++;
                left_wins = 0;
                if (right == right_end) {
                    goto finished;
                }
            }
            else {
                *out++ = *left++;
                left_wins++;
                right_wins = 0;
                if (left + 1 == left_end) {
                    goto finished;
                }
            }
        } while ((left_wins | right_wins) < patience);

        patience++;
        do {
            patience -= patience > 1;
            Py_ssize_t n = SORT(count_before)(right, left, left_end - left, 1,
                                              0);
            if (n < 0) {
                goto done;
            }
            memcpy(out, left, (size_t)n * sizeof(ELEM));
            out += n;
            left += n;
            left_wins = n;
            if (n > 0 && left_end - left <= 1) {
                goto finished;
            }
            *out++ = *right++;
            if (right == right_end) {
                goto finished;
            }
            n = SORT(count_before)(left, right, right_end - right, 0, 0);
            if (n < 0) {
                goto done;
            }
            memmove(out, right, (size_t)n * sizeof(ELEM));
            out += n;
            right += n;
            right_wins = n;
            if (right == right_end) {
                goto finished;
            }
            *out++ = *left++;
            if (left + 1 == left_end) {
                goto finished;
            }
        } while (left_wins >= GALLOP_PAYS || right_wins >= GALLOP_PAYS);
        patience++;
    }
finished:
    result = 0;
    if (left + 1 == left_end) {
        /* What is left of the right side comes before the largest element. */
        memmove(out, right, (size_t)(right_end - right) * sizeof(ELEM));
        out += right_end - right;
    }
done:
    state->patience = patience;
    memcpy(out, left, (size_t)(left_end - left) * sizeof(ELEM));
    return result;
}

/* The mirror image, for na > nb. */
static int
SORT(merge_down)(struct merge_state *state, ELEM *a, Py_ssize_t na,
                 Py_ssize_t nb)
{
    if (SORT(need_room)(state, nb) < 0) {
        return -1;
    }
    ELEM *right_start = state->memory, *right = right_start + nb;
    ELEM *left_start = a, *left = a + na, *out = a + na + nb;
    memcpy(right_start, left, (size_t)nb * sizeof(ELEM));
    int result = -1;
    Py_ssize_t patience = state->patience;
    /* `left`, `right` and `out` point after the next element. */
    *--out = *--left;
    if (left == left_start || right - 1 == right_start) {
        goto finished;
    }
    for (;;) {
        Py_ssize_t left_wins = 0, right_wins = 0;
        do {
            int r = LESS(right - 1, left - 1);
            if (LESS_FAILS(r)) {
                goto done;
            }
            if (r) {
                *--out = *--left;
                left_wins++;
                right_wins = 0;
                if (left == left_start) {
                    goto finished;
                }
            }
            else {
                *--out = *--right;
                right_wins++;
                left_wins = 0;
                if (right - 1 == right_start) {
                    goto finished;
                }
            }
        } while ((left_wins | right_wins) < patience);

        patience++;
        do {
            patience -= patience > 1;
            Py_ssize_t total = left - left_start;
            Py_ssize_t n = SORT(count_before)(right - 1, left_start, total, 1,
                                              1);
            if (n < 0) {
                goto done;
            }
            left_wins = total - n;
            out -= left_wins;
            left -= left_wins;
            memmove(out, left, (size_t)left_wins * sizeof(ELEM));
            if (left == left_start) {
                goto finished;
            }
            *--out = *--right;
            if (right - 1 == right_start) {
                goto finished;
            }
            total = right - right_start;
            n = SORT(count_before)(left - 1, right_start, total, 0, 1);
            if (n < 0) {
                goto done;
            }
            right_wins = total - n;
            out -= right_wins;
            right -= right_wins;
            memcpy(out, right, (size_t)right_wins * sizeof(ELEM));
            if (right_wins > 0 && right - right_start <= 1) {
                goto finished;
            }
            *--out = *--left;
            if (left == left_start) {
                goto finished;
            }
        } while (left_wins >= GALLOP_PAYS || right_wins >= GALLOP_PAYS);
        patience++;
    }
finished:
    result = 0;
    if (right - 1 == right_start) {
        /* What is left of the left side comes after the smallest element. */
        out -= left - left_start;
        memmove(out, left_start, (size_t)(left - left_start) * sizeof(ELEM));
    }
done:
    state->patience = patience;
    memcpy(out - (right - right_start), right_start,
           (size_t)(right - right_start) * sizeof(ELEM));
    return result;
}

static int
SORT(merge)(struct merge_state *state, ELEM *a, Py_ssize_t na, Py_ssize_t nb)
{
    /* Skip the elements at both ends that are in their place already. */
    Py_ssize_t n = SORT(count_before)(a + na, a, na, 1, 0);
    if (n < 0) {
        return -1;
    }
    a += n;
    na -= n;
    if (na == 0) {
        return 0;
    }
    nb = SORT(count_before)(a + na - 1, a + na, nb, 0, 1);
    if (nb <= 0) {
        return nb < 0 ? -1 : 0;
    }
    return na <= nb ? SORT(merge_up)(state, a, na, nb)
                    : SORT(merge_down)(state, a, na, nb);
}

/* Merges the run at `at` in the stack with the next one. */
static int
SORT(merge_runs)(struct merge_state *state, ELEM *a, struct run *at,
                 struct run *end)
{
    if (SORT(merge)(state, a + at[0].start, at[0].length, at[1].length) < 0) {
        return -1;
    }
    at[0].length += at[1].length;
    if (at + 2 < end) {
        at[1] = at[2];
    }
    return 0;
}

static int
SORT(sort)(ELEM *a, Py_ssize_t n)
{
    struct merge_state state = {.patience = GALLOP_PAYS};
    struct run stack[MAX_RUNS];
    int runs = 0, result = -1;
    Py_ssize_t shortest = shortest_run(n);
    for (Py_ssize_t start = 0; start < n;) {
        Py_ssize_t length = SORT(find_run)(a + start, n - start);
        if (length < 0) {
            goto done;
        }
        if (length < shortest) {
            Py_ssize_t wanted = Py_MIN(shortest, n - start);
            if (SORT(insert_rest)(a + start, length, wanted) < 0) {
                goto done;
            }
            length = wanted;
        }
        int depth = 0;
        if (runs > 0) {
            depth = boundary_depth(stack[runs - 1].start,
                                   stack[runs - 1].length, length, n);
        }
        while (runs > 1 && stack[runs - 1].depth > depth) {
            if (SORT(merge_runs)(&state, a, stack + runs - 2, stack + runs)
                < 0) {
                goto done;
            }
            runs--;
        }
        stack[runs].start = start;
        stack[runs].length = length;
        stack[runs++].depth = depth;
        start += length;
    }
    while (runs > 1) {
        struct run *at = stack + runs - 2;
        if (runs > 2 && at[-1].length < at[1].length) {
            at--;               /* the shorter neighbour first */
        }
        if (SORT(merge_runs)(&state, a, at, stack + runs) < 0) {
            goto done;
        }
        runs--;
    }
    result = 0;
done:
    PyMem_Free(state.memory);
    return result;
}

#undef ELEM
#undef SORT
#undef LESS
#undef LESS_FAILS
