import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFileOnce, ensurePrivateFolder, entryAt } from "./files.ts";

/**
 * Small files beside the project's database: which versions of Forge use it, and where its server listens. They are notes for
 * `forge doctor`; where one cannot be written, nothing else suffers.
 */

const versionPrefix = "used-by-";
const serverFile = "server.json";

export type VersionMark = { version: string; lastUsed: number };

/** Notes that this version uses the project's database. Makes no folder: whoever keeps nothing leaves no trace. */
export function markVersion(stateDir: string, version: string): void {
  quietly(() => {
    if (!entryAt(stateDir)?.isDirectory()) return;
    const file = join(stateDir, versionPrefix + version);
    closeSync(openSync(file, "a", 0o600));
    const now = new Date();
    utimesSync(file, now, now);
  });
}

export function markedVersions(stateDir: string): VersionMark[] {
  const names = quietly(() => readdirSync(stateDir)) ?? [];
  return names
    .filter((name) => /^used-by-\d[\w.+-]{0,60}$/.test(name))
    .map((name) => ({
      version: name.slice(versionPrefix.length),
      lastUsed: quietly(() => statSync(join(stateDir, name)).mtimeMs) ?? 0,
    }));
}

export type ServerMark = { url: string; pid: number; version: string };

/** Notes where this project's server listens; returns how to take the note back. */
export function markServer(stateDir: string, mark: ServerMark): () => void {
  const file = join(stateDir, serverFile);
  quietly(() => {
    if (!entryAt(stateDir)) ensurePrivateFolder(stateDir);
    if (!entryAt(stateDir)?.isDirectory() || entryAt(file)?.isSymbolicLink()) return;
    createFileOnce(join(stateDir, ".gitignore"), "*\n", 0o644);
    writeFileSync(file, JSON.stringify(mark), { mode: 0o600 });
  });
  return () => {
    if (markedServer(stateDir)?.pid === mark.pid) unmarkServer(stateDir);
  };
}

/** Only an address of this machine counts: whoever asks it sends a request there. */
export function markedServer(stateDir: string): ServerMark | undefined {
  return quietly(() => {
    const { url, pid, version } = JSON.parse(readFileSync(join(stateDir, serverFile), "utf8"));
    const isLocal = typeof url === "string" && /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5}$/.test(url);
    return isLocal && Number.isSafeInteger(pid) && typeof version === "string" ? { url, pid, version } : undefined;
  });
}

export function unmarkServer(stateDir: string): void {
  quietly(() => rmSync(join(stateDir, serverFile), { force: true }));
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
