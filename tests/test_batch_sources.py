"""What a cohort's folder may hold: archives, notebooks, odd names, and what is wrong with any of them."""

from __future__ import annotations

import gzip
import io
import json
import os
import struct
import tarfile
import tracemalloc
import zipfile

import pytest

from grader.errors import UsageError
from grader.lesson import shipped_lesson
from grader.reporters.gradebook import cell
from grader.workflows.batch import archives
from grader.workflows.batch.contents import collect
from grader.workflows.batch.faults import Withheld
from grader.workflows.batch.roster import Person, match, read_roster, same_ids
from grader.workflows.batch.sources import Entry, entries_of

LESSON = shipped_lesson()
NO_COLUMN = (
    "has no column that is known. Its first line is 'grade, comment'; "
    "at least one of id, name, email, submission has to be there."
)
SOFTMAX = b"def softmax(x, axis=-1):\n    return x\n"


def only(folder):
    """What is found in the one submission of a folder."""
    (entry,) = entries_of(folder)
    return collect(entry, LESSON)


def zipped(path, files, **more):
    """Writes a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content, **more)


def tarred(path, *infos):
    """Writes a .tar.gz of (TarInfo, content)."""
    with tarfile.open(path, "w:gz") as archive:
        for info, content in infos:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))


def notebook(*cells):
    """A notebook with code cells."""
    made = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    return json.dumps({"cells": [{"cell_type": "markdown", "source": "# softmax"}, *made], "nbformat": 4}).encode()


@pytest.mark.parametrize("place", ["", "exercises/", "ann-main/", "ann-main/exercises/", "ann's work/"])
@pytest.mark.parametrize("kind", ["folder", "zip", "tar"])
def test_places(tmp_path, place, kind):
    """The files are found at the root, under exercises/ and one level down, in a folder and in archives."""
    if kind == "folder":
        folder = tmp_path / "ann" / place
        folder.mkdir(parents=True)
        (folder / "softmax.py").write_bytes(SOFTMAX)
    elif kind == "zip":
        zipped(tmp_path / "ann.zip", {f"{place}softmax.py": SOFTMAX, f"__MACOSX/{place}._softmax.py": b"\0"})
    else:
        tarred(tmp_path / "ann.tar.gz", (tarfile.TarInfo(f"./{place}softmax.py"), SOFTMAX))
    found = only(tmp_path).submission
    assert {"softmax.py": SOFTMAX} == found.files
    assert ("exercises/" if "exercises" in place else "") == found.prefix


def test_helpers_come_along(tmp_path):
    """Files beside an exercise and packages come along; other folders do not."""
    files = {
        "w/softmax.py": SOFTMAX,
        "w/maths.py": b"1",
        "w/kit/__init__.py": b"",
        "w/kit/a.py": b"2",
        "w/x/b.py": b"3",
    }
    zipped(tmp_path / "ann.zip", files)
    assert {"softmax.py", "maths.py", "kit/__init__.py", "kit/a.py"} == set(only(tmp_path).submission.files)


@pytest.mark.parametrize(
    "name",
    ["Ann Lee", "Zoë Müller", "a; touch x.py", "$(id)", "new\nline", "-rf", "=1+1", "a" * 200, "..zip", "x.zip.zip"],
)
def test_names(tmp_path, name):
    """Any name is a submission; its results have a name that is plain on every system."""
    folder = tmp_path / name
    folder.mkdir()
    (folder / "softmax.py").write_bytes(SOFTMAX)
    if name.startswith("."):
        assert [] == entries_of(tmp_path)  # hidden, so the system's
        return
    (entry,) = entries_of(tmp_path)
    assert name == entry.name
    assert entry.file.isascii()
    assert not set(entry.file) - set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
    assert {"softmax.py": SOFTMAX} == collect(entry, LESSON).submission.files


def test_names_apart(tmp_path):
    """Names that differ in case or suffix alone have results of their own."""
    for name in ("ann", "Ann", "ann.zip"):
        (tmp_path / name).mkdir()
    files = [entry.file.casefold() for entry in entries_of(tmp_path)]
    assert 3 == len(set(files))


@pytest.mark.parametrize(
    "names",
    [
        ("alice smith", "alice-smith.ae4f4186a0"),  # the second is what is made of the first
        ("alice smith", "Alice-Smith.AE4F4186A0.zip"),
        ("bo !!+!#% ann", "bo !$$%!##ann"),  # the same short mark
        ("bo !!+!#% ann", "bo !$$%!##ann", "bo-ann.afdd82c005", "bo-ann.6eaf2ba2ee8a3a1ea3ee1fbac9e1ae12"),
    ],
)
def test_no_name_can_be_made_to_be_anothers(tmp_path, names):
    """Names that were chosen to be made the same have results of their own, those of a run with others too."""
    for name in names:
        (tmp_path / name).mkdir()
    files = {entry.name: entry.file for entry in entries_of(tmp_path)}
    assert len(names) == len({file.casefold() for file in files.values()})
    for name in names[:-1]:
        (tmp_path / name).rmdir()
    (entry,) = entries_of(tmp_path)
    assert entry.file not in {file for name, file in files.items() if name != entry.name}


ALIKE = [
    ("a", " a "),
    ("new line", "new\nline", "new  line"),
    ("'=x", "=x"),
    ("x\\x1b", "x\x1b"),
    ("a\tb", "a\nb"),
    ("b" * 250 + "1", "b" * 250 + "2"),
]


@pytest.mark.parametrize("names", ALIKE, ids=range(6))
def test_no_name_looks_like_anothers(tmp_path, names):
    """Names that differ are told apart in the gradebook; one that is just as it looks stays so, whatever is beside."""
    for name in names:
        (tmp_path / name).mkdir()
    found = {entry.name: entry for entry in entries_of(tmp_path)}
    cells = {name: cell(entry.shown) for name, entry in found.items()}
    assert len(names) == len(set(cells.values()))
    assert not [text for text in cells.values() if text.startswith("=")]
    assert all(
        cells[name] == name for name in names if len(name) < 200 and name.isprintable() and name in cells.values()
    )
    for name, entry in found.items():
        assert {name, entry.shown, cells[name]} <= entry.names
    # A name that is chosen to look like one that was told apart.
    for text in set(cells.values()) - set(names):
        (tmp_path / text[:200]).mkdir(exist_ok=True)
    entries = entries_of(tmp_path)
    assert len(entries) == len({cell(entry.shown) for entry in entries})
    assert cells == {entry.name: cell(entry.shown) for entry in entries if entry.name in cells}


def test_bytes_that_are_no_text(tmp_path):
    """A name that is no UTF-8 can be read, shown and kept."""
    folder = os.fsencode(tmp_path) + b"/an\xff"
    os.mkdir(folder)
    (entry,) = entries_of(tmp_path)
    assert ("an\\udcff", "an\\xff") == (entry.shown, entry.key)


def test_strays_are_no_submissions(tmp_path):
    """What systems leave in folders is nobody's submission, and neither is the folder of results."""
    for name in (".DS_Store", "__MACOSX", "Thumbs.db", ".git", "results", "ann"):
        (tmp_path / name).mkdir()
    assert ["ann"] == [entry.name for entry in entries_of(tmp_path, tmp_path / "results")]


