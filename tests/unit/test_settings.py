"""Settings: who wins, what is refused, and that nothing is forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge.errors import SettingsError
from firmware_bridge.settings import default_data_dir, known_keys, load_settings
from firmware_bridge.settings_sources import ENVIRONMENT_PREFIX
from firmware_bridge.settings_table import mistakes


@pytest.fixture(autouse=True)
def no_outside_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nowhere"))


def write(tmp_path: Path, content: str) -> Path:
    file = tmp_path / "lobug.toml"
    file.write_text(content, encoding="utf-8")
    return file


def test_flags_win_over_environment_over_file_over_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path, "[server]\nport = 1111\n[memory]\nretrieval_top_k = 7\n[model]\ncontext = 1024")
    assert load_settings(config=file).server.port == 1111
    monkeypatch.setenv("LOBUG_SERVER__PORT", "2222")
    monkeypatch.setenv("LOBUG_MEMORY__JOB_ATTEMPTS", "9")
    settings = load_settings({"model.threads": 3, "server.host": None}, file)
    assert (settings.server.port, settings.model.context, settings.model.threads) == (2222, 1024, 3)
    assert (settings.memory.retrieval_top_k, settings.memory.job_attempts) == (7, 9)
    assert load_settings({"server.port": 3333}, file).server.port == 3333


def test_the_verbs_look_where_the_service_of_this_user_does(tmp_path: Path) -> None:
    assert default_data_dir(tmp_path) == tmp_path
    assert default_data_dir(tmp_path / "no service").name == "lobug"


def test_a_secret_of_the_wrong_form_is_refused_and_not_shown(tmp_path: Path) -> None:
    file = write(tmp_path, "[model]\napi_key = 314159")
    with pytest.raises(SettingsError) as refused:
        load_settings(config=file)
    (mistake,) = mistakes(file)
    for told in (refused.value.message, refused.value.hint, mistake.message, mistake.hint):
        assert "314159" not in told
    assert refused.value.message.startswith("model.api_key: ")


def test_an_empty_key_file_is_none(tmp_path: Path) -> None:
    assert load_settings(config=write(tmp_path, '[store]\nkey_file = ""')).store.key_file is None


# Each setting of the configuration section of seed 004, as it is called here, with another value than its default.
SEED_SETTINGS = {
    "memory.enabled": "false",
    "memory.retrieval_top_k": "7",
    "memory.surprise_threshold": "0.2",
    "memory.max_age_days": "60.0",
    "memory.most_active_records": "5000",
    "memory.decay_enabled": "false",
    "memory.decay_half_life_days": "30.0",
    "memory.include_global": "false",
    "turn.injection_format": "assistant_preamble",
    "memory.extraction_enabled": "false",
    "turn.memory_format": "detailed",
    "memory.dedup_enabled": "false",
    "memory.dedup_lookback": "9",
}


@pytest.mark.parametrize(("key", "value"), SEED_SETTINGS.items())
def test_each_setting_of_the_seed_by_file_and_by_environment(
    key: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    section, _, name = key.partition(".")
    quoted = value if value[0].isdigit() or value == "false" else f'"{value}"'
    by_file = load_settings(config=write(tmp_path, f"[{section}]\n{name} = {quoted}"))
    assert str(getattr(getattr(by_file, section), name)).lower() == value
    monkeypatch.setenv(ENVIRONMENT_PREFIX + key.upper().replace(".", "__"), value)
    by_environment = load_settings()
    assert str(getattr(getattr(by_environment, section), name)).lower() == value
    monkeypatch.setenv(ENVIRONMENT_PREFIX + key.upper().replace(".", "__"), "-1")
    with pytest.raises(SettingsError):
        load_settings()


def test_two_files_do_not_mix(tmp_path: Path) -> None:
    load_settings(config=write(tmp_path, "[server]\nport = 1111"))
    assert load_settings().server.port == 8321


@pytest.mark.parametrize("key", known_keys())
def test_a_misspelled_key_is_refused_and_the_right_one_named(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    misspelled = key + "x"
    section, _, name = misspelled.rpartition(".")
    with pytest.raises(SettingsError) as told:
        load_settings(config=write(tmp_path, f"[{section}]\n{name} = 1" if section else f"{name} = 1"))
    assert key in told.value.hint
    variable = ENVIRONMENT_PREFIX + misspelled.upper().replace(".", "__")
    monkeypatch.setenv(variable, "1")
    with pytest.raises(SettingsError) as told:
        load_settings()
    assert ENVIRONMENT_PREFIX + key.upper().replace(".", "__") in told.value.hint


def test_what_resembles_no_setting_is_told_where_they_are_listed() -> None:
    with pytest.raises(SettingsError, match="unknown setting zzz") as told:
        load_settings({"zzz": "1"})
    assert told.value.hint == "`lobug config show` lists all"


@pytest.mark.parametrize(
    "flags",
    [
        {"server.port": "many"},
        {"server.port": -1},
        {"model.profile": "huge"},
        {"model.temperature": 9},
        {"memory.short_term_keep": 30},
        {"memory.retrieval_top_k": 0},
        {"memory.retrieval_top_k": "three"},
        {"persona.name": ""},
    ],
)
def test_values_out_of_range_are_refused(flags: dict[str, object]) -> None:
    with pytest.raises(SettingsError) as told:
        load_settings(flags)
    assert told.value.message


def test_settings_are_frozen() -> None:
    settings = load_settings()
    with pytest.raises(Exception, match="frozen"):
        settings.server.port = 1


def test_wyoming_is_off_unless_asked_for_and_its_clients_are_addresses() -> None:
    assert not load_settings().wyoming.enabled
    assert load_settings({"wyoming.clients": "192.0.2.7, 2001:db8::/32"}).wyoming.clients[1] == "2001:db8::/32"
    with pytest.raises(SettingsError, match="clients"):
        load_settings({"wyoming.clients": "kitchen"})


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot read"):
        load_settings(config=tmp_path / "missing.toml")
    with pytest.raises(SettingsError, match="not TOML"):
        load_settings(config=write(tmp_path, "= ="))
