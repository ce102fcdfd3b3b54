#!/usr/bin/python3.11
"""The time of single operations on our python and on python3.11 in turn.

usage: micro.py --python PATH [--peer PATH] [--rounds N] [--below R] [NAME...]

Prints nanoseconds of both and the ratio peer/ours (above 1: ours is faster),
worst first, and their geometric mean. NAME selects by part of the name. The two
take samples of each operation in turn, as suite.py has it: a ratio is the median
of neighbours', a time the best. Each operation has processes of its own: compiling
may take a share of a process's time only, so in one process an operation would wait
for what was measured before it. It reports, and never fails.
"""
import argparse
import math
import subprocess
import sys

from suite import geometric_mean, ratio, stay_on_one_processor

# name :: set-up :: statement; lines are separated by ";;".
OPERATIONS = r"""
attr get instance      :: o = Plain()                     :: o.a
attr get slots         :: o = Slotted()                   :: o.a
attr get grown dict    :: o = Plain(); o.__dict__         :: o.a
attr get class         :: o = Plain()                     :: o.shared
attr get property      :: o = Plain()                     :: o.prop
attr get getattr hook  :: o = Hooked()                    :: o.missing
attr set instance      :: o = Plain()                     :: o.a = 1
attr set slots         :: o = Slotted()                   :: o.a = 1
attr set grown dict    :: o = Plain(); o.__dict__         :: o.a = 1
attr set property      :: o = Plain()                     :: o.prop = 1
attr add in place      :: o = Plain()                     :: o.a += 1
attr module            :: import math                     :: math.pi
getattr default        :: o = Plain()                     :: getattr(o, "zzz", None)
hasattr                :: o = Plain()                     :: hasattr(o, "a")
method call 0          :: o = Plain()                     :: o.m0()
method call 1          :: o = Plain()                     :: o.m1(1)
method call 4          :: o = Plain()                     :: o.m4(1, 2, 3, 4)
method bound           :: m = Plain().m1                  :: m(1)
method class           :: o = Plain                       :: o.cm()
method static          :: o = Plain                       :: o.sm()
method super           :: o = Derived()                   :: o.m1(2)
call 0                 ::                                 :: f0()
call 1                 ::                                 :: f1(1)
call 4                 ::                                 :: f4(1, 2, 3, 4)
call default           ::                                 :: fd(1)
call keyword           ::                                 :: fk(1, b=2, c=3)
call keyword only      ::                                 :: fko(1, key=2)
call star args         :: t = (1, 2, 3)                   :: fv(*t)
call star star         :: d = {"a": 1, "b": 2}            :: fw(**d)
call into args         ::                                 :: fv(1, 2, 3)
call into kwargs       ::                                 :: fw(a=1, b=2)
call positional star   :: t = (1, 2, 3, 4)                :: f4(*t)
call closure           :: g = closure()                   :: g()
call lambda            :: g = lambda x: x                 :: g(1)
call callable object   :: o = Plain()                     :: o(1)
call partial           :: g = functools.partial(f1, 1)    :: g()
call decorated         ::                                 :: wrapped(1)
call lru_cache         ::                                 :: cached(3)
nested def             ::                                 :: def g(x): return x
global read            ::                                 :: GLOBAL
global write           :: global WRITTEN                  :: WRITTEN = 1
builtin len            :: a = [1, 2]                      :: len(a)
builtin isinstance     :: o = Plain()                     :: isinstance(o, Plain)
builtin isinstance tup :: o = Plain()                     :: isinstance(o, (int, str))
builtin type is        :: o = Plain()                     :: type(o) is Plain
builtin range loop     ::                                 :: for i in range(100): pass
builtin enumerate      :: a = list(range(100))            :: for i, x in enumerate(a): pass
builtin zip            :: a = list(range(100))            :: for x, y in zip(a, a): pass
builtin sorted         :: a = list(range(100, 0, -1))     :: sorted(a)
builtin sorted key     :: a = list(range(100, 0, -1))     :: sorted(a, key=lambda x: x)
builtin min max        ::                                 :: min(1, 2), max(3, 4)
builtin min list       :: a = list(range(100))            :: min(a)
builtin sum            :: a = list(range(100))            :: sum(a)
builtin sum gen        :: a = list(range(100))            :: sum(x for x in a)
builtin any gen        :: a = [0] * 100                   :: any(x for x in a)
builtin map lambda     :: a = list(range(100))            :: list(map(lambda x: x, a))
builtin filter none    :: a = list(range(100))            :: list(filter(None, a))
builtin str int        ::                                 :: str(12345)
builtin int str        :: s = "12345"                     :: int(s)
builtin float str      :: s = "12.345"                    :: float(s)
builtin str float      :: x = 12.345                      :: str(x)
builtin repr str       :: s = "hello world"               :: repr(s)
builtin dict kw        ::                                 :: dict(a=1, b=2)
builtin dict copy      :: d = dict.fromkeys(range(20))    :: dict(d)
builtin list range     ::                                 :: list(range(100))
builtin tuple list     :: a = [1, 2, 3]                   :: tuple(a)
builtin set list       :: a = list(range(20))             :: set(a)
builtin ord chr        ::                                 :: chr(ord("a"))
builtin abs divmod     ::                                 :: abs(-3), divmod(17, 5)
builtin print          :: out = io.StringIO()             :: print("hello", 3, file=out)
builtin hash tuple     :: t = (1, "a", 2.0)               :: hash(t)
builtin reversed       :: a = list(range(100))            :: for x in reversed(a): pass
display list           :: x = 1                           :: [x, 2, 3]
display tuple          :: x = 1                           :: (x, 2, 3)
display dict           :: x = 1                           :: {"a": x, "b": 2}
display dict mixed     :: x = "k"                         :: {x: 1, "b": 2}
display set            :: x = 1                           :: {x, 2, 3}
display empty list     ::                                 :: []
display empty dict     ::                                 :: {}
list comprehension     :: a = list(range(100))            :: [x for x in a]
dict comprehension     :: a = list(range(100))            :: {x: x for x in a}
set comprehension      :: a = list(range(100))            :: {x for x in a}
unpack 2               :: t = (1, 2)                      :: a, b = t
unpack 3 list          :: t = [1, 2, 3]                   :: a, b, c = t
unpack 8               :: t = tuple(range(8))             :: a, b, c, d, e, g, h, i = t
unpack star            :: t = list(range(8))              :: a, *b, c = t
swap                   :: a, b = 1, 2                     :: a, b = b, a
swap items             :: a = [1, 2]                      :: a[0], a[1] = a[1], a[0]
assign 3               ::                                 :: a, b, c = 1, 2, 3
list get               :: a = [1, 2]; i = 1               :: a[i]
list get negative      :: a = [1, 2]                      :: a[-1]
list set               :: a = [1, 2]; i = 1               :: a[i] = 3
list add in place      :: a = [1, 2]; i = 1               :: a[i] += 3
list slice             :: a = list(range(10))             :: a[2:5]
list slice step        :: a = list(range(10))             :: a[::-1]
list slice set         :: a = list(range(10))             :: a[2:5] = a[5:2:-1]
list append pop        :: a = []                          :: a.append(1); a.pop()
list append loop       ::                                 :: a = []; ap = a.append; [ap(i) for i in range(50)]
list extend            :: b = list(range(10))             :: a = []; a.extend(b)
list concat            :: a = list(range(10))             :: a + a
list multiply          ::                                 :: [0] * 50
list index count       :: a = list(range(20))             :: a.index(10), a.count(3)
list insert            :: a = list(range(20))             :: a.insert(0, 1); a.pop(0)
list sort              :: a = list(range(50))             :: a.sort()
list copy              :: a = list(range(10))             :: a[:]
list of lists          :: a = [[1, 2], [3, 4]]; i = 1     :: a[i][i]
tuple get              :: t = (1, 2)                      :: t[1]
tuple compare          :: t = (1, 2); u = (1, 3)          :: t < u
tuple as key           :: d = {(1, 2): 3}; a = 1; b = 2   :: d[a, b]
dict get               :: d = {"a": 1}; k = "a"           :: d[k]
dict get const         :: d = {"a": 1}                    :: d["a"]
dict get int           :: d = {1: 1}; k = 1               :: d[k]
dict set               :: d = {"a": 1}; k = "a"           :: d[k] = 2
dict add in place      :: d = {"a": 1}; k = "a"           :: d[k] += 2
dict method get        :: d = {"a": 1}                    :: d.get("b", 0)
dict setdefault        :: d = {}                          :: d.setdefault("a", 1)
dict in                :: d = {"a": 1}; k = "b"           :: k in d
dict items loop        :: d = dict.fromkeys(range(100))   :: for k, v in d.items(): pass
dict keys loop         :: d = dict.fromkeys(range(100))   :: for k in d: pass
dict values sum        :: d = {i: i for i in range(100)}  :: sum(d.values())
dict fill              ::                                 :: d = {}; [d.setdefault(i, i) for i in range(50)]
dict fill set          :: r = range(50)                   :: d = {} ;; for i in r: d[i] = i
dict pop               :: d = {}                          :: d["a"] = 1; d.pop("a")
dict update merge      :: d = {"a": 1}; e = {"b": 2}      :: d | e
dict unpack            :: d = {"a": 1}; e = {"b": 2}      :: {**d, **e}
dict delete            :: d = {}                          :: d["a"] = 1; del d["a"]
set add                :: s = set()                       :: s.add(1)
set in                 :: s = {1, 2, 3}; k = 2            :: k in s
set union              :: s = set(range(20)); u = {30}    :: s | u
set intersection       :: s = set(range(20)); u = {3, 4}  :: s & u
set loop               :: s = set(range(100))             :: for x in s: pass
in list                :: a = [1, 2, 3, 4, 5]; k = 5      :: k in a
in tuple const str     :: k = "c"                         :: k in ("a", "b", "c")
in const set           :: k = "c"                         :: k in {"a", "b", "c"}
in string              :: s = "hello world"               :: "wor" in s
str concat             :: s = "hello"; t = "world"        :: s + t
str append loop        ::                                 :: s = "" ;; for i in range(50): s += "x"
str compare equal      :: s = "hello"; t = "hellp"        :: s == t
str compare less       :: s = "hello"; t = "hellp"        :: s < t
str index              :: s = "hello"; i = 2              :: s[i]
str slice              :: s = "hello world"               :: s[2:5]
str loop               :: s = "hello world" * 9           :: for c in s: pass
str join               :: a = ["ab", "cd", "ef"] * 5      :: ",".join(a)
str join gen           :: a = ["ab", "cd", "ef"] * 5      :: ",".join(x for x in a)
str split              :: s = "a b c d e"                 :: s.split()
str split sep          :: s = "a,b,c,d,e"                 :: s.split(",")
str splitlines         :: s = "ab\ncd\nef\n"              :: s.splitlines()
str partition          :: s = "key=value"                 :: s.partition("=")
str replace            :: s = "hello world"               :: s.replace("o", "00")
str strip              :: s = "  hello  "                 :: s.strip()
str startswith         :: s = "hello"                     :: s.startswith("he")
str endswith           :: s = "hello"                     :: s.endswith("lo")
str find               :: s = "hello world"               :: s.find("world")
str count              :: s = "hello world" * 10          :: s.count("o")
str upper lower        :: s = "Hello"                     :: s.upper(), s.lower()
str isdigit            :: s = "12345"                     :: s.isdigit()
str zfill rjust        :: s = "12345"                     :: s.zfill(9), s.rjust(9)
str encode             :: s = "hello world"               :: s.encode()
str encode nonascii    :: s = "h\xe9llo w\u20acrld" * 9   :: s.encode()
str decode             :: s = b"hello world"              :: s.decode()
str decode nonascii    :: s = ("h\xe9llo w\u20acrld" * 9).encode() :: s.decode()
str translate          :: s = "hello"; t = str.maketrans("lo", "01") :: s.translate(t)
str multiply           :: s = "ab"                        :: s * 20
str hash new           :: s = "hello"; t = "x"            :: hash(s + t)
f-string str           :: s = "hello"                     :: f"<{s}>"
f-string int           :: i = 42                          :: f"<{i}>"
f-string several       :: i = 42; s = "x"                 :: f"{s}: {i} of {i}"
f-string spec int      :: i = 42                          :: f"{i:05d}"
f-string spec float    :: x = 3.14159                     :: f"{x:.2f}"
f-string spec str      :: s = "hello"                     :: f"{s:>10}"
f-string repr          :: s = "hello"                     :: f"{s!r}"
percent str            :: s = "hello"                     :: "<%s>" % s
percent several        :: s = "hello"; i = 3              :: "%s: %d (%5.2f)" % (s, i, 1.5)
percent dict           :: d = {"a": 1}                    :: "%(a)s" % d
format method          :: s = "hello"; i = 3              :: "{}: {}".format(s, i)
format spec            :: i = 3                           :: "{:>5} {:<5}".format(i, i)
bytes concat           :: s = b"hello"                    :: s + b"world"
bytes index            :: s = b"hello"                    :: s[1]
bytes slice            :: s = b"hello"                    :: s[1:3]
bytes join             :: a = [b"ab", b"cd"] * 5          :: b"".join(a)
bytes loop             :: s = bytes(100)                  :: for b in s: pass
bytes find split       :: s = b"a,b,c"                    :: s.find(b"b"), s.split(b",")
bytearray append       :: b = bytearray()                 :: b.append(1); b.pop()
bytes hex              :: s = b"hello"                    :: s.hex()
memoryview slice       :: v = memoryview(b"hello")        :: v[1:3]
int add small          :: a = 5; b = 7                    :: a + b
int arithmetic         :: a = 5; b = 7                    :: a * b + a - b
int floordiv mod       :: a = 500; b = 7                  :: a // b, a % b
int truediv            :: a = 500; b = 7                  :: a / b
int bits               :: a = 500; b = 7                  :: a & b | a ^ b, a << 3, a >> 2
int power              :: a = 7                           :: a ** 5
int power mod          :: a = 7                           :: pow(a, 65537, 1000003)
int two digits         :: a = 5 << 40; b = 7 << 41        :: a + b, a - b, a * 3
int 64 bit             :: a = (1 << 63) - 5; b = a - 9    :: a + b, a - b, a ^ b
int hash mix           :: h = 0xcbf29ce484222325          :: (h ^ 97) * 0x100000001b3 & 0xffffffffffffffff
int big add            :: a = 3 ** 200; b = 3 ** 199      :: a + b, a - b
int big mul            :: a = 3 ** 200; b = 3 ** 199      :: a * b
int big div            :: a = 3 ** 200; b = 3 ** 99       :: a // b
int big small          :: a = 3 ** 100                    :: a * 10, a // 10, a + 1
int big str            :: a = 3 ** 200                    :: str(a)
int compare            :: a = 5; b = 7                    :: a < b
int compare chain      :: a = 5; b = 7                    :: 0 < a < b
int compare big        :: a = 3 ** 100; b = 3 ** 101      :: a < b
int bit_length         :: a = 12345                       :: a.bit_length()
int to_bytes           :: a = 12345                       :: a.to_bytes(4, "big")
int is none            :: a = None                        :: a is None
bool logic             :: a = 5; b = 0                    :: a and b or a
bool not               :: a = 5                           :: not a
ternary                :: a = 5                           :: 1 if a else 2
float add mul          :: x = 1.5; y = 2.5                :: x * y + x
float div              :: x = 1.5; y = 2.5                :: x / y
float int mixed        :: x = 1.5; i = 3                  :: x * i + 1
float compare          :: x = 1.5; y = 2.5                :: x < y
float power            :: x = 1.5                         :: x ** 2
float round            :: x = 1.567                       :: round(x, 2), round(x)
float int conv         :: x = 1.567                       :: int(x)
math sqrt sin          :: from math import sqrt, sin; x = 2.0 :: sqrt(x), sin(x)
complex mul            :: z = 1 + 2j                      :: z * z + z
if elif                :: a = 3                           :: if a == 1: pass ;; elif a == 2: pass ;; elif a == 3: pass
while loop             ::                                 :: i = 0 ;; while i < 50: i += 1
for nested             :: r = range(10)                   :: for i in r: ;;   for j in r: pass
try pass               ::                                 :: try: pass ;; except ValueError: pass
try raise              ::                                 :: try: raise ValueError ;; except ValueError: pass
try raise args         ::                                 :: try: raise ValueError("x") ;; except ValueError as e: pass
try raise deep         ::                                 :: try: raiser3() ;; except ValueError: pass
try keyerror           :: d = {}                          :: try: d["a"] ;; except KeyError: pass
try attributeerror     :: o = Plain()                     :: try: o.zzz ;; except AttributeError: pass
try indexerror         :: a = []                          :: try: a[0] ;; except IndexError: pass
try finally            ::                                 :: try: pass ;; finally: pass
with python            :: c = Context()                   :: with c: pass
with lock              :: c = threading.Lock()            :: with c: pass
with contextmanager    ::                                 :: with manager(): pass
generator step         :: g = itertools.count(); h = (x for x in g) :: next(h)
generator loop         :: r = range(100)                  :: for x in gen(r): pass
generator small        ::                                 :: list(gen((1, 2)))
generator send         :: g = echo(); next(g)             :: g.send(1)
yield from             :: r = range(100)                  :: for x in gen2(r): pass
iterator class         ::                                 :: for x in Counter3(): pass
await coroutine        ::                                 :: run(outer())
async for              ::                                 :: run(async_loop())
asyncio sleep0         :: loop = asyncio.new_event_loop() :: loop.run_until_complete(asyncio.sleep(0))
class creation         ::                                 :: class C: x = 1
class creation big     ::                                 :: class C(Plain): ;;   def a(self): pass ;;   def b(self): pass
instance empty         ::                                 :: Empty()
instance init          ::                                 :: Point(1, 2)
instance slots         ::                                 :: SlotPoint(1, 2)
instance dataclass     ::                                 :: Data(1, 2)
instance namedtuple    ::                                 :: Named(1, 2)
namedtuple get         :: n = Named(1, 2)                 :: n.a
instance derived super ::                                 :: Derived3(1, 2)
instance kw            ::                                 :: Point(x=1, y=2)
instance exception     ::                                 :: ValueError("x")
instance enum access   ::                                 :: Color.RED
enum value             :: c = Color.RED                   :: c.value
object subclass list   ::                                 :: SubList()
dunder add             :: v = Vec(1)                      :: v + v
dunder eq              :: v = Vec(1); w = Vec(1)          :: v == w
dunder lt              :: v = Vec(1); w = Vec(2)          :: v < w
dunder hash            :: v = Vec(1)                      :: hash(v)
dunder len             :: v = Vec(1)                      :: len(v)
dunder getitem         :: v = Vec(1)                      :: v[0]
dunder setitem         :: v = Vec(1)                      :: v[0] = 1
dunder contains        :: v = Vec(1)                      :: 3 in v
dunder bool            :: v = Vec(1)                      :: if v: pass
dunder iter            :: v = Vec(1)                      :: for x in v: pass
dunder str             :: v = Vec(1)                      :: str(v)
dunder as dict key     :: v = Vec(1); d = {v: 1}          :: d[v]
import loaded          ::                                 :: import math
import from loaded     ::                                 :: from math import pi
match int              :: a = 3                           :: match a: ;;   case 1: pass ;;   case 2: pass ;;   case 3: pass
match sequence         :: a = [1, 2]                      :: match a: ;;   case [x, y]: pass
match class            :: a = Point(1, 2)                 :: match a: ;;   case Point(x=1, y=b): pass
match mapping          :: a = {"k": 1}                    :: match a: ;;   case {"k": v}: pass
re match               :: p = re.compile(r"(\w+)=(\d+)"); s = "key=123" :: p.match(s)
re match module        :: s = "key=123"                   :: re.match(r"(\w+)=(\d+)", s)
re group               :: m = re.match(r"(\w+)=(\d+)", "key=123") :: m.group(1), m.groups()
re findall             :: p = re.compile(r"\w+"); s = "the quick brown fox" :: p.findall(s)
re sub                 :: p = re.compile(r"o"); s = "foo boo" :: p.sub("0", s)
re search fail         :: p = re.compile(r"xyz"); s = "hello world" * 10 :: p.search(s)
json dumps             :: d = {"a": [1, 2, {"b": None}], "c": "text", "d": 1.5} :: json.dumps(d)
json loads             :: s = '{"a": [1, 2, {"b": null}], "c": "text", "d": 1.5}' :: json.loads(s)
struct pack            ::                                 :: struct.pack("<IHB", 1, 2, 3)
struct unpack          :: s = bytes(7)                    :: struct.unpack("<IHB", s)
io readline            :: t = "line of text\n" * 100      :: for x in io.StringIO(t): pass
io bytesio lines       :: t = b"line of text\n" * 100     :: for x in io.BytesIO(t): pass
io text file           ::                                 :: with open(FILE) as f: ;;   for x in f: pass
io binary file         ::                                 :: with open(FILE, "rb") as f: ;;   for x in f: pass
io read file           ::                                 :: with open(FILE) as f: f.read()
io write text          :: f = open("/dev/null", "w")      :: f.write("hello\n")
io write binary        :: f = open("/dev/null", "wb")     :: f.write(b"hello\n")
io stringio write      :: f = io.StringIO()               :: f.write("hello")
deque append           :: q = collections.deque()         :: q.append(1); q.popleft()
deque from list        :: a = list(range(100))            :: collections.deque(a)
deque extend full      :: a = list(range(100)); q = collections.deque(a, 100) :: q.extend(a)
heapq push pop         :: h = list(range(50))             :: heapq.heappush(h, 3); heapq.heappop(h)
bisect                 :: a = list(range(100))            :: bisect.bisect(a, 42)
defaultdict list       ::                                 :: d = collections.defaultdict(list); d[1].append(2)
counter                :: a = "abracadabra" * 5           :: collections.Counter(a)
ordereddict            ::                                 :: d = collections.OrderedDict(); d["a"] = 1
itertools chain        :: a = list(range(50))             :: for x in itertools.chain(a, a): pass
itertools product      :: a = range(8)                    :: for x in itertools.product(a, a): pass
itertools groupby      :: a = [1, 1, 2, 2]                :: for k, g in itertools.groupby(a): pass
itertools islice       :: a = list(range(50))             :: list(itertools.islice(a, 10, 30))
itertools permutations :: a = range(5)                    :: for x in itertools.permutations(a): pass
operator itemgetter    :: g = operator.itemgetter(1); a = [(i, -i) for i in range(50)] :: sorted(a, key=g)
functools reduce       :: a = list(range(50))             :: functools.reduce(operator.add, a)
functools cmp_to_key   :: a = list(range(20)); c = lambda x, y: x - y :: sorted(a, key=functools.cmp_to_key(c))
datetime arithmetic    :: t = datetime.datetime(2024, 1, 2); d = datetime.timedelta(3) :: t + d, t - t
datetime isoformat     :: t = datetime.datetime(2024, 1, 2, 3, 4, 5) :: t.isoformat()
datetime strftime      :: t = datetime.datetime(2024, 1, 2, 3, 4, 5) :: t.strftime("%Y-%m-%d")
deepcopy               :: d = {"a": [1, 2, {"b": (3, 4)}]} :: copy.deepcopy(d)
pickle dumps           :: d = {"a": [1, 2, {"b": (3, 4)}], "p": 1.5} :: pickle.dumps(d)
pickle loads           :: s = pickle.dumps({"a": [1, 2, {"b": (3, 4)}]}) :: pickle.loads(s)
pickle object          :: o = Point(1, 2)                 :: pickle.loads(pickle.dumps(o))
list get object index  :: a = [1, 2, 3]; b = [1, 2]; i = b[0] :: a[i]
list set object index  :: a = [1, 2, 3]; b = [1, 2]; i = b[0] :: a[i] = 5
dict get const int     :: d = {1: 2}                      :: d[1]
str index const        :: s = "hello"                     :: s[1]
bytes slice short      :: s = b"payload"                  :: s[:4]
bytes of bytearray     :: b = bytearray(10)               :: bytes(b)
memoryview new         :: b = b"abc"                      :: memoryview(b)
struct unpack_from     :: v = memoryview(bytes(100))      :: struct.unpack_from(">HIB", v, 10)
isinstance abc         :: d = {}; M = collections.abc.Mapping :: isinstance(d, M)
isinstance abc not     :: M = collections.abc.Mapping     :: isinstance("abc", M)
counter update         :: c = collections.Counter("abc")  :: c.update("abc")
counter new            ::                                 :: collections.Counter()
ordereddict lru        :: o = collections.OrderedDict(a=1, b=2) :: o["c"] = 1; o.popitem(last=False)
ordereddict move       :: o = collections.OrderedDict(a=1, b=2) :: o.move_to_end("a")
datetime new           ::                                 :: datetime.datetime(2024, 1, 2)
timedelta new          ::                                 :: datetime.timedelta(hours=3)
itertools new          ::                                 :: itertools.count(1)
attrgetter             :: g = operator.attrgetter("a"); o = Plain() :: g(o)
set equal              :: s = {1, 2, 3}; u = {1, 2, 3}    :: s == u
set difference         :: s = set(range(20)); u = {3, 4}  :: s - u
exception subclass     ::                                 :: Problem("x")
int subclass           ::                                 :: SubInt(1)
str format keyword     :: s = "x"                         :: "{0:^9} {1!r} {name}".format(5, s, name="n")
str reverse            :: s = "hello"                     :: s[::-1]
str compare equal if   :: s = "hello"; t = "hellp"        :: if s == t: pass
random                 ::                                 :: random.random(), random.randint(1, 9)
hashlib md5            :: s = b"hello"                    :: hashlib.md5(s).hexdigest()
base64                 :: s = b"hello world"              :: base64.b64encode(s)
time                   ::                                 :: time.time(), time.perf_counter()
os.path.join           ::                                 :: os.path.join("/a", "b", "c.txt")
pathlib                :: p = pathlib.PurePath("/a/b")    :: p / "c"
logging disabled       :: log = logging.getLogger("x")    :: log.debug("x %s", 1)
logging emitted        :: log = make_log()                :: log.warning("x %s", 1)
decimal                :: a = decimal.Decimal("1.1")      :: a * a + a
fractions              :: a = fractions.Fraction(1, 3)    :: a + a
array                  :: a = array.array("i", range(50)) :: a[3] = a[4]
compile                :: s = "a = b + c * (d - 1)\nif a: f(x)\n" :: compile(s, "x", "exec")
eval                   ::                                 :: eval("1 + 2")
exec code              :: c = compile("a = 1", "x", "exec"); ns = {} :: exec(c, ns)
weakref                :: o = Plain()                     :: weakref.ref(o)()
gc collect             ::                                 :: gc.collect(0)
thread local           :: o = threading.local(); o.x = 1  :: o.x
contextvar             :: v = contextvars.ContextVar("v", default=1) :: v.get()
""".strip().splitlines()

