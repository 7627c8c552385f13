import { createHash, randomInt } from "node:crypto";

const idCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const idLength = 6;

/** Six letters and digits, as in users' files. */
export function createId(): string {
  return Array.from({ length: idLength }, () => idCharacters[randomInt(idCharacters.length)]).join("");
}

/** For entries of a file without an id: the same each time the file is read. */
export function deriveId(of: readonly string[]): string {
  const bytes = createHash("sha256").update(JSON.stringify(of)).digest();
  return Array.from(
    { length: idLength },
    (_, index) => idCharacters[bytes.readUInt32BE(index * 4) % idCharacters.length],
  ).join("");
}

/** The two ids of a task in one text, for claims and the ledger. An id from a file may contain a slash. */
export function taskKey(blockId: string, taskId: string): string {
  return `${escapeId(blockId)}/${escapeId(taskId)}`;
}

/** How the ledger names a task. */
export function taskReference(blockId: string, taskId: string): string {
  return `task:${taskKey(blockId, taskId)}`;
}

/** The two ids of a key. */
export function parseTaskKey(key: string): { blockId: string; taskId: string } {
  const [blockId = "", taskId = ""] = key.split("/", 2).map(unescapeId);
  return { blockId, taskId };
}

function unescapeId(text: string): string {
  return text.replaceAll("%2F", "/").replaceAll("%25", "%");
}

function escapeId(id: string): string {
  return id.replaceAll("%", "%25").replaceAll("/", "%2F");
}
