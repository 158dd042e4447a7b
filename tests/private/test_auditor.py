"""What an auditor can do: confirm the data behind a report, check a signature, build the report again."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from atreport import build, verify
from atreport.errors import MissingLibrary, NotAReport, OutputError, UsageError
from atreport.export.files import checksums
from atreport.private.auditor import verify_with_data
from atreport.private.commitment import digest_of, read_salt
from atreport.private.data.table import read_table
from atreport.spec.load import load_spec
from atreport.verification.signature import attest, sign
from tests.command_line import atreport
from tests.example import EXAMPLE, changed, write_example

COMMIT = ("  population: shares", "  population: shares\n  commitment: salted_hash")


def test_an_honest_report_passes_with_its_data(tmp_path: Path) -> None:
    """Fidelity, optimality, the commitment and every byte."""
    spec = write_example(tmp_path, COMMIT)
    folder = build(spec, tmp_path / "out", ["html", "json"]).folder
    result = verify_with_data(folder, spec)
    assert result.holds, result.findings
    done = {each.id for each in result.checks}
    assert {"population", "fidelity", "optimality", "commitment", "rebuild"} <= done
    assert not any("--with-data" in limit for limit in result.limits)


def test_a_rate_that_only_the_announced_rule_has_is_no_finding(tmp_path: Path) -> None:
    """The rule approves no woman, the announced one does: their predictive rate is in the report and not in the data."""
    label = "    - {name: repaid, role: private, values: [good, bad]}\nsource:"
    rows = "\n".join(
        f'    - {{gender: {gender}, income: "{income}", repaid: {repaid}, population: {people}, approved: {chance}}}'
        for gender, income, people, chance in (
            ("F", "<100k", 9, 0),
            ("M", "<100k", 7, 0.5),
            ("M", ">200k", 4, 1),
        )
        for repaid in ("good", "bad")
    )
    start, end = EXAMPLE.index("    - {gender: F"), EXAMPLE.index("policy:")
    text = EXAMPLE[:start] + rows + "\n" + EXAMPLE[end:]
    rates = "fairness:\n  - {measure: error_rates, groups: gender, label: repaid, positive: good}"
    edits = (("source:", label), ("fairness:", rates), ("  privacy: {beta: 0.7}", "  mechanism: calibrated"))
    text = changed(*edits, text=text)
    text = text[: text.index("  - {measure: individual")] + text[text.index("disclosure:") :]
    spec = tmp_path / "report.yaml"
    spec.write_text(text, encoding="utf-8")
    folder = build(spec, tmp_path / "out", ["json"]).folder
    said = json.loads((folder / "public" / "report.json").read_text(encoding="utf-8"))["fairness"]
    assert any(each.get("rate") == "predictive_parity" for each in said)
    result = verify_with_data(folder, spec)
    assert result.holds, result.findings


def test_data_that_the_policy_refuses_are_a_finding(tmp_path: Path) -> None:
    """A report of data with small cells under a policy that refuses them cannot be built again, and the rest is checked."""
    refuse = ("  decimals: 4", "  decimals: 4\n  small_cells: {policy: refuse, under: 2}")
    spec = write_example(tmp_path, refuse)
    folder = build(spec, tmp_path / "out", ["json"]).folder
    assert verify_with_data(folder, spec).holds
    spec.write_text(changed((refuse[0], refuse[1].replace("2", "20"))), encoding="utf-8")
    result = verify_with_data(folder, spec)
    assert {each.id for each in result.checks if not each.holds} == {"rebuild"}
    assert any("cannot be built again" in finding for finding in result.findings)


def test_other_data_do_not(tmp_path: Path) -> None:
    """A report that announces more than the stated fidelity allows for these data, and no true figure in the finding."""
    spec = write_example(tmp_path, COMMIT)
    folder = build(spec, tmp_path / "out", ["json"]).folder
    spec.write_text(
        changed(COMMIT, ("population: 7, approved: 0.5", "population: 7, approved: 0.123")), encoding="utf-8"
    )
    result = verify_with_data(folder, spec)
    wrong = {each.id for each in result.checks if not each.holds}
    assert {"fidelity", "commitment", "rebuild"} <= wrong
    assert not any("0.123" in finding for finding in result.findings)


def test_rates_are_held_against_the_data(tmp_path: Path) -> None:
    """A promise on rates is checked exactly: data within the fidelity whose rate is another are found."""
    rates = ("{delta: 0.9}", "{delta: 0.9, rates: 1}")
    ceiling = ("beta: 0.7", "beta: 0.9")
    spec = write_example(tmp_path, rates, ceiling)
    folder = build(spec, tmp_path / "out", ["json"]).folder
    assert verify_with_data(folder, spec).holds
    other = ("population: 7, approved: 0.5", "population: 7, approved: 0.499")
    spec.write_text(changed(rates, ceiling, other), encoding="utf-8")
    result = verify_with_data(folder, spec)
    wrong = {each.id for each in result.checks if not each.holds}
    assert "rates" in wrong
    assert "fidelity" not in wrong


def test_people_who_are_not_in_the_data_are_found(tmp_path: Path) -> None:
    """Other cells, or cells of another size."""
    spec = write_example(tmp_path)
    folder = build(spec, tmp_path / "out", ["json"]).folder
    spec.write_text(changed(("population: 9,", "population: 90,")), encoding="utf-8")
    assert any("shares of people" in finding for finding in verify_with_data(folder, spec).findings)


def test_figures_are_held_against_the_file(tmp_path: Path) -> None:
    """A report that keeps silent about those whom its policy leaves out has the cells of the data, but not their figures."""
    shift = (
        "    - {name: income",
        "    - {name: shift, role: public, values: [day, night]}\n    - {name: income",
    )
    suppress = ("  decimals: 4", "  decimals: 4\n  unprotectable: suppress")
    at_day = [
        (f"population: {number},", f"shift: day, population: {number},") for number in (12, 5, 3, 9, 7, 4)
    ]
    alike = '    - {gender: F, shift: night, income: "<100k", population: 400, approved: 1}\npolicy:'
    figures = ("disclosure:\n  population: shares", "disclosure:\n  population: counts")
    individual = (
        "  - {measure: individual, metric: total_variation, distance: {gender: 0, income: {scale: 0.5}}}\n"
    )
    edits = (shift, suppress, *at_day, figures, (individual, ""))
    spec = write_example(tmp_path, *edits)
    silent = build(spec, tmp_path / "silent", ["json"]).folder
    assert verify_with_data(silent, spec).holds
    spec.write_text(changed(*edits, ("policy:", alike)), encoding="utf-8")
    honest = build(spec, tmp_path / "honest", ["json"]).folder
    assert verify_with_data(honest, spec).holds
    result = verify_with_data(silent, spec)
    assert {each.id for each in result.checks if not each.holds} >= {"truth", "rebuild"}
    assert {each.id for each in result.checks if each.holds} >= {"population", "fidelity"}
    (low, high), *_ = (
        each["interval"] for each in json.loads((silent / "public" / "report.json").read_text())["fairness"]
    )
    said = f"statistical_parity of F and M: the figure of the data lies outside the interval {low:.4f} to {high:.4f}"
    assert said in [finding.strip() for finding in result.findings]


def test_the_commitment_hides_and_binds(tmp_path: Path) -> None:
    """Every build has a salt of its own, so digests of equal data differ; with the salt the data can be confirmed."""
    spec = write_example(tmp_path, COMMIT)
    digests, kept = [], tmp_path
    for _ in range(3):
        folder = build(spec, tmp_path / "out", ["json"]).folder
        kept = folder / "confidential" / "commitment.json"
        assert kept.stat().st_mode & 0o077 == 0
        report = (folder / "public" / "report.json").read_text(encoding="utf-8")
        assert read_salt(kept).hex() not in report
        digests.append(json.loads(report)["commitment"]["digest"])
        assert digest_of(read_table(load_spec(spec)), read_salt(kept)) == digests[-1]
        assert verify_with_data(folder, spec).holds
    assert len(set(digests)) == 3
    # no salt is lost: what was published with the first build can still be confirmed
    assert [digest_of(read_table(load_spec(spec)), read_salt(kept, digest)) for digest in digests] == digests
    kept.write_text("{}", encoding="utf-8")
    with pytest.raises(OutputError, match="Restore the file"):
        build(spec, tmp_path / "out", ["json"])


def test_the_same_salt_gives_the_same_bytes(tmp_path: Path) -> None:
    """A publisher who names the salt builds the same again; an auditor may be shown it in another place."""
    spec = write_example(tmp_path, COMMIT)
    folder = build(spec, tmp_path / "out", ["json"]).folder
    first = {file.name: file.read_bytes() for file in (folder / "public").iterdir()}
    shown = tmp_path / "shown.json"
    shown.write_bytes((folder / "confidential" / "commitment.json").read_bytes())
    build(spec, tmp_path / "out", ["json"], salt=shown)
    assert first == {file.name: file.read_bytes() for file in (folder / "public").iterdir()}
    build(spec, tmp_path / "out", ["json"])
    assert first != {file.name: file.read_bytes() for file in (folder / "public").iterdir()}
    for name, content in first.items():
        (folder / "public" / name).write_bytes(content)
    (folder / "confidential" / "commitment.json").unlink()
    assert not verify_with_data(folder, spec).holds
    assert verify_with_data(folder, spec, salt=shown).holds
    spec.write_text(changed(), encoding="utf-8")
    with pytest.raises(UsageError, match="--salt is for a spec"):
        build(spec, tmp_path / "out", ["json"], salt=shown)


def test_without_a_commitment_there_is_none(tmp_path: Path) -> None:
    """Nothing changes for those who do not ask."""
    folder = build(write_example(tmp_path), tmp_path / "out", ["json"]).folder
    assert "commitment" not in (folder / "public" / "report.json").read_text(encoding="utf-8")
    assert not (folder / "confidential" / "commitment.json").exists()


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Path, Path]:
    """A key pair, as openssl writes it."""
    private = Ed25519PrivateKey.generate()
    paths = tmp_path / "private.pem", tmp_path / "public.pem"
    paths[0].write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    paths[0].chmod(0o600)
    paths[1].write_bytes(private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return paths


def test_a_signature_is_checked(tmp_path: Path, keys: tuple[Path, Path]) -> None:
    """Signed files pass with the key; files changed with their checksums, or unsigned, do not; a rebuild drops it."""
    spec = write_example(tmp_path)
    folder = build(spec, tmp_path / "out", ["json"]).folder
    assert not verify(folder, keys[1]).holds
    assert sign(folder, keys[0]).name == "SHA256SUMS.sig"
    assert verify(folder, keys[1]).holds
    assert any("--key" in limit for limit in verify(folder).limits)
    public = folder / "public"
    report = public / "report.json"
    report.write_bytes(
        report.read_bytes().replace(b"transparency", b"Transparency").replace(b"1.0.0", b"1.0.1")
    )
    names = ("report.json", "cells.csv", "measures.csv")
    (public / "SHA256SUMS").write_bytes(checksums({name: (public / name).read_bytes() for name in names}))
    assert any("SHA256SUMS.sig" in finding for finding in verify(folder, keys[1]).findings)
    build(spec, tmp_path / "out", ["json"])
    assert not (public / "SHA256SUMS.sig").exists()


def test_an_older_signed_release_is_told_as_one(tmp_path: Path, keys: tuple[Path, Path]) -> None:
    """Its signature holds for ever, so its version and date are told first, and those of the newest in the ledger."""
    spec = write_example(tmp_path, ("{delta: 0.9}", "{delta: 0.95}"), ("  privacy: {beta: 0.7}\n", ""))
    old = build(spec, tmp_path / "old", ["json"], record=True).folder
    sign(old, keys[0])
    ledger = spec.with_name(f"{spec.stem}.releases.jsonl")

    def told(*options: str) -> list[str]:
        done = atreport("verify", old / "public", "--key", keys[1], *options)
        assert done.returncode == 0, done.stdout + done.stderr
        return [line.strip() for line in done.stdout.splitlines()[1:4]]

    assert told()[0] == "Version 1.0.0 of 2026-01-15."
    assert "A signature does not tell whether there is a newer release" in told()[1]
    newest = f"The newest release in {ledger.name} is version"
    first = told("--ledger", str(ledger))
    assert first[:2] == ["Version 1.0.0 of 2026-01-15.", f"{newest} 1.0.0 of 2026-01-15."]
    assert first[2].startswith("holds")
    for version in ("1.1.0", "1.2.0"):
        text = spec.read_text(encoding="utf-8").splitlines()
        text = [f"  version: {version}" if "version:" in line else line for line in text]
        spec.write_text("\n".join(text).replace("2026-01-15", "2026-06-30"), encoding="utf-8")
        build(spec, tmp_path / "new", ["json"], record=True)
    assert told("--ledger", str(ledger)) == [
        "Version 1.0.0 of 2026-01-15.",
        f"{newest} 1.2.0 of 2026-06-30.",
        "This is not the newest: 2 releases were recorded after it.",
    ]
    proof = tmp_path / "proof.json"
    proof.write_text(atreport("ledger", spec, "--prove", old / "public").stdout, encoding="utf-8")
    assert told("--ledger", str(proof))[1] == "This is not the newest: 2 releases were recorded after it."


def test_wrong_keys_and_folders_are_clear_errors(tmp_path: Path, keys: tuple[Path, Path]) -> None:
    """Each says what to do; none is a traceback."""
    folder = build(write_example(tmp_path), tmp_path / "out", ["json"]).folder
    with pytest.raises(UsageError, match="openssl genpkey"):
        sign(folder, tmp_path / "nowhere.pem")
    with pytest.raises(UsageError, match="no unencrypted private key"):
        sign(folder, keys[1])
    with pytest.raises(NotAReport, match="SHA256SUMS"):
        sign(tmp_path, keys[0])


def test_without_the_library_one_command_helps(
    tmp_path: Path, keys: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The extra is optional, and its absence says how to get it."""
    folder = build(write_example(tmp_path), tmp_path / "out", ["json"]).folder
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.serialization", None)
    with pytest.raises(MissingLibrary, match=r"atreport\[signature\]"):
        sign(folder, keys[0])


