"""The user's cache of bytecode (Lib/frozen/_bytecode_places.py) stays below a size.

What was read or written last stays. Files that another process removes or writes meanwhile
are no error: whatever is missing is compiled again.
"""
import os
import stat

MOST = 256 << 20                # bytes, before what is oldest goes
KEPT = MOST // 4 * 3            # what is left then


def files(folder):
    """(last use, size, path) of each"""
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            try:
                seen = os.lstat(path)
            except OSError:
                continue
            if stat.S_ISREG(seen.st_mode):
                yield max(seen.st_atime, seen.st_mtime), seen.st_blocks * 512, path


def trim(folder, most=MOST, kept=KEPT):
    found = sorted(files(folder))
    size = sum(size for _, size, _ in found)
    if size <= most:
        return
    for _, less, path in found:
        if size <= kept:
            break
        try:
            os.unlink(path)
        except OSError:
            continue
        size -= less
