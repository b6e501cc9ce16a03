// A line chart of our own, as SVG: a few lines over time, with the values in words for who cannot see it.

import { el } from "./dom.js";

const HIGH = 200, LEFT = 52, RIGHT = 12, TOP = 10, BOTTOM = 26;
const STEPS = [1, 2, 2.5, 5, 10];
const shape = (name, properties, ...children) => el(name, { svg: true, ...properties }, ...children);

// lines: [{ name, points: [[x, number], ...] }], where x is seconds since 1970 unless `when` puts it in words itself.
export function chart(title, lines, told, when = clock) {
  const wide = matchMedia("(max-width: 48rem)").matches ? 340 : 640; // so that its letters stay readable
  const points = lines.flatMap((line) => line.points);
  const [from, to] = edges(points.map(([at]) => at), 1);
  const ticks = ticksOf(...edges(points.map(([, value]) => value), 0));
  const [low, high] = [ticks[0], ticks.at(-1)];
  const x = (at) => LEFT + (wide - LEFT - RIGHT) * (at - from) / (to - from);
  const y = (value) => TOP + (HIGH - TOP - BOTTOM) * (high - value) / (high - low);
  const drawing = el("svg", { viewBox: `0 0 ${wide} ${HIGH}`, role: "img", "aria-label": inWords(title, lines, told), class: "chart" },
    ticks.map((value) => [
      shape("line", { class: "grid", x1: LEFT, x2: wide - RIGHT, y1: y(value), y2: y(value) }),
      shape("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, told(value)),
    ]).flat(),
    (wide < 400 ? [0, 1] : [0, 0.5, 1]).map((part) => shape("text", {
      x: LEFT + (wide - LEFT - RIGHT) * part, y: HIGH - 6, "text-anchor": ["start", "middle", "end"][part * 2],
    }, when(from + (to - from) * part, to - from))),
    lines.map((line, index) => shape("path", { class: `line n${index}`, d: path(line.points, x, y) })),
    lines.filter((line) => line.points.length).map((line, index) => {
      const [at, value] = line.points.at(-1);
      return shape("circle", { class: `dot n${index}`, cx: x(at), cy: y(value), r: 4 });
    }));
  return el("figure", {},
    el("figcaption", {}, el("span", { class: "title" }, title), lines.length > 1
      ? el("span", { class: "legend" }, lines.map((line, index) => el("span", { class: `n${index}` }, line.name)))
      : el("strong", {}, told(lines[0].points.at(-1)[1]))),
    drawing);
}

const path = (points, x, y) =>
  points.map(([at, value], index) => `${index ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");

function edges(values, least) {
  const low = Math.min(...values), high = Math.max(...values);
  return high - low > least ? [low, high] : [low - (least || Math.abs(low) * 0.1 || 1) / 2, high + (least || Math.abs(high) * 0.1 || 1) / 2];
}

// Round values from at or below low to at or above high.
function ticksOf(low, high) {
  const rough = (high - low) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = STEPS.find((one) => one * power >= rough * 0.999) * power;
  const first = Math.floor(low / step), last = Math.ceil(high / step);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(10)));
}

function clock(at, span) {
  const day = { day: "numeric", month: "short" }, time = { hour: "2-digit", minute: "2-digit" };
  return new Intl.DateTimeFormat(undefined, span > 3 * 86_400 ? day : span > 86_400 ? { ...day, ...time } : time).format(new Date(at * 1000));
}

function inWords(title, lines, told) {
  return `${title}: ${lines.filter((line) => line.points.length).map((line) => {
    const values = line.points.map(([, value]) => value);
    return `${line.name} now ${told(values.at(-1))}, from ${told(Math.min(...values))} to ${told(Math.max(...values))}`;
  }).join("; ")}`;
}
