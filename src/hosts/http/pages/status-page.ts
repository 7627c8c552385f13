import { createHash } from "node:crypto";
import { personIn } from "../../../commons/ledger/model.ts";
import type { CallRecord } from "../../../kernel/calls/call.ts";
import { visible } from "../../../kernel/text/visible.ts";

export type Status = {
  version: string;
  project: string;
  mcpUrl: string;
  toolsets: { title: string; served: boolean; reason: string; tools: number; tokens: number }[];
  activity: CallRecord[];
};

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
.error { color: #c33; } .muted { opacity: .7; }
`;

/** The page may load and run nothing but its own style. */
export const statusPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function statusPage({ version, project, mcpUrl, toolsets, activity }: Status): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Forge</title><meta http-equiv="refresh" content="5"><style>${style}</style></head>
<body>
<h1>Forge ${html(version)}</h1>
<p>Serving <code>${html(project)}</code>. Connect an assistant to <code>${html(mcpUrl)}</code>.</p>
<h2>Toolsets</h2>
<table>
<tr><th>Toolset</th><th>Served</th><th>Why</th><th>Tools</th><th>Tokens (approx.)</th></tr>
${toolsets.map(toolsetRow).join("\n")}
</table>
<h2>Latest calls</h2>
${activity.length === 0 ? '<p class="muted">None yet.</p>' : activityTable(activity)}
</body>
</html>
`;
}

function toolsetRow({ title, served, reason, tools, tokens }: Status["toolsets"][number]): string {
  return `<tr><td>${html(title)}</td><td>${served ? "yes" : "no"}</td><td>${html(reason)}</td><td>${tools}</td><td>${tokens}</td></tr>`;
}

function activityTable(activity: CallRecord[]): string {
  const rows = activity.map(
    ({ at, name, agent, principal, about, outcome, code, durationMs }) =>
      `<tr><td>${html(new Date(at).toISOString())}</td><td><code>${html(name)}</code></td><td>${html(agent ?? personIn(principal))}</td>` +
      `<td>${html(about.join(", "))}</td><td class="${outcome === "ok" ? "" : "error"}">${html(code ?? outcome)}</td><td>${Math.round(durationMs)} ms</td></tr>`,
  );
  return `<table>
<tr><th>When</th><th>What</th><th>Who</th><th>About</th><th>Outcome</th><th>Took</th></tr>
${rows.join("\n")}
</table>`;
}

/** With every character visible: names come from assistants and files. */
export function html(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