# What takes all that an iterator gives, of iterators of many kinds.
TAKERS = "list", "tuple", "set", "sum", "max", "dict.fromkeys", "collections.deque"
GIVERS = """
iter(a)
reversed(a)
map(abs, a)
map(operator.add, a, a)
filter(None, a)
range(99)
set(a)
d.values()
collections.deque(a)
bytes(a)
(x for x in a)
itertools.islice(a, 90)
itertools.chain(a, a)
itertools.compress(a, a)
itertools.accumulate(a)
itertools.takewhile(bool, a)
""".strip().splitlines()
OPERATIONS += [f"{taker} of {giver} :: a = list(range(1, 99)); d = dict.fromkeys(a, 3) :: {taker}({giver})"
               for taker in TAKERS for giver in GIVERS]

PREPARE = '''
import array, asyncio, base64, bisect, collections, contextlib, contextvars, copy, datetime
import dataclasses, decimal, enum, fractions, functools, gc, hashlib, heapq, io, itertools, json
import logging, math, operator, os, pathlib, pickle, random, re, struct, sys, tempfile
import threading, time, weakref

GLOBAL = 1
WRITTEN = 0
FILE = os.path.join(tempfile.gettempdir(), "springboard-micro-lines.%d" % os.getpid())
with open(FILE, "w") as f:
    f.writelines("this is line number %d\\n" % i for i in range(500))

class Plain:
    shared = 1
    def __init__(self): self.a, self.b, self._p = 1, 2, 3
    def m0(self): pass
    def m1(self, a): pass
    def m4(self, a, b, c, d): pass
    @classmethod
    def cm(cls): pass
    @staticmethod
    def sm(): pass
    @property
    def prop(self): return self._p
    @prop.setter
    def prop(self, value): self._p = value
    def __call__(self, x): pass
class Derived(Plain):
    def m1(self, a): super().m1(a)
class Slotted:
    __slots__ = ("a", "b")
    def __init__(self): self.a, self.b = 1, 2
class Hooked:
    def __getattr__(self, name): return 1
class Empty: pass
class Point:
    def __init__(self, x, y): self.x, self.y = x, y
class SlotPoint:
    __slots__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
class Derived3(Point):
    def __init__(self, x, y): super().__init__(x, y); self.z = 3
@dataclasses.dataclass
class Data:
    x: int
    y: int = 0
Named = collections.namedtuple("Named", "a b")
class Color(enum.Enum):
    RED = 1
    GREEN = 2
class SubList(list): pass
class SubInt(int): pass
class Problem(Exception): pass
class Vec:
    def __init__(self, x): self.x = x
    def __add__(self, other): return 1
    def __eq__(self, other): return self.x == other.x
    def __lt__(self, other): return self.x < other.x
    def __hash__(self): return 7
    def __len__(self): return 3
    def __getitem__(self, i): return 1
    def __setitem__(self, i, value): pass
    def __contains__(self, item): return True
    def __bool__(self): return True
    def __iter__(self): return iter((1, 2, 3))
    def __str__(self): return "v"
class Counter3:
    def __iter__(self):
        self.i = 0
        return self
    def __next__(self):
        self.i += 1
        if self.i > 20: raise StopIteration
        return self.i
class Context:
    def __enter__(self): return self
    def __exit__(self, *args): return None
@contextlib.contextmanager
def manager(): yield 1
def f0(): pass
def f1(a): pass
def f4(a, b, c, d): pass
def fd(a, b=1, c=2): pass
def fk(a, b=1, c=2): pass
def fko(a, *, key=1): pass
def fv(*args): pass
def fw(**kwargs): pass
def closure():
    x = 1
    def inner(): return x
    return inner
def passing(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs): return f(*args, **kwargs)
    return wrapper
wrapped = passing(f1)
@functools.lru_cache
def cached(x): return x
def raiser(): raise ValueError
def raiser2(): raiser()
def raiser3(): raiser2()
def gen(source):
    for x in source: yield x
def gen2(source): yield from gen(source)
def echo():
    x = None
    while True: x = yield x
def run(coro):
    try: coro.send(None)
    except StopIteration: pass
async def inner(): return 1
async def outer():
    for _ in range(10): await inner()
async def agen():
    for i in range(10): yield i
async def async_loop():
    async for x in agen(): pass
def make_log():
    log = logging.getLogger("micro")
    log.propagate = False
    log.addHandler(logging.StreamHandler(open("/dev/null", "w")))
    return log
'''

