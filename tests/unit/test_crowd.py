"""Room for everybody."""

from __future__ import annotations

from firmware_bridge.crowd import Crowd


def test_one_address_cannot_take_all_the_room() -> None:
    crowd = Crowd(8, 3)
    assert [crowd.enter("10.0.0.7") for _ in range(5)] == [True, True, True, False, False]
    assert crowd.enter("10.0.0.8")
    crowd.leave("10.0.0.7")
    assert crowd.enter("10.0.0.7")


def test_programs_of_this_machine_may_have_all_of_it_and_no_more() -> None:
    crowd = Crowd(8, 3)
    assert [crowd.enter("127.0.0.1") for _ in range(9)] == [True] * 8 + [False]
    for _ in range(8):
        crowd.leave("127.0.0.1")
    assert [crowd.enter("::1") for _ in range(9)] == [True] * 8 + [False]
