"""Every published number again: the cases run in processes of their own, and one page of what came of them."""

from __future__ import annotations

import csv
import json
import queue
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..basics.markup import Markup, escape
from ..basics.platforms import cores
from ..basics.spreadsheets import guarded
from ..basics.storage import atomic_write, make_folder
from ..basics.version import __version__
from .published import DIFFERS, FAILED, MET, SEEDS, Case, Number, Outcome, run_case
from .report import Replay, fitted
from .report_page import section, write_page
from .report_verdict import banner
from .worker import Worker

HEADS = ("case", "quantity", "whose", "theirs", "ours", "difference", "allowed", "verdict")
_MARKS = {MET: "pass", DIFFERS: "open", FAILED: "fail"}


def run_cases(cases: Sequence[Case], workers: int | None = None) -> Iterator[Outcome]:
    """Outcomes as they come. Long cases begin first; one that takes its process with it fails, and the others go on."""
    waiting: queue.SimpleQueue[Case] = queue.SimpleQueue()
    done: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
    for case in sorted(cases, key=lambda case: case.quick):
        waiting.put(case)
    stopping = threading.Event()
    running: dict[int, Worker] = {}

    def work(number: int) -> None:
        while not stopping.is_set():
            try:
                case = waiting.get_nowait()
            except queue.Empty:
                break
            if number not in running:
                running[number] = Worker(run_case)
            try:
                done.put(running[number].call(case))
            except Exception as error:  # it died, or what it found cannot be sent
                code = running.pop(number).ended()
                told = f"its process ended ({code})" if isinstance(error, EOFError) else f"{error}"
                done.put(Outcome(case, [], told))

    count = min(len(cases), workers or cores())
    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(count)]
    for one in threads:
        one.start()
    try:
        for _ in cases:
            yield done.get()
    finally:
        stopping.set()
        for worker in list(running.values()):
            worker.kill()


def counted(outcomes: Sequence[Outcome]) -> Counter[str]:
    """How many numbers have which verdict; a case that broke off is one that failed."""
    found = Counter(row.verdict for one in outcomes for row in one.rows)
    found[FAILED] += sum(bool(one.error) for one in outcomes)
    return found


def in_order(outcomes: Sequence[Outcome], cases: Sequence[Case]) -> list[Outcome]:
    """As the cases were found, however they came."""
    return sorted(outcomes, key=lambda one: cases.index(one.case))


def write_reproduction(outcomes: Sequence[Outcome], folder: Path) -> dict[str, Path]:
    """The page, and the same numbers as JSON and as CSV."""
    make_folder(folder)
    facts = [_facts(one, row) for one in outcomes for row in one.rows]
    paths = {name: folder / f"reproduce.{name}" for name in ("html", "json", "csv")}
    broken = [{"case": one.case.name, "error": one.error} for one in outcomes if one.error]
    whole = {"jourdain": __version__, "verdicts": counted(outcomes), "numbers": facts, "errors": broken}
    with atomic_write(paths["json"]) as temporary:
        temporary.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    with atomic_write(paths["csv"]) as temporary, open(temporary, "w", encoding="utf-8", newline="") as stream:
        lines = csv.DictWriter(stream, list(facts[0]) if facts else ["seed"])
        lines.writeheader()
        lines.writerows({k: guarded(v) if isinstance(v, str) else v for k, v in one.items()} for one in facts)
    still = {"start": 0.0, "end": 1.0, "moments": [], "worst": None}
    write_page(paths["html"], fitted("Published numbers", _body(outcomes), Replay([], [], {}), [], still))
    return paths


def _facts(one: Outcome, row: Number) -> dict[str, Any]:
    return {
        "seed": one.case.seed,
        "paper": one.case.source,
        "case": one.case.title,
        "file": f"{one.case.path.parent.name}/{one.case.path.name}",
        "quantity": row.quantity,
        "unit": row.unit,
        "whose": row.whose,
        "theirs": row.theirs,
        "ours": row.ours if row.ours == row.ours else None,
        "difference": row.ours - row.theirs if row.ours == row.ours else None,
        "allowed": row.bound,
        "verdict": row.verdict,
        "reason": row.reason,
    }


