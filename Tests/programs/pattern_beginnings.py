"""Regular expressions whose beginnings are known: what characters a match begins with, and which
stand before it. Patterns that have been used often look at these first, and arguments of the
usual kinds are taken on a short way: what is found, and every error, is as ever."""
import random
import re

OFTEN = 40
SIMPLE = ['a', 'b', 'ab', 'A', '[ab]', '[^a]', r'\w', r'\s', '.', '', '\u0101', '[\u0101c]', 'a?',
          'b*', '(?:ab)+', '(a|b)', '(?:a|)', '(?>ab?)', '(?i:k)', r'\n']
TESTS = ['^', '$', r'\A', r'\Z', r'\b', r'\B', '(?<=a)', '(?<!a)', '(?<=[ab\u0101])', r'(?<!\s)',
         r'(?<=\n)', '(?<=ab)', '(?=a)', '(?!a)', '(?![ab])', r'(?=\s)', '(?=ab)', '(?!)',
         '(^|(?<=a))', r'(?:^|(?<=\s|b))', '(?:\\A|a)', '(?<=.)', '(?<!.)', '(?i:(?<=A))',
         '(?=[\u0101b])', '(?!\u0101)']
ALPHABET = 'aabbcAK \n\u0101\u212a'


def show(match):
    return match and (match.span(), match.groups(), match.lastindex)


def findings(pattern, texts):
    for text in texts:
        for pos, end in (0, 99), (1, 99), (2, 3), (3, 3), (-1, 4):
            yield show(pattern.match(text, pos, end))
            yield show(pattern.search(text, pos, end))
            yield show(pattern.fullmatch(text, pos, end))
        yield pattern.findall(text)
        yield [show(m) for m in pattern.finditer(text)]
        yield pattern.split(text)
        yield pattern.sub('<>', text, 2)


def random_patterns():
    rng = random.Random(7)
    for case in range(250):
        parts = [rng.choice(TESTS if rng.random() < .45 else SIMPLE)
                 for _ in range(rng.randrange(1, 5))]
        source = ''.join(parts)
        if rng.random() < .3:
            source = '(?:%s|%s)' % (source, rng.choice(TESTS) + rng.choice(SIMPLE))
        flags = rng.choice([0, 0, re.M, re.I, re.M | re.S, re.A])
        texts = [''.join(rng.choice(ALPHABET) for _ in range(rng.randrange(7))) for _ in range(3)]
        pattern = re.compile(source, flags)
        for _ in range(OFTEN):
            pattern.match('a')
            pattern.search('b')
        print(case, ascii(source), flags, ascii([texts, list(findings(pattern, texts))]))


def bytes_too():
    pattern, name = re.compile(rb'(?<=[ab])c|^\xff'), re.compile('(?<=[ab])c|^\xff')
    for _ in range(OFTEN):
        pattern.match(b'xc', 1)
        name.match('xc', 1)
    print(pattern.match(b'ac', 1), pattern.match(b'xc', 1), pattern.match(bytearray(b'\xff')),
          pattern.search(b'..bc'), name.match('bc', 1), name.match('\xff'), name.match('\u01ff'))
    for call in (lambda: pattern.match('ac'), lambda: name.match(b'ac'), lambda: name.match(3),
                 lambda: name.search(b''), lambda: name.match(b'', 1)):
        try:
            print(call())
        except TypeError as e:
            print(e)


class Text(str):
    pass


class Index:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value

    def __repr__(self):
        return 'Index(%d)' % self.value


def arguments():
    pattern = re.compile('a')
    for _ in range(OFTEN):
        pattern.match('a')
    text = Text('baa')
    for args, kwargs in [
            ((text, 1), {}), ((text, True), {}), ((text, Index(2)), {}), ((text, 2**70), {}),
            ((text, 1, 2**70), {}), ((text, -2**70), {}), ((text, 1.0), {}),
            ((text, None), {}), ((), {}), ((text, 1, 2, 3), {}), ((), dict(string=text)),
            ((text,), dict(pos=1)), ((text,), dict(pos=1, endpos=2)), ((text, 1), dict(pos=1)),
            ((text,), dict(start=1)), ((text, 10**6), {}), ((text, 2**40), {}), ((1,), {})]:
        for method in pattern.match, pattern.search, pattern.fullmatch, pattern.findall:
            try:
                result = method(*args, **kwargs)
            except Exception as e:
                result = type(e).__name__, str(e)
            print(method.__name__, args, kwargs, result)
    for args, kwargs in [(('-', text), {}), (('-', text, 1), {}), (('-', text, True), {}),
                         (('-', text, 2**70), {}), (('-',), {}), (('-', text, 1, 2), {}),
                         (('-', text), dict(count=1)), (('-', text, 1), dict(count=1)),
                         (('-', text, 'x'), {}), (('-', text, -1), {}), (('-', 1), {})]:
        for method in pattern.sub, pattern.subn, pattern.split:
            try:
                result = method(*args[method == pattern.split:], **kwargs)
            except Exception as e:
                result = type(e).__name__, str(e)
            print(method.__name__, args, kwargs, result)


def not_ready():
    """A match that cannot begin leaves nothing behind: neither groups nor a last match."""
    pattern = re.compile('(x)(y)?(z)?(a)(b)(c)(d)(e)')
    for _ in range(OFTEN):
        print(end='' if pattern.match('abc') is None else 'wrong')
    print(pattern.match('xyzabcde').groups(), pattern.match('yz'), pattern.match('xabcde').groups())
    many = re.compile('|'.join('(%s)' % c for c in 'abcdefghijklmnop'))
    for _ in range(OFTEN * 3):
        many.match('z')
    print([many.match(c) and many.match(c).lastindex for c in 'apz'], many.match(''))


random_patterns()
bytes_too()
arguments()
not_ready()
