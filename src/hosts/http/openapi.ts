import * as z from "zod";
import { errorCodes } from "../../kernel/errors.ts";
import type { Route } from "../../kernel/route.ts";
import { eventsPath, eventsScope } from "./events.ts";

type Json = Record<string, unknown>;

export type Described = { routes: readonly Route<never>[]; version: string; publicUrl: string };

const error = z.object({
  error: z.union([z.literal(true), z.string()]),
  code: z.enum(errorCodes),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
  suggestions: z.array(z.string()).optional(),
});

/** What can be answered instead, by what a request carries; each is the one error shape. */
const refusals: [status: string, why: string, applies: (route: Route<never>) => boolean][] = [
  ["400", "The request does not fit.", () => true],
  ["401", "No token, or one that is not accepted.", ({ scope }) => scope !== "public"],
  ["403", "The token does not allow this.", ({ scope }) => scope !== "public"],
  ["404", "It is not there, or not the caller's team's.", ({ names }) => names !== "none"],
  ["409", "It does not fit what is there now.", ({ method }) => method !== "GET"],
  ["412", "It has moved on from the revision in If-Match.", ({ method }) => method === "PATCH" || method === "DELETE"],
  ["413", "The body is too large.", ({ body }) => body !== undefined],
  ["415", "The body is not JSON.", ({ body }) => body !== undefined],
  ["429", "Too many requests; Retry-After says when to come back.", () => true],
];

/** The routes as an OpenAPI 3.1 document. */
export function openApiOf({ routes, version, publicUrl }: Described): Json {
  const paths: Record<string, Json> = { [eventsPath]: { get: eventsOperation } };
  for (const route of routes) {
    const path = templateOf(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Forge", version, description: "Tickets of a team, and who may work with them." },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { Error: schemaOf(error, "output") },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

function operationOf(route: Route<never>): Json {
  const { summary, scope, body, method, path } = route;
  return {
    operationId: operationId(route),
    summary,
    tags: [path.split("/")[2] ?? "server"],
    ...(scope !== "public" && { security: [{ token: scope === "signed-in" ? [] : [scope] }] }),
    parameters: [
      ...parametersIn("path", route.params),
      ...parametersIn("query", route.query),
      ...(scope === "public" ? [] : [teamHeader]),
      ...(method === "GET" || scope === "public" ? [] : [keyHeader]),
      ...(method === "PATCH" || method === "DELETE" ? [matchHeader] : []),
    ],
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { "application/json": { schema: schemaOf(body, "input") } },
      },
    }),
    responses: responsesOf(route),
  };
}

function operationId({ method, path }: Route<never>): string {
  const words = path
    .split("/")
    .slice(2)
    .map((word) => word.replace(/^:/, "by-"));
  return [method.toLowerCase(), ...words].join("-");
}

function parametersIn(place: "path" | "query", schema: z.ZodObject): Json[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const { description, ...rest } = schemaOf(field as z.ZodType, "input");
    const required = place === "path" || !(field as z.ZodType).safeParse(undefined).success;
    return { name, in: place, required, ...(description !== undefined && { description }), schema: rest };
  });
}

function responsesOf(route: Route<never>): Json {
  const status = String(route.status ?? 200);
  const headers = route.revision && {
    headers: { ETag: { description: "The revision, for If-Match", schema: { type: "string" } } },
  };
  const content = route.file ? { "*/*": {} } : { "application/json": { schema: schemaOf(route.output, "output") } };
  const success = { description: "Done.", ...headers, ...(status !== "204" && { content }) };
  const failures = refusals.filter(([, , applies]) => applies(route));
  return {
    [status]: success,
    ...Object.fromEntries(failures.map(([code, description]) => [code, { description, ...errorContent }])),
  };
}

const errorContent = { content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } };

const header = (name: string, description: string, schema: Json): Json => ({
  name,
  in: "header",
  required: false,
  description,
  schema,
});

const teamHeader = header("x-team-id", "Which of the caller's teams; the token's own unless told.", { type: "string" });
const keyHeader = header("Idempotency-Key", "The same for a request that is repeated: then its change is made once.", {
  type: "string",
  minLength: 1,
  maxLength: 200,
});
const matchHeader = header("If-Match", "The ETag of what the change is made from.", { type: "string" });

const eventsOperation: Json = {
  operationId: "get-events",
  summary: "What the team does, as it happens: server-sent events named `activity`, one for each entry of the ledger.",
  tags: ["events"],
  security: [{ token: [eventsScope] }],
  parameters: [
    teamHeader,
    header("Last-Event-ID", "Takes up after this event; an event `reset` comes first where there was none such.", {
      type: "string",
    }),
  ],
  responses: {
    200: { description: "The stream.", content: { "text/event-stream": { schema: { type: "string" } } } },
    401: { description: "No token, or one that is not accepted.", ...errorContent },
    403: { description: "The token does not allow this.", ...errorContent },
    429: { description: "Too many streams.", ...errorContent },
  },
};

export function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json;
}
