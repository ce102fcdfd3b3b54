"""The floors of the tree (floors.txt): reads the table, and finds what in the tree violates it.

    python3 Tools/floors/floors.py [BUILD]    prints the violations, without hooks and debts
"""
import collections
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "floors.txt")
ROOT = os.path.dirname(os.path.dirname(HERE))
CODE = (".c", ".h", ".def", ".S")
GROUND = "ground"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"\n]+)"', re.M)


class Table:
    """floors: names from the cellar up. rooms: folder -> floor. headers: header of
    Include/internal -> room that it belongs to. hooks: (name, room) -> reason. debts: (file, name)."""

    def __init__(self, path=TABLE):
        self.floors, self.rooms, self.purpose = [], {}, {}
        self.headers, self.hooks, self.debts = {}, {}, {}
        section = None
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                line = line.split("#")[0].rstrip()
                if not line:
                    continue
                if not line.startswith(" "):
                    word = line.split(":")[0]
                    if word.startswith("floor "):
                        section = word[6:]
                        self.floors.insert(0, section)
                    else:
                        section = word
                    continue
                try:
                    self.read_line(section, line)
                except ValueError:
                    raise SystemExit(f"{path}:{number}: not understood: {line}")

    def read_line(self, section, line):
        if section == "headers":
            header, room = line.split(None, 2)[:2]
            self.headers[header] = room
        elif section == "hooks":
            name, room, reason = line.split(None, 2)
            self.hooks[name, room] = reason
        elif section == "debts":
            file, name = line.split(None, 2)[:2]
            self.debts[file, name] = True
        elif section in self.floors:
            room, purpose = line.split(None, 1)
            self.rooms[room] = section
            self.purpose[room] = purpose.strip()
        else:
            raise ValueError(section)

    def height(self, floor):
        return self.floors.index(floor)

    def room_of(self, file):
        """The room a file lies in, or None."""
        folder = os.path.dirname(file)
        if folder in self.rooms:
            return folder
        if f"{os.path.dirname(folder)}/*" in self.rooms:
            return folder
        return None

    def floor_of(self, file):
        if file.startswith("Include/internal/"):
            room = self.headers.get(file[len("Include/internal/"):])
            return self.rooms[room] if room else GROUND
        if file.startswith("Include/"):
            return self.floors[0]
        room = self.room_of(file)
        if room is None:
            return None
        return self.rooms.get(room) or self.rooms[os.path.dirname(room) + "/*"]

    def is_up(self, user, used):
        return self.height(self.floor_of(used)) > self.height(self.floor_of(user))

    def stands_for(self, room, file):
        """Is the file the one, or in the room, that a hook names? "Lib*" is every room there."""
        return room in (file, self.room_of(file)) or room.endswith("*") and file.startswith(room[:-1])

    def is_hook(self, name, user):
        return any(hook == name and self.stands_for(room, user) for hook, room in self.hooks)


def sources(root=ROOT):
    for top in ("Include", "Objects", "Python", "Lib"):
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders.sort()
            for file in sorted(files):
                if file.endswith(CODE):
                    yield os.path.relpath(os.path.join(folder, file), root)


def homeless(table, files):
    """Files in folders that the table does not know."""
    return [f for f in files if table.floor_of(f) is None]


def resolve(root, file, spelled):
    """The file that an include means: beside the including one, or in Include."""
    for folder in (os.path.dirname(file), "Include"):
        path = os.path.normpath(os.path.join(folder, spelled))
        if os.path.exists(os.path.join(root, path)):
            return path
    return None


def bad_includes(table, root=ROOT, files=None):
    """(file, header, why) for each include that the table does not allow."""
    found = []
    for file in files or sources(root):
        with open(os.path.join(root, file), encoding="utf-8") as stream:
            text = stream.read()
        for spelled in INCLUDE.findall(text):
            if spelled.startswith("generated/") or spelled == "pyconfig.h":
                continue
            header = resolve(root, file, spelled)
            if header is None:
                found.append((file, spelled, "is not found from its room, nor in Include"))
            elif header.startswith("Include/"):
                if table.is_up(file, header):
                    found.append((file, spelled, f"is of the floor {table.floor_of(header)}, "
                                  f"this file of {table.floor_of(file)}"))
            else:
                room, own = table.room_of(header), table.room_of(file)
                shared = room == "Lib/shared" and own.startswith("Lib")
                if not shared and own != room and not own.startswith(room + "/"):
                    found.append((file, spelled, f"is private to {room}"))
    return [f for f in found if not table.is_hook(f[1], f[0])]


