// Talking to it, by keyboard or microphone, and every turn of the house as it happens.

import { follow, get, request, sending } from "./api.js";
import { ITS_NAME, announce, el, fill, page, problem } from "./dom.js";
import { on } from "./live.js";
import { Recorder, play } from "./microphone.js";
import { stages } from "./stages.js";
import { ago, count, exactly } from "./words.js";

const SHOWN = 30;
const MOST_SHOWN = 200;
const MINUTE_MS = 60_000;
const IDEAS = ["My name is …", "What do you know about me?", "Remind me at six to water the plants"];

export async function show(root, _, signal) {
  const log = el("div", { class: "log", role: "log", "aria-live": "off", "aria-label": "Conversation", tabindex: "0" });
  const talk = new Conversation(log);
  fill(root, page("Talk"), log, composer(talk, signal));
  on("begun", (turn) => talk.begun(turn), signal); // before the past is asked for, so that nothing falls between
  on("said", (turn) => talk.said(turn), signal);
  on("failed", (turn) => talk.failed(turn), signal);
  on("taken_back", (turn) => talk.close(turn.turn_id), signal);
  on("line", ({ up }) => up && talk.catchUp(signal).catch(() => {}), signal); // the next line asks again
  await talk.catchUp(signal).catch((error) => {
    const isInUse = log.children.length || root.querySelector("textarea").value;
    if (error.status !== 0 || !isInUse) throw error; // else nothing of theirs is taken away: the next line asks again
  });
  if (!log.children.length) fill(log, welcome(root));
  const timer = setInterval(() => talk.tick(), MINUTE_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
}

function welcome(root) {
  const take = (idea) => () => {
    const input = root.querySelector("textarea");
    input.value = idea.replace("…", "");
    input.focus();
  };
  return el("div", { class: "empty" }, el("strong", {}, "Say hello"),
    el("p", {}, "It remembers what you tell it about yourself, and nothing leaves this house."),
    el("ul", { class: "ideas" }, IDEAS.map((idea) =>
      el("li", {}, el("button", { type: "button", onclick: take(idea) }, idea)))));
}

class Conversation {
  constructor(log) {
    this.log = log;
    this.turns = new Map();
  }

  // What was said while nobody told this page of it: before it was opened, or while the line was down.
  async catchUp(signal) {
    const { turns } = await get(`/memory/turns?limit=${SHOWN}`, signal);
    const answered = turns.filter((turn) => turn.said);
    const missed = answered.filter((turn) => !this.turns.get(turn.turn_id)?.isAnswered);
    for (const told of missed) {
      const turn = this.turns.get(told.turn_id) || this.open(told.turn_id, told.heard, told.device_id, told.created_at);
      turn.finish(told);
    }
    for (const told of answered) this.turns.get(told.turn_id).keptAt = told.created_at;
    this.sort();
    if (missed.length) this.toEnd();
  }

  // By the companion's clock, not the browser's: what it has not told of yet comes last.
  sort() {
    const inOrder = [...this.turns].sort(([, one], [, other]) => one.keptAt < other.keptAt ? -1 : Number(one.keptAt > other.keptAt));
    this.turns = new Map(inOrder);
    inOrder.forEach(([, { element }], index) => {
      const there = this.log.children[index];
      if (there !== element) this.log.insertBefore(element, there);
    });
  }

  begun(turn) {
    if (!this.turns.has(turn.turn_id)) this.open(turn.turn_id, turn.heard, turn.device_id).wait();
  }

  // Noise in another room is not shown. What was said here is answered here, too, should its own answer get lost.
  said(told) {
    if (told.action === "ignore") {
      if (!this.turns.get(told.turn_id)?.isMine) this.close(told.turn_id);
      return;
    }
    this.begun(told);
    const turn = this.turns.get(told.turn_id);
    if (!turn.isAnswered) turn.finish({ ...told, said: told.text });
    this.toEnd();
  }

  failed(turn) {
    for (const shown of this.turns.values()) {
      if (shown.isOpen && !shown.isMine && shown.heard === turn.heard) shown.fail(turn.error);
    }
  }

  mine(id, heard) {
    const turn = this.open(id, heard);
    turn.isMine = true;
    turn.wait();
    return turn;
  }

  open(id, heard, device, at) {
    this.log.querySelector(".empty")?.remove();
    if (this.turns.size >= MOST_SHOWN) this.close(this.turns.keys().next().value);
    const turn = new Turn(heard, device, at);
    this.turns.set(id, turn);
    for (const open of this.log.querySelectorAll(".stages[open]")) open.open = false;
    this.log.append(turn.element);
    this.toEnd();
    return turn;
  }

  close(id) {
    this.turns.get(id)?.element.remove();
    this.turns.delete(id);
  }

  tick() {
    for (const turn of this.turns.values()) turn.tick();
  }

  toEnd() {
    this.log.scrollTop = this.log.scrollHeight;
  }
}

class Turn {
  constructor(heard, device, at = Date.now() / 1000) {
    this.heard = heard;
    this.isOpen = true; // its reply is waited for
    this.isAnswered = false;
    this.isMine = false;
    this.at = at;
    this.keptAt = Infinity;
    this.time = el("time", { title: exactly(at) }, ago(at));
    this.reply = el("p", { class: "reply" });
    this.details = el("div", { class: "details" });
    const where = device ? `${device} · ` : "";
    this.words = el("span", {}, heard);
    this.element = el("article", { class: "turn" },
      el("p", { class: "heard" }, el("span", { class: "hidden" }, "You: "), this.words),
      el("p", { class: "when" }, where, this.time),
      this.reply, this.details);
  }

  tick() {
    this.time.textContent = ago(this.at);
  }

  wait() {
    fill(this.reply, el("span", { class: "thinking" }, el("i"), el("i"), el("i"), el("span", { class: "hidden" }, "Thinking")));
  }

  add(text) {
    if (!this.isOpen) return;
    this.reply.querySelector(".thinking")?.remove();
    this.reply.append(text);
  }

  finish({ heard = this.heard, said, timings, memories = [] }) {
    this.isOpen = false;
    this.isAnswered = true;
    this.words.textContent = heard || "(nothing that could be understood)";
    fill(this.reply, el("span", { class: "hidden" }, `${ITS_NAME}: `), said);
    const bar = stages(timings);
    if (bar) bar.open = this.element.matches(":last-child");
    fill(this.details, bar, memories.length ? remembered(memories) : null);
  }

  fail(error) {
    if (this.isAnswered) return;
    this.isOpen = false;
    fill(this.reply);
    fill(this.details, problem(error));
  }
}

const remembered = (ids) => el("details", {}, el("summary", {}, `It thought of ${count(ids.length, "memory", "memories")}`),
  el("ul", {}, ids.map((id) => el("li", {}, el("a", { href: `#/memory/${id}` }, `Memory ${id}`)))));

const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

async function say(talk, text) {
  const id = newId();
  const turn = talk.mine(id, text);
  try {
    const response = await request("/chat/text", sending({ text, turn_id: id, stream: true }));
    await follow(response, (name, data) => {
      if (name === "delta") turn.add(data.text);
      if (name === "error") turn.fail(data.error);
      if (name === "done") {
        turn.finish({ ...data, said: data.text });
        announce(data.text);
      }
      talk.toEnd();
      return name === "done" || name === "error";
    });
  } catch (error) {
    turn.fail(error);
  }
  talk.toEnd();
}

async function hear(talk, sound) {
  const id = newId();
  const turn = talk.mine(id, "…");
  try {
    const response = await request(`/chat/audio?turn_id=${id}`, {
      method: "POST", headers: { "Content-Type": "audio/wav", Accept: "application/json" }, body: sound,
    });
    const told = await response.json();
    turn.finish({ ...told, said: told.text || "(It was not meant for me.)" });
    announce(told.text);
    if (told.audio_url) await play(told.audio_url).catch((error) => turn.details.append(problem(error)));
  } catch (error) {
    turn.fail(error);
  }
  talk.toEnd();
}

function composer(talk, signal) {
  const input = el("textarea", { rows: "1", "aria-label": "Your message", placeholder: "Say something", maxlength: "8000", enterkeyhint: "send" });
  const trouble = el("div");
  const send = (event) => {
    event?.preventDefault();
    const text = input.value.trim();
    if (!text) return;
    input.value = "";
    grow();
    say(talk, text);
  };
  const grow = () => {
    input.style.height = "auto";
    input.style.height = `${Math.min(input.scrollHeight, 200)}px`;
  };
  input.addEventListener("input", grow);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event);
  });
  return el("form", { class: "composer", onsubmit: send }, trouble,
    el("div", { class: "row" }, input, microphone(talk, trouble, signal), el("button", { class: "main" }, "Send")));
}

