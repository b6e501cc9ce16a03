// The frame: which page is shown, the ways between them, and the key for whoever is not on this machine.

import { get, key } from "./api.js";
import { announce, el, fill, page, problem } from "./dom.js";
import { listen, on } from "./live.js";

const SECTIONS = [
  { name: "Talk", pages: [["talk", "Talk"]] },
  { name: "Memory", pages: [["memory", "What it knows"], ["waiting", "Waiting"], ["about", "About you"]] },
  { name: "House", pages: [["devices", "Devices"], ["sensors", "Sensors"], ["reminders", "Reminders"]] },
  { name: "Health", pages: [["health", "Health"]] },
];
const ICONS = {
  Talk: "M4 5h16v11H9l-5 4z",
  Memory: "M6 3h12v18l-6-4-6 4z",
  House: "M4 11 12 4l8 7v9H4z",
  Health: "M3 12h4l3-7 4 14 3-7h4",
};

const main = document.getElementById("main");
let leaving = new AbortController();

const icon = (name) => el("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, el("path", { svg: true, d: ICONS[name] }));

const link = ([id, name], here, ...children) =>
  el("a", { href: `#/${id}`, "aria-current": id === here ? "page" : null, "data-page": id }, ...children, name);

function showWays(here) {
  fill(document.getElementById("side"), SECTIONS.map((section) => el("div", { class: "section" },
    section.pages.length > 1 ? el("h2", {}, icon(section.name), section.name) : null,
    el("ul", {}, section.pages.map((one) =>
      el("li", {}, link(one, here, section.pages.length > 1 ? "" : icon(section.name))))))));
  fill(document.getElementById("bar"), SECTIONS.map((section) => {
    const current = section.pages.some(([id]) => id === here);
    return el("a", { href: `#/${section.pages[0][0]}`, "aria-current": current ? "true" : null },
      icon(section.name), el("span", {}, section.name));
  }));
  const section = SECTIONS.find(({ pages }) => pages.some(([id]) => id === here));
  return section.pages.length > 1
    ? el("nav", { class: "tabs", "aria-label": section.name }, section.pages.map((one) => link(one, here)))
    : null;
}

async function show() {
  const [, wanted = "", ...rest] = location.hash.split("/");
  const here = SECTIONS.some(({ pages }) => pages.some(([id]) => id === wanted)) ? wanted : "talk";
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const tabs = showWays(here);
  markWaiting();
  const content = el("div", { class: `page ${here}`, "aria-busy": "true" });
  fill(main, tabs, content);
  try {
    const view = await import(`/static/${here}.js`);
    await view.show(content, rest, signal);
  } catch (error) {
    if (signal.aborted) return;
    if (error.status === 401) askForKey(content, error);
    else if (error.status === 403) fill(content, page("For the owner"), problem(error));
    else fill(content, page("That did not work"), problem(error));
  }
  if (signal.aborted) return;
  content.removeAttribute("aria-busy");
  const title = content.querySelector("h1");
  document.title = `${title.textContent} · Lo-Bug`;
  if (moved) title.focus({ preventScroll: true });
}

function askForKey(content, error) {
  const input = el("input", { id: "key", type: "password", autocomplete: "current-password", required: true });
  const enter = (event) => {
    event.preventDefault();
    key.set(input.value.trim());
    location.reload();
  };
  fill(content, page("Who are you?", "This companion only talks to those it knows. Give it a key, and this browser keeps it."),
    key.get() ? problem(error) : null,
    el("form", { class: "key", onsubmit: enter },
      el("label", { for: "key" }, "Key"), input, el("button", { class: "main" }, "Open")),
    el("p", {}, "On the companion's machine, ", el("code", {}, "lobug dashboard --key"), " prints the owner's key. ",
      "The token of a paired device opens this page, too, to talk and to read."));
}

let waiting = 0;

function markWaiting() {
  for (const one of document.querySelectorAll("[data-page=waiting]")) {
    one.querySelector(".badge")?.remove();
    if (waiting) one.append(el("span", { class: "badge" }, String(waiting), el("span", { class: "hidden" }, " to decide")));
  }
}

async function countWaiting() {
  try {
    waiting = (await get("/memory/review")).total;
    markWaiting();
  } catch { /* the page itself says what is wrong */ }
}

function takeKey() {
  const given = /^#key=(.+)$/.exec(location.hash);
  if (!given) return;
  key.set(decodeURIComponent(given[1]));
  history.replaceState(null, "", "/");
}

let moved = false;

takeKey();
addEventListener("hashchange", () => {
  if (!location.hash.startsWith("#/")) return;
  moved = true;
  show();
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
on("memory", countWaiting);
let wasDown = false;
on("line", ({ up }) => {
  if (up && wasDown && !document.querySelector("textarea")?.value) show(); // what was missed meanwhile
  wasDown = !up;
  document.getElementById("state").textContent = up ? "" : "Connection lost. Trying again.";
  if (!up) announce("Connection lost. Trying again.");
});
await show();
countWaiting();
listen();
