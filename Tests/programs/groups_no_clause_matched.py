# An `except*` that matches nothing hands the exception itself on, not the copy split() has made.
import sys


class Group(ExceptionGroup):
    def derive(self, exceptions):
        print("derive")
        return Group("derived", exceptions)

    def split(self, condition):
        print("split", condition)
        return super().split(condition)


for cls in ExceptionGroup, Group:
    for notes in (1,), ["a"], "x", None, {1: 2}, 5, range(2):
        group = cls("x", [ValueError(1), KeyError(2)])
        group.__notes__ = notes
        for kind in KeyError, TypeError, Exception:
            for part in group.split(kind):
                if part is not None:
                    print(part is group, getattr(part, "__notes__", "-"), part.__suppress_context__)
        try:
            raise group
        except* OSError:
            pass
        except* Exception as e:
            print(e is group, sys.exc_info()[1] is group, e.__notes__)
        try:
            try:
                raise group
            except* OSError:
                pass
            except* Exception as e:
                raise e.exceptions[0]
        except* Exception as e:
            context = e.exceptions[0].__context__
            print(context is group, getattr(context, "__notes__", "-"))
        try:
            raise group
        except* OSError:
            pass
        except* KeyError as e:
            print(e is group, getattr(e, "__notes__", "-"))
        except* ValueError as e:
            print(e is group, getattr(e, "__notes__", "-"))