function microphone(talk, trouble, signal) {
  let recorder = null;
  let busy = false; // the browser may ask its user, and takes a moment to begin and to end
  const button = el("button", { type: "button", "aria-pressed": "false", class: "microphone" }, picture(), el("span", {}, "Speak"));
  const shown = (recording) => {
    button.setAttribute("aria-pressed", String(recording));
    button.lastChild.textContent = recording ? "Stop" : "Speak";
    announce(recording ? "Recording. Press again when you have spoken." : "");
  };
  const start = async () => {
    recorder = await Recorder.start(() => once(stop));
    if (signal.aborted) await leave();
    else shown(true);
  };
  const stop = async () => {
    const sound = await leave();
    shown(false);
    if (sound) hear(talk, sound);
  };
  const leave = () => {
    const left = recorder;
    recorder = null;
    return left?.stop();
  };
  const once = async (change) => {
    if (busy) return;
    busy = true;
    try {
      await change();
    } catch (error) {
      recorder = null;
      shown(false);
      fill(trouble, problem(error));
    } finally {
      busy = false;
    }
  };
  button.addEventListener("click", () => {
    fill(trouble);
    return once(recorder ? stop : start);
  });
  signal.addEventListener("abort", leave);
  return button;
}

const picture = () => el("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
  el("path", { svg: true, d: "M12 3a3 3 0 0 1 3 3v6a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3zM6 11a6 6 0 0 0 12 0M12 17v4" }));
