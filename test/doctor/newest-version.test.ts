import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { isNewer, newestVersion } from "../../src/rooms/setup/doctor/newest-version.ts";

const signal = new AbortController().signal;

async function registry(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("one request that says nothing but the package's name", async () => {
  const seen: unknown[] = [];
  const url = await registry((request, response) => {
    seen.push([request.method, request.url, request.headers["user-agent"], request.headers.cookie]);
    response.end(JSON.stringify({ name: "forge-mcp", version: "9.8.7" }));
  });
  expect(await newestVersion(`${url}/`, signal)).toBe("9.8.7");
  expect(seen).toEqual([["GET", "/forge-mcp/latest", "forge", undefined]]);
});

test.each([
  [404, "{}", "has no forge-mcp"],
  [200, "{}", "returned no version"],
  [200, '{"version":"1.0.0; curl evil"}', "returned no version"],
  [200, "<html>", "Expected JSON"],
])("status %i with %s", async (status, body, message) => {
  const url = await registry((_request, response) => response.writeHead(status).end(body));
  await expect(newestVersion(url, signal)).rejects.toThrow(message);
});

test.each([
  ["1.10.0", "1.9.9", true],
  ["2.0.0", "1.9.9", true],
  ["1.2.3", "1.2.3", false],
  ["1.2.2", "1.2.3", false],
  ["1.2.3", "1.2.3-beta.1", true],
  ["1.2.3-beta.1", "1.2.3", false],
])("%s is newer than %s: %s", (version, than, expected) => {
  expect(isNewer(version, than)).toBe(expected);
});
