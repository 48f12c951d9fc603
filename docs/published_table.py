"""How many numbers of the sources are printed, re-run and theory, and met: `python docs/published_table.py`.

`make reproduce` counts them by case; its reproduce_counts.csv, copied to validation/published_counts.csv, is added up
here into the table of validation/published.md and a sentence of the README. Tests hold every case against its lines,
and table and sentence against the file.
"""

import csv
import re
import textwrap
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PAGE, COUNTS = DOCS / "validation" / "published.md", DOCS / "validation" / "published_counts.csv"
MARK = "<!-- the table: docs/published_table.py -->\n"
END = "<!-- the end of the table -->\n"
SOURCES = {
    "gonthier": "Gonthier 2007",
    "damaren_sharf": "Damaren & Sharf 1995",
    "kim": "Kim 1999",
    "chen": "Chen 1999",
    "nato": "NATO ASI 2002",
}
KINDS = {"printed": "printed in the source", "re-run": "independent re-runs", "theory": "theory"}
VERDICTS = ("met", "differs", "another case", "failed")


def sums() -> dict[tuple[str, str], list[int]]:
    """Counts by source and kind, those of all sources under ""."""
    found: dict[tuple[str, str], list[int]] = {}
    with open(COUNTS, encoding="utf-8", newline="") as stream:
        for line in csv.DictReader(stream):
            for seed in (line["seed"], ""):
                own = found.setdefault((seed, line["kind"]), [0] * len(VERDICTS))
                for i, verdict in enumerate(VERDICTS):
                    own[i] += int(line[verdict])
    return found


def table() -> str:
    """Met over all, and what is not, by source and kind."""
    found = sums()
    lines = ["| | " + " | ".join(KINDS.values()) + " |", "|---|" + "---|" * len(KINDS)]
    for seed, name in [*SOURCES.items(), ("", "**all**")]:
        cells = []
        for kind in KINDS:
            met, differs, other, failed = found.get((seed, kind), [0] * 4)
            words = [f"{met} of {met + differs + other + failed} met"]
            words += [f"{differs} differ"] if differs else []
            words += [f"{other} of another case"] if other else []
            words += [f"{failed} failed"] if failed else []
            cells.append(", ".join(words) if met + differs + other + failed else "")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def sentence() -> str:
    """What the README says of them."""
    found = sums()
    (met, differ, other, failed), again, theory = (found["", kind] for kind in KINDS)
    parts = [f"{differ} differ for a stated reason", f"{other} are of a case that it does not give in full"]
    parts += [f"{failed} failed"] if failed else []
    return (
        "`jourdain reproduce` computes the numbers of the sources again, "
        "[three kinds apart](docs/validation/published.md): of "
        f"{met + differ + other + failed} printed in a source {met} are met, {', '.join(parts)}; of {sum(again)} "
        f"independent re-runs {again[0]} are met, of {sum(theory)} numbers of theory {theory[0]}."
    )


SENTENCE = re.compile(r"`jourdain reproduce` computes the numbers [^;]*; [^.]*\.")
README = DOCS.parent / "README.md"


def main() -> None:
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.partition(MARK)[0], text.partition(END)[2]
    PAGE.write_text(before + MARK + "\n" + table() + "\n" + END + after, encoding="utf-8")
    text = README.read_text(encoding="utf-8")
    README.write_text(SENTENCE.sub(lambda _: textwrap.fill(sentence(), 160), text), encoding="utf-8")


if __name__ == "__main__":
    main()
