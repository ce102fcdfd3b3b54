"""Class methods of C types, called from the class: results, wrong arguments, what profilers see."""
import datetime
import sys


class Date(datetime.date):
    pass


class Meta(type):
    @property
    def fromhex(cls):
        return lambda text: ("by the metaclass", text)


class Text(bytes, metaclass=Meta):
    pass


def attempt(function):
    try:
        return repr(function())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


CALLS = [
    lambda: dict.fromkeys("ab"),
    lambda: dict.fromkeys("ab", 1),
    lambda: dict.fromkeys(),
    lambda: dict.fromkeys("a", 1, 2),
    lambda: dict.fromkeys(iterable="a"),
    lambda: dict.fromkeys(*"ab"),
    lambda: int.from_bytes(b"12", "big"),
    lambda: int.from_bytes(b"12", byteorder="little", signed=True),
    lambda: int.from_bytes(),
    lambda: bool.from_bytes(b"\0", "big"),
    lambda: bytes.fromhex("0aff"),
    lambda: bytes.fromhex("0aff", 2),
    lambda: bytes.fromhex(text="0aff"),
    lambda: Text.fromhex("0aff"),
    lambda: float.fromhex("0x1.8p3"),
    lambda: float.fromhex(),
    lambda: float.fromhex(1),
    lambda: datetime.date.fromordinal(737000),
    lambda: Date.fromordinal(737000),
    lambda: Date.fromordinal(),
    lambda: Date.fromordinal("1"),
    lambda: Date.fromordinal(n=1),
    lambda: Date.fromisoformat("2020-02-30"),
    lambda: datetime.datetime.strptime("2020", "%Y"),
    lambda: datetime.datetime.fromtimestamp(0, tz=datetime.timezone.utc),
    lambda: type(datetime.datetime.now()),
    lambda: datetime.datetime.now(1, 2),
    lambda: object.__init_subclass__(),
    lambda: object.__init_subclass__(1),
    lambda: object.__subclasshook__(int),
    lambda: vars(dict)["fromkeys"](),
    lambda: vars(dict)["fromkeys"](1, "a"),
    lambda: vars(dict)["fromkeys"](int, "a"),
    lambda: vars(dict)["fromkeys"](dict, "ab", 3),
    lambda: vars(dict)["fromkeys"](dict, "ab", value=3),
    lambda: vars(bytes)["fromhex"](bytes, "0a", 1),
    lambda: vars(datetime.date)["today"](datetime.date, 1),
]

for _ in range(3):          # what is found once is remembered
    for call in CALLS:
        print(attempt(call))

# What the class has later is found.
class Later(dict):
    pass


def make():
    return Later.fromkeys("a")


for _ in range(3):
    print(type(make()), make())
Later.fromkeys = staticmethod(lambda keys: ("its own", keys))
print(make())
del Later.fromkeys
print(make())


events = []


def profile(frame, event, arg):
    if event.startswith("c_"):
        events.append((event, repr(arg).split(" at ")[0]))


def run():
    dict.fromkeys("ab")
    Date.fromordinal(1)
    attempt(lambda: bytes.fromhex("x"))


run()
sys.setprofile(profile)
run()
sys.setprofile(None)
print(*events, sep="\n")
