"""What tests of proposals share."""

from __future__ import annotations

import pytest

from atreport.confidential.proposal.proposed_policy import FIRST_POLICY


@pytest.fixture
def first_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same policy for every file: which one is proposed is tested elsewhere, and takes half a second each time."""
    monkeypatch.setattr("atreport.commands.init.propose_policy", lambda _spec: FIRST_POLICY)
