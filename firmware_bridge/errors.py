"""The errors of the companion. At a door each becomes one body: code, message, hint.

BridgeError
├── SettingsError           a setting is unknown, malformed or out of range
├── WeightsError            a weights file cannot be used
│   ├── UnknownModel        the catalogue has no such name
│   ├── WeightsMissing      the file is not here
│   ├── WeightsDamaged      the file is not what its checksum says
│   ├── DownloadFailed      no source delivered the file
│   └── NoSpace             the disk is too full for it
├── InferenceError          a model could not answer
│   ├── ModelLoading        the weights are still being read
│   ├── ModelUnusable       the file does not load as a model
│   ├── NotEnoughMemory     the machine has too little memory for it
│   ├── PromptTooLong       the prompt does not fit the context
│   ├── SchemaUnusable      no reply can be held to this JSON schema
│   ├── ModelBusy           other work kept the model for too long
│   ├── ModelTooSlow        reading and writing took too long
│   ├── ModelDeadly         the same work ended the whole process before
│   └── BackendUnreachable  the model server does not answer
├── SpeechError             nothing can be heard or said
│   ├── SpeechMissing       an engine or its weights are not installed
│   └── SpeechUnusable      an engine does not load, or broke
├── BadRequest              a request that cannot be understood
│   ├── BadJson             the body is not JSON
│   ├── BadEvent            a Wyoming event that cannot be read
│   ├── BodyTooSlow         the body did not arrive in time
│   ├── BodyCutShort        the body ended before its announced length
│   ├── BadText             nothing to answer in it
│   ├── TextTooLong         more text than one turn may have
│   ├── BadId               an id of the wrong shape
│   ├── TurnIdTaken         a turn's id that another device or session gave before
│   ├── NoSuchModel         no model is served by this name
│   ├── TurnNotFound        a turn that was never heard, or that is another's
│   ├── SoundNotFound       a sound that is gone, or another device's
│   ├── BadAudio            audio that cannot be decoded, or has nothing in it
│   ├── UnknownAudio        a kind of audio that is not taken
│   └── AudioTooLong        more audio than one utterance may have
├── TurnBroken              a turn that was heard and has no answer
├── Refused                 a request from somebody who may not make it
│   ├── NotPaired           no token, or one that no device has
│   ├── NotForDevices       a device at a route of the owner
│   ├── OtherDevice         a device that speaks for another
│   ├── OtherSession        a device in a session that is not its own
│   ├── TooManyTries        wrong tokens, again and again
│   └── TooOften            a device that sends more than it may
├── DeviceError             a device on a cable cannot be talked with
│   ├── PortUnusable        its port does not open
│   ├── CableLost           it was unplugged
│   ├── DeviceSilent        it acknowledges nothing
│   ├── DeviceLockedOut     it was revoked while it was linked
│   ├── DeviceIdTaken       another device of this id is connected
│   ├── ProtocolUnknown     its frames are of a version that is not spoken here
│   └── BadMessage          an intact frame whose message makes no sense
├── AddressInUse            something else listens on this port
├── UnsafeBind              a bind that would let the whole network in
├── ExtraMissing            a part that is not installed
└── CompanionUnreachable    no companion answers at this address
"""

from __future__ import annotations

from typing import ClassVar

# For libraries and weights that were left out; without a checkout pip brings them.
ADD_EXTRAS = "run scripts/setup in its folder, or pip install 'lobug[speech,integrations]'"


class BridgeError(Exception):
    """Base of the tree. `code` is stable, `hint` tells what to do next, `status` is the HTTP status."""

    code: ClassVar[str] = "internal_error"
    status: ClassVar[int] = 500

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class SettingsError(BridgeError):
    code = "bad_setting"


class WeightsError(BridgeError):
    code = "weights_error"
    status = 503


class UnknownModel(WeightsError):
    code = "unknown_model"


class WeightsMissing(WeightsError):
    code = "weights_missing"


