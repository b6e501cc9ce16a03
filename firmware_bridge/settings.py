"""Every setting of the companion, read once: flags over environment over file over defaults."""

from __future__ import annotations

import difflib
import ipaddress
import os
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import platformdirs
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from edge_memory.config import MemoryConfig
from edge_memory.errors import BadConfig
from firmware_bridge import SERVICE_FOLDER
from firmware_bridge.errors import SettingsError
from firmware_bridge.settings_sources import (
    ENVIRONMENT_PREFIX,
    NESTING,
    dotted,
    environment_keys,
    nested,
    read_file,
    variable,
)

DEFAULT_PORT = 8321
SECRET = "model.api_key"  # noqa: S105 - its name
_ANY_LANGUAGE_VOICE = "espeak-ng"


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _parted(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


_Listed = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_parted)]  # in TOML a list, else parted by commas


class ServerSettings(_Section):
    host: str = Field("127.0.0.1", description="address to listen on")
    port: int = Field(DEFAULT_PORT, ge=0, le=65_535, description="port to listen on; 0 takes a free one")
    allow_unpaired: bool = Field(False, description="let anyone on the network in, with no token, as the owner's guest")
    allow_pairing: bool = Field(
        False, description="listen on the network although no device is paired, so that the first can be"
    )
    most_connections: int = Field(
        128, ge=8, le=10_000, description="connections at once; one address of the network may have an eighth of them"
    )
    patience_seconds: float = Field(
        10.0, ge=0.2, le=60.0, description="longest wait for a request's head, and for each next part of its body"
    )
    turns_per_minute: int = Field(
        30,
        ge=0,
        le=10_000,
        description="turns of one device in a minute, and 20 times as many readings and searches; 0 for any",
    )
    advertise: bool = Field(True, description="let devices find it by mDNS where it listens on the network")
    trust_loopback: bool = Field(
        True, description="programs on this machine need no token; turn it off behind a reverse proxy"
    )
    allowed_hosts: _Listed = Field(
        (), description="names, beside this machine's own, that it may be called by; a list, or parted by commas"
    )


class SerialSettings(_Section):
    ports: _Listed = Field(
        ("auto",), description="serial ports with devices; auto looks for M5Stacks; a list, or parted by commas"
    )
    baud: int = Field(921_600, ge=9_600, le=3_000_000, description="speed of the serial ports, as the devices have it")


class ModelSettings(_Section):
    profile: Literal["auto", "tiny", "small", "base"] = Field("auto", description="model size; auto goes by memory")
    chat: str = Field("", description="chat model: catalogue name or path of a GGUF file; empty goes by profile")
    embedder: str = Field("", description="embedding model: catalogue name or path; empty goes by profile")
    chat_url: str = Field("", description="OpenAI-compatible server to chat with instead, such as http://host:8080")
    chat_url_model: str = Field("", description="model name to ask that server for")
    embedding_url: str = Field("", description="OpenAI-compatible server to embed with instead")
    embedding_url_model: str = Field(
        "", description="model name to ask that server for; the local embedder's name lets that one stand in"
    )
    api_key: str = Field("", description="key for those servers")
    fallback: bool = Field(True, description="answer with the local model while such a server does not")
    server_patience_seconds: float = Field(
        20.0, ge=0.1, le=600.0, description="how long such a server may keep silent before the local model answers"
    )
    context: int = Field(4_096, ge=512, le=131_072, description="tokens that the chat model can hold")
    kv_type: Literal["f16", "q8_0"] = Field(
        "f16",
        description="how the model's memory of a prompt is kept; q8_0 takes half the room, answers differ slightly",
    )
    threads: int = Field(0, ge=0, le=256, description="compute threads; 0 takes the number of cores")
    max_reply_tokens: int = Field(160, ge=8, le=4_096, description="longest reply")
    temperature: float = Field(0.3, ge=0.0, le=2.0, description="0 always takes the likeliest word")


class StoreSettings(_Section):
    ballast_megabytes: int = Field(
        16, ge=0, le=1_024, description="space held back on the disk, so that a full one can still forget"
    )
    key_file: Path | None = Field(None, description="file with the key of the encrypted memory file; see lobug encrypt")

    @field_validator("key_file", mode="before")
    @classmethod
    def _none(cls, value: object) -> object:
        return None if value == "" else value


