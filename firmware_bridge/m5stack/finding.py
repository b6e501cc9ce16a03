"""Where the companion is, asked of the network by mDNS: who is `_lobug._tcp`?"""

import socket

_GROUP, _PORT = "224.0.0.251", 5353
_SERVICE = b"\x06_lobug\x04_tcp\x05local\x00"
_QUERY = b"\0\0\0\0\0\1\0\0\0\0\0\0" + _SERVICE + b"\0\x0c\x80\x01"  # one question: PTR, to be answered to us alone
_A, _SRV = 1, 33
_IP_MULTICAST_IF = 32
_TRIES, _WAIT_S = 3, 0.4


def find(interface: bytes = b"") -> str:
    """The address of the first companion that answers, such as http://192.168.1.5:8321; "" when none does in a second.

    `interface` is this device's own address, as four bytes, in the network to ask in; a board has only one.
    """
    asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        if interface:
            asking.setsockopt(0, _IP_MULTICAST_IF, interface)
        asking.settimeout(_WAIT_S)
        for _ in range(_TRIES):
            found = _ask(asking)
            if found:
                return found
    except OSError:
        pass  # no network
    finally:
        asking.close()
    return ""


def _ask(asking) -> str:
    asking.sendto(_QUERY, socket.getaddrinfo(_GROUP, _PORT)[0][-1])
    try:
        return read(asking.recv(1500))
    except (OSError, IndexError):  # too late, or cut short
        return ""


def read(answer: bytes) -> str:
    """The address that an answer tells; "" if it tells none. Raises IndexError for one that is cut short."""
    if _SERVICE[:-1] not in answer:
        return ""
    questions, records = _number(answer, 4), _number(answer, 6) + _number(answer, 8) + _number(answer, 10)
    host, port, place = "", 0, 12
    for _ in range(questions):
        place = _after_name(answer, place) + 4
    for _ in range(records):
        place = _after_name(answer, place)
        kind, size = _number(answer, place), _number(answer, place + 8)
        place += 10
        if kind == _SRV:
            port = port or _number(answer, place + 4)
        elif kind == _A and not host:
            host = ".".join(str(answer[place + i]) for i in range(4))
        place += size
    return f"http://{host}:{port}" if host and port else ""


def _number(raw: bytes, place: int) -> int:
    return raw[place] << 8 | raw[place + 1]


def _after_name(raw: bytes, place: int) -> int:
    """A name is labels up to an empty one, or up to two bytes that point to the rest of it."""
    while raw[place]:
        if raw[place] >= 0xC0:
            return place + 2
        place += raw[place] + 1
    return place + 1
