"""Listings of bytecode: the interface of CPython's dis, for register code.

Offsets are addresses as in tracebacks and co_lines(): two per word.
"""

import collections
import io
import struct
import sys
import types

from opcode import *
from opcode import (__all__ as _opcodes_all, operands, operation,
                    _inline_cache_entries, _name_in_cache, _const_in_cache,
                    _jump_in_cache, _families, _nb_ops)

__all__ = ["code_info", "dis", "disassemble", "distb", "disco",
           "findlinestarts", "findlabels", "show_code",
           "get_instructions", "Instruction", "Bytecode"] + _opcodes_all
del _opcodes_all

_have_code = (types.MethodType, types.FunctionType, types.CodeType,
              classmethod, staticmethod, type)

COMPILER_FLAG_NAMES = {
    1: "OPTIMIZED", 2: "NEWLOCALS", 4: "VARARGS", 8: "VARKEYWORDS",
    16: "NESTED", 32: "GENERATOR", 64: "NOFREE", 128: "COROUTINE",
    256: "ITERABLE_COROUTINE", 512: "ASYNC_GENERATOR",
}

Positions = collections.namedtuple(
    'Positions', ['lineno', 'end_lineno', 'col_offset', 'end_col_offset'],
    defaults=[None] * 4)

_Instruction = collections.namedtuple(
    "_Instruction",
    ['opname', 'opcode', 'arg', 'argval', 'argrepr', 'offset', 'starts_line',
     'is_jump_target', 'positions'],
    defaults=[None])


class _Fields(tuple):
    """The fields a, b and c of an instruction."""

    registers = ''      # their text, without what is the instruction's argrepr


class Instruction(_Instruction):
    """One instruction.

    arg is the tuple of the fields a, b, c; argval the name, constant, target
    address or None; argrepr its text, as CPython has it.
    """

    def _disassemble(self, lineno_width=3, mark_as_current=False,
                     offset_width=4):
        line = '' if self.starts_line is None else str(self.starts_line)
        return ' '.join([
            line.rjust(lineno_width) if lineno_width else '',
            '-->' if mark_as_current else '   ',
            '>>' if self.is_jump_target else '  ',
            repr(self.offset).rjust(offset_width),
            self.opname.ljust(22),
            self.arg.registers if self.arg else '',
            '(%s)' % self.argrepr if self.argrepr else '']).rstrip()


def _try_compile(source, name):
    try:
        return compile(source, name, 'eval')
    except SyntaxError:
        return compile(source, name, 'exec')


def _get_code_object(x):
    """The code of a function, method, generator, class of source or code."""
    x = getattr(x, '__func__', x)
    for attr in ('__code__', 'gi_code', 'ag_code', 'cr_code'):
        if hasattr(x, attr):
            x = getattr(x, attr)
            break
    if isinstance(x, str):
        x = _try_compile(x, "<disassembly>")
    if hasattr(x, 'co_code'):
        return x
    raise TypeError("don't know how to disassemble %s objects" %
                    type(x).__name__)


def dis(x=None, *, file=None, depth=None, show_caches=False, adaptive=False):
    """Print a listing of a class, method, function, code, source, or of the
    last traceback."""
    if x is None:
        distb(file=file, show_caches=show_caches, adaptive=adaptive)
        return
    x = getattr(x, '__func__', x)
    for attr in ('__code__', 'gi_code', 'ag_code', 'cr_code'):
        if hasattr(x, attr):
            x = getattr(x, attr)
            break
    if hasattr(x, '__dict__'):
        for name, member in sorted(x.__dict__.items()):
            if isinstance(member, _have_code):
                print("Disassembly of %s:" % name, file=file)
                try:
                    dis(member, file=file, depth=depth,
                        show_caches=show_caches)
                except TypeError as msg:
                    print("Sorry:", msg, file=file)
                print(file=file)
    elif hasattr(x, 'co_code'):
        _disassemble_recursive(x, file=file, depth=depth,
                               show_caches=show_caches)
    elif isinstance(x, str):
        _disassemble_recursive(_try_compile(x, '<dis>'), file=file, depth=depth,
                               show_caches=show_caches)
    else:
        raise TypeError("don't know how to disassemble %s objects" %
                        type(x).__name__)


def distb(tb=None, *, file=None, show_caches=False, adaptive=False):
    """Print a listing of the innermost frame of a traceback."""
    if tb is None:
        try:
            tb = sys.last_traceback
        except AttributeError:
            raise RuntimeError("no last traceback to disassemble") from None
    while tb.tb_next:
        tb = tb.tb_next
    disassemble(tb.tb_frame.f_code, tb.tb_lasti, file=file,
                show_caches=show_caches)


