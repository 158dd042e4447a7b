"""Behind the wall: the only folder that may see the true rule.

data/ reads it, draft.py decides what is announced (solver/, mechanisms.py, protect.py), audited.py attacks the draft and
refuses it where it must be. annex/, attacks/, tradeoff/ and auditor.py give true figures to the publisher alone;
proposal/ makes a first spec of a file. Nothing outside but api/, cli/ and studio/ imports from here.
"""
