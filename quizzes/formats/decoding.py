"""From the bytes of a foreign file to text. People save in many encodings; a bank knows one.

Read are UTF-8 (with or without a mark), UTF-16 (with a mark, or so full of zeros that nothing else fits)
and, with a note, Windows-1252. All line ends become newlines, so numbers of lines stay.
"""

from __future__ import annotations

from quizzes.formats.intake import Note
from quizzes.model import ImportFailedError

# Moodle puts pictures into its files, so they may be larger than a bank.
MAX_BYTES = 8 * 1024 * 1024


def check_size(data: bytes) -> None:
    """Refuse what no quiz can be; ImportFailedError says so."""
    if len(data) > MAX_BYTES:
        raise ImportFailedError(f"the file is larger than {MAX_BYTES} bytes; split it into several")
    if not data.strip():
        raise ImportFailedError("the file is empty; a file with questions is expected")


def decode(data: bytes) -> tuple[str, list[Note]]:
    """Return the text of a file, and a note where its encoding had to be guessed."""
    check_size(data)
    text, notes = _decode(data)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ImportFailedError(f"line {line}: a zero byte; a text file is expected, this looks like something else")
    return text, notes


def _decode(data: bytes) -> tuple[str, list[Note]]:
    if data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        raise ImportFailedError("the file is UTF-32; save it as UTF-8")
    encoding = _wide(data)
    if encoding:
        try:
            return data.decode(encoding), []
        except UnicodeDecodeError as error:
            raise ImportFailedError(
                f"the file begins as {encoding} but breaks at byte {error.start}; save it as UTF-8"
            ) from None
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        raise ImportFailedError(f"line {line}: byte 0x{byte:02X} is not UTF-8; save the file as UTF-8") from None
    return text, [
        Note(
            line,
            f"byte 0x{byte:02X} is not UTF-8; read as Windows-1252, so look at accents and quotes",
        )
    ]


def _wide(data: bytes) -> str:
    """Return the name of UTF-16 if the bytes are that: by their mark, or by a zero at every other place."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    head = data[:400]
    if len(head) >= 4 and not len(data) % 2:
        if head[1::2].count(0) > len(head) // 3:
            return "utf-16-le"
        if head[::2].count(0) > len(head) // 3:
            return "utf-16-be"
    return ""
