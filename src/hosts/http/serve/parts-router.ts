import { type ParamIndexMap, type Result, type Router, UnsupportedPathError } from "hono/router";

type Entry<T> = { method: string; parts: readonly string[]; handler: T };
type Handlers<T> = [T, ParamIndexMap][];
/** A path that somebody answers at, with its handlers by method. */
type Place<T> = { parts: readonly string[]; handlers: Map<string, Handlers<T>> };

/**
 * Finds what answers a path. Paths here are made of whole parts: names, variables (`:id`), and `*` at the end. Hono's quick router
 * takes no name beside a variable (`/tickets/archived`, `/tickets/:id`), and its other one costs as much as all else it does.
 */
export class PartsRouter<T> implements Router<T> {
  readonly name = "PartsRouter";
  readonly #entries: Entry<T>[] = [];
  readonly #fixed = new Map<string, Place<T>>();
  /** By the number of their parts, those with fewer variables first. */
  readonly #variable = new Map<number, Place<T>[]>();

  add(method: string, path: string, handler: T): void {
    if (/[{}?]|\*./.test(path)) throw new UnsupportedPathError(path);
    const parts = (path === "*" ? "/*" : path).split("/");
    this.#entries.push({ method, parts, handler });
    for (const place of this.#places()) place.handlers.clear();
    if (parts.at(-1) === "*") return;
    const place = { parts, handlers: new Map() };
    if (!path.includes("/:")) this.#fixed.set(path, place);
    else {
      const alike = this.#variable.get(parts.length) ?? [];
      const isKnown = alike.some((known) => known.parts.join("/") === path);
      const all = isKnown ? alike : [...alike, place];
      this.#variable.set(
        parts.length,
        all.sort((a, b) => variablesIn(a) - variablesIn(b)),
      );
    }
  }

  match(method: string, path: string): Result<T> {
    const parts = path.split("/");
    const place =
      this.#fixed.get(path) ?? this.#variable.get(parts.length)?.find((known) => covers(known.parts, parts));
    if (!place) return [this.#handlersFor(method, parts), parts];
    let handlers = place.handlers.get(method);
    if (!handlers) {
      handlers = this.#handlersFor(method, place.parts);
      place.handlers.set(method, handlers);
    }
    return [handlers, parts];
  }

  /** In the order they were added, as everywhere in Hono. */
  #handlersFor(method: string, parts: readonly string[]): Handlers<T> {
    return this.#entries
      .filter((entry) => (entry.method === method || entry.method === "ALL") && covers(entry.parts, parts))
      .map(({ handler, parts: own }) => [handler, variablePlaces(own)]);
  }

  *#places(): Iterable<Place<T>> {
    yield* this.#fixed.values();
    for (const alike of this.#variable.values()) yield* alike;
  }
}

function variablesIn({ parts }: { parts: readonly string[] }): number {
  return parts.filter((part) => part.startsWith(":")).length;
}

/** Whether it matches everything that the other pattern, or the path, matches. */
function covers(known: readonly string[], parts: readonly string[]): boolean {
  const rest = known.at(-1) === "*" ? known.length - 1 : undefined;
  if (rest === undefined ? parts.length !== known.length : parts.length < rest) return false;
  return known.every(
    (name, index) => index === rest || (name.startsWith(":") ? parts[index] !== "" : name === parts[index]),
  );
}

/** Where in the path each variable is. */
function variablePlaces(parts: readonly string[]): ParamIndexMap {
  const places: ParamIndexMap = {};
  for (const [index, part] of parts.entries()) if (part.startsWith(":")) places[part.slice(1)] = index;
  return places;
}
