"""The command line as a user meets it: messages, streams, exit codes, never a traceback."""

import json
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from atreport import cli
from atreport.api.check import audit, tradeoff
from atreport.cli import COMMANDS, load_command
from atreport.cli.show import RunningStage, with_bar
from atreport.export.files import make_wanted
from atreport.report.writer import report_schema
from atreport.spec.validation import spec_schema
from tests.command_line import ROOT, atreport, atreport_process
from tests.example import write_example


def test_help_names_every_command_and_imports_nothing_heavy() -> None:
    """`--help` must answer at once, so neither it nor `import atreport` may import NumPy, pandas, pydantic or YAML."""
    code = (
        "import sys; sys.argv = ['atreport', '--help']\n"
        "from atreport.cli import main\n"
        "try: main()\nexcept SystemExit as stop: assert not stop.code\n"
        "print(sorted({'numpy', 'pandas', 'pydantic', 'yaml', 'matplotlib', 'weasyprint', 'duckdb'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")
    listed = [line.split()[0] for line in done.stdout.split("Commands:")[1].splitlines() if line[:3].strip()]
    assert [name for name in listed if name in COMMANDS] == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_itself(name: str) -> None:
    """A command is imported when called, so its first sentence is written twice: both must be the same."""
    command = load_command(name)
    assert command.name == name
    assert command.get_short_help_str(1000) == COMMANDS[name]


@pytest.mark.parametrize(
    ("arguments", "early"),
    [
        ("build one.yaml", True),
        ("build -q -o out one.yml", True),
        ("build one.yaml two.yaml", False),
        ("build specs", False),
        ("build one.yaml --formats json", False),
        ("build one.yaml --formats=json", False),
        ("build one.yaml --help", False),
        ("check one.yaml", False),
        ("", False),
    ],
)
def test_only_one_report_with_its_pdf_has_a_head_start(arguments: str, early: bool, monkeypatch) -> None:
    """A process that sets pages takes a second to come ready: none is started that would not be used."""
    started: list[tuple[str, str]] = []

    def prestart(module: str, name: str) -> nullcontext[None]:
        started.append((module, name))
        return nullcontext()

    monkeypatch.setattr(cli, "prestart", prestart)
    with cli._head_start(arguments.split()):
        assert started == ([(make_wanted.__module__, make_wanted.__name__)] if early else [])


def test_build_prints_paths_on_stdout_and_talk_on_stderr(tmp_path: Path) -> None:
    """Stdout is data, stderr is talk."""
    done = atreport("build", write_example(tmp_path), "-o", tmp_path / "out", "--formats", "json")
    assert done.returncode == 0
    assert all(Path(line).is_file() for line in done.stdout.splitlines())
    assert "β = 0.6750" in done.stderr


def test_build_as_json(tmp_path: Path) -> None:
    """`--json` gives one object for scripts."""
    done = atreport(
        "build", write_example(tmp_path), "-o", tmp_path / "out", "--formats", "json,html", "--json"
    )
    result = json.loads(done.stdout)
    assert result["ok"] is True
    assert result["results"][0]["beta"] == 0.675
    assert {Path(file).name for file in result["results"][0]["files"]} >= {"report.json", "report.html"}


def test_verbose_names_the_stages(tmp_path: Path) -> None:
    """Every step is named as it begins, once and in order."""
    done = atreport("build", write_example(tmp_path), "-o", tmp_path / "out", "--formats", "html", "-v")
    said = [line.rsplit(": ", 1)[1] for line in done.stderr.splitlines() if ": " in line]
    steps = ["spec", "data", "mechanism", "announcement", "measures", "explanations"]
    steps += ["publication", "attacks", "annex", "pages", "write"]
    assert [word for word in said if word in steps] == steps


def test_bad_spec_exits_2_with_place_and_hint(tmp_path: Path) -> None:
    """One clear message, nothing written."""
    spec = write_example(tmp_path, ("role: public", "role: pubic"))
    done = atreport("build", spec, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert f"{spec}:12:43: 'pubic' is not allowed here" in done.stderr
    assert "did you mean 'public'?" in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "out").exists()


