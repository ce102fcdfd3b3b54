/* The matching machine, for one width of character: included with CHAR (the
   type) and SRE(name).

   Backtrack stack. Entries are of two sorts: records of changes, which popping
   undoes, and choices, where popping resumes. A failure pops until a choice is
   found. A sub-match (assertion, atomic group, one possessive iteration) begins
   with a BARRIER entry; when it succeeds, its choices are dropped and its
   records kept (drop_choices), for the outer match may still fail. */

#define REMAINING(p) (end - (p))

/* Length of the run of single items from p, at most max. */
static Py_ssize_t
SRE(count)(SreState *state, const SreCode *pc, const CHAR *p, Py_ssize_t max)
{
    const CHAR *const first = p;
    const CHAR *end = state->end;
    if (max < REMAINING(p)) {
        end = p + max;
    }
    SreCode arg = pc[1];
    switch (pc[0]) {
    case OP_IN: case OP_IN_IGNORE: case OP_IN_UNI_IGNORE: {
        const uint32_t *map = sre_map(state, pc[0], pc + 2);
        while (p < end && (sre_map_covers(map, *p) ? sre_map_has(map, *p)
                                                    : sre_single(pc, *p))) {
            p++;
        }
        break;
    }
    case OP_ANY:
        while (p < end && *p != '\n') {
            p++;
        }
        break;
    case OP_ANY_ALL:
        p = end;
        break;
    case OP_LITERAL:
        if (arg == (CHAR)arg) {
            CHAR c = (CHAR)arg;
            while (p < end && *p == c) {
                p++;
            }
        }
        break;
    case OP_NOT_LITERAL:
        if (arg != (CHAR)arg) {
            p = end;
        }
        else {
            CHAR c = (CHAR)arg;
            while (p < end && *p != c) {
                p++;
            }
        }
        break;
    default:
        while (p < end && sre_single(pc, *p)) {
            p++;
        }
        break;
    }
    return p - first;
}

static int
SRE(at)(const SreState *state, const CHAR *p, SreCode at)
{
    const CHAR *beginning = state->beginning, *end = state->end;
    switch (at) {
    case AT_BEGINNING:
    case AT_BEGINNING_STRING:
        return p == beginning;
    case AT_BEGINNING_LINE:
        return p == beginning || p[-1] == '\n';
    case AT_END:
        return p == end || (p + 1 == end && *p == '\n');
    case AT_END_LINE:
        return p == end || (p < (const CHAR *)state->limit && *p == '\n');
    case AT_END_STRING:
        return p == end;
    default:
        break;
    }
    if (beginning == end) {     /* no boundaries in an empty text, either way */
        return 0;
    }
    SreCode word = at == AT_BOUNDARY || at == AT_NON_BOUNDARY ? CH_WORD
        : at == AT_LOC_BOUNDARY || at == AT_LOC_NON_BOUNDARY ? CH_LOC_WORD : CH_UNI_WORD;
    int before = p > beginning && sre_category(word, p[-1]);
    int after = p < end && sre_category(word, *p);
    int want = at == AT_BOUNDARY || at == AT_LOC_BOUNDARY || at == AT_UNI_BOUNDARY;
    return (before != after) == want;
}

/* Does the text of a group follow once more? Its length, or -1. */
static Py_ssize_t
SRE(groupref)(SreState *state, SreCode op, SreCode group, const CHAR *p)
{
    const CHAR *g = state->mark[2 * group], *g_end = state->mark[2 * group + 1];
    const CHAR *end = state->end;
    if (g == NULL || g_end == NULL || g_end < g) {
        return -1;
    }
    Py_ssize_t n = g_end - g;
    if (n > 0 && n > REMAINING(p)) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 x = p[i], y = g[i];
        if (x == y) {
            continue;
        }
        int same = 0;
        if (op == OP_GROUPREF_IGNORE) {
            same = sre_lower_ascii(x) == sre_lower_ascii(y);
        }
        else if (op == OP_GROUPREF_UNI_IGNORE) {
            same = Py_UNICODE_TOLOWER(x) == Py_UNICODE_TOLOWER(y);
        }
        else if (op == OP_GROUPREF_LOC_IGNORE) {
            same = sre_lower_locale(x) == sre_lower_locale(y);
        }
        if (!same) {
            return -1;
        }
    }
    return n;
}

