import io

import numpy as np
import pandas as pd

frame = pd.DataFrame({"town": list("abcab"), "n": [1, 2, 3, 4, 5], "x": np.linspace(0, 1, 5)},
                     index=pd.date_range("2020-01-30", periods=5))
print(frame.groupby("town").agg({"n": "sum", "x": ["mean", "max"]}))
print(frame.describe().round(6))
print(frame.merge(pd.DataFrame({"town": ["a", "b"], "size": [10, 20]}), how="left"))
print(frame.pivot_table(index="town", values="n", aggfunc=len), frame.resample("M").n.sum())
text = frame.to_csv()
back = pd.read_csv(io.StringIO(text), index_col=0, parse_dates=True)
print(back.equals(frame), back.dtypes.to_dict())
print(frame.to_json(orient="records"), frame.query("n > 2 and x < 0.9").index.tolist())
print(pd.Series(["a,b", "c", None]).str.split(",").tolist(), pd.cut([1, 5, 9], 3).codes)
print(pd.Series([1, 2, 3]).rolling(2).mean().tolist(), pd.Series(range(5)).apply(lambda v: v ** 2).tolist())
print(pd.Timestamp("2020-02-29 12:00", tz="Europe/Berlin") + pd.DateOffset(years=1), pd.Timedelta("1 days 02:03:00"))
multi = frame.set_index("town", append=True).sort_index().unstack()
print(multi.to_string())
for wrong in (lambda: frame["missing"], lambda: frame.loc["1999-01-01"], lambda: pd.to_datetime("never")):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
