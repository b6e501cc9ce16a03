"""Who may talk over a cable, and who is given a key there."""

from __future__ import annotations

import pytest
from web_house import House

from edge_memory.errors import DeviceKnown
from edge_memory.store.devices import Invitation
from firmware_bridge.app.cables import CabledCompanion
from firmware_bridge.contracts import Heard, Said
from firmware_bridge.errors import NotPaired

BED = Heard("hello", "bed", "bed")


async def said_to(companion: CabledCompanion) -> str:
    (said,) = [event async for event in companion.talk(BED) if isinstance(event, Said)]
    return said.session_id


async def test_a_revoked_device_is_refused_on_its_cable_until_it_is_paired_anew(house: House) -> None:
    companion, devices = CabledCompanion(house.companion, house.memory.devices), house.memory.devices
    assert await said_to(companion) == "bed"
    await house.pair("bed", user_id="sam")
    assert await said_to(companion) == "bed"
    await devices.revoke("bed")
    with pytest.raises(NotPaired, match="revoked"):
        await said_to(companion)
    with pytest.raises(NotPaired, match="revoked"):
        await companion.sense("bed", {"temperature": 21})
    assert await companion.key_for("bed", has_key=True) is None
    await devices.open_window(Invitation("sam", by_cable="bed"))
    assert await companion.key_for("bed", has_key=True), "what it has is worth nothing"
    assert await said_to(companion) == "bed"
    assert await devices.revoked() == frozenset()


async def test_a_cable_takes_no_window_that_was_opened_for_another_device(house: House) -> None:
    companion, devices = CabledCompanion(house.companion, house.memory.devices), house.memory.devices
    for invitation in (Invitation("sam"), Invitation("sam", by_cable="kitchen")):
        await devices.open_window(invitation)
        assert await companion.key_for("bed", has_key=False) is None
    assert await companion.key_for("kitchen", has_key=False)
    assert [(device.device_id, device.user_id) for device in await devices.all()] == [("kitchen", "sam")]
    await devices.open_window(Invitation("sam", replaces=True, by_cable=""))
    assert await companion.key_for("kitchen", has_key=True) is None, "it is paired"
    assert await companion.key_for("bed", has_key=False)


async def test_a_known_device_is_given_another_key_only_when_it_may_be_replaced(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    companion, devices = CabledCompanion(house.companion, house.memory.devices), house.memory.devices
    await house.pair("bed")
    with pytest.raises(DeviceKnown):
        await devices.open_window(Invitation("owner", by_cable="bed"))
    await devices.open_window(Invitation("owner", by_cable=""))
    assert await companion.key_for("bed", has_key=False) is None
    assert "--replace" in caplog.text
    await devices.open_window(Invitation("owner", replaces=True, by_cable="bed"))
    assert await companion.key_for("bed", has_key=False)