def pretty_flags(flags):
    names = []
    for i in range(32):
        flag = 1 << i
        if flags & flag:
            names.append(COMPILER_FLAG_NAMES.get(flag, hex(flag)))
            flags ^= flag
            if not flags:
                break
    else:
        names.append(hex(flags))
    return ", ".join(names)


def _format_code_info(co):
    lines = [
        "Name:              %s" % co.co_name,
        "Filename:          %s" % co.co_filename,
        "Argument count:    %s" % co.co_argcount,
        "Positional-only arguments: %s" % co.co_posonlyargcount,
        "Kw-only arguments: %s" % co.co_kwonlyargcount,
        "Number of locals:  %s" % co.co_nlocals,
        "Temporaries:       %s" % co.co_stacksize,
        "Flags:             %s" % pretty_flags(co.co_flags),
    ]
    for title, items, show in (
            ("Constants:", co.co_consts, repr), ("Names:", co.co_names, str),
            ("Variable names:", co.co_varnames, str),
            ("Free variables:", co.co_freevars, str),
            ("Cell variables:", co.co_cellvars, str)):
        if items:
            lines.append(title)
            lines += ["%4d: %s" % (i, show(item)) for i, item in enumerate(items)]
    return "\n".join(lines)


def code_info(x):
    """Formatted details of a code object."""
    return _format_code_info(_get_code_object(x))


def show_code(co, *, file=None):
    """Print details of a code object."""
    print(code_info(co), file=file)


def _unpack(code):
    """Yield (word index, opcode, a, b, c, first cache word) of co_code."""
    # The first two bytes of all words, then the other six.
    n = len(code) // 8
    words = [low | (b << 16 | c << 32 | d << 48)
             for low, (b, c, d) in zip(struct.unpack_from('<%dH' % n, code),
                                       struct.iter_unpack('<3H', code[2 * n:8 * n]))]
    i = 0
    while i < n:
        word = words[i]
        op = word & 0xffff
        cache = _inline_cache_entries[op]
        extra = words[i + 1] & 0xffffffff if cache else 0
        yield (i, op, word >> 16 & 0xffff, word >> 32 & 0xffff, word >> 48,
               extra)
        i += 1 + cache


def _words(co):
    """What _unpack() yields, with the registers that the machine has: in a constant that is
    returned co_code counts them from the first temporary (see Objects/code/api.c)."""
    load_const, return_ = opmap['LOAD_CONST'], opmap['RETURN_VALUE']
    first_temp = len(co.co_varnames) + len(set(co.co_cellvars) - set(co.co_varnames))
    words = list(_unpack(co.co_code))
    for at, (i, op, a, b, c, extra) in enumerate(words):
        if at and op == return_ and b == 1 and words[at - 1][1:3] == (load_const, a):
            words[at - 1] = words[at - 1][:2] + (a + first_temp,) + words[at - 1][3:]
            words[at] = i, op, a + first_temp, 0, c, extra
    return words


def _signed(value, bits):
    return value - (1 << bits) if value >> bits - 1 else value


def _registers(co):
    """The names of registers: variables, then t0, t1..."""
    names = list(co.co_varnames)
    names += [n for n in co.co_cellvars if n not in co.co_varnames]
    return (lambda r: names[r] if r < len(names) else 't%d' % (r - len(names)))


def _operator(name, op, extra):
    """(argval, sign) of an operator, or (None, None)."""
    if opname[op] not in ('BINARY_OP', 'COMPARE_OP', 'IS_OP', 'CONTAINS_OP'):
        return None, None
    argval = _families[name][1]
    if opname[op] == 'BINARY_OP':
        if 'i' in operands[op] and extra:   # x += 1
            argval += len(_nb_ops) // 2
        return argval, _nb_ops[argval][1]
    if opname[op] == 'IS_OP':
        return argval, 'is not' if argval else 'is'
    if opname[op] == 'CONTAINS_OP':
        return argval, 'not in' if argval else 'in'
    return argval, 'not ' * ('_NOT_' in name) + argval


