from hypothesis import given, settings, strategies as st, seed
@seed(1)
@settings(max_examples=200, database=None, deadline=None)
@given(st.lists(st.integers()|st.text()|st.floats(allow_nan=False)), st.dictionaries(st.text(), st.binary()))
def test_a(l, d):
    assert list(reversed(list(reversed(l)))) == l; assert dict(d.items()) == d
test_a(); print("ok")
