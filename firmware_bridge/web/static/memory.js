// What it knows: searching, filtering, turning pages; and one memory with its history.

import { get } from "./api.js";
import { announce, choice, el, empty, fill, page } from "./dom.js";
import { show as showRecord } from "./record.js";
import { Shown } from "./shown.js";
import { KINDS, LAYERS, STATES, ago, count, sure } from "./words.js";

const PAGE = 25;
const MOST_FOUND = 50;
const asked = { q: "", layer: "", kind: "", status: "active", offset: 0 };

export async function show(root, [id], signal) {
  if (id) return showRecord(root, id, signal);
  const list = el("div", { class: "results" });
  const search = el("input", { type: "search", "aria-label": "Search memory", placeholder: "Search, such as: Sarah’s birthday", value: asked.q });
  const shown = new Shown(list, (until) => asked.q ? showFound(list, until) : showPage(list, turnTo, until), signal, "memory");
  const turnTo = async (offset) => {
    asked.offset = offset;
    await shown.now();
    announce(list.querySelector(".count")?.textContent || "");
  };
  const change = (name) => (value) => {
    Object.assign(asked, { [name]: value, offset: 0 });
    return shown.now();
  };
  let pause;
  search.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(() => change("q")(search.value.trim()), 250);
  });
  const any = (words) => ({ "": "Any", ...words });
  fill(root, page("What it knows", "Everything that it learned from you. Open one to see where it came from and what it replaced."),
    el("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() }, search,
      choice("Part of memory", any(LAYERS), asked.layer, change("layer")),
      choice("Kind", any(KINDS), asked.kind, change("kind")),
      choice("State", any(STATES), asked.status, change("status"))),
    list);
  await shown.begin();
}

async function showPage(list, turnTo, signal) {
  const query = new URLSearchParams({ limit: PAGE, offset: asked.offset });
  narrow(query);
  const { records, total } = await get(`/memory/records?${query}`, signal);
  if (!total) {
    fill(list, asked.layer || asked.kind
      ? empty("Nothing of this sort", "Choose Any to see the rest.")
      : empty("It knows nothing yet", "Tell it something about yourself under Talk, such as where you live or what you like."));
    return;
  }
  if (asked.offset >= total) { // what was on this page went meanwhile
    asked.offset = total - 1 - (total - 1) % PAGE;
    return showPage(list, turnTo, signal);
  }
  const { offset } = asked;
  const last = offset + records.length;
  fill(list, el("p", { class: "count" }, `${offset + 1} to ${last} of ${count(total, "memory", "memories")}, newest first`),
    rows(records),
    total > PAGE ? el("div", { class: "turning" },
      el("button", { type: "button", onclick: () => turnTo(offset - PAGE), disabled: offset === 0 }, "Newer"),
      el("button", { type: "button", onclick: () => turnTo(offset + PAGE), disabled: last >= total }, "Older")) : null);
}

async function showFound(list, signal) {
  const query = new URLSearchParams({ q: asked.q, k: MOST_FOUND });
  if (asked.layer || asked.kind || asked.status !== "active") narrow(query); // else what was said is searched, too
  const { hits: found, turns } = await get(`/memory/search?${query}`, signal);
  const told = found.length ? `${count(found.length, "memory", "memories")} found, best first` : "No memory found";
  announce(told);
  fill(list, el("p", { class: "count" }, told),
    found.length ? rows(found) : el("p", { class: "empty" }, "Try other words, or choose Any state: what was replaced is kept, too."),
    turns.length ? [el("h2", {}, "What was said"), el("ul", { class: "rows" }, turns.map((turn) =>
      el("li", {}, el("blockquote", {}, turn.heard), el("p", { class: "meta" }, ago(turn.created_at)))))] : null);
}

function narrow(query) {
  for (const name of ["layer", "kind", "status"]) if (asked[name]) query.set(name, asked[name]);
}

export const rows = (records) => el("ul", { class: "rows" }, records.map((record) => el("li", {},
  el("a", { href: `#/memory/${record.id}` }, record.text || "(erased)"),
  el("p", { class: "meta" }, [LAYERS[record.layer], record.status === "active" ? sure(record.confidence) : STATES[record.status],
    ago(record.valid_from)].filter(Boolean).join(" · ")))));
