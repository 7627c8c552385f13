import type { Principal } from "../../kernel/principal.ts";
import { visible } from "../../kernel/visible.ts";
import { namelessWorker } from "./errors.ts";

/** Who holds a claim, as text that people read: `ada/claude-code#1f9c2a70b3de`, `ada/cursor:worker-2`, `ada/forge`. */

const longestName = 100;
const markLength = 12;

export function holderOf(principal: Principal, worker: string | undefined): string {
  if (worker !== undefined) return `${ownerOf(principal)}:${clean(worker)}`;
  if (principal.atKeyboard) return ownerOf(principal);
  if (principal.instance === undefined) throw namelessWorker();
  return instanceOf(principal, principal.instance);
}

/**
 * Whether a claim is this caller's. A person's word goes over any claim. Who has no connection to be told by is known by its
 * owner.
 */
export function isHolder(holder: string, principal: Principal): boolean {
  if (principal.atKeyboard) return true;
  const owner = ownerOf(principal);
  if (principal.instance === undefined) {
    return holder === owner || holder.startsWith(`${owner}#`) || holder.startsWith(`${owner}:`);
  }
  // By person and mark alone: a process can hold a claim for an assistant that names itself later.
  return holder.startsWith(`${clean(principal.name)}/`) && holder.endsWith(markOf(principal.instance));
}

function ownerOf({ name, agent, atKeyboard }: Principal): string {
  return `${clean(name)}/${clean(atKeyboard ? "forge" : (agent ?? "unnamed"))}`;
}

function instanceOf(principal: Principal, instance: string): string {
  return `${ownerOf(principal)}${markOf(instance)}`;
}

function markOf(instance: string): string {
  return `#${instance.replaceAll("-", "").slice(0, markLength)}`;
}

/** A client chooses its name: nothing in it can pose as the marks between the parts. */
function clean(name: string): string {
  return visible(name.slice(0, longestName)).replaceAll(/[/#:]/g, "_");
}
