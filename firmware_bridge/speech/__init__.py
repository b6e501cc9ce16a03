"""Speech: what the microphone heard becomes words, a reply becomes sound. Importing this needs no speech library."""

from firmware_bridge.speech.ears import Catch, Ears
from firmware_bridge.speech.endpointing import EndpointRules
from firmware_bridge.speech.judging import Judgement, Reason, Situation, judge
from firmware_bridge.speech.mouth import Mouth

__all__ = ["Catch", "Ears", "EndpointRules", "Judgement", "Mouth", "Reason", "Situation", "judge"]
