"""str, bytes, bytearray and codecs: what a wrong kernel would get wrong."""
import codecs
import ctypes
import marshal
import random
import sys
import unicodedata
import unittest
import warnings


def naive_find(hay, needle, start=0):
    for i in range(start, len(hay) - len(needle) + 1):
        if hay[i:i + len(needle)] == needle:
            return i
    return -1


def naive_rfind(hay, needle):
    for i in range(len(hay) - len(needle), -1, -1):
        if hay[i:i + len(needle)] == needle:
            return i
    return -1


def naive_places(hay, needle):
    at, places = naive_find(hay, needle), []
    while at >= 0:
        places.append(at)
        at = naive_find(hay, needle, at + len(needle))
    return places


class SearchAgainstNaive(unittest.TestCase):
    ALPHABETS = ["ab", "a\xe9", "a\u20ac", "\u0101\u0102", "a\U0001f600",
                 "\U00010101\U00010102"]

    def cases(self):
        rng = random.Random(20)
        for alphabet in self.ALPHABETS:
            for _ in range(150):
                hay = "".join(rng.choices(alphabet, k=rng.randrange(90)))
                size = rng.choice((1, 1, 2, 3, 5, 9, 20))
                if rng.random() < .5 and len(hay) >= size:
                    start = rng.randrange(len(hay) - size + 1)
                    needle = hay[start:start + size]
                else:
                    needle = "".join(rng.choices(alphabet, k=size))
                yield hay, needle

    def check(self, hay, needle, mark):
        places = naive_places(hay, needle)
        where = (hay, needle)
        self.assertEqual(hay.find(needle), naive_find(hay, needle), where)
        self.assertEqual(hay.rfind(needle), naive_rfind(hay, needle), where)
        self.assertEqual(hay.count(needle), len(places), where)
        self.assertEqual(needle in hay, bool(places), where)
        parts, last = [], 0
        for at in places:
            parts.append(hay[last:at])
            last = at + len(needle)
        parts.append(hay[last:])
        self.assertEqual(hay.split(needle), parts, where)
        self.assertEqual(hay.replace(needle, mark), mark.join(parts), where)
        self.assertEqual(hay.replace(needle, mark, 1),
                         hay.replace(needle, mark) if len(places) < 2 else
                         parts[0] + mark + hay[places[0] + len(needle):],
                         where)

    def test_str(self):
        for hay, needle in self.cases():
            for mark in ("", "x", "\u20ac\U0001f600"):
                self.check(hay, needle, mark)

    def test_bytes_and_bytearray(self):
        for hay, needle in self.cases():
            for make in (bytes, bytearray):
                self.check(make(hay.encode("utf-8")),
                           make(needle.encode("utf-8")), make(b"<>"))

    def test_text_made_to_defeat_a_filter_is_still_searched_right(self):
        for unit in ("a", "\u20ac", "\U0001f600"):
            hay = unit * 3000
            needle = unit * 100 + "b" + unit * 100
            self.assertEqual(hay.find(needle), -1)
            self.assertEqual((hay + needle).find(needle), 3000)
            self.assertEqual((hay + needle + hay + needle).count(needle), 2)

    def test_needle_wider_than_text_is_not_there(self):
        self.assertEqual("abc".find("\u20ac"), -1)
        self.assertEqual("abc".split("\u20ac"), ["abc"])
        self.assertEqual("abc".replace("\u20ac", "x"), "abc")

    def test_replacing_the_widest_character_narrows_the_string(self):
        text = "abc\U0001f600".replace("\U0001f600", "d")
        self.assertEqual(text, "abcd")
        self.assertTrue(text.isascii())
        self.assertEqual(hash(text), hash("abcd"))


