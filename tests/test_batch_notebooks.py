"""What counts of a notebook: the exercises' functions with what they need, and nothing else that stands in it."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

from grader.lesson import shipped_lesson
from grader.workflows.batch.contents import collect
from grader.workflows.batch.notebooks import read_notebook
from grader.workflows.batch.sources import entries_of

LESSON = shipped_lesson()
SOFTMAX = "def softmax(x, axis=-1):\n    e = np.exp(x - x.max(axis=axis, keepdims=True))\n    return e / e.sum(axis)\n"
ATTENTION = "def scaled_dot_product_attention(q, k, v, mask=None):\n    return softmax(q @ k.T) @ v, None\n"
NUMPY = "import numpy as np\n"


def notebook(*cells):
    """A notebook with code cells."""
    return json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells], "nbformat": 4}).encode()


def files_of(folder, *cells):
    """The files that are made of a notebook, and the remarks."""
    (folder / "in").mkdir()
    (folder / "in" / "ann.ipynb").write_bytes(notebook(*cells))
    (entry,) = entries_of(folder / "in")
    found = collect(entry, LESSON)
    assert found.submission is not None, found.reason
    return {path: content.decode() for path, content in found.submission.files.items()}, found.notes


def imported(folder, files, code):
    """What a fresh Python prints that has the files beside it."""
    for path, text in files.items():
        (folder / path).write_text(text)
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "scratch",
    [
        'x = np.loadtxt("my_scores.csv")\nprint(softmax(x))',
        "import torch\nx = torch.rand(2, 3)\ne = torch.exp(x)",
        "x = 1 / 0",
        "e = []\nwhile True: e.append(1)",
        "softmax = None",
        "weights = softmax(np.zeros(3))",
        "from torch import *",
        "for axis in range(9): x[axis] = axis",
        "%timeit softmax(x)\nx = input()",
        "this is no Python\nx = 1",
    ],
)
@pytest.mark.parametrize("before", [True, False])
def test_other_cells_decide_nothing(tmp_path, scratch, before):
    """What other cells call like a parameter or a local of the answer does not come along."""
    cells = [scratch, NUMPY + SOFTMAX] if before else [NUMPY + SOFTMAX, scratch]
    files, _ = files_of(tmp_path, *cells)
    number = 2 if before else 1
    assert {"softmax.py": f"# From the notebook ann.ipynb.\n\n# Code cell {number}\n{NUMPY}{SOFTMAX}"} == files


def test_what_else_the_answers_cell_does(tmp_path):
    """Calls and values that stand beside the answer are left out with what they need from other cells."""
    files, _ = files_of(tmp_path, "scores = load('x')", f"{NUMPY}y = scores[0]\n# mine\n{SOFTMAX}\nsoftmax(scores)\n")
    assert f"# From the notebook ann.ipynb.\n\n# Code cell 2\n{NUMPY}# mine\n{SOFTMAX}" == files["softmax.py"]


@pytest.mark.parametrize(
    ("helper", "line"),
    [
        ("LOW = -1e9", "LOW"),
        ('LOW = float("-inf")', "LOW"),
        ("low = lambda: -1\n\n\ndef unused():\n    return 0", "low()"),
        ("class Low:\n    at = 1", "Low.at"),
        ("LOW = {}\nLOW['a'] = 1", "LOW['a']"),
        ("LOW = []\nfor at in range(3):\n    LOW.append(at)", "LOW[2]"),
        ("import math as m, os", "m.pi"),
        ("try:\n    import no_such as m\nexcept ImportError:\n    import math as m", "m.pi"),
        ("from math import *", "pi + floor(2.5)"),
        ("from math import (\n    pi,\n    floor,\n)", "pi + floor(2.5)"),
        ("def one():\n    return TWO\nTWO = 2", "one()"),
        ("LOW, HIGH = 1, 2", "LOW"),
        ("LOW = 1\nLOW += 1", "LOW"),
        ("def low(x):\n    return old(x)\nold = abs\nlow = old", "low(-1)"),
    ],
)
def test_what_the_answer_needs(tmp_path, helper, line):
    """Definitions, values and imports that the answer uses come along from wherever they stand."""
    files, _ = files_of(tmp_path, helper, "print('scratch')", f"def softmax(x, axis=-1):\n    return {line}")
    assert "unused" not in files["softmax.py"]
    assert "scratch" not in files["softmax.py"]
    imported(tmp_path, files, "import softmax; softmax.softmax(1)")


def test_a_trial_called_like_a_built_in(tmp_path):
    """A value of a trial does not take the place of a built-in function, a function or an import does."""
    answer = "def softmax(x, axis=-1):\n    return sum(x), max(x), min(x)"
    files, _ = files_of(
        tmp_path, answer, "sum = 0\nfor k in [1]: sum += k", "from numpy import min", "def max(x): pass"
    )
    assert "sum = 0" not in files["softmax.py"]
    assert "from numpy import min" in files["softmax.py"]
    assert "def max" in files["softmax.py"]


def test_one_import_of_several(tmp_path):
    """Of a line that imports several modules only the one that is used comes along."""
    files, _ = files_of(tmp_path, "import torch, numpy as np; print(1)", SOFTMAX)
    assert files["softmax.py"].startswith(f"# From the notebook ann.ipynb.\n\n# Code cell 1\n{NUMPY}\n# Code cell 2\n")


def test_the_last_of_several(tmp_path):
    """Of several definitions the last one counts, and an earlier one only where that uses it."""
    first = "import torch\ndef softmax(x, axis=-1):\n    return torch.softmax(x)"
    files, _ = files_of(tmp_path, first, "def softmax(x, axis=-1):\n    return 1", "keep = softmax", "softmax = keep")
    assert "torch" not in files["softmax.py"]
    assert "1\n" == imported(tmp_path, files, "import softmax; print(softmax.softmax(0))")


BLOCK = "if True:\n    import numpy as np\n" + "".join(f"    {line}\n" for line in SOFTMAX.splitlines())
MINE = NUMPY + SOFTMAX.replace("softmax", "mine")


@pytest.mark.parametrize(
    "cell",
    [
        "".join(f"  {line}\n" for line in (NUMPY + SOFTMAX).splitlines()),
        "\n \n\t" + (NUMPY + SOFTMAX).replace("\n", "\n\t"),
        "  %%time\n    import numpy as np\n    softmax = lambda x, axis=-1: np.exp(x) / np.exp(x).sum()",
        ">>> import numpy as np\n>>> def softmax(x, axis=-1):\n...     return np.exp(x) / np.exp(x).sum()\n...",
        "In [12]: import numpy as np\n    ...: def softmax(x, axis=-1):\n    ...:     return np.exp(x) / np.exp(x)",
        "/print 1\n;print a b\n" + NUMPY + SOFTMAX,
        BLOCK,
        BLOCK.replace("if True", "for once in range(1)"),
        BLOCK.replace("if True:", "try:\n    from softmax import softmax\nexcept ImportError:"),
        MINE + "softmax, other = mine, 3",
        MINE + "[other, *more], softmax = (3, 4), mine",
        MINE + "(softmax := mine)",
        MINE + "both = {'softmax': mine}\nsoftmax = both['softmax']",
        MINE + "softmax = mine if mine else None",
        MINE + "softmax = None or mine",
    ],
)
def test_what_makes_a_function(tmp_path, cell):
    """Whatever gives an exercise's function its value in Jupyter makes it here: indented, in a block, by assignment."""
    files, _ = files_of(tmp_path, "print('scratch')", cell, "softmax(1)")
    assert {"softmax.py"} == set(files)
    assert "scratch" not in files["softmax.py"]
    assert "1.0\n" == imported(tmp_path, files, "import softmax, numpy as n; print(softmax.softmax(n.ones(1)).sum())")


