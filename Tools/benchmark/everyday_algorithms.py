"""Algorithms and data structures as people write them on an ordinary day: an exercise, a puzzle,
an idea from a textbook. None of them was tuned for, so they show what a new program gains; the
build with profiles is trained with them too. Name -> (function, argument), as in applications.py.
Each takes 5 to 20 ms, and returns what both interpreters have to agree on.
"""
import collections
import hashlib
import heapq
import math
import random
import string
import struct


# ------------------------------------------------------------------ searches and graphs

def grid_path(n):
    """A* over a square with obstacles."""
    chance = random.Random(3)
    blocked = [[chance.random() < 0.25 for _ in range(n)] for _ in range(n)]
    blocked[0][0] = blocked[n - 1][n - 1] = False
    start, goal = (0, 0), (n - 1, n - 1)
    queue, steps, came_from = [(0, start)], {start: 0}, {}
    while queue:
        _, here = heapq.heappop(queue)
        if here == goal:
            break
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            x, y = here[0] + dx, here[1] + dy
            if 0 <= x < n and 0 <= y < n and not blocked[y][x]:
                taken = steps[here] + 1
                if taken < steps.get((x, y), 1e9):
                    steps[x, y] = taken
                    came_from[x, y] = here
                    distance = abs(x - goal[0]) + abs(y - goal[1])
                    heapq.heappush(queue, (taken + distance, (x, y)))
    return steps.get(goal, -1), len(came_from)


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def noughts_and_crosses(n):
    def winner(board):
        for x, y, z in LINES:
            if board[x] != " " and board[x] == board[y] == board[z]:
                return board[x]
        return None

    def best(board, player):
        nonlocal count
        count += 1
        won_by = winner(board)
        if won_by:
            return 1 if won_by == "X" else -1
        moves = [i for i, sign in enumerate(board) if sign == " "]
        if not moves:
            return 0
        scores = []
        for move in moves:
            board[move] = player
            scores.append(best(board, "O" if player == "X" else "X"))
            board[move] = " "
        return max(scores) if player == "X" else min(scores)

    count = 0
    for _ in range(n):
        result = best(list("XO X O   "), "X")
    return result, count


def page_rank(n):
    links = {i: [(i * 7 + k * k) % n for k in range(1, 6)] for i in range(n)}
    ranks = {page: 1 / n for page in links}
    for _ in range(10):
        new = {page: 0.15 / n for page in links}
        for page, targets in links.items():
            share = 0.85 * ranks[page] / len(targets)
            for target in targets:
                new[target] += share
        ranks = new
    return round(max(ranks.values()), 9)


def strong_components(n):
    """Tarjan's algorithm, with a list of work instead of recursion."""
    graph = [[(i * 3 + 1) % n, (i * i + 7) % n, (i + 1) % n if i % 5 else i] for i in range(n)]
    index, low, on_stack = [-1] * n, [0] * n, [False] * n
    stack, sizes, count = [], [], 0
    for start in range(n):
        if index[start] != -1:
            continue
        work = [(start, 0)]
        while work:
            node, first = work.pop()
            if first == 0:
                index[node] = low[node] = count
                count += 1
                stack.append(node)
                on_stack[node] = True
            descended = False
            for k in range(first, len(graph[node])):
                other = graph[node][k]
                if index[other] == -1:
                    work.append((node, k + 1))
                    work.append((other, 0))
                    descended = True
                    break
                elif on_stack[other]:
                    low[node] = min(low[node], index[other])
            if descended:
                continue
            if low[node] == index[node]:
                component = []
                while True:
                    other = stack.pop()
                    on_stack[other] = False
                    component.append(other)
                    if other == node:
                        break
                sizes.append(len(component))
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[node])
    return len(sizes), max(sizes)


# ---------------------------------------------------------------------- data structures

class TreeNode:
    __slots__ = ("key", "left", "right", "red")

    def __init__(self, key):
        self.key = key
        self.left = self.right = None
        self.red = True


def is_red(node):
    return node is not None and node.red


def rotate_left(node):
    top = node.right
    node.right = top.left
    top.left = node
    top.red = node.red
    node.red = True
    return top


def rotate_right(node):
    top = node.left
    node.left = top.right
    top.right = node
    top.red = node.red
    node.red = True
    return top


def flip_colours(node):
    node.red = not node.red
    node.left.red = not node.left.red
    node.right.red = not node.right.red


def insert(node, key):
    if node is None:
        return TreeNode(key)
    if key < node.key:
        node.left = insert(node.left, key)
    elif key > node.key:
        node.right = insert(node.right, key)
    if is_red(node.right) and not is_red(node.left):
        node = rotate_left(node)
    if is_red(node.left) and is_red(node.left.left):
        node = rotate_right(node)
    if is_red(node.left) and is_red(node.right):
        flip_colours(node)
    return node