class Parts(unittest.TestCase):
    def test_a_part_is_as_narrow_as_its_widest_character(self):
        """Wherever that is: slices, and what split() and splitlines() give."""
        for n in *range(1, 20), 31, 32, 33, 40, 64, 70:
            for wide in "aé中😀":
                narrower = [c for c in "aé中😀" if c <= wide]
                for at in range(n):
                    for other in narrower[:-1] or ["a"]:
                        part = other * at + wide + other * (n - at - 1)
                        for text in f"😀{part}", f"中{part}", f"é{part}", f"a{part}":
                            want = sys.getsizeof("".join(list(part)))
                            given = [text[1:], f"{text[0]} {part}".split()[1],
                                     f"{text[0]}\n{part}".splitlines()[1], f"{text[0]},{part}".split(",")[1]]
                            self.assertEqual(given, [part] * 4)
                            self.assertEqual({*map(sys.getsizeof, given)}, {want}, part)

    def test_what_is_without_the_separator_is_a_part_itself(self):
        class Text(str):
            pass

        class Bytes(bytes):
            pass

        for whole, comma in (Text("text"), ","), (Text(""), ","), ("text", ","), (Bytes(b"b"), b","):
            with self.subTest(whole=whole, kind=type(whole)):
                self.assertIs(whole.partition(comma)[0], whole)
                self.assertIs(whole.rpartition(comma)[2], whole)
                empty = comma[:0]
                self.assertEqual([*whole.partition(comma), *whole.rpartition(comma)],
                                 [whole, empty, empty, empty, empty, whole])

    def test_a_part_that_is_all_of_the_text(self):
        """Exact strs and bytes are their own parts; of others and of bytearrays it is a copy."""
        class OwnBytes(bytes): pass
        class OwnStr(str): pass
        class OwnArray(bytearray): pass
        for kind, part_kind in ((bytes, bytes), (OwnBytes, bytes), (str, str), (OwnStr, str),
                                (bytearray, bytearray), (OwnArray, bytearray)):
            def text(s):
                return kind(s) if issubclass(kind, str) else kind(s.encode())
            for s in "ab", "x" * 100:
                whole, line = text(s), text(s + "\n")
                for parts in (whole.split(), whole.rsplit(), whole.split(text(",")),
                              whole.rsplit(text(",")), whole.splitlines(),
                              line.splitlines(True), line.split(text(","))):
                    self.assertEqual([type(part) for part in parts], [part_kind])
                    self.assertIn(parts, ([whole], [line]))
                    self.assertEqual(parts[0] is whole or parts[0] is line, kind in (bytes, str),
                                     (kind, s))
                self.assertEqual([type(part) for part in line.splitlines()], [part_kind])

    def test_text_that_is_shorter_than_the_separator_is_split_into_itself(self):
        class Text(str):
            pass

        for text, separator in ("", ","), ("ab", "abc"), ("ab", "\u1234"):
            for split in str.split, str.rsplit:
                whole = Text(text)
                self.assertIs(split(whole, separator)[0], whole)


class Concatenation(unittest.TestCase):
    def test_append_in_place_does_not_change_another_reference(self):
        a = "".join(["ab", "cd"])
        b = a
        a += "e"
        self.assertEqual((a, b), ("abcde", "abcd"))

    def test_append_of_wider_text(self):
        text = ""
        for ch in ("a", "\xe9", "\u20ac", "\U0001f600") * 50:
            text += ch
        self.assertEqual(text, "a\xe9\u20ac\U0001f600" * 50)

    def test_join_takes_the_widest_item(self):
        self.assertEqual("\u20ac".join(["a", "\U0001f600"]),
                         "a\u20ac\U0001f600")
        with self.assertRaisesRegex(TypeError,
                                    "sequence item 1: expected str instance, "
                                    "int found"):
            ",".join(["a", 1])


class Padding(unittest.TestCase):
    def test_the_least_width_leaves_the_text(self):
        for text in "", "abc", "-\u0130":
            for method in "zfill", "ljust", "rjust", "center":
                self.assertEqual(getattr(text, method)(-sys.maxsize - 1), text, method)
                data = text.encode()
                self.assertEqual(getattr(data, method)(-sys.maxsize - 1), data, method)


class Case(unittest.TestCase):
    def test_final_sigma(self):
        self.assertEqual("ΑΣ ΑΣΑ Σ".lower(), "ας ασα σ")

    def test_one_character_becomes_three(self):
        self.assertEqual("\ufb03".upper(), "FFI")
        self.assertEqual("\u0390".upper(), "\u0399\u0308\u0301")

    def test_letters_of_latin_1_as_in_wider_text(self):
        for n in range(128, 256):
            for text in chr(n), f"a{chr(n)}Z@[`{{", f"{chr(n) * 40}É×÷é":
                for method in str.lower, str.upper, str.title, str.casefold, str.swapcase:
                    wide = method(f"{text}.\u0100")[:-2]
                    self.assertEqual(method(text), wide)
                    self.assertEqual(sys.getsizeof(method(text)), sys.getsizeof("".join(wide)))

    def test_fold_and_title(self):
        self.assertEqual("Straße".casefold(), "strasse")
        self.assertEqual("ǆoke".title(), "ǅoke")


