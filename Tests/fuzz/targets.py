"""What is fuzzed. From a random generator a target makes a description of its
input, and a function whose result or exception is the outcome. Both
interpreters run it, and their outcomes are compared where that makes sense.

usage: targets.py TARGET SEED FIRST COUNT PROGRESS-FILE     one line per case
       targets.py TARGET SEED FIRST 1 --show                the input of a case
"""
import ast
import codecs
import contextlib
import csv
import ctypes
import datetime
import gc
import io
import json
import marshal
import os
import pickle
import random
import re
import struct
import sys
import unicodedata
import warnings
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import calls
import flow
import programs

TARGETS = {}


def target(function):
    TARGETS[function.__name__] = function
    return function


# --- source text -------------------------------------------------------------

LIMITS = (RecursionError, MemoryError)


@target
def compile_source(rng):
    source = programs.damaged_source(rng)
    mode = rng.choice(["exec", "exec", "exec", "eval", "single"])
    flags = rng.choice([0, 0, ast.PyCF_ONLY_AST, ast.PyCF_ONLY_AST | ast.PyCF_TYPE_COMMENTS,
                        ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, 0x200, 0x4000])
    optimize = rng.choice([-1, 0, 2])

    def run():
        try:
            result = compile(source, "<fuzz>", mode, flags, True, optimize)
        except LIMITS:
            return "too deep"
        except SyntaxError as e:
            # Which of several mistakes is reported first may differ.
            return "SyntaxError" if not STRICT else f"{type(e).__name__} {e.args}"
        except UnicodeDecodeError:
            # The same: python3.11 raises it for a byte that is not UTF-8 behind a mistake, but
            # SyntaxError if its parser has looked as far as that before it knew of the mistake.
            return "SyntaxError" if not STRICT else "UnicodeDecodeError"
        if isinstance(result, ast.AST):
            try:
                ast.unparse(result)
                compile(result, "<fuzz>", mode, 0)
                return ast.dump(result, include_attributes=True) if STRICT else "a tree"
            except LIMITS:
                return "too deep"
            except SyntaxError:
                return "SyntaxError"
        return "code"
    return (source, mode, flags, optimize), run


STRICT = bool(os.environ.get("FUZZ_STRICT"))


@target
def run_program(rng):
    text = programs.program(rng)

    def run():
        lines = []
        names = {"_log": lambda x: lines.append(tidy(x)), "_error": error_text}
        try:
            exec(compile(programs.PRELUDE + text, "<fuzz>", "exec"), names)
        except BaseException as e:
            lines.append(error_text(e))
        return " | ".join(lines + [tidy(names.get(n)) for n in programs.NAMES])
    return text, run


