import { setImmediate as nextTurn } from "node:timers/promises";

/** How many tickets a dependency is followed through. */
const maxFollowed = 1_000;
/** How many are looked up before others are served: each can wait for thousands. */
const lookedUpAtOnce = 50;

/** What each of some tickets waits for; one that does not exist is left out. */
type LookUp = (ids: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;

/**
 * The way from a ticket back to itself, if it would wait for these. Of each ticket on the way only the one before it is kept: with a list
 * of all of them for every dependency, a thousand tickets that wait for each other would fill the memory.
 */
export async function findCycle(own: string, given: readonly string[], lookUp: LookUp): Promise<string[] | undefined> {
  const before = new Map<string, string>();
  let next = note(before, own, given);
  while (next.length > 0 && !before.has(own)) {
    const reached: string[] = [];
    for (let at = 0; at < next.length && !before.has(own); at += lookedUpAtOnce) {
      const needed = await lookUp(next.slice(at, at + lookedUpAtOnce));
      for (const [id, ids] of needed) reached.push(...note(before, id, ids, own));
      await nextTurn();
    }
    next = reached;
  }
  return before.has(own) ? wayBack(before, own) : undefined;
}

/** Notes by which ticket these are reached; returns those that were not reached before. */
function note(before: Map<string, string>, id: string, ids: readonly string[], own = ""): string[] {
  const fresh: string[] = [];
  for (const one of ids) {
    if (before.has(one) || (before.size >= maxFollowed && one !== own)) continue;
    before.set(one, id);
    fresh.push(one);
  }
  return fresh;
}

function wayBack(before: ReadonlyMap<string, string>, own: string): string[] {
  const way = [own];
  for (let at = before.get(own); at !== undefined && at !== own; at = before.get(at)) way.unshift(at);
  return [own, ...way];
}