def _instruction_args(co, name, op, i, fields, extra):
    """(argval, argrepr, text of the registers) of one instruction."""
    register = _registers(co)
    after = i + 1 + _inline_cache_entries[op]
    wide = _signed(fields[1] | fields[2] << 16, 32)
    argval, sign = _operator(name, op, extra)
    text = '' if sign is None else sign
    shown = []

    def to(distance):
        target = 2 * (after + distance)
        return target, 'to %d' % target
    for letter, value in zip(operands[op], fields):
        if letter in 'DrkB':
            shown.append(register(value))
        elif letter == 'i':
            shown.append(str(_signed(value, 16)))
        elif letter == 'u':
            shown.append(str(value))
        elif letter == 'X':
            argval = wide
            shown.append(str(wide))
        elif letter == 'K':
            argval = co.co_consts[wide]
            text = repr(argval)
        elif letter == 'N':
            argval = text = co.co_names[wide]
        elif letter in 'Jj':
            target, label = to(wide if letter == 'J' else _signed(value, 16))
            if sign is None:
                argval, text = target, label
            else:               # a comparison that jumps
                shown.append(label)
    if name in _name_in_cache:
        argval = text = co.co_names[extra]
    elif name in _const_in_cache:
        argval = co.co_consts[extra]
        text = repr(argval)
    elif name in _jump_in_cache:
        argval, text = to(_signed(extra, 32))
    if name in ('CALL', 'CALL_KW', 'CALL_METHOD', 'CALL_METHOD_KW'):
        argval = fields[1]
    elif name.startswith('RAISE'):
        argval = fields[2]
    elif name == 'RESUME':
        argval = fields[0]
    if op in hasfree:
        argval = text = co.co_freevars[fields[1]]
    return argval, text, ', '.join(shown)


def _moved_variable(co, name, fields):
    """(name, argval, register) of a MOVE between a variable and a temporary."""
    variables = co.co_varnames
    if name == 'MOVE':
        to, of = fields[:2]
        if of < len(variables) <= to:
            return 'LOAD_FAST', variables[of], _registers(co)(to)
        if to < len(variables) <= of:
            return 'STORE_FAST', variables[to], _registers(co)(of)
    return None


def _get_instructions(co, line_offset=0, show_caches=False):
    positions = list(co.co_positions())
    starts = dict(findlinestarts(co))
    labels = set(findlabels(co.co_code))
    for entry in _exception_entries(co):
        labels.add(entry.target)
    for i, op, a, b, c, extra in _words(co):
        line = starts.get(2 * i)
        if line is not None:
            line += line_offset
        name = opname[op]
        fields = _Fields((a, b, c))
        argval, argrepr, fields.registers = _instruction_args(co, operation[op], op, i,
                                                              fields, extra)
        if moved := _moved_variable(co, name, fields):
            name, argval, fields.registers = moved
            argrepr = argval
        code = opmap[name] if moved else op
        yield Instruction(name, code, fields, argval, argrepr, 2 * i,
                          line, 2 * i in labels, Positions(*positions[i]))
        for k in range(show_caches * _inline_cache_entries[op]):
            i += 1
            yield Instruction('CACHE', opmap['CACHE'], None, None, '', 2 * i,
                              None, False, Positions(*positions[i]))


def _with_precalls(instructions):
    """What CPython does in two instructions, PRECALL and CALL, shown as both.

    They have one address, CALL coming last: the one where a traceback points.
    """
    for instruction in instructions:
        if instruction.opname == 'CALL':
            yield instruction._replace(opname='PRECALL', opcode=opmap['PRECALL'],
                                       argrepr='')
            instruction = instruction._replace(starts_line=None,
                                               is_jump_target=False)
        yield instruction


def _instructions_of(co, line_offset, show_caches):
    instructions = _get_instructions(co, line_offset, show_caches)
    # Caches are shown to those who want an instruction per word.
    return instructions if show_caches else _with_precalls(instructions)


def get_instructions(x, *, first_line=None, show_caches=False, adaptive=False):
    """Iterate over the instructions of a function, method, code or source."""
    co = _get_code_object(x)
    offset = first_line - co.co_firstlineno if first_line is not None else 0
    return _instructions_of(co, offset, show_caches)


_ExceptionTableEntry = collections.namedtuple(
    "_ExceptionTableEntry", "start end target depth lasti")


def _exception_entries(co):
    data = iter(co.co_exceptiontable)

    def number(byte):
        value = byte & 63
        while byte & 64:
            byte = next(data)
            value = value << 6 | byte & 63
        return value

    entries = []
    for byte in data:
        start = number(byte)
        length, target, depth = (number(next(data)) for _ in range(3))
        entries.append(_ExceptionTableEntry(
            2 * start, 2 * (start + length), 2 * target, depth >> 1, False))
    return entries


_parse_exception_table = _exception_entries