def test_a_key_that_others_can_read_is_refused(tmp_path: Path, keys: tuple[Path, Path]) -> None:
    """A signature proves something only while one hand can make it."""
    folder = build(write_example(tmp_path), tmp_path / "out", ["json"]).folder
    keys[0].chmod(0o640)
    for make in (sign, attest):
        with pytest.raises(UsageError, match="chmod 600"):
            make(folder, keys[0])


def test_nothing_is_written_through_a_link(tmp_path: Path, keys: tuple[Path, Path]) -> None:
    """A link in the folder must not make signing overwrite a file elsewhere."""
    public = build(write_example(tmp_path), tmp_path / "out", ["json"]).folder / "public"
    elsewhere = tmp_path / "precious"
    elsewhere.write_text("precious", encoding="utf-8")
    for name, make in (("SHA256SUMS.sig", sign), ("attestation.intoto.json", attest)):
        (public / name).symlink_to(elsewhere)
        with pytest.raises(OutputError, match="link to another place"):
            make(public, keys[0])
        (public / name).unlink()
    assert elsewhere.read_text(encoding="utf-8") == "precious"


def test_the_shipped_verifier_stands_beside_the_report(tmp_path: Path) -> None:
    """On request, listed in the checksums, and runs where the package is not."""
    folder = build(write_example(tmp_path), tmp_path / "out", ["json"], with_verifier=True).folder / "public"
    assert "verify.py" in (folder / "SHA256SUMS").read_text(encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "verify.py", "--accept=figures"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Everything that was checked holds" in done.stdout
    assert verify(folder).holds
