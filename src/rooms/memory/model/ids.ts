import { createHash } from "node:crypto";
import type { Collection } from "./memory.ts";

const dnsNamespace = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
/** Code points of the text that are part of the historic id. */
const historicLength = 150;

/** The kit's own name for a project in ids and collections: `bmad-demo-project`. */
export function toAppId(projectName: string): string {
  return `bmad-${projectName.toLowerCase().replaceAll(" ", "-")}`;
}

/** The same type, agent and text always have one id, in one project; the type is part of it. */
export function memoryId(appId: string, type: Collection, agent: string, text: string): string {
  return uuid5(uuid5(dnsNamespace, type), `${appId}:${agent}:${text}`);
}

/** The id that the BMAD kit gives the same memory: the text's beginning, and no type. */
export function historicId(appId: string, agent: string, text: string): string {
  return uuid5(dnsNamespace, `${appId}:${agent}:${[...text].slice(0, historicLength).join("")}`);
}

export function uuid5(namespace: string, name: string): string {
  const hash = createHash("sha1")
    .update(Buffer.from(namespace.replaceAll("-", ""), "hex"))
    .update(name, "utf8")
    .digest()
    .subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
