// What the devices sensed: numbers as lines over time, anything else as it was last.

import { get } from "./api.js";
import { chart } from "./chart.js";
import { choice, el, empty, fill, page } from "./dom.js";
import { Shown } from "./shown.js";
import { ago } from "./words.js";

const SPANS = { 3600: "The last hour", 86400: "The last day", 604800: "The last week", 0: "All that is kept" };
const REFRESH_MS = 15_000;
let span = "86400";

export async function show(root, _, signal) {
  const charts = el("div", { class: "charts" });
  const shown = new Shown(charts, (until) => showReadings(charts, until), signal);
  fill(root, page("Sensors", "What the devices of the house felt and measured."),
    el("div", { class: "filters" }, choice("Show", SPANS, span, (value) => {
      span = value;
      return shown.now();
    })), charts);
  const timer = setInterval(() => shown.later(), REFRESH_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
  await shown.begin();
}

async function showReadings(charts, signal) {
  const since = Number(span) ? Date.now() / 1000 - Number(span) : 0;
  const { series } = await get(`/context/sensors?since=${since.toFixed(0)}`, signal);
  if (!series.length) {
    fill(charts, empty("No readings in this time", "A device sends its readings by itself. To try it, run on the companion's machine: curl -d '{\"temperature\": 21.5}' http://127.0.0.1:8321/context/sensors"));
    return;
  }
  fill(charts, [...new Set(series.map((one) => one.device_id))].map((device) => {
    const mine = series.filter((one) => one.device_id === device);
    const drawn = mine.filter(isDrawn);
    const others = mine.filter((one) => !isDrawn(one));
    return el("section", {}, el("h2", {}, device === "default" ? "Without a device's name" : device),
      el("div", { class: "figures" }, drawn.map((one) => chart(plain(one.name), [{ name: plain(one.name), points: one.points }], rounded))),
      others.length ? el("dl", { class: "facts" }, others.map(newest)) : null);
  }));
}

const isDrawn = ({ points }) => points.length > 1 && points.every(([, value]) => typeof value === "number");

function newest({ name, points }) {
  const [at, value] = points.at(-1);
  const told = typeof value === "boolean" ? (value ? "yes" : "no") : value === null ? "nothing" : String(value);
  return el("div", {}, el("dt", {}, plain(name)), el("dd", {}, told, el("span", { class: "meta" }, ` ${ago(at)}`)));
}

const plain = (name) => name.replaceAll("_", " ");
const rounded = (value) => new Intl.NumberFormat(undefined, { maximumSignificantDigits: 4 }).format(value);
