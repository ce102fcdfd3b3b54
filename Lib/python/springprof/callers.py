"""Callers of code without frame pointers.

The kernel follows frame pointers, so a sample that is taken in a library built without them (most
are: libc's system calls, BLAS) ends there: its Python callers are missing. Therefore a second event
copies the stack, a few times a second. A copy has the whole truth in two parts:

    leaf ... _PyEval_EvalFrameShown, _PyPerf_Call, landing      call frame information, by perf
    landing, landing, C, landing, ..., main                     frame records, followed here

perf ends at the innermost landing, since landings have no such information in a perf map. From that
record on the chain is one of frame pointers (Include/internal/frame_records.h), in the copy.

A broken sample then gets the callers of a whole one: of a copy near in time in the same thread
which was taken in the same function (the outermost that the sample knows), and whose own chain of
frame pointers is broken, too. Of several, the one counts whose outer callers are those of the whole
samples before and after. All else stays the sample's own: time, weight, the frames inside.

A thread that lives for a request only has no copies of its own, or none in that function. Then the
other threads of the process count, but for the first one: they run the same code.

What no copy fits gets the callers that the whole samples of its thread right before and after have
in common: those it certainly has, though not all of them.

Where compiled code calls such a library, the chain is not broken, but passes over the caller: it gets
that one from a copy that was taken in the same function under the same caller's caller.

What a library keeps in the frame pointer's register may be the address of an object, and the kernel
follows that, too: through the heap, until it has as many frames as it wants. Such a chain looks
like a stack that is too deep. But a frame that lies in no code is none, nor is what stands outside.
"""
import bisect
import collections
import itertools
import operator

from springprof.recording import COMPILED, KERNEL

# Outermost functions of whole stacks; beyond them is nothing, or no frame pointer.
ENDS = {"__libc_start_call_main", "start_thread", "_start", "__clone3", "clone3", "__clone",
        "asan_thread_start", "_dl_start_user", "__libc_start_main"}
# In the thread that starts another one, these are called; only in the new one are they the end.
CLONES = {"__clone3", "clone3", "__clone"}
# What perf calls places that belong to no file. Compiled code lies in such memory, too, and parts
# of it have no name.
NO_CODE = {"[[heap]]", "[[stack]]", "[anon]", "[unknown]"}
MOST_FRAMES = 4096
SAME_FRAMES = 8                 # by which the missing end of a deep stack is recognised
NEAR, VERY_NEAR = 5_000_000_000, 50_000_000     # nanoseconds
# Threads that live for a moment have copies only while many are taken; later ones do the same.
ANY_TIME = 1 << 63
NEIGHBOURS = 4                  # copies before and after a sample that are looked at


def split_kernel(chain, frames):
    """(kernel's part, user's part) of a chain."""
    at = 0
    while at < len(chain) and frames[chain[at][1]].kind == KERNEL:
        at += 1
    return chain[:at], chain[at:]


class Whole:
    """A copied stack's chain from the first user frame on."""
    __slots__ = "time", "user"

    def __init__(self, time, user):
        self.time, self.user = time, user


