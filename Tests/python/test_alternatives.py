"""Regular expressions that have been used often look at the next character before they try an
alternative: what they find must not depend on that."""
import random
import re
import time
import unittest

PORTABLE = "what is found in texts"

OFTEN = 100     # searches, after which a pattern has its tables


def used(pattern, flags=0):
    """A pattern of its own that has tables for its branches."""
    re.purge()
    compiled = re.compile(pattern, flags)
    for text in 'abc \n', '', '\u0101', 'ABC' * 3:
        for _ in range(OFTEN):
            compiled.search(text)
            compiled.match(text)
    return compiled


def random_pattern(rng, depth):
    piece = rng.randrange(12 if depth else 6)
    if piece < 4:
        return rng.choice(['a', 'b', 'ab', 'ba', 'c', 'A', 'Bc'])
    if piece == 4:
        return rng.choice(['[ab]', '[^a]', r'\w', r'\W', '.', '^', '$', r'\b', '\u0101',
                           '[\u0101c]'])
    if piece == 5:
        return ''
    inner = '|'.join(''.join(random_pattern(rng, depth - 1) for _ in range(rng.randrange(4)))
                     for _ in range(rng.randrange(1, 6)))
    # Repeats in repeats could take for ever.
    repeats = ['(?:%s)*', '(?:%s)+?', '(?:%s){1,2}'] if depth == 1 else []
    return rng.choice(['(?:%s)', '(%s)', '(?:%s)?', '(?=%s)', '(?!%s)', '(?>%s)', '(?i:%s)',
                       *repeats]) % inner


class AnythingMayFollow(unittest.TestCase):
    def assertFinds(self, pattern, expected, flags=0):
        pattern = used(pattern, flags)
        for text, span in expected.items():
            match = pattern.search(text)
            self.assertEqual(match and match.span(), span, (pattern, text))

    def test_characters_beyond_the_table(self):
        self.assertFinds('(?:a|\u0101|[\u0102x]|[^a-z]\u0103)!',
                         {'\u0101!': (0, 2), '\u0102!': (0, 2), '\u0104\u0103!': (0, 3),
                          '\u0104!': None, 'a!': (0, 2), 'b\u0103!': None})

    def test_case_is_ignored(self):
        self.assertFinds('(?:kelvin|long|\u00b5)=', {'KELVIN=': (0, 7), '\u212aelvin=': (0, 7),
                                                     '\u017fong=': None, 'Long=': (0, 5),
                                                     '\u03bc=': (0, 2)}, re.I)
        self.assertFinds('(?:kelvin|[m-n]ine|x)', {'Kelvin': (0, 6), 'NINE': (0, 4),
                                                   '\u212aelvin': None}, re.I | re.A)

    def test_an_alternative_may_be_empty(self):
        self.assertFinds('(?:a|b|)c', {'ac': (0, 2), 'c': (0, 1), 'd': None, '': None})
        self.assertFinds('x(?:a|b|)', {'x': (0, 1), 'xb': (0, 2), 'x\u0101': (0, 1)})
        self.assertFinds('(?:a|b*|c)d', {'bbd': (0, 3), 'd': (0, 1), 'cd': (0, 2)})
        self.assertFinds('(?:a|b*?|c)d', {'bbd': (0, 3), 'd': (0, 1), 'cd': (0, 2)})
        self.assertFinds('(?:a|(?:bb)*|c)d', {'bbd': (0, 3), 'd': (0, 1), 'cd': (0, 2)})
        self.assertFinds('(?:a|(?:b|(?:)){1,3}|c)d', {'bbd': (0, 3), 'd': (0, 1), 'cd': (0, 2)})

    def test_the_end_of_the_text(self):
        self.assertFinds(r'x(?:a|$|\Z|\b\B)', {'x': (0, 1), 'xa': (0, 2), 'xb': None,
                                               'x\n': (0, 1)})
        self.assertFinds('x(?:a|(?!b)|(?=c))', {'x': (0, 1), 'xb': None, 'xc': (0, 1)})
        self.assertFinds('x(?:a|(?<=x))', {'x': (0, 1), 'xa': (0, 2)})

    def test_what_was_found_before(self):
        self.assertFinds(r'(a|b)(?:c|\1)!', {'aa!': (0, 3), 'ab!': None, 'bc!': (0, 3)})
        self.assertFinds('(a)?(?:b|(?(1)c|d))!', {'ac!': (0, 3), 'c!': None, 'd!': (0, 2)})

    def test_repeated_branches_go_back(self):
        self.assertFinds('(?:a|ab|abc|bc)*d', {'abcabd': (0, 6), 'ababcbcd': (0, 8), 'abb': None})
        self.assertFinds('(?:(a|ab)(c|bcd)(d*))$', {'abcd': (0, 4)})
        self.assertEqual(used('(a|ab)(c|bcd)(d*)').match('abcd').groups(), ('a', 'bcd', ''))
        self.assertEqual(used('(?P<x>a|b)|(?P<y>c|d)').match('d').lastgroup, 'y')

    def test_any_number_of_alternatives(self):
        for n in 2, 63, 64, 65, 300:
            words = ['%s%d' % (chr(97 + i % 26), i) for i in range(n)]
            pattern = used('(?:%s)!' % '|'.join(words))
            for word in words:
                self.assertTrue(pattern.fullmatch(word + '!'), (n, word))
            self.assertIsNone(pattern.search('a1 b0 %'))

    def test_many_branches_do_not_take_seconds(self):
        pattern = re.compile('(?i)' + ''.join('(?:a?b?c%d|d?e?f?|g|)' % i for i in range(1000)))
        before = time.process_time()
        for _ in range(3):
            self.assertTrue(pattern.match('abc1'))
        self.assertLess(time.process_time() - before, 1)

    def test_tables_change_nothing(self):
        rng = random.Random(12)
        for _ in range(150):
            text = '|'.join(''.join(random_pattern(rng, 3) for _ in range(rng.randrange(4)))
                            for _ in range(rng.randrange(1, 5)))
            re.purge()
            pattern = re.compile(text, rng.choice([0, re.I, re.M | re.A]))
            texts = [''.join(rng.choice('aaabbbccAB \n\u0101') for _ in range(rng.randrange(8)))
                     for _ in range(4)]
            texts += [text.replace('\u0101', '') for text in texts]
            find = lambda: [(m and (m.regs, m.lastindex)) for text in texts
                            for m in (pattern.search(text), pattern.fullmatch(text),
                                      pattern.match(text))]
            first = find()
            for _ in range(9):
                last = find()
            self.assertEqual(first, last, (pattern, texts))


if __name__ == '__main__':
    unittest.main()
