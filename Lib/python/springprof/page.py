"""A recording as one HTML file: the page in page/ with the recording's own bytes in it."""
import base64
import html
import os

# One script; each part uses those before it.
SCRIPTS = "recording.js", "tree.js", "tables.js", "drawing.js", "page.js"
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")


def part(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def make(data, title):
    """The page of a recording's bytes. Its data is what the file has, bit by bit."""
    page = part("page.html")
    values = {"TITLE": html.escape(title), "STYLE": part("page.css"), "SCRIPT": "\n".join(map(part, SCRIPTS)),
              "DATA": base64.b64encode(data).decode("ascii")}
    pieces = page.split("@")
    # Names stand between two @; everything else in the template has none.
    return "".join(values.get(piece, piece) for piece in pieces)


def write(data, title, path):
    with open(path, "w", encoding="utf-8") as file:
        file.write(make(data, title))
