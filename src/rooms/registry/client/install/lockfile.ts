import { createHash } from "node:crypto";
import { isRecord } from "../../../../kernel/json.ts";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import { SafeRoot } from "../../../../platform/files/root/safe-root.ts";
import { textIn } from "../definitions/field-values.ts";
import { brokenLockfile } from "../packages/errors.ts";
import type { Fields } from "../types.ts";

type LockedPlugin = {
  name: string;
  version: string;
  integrity: string;
  registry: string;
  installed_path: string;
  installed_at: string;
};

export type LockedPart = { kind: string; name: string; version: string; checksum?: string; rest: Fields };

export type Lockfile = { plugins: LockedPlugin[]; parts: LockedPart[]; path: string };

/** In the order in which they are looked for: ours, which is also the original command line's, then the original library's. */
const projectFiles = ["plugins/forge/lock.json", "plugins/forge/lockfile.json", "forge/lockfile.json"];
const userFiles = ["lock.json"];
const kinds = ["agents", "tools", "workflows", "templates"];

/** The lock file below a `.fractary` folder of a project, or in the user's registry folder. */
export class LockStore {
  readonly #folder: string;
  readonly #files: readonly string[];

  constructor(folder: string, scope: "local" | "global") {
    this.#folder = folder;
    this.#files = scope === "local" ? projectFiles : userFiles;
  }

  async read(): Promise<Lockfile> {
    const own = this.#files[0] ?? "";
    for (const file of this.#files) {
      const path = `${this.#folder}/${file}`;
      if (!entryAt(path)) continue;
      const { text } = await SafeRoot.at(this.#folder).readText(file);
      return { ...parseLock(text, path), path: `${this.#folder}/${own}` };
    }
    return { plugins: [], parts: [], path: `${this.#folder}/${own}` };
  }

  async write({ plugins, parts }: Pick<Lockfile, "plugins" | "parts">): Promise<void> {
    const ofKind = (kind: string) =>
      parts
        .filter((part) => part.kind === kind)
        .map(({ name, version, checksum, rest }) => ({ ...rest, name, version, ...(checksum && { checksum }) }))
        .sort(byName);
    const value = {
      version: "1.0",
      timestamp: new Date().toISOString(),
      created_by: "forge",
      lockfile_version: "1.0.0",
      locked: {
        plugins: [...plugins].sort(byName),
        ...Object.fromEntries(kinds.map((kind) => [kind, ofKind(kind)])),
      },
    };
    await SafeRoot.at(this.#folder).write(this.#files[0] ?? "", `${JSON.stringify(value, undefined, 2)}\n`);
  }
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

function parseLock(text: string, path: string): Pick<Lockfile, "plugins" | "parts"> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw brokenLockfile(path);
  }
  if (!isRecord(value)) throw brokenLockfile(path);
  const { locked } = value;
  if (isRecord(locked))
    return {
      plugins: itemsIn(locked["plugins"]).flatMap(pluginIn),
      parts: kinds.flatMap((kind) => itemsIn(locked[kind]).flatMap((item) => partIn(kind, item))),
    };
  // The library's form: by name, with a hash of the fields.
  const parts = kinds.flatMap((kind) => {
    const named = value[kind];
    return isRecord(named)
      ? Object.entries(named).flatMap(([name, item]) =>
          isRecord(item) ? partIn(kind, { ...item, name, checksum: item["integrity"] }) : [],
        )
      : [];
  });
  return { plugins: [], parts };
}

function itemsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function pluginIn(item: Fields): LockedPlugin[] {
  const [name, version, integrity] = [textIn(item, "name"), textIn(item, "version"), textIn(item, "integrity")];
  if (name === undefined || version === undefined || integrity === undefined) return [];
  const text = (field: string) => textIn(item, field) ?? "";
  return [
    {
      name,
      version,
      integrity,
      registry: text("registry"),
      installed_path: text("installed_path"),
      installed_at: text("installed_at"),
    },
  ];
}

function partIn(kind: string, item: Fields): LockedPart[] {
  const { name: _name, version: _version, checksum: _checksum, integrity: _integrity, ...rest } = item;
  const [name, version, checksum] = [textIn(item, "name"), textIn(item, "version"), textIn(item, "checksum")];
  if (name === undefined || version === undefined) return [];
  return [{ kind, name, version, rest, ...(checksum !== undefined && { checksum }) }];
}

/** A definition's hash as the original library makes it: over its fields, keys in order, without spaces. */
export function fieldsChecksum(fields: Fields): string {
  return `sha256-${createHash("sha256")
    .update(JSON.stringify(sortKeys(fields)))
    .digest("hex")}`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(value[key])]),
  );
}
