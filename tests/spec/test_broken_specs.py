"""Broken specs: each problem is reported at its exact line and column, in words that help."""

from pathlib import Path

import pytest

from atreport.errors import InvalidInput, SpecProblem
from atreport.spec.load import load_spec, parse_spec
from tests.example import EXAMPLE, changed

SCALE = "{scale: 0.5}"
ROW_3 = '{gender: F, income: ">200k", population: 3, approved: 1}'

# name: (edits, line, column, words of the message, words of the hint)
BROKEN: dict[str, tuple[list[tuple[str, str]], int, int, str, str]] = {
    "unknown section": ([("disclosure:", "disclosures:")], 31, 1, "unknown key 'disclosures'", "did you mean 'disclosure'?"),
    "unknown key": ([("  title:", "  titel:")], 3, 3, "unknown key 'titel'", "did you mean 'title'?"),
    "missing key": ([("  publisher: Example Financial Authority\n", "")], 2, 1, "'publisher' is missing in 'report'", "add"),
    "missing section": ([("policy:", "disclosure_:")], 1, 1, "'policy' is missing", "add 'policy: …'"),
    "wrong format version": ([("atreport: 1", "atreport: 2")], 1, 11, "reads format 1, not 2", ""),
    "duplicate key": ([("  version: 1.0.0\n", "  version: 1.0.0\n  title: Again\n")], 6, 3, "'title' appears twice", "line 3"),
    "alias": ([("publisher: Example Financial Authority", "publisher: *x")], 4, 14, "alias *x is not allowed", "write"),
    "anchor": ([("title: Credit", "title: &x Credit")], 3, 10, "anchor &x is not allowed", "remove"),
    "tag": ([("version: 1.0.0", "version: !!str 1.0.0")], 5, 12, "tag !!str is not allowed", "plain value"),
    "python tag": (
        [("version: 1.0.0", "version: !!python/name:os.system x")],
        5, 12, "tag !!python/name:os.system is not allowed", "plain value",
    ),
    "bad date": ([("2026-01-15", "15.1.2026")], 6, 9, "'15.1.2026' is not a date", ""),
    "impossible date": ([("2026-01-15", "2026-02-30")], 6, 9, "'2026-02-30' is not a date", ""),
    "other language": ([("date: 2026-01-15\n", "date: 2026-01-15\n  language: es\n")], 7, 13, "do not exist in 'es'; write one of en (English), fr", ""),
    "too many outcomes": ([("[denied, approved]", f"[{', '.join(map(str, range(13)))}]")], 10, 37, "at most 12 entries", ""),
    "outcome without a column": ([("[denied, approved]", "[denied, refer, approved]")], 15, 3, "column 'refer' is missing", ""),
    "favourable not an outcome": ([("favourable: approved", "favourable: aproved")], 10, 69, "not an outcome", "'approved'"),
    "wrong role": ([("role: public", "role: pubic")], 12, 43, "'pubic' is not allowed here", "did you mean 'public'?"),
    "value twice": ([("[F, M]", "[F, M, F]")], 12, 66, "'F' is listed twice", "remove one"),
    "attribute twice": ([("{name: income,", "{name: gender,")], 13, 14, "the name 'gender' is taken", "choose another"),
    "attribute named as column": ([("{name: gender,", "{name: population,")], 12, 14, "'population' is taken", "another"),
    "attribute named as guard": (
        [("{name: gender,", "{name: guarded,"), ("decimals: 4", "decimals: 4\n  small_cells: round")],
        12, 14, "'guarded' is taken", "another",
    ),
    "attribute named as outcome": ([("{name: gender,", "{name: denied,")], 12, 14, "'denied' is taken", "another"),
    "nothing sensitive": ([("role: sensitive", "role: private")], 11, 3, "no attribute is sensitive", "role: sensitive"),
    "two sources": ([("source:\n", "source:\n  cells: x.csv\n")], 15, 3, "exactly one of table, cells, records", ""),
    "missing file": ([(EXAMPLE[EXAMPLE.index("  table:") : EXAMPLE.index("policy:")], "  cells: no.csv\n")], 15, 10, "no file 'no.csv'", "relative"),
    "file outside": ([(EXAMPLE[EXAMPLE.index("  table:") : EXAMPLE.index("policy:")], "  cells: ../x.csv\n")], 15, 10, "outside the spec's folder", "keep"),
    "file of another kind": ([(EXAMPLE[EXAMPLE.index("  table:") : EXAMPLE.index("policy:")], "  cells: x.xlsx\n")], 15, 10, "not a CSV or Parquet file", "save its sheet as CSV"),
    "records": ([(EXAMPLE[EXAMPLE.index("  table:") : EXAMPLE.index("policy:")], "  records: x.csv\n")], 15, 12, "no file 'x.csv'", "relative"),
    "empty table": ([(EXAMPLE[EXAMPLE.index("  table:") : EXAMPLE.index("policy:")], "  table: []\n")], 15, 3, "column 'gender' is missing", ""),
    "unknown value": ([(ROW_3, ROW_3.replace(">200k", ">20k"))], 18, 27, "'>20k' is not a value of 'income'", "'>200k'"),
    "negative population": ([("population: 3", "population: -3")], 18, 48, "population -3 is negative", "number of people"),
    "fractional population": ([("population: 3", "population: 3.5")], 18, 48, "3.5 is not a whole number", "not a share"),
    "population in words": ([("population: 3", "population: three")], 18, 48, "'three' in column 'population' is not a number", "digits"),
    "probability too large": ([("approved: 0.5", "approved: 1.5")], 20, 65, "1.5 in column 'approved' is not a probability", "0 to 1"),
    "probabilities do not sum to 1": (
        [("approved: 0.5", "approved: 0.5, denied: 0.4")],
        20, 65, "sum to 0.9, not 1", "leave one column out",
    ),
    "row without a value": ([("gender: M, income: \">200k\", ", "income: \">200k\", ")], 21, 7, "row 6 has no 'gender'", "F, M"),
    "unknown column": ([("approved: 0.5", "aproved: 0.5")], 20, 55, "unknown column 'aproved'", "'approved'"),
    "duplicate cell": ([(ROW_3, ROW_3.replace(">200k", "<100k"))], 18, 16, "row 3 describes the same people as row 1", "join"),
    "delta too large": ([("delta: 0.9", "delta: 1.9")], 23, 21, "at most 1, not 1.9", ""),
    "alpha zero": ([("delta: 0.9", "alpha: 0")], 23, 21, "more than 0", ""),
    "two fidelities": ([("delta: 0.9", "delta: 0.9, alpha: 0.9")], 23, 13, "exactly one of delta, alpha, bounds", ""),
    "quoted number": ([("delta: 0.9", 'delta: "0.9"')], 23, 21, "is a text", ""),
    "truth value for a number": ([("delta: 0.9", "delta: yes")], 23, 21, "'yes' is not a number", ""),
    "sexagesimal is no number": ([("decimals: 4", "decimals: 1:30")], 25, 13, "'1:30' is not a number", ""),
    "too many decimals": ([("decimals: 4", "decimals: 12")], 25, 13, "from 1 to 9, not 12", ""),
    "fidelity without ceiling": (
        [("  privacy: {beta: 0.7}\n", "  objective: fidelity\n")], 24, 14, "needs a privacy ceiling", "privacy: {beta",
    ),
    "rates alone": ([("{delta: 0.9}", "{rates: 0.99}")], 23, 13, "exactly one of delta, alpha, bounds beside rates (found none)", ""),
    "rates above one": ([("{delta: 0.9}", "{delta: 0.9, rates: 1.5}")], 23, 33, "must be more than 0 and at most 1, not 1.5", ""),
    "rates zero": ([("{delta: 0.9}", "{delta: 0.9, rates: 0}")], 23, 33, "must be more than 0", ""),
    "rates in other words": ([("{delta: 0.9}", "{delta: 0.9, rates: exact}")], 23, 33, "'exact' is not a number; write a number such as 0.99, 1 (exact), or best", ""),
    "best rates at the best fidelity": (
        [("{delta: 0.9}", "{delta: 0.9, rates: best}"), ("decimals: 4", "objective: fidelity")], 23, 33, "objective 'fidelity' looks for the fidelity", "a number such as 0.99",
    ),
    "rates on a grid": (
        [("{delta: 0.9}", "{delta: 0.9, rates: 0.99}"), ("decimals: 4", "mechanism: calibrated")], 23, 26, "it cannot keep the rates", "mechanism: optimal",
    ),
    "no ceiling": ([("{beta: 0.7}", "{}")], 24, 12, "at least one of beta (or gamma), lift, odds", ""),
    "beta and gamma": ([("{beta: 0.7}", "{beta: 0.7, gamma: 0.3}")], 24, 12, "beta or gamma, not both", ""),
    "lift below one": ([("{beta: 0.7}", "{lift: 0.7}")], 24, 19, "must be at least 1, not 0.7", ""),
    "odds below one": ([("{beta: 0.7}", "{odds: 0}")], 24, 19, "must be at least 1, not 0", ""),
    "odds out of reach": ([("{beta: 0.7}", "{odds: 1e999999999}")], 24, 19, "too large", ""),
    "misspelt ceiling": ([("{beta: 0.7}", "{beta: 0.7, lifts: 2}")], 24, 24, "unknown key 'lifts'", "did you mean 'lift'?"),
    "nothing to minimise": ([("decimals: 4", "minimise: []")], 25, 13, "at least one of odds, beta, lift", ""),
    "minimised twice": ([("decimals: 4", "minimise: [beta, beta]")], 25, 13, "'beta' is listed twice", ""),
    "odds in between": ([("decimals: 4", "minimise: [beta, odds, lift]")], 25, 13, "only stand first or last", ""),
    "unknown aim": ([("decimals: 4", "minimise: [bta]")], 25, 14, "'bta' is not allowed here", "did you mean 'beta'?"),
    "one aim without brackets": ([("decimals: 4", "minimise: beta")], 25, 13, "expected a list", ""),
    "grid of a mechanism without one": ([("decimals: 4", "grid: wide")], 25, 3, "mechanism 'optimal' has no grid", "mechanism: calibrated"),
    "unknown grid": ([("decimals: 4", "mechanism: calibrated\n  grid: narrow")], 26, 9, "'narrow' is not allowed here", "wide"),
    "grid that is gone": ([("decimals: 4", "mechanism: calibrated\n  grid: even")], 26, 9, "no 'even' grid any more", "leave 'grid' out"),
    "ceiling for an unknown value": (
        [('">200k"]}', '">200k"], ceilings: {">20k": 0.2}}')], 13, 113, "'>20k' is not a value of 'income'", "did you mean '>200k'?",
    ),
    "ceiling above one": ([('">200k"]}', '">200k"], ceilings: {">200k": 20}}')], 13, 122, "more than 0 and at most 1, not 20", ""),
    "ceiling of a public value": ([("[F, M]}", "[F, M], ceilings: {F: 0.5}}")], 12, 67, "'gender' is public: only values of a sensitive attribute", "role: sensitive"),
    "unknown measure": ([("measure: statistical_parity", "measure: statistical_party")], 27, 15, "unknown measure", "statistical_parity"),
    "measure without a name": ([("{measure: statistical_parity, ", "{")], 27, 5, "'measure' is missing", "add"),
    "unknown group attribute": ([("groups: gender", "groups: gendr")], 27, 43, "no attribute 'gendr'", "'gender'"),
    "unknown condition value": (
        [("groups: gender, p: 0.8", "groups: {a: {gender: F}, b: {gender: X}}")], 29, 68, "'X' is not a value", "F, M",
    ),
    "given defines the groups": ([("given: income", "given: gender")], 28, 70, "already defines the groups", "another"),
    "unknown distance": ([("distance: {gender: 0", "distance: {gendr: 0")], 30, 63, "no attribute 'gendr'", "'gender'"),
    "groups by an unknown attribute": ([("groups: gender, threshold", "groups: [gender, incom], threshold")], 27, 52, "no attribute 'incom'", "'income'"),
    "groups by one attribute twice": ([("groups: gender, threshold", "groups: [gender, gender], threshold")], 27, 52, "'gender' is listed twice", "remove one"),
    "groups by a list of one": ([("groups: gender, threshold", "groups: [gender], threshold")], 27, 43, "at least 2 entries", ""),
    "given among the groups": ([("groups: gender, given", "groups: [gender, income], given")], 28, 80, "already defines the groups", "another"),
    "other outcomes": ([("gender, p: 0.8", "gender, outcomes: some")], 29, 57, "'some' is not allowed here", "favourable, all"),
    "estimated from what": (
        [("  outcome: {name", "  estimated_from: thin air\n  outcome: {name")], 10, 19, "'thin air' is not allowed here", "records",
    ),
    "matrix of the wrong size": ([(SCALE, "{matrix: [[0, 1], [1, 0]]}")], 30, 83, "3 values, and the matrix has 2 rows", "order of the values"),
    "uneven matrix": ([(SCALE, "{matrix: [[0, 1, 2], [1, 0], [2, 1, 0]]}")], 30, 103, "this row has 2 entries", "order of the values"),
    "matrix with a diagonal": ([(SCALE, "{matrix: [[0, 1, 2], [1, 0, 1], [2, 1, 1]]}")], 30, 121, "from itself is 1", "0 on the diagonal"),
    "matrix that is not symmetric": (
        [(SCALE, "{matrix: [[0, 1, 2], [1, 0, 1], [2, 3, 0]]}")],
        30, 118, "'100k-200k' and '>200k' is 1 above the diagonal and 3 below it", "both ways",
    ),
    "negative distance": ([(SCALE, "{matrix: [[0, -1, 2], [-1, 0, 1], [2, 1, 0]]}")], 30, 96, "at least 0, not -1", ""),
    "values are no numbers": ([(SCALE, "{numbers: values, scale: 0.5}")], 30, 92, "'<100k' is a value of 'income' and not a number", "numbers: {"),
    "number for an unknown value": ([(SCALE, "{numbers: {<100k: 50, 100k-200k: 150, 200k: 250}, scale: 0.5}")], 30, 120, "'200k' is not a value of 'income'", "did you mean"),
    "value without a number": ([(SCALE, "{numbers: {<100k: 50, 100k-200k: 150}, scale: 0.5}")], 30, 83, "'>200k' has no number", "add '>200k: …'"),
    "distance out of reach": ([(SCALE, "1e999999999")], 30, 82, "too large", ""),
    "unknown key of a distance": ([(SCALE, "{numbrs: values, scale: 0.5}")], 30, 83, "unknown key 'numbrs'", "'numbers'"),
    "tab": ([("  title: Credit", "\ttitle: Credit")], 3, 1, "not valid YAML", "tabs"),
    "colon in a text": ([("title: Credit card", "title: Credit: card")], 3, 16, "not valid YAML", "quotes"),
    "unclosed brace": ([("{delta: 0.9}", "{delta: 0.9")], 24, 10, "not valid YAML", ""),
    "second document": ([("disclosure:", "---\ndisclosure:")], 31, 1, "a second document", "one document"),
}  # fmt: skip


