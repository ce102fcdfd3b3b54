"""What is said of parameter lists put together from pieces, most of which do not fit."""
import itertools

PIECES = ['a', 'b=1', '/', '*', '*c', '**d', '(e,f)', '(g)', 'h:', 'i:int', 'j=', 'k:int=2', '* l:', 'm=*']
FORMS = ['def f(%s): pass', 'x = lambda %s: 0']


def told(source):
    try:
        compile(source, "<source>", "exec")
        return "is fine"
    except SyntaxError as e:
        return e.msg, e.lineno, e.offset, e.end_lineno, e.end_offset


def lists():
    for n in range(1, 4):
        yield from itertools.product(PIECES, repeat=n)
    yield from itertools.product(PIECES[:6], repeat=4)


for pieces in lists():
    for form in FORMS:
        for tail in '', ',':
            source = form % (', '.join(pieces) + tail)
            print(source, told(source))
