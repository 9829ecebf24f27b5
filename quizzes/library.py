"""Finds banks: those that come with the package (or stand in a folder of the user's choice), or a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from quizzes.fields import NAME, nearest
from quizzes.loader import read_bank
from quizzes.problems import BankError
from quizzes.record import Record
from quizzes.source import UnreadableError

if TYPE_CHECKING:
    from quizzes.model import Bank

FIRST = "quick-check"
SUFFIXES = (".yaml", ".yml")


class NoSuchBankError(Exception):
    """A name that is neither a bank's id nor a file; the message lists the banks."""


class Library(Record, kw_only=False):
    """The banks of a folder, read when they are asked for. The quick check comes first."""

    folder: Path

    def files(self) -> list[Path]:
        """Return the files that hold banks, named after their ids."""
        found = [path for path in self.folder.glob("*.y*ml") if path.suffix in SUFFIXES]
        return sorted(found, key=lambda path: (path.stem != FIRST, path.name))

    def find(self, name: str) -> Bank:
        """Return the bank of an id or in a file; BankError, UnreadableError, NoSuchBankError say why not."""
        if NAME.fullmatch(name):
            for suffix in SUFFIXES:
                if (path := self.folder / (name + suffix)).is_file():
                    return read_bank(path)
        if name.endswith(SUFFIXES) or "/" in name or "\\" in name or _exists(name):
            return read_bank(Path(name))
        for bank in self.all()[0]:  # a file need not be named after its bank
            if bank.id == name:
                return bank
        ids = [path.stem for path in self.files()]
        raise NoSuchBankError(
            f"there is no bank `{name[:60]}`{nearest(name, ids)}\nthe banks are: {', '.join(ids) or 'none'}"
        )

    def all(self) -> tuple[list[Bank], list[Exception]]:
        """Return the banks that can be used, and why the others cannot."""
        banks: list[Bank] = []
        faults: list[Exception] = []
        for path in self.files():
            try:
                banks.append(read_bank(path))
            except (BankError, UnreadableError) as error:
                faults.append(error)
        return banks, faults


def _exists(name: str) -> bool:
    try:
        return bool(name) and Path(name).exists()
    except OSError:  # no name that a file could have
        return False


def package_folder() -> Path:
    """Return the folder of the banks that come with the package."""
    return Path(__file__).parent / "banks"


def package_files() -> list[Path]:
    """Return the files of the banks that come with the package."""
    return Library(package_folder()).files()
