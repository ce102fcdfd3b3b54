"""Reads standard input: a report of words, numbers and line lengths."""
import collections
import fileinput
import sys

first = input("first? ")
print(repr(first), sys.stdin.encoding, sys.stdin.isatty())
n = int(input())
rows = [list(map(int, input().split())) for _ in range(n)]
print(rows, [sum(c) for c in zip(*rows)])
words = collections.Counter()
lengths = []
for line in sys.stdin:
    if line.startswith("---"):
        break
    lengths.append(len(line.rstrip("\n")))
    words.update(w.strip(".,;").lower() for w in line.split())
for w, c in sorted(words.items(), key=lambda t: (-t[1], t[0]))[:8]:
    print(f"{w:>10} {'#' * c} {c}")
print(lengths, max(lengths))
print(repr(sys.stdin.readline()), repr(sys.stdin.read(5)), repr(sys.stdin.readline()))
stack = []
for tok in sys.stdin.readline().split():
    if tok in "+-*/":
        b, a = stack.pop(), stack.pop()
        stack.append({"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else None}[tok])
    else:
        stack.append(float(tok))
print(stack)
rest = sys.stdin.readlines()
print(rest, sys.stdin.read() == "")
sys.stdout.write("no newline")
sys.stdout.flush()
sys.stderr.write("to stderr\n")
print("", "a", "b", sep="|", end="!\n", file=sys.stdout, flush=True)
try:
    input("prompt> ")
except EOFError as e:
    print(repr(e))
try:
    print(1, sep=3)
except TypeError as e:
    print(e)
try:
    print(1, foo=3)
except TypeError as e:
    print(e)
input()