@pytest.mark.parametrize(
    "cell",
    ["softmax = 3", "softmax, x = 3, f", "softmax: int", "softmax += 1", "softmax = [f]", "if True: import softmax"],
)
def test_what_makes_no_function(cell):
    """What is set to a value that is written down, or imported, is no answer."""
    assert not read_notebook(notebook(cell)).defines(LESSON["softmax"])


@pytest.mark.parametrize("cells", [("attention", "softmax"), ("softmax", "attention"), ("both",), ("top", "softmax")])
def test_no_file_imports_itself(tmp_path, cells):
    """The stubs' own import lines work in every order of the cells: each file imports from earlier ones."""
    line = "from softmax import softmax\n"
    texts = {
        "softmax": NUMPY + SOFTMAX,
        "attention": line + ATTENTION,
        "both": NUMPY + SOFTMAX + line + ATTENTION,
        "top": NUMPY + line + ATTENTION,
    }
    files, _ = files_of(tmp_path, *(texts[cell] for cell in cells))
    assert {"softmax.py", "attention.py"} == set(files)
    assert "import softmax" not in files["softmax.py"]
    assert 1 == files["attention.py"].count("from softmax import softmax")
    assert "def softmax" not in files["attention.py"]
    imported(tmp_path, files, "import softmax, attention; attention.softmax")


