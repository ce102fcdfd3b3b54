"""Makes one HTML page of a recording: flame graph, time line, tables, and the source with its heat.
The page needs no network and asks for nothing. With --text, the tables go to the terminal."""
import os
import webbrowser

from springprof import page, recording, tables
from springprof.errors import Problem

HELP = "a recording as a page, or as text"


def add_arguments(parser):
    parser.add_argument("file", metavar="FILE", help="what `springprof record` has written")
    parser.add_argument("-o", "--output", metavar="OUT.html",
                        help="where to write (default: FILE with .html)")
    parser.add_argument("--open", action="store_true", help="show it in a browser")
    parser.add_argument("--text", action="store_true", help="print tables instead")
    parser.add_argument("-n", "--rows", type=int, default=20, metavar="N",
                        help="rows of each table of --text (default: %(default)s)")


def run(options):
    result = recording.read(options.file)
    if options.text:
        for line in tables.text(result, max(options.rows, 1)):
            print(line.encode(errors="replace").decode())
        return 0
    output = options.output or os.path.splitext(options.file)[0] + ".html"
    if os.path.abspath(output) == os.path.abspath(options.file):
        raise Problem(f"{output}: is the recording itself; say another name with -o")
    title = "springprof: " + os.path.basename(options.file)
    page.write(recording.read_bytes(options.file), title, output)
    print(output)
    if options.open and not webbrowser.open("file://" + os.path.abspath(output)):
        raise Problem(f"no browser to open {output} with")
    return 0
