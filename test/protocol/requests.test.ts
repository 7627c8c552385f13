import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually, PidFile } from "../harness/cli/processes.ts";
import { connectClient, eras } from "../harness/mcp/client.ts";
import { fixtureServer } from "../harness/mcp/fixture-bundle.ts";
import { makeFixture } from "../harness/mcp/fixture-host.ts";
import { fixtureToolset } from "../harness/mcp/fixture-toolset.ts";
import { stateless, textOf } from "../harness/mcp/wire.ts";

const start = fixtureServer();

describe("A05 what does not exist", () => {
  test.each([
    ["a method", "tools/nonsense", {}, -32601, "Method not found"],
    ["a tool", "tools/call", { name: "nonsense" }, -32602, "Unknown tool: nonsense"],
    ["a prompt", "prompts/get", { name: "nonsense" }, -32602, "Unknown prompt: nonsense"],
    ["a resource", "resources/read", { uri: "forge://nonsense" }, -32602, "Resource not found: forge://nonsense"],
  ])("%s is refused with its code and a steady text", async (_what, method, params, code, message) => {
    const legacy = start();
    await legacy.initialize();
    const modern = start();
    const answers = [await legacy.request(method, params), await modern.request(method, stateless(params))];
    for (const { error } of answers) expect(error?.message).toBe(message);
    expect(answers.map(({ error }) => error?.code)).toEqual([code, code]);
  });

  test("a tool that read-only mode leaves out cannot be called either", async () => {
    const program = start(["--read-only"]);
    await program.initialize();
    const names = (await program.request("tools/list")).result?.["tools"] as { name: string }[];
    expect(names.map(({ name }) => name)).not.toContain("bump");
    expect((await program.call("bump")).error).toEqual({ code: -32602, message: "Unknown tool: bump" });
  });

  test("a name of any length is not quoted back at length", async () => {
    const program = start();
    await program.initialize();
    const reply = await program.request("tools/call", { name: "n".repeat(100_000) });
    expect(JSON.stringify(reply).length).toBeLessThan(1000);
  });
});

describe("A07 without a handshake", () => {
  test("every tool answers or refuses, none crashes", async () => {
    const program = start();
    for (const { name } of fixtureToolset.tools.filter(
      ({ name }) => !name.endsWith("_later") && name !== "never_end",
    )) {
      const { result, error } = await program.call(name, { nonsense: true });
      expect(result?.["isError"] ?? error, name).toBeTruthy();
    }
    expect(textOf(await program.call("echo", { text: "alive" }))).toContain("alive");
  });

  test("a stateless connection refuses a call without an envelope, and goes on", async () => {
    const program = start();
    await program.request("tools/list", stateless());
    expect((await program.call("echo", { text: "x" })).error?.code).toBe(-32602);
    expect(
      textOf(await program.request("tools/call", stateless({ name: "echo", arguments: { text: "y" } }))),
    ).toContain("y");
  });
});

describe("A08 the revision", () => {
  test.each([
    ["2024-10-07", "2024-10-07"],
    ["2025-11-25", "2025-11-25"],
    ["1.0", "2025-11-25"],
    ["9999-99-99", "2025-11-25"],
  ])("initialize with %s is answered with %s", async (asked, agreed) => {
    const program = start();
    expect((await program.initialize(asked)).result?.["protocolVersion"]).toBe(agreed);
    expect(textOf(await program.call("echo", { text: "hi" }))).toContain("hi");
  });

  test.each(["2027-01-01", "garbage", "2025-11-25"])(
    "a stateless request with %s is refused with what is supported",
    async (asked) => {
      const program = start();
      const { error } = await program.request("tools/call", stateless({ name: "echo" }, {}, asked));
      expect(error).toMatchObject({ code: -32022, data: { supported: ["2026-07-28"], requested: asked } });
    },
  );
});

describe("A12 a cancelled call", () => {
  test.each(["legacy", "modern"])(
    "takes its children with it, leaves no files and is not answered (%s)",
    async (era) => {
      const temporary = mkdtempSync(join(tmpdir(), "forge-cancelled-"));
      onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
      const program = start([], { TMPDIR: temporary });
      const family = new PidFile();
      const params = { name: "run_family", arguments: { pidFile: family.path } };
      const id = program.ask("tools/call", era === "modern" ? stateless(params) : params);
      await family.started();
      program.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
      await family.allGone();
      expect(await program.finish()).toEqual({ code: 0, signal: null });
      expect(program.repliesTo(id)).toEqual([]);
      expect(readdirSync(temporary)).toEqual([]);
    },
  );

  test("that ignores its signal does not hold the connection, and the ledger says cancelled", async () => {
    const { host, records } = makeFixture();
    const client = await connectClient(host, "legacy");
    const canceller = new AbortController();
    const call = client.callTool({ name: "never_end", arguments: {} }, { signal: canceller.signal });
    await Promise.all([client.callTool({ name: "echo", arguments: { text: "x" } }), client.ping()]);
    canceller.abort();
    await expect(call).rejects.toThrow();
    await eventually("the record", () =>
      records.some(({ name, outcome }) => name === "never_end" && outcome === "cancelled"),
    );
  });

  test("that was still waiting for its turn never runs", async () => {
    const program = start();
    const slow = Array.from({ length: 16 }, () =>
      program.ask("tools/call", { name: "run_sleep", arguments: { seconds: 0.3 } }),
    );
    const late = program.ask("tools/call", { name: "bump", arguments: {} });
    program.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: late } });
    for (const id of slow) await program.reply(id);
    const { result } = await program.call("bump");
    expect(result?.["structuredContent"]).toEqual({ value: 1 });
    expect(program.repliesTo(late)).toEqual([]);
  });
});

describe.each(eras)("A17 every kind of result fits its schema (%s)", (era) => {
  test("tools, prompts, resources, templates, completion", async () => {
    const client = await connectClient(makeFixture().host, era);
    const { tools } = await client.listTools();
    // The client checks structured content against the output schema once it knows it.
    for (const tool of tools) expect(tool.outputSchema?.["type"]).toBe("object");
    const echo = await client.callTool({ name: "echo", arguments: { text: "hé\u0000\u2028" } });
    expect(echo.structuredContent).toEqual({ said: "hé\u0000\u2028" });
    expect(JSON.parse((echo.content as { text: string }[])[0]?.text ?? "")).toEqual(echo.structuredContent);
    expect((await client.callTool({ name: "hidden" })).structuredContent).toEqual({ said: "found" });
    expect(tools.map(({ name }) => name)).not.toContain("hidden");
    const prompt = await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
    expect(prompt.messages).toEqual([{ role: "user", content: { type: "text", text: "Hello Ada" } }]);
    for (const uri of ["forge://counter", "forge://counters/7"]) {
      expect((await client.readResource({ uri })).contents).toEqual([{ uri, mimeType: "text/plain", text: "0" }]);
    }
    const completion = await client.complete({
      ref: { type: "ref/prompt", name: "greet" },
      argument: { name: "name", value: "A" },
    });
    expect(completion.completion.values).toEqual(["Ada", "Alan"]);
    expect((await client.callTool({ name: "fail_clearly" })).isError).toBe(true);
    await expect(client.getPrompt({ name: "greet", arguments: {} })).rejects.toThrow(/Invalid arguments for greet/);
  });
});
