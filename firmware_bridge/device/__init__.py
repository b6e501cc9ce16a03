"""What hangs on the companion by a cable, and notices to every device."""

from firmware_bridge.device.notices import Listener, NoticeBoard

__all__ = ["Listener", "NoticeBoard"]
