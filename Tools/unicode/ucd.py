"""Reads Debian's unicode-data files, limited to Unicode 14.0.

Python 3.11 documents Unicode 14.0; a newer database on the machine is cut
back to it by the Age property, and CHANGED lists the few properties of older
characters that a later version added.
"""
import bz2
import os

UNIDATA_VERSION = "14.0.0"
MAX_AGE = (14, 0)
MAXCODE = 0x110000

# Properties that 15.0 gave to characters of 14.0.
CHANGED = {
    # 15.0 made these modifier letters lower case.
    **{code: {"Lowercase", "Cased"}
       for code in (0x10FC, 0xA7F2, 0xA7F3, 0xA7F4, 0xAB69)},
}


def lines(directory, name):
    """The fields of each line of a file, without comments."""
    path = os.path.join(directory, name)
    if os.path.exists(path):
        f = open(path, encoding="utf-8")
    else:
        f = bz2.open(path + ".bz2", "rt", encoding="utf-8")
    with f:
        for line in f:
            line = line.split("#", 1)[0].strip()
            if line:
                yield [field.strip() for field in line.split(";")]


def code_range(field):
    first, _, last = field.partition("..")
    return range(int(first, 16), int(last or first, 16) + 1)


class Char:
    __slots__ = ("category", "combining", "bidi", "decomposition", "decimal",
                 "digit", "numeric", "mirrored", "name", "upper", "lower",
                 "title", "props", "ea_width")

    def __init__(self, fields):
        (self.name, self.category, combining, self.bidi, self.decomposition,
         decimal, digit, numeric, mirrored, _, _, upper, lower,
         title) = fields[1:15]
        self.combining = int(combining)
        self.decimal = int(decimal) if decimal else None
        self.digit = int(digit) if digit else None
        self.numeric = numeric or None
        self.mirrored = mirrored == "Y"
        self.upper = int(upper, 16) if upper else None
        self.lower = int(lower, 16) if lower else None
        self.title = int(title, 16) if title else None
        self.props = set()
        self.ea_width = None

    def copy(self):
        other = Char.__new__(Char)
        for slot in self.__slots__:
            setattr(other, slot, getattr(self, slot))
        other.props = set()
        return other


class Database:
    def __init__(self, directory):
        self.directory = directory
        self.chars = [None] * MAXCODE
        self.props = {}
        self.age = [None] * MAXCODE
        self._read_age()
        self._read_chars()
        self._read_props("PropList.txt")
        self._read_props("DerivedCoreProperties.txt")
        self._read_numeric()
        self.special = {}
        self._read_special()
        self.folding = {}
        self._read_folding()

    def _read_age(self):
        for field, age in lines(self.directory, "DerivedAge.txt"):
            version = tuple(map(int, age.split(".")))
            for code in code_range(field):
                self.age[code] = version

    def known(self, code):
        return self.age[code] is not None and self.age[code] <= MAX_AGE

    def _read_chars(self):
        first = None
        for fields in lines(self.directory, "UnicodeData.txt"):
            code = int(fields[0], 16)
            name = fields[1]
            char = Char(fields)
            if name.endswith(", First>"):
                first = code
                continue
            if name.endswith(", Last>"):
                char.name = name[1:-len(", Last>")]
                for c in range(first, code + 1):
                    if self.known(c):
                        self.chars[c] = char.copy()
                continue
            if self.known(code):
                self.chars[code] = char

    def _read_props(self, name):
        for fields in lines(self.directory, name):
            values = self.props.setdefault(fields[1], set())
            for code in code_range(fields[0]):
                char = self.chars[code]
                if (char is not None
                        and fields[1] not in CHANGED.get(code, ())):
                    char.props.add(fields[1])
                if self.known(code):
                    values.add(code)

    def _read_numeric(self):
        """Numeric values of ideographs, which UnicodeData.txt omits."""
        path = os.path.join(self.directory, "Unihan_NumericValues.txt")
        opener = open(path, encoding="utf-8") if os.path.exists(path) else \
            bz2.open(path + ".bz2", "rt", encoding="utf-8")
        with opener as f:
            for line in f:
                if not line.startswith("U+"):
                    continue
                code, tag, value = line.rstrip("\n").split("\t")
                code = int(code[2:], 16)
                char = self.chars[code]
                if char is not None and tag in (
                        "kAccountingNumeric", "kOtherNumeric",
                        "kPrimaryNumeric"):
                    char.numeric = value.split()[0]

    def _read_special(self):
        for fields in lines(self.directory, "SpecialCasing.txt"):
            if fields[4]:               # conditional: handled in C
                continue
            code = int(fields[0], 16)
            self.special[code] = tuple(
                tuple(int(c, 16) for c in field.split())
                for field in fields[1:4])

    def _read_folding(self):
        for fields in lines(self.directory, "CaseFolding.txt"):
            if fields[1] in "CF":
                code = int(fields[0], 16)
                if self.known(code):
                    self.folding[code] = tuple(
                        int(c, 16) for c in fields[2].split())


def split_table(values, shifts=range(3, 12)):
    """(first, second, shift): values[i] is
    second[(first[i >> shift] << shift) + (i & mask)], smallest form."""
    def width(seq):
        top = max(seq)
        return 1 if top < 256 else 2 if top < 65536 else 4

    best = None
    for shift in shifts:
        size = 1 << shift
        first, second, seen = [], [], {}
        for start in range(0, len(values), size):
            block = tuple(values[start:start + size])
            index = seen.get(block)
            if index is None:
                index = seen[block] = len(second) >> shift
                second.extend(block)
            first.append(index)
        cost = len(first) * width(first) + len(second) * width(second)
        if best is None or cost < best[0]:
            best = cost, first, second, shift
    return best[1:]


def c_type(seq):
    top = max(seq, default=0)
    return "uint8_t" if top < 256 else "uint16_t" if top < 65536 \
        else "uint32_t"


def write_array(out, name, seq, ctype=None):
    out.write("static const %s %s[%d] = {\n" % (ctype or c_type(seq), name,
                                                max(len(seq), 1)))
    line = "   "
    for value in seq:
        text = " %d," % value
        if len(line) + len(text) > 78:
            out.write(line + "\n")
            line = "   "
        line += text
    out.write(line + "\n};\n\n")
