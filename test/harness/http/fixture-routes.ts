import * as z from "zod";
import { defineRoute } from "../../../src/kernel/definitions/route.ts";
import { errorCodes, ForgeError } from "../../../src/kernel/errors.ts";

/** Routes to try the host with. */
export const basis = {
  summary: "For tests.",
  scope: "fixture:write",
  effect: "set",
  names: "none",
  params: z.object({}),
  query: z.object({}),
} as const;

export const failing = defineRoute({
  ...basis,
  method: "GET",
  path: "/fail",
  scope: "public",
  effect: "read",
  query: z.object({ code: z.enum(errorCodes) }),
  output: z.object({}),
  async run(_services: object, { query }): Promise<Record<string, never>> {
    throw new ForgeError(query.code, "As told.");
  },
});

export const echo = defineRoute({
  ...basis,
  method: "PATCH",
  path: "/things/:id",
  params: z.object({ id: z.string().max(20) }),
  query: z.object({ q: z.string().max(20).optional() }),
  body: z.strictObject({ text: z.string().max(1_000_000) }),
  output: z.object({ id: z.string(), q: z.string().optional(), text: z.string(), ifMatch: z.number().nullable() }),
  about: ({ id }) => [`thing:${id}`],
  conditional: true,
  revision: () => 4,
  async run(_services: object, { params, query, body, ifMatch }) {
    if (ifMatch === 1) throw new ForgeError("CONFLICT_ERROR", "It moved on.", { details: { currentRevision: 4 } });
    if (ifMatch === 2) throw new ForgeError("CONFLICT_ERROR", "Somebody is on it.");
    return { ...params, ...query, text: body.text, ifMatch: ifMatch ?? null };
  },
});

export const looking = { ...basis, method: "GET", effect: "read", scope: "fixture:read" } as const;

export const fixed = defineRoute({
  ...looking,
  path: "/things/fixed",
  output: z.object({ fixed: z.boolean() }),
  run: async () => ({ fixed: true }),
});

export const one = defineRoute({
  ...looking,
  path: "/things/:id",
  params: z.object({ id: z.string() }),
  output: z.object({ fixed: z.boolean() }),
  run: async () => ({ fixed: false }),
});

export const remove = defineRoute({
  ...basis,
  method: "DELETE",
  path: "/things/:id",
  effect: "remove",
  params: z.object({ id: z.string() }),
  output: z.object({}),
  status: 204,
  run: async () => ({}),
});
