from lxml import etree, html, objectify

root = etree.fromstring("<r xmlns:x='urn:x'><a i='1'>t<b/>tail</a><x:c>é</x:c><!--n--></r>")
print(etree.tostring(root, pretty_print=True).decode(), root.xpath("//x:c/text()", namespaces={"x": "urn:x"}))
print([(e.tag, e.attrib) for e in root.iter(etree.Element)], root.xpath("count(//*)"), root[0].get("i"))
sheet = etree.XSLT(etree.XML('<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">'
                             '<xsl:template match="/"><out><xsl:value-of select="//b/../@i"/></out></xsl:template></xsl:stylesheet>'))
print(str(sheet(root)))
schema = etree.RelaxNG(etree.XML('<element name="r" xmlns="http://relaxng.org/ns/structure/1.0"><text/></element>'))
print(schema.validate(root), schema.error_log.last_error.message)
print(html.fromstring("<p>one<br>two<a href=/x>y</a>").xpath("//a/@href"), html.tostring(html.fromstring("<p>a<p>b")))
print(objectify.fromstring("<o><n>3</n><n>4</n></o>").n[1] + 1)
try:
    etree.fromstring("<a><b></a>")
except etree.XMLSyntaxError as error:
    print(error, error.lineno)


class Upper(etree.ElementBase):
    def loud(self):
        return self.text.upper()


lookup = etree.ElementDefaultClassLookup(element=Upper)
parser = etree.XMLParser()
parser.set_element_class_lookup(lookup)
print(etree.XML("<q>hi</q>", parser).loud())
functions = etree.FunctionNamespace("urn:f")
functions["twice"] = lambda context, nodes: nodes[0].text * 2
print(root.xpath("f:twice(//a)", namespaces={"f": "urn:f"}))
for event, element in etree.iterparse(__import__("io").BytesIO(b"<l>" + b"<i/>" * 3 + b"</l>"), events=("start", "end")):
    print(event, element.tag, end=" ")
print()
