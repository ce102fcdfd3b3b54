"""Compiles the library's importlib/_bootstrap_external.py with our magic number.

usage: own_magic.py DIRECTORY

Its source contains the number that CPython's .pyc files begin with. In the frozen copy the number
is replaced at start-up (set_magic_number in Python/runtime/import/import.c). Programs that import
the file itself, as CPython's tests of importlib do, would reject bytecode that
py_compile has just written, and write bytecode that the frozen copy rejects. DIRECTORY
holds the library's bytecode, and is used as -X pycache_prefix.
"""
import ast
import importlib._bootstrap_external as frozen
import importlib.util
import os
import sys


def with_own_magic(source, path):
    """The code of source, MAGIC_NUMBER being that of the running interpreter."""
    tree = ast.parse(source, path)
    [assignment] = [node for node in tree.body if isinstance(node, ast.Assign)
                    and ast.unparse(node.targets) == "MAGIC_NUMBER"]
    assignment.value = ast.copy_location(ast.Constant(importlib.util.MAGIC_NUMBER),
                                         assignment.value)
    return compile(tree, path, "exec", dont_inherit=True)


def main(directory):
    sys.pycache_prefix = directory
    path = os.path.join(os.path.dirname(os.__file__), "importlib",
                        "_bootstrap_external.py")
    with open(path, "rb") as f:
        code = with_own_magic(f.read(), path)
    seen = os.stat(path)
    data = frozen._code_to_timestamp_pyc(code, int(seen.st_mtime), seen.st_size)
    target = importlib.util.cache_from_source(path)
    with open(target, "wb") as f:
        f.write(data)


main(*sys.argv[1:])
