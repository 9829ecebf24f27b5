"""SHA-256 without OpenSSL: importing hashlib loads all of it, which takes as long as reading a bank."""

from __future__ import annotations

try:
    from _sha2 import sha256  # type: ignore[import-not-found,unused-ignore]  # Python 3.12 and later
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found,unused-ignore]  # Python 3.11
    except ImportError:  # an interpreter without modules of its own for it
        from hashlib import sha256


def hex_digest(text: str, length: int) -> str:
    """Return the first digits of a text's SHA-256."""
    digest: str = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return digest[:length]
