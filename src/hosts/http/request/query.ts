import type { Context } from "hono";
import type { z } from "zod";
import { nameOf } from "../../../kernel/calls/serve-route.ts";
import type { Route } from "../../../kernel/definitions/route.ts";
import { ForgeError } from "../../../kernel/errors.ts";

/** A name that is given several times is a list, which only some parameters accept. */
export function readQuery<Services>(context: Context, route: Route<Services>): Record<string, string | string[]> {
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
  // The schema reports lists that are not valid, and unknown names.
  if (!field || acceptsList(field)) return;
  throw new ForgeError(
    "VALIDATION_ERROR",
    `Invalid query for ${nameOf(route)}: ${name}: given ${values.length} times, but one value is expected.`,
    { details: { name, given: values.length }, next: [`Send ${name} once.`] },
  );
}

/** Whether it keeps a list as a list: a schema that coerces to a number coerces a list too. */
function acceptsList(field: z.ZodType): boolean {
  return typeof field.safeParse([]).data === "object";
}
