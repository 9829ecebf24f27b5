"""The wire: what goes in comes out, any bytes do no harm, and no value can play tricks on the encoder."""

from __future__ import annotations

import collections
import math
import os
import struct
import subprocess
import sys
import textwrap
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from grader import protocol
from grader.protocol import ProtocolError, Unencodable, decode, encode

HEAD = protocol.LENGTH.size
DTYPES = [*protocol.DTYPES.values(), np.dtype(">i4"), np.dtype(">f8"), np.dtype(">c16")]

arrays = st.sampled_from(DTYPES).flatmap(
    lambda dtype: npst.arrays(dtype, npst.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=4))
)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(), st.text(st.characters(codec="utf-8"))
)
values = st.recursive(
    scalars | arrays, lambda inner: st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple), max_leaves=12
)
quick = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def same(one: Any, other: Any) -> bool:
    """Whether two values are alike to the bit, byte order aside."""
    if isinstance(one, np.ndarray):
        little = one.astype(one.dtype.newbyteorder("<"))
        return (
            type(other) is np.ndarray
            and other.shape == one.shape
            and other.dtype == little.dtype
            and other.tobytes() == little.tobytes()
        )
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float):
        return struct.pack("<d", one) == struct.pack("<d", other)
    return bool(one == other)


@quick
@given(values)
def test_every_value_comes_back_as_it_was(value: Any) -> None:
    """A frame holds its own length, and its value comes back with kind, shape, dtype and every bit."""
    frame = encode(value)
    assert protocol.LENGTH.unpack(frame[:HEAD])[0] == len(frame) - HEAD
    assert same(value, decode(frame[HEAD:]))


@quick
@given(arrays, st.data())
def test_a_view_comes_back_as_it_lies(array: np.ndarray[Any, Any], data: st.DataObject) -> None:
    """With ``views`` the axes of an array come back in the order in which they lie in memory; else in C order."""
    view = array.transpose(data.draw(st.permutations(range(array.ndim))))
    back, plain = (decode(encode(view, views=views)[HEAD:]) for views in (True, False))
    assert same(view, back)
    assert same(view, plain)
    assert plain.flags.c_contiguous
    assert view.flags.c_contiguous == back.flags.c_contiguous
    assert view.flags.f_contiguous == back.flags.f_contiguous


@pytest.mark.parametrize("axes", [b"\x02\0\0", b"\x02\0\x02", b"\x01\0", b"\x03\0\1\2", b"\x02\0", b"\xff"])
def test_a_view_of_no_such_axes_is_refused(axes: bytes) -> None:
    """A view that names an axis twice, or one that the array lacks, is no value; nor is one of no array."""
    array = encode(np.zeros((2, 3)))[HEAD:]
    for payload in (b"v" + axes + array, b"v" + axes, b"v\x02\0\1N"):
        with pytest.raises(ProtocolError):
            decode(payload)


@quick
@given(arrays)
def test_a_decoded_array_may_be_written_to(array: np.ndarray[Any, Any]) -> None:
    """An array owns its memory: writing into it changes neither the frame nor another array."""
    frame = encode(array)
    kept = bytes(frame)
    back = decode(frame[HEAD:])
    back[...] = 1
    assert frame == kept


@quick
@given(st.binary(max_size=400))
def test_any_bytes_give_a_value_or_a_protocol_error(payload: bytes) -> None:
    """Random bytes never raise anything but ProtocolError."""
    try:
        decode(payload)
    except ProtocolError:
        return


@quick
@given(values, st.data())
def test_a_damaged_frame_gives_a_value_or_a_protocol_error(value: Any, data: st.DataObject) -> None:
    """A frame with bytes changed, taken out or put in never raises anything but ProtocolError."""
    payload = bytearray(encode(value, views=True)[HEAD:])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(payload)))
        payload[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=3))
    try:
        decode(payload)
    except ProtocolError:
        return


@quick
@given(
    st.sampled_from([bytes([ord("a")]), b"s", b"l", b"t"]),
    st.binary(max_size=6),
    st.lists(st.sampled_from([0, 1, 2, 2**16, 2**26, 2**31, 2**32 - 1]), max_size=8),
)
def test_a_frame_that_announces_much_costs_little(tag: bytes, middle: bytes, lengths: list[int]) -> None:
    """Decoding takes no memory for what a frame announces, only for what it holds."""
    payload = tag + middle + b"".join(map(protocol.LENGTH.pack, lengths))
    tracemalloc.start()
    try:
        decode(payload)
    except ProtocolError:
        pass  # what matters here is the memory
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 1 << 20


