"""Writes compile_commands.json: for clangd and clang-tidy, how each file is compiled.

usage: compile_commands.py FLAGS-FILE MORE-FLAGS SOURCES OUTPUT FILE...

FLAGS-FILE has the compiler and its options, as a shell reads them.
"""
import json
import os
import shlex
import sys


def main(flags_file, more, source, output, *files):
    with open(flags_file) as f:
        command = shlex.split(f.read() + more)
    if os.path.basename(command[0]) == "ccache":
        del command[0]
    rows = [{"directory": os.getcwd(), "file": os.path.join(source, name),
             "arguments": [*command, "-c", os.path.join(source, name)]} for name in files]
    with open(output, "w") as f:
        json.dump(rows, f, indent=0)


main(*sys.argv[1:])
