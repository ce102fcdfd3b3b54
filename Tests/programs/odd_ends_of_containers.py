# What an iterator, an empty slice, a dialect and an array do at the edges of their contracts.
import array
import csv
import itertools
from collections import OrderedDict

for make in iter, reversed, lambda o: iter(o.items()), lambda o: iter(o.values()):
    for change in (OrderedDict.clear, lambda o: o.pop("b"), lambda o: o.update(z=1),
                   lambda o: o.move_to_end("a")):
        for steps in 0, 1:
            ordered = OrderedDict(a=1, b=2, c=3)
            iterator = make(ordered)
            for _ in range(steps):
                next(iterator)
            change(ordered)
            said = []
            for _ in range(3):
                try:
                    said.append(next(iterator))
                except (RuntimeError, StopIteration) as e:
                    said.append(repr(e))
            print(steps, said, list(ordered))

for start, stop, step in itertools.product((None, -3, 0, 1, 9), (None, -1, 0, 2), (1, 2, -1, -3)):
    for other in array.array("i"), array.array("i", [7]), array.array("i", [7, 8]):
        numbers = array.array("i", range(5))
        try:
            numbers[start:stop:step] = other
        except ValueError as e:
            print(e)
        print(start, stop, step, numbers.tolist())
    numbers = array.array("i", range(5))
    with memoryview(numbers):
        for other in None, array.array("i"), array.array("i", [7]):
            try:
                if other is None:
                    del numbers[start:stop:step]
                else:
                    numbers[start:stop:step] = other
                print("done")
            except (BufferError, ValueError) as e:
                print(e)
    view = memoryview(bytes(6))[start:stop:step]
    print(view.shape, view.strides, view.contiguous, view.c_contiguous, view.f_contiguous)
    try:
        print(view.cast("b").tolist())
    except TypeError as e:
        print(e)

WRONG = {"delimiter": "ab", "escapechar": 1, "lineterminator": None, "quotechar": "ab",
         "quoting": -1}
for first, second in itertools.combinations(WRONG, 2):
    for quotechar in '"', None:
        try:
            csv.reader([], **{"quotechar": quotechar, first: WRONG[first], second: WRONG[second]})
        except TypeError as e:
            print(first, second, quotechar, e)
for options in ({"lineterminator": None}, {"quoting": 4},
                {"quotechar": None, "quoting": 1, "lineterminator": None}):
    try:
        csv.reader([], **options)
    except TypeError as e:
        print(options, e)
