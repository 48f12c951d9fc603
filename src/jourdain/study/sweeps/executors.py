"""Who runs the variants: threads of this process, processes of this machine, or a Dask cluster.

Each takes tasks (the first variant and the rows of values) and gives them back with their results as they are done, in
any order. What runs where changes no number. `FunctionPool` lets the same threads and processes work a function out.
"""

from __future__ import annotations

import os
import pickle
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from ...basics.errors import JourdainError, ModelError
from .store import FAILED, Result
from .study import Study
from .worker import Worker
from .worker_tasks import Finished, SweepStopped, run_bundle, run_rows

RETRIES = 2
"""How often a task is tried again whose process was killed."""
MODES = ("auto", "threads", "processes")


class VariantBatch(NamedTuple):
    """Variants that follow each other: the first one's number, and the values of each."""

    first: int
    rows: Sequence[Sequence[Any]]


class ThreadExecutor:
    """Threads that take tasks; what one of them does with a task is `one`."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.stopping = threading.Event()

    def run(self, tasks: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        """Tasks with their results, as they are done."""
        waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        for task in tasks:
            waiting.put(task)

        def work(number: int) -> None:
            try:
                while not self.stopping.is_set():
                    try:
                        task = waiting.get_nowait()
                    except queue.Empty:
                        return
                    done.put((task, self.one(number, task)))
            except SweepStopped:
                return
            except BaseException as error:
                done.put(error)
            finally:
                done.put(None)

        team = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(min(self.workers, len(tasks)))]
        for one in team:
            one.start()
        left = len(team)
        while left:
            found = done.get()
            if found is None:
                left -= 1
            elif isinstance(found, BaseException):
                raise found
            else:
                yield found

    def one(self, number: int, task: Any) -> Any:
        """One task, in the thread of this number."""
        raise NotImplementedError

    def close(self) -> None:
        """Leave off; what is running stops within a moment."""
        self.stopping.set()


class Threads(ThreadExecutor):
    """Compiled threads of this process, for variants that share a model."""

    def __init__(self, study: Study, workers: int) -> None:
        super().__init__(workers)
        self.study = study

    def one(self, number: int, task: VariantBatch) -> Finished:
        return run_rows(self.study, task.rows, self.stopping.is_set)


class ProcessExecutor(ThreadExecutor):
    """Processes of this machine, a thread here for each; one that is killed is started again.

    bundle    what they work tasks out with, see `Worker`
    """

    def __init__(self, bundle: Any, workers: int) -> None:
        super().__init__(workers)
        self.bundle = bundle
        self.staff: dict[int, Worker] = {}
        self.guard = threading.Lock()

    def asked(self, number: int, question: Any) -> tuple[Any, int | None]:
        """The answer of the process of this number, and None; or None and how it ended, as often as it was tried."""
        code = None
        for _ in range(RETRIES + 1):
            with self.guard:
                if self.stopping.is_set():
                    raise SweepStopped
                worker = self.staff.get(number)
                if worker is None:
                    worker = self.staff[number] = Worker(self.bundle)
            try:
                return worker.call(question), None
            except EOFError:
                with self.guard:
                    if self.stopping.is_set():
                        raise SweepStopped from None
                    self.staff.pop(number, None)
                code = worker.ended()
        return None, code

    def close(self) -> None:
        super().close()
        with self.guard:
            for worker in self.staff.values():
                worker.kill()
            self.staff.clear()


class Processes(ProcessExecutor):
    """Processes that run variants of a study."""

    def __init__(self, study: Study, workers: int) -> None:
        if study.bundle is None:
            raise JourdainError("a study made in Python runs in threads; write it as a file to run it in processes")
        super().__init__(study.bundle, workers)

    def one(self, number: int, task: VariantBatch) -> Finished:
        found, code = self.asked(number, task.rows)
        if code is None:
            return found
        if len(task.rows) == 1:
            how = f"by signal {-code}" if code < 0 else f"with code {code}"
            why = f"the process that ran it ended {how}, {RETRIES + 1} times"
            return Finished([Result(FAILED, (), why)], [], [])
        # one of several variants kills its process: each by itself, so that only that one is lost
        alone = [self.one(number, VariantBatch(task.first + i, [row])) for i, row in enumerate(task.rows)]
        units = next((one.units for one in alone if one.units), [])
        return Finished([one.results[0] for one in alone], units, [text for one in alone for text in one.warnings])


class FunctionPool(ProcessExecutor):
    """A function of one argument at many places, by threads of this process or by processes.

    function    what is worked out; processes import it, so that it must be found in a module
    workers     how many; with one nothing is started
    mode        "threads", "processes", or "auto": processes where the function can be sent there

    Threads help where most of the time is in compiled code.
    """

    def __init__(self, function: Callable[[Any], Any], workers: int, mode: str = "auto") -> None:
        super().__init__(function, workers)
        self.apart = workers > 1 and mode != "threads" and _can_be_sent(function)
        if workers > 1 and mode == "processes" and not self.apart:
            raise ModelError.at("mode", 'processes must import the function; write it in a module, or take "threads"')

    def map(self, places: Sequence[Any]) -> list[Any]:
        """Results in the order of the places; None for one whose process is killed each time."""
        if self.workers == 1:
            return [self.bundle(place) for place in places]
        found: list[Any] = [None] * len(places)
        for (at, _), result in self.run(list(enumerate(places))):
            found[at] = result
        return found

    def one(self, number: int, task: tuple[int, Any]) -> Any:
        return self.asked(number, task[1])[0] if self.apart else self.bundle(task[1])


def _can_be_sent(function: Any) -> bool:
    """Whether another process can have it: a function of a module, not of a script, and no lambda."""
    try:
        return b"__main__" not in pickle.dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False


class DaskExecutor:
    """Workers of a Dask cluster, which must have the same Jourdain installed."""

    def __init__(self, study: Study, client: Any) -> None:
        if study.bundle is None:
            raise JourdainError("a study made in Python runs in threads; write it as a file to run it on a cluster")
        self.client, self.bundle = client, study.bundle
        self.futures: dict[Any, VariantBatch] = {}

    def run(self, tasks: Sequence[VariantBatch]) -> Iterator[tuple[VariantBatch, Finished]]:
        """Tasks with their results, as they are done."""
        from distributed import as_completed

        # each task has the files with it: what is scattered is lost with the worker that holds it
        self.futures = {
            self.client.submit(run_bundle, self.bundle, task.rows, pure=False, retries=RETRIES): task for task in tasks
        }
        for future in as_completed(list(self.futures), loop=self.client.loop):
            task = self.futures.pop(future)
            error = future.exception()
            if error is None:
                yield task, future.result()
            else:
                why = f"the cluster could not run it: {type(error).__name__}: {error}"
                yield task, Finished([Result(FAILED, (), " ".join(why.split()))] * len(task.rows), [], [])

    def close(self) -> None:
        """Leave off."""
        if self.futures:
            self.client.cancel(list(self.futures), force=True)
            self.futures = {}


@contextmanager
def cluster_client(address: str, tls: dict[str, str] | None = None) -> Iterator[Any]:
    """A client of a Dask scheduler; the scheduler must be trusted, since what it sends is run.

    tls    files of the authority, the certificate and the key, by "ca", "cert" and "key"
    """
    try:
        from distributed import Client, Security
    except ImportError:
        raise JourdainError(
            'a cluster is reached by distributed; install it: pip install "jourdain[distributed]"'
        ) from None
    security = None
    if tls:
        missing = [name for name in ("ca", "cert", "key") if not tls.get(name)]
        if missing:
            raise JourdainError(f"TLS takes three files; give --tls-{' and --tls-'.join(missing)} too")
        for name, path in tls.items():
            if not os.path.isfile(path):
                raise JourdainError(f"--tls-{name} {path}: there is no such file")
        security = Security(
            tls_ca_file=tls["ca"], tls_client_cert=tls["cert"], tls_client_key=tls["key"], require_encryption=True
        )
    elif address.startswith("tls://"):
        raise JourdainError(f"{address} asks for TLS; give --tls-ca, --tls-cert and --tls-key")
    try:
        client = Client(address, timeout=10, security=security, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise JourdainError(f"no Dask scheduler answers at {address}: {' '.join(str(error).split())}") from None
    try:
        yield client
    finally:
        client.close()
