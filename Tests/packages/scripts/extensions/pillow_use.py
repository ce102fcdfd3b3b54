import hashlib
import io

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps

image = Image.new("RGB", (64, 48), "navy")
draw = ImageDraw.Draw(image)
draw.ellipse((8, 8, 40, 40), fill="gold", outline=(255, 0, 0))
draw.line([(0, 0), (63, 47)], fill="white", width=3)
draw.text((2, 30), "abc")
for name, made in [("blur", image.filter(ImageFilter.GaussianBlur(2))), ("turn", image.rotate(30, expand=True)),
                   ("small", image.resize((16, 12), Image.Resampling.LANCZOS)), ("grey", ImageOps.grayscale(image)),
                   ("point", image.point(lambda v: 255 - v)), ("quant", image.quantize(8)),
                   ("diff", ImageChops.difference(image, ImageOps.mirror(image)))]:
    print(name, made.mode, made.size, hashlib.md5(made.tobytes()).hexdigest())
for kind in ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP"):
    out = io.BytesIO()
    image.save(out, kind)
    out.seek(0)
    again = Image.open(out)
    again.load()
    print(kind, again.size, len(out.getvalue()) > 100, hashlib.md5(again.convert("RGB").tobytes()).hexdigest())
try:
    Image.open(io.BytesIO(b"not an image"))
except Exception as error:
    print(type(error).__name__)
print(image.histogram()[:3], image.getbbox(), image.getpixel((20, 20)), image.getextrema())
