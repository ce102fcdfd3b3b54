"""The floors of the house hold: nothing reaches up it but what Tools/floors/floors.txt names."""
import importlib.util
import os
import re
import sys
import sysconfig
import tempfile
import unittest

PORTABLE = "reads the source"

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
spec = importlib.util.spec_from_file_location(
    "floors", os.path.join(root, "Tools", "floors", "floors.py"))
floors = importlib.util.module_from_spec(spec)
spec.loader.exec_module(floors)

table = floors.Table()
build = os.path.dirname(os.path.realpath(sys.executable))


class Includes(unittest.TestCase):
    def test_every_folder_is_a_room(self):
        self.assertEqual([], floors.homeless(table, floors.sources()),
                         "name the folder in Tools/floors/floors.txt")

    def test_every_room_is_a_folder(self):
        rooms = {table.room_of(f) for f in floors.sources()}
        self.assertEqual(set(), set(table.rooms) - rooms - {"Lib/*"})

    def test_every_header_of_a_higher_floor_exists(self):
        for header in table.headers:
            self.assertTrue(os.path.exists(os.path.join(root, "Include/internal", header)), header)

    def test_no_include_goes_up_or_into_a_room(self):
        bad = [f'{file}: "{header}" {why}' for file, header, why in floors.bad_includes(table)
               if (file, header) not in table.debts]
        self.assertEqual([], bad, "\n" + "\n".join(bad))

    def test_debts_of_includes_are_struck_out_when_paid(self):
        owed = {(file, header) for file, header, _ in floors.bad_includes(table)}
        paid = [debt for debt in table.debts if debt[1].endswith(".h") and debt not in owed]
        self.assertEqual([], paid, "take these lines out of Tools/floors/floors.txt")

    def test_a_word_from_the_command_line_reaches_nothing_else(self):
        # What an include means must hang on where it stands, not on a long list of folders.
        with open(os.path.join(root, "Makefile.in"), encoding="utf-8") as makefile:
            flags = next(line for line in makefile if line.startswith("CPPFLAGS_SB ="))
        self.assertEqual(["-I.", "-I$(srcdir)/Include"],
                         [word for word in flags.split() if word.startswith("-I")])


class ObjectFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.known = floors.symbols(build)
        if cls.known is None:
            raise unittest.SkipTest(f"no object files in {build} that an nm here can read")

    def test_no_reference_goes_up(self):
        bad = [f"{file}: {name} is {there}'s"
               for file, name, there in floors.references(table, self.known)
               if (file, name) not in table.debts]
        self.assertEqual([], bad, "\n" + "\n".join(bad))

    def test_debts_are_struck_out_when_paid(self):
        owed = {(file, name) for file, name, _ in floors.references(table, self.known)}
        paid = [debt for debt in table.debts if not debt[1].endswith(".h") and debt not in owed]
        self.assertEqual([], paid, "take these lines out of Tools/floors/floors.txt")

    def test_hooks_are_used(self):
        needed = [(name, file) for file, (_, names) in self.known.items() for name in names]
        unused = set()
        if "--without-frame-pointers" in sysconfig.get_config_var("CONFIG_ARGS"):
            unused = {"_Py_IsOwnProgram"}       # bridges.c has no chains to look for there
        for hook, room in table.hooks:
            if not hook.endswith(".h") and hook not in unused:
                self.assertTrue(any(name == hook and table.stands_for(room, file)
                                    for name, file in needed), f"{room} does not call {hook}")

    def test_each_has_a_stand_in_where_the_compiler_is_left_out(self):
        in_jit = {file: names for file, names in self.known.items()
                  if file.startswith("Python/jit/")}
        if not in_jit:
            self.skipTest("this build is without the compiler")
        defined = {name for names, _ in in_jit.values() for name in names}
        needed = {name for file, (_, names) in self.known.items() if file not in in_jit
                  for name in names}
        with open(os.path.join(root, "Python/vm/jit_mode.c"), encoding="utf-8") as file:
            stand_ins = set(re.findall(r"\w+", file.read().partition("#ifdef SB_NO_JIT")[2]))
        self.assertEqual(set(), (defined & needed) - stand_ins)

    def test_no_function_is_left_without_a_caller(self):
        dead = [f"{file}: {name}" for file, name in floors.without_a_caller(self.known)]
        self.assertEqual([], dead, "nothing calls\n" + "\n".join(dead))

    def test_what_one_file_uses_is_static(self):
        lonely = [f"{file}: {name}" for file, name in floors.used_in_one_file(self.known)]
        self.assertEqual([], lonely, "no other file uses\n" + "\n".join(lonely))


class Checker(unittest.TestCase):
    """What the checks above find, in a house made for it."""

    def files(self, **files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in files.items():
            path = os.path.join(folder.name, name.replace("__", "/").replace("_h", ".h").replace("_c", ".c"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return [why for _, _, why in floors.bad_includes(table, folder.name)]

    def test_an_include_up_is_found(self):
        self.assertEqual(["is of the floor machine, this file of ground"],
                         self.files(Include__internal__vm_h="",
                                    Objects__tuple_c='#include "internal/vm.h"\n'))
        self.assertEqual([], self.files(Include__internal__vm_h="",
                                        Python__vm__eval_c='# include "internal/vm.h"\n'))

    def test_an_include_into_a_room_is_found(self):
        room = "is private to Objects/dict"
        self.assertEqual([room], self.files(Objects__dict__private_h="",
                                            Objects__set__set_c='#include "../dict/private.h"'))
        self.assertEqual([room], self.files(Objects__dict__private_h="",
                                            Objects__tuple_c='#include "dict/private.h"'))
        self.assertEqual([], self.files(Objects__dict__private_h="",
                                        Objects__dict__table_c='#include "private.h"'))

    def test_an_include_that_only_a_flag_would_find_is_found(self):
        self.assertEqual(["is not found from its room, nor in Include"],
                         self.files(Python__vm__vm_h="", Objects__tuple_c='#include "vm.h"'))

    def test_a_reference_up_is_found(self):
        known = {"Objects/tuple.c": ({"PyTuple_New"}, {"_PyVM_Box", "PyList_New"}),
                 "Objects/list/list.c": ({"PyList_New"}, {"PyTuple_New"}),
                 "Python/vm/op_move.c": ({"_PyVM_Box"}, {"PyTuple_New"})}
        self.assertEqual([("Objects/tuple.c", "_PyVM_Box", "Python/vm/op_move.c")],
                         floors.references(table, known))


if __name__ == "__main__":
    unittest.main()
