"""dumps() and loads() of small things, again and again: what they keep for the next call is empty,
and nobody sees it: not destructors that pickle themselves, not a call inside a call, no thread."""
import gc
import io
import pickle
import threading


def show(function, *args, **kwargs):
    try:
        result = function(*args, **kwargs)
        print(type(result).__name__, result)
    except Exception as e:
        print(type(e).__name__, e)


ONE = pickle.dumps([1])
for function in pickle.dumps, pickle.loads, pickle.dump, pickle.load:
    for args in (), (1, 2, 3, 4, 5, 6), (ONE, None), (ONE, 4), (5,):
        show(function, *args)
    for name, value in (("x", 3), ("fix_imports", 1), ("protocol", "x"), ("protocol", 99),
                        ("encoding", 3), ("buffers", 3), ("buffer_callback", 3)):
        show(function, ONE, **{name: value})
    for name in "obj", "data", "file":
        show(function, **{name: io.BytesIO(ONE)})
for data in b"", b"\x80\x04", b"cos\nnothing\n.", b"U\x01\xe9.", ONE[:-3]:
    show(pickle.loads, data)
    for encoding in "latin-1", "bytes", "ascii":
        show(pickle.loads, b"U\x02\xe9a.", encoding=encoding)


class Inside:
    died = []

    def __init__(self, n=0):
        self.n = n

    def __reduce__(self):
        pickle.loads(pickle.dumps([self.n] * 50))
        return Inside, (self.n,), {"n": self.n}

    def __setstate__(self, state):
        self.n = pickle.loads(pickle.dumps(state))["n"]

    def __del__(self):
        self.died.append(pickle.loads(pickle.dumps(self.n)))


class Failing(Inside):
    def __reduce__(self):
        raise ValueError(pickle.dumps(3))


for i in range(50):
    pickle.loads(pickle.dumps([Inside(i), Inside(-i), {1: Inside(3)}]))
    show(pickle.dumps, [Inside(1), Failing(2)])
    show(pickle.loads, pickle.dumps([Inside(1), Inside(2)])[:-7 - i])
gc.collect()
print(len(Inside.died), sum(Inside.died))

for many in 3, 5000, 40, 300:
    texts = list(map(str, range(many)))
    print(pickle.loads(pickle.dumps(texts)) == texts, len(pickle.dumps(texts)))


class Views:
    def __reduce_ex__(self, protocol):
        return bytes, (pickle.PickleBuffer(b"xyz"),)


buffers = []
data = pickle.dumps(Views(), 5, buffer_callback=buffers.append)
for _ in range(2):
    print(pickle.loads(data, buffers=buffers))
    show(pickle.loads, data)


def work():
    for i in range(1000):
        assert pickle.loads(pickle.dumps({i: [i] * 3})) == {i: [i] * 3}


threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sum(type(o) in (pickle.Pickler, pickle.Unpickler) for o in gc.get_objects()))
loop = []
loop.append(loop)
copy = pickle.loads(pickle.dumps(loop))
print(copy[0] is copy)