def test_a_helper_of_a_later_exercise(tmp_path):
    """A function of a later exercise is copied, so that no two files import each other."""
    helped = "def softmax(x, axis=-1):\n    return merge_heads(x)"
    files, _ = files_of(tmp_path, helped, "def merge_heads(x):\n    return softmax", "def split_heads(x): pass")
    assert "def merge_heads" in files["softmax.py"]
    imported(tmp_path, files, "import multihead; multihead.merge_heads(1)")


@pytest.mark.parametrize(
    "head", ["%%grade softmax", "%%time", "%%capture out", "\n\n%%capture\n%%time", "# mine\n%%grade softmax"]
)
def test_cells_that_run_what_is_below(tmp_path, head):
    """`%%grade`, `%%time` and their like stand above ordinary code."""
    files, notes = files_of(tmp_path, f"{head}\n{NUMPY}{SOFTMAX}")
    assert ("softmax.py was taken from ann.ipynb",) == notes
    assert files["softmax.py"].endswith(SOFTMAX)


def test_a_graded_cell_is_its_exercises(tmp_path):
    """The cell under `%%grade softmax` is the exercise, whatever another cell has a copy of."""
    copy = "%%grade attention\ndef softmax(x):\n    return 'copy'\n" + ATTENTION
    files, _ = files_of(tmp_path, f"%%grade softmax\n{NUMPY}{SOFTMAX}", copy)
    assert "copy" not in files["softmax.py"]


def test_cells_that_write_files(tmp_path):
    """`%%writefile softmax.py` makes that file, word for word, and so does a module beside it; -a goes on with one."""
    text = "from helpers import shifted\ndef softmax(x, axis=-1):\n    return shifted(x)\n"
    helpers = "def shifted(x):\n    return x\n"
    files, notes = files_of(
        tmp_path,
        f"%%writefile softmax.py\n{text}",
        f"%%file ./helpers.py\n{helpers}",
        "%%writefile -a exercises/softmax.py\n# more\n",
        "%%writefile notes.txt\nhello",
        "def softmax(x):\n    return 'not this'",
    )
    assert {"softmax.py": text + "# more\n", "helpers.py": helpers} == files
    assert ("softmax.py was taken from ann.ipynb",) == notes


def test_cells_of_other_languages(tmp_path):
    """A cell in another language is no Python, and it is said where an exercise would be in it."""
    bash = "%%bash\nsoftmax=1\n"
    files, notes = files_of(tmp_path, NUMPY + SOFTMAX, bash, "%%html\n<p>", "%%cython\ndef split_heads(x): pass")
    assert {"softmax.py"} == set(files)
    said = "ann.ipynb: code cell 4 was left out: it starts with %%cython"
    assert ("softmax.py was taken from ann.ipynb", said) == notes