def _problems(text: str, path: str | Path = "spec.yaml") -> tuple[SpecProblem, ...]:
    with pytest.raises(InvalidInput) as caught:
        parse_spec(text, path)
    return caught.value.problems


@pytest.mark.parametrize("name", BROKEN)
def test_problem_is_reported_at_its_line_and_column(name: str) -> None:
    """Every broken spec is answered at the exact place, with what is wrong and what to write instead."""
    edits, line, column, message, hint = BROKEN[name]
    problems = _problems(changed(*edits))
    at_place = [p for p in problems if (p.location.line, p.location.column) == (line, column)]
    assert at_place, [str(p) for p in problems]
    assert any(message in p.message and hint in (p.hint or "") for p in at_place), [str(p) for p in at_place]


def test_all_problems_are_reported_at_once() -> None:
    """Problems in different sections, of different kinds, come in one answer, in file order."""
    text = changed(
        ("  title:", "  titel:"),
        ("role: public", "role: pubic"),
        ("delta: 0.9", "delta: 1.9"),
        ("p: 0.8", 'p: "0.8"'),
    )
    problems = _problems(text)
    lines = [p.location.line for p in problems]
    assert lines == sorted(lines, key=lambda line: line or 0)
    assert {2, 3, 12, 23, 29} <= set(lines)


