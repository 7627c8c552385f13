import { parse, TomlError } from "smol-toml";
import { BrokenManifest } from "./manifest.ts";

const maxDepth = 50;

export function parseToml(text: string): Record<string, unknown> {
  try {
    return parse(text, { integersAsBigInt: "asNeeded", maxDepth: maxDepth });
  } catch (error) {
    const line = error instanceof TomlError ? ` (line ${error.line})` : "";
    throw new BrokenManifest(`is not valid TOML${line}`);
  }
}
