// The frame: which page is shown, the ways between them, and the key for whoever is not on this machine.

import { get, key } from "./api.js";
import { ITS_NAME, announce, el, fill, page, problem } from "./dom.js";
import { listen, on } from "./live.js";

const main = document.getElementById("main");
const ways = [...document.querySelectorAll("#side a")];
const sections = [...document.querySelectorAll("#side .section")]; // one for each way of the bar
let leaving = new AbortController();
let moved = false;
let failed = false; // what is shown is that the page could not be shown

function mark(way, isHere, name) {
  if (isHere) way.setAttribute("aria-current", name);
  else way.removeAttribute("aria-current");
}

// Marks where one is. Returns the ways within its section, for who does not see the side.
function showWays(here) {
  const current = ways.find((way) => way.dataset.page === here);
  const section = current.closest(".section");
  for (const way of ways) mark(way, way === current, "page");
  [...document.getElementById("bar").children].forEach((way, index) => mark(way, sections[index] === section, "true"));
  const within = [...section.querySelectorAll("a")];
  return within.length > 1
    ? el("nav", { class: "tabs", "aria-label": section.querySelector("h2").textContent }, within.map((way) => way.cloneNode(true)))
    : null;
}

async function show() {
  const [, wanted = "", ...rest] = location.hash.split("/");
  const here = ways.some((way) => way.dataset.page === wanted) ? wanted : "talk";
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const content = el("div", { class: `page ${here}`, "aria-busy": "true" });
  fill(main, showWays(here), content);
  markWaiting();
  failed = false;
  try {
    const view = await import(`/static/${here}.js`);
    await view.show(content, rest, signal);
  } catch (error) {
    if (signal.aborted) return;
    if (error.status === 401) askForKey(content, error);
    else if (error.status === 403) fill(content, page("For the owner"), problem(error));
    else {
      fill(content, page("That did not work"), problem(error));
      failed = true;
    }
  }
  if (signal.aborted) return;
  content.removeAttribute("aria-busy");
  const title = content.querySelector("h1");
  document.title = `${title.textContent} · ${ITS_NAME}`;
  if (moved && !content.contains(document.activeElement)) title.focus({ preventScroll: true });
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
  if (!given) return false;
  key.set(decodeURIComponent(given[1]));
  history.replaceState(null, "", "/");
  return true;
}

takeKey();
addEventListener("hashchange", () => {
  if (takeKey()) location.reload();
  if (!location.hash.startsWith("#/")) return;
  moved = true;
  show();
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
on("memory", countWaiting);
on("line", ({ up }) => {
  if (up) countWaiting();
  if (up && failed) show();
  document.getElementById("state").textContent = up ? "" : "Connection lost. Trying again.";
  if (!up) announce("Connection lost. Trying again.");
});
await show();
listen();