/* Matches the literals and sets that the code begins with, if they are there, and moves both behind
   them. Of an alternative of a branch and at the places of a search, this is mostly enough to say
   no: no choice is made then, and nothing begun. */
static inline int
SRE(match_items)(const SreState *state, const SreCode **code, const CHAR **text)
{
    const SreCode *pc = *code;
    const CHAR *p = *text, *const end = state->end;
    for (;; p++) {
        if (pc[0] == OP_LITERAL) {
            if (p >= end || *p != pc[1]) {
                return 0;
            }
            pc += 2;
        }
        else if (pc[0] == OP_IN) {
            if (p >= end || !sre_in_set(state, OP_IN, pc + 2, *p)) {
                return 0;
            }
            pc += 1 + pc[1];
        }
        else {
            *code = pc;
            *text = p;
            return 1;
        }
    }
}

/* The alternatives of a branch that can begin at p. */
static inline uint64_t
SRE(alternatives)(const SreBranch *branch, const CHAR *p, const CHAR *end)
{
    Py_UCS4 ch = p < end ? *p : SRE_END_OF_TEXT;
    return branch->alternatives[p < end && ch > 255 ? SRE_OTHER_CHARACTERS : ch];
}

/* Could the pattern, whose code without its info block this is, match at p? */
static inline int
SRE(may_begin)(const SreState *state, const SreCode *body, const CHAR *p)
{
    if (body[0] != OP_BRANCH) {
        return SRE(match_items)(state, &body, &p);
    }
    for (const SreCode *skip = body + 1; *skip != 0; skip += *skip) {
        const SreCode *alternative = skip + 1;
        const CHAR *from = p;
        if (SRE(match_items)(state, &alternative, &from)) {
            return 1;
        }
    }
    return 0;
}

/* Is the body of an assertion one literal or set? */
static inline int
SRE(is_one_item)(const SreCode *body)
{
    return (body[0] == OP_LITERAL && body[2] == OP_SUCCESS)
           || (body[0] == OP_IN && body[1 + body[1]] == OP_SUCCESS);
}

/* Does it take the character at p? */
static inline int
SRE(takes)(const SreState *state, const SreCode *item, const CHAR *p)
{
    return p < (const CHAR *)state->end
           && (item[0] == OP_LITERAL ? *p == item[1] : sre_in_set(state, OP_IN, item + 2, *p));
}

static inline int
SRE(begins_at)(const SreState *state, const SreBegins *begins, const CHAR *p)
{
    return begins->before[SRE_PLACE_OF(*p)]
           && begins->behind[p > (const CHAR *)state->beginning ? SRE_PLACE_OF(p[-1])
                             : (Py_UCS4)SRE_END_OF_TEXT];
}

#define PUSH(kind_, index_, a_, b_) do { \
    if (state->used == state->allocated && grow_stack(state) < 0) { \
        return -1; \
    } \
    state->stack[state->used++] = (SreEntry){kind_, (uint32_t)(index_), (intptr_t)(a_), \
                                             (intptr_t)(b_)}; \
} while (0)
#define OFFSET(pc_) ((pc_) - code)

