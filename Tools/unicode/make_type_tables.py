#!/usr/bin/python3
"""Writes unicode_tables.h: the character properties that str needs.

usage: make_type_tables.py UNICODE-DATA-DIRECTORY OUTPUT
"""
import sys
from fractions import Fraction

from ucd import Database, MAXCODE, UNIDATA_VERSION, split_table, write_array

FLAGS = ["ALPHA", "DECIMAL", "DIGIT", "LOWER", "LINEBREAK", "SPACE", "TITLE",
         "UPPER", "XID_START", "XID_CONTINUE", "PRINTABLE", "NUMERIC",
         "CASE_IGNORABLE", "CASED", "EXTENDED_CASE"]
BIT = {name: 1 << i for i, name in enumerate(FLAGS)}
LINEBREAKS = {0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029}
UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}
DEFAULT = (0, 0, 0, 0, 0, 0)    # an unassigned code point


class ExtendedCases:
    """Sequences of characters shared by all the full case mappings: a
    mapping is (length << 24 | start)."""

    def __init__(self):
        self.data = []
        self.seen = {}

    def add(self, sequence):
        if sequence not in self.seen:
            self.seen[sequence] = len(sequence) << 24 | len(self.data)
            self.data.extend(sequence)
        return self.seen[sequence]


def flags_of(code, char):
    flags = 0
    if char.category[0] == "L":
        flags |= BIT["ALPHA"]
    if char.decimal is not None:
        flags |= BIT["DECIMAL"]
    if char.digit is not None:
        flags |= BIT["DIGIT"]
    if char.numeric is not None:
        flags |= BIT["NUMERIC"]
    if char.category == "Lt":
        flags |= BIT["TITLE"]
    if char.category == "Zs" or char.bidi in ("WS", "B", "S"):
        flags |= BIT["SPACE"]
    if code in LINEBREAKS:
        flags |= BIT["LINEBREAK"]
    if code == 0x20 or char.category not in UNPRINTABLE:
        flags |= BIT["PRINTABLE"]
    for prop, flag in (("Lowercase", "LOWER"), ("Uppercase", "UPPER"),
                       ("XID_Start", "XID_START"),
                       ("XID_Continue", "XID_CONTINUE"),
                       ("Cased", "CASED"),
                       ("Case_Ignorable", "CASE_IGNORABLE")):
        if prop in char.props:
            flags |= BIT[flag]
    return flags


def record_of(db, cases, code):
    """(upper, lower, title, decimal, digit, flags); a case field is the
    difference to the code, or with EXTENDED_CASE upper is an index of the
    list of full mappings."""
    char = db.chars[code]
    if char is None:
        return DEFAULT
    flags = flags_of(code, char)
    upper = char.upper if char.upper is not None else code
    lower = char.lower if char.lower is not None else code
    title = char.title if char.title is not None else upper
    special = db.special.get(code)
    folded = db.folding.get(code, (code,))
    # Folding equals the full lower case for nearly every character.
    full_lower = special[0] if special else (lower,)
    if special or folded != full_lower:
        flags |= BIT["EXTENDED_CASE"]
        full_title, full_upper = (special[1], special[2]) if special else \
            ((title,), (upper,))
        # A simple mapping is then the first character of the full one.
        index = cases.add_record(full_upper[0], full_lower[0], full_title[0],
                                 full_upper, full_lower, full_title, folded)
        return (index, 0, 0, char.decimal or 0, char.digit or 0, flags)
    return (upper - code, lower - code, title - code,
            char.decimal or 0, char.digit or 0, flags)


class CaseRecords(ExtendedCases):
    def __init__(self):
        super().__init__()
        self.records = []
        self.index = {}

    def add_record(self, upper, lower, title, *full):
        record = (upper, lower, title) + tuple(map(self.add, full))
        if record not in self.index:
            self.index[record] = len(self.records)
            self.records.append(record)
        return self.index[record]


def main(directory, output):
    db = Database(directory)
    cases = CaseRecords()
    records = [DEFAULT]
    index_of = {DEFAULT: 0}
    indices = []
    numeric = []
    for code in range(MAXCODE):
        record = record_of(db, cases, code)
        if record not in index_of:
            index_of[record] = len(records)
            records.append(record)
        indices.append(index_of[record])
        char = db.chars[code]
        if char is not None and char.numeric is not None:
            numeric.append((code, Fraction(char.numeric)))
    first, second, shift = split_table(indices)

    with open(output, "w") as out:
        out.write("/* Made by Tools/unicode/make_type_tables.py. */\n\n")
        out.write('#define UNIDATA_VERSION "%s"\n\n' % UNIDATA_VERSION)
        for name in FLAGS:
            out.write("#define CHAR_%s 0x%x\n" % (name, BIT[name]))
        out.write("\n#define CHAR_INDEX_SHIFT %d\n\n" % shift)
        out.write("static const CharRecord char_records[] = {\n")
        for record in records:
            out.write("    {%d, %d, %d, %d, %d, 0x%x},\n" % record)
        out.write("};\n\n")
        write_array(out, "char_index1", first)
        write_array(out, "char_index2", second)
        out.write("static const CaseRecord case_records[] = {\n")
        for record in cases.records:
            out.write("    {0x%x, 0x%x, 0x%x, 0x%x, 0x%x, 0x%x, 0x%x},\n"
                      % record)
        out.write("};\n\n")
        write_array(out, "case_text", cases.data)
        out.write("static const NumericRecord numeric_records[] = {\n")
        for code, value in numeric:
            out.write("    {0x%x, %d.0 / %d.0},\n"
                      % (code, value.numerator, value.denominator))
        out.write("};\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