def disassemble(co, lasti=-1, *, file=None, show_caches=False, adaptive=False):
    """Print a listing of a code object, marking the instruction at lasti."""
    instructions = list(_get_instructions(co, 0, show_caches))
    last_line = max([i.starts_line for i in instructions
                     if i.starts_line is not None], default=0)
    lineno_width = max(3, len(str(last_line))) if last_line else 0
    offset_width = max(4, len(str(2 * len(co.co_code))))
    for instruction in instructions:
        if lineno_width and instruction.starts_line is not None \
                and instruction.offset > 0:
            print(file=file)
        print(instruction._disassemble(lineno_width,
                                       instruction.offset == lasti,
                                       offset_width), file=file)
    entries = _exception_entries(co)
    if entries:
        register = _registers(co)
        print("ExceptionTable:", file=file)
        for e in entries:
            print("  %d to %d -> %d [%s]" % (e.start, e.end - 2, e.target,
                                             register(e.depth)), file=file)


disco = disassemble


def _disassemble_recursive(co, *, file=None, depth=None, show_caches=False):
    disassemble(co, file=file, show_caches=show_caches)
    if depth is None or depth > 0:
        if depth is not None:
            depth -= 1
        for x in co.co_consts:
            if hasattr(x, 'co_code'):
                print(file=file)
                print("Disassembly of %r:" % (x,), file=file)
                _disassemble_recursive(x, file=file, depth=depth,
                                       show_caches=show_caches)


def findlabels(code):
    """The addresses that jumps in a string of bytecode go to."""
    labels = []
    for i, op, a, b, c, extra in _unpack(code):
        after = i + 1 + _inline_cache_entries[op]
        kinds = operands[op]
        if 'J' in kinds:
            target = after + _signed(b | c << 16, 32)
        elif 'j' in kinds:
            target = after + _signed(c, 16)
        elif operation[op] in _jump_in_cache:
            target = after + _signed(extra, 32)
        else:
            continue
        if 2 * target not in labels:
            labels.append(2 * target)
    return labels


def findlinestarts(code):
    """Yield (address, line) for each address where a line starts."""
    last = None
    for start, end, line in code.co_lines():
        if line is not None and line != last:
            last = line
            yield start, line


def _find_imports(co):
    """Yield (name, level, fromlist) for each import in the code."""
    held = {}
    load_const, import_name = opmap['LOAD_CONST'], opmap['IMPORT_NAME']
    for i, op, a, b, c, extra in _unpack(co.co_code):
        if op == load_const:
            held[a] = co.co_consts[_signed(b | c << 16, 32)]
        elif op == import_name and isinstance(held.get(b), int):
            yield co.co_names[extra], held[b], held.get(b + 1)


def _find_store_names(co):
    """Yield the names that the code assigns, outside functions."""
    stores = {opmap['STORE_NAME'], opmap['STORE_GLOBAL']}
    seen = set()
    for i, op, a, b, c, extra in _unpack(co.co_code):
        if op in stores:
            name = co.co_names[extra]
            if name not in seen:
                seen.add(name)
                yield name


class Bytecode:
    """The bytecode of a piece of code; iterating gives its Instructions."""

    def __init__(self, x, *, first_line=None, current_offset=None,
                 show_caches=False, adaptive=False):
        self.codeobj = co = _get_code_object(x)
        if first_line is None:
            self.first_line = co.co_firstlineno
            self._line_offset = 0
        else:
            self.first_line = first_line
            self._line_offset = first_line - co.co_firstlineno
        self._original_object = x
        self.current_offset = current_offset
        self.exception_entries = _exception_entries(co)
        self.show_caches = show_caches
        self.adaptive = adaptive

    def __iter__(self):
        return _instructions_of(self.codeobj, self._line_offset,
                                self.show_caches)

    def __repr__(self):
        return "{}({!r})".format(self.__class__.__name__, self._original_object)

    @classmethod
    def from_traceback(cls, tb, *, show_caches=False, adaptive=False):
        """A Bytecode of the innermost frame of a traceback."""
        while tb.tb_next:
            tb = tb.tb_next
        return cls(tb.tb_frame.f_code, current_offset=tb.tb_lasti,
                   show_caches=show_caches, adaptive=adaptive)

    def info(self):
        """Formatted details of the code object."""
        return _format_code_info(self.codeobj)

    def dis(self):
        """A listing as a string."""
        lasti = -1 if self.current_offset is None else self.current_offset
        with io.StringIO() as output:
            disassemble(self.codeobj, lasti, file=output,
                        show_caches=self.show_caches)
            return output.getvalue()


def _main():
    import argparse

    parser = argparse.ArgumentParser()
    parser.add_argument('infile', type=argparse.FileType('rb'), nargs='?',
                        default='-')
    args = parser.parse_args()
    with args.infile as infile:
        source = infile.read()
    dis(compile(source, args.infile.name, "exec"))


if __name__ == "__main__":
    _main()
