"""The wire: plain data to bytes and back, between the judge and the worker.

A frame is a 4-byte length and that many bytes, which hold one value. A value is None, a bool, an int of up
to 64 bits, a float, a str, a list, a tuple or a numeric numpy array: there is no pickle, no eval and no way to
name a type. Every length is capped, and decoding is total: any bytes give a value or a ``ProtocolError``.
The layout is described in docs/wire-protocol.md.

This is the one module that runs on both sides, so it imports nothing else of ours.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np


class ProtocolError(Exception):
    """Bytes that are no frame."""


MAX_FRAME_BYTES = 64 * 2**20
MAX_DEPTH = 16
MAX_ITEMS = 10_000
MAX_ITEMS_IN_ALL = 160_000
MAX_TEXT_BYTES = 2**20
MAX_DIMENSIONS = 32

ARRAY, VIEW, TEXT, LIST, TUPLE, REAL, WHOLE = b"avsltdi"  # what a value starts with
SEQUENCES = (LIST, TUPLE)
CONSTANTS = dict(zip(b"NTU", (None, True, False), strict=True))

LENGTH = struct.Struct("<I")
INTEGER = struct.Struct("<q")
DOUBLE = struct.Struct("<d")

# One letter a dtype; all little-endian on the wire. There is no letter for object, text, void or time arrays.
DTYPES = {
    "?": np.dtype("?"),
    "b": np.dtype("<i1"),
    "h": np.dtype("<i2"),
    "i": np.dtype("<i4"),
    "q": np.dtype("<i8"),
    "B": np.dtype("<u1"),
    "H": np.dtype("<u2"),
    "I": np.dtype("<u4"),
    "Q": np.dtype("<u8"),
    "e": np.dtype("<f2"),
    "f": np.dtype("<f4"),
    "d": np.dtype("<f8"),
    "F": np.dtype("<c8"),
    "D": np.dtype("<c16"),
}
EXTENTS = [struct.Struct(f"<B{axes}I") for axes in range(MAX_DIMENSIONS + 1)]
LETTERS = {dtype: letter.encode() for letter, dtype in DTYPES.items()}
HEADS: dict[tuple[np.dtype[Any], tuple[int, ...]], bytes] = {}  # what stands before the bytes of such an array
MAX_HEADS = 1_000
ALL = slice(None)
NUMERIC = "biufc"  # kinds of dtypes; b is bool
SCALARS = (*{dtype.type for dtype in DTYPES.values()}, np.longlong, np.ulonglong, np.longdouble)


class Unencodable(Exception):  # noqa: N818 - it is an answer about a value, not an error of the program
    """A value that is no plain data; the text names what it is ("a generator")."""


def encode(value: Any, *, views: bool = False) -> bytes:
    """Turns a value into the bytes of one frame, its length included.

    Nothing that belongs to the value is called: neither methods that a subclass may define nor those of its metaclass.

    Args:
        value: plain data.
        views: whether arrays whose axes lie in another order in memory come out as they lie; else all are in C order.

    Raises:
        Unencodable: the value, or a part of it, is no plain data or is beyond a cap; the text names it.
    """
    content = encoded(value, views=views)
    return LENGTH.pack(len(content)) + content


def encoded(value: Any, depth: int = 0, *, views: bool = False) -> bytes:
    """The same without the length: the bytes of one value, which is to stand so deep in lists.

    Raises:
        Unencodable: as for ``encode``.
    """
    writer = _Writer(views=views)
    writer.value(value, depth)
    return b"".join(writer.parts)


class _Writer:
    """The bytes of one frame as they grow, and what they come to."""

    def __init__(self, *, views: bool) -> None:
        self.parts: list[bytes] = []
        self.size = 0
        self.items = 0
        self.views = views

    def put(self, part: bytes) -> None:
        self.size += len(part)
        if self.size > MAX_FRAME_BYTES:
            raise Unencodable(f"a value of more than {MAX_FRAME_BYTES >> 20} MiB")
        self.parts.append(part)

    def value(self, value: Any, depth: int) -> None:
        kind = type(value)
        if kind is np.ndarray:
            if self.views and not value.flags.c_contiguous:
                value = self.in_order(value)
            self.array(value)
        elif kind is float:
            self.put(b"d" + DOUBLE.pack(value))
        elif kind is int:
            if not -(2**63) <= value < 2**63:
                raise Unencodable("an integer of more than 64 bits")
            self.put(b"i" + INTEGER.pack(value))
        elif kind is str:
            text = value.encode("utf-8", "backslashreplace")
            if len(text) > MAX_TEXT_BYTES:
                raise Unencodable(f"a text of {len(text):,} bytes")
            self.put(b"s" + LENGTH.pack(len(text)) + text)
        elif value is None:
            self.put(b"N")
        elif kind is bool:
            self.put(b"T" if value else b"U")
        elif issubclass(kind, list):
            self.sequence(b"l", list.__getitem__(value, ALL), kind, depth)
        elif issubclass(kind, tuple):  # a namedtuple too
            self.sequence(b"t", tuple.__getitem__(value, ALL), kind, depth)
        elif any(kind is scalar for scalar in SCALARS):
            self.array(np.asarray(value))
        else:
            raise Unencodable(describe(value))

    def sequence(self, tag: bytes, items: list[Any] | tuple[Any, ...], kind: type, depth: int) -> None:
        if depth >= MAX_DEPTH:
            raise Unencodable(f"{_named(kind)} nested too deep")
        if len(items) > MAX_ITEMS:
            raise Unencodable(f"{_named(kind)} of {len(items):,} items")
        self.items += len(items)
        if self.items > MAX_ITEMS_IN_ALL:
            raise Unencodable(f"{_named(kind)} with more than {MAX_ITEMS_IN_ALL:,} items in it")
        self.put(tag + LENGTH.pack(len(items)))
        for item in items:
            self.value(item, depth + 1)

    def in_order(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The array with its axes as they lie in memory, where they were to be moved; says so first."""
        axes = sorted(range(array.ndim), key=lambda axis: -array.strides[axis])
        lying = array.transpose(axes)
        if not lying.flags.c_contiguous or array.ndim > MAX_DIMENSIONS:
            return array
        self.put(bytes([VIEW, array.ndim, *np.argsort(axes).tolist()]))
        return lying

    def array(self, array: np.ndarray[Any, Any]) -> None:
        head = HEADS.get((array.dtype, array.shape))
        if head is None:
            self.unusual_array(array)
        else:
            self.put(head)
            self.put(array.tobytes())

    def unusual_array(self, array: np.ndarray[Any, Any]) -> None:
        dtype, shape = array.dtype, array.shape
        letter = LETTERS.get(dtype)
        if letter is None:
            if dtype.kind == "f" and dtype.itemsize > DOUBLE.size:
                dtype = np.dtype("<f8")  # a long double has no portable bytes; what is beyond float64 is not judged
            elif dtype.kind in NUMERIC:
                dtype = dtype.newbyteorder("<")
            letter = LETTERS.get(dtype)
            if letter is None:
                raise Unencodable(f"an array of dtype {str(array.dtype)[:40]}")
        if len(shape) > MAX_DIMENSIONS:
            raise Unencodable(f"an array of {len(shape)} dimensions")
        # Asked before the bytes of a broadcast giant are made.
        if array.size * dtype.itemsize > MAX_FRAME_BYTES or (shape and max(shape) > MAX_FRAME_BYTES):
            raise Unencodable(f"an array of shape {shape}"[:200])
        if dtype != array.dtype:
            with np.errstate(all="ignore"):
                array = array.astype(dtype)
        head = b"a" + letter + EXTENTS[len(shape)].pack(len(shape), *shape)
        if len(HEADS) < MAX_HEADS:
            HEADS[dtype, shape] = head
        self.put(head)
        self.put(array.tobytes())


