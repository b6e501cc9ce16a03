// What a page shows of the companion, kept as it is now.

import { fill, problem } from "./dom.js";
import { on } from "./live.js";

export class Shown {
  // look(signal) asks, and fills the element. It is done anew when one of these names is told, and when the line is back.
  constructor(element, look, signal, ...names) {
    Object.assign(this, { element, look, signal, looking: null, isStale: false });
    for (const name of names) on(name, () => this.later(), signal);
    on("line", ({ up }) => up && this.later(), signal);
    element.addEventListener("focusout", ({ relatedTarget }) => element.contains(relatedTarget) || this.catchUp());
    signal.addEventListener("abort", () => this.looking?.abort());
  }

  // The newest look is the one that counts: an older one under way is given up, so that no answer comes after a newer one.
  async begin() {
    if (this.signal.aborted) return;
    this.looking?.abort();
    const mine = this.looking = new AbortController();
    this.isStale = false;
    try {
      await this.look(mine.signal);
    } catch (error) {
      if (!mine.signal.aborted) throw error;
    } finally {
      if (this.looking === mine) {
        this.looking = null;
        this.catchUp();
      }
    }
  }

  // For what the user changed.
  now() {
    return this.begin().catch((error) => fill(this.element, problem(error)));
  }

  // For what happened. What is shown stays where it cannot be asked.
  later() {
    this.isStale = true;
    this.catchUp();
  }

  // After a look under way, and not while somebody is in it: their place must not be taken from under them.
  catchUp() {
    if (this.isStale && !this.looking && !this.element.contains(document.activeElement)) this.begin().catch(() => {});
  }
}
