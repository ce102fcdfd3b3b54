"""Writes the module that sysconfig reads its variables from.

usage: make_sysconfigdata.py CONFIG-MAKEFILE PYCONFIG.H OUTPUT [NAME=VALUE...]

Paths below the prefix are written relative to it, and completed when the
module is imported, so that an installation may be moved. NAME=VALUE overrides the
Makefile: a build tree has its headers and libraries elsewhere.
"""
import os
import pprint
import sys
import sysconfig
import tempfile

PREFIX = "%PREFIX%"

HEADER = '''"""How this Springboard was built, for sysconfig. Written by make."""
import os as _os

# This file is <prefix>/lib/springboard3.11/_sysconfigdata_*.py.
_prefix = {prefix}
build_time_vars = {{
    name: value.replace("%PREFIX%", _prefix) if isinstance(value, str) else value
    for name, value in {variables}.items()
}}
'''
HERE = "_os.path.dirname(_os.path.dirname(_os.path.dirname(_os.path.abspath(__file__))))"


def read_makefile(path, replaced):
    """The variables, expanded; paths below the prefix begin with PREFIX."""
    with open(path, encoding="utf-8") as f:
        lines = f.readlines()
    changed = []
    for line in lines:
        name = line.partition("=")[0].strip()
        if "=" in line and name in replaced:
            line = f"{name}= {replaced[name]}\n"
        changed.append(line)
    with tempfile.NamedTemporaryFile("w", suffix=".mk") as f:
        f.writelines(changed)
        f.flush()
        return sysconfig._parse_makefile(f.name)


def main(makefile, config_h, output, *replacements):
    replaced = dict(r.split("=", 1) for r in replacements)
    prefix = repr(replaced["prefix"]) if "prefix" in replaced else HERE
    variables = read_makefile(makefile, {"prefix": PREFIX, "exec_prefix": "$(prefix)"}
                              | {k: v for k, v in replaced.items() if k != "prefix"})
    if os.path.exists(config_h):
        with open(config_h, encoding="utf-8") as f:
            sysconfig.parse_config_h(f, variables)
    text = pprint.pformat(variables, width=100).replace("\n", "\n    ")
    with open(output, "w", encoding="utf-8") as f:
        f.write(HEADER.format(prefix=prefix, variables=text))


main(*sys.argv[1:])
