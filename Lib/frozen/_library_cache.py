"""Bytecode of the standard library, compiled when we were built.

The library's own __pycache__ directories belong to another package: users
cannot write there, and would compile every module in every process. What is
beside the source goes first; it is newer if it exists at all. Frozen, and run
at start-up with the names _external, _library and _cache set.
"""
# A debugger that skips importlib skips what stands in for a part of it.
__name__ = "importlib._library_cache"


def _install(external, library, cache):
    loader = external.SourceFileLoader
    read = loader.get_data
    usual_place = external._get_cached
    is_file = external._path_isfile

    def compiled(path):
        return cache + path.replace("/__pycache__/", "/")

    def get_data(self, path):
        """Return the data from path as raw bytes."""
        if path.endswith(".pyc") and path.startswith(library):
            try:
                return read(self, path)
            except FileNotFoundError:
                path = compiled(path)
        return read(self, path)

    def get_cached(filename):
        # What __cached__ says: where get_data() finds it.
        path = usual_place(filename)
        if path and path.startswith(library) and not is_file(path):
            other = compiled(path)
            if is_file(other):
                return other
        return path

    loader.get_data = get_data
    external._get_cached = get_cached


_install(_external, _library, _cache)
