import { describe, expect, test } from "vitest";
import { localPrincipal } from "../../src/kernel/principal.ts";
import { connectClient, eras } from "../harness/mcp/client.ts";
import { makeFixture } from "../harness/mcp/fixture-host.ts";
import { rawClient } from "../harness/mcp/fixture-wires.ts";
import { stateless } from "../harness/mcp/wire.ts";

const answer = { sure: { action: "accept", content: { ok: true } } };

/** A call that was asked back, and how to go on with it. */
async function asked(host = makeFixture().host) {
  const request = await rawClient(host);
  const first = await request(
    "tools/call",
    stateless({ name: "confirm", arguments: { what: "x" } }, { elicitation: {} }),
  );
  expect(first.result).toMatchObject({
    resultType: "input_required",
    inputRequests: { sure: { method: "elicitation/create" } },
  });
  const state = String(first.result?.["requestState"]);
  const goOn = (
    requestState: unknown,
    name = "confirm",
    args: object = { what: "x" },
    inputResponses: object = answer,
  ) => request("tools/call", stateless({ name, arguments: args, requestState, inputResponses }, { elicitation: {} }));
  return { state, goOn };
}

const refusal = { error: { code: -32602, message: expect.stringMatching(/requestState/) } };

describe("A19 the state that comes back with an answer", () => {
  test("is accepted as it was given, once", async () => {
    const { state, goOn } = await asked();
    const done = await goOn(state);
    expect(done.result?.["structuredContent"]).toEqual({ said: JSON.stringify(answer) });
    expect(await goOn(state)).toMatchObject(refusal);
  });

  test("is refused with any byte changed, cut short or made longer, and stays good itself", async () => {
    const { state, goOn } = await asked();
    for (let index = 0; index < state.length; index++) {
      const other = state[index] === "A" ? "B" : "A";
      const changed = state.slice(0, index) + other + state.slice(index + 1);
      expect(await goOn(changed), `byte ${index}`).toMatchObject(refusal);
    }
    for (const last of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
      if (state.endsWith(last)) continue;
      expect(await goOn(`${state.slice(0, -1)}${last}`), `with ${last} at its end`).toMatchObject(refusal);
    }
    for (const changed of ["", state.slice(0, -1), `${state}A`, state.toUpperCase(), `${state}.${state}`]) {
      expect(await goOn(changed), changed).toMatchObject(refusal);
    }
    expect((await goOn(state)).result?.["isError"]).toBeUndefined();
  });

  test.each([
    ["other arguments", "confirm", { what: "y" }],
    ["more arguments", "confirm", { what: "x", more: 1 }],
    ["another tool", "confirm_twice", { what: "x" }],
  ])("is refused for %s", async (_what, name, args) => {
    const { state, goOn } = await asked();
    expect(await goOn(state, name, args)).toMatchObject(refusal);
  });

  test("is refused by another server and for another principal", async () => {
    const { state } = await asked();
    expect(await (await asked()).goOn(state)).toMatchObject(refusal);
    let name = "ada";
    const two = await asked(makeFixture({ principal: () => localPrincipal(name) }).host);
    name = "eve";
    expect(await two.goOn(two.state)).toMatchObject(refusal);
  });

  test("without it an answer counts for nothing: the question is put again", async () => {
    const { goOn } = await asked();
    expect((await goOn(undefined)).result?.["resultType"]).toBe("input_required");
  });
});

describe.each(eras)("A20 questions (%s)", (era) => {
  test("go to a client that can be asked", async () => {
    const client = await connectClient(makeFixture().host, era, { elicitation: {} }, (asking) => {
      asking.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { ok: true } }));
    });
    for (const name of ["confirm", "confirm_if_possible"]) {
      const { structuredContent } = await client.callTool({ name, arguments: {} });
      expect(structuredContent).toEqual({ said: JSON.stringify(answer) });
    }
  });

  test("never go to one that cannot; it gets the fallback, or a clear refusal", async () => {
    const client = await connectClient(makeFixture().host, era);
    expect((await client.callTool({ name: "confirm_if_possible" })).structuredContent).toEqual({ said: "not asked" });
    const outcome = await client.callTool({ name: "confirm", arguments: {} }).catch((error: Error) => error);
    const text = outcome instanceof Error ? outcome.message : JSON.stringify(outcome);
    expect(text).toMatch(/elicitation|capabilit/i);
  });
});
