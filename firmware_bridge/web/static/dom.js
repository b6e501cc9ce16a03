// Making elements. Text is always inserted as text: nothing here, or anywhere else, reads HTML.

export function el(name, properties = {}, ...children) {
  const element = name === "svg" || properties.svg
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "svg" || value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.setAttribute("class", value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

// Told to screen readers, shown to nobody.
export function announce(text) {
  document.getElementById("status").textContent = text;
}

// What the companion is called.
export const ITS_NAME = document.querySelector(".brand").textContent.trim();

// What to do next belongs to every error.
export function problem(error) {
  return el("div", { class: "problem", role: "alert" },
    el("strong", {}, error.message || "Something went wrong."), error.hint ? el("p", {}, error.hint) : null);
}

export function empty(title, ...hints) {
  return el("div", { class: "empty" }, el("strong", {}, title), hints.map((hint) => el("p", {}, hint)));
}

export function page(title, lead) {
  return [el("h1", { tabindex: "-1" }, title), lead ? el("p", { class: "lead" }, lead) : null];
}

export function choice(label, options, value, change) {
  const select = el("select", { onchange: () => change(select.value) },
    Object.entries(options).map(([key, text]) => el("option", { value: key, selected: key === value }, text)));
  return el("label", { class: "choice" }, el("span", {}, label), select);
}
