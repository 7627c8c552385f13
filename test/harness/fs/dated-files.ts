import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Writes a file as if that had been at a time, in seconds since the epoch. */
export function writeDated(root: string, name: string, seconds: number, text = ""): void {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, seconds, seconds);
}

/** A folder with empty files, each from its time. */
export function makeDatedFolder(files: Record<string, number>): string {
  const root = mkdtempSync(join(tmpdir(), "forge-dated-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, seconds] of Object.entries(files)) writeDated(root, name, seconds);
  return root;
}
