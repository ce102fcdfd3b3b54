"""Compares two recordings: what share of its time does each spend where? A and B may be of
different length. The page shows grown frames red and shrunken ones blue; --text prints tables.

Compares only what was recorded in the same way."""
import os

from springprof import comparison, page, recording, tables
from springprof.errors import Problem

HELP = "what has grown and what has shrunk between two recordings"


def add_arguments(parser):
    parser.add_argument("before", metavar="A")
    parser.add_argument("after", metavar="B")
    parser.add_argument("-o", "--output", metavar="OUT.html",
                        help="where to write (default: A-B.html, beside B)")
    parser.add_argument("--text", action="store_true", help="print a table instead")
    parser.add_argument("-n", "--rows", type=int, default=20, metavar="N",
                        help="rows of the table (default: %(default)s)")


def text(a, b, count):
    before = comparison.shares(a, tables.Tables(a))
    after = comparison.shares(b, tables.Tables(b))
    moved = comparison.same_files(a, b)
    before = {(name, moved.get(file, file), python): value
              for (name, file, python), value in before.items()}
    rows = []
    for key in before.keys() | after.keys():
        left, right = before.get(key, (0, 0)), after.get(key, (0, 0))
        rows.append((right[0] - left[0], left, right, key))
    for title, python in ("Python function", True), ("C function", False):
        yield f"{'own':>8}{'':>10}{'total':>12}{'':>10}{'change of own':>16}  {title}"
        chosen = sorted((row for row in rows if row[3][2] == python),
                        key=lambda row: (-abs(row[0]), row[3][:2]))
        for change, left, right, key in chosen[:count]:
            yield (f"{left[0]:8.1%}{' ->':3}{right[0]:7.1%}{left[1]:12.1%}{' ->':3}{right[1]:7.1%}"
                   f"{change:+16.1%}  {key[0]}  {key[1]}")
        yield ""


def run(options):
    names = options.before, options.after
    a, b = map(recording.read, names)
    if options.text:
        comparison.check(a, b, names)
        for line in text(a, b, max(options.rows, 1)):
            print(line.encode(errors="replace").decode())
        return 0
    merged = comparison.merge(a, b, names)
    stem = [os.path.splitext(os.path.basename(name))[0] for name in names]
    output = options.output or os.path.join(os.path.dirname(options.after),
                                            "-".join(stem) + ".html")
    if os.path.abspath(output) in map(os.path.abspath, names):
        raise Problem(f"{output}: is one of the recordings; say another name with -o")
    page.write(recording.pack(merged), f"springprof: {stem[0]} and {stem[1]}", output)
    print(output)
    return 0
