"""Imports that functions do again and again: what is there already is found without importlib's
Python code, and whatever changes meanwhile counts."""
import importlib
import os
import sys
import tempfile
import warnings

folder = tempfile.mkdtemp()
FILES = {
    "pkg/__init__.py": "__all__ = ['late', 'listed']\nvalue = 1\n",
    "pkg/sub.py": "value = 2\n",
    "pkg/late.py": "print('late is imported')\n",
    "pkg/listed.py": "print('listed is imported')\n",
    "pkg/lazy/__init__.py": "def __getattr__(name):\n    print('asked for', name)\n"
                            "    if name == 'made':\n        return 'made up'\n"
                            "    raise AttributeError(name)\n",
    "pkg/lazy/real.py": "",
    "pkg/asks.py": """
def one():
    from .sub import value
    return value
def package():
    from . import sub
    return sub.__name__
def above(level):
    exec('from ' + '.' * level + 'sub import value', globals())
    return value
""",
    "pkg/inner/__init__.py": "",
    "pkg/inner/asks.py": "def two():\n    from ..sub import value\n    from ..inner import asks\n"
                         "    return value, asks.__name__\n",
    "other/__init__.py": "",
    "other/sub.py": "value = 'of other'\n",
    "plain.py": "value = 3\n",
    "says.py": "def __getattr__(name):\n    print('says', name)\n    return name * 2\n",
}
for name, text in FILES.items():
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
sys.path.insert(0, folder)
importlib.invalidate_caches()


def tried(f, *args):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            said = f(*args)
        except Exception as e:
            said = f"{type(e).__name__}: {e}".replace(folder, "FOLDER")
    print(f.__name__, said, [str(w.message) for w in caught])


def submodule():
    from pkg import sub, value
    return sub.value, value


def missing():
    from pkg import nothing
    return nothing


def late():
    from pkg import late as module
    return module.__name__


def made():
    from pkg.lazy import made, real
    return made, real.__name__


def plain():
    from plain import value
    return value


def plain_missing():
    from plain import nothing
    return nothing


def says():
    from says import hello
    return hello


for _ in range(3):
    for f in submodule, missing, late, made, plain, plain_missing, says:
        tried(f)

import pkg
import plain as plain_module

# What the functions find may change.
del pkg.sub
tried(submodule)
pkg.sub = sys
tried(submodule)
del pkg.sub, sys.modules["pkg.sub"]
tried(submodule)
plain_module.value = "changed"
tried(plain)
plain_module.__getattr__ = lambda name: f"no {name}"
tried(plain_missing)
del plain_module.__getattr__
plain_module.__path__ = [os.path.join(folder, "other")]


def from_plain():
    from plain import sub
    return sub.value


tried(from_plain)
tried(from_plain)
sys.modules["plain"] = importlib.import_module("other")
tried(from_plain)
sys.modules["plain"] = None
tried(plain)

# Lists of names that only __import__ can have.
pkg.__dict__["*"] = 1
for names in ("*",), ["sub"], ("sub", "*"), (1,), ("nothing", "sub"), (), type("T", (tuple,), {})(("sub",)):
    tried(lambda: __import__("pkg", fromlist=names).__name__)

# Relative ones, whose package may change.
from pkg import asks
from pkg.inner import asks as inner

for _ in range(3):
    tried(asks.one)
    tried(asks.package)
    tried(inner.two)
    tried(asks.above, 1)
    tried(asks.above, 2)
asks.__package__ = "other"
tried(asks.one)
tried(asks.one)
asks.__package__ = "pk" + "g"
tried(asks.one)
spec = asks.__spec__
name = spec.name
spec.name = "other.asks"
tried(asks.one)
tried(asks.one)
spec.submodule_search_locations = []
tried(asks.one)
spec.name = "pkg"
tried(asks.one)
spec.name, spec.submodule_search_locations = name, None
tried(asks.one)
asks.__spec__ = None
tried(asks.one)
del asks.__package__
tried(asks.one)
asks.__spec__ = spec
tried(asks.one)
asks.__package__ = 5
tried(asks.one)
asks.__package__ = "pkg"
tried(asks.one)


class Spec(type(spec)):
    @property
    def parent(self):
        print("parent is asked")
        return "pkg"


asks.__spec__ = Spec("pkg.asks", None)
tried(asks.one)
tried(asks.one)
asks.__spec__ = spec
tried(asks.one)
parent = type(spec).parent
type(spec).parent = property(lambda self: print("the new parent") or self.name.rpartition(".")[0])
for _ in range(4):
    tried(asks.one)
    tried(inner.two)
type(spec).parent = parent
tried(asks.one)

# The same for a spec that was never changed.
import json.decoder

there = {"__name__": "json.there", "__package__": "json", "__spec__": json.decoder.__spec__}
exec("def decoder():\n    from .decoder import JSONDecoder\n    return JSONDecoder", there)
tried(there["decoder"])
type(spec).parent = property(lambda self: print("parent of", self.name, self.submodule_search_locations)
                             or "json")
for _ in range(4):
    tried(there["decoder"])
type(spec).parent = parent
tried(there["decoder"])

# Tracers see the same calls.
events = []


def tracer(frame, event, arg):
    if event == "call":
        events.append(frame.f_code.co_name)
    return None


for f in submodule, asks.one, asks.package, inner.two:
    f()
    for setter in sys.settrace, sys.setprofile:
        setter(tracer)
        f()
        setter(None)
    f()
print([name for name in events if name not in ("__exit__", "settrace")])
