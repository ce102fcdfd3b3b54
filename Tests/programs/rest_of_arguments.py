"""f(a, *rest): what is iterated when, and what is refused."""
class It:
    def __init__(self,n): self.n=n
    def __iter__(self): print('iter',end=' '); return self
    def __next__(self):
        print('next',end=' ')
        if self.n==0: raise StopIteration
        self.n-=1; return self.n
    def __len__(self): print('len',end=' '); return 3
    def __length_hint__(self): print('hint',end=' '); return 3
class T(tuple):
    def __iter__(self): print('titer', end=' '); return iter('xy')
class Sq:
    def __getitem__(self,i): print('get',i,end=' '); return [4,5][i]
class Bad:
    def __iter__(self): raise ValueError('bad')
class NoI: __iter__=None
def f(*a,**k): return a,k
def tried(g,*a):
    try: return g(*a)
    except Exception as e: return type(e).__name__, str(e)
def say(x): print('say', type(x).__name__, end=' '); return x
def one(x): return f(1,*x)
def two(x): return f(say(1),say(2),*say(x),k=say(3))
def three(x): return f(1,*x,2)
for i in range(3):
    for x in (It(2),T((1,2)),Sq(),Bad(),NoI(),5,None,'ab', [1], (1,), {}, range(3), map(str, 'gen'), dict(a=1),b'xy',set()):
        for g in (one,two,three):
            print(g.__name__, tried(g,x))