def test_lines_of_ipython(tmp_path):
    """IPython's own lines are taken out; what only looks like one, in a string or a continued line, stays."""
    own = "files = !ls\n%timeit f(x)\nsoftmax?\nif True:\n    !ls \\\n  -l\n!echo 'it\n"
    text = 'TEXT = """\n%percent\n!now\n"""\nSEVEN = 7\\\n%10\n'
    files, _ = files_of(tmp_path, own + text + "def softmax(x, axis=-1):\n    %time y = x\n    return TEXT, SEVEN\n")
    said = imported(tmp_path, files, "import softmax; print(softmax.softmax(0))")
    assert "('\\n%percent\\n!now\\n', 7)\n" == said


def test_future_imports_stand_first(tmp_path):
    """An import from __future__ is the first line that counts, wherever the notebook has it."""
    files, _ = files_of(tmp_path, NUMPY, "from __future__ import annotations\n" + NUMPY + SOFTMAX)
    assert "1.0\n" == imported(tmp_path, files, "import softmax, numpy as n; print(softmax.softmax(n.ones(1)).sum())")


def test_a_notebook_for_each_exercise(tmp_path):
    """A notebook named like the exercise is its own, also where an earlier one holds a copy."""
    folder = tmp_path / "in" / "ann"
    folder.mkdir(parents=True)
    (folder / "attention.ipynb").write_bytes(notebook("def softmax(x): return 'copy'\n" + ATTENTION))
    (folder / "softmax.ipynb").write_bytes(notebook(NUMPY + SOFTMAX))
    (entry,) = entries_of(tmp_path / "in")
    found = collect(entry, LESSON)
    assert b"copy" not in found.submission.files["softmax.py"]
    assert b"from softmax import softmax" in found.submission.files["attention.py"]


@pytest.mark.parametrize(
    "cell",
    [
        "(" * 50_000,
        "-" * 100_000 + "1",
        "x = " + "[" * 3_000 + "]" * 3_000,
        "a.b" * 50_000,
        "lambda: " * 5_000 + "0",
        "\0",
        "\ud800 = 1",
        "softmax?\n" * 5_000,
        "a=b;" * 60_000,
        "a=b\n" * 60_000,
        "from x import (" * 20_000,
        " " * 200_000 + "= !",
        "def softmax(x): pass\n" + "x = f()\n" * 1_900,
        "np = np\n" * 1_900,
        "%%time\n" * 50_000,
        "match x:\n    case {'a': [b, *c]}:\n        pass\n",
        "x: int\nglobal y\ndel z\nawait w\nreturn 1\n",
    ],
)
def test_any_cell_is_read_in_bounded_time(cell):
    """Whatever a cell holds, it is read, in a time that its author cannot choose."""
    started = time.process_time()
    found = read_notebook(notebook(cell, NUMPY + SOFTMAX))
    text = found.file_of(LESSON["softmax"], {}, "x")
    assert "def softmax" in text
    assert time.process_time() - started < 5


def cells(*sources):
    """A notebook with cells that hold no softmax, and one that does."""
    return notebook(*sources, NUMPY + SOFTMAX)


