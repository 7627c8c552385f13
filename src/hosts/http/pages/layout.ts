import { createHash } from "node:crypto";
import { visible } from "../../../kernel/text/visible.ts";
import { html, type Markup } from "./markup.ts";

const style = `
:root { color-scheme: light dark; --ink: #1c1f24; --paper: #fff; --quiet: #5a6270; --line: #767d8a; --act: #1f5fbf; --bad: #a51d1d; --warm: #fff4d6; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaee; --paper: #16181c; --quiet: #a9b1bd; --line: #7d8592; --act: #7fb2ff; --bad: #ff9d9d; --warm: #3a3115; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 28rem; padding: 1.5rem 1rem 3rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 1rem; }
header { color: var(--quiet); margin-bottom: 1.5rem; }
label { display: block; font-weight: 600; margin-top: 1rem; }
small { display: block; color: var(--quiet); }
input, select { width: 100%; min-height: 2.75rem; margin-top: .25rem; padding: .5rem .6rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .4rem; }
button, .button { display: block; width: 100%; min-height: 2.75rem; margin-top: 1.25rem; padding: .6rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none; color: var(--paper); background: var(--act); border: 1px solid var(--act); border-radius: .4rem; cursor: pointer; }
.second { color: var(--act); background: transparent; }
a { color: var(--act); }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
dl { margin: 1rem 0; } dt { color: var(--quiet); } dd { margin: 0 0 .6rem; }
.code { font: 700 1.8rem/1.2 ui-monospace, monospace; letter-spacing: .08em; }
.error { color: var(--bad); border: 1px solid var(--bad); border-radius: .4rem; padding: .6rem .8rem; }
.warning { color: var(--ink); background: var(--warm); border-radius: .4rem; padding: .6rem .8rem; }
`;

/** A page may load nothing, run nothing, be framed by nobody and send its forms only here. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export type Page = { title: string; body: Markup };

export function layout({ title, body }: Page): string {
  const { text } = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Forge</title>
`;
  const rest = html`
</head>
<body>
<header>Forge</header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  return `<!doctype html>\n${text}<style>${style}</style>${rest.text}`;
}

/** Why the last try did not do. */
export function alertBox(problem: string | undefined): Markup | undefined {
  return problem === undefined ? undefined : html`<p class="error" role="alert">${problem}</p>`;
}

type Field = {
  name: string;
  label: string;
  type?: "text" | "email" | "password";
  value?: string | undefined;
  hint?: string;
  /** What a browser or a password manager may fill in. */
  autocomplete: string;
  readonly?: boolean;
};

/** A labelled input. A password is never given back. */
export function field({ name, label, type = "text", value = "", hint, autocomplete, readonly }: Field): Markup {
  const maxLength = type === "password" ? 200 : 320;
  return html`<label for="${name}">${label}</label>
${hint !== undefined && html`<small id="${name}-hint">${hint}</small>`}
<input id="${name}" name="${name}" type="${type}" required maxlength="${maxLength}" autocomplete="${autocomplete}"${
    type === "password" ? undefined : html` value="${visible(value)}"`
  }${hint !== undefined && html` aria-describedby="${name}-hint"`}${readonly === true && html` readonly`}>
`;
}

type Choice = { name: string; label: string; options: readonly { value: string; text: string }[]; chosen: string };

/** One of several; if the chosen one is not among them, the user must choose. */
export function choice({ name, label, options, chosen }: Choice): Markup {
  const isOpen = !options.some(({ value }) => value === chosen);
  return html`<label for="${name}">${label}</label>
<select id="${name}" name="${name}" required>
${isOpen && html`<option value="">Choose</option>`}
${options.map(({ value, text }) => html`<option value="${value}"${value === chosen && html` selected`}>${visible(text)}</option>`)}
</select>
`;
}

export function hiddenInput(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}
