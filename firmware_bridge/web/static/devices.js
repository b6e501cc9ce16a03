// The devices of the house: where they stand, and when they were last heard from.

import { get } from "./api.js";
import { el, empty, fill, page } from "./dom.js";
import { Shown } from "./shown.js";
import { ago, exactly } from "./words.js";

export async function show(root, _, signal) {
  const list = el("div", { class: "stack" });
  fill(root, page("Devices", "Who may talk to the companion, and from where."), list,
    el("p", { class: "hint" }, "To let one in or to turn one away: ", el("code", {}, "lobug devices pair"), ", ",
      el("code", {}, "lobug devices revoke ID"), ". Only the companion's own machine may do that."));
  const look = async (until) => {
    const { devices } = await get("/devices", until);
    fill(list, devices.length ? el("ul", { class: "cards grid" }, devices.map(card))
      : empty("No device is paired", "Plug an M5Stack in over USB, or pair one over Wi-Fi: run “lobug devices pair” on the companion's machine, then start pairing on the device."));
  };
  await new Shown(list, look, signal).begin();
}

const card = (device) => el("li", { class: "card" },
  el("p", { class: "proposal" }, device.name),
  el("p", {}, el("span", { class: device.connected ? "lamp on" : "lamp" }), device.connected ? "Connected" : "Not connected"),
  el("dl", { class: "facts" }, [
    ["Place", device.place || "not told"],
    ["Last heard from", device.last_seen === null ? "never" : ago(device.last_seen)],
    ["Talks for", device.user_id],
    ["Paired", exactly(device.paired_at)],
    ["Id", device.device_id],
  ].map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))));