@pytest.mark.parametrize("name", ["../../softmax.py", "/softmax.py", "a/../../softmax.py", "C:\\softmax.py"])
@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_paths_that_lead_out(tmp_path, name, kind):
    """A member that leads out of its archive is left out, and the row says so; nothing is written anywhere."""
    inner = tmp_path / "in"
    inner.mkdir()
    if kind == "zip":
        zipped(inner / "ann.zip", {name: b"bad", "projections.py": b"good"})
    else:
        tarred(inner / "ann.tgz", (tarfile.TarInfo(name), b"bad"), (tarfile.TarInfo("projections.py"), b"good"))
    found = only(inner)
    assert {"projections.py": b"good"} == found.submission.files
    assert ("1 name leads out of the archive and was left out",) == found.notes
    assert [inner] == list(tmp_path.iterdir())


def test_links(tmp_path):
    """A link is never followed, in a folder or in an archive; the file counts as unreadable."""
    secret = tmp_path / "secret.py"
    secret.write_bytes(b"secret")
    inner = tmp_path / "in"
    (inner / "folder").mkdir(parents=True)
    (inner / "folder" / "softmax.py").symlink_to(secret)
    (inner / "away").symlink_to(tmp_path)
    link = tarfile.TarInfo("softmax.py")
    link.type, link.linkname = tarfile.SYMTYPE, str(secret)
    tarred(inner / "tar.tar.gz", (link, b""))
    info = zipfile.ZipInfo("softmax.py")
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile(inner / "zip.zip", "w") as archive:
        archive.writestr(info, str(secret))
    found = {entry.name: collect(entry, LESSON) for entry in entries_of(inner)}
    for name in ("folder", "tar.tar.gz", "zip.zip"):
        assert "softmax.py is a link; put the file itself there" == found[name].reason
    assert "is a link; put the file itself there" == found["away"].reason


def test_bombs(tmp_path):
    """A file that unpacks to far more than it is, or is a gigabyte, is refused without filling the memory."""
    zipped(tmp_path / "zip.zip", {"softmax.py": bytes(300 << 20)})
    with tarfile.open(tmp_path / "tar.tar.gz", "w:gz", compresslevel=1) as archive:
        info = tarfile.TarInfo("data.bin")
        info.size = 200 << 20
        archive.addfile(info, io.BytesIO(bytes(200 << 20)))
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder" / "softmax.py", tmp_path / "huge.zip", tmp_path / "single.py"):
        with path.open("wb") as file:
            file.truncate(1 << 30)
    tracemalloc.start()
    found = {entry.name: collect(entry, LESSON) for entry in entries_of(tmp_path)}
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "is larger than 256 MiB" == found["huge.zip"].reason
    assert "unpacks to more than 128 MiB" == found["tar.tar.gz"].reason
    assert ["softmax.py is larger than 1 MiB"] * 2 == [found[name].reason for name in ("zip.zip", "folder")]
    assert "single.py is larger than 1 MiB" == found["single.py"].reason
    assert peak < 64 << 20


def test_zip_with_an_endless_list(tmp_path):
    """A zip whose list alone would fill the memory is refused before the list is read."""
    with zipfile.ZipFile(tmp_path / "ann.zip", "w") as archive:
        for number in range(archives.MAX_MEMBERS + 1):
            archive.writestr(f"{number}.txt", b"")
    assert "holds more than 5,000 files" == only(tmp_path).reason


