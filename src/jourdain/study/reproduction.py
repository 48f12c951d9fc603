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
from .published import DIFFERS, FAILED, KINDS, MET, OTHER, SEEDS, VERDICTS, Case, CaseOutcome, PublishedNumber, run_case
from .report.page import heading, section, write_page
from .report.run_report import ReplayScenes, fitted
from .report.verdict import banner
from .sweeps.worker import Worker

HEADS = ("case", "quantity", "kind", "theirs", "ours", "difference", "allowed", "verdict")
_MARKS = {MET: "pass", DIFFERS: "open", OTHER: "open", FAILED: "fail"}


def run_cases(cases: Sequence[Case], workers: int | None = None) -> Iterator[CaseOutcome]:
    """Outcomes as they come. Long cases begin first; one that takes its process with it fails, and the others go on."""
    waiting: queue.SimpleQueue[Case] = queue.SimpleQueue()
    done: queue.SimpleQueue[CaseOutcome] = queue.SimpleQueue()
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
                text = f"its process ended ({code})" if isinstance(error, EOFError) else f"{error}"
                done.put(CaseOutcome(case, [], text))

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


def counted(outcomes: Sequence[CaseOutcome]) -> dict[str, Counter[str]]:
    """How many numbers of each kind have which verdict: what is printed, re-run and theory are never added up."""
    found = {kind: Counter({verdict: 0 for verdict in VERDICTS}) for kind in KINDS}
    for one in outcomes:
        for row in one.rows:
            found[row.kind][row.verdict] += 1
    return found


def in_words(counts: Counter[str]) -> str:
    """How many of one kind are met and what of the others, in words."""
    parts = [f"{counts[MET]} met", f"{counts[DIFFERS]} differ"]
    parts += [f"{counts[OTHER]} of another case"] if counts[OTHER] else []
    return ", ".join([*parts, f"{counts[FAILED]} failed"])


def in_order(outcomes: Sequence[CaseOutcome], cases: Sequence[Case]) -> list[CaseOutcome]:
    """As the cases were found, however they came."""
    return sorted(outcomes, key=lambda one: cases.index(one.case))


def write_reproduction(outcomes: Sequence[CaseOutcome], folder: Path) -> dict[str, Path]:
    """The page, the same numbers as JSON and as CSV, and a CSV of how many of each kind every case has."""
    make_folder(folder)
    facts = [_facts(one, row) for one in outcomes for row in one.rows]
    paths = {name: folder / f"reproduce.{name}" for name in ("html", "json", "csv")}
    paths["counts"] = folder / "reproduce_counts.csv"
    broken = [{"case": one.case.name, "error": one.error} for one in outcomes if one.error]
    whole = {"jourdain": __version__, "verdicts": counted(outcomes), "numbers": facts, "errors": broken}
    with atomic_write(paths["json"]) as temporary:
        temporary.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for name, lines in (("csv", facts), ("counts", [line for one in outcomes for line in count_lines(one)])):
        with atomic_write(paths[name]) as temporary, open(temporary, "w", encoding="utf-8", newline="") as stream:
            table = csv.DictWriter(stream, list(lines[0]) if lines else ["seed"], lineterminator="\n")
            table.writeheader()
            table.writerows({k: guarded(v) if isinstance(v, str) else v for k, v in line.items()} for line in lines)
    still = {"start": 0.0, "end": 1.0, "moments": [], "worst": None}
    write_page(paths["html"], fitted("Published numbers", _body(outcomes), ReplayScenes([], [], {}), [], still))
    return paths


def count_lines(one: CaseOutcome) -> list[dict[str, Any]]:
    """How many numbers of a case are of which kind and verdict, a line for each kind that it has."""
    counts = counted([one])
    head = {"seed": one.case.seed, "case": one.case.name}
    return [{**head, "kind": kind, **counts[kind]} for kind in KINDS if sum(counts[kind].values())]


def _facts(one: CaseOutcome, row: PublishedNumber) -> dict[str, Any]:
    return {
        "seed": one.case.seed,
        "paper": one.case.source,
        "case": one.case.title,
        "file": f"{one.case.path.parent.name}/{one.case.path.name}",
        "quantity": row.quantity,
        "unit": row.unit,
        "kind": row.kind,
        "theirs": row.theirs,
        "ours": row.ours if row.ours == row.ours else None,
        "difference": row.ours - row.theirs if row.ours == row.ours else None,
        "allowed": row.bound,
        "verdict": row.verdict,
        "reason": row.reason or row.other,
        "known": row.known,
    }


