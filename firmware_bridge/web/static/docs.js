// /openapi.json for people.

import { get } from "./api.js";
import { problem } from "./dom.js";

let schemas = {};

// `what stands between backticks` becomes code.
function make(name, text, ...children) {
  const made = document.createElement(name);
  if (text !== "") String(text).split("`").forEach((part, at) => made.append(at % 2 ? make("code", part) : part));
  made.append(...children);
  return made;
}

// A schema in one line: string, integer (1 to 1000), one of ..., or the name of an object.
function shape(schema) {
  if (!schema) return "bytes";
  if (schema.$ref) {
    const name = schema.$ref.split("/").pop();
    const meant = schemas[name] || {};
    return meant.enum ? shape(meant) : name;
  }
  if (schema.enum || schema.const !== undefined) return (schema.enum || [schema.const]).join(" | ");
  if (schema.anyOf) return schema.anyOf.map(shape).join(" | ");
  if (schema.type === "array") return "list of " + shape(schema.items);
  let told = schema.type || "anything";
  if (schema.minimum !== undefined) told += ` (${schema.minimum} to ${schema.maximum ?? "any"})`;
  return schema.default == null ? told : `${told}, else ${JSON.stringify(schema.default)}`;
}

function table(head, rows) {
  const body = rows.map(cells => make("tr", "", ...cells.map(cell => make("td", cell))));
  const names = make("tr", "", ...head.map(name => { const th = make("th", name); th.scope = "col"; return th; }));
  return make("table", "", make("thead", "", names), make("tbody", "", ...body));
}

function members(name) {
  const schema = schemas[name], needed = schema.required || [];
  const rows = Object.entries(schema.properties || {}).map(([key, part]) =>
    [key + (needed.includes(key) ? " *" : ""), shape(part), part.description || ""]);
  const about = schema.description && !/^`[A-Z]+ [^`]+`\.$/.test(schema.description) ? [make("p", schema.description)] : [];
  return [...about, ...(rows.length ? [table(["member", "what it holds", "meaning"], rows)] : [])];
}

function content(told) {
  return Object.entries(told.content || {}).map(([media, one]) => `${media}: ${shape(one.schema)}`).join("; ");
}

function named(told) {
  const schema = told?.content?.["application/json"]?.schema;
  return schema?.$ref ? [schema.$ref.split("/").pop()] : [];
}

function route(method, path, operation) {
  const summary = make("summary", "", make("code", method.toUpperCase()), " ", make("code", path), " ", make("span", operation.summary));
  summary.firstChild.className = "method";
  const parts = [summary];
  const given = operation.parameters.map(p => [p.name + (p.required ? " *" : ""), p.in, shape(p.schema), p.description]);
  if (given.length) parts.push(make("h3", "Takes"), table(["name", "where", "what", "meaning"], given));
  if (operation.requestBody) parts.push(make("h3", "Body"), make("p", content(operation.requestBody)));
  for (const name of named(operation.requestBody)) parts.push(...members(name));
  const answers = Object.entries(operation.responses).map(([status, told]) => [status, told.description, content(told)]);
  parts.push(make("h3", "Answers"), table(["status", "when", "with"], answers));
  for (const name of named(operation.responses["200"])) parts.push(make("h3", name), ...members(name));
  return make("details", "", ...parts);
}

async function show() {
  const told = await get("/openapi.json");
  schemas = told.components.schemas;
  document.getElementById("about").prepend(make("span", told.info.description), " ");
  const groups = new Map();
  for (const [path, operations] of Object.entries(told.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const [group] = operation.tags;
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push(route(method, path, operation));
    }
  for (const [name, routes] of groups)
    document.getElementById("routes").append(make("h2", name), ...routes);
}

show().catch(error => document.getElementById("routes").append(problem(error)));