# Python's own getter: a class may have a metaclass that answers in its place.
_NAME_OF = type.__dict__["__name__"].__get__


def _named(kind: type) -> str:
    name = str(_NAME_OF(kind)[:60])
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name.replace('_', ' ')}"


def describe(value: Any) -> str:
    """Names what a value is, for a person: "a generator", "a masked array", "None"."""
    if value is None:
        return "None"
    kind = type(value)
    if issubclass(kind, np.ndarray):
        return f"a {_NAME_OF(kind)[:60]}, which is a subclass of numpy's array"
    words = {"function": "a function", "coroutine": "a coroutine: the function is declared with async def"}
    return words.get(_NAME_OF(kind)[:60], _named(kind))


def decode(payload: bytes | bytearray | memoryview) -> Any:
    """Turns the bytes of one frame, its length taken off, into a value.

    Arrays own their memory and may be written to.

    Raises:
        ProtocolError: the bytes hold no value, more than one, or one beyond a cap.
    """
    reader = _Reader(payload)
    try:
        value = reader.value(0)
    except (IndexError, struct.error):  # what reading beyond the end comes to
        raise ProtocolError("a frame ends too early") from None
    if reader.at != len(reader.data):
        raise ProtocolError(f"{len(reader.data) - reader.at} bytes too many in a frame")
    return value


