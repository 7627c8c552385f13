import { describe, expect, test } from "vitest";
import { makeFixture } from "../../../../test/harness/mcp/fixture-host.ts";
import { frontWire, sdkWire } from "../../../../test/harness/mcp/fixture-wires.ts";
import { type Json, stateless, type WireMessage } from "../../../../test/harness/mcp/wire.ts";
import { Handshake } from "./handshake.ts";
import type { Request } from "./message.ts";

const lists = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
const revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

const request = (id: number, method: string, params?: Json): WireMessage => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params && { params }),
});

const initialize = (id: number, protocolVersion: unknown = "2025-11-25", more: Json = {}): WireMessage =>
  request(id, "initialize", {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: "harness", version: "1" },
    ...more,
  });

const initialized: WireMessage = { jsonrpc: "2.0", method: "notifications/initialized" };

const plain: [name: string, messages: WireMessage[]][] = [
  ...[...revisions, "1999-01-01", "2026-07-28", ""].map((revision): [string, WireMessage[]] => [
    `initialize with "${revision}"`,
    [initialize(1, revision)],
  ]),
  ["server/discover", [request(1, "server/discover", stateless())]],
  ...lists.flatMap((method): [string, WireMessage[]][] => [
    [`${method} after initialize`, [initialize(1), initialized, request(2, method)]],
    [`${method} without a handshake`, [request(1, method)]],
    [`${method} with empty params`, [initialize(1), request(2, method, {})]],
    [`${method} with a progress token`, [initialize(1), request(2, method, { _meta: { progressToken: 1 } })]],
    [`${method}, stateless`, [request(1, method, stateless())]],
    [
      `${method}, stateless, after a discovery`,
      [request(1, "server/discover", stateless()), request(2, method, stateless())],
    ],
  ]),
];

test("the front's answers are the SDK's: handshake, discovery and lists, in every revision", async () => {
  for (const [name, messages] of plain) {
    expect(await frontWire(messages), name).toEqual(await sdkWire(messages));
    const greeter = new Handshake(
      () => makeFixture().lists,
      () => new Set(),
    );
    const [opening] = messages;
    expect(greeter.answer(opening as Request, undefined), `${name} is answered by the front`).toBeDefined();
  }
});

const badMeta = (meta: Json) => ({ _meta: { ...(stateless()["_meta"] as Json), ...meta } });

describe("what is unusual is left to the SDK and answered as the SDK does", () => {
  test.each<[string, WireMessage[]]>([
    ["an unsupported revision", [request(1, "tools/list", stateless({}, {}, "2099-01-01"))]],
    ["discovery of an unsupported revision", [request(1, "server/discover", stateless({}, {}, "garbage"))]],
    [
      "no capabilities",
      [request(1, "tools/list", badMeta({ "io.modelcontextprotocol/clientCapabilities": undefined }))],
    ],
    [
      "capabilities that are none",
      [request(1, "tools/list", badMeta({ "io.modelcontextprotocol/clientCapabilities": 5 }))],
    ],
    ["a client without a name", [request(1, "tools/list", badMeta({ "io.modelcontextprotocol/clientInfo": {} }))]],
    [
      "a revision that is a number",
      [request(1, "tools/list", badMeta({ "io.modelcontextprotocol/protocolVersion": 2026 }))],
    ],
    ["a discovery without an envelope", [request(1, "server/discover")]],
    ["a cursor", [initialize(1), request(2, "tools/list", { cursor: "abc" })]],
    ["a cursor that is none", [initialize(1), request(2, "tools/list", { cursor: 5 })]],
    ["a second initialize", [initialize(1), initialized, initialize(2, "2025-06-18")]],
    ["an initialize without a version", [initialize(1, undefined)]],
    ["an initialize with a number for a version", [initialize(1, 5)]],
    ["an initialize without a client", [initialize(1, "2025-11-25", { clientInfo: undefined })]],
    ["an initialize after stateless requests", [request(1, "tools/list", stateless()), initialize(2)]],
    ["a plain request after stateless ones", [request(1, "tools/list", stateless()), request(2, "tools/list")]],
    ["a stateless request after initialize", [initialize(1), request(2, "tools/list", stateless())]],
    ["a discovery after initialize", [initialize(1), request(2, "server/discover", stateless())]],
    [
      "discover, then initialize",
      [request(1, "server/discover", stateless()), initialize(2), request(3, "tools/list")],
    ],
    [
      "a plain list after a refused opening",
      [request(1, "tools/list", stateless({}, {}, "x")), request(2, "tools/list")],
    ],
    ["an unknown method", [initialize(1), request(2, "no/such/method")]],
  ])("%s", async (_name, messages) => {
    // The order of answers to different requests is nobody's promise.
    const byId = (wire: WireMessage[]) => [...wire].sort((a, b) => Number(a.id) - Number(b.id));
    const [ours, theirs] = [await frontWire(messages), await sdkWire(messages)];
    expect(byId(ours)).toEqual(byId(theirs));
  });
});
