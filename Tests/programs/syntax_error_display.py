"""Where carets stand under the text of a SyntaxError."""
import sys
for a in [("m",("a.py",5,10,"abc")),("m",("a.py",5,4,"abc")),("m",("a.py",5,5,"abc\n")),("m",("a.py",5,3,"abc",5,20)),("m",("a.py",5,10,"abc",5,20)),("m",("a.py",5,10,"  abc")),("m",("a.py",5,2,"    abc")),("m",("a.py",5,5,"a\nbcd\nefg",7,3)),("m",("a.py",5,4,"a\nbcd\nefg",5,5)),("m",("a.py",5,2,"abc",5,1)),("m",("a.py",5,2,"éébc",5,4)),("m",("a.py",5,2,"abc",None,None)),("m",("a.py",5,2,"abc",6,0)),("m",("a.py",5,2,"abc",5,-1)),("m",("a.py",5,2,"abc\n\n",5,-1)),("m",("a.py",5,"x","abc",5,-1)),("m",(b"a.py",5,2,"abc",5,-1)),(None,("a.py",5,2,"abc",5,-1)),(3,("a.py",5,2,"abc",5,-1)),("",("a.py",5,2,"abc",5,-1))]:
    e = SyntaxError(*a)
    print(a,file=sys.stderr)
    sys.excepthook(type(e), e, None)
e=IndentationError("x",("f",3,1,"abc",3,2)); sys.excepthook(type(e), e, None)

# Several lines of text, and ranges that end in another line.
for text in ["abc def", "abc def\n", "  ab\n", "\n", "ab\ncd\n", "ab\ncd", "a\nbc\n\ndef\n"]:
    for offset in (1, 2, 3, 4, 5, 9):
        for end in ((1, 3), (2, 1), (3, 7), (1, 0)):
            print(repr(text), offset, end, file=sys.stderr)
            e = SyntaxError("m", ("f", 1, offset, text, *end))
            sys.excepthook(type(e), e, None)
