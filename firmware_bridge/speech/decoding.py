"""From the bytes that a client sent to samples that can be heard: containers through FFmpeg, raw samples directly."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np

from firmware_bridge.contracts import AudioFormat, AudioKind
from firmware_bridge.errors import ADD_EXTRAS, AudioTooLong, BadAudio, SpeechMissing, UnknownAudio
from firmware_bridge.speech.samples import HEARING_RATE, Samples, from_pcm16, resampled

LOWEST_RATE, HIGHEST_RATE, MOST_CHANNELS = 8_000, 96_000, 2
_MAGIC = (  # how files begin, by FFmpeg's name of the container
    (b"RIFF", "wav"),
    (b"RF64", "wav"),
    (b"OggS", "ogg"),
    (b"fLaC", "flac"),
    (b"ID3", "mp3"),
    (b"\x1aE\xdf\xa3", "matroska"),
)
_KINDS = {AudioKind.WAV: "wav", AudioKind.OGG: "ogg"}
_SEND = "send WAV with 8, 16, 24 or 32 bits, Opus in Ogg, or raw 16-bit samples"


def decode(data: bytes, given: AudioFormat, longest_seconds: float) -> Samples:
    """16 kHz samples of one channel. Raises BadAudio, UnknownAudio, AudioTooLong or SpeechMissing."""
    if given.kind is AudioKind.PCM16 and not begins_file(data):
        samples, rate = raw_samples(data, given), given.rate
    else:
        samples, rate = _from_container(data, _container(data, given.kind), longest_seconds)
    if not len(samples):
        raise BadAudio("there is no sound in it", "send what the microphone recorded")
    if len(samples) > longest_seconds * rate:
        raise too_long(longest_seconds)
    return resampled(samples, rate, HEARING_RATE)


def begins_file(data: bytes) -> bool:
    """Whether bytes that were called raw samples are not."""
    return data.startswith((b"RIFF", b"OggS"))


def raw_samples(data: bytes, given: AudioFormat) -> Samples:
    """Little-endian 16-bit samples at their own rate, channels averaged. Raises BadAudio."""
    check_shape(given.rate, given.channels)
    if not len(data):
        raise BadAudio("the body is empty", "send what the microphone recorded")
    return mixed(from_pcm16(data), given.channels)


def mixed(samples: Samples, channels: int) -> Samples:
    """One channel out of several that take turns; a cut last frame is dropped."""
    whole = len(samples) // channels * channels
    return np.asarray(samples[:whole].reshape(-1, channels).mean(axis=1), dtype=np.float32)


def check_shape(rate: int, channels: int) -> None:
    """Raises BadAudio for rates and numbers of channels that no microphone for speech has."""
    if not LOWEST_RATE <= rate <= HIGHEST_RATE:
        raise BadAudio(f"{rate} samples a second are not taken", f"use {LOWEST_RATE} to {HIGHEST_RATE}, best 16000")
    if not 1 <= channels <= MOST_CHANNELS:
        raise BadAudio(f"{channels} channels are not taken", "send one channel, or two")


def too_long(longest_seconds: float) -> AudioTooLong:
    return AudioTooLong(f"this is more than {longest_seconds:g} seconds of audio", "send one utterance at a time")


def _container(data: bytes, kind: AudioKind) -> str:
    """FFmpeg's name of what the bytes are. Raises UnknownAudio when they are not what they were sent as."""
    if not data:
        raise BadAudio("the body is empty", "send what the microphone recorded")
    found: str = next((name for magic, name in _MAGIC if data.startswith(magic)), "")
    if not found and data[0] == 0xFF and len(data) > 1 and data[1] & 0xE0 == 0xE0:
        found = "mp3"
    if not found and data[4:8] == b"ftyp":
        found = "mp4"
    if not found:
        raise UnknownAudio("these bytes are no audio file that is known here", _SEND)
    if kind in _KINDS and _KINDS[kind] != found:
        raise UnknownAudio(f"it was sent as {kind}, and is {found}", _SEND)
    return found


def _from_container(data: bytes, container: str, longest_seconds: float) -> tuple[Samples, int]:
    try:
        import av
    except ImportError as error:
        raise SpeechMissing("audio files cannot be read: PyAV is not installed", ADD_EXTRAS) from error
    try:
        with av.open(io.BytesIO(data), "r", format=container, metadata_errors="ignore") as file:
            if not file.streams.audio:
                raise BadAudio("there is no sound in it", _SEND)
            stream = file.streams.audio[0]
            codec = stream.codec_context
            if codec is None:  # as of a header that lies about the bits of a sample
                raise BadAudio(f"how the samples of this {container} file are written is not known", _SEND)
            rate = int(codec.sample_rate or 0)
            check_shape(rate, int(codec.channels or 0))
            pieces = list(_pieces(av, file.decode(stream), rate, longest_seconds))
    except (av.FFmpegError, ValueError, EOFError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadAudio(f"this {container} file is damaged or no {container} file ({why})", _SEND) from error
    return (np.concatenate(pieces) if pieces else np.zeros(0, np.float32)), rate


def _pieces(av: Any, frames: Iterator[Any], rate: int, longest_seconds: float) -> Iterator[Samples]:
    """Stops what is too long while it is decoded, so that a small file cannot fill the memory."""
    plain = av.AudioResampler(format="flt", layout="mono", rate=rate)
    length = 0
    for frame in frames:
        for piece in plain.resample(frame):
            samples = np.asarray(piece.to_ndarray(), dtype=np.float32).reshape(-1)
            length += len(samples)
            if length > longest_seconds * rate:
                raise too_long(longest_seconds)
            yield np.nan_to_num(samples)
