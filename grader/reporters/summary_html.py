"""The instructor's page: how the cohort did, what it got wrong, and every submission in a table that can be sorted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grader.cohort import Status
from grader.reporters.gradebook import Writable, mistakes
from grader.reporters.page import bar, page, text
from grader.text import count, points

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.cohort import Row

MARK = "<!-- rows -->"
STATUSES = {
    "graded": "graded",
    "unreadable": "could not be read",
    "missing": "missing",
    "not_graded": "not graded, the grader's fault",
}
WAITS = "not graded yet"

NO_NUMBER = '<td class="number" data-value="-1"></td>'

STYLE = """
body { max-width: 80rem; }
.figures { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0; }
.figures div { border: 1px solid var(--line); border-radius: .5rem; background: var(--card); padding: .5rem 1rem; }
.figures strong { display: block; font-size: 1.4rem; font-variant-numeric: tabular-nums; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 0 2.5rem; }
.histogram { display: grid; grid-template-columns: repeat(10, 1fr); gap: .3rem; align-items: end; height: 11rem; }
.histogram div { display: flex; flex-direction: column; justify-content: end; height: 100%; text-align: center;
  font-size: .8rem; font-variant-numeric: tabular-nums; }
.histogram i { display: block; background: var(--accent); border-radius: .2rem .2rem 0 0; min-height: 1px; }
th button { all: unset; cursor: pointer; font-weight: 600; } th button:focus-visible { outline: 2px solid; }
th[aria-sort=ascending] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
#filter { font: inherit; padding: .35rem .6rem; width: min(100%, 24rem); color: inherit; background: var(--ground);
  border: 1px solid var(--line); border-radius: .35rem; }
