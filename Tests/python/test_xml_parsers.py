"""pyexpat and _elementtree, where a careless parser would lose data or crash."""
import copy
import gc
import io
import pickle
import traceback
import unittest
import weakref
import xml.etree.ElementTree as ET
from xml.parsers import expat

PORTABLE = "a library's callbacks"


class ExpatHandlers(unittest.TestCase):
    def test_text_arrives_before_what_follows_it(self):
        parser, seen = expat.ParserCreate(), []
        parser.buffer_text = True
        parser.CharacterDataHandler = lambda s: seen.append(s)
        parser.CommentHandler = lambda s: seen.append(("comment", s))
        parser.Parse("<a>one\ntwo<!--c-->three</a>", True)
        self.assertEqual(seen, ["one\ntwo", ("comment", "c"), "three"])

    def test_first_exception_stops_the_parser(self):
        parser, seen = expat.ParserCreate(), []
        def start(name, attributes):
            seen.append(name)
            raise KeyError(name)
        parser.StartElementHandler = start
        with self.assertRaises(KeyError):
            parser.Parse("<a><b/></a>", True)
        self.assertEqual(seen, ["a"])
        with self.assertRaises(expat.ExpatError) as caught:
            parser.Parse("<c/>", True)
        self.assertEqual(caught.exception.code,
                         expat.errors.codes[expat.errors.XML_ERROR_FINISHED])

    def test_traceback_names_the_callback(self):
        parser = expat.ParserCreate()
        parser.EndElementHandler = lambda name: 1 / 0
        try:
            parser.Parse("<a/>")
        except ZeroDivisionError as error:
            names = [f.f_code.co_name for f, _ in traceback.walk_tb(error.__traceback__)]
        self.assertEqual(names[1:], ["EndElement", "<lambda>"])

    def test_text_handler_removed_by_itself(self):
        parser, seen = expat.ParserCreate(), []
        def text(s):
            seen.append(s)
            parser.CharacterDataHandler = None
        parser.CharacterDataHandler = text
        parser.Parse("<a>1\n2\n3</a>", True)
        self.assertEqual(seen, ["1"])

    def test_feeding_from_a_handler_is_refused(self):
        parser = expat.ParserCreate()
        parser.StartElementHandler = lambda *args: parser.Parse("<b/>")
        with self.assertRaises(RuntimeError):
            parser.Parse("<a/>")

    def test_external_entity_parser_outlives_its_parent(self):
        parser, children = expat.ParserCreate(), []
        def external(context, base, system_id, public_id):
            children.append(parser.ExternalEntityParserCreate(context))
            return 1
        parser.ExternalEntityRefHandler = external
        parser.Parse("<!DOCTYPE a [<!ENTITY e SYSTEM 'x'>]><a>&e;</a>")
        del parser
        gc.collect()
        seen = []
        children[0].StartElementHandler = lambda name, attributes: seen.append(name)
        children[0].Parse("<b/>", True)
        self.assertEqual(seen, ["b"])