def test_broken_archives(tmp_path):
    """Archives that are cut off, empty, encrypted or no archives at all each have their reason."""
    zipped(tmp_path / "whole.zip", {"softmax.py": SOFTMAX})
    whole = (tmp_path / "whole.zip").read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:-30])
    (tmp_path / "text.zip").write_bytes(b"I could not make a zip, sorry")
    (tmp_path / "text.tar.gz").write_bytes(b"nor a tar")
    (tmp_path / "empty.zip").write_bytes(b"")
    flagged = bytearray(whole)
    flagged[6] |= 1
    flagged[whole.index(b"PK\1\2") + 8] |= 1
    (tmp_path / "locked.zip").write_bytes(flagged)
    (tmp_path / "notes.rar").write_bytes(b"Rar!")
    found = {entry.name: collect(entry, LESSON) for entry in entries_of(tmp_path)}
    assert SOFTMAX == found["whole.zip"].submission.files["softmax.py"]
    assert "softmax.py is encrypted; send it without a password" == found["locked.zip"].reason
    no_list = "is no archive that can be opened: it has no list of its files, so it is cut off or no zip"
    assert [no_list] * 3 == [found[name].reason for name in ("cut.zip", "text.zip", "empty.zip")]
    (tmp_path / "cut.tar.gz").write_bytes(gzip.compress(bytes(10_240))[:-12])
    (tmp_path / "text.tar").write_bytes(b"nor a tar" * 100)
    bad = bytearray(whole)
    bad[bad.index(b"PK\1\2") + 16] ^= 1
    (tmp_path / "sum.zip").write_bytes(bad)
    found |= {entry.name: collect(entry, LESSON) for entry in entries_of(tmp_path)}
    said = "is no archive that can be opened: it is"
    assert f"{said} damaged, or called .gz without being packed in that way" == found["text.tar.gz"].reason
    assert f"{said} cut off" == found["cut.tar.gz"].reason
    assert f"{said} cut off, damaged or no tar" == found["text.tar"].reason
    assert "softmax.py cannot be unpacked: it is damaged" == found["sum.zip"].reason
    assert "is no folder, .zip, .tar.gz, .py or .ipynb" == found["notes.rar"].reason


@pytest.mark.parametrize("seed", range(40))
def test_damaged_archives(tmp_path, seed):
    """Whatever bytes of an archive are changed, it gives files or a reason, never an exception."""
    import random

    rnd = random.Random(seed)
    zipped(tmp_path / "a.zip", {"softmax.py": SOFTMAX * 20, "b/projections.py": b"x" * 500})
    tarred(tmp_path / "b.tar.gz", (tarfile.TarInfo("softmax.py"), SOFTMAX * 20))
    with tarfile.open(tmp_path / "c.tar", "w") as archive:
        archive.addfile(tarfile.TarInfo("softmax.py"), io.BytesIO(b""))
    for path in sorted(tmp_path.iterdir()):
        content = bytearray(path.read_bytes())
        for _ in range(rnd.randint(1, 8)):
            content[rnd.randrange(len(content))] = rnd.randrange(256)
        path.write_bytes(content)
    for entry in entries_of(tmp_path):
        found = collect(entry, LESSON)
        assert (found.submission is None) == bool(found.reason)


def test_tar_header_that_asks_for_memory(tmp_path):
    """A header that announces more than the archive may hold is refused."""
    info = tarfile.TarInfo("x")
    header = bytearray(info.tobuf())
    header[124:136] = b"77777777777\0"
    header[156:157] = b"x"  # an extended header, which tarfile reads at once
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header[:512])
    (tmp_path / "ann.tar").write_bytes(bytes(header[:512]) + bytes(10240))
    assert only(tmp_path).reason == LONG_HEADERS


