import { join } from "node:path";
import { readSmallFile } from "../../../platform/files/small-file.ts";

/** The guides in files beside this module. The build puts their text in its place: a bundle has no files beside it. */
export const builtInGuides = { "dev-executor": textOf("dev-executor"), "dev-reviewer": textOf("dev-reviewer") };

function textOf(name: string): string {
  const text = readSmallFile(join(import.meta.dirname, `${name}.md`), 65_536);
  if (text === undefined) throw new Error(`the guide ${name}.md is missing beside its module`);
  return text;
}
