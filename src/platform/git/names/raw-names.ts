import { isUtf8 } from "node:buffer";
import { visible } from "../../../kernel/text/visible.ts";
import { decodeName } from "./decode-name.ts";

/** A file's name with one character per byte (Latin-1), whatever its encoding: equal exactly where the names are. */
export type RawName = string;

const maxListed = 10;

export function toRecords(output: Buffer): RawName[] {
  const records = output.toString("latin1").split("\0");
  if (records.at(-1) === "") records.pop();
  return records;
}

/** What a command reads with `-z --stdin`. */
export function fromRecords(records: readonly RawName[]): Buffer {
  return Buffer.from(records.map((record) => `${record}\0`).join(""), "latin1");
}

export function bytesOf(name: RawName): Buffer {
  return Buffer.from(name, "latin1");
}

export function rawOf(name: string): RawName {
  return Buffer.from(name).toString("latin1");
}

export function textOf(name: RawName): string {
  return decodeName(bytesOf(name));
}

/** The text of a name or path that is to be used as such; undefined where it has none. */
export function exactText(name: RawName): string | undefined {
  const bytes = bytesOf(name);
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/** The name behind what {@link textOf} showed of bytes that are no UTF-8. */
export function rawOfShown(shown: string): RawName {
  return rawOf(shown).replace(/\\x([0-9A-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** Some names for a message, on one line. */
export function listNames(names: readonly string[]): string {
  const some = names.slice(0, maxListed).map(visible).join(", ");
  return names.length > maxListed ? `${some} and ${names.length - maxListed} more` : some;
}
