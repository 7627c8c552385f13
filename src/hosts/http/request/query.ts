import type { Context } from "hono";
import type { z } from "zod";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Route } from "../../../kernel/route.ts";
import { nameOf } from "../../../kernel/serve-route.ts";

/** A name that is given several times stands for a list, which only routes that want one accept. */
export function queryOf<Services>(context: Context, route: Route<Services>): Record<string, string | string[]> {
  if (!context.req.url.includes("?")) return {};
  const given = Object.entries(context.req.queries()).map(([name, values]) => {
    const [first = "", ...more] = values;
    if (more.length > 0) requireList(route, name, values);
    return [name, more.length === 0 ? first : values] as const;
  });
  return Object.fromEntries(given);
}

function requireList<Services>(route: Route<Services>, name: string, values: readonly string[]): void {
  const known: Record<string, z.ZodType | undefined> = route.query.shape;
  const field = Object.hasOwn(known, name) ? known[name] : undefined;
  // Of a list that does not fit, the schema says what is wrong; a name that nobody knows is refused behind this.
  if (!field || takesList(field)) return;
  throw new ForgeError(
    "VALIDATION_ERROR",
    `Invalid query for ${nameOf(route)}: ${name}: given ${values.length} times, and one value is expected.`,
    { details: { name, given: values.length }, next: [`Send ${name} once.`] },
  );
}

/** Whether it keeps one: a schema that makes numbers of things makes one of a list too. */
function takesList(field: z.ZodType): boolean {
  return typeof field.safeParse([]).data === "object";
}
