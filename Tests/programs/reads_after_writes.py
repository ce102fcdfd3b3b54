# Files that are read and written in turn without a seek: what is read, and where the writes go.
import io
import os
import tempfile

path = os.path.join(tempfile.mkdtemp(), "file")


def fresh(lines):
    with open(path, "wb") as f:
        f.write(b"".join(b"line%04d\n" % number for number in range(lines)))


def ends():
    with open(path, "rb") as f:
        data = f.read()
    at = data.find(b"XY")
    return len(data), at, data[max(at - 5, 0):at + 8], data[-6:]


for lines in 0, 3, 2000:
    for encoding in "ascii", "latin-1", "utf-8":
        for first in None, "readline", "write":
            for then in "read", "readline", "tell", "next", "seek":
                fresh(lines)
                f = open(path, "r+", encoding=encoding)
                got = []
                try:
                    if first == "readline":
                        got.append(f.readline())
                    elif first == "write":
                        f.write("Q")
                    f.write("XY")
                    if then == "read":
                        got += [f.read(4), f.readline()]
                    elif then == "readline":
                        got += [f.readline(), f.readline()]
                    elif then == "tell":
                        got.append(f.tell())
                        got.append(f.read(3))
                    elif then == "next":
                        got.append(next(f, None))
                    else:
                        got.append(f.seek(0))
                        got.append(f.readline())
                    f.write("Z")
                except OSError as e:
                    got.append(e)
                f.close()
                print(lines, encoding, first, then, got, ends())

for lines in 1, 3, 2000:
    for size in 4, 10, 8192:
        for skip in 0, 2:
            for how in "read", "read1", "peek", "readline", "readinto", "empty":
                if skip and how in ("read1", "empty"):
                    continue    # CPython goes on with what it had read ahead before the write
                fresh(lines)
                f = io.BufferedRandom(io.FileIO(path, "r+"), size)
                if skip:
                    f.read(skip)
                f.write(b"XY")
                if how in ("readinto", "empty"):
                    into = bytearray(how == "readinto" and 3)
                    got = f.readinto(into), bytes(into), skip or f.raw.tell()
                else:
                    got = getattr(f, how)(3), f.tell()
                f.write(b"Q")
                f.close()
                print(lines, size, skip, how, got, ends())
    for size in 4, 10:
        fresh(lines)
        f = io.BufferedRandom(io.FileIO(path, "r+"), size)
        print(f.read(3), f.peek(), f.read(1), f.peek(2), f.tell())
        f.close()
