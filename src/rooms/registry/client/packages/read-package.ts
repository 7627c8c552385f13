import { posix } from "node:path";
import { valid } from "semver";
import { parseYaml } from "../../../../commons/yaml/parse-yaml.ts";
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
    for (const [needed, range] of Object.entries(pluginFacts(fields).dependencies ?? {}))
      if (!isPluginName(needed) || range.length > 200 || !isRange(range))
        throw hostilePackage(`${path} has a dependency that cannot be resolved: ${needed.slice(0, 100)}`);
    return { name, version, fields };
  }
  throw hostilePackage("it has no plugin.json");
}

function parseFields(file: PackageFile): Fields {
  try {
    const text = textOf(file);
    const value: unknown = file.path.endsWith(".json") ? JSON.parse(text) : parseYaml(text).value;
    if (isRecord(value) && !isDeeperThan(value, maxDepth)) return value;
  } catch {
    // Said below, as for anything else that is not a manifest.
  }
  throw hostilePackage(`${file.path} cannot be read`);
}

const partFile = /^(agents|tools|skills)\/(?:([^/]+)\/(?:agent|tool|SKILL)\.(?:md|ya?ml)|([^/]+)\.(?:md|ya?ml))$/i;

/** Its agents, skills and tools. One that cannot be read is an error: it would be of no use once installed. */
export function readParts(files: readonly PackageFile[]): PackagePart[] {
  return files.flatMap((file): PackagePart[] => {
    const [, folder, inFolder, plain] = partFile.exec(file.path) ?? [];
    const fallbackName = inFolder ?? plain;
    if (folder === undefined || fallbackName === undefined || /^readme$/i.test(fallbackName)) return [];
    const kind = folder.toLowerCase() === "tools" ? "tool" : "agent";
    if (file.bytes.length > maxDefinitionBytes)
      throw hostilePackage(`${file.path} is larger than ${maxDefinitionBytes} bytes`);
    const text = textOf(file);
    try {
      const definition = parseDefinition(text, { path: file.path, kind, fallbackName });
      return [{ kind, name: definition.name, path: file.path, text, definition }];
    } catch (error) {
      if (!(error instanceof DefinitionFault)) throw error;
      if (posix.extname(file.path) === ".md" && error.message.startsWith("it has no front matter")) return [];
      throw hostilePackage(`${file.path} cannot be read: ${error.message}`);
    }
  });
}

function textOf({ path, bytes }: PackageFile): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw hostilePackage(`${path} is not UTF-8`);
  }
}
