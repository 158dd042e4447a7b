"""The reference pages of the documentation, made from the code, so that they cannot fall behind it.

Keys of the spec and of report.json come from their JSON Schemas, commands from the command line itself, the Python API from
its docstrings, and messages with their remedies from the places in the code that give them. `tools/docs_hooks.py` puts the
pages into the site.
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import atreport
from atreport.cli import COMMANDS, load_command
from atreport.report.writer import report_schema
from atreport.spec.validation import spec_schema

CODE = Path(atreport.__file__).parent
Schema = Mapping[str, Any]

EXIT_CODES = {
    0: "fine",
    1: "findings: a check failed",
    2: "could not run: a wrong spec, wrong usage, a missing library",
    3: "refused: publishing would break the policy",
}


def reference_pages() -> dict[str, Callable[[], str]]:
    """Every generated page by its place in the site, with what makes it."""
    return {
        "reference/spec.md": spec_page,
        "reference/commands.md": commands_page,
        "reference/report.md": report_page,
        "reference/errors.md": errors_page,
        "reference/python.md": python_page,
    }


# --- Schemas --------------------------------------------------------------------------------------------------------


def spec_page() -> str:
    """Every key that a spec may have."""
    intro = (
        "Every key that a spec may have, from the models that read it. [The spec](../spec.md) explains them with examples; "
        "`atreport schema` prints the same as JSON Schema, for editors."
    )
    return _schema_page("Keys of the spec", intro, spec_schema())


def report_page() -> str:
    """Every key of report.json."""
    intro = (
        "Every key of `report.json`, from the model that writes it; `atreport schema --report` prints its JSON Schema. A "
        "key that a report does not have means *not stated*. Numbers are exactly as printed."
    )
    return _schema_page("Keys of report.json", intro, report_schema())


def _schema_page(title: str, intro: str, schema: Schema) -> str:
    parts = [f"# {title}", intro, *_section("(top level)", "top-level", schema)]
    for name, definition in sorted((schema.get("definitions") or schema.get("$defs") or {}).items()):
        if "properties" in definition:
            parts += _section(name, _anchor(name), definition)
    return "\n\n".join(parts) + "\n"


def _section(name: str, anchor: str, schema: Schema) -> Iterator[str]:
    yield f"## {name} {{ #{anchor} }}"
    if schema.get("description"):
        yield _plain(schema["description"])
    required = schema.get("required", ())
    rows = [
        f"| `{key}` | {_kind(of)} | {'yes' if key in required else _default(of)} | {_plain(of.get('description', ''))} |"
        for key, of in schema["properties"].items()
    ]
    yield "\n".join(["| key | what it is | required | meaning |", "|---|---|---|---|", *rows])


def _anchor(name: str) -> str:
    return re.sub(r"\W+", "-", name).lower()


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _default(schema: Schema) -> str:
    default = schema.get("default")
    return "" if default in (None, (), []) else f"no: `{default}`"


def _kind(schema: Schema) -> str:
    """What a value is, in a few words, with links to sections."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{_anchor(name)})"
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            kinds = [_kind(each) for each in schema[several] if each.get("type") != "null"]
            return " or ".join(dict.fromkeys(kinds))
    of = schema.get("type")
    if of == "array":
        items = schema.get("items") or {}
        return f"list of {_kind(items)}" if items else "list"
    if isinstance(of, list):
        return "text" if "string" in of else " or ".join(of)
    if of == "object":
        inner = schema.get("additionalProperties")
        return f"mapping to {_kind(inner)}" if isinstance(inner, dict) and inner else "mapping"
    return {"string": "text", "boolean": "true or false", "integer": "whole number"}.get(
        str(of), str(of or "anything")
    )


# --- Commands -------------------------------------------------------------------------------------------------------


def commands_page() -> str:
    """Every command with its arguments and options."""
    parts = [
        "# Commands",
        "stdout is data, stderr is talk; every command that reports takes `--json`. Exit codes:",
        "\n".join(
            [
                "| code | meaning |",
                "|---|---|",
                *(f"| {code} | {text} |" for code, text in EXIT_CODES.items()),
            ]
        ),
    ]
    for name in COMMANDS:
        command = load_command(name)
        usage = " ".join(part for part in (f"atreport {name}", *_usage(command)) if part)
        parts += [
            f"## atreport {name} {{ #{name} }}",
            _paragraphs(command.help or ""),
            f"```text\n{usage}\n```",
        ]
        rows = [_parameter(each) for each in command.params if not each.hidden]
        parts.append("\n".join(["| argument or option | meaning |", "|---|---|", *filter(None, rows)]))
    return "\n\n".join(parts) + "\n"


def _usage(command: Any) -> Iterator[str]:
    yield "[OPTIONS]"
    for each in command.params:
        if each.param_type_name == "argument":
            shown = each.metavar or each.name.upper()
            yield shown if each.required or shown.startswith("[") else f"[{shown}]"


