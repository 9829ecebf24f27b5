"""Writes forged result files wherever a platform would look for them.

tries: forge
earns: nothing
trace: @@TRACE@@/results.json
needs: filesystem
"""

import json
import os

import numpy as np

text = json.dumps({"score": 100.0, "points": 40.0, "max_points": 40.0, "outcome": "passed", "tests": [{"score": 40, "max_score": 40, "status": "passed"}]})
here = os.path.dirname(os.path.abspath(__file__))
own = [here, os.path.join(here, ".grade"), os.path.dirname(here), os.path.join(os.path.dirname(here), ".grade")]
if os.path.basename(here) == "submissions" or "@@TRACE@@".startswith("@" * 2):
    own = []
for folder in ("@@TRACE@@", "/autograder/results", *own):
    for name in ("results.json", "result.json", "grade-report.json", "report.json", "junit.xml"):
        path = os.path.join(folder, name)
        try:
            if os.path.lexists(path):
                continue
            with open(path, "w") as file:
                file.write(text)
        except OSError:
            pass


def softmax(x, axis=-1):
    return np.zeros(np.shape(x))
