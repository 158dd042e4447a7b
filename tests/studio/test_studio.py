"""What the studio answers: the same problems as the command line, the same β as a build, and a file that is not lost."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from atreport.errors import InvalidInput
from atreport.spec.load import parse_spec
from tests.command_line import atreport
from tests.studio.conftest import ORIGIN, Studio


def test_problems_are_those_of_the_command_line(studio: Studio) -> None:
    """Every problem at its line, in the same words; the frame keeps no report of such a text."""
    text = studio.text.replace("delta: 0.9", "delta: 1.9").replace("role: public", "role: pubic")
    with pytest.raises(InvalidInput) as found:
        parse_spec(text, studio.spec)
    wanted = [(each.location.line, each.location.column, each.message) for each in found.value.problems]
    for address in ("/draft", "/policy"):
        answer = studio.ask(address, text=text)
        assert not answer["ok"]
        assert [(each["line"], each["column"], each["message"]) for each in answer["problems"]] == wanted


def test_a_draft_is_a_page_with_the_figures_of_a_build(studio: Studio) -> None:
    """The page is the public one; in the frame its scripts do not run, in a tab of its own they belong to no site."""
    answer = studio.ask("/draft", text=studio.text)
    assert (answer["beta"], answer["cells"], answer["refused"]) == ("0.6750", 6, [])
    still, alive = (studio.stranger.get(f"/{kind}/{answer['page']}") for kind in ("page", "report"))
    assert "0.675" in still.text
    assert still.text == alive.text
    policy = still.headers["content-security-policy"]
    assert "script-src" not in policy
    assert "sandbox allow-same-origin" in policy
    policy = alive.headers["content-security-policy"]
    assert policy.endswith("sandbox allow-scripts")
    assert "default-src 'none'" in policy


def test_sliders_and_ceilings(studio: Studio) -> None:
    """β, lift, odds, the groups that bind and the verdicts, for the spec's own policy and for others."""
    own = studio.ask("/policy", text=studio.text)
    assert (own["beta"], own["policy"]["delta"], own["above"]) == ("0.6750", "0.9", {})
    assert own["binding"] == {"number": 1, "names": ["F"], "at_prior": False, "odds": own["binding"]["odds"]}
    assert own["verdicts"]["all"] == 2
    assert own["verdicts"]["decided"] == 0
    near = studio.ask("/policy", text=studio.text, policy={"delta": "1", "beta": "0.7"})
    assert near["beta"] == "1.0000"
    assert near["above"] == {"beta": 2}
    assert near["verdicts"]["decided"] == 2
    far = studio.ask("/policy", text=studio.text, policy={"delta": 0.8, "rates": 0.99})
    assert float(far["beta"]) >= 0.6
    exact = studio.ask("/policy", text=studio.text, policy={"delta": "0.9", "beta": "0.7"}, exactly=True)
    assert (exact["beta"], exact["lift"]) == ("0.6750", "4.5000")
    wrong = studio.ask("/policy", text=studio.text, policy={"delta": "1.5"})
    assert not wrong["ok"]
    assert "1.5" in wrong["problems"][0]["message"]


def test_a_draft_above_its_ceiling_is_shown_and_said_to_be_refused(studio: Studio) -> None:
    """One who sets a ceiling too low sees why, and the draft."""
    answer = studio.ask("/draft", text=studio.text.replace("beta: 0.7", "beta: 0.61"))
    assert answer["ok"]
    assert "refused" in answer["refused"][0]


def test_saving_is_verbatim_and_never_over_another_change(studio: Studio) -> None:
    """Comments, blanks and Windows line ends stay; a file that changed is not replaced unless one says so."""
    studio.spec.write_bytes(b"\xef\xbb\xbf" + studio.text.replace("\n", "\r\n").encode())
    seen = studio.stranger.get("/spec").json()
    assert "\r" not in seen["text"]
    text = seen["text"] + "#  a word \t at the end \n"
    saved = studio.ask("/save", text=text, version=seen["version"])
    assert saved["ok"]
    assert studio.spec.read_bytes() == b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    studio.spec.write_text("atreport: 1\n", encoding="utf-8")
    refused = studio.ask("/save", text=text, version=saved["version"])
    assert refused == {"ok": False, "changed": True}
    assert studio.text == "atreport: 1\n"
    assert studio.ask("/save", text=text, version="", overwrite=True)["ok"]
    assert studio.text == text


