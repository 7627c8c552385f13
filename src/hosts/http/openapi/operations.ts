import * as z from "zod";
import { effects } from "../../../kernel/effect.ts";
import type { Route } from "../../../kernel/route.ts";
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

/** What the server does at one path by one method, as programs and people are told of it. */
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
  /** Each is the one error shape. */
  refusals: Answer[];
};

/** All that is told of the server's REST comes from here, and this from the routes. */
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
      ...(takesKey(route) ? [keyHeader, foreignHeader] : []),
      ...(route.conditional ? [matchHeader] : []),
    ],
    body: body && { required: !body.safeParse(undefined).success, schema: schemaOf(body, "input") },
    shape: route.file ?? output,
    success: {
      status: String(route.status ?? 200),
      description: "Done.",
      headers: [
        ...(route.revision ? [header("ETag", "The revision, for If-Match.")] : []),
        ...(route.file ? [header("Content-Disposition", "The file's name.")] : []),
        ...(takesKey(route) ? [header("Idempotency-Replayed", "`true`: the answer to the same request before.")] : []),
      ],
      content: contentOf(route),
    },
    refusals: refusals.filter(({ applies }) => applies(route)).map(answerOf),
  };
}

function namesOf(method: string, path: string): Pick<Operation, "id" | "method" | "path" | "group"> {
  const words = path.split("/").slice(2);
  const id = [method.toLowerCase(), ...words.map((word) => word.replace(/^:/, "by-"))].join("-");
  return { id, method, path, group: words[0] ?? "" };
}

function takesKey({ scope, effect }: Route<never>): boolean {
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
  "The id of one of the caller's teams; the one that the sign-in was approved for unless told. A token made by name is for its own team only.",
);
const agentHeader = headerParameter("X-Forge-Agent", "What the calling program is called in the team's ledger.");
const keyHeader = headerParameter(
  "Idempotency-Key",
  "The same for a request that is repeated: then its change is made once.",
  { type: "string", minLength: 1, maxLength: 200 },
);
const foreignHeader = headerParameter(
  "X-Forge-Foreign",
  "`0`: what is sent are the caller's own words, and not passed on from elsewhere.",
);
const matchHeader = headerParameter(
  "If-Match",
  "The ETag of what the change is made from: it is refused with 412 where that has moved on.",
);

const header = (name: string, description: string): AnswerHeader => ({ name, description });
const challenge = header("WWW-Authenticate", "What is missing, and where a token is to be had.");

type Refusal = Answer & { applies(route: Route<never>): boolean };

/** What can be answered instead, by what a route is. */
const refusals: Refusal[] = [
  {
    status: "400",
    description: "The request does not fit: a field, a parameter or a header is not as described, or not known.",
    headers: [],
    applies: () => true,
  },
  {
    status: "401",
    description: "No token, or one that is not accepted.",
    headers: [challenge],
    applies: ({ scope, checksWho }) => scope !== "public" || checksWho === true,
  },
  {
    status: "403",
    description:
      "The token or the role does not allow it, or the Host or Origin is not one that the server answers to.",
    headers: [challenge],
    applies: () => true,
  },
  {
    status: "404",
    description: "It is not there, or not the caller's team's.",
    headers: [],
    applies: ({ names }) => names !== "none",
  },
  {
    status: "409",
    description: "It does not fit what is there now.",
    headers: [],
    applies: ({ effect, scope }) => scope !== "public" && effects[effect].access === "write",
  },
  {
    status: "412",
    description: "It has moved on from the revision in If-Match. Nothing was changed; `details` has what is there now.",
    headers: [],
    applies: ({ conditional }) => conditional === true,
  },
  {
    status: "413",
    description: "The body is too large: at most 1 MiB is read.",
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
    headers: [header("Retry-After", "Seconds until it may be asked again.")],
    applies: () => true,
  },
  {
    status: "5XX",
    description: "The server could not. A change can be sent again with its Idempotency-Key.",
    headers: [],
    applies: () => true,
  },
];

function answerOf({ applies: _, ...answer }: Refusal): Answer {
  return answer;
}

const ofEvents = new Set(["400", "401", "403", "429", "5XX"]);

/** A stream is no route: it has no end to be answered with. */
const eventsOperation: Operation = {
  ...namesOf("GET", eventsPath),
  summary: "What the team does, as it happens: server-sent events named `activity`, one for each entry of the ledger.",
  scope: eventsScope,
  parameters: [
    teamHeader,
    headerParameter(
      "Last-Event-ID",
      "Takes up after this event; an event `reset` comes first where there was none such.",
    ),
  ],
  body: undefined,
  shape: undefined,
  success: {
    status: "200",
    description: "The stream.",
    headers: [],
    content: { mediaType: "text/event-stream", schema: { type: "string" } },
  },
  refusals: refusals.filter(({ status }) => ofEvents.has(status)).map(answerOf),
};
