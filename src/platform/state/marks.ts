import { futimesSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createFileOnce, readSmallFile, replaceFile, withPlainFile } from "../files/small-file.ts";
import { isStateFolder, makeStateFolder } from "./state-folder.ts";

/**
 * Small files beside the project's database: which versions of Forge use it, and where its server listens. They are notes for
 * `forge doctor`: that one cannot be written does not matter.
 */

const versionPrefix = "used-by-";
const serverFile = "server.json";
const portFile = "port";
const maxMarkBytes = 4096;

export type VersionMark = { version: string; lastUsed: number };

/** Notes that this version uses the project's database. Creates no folder: a read must leave no trace. */
export function writeVersionMark(stateDir: string, version: string): void {
  quietly(() => {
    if (!isStateFolder(stateDir)) return;
    const now = new Date();
    withPlainFile(join(stateDir, versionPrefix + version), "create", (file) => futimesSync(file, now, now));
  });
}

export function readVersionMarks(stateDir: string): VersionMark[] {
  const names = quietly(() => readdirSync(stateDir)) ?? [];
  return names
    .filter((name) => /^used-by-\d[\w.+-]{0,60}$/.test(name))
    .map((name) => ({
      version: name.slice(versionPrefix.length),
      lastUsed: quietly(() => lstatSync(join(stateDir, name)).mtimeMs) ?? 0,
    }));
}

/** Notes that the project has governance data, so that its tools are offered without opening the database. */
export function markGovernance(stateDir: string): void {
  quietly(() => {
    makeStateFolder(stateDir);
    createFileOnce(join(stateDir, "governance"), "", 0o600);
  });
}

export type ServerMark = { url: string; pid: number; version: string };

/** Notes where this project's server listens; returns how to take the note back. */
export function writeServerMark(stateDir: string, mark: ServerMark): () => void {
  quietly(() => {
    makeStateFolder(stateDir);
    replaceFile(join(stateDir, serverFile), JSON.stringify(mark), 0o600);
  });
  return () => {
    if (readServerMark(stateDir)?.pid === mark.pid) removeServerMark(stateDir);
  };
}

/** Only an address of this machine counts, since callers send a request there. */
export function readServerMark(stateDir: string): ServerMark | undefined {
  return quietly(() => {
    if (!isStateFolder(stateDir)) return undefined;
    const { url, pid, version } = JSON.parse(readSmallFile(join(stateDir, serverFile), maxMarkBytes) ?? "{}");
    const isLocal = typeof url === "string" && /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5}$/.test(url);
    return isLocal && Number.isSafeInteger(pid) && typeof version === "string" ? { url, pid, version } : undefined;
  });
}

export function removeServerMark(stateDir: string): void {
  quietly(() => isStateFolder(stateDir) && rmSync(join(stateDir, serverFile), { force: true }));
}

/** The port that this project's server had before, so that addresses in the configuration of clients stay right. */
export function readPort(stateDir: string): number | undefined {
  return quietly(() => {
    if (!isStateFolder(stateDir)) return undefined;
    const port = Number(readSmallFile(join(stateDir, portFile), maxMarkBytes) ?? "");
    return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : undefined;
  });
}

export function writePort(stateDir: string, port: number): void {
  quietly(() => {
    makeStateFolder(stateDir);
    replaceFile(join(stateDir, portFile), `${port}\n`, 0o600);
  });
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
