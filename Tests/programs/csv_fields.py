"""Fields that are parts of a line and fields that are not, in all dialects: random lines."""
import csv
import io
import itertools
import random

CHARACTERS = 'ab,;"\'\\ \n\r\t1.5é€\0|'
r = random.Random(11)


def outcome(lines, options, limit):
    csv.field_size_limit(limit)
    reader = csv.reader(lines, **options)
    rows = []
    try:
        for row in reader:
            rows.append(row)
    except Exception as e:
        rows.append((type(e).__name__, str(e)))
    return rows, reader.line_num


def texts():
    for _ in range(30):
        n = r.choice((3, 10, 30, 100))
        yield "".join(r.choices(CHARACTERS, k=n))
    for _ in range(10):
        yield "\n".join(",".join(r.choice(("", "a", '"q"', '"x,y"', '"d""q"', " s", "1", "2.5", '"',
                                           'a"b', "é", "€uro", "\\,e", '"open'))
                                 for _ in range(r.randrange(1, 8)))
                        for _ in range(r.randrange(1, 6)))


for quoting, doublequote, escape, skip, strict in itertools.product(
        (csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC, csv.QUOTE_NONE), (True, False), (None, "\\", '"'),
        (False, True), (False, True)):
    options = {"quoting": quoting, "doublequote": doublequote, "escapechar": escape,
               "skipinitialspace": skip, "strict": strict,
               "delimiter": r.choice(",,,;|é \n"), "quotechar": r.choice("\"\"\"' ,")}
    results = [outcome(io.StringIO(text, newline=r.choice(("", None))) if r.random() < 0.7
                       else text.splitlines(), options, r.choice((131072, 131072, 3)))
               for text in texts()]
    print(options)
    for result in results:
        print(ascii(result)[:400])
