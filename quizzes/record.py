"""Frozen values with named fields, as dataclasses are, at a tenth of the price.

The standard decorator writes and compiles Python for every class; for the fifty classes here that is half of
what a person waits for the first question. A :class:`Record` reads its fields from the annotations and keeps
them in the instance's dictionary; a field left out falls back to the default in the class. Type checkers
treat it as a dataclass.
"""

from __future__ import annotations

import inspect
from typing import Any, ClassVar, TypeVar, dataclass_transform

_R = TypeVar("_R", bound="Record")


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Record:
    """The base of frozen values, made with keywords, or in order where a class says ``kw_only=False``.

    Two records are equal if they are of one class and equal in all fields but those that the class names in
    ``unseen``.
    """

    fields: ClassVar[tuple[str, ...]] = ()
    required: ClassVar[frozenset[str]] = frozenset()
    unseen: ClassVar[frozenset[str]] = frozenset({"place"})

    def __init_subclass__(cls, *, kw_only: bool = True) -> None:
        del kw_only  # for type checkers; at run time both ways work
        own = [name for name, kind in inspect.get_annotations(cls).items() if not str(kind).startswith("ClassVar")]
        cls.fields = (*cls.fields, *(name for name in own if name not in cls.fields))
        cls.required = cls.required | {name for name in own if not hasattr(cls, name)}

    def __init__(self, *values: Any, **named: Any) -> None:
        given = dict(zip(self.fields, values, strict=False)) | named if values else named
        if not (given.keys() >= self.required and given.keys() <= set(self.fields)) or len(values) > len(self.fields):
            wrong = self.required - given.keys() or given.keys() - set(self.fields)
            raise TypeError(f"{type(self).__name__} takes {', '.join(self.fields)}; look at {', '.join(sorted(wrong))}")
        self.__dict__.update(given)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen; make another with replace({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def _seen(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.fields if name not in self.unseen)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(self) is type(other) and isinstance(other, Record) and self._seen() == other._seen()

    def __hash__(self) -> int:
        return hash(self._seen())

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in self.__dict__.items() if name not in self.unseen]
        return f"{type(self).__name__}({', '.join(shown)})"


def replace(record: _R, **changes: Any) -> _R:
    """Return a copy of a record with some fields changed."""
    return type(record)(**{**record.__dict__, **changes})
