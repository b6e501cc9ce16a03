// What waits for a yes or a no of the owner.

import { get, post } from "./api.js";
import { announce, el, empty, fill, page, problem } from "./dom.js";
import { Shown } from "./shown.js";
import { ago } from "./words.js";

export async function show(root, _, signal) {
  const list = el("div", { class: "results" });
  const trouble = el("div");
  fill(root, page("Waiting for you",
    "Before it believes something risky, such as a change of your health, money or who you are, it waits for your word."), trouble, list);
  let isDeciding = false;
  const decide = async (id, verb) => {
    if (isDeciding) return;
    isDeciding = true;
    fill(trouble);
    try {
      await post(`/memory/review/${id}/${verb}`);
      announce(verb === "confirm" ? "Confirmed. It believes this now." : "Rejected. It will not believe this.");
    } catch (error) {
      fill(trouble, problem(error));
    }
    await shown.now(); // somebody else may have decided it
    isDeciding = false;
    (list.querySelector("button") || root.querySelector("h1")).focus();
  };
  const shown = new Shown(list, (until) => showWaiting(list, decide, until), signal, "memory");
  await shown.begin();
}

async function showWaiting(list, decide, signal) {
  const { records, may_decide: mayDecide } = await get("/memory/review", signal);
  if (!records.length) {
    fill(list, empty("Nothing waits", "When something does, it is listed here, and the companion may ask you about it in conversation."));
    return;
  }
  const ends = new Map(await Promise.all(records.flatMap((one) => one.replaces).map(async (id) =>
    [id, await get(`/memory/records/${id}`, signal)])));
  fill(list, mayDecide ? null : el("p", { class: "hint" },
    "This browser holds a device's token: it may read this. Deciding is for the owner, on the companion's machine or with the owner's key (",
    el("code", {}, "lobug dashboard --key"), ")."),
    el("ul", { class: "cards" }, records.map((one) => card(one, ends, mayDecide ? decide : null))));
}

function card(one, ends, decide) {
  const button = (verb, name, style) => el("button", {
    type: "button", class: style, "aria-label": `${name}: ${one.text}`, onclick: ({ detail }) => detail > 1 || decide(one.id, verb), // the second click of two would be the next one's
  }, name);
  return el("li", { class: "card" },
    el("p", { class: "proposal" }, one.text),
    one.replaces.map((id) => el("p", { class: "ends" }, "Instead of: ", el("a", { href: `#/memory/${id}` }, ends.get(id).text))),
    el("p", { class: "meta" }, [ago(one.created_at), one.reason].filter(Boolean).join(" · ")),
    one.source_excerpt ? el("blockquote", {}, one.source_excerpt) : null,
    el("div", { class: "row" }, decide && [button("confirm", "Yes, that's right", "main"), button("reject", "No, forget it", "")],
      el("a", { href: `#/memory/${one.id}` }, "More about it")));
}