class Formatting(unittest.TestCase):
    def check_error(self, exception, message, function, *args):
        with self.assertRaises(exception) as caught:
            function(*args)
        self.assertEqual(str(caught.exception), message)

    def test_format_spec(self):
        for value, spec, text in (
                (1234567, ",", "1,234,567"), (5, "020,",
                                              "0,000,000,000,000,005"),
                (255, "#_b", "0b1111_1111"), (-5, "=+6d", "-    5"),
                (3.14159, "€>10.2f", "€€€€€€3.14"), (1e300, "020,",
                                                    "000,000,000,001e+300"),
                (float("nan"), "010", "0000000nan"), (0.5, ".0%", "50%"),
                (-0.0, "z.1f", "0.0"), (1 + 2j, "", "(1+2j)"),
                (5j, ">6", "    5j"), ("abc", "€^7.2", "€€ab€€€"),
                (0, "3c", "  \0"), (65, "^3c", " A ")):
            self.assertEqual(format(value, spec), text, (value, spec))

    def test_format_spec_messages(self):
        for value, spec, message in (
                ("a", "=5", "'=' alignment not allowed in string format "
                 "specifier"),
                ("a", "d", "Unknown format code 'd' for object of type "
                 "'str'"),
                (1, ".2", "Precision not allowed in integer format "
                 "specifier"),
                (1, ",n", "Cannot specify ',' with 'n'."),
                (1, ",_", "Cannot specify both ',' and '_'."),
                (1.5, "10.", "Format specifier missing precision"),
                (1j, "010", "Zero padding is not allowed in complex format "
                 "specifier"),
                (1, "abc", "Invalid format specifier 'abc' for object of "
                 "type 'int'")):
            self.check_error(ValueError, message, format, value, spec)

    def test_str_format(self):
        self.assertEqual("{0[a}]}{1.real:{2}}{{}}".format({"a}": 1}, 5, ">3"),
                         "1  5{}")
        for text, message in (
                ("{", "Single '{' encountered in format string"),
                ("}", "Single '}' encountered in format string"),
                ("{0", "expected '}' before end of string"),
                ("{!x}", "Unknown conversion specifier x"),
                ("{}{0}", "cannot switch from automatic field numbering to "
                 "manual field specification"),
                ("{:{:{}}}", "Max string recursion exceeded")):
            self.check_error(ValueError, message, text.format, 1, 2, 3)

    def test_percent(self):
        for text, args, result in (
                ("%-5d|%05d|%+d", (3, -42, 7), "3    |-0042|+7"),
                ("%#06x|%#o|%X", (255, 8, 255), "0x00ff|0o10|FF"),
                ("%.3d|%5.1f|%e", (7, 2.25, 1.0), "007|  2.2|1.000000e+00"),
                ("%(k)r %(k).2s", {"k": "abc"}, "'abc' ab"),
                ("%c%c%%", (0x20ac, "x"), "€x%"), ("%*.*f", (8, 2, 1.5),
                                                   "    1.50"),
                ("%d", 2 ** 70, "1180591620717411303424"),
                ("%x", -2 ** 70, "-400000000000000000")):
            self.assertEqual(text % args, result)
            if text.isascii() and "%c" not in text and "(k)" not in text:
                self.assertEqual(text.encode() % args, result.encode())
        self.check_error(TypeError, "%d format: a real number is required, "
                         "not str", lambda: "%d" % "a")
        self.check_error(TypeError, "not all arguments converted during "
                         "string formatting", lambda: "%s" % (1, 2))
        self.check_error(ValueError, "incomplete format key",
                         lambda: "%(a" % {})

    def test_percent_c_hands_on_what_index_raises(self):
        class Index:
            def __init__(self, error):
                self.error = error

            def __index__(self):
                raise self.error

        for text, message in (("%c", "%c requires int or char"),
                              (b"%c", "%c requires an integer in range(256) or a single byte")):
            for error in KeyError("a"), KeyboardInterrupt("b"), ZeroDivisionError("c"):
                with self.assertRaises(type(error)) as caught:
                    text % Index(error)
                self.assertIs(caught.exception, error)
            self.check_error(TypeError, message, lambda: text % Index(TypeError("d")))


