"""The confidential annex: what the policy cost and what it is worth."""