def test_refusal_exits_3_and_reveals_nothing(tmp_path: Path) -> None:
    """Publishing would break the policy: exit 3, no true value, nothing written."""
    spec = write_example(tmp_path, ("beta: 0.7", "beta: 0.65"), ("approved: 0.5", "approved: 0.51739"))
    done = atreport("build", spec, "-o", tmp_path / "out")
    assert done.returncode == 3
    assert "refused" in done.stderr
    assert "51739" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_one_bad_spec_does_not_stop_the_others(tmp_path: Path) -> None:
    """Each spec is answered; the exit code is the worst."""
    good = write_example(tmp_path, name="good.yaml")
    bad = write_example(tmp_path, ("delta: 0.9", "delta: 9"), name="bad.yaml")
    refused = write_example(tmp_path, ("beta: 0.7", "beta: 0.6"), name="refused.yaml")
    done = atreport("build", bad, good, refused, "-o", tmp_path / "out", "--formats", "json", "-j", 1)
    assert done.returncode == 3
    assert (tmp_path / "out" / "good" / "public" / "report.json").exists()
    assert not (tmp_path / "out" / "bad").exists()


def test_check_shows_beta_and_small_cells(tmp_path: Path) -> None:
    """What a compliance officer wants to know before building; writes nothing."""
    done = atreport("check", write_example(tmp_path), "--details")
    assert done.returncode == 0
    for words in ("β = 0.6750", "gender=F", "small cells: 5", "ceiling    beta 0.7: kept"):
        assert words in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["example.yaml"]


def test_check_as_json_reports_problems_and_results(tmp_path: Path) -> None:
    """Good, bad and refused specs in one answer."""
    good = write_example(tmp_path, name="good.yaml")
    bad = write_example(tmp_path, ("delta: 0.9", "delta: 9"), name="bad.yaml")
    refused = write_example(tmp_path, ("beta: 0.7", "beta: 0.6"), name="refused.yaml")
    done = atreport("check", good, bad, refused, "--json")
    assert done.returncode == 3
    results = json.loads(done.stdout)["results"]
    assert [result["ok"] for result in results] == [True, False, False]
    assert results[1]["problems"][0]["line"] == 23
    assert results[2]["within_ceiling"] is False
    assert len(results[0]["small_cells"]) == 5
    assert results[0]["refusals"] == []
    assert results[0]["verdicts"] == {"cannot_tell": 2}
    assert "the report would not keep the policy's ceiling" in results[2]["refusals"][0]


def test_init_starts_a_spec_that_builds(tmp_path: Path) -> None:
    """What `init` writes passes `check` and `build`, and carries the modeline for editors."""
    assert atreport("init", tmp_path / "new").returncode == 0
    spec = tmp_path / "new" / "report.yaml"
    assert spec.read_text().startswith("# yaml-language-server: $schema=atreport.schema.json\n")
    assert json.loads((tmp_path / "new" / "atreport.schema.json").read_text()) == spec_schema()
    assert atreport("check", spec).returncode == 0
    assert atreport("build", spec, "-o", tmp_path / "out", "--formats", "json").returncode == 0


def test_init_overwrites_nothing(tmp_path: Path) -> None:
    """An existing spec is safe."""
    (tmp_path / "report.yaml").write_text("mine")
    done = atreport("init", tmp_path)
    assert done.returncode == 2
    assert (tmp_path / "report.yaml").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["report.yaml"]


def test_both_schemas_are_printed() -> None:
    """Both schemas are printed: that of the spec as it is shipped, that of report.json as the Report gives it."""
    assert json.loads(atreport("schema").stdout) == spec_schema()
    assert json.loads(atreport("schema", "--report").stdout) == report_schema()


@pytest.mark.parametrize(
    "arguments",
    [
        ["build"],
        ["bild"],
        ["build", "--formats", "docx", "x.yaml"],
        ["build", "--nonsense"],
        ["check", "nothing.yaml"],
    ],
)
def test_misuse_exits_2(arguments: list[str]) -> None:
    """Usage errors, unknown formats, missing files."""
    done = atreport(*arguments)
    assert done.returncode == 2
    assert done.stderr.strip()


