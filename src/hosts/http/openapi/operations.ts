import * as z from "zod";
import type { Route } from "../../../kernel/definitions/route.ts";
import { effects } from "../../../kernel/effect.ts";
import { eventsPath, eventsScope } from "../reply/events.ts";

export type Json = Record<string, unknown>;

export type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string | undefined;
  schema: Json;
};

type AnswerHeader = { name: string; description: string };

/** What a request can be answered with. */
type Answer = { status: string; description: string; headers: AnswerHeader[] };

/** What the server does for one method and path, as it is documented. */
export type Operation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  group: string;
  scope: Route<never>["scope"];
  parameters: Parameter[];
  body: { required: boolean; schema: Json } | undefined;
  /** The same for operations that answer alike. */
  shape: unknown;
  success: Answer & { content: { mediaType: string; schema: Json } | undefined };
  /** All have the same shape. */
  errors: Answer[];
  /** Also answers a range of bytes, and that the caller has them. */
  inParts?: boolean;
};

/** The OpenAPI document and the reference page are made from these, and these from the routes. */
export function operationsOf(routes: readonly Route<never>[]): Operation[] {
  return [...routes.map(operationOf), eventsOperation];
}

export function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json;
}

function operationOf(route: Route<never>): Operation {
  const { method, path, summary, scope, body, output } = route;
  return {
    ...namesOf(method, path),
    summary,
    scope,
    parameters: [
      ...parametersIn("path", route.params),
      ...parametersIn("query", route.query),
      ...(scope === "public" ? [] : [teamHeader, agentHeader]),
      ...(acceptsKey(route) ? [keyHeader, foreignHeader] : []),
      ...(route.conditional ? [matchHeader] : []),
      ...(route.file?.isBinary ? [rangeHeader, knownHeader] : []),
    ],
    body: body && { required: !body.safeParse(undefined).success, schema: schemaOf(body, "input") },
    shape: route.file ?? output,
    success: {
      status: String(route.status ?? 200),
      description: "Done.",
      headers: [
        ...(route.revision ? [header("ETag", "The revision, for If-Match.")] : []),
        ...(route.file?.isBinary ? [header("ETag", "The content's hash, for If-None-Match and If-Range.")] : []),
        ...(route.file ? [header("Content-Disposition", "The file's name.")] : []),
        ...(acceptsKey(route)
          ? [header("Idempotency-Replayed", "`true`: this is the response to an earlier request with the same key.")]
          : []),
      ],
      content: contentOf(route),
    },
    inParts: route.file?.isBinary === true,
    errors: errorAnswers.filter(({ applies }) => applies(route)).map(answerOf),
  };
}

function namesOf(method: string, path: string): Pick<Operation, "id" | "method" | "path" | "group"> {
  const words = path.split("/").slice(2);
  const id = [method.toLowerCase(), ...words.map((word) => word.replace(/^:/, "by-"))].join("-");
  return { id, method, path, group: words[0] ?? "" };
}

function acceptsKey({ scope, effect }: Route<never>): boolean {
  return scope !== "public" && effects[effect].access === "write";
}

function contentOf({ status, file, output }: Route<never>): Operation["success"]["content"] {
  if (status === 204) return undefined;
  if (!file) return { mediaType: json, schema: schemaOf(output, "output") };
  const mediaType = file.mediaType.split(";")[0] ?? "";
  return { mediaType, schema: { type: mediaType === json ? "object" : "string" } };
}

const json = "application/json";

function parametersIn(place: "path" | "query", schema: z.ZodObject): Parameter[] {
  const fields = Object.entries(schema.shape) as [string, z.ZodType][];
  return fields.map(([name, field]) => {
    const { description, ...rest } = schemaOf(field, "input");
    const required = place === "path" || !field.safeParse(undefined).success;
    return { name, in: place, required, description: description as string | undefined, schema: rest };
  });
}

