"""math.lgamma: python3.11's last digit, where ours is the nearest double."""
import math

print([math.lgamma(x) for x in (3, 10, 0.1, 25.5, 100)])