@pytest.mark.parametrize("kind", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("suffix", [".tar", ".tar.gz"])
def test_tars_of_every_kind(tmp_path, kind, suffix):
    """Names that are long or no ASCII, headers of all members and odd members are read as ``tarfile`` reads them."""
    deep = "/".join(["d" * 45] * 3)
    with tarfile.open(tmp_path / f"ann{suffix}", f"w:{suffix[5:]}", format=kind, pax_headers={"comment": "x"}) as tar:
        folder = tarfile.TarInfo("exercises")
        folder.type = tarfile.DIRTYPE
        tar.addfile(folder)
        for name in ("exercises/softmax.py", "exercises/größe.py", f"exercises/{deep}/a.py"):
            info = tarfile.TarInfo(name)
            info.size = len(SOFTMAX) + len(name)
            info.mtime = 1.5
            tar.addfile(info, io.BytesIO(SOFTMAX + name.encode()))
        pipe = tarfile.TarInfo("exercises/pipe.py")
        pipe.type = tarfile.FIFOTYPE
        tar.addfile(pipe)
    with archives.members_of(tmp_path / f"ann{suffix}") as held, tarfile.open(tmp_path / f"ann{suffix}") as tar:
        found = {member.path: member.read() for member in held.members}
        due = {info.name: tar.extractfile(info).read() for info in tar if info.isreg()}
    assert found == due | {"exercises/pipe.py": "is a FIFO; it has to be a plain file"}
    assert 4 == len(found)


def test_a_gz_of_several_parts(tmp_path):
    """What is put together of several .gz files is one, zeros and other bytes behind it are none of it."""
    tarred(tmp_path / "ann.tar.gz", (tarfile.TarInfo("softmax.py"), SOFTMAX))
    content = gzip.decompress((tmp_path / "ann.tar.gz").read_bytes())
    halves = gzip.compress(content[:700]) + gzip.compress(b"") + bytes(9) + gzip.compress(content[700:])
    for more in (b"", bytes(100_000), b"\x1f", b"other"):
        (tmp_path / "ann.tar.gz").write_bytes(halves + more)
        found = only(tmp_path)
        if more == b"\x1f":
            assert "is no archive that can be opened: it is cut off" == found.reason
        else:
            assert {"softmax.py": SOFTMAX} == found.submission.files


def header(kind, content, name=b"x"):
    """A tar's header of a kind, with what it announces."""
    info = tarfile.TarInfo(name.decode())
    info.size, info.type = len(content), kind
    return info.tobuf(tarfile.USTAR_FORMAT) + content + bytes(-len(content) % 512)


def all_digits():
    """An extended header over which old versions of ``tarfile`` try every number of digits."""
    return gzip.compress(header(b"x", b"1" * 200_000))


def long_headers():
    """Extended headers of small records, each beside the last, that together say a million things."""
    return gzip.compress(header(b"x", b"6 a=b\n" * 10_000) * 200)


def long_names():
    """Members whose names alone would fill the memory."""
    files = (header(b"L", b"a" * 60_000 + b"%d.py" % n) + header(b"0", b"") for n in range(2_000))
    return gzip.compress(b"".join(files), 1)


def many_parts():
    """A .gz made of empty ones."""
    return gzip.compress(b"") * 500_000


def endless_name():
    """A .gz whose header holds a file's name that does not end."""
    return b"\x1f\x8b\x08\x08" + bytes(6) + b"a" * (200 << 20)


def holes():
    """A file of which is said where each of its bytes belongs, in lines that are never ended."""
    told = b"".join(b"%d %s\n" % (len(line) + 3, line) for line in (b"GNU.sparse.major=1", b"GNU.sparse.minor=0"))
    return gzip.compress(header(b"x", told) + header(b"0", b"1" * (100 << 20)))


LONG_HEADERS = "has a header of more than 64 KiB, or more than 8 MiB of headers; make an ordinary zip"


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (all_digits, LONG_HEADERS),
        (long_headers, LONG_HEADERS),
        (long_names, LONG_HEADERS),
        (many_parts, "is made of more than 1,000 .gz files; pack it in one go"),
        (endless_name, "is no archive that can be opened: it is cut off"),
        (holes, "holds a file that is stored with holes, which is not read; make an ordinary zip"),
    ],
)
def test_no_tar_takes_long_to_read(tmp_path, bounded, made, said):
    """What an archive's headers hold costs no more than its bytes."""
    (tmp_path / "ann.tar.gz").write_bytes(made())
    assert said == bounded(tmp_path)


def test_files_of_a_folder_have_a_budget_in_common(tmp_path, bounded):
    """Many large files, be they links to one, are not all read."""
    (tmp_path / "in" / "ann").mkdir(parents=True)
    large = tmp_path / "large"
    large.write_bytes(notebook("#" * 1_000_000) + b" " * (15 << 20))
    for number in range(40):
        os.link(large, tmp_path / "in" / "ann" / f"{number:02}.ipynb")
    said = bounded(tmp_path / "in")
    assert "08.ipynb was left out: the files of a submission may hold 128 MiB together" in said


def test_other_files_are_not_all_searched(tmp_path):
    """Where no file is named like an exercise a bounded part of the others is searched for functions."""
    zipped(tmp_path / "ann.zip", {f"{number:03}.py": b"a=\n" * 340_000 for number in range(20)} | {"z.py": SOFTMAX})
    said = "009.py and what follows were left out: of Python files that are not named like the exercises 8 MiB are "
    assert f"{said}looked at" == only(tmp_path).reason


def test_remarks_stay_few(tmp_path):
    """However much is wrong with a submission, its row is short."""
    put(tmp_path, "softmax.py")
    for number in range(300):
        (tmp_path / "ann" / f"{number}.ipynb").write_bytes(b"no notebook")
    notes = only(tmp_path).notes
    assert 21 == len(notes)
    assert "and 280 more remarks" == notes[-1]


def test_nothing_to_grade(tmp_path):
    """A submission without any exercise has a reason."""
    (tmp_path / "empty").mkdir()
    zipped(tmp_path / "report.zip", {"report.pdf": b"%PDF"})
    zipped(tmp_path / "other.zip", {"main.py": b"print(1)"})
    found = {entry.name: collect(entry, LESSON).reason for entry in entries_of(tmp_path)}
    assert {
        "empty": "is empty",
        "report.zip": "holds no Python file and no notebook, only report.pdf",
        "other.zip": "holds none of the exercises (softmax.py, projections.py, attention.py, multihead.py)",
    } == found


def test_single_files(tmp_path):
    """A single Python file counts for each exercise whose functions it defines, whatever it is called."""
    both = SOFTMAX + b"\ndef project_qkv(x, w_q, w_k, w_v):\n    return x\n"
    (tmp_path / "ann lee.py").write_bytes(both)
    found = only(tmp_path)
    assert {"softmax.py": both, "projections.py": both} == found.submission.files
    assert "softmax.py was taken from ann lee.py" in found.notes


