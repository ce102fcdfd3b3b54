#!/usr/bin/python3
"""Writes what the unicodedata module knows about characters.

usage: make_database.py UNICODE-DATA-DIRECTORY PROPERTIES NAMES

PROPERTIES is for Lib/unicodedata/properties.c, NAMES for names.c.
"""
import sys
from collections import Counter

from ucd import (Database, MAXCODE, UNIDATA_VERSION, code_range, lines,
                 split_table, write_array)
from ucd_3_2_0 import OLD, OLD_DECIMALS

OLD_AGE = (3, 2)
CATEGORIES = ["Cn", "Lu", "Ll", "Lt", "Mn", "Mc", "Me", "Nd", "Nl", "No",
              "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Lm", "Lo", "Pc",
              "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So"]
BIDIS = ["", "L", "LRE", "LRO", "R", "AL", "RLE", "RLO", "PDF", "EN", "ES",
         "ET", "AN", "CS", "NSM", "BN", "B", "S", "WS", "ON", "LRI", "RLI",
         "FSI", "PDI"]
WIDTHS = ["F", "H", "W", "Na", "A", "N"]
FORMS = ["NFD_QC", "NFKD_QC", "NFC_QC", "NFKC_QC"]
# Aliases that 15.0 gave to characters of 14.0.
NEW_ALIASES = {"EM", "SUNDANESE LETTER ARCHAIC I",
               "ARABIC SMALL HIGH LIGATURE ALEF WITH YEH BARREE"}
HANGUL = range(0xAC00, 0xD7A4)


def read_widths(db):
    widths = [None] * MAXCODE
    for field, width in lines(db.directory, "EastAsianWidth.txt"):
        for code in code_range(field):
            widths[code] = width
    return widths


def read_quick_checks(db):
    """Two bits for each form: 0 yes, 1 maybe, 2 no."""
    checks = [0] * MAXCODE
    for fields in lines(db.directory, "DerivedNormalizationProps.txt"):
        if fields[1] in FORMS:
            value = {"M": 1, "N": 2}[fields[2]]
            for code in code_range(fields[0]):
                checks[code] |= value << 2 * FORMS.index(fields[1])
    return checks


def read_exclusions(db):
    return {code for fields in lines(db.directory,
                                     "DerivedNormalizationProps.txt")
            if fields[1] == "Full_Composition_Exclusion"
            for code in code_range(fields[0])}


def old_values(name):
    values = {}
    for value, ranges in OLD[name].items():
        for item in ranges.split():
            for code in code_range(item.replace("-", "..")):
                values[code] = value
    return values


def write_names_of(out, name, values):
    out.write("static const char *const %s[] = {%s};\n\n" % (
        name, ", ".join('"%s"' % value for value in values)))


def write_records(out, name, rows, kind):
    """A table of distinct rows and its two index tables."""
    distinct = {rows[0]: 0}
    indices = [distinct.setdefault(row, len(distinct)) for row in rows]
    out.write("static const %s %s_records[] = {\n" % (kind, name))
    for row in distinct:
        out.write("    {%s},\n" % ", ".join(map(str, row)))
    out.write("};\n\n")
    write_index(out, name, indices)


def write_index(out, name, indices):
    first, second, shift = split_table(indices)
    out.write("#define %s_SHIFT %d\n\n" % (name.upper(), shift))
    write_array(out, name + "_index1", first)
    write_array(out, name + "_index2", second)


def write_properties(db, out):
    out.write("/* Made by Tools/unicode/make_database.py. */\n\n")
    out.write('#define UNIDATA_VERSION "%s"\n\n' % UNIDATA_VERSION)
    write_names_of(out, "category_names", CATEGORIES)
    write_names_of(out, "bidi_names", BIDIS)
    write_names_of(out, "width_names", WIDTHS)
    widths, checks = read_widths(db), read_quick_checks(db)
    rows = []
    for code in range(MAXCODE):
        char = db.chars[code]
        if char is None:
            rows.append((0, 0, 0, 0, 0, 0))
            continue
        rows.append((CATEGORIES.index(char.category),
                     BIDIS.index(char.bidi), char.combining,
                     int(char.mirrored),
                     WIDTHS.index(widths[code] or "N"), checks[code]))
    write_records(out, "property", rows, "PropertyRecord")

    old = {name: old_values(name) for name in OLD}
    decimals = {first + i: value + i for first, value, count in OLD_DECIMALS
                for i in range(count)}
    rows = []
    for code in range(MAXCODE):
        char = db.chars[code]
        if char is None or db.age[code] > OLD_AGE:
            rows.append((0, 0, 0, 0, 0, -1))
            continue
        rows.append((
            1,
            CATEGORIES.index(old["category"].get(code, char.category)),
            BIDIS.index(old["bidirectional"].get(code, char.bidi)),
            int(old["mirrored"].get(code, char.mirrored)),
            WIDTHS.index(old["east_asian_width"].get(code,
                                                     widths[code] or "N")),
            decimals.get(code, -1)))
    write_records(out, "old", rows, "OldRecord")
    write_decompositions(db, out)
    write_compositions(db, out)


