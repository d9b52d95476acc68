"""Office files, through the real library."""

from __future__ import annotations

import io
import zipfile

import pytest

from docgraph.errors import InvalidArgument
from docgraph.ingest.markup import office
from docgraph.ingest.parsing import DocumentParser
from docgraph.ingest.types import Raw

pytest.importorskip("markitdown", exc_type=ImportError)

_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r" Target="word/document.xml" Type='
    '"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>'
)
_TEXT = (
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Head</w:t></w:r></w:p>'
    "<w:p><w:r><w:t>Text e\u0301</w:t></w:r></w:p></w:body></w:document>"
)


def packed(**parts: str | bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _RELATIONS)
        for name, content in parts.items():
            archive.writestr(f"word/{name}.xml", content)
    return file.getvalue()


def test_a_word_file_becomes_markdown() -> None:
    parsed = DocumentParser().parse(Raw("d/a.docx", packed(document=_TEXT)))
    assert (parsed.markup, parsed.title, parsed.text) == ("markdown", "Head", "# Head\n\nText \xe9")


@pytest.mark.parametrize("suffix", ["pdf", "docx", "pptx", "xlsx", "epub"])
@pytest.mark.parametrize("data", [b"junk", packed(document="no XML")], ids=["junk", "no XML"])
def test_broken_files_are_refused_and_not_taken_for_text(suffix: str, data: bytes) -> None:
    with pytest.raises(ValueError, match=f"{suffix}"):
        DocumentParser().parse(Raw(f"a.{suffix}", data))


def test_a_file_that_unfolds_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "_UNPACKED", 100_000)
    bomb = packed(document=_TEXT, more=b"\0" * 100_000)
    assert len(bomb) < 2000
    with pytest.raises(ValueError, match=r"unpacks to 10.* bytes, more than the limit of 100000"):
        DocumentParser().parse(Raw("a.docx", bomb))


def test_a_kind_that_markitdown_was_not_installed_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from markitdown import MissingDependencyException, converters

    def convert(*_: object) -> None:
        raise MissingDependencyException

    monkeypatch.setattr(converters.PdfConverter, "convert", convert)
    with pytest.raises(
        InvalidArgument, match=r"needs parts of markitdown that are not installed\.\nRun: pip"
    ):
        DocumentParser().parse(Raw("a.pdf", b"x"))


def pdf(drawn: bytes) -> bytes:
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d>>\nstream\n%s\nendstream" % (len(drawn), drawn),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    )
    file, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return file + (
        b"xref\n0 6\n0000000000 65535 f \n%strailer\n<</Root 1 0 R/Size 6>>\nstartxref\n%d\n%%%%EOF\n"
        % (table, len(file))
    )


def test_a_pdf_is_read() -> None:
    parsed = DocumentParser().parse(Raw("paper.pdf", pdf(b"BT /F 12 Tf 20 200 Td (Hello paper) Tj ET")))
    assert (parsed.text.strip(), parsed.title) == ("Hello paper", "paper")


def test_a_pdf_without_text_is_refused() -> None:
    with pytest.raises(ValueError, match="no text in it"):
        DocumentParser().parse(Raw("scan.pdf", pdf(b"0 0 10 10 re f")))