function headerParameter(name: string, description: string, schema: Json = { type: "string" }): Parameter {
  return { name, in: "header", required: false, description, schema };
}

const teamHeader = headerParameter(
  "X-Team-Id",
  "The id of one of your teams. Default: the team that you chose when you signed in. API tokens work only for their own team.",
);
const agentHeader = headerParameter("X-Forge-Agent", "The name of the calling program, for the team's ledger.");
const keyHeader = headerParameter(
  "Idempotency-Key",
  "Send the same key when you repeat a request: its change is then made once.",
  { type: "string", minLength: 1, maxLength: 200 },
);
const foreignHeader = headerParameter(
  "X-Forge-Foreign",
  "`0`: the text is the caller's own, and not passed on from elsewhere.",
);
const matchHeader = headerParameter(
  "If-Match",
  "The ETag that the change is based on. If it was changed since, the response is 412.",
);

const rangeHeader = headerParameter("Range", "One range of bytes: the response is then 206.");
const knownHeader = headerParameter(
  "If-None-Match",
  "The ETag of what you have: the response is 304 if it is the same.",
);

const header = (name: string, description: string): AnswerHeader => ({ name, description });
const challenge = header("WWW-Authenticate", "What is missing, and where to get a token.");

type ErrorAnswer = Answer & { applies(route: Route<never>): boolean };

/** The errors of a route, by what it is. */
const errorAnswers: ErrorAnswer[] = [
  {
    status: "400",
    description: "Invalid request: a field, parameter or header is wrong or unknown.",
    headers: [],
    applies: () => true,
  },
  {
    status: "401",
    description: "No token, or a token that is not accepted.",
    headers: [challenge],
    applies: ({ scope, checksWho }) => scope !== "public" || checksWho === true,
  },
  {
    status: "403",
    description: "The token or the role does not allow it, or the Host or Origin header is not allowed.",
    headers: [challenge],
    applies: () => true,
  },
  {
    status: "404",
    description: "Not found in your team.",
    headers: [],
    applies: ({ names }) => names !== "none",
  },
  {
    status: "409",
    description: "Conflict with the current state.",
    headers: [],
    applies: ({ effect, scope }) => scope !== "public" && effects[effect].access === "write",
  },
  {
    status: "412",
    description:
      "It was changed since the revision in If-Match. Nothing was written; `details` has the current values.",
    headers: [],
    applies: ({ conditional }) => conditional === true,
  },
  {
    status: "413",
    description:
      "The body is larger than the limit, which is 1 MiB for most requests, and 16 KiB for those that need no token.",
    headers: [],
    applies: ({ method }) => method !== "GET",
  },
  {
    status: "415",
    description: "The body is not JSON, or is compressed.",
    headers: [],
    applies: ({ method }) => method !== "GET",
  },
  {
    status: "429",
    description: "Too many requests.",
    headers: [header("Retry-After", "Seconds to wait.")],
    applies: () => true,
  },
  {
    status: "5XX",
    description: "Server error. A change can be sent again with the same Idempotency-Key.",
    headers: [],
    applies: () => true,
  },
];

function answerOf({ applies: _, ...answer }: ErrorAnswer): Answer {
  return answer;
}

const eventErrors = new Set(["400", "401", "403", "429", "5XX"]);

/** A stream is not a route: it does not end with an answer. */
const eventsOperation: Operation = {
  ...namesOf("GET", eventsPath),
  summary: "The team's activity as it happens: server-sent events named `activity`, one for each ledger entry.",
  scope: eventsScope,
  parameters: [
    teamHeader,
    headerParameter("Last-Event-ID", "Resumes after this event. If it does not exist, an event `reset` comes first."),
  ],
  body: undefined,
  shape: undefined,
  success: {
    status: "200",
    description: "The stream.",
    headers: [],
    content: { mediaType: "text/event-stream", schema: { type: "string" } },
  },
  errors: errorAnswers.filter(({ status }) => eventErrors.has(status)).map(answerOf),
};
