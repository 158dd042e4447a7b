"""Time stamps by RFC 3161, with an authority made here: asked over HTTP, attached, checked offline."""

import hashlib
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from atreport import verify
from atreport.export.files import public_files
from atreport.verification.signature import STAMP, stamp_request
from tests.assessing import report_of
from tests.command_line import atreport
from tests.example import example_spec
from tests.verifying import written

_CONFIG = """
[ req ]
distinguished_name = name
prompt = no
[ name ]
CN = {name}
[ root ]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[ signer ]
basicConstraints = CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
[ tsa ]
default_tsa = authority
[ authority ]
serial = {folder}/serial
crypto_device = builtin
signer_cert = {folder}/signer.pem
signer_key = {folder}/signer.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
accuracy = secs:1
"""


class Authority:
    """A time-stamp authority: a root certificate, a signer below it, and openssl to answer."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder, self.root = folder, folder / "root.pem"
        (folder / "serial").write_text("01\n", encoding="utf-8")
        config = folder / "openssl.cnf"
        config.write_text(_CONFIG.format(name="Test authority", folder=folder), encoding="utf-8")
        leaf = folder / "signer.cnf"
        leaf.write_text(_CONFIG.format(name="Test signer", folder=folder), encoding="utf-8")
        self._openssl(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-config", str(config),
            "-extensions", "root", "-keyout", "root.key", "-out", "root.pem",
        )  # fmt: skip
        self._openssl(
            "req", "-new", "-newkey", "rsa:2048", "-nodes", "-config", str(leaf), "-keyout", "signer.key",
            "-out", "signer.csr",
        )  # fmt: skip
        self._openssl(
            "x509", "-req", "-in", "signer.csr", "-CA", "root.pem", "-CAkey", "root.key", "-set_serial", "2",
            "-days", "30", "-extfile", str(config), "-extensions", "signer", "-out", "signer.pem",
        )  # fmt: skip

    def answer(self, request: bytes) -> bytes:
        """The response to a request."""
        (self.folder / "query").write_bytes(request)
        self._openssl("ts", "-reply", "-config", "openssl.cnf", "-queryfile", "query", "-out", "response")
        return (self.folder / "response").read_bytes()

    def _openssl(self, *arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """The authority that readers trust."""
    return Authority(tmp_path_factory.mktemp("tsa") / "trusted")


@pytest.fixture
def server(authority: Authority) -> Iterator[str]:
    """The authority's address, on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = self.rfile.read(int(self.headers["Content-Length"]))
            assert self.headers["Content-Type"] == "application/timestamp-query"
            content = authority.answer(request)
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Tests are quiet."""

    with HTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()
        thread.join()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A public folder."""
    return written(public_files(report_of(example_spec()), ["json"]), tmp_path / "public")


def test_a_stamp_is_asked_for_attached_and_checked(folder: Path, server: str, authority: Authority) -> None:
    """Over HTTP; the check is offline and tells the time; a reader who gives no root is told that there is one."""
    assert any("missing" in finding for finding in verify(folder, stamp_root=authority.root).findings)
    done = atreport("stamp", folder, "--server", server)
    assert done.returncode == 0, done.stderr
    result = verify(folder, stamp_root=authority.root)
    assert result.holds, result.findings
    (stamped,) = [each for each in result.checks if each.id == "time-stamp"]
    assert "UTC" in stamped.what
    assert any("--stamp-root" in limit for limit in verify(folder).limits)
    assert verify(folder).holds
    assert atreport("verify", folder, "--stamp-root", authority.root).returncode == 0


def test_a_request_is_for_once_and_asks_for_the_certificate(folder: Path) -> None:
    """It names the checksums by their hash, has a number of its own each time, and an answer can be checked by itself."""
    sums = next(folder.rglob("SHA256SUMS")).read_bytes()
    one, other = stamp_request(folder), stamp_request(folder)
    assert hashlib.sha256(sums).digest() in one
    assert one != other, "an answer to an old request would do for a new one"
    assert one.endswith(b"\x01\x01\xff")  # certReq: true


def test_a_stamp_by_hand(folder: Path, authority: Authority, tmp_path: Path) -> None:
    """Without a network: write the request, bring the answer."""
    request, answer = tmp_path / "request.tsq", tmp_path / "answer.tsr"
    assert atreport("stamp", folder, "--request", request).returncode == 0
    answer.write_bytes(authority.answer(request.read_bytes()))
    assert atreport("stamp", folder, "--answer", answer).returncode == 0
    assert verify(folder, stamp_root=authority.root).holds


def test_forged_stamps_are_findings(folder: Path, authority: Authority, server: str, tmp_path: Path) -> None:
    """Of another authority, of another report, damaged, not a stamp: none is accepted and none is an error."""
    assert atreport("stamp", folder, "--server", server).returncode == 0
    honest = (folder / STAMP).read_bytes()
    other = Authority(tmp_path / "other")
    assert not verify(folder, stamp_root=other.root).holds
    for content in (b"", b"hello", honest[:100], honest[:-40] + bytes(40), bytes(2**21)):
        (folder / STAMP).write_bytes(content)
        assert not verify(folder, stamp_root=authority.root).holds
    files = public_files(report_of(example_spec(("1.0.0", "2.0.0"))), ["json"])
    another = written({**files, STAMP: honest}, tmp_path / "again")
    assert any("does not hold" in f for f in verify(another, stamp_root=authority.root).findings)
    (tmp_path / "honest.tsr").write_bytes(honest)
    done = atreport("stamp", another, "--answer", tmp_path / "honest.tsr")
    assert done.returncode == 2
    assert "ask again" in done.stderr


def test_misuse_is_explained(folder: Path, authority: Authority, tmp_path: Path) -> None:
    """One of three ways, an address that answers, files that are there."""
    for arguments in ((), ("--server", "https://localhost:1", "--request", tmp_path / "x")):
        done = atreport("stamp", folder, *arguments)
        assert (done.returncode, "exactly one of" in done.stderr) == (2, True)
    cases: dict[str, tuple[object, object]] = {
        "no time stamp was given": ("--server", "http://127.0.0.1:1"),
        "as https": ("--server", "ftp://127.0.0.1"),
        "cannot be read": ("--answer", tmp_path / "nowhere"),
        "cannot be written": ("--request", tmp_path / "no" / "where"),
    }
    for words, pair in cases.items():
        done = atreport("stamp", folder, *pair)
        assert (done.returncode, words in done.stderr) == (2, True), done.stderr
    nonsense = tmp_path / "root.pem"
    nonsense.write_text("hello", encoding="utf-8")
    assert atreport("stamp", folder, "--answer", authority.root).returncode == 2
    (folder / STAMP).write_bytes(b"x")
    assert "no certificate" in atreport("verify", folder, "--stamp-root", nonsense).stderr