def write_decompositions(db, out):
    """Each is (prefix << 8 | length) and its characters, in one array."""
    prefixes = [""]
    data, seen, indices = [0], {}, []
    for code in range(MAXCODE):
        char = db.chars[code]
        if char is None or not char.decomposition:
            indices.append(0)
            continue
        fields = char.decomposition.split()
        prefix = fields.pop(0) if fields[0].startswith("<") else ""
        if prefix not in prefixes:
            prefixes.append(prefix)
        entry = (prefixes.index(prefix) << 8 | len(fields),
                 *(int(field, 16) for field in fields))
        if entry not in seen:
            seen[entry] = len(data)
            data.extend(entry)
        indices.append(seen[entry])
    write_names_of(out, "decomposition_prefixes", prefixes)
    write_array(out, "decomposition_data", data)
    write_index(out, "decomposition", indices)

    out.write("static const Correction corrections[] = {\n")
    for fields in lines(db.directory, "NormalizationCorrections.txt"):
        version = tuple(map(int, fields[3].split(".")))
        if version[:2] > OLD_AGE:
            out.write("    {0x%s, 0x%s},\n" % (fields[0], fields[1]))
    out.write("};\n\n")


def write_compositions(db, out):
    excluded = read_exclusions(db)
    pairs = []
    for code in range(MAXCODE):
        char = db.chars[code]
        if (char is None or not char.decomposition
                or char.decomposition.startswith("<") or code in excluded):
            continue
        first, second = (int(f, 16) for f in char.decomposition.split())
        pairs.append((first, second, code))
    pairs.sort()
    out.write("static const Composition compositions[] = {\n")
    for pair in pairs:
        out.write("    {0x%x, 0x%x, 0x%x},\n" % pair)
    out.write("};\n")


# --- Names ---

def has_listed_name(code, char):
    return (char is not None and not char.name.startswith("<")
            and code not in HANGUL
            and not char.name.startswith("CJK Ideograph")
            and not char.name.startswith(("Tangut Ideograph", "Hangul ",
                                          "Non Private", "Private",
                                          "Low Surrogate", "Plane ")))


def ideograph_ranges(db):
    ranges = []
    for code in range(MAXCODE):
        char = db.chars[code]
        if char is not None and char.name.startswith("CJK Ideograph"):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return ranges


class Lexicon:
    """Names as words of a lexicon, the most frequent ones first: a word below
    ONE_BYTE takes one byte, another one two."""

    ONE_BYTE = 160

    def __init__(self, names):
        counts = Counter(word for name in names for word in name.split(" "))
        self.words = [word for word, _ in counts.most_common()]
        self.index = {word: i for i, word in enumerate(self.words)}

    def encode(self, name):
        result = []
        for word in name.split(" "):
            i = self.index[word]
            if i < self.ONE_BYTE:
                result.append(i)
            else:
                i -= self.ONE_BYTE
                result += [self.ONE_BYTE + i // 256, i % 256]
        assert max(result) < 256
        return [len(result)] + result


def write_names(db, out):
    out.write("/* Made by Tools/unicode/make_database.py. */\n\n")
    names = {code: db.chars[code].name for code in range(MAXCODE)
             if has_listed_name(code, db.chars[code])}
    lexicon = Lexicon(names.values())
    text = "".join(lexicon.words)
    offsets = [0]
    for word in lexicon.words:
        offsets.append(offsets[-1] + len(word))
    out.write("#define ONE_BYTE %d\n\n" % Lexicon.ONE_BYTE)
    out.write("static const char word_text[] =\n")
    for i in range(0, len(text), 70):
        out.write('    "%s"\n' % text[i:i + 70])
    out.write("    ;\n\n")
    write_array(out, "word_offsets", offsets)
    phrases, indices = [0], [0] * MAXCODE
    for code, name in names.items():
        indices[code] = len(phrases)
        phrases.extend(lexicon.encode(name))
    write_array(out, "phrases", phrases)
    write_index(out, "phrase", indices)
    write_array(out, "codes_by_name",
                sorted(names, key=lambda code: names[code].encode()))

    out.write("static const Range ideographs[] = {\n")
    for first, last in ideograph_ranges(db):
        out.write("    {0x%x, 0x%x},\n" % (first, last))
    out.write("};\n\n")

    aliases = sorted((fields[1], int(fields[0], 16))
                     for fields in lines(db.directory, "NameAliases.txt")
                     if db.known(int(fields[0], 16))
                     and fields[1] not in NEW_ALIASES)
    out.write("static const Alias aliases[] = {\n")
    for name, code in aliases:
        out.write('    {"%s", 0x%x},\n' % (name, code))
    out.write("};\n\n")

    out.write("static const Sequence sequences[] = {\n")
    found = []
    for name, codes in lines(db.directory, "NamedSequences.txt"):
        codes = [int(code, 16) for code in codes.split()]
        if all(db.known(code) for code in codes):
            found.append((name, codes))
    for name, codes in sorted(found):
        out.write('    {"%s", %d, {%s}},\n' % (
            name, len(codes), ", ".join("0x%x" % code for code in codes)))
    out.write("};\n\n")

    parts = {"L": [], "V": [], "T": []}
    for field, value in lines(db.directory, "Jamo.txt"):
        code = int(field, 16)
        part = "L" if code < 0x1160 else "V" if code < 0x11A8 else "T"
        parts[part].append(value)
    write_strings(out, "jamo_leads", parts["L"])
    write_strings(out, "jamo_vowels", parts["V"])
    write_strings(out, "jamo_tails", [""] + parts["T"])


def write_strings(out, name, values):
    out.write("static const char *const %s[] = {%s};\n" % (
        name, ", ".join('"%s"' % value for value in values)))


def main(directory, properties, names):
    db = Database(directory)
    with open(properties, "w") as out:
        write_properties(db, out)
    with open(names, "w") as out:
        write_names(db, out)


if __name__ == "__main__":
    main(*sys.argv[1:])
