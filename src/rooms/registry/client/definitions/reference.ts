import { wrongName, wrongRange } from "../errors.ts";
import { isRange } from "./versions.ts";

/** What a name may mean, most likely first: a definition of that name, or a component of a plugin. */
export type Reference = { text: string; candidates: { name: string; plugin?: string }[]; range?: string };

const maxLength = 214;
const part = "[A-Za-z0-9][A-Za-z0-9._:-]*";
const simple = new RegExp(`^${part}$`);
const scoped = new RegExp(`^@(${part})/(${part})$`);
const nested = new RegExp(`^@(${part})/(${part})/(${part})$`);

/** `name`, `name@range`, `@scope/name`, `@plugin/component` or `@scope/plugin/component`. */
export function parseReference(text: string, version?: string): Reference {
  const at = text.indexOf("@", 1);
  const name = at < 0 ? text : text.slice(0, at);
  const range = version ?? (at < 0 ? undefined : text.slice(at + 1));
  if (text.length > maxLength) throw wrongName(text);
  if (range !== undefined && !isRange(range)) throw wrongRange(range);
  return { text: name, candidates: candidatesFor(name), ...(range !== undefined && { range }) };
}

function candidatesFor(name: string): Reference["candidates"] {
  if (name.split(/[/:]/).some((step) => step === ".." || step === ".")) throw wrongName(name);
  if (simple.test(name)) return [{ name }];
  const pair = scoped.exec(name);
  if (pair) {
    const [, first = "", second = ""] = pair;
    return [{ name }, { name: second, plugin: first }];
  }
  const triple = nested.exec(name);
  if (triple) return [{ name: triple[3] ?? "", plugin: `@${triple[1]}/${triple[2]}` }];
  throw wrongName(name);
}

/** The scope of a name with its `@`; undefined for a plain one. */
export function scopeOf(name: string): string | undefined {
  return /^(@[^/]+)\//.exec(name)?.[1];
}