CHILD_FUNCTIONS = PREPARE + '''
clock = time.thread_time_ns

def runner_of(setup, statement):
    lines = ["def runner(n_):"]
    lines += ["  " + line for line in setup.split(";; ")]
    lines += ["  t_ = clock()", "  for _ in repeat_(None, n_):"]
    lines += ["    " + line for line in statement.split(";; ")]
    lines += ["  return clock() - t_"]
    namespace = dict(globals(), repeat_=itertools.repeat)
    exec("\\n".join(lines), namespace)
    return namespace["runner"]

def repetitions(runner, target):
    n = 20
    while runner(n) < target and n < 1 << 24:
        n *= 2
    return n
'''

# Is given an operation, and takes a sample whenever a line comes: nanoseconds.
CHILD = CHILD_FUNCTIONS + '''
name, setup, statement = sys.argv[1:]
try:
    runner = runner_of(setup, statement)
    n = repetitions(runner, 1_000_000)
    for line in sys.stdin:
        gc.disable()
        best = min(runner(n) for _ in range(3)) / n
        gc.enable()
        print(best, flush=True)
except Exception as e:
    sys.exit(f"{name}: {setup} | {statement}: {e!r}")
os.unlink(FILE)
'''


def operations(names):
    for line in OPERATIONS:
        name, setup, statement = map(str.strip, line.split(" :: "))
        if not names or any(part in name for part in names):
            yield name, setup or "pass", statement