def _body(outcomes: Sequence[CaseOutcome]) -> list[str]:
    """The sections of the page."""
    counts, broken = counted(outcomes), sum(bool(one.error) for one in outcomes)
    failed = broken + sum(one[FAILED] for one in counts.values())
    heads = [f"{words[:1].upper()}{words[1:]}: {in_words(counts[kind])}" for kind, words in KINDS.items()]
    text = "".join(f"<p>{escape(one)}.</p>" for one in heads[1:])
    text += f"<p>{broken} case{'s' * (broken > 1)} broke off.</p>" if broken else ""
    rows = [_case_rows(one, only=(DIFFERS, OTHER, FAILED)) for one in outcomes]
    about = f"{len(outcomes)} cases · {sum(one.seconds for one in outcomes):.0f} s of computing"
    begin = heading("Jourdain reproduce", "Published numbers", f"Jourdain {__version__} · {about}")
    body = [begin, banner("fail" if failed else "pass", "Failed" if failed else "As known", heads[0], text)]
    body += [section("By source", _summary(outcomes), "sources"), _WORDS]
    body += [section("What differs, and why", _table("".join(rows)) if any(rows) else "", "differs")]
    for seed, title in SEEDS.items():
        own = [one for one in outcomes if one.case.seed == seed]
        body.append(section(title, _table("".join(map(_case_rows, own))) if own else "", seed))
    return body


_WORDS = (
    "<p>A number that is <em>printed</em> stands in the paper or thesis. A <em>re-run</em> is its case, run by an "
    "independent formulation that shares no code with this package, where the source prints a curve or nothing. "
    "<em>Theory</em> is a closed form, a conservation law or a count. Allowed is what the digits of the source, its "
    "samples or the order of the method leave open. A number that <em>differs</em> is further off for a reason that is "
    "told. One of <em>another case</em> is of a machine of ours, since the source does not give what its own would "
    "take: it is neither met nor missed.</p>"
)


def _summary(outcomes: Sequence[CaseOutcome]) -> str:
    heads = ("source", "cases", "kind", "numbers", *VERDICTS, "computing [s]")
    lines = []
    for seed, title in SEEDS.items():
        own = [one for one in outcomes if one.case.seed == seed]
        counts, seconds = counted(own), sum(one.seconds for one in own)
        first = [f'<a href="#{seed}">{escape(title)}</a>', len(own)]
        for kind in [kind for kind in KINDS if sum(counts[kind].values())]:
            cells = [*first, kind, sum(counts[kind].values()), *(counts[kind][one] for one in VERDICTS)]
            cells.append(f"{seconds:.0f}" if first[0] else "")
            lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
            first = ["", ""]
    return _table("".join(lines), heads)


def _table(lines: str, heads: Sequence[str] = HEADS) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    return (
        f'<div class="wide"><table class="published"><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>'
    )


def _case_rows(one: CaseOutcome, only: Sequence[str] = VERDICTS) -> str:
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


def _cells(row: PublishedNumber) -> list[str]:
    """Cells of a number, the case left out."""
    digits = _digits(row)
    why = row.reason or (f"Another case: {row.other}" if row.other else "")
    reason = f"<br><small>{escape(why)}</small>" if why else ""
    unit = f' <span class="unit">{escape(row.unit)}</span>' if row.unit else ""
    off = row.ours - row.theirs
    part = 100.0 * off / row.theirs if row.theirs else 0.0
    share = f" ({part:+.0f} %)" if abs(part) >= 100.0 else f" ({part:+.2g} %)" if abs(part) > 1e-4 else ""
    allowed = escape(row.within) if isinstance(row.within, str) else f"{row.within:.3g}"
    return [
        f"{escape(row.quantity)}{reason}",
        escape(row.kind),
        f"{row.theirs:.{digits}g}{unit}",
        f"{row.ours:.{digits}g}{unit}",
        f"{off:+.2g}{share}",
        allowed,
        f'<span class="mark {_MARKS[row.verdict]}">{row.verdict}</span>',
    ]


def _digits(row: PublishedNumber) -> int:
    """One more than the source has; a closed form has as many as a float."""
    own = len(f"{row.theirs!r}".partition("e")[0].lstrip("-0.").replace(".", ""))
    return max(own, 3) + 1 if own <= 10 else 8
