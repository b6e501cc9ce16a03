// One memory: how sure it is, where it came from, what it replaced and what became of it.

import { get, post } from "./api.js";
import { ITS_NAME, announce, el, empty, fill, problem } from "./dom.js";
import { Shown } from "./shown.js";
import { CHANGES, KINDS, LAYERS, STATES, count, exactly, onDay, percent, sure } from "./words.js";

const TOLD = { text: "words", status: "state", confidence: "sureness", key: "slot", layer: "part of memory", valid_to: "end" };

export async function show(root, id, signal) {
  const erase = erasing(id, signal);
  await new Shown(root, (until) => showRecord(root, id, erase, until), signal, "memory").begin();
}

async function showRecord(root, id, erase, signal) {
  const [record, { may_decide: mayErase }] = await Promise.all(
    [`/memory/records/${encodeURIComponent(id)}`, "/memory/review"].map((path) => get(path, signal)));
  const newer = record.replaced_by === null ? [] : [record.replaced_by];
  const others = new Map(await Promise.all([...record.replaced, ...newer].map(async (other) =>
    [other, await get(`/memory/records/${other}`, signal)])));
  const linked = (ids) => el("ul", { class: "rows" }, ids.map((other) =>
    el("li", {}, el("a", { href: `#/memory/${other}` }, others.get(other).text || "(erased)"))));
  fill(root,
    el("p", {}, el("a", { href: "#/memory" }, "← What it knows")),
    el("h1", { tabindex: "-1", class: "of-record" }, record.text || "(erased)"),
    facts(record),
    part("Where it came from", await source(record, signal)),
    record.replaced.length ? part("It replaced", linked(record.replaced)) : null,
    newer.length ? part("Replaced by", linked(newer)) : null,
    part("What happened to it", history(record.history)),
    part("Is it wrong?", el("p", {}, "Say what is right under ", el("a", { href: "#/talk" }, "Talk"), ": what it replaces is kept, as above."),
      mayErase && record.text ? erase : null));
}

// First what would go is shown, then exactly that goes.
function erasing(id, signal) {
  const place = el("div", { class: "stack" });
  const trouble = el("div");
  let isTrying = false;
  const path = `/memory/records/${id}/forget`;
  const button = (name, style, onclick) => el("button", { type: "button", class: style, onclick }, name);
  const trying = (work) => async () => {
    if (isTrying) return;
    isTrying = true;
    fill(trouble);
    try {
      await work();
    } catch (error) {
      fill(trouble, problem(error));
    } finally {
      isTrying = false;
    }
  };
  const offer = () => fill(place, el("div", { class: "row" }, button("Erase it …", "", trying(ask))));
  const ask = async () => {
    const { would_forget: doomed, ids } = await post(path, {});
    const erase = async () => {
      await post(path, { ids });
      announce("Erased.");
      if (!signal.aborted) location.hash = "#/memory";
    };
    const title = el("strong", { tabindex: "-1" }, `${count(doomed.length, "memory", "memories")} would go for good, with what you said then:`);
    fill(place, el("div", { class: "card" }, title,
      el("ul", { class: "plain" }, doomed.map((one) => el("li", {}, one.text))),
      el("div", { class: "row" }, button("Erase for good", "wrong", trying(erase)), button("Keep it", "", offer))));
    title.focus();
  };
  offer();
  return el("div", {}, place, trouble);
}

const part = (title, ...content) => el("section", {}, el("h2", {}, title), ...content);

function facts(record) {
  const rows = [
    ["State", STATES[record.status]],
    ["Kind", `${LAYERS[record.layer]}, ${KINDS[record.kind]}`],
    ["How sure", [percent(record.confidence), sure(record.confidence)].filter(Boolean).join(", ")],
    ["Since", onDay(record.valid_from)],
    record.valid_to ? ["Until", onDay(record.valid_to)] : null,
    record.last_used_at ? ["Last used", `${onDay(record.last_used_at)}, ${count(record.reinforcement, "time")} in all`] : null,
    record.scope ? ["Where it holds", record.scope] : null,
  ].filter(Boolean);
  return el("dl", { class: "facts" }, rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

async function source(record, signal) {
  const origin = { owner: "You typed it.", import: "A file or a program told it.", device: "A device sensed it." }[record.origin];
  if (!record.source_turn_id) return el("p", {}, origin || "Nothing is kept of where it came from.");
  const { turns } = await get(`/memory/turns?limit=1&turn_id=${encodeURIComponent(record.source_turn_id)}`, signal);
  const [turn] = turns;
  if (!turn?.heard) return record.source_excerpt ? el("blockquote", {}, record.source_excerpt) : empty("Its words were erased.");
  return el("div", { class: "turn" }, el("p", { class: "heard" }, el("span", { class: "hidden" }, "You: "), turn.heard),
    el("p", { class: "when" }, turn.device_id ? `${turn.device_id} · ` : "", exactly(turn.created_at)),
    turn.said ? el("p", { class: "reply" }, el("span", { class: "hidden" }, `${ITS_NAME}: `), turn.said) : null);
}

const history = (entries) => el("ol", { class: "history" }, entries.map((entry) => el("li", {},
  el("strong", {}, CHANGES[entry.action] || entry.action),
  el("span", { class: "meta" }, ` ${exactly(entry.at)}`),
  entry.reason && entry.reason !== "new" ? el("p", {}, entry.reason) : null,
  changes(entry))));

function changes({ before, after }) {
  if (!before || !after) return null;
  const changed = Object.keys(TOLD).filter((name) => before[name] !== after[name]);
  const shown = (name, value) => value === null || value === undefined ? "none"
    : name === "confidence" ? percent(value) : name === "status" ? STATES[value] : name === "layer" ? LAYERS[value]
      : name === "valid_to" ? exactly(value) : String(value);
  return changed.length ? el("ul", { class: "changes" }, changed.map((name) => el("li", {},
    `${TOLD[name]}: `, el("del", {}, shown(name, before[name])), " ", el("ins", {}, shown(name, after[name]))))) : null;
}
