"""Opcodes of the register machine, under the names that CPython's opcode.py has.

An instruction is a word of four 16-bit fields: the opcode and the operands a, b
and c, described by one letter each (see Include/internal/opcodes.def); `operands[op]`
gives the letters and `_inline_cache_entries[op]` how many cache words follow.

Where an opcode does what one of CPython 3.11 or 3.12 does, it goes by that name:
programs that look for a BINARY_OP or a RETURN_VALUE find them. The machine has
more opcodes than such names (an opcode for each operator, compare-and-jump, calls
by kind), so several may share one in `opname`; `operation[op]` is the machine's
own, and `opmap` gives the first.
"""

__all__ = ["cmp_op", "hasconst", "hasname", "hasjrel", "hasjabs",
           "haslocal", "hascompare", "hasfree", "opname", "opmap",
           "HAVE_ARGUMENT", "EXTENDED_ARG", "hasnargs", "stack_effect"]

import _opcode
from _opcode import stack_effect

cmp_op = ('<', '<=', '==', '!=', '>', '>=')

_nb_ops = [
    ('NB_ADD', '+'), ('NB_AND', '&'), ('NB_FLOOR_DIVIDE', '//'),
    ('NB_LSHIFT', '<<'), ('NB_MATRIX_MULTIPLY', '@'), ('NB_MULTIPLY', '*'),
    ('NB_REMAINDER', '%'), ('NB_OR', '|'), ('NB_POWER', '**'),
    ('NB_RSHIFT', '>>'), ('NB_SUBTRACT', '-'), ('NB_TRUE_DIVIDE', '/'),
    ('NB_XOR', '^')]
_nb_ops += [('NB_INPLACE_' + name[3:], sign + '=') for name, sign in _nb_ops]

# Operators: the machine's name, and the argument CPython tells them apart by.
_binary = {'ADD': 0, 'AND': 1, 'FLOORDIV': 2, 'LSHIFT': 3, 'MATMUL': 4, 'MUL': 5,
           'MOD': 6, 'OR': 7, 'POW': 8, 'RSHIFT': 9, 'SUB': 10, 'TRUEDIV': 11,
           'XOR': 12}
_compare = {'LT': 0, 'LE': 1, 'EQ': 2, 'NE': 3, 'GT': 4, 'GE': 5}

# operation: (name, argument); a negated comparison has its argument as well.
_families = {}
for _name, _arg in _binary.items():
    _families[_name] = _families[_name + 'I'] = 'BINARY_OP', _arg
    _families['I' + _name] = 'BINARY_OP', _arg + 13
for _name, _arg in _compare.items():
    for _form in ('%s', 'JUMP_IF_%s', 'JUMP_IF_NOT_%s', 'JUMP_IF_%sI',
                  'JUMP_IF_NOT_%sI'):
        _families[_form % _name] = 'COMPARE_OP', cmp_op[_arg]
for _form in ('%s', 'JUMP_IF_%s'):
    _families[_form % 'IS'] = 'IS_OP', 0
    _families[_form % 'IS_NOT'] = 'IS_OP', 1
    _families[_form % 'IN'] = 'CONTAINS_OP', 0
    _families[_form % 'NOT_IN'] = 'CONTAINS_OP', 1