class Stitcher:
    def __init__(self, reader, max_stack):
        self.reader = reader
        self.frames = reader.builder.recording.frames
        self.max_stack = max_stack
        self.pids = {}          # of threads that have copies
        self.raw = {}           # (pid, return address) -> (address as perf tells it, frame number)

    # Which samples are broken.

    def is_whole(self, chain):
        kernel, user = split_kernel(chain, self.frames)
        if not user or self._ends_well(kernel, user):
            return True
        return len(chain) >= self.max_stack and self._followed_code(user)

    def _ends_well(self, kernel, user):
        name = self.frames[user[-1][1]].name
        if name in CLONES and len(user) == 1 and kernel:
            return self.frames[kernel[-1][1]].name.startswith("ret_from_fork")
        return name in ENDS

    def _followed_code(self, user):
        return self._in_code(user) == user

    def _in_code(self, user):
        """The frames of a broken chain that are some: up to the first that lies in no code. The
        innermost one is where the processor was."""
        return user[:1] + list(itertools.takewhile(
            lambda entry: not self._is_data(self.frames[entry[1]]), user[1:]))

    @staticmethod
    def _is_data(frame):
        # What looks like an address of the kernel's is only a number there.
        return frame.kind == KERNEL or frame.name in NO_CODE

    # From copies to chains.

    def follow(self, sample, copy):
        """The records of a copy from the innermost landing on: (its frame pointer, return
        addresses after it), or None if there is none."""
        chain = sample.chain
        if not chain or not self.frames[chain[-1][1]].is_python:
            return None
        landing = chain[-1][0] + 1              # perf tells the byte before a return address
        place = copy.memory.find(landing.to_bytes(8, "little"))
        while place != -1:
            fp = copy.start + place - 8
            if place % 8 == 0 and self._is_newest(copy, fp):
                addresses, at = [], fp
                while len(addresses) < MOST_FRAMES:
                    above = copy.word(at)
                    if above is None or above <= at:
                        break
                    at = above
                    address = copy.word(at + 8)
                    if not address:
                        break
                    addresses.append(address)
                return fp, addresses
            place = copy.memory.find(landing.to_bytes(8, "little"), place + 1)
        return None

    @staticmethod
    def _is_newest(copy, fp):
        """Whether an evaluator's slot below holds this record: what is left over from earlier
        calls is linked to by nothing."""
        place = copy.memory.find(fp.to_bytes(8, "little"))
        return 0 <= place < fp - copy.start

    @staticmethod
    def reaches(copy, wanted):
        """Whether frame pointers alone lead to a record."""
        at = copy.fp
        for _ in range(MOST_FRAMES):
            if at == wanted:
                return True
            above = copy.word(at)
            if above is None or above <= at:
                return False
            at = above
        return False

    def learn(self, samples, chains, wanted):
        """What perf has told of the return addresses `wanted` (pid, address), from samples that
        have them. `chains`: (tid, time, addresses) of each."""
        by_key = {(sample.tid, sample.time): sample for sample in samples}
        wanted = set(wanted)
        for tid, time, addresses in chains:
            if not wanted:
                break
            sample = by_key.get((tid, time))
            if sample is None or len(sample.chain) != len(addresses):
                continue
            for address, told in zip(addresses, sample.chain):
                key = sample.pid, address
                if key in wanted:
                    self.raw[key] = told
                    wanted.discard(key)

    def named(self, pid, addresses):
        chain = []
        for address in addresses:
            entry = self.reader.maps.entry(pid, address - 1)
            if entry is not None:
                frame = self.reader.python_frame(
                    entry[2], not self.reader.maps.is_landing(pid, address))
            else:
                _, frame = self.raw.get((pid, address), (None, None))
                if frame is None:
                    continue                    # C that no other sample has shown
            chain.append((address, frame))
        return chain

    def wholes(self, deep, copies, samples, chains):
        """{tid: [Whole]} of the copies whose frame pointers are broken, in order of time."""
        by_key = {(copy.tid, copy.time): copy for copy in copies}
        self.pids = {sample.tid: sample.pid for sample in deep}
        followed, wanted = [], set()
        for sample in deep:
            copy = by_key.get((sample.tid, sample.time))
            if copy is None:
                continue
            found = self.follow(sample, copy)
            if found is None:
                if self.is_whole(sample.chain):
                    followed.append((sample, []))
                continue
            record, addresses = found
            if self.reaches(copy, record):
                continue
            followed.append((sample, addresses))
            wanted.update((sample.pid, address) for address in addresses
                          if self.reader.maps.entry(sample.pid, address - 1) is None)
        self.learn(samples, chains, wanted)
        result = collections.defaultdict(list)
        for sample, addresses in followed:
            chain = sample.chain + self.named(sample.pid, addresses)
            user = self._without_clone(split_kernel(chain, self.frames)[1])
            if user:
                result[sample.tid].append(Whole(sample.time, user))
        for found in result.values():
            found.sort(key=lambda whole: whole.time)
        return result

    def _without_clone(self, user):
        """Of a thread that was started, frame pointers lead to start_thread() only."""
        outermost = [self.frames[frame].name for _, frame in user[-2:]]
        return user[:-1] if outermost[:1] == ["start_thread"] and outermost[-1] in CLONES else user

    # From whole chains to broken samples.

    def repair(self, samples, wholes):
        """Gives broken samples their callers. ({library: weight of its broken samples},
        weight that stays broken, weight whose callers are another thread's, weight that has some
        of its callers only)"""
        threads = collections.defaultdict(lambda: ([], []))
        broken = []
        for sample in samples:
            if self.is_whole(sample.chain):
                times, chains = threads[sample.tid]
                times.append(sample.time)
                chains.append(sample.chain)
            else:
                broken.append(sample)
        indexes, culprits, lent = {}, collections.Counter(), 0
        unknown = []
        others = self._of_other_threads(broken, wholes)
        for sample in broken:
            kernel, user = split_kernel(sample.chain, self.frames)
            user = self._in_code(user)
            if sample.tid not in indexes:
                indexes[sample.tid] = Index(self, wholes.get(sample.tid, ()))
            expected = around(threads[sample.tid], sample.time)
            culprits[self.frames[user[0][1]].dso] += sample.period
            found = self._with_callers(user, indexes[sample.tid], sample.time, expected)
            if found is None and sample.tid != sample.pid and sample.pid in others:
                found = self._with_callers(user, others[sample.pid], sample.time, expected)
                lent += sample.period if found is not None else 0
            if found is None:
                sample.chain = kernel + user
                unknown.append(sample)
            else:
                sample.chain = kernel + found
        left, partly = self._between(samples, unknown)
        return culprits, left, lent, partly

    def _between(self, samples, unknown):
        """Gives samples the callers that those before and after have in common. (weight that
        has got none, weight that has)"""
        left = partly = 0
        without = set(map(id, unknown))
        threads = collections.defaultdict(lambda: ([], []))
        for sample in samples if unknown else ():
            if id(sample) not in without:
                times, chains = threads[sample.tid]
                times.append(sample.time)
                chains.append(sample.chain)
        for sample in unknown:
            common = around(threads[sample.tid], sample.time)
            if any(self.frames[frame].is_python for _, frame in sample.chain):
                # Only what stands outside its own outermost one.
                outermost = sample.chain[-1][1]
                common = common[:common.index(outermost)] if outermost in common else []
            sample.chain = sample.chain + [(0, frame) for frame in reversed(common)]
            if common:
                partly += sample.period
            else:
                left += sample.period
        return left, partly

    def _with_callers(self, user, index, time, expected):
        """A chain that is repaired, or None."""
        # The outermost frame that is known; what stands outside it is no frame.
        for at in range(len(user) - 1, -1, -1):
            where = self.frames[user[at][1]]
            found = index.callers(where, time, at == 0, expected)
            if found is not None:
                return user[:at] + found
        return None

    def _of_other_threads(self, broken, wholes):
        """{process: Index of its threads but for the first}, of processes that may need it. A
        function counts, not that it is of the same library."""
        found = collections.defaultdict(list)
        needed = {sample.pid for sample in broken if sample.tid != sample.pid}
        for tid, pid in self.pids.items():
            if tid != pid and pid in needed:
                found[pid] += wholes.get(tid, ())
        return {pid: Index(self, sorted(each, key=operator.attrgetter("time")), libraries=False,
                           reach=ANY_TIME)
                for pid, each in found.items()}

    # Compiled functions that frame pointers pass over.

    def passed_over(self, deep, copies, samples, chains):
        """{(pid, function of a library, return address that its frame pointer leads to, as perf
        tells it): [(time, frames between the two)]}. A function that has set up no frame pointer has its caller's,
        which leads to the caller's caller: of compiled code that calls it, nothing is seen. In a
        copy, call frame information leads to the caller."""
        by_key = {(copy.tid, copy.time): copy for copy in copies}
        found = collections.defaultdict(list)
        for sample in deep:
            copy = by_key.get((sample.tid, sample.time))
            user = split_kernel(sample.chain, self.frames)[1]
            first = next((at for at, (_, frame) in enumerate(user)
                          if self.frames[frame].is_python), 0)
            if copy is None or first == 0 or self.frames[user[first][1]].kind != COMPILED:
                continue
            outside = copy.word(copy.fp + 8)
            if outside is not None:
                found[sample.pid, user[0][1], outside].append(
                    (sample.time, user[1:first + 1]))
        self.learn(samples, chains, [(pid, outside) for pid, _, outside in found])
        told = {}
        for (pid, function, outside), entries in found.items():
            address, _ = self.raw.get((pid, outside), (outside, None))
            # Where it leads to one of these frames, the chain has the compiled function.
            entries = [(time, between) for time, between in entries
                       if not any(inner in (address - 1, address) for inner, _ in between)]
            if entries:
                entries.sort(key=operator.itemgetter(0))
                told[pid, function, address] = entries
        return told

    def insert(self, samples, passed_over):
        """Gives samples the frames that were passed over. Returns their weight."""
        weight = 0
        for sample in samples if passed_over else ():
            kernel, user = split_kernel(sample.chain, self.frames)
            if len(user) < 2:
                continue
            entries = passed_over.get((sample.pid, user[0][1], user[1][0]))
            if entries:
                at = bisect.bisect(entries, sample.time, key=operator.itemgetter(0))
                at = min(at, len(entries) - 1)
                sample.chain = kernel + user[:1] + entries[at][1] + user[1:]
                weight += sample.period
        return weight

    # Stacks that are deeper than the kernel looks.

    def complete(self, samples):
        """Gives stacks that the kernel has cut off at their outer end the frames that are missing:
        those which stand outside the same frames in another sample of the thread. Returns how
        many have got them."""
        cut, known = [], collections.defaultdict(list)
        for sample in samples:
            if sample.chain and self.frames[sample.chain[-1][1]].name in ENDS:
                known[sample.tid].append(sample)
            elif len(sample.chain) >= self.max_stack and self._followed_code(
                    split_kernel(sample.chain, self.frames)[1]):
                cut.append(sample)
        ends = {(sample.tid, self._end(sample.chain)) for sample in cut}
        found = {}
        for tid in {tid for tid, _ in ends}:
            for sample in known[tid]:
                numbers = [frame for _, frame in sample.chain]
                # From outside: of a function that calls itself, the outermost call.
                for at in range(len(numbers), SAME_FRAMES - 1, -1):
                    key = tid, tuple(numbers[at - SAME_FRAMES:at])
                    if key in ends and (key not in found or len(found[key]) > len(numbers) - at):
                        found[key] = sample.chain[at:]
        completed = 0
        for sample in cut:
            outside = found.get((sample.tid, self._end(sample.chain)))
            if outside is not None:
                sample.chain = sample.chain + outside
                completed += 1
        return completed

    @staticmethod
    def _end(chain):
        return tuple(frame for _, frame in chain[-SAME_FRAMES:])


