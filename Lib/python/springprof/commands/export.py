"""Writes a recording in another tool's format:

    pprof       go tool pprof, and services that take its files
    speedscope  https://www.speedscope.app
    collapsed   flamegraph.pl and relatives
    firefox     https://profiler.firefox.com

With lines, if it was recorded with lines."""
import os
import sys

from springprof import exports, recording

HELP = "a recording in another tool's format"


def add_arguments(parser):
    parser.add_argument("file", metavar="FILE", help="what `springprof record` has written")
    parser.add_argument("--format", "-f", choices=exports.FORMATS, required=True)
    parser.add_argument("-o", "--output", metavar="OUT",
                        help="where to write; - is standard output (default: beside FILE)")


def run(options):
    module = exports.module(options.format)
    data = module.make(recording.read(options.file))
    if options.output == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return 0
    output = options.output or os.path.splitext(options.file)[0] + module.SUFFIX
    with open(output, "wb") as file:
        file.write(data)
    print(output)
    return 0
