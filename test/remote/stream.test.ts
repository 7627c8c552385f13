import { describe, expect, it } from "vitest";
import { path } from "../../src/commons/remote/index.ts";
import { eventually } from "../harness/cli/processes.ts";
import { failureOf, serve } from "../harness/http/fetching.ts";
import { Laptop, tokens } from "./laptop.ts";

const events = path`/events`;
const signal = new AbortController().signal;

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  return text;
}

describe("an answer that goes on", () => {
  it("comes as it is sent, unpacked, and ends where the server ends it", async () => {
    const { url } = await serve((request, response) => {
      expect(request.headers["accept-encoding"]).toBe("identity");
      response.write("one ");
      response.end("two");
    });
    const server = new Laptop().server(`${url}/api`, { token: "given-token-0001" });
    expect(await readAll(await server.stream(events, { signal, idleMs: 5_000 }))).toBe("one two");
  });

  it("ends with the signal, and lets the connection go", async () => {
    let isClosed = false;
    const { url } = await serve((request, response) => {
      response.write("one");
      request.once("close", () => (isClosed = true));
    });
    const server = new Laptop().server(`${url}/api`, { token: "given-token-0001" });
    const ending = new AbortController();
    const chunks = await server.stream(events, { signal: ending.signal, idleMs: 60_000 });
    const reading = readAll(chunks).catch(() => "ended");
    ending.abort();
    expect(await reading).toBe("ended");
    await eventually("the connection to close", () => isClosed);
  });

  it("ends where the server has fallen silent", async () => {
    const { url } = await serve((_request, response) => void response.write("one"));
    const server = new Laptop().server(`${url}/api`, { token: "given-token-0001" });
    const chunks = await server.stream(events, { signal, idleMs: 100 });
    expect(await failureOf(readAll(chunks))).toMatchObject({ code: "NETWORK_ERROR", details: { reason: "timeout" } });
  });

  it("is asked for once more with a renewed token, and refused with what the server says", async () => {
    const seen: unknown[] = [];
    const { url } = await serve((request, response) => {
      const answer = (status: number, value: object) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
      if (request.url === "/api/auth/refresh") return answer(200, { accessToken: "access-token-0002" });
      seen.push(request.headers.authorization);
      if (seen.length === 1) return answer(401, {});
      return answer(403, { error: true, code: "PERMISSION_DENIED", message: "The scope activity:read is missing." });
    });
    const laptop = new Laptop();
    await laptop.signIn(`${url}/api`);
    const error = await failureOf(laptop.server(`${url}/api`).stream(events, { signal, idleMs: 5_000 }));
    expect(error).toMatchObject({ code: "PERMISSION_DENIED", message: "The scope activity:read is missing." });
    expect(seen).toEqual([`Bearer ${tokens.accessToken}`, "Bearer access-token-0002"]);
  });
});