static int
SRE(run)(SreState *state, const SreCode *code)
{
    const SreCode *pc = code;
    const CHAR *p = state->start;
    const CHAR *const end = state->end;
    const SreBranch *branch;
    uint64_t alternatives;

    if (pc[0] == OP_INFO) {
        if (pc[3] != 0 && (uintptr_t)REMAINING(p) < pc[3]) {
            return 0;
        }
        pc += pc[1] + 1;
    }
    for (;;) {
        switch (*pc++) {
        case OP_LITERAL:
            do {
                if (p >= end || *p != *pc) {
                    goto fail;
                }
                p++;
                pc += 2;
            } while (pc[-1] == OP_LITERAL);
            pc--;
            break;
        case OP_NOT_LITERAL:
            if (p >= end || *p == *pc) {
                goto fail;
            }
            pc++;
            p++;
            break;
        case OP_ANY:
            if (p >= end || *p == '\n') {
                goto fail;
            }
            p++;
            break;
        case OP_ANY_ALL:
            if (p >= end) {
                goto fail;
            }
            p++;
            break;
        case OP_IN:
            if (p >= end || !sre_in_set(state, OP_IN, pc + 1, *p)) {
                goto fail;
            }
            pc += *pc;
            p++;
            break;
        case OP_CATEGORY:
            if (p >= end || !sre_category(*pc, *p)) {
                goto fail;
            }
            pc++;
            p++;
            break;
        case OP_IN_IGNORE: case OP_IN_UNI_IGNORE: case OP_IN_LOC_IGNORE:
            if (p >= end || !sre_in_set(state, pc[-1], pc + 1, *p)) {
                goto fail;
            }
            pc += *pc;
            p++;
            break;
        case OP_LITERAL_IGNORE: case OP_NOT_LITERAL_IGNORE:
        case OP_LITERAL_UNI_IGNORE: case OP_NOT_LITERAL_UNI_IGNORE:
        case OP_LITERAL_LOC_IGNORE: case OP_NOT_LITERAL_LOC_IGNORE:
            if (p >= end || !sre_single(pc - 1, *p)) {
                goto fail;
            }
            pc++;
            p++;
            break;
        case OP_AT:
            if (!SRE(at)(state, p, *pc)) {
                goto fail;
            }
            pc++;
            break;
        case OP_MARK: {
            Py_ssize_t i = *pc++;
            PUSH(UNDO_MARK, i, state->mark[i], 0);
            if (i & 1) {
                PUSH(UNDO_LASTINDEX, 0, state->lastindex, 0);
                state->lastindex = i / 2 + 1;
            }
            state->mark[i] = p;
            break;
        }
        case OP_JUMP:
            pc += *pc;
            break;
        case OP_INFO:
            pc += *pc;
            break;
        case OP_FAILURE:
            goto fail;

        case OP_GROUPREF: case OP_GROUPREF_IGNORE: case OP_GROUPREF_UNI_IGNORE:
        case OP_GROUPREF_LOC_IGNORE: {
            Py_ssize_t n = SRE(groupref)(state, pc[-1], pc[0], p);
            if (n < 0) {
                goto fail;
            }
            pc++;
            p += n;
            break;
        }
        case OP_GROUPREF_EXISTS: {
            const CHAR *g = state->mark[2 * pc[0]], *g_end = state->mark[2 * pc[0] + 1];
            if (g == NULL || g_end == NULL || g_end < g) {
                pc += pc[1];
            }
            else {
                pc += 2;
            }
            break;
        }

        case OP_BRANCH: {
            branch = sre_branch(state, pc);
            if (branch != NULL) {
                alternatives = SRE(alternatives)(branch, p, end);
            next_of_table:
                for (;;) {
                    if (alternatives == 0) {
                        goto fail;
                    }
                    pc = code + branch->code[__builtin_ctzll(alternatives)];
                    alternatives &= alternatives - 1;
                    const CHAR *from = p;
                    if (SRE(match_items)(state, &pc, &p)) {
                        if (alternatives != 0) {
                            PUSH(CHOICE_OF_TABLE, branch->number, alternatives, from);
                        }
                        break;
                    }
                }
                break;
            }
        next_alternative:       /* pc at the skip of an alternative */
            for (const SreCode *skip = pc;; skip += *skip) {
                if (*skip == 0) {
                    goto fail;
                }
                const CHAR *from = p;
                pc = skip + 1;
                if (SRE(match_items)(state, &pc, &p)) {
                    const SreCode *other = skip + *skip;
                    if (*other != 0) {
                        PUSH(CHOICE_BRANCH, 0, OFFSET(other), from);
                    }
                    break;
                }
            }
            break;
        }

        case OP_REPEAT_ONE: {   /* skip min max item SUCCESS */
            Py_ssize_t min = pc[1], max = pc[2] == SRE_MAXREPEAT ? PY_SSIZE_T_MAX : pc[2];
            if (min > REMAINING(p)) {
                goto fail;
            }
            Py_ssize_t n = SRE(count)(state, pc + 3, p, max);
            if (n < min) {
                goto fail;
            }
            const CHAR *least = p + min;
            p += n;
            if (n > min) {
                PUSH(CHOICE_REPEAT_ONE, 0, least, p);
                PUSH(DATA, 0, OFFSET(pc), 0);
            }
            pc += pc[0];
            goto shrink_to_literal;
        }
        case OP_POSSESSIVE_REPEAT_ONE: {
            Py_ssize_t min = pc[1], max = pc[2] == SRE_MAXREPEAT ? PY_SSIZE_T_MAX : pc[2];
            if (min > REMAINING(p)) {
                goto fail;
            }
            Py_ssize_t n = SRE(count)(state, pc + 3, p, max);
            if (n < min) {
                goto fail;
            }
            p += n;
            pc += pc[0];
            break;
        }
        case OP_MIN_REPEAT_ONE: {
            Py_ssize_t min = pc[1], max = pc[2] == SRE_MAXREPEAT ? PY_SSIZE_T_MAX : pc[2];
            if (min > REMAINING(p) || (min > 0 && SRE(count)(state, pc + 3, p, min) < min)) {
                goto fail;
            }
            p += min;
            if (min < max) {
                PUSH(CHOICE_MIN_REPEAT_ONE, 0, p, max - min);
                PUSH(DATA, 0, OFFSET(pc), 0);
            }
            pc += pc[0];
            break;
        }

        case OP_REPEAT: {       /* skip min max body; UNTIL after skip */
            SreRepeat *rep = new_repeat(state);
            if (rep == NULL) {
                return -1;
            }
            rep->code = pc;
            rep->count = -1;
            rep->last = NULL;
            rep->prev = state->repeat;
            PUSH(UNDO_ENTER, 0, rep, 0);
            state->repeat = rep;
            pc += pc[0];
            break;
        }
        case OP_MAX_UNTIL: {
            SreRepeat *rep = state->repeat;
            if (rep == NULL) {
                goto corrupt;
            }
            Py_ssize_t count = rep->count + 1;
            if (count < (Py_ssize_t)rep->code[1]) {
                PUSH(UNDO_REPEAT, 0, rep, rep->count);
                PUSH(DATA, 0, rep->last, 0);
                rep->count = count;
                pc = rep->code + 3;
                break;
            }
            if ((count < (Py_ssize_t)rep->code[2] || rep->code[2] == SRE_MAXREPEAT)
                && p != rep->last) {
                PUSH(CHOICE_TAIL, 0, OFFSET(pc), p);
                PUSH(UNDO_REPEAT, 0, rep, rep->count);
                PUSH(DATA, 0, rep->last, 0);
                rep->count = count;
                rep->last = p;
                pc = rep->code + 3;
                break;
            }
            PUSH(UNDO_CURRENT, 0, rep, 0);
            state->repeat = rep->prev;
            break;
        }
        case OP_MIN_UNTIL: {
            SreRepeat *rep = state->repeat;
            if (rep == NULL) {
                goto corrupt;
            }
            Py_ssize_t count = rep->count + 1;
            if (count < (Py_ssize_t)rep->code[1]) {
                PUSH(UNDO_REPEAT, 0, rep, rep->count);
                PUSH(DATA, 0, rep->last, 0);
                rep->count = count;
                pc = rep->code + 3;
                break;
            }
            if ((count < (Py_ssize_t)rep->code[2] || rep->code[2] == SRE_MAXREPEAT)
                && p != rep->last) {
                PUSH(CHOICE_MORE, 0, rep, p);
            }
            PUSH(UNDO_CURRENT, 0, rep, 0);
            state->repeat = rep->prev;
            break;
        }

        case OP_ASSERT: case OP_ASSERT_NOT: {   /* skip back body SUCCESS */
            int negative = pc[-1] == OP_ASSERT_NOT;
            if (p - (const CHAR *)state->beginning < (Py_ssize_t)pc[1]) {
                if (negative) {
                    pc += pc[0];
                    break;
                }
                goto fail;
            }
            if (SRE(is_one_item)(pc + 2)) {     /* no sub-match is begun for one character */
                if (SRE(takes)(state, pc + 2, p - pc[1]) == negative) {
                    goto fail;
                }
                pc += pc[0];
                break;
            }
            PUSH(DATA, 0, state->barrier, state->repeat);
            PUSH(negative ? BARRIER_NOT : BARRIER_ASSERT, 0, OFFSET(pc), p);
            state->barrier = (Py_ssize_t)state->used - 1;
            p -= pc[1];
            pc += 2;
            break;
        }
        case OP_ATOMIC_GROUP:   /* skip body SUCCESS */
            PUSH(DATA, 0, state->barrier, state->repeat);
            PUSH(BARRIER_ATOMIC, 0, OFFSET(pc), p);
            state->barrier = (Py_ssize_t)state->used - 1;
            pc++;
            break;
        case OP_POSSESSIVE_REPEAT: {    /* skip min max body; SUCCESS after skip */
            PUSH(DATA, 0, state->barrier, state->repeat);
            PUSH(BARRIER_POSSESSIVE, 0, OFFSET(pc), p);
            state->barrier = (Py_ssize_t)state->used - 1;
            if (pc[2] == 0) {
                goto success;   /* {0}: done before it began */
            }
            pc += 3;
            break;
        }

        case OP_SUCCESS:
        success:
            if (state->barrier < 0) {
                if ((state->match_all && p != end)
                    || (state->must_advance && p == state->start)) {
                    goto fail;
                }
                state->ptr = p;
                return 1;
            }
            {
                Py_ssize_t at = state->barrier;
                SreEntry barrier = state->stack[at], outer = state->stack[at - 1];
                const SreCode *base = code + barrier.a;
                if (barrier.kind == BARRIER_NOT) {
                    /* The text that must not match has matched: undo it and fail. */
                    undo_to(state, (size_t)at + 1);
                    state->used = (size_t)at - 1;
                    state->barrier = outer.a;
                    state->repeat = (SreRepeat *)outer.b;
                    goto fail;
                }
                int again = 0;
                if (barrier.kind == BARRIER_POSSESSIVE) {
                    Py_ssize_t done = barrier.index + (base[2] != 0);
                    again = base[2] != 0 && p != (const CHAR *)barrier.b
                        && (base[2] == SRE_MAXREPEAT || done < (Py_ssize_t)base[2]);
                    barrier.index = (uint32_t)done;
                }
                drop_choices(state, (size_t)at - 1);
                state->barrier = outer.a;
                if (state->repeat != (SreRepeat *)outer.b) {
                    PUSH(UNDO_CURRENT, 0, state->repeat, 0);
                    state->repeat = (SreRepeat *)outer.b;
                }
                if (again) {
                    PUSH(DATA, 0, state->barrier, state->repeat);
                    PUSH(BARRIER_POSSESSIVE, barrier.index, barrier.a, p);
                    state->barrier = (Py_ssize_t)state->used - 1;
                    pc = base + 3;
                }
                else {
                    if (barrier.kind == BARRIER_ASSERT) {
                        p = (const CHAR *)barrier.b;
                    }
                    pc = base + base[0] + (barrier.kind == BARRIER_POSSESSIVE);
                }
            }
            break;

        default:
            goto corrupt;
        }
        continue;

    shrink_to_literal:
        /* After a greedy run, a literal says at which positions it is worth continuing. */
        if (pc[0] == OP_LITERAL && state->used > 0
            && state->stack[state->used - 1].kind == DATA) {
            if (p < end && *p == pc[1]) {
                continue;
            }
        }
        else {
            continue;
        }

    fail:
        if (--state->ticks == 0) {
            state->ticks = TICKS;
            if (PyErr_CheckSignals() < 0) {
                return -1;
            }
        }
        for (;;) {
            if (state->used == 0) {
                return 0;
            }
            SreEntry *e = &state->stack[--state->used];
            SreEntry *below = e - 1;
            switch (e->kind) {
            case UNDO_MARK:
                state->mark[e->index] = (const void *)e->a;
                continue;
            case UNDO_LASTINDEX:
                state->lastindex = e->a;
                continue;
            case UNDO_ENTER: {
                SreRepeat *rep = (SreRepeat *)e->a;
                state->repeat = rep->prev;
                rep->prev = state->free_repeats;
                state->free_repeats = rep;
                continue;
            }
            case UNDO_CURRENT:
                state->repeat = (SreRepeat *)e->a;
                continue;
            case DATA:          /* of the entry below */
                state->used--;
                switch (below->kind) {
                case UNDO_REPEAT: {
                    SreRepeat *rep = (SreRepeat *)below->a;
                    rep->count = below->b;
                    rep->last = (const void *)e->a;
                    continue;
                }
                case CHOICE_REPEAT_ONE: {
                    const CHAR *least = (const CHAR *)below->a;
                    pc = code + e->a;
                    const SreCode *tail = pc + pc[0];
                    p = (const CHAR *)below->b - 1;
                    if (tail[0] == OP_LITERAL) {
                        while (p > least && *p != tail[1]) {
                            p--;
                        }
                        if (*p != tail[1]) {
                            continue;
                        }
                    }
                    if (p > least) {
                        below->b = (intptr_t)p;
                        state->used += 2;
                    }
                    pc = tail;
                    break;
                }
                case CHOICE_MIN_REPEAT_ONE: {
                    pc = code + e->a;
                    p = (const CHAR *)below->a;
                    if (p >= end || SRE(count)(state, pc + 3, p, 1) == 0) {
                        continue;
                    }
                    p++;
                    if (below->b > 1) {
                        below->a = (intptr_t)p;
                        if (below->b != PY_SSIZE_T_MAX) {
                            below->b--;
                        }
                        state->used += 2;
                    }
                    pc += pc[0];
                    break;
                }
                default:
                    goto corrupt;
                }
                break;
            case CHOICE_BRANCH:
                pc = code + e->a;
                p = (const CHAR *)e->b;
                goto next_alternative;
            case CHOICE_OF_TABLE:
                branch = state->pattern->branches[e->index];
                alternatives = (uint64_t)e->a;
                p = (const CHAR *)e->b;
                goto next_of_table;
            case CHOICE_TAIL: { /* of MAX_UNTIL: no more iterations */
                SreRepeat *rep = state->repeat;
                pc = code + e->a;
                p = (const CHAR *)e->b;
                PUSH(UNDO_CURRENT, 0, rep, 0);
                state->repeat = rep->prev;
                break;
            }
            case CHOICE_MORE: { /* of MIN_UNTIL: one more iteration */
                SreRepeat *rep = (SreRepeat *)e->a;
                p = (const CHAR *)e->b;
                PUSH(UNDO_REPEAT, 0, rep, rep->count);
                PUSH(DATA, 0, rep->last, 0);
                rep->count++;
                rep->last = p;
                pc = rep->code + 3;
                break;
            }
            case BARRIER_ASSERT:
            case BARRIER_ATOMIC:
                state->used--;
                state->barrier = below->a;
                continue;
            case BARRIER_NOT:
                state->used--;
                state->barrier = below->a;
                pc = code + e->a;
                pc += pc[0];
                p = (const CHAR *)e->b;
                break;
            case BARRIER_POSSESSIVE:
                state->used--;
                state->barrier = below->a;
                pc = code + e->a;
                p = (const CHAR *)e->b;
                if ((Py_ssize_t)e->index < (Py_ssize_t)pc[1]) {
                    continue;   /* too few iterations */
                }
                pc += pc[0] + 1;
                break;
            default:
                goto corrupt;
            }
            break;
        }
    }
corrupt:
    PyErr_SetString(PyExc_RuntimeError, "invalid SRE code");
    return -1;
}

