import { createHash, randomInt } from "node:crypto";

const idCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const idLength = 6;

/** As in users' files: six letters and digits. */
export function createId(): string {
  return Array.from({ length: idLength }, () => idCharacters[randomInt(idCharacters.length)]).join("");
}

/** For what came without one: the same each time it is read. */
export function deriveId(of: readonly string[]): string {
  const bytes = createHash("sha256").update(JSON.stringify(of)).digest();
  return Array.from(
    { length: idLength },
    (_, index) => idCharacters[bytes.readUInt32BE(index * 4) % idCharacters.length],
  ).join("");
}

/** One text for the two ids of a task: how it is claimed, and named in the ledger. An id out of a file may have a slash in it. */
export function taskKey(blockId: string, taskId: string): string {
  return `${escapeId(blockId)}/${escapeId(taskId)}`;
}

/** The two ids again. */
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
