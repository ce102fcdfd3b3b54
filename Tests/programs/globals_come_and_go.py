"""Globals that are deleted once, now and then, or all the time, in several modules at once, read by
functions that have run often: each read is of the value that is there, or a NameError."""
import builtins
import random
import types

NAMES = ['n%d' % i for i in range(20)] + ['len', 'max', 'print_it', 'e']
SOURCE = ''.join('def get_%s():\n    return %s\n' % (n, n) for n in NAMES) + ''.join(
    'def put_%s(v):\n    global %s\n    %s = v\n' % (n, n, n) for n in NAMES) + ''.join(
    'def drop_%s():\n    global %s\n    del %s\n' % (n, n, n) for n in NAMES)


def attempt(f, *args):
    try:
        return f(*args)
    except NameError as e:
        return str(e)


def play(seed):
    rng = random.Random(seed)
    modules = [types.ModuleType('m%d' % i) for i in range(3)]
    for module in modules:
        exec(SOURCE, vars(module))
    few = rng.sample(NAMES, rng.choice([3, 8, 24]))
    total = 0
    for step in range(250):
        module = rng.choice(modules)
        name = rng.choice(few)
        action = rng.randrange(12)
        if action < 2:
            getattr(module, 'put_' + name)(step)
        elif action == 2:
            attempt(getattr(module, 'drop_' + name))
        elif action == 3:
            vars(module).pop(name, None)
        elif action == 4:
            setattr(module, name, -step)
        elif action == 5 and name != 'len' and name != 'max':
            setattr(builtins, name, step * 10)
        elif action == 6 and name != 'len' and name != 'max':
            vars(builtins).pop(name, None)
        else:
            for _ in range(rng.choice([1, 3, 70])):
                value = attempt(getattr(module, 'get_' + name))
            if not isinstance(value, int):
                value = len(str(value))
            total = (total * 31 + value) % (1 << 40)
    for name in NAMES[:20] + NAMES[22:]:
        vars(builtins).pop(name, None)
    return total


print([play(seed) for seed in range(5)])
once = types.ModuleType('once')
exec('token = 1\ndef get():\n    return token\n', vars(once))
for number in range(12):
    exec('token = %d\ndel token' % number, {})
    print([attempt(once.get) for _ in range(100)][-1], end=' ')
    once.token = number
    print([attempt(once.get) for _ in range(100)][-1], end=' ')
    del once.token
    print([attempt(once.get) for _ in range(100)][-1], end=' ')
    once.token = -number
print()
for number in range(6):
    first, second = types.ModuleType('first'), types.ModuleType('second')
    name = 'other%d' % number
    for module in first, second:
        exec('%s = 1\ndef get():\n    return %s\n' % (name, name), vars(module))
    print([attempt(second.get) for _ in range(100)][-1], end=' ')
    for _ in range(number):
        print([attempt(first.get) for _ in range(100)][-1], end=' ')
        delattr(first, name)
        setattr(first, name, 2)
    delattr(second, name)
    print([attempt(second.get) for _ in range(100)][-1], end=' ')
    setattr(second, name, 3)
    print([attempt(second.get) for _ in range(100)][-1], end=' ')
    delattr(second, name)
    print([attempt(second.get) for _ in range(100)][-1])
for number in range(300):
    try:
        number / (number % 3)
        print(end='')
    except ZeroDivisionError as e:
        result = e
        if number > 295:
            print(e)
print(attempt(lambda: e), type(result))
