"""The verdict of a report: passed or not, what was closest to its limit, and when."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from .report_page import Markup, jump, table

if TYPE_CHECKING:
    from ..run import Run
    from .limits import Judgement, Limit


def tightest(judgements: Sequence[Judgement]) -> Judgement | None:
    """The limit with the smallest margin: failed ones before all that passed, what could not be judged first."""

    def closeness(one: Judgement) -> tuple[bool, float]:
        return one.passed, one.margin if math.isfinite(one.margin) else -math.inf

    return min(judgements, key=closeness, default=None)


def verdict(run: Run, judgements: Sequence[Judgement]) -> str:
    """The banner at the top."""
    stopped = "The run did not reach its end." if run.partial else ""
    worst = tightest(judgements)
    if not run.trusted and not stopped:
        detail = f"<p>{escape(run.trusted.reason[:1].upper() + run.trusted.reason[1:])}.</p>"
        return _banner("fail", "Not trusted", "Nothing that this run shows can be passed.", detail)
    if worst is None:
        words = "No acceptance limits were given: there is nothing to pass or to fail."
        return _banner("none" if not stopped else "fail", "Stopped" if stopped else "Done", stopped or words, "")
    failed = sum(not one.passed for one in judgements)
    total = len(judgements)
    if failed or stopped:
        kept = f"{failed} of {total} limits broken" if failed else f"{total} limits kept so far"
        head = " ".join(filter(None, [kept + ("." if stopped else ""), stopped]))
    else:
        head = "The limit is kept" if total == 1 else f"All {total} limits are kept"
    name = "Worst" if failed else "Tightest"
    at = f" at {jump(worst.time)}" if math.isfinite(worst.time) else ""
    detail = (
        f"<p>{name}: <bdi>{escape(worst.limit.name)}</bdi>, {escape(value_text(worst))}"
        f" against {escape(bound_text(worst.limit, worst.unit))}; margin {margin_text(worst)}{at}.</p>"
    )
    mark = "fail" if failed or stopped else "pass"
    return _banner(mark, "Fail" if failed else "Stopped" if stopped else "Pass", head, detail)


def _banner(kind: str, seal: str, head: str, detail: str) -> str:
    words = f'<div class="words"><p class="headline">{escape(head)}</p>{detail}</div>'
    return f'<section class="verdict {kind}" id="verdict"><div class="seal">{escape(seal)}</div>{words}</section>'


def limit_table(judgements: Sequence[Judgement]) -> str:
    """The limits one by one."""
    rows = []
    for one in judgements:
        mark = Markup('<span class="mark pass">pass</span>' if one.passed else '<span class="mark fail">fail</span>')
        when = Markup(jump(one.time)) if math.isfinite(one.time) else ""
        note = f"<br><small>{escape(one.note)}</small>" if one.note else ""
        value = Markup(escape(value_text(one)) + note)
        rows.append([mark, one.limit.name, bound_text(one.limit, one.unit), value, Markup(_bar(one)), when])
    return table(("", "limit", "allowed", "worst value", "margin", "at"), rows, "limits")


def _bar(one: Judgement) -> str:
    if not math.isfinite(one.margin):
        return "–"
    share = round(min(max(one.margin, 0.0), 1.0) * 100)
    kind = "fail" if not one.passed else "near" if one.margin < 0.1 else "pass"
    return f'{margin_text(one)} <progress class="{kind}" max="100" value="{share}"></progress>'


def margin_text(one: Judgement) -> str:
    """The margin in per cent."""
    return f"{100.0 * one.margin:.1f} %".replace("-", "−") if math.isfinite(one.margin) else "unknown"


def value_text(one: Judgement) -> str:
    """The worst value with its unit."""
    return f"{one.value:.5g} {one.unit}".strip() if math.isfinite(one.value) else "no value"


def bound_text(limit: Limit, unit: str) -> str:
    """What is allowed, with its unit: "at most 25 N, from 14 s on"."""
    words, comma, rest = limit.words.partition(",")
    return f"{words} {unit}".strip() + comma + rest