class Codecs(unittest.TestCase):
    def test_utf8_of_every_width(self):
        for text in ("", "a", "é" * 3, "€" * 40, "a€" * 40, "😀é€a" * 20,
                     "x" * 100 + "é"):
            self.assertEqual(text.encode().decode(), text)

    def test_utf8_errors(self):
        for data, start, end, reason in (
                (b"ab\xff", 2, 3, "invalid start byte"),
                (b"\xc3(", 0, 1, "invalid continuation byte"),
                (b"\xe2\x82", 0, 2, "unexpected end of data"),
                (b"\xed\xa0\x80", 0, 1, "invalid continuation byte"),
                (b"\xf0\x90a", 0, 2, "invalid continuation byte"),
                (b"\xf4\x90\x80\x80", 0, 1, "invalid continuation byte")):
            with self.assertRaises(UnicodeDecodeError) as caught:
                data.decode()
            e = caught.exception
            self.assertEqual((e.start, e.end, e.reason), (start, end, reason))

    def test_handlers(self):
        data = b"a\xff\xe2\x82b"
        self.assertEqual(data.decode("utf-8", "replace"), "a\ufffd\ufffdb")
        self.assertEqual(data.decode("utf-8", "ignore"), "ab")
        escaped = data.decode("utf-8", "surrogateescape")
        self.assertEqual(escaped, "a\udcff\udce2\udc82b")
        self.assertEqual(escaped.encode("utf-8", "surrogateescape"), data)
        self.assertEqual(data.decode("ascii", "backslashreplace"),
                         r"a\xff\xe2\x82b")
        self.assertEqual("a€😀".encode("ascii", "xmlcharrefreplace"),
                         b"a&#8364;&#128512;")
        self.assertEqual("é".encode("ascii", "namereplace"),
                         rb"\N{LATIN SMALL LETTER E WITH ACUTE}")

    def test_to_utf_8_at_the_limits_of_lengths(self):
        """By twos, fours and many thousands: characters of 16 bits are counted in words, unless the
        text is a short one."""
        edges = "A\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff"
        rng = random.Random(28)
        for length in [*range(14)] * 30 + [*range(160, 180), 31999, 32000, 32001, 64003]:
            text = "".join(rng.choices(edges, k=length))
            data = text.encode()
            self.assertEqual(data, b"".join(map({c: c.encode() for c in edges}.get, text)))
            self.assertEqual(data.decode(), text)
            at = rng.randrange(length + 1)
            for surrogate in "\ud800\udbff\udc00\udfff":
                with self.assertRaises(UnicodeEncodeError) as caught:
                    (text[:at] + surrogate + text[at:]).encode()
                self.assertEqual((caught.exception.start, caught.exception.end), (at, at + 1))

    UTF_8 = {"A": b"A", "\x80": b"\xc2\x80", "\xff": b"\xc3\xbf", "\u0100": b"\xc4\x80",
             "\u07ff": b"\xdf\xbf", "\u0800": b"\xe0\xa0\x80", "\ud7ff": b"\xed\x9f\xbf",
             "\uffff": b"\xef\xbf\xbf", "\U00010000": b"\xf0\x90\x80\x80",
             "\U0010ffff": b"\xf4\x8f\xbf\xbf"}

    def test_utf_8_at_every_place_of_eight_characters(self):
        """With any other character in the text, which makes it wider."""
        for ch, encoded in self.UTF_8.items():
            for other, other_encoded in self.UTF_8.items():
                for at in range(17):
                    text = "b" * at + ch + "b" * (16 - at) + other
                    data = b"b" * at + encoded + b"b" * (16 - at) + other_encoded
                    self.assertEqual(text.encode(), data)
                    self.assertEqual(data.decode(), text)

    def test_from_utf_8_up_to_a_sequence_that_the_end_cuts(self):
        """What is not taken does not make the text wider."""
        for ch, encoded in self.UTF_8.items():
            for start in "", "a", "a" * 40, "\xe9" * 9, "\u20ac" * 9:
                for n in range(1, len(encoded)):
                    data = start.encode() + encoded[:n]
                    text, taken = codecs.utf_8_decode(data, "strict", False)
                    self.assertEqual((text, taken), (start, len(start.encode())))
                    self.assertEqual(text.__sizeof__(), start.__sizeof__())
                    self.assertRaises(UnicodeDecodeError, data.decode)

    def test_from_utf_8_with_errors_at_every_place_of_a_block(self):
        """What is left out does not make the text wider."""
        for unit in "a", "\xe9", "\u03b1", "a\xe9", "\xe9a\u03b1", "\u20ac", "a\U0001f600":
            for n in range(140):
                text = unit * (n // 2) + "a" * (n % 2)
                for bad in b"\xce", b"\xc3", b"\xc0\xaf", b"\x80", b"\xe2\x82", b"\xf0", b"":
                    for tail in "", "b" * 40:
                        data = text.encode() + bad + tail.encode()
                        decoded = data.decode("utf-8", "ignore")
                        self.assertEqual(decoded, text + tail)
                        self.assertEqual(decoded.__sizeof__(), (text + tail).__sizeof__())
                        if bad:
                            with self.assertRaises(UnicodeDecodeError) as caught:
                                data.decode()
                            self.assertEqual(caught.exception.start, len(text.encode()))

    def test_handlers_that_ascii_and_latin_1_have_themselves(self):
        """Others of the same name are asked by other codecs only."""
        for name, of_ascii, of_utf_16 in (("backslashreplace", rb"a\ud800b", "a?b"),
                                          ("xmlcharrefreplace", b"a&#55296;b", "a?b")):
            own = codecs.lookup_error(name)
            codecs.register_error(name, lambda e: ("?", e.end))
            try:
                with self.subTest(name):
                    self.assertEqual("a\ud800b".encode("ascii", name), of_ascii)
                    self.assertEqual("a\ud800b".encode("latin-1", name), of_ascii)
                    self.assertEqual("a\ud800b".encode("utf-16-le", name).decode("utf-16-le"),
                                     of_utf_16)
            finally:
                codecs.register_error(name, own)

    def test_ascii_and_latin_1_that_leave_out_or_mark_the_rest(self):
        rng = random.Random(42)
        for n in [*range(40)] * 4 + [510, 511, 512, 513, 1000, 3000]:
            for wide in "\xff", "\xff\u0100", "\xff\u0100\ud800\U0001f600":
                text = "".join(rng.choices(f"ab\x7f\x80{wide}", k=n))
                for codec, limit in ("ascii", 128), ("latin-1", 256):
                    kept = [c for c in text if ord(c) < limit]
                    marked = [c if ord(c) < limit else "?" for c in text]
                    self.assertEqual(text.encode(codec, "ignore"), bytes(map(ord, kept)))
                    self.assertEqual(text.encode(codec, "replace"), bytes(map(ord, marked)))

    def test_utf_16_and_32_of_every_width(self):
        for ch in "a\xe9\u20ac\ud7ff\ue000\U0001f600":
            for n in *range(1, 10), 31, 32, 33, 64, 65:
                text = f"b{ch * n}"
                for order in "little", "big":
                    codes = [ord(c).to_bytes(4, order) for c in text]
                    self.assertEqual(text.encode(f"utf-32-{order[0]}e"), b"".join(codes))
                    halves = [h for c in map(ord, text) for h in
                              ([c] if c < 0x10000 else [0xd7c0 + (c >> 10), 0xdc00 + (c & 0x3ff)])]
                    units = b"".join(h.to_bytes(2, order) for h in halves)
                    self.assertEqual(text.encode(f"utf-16-{order[0]}e"), units)
                    if order == sys.byteorder:
                        self.assertEqual(text.encode("utf-16")[2:], units)
                        self.assertEqual(text.encode("UTF_32")[4:], b"".join(codes))
                with self.assertRaises(UnicodeEncodeError) as caught:
                    (text + "\udc00" + text).encode("utf-16")
                self.assertEqual(caught.exception.start, n + 1)

    def test_handler_may_replace_the_input(self):
        def handler(exc):
            exc.object = b"xyz"
            return "?", 1
        codecs.register_error("test.replaceinput", handler)
        self.assertEqual(b"a\xffb".decode("ascii", "test.replaceinput"),
                         "a?yz")

    def test_stateful_decoders_keep_an_incomplete_end(self):
        for name in ("utf-8", "utf-16", "utf-32", "utf-7",
                     "unicode_escape", "raw_unicode_escape"):
            text = "aé€😀\\"
            data = text.encode(name)
            decoder = codecs.getincrementaldecoder(name)()
            result = "".join(decoder.decode(data[i:i + 1])
                             for i in range(len(data)))
            result += decoder.decode(b"", True)
            self.assertEqual(result, data.decode(name), name)

    def test_unknown_names(self):
        with self.assertRaisesRegex(LookupError, "unknown encoding: zork"):
            "".encode("zork")
        with self.assertRaisesRegex(LookupError, "unknown error handler name "
                                                 "'zork'"):
            "é".encode("ascii", "zork")


class UnicodeErrors(unittest.TestCase):
    NEW = (lambda: UnicodeEncodeError("name", "abc", 1, 2, "why"),
           lambda: UnicodeDecodeError("name", b"abc", 1, 2, "why"),
           lambda: UnicodeTranslateError("abc", 1, 2, "why"))

    def test_object_of_another_type_is_not_read(self):
        for new in self.NEW:
            for value in 5, None, 1.5, [1, 2, 3], object(), {1: 2}, (1, 2, 3), 10**30:
                with self.subTest(new=new, value=value):
                    error = new()
                    error.object = value
                    self.assertRegex(str(error), "can't .*s in position 1-1: why$")

    def test_arguments_that_are_refused_leave_nothing_of_earlier_ones(self):
        for new in self.NEW:
            for arguments in (), (1, 2, 3), ("other", None, 1, 2, "why"):
                with self.subTest(new=new, arguments=arguments):
                    error = new()
                    self.assertRaises(TypeError, error.__init__, *arguments)
                    self.assertEqual(str(error), "")
                    self.assertEqual((error.encoding, error.object, error.reason), (None,) * 3)
                    self.assertEqual((error.args, error.start, error.end), (arguments, 1, 2))


class CodecArguments(unittest.TestCase):
    def test_the_wrong_type_is_named_with_its_argument(self):
        for call, name in ((lambda: bytes("a", 3), "bytes() argument 'encoding'"),
                           (lambda: bytes("a", "utf-8", 3), "bytes() argument 'errors'"),
                           (lambda: bytearray("a", 3), "bytearray() argument 'encoding'"),
                           (lambda: bytearray("a", errors=3), "bytearray() argument 'errors'"),
                           (lambda: str(b"a", 3), "str() argument 'encoding'"),
                           (lambda: b"a".decode(errors=3), "decode() argument 'errors'"),
                           (lambda: "a".encode(3), "encode() argument 'encoding'")):
            with self.assertRaises(TypeError) as caught:
                call()
            self.assertEqual(str(caught.exception), name + " must be str, not int")


class Bytes(unittest.TestCase):
    def test_order_is_that_of_the_values(self):
        class Inherits(bytes):
            pass

        class Own(bytes):
            def __lt__(self, other):
                return "lt"

            __gt__ = __eq__ = __lt__
            __hash__ = bytes.__hash__
        values = [b"", b"\0", b"a", b"a\0", b"b", b"\x80", b"\xff", b"ab" * 20, b"ab" * 20 + b"\0"]
        for a in values:
            for b in values:
                x, y = [*a], [*b]
                want = [x < y, x <= y, x == y, x != y, x > y, x >= y]
                for kind in bytes, Inherits:
                    for other in bytes, Inherits, bytearray:
                        p, q = kind(bytearray(a)), other(bytearray(b))
                        self.assertEqual([p < q, p <= q, p == q, p != q, p > q, p >= q], want)
                        self.assertEqual((1, p) < (1, q), x < y)
                        self.assertEqual(p in [q], x == y)
                self.assertEqual([Own(a) < Own(b), Own(a) == b, a < Own(b)], ["lt"] * 3)
        want = sorted(values, key=list)
        self.assertEqual(sorted(values), want)
        self.assertEqual(sorted(map(Inherits, values)), want)

    def test_repr_of_every_byte(self):
        names = {9: r"\t", 10: r"\n", 13: r"\r", 92: r"\\"}
        for n in range(256):
            plain = names.get(n) or (chr(n) if 32 <= n < 127 else f"\\x{n:02x}")
            text = repr(b"a" + bytes([n]) * 3 + b"b")
            self.assertEqual(text, f'b"a{plain * 3}b"' if n == 39 else f"b'a{plain * 3}b'")
        self.assertEqual(repr(b"""'"'"""), r"""b'\'"\''""")

    def test_repr_of_ascii_text_is_that_of_its_bytes(self):
        rng = random.Random(42)
        for n in [*range(20)] * 10 + [100, 1000]:
            for chars in [*map(chr, range(128))], "ab\n", "a'", "a\"'", "a'\"\\\t\r\0\x1f\x7f":
                text = "".join(rng.choices(chars, k=n))
                self.assertEqual(repr(text), repr(text.encode())[1:])
                self.assertEqual(repr(text), repr(f"{text}\xe9").replace("\xe9", ""))
                self.assertEqual(eval(repr(text)), text)


class SubList(list):
    pass


class ByteArray(unittest.TestCase):
    def test_removal_at_the_front_and_growth(self):
        a = bytearray(range(100))
        for _ in range(60):
            del a[0]
        a += b"x" * 1000
        self.assertEqual(a, bytearray(range(60, 100)) + b"x" * 1000)
        del a[::2]
        self.assertEqual(len(a), 520)
        self.assertEqual(a[:3], bytes((61, 63, 65)))

    def test_ints_of_all_kinds_of_iterables(self):
        class Int(int):
            pass

        class Index:
            def __index__(self):
                return 7

        class Clears:
            def __init__(self, items):
                self.items = items

            def __index__(self):
                self.items.clear()
                return 9

        for n in (0, 1, 2, 3, 50, 300):
            numbers = [i * 7 % 256 for i in range(n)]
            for kind in (list, tuple, iter, set, SubList, lambda a: [*map(Int, a)],
                         lambda a: (*a[:-1], *map(Int, a[-1:])), lambda a: {i: 0 for i in a}):
                wanted = bytes(iter(kind(numbers)))
                self.assertEqual(bytearray(kind(numbers)), wanted)
                for start in (b"", b"abc", bytes(range(200))):
                    a = bytearray(b"gone" + start)
                    del a[:4]
                    a.extend(kind(numbers))
                    self.assertEqual(a, start + wanted)
        self.assertEqual(bytearray([1, Index(), True, 255]), b"\1\7\1\xff")
        items = [1, 2]
        items += [Clears(items), 4, 5]
        self.assertEqual(bytearray(items), b"\1\2\t")
        for wrong, error in (256, ValueError), (-1, ValueError), (1 << 70, ValueError), ("a", TypeError):
            for kind in list, tuple, iter:
                self.assertRaises(error, bytearray, kind([1, 2, wrong, 3]))
                a = bytearray(b"xy")
                self.assertRaises(error, a.extend, kind([1, 2, wrong, 3]))
                self.assertEqual(a, b"xy")
        a = bytearray()
        with memoryview(a):
            self.assertRaises(BufferError, a.extend, [1])
            a.extend([])
            a.__init__(())
            self.assertRaises(BufferError, a.__init__, (1,))
        self.assertEqual(a, b"")

    def test_exported_buffer_forbids_a_new_size(self):
        a = bytearray(b"abc")
        with memoryview(a):
            with self.assertRaisesRegex(BufferError, "Existing exports of "
                                        "data: object cannot be re-sized"):
                a.append(1)
            a[0] = 65
        self.assertEqual(a, b"Abc")

    def test_repr(self):
        self.assertEqual(repr(bytearray(b"a'\xff")), r'''bytearray(b"a\'\xff")''')
        self.assertEqual(repr(b"a'\xff"), r'''b"a'\xff"''')


class UnicodeData(unittest.TestCase):
    def test_names_both_ways(self):
        for ch, name in (("a", "LATIN SMALL LETTER A"),
                         ("가", "HANGUL SYLLABLE GA"),
                         ("一", "CJK UNIFIED IDEOGRAPH-4E00"),
                         ("\U0001f600", "GRINNING FACE")):
            self.assertEqual(unicodedata.name(ch), name)
            self.assertEqual(unicodedata.lookup(name), ch)
        self.assertEqual(unicodedata.lookup("LF"), "\n")
        self.assertEqual(unicodedata.lookup(b"LF"), "\n")
        with self.assertRaisesRegex(TypeError, "read-only bytes-like object, not bytearray"):
            unicodedata.lookup(bytearray(b"LF"))
        self.assertEqual("\N{GRINNING FACE}", "\U0001f600")

    def test_version_is_14(self):
        self.assertEqual(unicodedata.unidata_version, "14.0.0")
        self.assertEqual(unicodedata.category("\u0cf3"), "Cn")  # of 15.0

    def test_normal_forms(self):
        for form, text in (("NFC", "\xe9\uac01"),
                           ("NFD", "e\u0301\u1100\u1161\u11a8")):
            self.assertEqual(unicodedata.normalize(form, "e\u0301\uac01"),
                             text)
            self.assertTrue(unicodedata.is_normalized(form, text))
        self.assertEqual(unicodedata.normalize("NFKC", "\ufb01"), "fi")

    def test_normal_forms_of_low_characters(self):
        """Most of them are in all forms as they are. With marks around them, in and out of order."""
        def decomposed(ch, compatible):
            first, *rest = unicodedata.decomposition(ch).split() or [""]
            if not first or (first[0] == "<" and not compatible):
                return ch
            codes = rest if first[0] == "<" else [first, *rest]
            return "".join(decomposed(chr(int(code, 16)), compatible) for code in codes)

        def in_order(text):
            chars, last = [], 0
            for ch in text:
                rank = unicodedata.combining(ch)
                last = len(chars) if rank == 0 else last
                chars.append(ch)
                chars[last:] = sorted(chars[last:], key=unicodedata.combining)
            return "".join(chars)
        for n in range(0x350):
            for text in chr(n), f"\u0301{chr(n)}\u0327", f"e{chr(n)}\u0301\u0327a", f"\u0327{chr(n)}":
                for form in "NFD", "NFKD", "NFC", "NFKC":
                    compatible = "K" in form
                    given = unicodedata.normalize(form, text)
                    want = in_order("".join(decomposed(c, compatible) for c in text))
                    if "D" in form:
                        self.assertEqual(given, want)
                    self.assertEqual(in_order("".join(decomposed(c, compatible) for c in given)), want)
                    self.assertTrue(unicodedata.is_normalized(form, given))
                    self.assertEqual(unicodedata.is_normalized(form, text), given == text)


class Interning(unittest.TestCase):
    def test_equal_text_becomes_one_object(self):
        a, b = "".join(["inter", "ned!"]), "".join(["inte", "rned!"])
        self.assertIs(sys.intern(a), sys.intern(b))

    def test_interned_strings_come_and_go(self):
        """The table grows while strings leave it, and finds those that stay."""
        generator, kept = random.Random(5), {}
        for _ in range(100_000):
            number = generator.randrange(20_000)
            text = sys.intern(f"comes and goes {number}")
            self.assertIs(kept.setdefault(number, text), text)
            if generator.random() < .5:
                del kept[number]

    def test_one_character_strings_are_shared(self):
        self.assertIs("abc"[1], "xbx"[1])
        self.assertIs("é!"[0], "aé"[1])


class ListsOfParts(unittest.TestCase):
    """A list that a split makes has little room to spare, and can be changed like any other."""

    def test_room_and_changes(self):
        for n in *range(1, 40), 64, 65, 100, 1000:
            words = [f"w{i}" for i in range(n)]
            text = ",".join(words)
            for parts, few in ((text.split(","), 12), (text.rsplit(","), 12),
                               (text.split(",", n), n + 1), (" ".join(words).split(), 12),
                               ("\n".join(words).splitlines(), 4),
                               ([x.decode() for x in text.encode().split(b",")], 12)):
                self.assertEqual(parts, words)
                room = (sys.getsizeof(parts) - sys.getsizeof([])) // 8
                self.assertLessEqual(room, max(few, n * 5 // 4 + 5))
                parts.append("x")
                parts.insert(0, "y")
                parts.extend(words)
                self.assertEqual(parts, ["y", *words, "x", *words])
                del parts[1:]
                self.assertEqual(parts, ["y"])

    def test_limits(self):
        text = ",".join("abcdef")
        for limit in range(-1, 8):
            few = text.split(",", limit)
            self.assertEqual(",".join(few), text)
            self.assertEqual(len(few), 6 if limit < 0 else min(limit, 5) + 1)
            room = (sys.getsizeof(few) - sys.getsizeof([])) // 8
            self.assertLessEqual(room, 12 if limit < 0 else limit + 1)
        self.assertEqual("".split(), [])
        self.assertEqual("".splitlines(), [])


class InternedByMarshal(unittest.TestCase):
    """marshal finds interned strings by their characters, and what it makes has the usual hash."""

    def test_names(self):
        for text in "", "a", "name", "n" * 255, "\xe9", "\xe9\xe8", "x\xff":
            data = b"Z" + bytes([len(text)]) + text.encode("latin-1")
            one, two = marshal.loads(data), marshal.loads(b")\2" + data + data)
            self.assertEqual(one, text)
            self.assertEqual(hash(one), hash("".join(list(text))))
            self.assertIs(two[0], two[1])
            self.assertIs(two[0], one)
            self.assertIs(sys.intern("".join(list(text))), one)

    def test_new_names(self):
        for i in range(3000):
            text = f"never_seen_{i}"
            name = marshal.loads(b"\xda" + bytes([len(text)]) + text.encode())
            self.assertEqual({name: i}[text], i)
            self.assertIs(sys.intern(text), name)

    def test_names_from_c_are_utf8(self):
        intern = ctypes.pythonapi.PyUnicode_InternFromString
        intern.restype, intern.argtypes = ctypes.py_object, [ctypes.c_char_p]
        latin = sys.intern(bytes([0xc3, 0xa9, 0xc3, 0xb1]).decode("latin-1"))
        for text in "\xe9\xf1", "\u20ac", "", "x", "a name of c", latin:
            self.assertEqual(intern(text.encode()), text)
            self.assertIs(intern(text.encode()), sys.intern(text))

    def test_truth_and_length_of_what_is_not_ready(self):
        """The deprecated strs of C code, which get their characters later."""
        make = ctypes.pythonapi.PyUnicode_FromUnicode
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_wchar_p, ctypes.c_ssize_t]
        memory = ctypes.pythonapi.PyUnicode_AsUnicode
        memory.restype, memory.argtypes = ctypes.c_void_p, [ctypes.py_object]

        def late():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                op = make(None, 3)
                ctypes.memmove(memory(op), ctypes.create_unicode_buffer("abc"), 12)
            return op
        self.assertTrue(True if late() else False)
        self.assertFalse(not late())
        self.assertTrue(bool(late()))
        self.assertTrue(all([late()]))

        def lengths(text):          # each with an instruction of its own, specialised for str
            return len(text)

        def truths(text):
            return [len(text), not text]
        for n in range(3000):       # compiled, too
            lengths("xy"), truths("xy")
            if n in (50, 51, 52, 2997, 2998, 2999):
                self.assertEqual(lengths(late()), 3, n)
                self.assertEqual(truths(late()), [3, False], n)


if __name__ == "__main__":
    unittest.main()