@contextlib.contextmanager
def garbage_at_rest():
    """A generator that a collection ends is an event, too, and when that is is each python's own
    affair: nothing of earlier cases is left, and nothing is collected meanwhile."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@target
def trace_program(rng):
    """What sys.settrace or sys.setprofile tells of a program: events, functions, lines, order."""
    text = programs.program(rng)
    if rng.random() < 0.5:
        text = programs.in_function(text)
    if rng.random() < 0.5:
        text = programs.broken_lines(rng, text)
    profiled = rng.random() < 0.4
    # Some frames are let alone, or not told of lines.
    choosy = rng.random() < 0.3

    def run():
        events = []

        def tracer(frame, event, arg):
            code = frame.f_code
            if code.co_filename == "<fuzz>":
                if event == "exception":
                    arg = arg[0].__name__
                elif event[:2] == "c_":
                    arg = arg.__name__
                else:
                    arg = type(arg).__name__
                events.append(f"{event} {code.co_name} {frame.f_lineno} {arg}")
            if choosy and event == "call":
                if code.co_name == "f1":
                    return None
                if code.co_name == "g1":
                    frame.f_trace_lines = False
            return tracer

        names = {"_log": lambda x: None, "_error": lambda x: None}
        code = compile(programs.PRELUDE + text, "<fuzz>", "exec")
        switch = sys.setprofile if profiled else sys.settrace
        with garbage_at_rest():
            try:
                switch(tracer)
                exec(code, names)
            except BaseException as e:
                events.append(error_text(e))
            finally:
                switch(None)
        return " | ".join(events)
    return text, run


C_EVENTS = ["call", "exception", "line", "return", "c_call", "c_exception", "c_return", "opcode"]
C_FUNCTION = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.py_object, ctypes.c_int, ctypes.c_void_p)
for install in (ctypes.pythonapi.PyEval_SetTrace, ctypes.pythonapi.PyEval_SetProfile):
    install.argtypes, install.restype = [C_FUNCTION, ctypes.py_object], None


@target
def trace_flow(rng):
    """What trace and profile functions, in Python and in C, hear of a program dense in control flow."""
    text = flow.program(rng)
    way = rng.choice(["trace", "trace", "profile", "trace in C", "profile in C", "opcodes", "some lines"])
    seeds = [rng.randrange(1000) for _ in range(8)]
    before = rng.choice((0, 0, 0, 40))      # runs without a tracer, which may make machine code of it

    def run():
        events = []

        def hear(frame, event, arg):
            if frame.f_code.co_filename == "<fuzz>" and event != "opcode":
                if event == "exception":
                    arg = arg[0].__name__
                elif event[:2] == "c_":
                    arg = arg.__name__
                else:
                    arg = type(arg).__name__
                events.append(f"{event} {frame.f_code.co_name} {frame.f_lineno} {arg}")
                if way == "opcodes":
                    frame.f_trace_opcodes = True
                elif way == "some lines" and frame.f_lineno % 2:
                    frame.f_trace_lines = False
            return hear

        @C_FUNCTION
        def hear_in_c(_, frame, event, arg):
            hear(frame, C_EVENTS[event], ctypes.cast(arg, ctypes.py_object).value if arg else None)
            return 0

        def start():
            if way == "profile":
                sys.setprofile(hear)
            elif way == "trace in C":
                ctypes.pythonapi.PyEval_SetTrace(hear_in_c, None)
            elif way == "profile in C":
                ctypes.pythonapi.PyEval_SetProfile(hear_in_c, None)
            else:
                sys.settrace(hear)

        program = flow.prepared(text)
        with garbage_at_rest():
            for seed in [None] * before + seeds:
                try:
                    if seed is not None:
                        start()
                    program(seed or 0)
                except BaseException as e:
                    if seed is not None:
                        events.append(error_text(e))
                finally:
                    sys.settrace(None)
                    sys.setprofile(None)
        return " | ".join(events)
    return (text, way, seeds, before), run


@target
def eval_expression(rng):
    text = programs.expression(rng, rng.randint(1, 5))

    def run():
        names = {"a": 1, "b": "two", "c": [3, 4], "d": {"k": 5}, "e": None}
        exec(programs.PRELUDE, names | {"_log": print}, names)
        return tidy(eval(text, names))
    return text, run


# --- formats that are read ---------------------------------------------------

def value(rng, depth=3):
    """Plain data."""
    kind = rng.randrange(12 if depth else 8)
    if kind == 0:
        return rng.choice([None, True, False, ...])
    if kind == 1:
        return rng.randrange(-300, 300)
    if kind == 2:
        return rng.getrandbits(rng.choice([8, 31, 32, 64, 100])) * rng.choice([1, -1])
    if kind == 3:
        return rng.choice([0.0, -0.0, 1.5, 1e300, 5e-324, float("inf"), rng.random()])
    if kind == 4:
        return text(rng)
    if kind == 5:
        return rng.randbytes(rng.randrange(8))
    if kind == 6:
        return complex(rng.random(), 1)
    if kind == 7:
        return ""
    items = [value(rng, depth - 1) for _ in range(rng.randrange(4))]
    if kind == 8:
        return items
    if kind == 9:
        return tuple(items)
    if kind == 10:
        return {text(rng): x for x in items}
    return frozenset(rng.randrange(1000) for x in items)


ALPHABETS = ["abc", "aAzZ09_ ", "\xe9\xdf\u0130\u03a3\u03c2\u01c5\ufb01", "\u20ac\u4e00\uac00\u1100\u1161\u11a8",
             "\U0001f600\U00010400\U0002f800", "\0\n\r\t\x0b\x0c\x1c\x85\u2028", "\u0301\u0327\u0345\u0f71",
             "\ud800\udc00\udfff", "0123456789\u0663\u096a\xb2\xbd\u2167", "+-.eE_xXjJ infa()"]


def text(rng, most=8):
    alphabet = rng.choice(ALPHABETS) + (rng.choice(ALPHABETS) if rng.random() < 0.4 else "")
    return "".join(rng.choice(alphabet) for _ in range(rng.randrange(most)))


def damage(rng, data):
    data = bytearray(data)
    for _ in range(rng.randint(0, 3)):
        if not data:
            break
        i = rng.randrange(len(data))
        kind = rng.randrange(4)
        if kind == 0:
            data[i] = rng.randrange(256)
        elif kind == 1:
            del data[i:i + rng.randint(1, 4)]
        elif kind == 2:
            data[i:i] = rng.randbytes(rng.randint(1, 4))
        else:
            data[i] ^= 1 << rng.randrange(8)
    return bytes(data)


@target
def read_marshal(rng):
    data = damage(rng, marshal.dumps(value(rng), rng.randrange(5)))
    # Sizes in the data make bytes that are not there, and code is each one's own.
    comparable = not set(data) & {0x63, 0xe3, 0x43, 0x3c, 0xbc, 0x3e, 0xbe}

    def run():
        try:
            result = tidy(marshal.loads(data))
        except MemoryError:
            return "too large"
        except (EOFError, ValueError, TypeError):
            result = "bad data"     # whether its end or its content is noticed first
        return result if comparable else "any"
    return data, run


class Unpickler(pickle.Unpickler):
    def find_class(self, module, name):
        if (module, name) in (("builtins", "complex"), ("builtins", "frozenset"), ("builtins", "set"),
                              ("builtins", "bytearray"), ("_codecs", "encode")):
            return super().find_class(module, name)
        raise pickle.UnpicklingError("refused")


@target
def read_pickle(rng):
    data = damage(rng, pickle.dumps(value(rng), rng.randrange(6)))

    def run():
        try:
            return tidy(Unpickler(io.BytesIO(data)).load())
        except (MemoryError, OverflowError):
            return "too large"
        except ValueError:
            return "ValueError"
        except Exception as e:
            return type(e).__name__
    return data, run


@target
def read_json(rng):
    plain = json.dumps(value(rng), default=str)
    source = damage(rng, plain.encode()).decode("latin-1")
    return source, lambda: tidy(json.loads(source))


@target
def write_json(rng):
    given = value(rng)
    options = {"ensure_ascii": rng.random() < 0.5, "indent": rng.choice([None, 0, 2, "\t"]),
               "skipkeys": rng.random() < 0.5, "default": rng.choice([None, repr]),
               "allow_nan": rng.random() < 0.8}
    return (given, options), lambda: tidy(json.dumps(given, **options))


@target
def read_csv(rng):
    source = "".join(rng.choice(['"', ",", ";", "a", "b", "1.5", "\n", "\r\n", " ", "\\", "'", "\0", "\xe9"])
                     for _ in range(rng.randrange(40)))
    options = {"delimiter": rng.choice(",;|\t"), "quotechar": rng.choice(['"', "'", None]),
               "doublequote": rng.random() < 0.5, "skipinitialspace": rng.random() < 0.5,
               "strict": rng.random() < 0.5, "quoting": rng.randrange(4),
               "escapechar": rng.choice([None, "\\"])}
    return (source, options), lambda: tidy(list(csv.reader(source.splitlines(True), **options)))


@target
def read_zlib(rng):
    data = damage(rng, zlib.compress(rng.randbytes(rng.randrange(50)) * rng.randint(1, 20), rng.randrange(10)))
    bits = rng.choice([15, -15, 31, 47, 0, 8])

    def run():
        d = zlib.decompressobj(bits)
        return tidy((d.decompress(data, rng.choice([0, 10])), d.flush(), d.eof, d.unused_data, zlib.crc32(data)))
    return (data, bits), run


@target
def read_datetime(rng):
    source = rng.choice(["2020-02-29T12:34:56.789012+05:30", "2020-W09-6T01", "20200229T123456Z", "23:59:59.999",
                         "0001-01-01", "9999-12-31 24:00", "-1 day, 10:00:00"])
    source = damage(rng, source.encode()).decode("latin-1")
    kind = rng.choice([datetime.datetime, datetime.date, datetime.time])
    spec = "".join(rng.choice(["%Y", "%m", "%d", "%H", "%M", "%S", "%f", "%z", "%j", "%U", "%a", "%p", "-", " ", "%%",
                               "%"]) for _ in range(rng.randrange(6)))

    def run():
        out = []
        for call in (lambda: kind.fromisoformat(source), lambda: datetime.datetime.strptime(source[:10], spec),
                     lambda: datetime.datetime(2020, 2, 29, 1, 2, 3, 4).strftime(spec),
                     lambda: format(datetime.date(2021, 1, 3), spec)):
            try:
                out.append(tidy(call()))
            except Exception as e:
                out.append(error_text(e))
        return " | ".join(out)
    return (source, kind.__name__, spec), run


# --- small languages ---------------------------------------------------------

def pattern(rng, depth=3):
    if depth == 0:
        return rng.choice(["a", "b", ".", r"\d", r"\w", r"\b", "[ab]", "[^a]", "[a-c\\d]", "^", "$", r"\1", "",
                           r"\Z", "\xe9", "(?P=n)", "\\", "[", "]", "(", "{1"])
    p = lambda: pattern(rng, depth - 1)
    return rng.choice([
        lambda: p() + p(), lambda: p() + p(), lambda: f"({p()})", lambda: f"(?:{p()})", lambda: f"{p()}|{p()}",
        lambda: p() + rng.choice(["*", "+", "?", "{1,2}", "*?", "+?", "??", "*+", "{2}", "{,3}", "{3,1}"]),
        lambda: f"(?={p()})", lambda: f"(?!{p()})", lambda: f"(?<={p()})", lambda: f"(?<!{p()})",
        lambda: f"(?P<n>{p()})", lambda: f"(?(1){p()}|{p()})", lambda: f"(?i:{p()})", lambda: f"(?>{p()})",
        lambda: f"(?#{p()})", lambda: f"(?{rng.choice('aiLmsux')}){p()}"])()


@target
def match_pattern(rng):
    p = pattern(rng)
    subject = "".join(rng.choice("aabbc1 _\xe9A\n") for _ in range(rng.randrange(12)))
    flags = rng.choice([0, 0, re.I, re.M | re.S, re.X, re.A])

    def run():
        compiled = re.compile(p, flags)
        out = [[(m.span(), m.groups(), m.lastgroup) for m in compiled.finditer(subject)]]
        for call in (lambda: compiled.sub(r"<\g<0>>", subject), lambda: compiled.split(subject, 3),
                     lambda: compiled.fullmatch(subject) and 1, lambda: compiled.sub(p, subject)):
            try:
                out.append(call())
            except (re.error, IndexError) as e:
                out.append(error_text(e))
        return tidy(out)
    return (p, subject, flags), run


@target
def pack_struct(rng):
    spec = rng.choice(["", "<", ">", "=", "!", "@"]) + "".join(
        rng.choice(["", "2", "3 ", "0"]) + rng.choice("xcbB?hHiIlLqQnNefdspP z") for _ in range(rng.randint(1, 3)))
    spec = spec.replace("0p", "1p")     # python3.11 unpacks it with a SystemError
    data, values = rng.randbytes(rng.randrange(20)), [value(rng, 0) for _ in range(rng.randrange(4))]

    def run():
        out = []
        for call in (lambda: struct.calcsize(spec), lambda: struct.unpack(spec, data),
                     lambda: struct.pack(spec, *values), lambda: list(struct.iter_unpack(spec, data))):
            try:
                out.append(tidy(call()))
            except Exception as e:
                out.append(error_text(e))
        return " | ".join(out)
    return (spec, data, values), run


def format_spec(rng):
    return (rng.choice(["", "*<", ">", "^", "=", "\xe9^", "<"]) + rng.choice(["", "+", "-", " "])
            + rng.choice(["", "", "z"]) + rng.choice(["", "#"]) + rng.choice(["", "0"])
            + rng.choice(["", "1", "7", "12"]) + rng.choice(["", ",", "_"])
            + rng.choice(["", ".0", ".3", ".12", ".50", "."]) + rng.choice(["", *"bcdeEfFgGnosxX%q"]))


@target
def format_value(rng):
    spec, given = format_spec(rng), value(rng, 1)
    return (spec, given), lambda: tidy(format(given, spec))


@target
def format_percent(rng):
    spec = "%" + rng.choice(["", "(k)"]) + "".join(rng.choices("#0- +", k=rng.randrange(3))) + rng.choice(
        ["", "5", "*", "12"]) + rng.choice(["", ".2", ".0", ".*", ".30"]) + rng.choice("diouxXeEfFgGcrsa%qb")
    given = rng.choice([value(rng, 1), {"k": value(rng, 0)}, (3, value(rng, 0)), (2, 3, value(rng, 0))])
    spec = rng.choice([spec, spec.encode(), spec + "%s"])
    return (spec, given), lambda: tidy(spec % given)


@target
def format_fields(rng):
    spec = "".join(rng.choice(["{", "}", "{}", "{0}", "{k}", "{0[a]}", "{0.real}", "!r", ":", "{:{}}", "{!s:>5}", "x",
                               "{{", "}}", "[", "]", "{k[0]!a:^{0}}", "1"]) for _ in range(rng.randrange(5)))
    args, k = [value(rng, 1) for _ in range(2)], value(rng, 1)
    return (spec, args, k), lambda: tidy(spec.format(*args, k=k))


# --- text and numbers --------------------------------------------------------

@target
def read_number(rng):
    source = rng.choice([text(rng, 14), repr(rng.random() * 10 ** rng.randrange(-320, 300)),
                         str(rng.getrandbits(rng.choice([10, 100, 400]))), "0x" + "%x" % rng.getrandbits(60),
                         "".join(rng.choice("0123456789_.eE+-") for _ in range(rng.randrange(24)))])
    base = rng.choice([0, 2, 8, 10, 16, 36, 37])

    def run():
        out = []
        for call in (lambda: int(source), lambda: int(source, base), lambda: float(source), lambda: complex(source),
                     lambda: float.fromhex(source), lambda: int(source.encode("utf-8", "replace")),
                     lambda: ast.literal_eval(source)):
            try:
                out.append(tidy(call()))
            except SyntaxError:
                out.append("SyntaxError")
            except Exception as e:
                out.append(error_text(e))
        return " | ".join(out)
    return (source, base), run


@target
def arithmetic(rng):
    def number():
        return rng.choice([rng.randrange(-10, 10), rng.getrandbits(rng.choice([30, 31, 60, 61, 64, 200])) * rng.choice([1, -1]),
                           rng.choice([0.0, -0.0, 1.5, -2.5, 1e308, 5e-324, float("inf"), float("nan"), rng.random()]),
                           True, complex(rng.random(), rng.randrange(3))])
    x, y = number(), number()
    shift = rng.randrange(70)

    def run():
        out = []
        for call in (lambda: x + y, lambda: x - y, lambda: x * y, lambda: x / y, lambda: x // y, lambda: x % y,
                     lambda: divmod(x, y), lambda: x & y, lambda: x | y, lambda: x ^ y, lambda: x << shift,
                     lambda: x >> shift, lambda: x < y, lambda: x == y, lambda: -x, lambda: ~x, lambda: x != x or hash(x),
                     lambda: round(x, -shift % 5), lambda: x ** (shift % 5), lambda: pow(x, shift, y),
                     lambda: int(x), lambda: x.as_integer_ratio(), lambda: x.hex(), lambda: x.to_bytes(9, "little", signed=True)):
            try:
                out.append(tidy(call()))
            except Exception as e:
                out.append(error_text(e))
        return " | ".join(out)
    return (x, y, shift), run


@target
def text_methods(rng):
    s, t = text(rng, 12), text(rng, 3)
    i, j = rng.randrange(-9, 9), rng.randrange(-9, 9)

    def run():
        out = []
        for call in (s.upper, s.lower, s.title, s.casefold, s.swapcase, s.capitalize, s.isidentifier, s.isprintable,
                     s.isdecimal, s.isnumeric, s.istitle, s.split, s.splitlines, s.strip, lambda: s.split(t),
                     lambda: s.find(t, i, j), lambda: s.rfind(t, i), lambda: s.count(t), lambda: s.replace(t, "<>", 2),
                     lambda: s.partition(t), lambda: s[i:j], lambda: s[::i], lambda: s.center(15, t), lambda: ascii(s),
                     lambda: s.expandtabs(3), lambda: s.startswith(t, i), lambda: s < t, lambda: t in s,
                     lambda: [unicodedata.normalize(f, s) for f in ("NFC", "NFD", "NFKC", "NFKD")],
                     lambda: [(unicodedata.category(c), unicodedata.name(c, None), unicodedata.numeric(c, None),
                               unicodedata.bidirectional(c), unicodedata.east_asian_width(c)) for c in s],
                     lambda: s.encode("idna"), lambda: s.encode("punycode"), lambda: s.encode("utf-7")):
            try:
                out.append(tidy(call()))
            except Exception as e:
                out.append(error_text(e))
        return " | ".join(out)
    return (s, t, i, j), run


CODECS = ["utf-8", "utf-16", "utf-16-le", "utf-32", "utf-32-be", "utf-7", "ascii", "latin-1", "cp1252",
          "unicode_escape", "raw_unicode_escape", "punycode", "koi8-r", "utf-8-sig"]
ERRORS = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "surrogatepass", "xmlcharrefreplace",
          "namereplace"]


@target
def decode_bytes(rng):
    codec, errors = rng.choice(CODECS), rng.choice(ERRORS)
    source = text(rng, 10)
    data = damage(rng, rng.choice([rng.randbytes(rng.randrange(12)), source.encode("utf-8", "surrogatepass"),
                                   source.encode("utf-16", "surrogatepass"), source.encode("utf-7"),
                                   source.encode("unicode_escape")]))

    def run():
        out = []
        for call in (lambda: data.decode(codec, errors), lambda: source.encode(codec, errors),
                     lambda: codecs.getincrementaldecoder(codec)(errors).decode(data)):
            try:
                out.append(tidy(call()))
            except Exception as e:
                out.append(error_text(e))
        return " | ".join(out)
    return (codec, errors, source, data), run


@target
def containers(rng):
    """A run of operations on one container; its state shows after each."""
    make = rng.choice([list, bytearray, dict, set, __import__("collections").deque,
                       __import__("collections").OrderedDict])
    start = [rng.randrange(20) for _ in range(rng.randrange(8))]
    steps = [(rng.choice(["append", "pop", "insert", "remove", "clear", "reverse", "sort", "extend", "del", "set",
                          "setslice", "delslice", "imul", "update", "add", "discard", "popitem", "move", "rotate",
                          "iter", "view"]),
              rng.randrange(-10, 10), rng.randrange(-10, 10), rng.choice([None, 1, 2, -1, -2]), rng.randrange(20))
             for _ in range(rng.randint(1, 12))]

    def step(x, name, i, j, k, v):
        if name == "del":
            del x[i]
        elif name == "set":
            x[i] = v
        elif name == "setslice":
            x[i:j:k] = [v, v, i % 5]
        elif name == "delslice":
            del x[i:j:k]
        elif name == "imul":
            x *= i % 3
        elif name == "insert":
            x.insert(i, v)
        elif name == "extend":
            x.extend([v, i % 9])
        elif name == "update":
            x.update({v: i} if hasattr(x, "keys") else [v])
        elif name in ("pop", "rotate"):
            getattr(x, name)(i)
        elif name in ("clear", "reverse", "sort", "popitem"):
            getattr(x, name)()
        elif name == "move":
            x.move_to_end(v, i > 0)
        elif name == "view":
            m = memoryview(x)
            x.append(1)
        elif name == "iter":
            for y in x:
                x.pop(y)
        else:
            getattr(x, name)(v)

    def run():
        x = make(start) if make is not dict and "Ordered" not in make.__name__ else make.fromkeys(start)
        out = []
        for s in steps:
            try:
                step(x, *s)
                out.append(tidy(x if len(x) < 99 else len(x)))
                if len(x) > 1000:
                    break
            except Exception as e:
                out.append(error_text(e))
        return " | ".join(out)
    return (make.__name__, start, steps), run


# --- any call ----------------------------------------------------------------

def outcome_of_call(call, given, keywords, owner=None):
    args = [calls.make(x) for x in given]
    this = [calls.instance(owner)] if owner else []
    try:
        result = tidy(calls.consumed(call(*this, *args, **{k: calls.make(v) for k, v in keywords.items()})))
    except LIMITS:
        return "too large"
    except Exception as e:
        # Of two mistakes, either may be the one that is told.
        result = "TypeError" if keywords and isinstance(e, TypeError) else error_text(e)
    return result[:500] + " | " + tidy((this, args))[:500]


def keywords_of_call(rng):
    names = ["key", "default", "start", "base", "sep", "end", "strict", "reverse", "encoding", "errors", "k", "initial",
             "maxsplit", "signed", "byteorder", "length", "x"]
    return {n: calls.argument(rng, value) for n in rng.sample(names, rng.choice([0, 0, 0, 1, 2]))}


@target
def call_function(rng):
    name, call = rng.choice(calls.FUNCTIONS)
    given = [calls.argument(rng, value) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4]))]
    keywords = keywords_of_call(rng)
    return (name, given, keywords), lambda: outcome_of_call(call, given, keywords)


@target
def call_method(rng):
    name, call, owner = rng.choice(calls.METHODS)
    given = [calls.argument(rng, value) for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3]))]
    keywords = keywords_of_call(rng)
    return (name, given, keywords), lambda: outcome_of_call(call, given, keywords, owner)


# --- outcomes ----------------------------------------------------------------

def without_addresses(text):
    """Also what is left of one where a program cut or capitalised the text."""
    return re.sub(r"(?i)(?<= at )0x[0-9a-f]*|0x[0-9a-f]{6,}", "0x", text)


def arranged(x):
    """Sets whose order an address decides (that of None, ..., a class) in one that none does."""
    if type(x) in (list, tuple):
        return type(x)(map(arranged, x))
    if type(x) in (set, frozenset) and any(type(y).__hash__ is object.__hash__ for y in x):
        return type(x), sorted(map(repr, x))
    return x


def tidy(x):
    """repr without what differs from run to run."""
    try:
        x = arranged(x)
    except RecursionError:      # it holds itself
        pass
    return without_addresses(repr(x))


def error_text(e):
    if isinstance(e, MemoryError):
        raise e         # what comes of it is another program's story
    message = without_addresses(str(e))
    if isinstance(e, BaseExceptionGroup):
        return f"{type(e).__name__}: {message} {[error_text(x) for x in e.exceptions]}"
    return f"{type(e).__name__}: {message}"


def case(name, seed, index):
    return TARGETS[name](random.Random(f"{name}:{seed}:{index}"))


def main():
    name, seed, first, count, progress = sys.argv[1:]
    warnings.simplefilter("ignore")
    if progress == "--show":
        given, _ = case(name, seed, int(first))
        print(*(given if isinstance(given, tuple) else (given,)), sep="\n--\n")
        return
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    where = os.open(progress, os.O_WRONLY | os.O_CREAT, 0o600)
    for index in range(int(first), int(first) + int(count)):
        os.pwrite(where, b"%20d" % index, 0)
        _, run = case(name, seed, index)
        try:
            outcome = run()
        except MemoryError:
            outcome = "no memory"
        except Exception as e:
            outcome = error_text(e)
        print(ascii(outcome), flush=False)


if __name__ == "__main__":
    main()
