// How it is doing: what is not as it should be, its models, what waits, and how long replies took.

import { get, key } from "./api.js";
import { chart } from "./chart.js";
import { el, fill, page } from "./dom.js";
import { Shown } from "./shown.js";
import { briefly, count, seconds } from "./words.js";

const TURNS = 200;
const ROLES = { chat: "Thinking", embedding: "Finding memories", hearing: "Hearing", listening: "Noticing speech", speaking: "Speaking" };
const STATES = { ready: "ready", loading: "getting ready", fallback: "standing in", missing: "not here", failed: "failed", off: "switched off" };

export async function show(root, _, signal) {
  const stack = el("div", { class: "stack" });
  fill(root, page("Health"), stack);
  const look = async (until) => {
    const [health, { turns }] = await Promise.all([get("/health", until), get(`/memory/turns?limit=${TURNS}`, until)]);
    fill(stack, summary(health), times(turns), models(health.models || {}), held(health.memory || {}), keyOf());
  };
  await new Shown(stack, look, signal, "said", "memory").begin();
}

const part = (title, ...content) => el("section", {}, el("h2", {}, title), ...content);

const facts = (rows) => el("dl", { class: "facts" }, rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));

function summary({ status, degraded = [] }) {
  if (status === "ok") return el("p", { class: "well" }, el("span", { class: "lamp on" }), "All is well.");
  return el("div", { class: "problem" }, el("strong", {}, "It works, but not as well as it could:"),
    el("ul", {}, degraded.map((one) => el("li", {}, one))), el("p", {}, "On its machine, lobug doctor looks closer and says what to do."));
}

function times(turns) {
  const line = (name, label) => ({
    name: label, points: turns.map((turn, index) => [index, turn.timings[name]]).filter(([, ms]) => ms > 0),
  });
  const lines = [line("total_ms", "whole reply"), line("first_token_ms", "first word")].filter(({ points }) => points.length > 1);
  const when = (index) => briefly(turns[Math.min(Math.max(Math.round(index), 0), turns.length - 1)].created_at);
  return part("How long replies took", lines.length ? chart(`The newest ${count(turns.length, "turn")}`, lines, seconds, when)
    : el("p", { class: "empty" }, "After two turns they are drawn here."));
}

const models = (all) => part("What it works with", facts(Object.entries(all).map(([role, model]) => [ROLES[role] || role,
  [el("span", { class: model.state === "ready" ? "lamp on" : "lamp" }), `${model.name.split("/").at(-1)}, ${STATES[model.state] || model.state}`]])));

const held = (memory) => part("Memory", facts([
  ["Turns", memory.turns ?? 0], ["Memories", memory.records ?? 0], ["Summaries", memory.summaries ?? 0],
  ["Still to digest", memory.jobs_pending ?? 0], ["Wait for a model", memory.jobs_without_model ?? 0], ["Failed for good", memory.jobs_failed ?? 0],
].map(([name, value]) => [name, String(value)])));

function keyOf() {
  if (!key.get()) return null;
  const leave = () => {
    key.set("");
    location.reload();
  };
  return part("This browser", el("p", {}, "It keeps a key for this companion."),
    el("div", { class: "row" }, el("button", { type: "button", onclick: leave }, "Forget the key")));
}