SKIMMED = "so it was only skimmed;"
AFTER = f"stands where enough code was read closely, {SKIMMED} leave out what is no part of the exercises"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (cells("import a" + ".b" * 125_000), f"code cell 1 is larger than 64 KiB, {SKIMMED} make it several cells"),
        (
            cells("import a" + ".b" * 30_000),
            f"code cell 1 holds a name with more than 100 dots, {SKIMMED} leave that out",
        ),
        (
            cells("from a\\\n" + ". b\\\n" * 10_000 + " import c"),
            f"code cell 1 holds a name with more than 100 dots, {SKIMMED} leave that out",
        ),
        (cells(*['x = f"' + "{1}" * 20_000 + '"'] * 60), f"code cell 3 {AFTER}"),
        (cells(*["f(" + ", ".join(f"a{n}, lambda: 0" for n in range(3_500)) + ")"] * 30), f"code cell 3 {AFTER}"),
        (cells(*["import " + "a, " * 20_000 + "a"] * 60), f"code cell 1 {AFTER}"),
        (cells("%%file " + "x" * (15 << 20)), "code cell 1 was left out: it is larger than 1 MiB"),
        (cells("\n" * (7 << 20)), "code cell 1 was left out: it is larger than 1 MiB"),
        (
            notebook(NUMPY + SOFTMAX, *["%%file -a a.py\nx"] * 150_000),
            "code cell 1001 and those after it were left out: 1,000 cells are read at most",
        ),
        (
            notebook(NUMPY + SOFTMAX, *["#" * 900_000] * 9),
            "code cell 7 and those after it were left out: 4 MiB of code are read at most",
        ),
        (
            b'{"cells": [' + b"[]," * (4 << 20) + b"[]]}",
            "x.ipynb was left out: notebooks may hold 4,000,000 values together, those in outputs too; clear the",
        ),
        (
            cells(*["%%" + "a" * 100_000 + "\ndef projections(): pass\ndef project_qkv(): pass"] * 9),
            "code cell 5 was left out: it starts with %%aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ...; x.ipynb: and 4 more",
        ),
    ],
    ids=range(12),
)
def test_no_notebook_takes_long_to_read(tmp_path, bounded, content, said):
    """What a notebook holds costs little time and memory, and it is said what counts for less than is there."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "x.ipynb").write_bytes(content)
    assert said in bounded(tmp_path / "in")


def test_notebooks_share_what_is_read(tmp_path, bounded):
    """Many notebooks cost no more than one."""
    (tmp_path / "in" / "ann").mkdir(parents=True)
    (tmp_path / "in" / "ann" / "softmax.ipynb").write_bytes(notebook(NUMPY + SOFTMAX))
    for number in range(300):
        (tmp_path / "in" / "ann" / f"a{number}.ipynb").write_bytes(notebook('f"' + "{1}" * 5_000 + '"'))
    said = bounded(tmp_path / "in")
    assert "softmax.py was taken from softmax.ipynb" in said
    assert AFTER in said


def test_a_source_is_text(tmp_path):
    """What stands in a source's place and is no text is left out, however deep it is."""
    (tmp_path / "in").mkdir()
    odd = [{"cell_type": "code", "source": odd} for odd in (None, 3, {"a": 1}, [1, NUMPY, ["x"]], SOFTMAX)]
    content = json.dumps({"cells": odd}).replace('"x"', "[" * 900 + "]" * 900)
    (tmp_path / "in" / "ann.ipynb").write_text(content)
    found = collect(*entries_of(tmp_path / "in"), LESSON)
    assert b"import numpy as np" in found.submission.files["softmax.py"]


def test_numbers_of_any_length():
    """A number in an output may have more digits than Python makes a number of."""
    content = notebook(NUMPY + SOFTMAX).replace(b'"source"', b'"outputs": [' + b"7" * 5_000 + b'], "source"')
    assert read_notebook(content).defines(LESSON["softmax"])


def test_a_cell_that_is_too_much_counts_all_the_same(tmp_path):
    """Of a cell that is not parsed the functions at its left edge count."""
    files, notes = files_of(tmp_path, NUMPY, SOFTMAX + "# " + "-" * 70_000)
    assert "1.0\n" == imported(tmp_path, files, "import softmax, numpy as n; print(softmax.softmax(n.ones(1)).sum())")
    assert f"ann.ipynb: code cell 2 is larger than 64 KiB, {SKIMMED} make it several cells" in notes


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is no notebook: the file is empty"),
        (b'{"cells": [', "is no notebook: it is cut off"),
        (b"hello", "is no notebook: what stands in line 1 is none of a notebook's text (JSON)"),
        (b"\xff\xfe\xff", "is no notebook: it is no text"),
        (b"[" * 100_000, "is no notebook: it is nested too deeply"),
        (b"[]", "is no notebook: it has no cells"),
        (
            b'{"nbformat": 3, "worksheets": [{"cells": []}]}',
            "is saved in an old format, nbformat 3: open it in a current Jupyter and save it again",
        ),
    ],
)
def test_what_is_no_notebook(content, said):
    """What cannot be read says why, in words for people who have never seen JSON."""
    assert said == read_notebook(content)
