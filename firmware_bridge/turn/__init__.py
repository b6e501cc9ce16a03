"""The turn: what is heard becomes a prompt, the model's reply becomes what is said."""

from firmware_bridge.turn.ahead import ModelSource
from firmware_bridge.turn.announcer import Announcer
from firmware_bridge.turn.dialogue import Dialogue
from firmware_bridge.turn.injection import Injection
from firmware_bridge.turn.introduction import Introduction
from firmware_bridge.turn.manner import Manner, ReplyModel
from firmware_bridge.turn.progress import TurnProgress
from firmware_bridge.turn.prompt import Persona
from firmware_bridge.turn.volume import VolumeCommand

__all__ = [
    "Announcer",
    "Dialogue",
    "Injection",
    "Introduction",
    "Manner",
    "ModelSource",
    "Persona",
    "ReplyModel",
    "TurnProgress",
    "VolumeCommand",
]
