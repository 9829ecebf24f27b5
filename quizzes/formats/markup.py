"""Between plain text and HTML: what banks hold is plain, what other programs show is often HTML."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

# The standard library's parser can take time that grows with the square of what it is given.
MAX_HTML = 20_000

_BLOCKS = {
    "p", "div", "ul", "ol", "table", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "section", "article", "dl",
    "figure", "header", "footer",
}  # fmt: skip
_APART = {"p", "pre", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"}
_SILENT = {"script", "style", "head", "title", "template"}
_NAMED = {"sup": "^", "sub": "_"}
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


def needs_html(text: str) -> bool:
    """Tell whether a program that evens out spaces would show a text otherwise than it is written."""
    return re.search(r"^\s|\s$|\s{2,}|[\n\t]", text) is not None


def code_html(text: str) -> str:
    """Return a listing as HTML."""
    # HTML drops a newline that directly follows <pre>, so one that belongs to the text needs another before it.
    return f"<pre>{chr(10) * text.startswith(chr(10))}{html.escape(text, quote=False)}</pre>"


def to_text(source: str) -> str:
    """Return the text that HTML shows, with its lines. What is too long to be a text of a quiz is left as it is."""
    if len(source) > MAX_HTML:
        return source
    reader = _Reader()
    reader.feed(_without_declarations(source))
    reader.close()
    return reader.text()


def _without_declarations(source: str) -> str:
    """Return HTML without its comments; what looks like another declaration is text, and no parser's business."""
    out, last = [], 0
    while (start := source.find("<!--", last)) >= 0 and (end := source.find("-->", start + 4)) >= 0:
        out.append(source[last:start])
        last = end + 3
    return "".join([*out, source[last:]]).replace("<!", "&lt;!").replace("<?", "&lt;?")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self.pre = 0  # how many elements are open in which spaces count
        self.spans: list[bool] = []  # for each open span, whether it is one of them
        self.silent = 0
        self.gap = 0  # how many newlines are due before the next text
        self.space = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag in _SILENT:
            self.silent += 1
        elif tag == "br":
            self._put("\n")
        elif tag == "img":
            self._say(f"[picture: {(values.get('alt') or '').strip() or 'no description'}]")
        elif tag == "li":
            self._break(1)
            self._say("- ")
        elif tag in {"td", "th"}:
            self._say(" ")
        elif tag in _BLOCKS or tag == "pre":
            self._break(2 if tag in _APART else 1)
        if tag in _NAMED:
            self._say(_NAMED[tag])
        if tag == "pre":
            self.pre += 1
        elif tag == "span":
            self.spans.append(re.search(r"white-space:\s*pre", values.get("style") or "") is not None)
            self.pre += self.spans[-1]

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT:
            self.silent = max(0, self.silent - 1)
        elif tag in _BLOCKS or tag in {"pre", "li"}:
            self._break(2 if tag in _APART else 1)
        if tag == "pre":
            self.pre = max(0, self.pre - 1)
        elif tag == "span" and self.spans:
            self.pre = max(0, self.pre - self.spans.pop())

    def handle_data(self, data: str) -> None:
        if self.silent:
            return
        if self.pre:
            self._say(data)
            return
        for piece in re.findall(r"[ \t\r\n\f]+|[^ \t\r\n\f]+", data):
            if piece.isspace() and piece[0] in " \t\r\n\f":
                self.space = True
            else:
                self._say(piece.replace("\xa0", " "))

    def _break(self, lines: int) -> None:
        if self.out:
            self.gap = max(self.gap, lines)
        self.space = False

    def _put(self, text: str) -> None:
        """Add a newline that was asked for."""
        self.space = False
        self._settle()
        self.out.append(text)

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

    def text(self) -> str:
        return "".join(self.out)
