// What happens in the companion, as it happens. It is asked again whenever the line breaks.

import { follow, request } from "./api.js";

const happenings = new EventTarget();
const WAITS = [1_000, 2_000, 5_000, 10_000, 30_000];

// Calls told(data) for each event of this name until the signal says stop.
export function on(name, told, signal) {
  happenings.addEventListener(name, (event) => told(event.detail), { signal });
}

function tell(name, detail) {
  happenings.dispatchEvent(new CustomEvent(name, { detail }));
}

export async function listen() {
  for (let tries = 0; ; tries += 1) {
    try {
      const response = await request("/events", { headers: { Accept: "text/event-stream" } });
      tries = 0;
      tell("line", { up: true });
      await follow(response, tell);
    } catch (error) {
      if (error.status === 401 || error.status === 403) return;
    }
    tell("line", { up: false });
    await new Promise((resolve) => setTimeout(resolve, WAITS[Math.min(tries, WAITS.length - 1)]));
  }
}
