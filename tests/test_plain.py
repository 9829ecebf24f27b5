"""Which files may share a process with others: those that can leave nothing behind in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.lesson import shipped_lesson
from grader.worker.loading import Submission

LESSON = shipped_lesson()
WHEATS = sorted((Path(__file__).parent / "content" / "wheats").glob("*/*.py"))


def is_plain(source: bytes) -> bool:
    """Whether a file is plain that lies beside those of the lesson."""
    siblings = dict.fromkeys((exercise.filename for exercise in LESSON.exercises), b"")
    return Submission({**siblings, "helper.py": source}, {}, "exercises/").is_plain("helper")


@pytest.mark.parametrize("exercise", LESSON.exercises, ids=lambda one: one.id)
def test_solutions_are_plain(exercise):
    """What most people write is plain."""
    assert is_plain(exercise.reference.read_bytes())


def test_most_right_files_are_plain():
    """The rule is not so strict that it is of no use."""
    assert sum(is_plain(path.read_bytes()) for path in WHEATS) > 0.8 * len(WHEATS)


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nfrom numpy import linalg\nimport math\n",
        "from softmax import softmax\nimport attention\n",
        "from functools import lru_cache\n@lru_cache\ndef f(x): return x\n",
        "from __future__ import annotations\nfrom numpy.typing import NDArray",
        "KEPT = {}\ndef f(x, seen=[]):\n    global KEPT\n    KEPT[1] = seen",
        "import numpy as np\ndef f(x):\n    with np.errstate(all='ignore'):\n        x[...] = 1\n    return sum(x)",
        "from softmax import softmax\nif __name__ == '__main__':\n    print(f'{softmax(1)!r}')\n",
        "'''np.seterr(all='raise') is what this file does not do'''\n# nor does it exec anything",
        "import numpy as _np\n_HIDDEN = 1\ndef _shifted(x): return x - _HIDDEN\ndef f(x): return _shifted(x)",
        "from collections import namedtuple\nPair = namedtuple('Pair', 'one other')\n__all__ = ['Pair']",
        "scale: float = 1.0\ndef f(x): return sum(one for one in x)",
        "import functools\nf = functools.partial(max, 1)",
        "from . import softmax\nfrom .attention import scaled_dot_product_attention",
        "def softmax(x):\n    '\\sum is no escape, and the compiler warns of it'",
    ],
)
def test_plain(source):
    """Files that keep what they keep in their own module, or in their arguments."""
    assert is_plain(source.encode())


@pytest.mark.parametrize(
    "source",
    [
        "np.exp = abs",
        "del np.exp",
        "np.exp.x += 1",
        "for np.exp in [1]: pass",
        "with open('x') as np.exp: pass",
        "np.seterr(all='raise')",
        "set_ = np.set_printoptions",
        "from numpy import seterr as harmless",
        "from numpy import *",
        "from numpy import _core",
        "import numpy.random",
        "import numpy._core",
        "np.random.seed(0)",
        "import sys",
        "import softmax, os",
        "from . import os_path as x; import gc",
        "from os import environ",
        "from functools import update_wrapper",
        "import functools\n@functools.wraps(abs)\ndef f(x): return x",
        "from numpy import linalg as _fine, _core",
        "def f(x): return np._core.multiarray",
        "def f():\n    def g():\n        import os\n    return g",
        "np.\uff53eterr(all='raise')",  # a wide s, which Python reads as s
        "next(i.gi_frame.f_back for i in ())",
        "f = lambda: (yield)",
        "import typing\nm = typing.sys.modules",
        "from typing import operator",
        "import typing\nsys = 1\ntyping.sys",
        "np.polynomial.polyutils.operator",
        "np.ma.extras.warnings.simplefilter('error')",
        "np.sctypeDict['float64'] = np.float32",
        "np.typecodes.clear()",
        "np.set_printoptions(precision=2)",
        "match np:\n    case object(__dict__=d): d['exp'] = abs",
        "from softmax import __builtins__ as b\nb['len'] = abs",
        "from .os import environ",
        "from . import sys",
        "from ..sys import modules",
        "type('Kept', (), {'__del__': print})",
        "import collections\ncollections.abc.sys",
        "np.errstate(all='raise').__enter__()",
        "who_is_this(1)",
        "\n".join(f"x.name{n}" for n in range(300)),
        "setattr(np, 'exp', abs)",
        "vars(np)['exp'] = abs",
        "np.__dict__['exp'] = abs",
        "__builtins__['len'] = abs",
        "__import__('os')",
        "eval('1')",
        "f = getattr",
        "class Kept:\n    def __del__(self): pass",
        "def f():\n    with np.errstate(all='raise'):\n        yield 1",
        "async def f(): pass",
        "f.__globals__['np'] = 1",
        "x = np.ctypeslib",
        "x.shape = 3",
        "def f(: pass",
        "\0",
        "x = 1\n" * 20_000,
        "(" * 500 + ")" * 500,
        "-" * 50_000 + "1",
    ],
)
def test_not_plain(source):
    """Files that change, or may change, what others in the process use, and all that cannot be read."""
    assert not is_plain(source.encode())


def test_a_file_is_as_plain_as_what_it_imports():
    """What a file imports of the others counts, however it does so; what it does not import is not even compiled."""
    doubling = b"try: pass\nfinally:\n" + b"".join(
        b" " * at + b"try: pass\n" + b" " * at + b"finally:\n" for at in range(1, 40)
    )
    files = {
        "settings.py": b"import numpy as np\nnp.seterr(all='raise')",
        "package/__init__.py": b"import sys",
        "package/inner.py": b"x = 1",
        "doubling.py": doubling + b" " * 40 + b"pass",
        "plain.py": b"import numpy as np",
    }
    for source, expected in {
        "import numpy": True,
        "import plain": True,
        "import settings": False,
        "from settings import np": False,
        "from . import plain, settings": False,
        "from .settings import np": False,
        "def f():\n    from settings import np": False,
        "import package.inner": False,
        "from package.inner import x": False,
        "import nowhere": False,
    }.items():
        assert Submission({**files, "own.py": source.encode()}, {}, "").is_plain("own") is expected, source
    assert not Submission({"own.py": b"from softmax import softmax"}, {"softmax.py": "is a link"}, "").is_plain("own")
