"""One HTTP/1.0 request: `step` it until it is over. Small enough for a microcontroller.

It waits for the connection alone, for up to 3 s; a step never waits.
"""

import socket

_NOT_NOW = (11, 35, 115, 119)  # EAGAIN and EINPROGRESS, as the ports number them
_PORTION = 1024
_CONNECT_S = 3
_PATIENCE_MS = 60000  # a small companion may think for long before it answers
ALL = 1 << 30


def split_url(url: str) -> tuple:
    """(host, port) of http://host:port."""
    rest = url[7:] if url.startswith("http://") else url
    host, _, port = rest.rstrip("/").partition(":")
    return host, int(port or 80)


class Request:
    """`status` is 0 until the answer's head is there, -1 when the connection failed, or stood still for a minute.

    `over`: no more will come.
    """

    def __init__(self, board, url: str, method: str, path: str, headers: dict, body: bytes = b"") -> None:
        """`body` is not copied, and must stay as it is."""
        self.status = 0
        self.over = False
        self.headers = {}
        self._received = b""
        self._board = board
        host, port = split_url(url)
        head = [f"{method} {path} HTTP/1.0", f"Host: {host}:{port}", f"Content-Length: {len(body)}"]
        head += [f"{name}: {value}" for name, value in headers.items()]
        self._unsent = [memoryview(("\r\n".join(head) + "\r\n\r\n").encode()), memoryview(body)]
        self._socket = socket.socket()
        try:
            self._socket.settimeout(_CONNECT_S)
            self._socket.connect(socket.getaddrinfo(host, port)[0][-1])
            self._socket.setblocking(False)
        except OSError:
            self.close(-1)
        self._moved_at = board.ticks_ms()

    def step(self, room: int = ALL) -> bytes:
        """What came of the body since the last call, `room` bytes at most; the rest stays in the network."""
        if self.over:
            return b""
        try:
            self._send()
            self._receive(room)
        except OSError as error:
            if error.args[0] not in _NOT_NOW:
                self.close(self.status or -1)
        if self.status and not room:
            self._moved()
        if self._board.ticks_diff(self._board.ticks_ms(), self._moved_at) > _PATIENCE_MS:
            self.close(-1)
        if not self.status:
            return b""
        body, self._received = self._received[:room], self._received[room:]
        return body

    def close(self, status: int = 0) -> None:
        self.status = status or self.status
        self.over = True
        self._socket.close()

    def _send(self) -> None:
        while self._unsent:
            rest = self._unsent[0]
            if rest:
                rest = rest[self._socket.send(rest[:_PORTION]) :]
                self._moved()
            self._unsent[0] = rest
            if not rest:
                self._unsent.pop(0)

    def _receive(self, room: int) -> None:
        while not self.status or len(self._received) < room:
            portion = self._socket.recv(_PORTION)
            if not portion:
                self.close(self.status or -1)
                return
            self._moved()
            self._received += portion
            if not self.status:
                self._read_head()

    def _moved(self) -> None:
        self._moved_at = self._board.ticks_ms()

    def _read_head(self) -> None:
        head, found, rest = self._received.partition(b"\r\n\r\n")
        if not found:
            return
        first, *lines = head.decode().split("\r\n")
        self.status = int(first.split(" ")[1])
        for line in lines:
            name, _, value = line.partition(":")
            self.headers[name.lower()] = value.strip()
        self._received = rest


class EventStream:
    """Server-sent events out of the body's portions: (name, data) for each that is complete."""

    def __init__(self) -> None:
        self._begun = b""
        self._name = ""

    def feed(self, portion: bytes) -> list:
        lines = (self._begun + portion).split(b"\n")
        self._begun = lines[-1]
        events = []
        for raw in lines[:-1]:
            field, _, value = raw.decode().strip("\r").partition(": ")
            if field == "event":
                self._name = value
            elif field == "data":
                events.append((self._name, value))
        return events
