// Who you are to it: the profile, the document that is in every prompt, and how both were before.

import { get, request } from "./api.js";
import { announce, el, empty, fill, page, problem } from "./dom.js";
import { Shown } from "./shown.js";
import { ago, count, exactly, onDay, sure } from "./words.js";

const KEPT_MS = 60_000;
const SECTIONS = {
  identity: "Who you are", hard_preferences: "What it must respect", soft_preferences: "What you like",
  current_tasks: "What you are working on", sensitive_topics: "Sensitive",
};

export async function show(root, _, signal) {
  await new Shown(root, (until) => showProfile(root, until), signal).begin();
}

async function showProfile(root, signal) {
  const [profile, earlier, base] = await Promise.all(
    ["/memory/profile", "/memory/profile/versions", "/memory/base/versions"].map((path) => get(path, signal)));
  const sections = Object.entries(SECTIONS).map(([name, title]) => [title, entriesOf(profile[name])]).filter(([, all]) => all.length);
  fill(root,
    page("About you", "What it believes about you. Each line leads to where it came from."),
    sections.length ? sections.map(([title, entries]) => part(title, list(entries)))
      : empty("It does not know you yet", "Tell it your name, where you live, what you like and what you must never eat."),
    profile.recent_changes.length ? part("What changed lately", changes(profile.recent_changes)) : null,
    part("In its own words", ...baseMemory(base.versions)),
    earlier.versions.length ? part("As it was before", profiles(earlier.versions)) : null,
    part("Take it with you", carrying()));
}

function carrying() {
  const trouble = el("div");
  const save = async () => {
    fill(trouble);
    try {
      const response = await request("/memory/export");
      const file = URL.createObjectURL(await response.blob());
      const [, name] = /filename="(.+)"/.exec(response.headers.get("Content-Disposition"));
      el("a", { href: file, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(file), KEPT_MS); // the browser reads it after the click
      announce(`Saved as ${name}.`);
    } catch (error) {
      fill(trouble, problem(error));
    }
  };
  return el("div", { class: "stack" }, el("p", {}, "All that it remembers, with every turn, as one file that you can read. On another machine ",
    el("code", {}, "lobug memory import FILE"), " takes it in."),
    el("div", { class: "row" }, el("button", { type: "button", onclick: save }, "Download everything")), trouble);
}

const part = (title, ...content) => el("section", {}, el("h2", {}, title), ...content);

const entriesOf = (section) => Array.isArray(section) ? section : Object.values(section).flat();

const list = (entries) => el("ul", { class: "rows" }, entries.map((entry) => el("li", {},
  el("a", { href: `#/memory/${entry.record_id}` }, entry.text),
  el("p", { class: "meta" }, [sure(entry.confidence), `since ${onDay(entry.since)}`].filter(Boolean).join(" · ")))));

const changes = (all) => el("ul", { class: "rows" }, all.map((one) => el("li", {},
  el("p", {}, el("del", {}, one.was), " ", one.now ? el("ins", {}, one.now) : null),
  el("p", { class: "meta" }, ago(one.at)))));

function baseMemory(versions) {
  const [current, ...older] = versions;
  if (!current) {
    return [el("p", { class: "empty" }, "Nothing yet. After a few long conversations it sums up who you are; that stands in every prompt.")];
  }
  return [
    el("p", { class: "meta" }, `Version ${current.version}, written ${ago(current.created_at)}`),
    el("pre", { class: "document", tabindex: "0", "aria-label": "Base memory" }, current.content),
    older.length ? el("details", {}, el("summary", {}, count(older.length, "earlier version")),
      older.map((one) => el("details", {}, el("summary", {}, `Version ${one.version}, ${exactly(one.created_at)}`),
        el("p", { class: "meta" }, one.reason), el("pre", { class: "document" }, one.content)))) : null,
    el("p", { class: "hint" }, "To go back to an earlier one: ", el("code", {}, "lobug memory base rollback VERSION")),
  ];
}

const profiles = (versions) => el("div", {}, versions.map((one) => el("details", {},
  el("summary", {}, `Version ${one.version}, ${exactly(one.created_at)}`),
  Object.entries(SECTIONS).map(([name, title]) => [title, entriesOf(one.profile[name] || [])]).filter(([, all]) => all.length)
    .map(([title, entries]) => el("p", {}, el("strong", {}, `${title}: `), entries.map((entry) => entry.text).join("; "))))));
