"""gdb in Python's words: printers for objects, registers, frames and code, and commands.

  p op              PyObject * and what begins with one: its type and value
  p reg             a PyReg: unbound, a tagged int or an object
  p *f              a PyVMFrame: function, file and line
  p *code           a code object
  py-bt [full]      the Python frames of this thread, [and their variables]
  py-locals         the variables of its innermost frame
  py-list           the source around the line that it runs

`make` and `make install` put this file where gdb finds it by itself. It only reads memory, so
it can be used on a core file, and at any moment. What it reads may be garbage, so every printer
gives up quietly.
"""
import linecache
import re

import gdb
import gdb.printing

MAX_ITEMS = 20          # of a container
MAX_TEXT = 300          # characters
MAX_DEPTH = 3           # containers in containers
GARBAGE = (gdb.error, gdb.MemoryError, ValueError, OverflowError, UnicodeError, RuntimeError)


def pointer_to(type_name):
    return gdb.lookup_type(type_name).pointer()


def c_string(value):
    return value.string(errors="replace")


def items_at(pointer, count):
    """The first of `count` values in memory, shown and numbered, and whether there are more."""
    return [pointer[i] for i in range(min(count, MAX_ITEMS))], count > MAX_ITEMS


class Object:
    """An object of the program: op is a PyObject * to it."""

    def __init__(self, op):
        self.op = op.cast(pointer_to("PyObject"))
        self.address = int(self.op)

    def cast(self, type_name):
        return self.op.cast(pointer_to(type_name))

    def size(self):
        return int(self.cast("PyVarObject")["ob_size"])

    def type_name(self):
        return c_string(self.op["ob_type"]["tp_name"])

    def text(self):
        """The characters of a str."""
        ascii = self.cast("PyASCIIObject")
        state, length = ascii["state"], int(ascii["length"])
        if int(state["compact"]) and int(state["ascii"]):
            data = (ascii + 1)
        elif int(state["compact"]):
            data = (self.cast("PyCompactUnicodeObject") + 1)
        else:
            data = self.cast("PyUnicodeObject")["data"]["any"]
        kind = int(state["kind"])
        shown = min(length, MAX_TEXT)
        memory = gdb.selected_inferior().read_memory(int(data), shown * kind).tobytes()
        encoding = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}[kind]
        return memory.decode(encoding, "surrogatepass") + ("…" if shown < length else "")

    def integer(self):
        op, size = self.cast("PyLongObject"), self.size()
        value = 0
        for i in range(min(abs(size), 400)):
            value |= int(op["ob_digit"][i]) << 30 * i
        return -value if size < 0 else value

    def show(self, depth=0):
        """As repr() would, of what has a plain value; otherwise <TYPE at ADDRESS>."""
        if self.address == 0:
            return "NULL"
        try:
            name = self.type_name()
            method = SHOWN.get(name)
            if method is not None:
                return method(self, depth)
        except GARBAGE:
            return f"<not an object: {self.address:#x}>"
        return f"<{name} at {self.address:#x}>"

    def inside(self, value, depth):
        return Object(value).show(depth + 1)

    def show_sequence(self, pointer, size, brackets, depth):
        if depth >= MAX_DEPTH:
            return brackets[0] + "…" + brackets[1]
        values, more = items_at(pointer, size)
        parts = [self.inside(value, depth) for value in values] + ["…"] * more
        comma = "," if brackets == "()" and size == 1 else ""
        return brackets[0] + ", ".join(parts) + comma + brackets[1]

    def show_str(self, depth):
        return repr(self.text())

    def show_int(self, depth):
        return str(self.integer())

    def show_bool(self, depth):
        return str(self.integer() != 0)

    def show_none(self, depth):
        return "None"

    def show_float(self, depth):
        return repr(float(self.cast("PyFloatObject")["ob_fval"]))

    def show_bytes(self, depth):
        data = self.cast("PyBytesObject")["ob_sval"].address
        shown = min(self.size(), MAX_TEXT)
        return repr(gdb.selected_inferior().read_memory(int(data), shown).tobytes())

    def show_tuple(self, depth):
        return self.show_sequence(self.cast("PyTupleObject")["ob_item"], self.size(), "()", depth)

    def show_list(self, depth):
        return self.show_sequence(self.cast("PyListObject")["ob_item"], self.size(), "[]", depth)

    def dict_items(self):
        """(key, value) of a dict: see internal/dict.h."""
        keys = self.cast("PyDictObject")["ma_keys"]
        entry = "_PyDictUnicodeEntry" if int(keys["kind"]) else "_PyDictEntry"
        entries = (keys + 1).cast(pointer_to(entry))
        for i in range(int(keys["first"]), int(keys["nentries"])):
            if int(entries[i]["value"]):
                yield entries[i]["key"], entries[i]["value"]

    def show_dict(self, depth):
        if depth >= MAX_DEPTH:
            return "{…}"
        parts = []
        for key, value in self.dict_items():
            if len(parts) == MAX_ITEMS:
                parts.append("…")
                break
            parts.append(f"{self.inside(key, depth)}: {self.inside(value, depth)}")
        return "{" + ", ".join(parts) + "}"

    def show_set(self, depth):
        op = self.cast("PySetObject")
        dummy = int(gdb.parse_and_eval("(unsigned long)_PySet_Dummy"))
        keys = []
        for i in range(int(op["mask"]) + 1):
            key = op["table"][i]["key"]
            if int(key) not in (0, dummy):
                keys.append("…" if len(keys) == MAX_ITEMS else self.inside(key, depth))
                if keys[-1] == "…":
                    break
        text = "{" + ", ".join(keys) + "}" if keys else "()"
        return f"{self.type_name()}({text if keys else ''})" if not keys or \
            self.type_name() == "frozenset" else text

    def show_type(self, depth):
        return f"<class {c_string(self.cast('PyTypeObject')['tp_name'])}>"

    def show_function(self, depth):
        name = Object(self.cast("PyFunctionObject")["func_qualname"]).text()
        return f"<function {name} at {self.address:#x}>"

    def show_cfunction(self, depth):
        name = c_string(self.cast("PyCFunctionObject")["m_ml"]["ml_name"])
        return f"<built-in {name}>"

    def show_module(self, depth):
        return f"<module at {self.address:#x}>"

    def show_code(self, depth):
        code = self.cast("PyCodeObject")
        return "<code {} at {:#x}, {}:{}>".format(
            Object(code["co_qualname"]).text(), self.address,
            Object(code["co_filename"]).text(), int(code["co_firstlineno"]))

    def show_cell(self, depth):
        return f"<cell: {self.inside(self.cast('PyCellObject')['ob_ref'], depth)}>"

    def show_exception(self, depth):
        args = self.cast("PyBaseExceptionObject")["args"]
        return self.type_name() + Object(args).show(depth)


