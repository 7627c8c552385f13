import type { z } from "zod";
import type { Principal, Scope } from "./principal.ts";

/** A REST endpoint as data: the HTTP host serves it, and documents and access checks are derived from it. */
export type Route<Services, Query extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> = {
  method: "GET";
  /** `/api/tickets/:id`. */
  path: string;
  summary: string;
  /** What the caller's token must allow; `public` needs none. */
  scope: Scope | "public";
  query: Query;
  output: Output;
  run(services: Services, input: { query: z.output<Query>; principal: Principal }): Promise<z.input<Output>>;
};

export function defineRoute<Services, Query extends z.ZodObject, Output extends z.ZodType>(
  route: Route<Services, Query, Output>,
): Route<Services, Query, Output> {
  return { ...route, query: route.query.strict() as Query };
}
