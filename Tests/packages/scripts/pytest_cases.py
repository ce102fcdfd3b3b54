import pytest
@pytest.fixture(params=[1,2])
def n(request): yield request.param
@pytest.mark.parametrize("a,b", [(1,1),(2,3)])
def test_eq(a,b): assert a*1 == b
def test_n(n, tmp_path, capsys): print("x"); assert capsys.readouterr().out=="x\n"; (tmp_path/"f").write_text("q")
def test_dict(): assert {"a": [1,2,3], "b": 2} == {"a": [1,2,4], "b": 2}
def test_raises():
    with pytest.raises(ValueError, match="inv.*"): int("q")
@pytest.mark.xfail
def test_x(): assert len("abc") > 5 and max([1,2]) == 2
@pytest.mark.skip(reason="no")
def test_s(): pass
def test_mp(monkeypatch): monkeypatch.setenv("A","1"); import os; assert os.environ["A"]=="1"