def test_misspelt_key_does_not_hide_problems_in_the_table() -> None:
    """An unknown key is reported and then ignored, so the checks across sections still run."""
    text = changed(("label: Gender", "lable: Gender"), ("population: 3", "population: -3"))
    assert [p.location.line for p in _problems(text)] == [12, 18]


def test_message_shows_the_line_and_points_at_the_column() -> None:
    """A message can be read without opening the file."""
    (problem,) = _problems(changed(("delta: 0.9", "delta: 1.9")))
    assert str(problem).splitlines() == [
        "spec.yaml:23:21: must be at least 0 and at most 1, not 1.9",
        "   23 |   fidelity: {delta: 1.9}",
        "      |                     ^",
    ]


def test_many_wrong_rows_are_summed_up() -> None:
    """A thousand wrong rows do not make a thousand messages."""
    rows = "".join(
        f'    - {{gender: X{i}, income: "<100k", population: 1, approved: 0}}\n' for i in range(1000)
    )
    text = EXAMPLE.replace("policy:", rows + "policy:")
    problems = _problems(text)
    assert len(problems) == 21
    assert "and 980 more rows" in problems[-1].message


@pytest.mark.parametrize("depth", [40, 5000, 100_000])
def test_deep_nesting_is_refused_not_crashed_on(depth: int) -> None:
    """Nesting is capped before any recursion."""
    (problem,) = _problems("a: " + "[" * depth)
    assert "nested more than" in problem.message


