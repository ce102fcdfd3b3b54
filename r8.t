0 0
caught
del 24
del 25
del 22
after
end
0 1
caught
del 24
del 25
del 22
after
end
1 0
del 27
caught
del 24
del 25
del 22
del 28
after
end
1 1
del 27
caught
del 24
del 25
del 22
del 28
after
end
2 0
caught
del 24
del 25
del 22
del 28
after
end
2 1
caught
del 24
del 25
del 22
del 28
after
end
3 0
caught
del 25
del 22
after
end
3 1
caught
del 25
del 22
after
end
4 0
caught
del 25
del 22
after
end
4 1
caught
del 25
del 22
after
end
