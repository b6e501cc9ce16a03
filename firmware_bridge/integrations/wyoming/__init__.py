"""The companion for Home Assistant and other clients of the Wyoming protocol. Needs the extra `integrations`."""

from firmware_bridge.integrations.wyoming.door import WyomingDoor
from firmware_bridge.integrations.wyoming.session import Companion

__all__ = ["Companion", "WyomingDoor"]