SHOWN = {
    "str": Object.show_str, "int": Object.show_int, "bool": Object.show_bool,
    "NoneType": Object.show_none, "float": Object.show_float, "bytes": Object.show_bytes,
    "tuple": Object.show_tuple, "list": Object.show_list, "dict": Object.show_dict,
    "set": Object.show_set, "frozenset": Object.show_set, "type": Object.show_type,
    "function": Object.show_function, "builtin_function_or_method": Object.show_cfunction,
    "code": Object.show_code, "cell": Object.show_cell,
    **{name: Object.show_exception for name in """ArithmeticError AssertionError AttributeError
       Exception ImportError IndexError KeyError LookupError ModuleNotFoundError NameError OSError
       RecursionError RuntimeError StopIteration SyntaxError SystemError TypeError
       UnboundLocalError ValueError ZeroDivisionError""".split()},
}


def show_register(value):
    word = int(value) & (1 << 64) - 1
    if word == 0:
        return "unbound"
    if word & 1:
        return str((word >> 1) - (1 << 63 if word >> 63 else 0))
    return Object(gdb.Value(word)).show()


def varint(data, place):
    """A number of the location table, six bits in a byte: (number, next place)."""
    number = shift = 0
    while True:
        byte = data[place]
        place += 1
        number |= (byte & 63) << shift
        shift += 6
        if not byte & 64:
            return number, place


def line_at(code, index):
    """The line of an instruction: CPython 3.11's location table (Objects/…/code/locations.c)."""
    table = Object(code["co_linetable"])
    address = int(table.cast("PyBytesObject")["ob_sval"].address)
    data = gdb.selected_inferior().read_memory(address, table.size()).tobytes()
    line, words, place = int(code["co_firstlineno"]), 0, 0
    while place < len(data):
        head = data[place]
        place += 1
        kind, shown = head >> 3 & 15, None
        if kind in (13, 14):
            moved, place = varint(data, place)
            line += -(moved >> 1) if moved & 1 else moved >> 1
        elif 10 <= kind <= 12:
            line += kind - 10
        if kind == 14:
            for _ in range(3):
                _, place = varint(data, place)
        elif 10 <= kind <= 12:
            place += 2
        elif kind < 10:
            place += 1
        words += (head & 7) + 1
        if index < words:
            return line if kind != 15 else None
    return None


