"""math.gamma and lgamma: the digits of python3.11, and where they fail."""
import math

print([math.lgamma(x) for x in (3, 10, 0.1, 25.5, 100)])
for x in (0.3, 4.999, 5.0, 23.0, 24.0, 100.5, 150.25, 171.6, -0.5, -2.5, -170.2, -180.3, -200.5, 1e-300, 1e17):
    for f in (math.gamma, math.lgamma):
        try:
            print(x, f.__name__, f(x))
        except (ValueError, OverflowError) as e:
            print(x, f.__name__, repr(e))