class PersonaSettings(_Section):
    name: str = Field("Lo-Bug", min_length=1, max_length=40, description="what the companion is called, and answers to")
    manner: str = Field(
        "a friendly voice assistant", max_length=400, description="who it is; unless set, so in its language"
    )
    language: Literal["en", "de"] = Field("en", description="language that it is spoken with, remembers and answers in")


class TurnSettings(_Section):
    prompt_order: Literal["tail", "seed"] = Field(
        "tail", description="where memories and sensors stand: right before the newest message, or in the system prompt"
    )
    injection_format: Literal["system", "assistant_preamble"] = Field(
        "system", description="who tells the model what is remembered: the prompt, or the assistant's own earlier words"
    )
    memory_format: Literal["compact", "detailed"] = Field(
        "compact", description="how a memory is told: its text, or also its kind, how sure it is and since when"
    )
    grounded: bool = Field(True, description="hold replies to what memory knows, and admit what it does not")
    max_text_characters: int = Field(8_000, ge=100, le=100_000, description="longest text of one turn")
    model_patience_seconds: float = Field(
        60.0, ge=0.0, le=600.0, description="how long a turn waits for a model that is still loading"
    )


class SpeechSettings(_Section):
    enabled: Literal["auto", "on", "off"] = Field(
        "auto", description="hear and speak; auto does so where the extra and its weights are installed"
    )
    transcriber: str = Field("whisper-base", description="catalogue name of the recogniser")
    synthesiser: str = Field(
        "piper-en-us-joe", description="catalogue name of the voice, or espeak-ng, which speaks unset all but English"
    )
    detector: str = Field("silero-vad-v6", description="catalogue name of the voice-activity detector")
    language: str = Field("en", pattern="^[a-z]{2}$", description="of ears and voice; unset, that of the persona")
    threads: int = Field(0, ge=0, le=64, description="threads of recogniser and voice; 0 takes the number of cores")
    foresight: bool = Field(True, description="in a pause of live sound, work ahead; end what is whole and answered")
    longest_seconds: float = Field(120.0, ge=1.0, le=600.0, description="longest recording that is taken")
    trailing_seconds: float = Field(0.8, ge=0.2, le=5.0, description="silence that ends what is heard live")
    whole_seconds: float = Field(0.7, ge=0.2, le=5.0, description="the same for what sounds whole, once answered")
    clear_seconds: float = Field(0.5, ge=0.2, le=5.0, description="the same where sentences often end with such words")
    unfinished_seconds: float = Field(1.2, ge=0.2, le=5.0, description='silence that ends what breaks off ("and the")')
    go_on_seconds: float = Field(0.0, ge=0.0, le=5.0, description="how long more is heard after an early end, if sent")
    quietest_db: float = Field(-55.0, ge=-100.0, le=0.0, description="speech below this is far away, and ignored")
    wake_phrase: str = Field(
        "", max_length=60, description='answer only what begins with it, such as "hey {name}"; empty answers all'
    )
    follow_up_seconds: float = Field(
        20.0, ge=0.0, le=600.0, description="after a reply, how long no wake phrase is needed"
    )
    idle_seconds: float = Field(
        60.0, ge=2.0, le=110.0, description="silence that ends a talk with XiaoZhi firmware; its wake word begins anew"
    )
    cue_after_seconds: float = Field(
        2.0, ge=0.0, le=60.0, description="expected wait for the first sound that a short cue bridges; 0 never does"
    )
    sound_minutes: float = Field(5.0, ge=0.1, le=120.0, description="how long a reply's sound can be fetched")


class WyomingSettings(_Section):
    enabled: bool = Field(False, description="let Home Assistant hear, speak and talk through it (Wyoming)")
    host: str = Field("127.0.0.1", description="address to listen on for Wyoming")
    port: int = Field(10_300, ge=0, le=65_535, description="port to listen on for Wyoming; 0 takes a free one")
    clients: _Listed = Field(
        (), description="addresses or networks that may connect, beside this machine; a list, or parted by commas"
    )
    most_connections: int = Field(
        32, ge=8, le=10_000, description="Wyoming connections at once; one address may have a quarter of them"
    )

    @field_validator("clients")
    @classmethod
    def _networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for network in value:
            ipaddress.ip_network(network, strict=False)
        return value


def default_data_dir(service: Path = SERVICE_FOLDER) -> Path:
    """What the companion remembers as a service of this user is what their verbs look at, too."""
    try:
        is_mine = service.stat().st_uid == os.getuid()
    except OSError:
        is_mine = False
    return service if is_mine else Path(platformdirs.user_data_dir("lobug"))


