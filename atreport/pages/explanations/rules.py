"""The announced rule in other words: exact sentences, simpler rules that come close to it, and what is enough to know."""

from collections.abc import Iterator, Sequence

from atreport.pages.explanations.blocks import (
    Block,
    ShownKinds,
    closeness_text,
    condition_text,
    furthest,
    left_out,
    percent_run,
    plot_rules,
    record_text,
    rules_of,
    titled,
)
from atreport.pages.panels import MAX_MARKS, Dots, Mark, Plot, rows_that_fit
from atreport.report.explanation import Anchor, Rule, RuleSet, Scheme
from atreport.report.figures import Condition
from atreport.report.model import Report
from atreport.spec.process import Process
from atreport.text.language import count, gettext, message, ngettext, quote
from atreport.text.numbers import full_percent, full_percent_interval, signed, signed_hundredths
from atreport.text.tables import MAX_ROWS, Column, Table, make_table


def _rules_table(
    id: str, caption: str, columns: Sequence[Column], rows: Sequence[tuple[list[str], Rule]]
) -> Table:
    """Rules, each with what stands before its probability; the columns are those of that, and of the probability."""
    shares = all(rule.share is not None for _, rule in rows)
    return make_table(
        id,
        caption,
        [*columns, *([Column(gettext("Share of people"), numeric=True)] if shares else [])],
        [
            [*before, full_percent(rule.probability), *([full_percent(rule.share)] if shares else [])]
            for before, rule in rows[:MAX_ROWS]
        ],
        left_out(len(rows), message("{shown} of {total} rules are shown. report.json has all of them.")),
    )


def _if_then(process: Process, rule_set: RuleSet, caption: str, probability: str) -> Table:
    """If–then rules, or the leaves of a tree."""
    columns = [Column(gettext("If"), names_row=True), Column(probability, numeric=True)]
    rows = [([condition_text(process, rule.condition)], rule) for rule in rule_set.rules or ()]
    return _rules_table(f"rules-{rule_set.scheme}", caption, columns, rows)


# The announced rule in a few sentences; the rule itself has a chart of its own.


def _exact(report: Report) -> Iterator[Block]:
    """The sentences, if there are few."""
    caption = gettext(
        "The announced rule: if … then “{favourable}” with probability …",
        favourable=report.process.outcome.favourable,
    )
    for rule_set in rules_of(report, "exact"):
        yield Block(
            id="rules-in-words",
            title=gettext("The announced rule in a few sentences"),
            paragraphs=(_follows(len(report.cells), len(rule_set.rules or ())),),
            tables=(_if_then(report.process, rule_set, caption, gettext("Announced")),),
        )


def _follows(cells: int, sentences: int) -> str:
    """How much is said in how few words."""
    size = ngettext(cells, "The announced rule has {number} cell.", "The announced rule has {number} cells.")
    holds = ngettext(
        sentences,
        "All of it follows from {number} sentence, which holds for everybody in this report.",
        "All of it follows from {number} sentences. For everybody in this report, exactly one of them holds.",
    )
    return f"{size} {holds}"


# A decision tree that comes close to the rule.


def _tree(report: Report) -> Iterator[Block]:
    """The tree as a list of its leaves."""
    caption = gettext(
        "The tree: if … then “{favourable}” with probability …", favourable=report.process.outcome.favourable
    )
    for rule_set in rules_of(report, "tree"):
        closeness = closeness_text(report, rule_set, gettext("Tree"))
        questions = ngettext(
            rule_set.depth or 0,
            "This is a decision tree that asks at most {number} question about a person.",
            "This is a decision tree that asks at most {number} questions about a person.",
        )
        yield Block(
            id="tree",
            title=gettext("A simpler rule that comes close"),
            paragraphs=(f"{questions} {closeness}",),
            tables=(_if_then(report.process, rule_set, caption, gettext("Announced rate")),),
        )


def _plot_tree(report: Report) -> Iterator[Plot]:
    """The leaves, and the cells each stands for."""
    for rule_set in rules_of(report, "tree"):
        title = gettext(
            "A tree of depth {depth}, and the rule it stands for", depth=count(rule_set.depth or 0)
        )
        leaves = [(rule.condition, rule.probability) for rule in rule_set.rules or ()]
        yield plot_rules(report, "chart-tree", title, leaves)


# Regions in which one attribute decides.


