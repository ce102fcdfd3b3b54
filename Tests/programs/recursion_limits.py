"""Recursion of many kinds, and the report of a RecursionError."""
import functools
import sys

sys.setrecursionlimit(200)


def down(n):
    return 0 if n == 0 else 1 + down(n - 1)


print(down(150))


@functools.cache
def ways(n, coins=(50, 25, 10, 5, 1)):
    if n == 0:
        return 1
    if n < 0 or not coins:
        return 0
    return ways(n - coins[0], coins) + ways(n, coins[1:])


print(ways(100))


def hanoi(n, a="A", b="B", c="C"):
    if n:
        yield from hanoi(n - 1, a, c, b)
        yield a + c
        yield from hanoi(n - 1, b, a, c)


print(len(list(hanoi(8))), " ".join(hanoi(3)))


def ackermann(m, n):
    return n + 1 if m == 0 else ackermann(m - 1, 1) if n == 0 else ackermann(m - 1, ackermann(m, n - 1))


print(ackermann(2, 5))


def queens(n, cols=()):
    r = len(cols)
    if r == n:
        yield cols
        return
    for c in range(n):
        if all(c != k and abs(c - k) != r - i for i, k in enumerate(cols)):
            yield from queens(n, cols + (c,))


print(len(list(queens(6))), next(queens(8)))


def perms(s):
    return [s] if len(s) <= 1 else [c + p for i, c in enumerate(s) for p in perms(s[:i] + s[i + 1:])]


print(perms("abc"))


def solve(board):
    for i in range(81):
        if board[i] == 0:
            r, c = divmod(i, 9)
            used = {board[r * 9 + k] for k in range(9)} | {board[k * 9 + c] for k in range(9)} | {board[(r // 3 * 3 + k // 3) * 9 + c // 3 * 3 + k % 3] for k in range(9)}
            for v in range(1, 10):
                if v not in used:
                    board[i] = v
                    if solve(board):
                        return True
            board[i] = 0
            return False
    return True


b = [int(x) for x in "530070000600195000098000060800060003400803001700020006060000280000419005000080079"]
b[2], b[3] = 4, 6
print(solve(b), b[:18])


class R:
    def __repr__(self):
        return repr(self)

    def __eq__(self, o):
        return self == o

    def __getattr__(self, n):
        return getattr(self, n + "x")

    def __hash__(self):
        return hash(self)

    def __len__(self):
        return len(self)

    def __iter__(self):
        return iter(self)

    def __call__(self):
        return self()

    def __add__(self, o):
        return self + o

    def __str__(self):
        return f"{self}"


nest = []
for _ in range(3000):
    nest = [nest]
deep = {}
for _ in range(3000):
    deep = {1: deep}
tup = ()
for _ in range(3000):
    tup = (tup,)
for f in (lambda: repr(R()), lambda: R() == R(), lambda: R().a, lambda: hash(R()), lambda: len(R()), lambda: iter(R()), lambda: R()(), lambda: R() + 1, lambda: str(R()), lambda: repr(nest), lambda: repr(deep), lambda: hash(tup), lambda: nest == [nest], lambda: down(10 ** 6), lambda: isinstance(1, tup), lambda: list(hanoi(500))[:1]):
    try:
        r = f()
        print("ok", type(r).__name__)
    except RecursionError as e:
        print(e)
self_l = [1]
self_l.append(self_l)
self_d = {"k": self_l}
self_l.append(self_d)
print(self_l, self_d)
for bad in (0, -1, "a", 1 << 40):
    try:
        sys.setrecursionlimit(bad)
    except Exception as e:
        print(type(e).__name__, e)
print(sys.getrecursionlimit())


def ping(n):
    return pong(n + 1)


def pong(n):
    try:
        return ping(n)
    finally:
        n


def same(n):
    return same(n + 1)


try:
    same(0)
except RecursionError as e:
    depth = 0
    tb = e.__traceback__
    while tb:
        depth += 1
        tb = tb.tb_next
    print(depth)
ping(0)
