"""The registry of mechanisms: whoever adds one is told what is missing."""

from typing import get_args

from atreport.compose.notes import CHOSEN, OBSERVERS
from atreport.private.mechanisms import MECHANISMS
from atreport.report.rule import PublishedPolicy
from atreport.spec.policy import Mechanism, Policy


def test_every_mechanism_has_a_word_a_module_and_its_sentences() -> None:
    """What a spec may ask for, what drafts can do and what notes explain are the same mechanisms."""
    words = get_args(Mechanism)
    assert list(MECHANISMS) == list(CHOSEN) == list(OBSERVERS) == list(words)
    for model in (Policy, PublishedPolicy):
        assert get_args(model.model_fields["mechanism"].annotation) == words
    described = Policy.model_fields["mechanism"].description or ""
    assert all(f"{word}: " in described for word in words)
