# match(), search() and scanners with a pos beyond endpos: what is empty matches there, at once.
import re

PATTERNS = ["", "a*", "(a)?", "a", r"\b", r"\B", "^", "$", r"\Z", "(?m:^)", "(?m:$)", "(?=a)",
            "(?!a)", "(?<=a)", "(?<!a)", "a|", "|a", "[ab]*?", ".*", "(a*)*", "b*+", "(?>a*)", "()",
            r"()\1", r"(a)?\1", "(a)?(?(1)b|)",
            "(?:)*", "(?:a*)+", "(?:a|)+?", "(?s:.*)", "(?s:.)*+", "[^a]*",
            "(?:(?=)|a)*", "(?!)", "(?:ab)*"]
TEXTS = ["", "a", "abab", "a\nb"]


def seen(match):
    return match and (match.regs, match.pos, match.endpos, match.lastindex)


for pattern in PATTERNS:
    for convert in str, str.encode:
        compiled = re.compile(convert(pattern))
        found = []
        for text in map(convert, TEXTS):
            for pos in range(-1, 6):
                for end in range(-1, min(pos, len(text))):
                    for name in "match", "fullmatch", "search":
                        found.append(seen(getattr(compiled, name)(text, pos, end)))
                    found.append([seen(m) for m in compiled.finditer(text, pos, end)])
                    scanner = compiled.scanner(text, pos, end)
                    found += [seen(scanner.match()), seen(scanner.search())]
        print(pattern, found)
