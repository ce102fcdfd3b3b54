"""Which characters of a line a traceback marks."""
import sys
def rep(fn):
    try: fn()
    except BaseException as e: sys.excepthook(type(e), e, e.__traceback__.tb_next)
x=5; d={}
def f1():
    return (x(   
        3))
def f2():
    x(1,   
        3)
def f3():
    x(1,   
        3)[4]
rep(f1); rep(f2); rep(f3)
rep(lambda: "é€" + x  and   1)
rep(lambda: ("é€" + "𝒳") // x)
rep(lambda: x ** "a" ** 2)
rep(lambda: -x ** "a")
rep(lambda: - "a")
rep(lambda: -x*"a"*- "b" + x ( 2 ))
rep(lambda: x<<"a"+2)
rep(lambda: "a">>2)
rep(lambda: "a"//2)
rep(lambda: "a"@2)
rep(lambda: "a" | 2 & 5)
rep(lambda: ("a")+(2)  )
rep(lambda: ( "a" ) / ( 2 )  )
rep(lambda: (("a") +2)  )
rep(lambda: d["a"  ]  )
rep(lambda: d [ "a"  ]  )
rep(lambda: (d) [ "a"  ]  )
rep(lambda: d["a"]["b"].c[5][6] [ 7])
rep(lambda: d["a[]":])
rep(lambda: d[f"a{'['}"])
rep(lambda: not d['x'])
rep(lambda: [1,2][5])
rep(lambda: (1,2)[(5)])
rep(lambda: {1:2}["a]"])
rep(lambda: (yield_ := d)["a]"])
rep(lambda: 1 < "a")
rep(lambda: 1 in 5)
rep(lambda: (1) .real. foo[3])
rep(lambda: (lambda: x)()["a"])
def f4():
    x += 1
rep(f4)
def f5():
    d["z"] += 1
rep(f5)
def f6():
    del d["z"]
rep(f6)
def f7():
    global x
    x +=   "a"
rep(f7)
def f8():
    return d["a"] # foo
rep(f8)
def f9():
    d[
     "a"]
rep(f9)
def f10():
    assert x == 3, "boo"
rep(f10)
def f11():
    a, b = 1, 2, 3
rep(f11)
def f12():
    for q in x: pass
rep(f12)
def f13():
    with x: pass
rep(f13)
def f14():
    import nonexist_mod
rep(f14)
def f15():
    from sys import nonexist_mod
rep(f15)
def f16():
	return x.a  + 	x.b
rep(f16)
def f17(): return x [ 2 ] # c
rep(f17)
rep(lambda: x.a + 1 + x)
rep(lambda: (x + 1 + "a") * 7)
rep(lambda: x + "(" + ")" )
rep(lambda: x +"(")
rep(lambda: x+ "(")
rep(lambda: x+"(")
rep(lambda: (x)+"(")
rep(lambda: x\
 + "(")
