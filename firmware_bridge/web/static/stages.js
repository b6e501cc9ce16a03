// Where the time of a turn went, as a bar: what it waited, remembered, read and wrote; or decided by rule, without the model.

import { el } from "./dom.js";
import { seconds } from "./words.js";

// From the timings of a turn, in milliseconds. First token and total count from the beginning of the turn.
export function stagesOf(timings) {
  const at = (name) => timings[`${name}_ms`] || 0;
  const before = at("queue") + at("embed") + at("recall");
  const first = at("first_token") || Math.min(before, at("total"));
  return [
    ["heard", at("endpoint") + at("transcribe")],
    ["waited", at("queue")],
    ["remembered", at("embed") + at("recall")],
    ["prompt_tokens" in timings ? "read" : "decided", Math.max(first - before, 0)],
    ["wrote", Math.max(at("total") - first, 0)],
  ].filter(([, ms]) => ms >= 0.5);
}

export function stages(timings = {}) {
  const parts = stagesOf(timings);
  const whole = parts.reduce((sum, [, ms]) => sum + ms, 0);
  if (!parts.length) return null;
  const told = parts.map(([name, ms]) => `${name} ${seconds(ms)}`).join(", ");
  const bar = el("div", { class: "bar-of-stages", role: "img", "aria-label": told });
  for (const [name, ms] of parts) {
    const part = el("span", { class: name, title: `${name} ${seconds(ms)}` });
    part.style.flexGrow = String(ms / whole);
    bar.append(part);
  }
  return el("details", { class: "stages" }, el("summary", {}, `Took ${seconds(whole)}`), bar,
    el("p", { class: "took", "aria-hidden": "true" }, told));
}
