import io
import pickle

import numpy as np

a = np.arange(24, dtype=np.float64).reshape(2, 3, 4)
print(a.sum(axis=1), a[:, ::-1, 1:3], a.transpose(2, 0, 1).shape, a.strides)
print(np.linalg.svd(np.vander([1, 2, 3, 4]))[1].round(10), np.linalg.det([[1, 2], [3, 4]]).round(12))
print(np.fft.rfft(np.sin(np.linspace(0, 6.28, 16))).round(8))
rng = np.random.default_rng(12345)
print(rng.normal(size=3), rng.integers(0, 100, 5), rng.choice(list("abc"), 4), np.random.RandomState(1).rand(2))
records = np.array([(1, 2.5, "x"), (3, 4.5, "yy")], dtype=[("i", "<i4"), ("f", "f8"), ("s", "U3")])
print(records["s"], records[records["i"] > 1], records.dtype)
objects = np.array([1, "two", 3.0, None], dtype=object)
print([type(x).__name__ for x in objects], np.frompyfunc(str, 1, 1)(objects))
print(pickle.loads(pickle.dumps(a, 5)).flags.c_contiguous, memoryview(a).format, bytes(a[0, 0]).hex()[:20])
out = io.BytesIO()
np.savez(out, a=a, r=records)
out.seek(0)
print(sorted(np.load(out).files), np.loadtxt(io.StringIO("1,2\n3,4"), delimiter=","))
print(np.einsum("ijk,ijk->i", a, a), np.where(a > 20), np.unique([3, 1, 2, 3], return_counts=True))
for wrong in (lambda: np.zeros(3) + np.zeros(4), lambda: np.array([1, 2])[5],
              lambda: np.linalg.inv(np.zeros((2, 2))), lambda: np.dtype("nonsense"),
              lambda: np.arange(3).reshape(2, 2), lambda: bool(np.arange(2))):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)


class Meters(np.ndarray):
    def __array_finalize__(self, other):
        self.unit = getattr(other, "unit", "m")

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        print("ufunc", ufunc.__name__, method)
        return super().__array_ufunc__(ufunc, method, *(np.asarray(x) for x in inputs), **kwargs)


m = np.arange(3.0).view(Meters)
print(m[1:].unit, m + 1, np.add.reduce(m))
with np.errstate(divide="raise"):
    try:
        np.float64(1) / np.float64(0)
    except FloatingPointError as error:
        print(error)
print(np.datetime64("2020-02-29") + np.timedelta64(366, "D"), np.longdouble(1) / 3)
