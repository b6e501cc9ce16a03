// What things are called in plain words, and how times and amounts are told.

export const LAYERS = {
  semantic: "Fact", profile: "About you", episodic: "Something that happened", procedural: "How to do something",
  working: "Note for now",
};
export const KINDS = {
  fact: "fact", preference: "like or dislike", decision: "decision", policy: "standing order", entity: "person or thing",
  relationship: "relationship", workflow: "steps", pitfall: "mishap", architecture: "how something is built",
  event: "event",
};
export const STATES = {
  active: "Believed", pending: "Waits for you", superseded: "Replaced", expired: "Over", archived: "Faded",
  tombstoned: "Taken back",
};
export const CHANGES = {
  insert: "Learned", update: "Changed", supersede: "Replaced by something newer", expire: "Came to its end",
  noop: "Heard again", repeat: "Heard again", propose: "Proposed", pending: "Put aside until you confirm it",
  confirm: "Confirmed", reject: "Rejected", rollback: "Taken back", restore: "Believed again", ask: "Asked about",
  archive: "Faded: not used for long", promote: "Kept for good: it came back often", merge: "Joined with repeats",
  erase: "Erased", close: "Closed", replace: "Took the place of something older", import: "Brought from a file",
};

const DAY = 86_400;
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const brief = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });

export const onDay = (at) => day.format(new Date(at * 1000));

export const briefly = (at) => brief.format(new Date(at * 1000));

export const exactly = (at) => moment.format(new Date(at * 1000));

export function ago(at, now = Date.now() / 1000) {
  const seconds = at - now;
  const size = Math.abs(seconds);
  if (size < 45) return seconds > 0 ? "in a moment" : "just now";
  const [unit, length] = size < 3_600 ? ["minute", 60] : size < DAY ? ["hour", 3_600] : ["day", DAY];
  return size < 30 * DAY ? relative.format(Math.round(seconds / length), unit) : moment.format(new Date(at * 1000));
}

const SURE = [[0.85, "certain"], [0.65, "quite sure"], [0.5, "likely"], [0, ""]];

// Nothing for what was merely said: that is most of it.
export const sure = (confidence) => SURE.find(([least]) => confidence >= least)[1];

export const percent = (confidence) => `${Math.round(confidence * 100)}%`;

export const seconds = (ms) => ms < 995 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`;

export const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;