_same_as = {
    'DROP': 'POP_TOP', 'DELETE_LOCAL': 'DELETE_FAST',
    'LOAD_FREE': 'LOAD_DEREF', 'STORE_FREE': 'STORE_DEREF',
    'DELETE_FREE': 'DELETE_DEREF', 'LOAD_FREE_CELL': 'LOAD_CLOSURE',
    'NEG': 'UNARY_NEGATIVE', 'POS': 'UNARY_POSITIVE', 'INVERT': 'UNARY_INVERT',
    'NOT': 'UNARY_NOT',
    'JUMP': 'JUMP_FORWARD', 'JUMP_BACK': 'JUMP_BACKWARD',
    'JUMP_IF_TRUE': 'POP_JUMP_FORWARD_IF_TRUE',
    'JUMP_IF_FALSE': 'POP_JUMP_FORWARD_IF_FALSE',
    'JUMP_IF_NONE': 'POP_JUMP_FORWARD_IF_NONE',
    'JUMP_IF_NOT_NONE': 'POP_JUMP_FORWARD_IF_NOT_NONE',
    'JUMP_IF_TRUE_OR_DROP': 'JUMP_IF_TRUE_OR_POP',
    'JUMP_IF_FALSE_OR_DROP': 'JUMP_IF_FALSE_OR_POP',
    'LOAD_SUBSCR': 'BINARY_SUBSCR', 'LOAD_SUBSCRI': 'BINARY_SUBSCR',
    'LOAD_SLICE': 'BINARY_SLICE',
    'CONVERT': 'FORMAT_VALUE', 'FORMAT': 'FORMAT_VALUE',
    'FORMAT_SPEC': 'FORMAT_VALUE', 'UNPACK_LOCALS': 'UNPACK_SEQUENCE',
    'CALL_KW': 'CALL', 'CALL_METHOD': 'CALL', 'CALL_METHOD_KW': 'CALL',
    'CALL_EX': 'CALL_FUNCTION_EX',
    'RETURN': 'RETURN_VALUE',
    'YIELD_FROM_VALUE': 'YIELD_VALUE',
    'PUSH_EXC': 'PUSH_EXC_INFO', 'RAISE': 'RAISE_VARARGS',
}

_rows = _opcode._table()
# Specialised forms stay inside the VM: co_code never shows them.
operation = [row[0] for row in _rows]
operands = [row[1] for row in _rows]
_inline_cache_entries = [row[2] for row in _rows]
_specialized_instructions = [row[0] for op, row in enumerate(_rows)
                             if row[3] != op]
opname = [_same_as.get(name) or _families.get(name, (name,))[0]
          for name in operation]
opmap = {}
for _op, _row in enumerate(_rows):
    if _row[3] == _op:
        opmap.setdefault(opname[_op], _op)

# Opcodes of CPython that this machine has no use for. They have numbers, which
# never occur, for programs that look for them.
for _name in ('EXTENDED_ARG', 'CACHE', 'PUSH_NULL', 'PRECALL', 'KW_NAMES', 'SWAP',
              'COPY_FREE_VARS', 'LOAD_FAST', 'STORE_FAST', 'JUMP_NO_INTERRUPT',
              'LOAD_CLOSURE', 'CHECK_EG_MATCH', 'RETURN_CONST'):
    if _name not in opmap:
        opmap[_name] = len(opname)
        opname.append(_name)

HAVE_ARGUMENT = 0
EXTENDED_ARG = opmap['EXTENDED_ARG']

_name_in_cache = {'LOAD_GLOBAL', 'STORE_GLOBAL', 'LOAD_NAME', 'STORE_NAME',
                  'LOAD_ATTR', 'STORE_ATTR', 'LOAD_METHOD',
                  'IMPORT_NAME', 'IMPORT_FROM'}
_const_in_cache = {'BUILD_CONST_KEY_MAP', 'CALL_KW', 'CALL_METHOD_KW',
                   'MAKE_FUNCTION'}
_jump_in_cache = {'FOR_ITER', 'SEND'}


def _having(letters, names=()):
    return [op for op, row in enumerate(_rows) if row[3] == op
            and (set(row[1]) & set(letters) or row[0] in names)]


hasconst = _having('K', _const_in_cache)
hasname = _having('N', _name_in_cache)
hasjrel = _having('Jj', _jump_in_cache)
hasjabs = []
haslocal = _having('Drk')
hascompare = [op for op, name in enumerate(opname) if name == 'COMPARE_OP']
hasfree = _having('', {'LOAD_FREE', 'STORE_FREE', 'DELETE_FREE',
                       'LOAD_FREE_CELL', 'LOAD_CLASSDEREF'})
hasnargs = _having('', {'CALL', 'CALL_KW', 'CALL_METHOD', 'CALL_METHOD_KW'})
