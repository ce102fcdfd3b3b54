"""Life, a bank queue, elementary automata, n-bodies, mazes, text charts."""
import heapq
import itertools
from collections import Counter, deque


def life(cells, n):
    for _ in range(n):
        near = Counter((x + dx, y + dy) for x, y in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
        cells = {c for c, k in near.items() if k == 3 or k == 2 and c in cells}
    return cells


glider = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
g = life(glider, 20)
print(sorted(g), len(life({(1, 1), (2, 1), (2, 3), (4, 2), (5, 1), (6, 1), (7, 1)}, 60)))


def rule(n, width=41, rows=10):
    row = [0] * width
    row[width // 2] = 1
    for _ in range(rows):
        yield "".join(".#"[c] for c in row)
        row = [n >> (row[i - 1] * 4 + row[i] * 2 + row[(i + 1) % width]) & 1 for i in range(width)]


print("\n".join(rule(30)))


class LCG:
    def __init__(self, seed):
        self.s = seed

    def __iter__(self):
        return self

    def __next__(self):
        self.s = (self.s * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        return self.s >> 33


def bank(seed, n, tellers):
    rnd = LCG(seed)
    events, free, line, t, waits = [], tellers, deque(), 0, []
    for i in range(n):
        t += next(rnd) % 5
        heapq.heappush(events, (t, 0, i))
    arrived = {}
    while events:
        now, kind, who = heapq.heappop(events)
        if kind == 0:
            arrived[who] = now
            line.append(who)
        else:
            free += 1
        while free and line:
            w = line.popleft()
            waits.append(now - arrived[w])
            free -= 1
            heapq.heappush(events, (now + 3 + next(rnd) % 6, 1, w))
    return now, sum(waits) / len(waits), max(waits)


print([bank(7, 100, k) for k in (1, 2, 3)])


def maze(w, h, seed):
    rnd = LCG(seed)
    grid = [[1] * (2 * w + 1) for _ in range(2 * h + 1)]
    stack = [(0, 0)]
    grid[1][1] = 0
    while stack:
        x, y = stack[-1]
        opts = [(dx, dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)) if 0 <= x + dx < w and 0 <= y + dy < h and grid[2 * (y + dy) + 1][2 * (x + dx) + 1]]
        if not opts:
            stack.pop()
            continue
        dx, dy = opts[next(rnd) % len(opts)]
        grid[2 * y + 1 + dy][2 * x + 1 + dx] = grid[2 * (y + dy) + 1][2 * (x + dx) + 1] = 0
        stack.append((x + dx, y + dy))
    return grid


def bfs(grid, a, b):
    prev, q = {a: None}, deque([a])
    while q:
        p = q.popleft()
        if p == b:
            break
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            n = p[0] + dx, p[1] + dy
            if n not in prev and not grid[n[1]][n[0]]:
                prev[n] = p
                q.append(n)
    path = []
    while p:
        path.append(p)
        p = prev[p]
    return path[::-1]


m = maze(12, 6, 99)
path = set(bfs(m, (1, 1), (23, 11)))
for y, row in enumerate(m):
    print("".join("*" if (x, y) in path else " █"[c] for x, c in enumerate(row)).rstrip())
print(len(path))


def nbody(steps, dt=0.01):
    bodies = [[0.0, 0.0, 0.0, 0.0, 10.0], [1.0, 0.0, 0.0, 3.0, 0.1], [-2.0, 0.5, 0.3, -2.0, 0.2]]
    for _ in range(steps):
        for a, b in itertools.combinations(bodies, 2):
            dx, dy = a[0] - b[0], a[1] - b[1]
            f = dt / (dx * dx + dy * dy + 1e-3) ** 1.5
            a[2] -= dx * b[4] * f
            a[3] -= dy * b[4] * f
            b[2] += dx * a[4] * f
            b[3] += dy * a[4] * f
        for b in bodies:
            b[0] += dt * b[2]
            b[1] += dt * b[3]
    return bodies


for b in nbody(500):
    print(*b)


def mandel(w=50, h=16):
    for j in range(h):
        yield "".join(" .:-=+*#%@"[min(9, next((k for k, z in enumerate(itertools.accumulate(itertools.repeat(complex(-2.2 + 3.2 * i / w, -1.2 + 2.4 * j / h), 40), lambda z, c: z * z + c)) if abs(z) > 2), 40) // 3)] for i in range(w))


print("\n".join(r.rstrip() for r in mandel()))


def knap(items, cap):
    best = [(0, ())] * (cap + 1)
    for n, (w, v) in sorted(items.items()):
        for c in range(cap, w - 1, -1):
            best[c] = max(best[c], (best[c - w][0] + v, best[c - w][1] + (n,)))
    return best[cap]


print(knap({"a": (12, 4), "b": (2, 2), "c": (1, 1), "d": (4, 10), "e": (1, 2)}, 15))
mat = [[(i * j + i + j) % 7 for j in range(4)] for i in range(4)]
prod = [[sum(a * b for a, b in zip(r, c)) for c in zip(*mat)] for r in mat]
print(prod, [*map(list, zip(*prod))][0], [row[::-1] for row in prod[::-1]][0])


def det(m):
    return m[0][0] if len(m) == 1 else sum((-1) ** j * m[0][j] * det([r[:j] + r[j + 1:] for r in m[1:]]) for j in range(len(m)))


print(det(mat), det([[2, 0, 1], [1, 3, 2], [1, 1, 4]]))
bfs([[0, 0], [0]], (0, 0), (9, 9))
