"""The companion over HTTP, with the same face as the cable: `start`, `cancel`, `sense`, `step`.

Turns go out as POST /chat/text and come back as server-sent events, speech goes to /chat/audio and comes back as raw
samples, as the speaker has room for them; what the companion tells on its own account comes from GET /device/events.
A turn whose connection breaks, or stands still, is sent again with its id. Without a token that the companion knows, it
asks to be paired and shows a code.
"""

import json

from .http import ALL, EventStream, Request

_RETRY_MS = 2000
_TOO_OFTEN = 429
_GONE = 410
_WAV_HEAD = 44
_DEAD_MS = 25000  # the companion pings every 10 s
_EVENTS = {"begin": "begun", "delta": "piece", "done": "done"}


class Wifi:
    def __init__(self, board, device_id: str, url: str, token: str = "", find=None) -> None:
        """`find` is asked for the address while there is no `url`, or nobody answers there; "" means not found."""
        self._board = board
        self._device_id = device_id
        self._url = url
        self._find = find
        self._token = token
        self._turns = []  # [turn, request, event stream, when to begin it again]
        self._listening = None  # the request for what the companion tells, and its event stream
        self._listen_at = self._heard_at = board.ticks_ms()
        self._short = []  # requests whose answers do not matter
        self._sounds = []  # addresses of sounds to fetch
        self._fetching = None  # the request under way, and what came of the file's head
        self._claim = ""
        self._pairing = None
        self._pair_at = board.ticks_ms()
        self._unpaired = False
        self._missing = False  # nobody answers at that address
        self.linked = False

    # What the device wants

    def start(self, turn) -> None:
        self._turns.append([turn, None, None, self._board.ticks_ms()])

    def cancel(self, turn_id: str) -> None:
        """The companion finishes the turn by itself; here nobody listens to it any more."""
        for entry in list(self._turns):
            if entry[0].turn_id == turn_id:
                if entry[1] is not None:
                    entry[1].close()
                self._turns.remove(entry)
        self._sounds = []
        if self._fetching is not None:
            self._fetching[0].close()
            self._fetching = None

    def sense(self, readings: dict) -> None:
        self._short.append(self._post("/context/sensors", dict(readings, device_id=self._device_id)))

    @property
    def busy(self) -> bool:
        return bool(self._turns or self._sounds or self._fetching)

    def step(self) -> list:
        told = []
        now = self._board.ticks_ms()
        for request in list(self._short):
            request.step()
            if request.over:
                self._short.remove(request)
        self._pair(now, told)
        self._listen(now, told)
        for entry in list(self._turns):
            self._step_turn(entry, now, told)
        self._fetch(told)
        return told

    # Turns

    def _step_turn(self, entry: list, now: int, told: list) -> None:
        turn, request = entry[0], entry[1]
        if request is None:
            if turn.ended and self._url and not self._unpaired and self._board.ticks_diff(now, entry[3]) >= 0:
                entry[1] = self._say(turn) if turn.text is not None else self._speak(turn)
                entry[2] = EventStream()
            return
        body = request.step(self._room(turn, request))
        if request.status == 200 and turn.text is None:
            self._play(turn, request, body, told)
        elif request.status == 200:
            for name, data in entry[2].feed(body):
                self._take(entry, name, json.loads(data), told)
        if request.over and entry in self._turns:
            self._broke(entry, request, body, now, told)

    def _room(self, turn, request) -> int:
        """Sound is taken once its rate is told, and as the speaker has room; all else at once."""
        if turn.text is None and request.status in (0, 200):
            return self._board.sound_room() if turn.begun else 0
        return ALL

    def _take(self, entry: list, name: str, data: dict, told: list) -> None:
        if name in _EVENTS:
            told.append(dict(data, type=_EVENTS[name], turn_id=entry[0].turn_id))
        elif name == "error":
            told.append(dict(data, type="failed", turn_id=entry[0].turn_id))
        if name in ("done", "error"):
            self._turns.remove(entry)

    def _play(self, turn, request, body: bytes, told: list) -> None:
        """The spoken reply as it comes; its words come as sentences among the events."""
        if not turn.begun:
            turn.begun = True
            kind = request.headers.get("content-type", "")
            understood = _unquote(request.headers.get("x-lobug-heard", ""))
            told.append({"type": "understood", "turn_id": turn.turn_id, "text": understood})
            told.append({"type": "begun", "turn_id": turn.turn_id})
            rate = int(kind.partition("rate=")[2].partition(";")[0] or 16000)
            told.append({"type": "sound", "rate": rate, "turn_id": turn.turn_id})
        if body:
            self._board.play(body)
        if request.over:
            told.append({"type": "sound_end"})
            told.append({"type": "done", "turn_id": turn.turn_id, "action": "respond", "text": ""})
            self._turns = [entry for entry in self._turns if entry[0] is not turn]

    def _broke(self, entry: list, request, body: bytes, now: int, told: list) -> None:
        """It is sent again, unless the companion refused it for good."""
        entry[0].begun = False
        entry[1], entry[3] = None, self._board.ticks_add(now, _RETRY_MS)
        if request.status == 204:
            self._turns.remove(entry)
            told.append({"type": "done", "turn_id": entry[0].turn_id, "action": "ignore", "text": ""})
        elif request.status == 401:
            self._unpaired = True
        elif 400 <= request.status < 500 and request.status != _TOO_OFTEN:
            self._turns.remove(entry)
            told.append(dict(_error(body), type="failed", turn_id=entry[0].turn_id))

    def _say(self, turn):
        message = {"text": turn.text, "turn_id": turn.turn_id, "device_id": self._device_id, "stream": True}
        return self._post("/chat/text", message)

    def _speak(self, turn):
        path = f"/chat/audio?device_id={self._device_id}&turn_id={turn.turn_id}&rate={turn.rate}"
        path += f"&reply_rate={turn.rate}"
        headers = {"Content-Type": "audio/pcm", "Accept": "audio/pcm"}
        return self._request("POST", path, headers, turn.pcm)

    # What the companion tells

    def _listen(self, now: int, told: list) -> None:
        if self._listening is None:
            if not self._unpaired and self._board.ticks_diff(now, self._listen_at) >= 0 and self._is_placed(told):
                path = f"/device/events?device_id={self._device_id}"
                self._listening = (self._request("GET", path, {"Accept": "text/event-stream"}), EventStream())
                self._heard_at = now
            return
        request, stream = self._listening
        body = request.step()
        if body:
            self._heard_at = now
        if request.status == 200:
            if not self.linked:
                self.linked = True
                told.append({"type": "linked"})
            for name, data in stream.feed(body):
                self._notice(dict(json.loads(data), type=name), told)
        if request.over or self._board.ticks_diff(now, self._heard_at) > _DEAD_MS:
            self._unpaired = self._unpaired or request.status == 401
            if request.status == -1 and not self._missing:
                told.append({"type": "refused", "error": {"message": "no companion answers at " + self._url}})
            self._missing = request.status == -1
            request.close()
            self._listening, self._listen_at = None, self._board.ticks_add(now, _RETRY_MS)
            if self.linked:
                self.linked = False
                told.append({"type": "unlinked"})

    def _is_placed(self, told: list) -> bool:
        """Whether the companion's address is known; looks for it, for up to a second, where that may help."""
        if self._find is not None and (self._missing or not self._url):
            self._url = self._find() or self._url
        if not self._url:
            self._listen_at = self._board.ticks_add(self._board.ticks_ms(), _RETRY_MS)
            if not self._missing:
                told.append({"type": "refused", "error": {"message": "no companion is found in this network"}})
            self._missing = True
        return bool(self._url)

    def _notice(self, event: dict, told: list) -> None:
        if event["type"] == "audio":
            self._sounds.append(event["url"])
        else:
            told.append(event)

    def _fetch(self, told: list) -> None:
        """Sounds one after the other, as the speaker has room for them."""
        if self._fetching is None:
            if self._sounds:
                self._fetching = [self._request("GET", self._sounds.pop(0), {}), b""]
            return
        request, head = self._fetching
        if len(head) < _WAV_HEAD:
            head += request.step(_WAV_HEAD - len(head))
            self._fetching[1] = head
            if request.status == 200 and len(head) == _WAV_HEAD:
                told.append({"type": "sound", "rate": int.from_bytes(head[24:28], "little")})
        else:
            self._board.play(request.step(self._board.sound_room()))
        if request.over or request.status not in (0, 200):
            request.close()
            self._fetching = None
            told.append({"type": "sound_end"})

    # Pairing

    def _pair(self, now: int, told: list) -> None:
        if not self._unpaired or self._board.ticks_diff(now, self._pair_at) < 0:
            return
        if self._pairing is None:
            message = {"device_id": self._device_id}
            if self._claim:
                message["claim"] = self._claim
            self._pairing = [self._post("/device/pair", message), b""]
            return
        request = self._pairing[0]
        self._pairing[1] += request.step()
        if not request.over:
            return
        raw, self._pairing, self._pair_at = self._pairing[1], None, self._board.ticks_add(now, _RETRY_MS)
        answer = json.loads(raw) if request.status in (200, 202) else {}
        if "code" in answer:
            self._claim = answer["claim"]
            told.append({"type": "code", "code": answer["code"]})
        elif "token" in answer:
            self._token, self._claim, self._unpaired = answer["token"], "", False
            told.append({"type": "key", "token": self._token})
        elif 400 <= request.status < 500:
            if request.status == _GONE:  # any other answer, or none, may be followed by the token
                self._claim = ""
            told.append(dict(_error(raw), type="refused"))

    def _post(self, path: str, message: dict):
        return self._request("POST", path, {"Content-Type": "application/json"}, json.dumps(message).encode())

    def _request(self, method: str, path: str, headers: dict, body: bytes = b""):
        if self._token:
            headers["Authorization"] = "Bearer " + self._token
        return Request(self._board, self._url, method, path, headers, body)


def _unquote(text: str) -> str:
    """Percent-encoded UTF-8, as text."""
    first, *rest = text.split("%")
    raw = first.encode()
    for part in rest:
        raw += bytes([int(part[:2], 16)]) + part[2:].encode()
    return raw.decode()


def _error(raw: bytes) -> dict:
    try:
        return {"error": json.loads(raw)["error"]}
    except (ValueError, KeyError):
        return {"error": {"code": "unknown", "message": "the companion refused it", "hint": ""}}
