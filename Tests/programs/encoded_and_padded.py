"""UTF-8 of texts of all lengths and widths, and padding."""
# As the encoder measures them, and surrogates anywhere in them.
sums = []
for n in [*range(20), 127, 128, 129, 512, 16383, 16384, 16385, 33000]:
    for pattern in "é", "aé", "h€llo", "ab\U0001f600", "€", "aaaaaaaaaaaaaaaé", "\uffff", "߿ࠀ":
        text = (pattern * (n // len(pattern) + 1))[:n] + pattern
        data = text.encode()
        assert data == "".join(text).encode("utf-16").decode("utf-16").encode("utf-8", "replace")
        assert data.decode() == text
        sums.append(len(data))
        for place in {0, n // 2, n}:
            broken = text[:place] + "\udc80" + text[place:]
            try:
                broken.encode()
            except UnicodeEncodeError as e:
                assert (e.start, e.end) == (place, place + 1), e
            assert broken.encode("utf-8", "surrogateescape").replace(b"\x80", b"") \
                == data.replace(b"\x80", b"")
print(sums)

# Padding.
for text in "", "a", "-", "+12", "-é", "éé", "€", "12345678901234567890":
    for width in -3, 0, 1, 2, 3, 7, 40:
        row = [text.zfill(width)]
        for fill in (), ".", "é", "€":
            row += [getattr(text, name)(width, *fill) for name in ("rjust", "ljust", "center")]
        print(width, *map(ascii, row))
for width in True, 2**70, -2**70, 3.0, "3":
    try:
        print("ab".rjust(width), "ab".zfill(width))
    except Exception as e:
        print(type(e).__name__, e)
