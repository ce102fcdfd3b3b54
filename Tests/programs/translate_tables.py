"""str.translate with dicts whose keys raise, and with what is not a dict."""


class Key:
    def __init__(self, hash, error):
        self.hash, self.error = hash, error

    def __hash__(self):
        return self.hash

    def __eq__(self, other):
        raise self.error


class Default(dict):
    def __missing__(self, key):
        return "?"


def show(text, table):
    try:
        print(ascii(text.translate(table)))
    except Exception as e:
        print(type(e).__name__, e)


for error in KeyError("k"), IndexError("i"), LookupError("l"), ValueError("v"):
    for text in "ab", "a\xe9", "b\u20aca":
        show(text, {Key(97, error): "x", 98: None, 99: "yy"})
show("abc", Default({97: "x"}))
show("abc\u20ac", {97: "x", 0x20ac: "EUR"})
show("abc", [None] * 98 + ["B"])
for table in {97: 2 ** 40}, {97: -1}, {97: 1.5}, {97: True}, 5, None:
    show("abc", table)
