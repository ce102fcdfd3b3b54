"""What a profile function hears of calls, one statement at a time; then what a trace function hears."""
import contextlib, io, sys, threading
ev=[]
def p(frame,event,arg):
    if frame.f_code.co_filename==__file__ or event.startswith('c_'): ev.append((event, getattr(arg,'__qualname__',None) if event.startswith('c_') else frame.f_code.co_name))
def run(n,f):
    ev.clear(); sys.setprofile(p)
    try:
        try: f()
        finally: sys.setprofile(None)
    except BaseException as e: ev.append(type(e).__name__)
    print(n, ev[:-1] if ev and ev[-1]==('c_call','setprofile') else ev)
lock=threading.Lock()
def w1():
    with lock: pass
def w2():
    with lock: raise KeyError
def w3():
    with io.StringIO() as s: s.write('a')
def d1():
    @staticmethod
    def q(): pass
    @len
    class A: pass
def d2():
    @str
    def q(): pass
def it():
    for i in iter([1,2]): pass
    for i in map(str,[1]): pass
    [*zip([1],[2])]
    a,b=map(int,'12')
def fm():
    f'{1:>3}{"a"!r}'; '%s'%3; 'a'.join(['b']); ''.format(1)
def kw():
    dict(a=1); dict(**{'a':1}); print(*[], end=''); [].sort(key=None); sorted([2,1],key=lambda x:x); max(1,2,key=abs)
def at():
    class P:
        x=property(len); y=property(lambda s:1); __slots__=('z',)
        def __getattr__(s,n): return n
    q=P(); q.y; q.foo; getattr(q,'foo'); q.z=1; del q.z
    try: q.x
    except TypeError: pass
def su():
    class A(list):
        def append(s,x): super().append(x)
        def __init__(s,*a): super().__init__(*a)
    a=A(); a.append(1); A([1]); list.append(a,2); A.append(a,3); b=a.append; b(3); c=[].append; c(1)
def ex():
    try: raise ValueError(1)
    except ValueError as e: str(e)
    int('x')
def gn():
    def g():
        try: yield 1
        finally: len('a')
    x=g(); next(x); x.send(None) if 0 else x.close(); list(g()); 
    def h(): yield from g()
    list(h())
def imp():
    import sys; from os import path; __import__('sys')
def cmp():
    1<2; [1]==[1]; 'a' in 'abc'; 3 in [3]; not 3; -3; 2**3; {}|{}; [1]+[2]; [1]*2; [1,2][0:1]
    class V:
        def __eq__(s,o): return len('a')
        def __contains__(s,o): return True
        def __getitem__(s,o): return 1
    V()==1; 1 in V(); V()[1]
def ap():
    [].append(1); l=[]; l.append(2); d={}; d.get(1); d.setdefault(1,2); s=set(); s.add(1); 'a'.upper(); str(1); int(1); type(1); len([]); isinstance(1,int); tuple([1]); bytes(2); range(3); object(); list()
def ap2():
    for i in range(12): [].append(1); l=[]; l.append(i); len(l); isinstance(i,int); str(i); tuple(l); type(i); ord('a'); l.pop()
def er():
    len()
def er2():
    [].append()
def er3():
    {}.get([])
def cm():
    int.from_bytes(b'a','big'); dict.fromkeys([1]); str.maketrans({}); float.fromhex('1'); type.__call__(int,3); int.__add__(1,2); (1).__add__(2); object.__new__(object); 
async def co():
    pass
def aw():
    c=co(); 
    try: c.send(None)
    except StopIteration: pass
    class AW:
        def __await__(s): return iter([1])
    async def z(): await AW()
    c=z(); c.send(None); c.close()
def dl():
    l=[1,2]; del l[0]; d={1:2}; del d[1]; x=[]; x+= [1]; x[0]=2; x[:]=[]; (*x,*x); {**d}; [*x]; {*x}; print(end='')
def ctx():
    with contextlib.suppress(KeyError): {}[1]
    with contextlib.nullcontext(3) as q: pass
def lam():
    (lambda *a,**k: (a,k))(1,*[2],x=3); (lambda:len)()(()); exec('len("a")'); eval('len("a")'); compile('1','','eval'); globals(); locals(); vars(); dir()
def mt():
    match [1,2]:
        case [a,b]: pass
    match {'a':1}:
        case {'a':x,**r}: pass
    match 3:
        case int(x): pass
def asrt():
    assert 1; 
    try: assert 0, 'x'
    except AssertionError: pass
for n,f in list(globals().items()):
    if callable(f) and getattr(f,'__module__',None)=='__main__' and n not in('p','run','co'): run(n,f); run(n,f)
tr=[]
def t(frame,event,arg):
    if frame.f_code.co_filename!=__file__: return None
    tr.append((event,frame.f_code.co_name,frame.f_lineno,type(arg).__name__)); return t
for n,f in list(globals().items()):
    if callable(f) and getattr(f,'__module__',None)=='__main__' and n not in('p','run','co','t'):
        tr.clear(); sys.settrace(t)
        try: f()
        except BaseException: pass
        sys.settrace(None); print(n,tr)
