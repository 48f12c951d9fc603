"""The verdict of a report: passed or not, what was closest to its limit, and when."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...basics.markup import Markup, escape
from ..scenario.limits import Judgement, Limit, tightest
from .page import jump, table

if TYPE_CHECKING:
    from ...results.run import Run


def verdict(run: Run, judgements: Sequence[Judgement]) -> str:
    """The banner at the top."""
    stopped = "The run did not reach its end." if run.partial else ""
    worst = tightest(judgements)
    if not run.trusted and not stopped:
        detail = f"<p>{escape(run.trusted.reason[:1].upper() + run.trusted.reason[1:])}.</p>"
        return banner("fail", "Not trusted", "Nothing that this run shows can be passed.", detail)
    if worst is None:
        words = "No acceptance limits were given: there is nothing to pass or to fail."
        return banner("none" if not stopped else "fail", "Stopped" if stopped else "Done", stopped or words, "")
    broken, unknown = sum(one.broken for one in judgements), [one for one in judgements if one.open]
    total = len(judgements)
    if broken or stopped:
        said = f"{broken} of {total} limits broken" if broken else f"No limit of {total} broken so far"
        said += f", {len(unknown)} not judged" if unknown else ""
        head = " ".join(filter(None, [said + ("." if stopped else ""), stopped]))
    else:
        head = "The limit is kept" if total == 1 else f"All {total} limits are kept"
    detail = "" if worst.open else _decisive(worst)
    if unknown:
        names = ", ".join(f"<bdi>{escape(one.limit.name)}</bdi> ({escape(one.note)})" for one in unknown)
        detail += f"<p>Not judged: {names}.</p>"
    mark = "fail" if broken or stopped else "pass"
    return banner(mark, "Fail" if broken else "Stopped" if stopped else "Pass", head, detail)


def _decisive(worst: Judgement) -> str:
    """The limit that decides, in a paragraph."""
    name = "Worst" if worst.broken else "Tightest"
    at = f" at {jump(worst.time)}" if math.isfinite(worst.time) else ""
    said = "; ".join(filter(None, (worst.note, worst.place)))
    note = f" ({escape(said)})" if said else ""
    return (
        f"<p>{name}: <bdi>{escape(worst.limit.name)}</bdi>, {escape(value_text(worst))}{note}"
        f" against {escape(bound_text(worst.limit, worst.unit))}; margin {margin_text(worst)}{at}.</p>"
    )


def banner(kind: str, seal: str, head: str, detail: str) -> str:
    words = f'<div class="words"><p class="headline">{escape(head)}</p>{detail}</div>'
    return f'<section class="verdict {kind}" id="verdict"><div class="seal">{escape(seal)}</div>{words}</section>'


def limit_table(judgements: Sequence[Judgement]) -> str:
    """The limits one by one."""
    rows = []
    for one in judgements:
        mark = Markup(mark_text(one))
        when = Markup(jump(one.time)) if math.isfinite(one.time) else ""
        said = "; ".join(filter(None, (one.note, one.place)))
        note = f"<br><small>{escape(said)}</small>" if said else ""
        value = Markup(escape(value_text(one)) + note)
        rows.append([mark, one.limit.name, bound_text(one.limit, one.unit), value, Markup(_bar(one)), when])
    return table(("", "limit", "allowed", "worst value", "margin", "at"), rows, "limits")


def mark_text(one: Judgement) -> str:
    """The verdict on one limit in a word, as markup."""
    kind = "pass" if one.passed else "open" if one.open else "fail"
    return f'<span class="mark {kind}">{kind}</span>'


def _bar(one: Judgement) -> str:
    if not math.isfinite(one.margin):
        return "–"
    share = round(min(max(one.margin, 0.0), 1.0) * 100)
    kind = "fail" if one.broken else "near" if one.margin < 0.1 else "pass"
    return f'{margin_text(one)} <progress class="{kind}" max="100" value="{share}"></progress>'


def margin_text(one: Judgement) -> str:
    """The margin in per cent, a very large one in multiples of the bound."""
    if not math.isfinite(one.margin):
        return "unknown"
    text = f"{100.0 * one.margin:.1f} %" if abs(one.margin) < 100.0 else f"{one.margin:.3g} times the bound"
    return text.replace("-", "−")


def value_text(one: Judgement) -> str:
    """The worst value with its unit."""
    if not math.isfinite(one.value):
        return "no value"
    return f"{one.limit.shown(one.value):.5g} {one.limit.unit or one.unit}".strip()


def bound_text(limit: Limit, unit: str) -> str:
    """What is allowed, with its unit: "at most 25 N, from 14 s on"."""
    words, comma, rest = limit.words.partition(",")
    return f"{words} {limit.unit or unit}".strip() + comma + rest
