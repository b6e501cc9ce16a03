"""The engines of speech: chosen by the settings, loaded when they are first needed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from firmware_bridge.contracts import ModelState
from firmware_bridge.errors import BridgeError, SpeechMissing, SpeechUnusable, UnknownModel, WeightsError
from firmware_bridge.lane import ComputeLane, Priority
from firmware_bridge.machine import default_threads
from firmware_bridge.settings import SpeechSettings
from firmware_bridge.speech import Ears, Mouth
from firmware_bridge.speech.engines import (
    ESPEAK,
    load_detector,
    load_synthesiser,
    load_transcriber,
    require_libraries,
)
from firmware_bridge.weights import Model, Role, Shelf

_log = logging.getLogger(__name__)
E = TypeVar("E")


class LazyEngine(Generic[E]):
    """One engine's place. It is loaded by the first `get`; after a failure the next one tries again."""

    def __init__(
        self,
        role: Role,
        name: str,
        language: str,
        shelf: Shelf,
        lane: ComputeLane,
        load: Callable[[Model, Path], E],
    ) -> None:
        self.role = role
        self.name = name
        self._language = language
        self._shelf = shelf
        self._lane = lane
        self._load = load
        self._engine: E | None = None
        self._error: BridgeError | None = None
        self._loading = asyncio.Lock()

    async def get(self) -> E:
        """Raises SpeechMissing, SpeechUnusable or WeightsError."""
        async with self._loading:
            if self._engine is None:
                try:
                    self._engine = await self._loaded()
                    self._error = None
                except BridgeError as error:
                    self._error = error
                    raise
                _log.info("%s engine %s is ready", self.role, self.name)
        return self._engine

    def check(self) -> None:
        """Raises what `get` would, without loading: libraries and weights are looked for, checksums are not."""
        model = self._model()
        require_libraries(model.engine)
        for artifact in model.kept:
            if not (self._shelf.directory / artifact.file).is_file():
                raise SpeechMissing(f"the weights of {self.name} are not here", f"run: lobug models pull {self.name}")

    def shown(self) -> ModelState:
        """`ready` also says that it is here and will load on first use."""
        if self._engine is not None:
            return ModelState(self.role, self.name, "ready")
        try:
            self.check()
        except BridgeError as error:
            remedy = f": {error.hint}" if isinstance(error, SpeechUnusable) else ""
            return ModelState(self.role, self.name, "missing", f"{error.message}{remedy}")
        if self._error is not None:
            return ModelState(self.role, self.name, "failed", self._error.message)
        return ModelState(self.role, self.name, "ready", "loads when it is first needed")

    def _model(self) -> Model:
        found = self._shelf.catalogue.model(self.name)
        if found.role is not self.role:
            raise UnknownModel(f"{self.name} is no {self.role} model", "lobug models list shows the role of each")
        if found.language not in ("", self._language):
            other = "whisper-base" if self.role is Role.HEARING else ESPEAK
            setting = "transcriber" if self.role is Role.HEARING else "synthesiser"
            raise SpeechUnusable(
                f"{self.name} knows the language {found.language} only, not {self._language}",
                f"set speech.{setting} to {other}",
            )
        return found

    async def _loaded(self) -> E:
        model = self._model()
        require_libraries(model.engine)
        try:
            path = await asyncio.to_thread(self._shelf.verify, model)
        except WeightsError as error:
            raise SpeechMissing(error.message, error.hint) from error
        return await self._lane.run(Priority.LIVE, lambda: self._load(model, path))


class SpeechEngines:
    """Ears and mouth of the companion, made on first use."""

    def __init__(self, settings: SpeechSettings, shelf: Shelf, lane: ComputeLane, cache: Path | None = None) -> None:
        """What can be made anew is kept in `cache`."""
        self._settings = settings
        self._lane = lane
        language, threads = settings.language, settings.threads or default_threads()
        self._transcriber = LazyEngine(
            Role.HEARING,
            settings.transcriber,
            language,
            shelf,
            lane,
            lambda model, path: load_transcriber(model.engine, path, language, threads),
        )
        self._detector = LazyEngine(
            Role.LISTENING,
            settings.detector,
            language,
            shelf,
            lane,
            lambda model, path: load_detector(model.engine, path),
        )
        self._synthesiser = LazyEngine(
            Role.SPEAKING,
            settings.synthesiser,
            language,
            shelf,
            lane,
            lambda model, path: load_synthesiser(model.engine, path, language, threads, cache),
        )
        self._mouth: Mouth | None = None

    @property
    def enabled(self) -> bool:
        """With `auto`: whether all three engines are here."""
        if self._settings.enabled != "auto":
            return self._settings.enabled == "on"
        return all(state.state == "ready" for state in self.found())

    def shown(self) -> list[ModelState]:
        """As `/health` shows them: `off` where speech is not meant to be."""
        states = self.found()
        if self.enabled:
            return states
        return [ModelState(state.role, state.name, "off", state.detail) for state in states]

    async def ears(self) -> Ears:
        """Raises SpeechMissing or SpeechUnusable."""
        self._require()
        return Ears(self._lane, await self._transcriber.get(), await self._detector.get())

    async def mouth(self) -> Mouth:
        """Raises SpeechMissing or SpeechUnusable."""
        self._require()
        if self._mouth is None:
            if self._settings.synthesiser == ESPEAK:
                voice = await self._lane.run(
                    Priority.LIVE, lambda: load_synthesiser(ESPEAK, None, self._settings.language)
                )
            else:
                voice = await self._synthesiser.get()
            self._mouth = Mouth(self._lane, voice, self._settings.language)
        return self._mouth

    def _require(self) -> None:
        if self._settings.enabled == "off":
            raise SpeechMissing("speech is switched off", "set speech.enabled to auto or on")

    def found(self) -> list[ModelState]:
        """Each engine as it is, whether speech is meant to be or not."""
        states = [self._transcriber.shown(), self._detector.shown()]
        if self._settings.synthesiser != ESPEAK:
            return [*states, self._synthesiser.shown()]
        try:
            load_synthesiser(ESPEAK, None, self._settings.language)
        except BridgeError as error:
            return [*states, ModelState(Role.SPEAKING, ESPEAK, "missing", error.message)]
        return [*states, ModelState(Role.SPEAKING, ESPEAK, "ready")]
