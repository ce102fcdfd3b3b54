"""Strings that conditions compare, and what conditions ask for its truth: variables, temporaries,
the same object twice, objects that die, subclasses; attributes that are stored while old values live or
die."""
import sys


def ways(a, b):
    found = []
    if a == b:
        found.append('eq')
    if a != b:
        found.append('ne')
    if not a == b:
        found.append('not eq')
    if not a != b:
        found.append('not ne')
    while a == b:
        found.append('while')
        break
    if a[0:] == b[0:]:
        found.append('slices')
    if a + '' == b + '':
        found.append('sums')
    if a * 1 == a * 1:
        found.append('same')
    if a.upper() != b.upper():
        found.append('upper')
    if str(a) == str(a):
        found.append('itself')
    return found


class Text(str):
    __hash__ = str.__hash__

    def __eq__(self, other):
        return 'Text'

    def __ne__(self, other):
        return []


class Dies:
    def __init__(self, name, truth=True):
        self.name = name
        self.truth = truth

    def __bool__(self):
        return self.truth

    def __del__(self):
        print('dies', self.name)


class DyingText(str):
    def __del__(self):
        print('dies', str(self))


def truths(values):
    found = []
    for value in values:
        if value:
            found.append(1)
        if not value:
            found.append(2)
        if [value][0]:
            found.append(3)
        while not (lambda: value)():
            found.append(4)
            break
        found.append(1 if value else 0)
        found.append((value and 5) or 6)
    return found


def dying():
    for i in range(70):
        if [Dies(i)] if i > 67 else 3:
            print(end='list ' if i > 67 else '')
        if not ((Dies(i), ) if i > 67 else 3):
            print(end='tuple ')
        if DyingText('text %d' % i if i > 67 else '') == 'other':
            print('wrong')
        if (Dies(i, i % 2 == 1) if i > 67 else None):
            print('true')
        if {1: Dies(i)} if i > 67 else 0:
            print('dict')


class Holds:
    pass


class DyingHolder:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print('gone', self.name, self.late is self or self.late)


def nothing_is_left():
    def compare(text, n):
        count = 0
        for i in range(n):
            if text + 'x' == text + 'y':
                count += 1
            if text[i % 9:] != text[i % 7:]:
                count += 1
            if (x := text + 'z') == x:
                count += 1
            box = [text + str(i)] * 2
            if box.pop() == box.pop():
                count += 1
            if text + str(i):
                count += 1
        return count
    text = 'some text of nine characters and more'
    compare(text, 100)
    before = sys.getallocatedblocks()
    print(compare(text, 1000), sys.getallocatedblocks() - before < 100)


def stores_in_a_variable():
    holder = Holds()
    for i in range(70):
        holder.plain = Dies('held %d' % i) if i > 67 else 'young'
        holder.plain = 'new'
        holder.itself = holder
    [holder][0].itself = None
    holders = [DyingHolder(i) for i in range(70)]
    for i in range(70):
        holders[i].late = holders[i]
    for i in range(70):
        if i == 68:
            for old in holders[i:]:
                old.late = None
            del old
            holders[i:] = [DyingHolder('last'), DyingHolder('very last')]
            holders[i].late, holders[i + 1].late = holders[i], 'late'
        late = holders[i]
        del late
        holders[i].late = 'other'
        if i > 66:
            print(i, holders[i].name, holders[i].late)
    del holders[:]
    for i in range(70):
        holders.append(DyingHolder(i if i > 67 else 'young'))
        holders[0].late = holders[0]
        holders.pop().late = 'alone'
    print('end')


def stores():
    holder = Holds()
    for i in range(70):
        holder.plain = Dies('plain %d' % i) if i > 67 else 'young'
        holder.plain = 'new'
        DyingHolder(i if i > 67 else 'soon').late = 'text'
    for i in range(70):
        holder.value = Dies('old %d' % i, False) if i > 67 else i
        holder.other = holder.value
        holder.value = None
        if i > 66:
            print('stored', i)
        holder.other = 2**40 + i
        holder.text = 'text' if i % 2 else str(i)
        if i % 3:
            del holder.text
        Holds().late = i
    print(vars(holder))

    class Looks:
        def __del__(self):
            print('looks', holder.value, list(vars(holder)))
    for i in range(40):
        holder.value = Looks() if i > 37 else i
        holder.value = i
    order = []
    for names in 'abc', 'cab', 'bca':
        for _ in range(30):
            o = Holds()
            for name in names:
                if name == 'a':
                    o.a = name
                elif name == 'b':
                    o.b = name
                else:
                    o.c = name
        order.append(list(vars(o)))
    print(order)


texts = ['', 'a', 'b', 'ab', 'ac', 'xb', '\xe9', '\u0101', '\u0161', '\u0101b', '\u0201', 'a' * 100,
         'a' * 99 + 'b', '\U0001f600', 'a\0', '\xe9a', Text('a')]
for again in range(3):
    for a in texts:
        for b in texts + [''.join(c for c in text) for text in texts]:
            print(end=' '.join(ways(a, b)) + ';')
    print()
    print(truths(['', 'x', 0, 1, -1, 2**70, 0.0, 1.5, None, True, False, [], [0], (), (0,), {},
                  {0: 1},
                  b'', b'x', set(), {1}, range(0), object, 0j, Text(''), Text('x')]))
dying()
stores()
stores_in_a_variable()
nothing_is_left()