class Elements(unittest.TestCase):
    def test_slices_follow_list(self):
        for key in (slice(1, 3), slice(5, 2), slice(None, None, 2), slice(7, None, -3),
                    slice(2, 2), slice(None)):
            root = ET.Element("root")
            root.extend([ET.Element(c) for c in "abcdefgh"])
            names = list("abcdefgh")
            with self.subTest(key=key):
                fresh = ["x", "y"] if key.step is None else ["n"] * len(names[key])
                root[key] = [ET.Element(c) for c in fresh]
                names[key] = fresh
                self.assertEqual([e.tag for e in root], names)
                del root[key]
                del names[key]
                self.assertEqual([e.tag for e in root], names)

    def test_assigning_a_slice_while_it_shrinks(self):
        root = ET.Element("root")
        root.extend([ET.Element(c) for c in "abcd"])
        def values():
            root.clear()
            yield ET.Element("z")
        root[1:3] = values()
        self.assertEqual([e.tag for e in root], ["z"])

    def test_remove_while_comparing_changes_the_element(self):
        root = ET.Element("root")
        class Rude(ET.Element):
            def __eq__(self, other):
                root.clear()
                return False
            __hash__ = None
        root.extend([Rude("a"), ET.Element("b")])
        with self.assertRaises(ValueError):
            root.remove(ET.Element("c"))

    def test_cycles_are_collected(self):
        root = ET.Element("root")
        root.append(ET.SubElement(root, "child"))
        root[0].append(root)
        dead = weakref.ref(root)
        del root
        gc.collect()
        self.assertIsNone(dead())

    def test_deep_tree_dies_and_copies_fail_cleanly(self):
        root = element = ET.Element("root")
        for _ in range(100_000):
            element = ET.SubElement(element, "x")
        with self.assertRaises(RecursionError):
            copy.deepcopy(root)
        del element, root

    def test_pickle_keeps_everything(self):
        root = ET.XML("<a x='1'>t<b>u</b>v</a>")
        again = pickle.loads(pickle.dumps(root))
        self.assertEqual(ET.tostring(again), ET.tostring(root))

    def test_iterating_while_the_tree_changes(self):
        root = ET.XML("<a><b><c/></b><d/></a>")
        walk = root.iter()
        self.assertEqual([next(walk).tag, next(walk).tag], ["a", "b"])
        root.clear()
        self.assertEqual([e.tag for e in walk], ["c"])


class Parsing(unittest.TestCase):
    def test_text_in_pieces_is_joined(self):
        parser = ET.XMLParser()
        for piece in (b"<a>caf", b"\xc3", b"\xa9 &amp; ", b"<![CDATA[<tea>]]>", b"</a>"):
            parser.feed(piece)
        self.assertEqual(parser.close().text, "café & <tea>")

    def test_text_around_comments_that_are_left_out(self):
        root = ET.XML("<a>one<!-- c -->two<b/>three<?p q?>four</a>")
        self.assertEqual((root.text, root[0].tail), ("onetwo", "threefour"))

    def test_comments_in_the_tree(self):
        builder = ET.TreeBuilder(insert_comments=True, insert_pis=True)
        parser = ET.XMLParser(target=builder)
        text = "<a>one<!--c-->two<?p q?>three</a>"
        parser.feed(text)
        self.assertEqual(ET.tostring(parser.close(), "unicode"), text)

    def test_entities_of_the_program(self):
        parser = ET.XMLParser()
        parser.entity["who"] = "world"
        parser.feed("<!DOCTYPE a SYSTEM 'x'><a>hello &who;!</a>")
        self.assertEqual(parser.close().text, "hello world!")

    def test_many_names_share_the_cache(self):
        names = [f"n{i}" for i in range(1000)]
        text = "<r xmlns='u'>" + "".join(f"<{n} {n}='1'/>" for n in names * 2) + "</r>"
        root = ET.XML(text)
        self.assertEqual([e.tag for e in root], ["{u}" + n for n in names * 2])
        self.assertEqual([list(e.attrib) for e in root], [[n] for n in names * 2])

    def test_events_of_iterparse(self):
        text = "<a xmlns:p='u'><p:b/>t</a>"
        events = [(kind, getattr(what, "tag", what)) for kind, what in
                  ET.iterparse(io.StringIO(text), ("start", "end", "start-ns", "end-ns"))]
        self.assertEqual(events, [("start-ns", ("p", "u")), ("start", "a"),
                                  ("start", "{u}b"), ("end", "{u}b"), ("end", "a"),
                                  ("end-ns", None)])

    def test_target_that_feeds_its_own_parser_is_refused(self):
        class Target:
            def start(self, tag, attributes):
                parser.feed("<b/>")
        parser = ET.XMLParser(target=Target())
        with self.assertRaises(RuntimeError):
            parser.feed("<a/>")


if __name__ == "__main__":
    unittest.main()