def ask(child):
    child.stdin.write("\n")
    child.stdin.flush()
    line = child.stdout.readline()
    if not line:
        sys.exit(f"{child.args[0]}: ended in {child.args[-3]}")
    return float(line)


def samples_of(operation, pythons, rounds):
    children = [subprocess.Popen([python, "-I", "-c", CHILD, *operation], text=True,
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                for python in pythons]
    samples = [[ask(child) for child in children] for _ in range(rounds)]
    for child in children:
        child.stdin.close()
        child.wait()
    return zip(*samples)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", required=True)
    parser.add_argument("--peer", default="/usr/bin/python3.11")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--below", type=float, default=math.inf,
                        help="print only operations with a smaller ratio")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    work = list(operations(args.names))
    stay_on_one_processor()
    pythons = args.python, args.peer
    rows = []
    for op in work:
        ours, peer = samples_of(op, pythons, args.rounds)
        rows.append((ratio(peer, ours), op[0], min(ours), min(peer)))
    print(f"{'operation':24} {'ours':>9} {'peer':>9}  peer/ours")
    for r, name, ours, peer in sorted(rows):
        if r < args.below:
            print(f"{name:24} {ours:7.0f}ns {peer:7.0f}ns  {r:6.2f}")
    ratios = [row[0] for row in rows]
    print(f"{len(ratios)} operations, geometric mean {geometric_mean(ratios):.2f}, "
          f"{sum(r < 1 for r in ratios)} below 1, {sum(r < 0.9 for r in ratios)} below 0.9")


if __name__ == "__main__":
    sys.exit(main())
