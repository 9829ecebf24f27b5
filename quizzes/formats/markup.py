"""Between plain text and HTML: what banks hold is plain, what other programs show is often HTML."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_BLOCKS = {
    "p", "div", "ul", "ol", "table", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "section",
    "article",    "dl",    "figure", "header", "footer", "pre",
}  # fmt: skip
_APART = {"p", "pre", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"}
_GAP = "\ue100"  # stands for a gap while a text is changed
_SILENT = {"script", "style", "head", "title", "template"}
_BEFORE = {"sup": "^", "sub": "_", "td": " ", "th": " "}
# A tag, a run of text, or a `<` that begins no tag. Nothing can be tried in two ways.
_TOKEN = re.compile(
    r"""<(?P<end>/?)(?P<tag>[a-zA-Z][a-zA-Z0-9:-]*+)(?P<attributes>(?>[^<>"']|"[^"]{0,4000}"|'[^']{0,4000}')*+)>|[^<]++|<"""
)
_TAGS = re.compile(
    r"</(?:p|b|i|u|em|strong|code|pre|ul|ol|li|div|span|sub|sup|table|td|tr|a|h[1-6]|font|tt|small|big)\s*>"
    r"|<(?:br|hr|img)\b[^<>]*>|&(?:lt|gt|amp|nbsp|quot|#\d{1,6}|#x[0-9a-f]{1,5});",
    re.IGNORECASE,
)


def looks_like_html(text: str) -> bool:
    """Tell whether a text of no said format is HTML: a comparison such as ``a < b`` is not."""
    return _TAGS.search(text) is not None


def to_html(text: str) -> str:
    """Return a plain text as HTML that shows it as written: in lines, and with its spaces."""
    escaped = html.escape(text, quote=False)
    # A browser shows a run of spaces as one, and none at the ends of lines; a no-break space stays.
    spaced = re.sub(r"(?m)^ +| +$| {2,}", lambda found: "\xa0" * len(found.group()), escaped)
    spaced = spaced.replace("\t", '<span style="white-space: pre">\t</span>')
    return spaced.replace("\n", "<br>")


def to_html_around(text: str, gaps: Sequence[str], pattern: re.Pattern[str], change: Callable[[str], str]) -> str:
    """Return a text as HTML with its gaps filled in; it is changed as a whole, so spaces at gaps stay."""
    filled = iter(gaps)
    marked = change(pattern.sub(_GAP, text))
    return re.sub(_GAP, lambda _: next(filled), marked)


def needs_html(text: str) -> bool:
    """Tell whether a program that evens out spaces would show a text otherwise than it is written."""
    return re.search(r"^\s|\s$|\s{2,}|[\n\t]", text) is not None


def code_html(text: str) -> str:
    """Return a listing as HTML."""
    # HTML drops a newline that directly follows <pre>; one that belongs to the text needs another.
    return f"<pre>{chr(10) * text.startswith(chr(10))}{html.escape(text, quote=False)}</pre>"


def to_text(source: str) -> str:
    """Return the text that HTML shows, with its lines."""
    reader = _Reader()
    for found in _TOKEN.finditer(_without_comments(source)):
        if found["tag"] is None:
            reader.data(html.unescape(found.group()))
        elif found["end"]:
            reader.end(found["tag"].lower())
        else:
            reader.start(found["tag"].lower(), found["attributes"])
    return "".join(reader.out)


def _without_comments(source: str) -> str:
    out, last = [], 0
    while (start := source.find("<!--", last)) >= 0 and (end := source.find("-->", start + 4)) >= 0:
        out.append(source[last:start])
        last = end + 3
    return "".join([*out, source[last:]])


def _attribute(attributes: str, name: str) -> str:
    found = re.search(rf"""\b{name}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""", attributes, re.IGNORECASE)
    return html.unescape(next((group for group in found.groups() if group is not None), "")) if found else ""


class _Reader:
    """Puts the text together: blocks on lines of their own, runs of spaces as one unless they count."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.kept = 0  # how many elements are open in which spaces count
        self.fresh = False  # a <pre> has just begun: HTML drops a newline right after it
        self.spans: list[bool] = []  # for each open span, whether it is one of them
        self.silent = 0
        self.gap = 0  # how many newlines are due before the next text
        self.space = False

    def start(self, tag: str, attributes: str) -> None:
        """Begin an element."""
        if tag in _SILENT:
            self.silent += 1
        elif tag == "br":
            self._line()
        elif tag == "img":
            self._say(f"[picture: {_attribute(attributes, 'alt').strip() or 'no description'}]")
        elif tag == "li":
            self._break(1)
            self._say("- ")
        elif tag in _BLOCKS:
            self._break(2 if tag in _APART else 1)
        elif tag in _BEFORE:
            self._say(_BEFORE[tag])
        self.fresh = tag == "pre"
        if tag == "pre":
            self.kept += 1
        elif tag == "span":
            self.spans.append(re.search(r"white-space:\s*pre", _attribute(attributes, "style")) is not None)
            self.kept += self.spans[-1]

    def end(self, tag: str) -> None:
        """End an element."""
        if tag in _SILENT:
            self.silent = max(0, self.silent - 1)
        elif tag in _BLOCKS or tag == "li":
            self._break(2 if tag in _APART else 1)
        if tag == "pre":
            self.kept = max(0, self.kept - 1)
        elif tag == "span" and self.spans:
            self.kept = max(0, self.kept - self.spans.pop())

    def data(self, text: str) -> None:
        """Add what stands between tags."""
        if self.silent:
            return
        if self.kept:
            self._say(text.removeprefix("\n") if self.fresh else text)
            self.fresh = False
            return
        # A no-break space is not among what HTML evens out.
        for piece in re.findall(r"[ \t\r\n\f]+|[^ \t\r\n\f]+", text):
            if piece[0] in " \t\r\n\f":
                self.space = True
            else:
                self._say(piece.replace("\xa0", " "))

    def _break(self, lines: int) -> None:
        """Let the next text begin on a line of its own."""
        if self.out:
            self.gap = max(self.gap, lines)
        self.space = False

    def _line(self) -> None:
        self.space = False
        self._settle()
        self.out.append("\n")

    def _say(self, text: str) -> None:
        if self.silent or not text:
            return
        self._settle()
        if self.space and self.out and not self.out[-1].endswith(("\n", " ")):
            self.out.append(" ")
        self.space = False
        self.out.append(text)

    def _settle(self) -> None:
        if self.gap:
            ends = len(self.out[-1]) - len(self.out[-1].rstrip("\n"))
            self.out.append("\n" * max(0, self.gap - ends))
            self.gap = 0
