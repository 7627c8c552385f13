import { isRecord } from "../../kernel/json.ts";
import { visible } from "../../kernel/text/visible.ts";
import type { Ecosystem } from "../code-index/languages.ts";

/** What one file says of the package it describes. */
export type Manifest = {
  ecosystem: Ecosystem;
  name?: string | undefined;
  description?: string | undefined;
  version?: string | undefined;
  /** The language's version that it needs: `Node.js >=20`. */
  runtime?: string | undefined;
  dependencies: string[];
  devDependencies: string[];
  /** Of the dependencies, those that it works with and does not bring along: a framework that a library supports. */
  supported?: string[] | undefined;
  /** What tells of a framework without being a dependency: a plugin of the build. */
  marks?: string[] | undefined;
  /** Folders of other packages that belong to it, from its own folder; patterns, with `!` for what does not. */
  members?: string[] | undefined;
  /** The test runner, in short. */
  test?: string | undefined;
  /** What a developer types to run the tests. */
  testCommand?: string | undefined;
  build?: string | undefined;
  kind?: PackageKind | undefined;
};

export type PackageKind = "CLI" | "program" | "library";

/** What lies beside a manifest. */
export type ManifestFolder = {
  /** The manifest's own name. */
  file: string;
  /** Whether a file is there, by its path from the manifest's folder. */
  has(path: string): boolean;
  /** The same in the manifest's folder or in one above it. */
  hasAbove(name: string): boolean;
};

export type ManifestReader = (text: string, around: ManifestFolder) => Manifest;

/** The message says what is the matter, in words that go on after the file's name. */
export class BrokenManifest extends Error {}

const maxNames = 2_000;
const maxNameLength = 200;

export function parseJsonTable(text: string): Record<string, unknown> {
  const value = parseJson(text);
  if (!isRecord(value)) throw new BrokenManifest("is not a JSON object");
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenManifest("is not valid JSON");
  }
}

/** What is inside, one name after the other; an empty table where it is none. */
export function getTable(value: unknown, ...names: string[]): Record<string, unknown> {
  const inner = names.reduce<unknown>(
    (at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    value,
  );
  return isRecord(inner) ? inner : {};
}

export function hasTable(value: unknown, ...names: string[]): boolean {
  return Object.keys(getTable(value, ...names)).length > 0;
}

export function getText(table: Record<string, unknown>, name: string): string | undefined {
  const value = Object.hasOwn(table, name) ? table[name] : undefined;
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** What a package says of itself, under the names that most formats use. */
export function getFacts(table: Record<string, unknown>): Pick<Manifest, "name" | "description" | "version"> {
  return {
    name: getText(table, "name"),
    description: getText(table, "description"),
    version: getText(table, "version"),
  };
}

/** `Go 1.22`; undefined without a version. */
export function toRuntime(language: string, version: string | undefined): string | undefined {
  return version === undefined ? undefined : `${language} ${version}`;
}

export function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.slice(0, maxNames).filter((item) => typeof item === "string") : [];
}

export function listKeys(table: Record<string, unknown>): string[] {
  return Object.keys(table).slice(0, maxNames);
}

/** A name out of a manifest, as it may be shown. */
export function formatName(name: string): string {
  return visible(name.trim().slice(0, maxNameLength));
}
