#!/usr/bin/python3.11
"""Does every opcode handler of a gcc build end with a jump to the next one?

usage: jumps.py PROGRAM

gcc jumps where it can and calls otherwise; then each execution of the instruction takes C
stack that is not given back until the evaluator returns. objdump shows the program's code
(x86-64): the next handler is taken from a table, at an index of 16 bits. A handler is a
function called op_NAME; one that jumps to the next handler, or to a handler; and one that a
handler jumps to and that calls one. It must not call a handler or the next one. ENTRIES are
functions that C code runs a frame with; they may end with a jump, too.

The last line is that of a suite: one passed for each handler that ends well.
"""
import re
import subprocess
import sys

ENTRIES = {"_PyEval_EvalFrameDefault", "_PyEval_EvalFrameUnshown", "_PyEval_EvalFrameShown",
           "_PyEval_EvalFrame", "_PyEval_Vector"}

FUNCTION = re.compile(r"^([0-9a-f]+) <(.+)>:$")
INSTRUCTION = re.compile(r"^\s*[0-9a-f]+:\t(\w+)\s*(.*?)\s*(?:#.*)?$")
ENTRY_OF_TABLE = r"(?:0x[0-9a-f]+)?\((%\w+),(%\w+),8\)"
LOAD = re.compile(rf"^{ENTRY_OF_TABLE},(%\w+)$")
THROUGH = re.compile(rf"^\*{ENTRY_OF_TABLE}$")
ADDRESS = re.compile(r"^([0-9a-f]+) <(.+?)(?:\+0x([0-9a-f]+))?>$")
WIDE = {f"%e{r}": f"%r{r}" for r in "ax bx cx dx si di bp sp".split()} \
    | {f"%r{n}d": f"%r{n}" for n in range(8, 16)}


class Function:
    def __init__(self, name):
        self.name = name
        self.jumps = set()          # names of functions that it jumps to
        self.calls = set()
        self.jumps_to_next = self.calls_next = False


def base(name):
    """gcc puts parts of a function elsewhere: op_NAME.cold, op_NAME.lto_priv.0"""
    return name.partition(".")[0]


def functions(path):
    """What objdump shows of a program's functions. Those of one name are one."""
    shown = subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", path], text=True,
                             stdout=subprocess.PIPE)
    found = {}
    for line in shown.stdout:
        start = FUNCTION.match(line)
        if start:
            here = found.setdefault(base(start[2]), Function(base(start[2])))
            indices, loaded = set(), set()      # registers: with 16 bits, from a table
            continue
        instruction = INSTRUCTION.match(line)
        if not instruction:
            continue
        name, operand = instruction.groups()
        if name in ("jmp", "call"):
            through = THROUGH.match(operand)
            to = ADDRESS.match(operand)
            if operand[1:] in loaded or through and through[2] in indices:
                if name == "jmp":
                    here.jumps_to_next = True
                else:
                    here.calls_next = True
            elif to and base(to[2]) != here.name:
                (here.jumps if name == "jmp" else here.calls).add(base(to[2]))
        elif name.startswith("j") and (to := ADDRESS.match(operand)) and base(to[2]) != here.name:
            here.jumps.add(base(to[2]))
        changed = operand.rpartition(",")[2]
        changed = WIDE.get(changed, changed)
        load = LOAD.match(operand) if name == "mov" else None
        is_next = load is not None and load[2] in indices
        indices.discard(changed)
        loaded.discard(changed)
        if is_next:
            loaded.add(changed)
        elif name == "movzwl":
            indices.add(changed)
        elif name == "call":
            indices, loaded = set(), set()
    if shown.wait():
        sys.exit(f"objdump {path} failed")
    return found


def main():
    found = functions(sys.argv[1])
    for name in ENTRIES:
        found.pop(name, None)
    handlers = {f.name for f in found.values()
                if f.jumps_to_next or f.name.startswith("op_")}
    more = handlers
    while more:
        handlers |= more
        jumped_to = set().union(*(found[name].jumps for name in handlers))
        more = {f.name for f in found.values()
                if f.jumps & handlers
                or f.name in jumped_to and (f.calls_next or f.calls & handlers)} - handlers
    wrong = {}
    for name in sorted(handlers):
        reasons = [f"calls {callee}" for callee in sorted(found[name].calls & handlers)]
        if found[name].calls_next:
            reasons.append("calls the next handler")
        if reasons:
            wrong[name] = reasons
            print(f"FAIL {name}: {', '.join(reasons)}, where it should jump")
    if not handlers:
        wrong["handlers"] = []
        print("FAIL: no handlers found")
    print(f"{len(handlers - wrong.keys())} passed, {len(wrong)} failed, 0 skipped")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