def depth(node):
    return 0 if node is None else 1 + max(depth(node.left), depth(node.right))


def red_black_tree(n):
    root, x = None, 1
    for _ in range(n):
        x = x * 1103515245 + 12345 & 0x7fffffff
        root = insert(root, x % 10007)
        root.red = False
    return depth(root)


class HashMap:
    def __init__(self):
        self.buckets = [[] for _ in range(64)]
        self.size = 0

    def __setitem__(self, key, value):
        bucket = self.buckets[hash(key) % len(self.buckets)]
        for i, (other, _) in enumerate(bucket):
            if other == key:
                bucket[i] = (key, value)
                return
        bucket.append((key, value))
        self.size += 1
        if self.size > 2 * len(self.buckets):
            self.grow()

    def __getitem__(self, key):
        for other, value in self.buckets[hash(key) % len(self.buckets)]:
            if other == key:
                return value
        raise KeyError(key)

    def __contains__(self, key):
        return any(other == key for other, _ in self.buckets[hash(key) % len(self.buckets)])

    def grow(self):
        old = self.buckets
        self.buckets = [[] for _ in range(2 * len(old))]
        for bucket in old:
            for key, value in bucket:
                self.buckets[hash(key) % len(self.buckets)].append((key, value))


def hash_map(n):
    numbers, total = HashMap(), 0
    for i in range(n):
        numbers[i * 37 % 1000] = i
    for i in range(n):
        total += numbers[i * 37 % 1000] if i * 37 % 1000 in numbers else 0
    return total


class Square:
    """A node of a tree whose leaves hold up to eight points."""
    __slots__ = ("x", "y", "side", "points", "quarters")

    def __init__(self, x, y, side):
        self.x = x
        self.y = y
        self.side = side
        self.points = []
        self.quarters = None

    def add(self, point):
        if self.quarters is None:
            self.points.append(point)
            if len(self.points) > 8 and self.side > 1e-3:
                self.split()
        else:
            self.quarter(point).add(point)

    def quarter(self, point):
        half = self.side / 2
        return self.quarters[(point[0] >= self.x + half) + 2 * (point[1] >= self.y + half)]

    def split(self):
        half = self.side / 2
        self.quarters = [Square(self.x, self.y, half), Square(self.x + half, self.y, half),
                         Square(self.x, self.y + half, half),
                         Square(self.x + half, self.y + half, half)]
        for point in self.points:
            self.quarter(point).add(point)
        self.points = []

    def count(self, x0, y0, x1, y1):
        if x1 < self.x or y1 < self.y or x0 > self.x + self.side or y0 > self.y + self.side:
            return 0
        if self.quarters is None:
            return sum(1 for x, y in self.points if x0 <= x <= x1 and y0 <= y <= y1)
        return sum(quarter.count(x0, y0, x1, y1) for quarter in self.quarters)


def quad_tree(n):
    chance, whole = random.Random(2), Square(0, 0, 1)
    for _ in range(n):
        whole.add((chance.random(), chance.random()))
    return sum(whole.count(i / 50, i / 60, i / 50 + 0.2, i / 60 + 0.1) for i in range(40))


class Tower:
    __slots__ = ("key", "following")

    def __init__(self, key, levels):
        self.key = key
        self.following = [None] * levels


def skip_list(n):
    levels = 12
    chance, head = random.Random(9), Tower(-1, levels)

    def add(key):
        before, tower = [head] * levels, head
        for level in range(levels - 1, -1, -1):
            while tower.following[level] is not None and tower.following[level].key < key:
                tower = tower.following[level]
            before[level] = tower
        height = 1
        while chance.random() < 0.5 and height < levels:
            height += 1
        new = Tower(key, height)
        for level in range(height):
            new.following[level] = before[level].following[level]
            before[level].following[level] = new

    for _ in range(n):
        add(chance.randrange(10**6))
    count, tower = 0, head.following[0]
    while tower:
        count += 1
        tower = tower.following[0]
    return count


def sliding_maximum(n):
    values, width = [i * 7919 % 1009 for i in range(n)], 50
    window, total = collections.deque(), 0
    for i, value in enumerate(values):
        while window and values[window[-1]] <= value:
            window.pop()
        window.append(i)
        if window[0] <= i - width:
            window.popleft()
        if i >= width - 1:
            total += values[window[0]]
    return total


# -------------------------------------------------------------------------------- numbers

