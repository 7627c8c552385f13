import { createHash } from "node:crypto";
import type { z } from "zod";
import type { Route } from "../../kernel/route.ts";
import { eventsPath, eventsScope } from "./events.ts";
import { type Described, schemaOf } from "./openapi.ts";
import { html } from "./status-page.ts";

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
details { border-bottom: 1px solid #8884; padding: .4rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { overflow-x: auto; padding: .6rem; background: #8881; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .2rem 1rem .2rem 0; vertical-align: top; }
.method { font-weight: 600; display: inline-block; min-width: 4.5rem; } .muted { opacity: .75; }
`;

/** The page may load nothing and run nothing; only its own style counts. */
export const referencePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Every route with what it takes and answers, for people. */
export function referencePage({ routes, version, publicUrl }: Described): string {
  const groups = new Map<string, Route<never>[]>();
  for (const route of routes) {
    const name = route.path.split("/")[2] ?? "";
    groups.set(name, [...(groups.get(name) ?? []), route]);
  }
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Forge API</title><style>${style}</style></head>
<body>
<h1>Forge ${html(version)}: the API</h1>
<p>All of it is under <code>${html(publicUrl)}/api</code>. Requests carry <code>Authorization: Bearer TOKEN</code>, bodies are JSON, and a
refusal is <code>{ error, code, message, details?, suggestions? }</code>. The same for programs: <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
${[...groups].map(([name, members]) => `<h2>${html(name)}</h2>\n${members.map(entry).join("\n")}`).join("\n")}
<h2>events</h2>
<details><summary><span class="method">GET</span> <code>${eventsPath}</code></summary>
<p>What the team does, as it happens: server-sent events. <code>Last-Event-ID</code> takes up after an event.</p>
<p class="muted">Scope: <code>${eventsScope}</code></p></details>
</body>
</html>
`;
}

function entry(route: Route<never>): string {
  const { method, path, summary, scope, params, query, body, output, status = 200, file } = route;
  const answer = status === 204 ? "nothing" : file ? "a file" : undefined;
  return `<details><summary><span class="method">${method}</span> <code>${html(path)}</code></summary>
<p>${html(summary)}</p>
<p class="muted">Scope: <code>${html(scope)}</code>. Answers ${status}${answer ? ` with ${answer}` : ""}.</p>
${parameters("In the path", params)}${parameters("In the query", query)}${body ? shape("Body", body, "input") : ""}${answer ? "" : shape("Answer", output, "output")}
</details>`;
}

function parameters(title: string, schema: z.ZodObject): string {
  const fields = Object.entries(schema.shape) as [string, z.ZodType][];
  if (fields.length === 0) return "";
  const rows = fields.map(([name, field]) => {
    const { description = "", ...rest } = schemaOf(field, "input");
    return `<tr><td><code>${html(name)}</code></td><td>${html(String(description))}</td><td><code>${html(JSON.stringify(rest))}</code></td></tr>`;
  });
  return `<p>${title}:</p><table>${rows.join("")}</table>\n`;
}

function shape(title: string, schema: z.ZodType, io: "input" | "output"): string {
  return `<p>${title}:</p><pre>${html(JSON.stringify(schemaOf(schema, io), undefined, 2))}</pre>\n`;
}
