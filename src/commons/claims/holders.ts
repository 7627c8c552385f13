import { createHash } from "node:crypto";
import { allows, type Principal } from "../../kernel/principal.ts";
import { visible } from "../../kernel/text/visible.ts";
import { workerNameNeeded } from "./errors.ts";

/** Who holds a claim, as text that people read: `ada/claude-code#1f9c2a70b3de`, `ada/cursor:worker-2`, `ada/forge`. */

/** How long to wait for a process that is ending, before taking what it holds counts as failed. */
export const holderTimeoutMs = 3_500;

const maxNameLength = 100;
const markLength = 12;

export function holderOf(principal: Principal, worker: string | undefined): string {
  if (worker !== undefined) return `${ownerOf(principal)}:${workerMark(worker)}`;
  if (principal.atKeyboard) return ownerOf(principal);
  if (principal.instance === undefined) throw workerNameNeeded();
  return instanceOf(principal, principal.instance);
}

/** A process of this machine, for as long as it runs, whichever client it serves. */
export function processHolder(principal: Principal, mark: string): string {
  return `${clean(principal.name)}/forge-execute.${process.pid}${markOf(principal, mark)}`;
}

/** A process of another machine. */
export function remoteHolder(principal: Principal): string {
  if (principal.instance === undefined) throw workerNameNeeded();
  return `${clean(principal.name)}/forge-execute${markOf(principal, principal.instance)}`;
}

/** The number of that process; undefined for any other holder. */
export function processOf(holder: string): number | undefined {
  const [, pid] = /\/forge-execute\.(\d{1,10})#[0-9a-f]{12}$/.exec(holder) ?? [];
  return pid === undefined ? undefined : Number(pid);
}

/**
 * Whether a claim is this caller's. A caller without a connection is known by its owner. A person can override any claim on a
 * laptop; on a server, those of their own assistants, and an admin any.
 */
export function isHolder(holder: string, principal: Principal): boolean {
  const isTheirs = isOfPerson(holder, principal);
  if (principal.atKeyboard) return principal.kind === "local" || isTheirs || allows(principal, "access:write");
  const owner = ownerOf(principal);
  if (principal.instance === undefined) {
    return holder === owner || holder.startsWith(`${owner}#`) || holder.startsWith(`${owner}:`);
  }
  // By person and mark alone: a process can hold a claim for an assistant that names itself later.
  return isTheirs && holder.endsWith(markOf(principal, principal.instance));
}

/** Whether it is held by a connection, and not by a name that outlives one. */
export function isOfConnection(holder: string): boolean {
  return /#[0-9a-f]{12}$/.test(holder);
}

/** Whether it is held by this person, or for them. */
export function isOfPerson(holder: string, { name }: Pick<Principal, "name">): boolean {
  return holder.startsWith(`${clean(name)}/`);
}

function ownerOf({ name, agent, atKeyboard }: Principal): string {
  return `${clean(name)}/${clean(atKeyboard ? "forge" : (agent ?? "unnamed"))}`;
}

function instanceOf(principal: Principal, instance: string): string {
  return `${ownerOf(principal)}${markOf(principal, instance)}`;
}

/** Everyone may see the mark: it does not reveal the connection's own name, and nobody else can use it. */
function markOf({ id }: Principal, instance: string): string {
  return `#${createHash("sha256")
    .update(JSON.stringify([id, instance]))
    .digest("hex")
    .slice(0, markLength)}`;
}

/**
 * An assistant makes up the name of its worker, and others read it in errors and lists. Only a short word is shown; in place of
 * anything that could say something there is a mark.
 */
function workerMark(worker: string): string {
  return /^[\w.-]{1,32}$/.test(worker)
    ? worker
    : `worker-${createHash("sha256").update(worker).digest("hex").slice(0, markLength)}`;
}

/** Others choose these names: nothing in one can look like the separators between the parts, and no two become the same. */
function clean(name: string): string {
  const isLong = name.length > maxNameLength;
  const shown = visible(name.slice(0, maxNameLength)).replaceAll(/[%/#:]/g, encodeURIComponent);
  return isLong ? `${shown}…${createHash("sha256").update(name).digest("hex").slice(0, markLength)}` : shown;
}
