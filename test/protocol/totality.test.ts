import { afterEach, expect, test } from "vitest";
import { fixtureServer } from "../harness/mcp/fixture-bundle.ts";
import { makeFixture } from "../harness/mcp/fixture-host.ts";
import { fixtureToolset } from "../harness/mcp/fixture-toolset.ts";
import { rawClient } from "../harness/mcp/fixture-wires.ts";
import { describeTotality } from "../harness/mcp/totality.ts";
import { stateless } from "../harness/mcp/wire.ts";

const start = fixtureServer();
const leftOut = [
  "never_end",
  "fail_later",
  "reject_later",
  "run_sleep",
  "run_family",
  "run_rude",
  "hold_open",
  "chatter",
  "big",
];

describeTotality("every tool of the fixture", () => start(), leftOut);

afterEach(() => expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined());

test("C06 nothing a client sends changes a prototype", async () => {
  const request = await rawClient(makeFixture().host);
  const payloads = [
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"record":{"__proto__":{"polluted":1}}}',
  ];
  for (const { name } of fixtureToolset.tools.filter((tool) => !leftOut.includes(tool.name))) {
    for (const payload of payloads) await request("tools/call", stateless({ name, arguments: JSON.parse(payload) }));
    await request("tools/call", { ...stateless({ name }), ...JSON.parse('{"__proto__":{"polluted":1}}') });
  }
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});
