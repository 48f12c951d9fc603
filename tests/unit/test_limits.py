"""Limits of a run and the verdict on them."""

import json
import math

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.results.run import Record, Run
from jourdain.study.scenario.limits import Limit, judge

TIME = np.linspace(0.0, 10.0, 11)


def run(values, options=None, partial=False):
    system = jd.System("s")
    system.add(jd.RigidBody("b", 1.0), jd.Prismatic("x", "x"))
    values = np.asarray(values, float)[:, None]
    zeros = np.zeros_like(values)
    record = Record(TIME[: len(values)], values, zeros, zeros[:, :0], zeros, np.zeros((len(values), 6)))
    return Run(system.compile(), record, options, partial=partial)


def one(limit, values=None, **options):
    (found,) = judge(run(TIME if values is None else values, **options), [limit])
    return found


def test_at_most_finds_the_worst_moment():
    found = one(Limit("peak", "x", at_most=20.0), 16.0 - (TIME - 4.0) ** 2)
    assert found.passed and found.value == 16.0 and found.time == 4.0 and found.unit == "m"
    assert math.isclose(found.margin, 0.2)
    found = one(Limit("peak", "x", at_most=8.0), 16.0 - (TIME - 4.0) ** 2)
    assert not found.passed and math.isclose(found.margin, -1.0)


def test_at_least_and_within():
    assert one(Limit("low", "x", at_least=-1.0)).time == 0.0
    found = one(Limit("either way", "x", within=4.0), TIME - 6.0)
    assert not found.passed and found.value == -6.0 and found.time == 0.0 and math.isclose(found.margin, -0.5)


def test_windows():
    assert one(Limit("end", "x", at_least=8.0, after=8.0)).passed
    assert one(Limit("begin", "x", at_most=3.0, before=3.0)).passed
    assert not one(Limit("begin", "x", at_most=3.0, before=4.0)).passed
    found = one(Limit("never", "x", at_most=3.0, after=20.0))
    assert not found.passed and "no samples" in found.note and math.isnan(found.value)


def test_deadlines():
    found = one(Limit("arrives", "x", at_least=4.5, by=8.0))
    assert found.passed and found.time == 5.0 and math.isclose(found.margin, 3.0 / 8.0)
    found = one(Limit("arrives", "x", at_least=4.5, by=4.0))
    assert not found.passed and math.isclose(found.margin, -0.25)
    found = one(Limit("arrives", "x", at_least=45.0, by=4.0))
    assert not found.passed and "never reached" in found.note
    assert found.value == found.time == 10.0 and math.isclose(found.margin, -35.0 / 45.0)


def test_a_bound_of_zero_has_a_margin():
    found = one(Limit("no push", "x", at_most=0.0))
    assert not found.passed and found.margin == -1.0
    assert one(Limit("rest", "x", within=0.0), np.zeros(11)).passed


def test_what_is_not_finite_fails():
    values = TIME.copy()
    values[3] = np.nan
    found = one(Limit("peak", "x", at_most=20.0), values)
    assert not found.passed and found.time == 3.0 and "finite" in found.note


def test_a_run_that_stopped_early_keeps_no_bound_that_holds_to_the_end():
    short = {"options": {"until": 10.0}, "partial": True}
    found = one(Limit("peak", "x", at_most=20.0), TIME[:5], **short)
    assert not found.passed and "stopped at 4 s" in found.note and found.margin > 0.0
    assert one(Limit("peak", "x", at_most=20.0, before=3.0), TIME[:5], **short).passed
    assert one(Limit("arrives", "x", at_least=2.0, by=3.0), TIME[:5], **short).passed


def test_limits_come_from_the_run():
    limit = Limit("peak", "x", at_most=20.0, after=1.0)
    told = json.loads(json.dumps({"limits": [limit.to_dict()]}))
    (found,) = judge(run(TIME, {"scenario": told}))
    assert found.limit == limit
    assert judge(run(TIME)) == []
    assert json.loads(json.dumps(found.to_dict()))["words"] == "at most 20, from 1 s on"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "give one of at_most, at_least, within"),
        ({"at_most": 1.0, "within": 1.0}, "got at_most and within"),
        ({"at_most": math.inf}, "finite"),
        ({"at_most": "much"}, "real number"),
        ({"within": -1.0}, "zero or more"),
        ({"at_most": 1.0, "after": 3.0, "before": 2.0}, "exchange"),
    ],
)
def test_limits_that_say_nothing_are_refused(given, words):
    with pytest.raises(ModelError) as caught:
        Limit("peak", "x", **given)
    assert words in str(caught.value)
