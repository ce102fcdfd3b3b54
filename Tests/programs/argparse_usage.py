"""argparse: help, defaults, subcommands, groups, and usage errors."""
import argparse
import sys


def build():
    p = argparse.ArgumentParser(prog="tool", description="A tool that does many things, described at some length so that it wraps.", epilog="The end.")
    p.add_argument("--version", action="version", version="%(prog)s 1.2")
    p.add_argument("-v", "--verbose", action="count", default=0, help="more output")
    p.add_argument("--mode", choices=["fast", "slow"], default="fast", help="mode (default: %(default)s)")
    p.add_argument("-n", "--num", type=int, metavar="N", help="a number")
    p.add_argument("--flag", action=argparse.BooleanOptionalAction)
    sub = p.add_subparsers(dest="cmd", title="commands", required=True)
    a = sub.add_parser("add", help="add numbers", aliases=["plus"])
    a.add_argument("nums", nargs="+", type=float)
    a.add_argument("--scale", type=float, default=1)
    b = sub.add_parser("cat")
    b.add_argument("file", nargs="?", default="-")
    g = b.add_mutually_exclusive_group()
    g.add_argument("--up", action="store_true")
    g.add_argument("--down", action="store_const", const="d")
    b.add_argument("-D", action="append", nargs=2, metavar=("K", "V"))
    b.add_argument("rest", nargs=argparse.REMAINDER)
    return p


p = build()
for argv in (["add", "1", "2.5"], ["-vvv", "--num=3", "plus", "1", "--scale", "2"], ["--mode", "slow", "cat", "--up", "f", "-D", "a", "b", "-D", "c", "d"], ["--no-flag", "cat", "x", "y", "--z"], ["--nu", "5", "cat"],
             [], ["bogus"], ["--mode", "x", "cat"], ["--num", "abc", "cat"], ["add"], ["add", "q"], ["cat", "--up", "--down"], ["--version"], ["-h"], ["add", "-h"], ["cat", "-D", "1"], ["--n", "1", "cat"], ["-x", "add", "1"], ["add", "1", "--zzz"], ["--flag=3", "cat"]):
    try:
        print(argv, sorted(vars(p.parse_args(argv)).items()))
    except SystemExit as e:
        sys.stdout.flush()
        print("exit", e.code)
print(p.parse_known_args(["cat", "f"]), p.format_usage())
q = argparse.ArgumentParser(prog="q", fromfile_prefix_chars="@", formatter_class=argparse.ArgumentDefaultsHelpFormatter, add_help=False, exit_on_error=False)
q.add_argument("--x", type=lambda s: int(s, 0), default=7, help="hex ok")
q.add_argument("--list", nargs="*", default=[1])
q.add_argument("--ext", action="extend", nargs="+")
q.add_argument("pos", type=argparse.FileType("r"), nargs="?")
print(q.format_help(), q.parse_args(["--x", "0x1f", "--list", "--ext", "a", "b", "--ext", "c"]))
for argv in (["--x", "zz"], ["@nofile"], ["/nonexistent/file"]):
    try:
        print(q.parse_args(argv))
    except (argparse.ArgumentError, SystemExit) as e:
        print(type(e).__name__, e)


class Upper(argparse.Action):
    def __call__(self, parser, ns, values, option_string=None):
        if values == "err":
            raise argparse.ArgumentError(self, "no err")
        setattr(ns, self.dest, values.upper())


r = argparse.ArgumentParser("r", usage="r [opts]", allow_abbrev=False)
r.add_argument("--up", action=Upper, required=True)
r.add_argument("--tmp", help=argparse.SUPPRESS)
r.set_defaults(extra=1)
print(r.parse_args(["--up", "x"]))
for bad in (lambda: r.add_argument("--up"), lambda: r.add_argument("a", "b"), lambda: r.add_argument("-a", action="nope"), lambda: r.add_argument("--q", nargs=0), lambda: r.add_argument("--q", type=3), lambda: r.add_argument("pos", required=True)):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
for argv in ([], ["--up", "err"], ["--up"], ["--u", "x"]):
    try:
        r.parse_args(argv)
    except SystemExit as e:
        print("exit", e.code)
r.error("final words")
