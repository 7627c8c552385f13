import { authorIn, namesIn, textIn } from "../client/definitions/field-values.ts";
import { scopeOf } from "../client/definitions/reference.ts";
import { integrityOf } from "../client/packages/archive.ts";
import type { PackageManifest, PackagePart } from "../client/packages/read-package.ts";
import { pluginFacts } from "../client/plugins/manifest.ts";
import type { PackageKind } from "./package-store.ts";
import type { VersionTable } from "./schema.ts";

/** What a version of a package is, apart from where it is stored. */
export type NewVersion = Pick<VersionTable, "version" | "document" | "integrity" | "blob" | "size" | "signature">;
export type NewPackage = {
  kind: PackageKind;
  name: string;
  plugin: string | null;
  description: string | null;
  author: string | null;
  tags: string[];
};

const maxShown = { description: 2_000, author: 200, tag: 100, tags: 100 };

export function pluginOf({ name, fields }: PackageManifest): NewPackage {
  const { description, author, keywords } = pluginFacts(fields);
  return { kind: "plugin", name, plugin: null, ...describePackage(description, author, keywords) };
}

/** What lists show, in a length that fits into one; a database takes no NUL. */
function describePackage(description: string | undefined, author: string | undefined, tags: readonly string[] = []) {
  const line = (text: string, max: number) => text.replaceAll("\0", " ").slice(0, max);
  return {
    description: description === undefined ? null : line(description, maxShown.description),
    author: author === undefined ? null : line(author, maxShown.author),
    tags: tags.slice(0, maxShown.tags).map((tag) => line(tag, maxShown.tag)),
  };
}

/** A part has the scope and the version of its plugin, whatever its file says: only so is it unique and never changes. */
export function partOf({ kind, name, definition: { fields } }: PackagePart, plugin: PackageManifest): NewPackage {
  const scope = scopeOf(plugin.name);
  return {
    kind,
    name: partName(name, scope),
    plugin: plugin.name,
    ...describePackage(textIn(fields, "description"), authorIn(fields), namesIn(fields, "tags")),
  };
}

export function partName(name: string, scope: string | undefined): string {
  return scope === undefined ? name : `${scope}/${name.replace(/^@[^/]+\//, "")}`;
}

export function versionOf({ text, path }: PackagePart, plugin: PackageManifest): NewVersion {
  const bytes = Buffer.from(text);
  return {
    version: plugin.version,
    document: JSON.stringify({ content: text, format: path.endsWith(".md") ? "markdown" : "yaml" }),
    integrity: integrityOf(bytes),
    blob: null,
    size: bytes.length,
    signature: null,
  };
}
