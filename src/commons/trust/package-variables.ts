import { isRecord } from "../../kernel/json.ts";
import { readManifest } from "./package-scripts.ts";
import type { Runnable } from "./runnable.ts";

const fields = ["name", "version", "config", "engines", "bin"];
const maxVariables = 200;
export const variablesId = "package.json variables";

/** The variables that npm gives to scripts, from package.json. */
export function listPackageVariables(root: string): Record<string, string> {
  const manifest = readManifest(root);
  if (!isRecord(manifest)) return {};
  const found: Record<string, string> = {};
  const add = (name: string, value: unknown, depth: number): void => {
    if (Object.keys(found).length >= maxVariables || depth > 10) return;
    if (value === null || value === false) found[name] = "";
    else if (isRecord(value) || Array.isArray(value))
      for (const [key, part] of Object.entries(value)) add(`${name}_${key}`, part, depth + 1);
    else if (value !== undefined) found[name] = String(value).replaceAll("\0", "");
  };
  for (const field of fields) if (Object.hasOwn(manifest, field)) add(`npm_package_${field}`, manifest[field], 0);
  return found;
}

/**
 * Those of the variables that decide what the scripts do: the package's `config`, and what a script mentions. The others are data
 * like any file that a script reads.
 */
export function packageVariableRunnables(root: string): Runnable[] {
  const manifest = readManifest(root);
  const scripts = isRecord(manifest) && isRecord(manifest["scripts"]) ? Object.values(manifest["scripts"]) : [];
  const text = scripts.filter((script) => typeof script === "string").join("\n");
  const bound = Object.entries(listPackageVariables(root))
    .filter(([name]) => name.startsWith("npm_package_config_") || text.includes(name))
    .map(([name, value]) => `${name}=${value}`);
  return text === "" || bound.length === 0 ? [] : [{ id: variablesId, command: bound.sort() }];
}