class _Reader:
    """A place in the bytes of one frame."""

    def __init__(self, payload: bytes | bytearray | memoryview) -> None:
        self.data = memoryview(payload).cast("B")  # no copy: a frame may be large
        self.at = 0
        self.items = 0

    def take(self, count: int) -> memoryview:
        end = self.at + count
        if end > len(self.data):
            raise ProtocolError(f"a frame ends {end - len(self.data)} bytes too early")
        taken = self.data[self.at : end]
        self.at = end
        return taken

    def number(self, form: struct.Struct) -> Any:
        at = self.at
        self.at = at + form.size
        return form.unpack_from(self.data, at)[0]

    def value(self, depth: int) -> Any:
        tag = self.data[self.at]
        self.at += 1
        if tag == ARRAY:
            return self.array()
        if tag == VIEW:
            return self.view()
        if tag == TEXT:
            return self.text()
        if tag in SEQUENCES:
            return self.sequence(tag, depth)
        if tag == REAL:
            return self.number(DOUBLE)
        if tag == WHOLE:
            return self.number(INTEGER)
        if tag in CONSTANTS:
            return CONSTANTS[tag]
        raise ProtocolError(f"unknown tag {bytes([tag])!r} in a frame")

    def text(self) -> str:
        size = self.number(LENGTH)
        if size > MAX_TEXT_BYTES:
            raise ProtocolError(f"a text of {size} bytes in a frame")
        try:
            return str(self.take(size), "utf-8")
        except UnicodeDecodeError as error:
            raise ProtocolError("a text that is not UTF-8 in a frame") from error

    def sequence(self, tag: int, depth: int) -> list[Any] | tuple[Any, ...]:
        count = self.number(LENGTH)
        self.items += count
        if depth >= MAX_DEPTH or self.items > MAX_ITEMS_IN_ALL or count > MAX_ITEMS:
            raise ProtocolError("a frame with too many or too deep lists")
        value, depth = self.value, depth + 1
        items = [value(depth) for _ in range(count)]
        return items if tag == LIST else tuple(items)

    def view(self) -> np.ndarray[Any, Any]:
        """An array whose axes lie in another order in memory."""
        axes = bytes(self.take(self.data[self.at] + 1))[1:]
        tag = self.data[self.at]
        self.at += 1
        array = self.array() if tag == ARRAY else None
        if array is None or sorted(axes) != [*range(array.ndim)]:
            raise ProtocolError("no array, or one with other axes, where a view of one is announced")
        return array.transpose(axes)

    def array(self) -> np.ndarray[Any, Any]:
        letter, ndim = chr(self.data[self.at]), self.data[self.at + 1]
        if letter not in DTYPES:
            raise ProtocolError(f"unknown dtype {letter!r} in a frame")
        if ndim > MAX_DIMENSIONS:
            raise ProtocolError(f"an array of {ndim} dimensions in a frame")
        shape = struct.unpack_from(f"<{ndim}I", self.data, self.at + 2)
        self.at += 2 + 4 * ndim
        dtype = DTYPES[letter]
        size = dtype.itemsize
        for extent in shape:
            size *= extent
        # With an empty axis the others could still be too large for numpy to take.
        if size > MAX_FRAME_BYTES or (size == 0 and max(shape) > MAX_FRAME_BYTES):
            raise ProtocolError(f"an array of shape {shape} in a frame")
        try:
            array: np.ndarray[Any, Any] = np.ndarray(shape, dtype, bytearray(self.take(size)))
        except ValueError as error:
            raise ProtocolError(f"an array of shape {shape} in a frame") from error
        # Any other byte than 0 and 1 is no bool to numpy.
        return array if letter != "?" else array.view(np.uint8).astype(bool)
