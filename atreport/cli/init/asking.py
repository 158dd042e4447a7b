"""Ask an author on the terminal: the choices with what speaks for each, and a default that one can take with Enter."""

from __future__ import annotations

import sys

from atreport.cli.talk import say
from atreport.confidential.proposal.question import Question

OPEN = "?"
"""What one types to leave a question open."""


def ask_on_terminal(question: Question) -> tuple[str, ...] | None:
    """The answers that are typed; None where the question is left open."""
    say(f"\n{question.text}")
    for number, choice in enumerate(question.choices, start=1):
        why = f"  ({'; '.join(choice.reasons)})" if choice.reasons else ""
        say(f"  {number}  {choice.answer}{why}")
    kinds = "numbers or names, with commas between them" if question.several else "a number or a name"
    enter = ", ".join(question.likely) if question.likely else "leave it open in the spec"
    leave = "" if not question.likely else f"; {OPEN}: leave it open in the spec"
    while True:
        print(f"  {kinds} (Enter: {enter}{leave}): ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        typed = line.strip()
        if not line or typed == OPEN or (not typed and not question.likely):
            return None
        if not typed:
            return question.likely
        answers, unknown = read_answers(question, typed)
        if unknown is None:
            return answers
        say(f"  '{unknown}' is none of them.")


def read_answers(question: Question, typed: str) -> tuple[tuple[str, ...], str | None]:
    """The choices that were typed, by number or by name; and the first text that is none."""
    names = [choice.answer for choice in question.choices]
    known = {*names, *question.also}
    if typed in known:  # a name may have a comma in it, or be a number itself
        return (typed,), None
    parts = [part.strip() for part in typed.split(",")] if question.several else [typed]
    found = []
    for part in filter(None, parts):
        if part not in known and not (part.isdecimal() and 1 <= int(part) <= len(names)):
            return (), part
        found.append(part if part in known else names[int(part) - 1])
    return tuple(dict.fromkeys(found)), None if found else typed