def k_means(n):
    chance = random.Random(1)
    points = [(chance.random(), chance.random()) for _ in range(n)]
    centres = points[:5]
    for _ in range(6):
        groups = [[] for _ in centres]
        for p in points:
            nearest = min(range(len(centres)),
                          key=lambda i: (p[0] - centres[i][0])**2 + (p[1] - centres[i][1])**2)
            groups[nearest].append(p)
        centres = [(sum(p[0] for p in group) / len(group), sum(p[1] for p in group) / len(group))
                   if group else centre for group, centre in zip(groups, centres)]
    return [round(x, 6) for x, _ in centres]


def fourier(n):
    """Of 2**n numbers."""
    def transformed(a):
        m = len(a)
        if m == 1:
            return a
        even, odd = transformed(a[::2]), transformed(a[1::2])
        turned = [(math.cos(2 * math.pi * k / m) - 1j * math.sin(2 * math.pi * k / m)) * odd[k]
                  for k in range(m // 2)]
        return ([even[k] + turned[k] for k in range(m // 2)]
                + [even[k] - turned[k] for k in range(m // 2)])
    return round(abs(transformed([complex(i % 7, 0) for i in range(2**n)])[1]), 6)


def linear_equations(n):
    rows = [[1.0 / (i + j + 1) + (i == j) for j in range(n)] + [float(i)] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            for c in range(i, n + 1):
                rows[r][c] -= factor * rows[i][c]
    solution = [0.0] * n
    for i in reversed(range(n)):
        known = sum(rows[i][j] * solution[j] for j in range(i + 1, n))
        solution[i] = (rows[i][n] - known) / rows[i][i]
    return round(sum(solution), 6)


def monte_carlo(n):
    chance, hits = random.Random(7), 0
    for _ in range(n):
        x, y = chance.random(), chance.random()
        if x * x + y * y < 1:
            hits += 1
    return 4 * hits / n


def collatz(n):
    lengths, longest = {1: 1}, (0, 0)
    for i in range(1, n):
        x, path = i, []
        while x not in lengths:
            path.append(x)
            x = x // 2 if x % 2 == 0 else 3 * x + 1
        length = lengths[x]
        for passed in reversed(path):
            length += 1
            lengths[passed] = length
        if lengths[i] > longest[0]:
            longest = (lengths[i], i)
    return longest


def bit_counts(n):
    total = 0
    for i in range(n):
        x, count = i * 2654435761 & 0xffffffff, 0
        while x:
            x &= x - 1
            count += 1
        total += count + bin(i).count("1") + i.bit_length()
    return total


def number_bases(n):
    digits = string.digits + string.ascii_lowercase

    def written(x, base):
        reversed_digits = []
        while x:
            x, rest = divmod(x, base)
            reversed_digits.append(digits[rest])
        return "".join(reversed(reversed_digits)) or "0"
    return sum(int(written(i * 7919, 36), 36) == i * 7919 for i in range(n))


def pascal_triangle(n):
    row = [1]
    for _ in range(n):
        row = [1] + [a + b for a, b in zip(row, row[1:])] + [1]
    return sum(row) % 1000007, len(str(row[n // 2]))


def fish(n):
    """Fish that move, multiply and grow old in a sea without edges."""
    width, height, chance = 30, 20, random.Random(4)

    def somewhere():
        return chance.randrange(width), chance.randrange(height)

    ages = {somewhere(): 0 for _ in range(150)}
    for _ in range(n):
        new = {}
        for (x, y), age in ages.items():
            places = [((x + dx) % width, (y + dy) % height)
                      for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
            places = [place for place in places if place not in new and place not in ages]
            if places:
                place = chance.choice(places)
                if age > 3 and len(new) < 400:
                    new[x, y] = 0
                    age = 0
                new[place] = age + 1
            else:
                new[x, y] = age + 1
        ages = {place: age for place, age in new.items() if age < 8}
        if len(ages) < 50:
            ages.update({somewhere(): 0 for _ in range(100)})
    return len(ages)


# ------------------------------------------------------------------- codes and ciphers

SUBSTITUTES = [(x * 7 + 3) % 256 for x in range(256)]
ROUND_KEY = [i * 31 & 255 for i in range(16)]


def substituted(block):
    return [SUBSTITUTES[byte] for byte in block]


def shifted(block):
    return [block[(i + 4 * (i % 4)) % 16] for i in range(16)]


def mixed(block):
    out = []
    for column in range(4):
        a = block[4 * column:4 * column + 4]
        b = [((x << 1) ^ (0x1b if x & 0x80 else 0)) & 255 for x in a]
        out += [b[0] ^ a[3] ^ a[2] ^ b[1] ^ a[1], b[1] ^ a[0] ^ a[3] ^ b[2] ^ a[2],
                b[2] ^ a[1] ^ a[0] ^ b[3] ^ a[3], b[3] ^ a[2] ^ a[1] ^ b[0] ^ a[0]]
    return out


def block_cipher(n):
    """Rounds like those of AES."""
    block = list(range(16))
    for _ in range(n):
        for _ in range(10):
            block = [x ^ key for x, key in zip(mixed(shifted(substituted(block))), ROUND_KEY)]
    return block


SINES = [int(abs(math.sin(i + 1)) * 2**32) & 0xffffffff for i in range(64)]
TURNS = [7, 12, 17, 22] * 4 + [5, 9, 14, 20] * 4 + [4, 11, 16, 23] * 4 + [6, 10, 15, 21] * 4


def md5(message):
    padded = bytearray(message)
    padded.append(0x80)
    while len(padded) % 64 != 56:
        padded.append(0)
    padded += (len(message) * 8).to_bytes(8, "little")
    state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
    for at in range(0, len(padded), 64):
        words = struct.unpack("<16I", padded[at:at + 64])
        a, b, c, d = state
        for i in range(64):
            if i < 16:
                f = (b & c) | (~b & d)
                g = i
            elif i < 32:
                f = (d & b) | (~d & c)
                g = (5 * i + 1) % 16
            elif i < 48:
                f = b ^ c ^ d
                g = (3 * i + 5) % 16
            else:
                f = c ^ (b | ~d)
                g = 7 * i % 16
            f = (f + a + SINES[i] + words[g]) & 0xffffffff
            a, d, c = d, c, b
            b = (b + ((f << TURNS[i]) | (f >> (32 - TURNS[i])))) & 0xffffffff
        state = [(old + new) & 0xffffffff for old, new in zip(state, (a, b, c, d))]
    return struct.pack("<4I", *state)


def md5_by_hand(n):
    message = b"x" * n
    digest = md5(message)
    assert digest == hashlib.md5(message).digest()
    return digest.hex()


def lzw(n):
    text = "the rain in spain falls mainly on the plain " * n
    codes, word, out = {chr(i): i for i in range(256)}, "", []
    for char in text:
        longer = word + char
        if longer in codes:
            word = longer
        else:
            out.append(codes[word])
            codes[longer] = len(codes)
            word = char
    out.append(codes[word])
    words, last = {i: chr(i) for i in range(256)}, chr(out[0])
    parts = [last]
    for code in out[1:]:
        entry = words[code] if code in words else last + last[0]
        parts.append(entry)
        words[len(words)] = last + entry[0]
        last = entry
    assert "".join(parts) == text
    return len(out)


def vigenere(n):
    text, key = "ATTACKATDAWN" * n, "LEMON"
    secret = "".join(chr((ord(char) - 65 + ord(key[i % 5]) - 65) % 26 + 65)
                     for i, char in enumerate(text))
    read = "".join(chr((ord(char) - ord(key[i % 5])) % 26 + 65) for i, char in enumerate(secret))
    assert read == text
    return secret[:12]


def burrows_wheeler(n):
    """Of n blocks, each written as positions in a list whose front is what was seen last."""
    total = 0
    for block in range(n):
        text = ("banana_bandana" * 20)[block % 14:][:250] + "\0"
        rotations = sorted(range(len(text)), key=lambda i: text[i:] + text[:i])
        recent = list(string.printable) + ["\0"]
        for i in rotations:
            position = recent.index(text[i - 1])
            total += position
            recent.insert(0, recent.pop(position))
    return total


EVERYDAY_ALGORITHMS = {
    "grid_path": (grid_path, 110), "noughts_and_crosses": (noughts_and_crosses, 80),
    "page_rank": (page_rank, 2000), "strong_components": (strong_components, 6000),
    "red_black_tree": (red_black_tree, 4000), "hash_map": (hash_map, 8000),
    "quad_tree": (quad_tree, 6000), "skip_list": (skip_list, 5000),
    "sliding_maximum": (sliding_maximum, 40000), "k_means": (k_means, 1500), "fourier": (fourier, 12),
    "linear_equations": (linear_equations, 85), "monte_carlo": (monte_carlo, 80000),
    "collatz": (collatz, 20000), "bit_counts": (bit_counts, 14000),
    "number_bases": (number_bases, 14000), "pascal_triangle": (pascal_triangle, 600),
    "fish": (fish, 28), "block_cipher": (block_cipher, 160), "md5_by_hand": (md5_by_hand, 30000),
    "lzw": (lzw, 2000), "vigenere": (vigenere, 3500), "burrows_wheeler": (burrows_wheeler, 120),
}
