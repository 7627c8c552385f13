import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../../../kernel/json.ts";
import type { TicketDocument } from "../../model/ticket.ts";
import type { Detail } from "./remainder.ts";

type Place = Detail["at"];

/** Every place where the document differs from what was read back. An element of a list is compared as one value. */
export function findDetails(seen: unknown, document: unknown, at: Place = []): Detail[] {
  if (isDeepStrictEqual(seen, document)) return [];
  if (isRecord(seen) && isRecord(document)) {
    const keys = new Set([...Object.keys(seen), ...Object.keys(document)]);
    return [...keys].flatMap((key) => findDetails(own(seen, key), own(document, key), [...at, key]));
  }
  if (Array.isArray(seen) && Array.isArray(document) && seen.length === document.length)
    return document.flatMap((value, index) =>
      isDeepStrictEqual(seen[index], value) ? [] : [detailAt([...at, index], seen[index], value)],
    );
  return [detailAt(at, seen, document)];
}

function detailAt(at: Place, seen: unknown, value: unknown): Detail {
  return { at, seen: digest(seen), ...(value !== undefined && { value }) };
}

/**
 * Puts the details back into the document that was read, in place. If a person has edited a place since, the edit stays;
 * returns the names of those places.
 */
export function restoreDetails(read: TicketDocument, details: Detail[]): string[] {
  const judged = details.map((detail) => ({ detail, untouched: digest(valueAt(read, detail.at)) === detail.seen }));
  return judged.flatMap(({ detail, untouched }) => {
    const restored = untouched && put(read, detail.at, detail.value);
    return restored || isTrifle(detail) ? [] : [nameOf(detail.at)];
  });
}

/** Only white space or an empty value was hidden: nothing is lost by the edit. */
function isTrifle({ seen, value }: Detail): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (typeof value === "string") return digest(value.replace(/\r\n?/g, "\n").trim()) === seen;
  return Array.isArray(value) && value.length === 0;
}

function digest(value: unknown): string | null {
  return value === undefined ? null : createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

function valueAt(root: unknown, at: Place): unknown {
  let value = root;
  for (const key of at) value = own(value, key);
  return value;
}

function own(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return typeof key === "number" ? value[key] : undefined;
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** False if the place no longer exists: the list is shorter now, or an object became text. */
function put(root: TicketDocument, at: Place, value: unknown): boolean {
  if (value === undefined && valueAt(root, at) === undefined) return true;
  const parent = parentOf(root, at);
  const key = at.at(-1);
  if (Array.isArray(parent) && typeof key === "number" && key < parent.length && value !== undefined) {
    parent[key] = value;
    return true;
  }
  if (!isRecord(parent) || typeof key !== "string") return false;
  if (value === undefined) delete parent[key];
  else define(parent, key, value);
  return true;
}

function parentOf(root: TicketDocument, at: Place): unknown {
  let parent: unknown = root;
  for (const key of at.slice(0, -1)) {
    if (isRecord(parent) && typeof key === "string" && !Object.hasOwn(parent, key)) define(parent, key, {});
    parent = own(parent, key);
  }
  return parent;
}

/** Assigning to `__proto__` would set the prototype instead. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

function nameOf(at: Place): string {
  return at.join(".");
}
