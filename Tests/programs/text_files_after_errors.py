# What a text file writes after a text that can't be encoded: the next one gets no byte order mark.
import io
for enc in "utf-16","utf-32","utf-8-sig","utf-16-be":
    for start in b"",b"ab":
        raw=io.BytesIO(start); raw.seek(len(start))
        t=io.TextIOWrapper(raw,enc,write_through=True)
        for s in "\ud800","a","b\udc00":
            try: t.write(s)
            except Exception as e: print(enc,start,e)
            print(raw.getvalue())
        t.seek(0)
        try: t.write("\ud801")
        except Exception as e: print(enc,e)
        t.seek(0,2)
        try: t.write("\ud801")
        except Exception as e: print(enc,e)