def _regions(report: Report) -> Iterator[Block]:
    """The regions, with the rule in each."""
    for rule_set in rules_of(report, "regions"):
        closeness = closeness_text(report, rule_set, gettext("Regions"))
        number = ngettext(
            len(rule_set.regions or ()),
            "The people in this report are in {number} region. One attribute says most about the outcome in it.",
            "The people fall into {number} regions. In each of them, one attribute says most about the outcome.",
        )
        yield Block(
            id="regions",
            title=gettext("Regions in which one attribute decides"),
            paragraphs=(f"{number} {closeness}",),
            tables=(_regions_table(report.process, rule_set),),
        )


def _regions_table(process: Process, rule_set: RuleSet) -> Table:
    def decides(attribute: str | None, condition: Condition) -> str:
        return gettext("no difference is made") if attribute is None else condition_text(process, condition)

    columns = [
        Column(gettext("Region"), names_row=True, said_once=True),
        Column(gettext("Rule in it"), names_row=True),
        Column(gettext("Announced rate"), numeric=True),
    ]
    rows = [
        ([condition_text(process, region.condition), decides(region.attribute, rule.condition)], rule)
        for region in rule_set.regions or ()
        for rule in region.rules
    ]
    return _rules_table("regions", gettext("Regions, and the rule in each"), columns, rows)


def _plot_regions(report: Report) -> Iterator[Plot]:
    """The rules of all regions, and the cells each stands for."""
    for rule_set in rules_of(report, "regions"):
        rules = [
            ({**region.condition, **rule.condition}, rule.probability)
            for region in rule_set.regions or ()
            for rule in region.rules
        ]
        title = gettext("Regions with a rule each, and the rule they stand for")
        yield plot_rules(report, "chart-regions", title, rules)


# What each value adds, in a linear model, a logistic one, or both.

_LINEAR, _LOGISTIC = message("Linear model"), message("Logistic model")
_NAMES: dict[Scheme, str] = {"linear": _LINEAR, "logistic": _LOGISTIC}
_HEADINGS: dict[Scheme, str] = {"linear": _LINEAR, "logistic": message("Logistic model (log odds)")}
_TITLES: dict[Scheme, str] = {
    "linear": message("What each value adds in a linear model"),
    "logistic": message("What each value adds in a logistic model"),
}
_AXES: dict[Scheme, str] = {
    "linear": message("Linear model: percentage points"),
    "logistic": message("Logistic model: log odds"),
}


def _models(report: Report) -> Iterator[Block]:
    """The models side by side."""
    process, models = report.process, rules_of(report, "linear", "logistic")
    if not models:
        return
    yield Block(
        id="models",
        title=gettext("What each value adds"),
        paragraphs=(
            gettext(
                "A simple model gives every value a fixed amount: start from the base and add the amounts of a person’s "
                "values. An amount above 0 speaks for “{favourable}”, one below 0 against it.",
                favourable=process.outcome.favourable,
            ),
            " ".join(closeness_text(report, model, gettext(_NAMES[model.scheme])) for model in models),
        ),
        tables=(_models_table(process, models),),
    )


def _models_table(process: Process, models: Sequence[RuleSet]) -> Table:
    amounts = [model.coefficients or () for model in models]
    return make_table(
        "models",
        gettext(
            "What each value adds, compared with the first value of its attribute; linear in percentage points"
        ),
        [
            Column(gettext("Attribute"), names_row=True),
            Column(gettext("Value"), names_row=True),
            *(Column(gettext(_HEADINGS[model.scheme]), numeric=True) for model in models),
        ],
        [
            [
                gettext("Base") if place.attribute is None else process.attribute(place.attribute).title,
                gettext("first values") if place.value is None else place.value,
                *(
                    signed_hundredths(of_model[i].amount)
                    if model.scheme == "linear"
                    else signed(of_model[i].amount)
                    for model, of_model in zip(models, amounts, strict=True)
                ),
            ]
            for i, place in enumerate(amounts[0][:MAX_ROWS])
        ],
        left_out(
            len(amounts[0]), message("{shown} of {total} values are shown. report.json has all of them.")
        ),
    )


def _plot_models(report: Report) -> Iterator[Plot]:
    """A chart for each model that adds anything."""
    for model in rules_of(report, "linear", "logistic"):
        if each := _marks(report.process, model):
            yield _plot_model(model, each)


def _plot_model(model: RuleSet, each: Sequence[Mark]) -> Plot:
    marks = furthest(each)
    shows = ngettext(
        len(marks),
        "Dot plot of what {number} value adds: left of 0 speaks against, right of 0 in favour. The highest amount is that "
        "of {highest}.",
        "Dot plot of what {number} values add: left of 0 speaks against, right of 0 in favour. The highest amount is that "
        "of {highest}.",
        highest=max(marks, key=lambda mark: mark.value).label,
    )
    return Plot(
        id=f"chart-model-{model.scheme}",
        title=titled(gettext(_TITLES[model.scheme]), marks, each),
        alt=shows,
        panels=(
            Dots(
                marks=marks,
                axis=gettext(_AXES[model.scheme]),
                band="",
                dot=gettext("compared with the first value"),
                signed=True,
                logarithm=model.scheme == "logistic",
            ),
        ),
    )