def _body(outcomes: Sequence[Outcome]) -> list[str]:
    """The sections of the page."""
    counts, total = counted(outcomes), sum(len(one.rows) for one in outcomes)
    failed = counts[FAILED]
    head = f"{counts[MET]} of {total} published numbers are met"
    told = f"<p>{counts[DIFFERS]} differ for reasons that are known; {failed} failed.</p>"
    rows = [_case_rows(one, only=(DIFFERS, FAILED)) for one in outcomes]
    begin = (
        '<header><div><p class="kind">Jourdain reproduce</p><h1>Published numbers</h1>'
        f'<p class="about">Jourdain {escape(__version__)} · {len(outcomes)} cases · '
        f"{sum(one.seconds for one in outcomes):.0f} s of computing</p></div>"
        '<button type="button" id="theme" class="theme" hidden></button></header>'
    )
    body = [begin, banner("fail" if failed else "pass", "Failed" if failed else "Met", head, told)]
    body += [section("By source", _summary(outcomes), "sources"), _WORDS]
    body += [section("What differs, and why", _table("".join(rows)) if any(rows) else "", "differs")]
    for seed, title in SEEDS.items():
        own = [one for one in outcomes if one.case.seed == seed]
        body.append(section(title, _table("".join(map(_case_rows, own))) if own else "", seed))
    return body


_WORDS = (
    "<p>A number of the <em>paper</em> is printed there; a <em>re-run</em> is the paper's case, run by an independent "
    "code, where the paper prints a curve or nothing; <em>theory</em> is a closed form that it gives. Allowed is what "
    "the digits of the source, its samples or the order of the method leave open. A number that <em>differs</em> is "
    "further off for a reason that is known.</p>"
)


def _summary(outcomes: Sequence[Outcome]) -> str:
    heads = ("source", "cases", "numbers", MET, DIFFERS, FAILED, "computing [s]")
    lines = []
    for seed, title in SEEDS.items():
        own = [one for one in outcomes if one.case.seed == seed]
        if own:
            counts = counted(own)
            cells = [f'<a href="#{seed}">{escape(title)}</a>', len(own), sum(len(one.rows) for one in own)]
            cells += [counts[MET], counts[DIFFERS], counts[FAILED], f"{sum(one.seconds for one in own):.0f}"]
            lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return _table("".join(lines), heads)


def _table(lines: str, heads: Sequence[str] = HEADS) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    return (
        f'<div class="wide"><table class="published"><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>'
    )


def _case_rows(one: Outcome, only: Sequence[str] = (MET, DIFFERS, FAILED)) -> str:
    """Lines of a table, the case named at the first."""
    rows = [row for row in one.rows if row.verdict in only]
    name = f"{escape(one.case.title)}<br><small>{escape(one.case.source)}</small>"
    lines = []
    if one.error:
        mark = f'<span class="mark fail">{FAILED}</span>'
        lines.append(f'<tr><td>{name}</td><td colspan="6">{escape(one.error)}</td><td>{mark}</td></tr>')
    for row in rows:
        cells = ["" if lines else Markup(name), *_cells(row)]
        lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return "".join(lines)


def _cells(row: Number) -> list[str]:
    """Cells of a number, the case left out."""
    digits = _digits(row)
    reason = f"<br><small>{escape(row.reason)}</small>" if row.reason else ""
    unit = f' <span class="unit">{escape(row.unit)}</span>' if row.unit else ""
    off = row.ours - row.theirs
    part = 100.0 * off / row.theirs if row.theirs else 0.0
    share = f" ({part:+.0f} %)" if abs(part) >= 100.0 else f" ({part:+.2g} %)" if abs(part) > 1e-4 else ""
    allowed = escape(row.within) if isinstance(row.within, str) else f"{row.within:.3g}"
    return [
        f"{escape(row.quantity)}{reason}",
        escape(row.whose),
        f"{row.theirs:.{digits}g}{unit}",
        f"{row.ours:.{digits}g}{unit}",
        f"{off:+.2g}{share}",
        allowed,
        f'<span class="mark {_MARKS[row.verdict]}">{row.verdict}</span>',
    ]


def _digits(row: Number) -> int:
    """One more than the source has; a closed form has as many as a float."""
    own = len(f"{row.theirs!r}".partition("e")[0].lstrip("-0.").replace(".", ""))
    return max(own, 3) + 1 if own <= 10 else 8
