"""Keys for catalogues: what is no address, DOI or identifier of a law is refused, with what to write instead."""

import pytest

from atreport.errors import InvalidInput
from atreport.spec.disclosure import Law
from tests.example import example_spec


def with_key(text: str) -> tuple[str, str]:
    """An edit that adds a key to the section report, as its seventh line."""
    return "  date: 2026-01-15\n", f"  date: 2026-01-15\n  {text}\n"


BROKEN = {
    "licence: CC-BY-4.0": "is no address on the web; write it whole",
    "licence: javascript:alert(1)": "is no address on the web",
    "licence: ftp://example.org/licence": "is no address on the web",
    "url: https:///report": "is no address on the web",
    "url: https://[1/report": "is no address on the web",
    'url: "https://example.org/a report"': "is no address on the web",
    "url: https://user:secret@example.org": "has no user name or password in it",
    "doi: https://doi.org/10.1234/x": "is no DOI; write it as 10.5281/zenodo.1234567",
    "doi: 10.12/x": "is no DOI",
    "doi: 10.1234/": "is no DOI",
    "legislation: [{title: GDPR}]": "give exactly one of eli, ecli, cfr, url (found none)",
    "legislation: [{cfr: 29 CFR 1607, url: https://example.org}]": "exactly one of eli, ecli, cfr, url (found cfr and url)",
    "legislation: [{eli: https://example.org/law}]": "is no European Legislation Identifier",
    "legislation: [{eli: reg/2016/679}]": "is no address on the web",
    'legislation: [{ecli: "EU:C:2025:117"}]': "is no European Case Law Identifier; write it as ECLI:EU:C:2025:117",
    'legislation: [{ecli: "ECLI:EU:C:25:117"}]': "is no European Case Law Identifier",
    "legislation: [{cfr: 1607}]": "is no citation of the Code of Federal Regulations; write a part as 29 CFR 1607",
    "legislation: [{cfr: 51 CFR 1607}]": "is no citation of the Code of Federal Regulations",
    "legislation: [{law: 29 CFR 1607}]": "unknown key 'law'",
}


@pytest.mark.parametrize("key", BROKEN)
def test_wrong_keys_are_refused(key: str) -> None:
    """On their line, in words that help."""
    with pytest.raises(InvalidInput) as refused:
        example_spec(with_key(key))
    problem = refused.value.problems[0]
    assert BROKEN[key] in problem.message
    assert problem.location.line == 7


LINKS = {
    ("eli", "http://data.europa.eu/eli/reg/2016/679/oj"): "http://data.europa.eu/eli/reg/2016/679/oj",
    ("ecli", "ECLI:EU:C:2025:117"): "https://e-justice.europa.eu/ecli/ECLI:EU:C:2025:117",
    ("ecli", "ECLI:DE:BVerfG:2015:rs20150113.1"): "https://e-justice.europa.eu/ecli/ECLI:DE:BVerfG:2015:rs20150113.1",
    ("cfr", "29 CFR 1607"): "https://www.ecfr.gov/current/title-29/part-1607",
    ("cfr", "12 CFR 1002.9"): "https://www.ecfr.gov/current/title-12/section-1002.9",
    ("cfr", "12 CFR 1002.9(a)(2)(i)"): "https://www.ecfr.gov/current/title-12/section-1002.9",
    ("cfr", "26 CFR 1.501(c)(3)-1"): None,
    ("cfr", "14 CFR 91.1001-1"): "https://www.ecfr.gov/current/title-14/section-91.1001-1",
    ("url", "https://example.org/r?a=1#b"): "https://example.org/r?a=1#b",
}  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), LINKS)
def test_laws_have_links(kind: str, text: str) -> None:
    """Each identifier leads to a place where the law can be read; what is not understood is refused, not guessed."""
    link = LINKS[kind, text]
    if link is None:
        with pytest.raises(ValueError, match="Code of Federal Regulations"):
            Law.model_validate({kind: text})
        return
    law = Law.model_validate({kind: text})
    assert (law.kind, law.identifier, law.name, law.link) == (kind, text, text, link)
    assert Law.model_validate({kind: text, "title": "The law"}).name == "The law"
