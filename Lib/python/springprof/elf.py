"""Names of C functions: a reader of ELF files' symbol tables, as far as samples need it."""
import bisect
import struct

HEAD = struct.Struct("<16sHHIQQQIHHHHHH")
SEGMENT = struct.Struct("<IIQQQQQQ")
SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")

LOAD, NOTE = 1, 4
SYMTAB, DYNSYM = 2, 11
FUNCTION, INDIRECT_FUNCTION = 2, 10
MOST_UNSIZED = 1 << 16              # bytes that a symbol without a size may reach


class File:
    """`segments`: (offset, size in the file, address) of what is loaded."""

    def __init__(self, path):
        self.segments, self.build_id, symbols = [], None, {}
        try:
            with open(path, "rb") as file:
                data = file.read()
            self._read(data, symbols)
            if self.build_id and not self.has_table:
                self._read_debug(symbols)
        except (OSError, struct.error, ValueError, IndexError):
            pass                    # gone, or not for us: no names
        self.symbols = sorted((start, size, name) for start, (size, name, _) in symbols.items())
        self.starts = [start for start, _, _ in self.symbols]

    has_table = False

    def _read_debug(self, symbols):
        """Symbols that a distribution keeps apart."""
        name = self.build_id
        with open(f"/usr/lib/debug/.build-id/{name[:2]}/{name[2:]}.debug", "rb") as file:
            self._read(file.read(), symbols, is_debug=True)

    def _read(self, data, symbols, is_debug=False):
        head = HEAD.unpack_from(data)
        if head[0][:6] != b"\x7fELF\2\1":
            raise ValueError("not a file of this kind of machine")
        segments, sections, segment_size, count, section_size, section_count = (
            head[5], head[6], head[9], head[10], head[11], head[12])
        for at in range(segments, segments + count * segment_size, segment_size):
            kind, _, offset, address, _, size, _, _ = SEGMENT.unpack_from(data, at)
            if is_debug:
                continue
            if kind == LOAD:
                self.segments.append((offset, size, address))
            elif kind == NOTE:
                self._read_notes(data[offset:offset + size])
        tables = [SECTION.unpack_from(data, at) for at in
                  range(sections, sections + section_count * section_size, section_size)]
        for _, kind, _, _, offset, size, link, _, _, _ in tables:
            if kind in (SYMTAB, DYNSYM):
                self.has_table |= kind == SYMTAB
                self._read_symbols(data[offset:offset + size], data, tables[link], symbols)

    def _read_notes(self, data):
        at = 0
        while at + 12 <= len(data):
            name_size, size, kind = struct.unpack_from("<III", data, at)
            body = at + 12 + (name_size + 3 & ~3)
            if kind == 3 and data[at + 12:at + 16] == b"GNU\0":
                self.build_id = data[body:body + size].hex()
            at = body + (size + 3 & ~3)

    @staticmethod
    def _read_symbols(table, data, strings, symbols):
        start = strings[4]
        for name, info, _, section, value, size in SYMBOL.iter_unpack(table):
            if not section or not value or info & 15 not in (FUNCTION, INDIRECT_FUNCTION):
                continue
            known = symbols.get(value)
            # Of several names, the one of a global symbol; then the shorter one.
            text = data[start + name:data.index(b"\0", start + name)].decode(errors="replace")
            rank = info >> 4 == 1, size > 0, -len(text), text
            if known is None or rank > known[2]:
                symbols[value] = size, text, rank

    def name(self, offset):
        """Of the function at an offset of the file, or None."""
        for start, size, address in self.segments:
            if start <= offset < start + size:
                offset += address - start
                break
        else:
            return None
        at = bisect.bisect_right(self.starts, offset) - 1
        if at < 0:
            return None
        start, size, name = self.symbols[at]
        return name if offset < start + (size or MOST_UNSIZED) else None
