import hashlib
import warnings

warnings.simplefilter("ignore")
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

figure, (left, right) = plt.subplots(1, 2, figsize=(6, 3))
x = np.linspace(0, 10, 200)
left.plot(x, np.sin(x), label="sin")
left.fill_between(x, np.cos(x), alpha=0.3)
left.set_title(r"$\int_0^x \sin t\,dt$")
left.legend()
right.imshow(np.outer(x, x), cmap="viridis")
right.bar([20, 60], [50, 100])
figure.canvas.draw()
pixels = np.asarray(figure.canvas.buffer_rgba())
print(pixels.shape, hashlib.sha256(pixels.tobytes()).hexdigest())
figure.savefig("plot.png")
figure.savefig("plot.svg", metadata={"Date": None})
print(open("plot.png", "rb").read(8), open("plot.svg").read().count("<path"))
