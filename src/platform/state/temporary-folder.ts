import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isAlive } from "../host/lifecycle.ts";
import { machineName } from "../host/machine-name.ts";

const swept = new Set<string>();

/** Lends a folder of its own, for its owner only and outside every project, for as long as the work takes. */
export async function withTemporaryFolder<T>(
  purpose: string,
  work: (folder: string) => Promise<T>,
  parent = tmpdir(),
): Promise<T> {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const place = realpathSync.native(parent);
  if (!swept.has(place)) removeAbandoned(place);
  swept.add(place);
  const folder = mkdtempSync(join(place, `forge-${purpose}-${processSpace}-${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a new file below a temporary folder, for its owner only. It need not survive a power cut. */
export function writeTemporaryFile(path: string, content: string | Uint8Array, mode: 0o600 | 0o700 = 0o600): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, content, { mode, flag: "wx" });
}

/** Where a process number means what it means here: containers may share the folder, but not the numbers. */
const processSpace = createHash("sha256").update(nameProcessSpace()).digest("hex").slice(0, 8);

function nameProcessSpace(): string {
  try {
    return `${machineName()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return machineName();
  }
}

/** Folders of this user's processes that were killed before they could remove them. */
function removeAbandoned(place: string): void {
  for (const entry of listQuietly(place)) {
    const [, space, pid] = /^forge-[a-z]+-([0-9a-f]{8})-(\d{1,10})-/.exec(entry) ?? [];
    if (pid === undefined || space !== processSpace || isAlive(Number(pid)) || !isOwn(join(place, entry))) continue;
    rmSync(join(place, entry), { recursive: true, force: true });
  }
}

function isOwn(path: string): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  return entry?.isDirectory() === true && entry.uid === (process.getuid?.() ?? entry.uid);
}

function listQuietly(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
