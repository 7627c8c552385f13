import type { Route } from "../definitions/route.ts";
import type { RouteAnswer } from "./serve-route.ts";

/** An answer with what it was made by. */
type KeptAnswer = { output: unknown; revision: unknown; file: unknown; answer: RouteAnswer };

/** By what the route returned. Several routes return the same thing. */
const answers = new WeakMap<object, KeptAnswer>();

/** A route that returns a frozen object again returns the same: it is checked and written as JSON once. */
export function keptAnswer<Services>(route: Route<Services>, given: unknown): RouteAnswer | undefined {
  const kept = route.verbatim && isFrozen(given) ? answers.get(given) : undefined;
  const { output, revision, file } = route;
  return kept?.output === output && kept.revision === revision && kept.file === file ? kept.answer : undefined;
}

export function keepAnswer<Services>(route: Route<Services>, given: unknown, answer: RouteAnswer): void {
  const { output, revision, file } = route;
  if (route.verbatim && isFrozen(given)) answers.set(given, { output, revision, file, answer });
}

function isFrozen(given: unknown): given is object {
  return typeof given === "object" && given !== null && Object.isFrozen(given);
}