def _marks(process: Process, model: RuleSet) -> list[Mark]:
    return [
        Mark(
            gettext("{attribute}: {value}", attribute=process.attribute(c.attribute).title, value=c.value),
            amount,
            amount,
            amount,
        )
        for c in model.coefficients or ()
        if c.attribute is not None
        for amount in [float(c.amount)]
    ]


# What is enough to know of a record.


def _anchors_of(report: Report) -> list[Anchor]:
    return [each.anchor for each in rules_of(report, "anchor") if each.anchor is not None]


def _anchors(report: Report) -> Iterator[Block]:
    """All anchors in one table."""
    if anchors := _anchors_of(report):
        yield Block(
            id="anchors",
            title=gettext("What is enough to know"),
            paragraphs=(
                gettext(
                    "An anchor is the smallest part of a record that is enough to know: among all people who share it, "
                    "the record’s likeliest announced outcome follows as often as was asked for."
                ),
            ),
            tables=(_anchors_table(report.process, anchors),),
        )


def _anchors_table(process: Process, anchors: Sequence[Anchor]) -> Table:
    coverage = all(anchor.coverage is not None for anchor in anchors)
    return make_table(
        "anchors",
        gettext("The anchor of each record"),
        [
            Column(gettext("Record"), names_row=True),
            Column(gettext("Likeliest outcome"), said_once=True),
            Column(gettext("Enough to know")),
            Column(gettext("Outcome follows in"), numeric=True),
            Column(gettext("True figure lies in"), numeric=True),
            *([Column(gettext("Holds for"), numeric=True)] if coverage else []),
        ],
        [
            [
                record_text(process, anchor.record),
                quote(anchor.outcome),
                gettext("nothing reaches {precision}", precision=full_percent(anchor.wanted))
                if anchor.condition is None
                else condition_text(process, anchor.condition),
                full_percent(anchor.precision),
                full_percent_interval(*anchor.interval),
                *([full_percent(anchor.coverage)] if coverage else []),
            ]
            for anchor in anchors
        ],
    )


def _plot_anchors(report: Report) -> Iterator[Plot]:
    """A row for each record."""
    each = [
        Mark(
            gettext("{record}: “{outcome}”", record=record_text(report.process, a.record), outcome=a.outcome),
            float(a.precision),
            float(a.interval[0]),
            float(a.interval[1]),
            float(a.wanted),
        )
        for a in _anchors_of(report)[:MAX_MARKS]
    ]
    if not each:
        return
    marks = tuple(each[: rows_that_fit([mark.label for mark in each])])
    shows = ngettext(
        len(marks),
        "One row for {number} record: a dot for how often the outcome follows from what is enough to know, a bar where the "
        "true figure lies, a dashed line at the precision asked for.",
        "A row for each of {number} records: a dot for how often the outcome follows from what is enough to know, a bar "
        "where the true figure lies, a dashed line at the precision asked for.",
    )
    alt = f"{shows} {percent_run(mark.value for mark in marks)}"
    panel = Dots(marks=marks, axis=gettext("How often the outcome follows"))
    yield Plot(
        id="chart-anchors",
        title=gettext("How often the outcome follows from the anchor"),
        alt=alt,
        panels=(panel,),
    )


RULES = (
    ShownKinds({"exact": {}}, _exact),
    ShownKinds(
        {
            "tree": {
                message("Decision tree"): message(
                    "A rule that asks one question after another, and depends on the answers alone."
                )
            }
        },
        _tree,
        _plot_tree,
    ),
    ShownKinds({"regions": {}}, _regions, _plot_regions),
    ShownKinds(
        {
            "linear": {_LINEAR: message("A rule that adds a fixed amount for each value of a person.")},
            "logistic": {
                _LOGISTIC: message(
                    "A rule that adds a fixed amount for each value of a person, on the scale of log odds: log(probability "
                    "/ (1 − probability)). That scale has no ends."
                )
            },
        },
        _models,
        _plot_models,
    ),
    ShownKinds(
        {
            "anchor": {
                message("Anchor"): message(
                    "The smallest part of a record that is enough to know: among all people who share it, the record’s "
                    "likeliest announced outcome follows as often as was asked for."
                )
            }
        },
        _anchors,
        _plot_anchors,
    ),
)
"""In the order of the report."""