def test_a_link_to_a_spec_stays_one(studio: Studio, tmp_path: Path) -> None:
    """Saving goes to the file behind it."""
    real = studio.spec.rename(tmp_path / "real.yaml")
    studio.spec.symlink_to(real)
    version = studio.stranger.get("/spec").json()["version"]
    assert studio.ask("/save", text=studio.text + "# more\n", version=version)["ok"]
    assert studio.spec.is_symlink()
    assert real.read_text(encoding="utf-8").endswith("# more\n")


def test_two_tabs_get_their_own_answers(studio: Studio) -> None:
    """Both are answered, one after the other; of two questions of one tab the later counts."""
    texts = [studio.text, studio.text.replace("delta: 0.9", "delta: 0.8")]
    with ThreadPoolExecutor(2) as threads:
        asked = [
            threads.submit(studio.ask, "/draft", tab=f"tab {i}", text=text) for i, text in enumerate(texts)
        ]
        answers = [each.result() for each in asked]
    assert [answer["ok"] for answer in answers] == [True, True]
    assert answers[0]["beta"] == "0.6750"
    assert answers[1]["beta"] != "0.6750"
    with ThreadPoolExecutor(3) as threads:
        many = [threads.submit(studio.ask, "/draft", tab="tab", text=texts[0] + f"# {i}\n") for i in range(3)]
        answers = [each.result() for each in many]
    assert sum(bool(answer.get("ok")) for answer in answers) >= 1
    assert all(answer.get("ok") or answer == {"superseded": True} for answer in answers)


def test_news_of_a_file_that_changed(studio: Studio) -> None:
    """Tabs hear of a change by another program within a second or so."""
    number = studio.stranger.get("/spec").json()["news"]
    studio.spec.write_text(studio.text + "# more\n", encoding="utf-8")
    answer = studio.stranger.get("/news", params={"after": str(number)}).json()
    assert "file" in [each["kind"] for each in answer["news"]]


@pytest.mark.slow
def test_attacks_and_a_build(studio: Studio) -> None:
    """The attacks of the audit in its words; and a folder that is verified as any other."""
    answer = studio.ask("/attacks", text=studio.text)
    assert answer["ok"]
    assert answer["refused"] == []
    audited = atreport("audit", studio.spec).stdout
    assert all(part["heading"] in audited for part in answer["parts"])
    stale = studio.stranger.post("/build", json={"tab": "t", "version": "x"}, headers={"Origin": ORIGIN})
    assert stale.status_code == 409
    version = studio.stranger.get("/spec").json()["version"]
    built = studio.ask("/build", version=version, pdf=False)
    assert built["beta"] == "0.6750"
    assert "confidential/annex.html" in built["files"]
    report = json.loads((studio.output / "credit_card" / "public" / "report.json").read_bytes())
    assert report["privacy"]["beta"] == 0.675


def test_taking_over_a_policy(studio: Studio) -> None:
    """The text comes back with the policy in it; the file is not touched."""
    before = studio.text
    answer = studio.ask("/take-over", text=before, policy={"delta": "0.85", "beta": "0.8", "rates": None})
    assert "fidelity: {delta: 0.85}" in answer["text"]
    assert "privacy: {beta: 0.8}" in answer["text"]
    assert studio.text == before
    gamma = before.replace("privacy: {beta: 0.7}", "privacy: {gamma: 0.3}")
    assert studio.ask("/policy", text=gamma)["policy"]["beta"].startswith("0.7408")
    kept = studio.ask("/take-over", text=gamma, policy={"delta": "0.85"})["text"]
    assert "privacy: {gamma: 0.3}" in kept
    assert "privacy: {beta: 0.8}" in studio.ask("/take-over", text=gamma, policy={"beta": "0.8"})["text"]


def test_a_studio_without_its_libraries_says_what_to_install(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence with the extra's name, and exit code 2."""
    monkeypatch.setitem(__import__("sys").modules, "uvicorn", None)
    done = atreport("studio", studio.spec)
    assert done.returncode == 2
    assert "pip install 'atreport[studio]'" in done.stderr


def test_a_studio_on_no_file(tmp_path: Path) -> None:
    """It says so, and how to begin."""
    done = atreport("studio", tmp_path / "none.yaml")
    assert done.returncode == 2
    assert "atreport init" in done.stderr
