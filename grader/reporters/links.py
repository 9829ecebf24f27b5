"""Places in a report as links, so that a click in the terminal goes to file and line (OSC 8).

Only the grader's own words become links: a path that is one of the lesson's, wherever it stands. What the learner's
code printed or raised may name such a path too, and then leads there as well, but never anywhere else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

# Terminals that print what they do not understand, or where a click leads nowhere.
WITHOUT = ("dumb", "linux", "")
SWITCH = "GRADE_LINKS"
OFF = "0"
# A line number is the fragment, which kitty and the terminals of VS Code, Zed and WezTerm take for one.
FILE = "file://{host}{path}#{line}"


def template(environ: Mapping[str, str]) -> str | None:
    """How links are written here, with ``{path}``, ``{line}`` and ``{host}``; None where there are to be none.

    ``GRADE_LINKS=0`` switches them off; any other value is a template of one's own, such as
    ``vscode://file{path}:{line}``.
    """
    wanted = environ.get(SWITCH, "")
    if wanted == OFF or environ.get("TERM", "") in WITHOUT or "INSIDE_EMACS" in environ:
        return None
    return wanted or FILE


def linker(root: Path, paths: Iterable[str], how: str, host: str = "") -> Callable[[str], str]:
    """Makes the function that turns the places in a text into links.

    Args:
        root: the folder that the paths are relative to.
        paths: those that may become links.
        how: the template.
        host: the machine that the files are on, where that is another than the terminal's.
    """
    known = "|".join(re.escape(path) for path in sorted(paths, key=len, reverse=True))
    place = re.compile(rf"(?<![\w./-])({known})(?::(\d{{1,7}}))?(?![\w/]|\.\w)")

    def linked(found: re.Match[str]) -> str:
        path, line = found.groups()
        target = how.replace("{host}", host).replace("{line}", line or "1").replace("{path}", quote(str(root / path)))
        return f"\x1b]8;;{target}\x1b\\{found[0]}\x1b]8;;\x1b\\"

    return lambda text: place.sub(linked, text)
