import { createHash } from "node:crypto";
import { html } from "../pages/status-page.ts";
import { type ApiDescription, errorShape } from "./openapi.ts";
import { type Operation, operationsOf, type Parameter, schemaOf } from "./operations.ts";
import { type Field, fieldsOf, typeOf } from "./schema-fields.ts";

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { display: grid; grid-template-columns: 20rem minmax(0, 60rem); gap: 2.5rem; margin: 0 1.5rem; }
nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 1.5rem 0; box-sizing: border-box; font-size: .85rem; }
nav h2 { font-size: .95rem; margin: 1rem 0 .2rem; } nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; overflow-wrap: anywhere; text-decoration: none; padding: .1rem 0; } nav a:hover { text-decoration: underline; }
main { padding: 1.5rem 0 6rem; }
h1 { font-size: 1.5rem; margin-top: 0; } h2 { font-size: 1.25rem; margin-top: 3rem; }
section { border-top: 1px solid #8884; margin-top: 1.5rem; padding-top: .5rem; scroll-margin-top: 1rem; }
section:target > h3 { background: #fc04; }
h3 { font-size: 1rem; margin: .5rem 0; overflow-wrap: anywhere; } h3 a { color: inherit; text-decoration: none; }
h4 { font-size: .9rem; margin: 1.2rem 0 .2rem; } p { margin: .4rem 0; }
code { font-family: ui-monospace, monospace; font-size: .9em; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
td { text-align: left; padding: .25rem 1rem .25rem 0; vertical-align: top; border-bottom: 1px solid #8882; overflow-wrap: anywhere; }
td:first-child { width: 30%; } td:nth-child(2):not(:last-child) { width: 30%; }
.method { font-weight: 600; display: inline-block; min-width: 3.8rem; } .muted { opacity: .75; }
@media (max-width: 60rem) { body { display: block; } nav { position: static; max-height: none; } }
`;

/** The page loads and runs nothing; only its own style is allowed. */
export const referencePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Every operation with what it takes and answers, for people. */
export function referencePage({ routes, version, publicUrl }: ApiDescription): string {
  const groups = new Map<string, Operation[]>();
  const first = new Map<unknown, Operation>();
  for (const operation of operationsOf(routes)) {
    groups.set(operation.group, [...(groups.get(operation.group) ?? []), operation]);
    if (!first.has(operation.shape)) first.set(operation.shape, operation);
  }
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Forge API</title><style>${style}</style></head>
<body>
<nav aria-label="Operations">
<a href="#top">Requests</a><a href="#errors">Errors</a>
${[...groups].map(([name, members]) => `<h2>${html(name)}</h2>\n<ul>${members.map(indexEntry).join("\n")}</ul>`).join("\n")}
</nav>
<main id="top">
${introduction(version, publicUrl)}
${[...groups].map(([name, members]) => `<h2>${html(name)}</h2>\n${members.map((each) => entry(each, first)).join("\n")}`).join("\n")}
</main>
</body>
</html>
`;
}

function introduction(version: string, publicUrl: string): string {
  return `<h1>Forge ${html(version)} API</h1>
<p>The base URL is <code>${html(publicUrl)}/api</code>. For programs: <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
<p>Send <code>Authorization: Bearer TOKEN</code>. Bodies are JSON in UTF-8, at most 1 MiB (16 KiB where no token is needed). Unknown fields and parameters are errors. Times are
ISO 8601 in UTC.</p>
<p>A change with an <code>Idempotency-Key</code> can be repeated safely: it is made once. A response with an <code>ETag</code> has a revision; send
it as <code>If-Match</code> to make a change only if nothing was changed since. Routes without revisions reject <code>If-Match</code>.</p>
<section id="errors"><h3>Errors</h3>
<p>Every 4xx and 5xx response has the same shape. <code>code</code> and <code>next</code> are for programs, <code>message</code> and
<code>suggestions</code> are for people.</p>
${fieldTable(fieldsOf(schemaOf(errorShape, "output")))}</section>`;
}

function title({ method, path }: Operation): string {
  return `<span class="method">${html(method)}</span> <code>${html(path)}</code>`;
}

function indexEntry(operation: Operation): string {
  return `<li><a href="#${html(operation.id)}">${title(operation)}</a></li>`;
}

function entry(operation: Operation, first: ReadonlyMap<unknown, Operation>): string {
  const { id, summary, scope, body, parameters } = operation;
  const within = (place: Parameter["in"]) => parameters.filter((parameter) => parameter.in === place).map(asField);
  return `<section id="${html(id)}"><h3><a href="#${html(id)}">${title(operation)}</a></h3>
<p>${prose(summary)}</p>
<p class="muted">${needs(scope)}</p>
${part("Path parameters", within("path"))}${part("Query parameters", within("query"))}${part("Headers", within("header"))}${
  body ? part(body.required ? "Body" : "Body (optional)", fieldsOf(body.schema)) : ""
}${answerPart(operation, first)}
<h4>Errors</h4>
${table(operation.errors.map((error) => [`<code>${error.status}</code>`, prose(error.description) + headersOf(error)]))}
</section>`;
}

function needs(scope: Operation["scope"]): string {
  if (scope === "public") return "No token needed.";
  return scope === "signed-in" ? "Needs a token with any scope." : `Needs the scope <code>${html(scope)}</code>.`;
}

function answerPart({ id, shape, success }: Operation, first: ReadonlyMap<unknown, Operation>): string {
  const { status, content } = success;
  const heading = `<h4>Response: ${status}${content ? `, ${html(content.mediaType)}` : ", no content"}</h4>\n`;
  const same = first.get(shape);
  const isJson = content?.mediaType === "application/json";
  const fields = isJson && same && same.id !== id ? undefined : fieldsOf(content?.schema ?? {});
  const told = fields
    ? fieldTable(fields)
    : `<p>The same as for <a href="#${html(same?.id ?? "")}">${same ? title(same) : ""}</a>.</p>`;
  return `${heading}${headersOf(success)}${told}`;
}

function headersOf({ headers }: Operation["errors"][number]): string {
  return headers
    .map(({ name, description }) => `<p>Header <code>${html(name)}</code>: ${prose(description)}</p>`)
    .join("");
}

/** Text between backticks is code. */
function prose(text: string): string {
  return html(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function asField({ name, schema, required, description = "" }: Parameter): Field {
  return { name, type: typeOf(schema), required, description };
}

function part(heading: string, fields: Field[]): string {
  return fields.length === 0 ? "" : `<h4>${heading}</h4>\n${fieldTable(fields)}`;
}

function fieldTable(fields: Field[]): string {
  return table(
    fields.map(({ name, type, required, description }) => [
      `<code>${html(name)}</code>${required ? "" : ' <span class="muted">optional</span>'}`,
      html(type),
      prose(description),
    ]),
  );
}

function table(rows: string[][]): string {
  if (rows.length === 0) return "";
  return `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n")}</table>\n`;
}