/* Of a pattern that is only these characters, the first of which is at p. */
static int
SRE(match_literal)(SreState *state, const CHAR *p, const SreCode *text, Py_ssize_t n)
{
    if (n > (const CHAR *)state->end - p) {
        return 0;
    }
    for (Py_ssize_t i = 1; i < n; i++) {
        if (p[i] != text[i]) {
            return 0;
        }
    }
    state->ptr = p + n;
    return 1;
}

/* Leftmost match: tries each start, except those that the info block can rule out
   beforehand. */
static int
SRE(search)(SreState *state, const SreCode *code)
{
    const CHAR *p = state->start, *end = state->end;
    const SreCode *charset = NULL;
    Py_ssize_t min = 0;
    int has_literal = 0;
    CHAR literal = 0;
    Py_ssize_t all_literal = 0;         /* how many characters are the whole pattern */
    if (code[0] == OP_INFO) {
        int flags = (int)code[2];
        min = code[3];
        if (REMAINING(p) < min) {
            return 0;
        }
        if (min > 1) {
            end -= min - 1;     /* later starts leave too little text */
        }
        if (flags & INFO_PREFIX) {
            SreCode first = code[7];
            if (first != (CHAR)first) {
                return 0;       /* no character of this text is as wide */
            }
            has_literal = 1;
            literal = (CHAR)first;
            if (flags & INFO_LITERAL) {
                all_literal = code[5];
            }
        }
        else if (flags & INFO_CHARSET) {
            charset = code + 5;
        }
    }
    const SreCode *body = code[0] == OP_INFO ? code + 1 + code[1] : code;
    if (body[0] == OP_AT
        && (body[1] == AT_BEGINNING || body[1] == AT_BEGINNING_STRING)) {
        /* Only the start of the text can match. */
        return p == (const CHAR *)state->beginning ? SRE(run)(state, code) : 0;
    }
    const SreBegins *begins = has_literal || charset != NULL ? NULL : sre_begins(state->pattern);
    int number = charset != NULL && sre_map(state, OP_IN, charset) != NULL
        ? sre_number_at(state->pattern, charset) : 0;
    for (int first = 1;; first = 0) {
        if (has_literal) {
            p = SRE(find)(p, end, literal);
            if (p == NULL) {
                return 0;
            }
        }
        else if (charset != NULL) {
            /* A match may make maps, and move them all. */
            const uint32_t *map = number != 0 ? state->pattern->maps[number - 1] : NULL;
            if (map != NULL) {
                while (p < end && !(sre_map_covers(map, *p) ? sre_map_has(map, *p)
                                                            : sre_charset(charset, *p))) {
                    p++;
                }
            }
            else {
                while (p < end && !sre_charset(charset, *p)) {
                    p++;
                }
            }
            if (p >= end) {
                return 0;
            }
        }
        else if (begins != NULL) {
            while (p < end && !SRE(begins_at)(state, begins, p)) {
                p++;
            }
        }
        if (p != (const CHAR *)state->start || !first) {
            state->must_advance = 0;
        }
        state->start = p;
        int rc = all_literal > 0 ? SRE(match_literal)(state, p, code + 7, all_literal)
                 : SRE(may_begin)(state, body, p) ? SRE(run)(state, code) : 0;
        if (rc != 0) {
            return rc;
        }
        if (p >= end) {
            return 0;
        }
        p++;
        if ((has_literal || charset != NULL) && p >= end) {
            return 0;
        }
    }
}

#undef REMAINING
#undef PUSH
#undef OFFSET
