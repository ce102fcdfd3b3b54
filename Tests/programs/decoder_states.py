"""A decoder whose state is not what tell() can use: an error, and nothing lost."""
import codecs
import io
import sys

class Held:
    pass

held = Held()

class Decoder(codecs.IncrementalDecoder):
    def decode(self, data, final=False):
        return bytes(data).decode()

    def getstate(self):
        return (held, 0)

def find(name):
    if name == "oddstate":
        u = codecs.lookup("utf-8")
        return codecs.CodecInfo(u.encode, u.decode, incrementalencoder=u.incrementalencoder, incrementaldecoder=Decoder, name=name)

codecs.register(find)
before = sys.getrefcount(held)
for _ in range(3):
    try:
        io.TextIOWrapper(io.BytesIO(b"abc"), "oddstate", newline="\n").read(1)
    except TypeError as e:
        print(e)
print(sys.getrefcount(held) - before)
