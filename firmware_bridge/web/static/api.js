// The companion over HTTP. Every failure is a Failure with what went wrong and what to do.

const KEY = "lobug-key";

export class Failure extends Error {
  constructor(status, { code = "unreachable", message = "", hint = "" }) {
    super(message);
    Object.assign(this, { status, code, hint });
  }
}

export const key = {
  get: () => localStorage.getItem(KEY) || "",
  set: (value) => (value ? localStorage.setItem(KEY, value) : localStorage.removeItem(KEY)),
};

export async function request(path, options = {}) {
  const headers = new Headers(options.headers);
  if (key.get()) headers.set("Authorization", `Bearer ${key.get()}`);
  let response;
  try {
    response = await fetch(path, { ...options, headers, cache: "no-store", credentials: "omit" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(0, {
      message: "The companion does not answer.",
      hint: "Is it running? On its machine, scripts/start or the service starts it.",
    });
  }
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  throw new Failure(response.status, told.error || { message: `It answered ${response.status}.` });
}

export const get = async (path, signal) => (await request(path, { signal })).json();

export const post = async (path, body) => (await request(path, sending(body))).json();

export const sending = (body) => ({
  method: "POST",
  ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
});

const cutOff = () => new Failure(0, {
  message: "The connection broke off.", hint: "Once it is back, the reply is shown here; if none comes, say it again.",
});

// Server-sent events of a response: calls told(name, data) for each until told returns true, which is the end of them.
// Throws a Failure when they end before.
export async function follow(response, told) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read().catch(() => ({ done: true }));
    if (done) throw cutOff();
    held += value.replaceAll("\r", "");
    const blocks = held.split("\n\n");
    held = blocks.pop();
    for (const block of blocks) {
      const fields = { event: "message", data: "" };
      for (const line of block.split("\n")) {
        const colon = line.indexOf(":");
        if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
      }
      if (fields.data && told(fields.event, JSON.parse(fields.data))) return;
    }
  }
}
