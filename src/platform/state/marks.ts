import { futimesSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createFileOnce, readSmallFile, replaceFile, withPlainFile } from "../files/small-file.ts";
import { isStateFolder, makeStateFolder } from "./state-folder.ts";

/**
 * Small files: which versions of Forge use the project's database, and which port its server had. That one cannot
 * be written does not matter.
 */

const versionPrefix = "used-by-";
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

/** Notes are of use where they can be had; nothing fails without one. */
export function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
