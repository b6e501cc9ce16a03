"""The errors of the memory engine.

EdgeMemoryError
├── StoreError              the file cannot be used
│   ├── StoreInUse          another process serves this file
│   ├── StoreUnwritable     the folder or file cannot be written
│   ├── StoreDamaged        the file is not a healthy memory file
│   ├── StoreTooNew         the file was written by a newer version
│   ├── StoreFull           no space left on the disk
│   ├── StoreLocked         the file is encrypted with another key, or not at all
│   ├── KeyUnusable         the file of the key cannot be used
│   └── EngineUnsafe        the SQLite in use has a bug that loses data
├── RecordNotFound          no record with this id
├── NothingMatches          a query in words matched no record
├── WrongState              the verb does not fit the record's status
├── DeviceError             a device cannot be paired, or is not
│   ├── DeviceNotFound      no device of this id is paired
│   ├── DeviceKnown         a device of this id is paired already
│   ├── PairingClosed       nobody may be paired now
│   ├── PairingTaken        another device is being paired
│   └── WrongCode           there is no code to be right yet
├── TooManyReminders        more reminders wait than anybody needs
├── BadQuery                a filter or limit that makes no sense
├── BadDocument             an import with a row that cannot be taken in
├── BadConfig               a tunable outside its range
├── ModelUnavailable        an embedder or chat model did not answer
├── ModelFailed             a model is there, and could not do what it was asked
└── NonsenseAnswer          a model's answer is not backed by what was said
"""

from __future__ import annotations

from typing import ClassVar


class EdgeMemoryError(Exception):
    """Base of the tree. `code` is stable and machine-readable, `hint` tells what to do next."""

    code: ClassVar[str] = "memory_error"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class StoreError(EdgeMemoryError):
    code = "store_error"


class StoreInUse(StoreError):
    code = "store_in_use"


class StoreUnwritable(StoreError):
    code = "store_unwritable"


class StoreDamaged(StoreError):
    code = "store_damaged"


class StoreTooNew(StoreError):
    code = "store_too_new"


class StoreFull(StoreError):
    code = "store_full"


class StoreLocked(StoreError):
    code = "store_locked"


class KeyUnusable(StoreError):
    code = "key_unusable"


class EngineUnsafe(StoreError):
    code = "engine_unsafe"


class RecordNotFound(EdgeMemoryError):
    code = "record_not_found"


class NothingMatches(EdgeMemoryError):
    code = "nothing_matches"


class WrongState(EdgeMemoryError):
    code = "wrong_state"


class DeviceError(EdgeMemoryError):
    code = "device_error"


class DeviceNotFound(DeviceError):
    code = "device_not_found"


class DeviceKnown(DeviceError):
    code = "device_known"


class PairingClosed(DeviceError):
    code = "pairing_closed"


class PairingTaken(DeviceError):
    code = "pairing_taken"


class WrongCode(DeviceError):
    code = "wrong_code"


class TooManyReminders(EdgeMemoryError):
    code = "too_many_reminders"


class BadQuery(EdgeMemoryError):
    code = "bad_query"


class BadDocument(EdgeMemoryError):
    code = "bad_document"


class BadConfig(EdgeMemoryError):
    code = "bad_config"


class ModelUnavailable(EdgeMemoryError):
    code = "model_unavailable"


class ModelFailed(EdgeMemoryError):
    code = "model_failed"


class NonsenseAnswer(EdgeMemoryError):
    code = "nonsense_answer"
