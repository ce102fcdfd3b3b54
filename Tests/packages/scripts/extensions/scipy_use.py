import numpy as np
from scipy import integrate, interpolate, linalg, optimize, signal, sparse, spatial, special, stats
from scipy.sparse.linalg import spsolve

print(optimize.minimize(optimize.rosen, [1.3, 0.7, 0.8], method="BFGS").x.round(4))
print(optimize.brentq(lambda x: x ** 3 - 2, 0, 2), optimize.linprog([-1, 4], [[-3, 1], [1, 2]], [6, 4]).fun)
print(integrate.quad(lambda x: np.exp(-x * x), 0, np.inf)[0])
print(integrate.solve_ivp(lambda t, y: [y[1], -y[0]], (0, 1), [0, 1], rtol=1e-8).y[:, -1].round(7))
print(linalg.expm(np.array([[0, 1], [-1, 0]])).round(10), linalg.lu(np.array([[2., 1], [4, 3]]))[2])
matrix = sparse.diags([[-1] * 9, [2] * 10, [-1] * 9], [-1, 0, 1], format="csc")
print(spsolve(matrix, np.ones(10)).round(8))
print(special.gamma(4.5), special.jv(1, 2.5).round(12), special.erf(0.3).round(14))
print(stats.norm.cdf(1.96).round(12), stats.ttest_ind([1, 2, 3, 4], [2, 3, 4, 6]).pvalue.round(10))
print(interpolate.CubicSpline([0, 1, 2], [0, 1, 0])(0.5), signal.butter(3, 0.2)[0].round(10))
print(spatial.cKDTree(np.arange(20).reshape(10, 2)).query([5, 5]), spatial.ConvexHull([[0, 0], [1, 0], [0, 1], [.2, .2]]).vertices)
try:
    optimize.brentq(lambda x: x, 1, 2)
except ValueError as error:
    print(error)
try:
    integrate.quad(lambda x: 1 / 0, 0, 1)
except ZeroDivisionError as error:
    print("through Fortran:", error)