@pytest.mark.parametrize("dimensions", [1, 32])
@pytest.mark.parametrize("letter", sorted(protocol.DTYPES))
def test_an_empty_axis_hides_no_giant(letter: str, dimensions: int) -> None:
    """An array with an axis of 0 and others of the largest length is refused or empty, never an error of numpy's."""
    shape = [2**26] * (dimensions - 1) + [0]
    payload = b"a" + letter.encode() + bytes([dimensions]) + b"".join(map(protocol.LENGTH.pack, shape))
    try:
        assert decode(payload).size == 0
    except ProtocolError:
        return


def test_lists_are_capped_in_number_and_depth() -> None:
    """Lists of more items, or deeper, than the caps are refused on both sides."""
    deep: Any = []
    for _ in range(protocol.MAX_DEPTH):
        deep = [deep]
    with pytest.raises(Unencodable, match="deep"):
        encode(deep)
    with pytest.raises(Unencodable, match="items"):
        encode([None] * (protocol.MAX_ITEMS + 1))
    with pytest.raises(ProtocolError):
        decode((b"l" + protocol.LENGTH.pack(1)) * (protocol.MAX_DEPTH + 1) + b"N")
    with pytest.raises(ProtocolError):
        decode(b"l" + protocol.LENGTH.pack(protocol.MAX_ITEMS + 1) + b"N" * (protocol.MAX_ITEMS + 1))
    with pytest.raises(ProtocolError):
        decode((b"l" + protocol.LENGTH.pack(10_000) + b"N" * 9_999) * 15 + b"l" + protocol.LENGTH.pack(10_000))


def test_a_shared_list_does_not_grow_without_end() -> None:
    """A list that holds one list many times over, sixteen levels deep, is refused before it fills the memory."""
    shared: Any = [0.0] * 100
    for _ in range(10):
        shared = [shared] * 100
    with pytest.raises(Unencodable, match="items in it"):
        encode(shared)


def test_a_list_in_itself_is_refused() -> None:
    """A list that contains itself is refused like any that is too deep."""
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(Unencodable, match="deep"):
        encode(endless)


@pytest.mark.parametrize(
    "array",
    [
        np.broadcast_to(0.0, (2**20, 2**20)),
        np.broadcast_to(np.zeros(1), (2**59,)),
        np.lib.stride_tricks.as_strided(np.zeros(1), (2**29, 2**29), (0, 0)),
        np.zeros((0, 2**40)),
        np.zeros((0, 2**33, 2)),
        np.broadcast_to(0.0, (1,) * 31 + (2**30,)),
        np.array([object()]),
        np.array(["text"]),
        np.array([b"bytes"]),
        np.array(["2020-01-01"], "M8[D]"),
        np.zeros(2, "V8"),
        np.zeros(2, [("a", "f8"), ("b", "O")]),
        np.zeros(2, np.clongdouble),
    ],
    ids=lambda array: f"{array.dtype.str}-{'x'.join(map(str, array.shape[-3:]))}",
)  # fmt: skip
def test_an_array_beyond_the_wire_is_named(array: np.ndarray[Any, Any]) -> None:
    """Broadcast giants, and arrays of objects, texts, times and structures, are refused with a short text."""
    with pytest.raises(Unencodable) as caught:
        encode(array)
    assert "array of" in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_long_double_crosses_as_a_float64() -> None:
    """What only a long double can hold becomes infinite, whatever numpy was told to do about overflow."""
    with np.errstate(all="raise"):
        back = decode(encode(np.array([1.5, -np.inf], np.longdouble))[HEAD:])
        large = decode(encode(np.array([np.finfo(np.longdouble).max]))[HEAD:])
    assert back.tolist() == [1.5, -math.inf]
    assert large.dtype == np.float64


@pytest.mark.parametrize("kind", [np.longlong, np.ulonglong, np.intc, np.float16, np.bool_, np.complex64])
def test_numpy_scalars_cross_as_arrays_without_axes(kind: Any) -> None:
    """A scalar of numpy's comes back as an array of shape () and the same kind."""
    back = decode(encode(kind(1))[HEAD:])
    assert back.shape == ()
    assert back.dtype == np.dtype(kind)


def test_a_namedtuple_crosses_as_a_tuple() -> None:
    """A namedtuple arrives as the tuple that it is, past whatever methods it defines."""

    class Pair(collections.namedtuple("Pair", "output weights")):  # noqa: PYI024 - one may be subclassed
        __slots__ = ()

        def __iter__(self) -> Any:
            raise AssertionError

        def __len__(self) -> int:
            raise AssertionError

    assert decode(encode(Pair(1, 2.0))[HEAD:]) == (1, 2.0)


def _tripwire(*_: Any, **__: Any) -> Any:
    pytest.fail("something of the value's own was called")