def test_notebook(tmp_path):
    """Of a notebook the cells count that define the functions, with the imports and helpers that these use."""
    (tmp_path / "ann.ipynb").write_bytes(
        notebook(
            "import numpy as np\nimport matplotlib.pyplot as plt\n%matplotlib inline",
            "def shifted(x, axis):\n    return x - x.max(axis=axis, keepdims=True)",
            "plt.plot([1])",
            "!pip install torch\ndef softmax(x, axis=-1):\n    e = np.exp(shifted(x, axis))\n    return e / e.sum()",
            "%%bash\nrm -rf /",
            "print(softmax(np.ones(3)))",
        )
    )
    (text,) = only(tmp_path).submission.files.values()
    assert (
        "# From the notebook ann.ipynb.\n\n# Code cell 1\nimport numpy as np\n\n# Code cell 2\ndef shifted(x, axis):\n"
        "    return x - x.max(axis=axis, keepdims=True)\n\n# Code cell 4\n"
        "def softmax(x, axis=-1):\n    e = np.exp(shifted(x, axis))\n    return e / e.sum()\n"
    ) == text.decode()


def test_file_beats_notebook(tmp_path):
    """A file named like the exercise wins over a notebook; what only the notebook has is taken from it."""
    folder = tmp_path / "ann"
    folder.mkdir()
    (folder / "softmax.py").write_bytes(SOFTMAX)
    (folder / "work.ipynb").write_bytes(notebook("def softmax(x): pass", "def project_qkv(x, w_q, w_k, w_v): pass"))
    found = only(tmp_path)
    assert SOFTMAX == found.submission.files["softmax.py"]
    said = ("projections.py was taken from work.ipynb", "softmax in work.ipynb was left out: softmax.py counts")
    assert said == found.notes


def test_broken_notebook(tmp_path):
    """A notebook that is none has a reason."""
    (tmp_path / "a.ipynb").write_bytes(b"{")
    (tmp_path / "b.ipynb").write_bytes(b"[" * 100_000)
    (tmp_path / "c.ipynb").write_bytes(b'{"cells": [1, {"cell_type": "code", "source": 7}]}')
    reasons = [collect(entry, LESSON).reason for entry in entries_of(tmp_path)]
    assert reasons[0].startswith("a.ipynb is no notebook: ")
    assert reasons[1].startswith("b.ipynb is no notebook: ")
    assert reasons[2].startswith("holds none of the exercises")


def entries(*names):
    """Entries of these names, which need not be there."""
    return [Entry(name, None, name) for name in names]


@pytest.mark.parametrize(
    "text",
    [
        "id,name,email\n17,Ann Lee,ann@x.org\n18,Bo Li,bo@x.org\n",
        "\ufeffName;E-Mail Address;Student ID\r\nAnn Lee;ann@x.org;17\r\n\r\nBo Li;bo@x.org;18\r\n",
        'Student,SIS User ID,Email\n"Ann Lee",17,ann@x.org\n"Bo Li" ,18,bo@x.org\n',
        "First name\tLast name\tID number\temail\nAnn\tLee\t17\tann@x.org\nBo\tLi\t18\tbo@x.org\n",
    ],
)
def test_rosters(tmp_path, text):
    """A roster is read as people export it: marks, semicolons, quotes, tabs, columns by name in any order."""
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8", newline="")
    assert [Person("17", "Ann Lee", "ann@x.org", ""), Person("18", "Bo Li", "bo@x.org", "")] == read_roster(path)


def test_roster_of_windows(tmp_path):
    """A roster in the code page of Windows or in UTF-16, with or without its mark, is read, behind Excel's line."""
    for encoding in ("cp1252", "utf-16", "utf-16-le", "utf-16-be"):
        path = tmp_path / "roster.csv"
        path.write_text("sep=;\nname;id\nZoë Müller;7\n", encoding=encoding)
        assert [Person("7", "Zoë Müller", "", "")] == read_roster(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("grade,comment\n1,2\n", NO_COLUMN),
        ('id,name,email\n1,"Ann,ann@x.org\n2,Bo,bo@x.org\n', "is no CSV: a quote in line 2 is not closed"),
        ('id,name\n1,Ann\n\n2,"Bo', "is no CSV: a quote in line 4 is not closed"),
        ('id,name,email\n1,"Ann,ann@x.org\n2,"Bo",bo@x.org\n', "is no CSV: a quote in line 2 is not closed"),
        ("PK\3\4...", "is an Excel workbook: save it as CSV"),
    ],
)  # fmt: skip
def test_bad_rosters(tmp_path, text, message):
    """A roster that names nobody is wrong use, and says why."""
    path = tmp_path / "roster.csv"
    path.write_text(text)
    with pytest.raises(UsageError) as error:
        read_roster(path)
    assert f"--roster {path} {message}" == str(error.value)


@pytest.mark.parametrize("blank", ["", "   ", " ; ", "\xa0", "\xa0;\u3000;\u200b", ";;", " ; ;7"])
def test_lines_of_nobody(tmp_path, blank):
    """A line without anything to be seen of a person is nobody, wherever it stands."""
    (tmp_path / "roster.csv").write_text(
        f"{blank if '7' not in blank else ''}\nid;name;mark\ns1;A;1\n{blank}\ns2;B;2\n"
    )
    assert ["s1", "s2"] == [person.id for person in read_roster(tmp_path / "roster.csv")]


