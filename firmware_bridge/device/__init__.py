"""What hangs on the companion by a cable, and notices to every device."""

from firmware_bridge.device.door import SerialDoor
from firmware_bridge.device.notices import Listener, NoticeBoard
from firmware_bridge.device.ports import Port, Probed, known_ports, probe

__all__ = ["Listener", "NoticeBoard", "Port", "Probed", "SerialDoor", "known_ports", "probe"]
