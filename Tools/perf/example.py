"""Three functions that keep the processor busy, for a first look with perf.

    perf record -F 999 -g -o perf.data python -X perf Tools/perf/example.py
    perf report --stdio --no-children -i perf.data

foo() works by itself, bar() works and calls foo(), baz() works and calls bar().
"""
import sys
import time


def foo(n):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total


def bar(n):
    total = 0
    for i in range(n):
        total += i * i % 5
    return total + foo(n)


def baz(n):
    total = 0
    for i in range(n):
        total += i * i % 3
    return total + bar(n)


def main(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        baz(20_000)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
