import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Point = { id: string; vector: number[]; payload: Record<string, unknown> };
type Collection = { size: number; points: Map<string, Point> };
type Condition = { key: string; match: { value: unknown } };

/** How the stand-in misbehaves: not answering, answering late, an error, or something that is no Qdrant. */
export type Mood = "well" | "silent" | "failing" | "nonsense" | "not a number";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * The part of Qdrant's HTTP API that Forge uses, as its reference describes it, and stricter than the server: whatever is not a
 * valid request is refused. It stands in for a server that cannot be installed here.
 */
export async function startQdrant({ key }: { key?: string } = {}) {
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
    handle(request, response, body);
  });
  const handle = (request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const [, root, name = "", kind, action] = url.pathname.split("/").map(decodeURIComponent);
    const ok = (result: unknown) => answer(response, 200, { status: "ok", time: 0.001, result });
    const refuse = (error: string, code = 400) => answer(response, code, { status: { error }, time: 0 });
    if (root !== "collections") return refuse("path", 404);
    const collection = collections.get(name);
    const call = `${request.method} ${[kind, action].filter(Boolean).join("/")}`.trim();
    if (call === "PUT") {
      const { size, distance } = (body["vectors"] ?? {}) as { size?: number; distance?: string };
      if (!Number.isInteger(size) || distance !== "Cosine") return refuse("vectors");
      if (collection) return refuse("exists", 409);
      collections.set(name, { size: size as number, points: new Map() });
      return ok(true);
    }
    if (!collection) return refuse("Not found: Collection", 404);
    if (call === "GET")
      return ok({ status: "green", config: { params: { vectors: { size: collection.size, distance: "Cosine" } } } });
    if (call === "PUT points") {
      const points = body["points"] as Point[];
      for (const { id, vector } of points) {
        if (!uuid.test(id)) return refuse(`id ${id}`);
        if (vector.length !== collection.size || !vector.every(Number.isFinite))
          return refuse("Wrong input: Vector dimension error");
      }
      for (const point of points) collection.points.set(point.id, point);
      return ok({ operation_id: 1, status: "completed" });
    }
    if (call === "POST points/delete") {
      for (const id of body["points"] as string[]) collection.points.delete(id);
      return ok({ operation_id: 2, status: "completed" });
    }
    if (call === "POST points/search") {
      const { vector, limit, filter } = body as { vector: number[]; limit: number; filter?: { must?: Condition[] } };
      if (!Array.isArray(vector) || vector.length !== collection.size || !Number.isInteger(limit))
        return refuse("search");
      const must = filter?.must ?? [];
      const hits = [...collection.points.values()]
        .filter(({ payload }) => must.every((condition) => payload[condition.key] === condition.match.value))
        .map(({ id, vector: other, payload }) => ({ id, version: 1, score: dot(vector, other), payload }))
        .sort((a, b) => b.score - a.score)
        .slice(0, limit);
      if (state.mood === "not a number") return ok(hits.map((hit) => ({ ...hit, score: "NaN" })));
      return ok(hits);
    }
    return refuse(call, 404);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, collections, requests, state };
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