def test_oversized_file_is_refused(tmp_path: Path) -> None:
    """A huge file is refused by its size, before it is parsed."""
    path = tmp_path / "huge.yaml"
    path.write_bytes(b"# " + b"x" * (9 * 1024 * 1024))
    with pytest.raises(InvalidInput, match="larger than 8 MiB"):
        load_spec(path)


def test_not_utf8_is_reported_at_the_byte(tmp_path: Path) -> None:
    """An old encoding is recognised, with its place."""
    path = tmp_path / "latin.yaml"
    path.write_bytes("atreport: 1\nreport: Zürich\n".encode("latin-1"))
    with pytest.raises(InvalidInput) as caught:
        load_spec(path)
    assert (caught.value.problems[0].location.line, caught.value.problems[0].location.column) == (2, 10)


@pytest.mark.parametrize(
    ("text", "words"), [("", "is empty"), ("- a\n", "key: value"), ("42\n", "key: value")]
)
def test_not_a_spec_at_all(text: str, words: str) -> None:
    """Something that is not a mapping is said to be so."""
    assert words in str(_problems(text)[0])


def test_missing_file_and_folder(tmp_path: Path) -> None:
    """A path that is not a file is answered plainly."""
    with pytest.raises(InvalidInput, match="no such file"):
        load_spec(tmp_path / "nothing.yaml")
    with pytest.raises(InvalidInput, match="is a folder"):
        load_spec(tmp_path)


def test_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    """A symbolic link does not lead out of the spec's folder tree."""
    (tmp_path / "outside.csv").write_text("secret\n")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link.csv").symlink_to(tmp_path / "outside.csv")
    table = EXAMPLE[EXAMPLE.index("  table:") : EXAMPLE.index("policy:")]
    problems = _problems(EXAMPLE.replace(table, "  cells: link.csv\n"), inside / "spec.yaml")
    assert "outside the spec's folder" in problems[0].message