def test_unexpected_errors_are_one_line_without_detail(tmp_path: Path, monkeypatch, capsys) -> None:
    """A bug shows neither a traceback nor a value that may be confidential."""
    from atreport import cli

    def explode(**arguments: object) -> None:
        raise RuntimeError("the secret is 0.51739")

    monkeypatch.setattr(cli, "app", explode)
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 2
    said = capsys.readouterr().err
    assert "internal error (RuntimeError" in said
    assert "51739" not in said


def test_long_stages_have_a_bar() -> None:
    """On a terminal, a stage that says how much of it is done is drawn as a bar."""
    assert with_bar("solver") == "solver"
    assert with_bar("transparency 25%") == "transparency ━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 25%"
    assert with_bar("attacks 3 of 12") == "attacks ━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 3 of 12"
    assert with_bar("one of 0") == "one of 0"


def test_a_running_stage_says_since_when() -> None:
    """After a second the stage is shown with the time that has passed; before that, alone."""
    running = RunningStage(Path("a.yaml"))
    running.stage = "attacks"
    assert str(running.__rich__()) == "a.yaml: attacks"
    running.began -= 75
    assert str(running.__rich__()) == "a.yaml: attacks  1:15"


def test_long_work_tells_how_much_is_done(tmp_path: Path) -> None:
    """The attacks of an audit and the policies of a trade-off are counted, up to the last."""
    told: list[str] = []
    audit(write_example(tmp_path), told.append)
    tradeoff(write_example(tmp_path), told.append)
    counted = [stage.rsplit(" ", 3) for stage in told if " of " in stage]
    ended = {stage for stage, done, _, number in counted if done == number}
    assert ended == {"attacks", "other policies"}


def test_quiet_leaves_data_and_warnings(tmp_path: Path) -> None:
    """With --quiet a build says nothing on stderr where there is nothing to warn of; stdout is as ever."""
    spec = write_example(tmp_path)
    done = atreport("build", spec, "-o", tmp_path / "out", "--formats", "json", "--quiet")
    assert "report.json" in done.stdout
    assert "built, β" not in done.stderr


def test_a_process_says_all_before_it_ends(tmp_path: Path) -> None:
    """It ends at once, without being taken apart, and yet no word and no exit code is lost, also through a pipe."""
    done = atreport_process("check", write_example(tmp_path), "--json")
    assert json.loads(done.stdout)["ok"]
    assert atreport_process("check", tmp_path / "none.yaml").returncode == 2


@pytest.mark.parametrize("environment", [{"FORCE_COLOR": ""}, {"NO_COLOR": "1"}], ids=str)
def test_no_color_codes_when_piped(tmp_path: Path, environment: dict[str, Any]) -> None:
    """Output to a pipe is plain text."""
    spec = write_example(tmp_path)
    assert "\x1b[" not in atreport("check", spec, FORCE_COLOR="").stdout
    assert "\x1b[" not in atreport("check", spec, NO_COLOR="1").stdout


def test_version() -> None:
    """`--version` prints it and exits with 0."""
    from atreport import __version__

    assert atreport("--version").stdout == f"atreport {__version__}\n"


@pytest.mark.parametrize("command", ["check", "diff", "sign", "stamp"])
def test_commands_that_talk_can_be_quiet(command: str) -> None:
    """Who runs a command from a script asks for results, warnings and errors, and nothing else."""
    assert "--quiet" in atreport(command, "--help").stdout


def test_a_quiet_comparison_says_nothing_of_its_page(tmp_path: Path) -> None:
    """`--quiet` leaves out where the page went, and writes it all the same."""
    spec, page = write_example(tmp_path), tmp_path / "diff.html"
    assert str(page) in atreport("diff", spec, spec, "--html", page).stderr
    assert not atreport("diff", spec, spec, "--html", page, "--quiet").stderr
    assert page.exists()


def test_shells_complete_commands_and_options() -> None:
    """What `--install-completion` puts into a shell would complete nothing: commands by name, options of the command."""
    for words, place, expected in (
        ("atreport ver", "1", ["verify"]),
        ("atreport build --form", "2", ["--formats"]),
    ):
        done = atreport_process(COMP_WORDS=words, COMP_CWORD=place, _ATREPORT_COMPLETE="complete_bash")
        assert done.stdout.split() == expected
