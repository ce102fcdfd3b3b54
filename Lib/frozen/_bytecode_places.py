"""Where bytecode lies that is not beside its source.

The standard library's, compiled when we were built: its __pycache__ directories belong to
another package, users cannot write there, and we do not.

That of other files in places where the user may not write, Debian's packages above all: in
a cache of the user's own, where an import writes it. A file there is one that would lie
beside the source, with a hash of all before it at its end. It counts only if it belongs to
the user and the hash is right, so that a disk that was full, another host and a file cut
off do no harm; importlib compares the source's time and size as always.

What we compiled of the library goes first, else what is beside the source. Frozen, and run at
start-up with the names _external, _library and _cache set.
"""
# A debugger that skips importlib skips what stands in for a part of it.
__name__ = "importlib._bytecode_places"


def _install(external, library, library_cache):
    loader = external.SourceFileLoader
    read, write = loader.get_data, loader.set_data
    usual_place = external._get_cached
    is_file, sys, os = external._path_isfile, external.sys, external._os
    source_hash, hash_key, hash_size = external._imp.source_hash, 0x5b, 8
    folders = []                        # the user's, once somebody has asked for it

    def compiled(path):
        return library_cache + path.replace("/__pycache__/", "/")

    def variable(name):
        return external._os.environ.get(name.encode(), b"").decode(
            sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())

    def find_user_folder():
        """Where it is or would be made; "" if the user wants none."""
        if sys.flags.isolated or os.getuid() != os.geteuid() or os.getgid() != os.getegid():
            return ""
        wanted = sys._xoptions.get("bytecode_cache") or (
            not sys.flags.ignore_environment and variable("PYTHON_BYTECODE_CACHE") or "")
        if wanted == "0":
            return ""
        if wanted not in ("", "1", True):
            folder = wanted
        elif variable("XDG_CACHE_HOME"):
            folder = variable("XDG_CACHE_HOME") + "/springboard"
        else:
            folder = variable("HOME") and variable("HOME") + "/.cache/springboard"
        return folder + "/" + external.MAGIC_NUMBER[:2].hex() if folder[:1] == "/" else ""

    def is_ours(folder):
        try:
            seen = os.lstat(folder)
        except OSError:
            return False
        return (seen.st_mode & 0o170022 == 0o040000         # a directory only we write to
                and seen.st_uid == os.geteuid())

    def user_place(path):
        """Where bytecode is that would be at path; "" if not in the user's cache."""
        if not folders:
            folders.append(find_user_folder())
        if not folders[0] or path[:1] != "/" or sys.pycache_prefix is not None:
            return ""
        return folders[0] + path.replace("/__pycache__/", "/")

    def make_folders(folder):
        """Whether it exists and nobody else may write into it."""
        parts = folder.split("/")
        ours = False
        for n in range(2, len(parts) + 1):
            part = "/".join(parts[:n])
            try:
                os.mkdir(part, 0o700)
            except FileExistsError:
                pass
            ours = is_ours(part) if part.startswith(folders[0]) else True
            if not ours:
                break
        return ours

    def read_user(path):
        with external._io.FileIO(path, "r") as file:
            seen = os.fstat(file.fileno())
            data = file.read() if seen.st_uid == os.geteuid() else b""
        data, found = data[:-hash_size], data[-hash_size:]
        if not is_ours(folders[0]) or source_hash(hash_key, data) != found:
            raise FileNotFoundError(path)
        return data

    def write_user(path, data):
        folder = path.rpartition("/")[0]
        data = bytes(data)
        data += source_hash(hash_key, data)
        part = f"{path}.{os.getpid()}"
        try:
            if not make_folders(folder):
                return
            whole = False
            handle = os.open(part, os.O_EXCL | os.O_CREAT | os.O_WRONLY, 0o600)
            try:
                with external._io.FileIO(handle, "wb") as file:
                    whole = file.write(data) == len(data)
                if whole:
                    os.replace(part, path)
            finally:
                if not whole:
                    os.unlink(part)
        except OSError:
            return
        # Now and then, when a program has got far enough to import more.
        if hash(path) % 64 == 0 and "os" in sys.modules:
            try:
                import _bytecode_cache
                _bytecode_cache.trim(folders[0].rpartition("/")[0])
            except Exception:
                pass

    def first_place(path):
        """Where bytecode is looked for first, and written to by who may."""
        return compiled(path) if library_cache and path.startswith(library) else path

    def get_data(self, path):
        """Return the data from path as raw bytes."""
        if not path.endswith(".pyc"):
            return read(self, path)
        first = first_place(path)
        try:
            return read(self, first)
        except OSError:
            if first is not path:
                try:
                    return read(self, path)
                except OSError:
                    pass
            place = user_place(path)
            if not place:
                raise
            return read_user(place)

    def set_data(self, path, data, *, _mode=0o666):
        """Write bytes data to a file."""
        if not path.endswith(".pyc"):
            return write(self, path, data, _mode=_mode)
        first = first_place(path)
        write(self, first, data, _mode=_mode)
        place = user_place(path)
        if place:
            try:
                if read(self, first)[:16] == data[:16]:
                    return
            except OSError:
                pass
            write_user(place, data)

    def get_cached(filename):
        # What __cached__ says: where get_data() finds it.
        path = usual_place(filename)
        first = first_place(path) if path else path
        return first if first is path or is_file(first) else path

    loader.get_data, loader.set_data = get_data, set_data
    if library_cache:
        external._get_cached = get_cached


_install(_external, _library, _cache)
