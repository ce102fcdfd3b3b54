"""Writes frozen_modules.h: marshalled code of library modules as C arrays.

usage: freeze.py STDLIB-DIRECTORY OWN-DIRECTORY MODULES.TXT OUTPUT

Run by a python that is not frozen itself (the build's first stage).
"""
import marshal
import os
import sys


def source_path(stdlib, module, is_package):
    path = os.path.join(stdlib, *module.split("."))
    return os.path.join(path, "__init__.py") if is_package else path + ".py"


def main(stdlib, own, listing, output):
    arrays, rows, frozen = [], [], {}
    with open(listing) as f:
        lines = [line.strip() for line in f if line.strip() and not line.startswith("#")]
    for number, line in enumerate(lines):
        is_package = line.startswith("+")
        name, _, module = line.lstrip("+@").partition("=")
        module = module or name
        path = source_path(own if line.startswith("@") else stdlib, module, is_package)
        if not os.path.exists(path):
            continue
        if module not in frozen:
            with open(path, "rb") as f:
                code = compile(f.read(), f"<frozen {module}>", "exec", dont_inherit=True,
                               optimize=0)
            data = marshal.dumps(code)
            values = ",".join(map(str, data))
            arrays.append(f"static const unsigned char frozen_{number}[] = {{{values}}};\n")
            frozen[module] = number, len(data)
        array, size = frozen[module]
        rows.append(f'    {{"{name}", "{module}", .code = frozen_{array}, '
                    f'.size = {size}, .is_package = {int(is_package)}}},\n')
    with open(output, "w") as f:
        f.writelines(arrays)
        f.write("#define FROZEN_ROWS \\\n")
        f.write("".join(row.rstrip("\n") + " \\\n" for row in rows) + "\n")


main(*sys.argv[1:])