def test_a_name_over_two_lines(tmp_path):
    """A cell may hold a line break, as spreadsheets write it."""
    path = tmp_path / "roster.csv"
    path.write_text('id,name,email\n1,"Ann\nLee, Dr",ann@x.org\n2,Bo,bo@x.org\n')
    assert ["Ann\nLee, Dr", "Bo"] == [person.name for person in read_roster(path)]


def test_whose_is_whose():
    """Submissions are matched by the roster's own column, by id, address and name, as LMS downloads name them."""
    people = [
        Person("17", "Ann Lee", "ann@x.org", ""),
        Person("18", "Ann Lee", "ann2@x.org", ""),
        Person("19", "Zoë Müller", "zm@x.org", ""),
        Person("20", "Carl Berg", "cb@x.org", "group 4.zip"),
        Person("21", "Dora Eck", "dora@x.org", ""),
        Person("22", "Eve Fox", "eve@x.org", ""),
    ]
    names = [
        "Ann Lee_17_assignsubmission_file",
        "annlee_18_4711_work.zip",
        "Zoe\u0308 Mu\u0308ller",
        "group 4.zip",
        "dora.zip",
        "guest",
    ]
    owners, absent = match(people, entries(*names))
    assert {name: person.id for name, (person,) in owners.items()} == dict(
        zip(names, ["17", "18", "19", "20", "21"], strict=False)
    )
    assert ["22"] == [person.id for person in absent]


def test_two_of_one_name():
    """A submission that could be two people's is nobody's, and both of them are missing."""
    people = [Person("1", "Ann Lee", "", ""), Person("2", "Ann Lee", "", "")]
    owners, absent = match(people, entries("Ann Lee"))
    assert ({}, people) == (owners, absent)


def test_group_work():
    """A submission that the roster names for several people is all of theirs."""
    people = [Person("1", "Ann", "", "group 4.zip"), Person("2", "Bo", "", "group 4"), Person("3", "Cy", "", "group 5")]
    owners, absent = match(people, entries("group 4.zip", "group 4_group 5"))
    assert ({"group 4.zip": people[:2]}, people[2:]) == (owners, absent)


def test_several_ids(tmp_path):
    """Of several columns of ids each can name a submission; Canvas's line of maxima is nobody."""
    path = tmp_path / "canvas.csv"
    path.write_text(
        "Student,ID,SIS User ID,SIS Login ID,HW1\n    Points Possible,,,,10\n"
        '"Able, Anna",77,1001,anna,\n"Best, Bob",78,1002,bob,\n"Best, Bob",78,1002,bob,\n'
    )
    people = read_roster(path)
    assert [("77", ("1001", "anna")), ("78", ("1002", "bob"))] == [(one.id, one.also) for one in people]
    for names in (["77", "78"], ["1001", "1002"], ["x_anna", "x_bob"]):
        owners, _ = match(people, entries(*names))
        assert people == [person for name in names for person in owners[name]]


def test_people_of_one_id():
    """Two people of one id are told; a line that stands there twice is one person."""
    people = [
        Person("1", "Ann", "", ""),
        Person("1", "Anne", "", ""),
        Person("2", "Bo", "", ""),
        Person("", "Cy", "", ""),
    ]
    assert ["2 people have the id 1: Ann, Anne"] == same_ids(people)


