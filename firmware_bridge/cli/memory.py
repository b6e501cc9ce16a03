"""`lobug memory`: its verbs. They work with or without a running companion."""

from __future__ import annotations

from firmware_bridge.cli.console import group
from firmware_bridge.cli.records import forget, inspect, learn, list_records, search, stats
from firmware_bridge.cli.review import base_app, profile_app, review_app, rollback
from firmware_bridge.cli.transfer import erase, export, import_file
from firmware_bridge.cli.upkeep import consolidate, episode, procedural_app, procedure, run_app, semantic_app

memory_app = group("Look into memory and correct it.")
memory_app.command("list")(list_records)
for verb in (inspect, search, learn, forget, episode, procedure, stats, consolidate, rollback, export, erase):
    memory_app.command()(verb)
memory_app.command("import")(import_file)
memory_app.add_typer(profile_app, name="profile")
memory_app.add_typer(review_app, name="review")
memory_app.add_typer(run_app, name="run")
memory_app.add_typer(semantic_app, name="semantic")
memory_app.add_typer(procedural_app, name="procedural")
memory_app.add_typer(base_app, name="base")
