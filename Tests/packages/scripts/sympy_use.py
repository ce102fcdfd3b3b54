from sympy import *
x, y = symbols("x y")
print(integrate(exp(-x**2), (x, -oo, oo)), diff(sin(x)**x, x), factor(x**8 - 1))
print(solve([x**2 + y - 3, x - y], [x, y]), series(tan(x), x, 0, 9), limit((1+1/x)**x, x, oo))
print(Matrix(3,3,lambda i,j: Rational(1, i+j+1)).inv(), N(pi, 60), prime(1000), factorint(2**67-1))
print(latex(Integral(sqrt(1/x), x)), dsolve(Function('f')(x).diff(x,2)+Function('f')(x)))
pprint(Sum(1/x**2, (x,1,oo)))
