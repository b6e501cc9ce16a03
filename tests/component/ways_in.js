// Every way that a page has to reach another origin. Each resolves to what the page could read by it, "" for nothing.
async ({ base, gets, posts, shown, sent, sockets, body }) => {
  const patience = (promise) => Promise.race([promise, new Promise((end) => setTimeout(() => end(""), 800))]);
  const always_answered = new Set(["fetch", "no-cors", "simple", "json", "blind"]);
  const by = (way, path) => `${base}${path}${path.includes("?") ? "&" : "?"}by=${way}&wait=0`;
  const fetched = (way, path, options) => fetch(by(way, path), options)
    .then((response) => response.type === "opaque" ? "" : response.text(), () => "");
  const embedded = (way, tag, path, attribute = "src") => new Promise((end) => {
    const element = document.createElement(tag);
    element.onload = () => end(tag === "iframe" ? element.contentDocument?.body.innerText ?? "" : `${tag} loaded`);
    element.onerror = () => end("");
    if (tag === "link") element.rel = "stylesheet";
    element[attribute] = by(way, path);
    document.body.append(element);
  });
  const form = (way, path, sandbox) => new Promise((end) => {
    const frame = document.createElement("iframe");
    const content = `<form method=post enctype=text/plain action="${by(way, path)}">
      <input name='${body.slice(0, -1)},"x":"' value='"}'></form><script>document.forms[0].submit()</` + `script>`;
    if (sandbox) frame.sandbox = "allow-scripts allow-forms";
    frame.srcdoc = content;
    let loads = 0;
    frame.onload = () => { loads += 1; if (loads > 1) end(frame.contentDocument?.body?.innerText ?? ""); };
    document.body.append(frame);
  });
  const socket = (path) => new Promise((end) => {
    const opened = new WebSocket(by("socket", path).replace("http", "ws"));
    opened.onopen = () => end("opened");
    opened.onerror = () => end("");
  });
  const source = (path) => new Promise((end) => {
    const opened = new EventSource(by("source", path));
    opened.onopen = () => { opened.close(); end("opened"); };
    opened.onerror = () => { opened.close(); end(""); };
  });
  const tries = [];
  for (const path of gets) {
    tries.push(["fetch", () => fetched("fetch", path)], ["no-cors", () => fetched("no-cors", path, { mode: "no-cors" })]);
  }
  for (const path of shown) {
    tries.push(["script", () => embedded("script", "script", path)], ["img", () => embedded("img", "img", path)]);
    tries.push(["frame", () => embedded("frame", "iframe", path)], ["style", () => embedded("style", "link", path, "href")]);
  }
  for (const path of posts) {
    const simple = { method: "POST", body, headers: { "Content-Type": "text/plain" } };
    tries.push(["simple", () => fetched("simple", path, simple)]);
    tries.push(["json", () => fetched("json", path, { ...simple, headers: { "Content-Type": "application/json" } })]);
    tries.push(["beacon", async () => { navigator.sendBeacon(by("beacon", path), body); return ""; }]);
  }
  for (const path of sent) {
    tries.push(["blind", () => fetched("blind", path, { method: "POST", body, mode: "no-cors" })]);
    tries.push(["form", () => form("form", path, false)], ["sandbox", () => form("sandbox", path, true)]);
  }
  for (const path of sockets) tries.push(["socket", () => socket(path)]);
  for (const path of ["/events", "/device/events"]) tries.push(["source", () => source(path)]);
  const read = [];
  while (tries.length) {
    const some = tries.splice(0, 12);
    const told = await Promise.all(some.map(([way, attempt]) => always_answered.has(way) ? attempt() : patience(attempt())));
    told.forEach((text, index) => { if (text) read.push([some[index][0], text.slice(0, 400)]); });
  }
  return read;
}