def zip64(path, entries, length):
    """Gives a zip the second, larger record of its list, as some programs always do."""
    content = path.read_bytes()
    end = content.index(b"PK\5\6")
    record = struct.pack(
        "<4sQHHLLQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, entries, entries, length, content.index(b"PK\1\2")
    )
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, end, 1)
    last = content[end : end + 8] + struct.pack("<HHLLH", 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    path.write_bytes(content[:end] + record + locator + last)


def test_zip64(tmp_path):
    """A zip with a record for large archives is read like any other, and its list may not be longer."""
    length = 46 + len("softmax.py")
    for name, entries in (("ann", 1), ("bo", 5_001)):
        zipped(tmp_path / f"{name}.zip", {"softmax.py": SOFTMAX})
        zip64(tmp_path / f"{name}.zip", entries, length)
    ann, bo = (collect(entry, LESSON) for entry in entries_of(tmp_path))
    assert {"softmax.py": SOFTMAX} == ann.submission.files
    assert "holds more than 5,000 files" == bo.reason
    zipped(tmp_path / "bo.zip", {"softmax.py": SOFTMAX})
    zip64(tmp_path / "bo.zip", 1, 5 << 20)
    assert "holds more than 5,000 files" == collect(entries_of(tmp_path)[1], LESSON).reason


def put(folder, *paths, content=SOFTMAX):
    """Writes a submission's files; a path that ends in a slash is a folder."""
    for path in paths:
        place = folder / "ann" / path
        (place if path.endswith("/") else place.parent).mkdir(parents=True, exist_ok=True)
        if not path.endswith("/"):
            place.write_bytes(content)


@pytest.mark.parametrize(
    ("paths", "taken", "notes"),
    [
        (["softmax/softmax.py", "attention/attention.py"], ["attention", "softmax"], "attention/, softmax/"),
        (["exercises/softmax.py", "attention.py"], ["attention", "softmax"], "the top folder, exercises/"),
        (["draft/softmax.py", "final/softmax.py"], ["softmax"], "draft/; softmax.py in final/ was left out"),
        (["softmax.py", "b/softmax.py", "b/attention.py"], ["attention", "softmax"],
         "b/; softmax.py in the top folder was left out"),
        (["exercises/softmax.py", "solutions/softmax.py", "solutions/attention.py", "exercises/multihead.py"],
         ["multihead", "softmax"], "exercises/; attention.py, softmax.py in solutions/ was left out"),
    ],
)  # fmt: skip
def test_several_folders(tmp_path, paths, taken, notes):
    """Folders that hold different exercises count together; of two versions one counts, and the other is named."""
    put(tmp_path, *paths)
    found = only(tmp_path)
    assert [f"{stem}.py" for stem in taken] == sorted(found.submission.files)
    said = "; ".join(note for note in found.notes if not note.startswith("there is no"))
    assert f"the files were found in {notes}" == said


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        (["softmax.py.txt"], "there is no softmax.py, only softmax.py.txt"),
        (["softmax.py/"], "there is no softmax.py, only a folder softmax.py/"),
        (["a/b/c/softmax.py"], "there is no softmax.py, only a/b/c/softmax.py, too deep down"),
        (["work.zip"], "holds another archive, work.zip; put the files themselves into the outer one"),
        (["essay.pdf"], "holds no Python file and no notebook, only essay.pdf"),
    ],
)
def test_near_misses(tmp_path, paths, said):
    """What is no exercise by its name alone is named, so that nobody is told that a full folder is empty."""
    put(tmp_path, *paths)
    assert said == only(tmp_path).reason
    zipped(tmp_path / "ann.zip", dict.fromkeys(paths, SOFTMAX))
    assert said == collect(entries_of(tmp_path)[1], LESSON).reason


STUB = b'import numpy as np\n\n\ndef softmax(x, axis=-1):\n    raise NotImplementedError("softmax")\n'
QKV = "def project_qkv(x, w_q, w_k, w_v):\n    return x, x, x"
PACKED = "; put the files themselves into the outer one"


@pytest.mark.parametrize(
    ("files", "notes"),
    [
        ({"exercises/softmax.py": STUB, "hw.ipynb": notebook(SOFTMAX.decode())},
         ["softmax in hw.ipynb was left out: exercises/softmax.py counts"]),
        ({"softmax.py": STUB, "softmax (1).py": SOFTMAX},
         ["softmax in softmax (1).py was left out: softmax.py counts"]),
        ({"softmax (1).py": STUB, "softmax (2).py": SOFTMAX},
         ["softmax.py was taken from softmax (1).py", "softmax in softmax (2).py was left out: softmax (1).py counts"]),
        ({"softmax.py": STUB, "work/mine/softmax.py": SOFTMAX},
         ["softmax in work/mine/softmax.py was left out: softmax.py counts"]),
        ({"softmax.py": STUB, "a/b/c/hw.ipynb": notebook(SOFTMAX.decode(), QKV)},
         ["softmax in a/b/c/hw.ipynb was left out: softmax.py counts",
          "projections in a/b/c/hw.ipynb was left out: put it into projections.py"]),
        ({"softmax.py": STUB, "mine.py": b"if True:\n    softmax, x = max, 1\n"},
         ["softmax in mine.py was left out: softmax.py counts"]),
        ({"softmax.py": b"from mine import softmax\n", "mine.py": SOFTMAX}, []),
        ({"softmax.ipynb": notebook(SOFTMAX.decode()), "projections.ipynb": notebook(SOFTMAX.decode(), QKV)},
         ["softmax.py was taken from softmax.ipynb", "projections.py was taken from projections.ipynb"]),
        ({"softmax.py": SOFTMAX, "old softmax.py": SOFTMAX, "trial.py": b"# softmax\nx = 1\n"}, []),
        ({"softmax.py": SOFTMAX, "inner.zip": b"", "b.7z": b""}, [f"holds other archives, b.7z, inner.zip{PACKED}"]),
        ({"main.py": SOFTMAX, "inner.TAR.xz": b""},
         [f"holds another archive, inner.TAR.xz{PACKED}", "softmax.py was taken from main.py"]),
        ({"softmax.py": SOFTMAX, **{f"{n:03}.png": b"" for n in range(300)}, "x.rar": b""},
         [f"holds another archive, x.rar{PACKED}"]),
        ({"softmax.py": SOFTMAX, "hw.ipynb.json": b"{}"},
         ["hw.ipynb.json was left out: its name does not end in .py or .ipynb"]),
        ({"attention.py": b"", "softmax.py ": SOFTMAX}, ['there is no softmax.py, only "softmax.py "']),
        ({"softmax.py": SOFTMAX, "._softmax.py": b"\0", ".ipynb_checkpoints/hw.ipynb": notebook(QKV)}, []),
        ({"hw.ipynb": notebook(SOFTMAX.decode()), ".ipynb_checkpoints/hw.ipynb": b"", "__MACOSX/._hw.ipynb": b""},
         ["softmax.py was taken from hw.ipynb"]),
    ],
    ids=range(16),
)  # fmt: skip
def test_what_does_not_count_is_named(tmp_path, files, notes):
    """Whatever else defines an exercise, or may hold one, is named beside what counts, and nothing else is."""
    for path, content in files.items():
        put(tmp_path, path, content=content)
    zipped(tmp_path / "bo.zip", files)
    tarred(tmp_path / "cy.tar.gz", *((tarfile.TarInfo(path), content) for path, content in files.items()))
    for entry in entries_of(tmp_path):
        found = collect(entry, LESSON)
        assert sorted(notes) == sorted(found.notes)


