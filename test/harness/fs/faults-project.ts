import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { comparingOpener } from "../../../src/platform/files/root/comparing-opener.ts";
import { type FileOpener, systemOpener } from "../../../src/platform/files/root/file-opener.ts";
import { SafeRoot } from "../../../src/platform/files/root/safe-root.ts";
import { faultFolder } from "../faults/faults.ts";

/** How this system opens files, and how systems do that cannot report the path of an open file. */
export const openings: [name: string, how: FileOpener][] = [
  ["as this system does it", systemOpener],
  ["as systems do it whose descriptors do not tell their place", comparingOpener],
];

/** A project with these files (`../` is next to it); removed after the test. */
export function projectWith(
  how: FileOpener,
  files: Record<string, string | Buffer> = {},
): { folder: string; root: SafeRoot } {
  const folder = join(faultFolder(), "root");
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return { folder, root: SafeRoot.at(folder, { opening: how }) };
}

export const failing = (code: string, message?: RegExp) =>
  expect.objectContaining({ code, ...(message && { message: expect.stringMatching(message) }) });
