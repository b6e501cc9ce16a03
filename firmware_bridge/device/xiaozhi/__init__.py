"""Stock XiaoZhi firmware: its messages and binary frames, the pace of its sound, and one talk with it."""

from firmware_bridge.device.xiaozhi.passage import Line
from firmware_bridge.device.xiaozhi.session import XiaoZhiSession

__all__ = ["Line", "XiaoZhiSession"]
