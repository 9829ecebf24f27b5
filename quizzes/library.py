"""Finds banks: those that come with the package (or stand in a folder of the user's choice), or a file.

Paths are plain strings here, because this is on the way to the first question and pathlib is slow to import.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from quizzes.fields import NAME, nearest
from quizzes.loader import read_bank
from quizzes.problems import BankError
from quizzes.record import Record
from quizzes.source import UnreadableError

if TYPE_CHECKING:
    from pathlib import Path

    from quizzes.model import Bank

FIRST = "quick-check"
SUFFIXES = (".yaml", ".yml")


class NoSuchBankError(Exception):
    """A name that is neither a bank's id nor a file; the message lists the banks."""


class Library(Record, kw_only=False):
    """The banks of a folder, read when they are asked for. The quick check comes first."""

    folder: str

    def files(self) -> list[str]:
        """Return the files that hold banks, named after their ids."""
        try:
            names = [name for name in os.listdir(self.folder) if name.endswith(SUFFIXES) and name[0] != "."]
        except OSError as error:
            raise UnreadableError(f"{self.folder} cannot be read: {error.strerror}") from None
        names.sort(key=lambda name: (_stem(name) != FIRST, name))
        return [os.path.join(self.folder, name) for name in names]

    def find(self, name: str) -> Bank:
        """Return the bank of an id or in a file; BankError, UnreadableError, NoSuchBankError say why not."""
        if NAME.fullmatch(name):
            for suffix in SUFFIXES:
                if os.path.isfile(path := os.path.join(self.folder, name + suffix)):
                    return read_bank(path)
        if name.endswith(SUFFIXES) or "/" in name or "\\" in name or (name and os.path.exists(name)):
            return read_bank(name)
        for bank in self.all()[0]:  # a file need not be named after its bank
            if bank.id == name:
                return bank
        ids = [_stem(path) for path in self.files()]
        hint = nearest(name, ids)
        raise NoSuchBankError(f"there is no bank `{name[:60]}`{hint}\nthe banks are: {', '.join(ids) or 'none'}")

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


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def package_folder() -> str:
    """Return the folder of the banks that come with the package."""
    return os.path.join(os.path.dirname(__file__), "banks")


def package_files() -> list[Path]:
    """Return the files of the banks that come with the package."""
    from pathlib import Path

    return [Path(file) for file in Library(package_folder()).files()]
