"""One HTTP/1.0 request that never waits: `step` it until it is over. Small enough for a microcontroller."""

import socket

_NOT_NOW = (11, 35, 115, 119)  # EAGAIN and EINPROGRESS, as the ports number them
_PORTION = 1024
_CONNECT_S = 3


def split_url(url: str) -> tuple:
    """(host, port) of http://host:port."""
    rest = url[7:] if url.startswith("http://") else url
    host, _, port = rest.rstrip("/").partition(":")
    return host, int(port or 80)


class Request:
    """`status` is 0 until the head of the answer is there, -1 when the connection failed. `over`: no more will come."""

    def __init__(self, url: str, method: str, path: str, headers: dict, body: bytes = b"") -> None:
        self.status = 0
        self.over = False
        self.headers = {}
        self._received = b""
        host, port = split_url(url)
        head = [f"{method} {path} HTTP/1.0", f"Host: {host}:{port}", f"Content-Length: {len(body)}"]
        head += [f"{name}: {value}" for name, value in headers.items()]
        self._unsent = ("\r\n".join(head) + "\r\n\r\n").encode() + body
        self._socket = socket.socket()
        try:
            self._socket.settimeout(_CONNECT_S)
            self._socket.connect(socket.getaddrinfo(host, port)[0][-1])
            self._socket.setblocking(False)
        except OSError:
            self.close(-1)

    def step(self) -> bytes:
        """What came of the body since the last call."""
        if self.over:
            return b""
        try:
            self._send()
            self._receive()
        except OSError as error:
            if error.args[0] not in _NOT_NOW:
                self.close(self.status or -1)
        if not self.status and not self._read_head():
            return b""
        body, self._received = self._received, b""
        return body

    def close(self, status: int = 0) -> None:
        self.status = status or self.status
        self.over = True
        self._socket.close()

    def _send(self) -> None:
        while self._unsent:
            sent = self._socket.send(self._unsent[:_PORTION])
            self._unsent = self._unsent[sent:]

    def _receive(self) -> None:
        while True:
            portion = self._socket.recv(_PORTION)
            self._received += portion
            if not portion:
                self.close(0 if self.status or b"\r\n\r\n" in self._received else -1)
                return

    def _read_head(self) -> bool:
        head, found, rest = self._received.partition(b"\r\n\r\n")
        if not found:
            return False
        first, *lines = head.decode().split("\r\n")
        self.status = int(first.split(" ")[1])
        for line in lines:
            name, _, value = line.partition(":")
            self.headers[name.lower()] = value.strip()
        self._received = rest
        return True


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
