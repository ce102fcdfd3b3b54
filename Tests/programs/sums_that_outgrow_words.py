"""Sums and differences that no longer fit in a word, of a product and a variable that lives on:
whoever leaves machine code there still needs both."""


def extended_gcd(a, b):
    x, y, r, s = 1, 0, 0, 1
    while b:
        c, q = a % b, a // b
        a, b, r, s, x, y = b, c, x - q * r, y - q * s, r, s
    return x, y, a


def step_by_step(a, b):
    x, y, r, s = 1, 0, 0, 1
    while b:
        c, q = a % b, a // b
        t = x - q * r
        u = y - q * s
        x = r
        y = s
        r = t
        s = u
        a = b
        b = c
    return x, y, a


def convergents(a, b):
    h, g, k, j = 1, 0, 0, 1
    while b:
        c, q = a % b, a // b
        a, b, h, g, k, j = b, c, g + q * h, h, j + q * k, k
    return h, g, k, j


def quotients_known(quotients):
    h, g = 1, 0
    for q in quotients:
        h, g = g + q * h, h
    return h, g


def main():
    a, b = 3836587876659478173044021439804288820, 112243126085935714945962408841499493240
    for round in range(3):
        for shift in range(100):
            m, n = a >> shift, (b >> shift // 2) + round
            for function in extended_gcd, step_by_step, convergents:
                result = function(m, n)
                if shift % 10 == 0:
                    print(function.__name__, shift, result)
            x, y, divisor = extended_gcd(m, n)
            assert x * m + y * n == divisor, (m, n)
            assert step_by_step(m, n) == (x, y, divisor), (m, n)
    for k in range(40):
        print(quotients_known([3 + k, 7, 15, 1, 292, -1, 2, -3] * 12))


main()