class WeightsDamaged(WeightsError):
    code = "weights_damaged"


class DownloadFailed(WeightsError):
    code = "download_failed"


class NoSpace(WeightsError):
    code = "no_space"


class InferenceError(BridgeError):
    code = "inference_failed"
    status = 503


class ModelLoading(InferenceError):
    code = "model_loading"


class ModelUnusable(InferenceError):
    code = "model_unusable"


class NotEnoughMemory(InferenceError):
    code = "not_enough_memory"


class PromptTooLong(InferenceError):
    code = "prompt_too_long"
    status = 413


class SchemaUnusable(InferenceError):
    code = "schema_unusable"
    status = 422


class ModelBusy(InferenceError):
    code = "model_busy"


class ModelTooSlow(InferenceError):
    code = "model_too_slow"


class ModelDeadly(InferenceError):
    code = "model_deadly"
    status = 422


class BackendUnreachable(InferenceError):
    code = "backend_unreachable"


class SpeechError(BridgeError):
    code = "speech_failed"
    status = 503


class SpeechMissing(SpeechError):
    code = "speech_missing"


class SpeechUnusable(SpeechError):
    code = "speech_unusable"


class BadRequest(BridgeError):
    code = "bad_request"
    status = 422


class BadJson(BadRequest):
    code = "bad_json"
    status = 400


class BadEvent(BadRequest):
    code = "bad_event"
    status = 400


class BodyTooSlow(BadRequest):
    code = "body_too_slow"
    status = 408


class BodyCutShort(BadRequest):
    code = "body_cut_short"
    status = 400


class BadText(BadRequest):
    code = "bad_text"


class TextTooLong(BadRequest):
    code = "text_too_long"
    status = 413


class BadId(BadRequest):
    code = "bad_id"


class TurnIdTaken(BadRequest):
    code = "turn_id_taken"
    status = 409


class NoSuchModel(BadRequest):
    code = "model_not_found"
    status = 404


class TurnNotFound(BadRequest):
    code = "turn_not_found"
    status = 404


class SoundNotFound(BadRequest):
    code = "sound_not_found"
    status = 404


class TurnBroken(BridgeError):
    code = "turn_broken"
    status = 503


class Refused(BridgeError):
    code = "refused"
    status = 403


class NotPaired(Refused):
    code = "not_paired"
    status = 401


class NotForDevices(Refused):
    code = "not_for_devices"


class OtherDevice(Refused):
    code = "other_device"


class OtherSession(Refused):
    code = "other_session"


class TooManyTries(Refused):
    code = "too_many_tries"
    status = 429


class TooOften(Refused):
    """`wait` is how many seconds to wait."""

    code = "too_often"
    status = 429

    def __init__(self, message: str, hint: str, wait: float) -> None:
        super().__init__(message, hint)
        self.wait = wait


class DeviceError(BridgeError):
    code = "cable_error"


class PortUnusable(DeviceError):
    code = "port_unusable"


class CableLost(DeviceError):
    code = "cable_lost"


class DeviceSilent(DeviceError):
    code = "device_silent"


class DeviceLockedOut(DeviceError):
    code = "device_locked_out"


class DeviceIdTaken(DeviceError):
    code = "device_id_taken"
    status = 409


class ProtocolUnknown(DeviceError):
    code = "protocol_unknown"


class BadMessage(DeviceError):
    code = "bad_message"
    status = 422


class BadAudio(BadRequest):
    code = "bad_audio"


class UnknownAudio(BadRequest):
    code = "unknown_audio"
    status = 415


class AudioTooLong(BadRequest):
    code = "audio_too_long"
    status = 413


class AddressInUse(BridgeError):
    code = "address_in_use"


class UnsafeBind(BridgeError):
    code = "unsafe_bind"


class CompanionUnreachable(BridgeError):
    code = "companion_unreachable"


class ExtraMissing(BridgeError):
    code = "extra_missing"
    status = 501