class Settings(BaseSettings):
    """Frozen. `load_settings` is the way to make one."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix=ENVIRONMENT_PREFIX, env_nested_delimiter=NESTING
    )

    data_dir: Path = Field(
        default_factory=default_data_dir,
        description="where memory.db lies; the service's folder for whom it runs as, else the platform's own",
    )
    offline: bool = Field(False, description="refuse every connection that leaves this machine")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="how much is logged")
    log_format: Literal["plain", "json"] = Field("plain", description="lines for people, or a JSON object in each")
    server: ServerSettings = Field(default_factory=ServerSettings)
    serial: SerialSettings = Field(default_factory=SerialSettings)
    model: ModelSettings = Field(default_factory=ModelSettings)
    persona: PersonaSettings = Field(default_factory=PersonaSettings)
    turn: TurnSettings = Field(default_factory=TurnSettings)
    speech: SpeechSettings = Field(default_factory=SpeechSettings)
    store: StoreSettings = Field(default_factory=StoreSettings)
    wyoming: WyomingSettings = Field(default_factory=WyomingSettings)
    memory: MemoryConfig = Field(default_factory=MemoryConfig)

    @model_validator(mode="after")
    def _voice_of_the_persona(self) -> Self:
        """Ears and voice follow the persona's language where they are not set themselves."""
        spoken = {"language": self.persona.language} | self.speech.model_dump(include=self.speech.model_fields_set)
        voice = {} if spoken["language"] == "en" else {"synthesiser": _ANY_LANGUAGE_VOICE}
        object.__setattr__(self, "speech", self.speech.model_copy(update=voice | spoken))
        return self

    @field_validator("data_dir")
    @classmethod
    def _at_home(cls, value: Path) -> Path:
        return value.expanduser()

    @property
    def database(self) -> Path:
        return self.data_dir / "memory.db"

    @property
    def cache_dir(self) -> Path:
        """What lies here may be deleted at any time."""
        return self.data_dir / "cache"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings, env_settings, TomlConfigSettingsSource(settings_cls))


def default_config_file() -> Path:
    return Path(platformdirs.user_config_dir("lobug")) / "lobug.toml"


def load_settings(flags: Mapping[str, Any] | None = None, config: Path | None = None) -> Settings:
    """`flags` maps dotted keys such as "server.port" to values; None values do not count.

    Raises SettingsError for an unreadable file, an unknown key (naming the nearest known one) or a bad value.
    """
    path = config or default_config_file()
    if config is not None or path.exists():
        _refuse_unknown(dotted(read_file(path)), str(path))
    _refuse_unknown(environment_keys(), "the environment", as_variable=True)
    given = {key: value for key, value in (flags or {}).items() if value is not None}
    _refuse_unknown(given, "the flags")

    class SettingsWithFile(Settings):
        model_config = SettingsConfigDict(toml_file=path)

    try:
        return SettingsWithFile(**nested(given))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise SettingsError(f"{key}: {first['msg']}", value_told(key, first.get("input"))) from error
    except BadConfig as error:
        raise SettingsError(f"memory: {error.message}", error.hint) from error


def known_keys() -> list[str]:
    """Every setting as a dotted key, in order."""
    keys: list[str] = []
    for name, field in Settings.model_fields.items():
        section = field.annotation
        if is_dataclass(section):
            keys.extend(f"{name}.{f.name}" for f in fields(section))
        elif isinstance(section, type) and issubclass(section, BaseModel):
            keys.extend(f"{name}.{inner}" for inner in section.model_fields)
        else:
            keys.append(name)
    return keys


def value_told(key: str, value: object) -> str:
    """The hint to a wrong value; a secret is not shown."""
    return "its value is not shown" if key == SECRET else f"its value is {value!r}"


def hint_for(key: str, *, as_variable: bool = False) -> str:
    """The known setting that is spelled most like this one, or where all of them are told."""
    near = difflib.get_close_matches(key, known_keys(), n=1, cutoff=0.5)
    return f"did you mean {variable(near[0]) if as_variable else near[0]}?" if near else "`lobug config show` lists all"


def _refuse_unknown(keys: Iterable[str], place: str, *, as_variable: bool = False) -> None:
    known = known_keys()
    for key in keys:
        if key not in known:
            told = variable(key) if as_variable else key
            raise SettingsError(f"unknown setting {told} in {place}", hint_for(key, as_variable=as_variable))
