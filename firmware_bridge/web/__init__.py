"""The companion over HTTP."""

from firmware_bridge.web.completions import CompletionModel
from firmware_bridge.web.embeddings import VectorModel
from firmware_bridge.web.happenings import Happenings
from firmware_bridge.web.site import WebSite
from firmware_bridge.web.talk import Companion

__all__ = ["Companion", "CompletionModel", "Happenings", "VectorModel", "WebSite"]
