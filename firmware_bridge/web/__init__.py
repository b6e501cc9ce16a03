"""The companion over HTTP."""

from firmware_bridge.web.site import WebSite
from firmware_bridge.web.talk import Companion

__all__ = ["Companion", "WebSite"]
