import type { z } from "zod";
import type { Call } from "../calls/call.ts";
import type { Effect } from "../effect.ts";
import type { Scope } from "../principal.ts";

/** What a route is asked with. */
export type RouteInput<Params, Query, Body> = {
  params: Params;
  query: Query;
  body: Body;
  /** The revision in `If-Match`, where one was sent; never on a route that is not `conditional`. */
  ifMatch: number | undefined;
};

/** A file as an answer, in place of JSON. Bytes never change under their tag, and can be asked for in parts. */
export type RouteFile = { filename: string } & ({ text: string } | { bytes: Uint8Array; tag: string });

/** What all teams of a server share: everyone may read it, and only its owners change it. */
export type SharedName = "package";

/**
 * A REST endpoint as data: the HTTP host serves it; the OpenAPI document, its reference and the access checks are derived
 * from it. Methods, not function properties, as with tools.
 */
export type Route<
  Services,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** `/api/tickets/:id`. */
  path: string;
  summary: string;
  /** The tools that it is the REST form of: "call list_tickets" is then worded as this request. */
  operation?: string | readonly string[];
  /** What the caller's token must allow; `public` needs none, `signed-in` any. */
  scope: Scope | "public" | "signed-in";
  effect: Effect;
  /** The variables of the path. */
  params: Params;
  query: Query;
  /** Absent where no body is read. Unknown fields are errors. */
  body?: Body;
  output: Output;
  /** Default: 200. 204 answers nothing. */
  status?: 200 | 201 | 202 | 204;
  /**
   * What the path's ids name. For the access matrix: asked with another team's, the route answers exactly as for one that is
   * not there. `none` where the path has no ids.
   */
  names:
    | "none"
    | "ticket"
    | "token"
    | "team"
    | "member"
    | "project"
    | "invitation"
    | "contract"
    | "contract-project"
    | "build"
    | SharedName;
  /** What it changes has a revision, which `If-Match` holds the change to. Elsewhere that header is refused. */
  conditional?: true;
  /** Public, and yet what is sent must show who it comes from: 401 where it does not. */
  checksWho?: true;
  /** What it answers is a secret that the caller is given this once: it goes out as it is, and is kept nowhere. */
  givesSecret?: true;
  /** What it answers is people's own text, to be read, changed and sent back: it goes out as it was written. */
  verbatim?: true;
  /** What the call is about, for the ledger. */
  about?(params: z.output<Params>): string[];
  run(
    services: Services,
    input: RouteInput<z.output<Params>, z.output<Query>, z.output<Body>>,
    call: Call,
  ): Promise<z.input<Output>>;
  /** Makes a file of the output, in place of JSON. */
  file?: {
    mediaType: string;
    /** Its files are bytes. */
    isBinary?: true;
    make(output: z.output<Output>): RouteFile;
  };
  /** The revision of what is answered: it goes out as `ETag`. */
  revision?(output: z.output<Output>): number | undefined;
};

export function defineRoute<
  Services,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Output extends z.ZodType,
>(route: Route<Services, Params, Query, Body, Output>): Route<Services, Params, Query, Body, Output> {
  return { ...route, params: route.params.strict() as Params, query: route.query.strict() as Query };
}
