"""Sweeps on a Dask cluster: the same numbers, also when one of its workers is killed."""

import os
import shutil
import signal
import subprocess

import pytest
from installed import needs
from studies import SLOW, STUDY, write

import jourdain as jd

distributed = pytest.importorskip("distributed", reason="clusters need the extra distributed")
needs("zarr", reason="results are kept by zarr")


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
    from jourdain.study.sweeps import sweep as module

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


@pytest.mark.skipif(shutil.which("openssl") is None, reason="certificates are made by openssl")
def test_a_scheduler_that_takes_tls(tmp_path):
    path = write(tmp_path, STUDY.replace("[1, 2, 3, 4]", "[1]"))
    key, cert = str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")
    making = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    subprocess.run([*making, "-keyout", key, "-out", cert], check=True, capture_output=True)
    roles = {f"tls_{who}_{what}": file for who in ("scheduler", "worker", "client") for what, file in
             (("key", key), ("cert", cert))}  # fmt: skip
    security = distributed.Security(tls_ca_file=cert, require_encryption=True, **roles)
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    with distributed.LocalCluster(protocol="tls://", security=security, silence_logs=50, **options) as cluster:
        address = cluster.scheduler_address
        assert address.startswith("tls://")
        with pytest.raises(jd.JourdainError, match="asks for TLS"):
            jd.sweep(path, dask=address)
        tls = {"ca": cert, "cert": cert, "key": key}
        found = jd.sweep(path, dask=address, tls=tls, progress=False)
    assert found.identical(jd.sweep(path, mode="threads", progress=False))