def around(thread, time):
    """What whole samples right before and after have in common: frame numbers, outermost first.
    What runs between them has probably been called by the same."""
    times, chains = thread
    at = bisect.bisect(times, time)
    if not 0 < at < len(times):
        return []
    common = []
    for (_, before), (_, after) in zip(reversed(chains[at - 1]), reversed(chains[at])):
        if before != after:
            break
        common.append(before)
    return common


def agreement(chain, expected):
    """How many of the expected outermost frames a chain has."""
    count = 0
    for (_, frame), wanted in zip(reversed(chain), expected):
        if frame != wanted:
            break
        count += 1
    return count


class Index:
    """Where the whole chains of a thread can be found: by the function in which they were taken,
    by each function of a library that they pass, and by the library in which they were taken.
    `reach` is how far in time they may be."""

    def __init__(self, stitcher, wholes, libraries=True, reach=NEAR):
        self.leaf, self.passed, self.library, self.reach = {}, {}, {}, reach
        for whole in wholes:
            for at, (_, number) in enumerate(whole.user):
                frame = stitcher.frames[number]
                if frame.is_python:
                    break
                key = frame.name, frame.dso
                if at == 0:
                    self._add(self.leaf, key, whole.time, whole.user)
                    if libraries:
                        self._add(self.library, frame.dso, whole.time, whole.user)
                entries = self.passed.get(key)
                if entries is None or entries[0][-1] != whole.time:
                    self._add(self.passed, key, whole.time, whole.user[at:])

    @staticmethod
    def _add(table, key, time, chain):
        times, chains = table.setdefault(key, ([], []))
        times.append(time)
        chains.append(chain)

    def callers(self, frame, time, is_leaf, expected):
        """The chain from such a frame on, or None. Having all that is expected outside counts
        most: functions without symbols share their library's name. Then the same function, how
        much is as expected, and time; but a chain that has little of it must be very near."""
        key = frame.name, frame.dso
        best, best_rank = None, None
        tables = [self.passed.get(key)]
        if is_leaf:
            tables = [self.library.get(frame.dso), *tables, self.leaf.get(key)]
        for rank, entries in enumerate(tables):
            for chain, distance in near(entries, time, self.reach):
                agreed = agreement(chain, expected)
                fits = 2 * agreed >= len(expected)
                if not fits and distance > VERY_NEAR:
                    continue
                this = fits, agreed == len(expected), rank, agreed, -distance
                if best is None or this > best_rank:
                    best, best_rank = chain, this
        return best


def near(entries, time, reach):
    """(chain, distance) of the few nearest."""
    if entries is None:
        return
    times, chains = entries
    at = bisect.bisect(times, time)
    for n in range(max(0, at - NEIGHBOURS), min(len(times), at + NEIGHBOURS)):
        distance = abs(times[n] - time)
        if distance <= reach:
            yield chains[n], distance