def symbols(build):
    """What each object file of a build defines and what it needs: {source: (set, set)}. None if
    there are no objects, or no nm here can read them."""
    objects = []
    for top in ("Objects", "Python", "Lib"):
        for folder, _, files in os.walk(os.path.join(build, top)):
            objects += [os.path.relpath(os.path.join(folder, f), build) for f in files
                        if f.endswith(".o") and f != "frozen-stage1.o"]
    # An object that is left from before a move has no source.
    objects = {o: source for o in objects
               if (source := next((o[:-1] + e for e in "cS"
                                   if os.path.exists(os.path.join(ROOT, o[:-1] + e))), None))}
    if not objects:
        return None
    # With LTO an object file may hold the compiler's own code instead of the machine's.
    for nm in filter(shutil.which, ["nm", "llvm-nm-19", "llvm-nm", "gcc-nm"]):
        known = read_symbols(nm, build, objects)
        # One that can't reads the few that come from assembly all the same.
        if sum(bool(defined) for defined, _ in known.values()) > len(known) // 2:
            return known
    return None


def read_symbols(nm, build, objects):
    out = subprocess.run([nm, "-A", "-P", *objects], cwd=build, capture_output=True, text=True)
    known = {source: (set(), set()) for source in objects.values()}
    for line in out.stdout.splitlines():
        m = re.match(r"(.+?\.o): (\S+) (\S)", line)
        if m:
            defined, needed = known[objects[m[1]]]
            if m[3] in "Uw":
                needed.add(m[2])
            elif m[3].isupper():
                defined.add(m[2])
    return known


def references(table, known):
    """(file, name, file that defines it) for each reference up the house that is no hook."""
    home = {}
    for file, (defined, _) in known.items():
        for name in defined:
            home[name] = file
    found = []
    for file, (_, needed) in sorted(known.items()):
        for name in sorted(needed):
            there = home.get(name)
            if there and there != file and table.is_up(file, there) \
                    and not table.is_hook(name, file) and not is_public_for(table, file, name):
                found.append((file, name, there))
    return found


def is_public_for(table, file, name):
    """The modules of Lib are written as extension modules are: the public C API is theirs, wherever
    a function of it lives."""
    return file.startswith("Lib/") and name.startswith("Py")


def without_a_caller(known, root=ROOT):
    """(file, name) of each name that crosses files, which nothing asks for: neither another object
    file, nor extensions (it is exported, or in a public header), nor any other line of the sources, where a
    macro may put a name together from its end."""
    needed = set().union(*(needs for _, needs in known.values()))
    words, public, pasted = collections.Counter(), set(), set()
    for file in sources(root):
        with open(os.path.join(root, file), encoding="utf-8") as code:
            text = code.read()
        if file.endswith(".h"):
            if not file.startswith("Include/internal/"):
                public.update(re.findall(r"\w+", text))
            public.update(re.findall(r"PyAPI_\w+\([^()]*\)\s*(\w+)", text))
        else:
            words.update(re.findall(r"\w+", text))
        pasted.update(re.findall(r"##\s*(_\w+)", text))
    return [(file, name) for file, (defined, _) in sorted(known.items()) for name in sorted(defined)
            if name not in needed and name not in public and words[name] == 1
            and not name.startswith("PyInit_") and not name.endswith(tuple(pasted))]


def used_in_one_file(known, root=ROOT):
    """(file, name) of each name that crosses files, which only its own file uses: it wants to be
    static. Exported names, names put together by a macro, and what a C test uses stay; so does
    what is meant for the compiler (internal/jit.h), or lies in it, while that is being built."""
    needed = set().union(*(needs for _, needs in known.values()))
    homes, headers, public, pasted = collections.defaultdict(set), collections.Counter(), set(), set()
    tests = [f"Tests/c/{file}" for file in sorted(os.listdir(os.path.join(root, "Tests/c")))
             if file.endswith(CODE)]
    for file in [*sources(root), *tests]:
        with open(os.path.join(root, file), encoding="utf-8") as code:
            text = re.sub(r"/\*.*?\*/", "", code.read(), flags=re.S)
        words = re.findall(r"\w+", text)
        if file.endswith(".h"):
            headers.update(words)
        else:
            for word in set(words):
                homes[word].add(file)
        if re.fullmatch(r"Include/((cpython/)?\w+|internal/jit)\.h", file):
            public.update(words)
        public.update(re.findall(r"PyAPI_\w+\([^()]*\)\s*(\w+)", text))
        pasted.update(re.findall(r"##\s*(_\w+)", text))
    return [(file, name) for file, (defined, _) in sorted(known.items()) for name in sorted(defined)
            # A prototype is one word of the headers: a second one is a use.
            if homes[name] == {file} and headers[name] <= 1 and not file.startswith("Python/jit/")
            and name not in needed and name not in public
            and not name.startswith(("PyInit_", "__")) and not name.endswith(tuple(pasted))]


def main():
    table = Table()
    for file in homeless(table, sources()):
        print(f"{file}: its folder is no room in floors.txt")
    for file, header, why in bad_includes(table):
        print(f'{file}: "{header}" {why}')
    if len(sys.argv) > 1:
        for file, name, there in references(table, symbols(sys.argv[1]) or {}):
            print(f"{file}: {name} is {there}'s")


if __name__ == "__main__":
    main()
