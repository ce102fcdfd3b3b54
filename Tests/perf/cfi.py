"""Reads .eh_frame: for an address, how an unwinder finds the caller there."""
import struct


class Reader:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, layout):
        value, = struct.unpack_from("=" + layout, self.data, self.at)
        self.at += struct.calcsize("=" + layout)
        return value

    def bytes(self, size):
        self.at += size
        return self.data[self.at - size:self.at]

    def uleb(self):
        value = shift = 0
        while True:
            byte = self.take("B")
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def sleb(self):
        start = self.at
        value = self.uleb()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) else value

    def text(self):
        return self.bytes(self.data.index(0, self.at) + 1 - self.at)[:-1]


class CIE:
    """What the functions of a table have in common."""

    def __init__(self, body):
        reader = Reader(body)
        assert reader.take("B") == 1, "version"
        augmentation = reader.text()
        assert augmentation in (b"zR", b"zRB"), augmentation
        self.code_factor, self.data_factor = reader.uleb(), reader.sleb()
        self.return_register = reader.uleb()
        encoding = reader.bytes(reader.uleb())
        # Relative addresses, of 32 or 64 bits: the distance, the length.
        self.layouts = {b"\x1b": "iI", b"\x1c": "qQ"}[encoding]
        self.program = body[reader.at:]


def run(cie, program, rules, location, address):
    """Applies the instructions for the addresses up to `address` to rules."""
    reader, remembered = Reader(program), []
    while reader.at < len(program):
        byte = reader.take("B")
        kind, operand = byte >> 6, byte & 63
        if kind == 1 or 0x02 <= byte <= 0x04:   # advance_loc, advance_loc1, 2, 4
            location += (operand if kind == 1 else reader.take("BHI"[byte - 2])) * cie.code_factor
            if location > address:
                return
        elif kind == 2:                         # offset
            rules[operand] = reader.uleb() * cie.data_factor
        elif kind == 3:                         # restore
            rules.pop(operand, None)
        elif byte == 0x0a:                      # remember_state
            remembered.append(dict(rules))
        elif byte == 0x0b:                      # restore_state
            rules.clear()
            rules.update(remembered.pop())
        elif byte == 0x0c:                      # def_cfa
            rules["cfa"] = (reader.uleb(), reader.uleb())
        elif byte == 0x0d:                      # def_cfa_register
            rules["cfa"] = (reader.uleb(), rules["cfa"][1])
        elif byte == 0x0e:                      # def_cfa_offset
            rules["cfa"] = (rules["cfa"][0], reader.uleb())
        else:
            assert byte == 0, f"unknown instruction {byte:#x}"


def rules_at(table, place, address):
    """(return register, rules) of an address by the .eh_frame that lies at `place`:
    {"cfa": (register, offset), register: where it is saved, from the CFA}. None if
    the table does not speak of it."""
    cies, reader = {}, Reader(table)
    while (size := reader.take("I")) != 0:
        start = reader.at
        kind = reader.take("I")
        if kind == 0:
            cies[start - 4] = CIE(table[reader.at:start + size])
        else:
            cie = cies[start - kind]
            first = place + reader.at + reader.take(cie.layouts[0])
            length = reader.take(cie.layouts[1])
            reader.bytes(reader.uleb())
            if first <= address < first + length:
                rules = {}
                run(cie, cie.program, rules, first, address)
                run(cie, table[reader.at:start + size], rules, first, address)
                return cie.return_register, rules
        reader.at = start + size
    return None
