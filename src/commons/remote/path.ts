import { unusableName } from "./errors.ts";

declare const made: unique symbol;

/** A path below the server's address. Nothing from outside can be more than one segment of it. */
export type ApiPath = string & { readonly [made]: true };

/** Makes a path: path`/tickets/${id}/assign`. */
export function path(parts: TemplateStringsArray, ...names: (string | number)[]): ApiPath {
  return names.reduce<string>(
    (way, name, index) => `${way}${segment(String(name))}${parts[index + 1] ?? ""}`,
    parts[0] ?? "",
  ) as ApiPath;
}

/** The same path below another start. */
export function withPrefix(prefix: "" | "/api", to: ApiPath): ApiPath {
  return `${prefix}${to}` as ApiPath;
}

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** The question mark and what follows it; lists go comma-separated, and what is undefined is not asked. */
export function queryText(query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? "" : `?${given}`;
}

/** Encoding does not help against `.` and `..`: addresses are resolved after it is undone. */
function segment(name: string): string {
  // A lone surrogate has no encoding.
  if (!["", ".", ".."].includes(name) && !/\p{Surrogate}/u.test(name)) return encodeURIComponent(name);
  throw unusableName();
}
