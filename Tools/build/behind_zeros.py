"""Moves what llvm-bolt has added to a program's file behind where the data's zeros would be.

usage: behind_zeros.py PROGRAM

The zeros of .bss take no room in the file, so llvm-bolt's segment begins there. perf looks symbols up
by their places in the file. It takes a variable of .bss to be where it would be if the zeros were
there: in the middle of the hottest functions, whose samples get the variable's name. So a gap is left
that is as long as the zeros.

python-stage1 runs this, which has no library: hence no `struct`.
"""
import sys

LOAD = 1
NO_BITS = 8


class Table:
    """The headers of segments or sections: `size` bytes each, and numbers of 8 bytes in them."""

    def __init__(self, file, start, size, count):
        self.file, self.start, self.size, self.count = file, start, size, count
        file.seek(start)
        self.data = bytearray(file.read(size * count))

    def kind(self, i, at):
        return int.from_bytes(self.data[i * self.size + at:][:4], "little")

    def get(self, i, at):
        return int.from_bytes(self.data[i * self.size + at:][:8], "little")

    def move(self, i, at, distance):
        place = i * self.size + at
        self.data[place:place + 8] = (self.get(i, at) + distance).to_bytes(8, "little")

    def write(self, distance):
        self.file.seek(self.start + distance)
        self.file.write(self.data)


def overlap(segments):
    """(where the file is to be parted, by how many bytes), or None"""
    loads = [(segments.get(i, 8), segments.get(i, 40), segments.get(i, 48))
             for i in range(segments.count) if segments.kind(i, 0) == LOAD]
    begin, _, unit = max(loads)
    end = max(start + size for start, size, _ in loads if start < begin)
    return (begin, -(-(end - begin) // unit) * unit) if end > begin else None


def main(path):
    with open(path, "r+b") as file:
        head = file.read(64)
        if head[:6] != b"\x7fELF\x02\x01":
            sys.exit(f"{path}: no 64-bit program")

        def number(at, size):
            return int.from_bytes(head[at:at + size], "little")
        segments = Table(file, number(32, 8), number(54, 2), number(56, 2))
        sections = Table(file, number(40, 8), number(58, 2), number(60, 2))
        parted = overlap(segments)
        if parted is None:
            return
        begin, distance = parted
        for table, place in ((segments, 8), (sections, 24)):
            for i in range(table.count):
                if table.get(i, place) >= begin:
                    table.move(i, place, distance)
        file.seek(begin)
        rest = file.read()
        file.seek(begin)
        file.write(bytes(distance))
        file.write(rest)
        segments.write(0)
        sections.write(distance)
        file.seek(40)
        file.write((sections.start + distance).to_bytes(8, "little"))


if __name__ == "__main__":
    main(sys.argv[1])
