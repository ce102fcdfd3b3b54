"""The command line: a command for each module of springprof.commands.

A command's module has

    HELP                    one line for the list of commands; the module's docstring is the rest
    add_arguments(parser)   options and arguments
    run(options)            does it; returns the exit code (None is 0), or raises Problem

and is named as the command is. Nothing lists the commands: a new file is a new command.
"""
import argparse
import importlib
import os
import pkgutil
import signal
import sys

from springprof import commands, perf
from springprof.errors import Problem, one_line

# Usage errors have 2, as argparse has it; a problem of ours must not look like one.
EXIT_PROBLEM = 1


def command_names():
    return sorted(info.name for info in pkgutil.iter_modules(commands.__path__)
                  if not info.name.startswith("_"))


def command_module(name):
    return importlib.import_module(f"springprof.commands.{name}")


def make_parser():
    parser = argparse.ArgumentParser(
        prog="springprof", description="Shows where the time of a Python program goes.",
        epilog="`springprof COMMAND --help` describes a command.")
    parsers = parser.add_subparsers(metavar="COMMAND", dest="command", required=True)
    for name in command_names():
        module = command_module(name)
        sub = parsers.add_parser(name, help=module.HELP, description=module.__doc__,
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser


def split_program(arguments):
    """What stands before and after the first `--`: the second part is a program's own."""
    if "--" not in arguments:
        return arguments, None
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1:]


def fill_closed_streams():
    """Files that are opened later must not become somebody's standard output."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            # The lowest number that is free.
            stream = open(os.devnull, "w" if number else "r", encoding="utf-8")
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)
            perf.closed_at_start.append(number)


def main(arguments=None):
    fill_closed_streams()
    arguments = sys.argv[1:] if arguments is None else arguments
    own, program = split_program(arguments)
    parser = make_parser()
    options, unknown = parser.parse_known_args(own)
    options.after_dashes = program
    if unknown:
        hint = ""
        if options.command == "record" and program is None:
            hint = "; what is to run stands behind --: springprof record -- " + " ".join(unknown)
        parser.error("unrecognized arguments: " + " ".join(unknown) + hint)
    try:
        return options.run(options) or 0
    except BrokenPipeError:
        # The reader of our output (head, less) has gone; that is no failure.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except (Problem, OSError) as error:
        print(f"springprof: {one_line(error)}", file=sys.stderr)
        return EXIT_PROBLEM
