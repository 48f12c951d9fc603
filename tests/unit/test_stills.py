"""Pictures without scripts."""

import numpy as np
import pytest

from jourdain.view.stills import chart_svg, tick_labels


@pytest.mark.parametrize(
    "ticks",
    [
        np.arange(0.0, 1.6, 0.25),
        100.0 + 0.01 * np.arange(5),
        -3e-7 * np.arange(4),
        1e6 + 5.0 * np.arange(4),
        np.array([12345.5]),
    ],
)
def test_labels_of_ticks_say_where_they_are(ticks):
    labels = tick_labels(ticks)
    assert [float(one.replace("−", "-")) for one in labels] == pytest.approx(ticks.tolist(), rel=1e-12, abs=1e-12)
    assert len(set(labels)) == len(ticks)


def test_a_chart_labels_its_ticks():
    time = np.linspace(0.0, 2.0, 50)
    text = chart_svg(time, [("x", "#000000", 100.0 + 0.02 * np.sin(time))], "m")
    assert ">100.01<" in text and ">100.02<" in text and ">0.25 s<" not in text
