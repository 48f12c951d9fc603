"""Runs as tables, and how things show themselves in notebooks."""

import csv
import sys

import numpy as np
import pytest

import jourdain as jd


@pytest.fixture(scope="module")
def run():
    system = jd.System("arm <1>", gravity=(0.0, 0.0, -9.81))
    upper = jd.RigidBody("upper", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(0.5, 0, 0), frames={"tip": (1, 0, 0)})
    system.add(upper, joint=jd.Revolute("hinge", axis="y"))
    model = system.compile()
    return jd.simulate(model, model.state(q={"hinge": 0.3}), until=0.2, output=0.01, progress=False)


def test_a_text_file_has_every_digit(run, tmp_path):
    path = run.to_csv(tmp_path / "run.csv")
    with path.open(newline="", encoding="utf-8") as file:
        heads, *rows = csv.reader(file)
    table = np.array(rows, float)
    assert heads[:4] == ["time [s]", "hinge [rad]", "v:hinge [rad/s]", "effort:hinge [N m]"]
    np.testing.assert_array_equal(table[:, 0], run.record.time)
    np.testing.assert_array_equal(table[:, 1], run.q["hinge"].values)
    np.testing.assert_array_equal(table[:, heads.index("energy:kinetic [J]")], run.energy["kinetic"].values)


def test_quantities_are_chosen_by_name(run, tmp_path):
    data = run.to_dataset(["upper.tip.z", "hinge", "hinge"])
    assert list(data) == ["upper.tip.z", "hinge"] and data["upper.tip.z"].units == "m" and data.time.units == "s"
    np.testing.assert_allclose(data["upper.tip.z"], -np.sin(run.q["hinge"].values), atol=1e-14)
    with pytest.raises(KeyError, match='"hing"; did you mean "hinge"'):
        run.to_csv(tmp_path / "run.csv", ["hing"])
    assert not list(tmp_path.iterdir())


def test_parquet_says_what_it_takes(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(jd.JourdainError, match=r'pip install "jourdain\[tables\]"'):
        run.to_parquet(tmp_path / "run.parquet")


def test_parquet_is_the_same_table(run, tmp_path):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow", reason='to_parquet takes pyarrow: pip install "jourdain[tables]"')
    found = pd.read_parquet(run.to_parquet(tmp_path / "run.parquet", ["hinge"]))
    assert list(found) == ["time [s]", "hinge [rad]"]
    np.testing.assert_array_equal(found["hinge [rad]"], run.q["hinge"].values)


def test_a_run_shows_itself_in_a_window_that_asks_nothing_of_the_network(run):
    shown = run._repr_html_()
    assert shown.startswith('<iframe sandbox="allow-scripts" title="arm &lt;1&gt;"') and shown.endswith("</iframe>")
    assert "default-src &#x27;none&#x27;" in shown and "arm <1>" not in shown
    assert len(shown) < 1_500_000


def test_models_states_and_modes_are_tables(run):
    model = run.model
    assert "arm &lt;1&gt;" in model._repr_html_() and "<td>hinge</td><td>rad</td>" in model._repr_html_()
    assert "<td>q</td><td>0</td><td>0.3</td>" in run.state(0)._repr_html_()
    still = model.state(q={"hinge": np.pi / 2})
    assert "<b>1 modes, 0 free motions</b>" in model.frequencies(still)._repr_html_()
    linear = model.linearize(still)
    assert "<td>pole</td>" in linear._repr_html_() and "<td>state</td>" in linear._repr_html_()


def test_a_system_shows_its_tree():
    system = jd.System("a & b")
    system.add(jd.RigidBody("one", mass=1.0, inertia=(1, 1, 1)), joint=jd.Free("free"))
    assert system._repr_html_().startswith("<pre>System(&quot;a &amp; b&quot;)") and "one" in system._repr_html_()


def test_a_long_table_says_what_it_leaves_out():
    state = jd.State(0.0, np.zeros(100), np.zeros(10))
    assert "and 50 more" in state._repr_html_()
