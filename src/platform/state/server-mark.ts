import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { readSmallFile, replaceFile } from "../files/small-file.ts";
import { ensurePrivateFolder } from "../files/write/private-folder.ts";
import { userPath } from "../host/user-folder.ts";
import { quietly } from "./marks.ts";

const maxMarkBytes = 4096;

export type ServerMark = { url: string; pid: number; version: string };

/** In the user's home: a project's file could name a port where another user of the machine waits for browsers and assistants. */
export function serverMarkFile(stateDir: string): string {
  const name = createHash("sha256").update(stateDir).digest("hex").slice(0, 32);
  return userPath("links", `${name}-server`);
}

/** Notes where this project's server listens; returns how to take the note back. */
export function writeServerMark(stateDir: string, mark: ServerMark): () => void {
  quietly(() => {
    const file = serverMarkFile(stateDir);
    for (const folder of [dirname(dirname(file)), dirname(file)]) ensurePrivateFolder(folder);
    replaceFile(file, JSON.stringify(mark), 0o600);
  });
  return () => {
    if (readServerMark(stateDir)?.pid === mark.pid) removeServerMark(stateDir);
  };
}

/** Only an address of this machine counts, since callers send a request there. */
export function readServerMark(stateDir: string): ServerMark | undefined {
  return quietly(() => {
    const { url, pid, version } = JSON.parse(readSmallFile(serverMarkFile(stateDir), maxMarkBytes) ?? "{}");
    const isLocal = typeof url === "string" && /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5}$/.test(url);
    return isLocal && Number.isSafeInteger(pid) && typeof version === "string" ? { url, pid, version } : undefined;
  });
}

export function removeServerMark(stateDir: string): void {
  quietly(() => rmSync(serverMarkFile(stateDir), { force: true }));
}