class _Meta(type):
    __name__ = property(_tripwire)  # type: ignore[assignment]
    __mro__ = property(_tripwire)  # type: ignore[assignment]
    __dict__ = property(_tripwire)  # type: ignore[assignment]
    __hash__ = __eq__ = __instancecheck__ = __subclasscheck__ = __call__ = __bool__ = _tripwire  # type: ignore[assignment]

    def __getattribute__(cls, name: str) -> Any:
        _tripwire(name)


def _hostile(base: type, *args: Any) -> Any:
    """An object of a subclass whose every method, and those of whose class, say that they were called."""
    names = [
        "__len__", "__iter__", "__getitem__", "__str__", "__repr__", "__array__", "__array_interface__",
        "__bool__", "__eq__", "__hash__", "__float__", "__int__", "__index__", "__getattribute__", "__format__",
        "__array_finalize__", "shape", "dtype", "tobytes", "_fields", "encode", "__reduce__", "__buffer__",
    ]  # fmt: skip
    kind = type("Hostile", (base,), {"__class__": property(_tripwire)})
    value = base.__new__(kind, *args)  # made before the other traps are set
    for name in names:
        setattr(kind, name, property(_tripwire) if name in ("shape", "dtype") else _tripwire)
    return value


@pytest.mark.parametrize(
    "base, args",
    [
        (object, ()), (int, (1,)), (float, (1.0,)), (str, ("a",)), (bytes, (b"a",)), (set, ([1],)), (dict, ()),
        (complex, (1j,)), (np.ndarray, ((2,),)), (np.float64, (1.0,)), (np.int8, (1,)),
    ],
    ids=lambda item: item.__name__ if isinstance(item, type) else "",
)  # fmt: skip
def test_a_hostile_subclass_is_named_and_never_called(base: type, args: tuple[Any, ...]) -> None:
    """Encoding an object of a lying subclass raises Unencodable and calls nothing of the subclass."""
    with pytest.raises(Unencodable, match="Hostile"):
        encode(_hostile(base, *args))
    with pytest.raises(Unencodable, match="Hostile"):
        encode([1, (2, _hostile(base, *args))])


@pytest.mark.parametrize("base", [tuple, list])
def test_a_hostile_tuple_crosses_as_what_it_holds(base: type) -> None:
    """Of a tuple or list of whatever kind its items are taken, and nothing of its class is called."""
    value = _hostile(base, [1, 2.0])
    if base is list:
        list.extend(value, [1, 2.0])  # which a list is filled with in __init__
    back = decode(encode([value])[HEAD:])
    assert back == [base([1, 2.0])]
    assert type(back[0]) is base
    assert decode(encode(base.__new__(type.__call__(_Meta, "Trapped", (base,), {})))[HEAD:]) == base()


@pytest.mark.parametrize("base", [object, set, np.float64])
def test_a_hostile_metaclass_is_never_called(base: type) -> None:
    """A class whose metaclass has traps in place of its name, bases and members is named all the same."""
    kind = type.__call__(_Meta, "Trapped", (base,), {})
    value = base.__new__(kind)
    with pytest.raises(Unencodable, match="Trapped"):
        encode(value)


@quick
@given(st.one_of(st.binary(), st.complex_numbers(), st.dates(), st.fractions(), st.sets(st.integers()), st.functions()))
def test_what_is_no_plain_data_is_named(value: Any) -> None:
    """Anything else raises Unencodable, with a text for a person."""
    with pytest.raises(Unencodable, match=r"^an? "):
        encode(value)


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**400])
def test_a_large_integer_is_named(number: int) -> None:
    """An integer of more than 64 bits is refused without being written out."""
    with pytest.raises(Unencodable, match="64 bits"):
        encode(number)


def test_a_text_is_capped_and_never_breaks() -> None:
    """Lone surrogates arrive written out; a text beyond the cap is refused."""
    assert decode(encode("\ud800x")[HEAD:]) == "\\ud800x"
    with pytest.raises(Unencodable, match="text of"):
        encode("é" * protocol.MAX_TEXT_BYTES)


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of its own memory as Linux counts it")
def test_the_largest_frame_is_decoded_in_little_more_than_itself() -> None:
    """A frame of 64 MiB takes one copy of itself to decode, not several."""
    program = """
        import numpy as np
        from grader import protocol

        def peak():  # this program's own: what getrusage tells begins with what the tests had that start it
            return int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])

        head = b"ad\\1" + protocol.LENGTH.pack(8 * 2**20 - 2)
        frame = bytearray(len(head) + 8 * (8 * 2**20 - 2))
        frame[: len(head)] = head
        before = peak()
        assert protocol.decode(memoryview(frame)).size == 8 * 2**20 - 2
        print((peak() - before) >> 10)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True, env=os.environ
    )
    assert int(done.stdout) < 150
