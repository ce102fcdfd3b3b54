"""The iterator of a comprehension is alive until tracers and profilers have heard of its end."""
import sys


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        self.n -= 1
        if self.n < 0:
            raise StopIteration
        return self.n

    def __del__(self):
        print("the iterator dies")


def tracer(frame, event, arg):
    if frame.f_code.co_name[0] == "<" and frame.f_code.co_name != "<module>":
        print(event, sorted(frame.f_locals), arg if event != "exception" else arg[0])
    return tracer


def main():
    print(list(z for z in Countdown(2)), [z for z in Countdown(1)])
    print([y for z in Countdown(2) for y in Countdown(z)])
    print(next((z for z in Countdown(2) if z > 5), None))


sys.settrace(tracer)
main()
sys.settrace(None)
sys.setprofile(tracer)
main()
sys.setprofile(None)
main()
