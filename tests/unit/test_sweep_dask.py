"""Sweeps on a Dask cluster: the same numbers, also when one of its workers is killed."""

import os
import signal

import pytest
from studies import SLOW, write

import jourdain as jd

distributed = pytest.importorskip("distributed", reason="clusters need the extra distributed")
pytest.importorskip("zarr", reason="results are kept by zarr")


@pytest.fixture(scope="module")
def cluster():
    """Dask's own local cluster: two processes of one thread."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as found:
        yield found


def test_a_killed_worker_of_a_cluster_loses_nothing(cluster, tmp_path, monkeypatch):
    path = write(tmp_path, SLOW)
    whole = jd.sweep(path, mode="threads", progress=False)
    from jourdain.study import sweep as module

    with distributed.Client(cluster, set_as_default=False) as client:
        pids = list(client.run(os.getpid).values())
    kept = []
    before = module.Memory.keep

    def counted(self, first, results):
        before(self, first, results)
        if not kept:
            os.kill(pids[0], signal.SIGKILL)
        kept.append(first)

    monkeypatch.setattr(module.Memory, "keep", counted)
    found = jd.sweep(path, out=tmp_path / "o", dask=cluster.scheduler_address, progress=False)
    assert len(kept) > 1 and found.identical(whole)
    assert jd.sweep(path, out=tmp_path / "o", progress=False).identical(whole)


def test_what_a_cluster_cannot_be(tmp_path):
    path = write(tmp_path)
    files = {name: str(tmp_path / name) for name in ("ca", "cert", "key")}
    for dask, tls, words in (
        ("tcp://127.0.0.1:1", None, "no Dask scheduler answers"),
        ("nonsense://", None, "no Dask scheduler answers"),
        ("tls://127.0.0.1:1", None, "asks for TLS; give --tls-ca"),
        ("tls://127.0.0.1:1", {"ca": files["ca"]}, "give --tls-cert and --tls-key too"),
        ("tls://127.0.0.1:1", files, "there is no such file"),
    ):
        with pytest.raises(jd.JourdainError, match=words):
            jd.sweep(path, dask=dask, tls=tls)