def test_an_archive_beside_what_counts_for_nothing(tmp_path):
    """An archive is named too where there is Python, and none of it an exercise."""
    put(tmp_path, "main.py", content=b"x = 1\n")
    put(tmp_path, "work.zip")
    assert only(tmp_path).reason == (
        f"holds another archive, work.zip{PACKED}; "
        "holds none of the exercises (softmax.py, projections.py, attention.py, multihead.py)"
    )


def test_what_is_left_out_costs_little(tmp_path, bounded):
    """Thousands of files that define an exercise beside the one that counts cost no more than a few."""
    files = {f"m{number}.py": SOFTMAX + b"import m\n" * 200 for number in range(4_000)}
    zipped(tmp_path / "ann.zip", {"softmax.py": SOFTMAX} | files)
    assert bounded(tmp_path).endswith("softmax.py counts; and more files with exercises were left out")


def test_names_that_cannot_be_seen(tmp_path):
    """A file with such a name is not used, and it is said; the others are."""
    put(tmp_path, "softmax.py", "\x1b[2Jx.py", "helper.py")
    zipped(tmp_path / "bo.zip", {"softmax.py": SOFTMAX, "n\n::error::x.py": b"", "helper.py": b""})
    for entry in entries_of(tmp_path):
        found = collect(entry, LESSON)
        assert {"softmax.py", "helper.py"} == found.submission.files.keys()
        (note,) = found.notes
        assert note.isprintable()
        assert note.endswith(".py has a name with characters that cannot be seen, so it is not used; rename it")


def test_near_misses_beside_what_counts(tmp_path):
    """They are remarks where something else counts; names in capitals count as what they define."""
    put(tmp_path, "attention.py", "softmax (1).py", "multihead.png")
    assert ("there is no softmax.py, only softmax (1).py",) == only(tmp_path).notes
    (tmp_path / "ann" / "attention.py").unlink()
    (tmp_path / "ann" / "softmax (1).py").rename(tmp_path / "ann" / "SOFTMAX.PY")
    assert ("softmax.py was taken from SOFTMAX.PY",) == only(tmp_path).notes


def test_a_bad_file_among_good_ones(tmp_path):
    """An exercise whose file cannot be used is named, the others are graded."""
    put(tmp_path, "attention.py")
    os.mkfifo(tmp_path / "ann" / "softmax.py")
    assert ("softmax.py is a FIFO; it has to be a plain file",) == only(tmp_path).notes
    info = zipfile.ZipInfo("softmax.py")
    info.external_attr = 0o010666 << 16
    with zipfile.ZipFile(tmp_path / "bo.zip", "w") as archive:
        archive.writestr(info, "")
    with zipfile.ZipFile(tmp_path / "cy.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("softmax.py", SOFTMAX)
    _, bo, cy = (collect(entry, LESSON).reason for entry in entries_of(tmp_path))
    assert "softmax.py is a FIFO; it has to be a plain file" == bo
    assert "softmax.py is packed in an unusual way; make an ordinary zip" == cy


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_one_name_twice(tmp_path):
    """Of two members of one name the last counts, and it is said."""
    with zipfile.ZipFile(tmp_path / "ann.zip", "w") as archive:
        archive.writestr("softmax.py", b"first")
        archive.writestr("softmax.py", SOFTMAX)
    found = only(tmp_path)
    assert {"softmax.py": SOFTMAX} == found.submission.files
    assert ("holds softmax.py more than once, and the last one counts",) == found.notes


def test_what_is_gone_is_not_the_learners_fault(tmp_path):
    """A submission that was listed and is gone, or a file of it, is nobody's fault who handed it in."""
    put(tmp_path, "softmax.py")
    zipped(tmp_path / "bo.zip", {"softmax.py": SOFTMAX})
    entries = entries_of(tmp_path)
    with archives.members_of(tmp_path / "ann") as held:
        (tmp_path / "ann" / "softmax.py").unlink()
        with pytest.raises(Withheld) as error:
            held.members[0].read()
    assert "softmax.py cannot be read: No such file or directory" == str(error.value)
    (tmp_path / "ann").rmdir()
    (tmp_path / "bo.zip").unlink()
    for entry in entries:
        found = collect(entry, LESSON)
        assert (None, "cannot be read: No such file or directory", True) == (
            found.submission, found.reason, found.ours,
        )  # fmt: skip


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="Linux only")
def test_an_error_of_the_disk_is_no_damage():
    """What the disk does not give is not told as damage of the archive."""
    with io.BufferedReader(archives.OnDisk(os.open("/proc/self/mem", os.O_RDONLY))) as file:
        with pytest.raises(Withheld) as error:
            archives._in_tar(file, zipped=True)
        assert "cannot be read: Input/output error" == str(error.value)
        with pytest.raises(Withheld):
            file.read()
