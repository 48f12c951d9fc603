"""`jd.load`: a run from its file, or from the journal of one that did not finish."""

from __future__ import annotations

from pathlib import Path

from ..basics.arguments import checked
from ..basics.warn import warn
from .journal import journal_folder, last_change, load_journal
from .run import Run
from .run_file import LIMIT, RunFileError, RunFileWarning, read


@checked
def load(path: str | Path, *, limit: int = LIMIT, partial: bool | None = None) -> Run:
    """The run saved at `path`, or what the journal of a run that was killed holds of it.

    path     the run file, or the folder of its journal
    limit    refuse more data than this [bytes]
    partial  False: only the file; True: only the journal; None: the file, or a journal that is newer
    """
    path = Path(path)
    if path.is_dir() and path.suffix == ".journal" and partial is not False:
        return load_journal(path, limit=limit)
    folder = journal_folder(path)
    in_file = path.is_file() and partial is not True
    in_journal = folder.is_dir() and partial is not False
    if in_file and in_journal and last_change(folder) > path.stat().st_mtime_ns:
        warn(
            RunFileWarning(
                f"{path} is older than the journal {folder.name} of a run that did not finish: this is the "
                f"unfinished run; load(..., partial=False) gives the file"
            )
        )
        in_file = False
    if in_file:
        return read(path, limit=limit)
    if in_journal:
        return load_journal(folder, limit=limit)
    if path.exists() and partial is not True:
        raise RunFileError(path, "", "not a regular file")
    looked = {None: f"there is no such file, and no journal {folder.name}", True: f"there is no {folder.name}"}
    raise RunFileError(path, "", looked.get(partial, "there is no such file"))
