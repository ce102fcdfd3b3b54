"""json, csv, configparser, plus string templates: round trips and errors."""
import configparser
import csv
import io
import json
import math


class Pt:
    def __init__(self, x):
        self.x = x


data = {"s": "é\n\"\\\u2028\U0001f600\x01", "n": [1, -2.5, 1e100, 10 ** 30, 0.1, 1e-7], "t": [True, False, None], "d": {"1": {}, "e": []}, "tup": (1, (2,))}
print(json.dumps(data))
print(json.dumps(data, indent=2, ensure_ascii=False, sort_keys=True))
print(json.dumps({1: 2, 1.5: 3, None: 4, True: 5}), json.dumps([1, {"a": 2}], separators=(",", ":")), json.dumps([math.nan, math.inf, -math.inf]), json.dumps("</x>"), json.dumps([[], {}, [[]]], indent="\t"))
print(json.dumps({"p": Pt(3), "z": 1 + 2j}, default=lambda o: vars(o) if isinstance(o, Pt) else str(o)), json.dumps({(1, 2): 3, "a": 1}, skipkeys=True))
print(json.loads('{"a": [1, 2.0, -3e2, true, null, "\\u00e9\\ud83d\\ude00\\n"], "b": {"c": {}}, "a2": NaN}'), json.loads(" [1]\n"), json.loads(b'"\xc3\xa9"'), json.loads("-0"), json.loads("-0.0"), json.loads("1E5"))
print(json.loads('{"x": 1, "y": [2.5]}', object_pairs_hook=list, parse_float=lambda s: "F" + s, parse_int=lambda s: "I" + s), json.loads('{"a": {"b": 1}}', object_hook=lambda d: sorted(d)), json.JSONDecoder().raw_decode('{"a": 1} trailing'))


class Enc(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, set):
            return sorted(o)
        return super().default(o)


print(json.dumps({"s": {3, 1, 2}}, cls=Enc), list(Enc().iterencode([1, {2}])))
cyc = []
cyc.append(cyc)
for bad in ("", "{", "[1,]", '{"a" 1}', '{"a": 1,}', "{1: 2}", '"abc', '"\\x"', '"\\u12"', '"a\nb"', "nul", "[1 2]", "1 2", "01", "-", "1.", '{"a": 1} x', "'a'", "\ufeff1", "[" * 100000, '["a", "\x01"]'):
    try:
        print(json.loads(bad))
    except (ValueError, RecursionError) as e:
        print(type(e).__name__, e)
for bad in (lambda: json.dumps(Pt(1)), lambda: json.dumps({(1,): 2}), lambda: json.dumps(cyc), lambda: json.dumps(math.nan, allow_nan=False), lambda: json.dumps({1, 2}), lambda: json.loads(3), lambda: json.dumps(b"x"), lambda: json.dumps({"a": [1, {"b": Pt(2)}]}), lambda: json.dumps({"a": 1, 2: 3}, sort_keys=True), lambda: json.dumps([1], foo=2), lambda: Enc().encode(Pt(1)), lambda: json.loads(b"\xff")):
    try:
        print("ok", bad())
    except Exception as e:
        print(type(e).__name__, e)
src = 'name,qty,note\r\n"Smith, J",3,"said ""hi"""\r\nplain,4,\r\n"multi\nline",5,x\r\n'
rows = list(csv.reader(io.StringIO(src, newline="")))
print(rows)
print([dict(r) for r in csv.DictReader(io.StringIO("a,b\n1,2\n3\n4,5,6\n"))])
out = io.StringIO()
w = csv.writer(out)
w.writerows(rows)
w.writerow([1, 2.5, None, True, "a b", 'q"q', "line\n", ""])
w.writerow([""])
w.writerow([])
print(repr(out.getvalue()), out.getvalue().startswith(src))
out = io.StringIO()
dw = csv.DictWriter(out, ["a", "b"], restval="-", extrasaction="ignore", delimiter=";", quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
dw.writeheader()
dw.writerow({"a": 1, "c": 2})
dw.writerow({"a": "x;y", "b": 2.5})
print(out.getvalue(), list(csv.reader(["1;'a;b';\\;"], delimiter=";", quotechar="'", escapechar="\\")), list(csv.reader(["1,a,2.5"], quoting=csv.QUOTE_NONE)), list(csv.reader(['1,"a",2.5'], quoting=csv.QUOTE_NONNUMERIC)), list(csv.reader(["a b  c"], delimiter=" ", skipinitialspace=True)))
print(csv.Sniffer().sniff("a;b;c\n1;2;3\n").delimiter, csv.Sniffer().has_header("n,v\na,1\nb,2\n"), csv.list_dialects())
for bad in (lambda: csv.reader(3), lambda: list(csv.reader(['"a"b'], strict=True)), lambda: list(csv.reader([b"a"])), lambda: csv.writer(3), lambda: w.writerow(3), lambda: csv.reader([], delimiter="ab"), lambda: csv.reader([], delimiter=""), lambda: csv.reader([], quoting=9), lambda: csv.reader([], "nodialect"), lambda: csv.writer(out, quoting=csv.QUOTE_NONE).writerow(["a,b"]), lambda: csv.reader([], foo=1), lambda: csv.DictWriter(out, ["a"]).writerow({"z": 1}), lambda: list(csv.reader(["a\0b", 'x"'], strict=True)), lambda: list(csv.reader(['"open'], strict=True)), lambda: csv.field_size_limit("a"), lambda: csv.get_dialect("q")):
    try:
        print("ok", type(bad()).__name__)
    except Exception as e:
        print(type(e).__name__, e)
cp = configparser.ConfigParser()
cp.read_string("[DEFAULT]\nbase = /tmp\n[a]\npath = %(base)s/x\nn = 5\nf = yes\nmulti = one\n  two\n; comment\n[b]\nk: v\nempty =\n")
print(cp.sections(), cp["a"]["path"], cp.getint("a", "n"), cp["a"].getboolean("f"), repr(cp["a"]["multi"]), dict(cp["b"]), cp.get("b", "zz", fallback="fb"), "b" in cp, cp.has_option("b", "base"))
cp["c"] = {"x": "1"}
cp.set("c", "Y", "2")
out = io.StringIO()
cp.write(out)
print(out.getvalue())
for bad in ("[a]\n[a]", "[a]\nx=1\nx=2", "x=1", "[a]\nnovalue", "[a]\nx = %(nope)s", "[a]\nx=%(x)s", "[a]\nx=%"):
    try:
        c = configparser.ConfigParser()
        c.read_string(bad)
        print(c["a"]["x"])
    except configparser.Error as e:
        print(type(e).__name__, e)
cp.getint("a", "f")
