import { posix } from "node:path";
import { valid } from "semver";
import { splitFrontMatter } from "../../../../commons/yaml/front-matter.ts";
import { countYamlValues, parseYaml } from "../../../../commons/yaml/parse-yaml.ts";
import { isDeeperThan, isRecord } from "../../../../kernel/json.ts";
import type { Definition } from "../definitions/definition.ts";
import { textIn } from "../definitions/field-values.ts";
import { DefinitionFault, maxDefinitionBytes, parseDefinition } from "../definitions/parse-definition.ts";
import { isRange } from "../definitions/versions.ts";
import { isPluginName, manifestFiles, maxManifestBytes, pluginFacts } from "../plugins/manifest.ts";
import type { Fields, Kind } from "../types.ts";
import { hostilePackage } from "./errors.ts";
import type { PackageFile } from "./package-files.ts";

/** A package's manifest, wherever it is in its files. */
export type PackageManifest = { name: string; version: string; fields: Fields };
export type PackagePart = { kind: Kind; name: string; path: string; text: string; definition: Definition };

/** As deep as a registry's own answers may be. */
const maxDepth = 90;
const maxParts = 1_000;
const maxValues = { each: 10_000, all: 100_000 };
/** Judging a range takes longer the longer it is. */
const maxDependencies = { count: 1_000, characters: 20_000 };

export function readManifest(files: readonly PackageFile[]): PackageManifest {
  for (const path of manifestFiles) {
    const file = files.find((candidate) => candidate.path === path);
    if (!file) continue;
    if (file.bytes.length > maxManifestBytes) throw hostilePackage(`${path} is larger than ${maxManifestBytes} bytes`);
    const fields = parseFields(file);
    const [name, version] = [textIn(fields, "name"), textIn(fields, "version")];
    if (name === undefined || !isPluginName(name)) throw hostilePackage(`${path} has no usable name`);
    if (version === undefined || valid(version) !== version || version.length > 64)
      throw hostilePackage(`${path} has no version such as 1.2.0`);
    requireDependencies(path, fields);
    return { name, version, fields };
  }
  throw hostilePackage("it has no plugin.json");
}

function requireDependencies(path: string, fields: Fields): void {
  const dependencies = Object.entries(pluginFacts(fields).dependencies ?? {});
  const { count, characters } = maxDependencies;
  if (dependencies.length > count || dependencies.reduce((sum, [, { length }]) => sum + length, 0) > characters)
    throw hostilePackage(`${path} has more than ${count} dependencies, or ${characters} characters in their versions`);
  for (const [needed, range] of dependencies)
    if (!isPluginName(needed) || range.length > 200 || !isRange(range))
      throw hostilePackage(`${path} has a dependency that cannot be resolved: ${needed.slice(0, 100)}`);
}

function parseFields(file: PackageFile): Fields {
  try {
    const text = textOf(file);
    const value: unknown = file.path.endsWith(".json")
      ? JSON.parse(text)
      : parseYaml(text, { maxValues: maxValues.each }).value;
    if (isRecord(value) && !isDeeperThan(value, maxDepth)) return value;
  } catch {
    // Said below, as for anything else that is not a manifest.
  }
  throw hostilePackage(`${file.path} cannot be read`);
}

const partFile = /^(agents|tools|skills)\/(?:([^/]+)\/(?:agent|tool|SKILL)\.(?:md|ya?ml)|([^/]+)\.(?:md|ya?ml))$/i;

/** Its agents, skills and tools. One that cannot be read is an error: it would be of no use once installed. */
export async function readParts(files: readonly PackageFile[]): Promise<PackagePart[]> {
  const parts: PackagePart[] = [];
  let values = 0;
  for (const file of files) {
    const [, folder, inFolder, plain] = partFile.exec(file.path) ?? [];
    const fallbackName = inFolder ?? plain;
    if (folder === undefined || fallbackName === undefined || /^readme$/i.test(fallbackName)) continue;
    // A server answers others between two of them.
    await new Promise(setImmediate);
    const kind = folder.toLowerCase() === "tools" ? "tool" : "agent";
    if (file.bytes.length > maxDefinitionBytes)
      throw hostilePackage(`${file.path} is larger than ${maxDefinitionBytes} bytes`);
    const text = textOf(file);
    values += requireFewValues(file.path, posix.extname(file.path) === ".md" ? splitFrontMatter(text)?.front : text);
    if (values > maxValues.all) throw hostilePackage(`its agents and tools have more than ${maxValues.all} values`);
    const part = readPart(text, { path: file.path, kind, fallbackName });
    if (part) parts.push(part);
    if (parts.length > maxParts) throw hostilePackage(`it has more than ${maxParts} agents and tools`);
  }
  return parts;
}

/** Undefined for a text without front matter, which is no definition. */
function readPart(text: string, place: { path: string; kind: Kind; fallbackName: string }): PackagePart | undefined {
  const { path, kind } = place;
  try {
    const definition = parseDefinition(text, place);
    return { kind, name: definition.name, path, text, definition };
  } catch (error) {
    if (!(error instanceof DefinitionFault)) throw error;
    if (posix.extname(path) === ".md" && error.message.startsWith("it has no front matter")) return undefined;
    throw hostilePackage(`${path} cannot be read: ${error.message}`);
  }
}

function requireFewValues(path: string, yaml = ""): number {
  const count = countYamlValues(yaml);
  if (count > maxValues.each) throw hostilePackage(`${path} has more than ${maxValues.each} values`);
  return count;
}

function textOf({ path, bytes }: PackageFile): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw hostilePackage(`${path} is not UTF-8`);
  }
}
