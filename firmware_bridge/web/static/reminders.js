// What it was asked to say later.

import { get } from "./api.js";
import { el, empty, fill, page } from "./dom.js";
import { Shown } from "./shown.js";
import { ago, exactly } from "./words.js";

const STATES = { missed: "Missed", rung: "Told", cancelled: "Cancelled" };
const MOST_PAST = 20;

export async function show(root, _, signal) {
  const stack = el("div", { class: "stack" });
  fill(root, page("Reminders", "What it will tell you, and when."), stack,
    el("p", { class: "hint" }, "To take one back, say “cancel the reminder about …”."));
  const look = async (until) => {
    const { reminders } = await get("/reminders", until);
    const waiting = reminders.filter((one) => one.state === "waiting").sort((a, b) => a.due_at - b.due_at);
    const past = reminders.filter((one) => one.state !== "waiting").slice(0, MOST_PAST);
    fill(stack, waiting.length ? list(waiting, (one) => `${exactly(one.due_at)} · ${ago(one.due_at)}`)
      : empty("Nothing is waiting", "Say “remind me at six to water the plants”, or “timer ten minutes”."),
      past.length ? el("section", {}, el("h2", {}, "Earlier"),
        list(past, (one) => `${STATES[one.state]} · ${exactly(one.due_at)}`)) : null);
  };
  await new Shown(stack, look, signal, "said").begin();
}

const list = (reminders, told) => el("ul", { class: "rows" }, reminders.map((one) => el("li", {},
  el("p", {}, one.text || (one.kind === "timer" ? "Timer" : "Alarm")),
  el("p", { class: "meta" }, told(one), one.device_id ? ` · ${one.device_id}` : ""))));
