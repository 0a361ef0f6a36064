"""JUnit XML as CI systems read it: what all our reports of that kind share."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

# Characters that XML 1.0 has no way to write.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COUNTED = {"failure": "failures", "error": "errors", "skipped": "skipped"}


def clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)


def to_text(suite: ElementTree.Element) -> str:
    """The file with a suite of cases, which are counted here."""
    for kind, attribute in _COUNTED.items():
        suite.set(attribute, str(len(suite.findall(f"testcase/{kind}"))))
    suite.set("tests", str(len(suite)))
    whole = ElementTree.Element("testsuites")
    whole.append(suite)
    ElementTree.indent(whole)
    return ElementTree.tostring(whole, encoding="unicode", xml_declaration=False) + "\n"
