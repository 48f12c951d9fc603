"""What the shell offers when the tab key is pressed."""

from __future__ import annotations

from pathlib import Path


def scenario_files(incomplete: str) -> list[str]:
    """Scenario files, and folders on the way to them."""
    return _files(incomplete, (".yaml", ".yml"))


def run_files(incomplete: str) -> list[str]:
    """Run files, and folders on the way to them."""
    return _files(incomplete, (".nc",))


def viewable_files(incomplete: str) -> list[str]:
    """Run files and scenario files."""
    return _files(incomplete, (".nc", ".yaml", ".yml"))


def example_names(incomplete: str) -> list[str]:
    """Names of examples and of scenarios that come with Jourdain."""
    from ..study.gallery import find_examples

    return sorted(one.name for one in find_examples() if one.name.startswith(incomplete))


def _files(incomplete: str, endings: tuple[str, ...]) -> list[str]:
    head, slash, start = incomplete.rpartition("/")
    folder = Path(head + slash or ".").expanduser()
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return []
    shown = [entry for entry in entries if entry.name.startswith(start) and not entry.name.startswith(".")]
    found = [entry for entry in shown if entry.suffix in endings and entry.is_file()]
    folders = [entry for entry in shown if entry.is_dir() and not entry.name.endswith(".journal")]
    return [f"{head}{slash}{entry.name}" for entry in found] + [f"{head}{slash}{entry.name}/" for entry in folders]
