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
MAX_TEXT_BYTES = 2**20
MAX_DIMENSIONS = 32

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
LETTERS = {dtype: letter.encode() for letter, dtype in DTYPES.items()}


class Unencodable(Exception):  # noqa: N818 - it is an answer about a value, not an error of the program
    """A value that is no plain data; the text names what it is ("a generator")."""


def encode(value: Any) -> bytes:
    """Turns a value into the bytes of one frame, its length included.

    Raises:
        Unencodable: the value, or a part of it, is no plain data or is beyond a cap; the text names it.
    """
    parts: list[bytes] = []
    _encode(value, parts, 0)
    size = sum(map(len, parts))
    if size > MAX_FRAME_BYTES:
        raise Unencodable(f"a value of {size:,} bytes")
    return b"".join([LENGTH.pack(size), *parts])


def _encode(value: Any, parts: list[bytes], depth: int) -> None:
    kind = type(value)
    if value is None:
        parts.append(b"N")
    elif kind is bool:
        parts.append(b"T" if value else b"U")
    elif kind is int:
        if not -(2**63) <= value < 2**63:
            raise Unencodable("an integer of more than 64 bits")
        parts.append(b"i" + INTEGER.pack(value))
    elif kind is float:
        parts.append(b"d" + DOUBLE.pack(value))
    elif kind is str:
        text = value.encode("utf-8", "backslashreplace")
        if len(text) > MAX_TEXT_BYTES:
            raise Unencodable(f"a text of {len(text):,} bytes")
        parts.append(b"s" + LENGTH.pack(len(text)) + text)
    elif kind is np.ndarray:
        _encode_array(value, parts)
    elif isinstance(value, np.generic):
        _encode_array(np.asarray(value), parts)
    elif kind is list or kind is tuple or (isinstance(value, tuple) and hasattr(kind, "_fields")):
        # A namedtuple is a tuple to everybody. Its items are read past whatever __iter__ it may define.
        items = list.__getitem__(value, slice(None)) if kind is list else tuple.__getitem__(value, slice(None))
        if depth >= MAX_DEPTH:
            raise Unencodable(f"a {kind.__name__} nested more than {MAX_DEPTH} deep")
        if len(items) > MAX_ITEMS:
            raise Unencodable(f"a {kind.__name__} of {len(items):,} items")
        parts.append((b"l" if kind is list else b"t") + LENGTH.pack(len(items)))
        for item in items:
            _encode(item, parts, depth + 1)
    else:
        raise Unencodable(describe(value))


def _encode_array(array: np.ndarray[Any, Any], parts: list[bytes]) -> None:
    dtype = array.dtype
    if dtype.kind == "f" and dtype.itemsize > DOUBLE.size:
        dtype = np.dtype("<f8")  # a long double has no portable bytes; what is beyond float64 is not judged
    dtype = dtype.newbyteorder("<")
    if dtype not in LETTERS:
        raise Unencodable(f"an array of dtype {str(array.dtype)[:40]}")
    if array.size * dtype.itemsize > MAX_FRAME_BYTES:  # asked before the bytes of a broadcast giant are made
        raise Unencodable(f"an array of shape {array.shape}")
    parts.append(b"a" + LETTERS[dtype] + bytes([array.ndim]) + b"".join(map(LENGTH.pack, array.shape)))
    parts.append(array.astype(dtype, copy=False).tobytes())


def describe(value: Any) -> str:
    """Names what a value is, for a person: "a generator", "a masked array", "None"."""
    if value is None:
        return "None"
    kind = type(value)
    name = str(type.__getattribute__(kind, "__name__"))[:60]
    if isinstance(kind, type) and issubclass(kind, np.ndarray):
        return f"a {name}, which is a subclass of numpy's array"
    words = {"function": "a function", "coroutine": "a coroutine: the function is declared with async def"}
    article = "an" if name[:1].lower() in "aeiou" else "a"
    return words.get(name, f"{article} {name.replace('_', ' ')}")


def decode(payload: bytes | bytearray | memoryview) -> Any:
    """Turns the bytes of one frame, its length taken off, into a value.

    Arrays own their memory and may be written to.

    Raises:
        ProtocolError: the bytes hold no value, more than one, or one beyond a cap.
    """
    reader = _Reader(payload)
    value = reader.value(0)
    if reader.at != len(reader.data):
        raise ProtocolError(f"{len(reader.data) - reader.at} bytes too many in a frame")
    return value


class _Reader:
    """A place in the bytes of one frame."""

    def __init__(self, payload: bytes | bytearray | memoryview) -> None:
        self.data = bytes(payload)
        self.at = 0
        self.items = 0

    def take(self, count: int) -> bytes:
        end = self.at + count
        if end > len(self.data):
            raise ProtocolError(f"a frame ends {end - len(self.data)} bytes too early")
        taken = self.data[self.at : end]
        self.at = end
        return taken

    def length(self) -> int:
        return int(LENGTH.unpack(self.take(4))[0])

    def value(self, depth: int) -> Any:
        tag = self.take(1)
        if tag == b"a":
            return self.array()
        if tag == b"d":
            return DOUBLE.unpack(self.take(8))[0]
        if tag == b"i":
            return INTEGER.unpack(self.take(8))[0]
        if tag == b"s":
            return self.text()
        if tag in (b"l", b"t"):
            return self.sequence(tag, depth)
        if tag in (b"N", b"T", b"U"):
            return {b"N": None, b"T": True, b"U": False}[tag]
        raise ProtocolError(f"unknown tag {tag!r} in a frame")

    def text(self) -> str:
        size = self.length()
        if size > MAX_TEXT_BYTES:
            raise ProtocolError(f"a text of {size} bytes in a frame")
        try:
            return self.take(size).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ProtocolError("a text that is not UTF-8 in a frame") from error

    def sequence(self, tag: bytes, depth: int) -> list[Any] | tuple[Any, ...]:
        count = self.length()
        self.items += count
        if depth >= MAX_DEPTH or self.items > MAX_ITEMS * MAX_DEPTH or count > MAX_ITEMS:
            raise ProtocolError("a frame with too many or too deep lists")
        items = [self.value(depth + 1) for _ in range(count)]
        return items if tag == b"l" else tuple(items)

    def array(self) -> np.ndarray[Any, Any]:
        letter = self.take(1).decode("latin-1")
        if letter not in DTYPES:
            raise ProtocolError(f"unknown dtype {letter!r} in a frame")
        dtype = DTYPES[letter]
        ndim = self.take(1)[0]
        if ndim > MAX_DIMENSIONS:
            raise ProtocolError(f"an array of {ndim} dimensions in a frame")
        shape = tuple(self.length() for _ in range(ndim))
        size = dtype.itemsize
        for extent in shape:
            size *= extent
        # With an empty axis the others could still be too large for numpy to take.
        if size > MAX_FRAME_BYTES or (size == 0 and max(shape) > MAX_FRAME_BYTES):
            raise ProtocolError(f"an array of shape {shape} in a frame")
        try:
            flat = np.frombuffer(bytearray(self.take(size)), dtype=dtype)
            if letter == "?":
                flat = flat.view(np.uint8) != 0  # any other byte than 0 and 1 is no bool to numpy
            return flat.reshape(shape)
        except ValueError as error:
            raise ProtocolError(f"an array of shape {shape} in a frame") from error
