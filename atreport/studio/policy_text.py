"""Write a policy into the text of a spec, and leave every other character, comments included, where it is.

Guarantee: the text that is returned reads as the one before it, but for the policy's fidelity and ceilings, which are those
asked for; and every comment is still there. Where that cannot be had, nothing is returned but an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml

from atreport.errors import UsageError
from atreport.spec.yaml import Plain, parse_document

Chosen = Mapping[str, Decimal | None]
"""Keys of ``fidelity`` or ``privacy`` with their numbers; None: the key is not there."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_COMMENT = re.compile(r"(?:^|\s)#.*$")


def write_policy(text: str, fidelity: Chosen, privacy: Chosen) -> str:
    """The text with another policy; keys that are not named stay as they are."""
    before, changed = parse_document(text, Path("spec.yaml")).root, text
    for key, number in fidelity.items():
        changed = _with(changed, ("policy", "fidelity"), key, number)
    if any(number is not None for number in privacy.values()) and not _has(changed, ("policy", "privacy")):
        ceilings = ", ".join(f"{key}: {number}" for key, number in privacy.items() if number is not None)
        changed = _added(changed, _node(changed, ("policy",)), "privacy", f"{{{ceilings}}}")
    elif _has(changed, ("policy", "privacy")):
        kept = dict(_plain(parse_document(changed, Path("spec.yaml")).root["policy"]["privacy"]))
        kept |= {key: str(number) for key, number in privacy.items()}
        if all(kept[key] == "None" for key in kept):
            changed = _without(changed, ("policy",), "privacy")
        else:  # what is set first, then what is taken away: a mapping is never empty in between
            for key, number in sorted(privacy.items(), key=lambda item: item[1] is None):
                changed = _with(changed, ("policy", "privacy"), key, number)
    _check(before, text, changed, fidelity, privacy)
    return changed


def _check(before: Any, text: str, changed: str, fidelity: Chosen, privacy: Chosen) -> None:
    """Refuse a change that did anything else than it should."""
    wanted, found = _plain(before), _plain(parse_document(changed, Path("spec.yaml")).root)
    for section, numbers in (("fidelity", fidelity), ("privacy", privacy)):
        mapping = dict(wanted["policy"].get(section) or {})
        for key, number in numbers.items():
            mapping.pop(key, None)
            if number is not None:
                mapping[key] = str(number)
        wanted["policy"].pop(section, None)
        if mapping:
            wanted["policy"][section] = mapping
    comments = [_comments(each) for each in (text, changed)]
    if wanted != found or comments[0] != comments[1]:
        raise UsageError(
            "The policy could not be written into this text by itself: please change it by hand."
        )


def _comments(text: str) -> list[str]:
    """What looks like a comment, line by line, in order."""
    return [found[0].strip() for line in text.splitlines() if (found := _COMMENT.search(line))]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return str(value) if isinstance(value, Plain) else value


def _node(text: str, path: tuple[str, ...]) -> yaml.MappingNode:
    node: Any = yaml.compose(text, Loader=_LOADER)
    for step in path:
        node = next(value for key, value in node.value if key.value == step)
    if not isinstance(node, yaml.MappingNode):
        raise UsageError(f"{'.'.join(path)} is no list of keys: please change it by hand.")
    return node


def _has(text: str, path: tuple[str, ...]) -> bool:
    node = _node(text, path[:-1])
    return any(key.value == path[-1] and isinstance(value, yaml.MappingNode) for key, value in node.value)


def _with(text: str, path: tuple[str, ...], key: str, number: Decimal | None) -> str:
    """The text with a key of a mapping set, or taken away."""
    mapping = _node(text, path)
    value = next((value for name, value in mapping.value if name.value == key), None)
    if number is None:
        return text if value is None else _without(text, path, key)
    if value is None:
        return _added(text, mapping, key, str(number))
    return text[: value.start_mark.index] + str(number) + text[value.end_mark.index :]


def _added(text: str, mapping: yaml.MappingNode, key: str, value: str) -> str:
    """The text with one more key at the end of a mapping."""
    if mapping.flow_style:
        end = mapping.end_mark.index - 1
        inside = text[mapping.start_mark.index + 1 : end].rstrip()
        comma = ", " if mapping.value and not inside.endswith(",") else ""
        last = mapping.value[-1][1].end_mark.index if mapping.value else mapping.start_mark.index + 1
        return f"{text[:last]}{comma}{key}: {value}{text[last:]}"
    column = mapping.value[0][0].start_mark.column
    last_value = mapping.value[-1][1]
    # a block ends after its comments, at the next key: the new line stands right after the last line with a value
    place = _end_of_line(text, _last_place(last_value))
    return f"{text[:place]}\n{' ' * column}{key}: {value}{text[place:]}"


def _last_place(node: yaml.Node) -> int:
    """The last character of a value."""
    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        return _last_place(node.value[-1][1])
    if isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
        return _last_place(node.value[-1])
    return int(node.end_mark.index)


def _end_of_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def _without(text: str, path: tuple[str, ...], key: str) -> str:
    """The text without a key of a mapping; comments beside it stay."""
    mapping = _node(text, path)
    place = next(index for index, (name, _) in enumerate(mapping.value) if name.value == key)
    name, value = mapping.value[place]
    start, end = name.start_mark.index, _last_place(value)
    if mapping.flow_style:
        if place + 1 < len(mapping.value):
            end = mapping.value[place + 1][0].start_mark.index
        elif place:
            start = mapping.value[place - 1][1].end_mark.index
        return text[:start] + _only_comments(text[start:end]) + text[end:]
    rest = text[end : _end_of_line(text, end)]
    left = "\n".join(filter(None, [*_comment_lines(text[start:end]), rest.strip()]))
    line_start = text.rfind("\n", 0, start) + 1
    if left:
        return text[:start] + left.replace("\n", "\n" + " " * (start - line_start)) + text[end + len(rest) :]
    return text[:line_start] + text[min(end + len(rest) + 1, len(text)) :]


def _comment_lines(text: str) -> list[str]:
    return [found[0].strip() for line in text.splitlines() if (found := _COMMENT.search(line))]


def _only_comments(text: str) -> str:
    """What must stay of a part that is taken out of a mapping written in one line."""
    return "".join(f" {comment}\n" for comment in _comment_lines(text))
