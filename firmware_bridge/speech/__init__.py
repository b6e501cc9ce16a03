"""Speech: what the microphone heard becomes words, a reply becomes sound. Importing this needs no speech library."""

import os

from firmware_bridge.speech.ears import Catch, Ears, Listening
from firmware_bridge.speech.endpointing import Ending, EndpointRules
from firmware_bridge.speech.judging import Judgement, Reason, Situation, judge
from firmware_bridge.speech.mouth import Mouth
from firmware_bridge.speech.protocols import Transcript
from firmware_bridge.speech.wholeness import Wholeness, wholeness

# ONNX Runtime looks for mobile.events.data.microsoft.com unless it finds this when it is loaded, which is later.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

__all__ = [
    "Catch",
    "Ears",
    "Ending",
    "EndpointRules",
    "Judgement",
    "Listening",
    "Mouth",
    "Reason",
    "Situation",
    "Transcript",
    "Wholeness",
    "judge",
    "wholeness",
]
