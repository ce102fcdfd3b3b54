"""What C headers declare, as clang understands them.

Declarations come from clang's syntax tree (-ast-dump=json), macros from its
preprocessor (-dD); only those that stand in the given folders count.
"""
import collections
import json
import os
import re
import subprocess

CLANG = next((os.path.join(folder, name) for name in ("clang-19", "clang")
              for folder in os.environ.get("PATH", "/usr/bin").split(":")
              if os.access(os.path.join(folder, name), os.X_OK)), None)

Function = collections.namedtuple("Function", "type inline deprecated")
Macro = collections.namedtuple("Macro", "parameters body")


class CompilationFailed(Exception):
    pass


def compile_c(arguments, source):
    """What the compiler prints for source, given on its standard input."""
    done = subprocess.run(arguments + ["-"], input=source, text=True, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        raise CompilationFailed(done.stderr[:4000])
    return done.stdout


class Headers:
    """A set of header folders, and how to include all of them."""

    def __init__(self, folders, names):
        self.folders = folders
        self.source = "".join(f'#include "{name}"\n' for name in names)

    def flags(self, level=None):
        flags = [f"-I{folder}" for folder in self.folders]
        if level is not None:
            flags.append(f"-DPy_LIMITED_API=0x03{level:02x}0000")
        return flags

    def is_ours(self, path):
        return path is not None and path.startswith(tuple(f"{f}/" for f in self.folders))

    def declarations(self, level=None):
        return Declarations(compile_c(
            [CLANG, "-fsyntax-only", "-Xclang", "-ast-dump=json", "-x", "c",
             *self.flags(level)], self.source), self.is_ours)

    def macros(self, level=None):
        """Name -> Macro."""
        found = {}
        path = None
        define = re.compile(r"#define (\w+)(\([^)]*\))?\s*(.*)")
        for line in compile_c([CLANG, "-E", "-dD", "-x", "c", *self.flags(level)],
                              self.source).splitlines():
            if line.startswith("# "):
                path = line.split('"')[1]
            elif line.startswith("#undef"):
                found.pop(line.split()[1], None)
            elif self.is_ours(path) and (match := define.match(line)):
                name, parameters, body = match.groups()
                count = None if parameters is None else len(parameters.split(","))
                found[name] = Macro(count, body)
        return found


class Declarations:
    """Most of the tree is the C library's: it is taken apart as text, by indentation,
    and only what counts is parsed."""

    NODE_END = re.compile(r"\n    \},?\n")
    FILE = re.compile(r'"includedFrom": \{\s*"file": "[^"]*"|"file": "([^"]*)"')

    def __init__(self, dump, is_ours):
        self.functions = {}
        self.variables = {}         # name -> type
        self.typedefs = {}
        self.records = {}           # tag or typedef name -> [(field, type, bits)]
        self.enumerators = {}       # enum -> names
        path = None                 # clang names a file where it is another one than before
        pending = None              # a record or enum whose typedef may follow
        for text in self.NODE_END.split(dump[dump.index('"inner": [') + 10:]):
            location, found, _ = text.partition('"range": {')
            path = self._last_file(location, path)
            if found and is_ours(path):
                pending = self._add(self._parse(text), pending)
            path = self._last_file(text, path)

    def _last_file(self, text, path):
        named = [name for name in self.FILE.findall(text) if name]
        return named[-1] if named else path

    def _parse(self, text):
        return json.JSONDecoder().raw_decode(text.strip() + "}")[0]

    def _add(self, node, pending):
        name, kind = node.get("name"), node["kind"]
        inner = node.get("inner", [])
        if kind == "FunctionDecl":
            deprecated = any(part["kind"] == "DeprecatedAttr" for part in inner)
            self.functions.setdefault(name, Function(
                plain_type(node), node.get("inline", False), deprecated))
        elif kind == "VarDecl":
            self.variables[name] = plain_type(node)
        elif kind == "RecordDecl" and node.get("completeDefinition"):
            pending = ("records", [
                (part.get("name"), plain_type(part),
                 (part.get("inner") or [{}])[0].get("value") if part.get("isBitfield")
                 else None)
                for part in inner if part["kind"] == "FieldDecl"])
        elif kind == "EnumDecl":
            pending = ("enumerators", [part["name"] for part in inner
                                       if part["kind"] == "EnumConstantDecl"])
        elif kind == "TypedefDecl":
            self.typedefs[name] = plain_type(node)
        if kind in ("RecordDecl", "EnumDecl") and pending and name:
            getattr(self, pending[0])[f"{node.get('tagUsed', 'enum')} {name}"] = pending[1]
        elif kind == "TypedefDecl" and pending:
            getattr(self, pending[0])[name] = pending[1]
        return pending if kind in ("RecordDecl", "EnumDecl") else None


def plain_type(node):
    """The type without where an unnamed part of it stands."""
    return re.sub(r"\(unnamed[^)]*\)", "(unnamed)", node["type"]["qualType"])
