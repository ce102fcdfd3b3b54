"""Says again that a program's stack may not be executed, after llvm-bolt has laid it out.

usage: stack_header.py PROGRAM

A program's headers leave no room for the segment of what llvm-bolt has moved. It can have a table of
them elsewhere, but GNU strip and objcopy break such a program; or it takes GNU_STACK's place, and
the stack of every thread is executable then, which a process that may not have such memory (systemd's
MemoryDenyWriteExecute) can't even start. So the program is linked with a header more, which has no
meaning on Linux (-z wxneeded). That becomes GNU_STACK.

python-stage1 runs this, which has no library: hence no `struct`.
"""
import sys

GNU_STACK = 0x6474e551
SPARE = 0x65a3dbe7          # PT_OPENBSD_WXNEEDED
READ_WRITE = 6


def number(data, at, size):
    return int.from_bytes(data[at:at + size], "little")


def main(path):
    with open(path, "r+b") as file:
        head = file.read(64)
        if head[:6] != b"\x7fELF\x02\x01":
            sys.exit(f"{path}: no 64-bit program")
        start, size, count = number(head, 32, 8), number(head, 54, 2), number(head, 56, 2)
        file.seek(start)
        table = file.read(size * count)
        kinds = [number(table, i * size, 4) for i in range(count)]
        if GNU_STACK in kinds:
            return
        if SPARE not in kinds:
            sys.exit(f"{path}: no program header is left for the stack (link with -z wxneeded)")
        file.seek(start + kinds.index(SPARE) * size)
        file.write(GNU_STACK.to_bytes(4, "little") + READ_WRITE.to_bytes(4, "little")
                   + bytes(size - 8))


if __name__ == "__main__":
    main(sys.argv[1])
