import { createHash, randomInt } from "node:crypto";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const length = 6;

/** As in users' files: six letters and digits. */
export function newId(): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join("");
}

/** For what came without one: the same each time it is read. */
export function derivedId(of: readonly string[]): string {
  const bytes = createHash("sha256").update(JSON.stringify(of)).digest();
  return Array.from({ length }, (_, index) => letters[bytes.readUInt32BE(index * 4) % letters.length]).join("");
}

/** One text for the two ids of a task: how it is claimed, and named in the ledger. An id out of a file may have a slash in it. */
export function taskKey(blockId: string, taskId: string): string {
  return `${escaped(blockId)}/${escaped(taskId)}`;
}

/** The two ids again. */
export function fromTaskKey(key: string): { blockId: string; taskId: string } {
  const [blockId = "", taskId = ""] = key.split("/", 2).map(plain);
  return { blockId, taskId };
}

function plain(text: string): string {
  return text.replaceAll("%2F", "/").replaceAll("%25", "%");
}

function escaped(id: string): string {
  return id.replaceAll("%", "%25").replaceAll("/", "%2F");
}