def _parameter(each: Any) -> str:
    help_text = _plain(getattr(each, "help", "") or "")
    if each.param_type_name == "argument":
        return f"| `{each.metavar or each.name.upper()}` | {help_text} |"
    names = ", ".join(f"`{option}`" for option in (*each.opts, *each.secondary_opts))
    value = f" `{each.metavar}`" if each.metavar and not each.is_flag else ""
    return f"| {names}{value} | {help_text} |"


def _paragraphs(text: str) -> str:
    return inspect.cleandoc(text).replace("<", "&lt;")


# --- Messages ---------------------------------------------------------------------------------------------------------


def errors_page() -> str:
    """Every kind of error with its exit code, and every message about a spec with its remedy."""
    import atreport.errors as errors

    kinds = [
        f"| `{name}` | {kind.exit_code} | {_plain((kind.__doc__ or '').splitlines()[0])} |"
        for name, kind in vars(errors).items()
        if inspect.isclass(kind) and issubclass(kind, errors.AtreportError)
    ]
    rows = [f"| {message} | {hint} |" for message, hint in sorted(set(_messages()))]
    return "\n\n".join(
        [
            "# Errors and remedies",
            "An error is one message that says what is wrong, where, and what to do; all problems of a spec are given at "
            "once, each with file, line and column. `…` stands for what is filled in. Nothing is written when a command "
            "fails.",
            "## Kinds",
            "\n".join(["| error | exit code | when |", "|---|---|---|", *kinds]),
            "## Messages about specs and data",
            "\n".join(["| message | what to do |", "|---|---|", *rows]),
            "",
        ]
    )


def _messages() -> Iterator[tuple[str, str]]:
    """The messages of problems and their hints, as they stand in the code; … stands for values."""
    for path in sorted(CODE.rglob("*.py")):
        of_values = (
            "spec" in path.relative_to(CODE).parts
        )  # pydantic turns these into problems at their place
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            given = {keyword.arg: keyword.value for keyword in node.keywords}
            if name == "problem" and len(node.args) >= 2:
                message, hint = node.args[1], node.args[2] if len(node.args) > 2 else given.get("hint")
            elif name == "Problem" and "message" in given:
                message, hint = given["message"], given.get("hint")
            elif name == "ValueError" and node.args and of_values:
                message, hint = node.args[0], None
            else:
                continue
            text = _literal(message)
            if text.strip("… "):
                yield _plain(text), _plain(_literal(hint)).strip() or "as the message says"


def _literal(node: ast.expr | None) -> str:
    """A string as it stands in the code; what is filled in, or chosen at run time, is left open."""
    match node:
        case None:
            return ""
        case ast.Constant(value=value):
            return str(value) if isinstance(value, str) else ""
        case ast.JoinedStr(values=values):
            return re.sub("…+", "…", "".join(_literal(value) for value in values))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return re.sub("…+", "…", _literal(left) + _literal(right))
        case ast.IfExp(body=body, orelse=other):
            return " / ".join(filter(None, (_literal(body), _literal(other))))
        case _:
            return "…"


# --- Python -----------------------------------------------------------------------------------------------------------


def python_page() -> str:
    """What `import atreport` offers."""
    parts = [
        "# Python API",
        "What `import atreport` offers, from its docstrings. [From a DataFrame to a report](../python.md) shows it in use.",
    ]
    for name in sorted(atreport.__all__, key=str.lower):
        thing = getattr(atreport, name)
        if name.startswith("_"):
            continue
        parts += [f"## {name} {{ #{name.lower()} }}", _signature(name, thing), _docstring(thing)]
        if inspect.isclass(thing):
            parts += [
                f"### {name}.{method}\n\n{_docstring(value)}"
                for method, value in vars(thing).items()
                if not method.startswith("_") and (inspect.isfunction(value) or isinstance(value, property))
            ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _signature(name: str, thing: Any) -> str:
    try:
        shown = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return ""
    if inspect.isclass(thing) and len(shown) > 400:
        return ""
    shown = re.sub(r"<(?:function|class) '?([\w.]+)'?(?: at 0x\w+)?>", r"\1", shown).replace("'", "")
    return f"```python\n{name}{shown}\n```"


def _docstring(thing: Any) -> str:
    """A docstring as Markdown: sections of arguments and results become lists."""
    text = inspect.getdoc(thing) or ""
    text = re.sub(r":(?:func|class|mod|meth):`~?([^`]+)`", r"`\1`", text).replace("``", "`")
    lines = []
    inside = False
    for line in text.splitlines():
        if re.fullmatch(r"(Args|Returns|Raises|Attributes):", line):
            lines += ["", f"**{line}**", ""]
            inside = True
        elif inside and re.match(r" {4}\S", line):
            entry = re.match(r" {4}(\w+): (.*)", line)
            lines.append(f"- `{entry[1]}`: {entry[2]}" if entry else f"- {line.strip()}")
        elif inside and line.strip():
            lines[-1] += " " + line.strip()
        else:
            inside = inside and not line
            lines.append(line)
    return "\n".join(lines).replace("<", "&lt;")
