import { parse, TomlError } from "smol-toml";
import { BrokenManifest } from "../manifest.ts";

const deepest = 50;

export function tomlTable(text: string): Record<string, unknown> {
  try {
    return parse(text, { integersAsBigInt: "asNeeded", maxDepth: deepest });
  } catch (error) {
    const line = error instanceof TomlError ? ` (line ${error.line})` : "";
    throw new BrokenManifest(`is not valid TOML${line}`);
  }
}
