"""Opcodes of the register machine, with the names that CPython's opcode.py has.

An instruction is a word of four 16-bit fields: the opcode and the operands a, b
and c, described by one letter each (see Python/vm/opcodes.def); `operands[op]`
gives the letters and `_inline_cache_entries[op]` how many cache words follow.
"""

__all__ = ["cmp_op", "hasconst", "hasname", "hasjrel", "hasjabs",
           "haslocal", "hascompare", "hasfree", "opname", "opmap",
           "HAVE_ARGUMENT", "EXTENDED_ARG", "hasnargs", "stack_effect"]

import _opcode
from _opcode import stack_effect

_rows = _opcode._table()
# Specialised forms stay inside the VM: co_code never shows them.
opname = [row[0] for row in _rows]
operands = [row[1] for row in _rows]
opmap = {row[0]: op for op, row in enumerate(_rows) if row[3] == op}
_inline_cache_entries = [row[2] for row in _rows]
_specialized_instructions = [row[0] for op, row in enumerate(_rows)
                             if row[3] != op]

HAVE_ARGUMENT = 0
EXTENDED_ARG = len(opname)              # never occurs

cmp_op = ('<', '<=', '==', '!=', '>', '>=')

_name_in_cache = {'LOAD_GLOBAL', 'STORE_GLOBAL', 'LOAD_NAME', 'STORE_NAME',
                  'LOAD_ATTR', 'STORE_ATTR', 'LOAD_METHOD',
                  'IMPORT_NAME', 'IMPORT_FROM'}
_const_in_cache = {'BUILD_CONST_KEY_MAP', 'CALL_KW', 'CALL_METHOD_KW',
                   'MAKE_FUNCTION'}
_jump_in_cache = {'FOR_ITER', 'SEND'}

hasconst = [op for name, op in opmap.items()
            if 'K' in operands[op] or name in _const_in_cache]
hasname = [op for name, op in opmap.items()
           if 'N' in operands[op] or name in _name_in_cache]
hasjrel = [op for name, op in opmap.items()
           if 'J' in operands[op] or 'j' in operands[op]
           or name in _jump_in_cache]
hasjabs = []
haslocal = [op for op in opmap.values() if set(operands[op]) & set('Drk')]
hascompare = [opmap[name] for name in ('LT', 'LE', 'EQ', 'NE', 'GT', 'GE')]
hasfree = [op for name, op in opmap.items()
           if name in ('LOAD_FREE', 'STORE_FREE', 'DELETE_FREE',
                       'LOAD_FREE_CELL', 'LOAD_CLASSDEREF')]
hasnargs = [op for name, op in opmap.items() if name.startswith('CALL')]

_nb_ops = []