class Frame:
    """A Python frame: f is a PyVMFrame *."""

    def __init__(self, f):
        self.f = f
        self.vm_code = f["code"]
        self.code = self.vm_code["ob"]

    def name(self):
        return Object(self.code["co_qualname"]).text()

    def file(self):
        return Object(self.code["co_filename"]).text()

    def line(self):
        return line_at(self.code, int(self.f["ip"] - self.vm_code["code"]))

    def describe(self):
        return f"{self.name()} ({self.file()}:{self.line()})"

    def variables(self):
        """(name, shown value) of locals and cells; free variables are in the function."""
        names = Object(self.code["co_localsplusnames"])
        items = names.cast("PyTupleObject")["ob_item"]
        free = int(self.code["co_nfreevars"])
        for i in range(names.size() - free):
            yield Object(items[i]).text(), show_register(self.f["regs"][i])


def thread_states():
    """All of them: a PyThreadState * each."""
    interp = gdb.parse_and_eval("_PyRuntime.interp_head")
    while int(interp):
        state = interp["threads_head"]
        while int(state):
            yield state
            state = state["next"]
        interp = interp["next"]


def thread_state():
    """This thread's, also while it waits and another has the GIL."""
    state = gdb.parse_and_eval("_Py_tss_tstate")
    if int(state):
        return state.cast(pointer_to("PyThreadState"))
    found = list(thread_states())
    mine = [state for state in found
            if int(state["native_thread_id"]) == gdb.selected_thread().ptid[1]]
    if not mine and len(found) == 1:        # a core file of another container
        mine = found
    if not mine:
        raise gdb.GdbError("No Python runs in this thread.")
    return mine[0]


def python_frames():
    f = thread_state()["cframe"]["current_frame"]
    while int(f):
        frame = Frame(f)
        yield frame
        f = f["previous"]


class Backtrace(gdb.Command):
    """The Python frames of this thread, innermost first; `py-bt full`: with their variables."""

    def __init__(self):
        super().__init__("py-bt", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        for number, frame in enumerate(python_frames()):
            try:
                print(f"#{number:<3} {frame.describe()}")
                source = linecache.getline(frame.file(), frame.line() or 0).strip()
                if source:
                    print("        " + source)
                if argument.strip() == "full":
                    for name, value in frame.variables():
                        print(f"        {name} = {value}")
            except GARBAGE as error:
                print(f"#{number:<3} <a frame that can't be read: {error}>")
                return


class Locals(gdb.Command):
    """The variables of this thread's innermost Python frame."""

    def __init__(self):
        super().__init__("py-locals", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        for frame in python_frames():
            for name, value in frame.variables():
                print(f"{name} = {value}")
            return


class List(gdb.Command):
    """The source around the line that this thread's innermost Python frame runs."""

    def __init__(self):
        super().__init__("py-list", gdb.COMMAND_FILES)

    def invoke(self, argument, from_tty):
        for frame in python_frames():
            line = frame.line() or 1
            for n in range(max(line - 5, 1), line + 6):
                text = linecache.getline(frame.file(), n)
                if text:
                    print(f"{'>' if n == line else ' '}{n:5} {text.rstrip()}")
            return


class Printer:
    def __init__(self, show):
        self.show = show

    def to_string(self):
        try:
            return self.show()
        except GARBAGE:
            return "<garbage>"


# Structures that begin as an object does.
OBJECT = re.compile(r"Py\w*Object$|_object$|_typeobject$|PyVMCode$|_PyVMCode$")


def lookup(value):
    if value.type.name == "PyReg":
        return Printer(lambda: show_register(value))
    plain = value.type.strip_typedefs()
    if plain.code == gdb.TYPE_CODE_PTR:
        target = plain.target()
        name = target.unqualified().name or target.strip_typedefs().name or ""
        # Not for p *op, which should show the fields of the structure.
        if OBJECT.match(name):
            return Printer(lambda: f"{int(value):#x} {Object(value).show()}" if int(value)
                           else "NULL")
        if name in ("PyVMFrame", "_PyInterpreterFrame"):
            return Printer(lambda: f"{int(value):#x} {Frame(value).describe()}" if int(value)
                           else "NULL")
    elif plain.code == gdb.TYPE_CODE_STRUCT and value.address is not None:
        if plain.name == "_PyInterpreterFrame":
            return Printer(lambda: Frame(value.address).describe() + "".join(
                f"\n  {name} = {shown}" for name, shown in Frame(value.address).variables()))
        if plain.name in ("_PyVMCode", "PyCodeObject"):
            return Printer(lambda: Object(value.address).show())
    return None


lookup.name = "springboard"
lookup.enabled = True
gdb.printing.register_pretty_printer(gdb.current_objfile(), lookup, replace=True)
for command in Backtrace, Locals, List:
    command()
