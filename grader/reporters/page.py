"""What the HTML pages have in common: one file each, nothing loaded from anywhere, light and dark, narrow and wide."""

from __future__ import annotations

import html
import math
import re
from typing import TYPE_CHECKING

from grader.text import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

NUMBER = r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)"
TOKEN = re.compile(rf"\[|\]|{NUMBER}")
# One class of characters, so that no text makes the matching slow.
ARRAY = re.compile(r"\w+(?:\[[^\]=]*\])? = ([\[\]\s0-9.+\-aefin]+)\Z")

STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1c1f23; --soft: #5b636e; --line: #d9dde3; --card: #f5f6f8;
  --passed: #14713d; --failed: #b3261e; --not_started: #7a5a00; --could_not_check: #7b2d8b; --accent: #1f5fbf; }
@media (prefers-color-scheme: dark) { :root { --ground: #15181c; --ink: #e8eaed; --soft: #a3abb6; --line: #363c45;
  --card: #1f242a; --passed: #6fcf97; --failed: #ff8a80; --not_started: #e6c15a; --could_not_check: #d59be3;
  --accent: #7fb0ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem 1rem 4rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0; } section h3 { margin-top: 1rem; } .card h3 { margin-top: 0; } p { margin: .4rem 0; }
.soft { color: var(--soft); } .number { text-align: right; font-variant-numeric: tabular-nums; }
.passed { color: var(--passed); } .failed { color: var(--failed); } .not_started { color: var(--not_started); }
.could_not_check { color: var(--could_not_check); }
table { border-collapse: collapse; width: 100%; } .scroll { overflow-x: auto; }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; }
td.number, th.number { text-align: right; } td.whole, td.number, th.number { white-space: nowrap; }
.card { border: 1px solid var(--line); border-radius: .5rem; background: var(--card); padding: .75rem 1rem;
  margin: .6rem 0; }
code, pre { font: .875rem/1.45 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
pre { margin: .2rem 0; white-space: pre-wrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--soft); } dd { margin: 0; min-width: 0; }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } }
.maps { display: flex; flex-wrap: wrap; gap: 1.5rem; margin: .6rem 0; }
.map { border-collapse: separate; border-spacing: 2px; width: auto; }
.map caption { text-align: left; color: var(--soft); font-size: .875rem; }
.map td { border: 0; border-radius: .2rem; padding: .3rem .45rem; text-align: right;
  font: .8rem ui-monospace, monospace; }
.map td.off { outline: 2px solid var(--failed); outline-offset: -2px; }
.bar { display: block; height: .5rem; background: var(--line); border-radius: .25rem; overflow: hidden;
  min-width: 4rem; margin-top: .5rem; }
.bar span { display: block; height: 100%; background: var(--accent); }
"""


def text(value: object) -> str:
    """Any value as text that is safe between tags and in quoted attributes."""
    return html.escape(visible(str(value), keep="\n\t"), quote=True)


def page(title: str, body: str, *, style: str = "", script: str = "") -> str:
    """A whole page. It loads nothing and sends nothing, which the page itself tells the browser to hold it to."""
    policy = "default-src 'none'; style-src 'unsafe-inline'" + ("; script-src 'unsafe-inline'" if script else "")
    code = f"<script>{script}</script>\n" if script else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text(title)}</title>\n<style>{STYLE}{style}</style>\n</head>\n<body>\n{body}\n{code}</body>\n</html>\n"
    )


def bar(part: float, whole: float) -> str:
    """A share as a bar; the number has to stand beside it."""
    share = 100 * part / whole if whole else 0.0
    return f'<span class="bar" aria-hidden="true"><span style="width:{share:.1f}%"></span></span>'


def heat_maps(got: str, expected: str) -> str:
    """Two arrays of weights side by side as heat maps; nothing where they are no weights."""
    actual, wanted = _array(got), _array(expected)
    if actual is None or wanted is None or list(map(len, actual)) != list(map(len, wanted)):
        return ""
    if not all(all(0 <= entry <= 1 for entry in row) and abs(sum(row) - 1) < 0.02 for row in wanted):
        return ""
    return f'<div class="maps">{_map("got", actual, wanted)}{_map("expected", wanted, wanted)}</div>'


def _array(shown: str) -> list[list[float]] | None:
    """The rows along the last axis of an array that is shown whole, None for anything else."""
    matched = None if ".." in shown else ARRAY.match(shown)
    if matched is None:
        return None
    rows: list[list[float]] = []
    for mark in TOKEN.findall(matched[1]):
        if mark == "[":
            rows.append([])
        elif mark != "]":
            if not rows:
                return None
            rows[-1].append(float(mark))
    rows = [row for row in rows if row]
    return rows if rows and max(map(len, rows)) > 1 else None


def _map(caption: str, rows: Sequence[Sequence[float]], wanted: Sequence[Sequence[float]]) -> str:
    cells = "".join(
        "<tr>" + "".join(_cell(entry, right) for entry, right in zip(row, beside, strict=True)) + "</tr>"
        for row, beside in zip(rows, wanted, strict=True)
    )
    return f'<table class="map"><caption>{caption}</caption>{cells}</table>'


def _cell(entry: float, right: float) -> str:
    """A weight on a ground as strong as it is large; one that is off has a border, so colour is not all there is."""
    strength = min(1.0, max(0.0, entry)) if math.isfinite(entry) else 0.0
    off = ' class="off"' if not math.isclose(entry, right, abs_tol=5e-4) else ""
    ground = f"color-mix(in srgb, var(--accent) {55 * strength:.0f}%, transparent)"
    return f'<td{off} style="background:{ground}">{entry:.3g}</td>'