a { color: var(--accent); }
td.rate { min-width: 6rem; }
"""

SCRIPT = """
const table = document.getElementById("rows"), body = table.tBodies[0];
const value = (row, at) => row.cells[at].dataset.value ?? row.cells[at].textContent;
for (const [at, head] of [...table.tHead.rows[0].cells].entries()) {
  head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const number = head.classList.contains("number");
    const order = (a, b) => number ? value(a, at) - value(b, at) : value(a, at).localeCompare(value(b, at));
    body.append(...[...body.rows].sort((a, b) => down ? order(b, a) : order(a, b)));
  });
}
document.getElementById("filter").addEventListener("input", event => {
  const wanted = event.target.value.toLowerCase();
  for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
});
"""


def write(file: Writable, summary: dict[str, Any], rows: Iterable[Row]) -> None:
    """Writes the page, the table's rows one at a time.

    Args:
        file: takes text.
        summary: what summary.json holds.
        rows: for the table; as many as a page can bear.
    """
    head, tail = page(f"{summary['title']}: summary", _body(summary), style=STYLE, script=SCRIPT).split(MARK)
    file.write(head)
    for row in rows:
        file.write(_row(row, [exercise["id"] for exercise in summary["exercises"]]))
    file.write(tail)


def _body(summary: dict[str, Any]) -> str:
    statuses = summary["statuses"]
    most = points(summary["max_points"])
    counts = {**statuses, "not_graded": statuses["not_graded"] - summary["not_graded_yet"]}
    figures = [(counts[status], words) for status, words in STATUSES.items() if counts[status]]
    figures += [(summary["not_graded_yet"], WAITS)] if summary["not_graded_yet"] else []
    of_points = [(summary["points"][name], f"{name}, of {most} points") for name in ("mean", "median")]
    unlisted = [(summary["unlisted"], "not on the roster")] if summary["unlisted"] else []
    parts = [
        "<main>",
        f"<h1>{text(summary['title'])}</h1>",
        (
            f'<p class="soft">{count(summary["submissions"], "submission")}, seed {summary["seed"]}, '
            f"grader {text(summary['grader'])}</p>"
        ),
        '<div class="figures">',
        *(
            f"<div><strong>{points(round(number, 1))}</strong>{words}</div>"
            for number, words in [*figures, *unlisted, *of_points]
            if number is not None
        ),
        "</div>",
        "<h2>Points</h2>",
        _histogram(summary["distribution"]),
        '<div class="columns">',
        *_section("Named mistakes", _counts(summary["mistakes"], "title")),
        *_section("Causes, by exercise", _counts(summary["causes"], "cause")),
        "</div>",
        "<h2>Checks</h2>",
        '<div class="columns">',
        *(line for exercise in summary["exercises"] for line in _checks(exercise)),
        "</div>",
        '<div class="columns">',
        *_section("Hit a limit or crashed", _crashed(summary)),
        *_section("Slowest", _slowest(summary["slowest"])),
        "</div>",
        *_table(summary),
        "</main>",
    ]
    return "\n".join(parts)


def _histogram(bins: list[dict[str, Any]]) -> str:
    top = max([one["count"] for one in bins] + [1])
    columns = "".join(
        f'<div><span>{one["count"]}</span><i style="height:{80 * one["count"] / top:.1f}%"></i>'
        f'<span class="soft">{points(round(one["from"], 1))}</span></div>'
        for one in bins
    )
    return f'<div class="histogram" role="img" aria-label="Submissions by points">{columns}</div>'


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield f'<section><h2>{title}</h2><div class="scroll"><table><tbody>'
        yield from found
        yield "</tbody></table></div></section>"


def _counts(found: list[dict[str, Any]], name: str) -> Iterator[str]:
    for one in found[:15]:
        words = str(one[name]).replace("_", " ") if name == "cause" else str(one[name])
        exercise = f'<td class="whole">{text(one["exercise"])}</td>'
        yield f'<tr><td class="number">{one["count"]}</td>{exercise}<td>{text(words)}</td></tr>'


def _checks(exercise: dict[str, Any]) -> Iterator[str]:
    yield f"<section><h3>{text(exercise['title'])}</h3>"
    if exercise["mean"] is not None:
        mean = points(round(exercise["mean"], 1))
        yield f'<p class="soft">mean {mean} of {points(exercise["max_points"])} points</p>'
    yield '<div class="scroll"><table><tbody>'
    for check in exercise["checks"]:
        share = 100 * check["passed"] / check["of"] if check["of"] else 0
        why = ", ".join(f"{cause.replace('_', ' ')} {count}" for cause, count in [*check["causes"].items()][:2])
        yield (
            f"<tr><td>{text(check['id'].replace('_', ' '))}</td><td class='rate'>{bar(check['passed'], check['of'])}"
            f"</td><td class='number'>{share:.0f} %</td><td class='soft'>{text(why)}</td></tr>"
        )
    yield "</tbody></table></div></section>"


def _crashed(summary: dict[str, Any]) -> Iterator[str]:
    for one in summary["crashed"][:15]:
        causes = one["causes"].replace("_", " ")
        exercise = f'<td class="whole">{text(one["exercise"])}</td>'
        yield f"<tr><td>{text(one['submission'])}</td>{exercise}<td>{text(causes)}</td></tr>"
    if summary["crashes"] > 15:
        yield f"<tr><td colspan='3' class='soft'>{summary['crashes']} in all; summary.json lists more</td></tr>"


def _slowest(found: list[dict[str, Any]]) -> Iterator[str]:
    for one in found:
        yield f'<tr><td>{text(one["submission"])}</td><td class="number">{one["elapsed_s"]:.2f} s</td></tr>'


def _table(summary: dict[str, Any]) -> Iterator[str]:
    yield "<h2>Submissions</h2>"
    yield '<p><label>Show only <input id="filter" type="search" placeholder="name, status, mistake"></label></p>'
    heads = [("Submission", ""), ("Status", ""), ("Points", "number")]
    heads += [(exercise["id"], "number") for exercise in summary["exercises"]]
    heads += [("Seconds", "number"), ("Mistakes and remarks", "")]
    cells = "".join(f'<th class="{kind}"><button>{text(name)}</button></th>' for name, kind in heads)
    yield f'<div class="scroll"><table id="rows"><thead><tr>{cells}</tr></thead><tbody>{MARK}</tbody></table></div>'
    yield '<p class="soft">A page holds the first 3,000; gradebook.csv has all of them.</p>'


def _row(row: Row, stems: list[str]) -> str:
    got = {exercise.id: exercise for exercise in row.exercises}
    name = text(row.submission)
    if row.file:
        name = f'<a href="feedback/{text(row.file)}.html">{name}</a>'
    status = WAITS if row.waits else STATUSES[row.status.value]
    cells = [f"<td>{name}</td>", f'<td class="{row.status.value}">{status}</td>']
    nothing = _number(0, "soft") if row.status is not Status.NOT_GRADED else NO_NUMBER
    cells.append(nothing if row.status is Status.NOT_GRADED else _number(row.points))
    cells += [_number(got[stem].points, got[stem].outcome) if stem in got else nothing for stem in stems]
    remarks = "; ".join(filter(None, [mistakes(row), row.reason]))
    cells += [_number(row.elapsed_s), f"<td>{text(remarks)}</td>"]
    return f"<tr>{''.join(cells)}</tr>\n"


def _number(value: float, kind: str = "") -> str:
    shown = points(round(value, 2))
    return f'<td class="number {kind}" data-value="{value}">{shown}</td>'
