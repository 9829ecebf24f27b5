"""What the tests of the formats share: the bank of markers, and what an export shows without its copies."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

from quizzes import checking, formats, loader, writer

HERE = Path(__file__).parent
MARKERS = HERE / "markers.yaml"


def markers():
    """Return the bank that has a text of its own in every field."""
    return loader.read_bank(MARKERS)


def bank_of(yaml):
    """Return the bank of some YAML, which must pass `quiz check`."""
    loaded = checking.check_bytes(yaml.encode(), "bank.yaml")
    assert loaded.bank is not None, loaded.report
    return loaded.bank


def bank(questions, head=""):
    """Return a bank of questions, given as YAML that is indented by two."""
    return bank_of(f"schema: quizbank/1\nbank: small\ntitle: Small\n{head}questions:\n{questions}")


def exported(one, target):
    """Return the first file of an export."""
    return next(iter(formats.export(one, target).files.values()))


def imported(data, kind="auto"):
    """Return the bank of a foreign file and what was said about it."""
    result = formats.import_bank(data if isinstance(data, bytes) else data.encode(), kind, "imported", "f")
    return bank_of(result.text), [note.show("f") for note in result.notes]


def questions(data, kind="auto"):
    """Return the questions of a foreign file that is taken without a word, as data."""
    result, notes = imported(data, kind)
    assert notes == []
    return [writer.question_data(question) for question in result.questions]


def without_copies(target, data):
    """Return an export's bytes without the copies that are there for our own reader."""
    if target == "qti":
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
            for name in old.namelist():
                pattern = rb"<qtimetadatafield>\s*<fieldlabel>quizbank(-bank)?<.*?</qtimetadatafield>"
                new.writestr(name, re.sub(pattern, b"", old.read(name), flags=re.DOTALL))
        return out.getvalue()
    text = data.decode()
    if target == "gift":
        text = re.sub(r"(?m)^// quizbank.*\n", "", text)
    elif target == "jupyterquiz":
        read = json.loads(text)
        for question in read:
            del question["quizbank"]
        text = json.dumps(read)
    else:
        text = re.sub(r"<!-- quizbank.*? -->", "", text)
        text = re.sub(r"(?m)^#quizbank.*\n", "", text)
    return text.encode()


def edited(data, old, new):
    """Return a file, or a zip of files, with some bytes replaced outside and inside the copies."""
    if not data.startswith(b"PK"):
        return data.replace(old, new)
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(out, "w") as after:
        for name in before.namelist():
            after.writestr(name, before.read(name).replace(old, new))
    return out.getvalue()


def shown(target, data):
    """Return all text of an export, copies aside."""
    bare = without_copies(target, data)
    if target != "qti":
        return bare.decode() if target != "jupyterquiz" else json.dumps(json.loads(bare), ensure_ascii=False)
    with zipfile.ZipFile(io.BytesIO(bare)) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist() if name.endswith(".xml"))
