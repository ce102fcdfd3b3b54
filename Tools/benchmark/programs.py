"""The benchmark programs: name -> (function, argument). Each stands for a kind
of Python code; sizes give a run of some tens of milliseconds."""


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def nbody(steps):
    bodies = [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.47],
              [4.84, -1.16, -0.10, 0.60, 2.81, -0.02, 0.037],
              [8.34, 4.12, -0.40, -1.01, 1.82, 0.008, 0.011],
              [12.89, -15.11, -0.22, 1.08, 0.86, -0.01, 0.0017]]
    for _ in range(steps):
        for i in range(4):
            a = bodies[i]
            for j in range(i + 1, 4):
                b = bodies[j]
                dx, dy, dz = a[0] - b[0], a[1] - b[1], a[2] - b[2]
                mag = 0.01 / ((dx * dx + dy * dy + dz * dz) ** 1.5)
                am, bm = a[6] * mag, b[6] * mag
                a[3] -= dx * bm
                a[4] -= dy * bm
                a[5] -= dz * bm
                b[3] += dx * am
                b[4] += dy * am
                b[5] += dz * am
        for a in bodies:
            a[0] += 0.01 * a[3]
            a[1] += 0.01 * a[4]
            a[2] += 0.01 * a[5]
    return bodies[0][0]


def spectral_norm(n):
    def a(i, j):
        return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)

    def times(v):
        return [sum(a(i, j) * v[j] for j in range(n)) for i in range(n)]

    u = [1.0] * n
    for _ in range(3):
        u = times(u)
    return sum(u)


def fannkuch(n):
    from itertools import permutations
    most = 0
    for perm in permutations(range(n)):
        flips, perm = 0, list(perm)
        k = perm[0]
        while k:
            perm[:k + 1] = perm[k::-1]
            flips += 1
            k = perm[0]
        if flips > most:
            most = flips
    return most


class Task:
    """A queue of packets, as in the richards benchmark."""

    def __init__(self, ident, priority, next_task):
        self.ident, self.priority, self.next = ident, priority, next_task
        self.queue, self.done = [], 0

    def add(self, packet):
        self.queue.append(packet)
        return self

    def step(self, tasks):
        if not self.queue:
            return self.next
        packet = self.queue.pop()
        self.done += 1
        packet.hops -= 1
        if packet.hops > 0:
            return tasks[(self.ident + packet.hops) % len(tasks)].add(packet)
        return self.next


class Packet:
    __slots__ = ("hops",)

    def __init__(self, hops):
        self.hops = hops


def richards(rounds):
    tasks = []
    for i in range(6):
        tasks.append(Task(i, i * 10, tasks[-1] if tasks else None))
    for r in range(rounds):
        for task in tasks:
            task.add(Packet(r % 17))
        task = tasks[-1]
        while task is not None:
            task = task.step(tasks)
    return sum(t.done for t in tasks)


class Variable:
    def __init__(self, value):
        self.value, self.constraints = value, []


class Constraint:
    def __init__(self, a, b):
        self.a, self.b = a, b
        a.constraints.append(self)

    def execute(self):
        self.b.value = self.a.value + 1


def deltablue(n):
    first = last = Variable(0)
    for _ in range(200):
        new = Variable(0)
        Constraint(last, new)
        last = new
    for i in range(n):
        first.value = i
        todo = [first]
        while todo:
            for c in todo.pop().constraints:
                c.execute()
                todo.append(c.b)
    return last.value


def strings(n):
    parts = []
    for i in range(n):
        parts.append("item %d: %s" % (i, f"{i:05d}".upper()))
    text = ",".join(parts)
    return len(text.replace("ITEM", "x").split(","))


def dict_list(n):
    counts = {}
    for i in range(n):
        key = i * 7919 % 1009
        counts[key] = counts.get(key, 0) + 1
    items = [(v, k) for k, v in counts.items()]
    items.sort()
    return items[0]


def generators(n):
    def numbers():
        for i in range(n):
            yield i

    def evens(source):
        for x in source:
            if not x & 1:
                yield x
    return sum(evens(numbers()))


def exceptions(n):
    caught = 0
    for i in range(n):
        try:
            if i % 3:
                raise ValueError(i)
        except ValueError as e:
            caught += e.args[0] & 1
    return caught


def comprehension(n):
    return len([x * x for x in range(n) if x % 3]) + len({x % 97 for x in range(n)})


def sort_key(n):
    values = [(i * 7919) % n for i in range(n)]
    return sorted(values, key=lambda v: -v)[0]


def pi_digits(n):
    out, q, r, t, k, m, x = [], 1, 0, 1, 1, 3, 3
    while len(out) < n:
        if 4 * q + r - t < m * t:
            out.append(m)
            q, r, m = 10 * q, 10 * (r - m * t), (10 * (3 * q + r)) // t - 10 * m
        else:
            q, r, t, k, m, x = (q * k, (2 * q + r) * x, t * x, k + 1,
                                (q * (7 * k + 2) + r * x) // (t * x), x + 2)
    return out[-1]


PROGRAMS = {
    "fib": (fib, 23), "nbody": (nbody, 3000), "spectral_norm": (spectral_norm, 60),
    "fannkuch": (fannkuch, 7), "richards": (richards, 2500), "deltablue": (deltablue, 100),
    "strings": (strings, 20000), "dict_list": (dict_list, 80000),
    "generators": (generators, 100000), "exceptions": (exceptions, 40000),
    "comprehension": (comprehension, 100000), "sort_key": (sort_key, 50000),
    "pi_digits": (pi_digits, 500),
}
