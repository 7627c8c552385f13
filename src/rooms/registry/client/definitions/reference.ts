import { wrongName, wrongRange } from "../errors.ts";
import { isRange } from "./versions.ts";

/** What a name may mean, most likely first: a definition of that name, or a component of a plugin. */
export type Reference = { text: string; candidates: { name: string; plugin?: string }[]; range?: string };

const maxLength = 214;
const part = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;

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
  const isScoped = name.startsWith("@");
  const [first = "", second, third, ...more] = name.slice(isScoped ? 1 : 0).split("/");
  const parts = [first, ...(second === undefined ? [] : [second]), ...(third === undefined ? [] : [third])];
  if (more.length > 0 || !parts.every((one) => part.test(one)) || isScoped !== parts.length > 1) throw wrongName(name);
  if (second === undefined) return [{ name }];
  if (third === undefined) return [{ name }, { name: second, plugin: first }];
  return [{ name: third, plugin: `@${first}/${second}` }];
}

/** Whether a name can be written in an address: `reviewer`, `docs:writer` or `@scope/reviewer`. */
export function isAddress(name: string): boolean {
  return addressPattern.test(name) && name.length <= maxLength;
}

export const addressPattern = /^(?:@[\w.-]{1,100}\/)?[\w.:-]{1,100}$/;

/** The scope of a name with its `@`; undefined for a plain one. */
export function scopeOf(name: string): string | undefined {
  return /^(@[^/]+)\//.exec(name)?.[1];
}
