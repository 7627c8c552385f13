import * as z from "zod";
import type { Route } from "../../../kernel/definitions/route.ts";
import { errorCodes } from "../../../kernel/errors.ts";
import { type Json, type Operation, operationsOf, type Parameter, schemaOf } from "./operations.ts";

export type ApiDescription = { routes: readonly Route<never>[]; version: string; publicUrl: string };

const why = z.string().optional().describe("What it is good for: `to see all tickets`");

const action = z.union([
  z.string().describe("A sentence"),
  z.object({ tool: z.string(), input: z.record(z.string(), z.unknown()).optional(), why }).describe("Call a tool"),
  z.object({ command: z.string().describe("Without `forge`"), why }).describe("Run a command"),
]);

export const errorShape = z.object({
  error: z.union([z.literal(true), z.string()]).describe("A short text, or `true`"),
  code: z.enum(errorCodes),
  message: z.string().describe("What was wrong, and what was expected"),
  details: z.record(z.string(), z.unknown()).optional().describe("The ids, limits and names involved"),
  suggestions: z.array(z.string()).optional().describe("What to do next, in words"),
  next: z
    .array(action)
    .optional()
    .describe("The same as data, in the same order, for clients that word it for their own users"),
});

/** The routes as an OpenAPI 3.1 document. */
export function openApiOf({ routes, version, publicUrl }: ApiDescription): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operationsOf(routes)) {
    const path = templateOf(operation.path);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: asOpenApi(operation) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Forge",
      version,
      description:
        "Tickets of a team, and who may work on them. Every 4xx and 5xx response has the same shape: `suggestions` says in words what to do next, and `next` says the same as data.",
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { Error: schemaOf(errorShape, "output") },
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}

export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

function asOpenApi({
  id,
  summary,
  group,
  scope,
  parameters,
  body,
  success,
  inParts,
  errors: refusals,
}: Operation): Json {
  const { content } = success;
  const answers = refusals.map((refusal) => [refusal.status, { ...answerOf(refusal), ...errorContent }] as const);
  const done = {
    ...answerOf(success),
    ...(content && { content: { [content.mediaType]: { schema: content.schema } } }),
  };
  return {
    operationId: id,
    summary,
    tags: [group],
    ...(scope !== "public" && { security: [{ token: scope === "signed-in" ? [] : [scope] }] }),
    parameters: parameters.map(parameterOf),
    ...(body && {
      requestBody: { required: body.required, content: { "application/json": { schema: body.schema } } },
    }),
    responses: {
      [success.status]: done,
      ...(inParts && {
        "206": { ...done, description: "The range that was asked for." },
        "304": { ...answerOf(success), description: "The caller has this content." },
      }),
      ...Object.fromEntries(answers),
    },
  };
}

function parameterOf({ description, ...parameter }: Parameter): Json {
  return { ...parameter, ...(description !== undefined && { description }) };
}

function answerOf({ description, headers }: Operation["errors"][number]): Json {
  const named = headers.map(({ name, description: about }) => [
    name,
    { description: about, schema: { type: "string" } },
  ]);
  return { description, ...(named.length > 0 && { headers: Object.fromEntries(named) }) };
}

const errorContent = { content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } };
