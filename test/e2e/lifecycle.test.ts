import { describe, expect, test } from "vitest";
import { eventually, isAlive, PidFile } from "../harness/cli/processes.ts";
import { startScript } from "../harness/cli/program.ts";
import { bundle, fixtureServer } from "../harness/mcp/fixture-bundle.ts";
import { plantedSecret } from "../harness/mcp/fixture-faults.ts";
import { textOf } from "../harness/mcp/wire.ts";

const start = fixtureServer();
const parentScript = bundle("fixture-parent");
const serverScript = bundle("fixture-server");

const clean = { code: 0, signal: null };

describe("B01 the end of input ends the program with 0 and everything it started", () => {
  /** When the input ends: at once, during the load, in the middle of calls, after they are over. */
  const moments = Array.from({ length: 25 }, (_, index) => index * 12);

  test.each([0, 1, 2, 3, 4])("at any moment (part %i)", async (part) => {
    await Promise.all(
      moments
        .filter((_, index) => index % 5 === part)
        .map(async (delay) => {
          const program = start();
          program.ask("tools/list");
          program.ask("tools/call", { name: "hold_open", arguments: {} });
          program.ask("tools/call", { name: "echo", arguments: { text: "hi" } });
          await new Promise((resolve) => setTimeout(resolve, delay));
          expect(await program.finish()).toEqual(clean);
          expect(isAlive(program.pid)).toBe(false);
          expect(program.messages.filter(({ result }) => result)).toHaveLength(3);
        }),
    );
  });

  test.each([1, 2, 3])("with children and grandchildren running (%i)", async () => {
    const program = start();
    const family = new PidFile();
    program.ask("tools/call", { name: "run_family", arguments: { pidFile: family.path } });
    expect(await family.started()).toHaveLength(3);
    expect(await program.finish()).toEqual(clean);
    await family.allGone();
  });

  test("with a call that ignores its signal, timers, a watcher and a socket", async () => {
    const program = start();
    await program.initialize();
    await program.call("hold_open");
    program.ask("tools/call", { name: "never_end", arguments: {} });
    expect(await program.finish()).toEqual(clean);
  });

  test("with a client that listens for changes", async () => {
    const program = start();
    await program.initialize();
    await program.request("resources/subscribe", { uri: "forge://counter" });
    expect(await program.finish()).toEqual(clean);
  });
});

test("calls under way when the input ends are still answered", async () => {
  const program = start();
  const id = program.ask("tools/call", { name: "run_sleep", arguments: { seconds: 0.2 } });
  expect(await program.finish()).toEqual(clean);
  expect(program.repliesTo(id)).toMatchObject([{ result: { structuredContent: { code: 0 } } }]);
});

test("B02 a killed parent ends it, although its input stays open", async () => {
  const parent = startScript(parentScript(), [serverScript()]);
  parent.ask("tools/list", undefined, 1);
  const [, pid] = await parent.until("the server's id", () => /pid (\d+)/.exec(parent.stderr) ?? undefined);
  const family = new PidFile();
  parent.ask("tools/call", { name: "run_family", arguments: { pidFile: family.path } });
  await family.started();
  parent.child.kill("SIGKILL");
  await eventually("the server to be gone", () => !isAlive(Number(pid)));
  await family.allGone();
  expect(parent.child.stdin?.writableEnded).toBe(false);
});

describe("B03 a reader that is gone", () => {
  test("on stdout ends it quietly", async () => {
    const program = start();
    await program.initialize();
    program.child.stdout?.destroy();
    program.ask("tools/list");
    program.ask("tools/call", { name: "echo", arguments: { text: "hi" } });
    expect(await program.exited).toEqual(clean);
    expect(program.stderr).toBe("");
  });

  test("on stderr alone is no reason to end", async () => {
    const program = start();
    program.child.stderr?.destroy();
    program.write("{bad\n".repeat(50));
    await program.initialize();
    expect(textOf(await program.call("fail"))).toContain("INTERNAL_ERROR");
    expect(textOf(await program.call("echo", { text: "still here" }))).toContain("still here");
    expect(await program.finish()).toEqual(clean);
  });
});

describe("B04 a signal with calls in flight", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s ends it and its children", async (signal) => {
    const program = start();
    const family = new PidFile();
    await program.initialize();
    program.ask("tools/call", { name: "run_family", arguments: { pidFile: family.path } });
    program.ask("tools/call", { name: "never_end", arguments: {} });
    await family.started();
    program.child.kill(signal);
    expect(await program.exited).toEqual(clean);
    await family.allGone();
    expect(program.stderr).not.toMatch(/\n\s+at /);
  });
});

describe("stdout carries MCP and nothing else", () => {
  test.each([
    ["as it is", {}],
    ["NODE_DEBUG", { NODE_DEBUG: "*" }],
    ["DEBUG", { DEBUG: "*" }],
    ["pending deprecations", { NODE_OPTIONS: "--pending-deprecation --trace-warnings" }],
  ])("B05 what libraries and Node print goes to stderr (%s)", async (_what, env) => {
    const program = start([], env);
    await program.initialize();
    expect(textOf(await program.call("chatter"))).toContain("true");
    expect(await program.finish()).toEqual(clean);
    for (const words of ["a library says hello", "and again", "deprecated"]) expect(program.stderr).toContain(words);
    expect(program.faults).toEqual([]);
  });

  test("B06 a child neither reads the protocol nor writes to it", async () => {
    const program = start();
    await program.initialize();
    const rude = program.ask("tools/call", { name: "run_rude", arguments: {} });
    const others = Array.from({ length: 20 }, (_, index) =>
      program.ask("tools/call", { name: "echo", arguments: { text: `${index}` } }),
    );
    for (const id of others) await program.reply(id);
    expect((await program.reply(rude)).result?.["structuredContent"]).toEqual({ code: 0, output: "POLLUTION\n" });
    expect(program.faults).toEqual([]);
  });
});

describe("B11 faults", () => {
  test.each(["fail", "fail_clearly", "fail_oddly", "wrong_output"])(
    "inside a call (%s) are its answer, and the server goes on",
    async (tool) => {
      const program = start();
      await program.initialize();
      const { result } = await program.call(tool);
      expect(result?.["isError"]).toBe(true);
      expect(textOf(await program.call("echo", { text: "alive" }))).toContain("alive");
      for (const output of [JSON.stringify(program.messages), program.stderr])
        expect(output).not.toContain(plantedSecret);
      expect(JSON.stringify(program.messages)).not.toMatch(/secret-place|\.ts:\d|\\n\s+at /);
    },
  );

  test.each(["fail_later", "reject_later"])("outside any call (%s) end it with 1 and one line", async (tool) => {
    const program = start();
    await program.initialize();
    await program.call(tool);
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.stderr.trim().split("\n")).toEqual([expect.stringMatching(/^\[forge\] error: .*late/)]);
    expect(program.stderr).not.toContain(plantedSecret);
  });
});
