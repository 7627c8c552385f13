import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Point = { id: string; vector: number[]; payload: Record<string, unknown> };
type Collection = { size: number; points: Map<string, Point>; indexes?: Set<string> };
type Condition = { key: string; match: { value: unknown } | { any: unknown[] } };
type Wanted = { limit: number; with_payload: boolean; filter?: { must?: Condition[] } };

/** How the stand-in misbehaves: not answering, an error, something that is no Qdrant, or more than was asked for. */
export type Mood = "well" | "silent" | "failing" | "nonsense" | "not a number" | "unfiltered";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * The part of Qdrant's HTTP API that Forge uses, as its reference describes it, and stricter than the server: whatever is not a
 * valid request is refused. It stands in for a server that cannot be installed here.
 */
export async function startQdrant({ key, isOld = false }: { key?: string; isOld?: boolean } = {}) {
  const collections = new Map<string, Collection>();
  const requests: string[] = [];
  const state: { mood: Mood } = { mood: "well" };
  const server = createServer(async (request, response) => {
    const body = await read(request);
    requests.push(`${request.method} ${request.url}`);
    if (state.mood === "silent") return;
    if (state.mood === "failing") return answer(response, 500, { status: { error: "out of disk" } });
    if (state.mood === "nonsense") return void response.end("<html>hello</html>");
    if (key !== undefined && request.headers["api-key"] !== key)
      return answer(response, 401, { status: { error: "key" } });
    if (state.mood === "unfiltered") delete body["filter"];
    handle(request, response, body);
  });
  const handle = (request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const [, , name = "", kind, action] = url.pathname.split("/").map(decodeURIComponent);
    const call = `${request.method} ${[kind, action].filter(Boolean).join("/")}`.trim();
    const collection = collections.get(name);
    try {
      if (!url.pathname.startsWith("/collections/")) throw new Refusal("path", 404);
      if (call === "PUT") collections.set(name, makeCollection(collection, body));
      else if (!collection) throw new Refusal("Not found: Collection", 404);
      // The older of the two is not asked where the newer one is there.
      if (call === (isOld ? "POST points/query" : "POST points/search")) unknownCall(call);
      const result = collection ? (operations[call]?.(collection, body) ?? unknownCall(call)) : true;
      if (state.mood === "not a number") spoilScores(result);
      answer(response, 200, { result, status: "ok", time: 0.001 });
    } catch (error) {
      const { message, status = 400 } = error as Refusal;
      answer(response, status, { status: { error: message }, time: 0 });
    }
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, collections, requests, state };
}

class Refusal extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

function unknownCall(call: string): never {
  throw new Refusal(call, 404);
}

function makeCollection(known: Collection | undefined, body: Record<string, unknown>): Collection {
  const { size, distance } = (body["vectors"] ?? {}) as { size?: number; distance?: string };
  if (size === undefined || !Number.isInteger(size) || distance !== "Cosine") throw new Refusal("vectors");
  if (known) throw new Refusal("exists", 409);
  return { size, points: new Map() };
}

const operations: Record<string, (collection: Collection, body: Record<string, unknown>) => unknown> = {
  GET: ({ size }) => ({ status: "green", config: { params: { vectors: { size, distance: "Cosine" } } } }),
  "PUT points": ({ size, points }, body) => {
    const given = body["points"] as Point[];
    for (const { id, vector } of given) {
      if (!uuid.test(id)) throw new Refusal(`id ${id}`);
      if (vector.length !== size || !vector.every(Number.isFinite))
        throw new Refusal("Wrong input: Vector dimension error");
    }
    for (const point of given) points.set(point.id, point);
    return { operation_id: 1, status: "completed" };
  },
  "POST points/delete": ({ points }, body) => {
    for (const id of body["points"] as string[]) points.delete(id);
    return { operation_id: 2, status: "completed" };
  },
  "PUT index": (collection, body) => {
    const { field_name, field_schema, ...rest } = body as { field_name: string; field_schema: string };
    if (field_schema !== "keyword" || Object.keys(rest).length > 0) throw new Refusal("index");
    collection.indexes = new Set([...(collection.indexes ?? []), field_name]);
    return { operation_id: 3, status: "completed" };
  },
  "POST points/query": (collection, { query, ...wanted }) => ({ points: nearest(collection, query, wanted as Wanted) }),
  "POST points/search": (collection, { vector, ...wanted }) => nearest(collection, vector, wanted as Wanted),
};

function nearest({ size, points, indexes }: Collection, vector: unknown, { limit, filter, ...rest }: Wanted) {
  if (!Array.isArray(vector) || vector.length !== size || !Number.isInteger(limit)) throw new Refusal("search");
  if (Object.keys(rest).some((name) => name !== "with_payload")) throw new Refusal("search");
  const conditions = filter?.must ?? [];
  // As in strict mode.
  const bare = conditions.find(({ key }) => indexes && !indexes.has(key));
  if (bare) throw new Refusal(`Index required but not found for "${bare.key}"`);
  return [...points.values()]
    .filter(({ payload }) =>
      conditions.every(({ key, match }) => ("any" in match ? match.any : [match.value]).includes(payload[key])),
    )
    .map(({ id, vector: other, payload }) => ({ id, version: 1, score: dot(vector, other), payload }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

function spoilScores(result: unknown): void {
  const { points = [] } = Object(result) as { points?: { score: unknown }[] };
  for (const hit of points) hit.score = "NaN";
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

async function read(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? {} : JSON.parse(text);
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
