"""What tests of proposals share."""

import pytest

from atreport.private.proposal.proposed_spec import FIRST_POLICY


@pytest.fixture
def first_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same policy for every file: which one is proposed is tested elsewhere, and takes half a second each time."""
    monkeypatch.setattr("atreport.cli.init.propose_policy", lambda _spec: FIRST_POLICY)
